"""What the samples would send on more processes than there are here, and how long that would take.

Messages and bytes are those of the programs: each is recorded for a mesh of so many processes, and
`explain` lists where they meet. They are counted in the tests beside what MPI is given. The times
are a **model**, not a measurement:

* a network with a latency of 2 us and 12.5 GB/s from each process, without contention;
* the algorithms of Thakur, Rabenseifner and Gropp (2005): a sum of m bytes over p processes takes
  2 log2(p) latencies and 2 (p - 1) / p m bytes, `all_gather` and `psum_scatter` take half of that,
  `ppermute` one latency and its bytes;
* nothing overlaps with computing, and processes that compute alike arrive at the same time;
* per meeting 10 us for the agreement of the processes and the call.

    python -m samples.parallel.plan
"""

from __future__ import annotations

import math

import numpy as np

import autograph as ag
from autograph import P
from samples.parallel import (
    data_parallel,
    halo,
    pipeline,
    sharded_weights,
    sweep,
    tensor_parallel,
)

LATENCY, BANDWIDTH, CALL = 2e-6, 12.5e9, 10e-6  # s, bytes/s, s
PROCESSES = (8, 64, 512, 4096)
ROWS = 32  # of a mini-batch, that each process has


def seconds(meeting):
    """How long a meeting takes in the model."""
    p, size = meeting.processes, meeting.nbytes
    steps = math.ceil(math.log2(p))
    if meeting.operator in ("psum", "pmax", "pmin"):
        time = 2 * steps * LATENCY + 2 * (p - 1) / p * size / BANDWIDTH
    elif meeting.operator.startswith("all_gather"):  # each gives its part, and gets the others
        time = steps * LATENCY + (p - 1) * size / BANDWIDTH
    elif meeting.operator == "psum_scatter":
        time = steps * LATENCY + (p - 1) / p * size / BANDWIDTH
    else:
        time = LATENCY + size / BANDWIDTH
    return meeting.messages * CALL + time


def of_any_size(*shape):
    """An array of which only the type counts."""
    return np.broadcast_to(0.0, shape)


def of_data_parallel(p):
    """Layers of 784, 512, 512 and one units."""
    params = [(of_any_size(a, b), of_any_size(b)) for a, b in ((784, 512), (512, 512), (512, 1))]
    run = ag.shard_map(data_parallel.train, ag.Mesh.planned(data=p), data_parallel.SPECS, P())
    rows = of_any_size(1, ROWS * p, 784), of_any_size(1, ROWS * p)
    return run.explain(params, params, *rows, 0.1)


def of_sharded_weights(p):
    """Two layers of 4096 x 4096, whose weights and moments are divided among all."""
    params = sharded_weights.initial(np.random.default_rng(0), 4096, 2, 16)
    run = ag.shard_map(
        sharded_weights.train,
        ag.Mesh.planned(data=p),
        sharded_weights.SPECS,
        sharded_weights.OUT,
    )
    rows = of_any_size(1, ROWS * p, 16), of_any_size(1, ROWS * p)
    return run.explain(params, params, params, 0, *rows, 0.1)


def of_tensor_parallel(p):
    """A block of width 512, with 8 heads and 2048 hidden units, divided among 8 processes."""
    params = tensor_parallel.initial(np.random.default_rng(0), 128, 512, 8, 64, 2048)
    mesh = ag.Mesh.planned(data=p // 8, model=8)
    run = ag.shard_map(tensor_parallel.train, mesh, tensor_parallel.SPECS, tensor_parallel.OUT)
    x = of_any_size(1, 4 * p // 8, 128, 512)
    return run.explain(params, params, x, x, 0.1)


def of_pipeline(schedule):
    """A stage of width 1024 on each process; four micro-batches of 32 rows for each stage."""

    def explained(p):
        params = of_any_size(p, 1024, 1024), of_any_size(p, 1024)
        x = of_any_size(1, 4 * p, ROWS, 1024)
        mesh = ag.Mesh.planned(stage=p)
        run = ag.shard_map(pipeline.train(schedule), mesh, pipeline.SPECS, pipeline.OUT)
        return run.explain(params, x, x, 0.1)

    return explained


def of_halo(p):
    """A sweep over a grid of which each process has 256 x 1024 cells."""
    mesh = ag.Mesh.planned(rows=p)
    run = ag.shard_map(halo.solve, mesh, (P("rows"), P()), (P("rows"), P()))
    return run.explain(of_any_size(256 * p, 1024), 1e-4)


def of_sweep(p):
    """A whole sweep, in which each process has 32 values."""
    run = ag.shard_map(sweep.sweep, ag.Mesh.planned(sweep=p), sweep.SPECS, P())
    return run.explain(of_any_size(ROWS * p), of_any_size(2), 10.0, 1e-6)


SAMPLES = {
    "data parallel": of_data_parallel,
    "sharded weights": of_sharded_weights,
    "tensor parallel": of_tensor_parallel,
    "pipeline, GPipe": of_pipeline("gpipe"),
    "pipeline, one forward, one backward": of_pipeline("1f1b"),
    "halo exchange, until its first sweep": of_halo,
    "sweep over parameters": of_sweep,
}


def rows(counts=PROCESSES):
    """For each sample and number of processes: messages and bytes of a process in a step, and the
    seconds of the model."""
    for name, explained in SAMPLES.items():
        for p in counts:
            meetings = [m for m in explained(p).meetings for _ in range(m.times or 1)]
            messages = sum(m.messages for m in meetings)
            yield name, p, messages, sum(m.nbytes for m in meetings), sum(map(seconds, meetings))


def table(counts=PROCESSES):
    """The lines of a table."""
    yield "| sample | processes | messages | bytes from each | model: ms |"
    yield "|---|---|---|---|---|"
    for name, p, messages, size, time in rows(counts):
        yield f"| {name} | {p} | {messages} | {size:,} | {1e3 * time:.3f} |"


if __name__ == "__main__":
    print("\n".join(table()))
