"""Steps with a checkpoint after each, from the last one on; with a second argument, a process dies
within so many seconds."""

import os
import signal
import sys
import threading
import time

import numpy as np

import tests.mpi.light  # noqa: F401
from autograph.parallel.checkpoint import MANIFEST, Leaf, arrays, load, save
from autograph.parallel.mpi import Call, world

everyone = world()
rank, size = everyone.rank, everyone.size
folder, limit = sys.argv[1], float(sys.argv[2])
LENGTH = 24_000

start, stop = LENGTH * rank // size, LENGTH * (rank + 1) // size
step, weights = 0, np.zeros(LENGTH)[start:stop]
if os.path.exists(os.path.join(folder, MANIFEST)):
    step = int(load(folder, "step"))
    assert arrays(folder)["weights"] == ((LENGTH,), np.dtype("float64"))
    weights = load(folder, "weights", ((start, stop),))
    whole = load(folder, "weights")
    assert (weights == whole[start:stop]).all()
    assert (whole == step + np.arange(LENGTH) % 7 * step).all(), f"not of step {step}"
if rank == 0:
    print("begins", step, flush=True)

if limit and rank == int(limit * 1000) % size:  # at a time that nothing here knows of
    timer = threading.Timer(limit, os.kill, [os.getpid(), signal.SIGKILL])
    timer.daemon = True
    timer.start()
end = time.monotonic() + 60.0 if limit else 0.0
while True:
    step, weights = step + 1, weights + 1 + np.arange(start, stop) % 7
    leaves = [
        Leaf("step", (), (), np.array(step)),
        Leaf("weights", (LENGTH,), ((start, stop),), weights),
    ]
    save(folder, leaves, everyone)
    if rank == 0:
        print("saved", step, flush=True)
    (over,) = everyone.max([np.array(time.monotonic() > end)], Call("pmax", ""))
    if over:
        break
