"""Programs of `tests.parallel.programs` by processes with CuPy arrays, on the stand-in: the same as
the whole computation, with derivatives, or with gradients only. Started by mpiexec, or with RANK
and the like set."""

import os
import sys
import warnings

import numpy as np

import autograph as ag
from autograph import P
from autograph.parallel.everyone import everyone, of_gpus
from autograph.parallel.mpi.calls import Call
from autograph.parallel.nccl.store import TcpStore
from tests.parallel import programs
from tests.parallel.nccl import stand_in
from tests.support import strict_device
from tests.support.tree import ROOT

warnings.simplefilter("ignore")
names = [name for name in sys.argv[1:] if name != "--gradients"]
more = len(names) == len(sys.argv) - 1  # than values and gradients
strict_device.Array.data = property(stand_in._data)
sys.modules.update(stand_in.modules())
mesh = ag.Mesh.processes(data=-1)
world = everyone()
programs.PARTS = mesh.size

# The stand-in's own way between the processes.
what = Call("stand-in", "")
store = None
if world.rank == 0:
    store = TcpStore(0, world.size, "localhost", 0, 30)
(port, *_) = world.gather(np.array(store.port if store else 0), what)
store = store or TcpStore(world.rank, world.size, "localhost", int(port), 30)
stand_in.enter(world.rank, lambda rank, name, members, data: store.gather(name, members, data))

rng = np.random.default_rng(3)
W, X, V = rng.normal(size=4), rng.normal(size=(12, 4)), rng.normal(size=4)
w, x, v = map(stand_in.on_device, (W, X, V))
SAME = P()


def by_processes(function, out=SAME):
    return ag.shard_map(function, mesh, (P(), P("data")), out)


def close(found, expected, what):
    if isinstance(found, ag.ShardedArray):
        found = of_gpus(world).gather(found.local, Call("gather", ""))
        found = found.reshape(-1, *found.shape[2:])
    assert isinstance(found, strict_device.Array), f"{what}: {type(found)}"
    np.testing.assert_allclose(found._data, expected, rtol=1e-10, atol=1e-12, err_msg=what)


for name in names:
    part, whole = getattr(programs, name), getattr(programs, f"{name}_whole")
    f = by_processes(part)
    close(f(w, x), whole(W, X), f"{name}: value")
    close(f(w, ag.put(x, mesh, P("data"))), whole(W, X), f"{name}: value of a divided array")
    for argnums, out in ((0, P()), (1, P("data"))):
        expected = ag.grad(whole, argnums=argnums)(W, X)
        close(ag.grad(f, argnums=argnums)(w, x), expected, f"{name}: gradient {argnums} outside")
        found = by_processes(ag.grad(part, argnums=argnums), out)(w, x)
        close(found, expected, f"{name}: gradient {argnums} inside")
    if not more:
        continue
    for a, b in zip(
        ag.jvp(f, (w, x), (v, 0.5 * x)), ag.jvp(whole, (W, X), (V, 0.5 * X)), strict=True
    ):
        close(a, b, f"{name}: tangent")
    close(ag.hessian(f)(w, x), ag.hessian(whole)(W, X), f"{name}: second order")

assert stand_in.state.calls, "no call of NCCL"
different = stand_in.on_device(W + world.rank)
try:
    by_processes(lambda w, x: w)(different, x)
except ag.errors.MeshError as error:
    assert error.id == "AG0648", error
else:
    raise AssertionError("arguments that differ were taken")
if "RANK" in os.environ:
    try:
        by_processes(programs.mean_loss)(W, X)
    except ag.errors.MeshError as error:
        text = (ROOT / "docs/errors.md").read_text(encoding="utf-8")
        said = str(error).splitlines()[0].replace("pmean", "psum").replace("psum of", "psum")
        assert error.id == "AG0676" and said in text, error
    else:
        raise AssertionError("NumPy arrays met without MPI")
store.close()
print(f"rank {world.rank}: {len(stand_in.state.calls)} calls of NCCL")
