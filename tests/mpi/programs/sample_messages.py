"""What the samples send in a step, as their docstrings and `explain` have it, beside what is
counted where MPI is called. Prints the names of those that agree."""

import numpy as np

import autograph as ag
from autograph import P
from autograph.parallel.mesh import communicators
from autograph.parallel.mpi import world
from samples.parallel import (
    data_parallel,
    halo,
    pipeline,
    sharded_weights,
    sweep,
    tensor_parallel,
)

everyone = world()
p, rank = everyone.size, everyone.rank
rng = np.random.default_rng(0)
STEPS = 2


def sent(mesh):
    """Messages and bytes so far, by axis and operator."""
    return {
        (axis, operator): (traffic.messages, traffic.bytes)
        for axis, communicator in communicators(mesh).items()
        for operator, traffic in communicator.counts.items()
    }


def explained(run, args, trips):
    """Messages and bytes in a call as samples/parallel/plan.py counts them, by axis and operator.

    Args:
        trips: of a loop whose number of trips is not known before.
    """
    found = {}
    for meeting in run.explain(*args).meetings:
        times = trips if meeting.times is None else meeting.times
        messages, size = found.get((meeting.axis, meeting.operator), (0, 0))
        found[meeting.axis, meeting.operator] = (
            messages + times * meeting.messages,
            size + times * meeting.nbytes,
        )
    return found


def check(name, mesh, function, specs, out, args, expected, steps=STEPS, trips=None, ends=False):
    """Compare what a call sends with what is said that a step does.

    Args:
        expected: messages and bytes in a step by axis and operator; messages are None for sums that
            may be packed.
        trips: see `explained`.
        ends: whether this part lacks a neighbour to which `explain` has it send.
    """
    run = ag.shard_map(function, mesh, specs, out)
    run(*args)  # at the first call, processes also compare their arguments
    before = sent(mesh)
    run(*args)
    after, found = sent(mesh), {}
    for key, (messages, size) in after.items():
        earlier = before.get(key, (0, 0))
        if (messages, size) != earlier:
            found[key] = messages - earlier[0], size - earlier[1]
    planned = explained(run, args, trips)
    for key in {*found, *planned, *expected}:
        most = planned.get(key, (0, 0))
        same = found.get(key, (0, 0)) == most
        fewer = ends and key[1] == "ppermute" and all(a <= b for a, b in zip(found[key], most))
        assert same or fewer, (name, key, found, planned)
        messages, size = expected.get(key, (0, 0))
        counted = found.get(key, (0, 0))
        assert counted[1] == steps * size, (name, key, counted, expected)
        assert messages is None or counted[0] == steps * messages, (name, key, counted, expected)
    print(f"process {rank}: {name}", flush=True)


def normal(*shape):
    return rng.normal(size=shape)


def zeros(tree):
    return ag.tree.map(np.zeros_like, tree)


mesh = ag.Mesh.processes(data=-1)
params = data_parallel.initial(rng, (2, 3, 1))
args = params, zeros(params), normal(STEPS, 12, 2), normal(STEPS, 12), 0.1
check(
    "data parallel", mesh, data_parallel.train, data_parallel.SPECS, P(), args,
    {("data", "psum"): (None, 8 + 8 * (2 * 3 + 3 + 3 * 1 + 1))},
)  # fmt: skip

k, w = 2, 12 * 12 + 12
params = sharded_weights.initial(rng, 12, k, 5)
moments = zeros(params)
args = params, moments, moments, 0, normal(STEPS, 12, 5), normal(STEPS, 12), 0.1
check(
    "sharded weights", mesh, sharded_weights.train, sharded_weights.SPECS, sharded_weights.OUT,
    args,
    {
        ("data", "all_gather"): (4 * k, 2 * k * 8 * w // p),
        ("data", "psum_scatter"): (2 * k, k * 8 * w),
        ("data", "psum"): (None, 8 + 8 * (5 * 12 + 12)),
    },
)  # fmt: skip

data = 2 if p % 2 == 0 else 1
mesh, m = ag.Mesh.processes(data=data, model=-1), p // data
params = tensor_parallel.initial(rng, 3, 4, 12, 2, 12)
x = normal(STEPS, 2, 3, 4)
s, n, d, h, u = 2 // data, 3, 4, 12 * 2, 12
check(
    "tensor parallel", mesh, tensor_parallel.train, tensor_parallel.SPECS, tensor_parallel.OUT,
    (params, zeros(params), x, x, 0.1),
    {
        ("model", "psum"): (4, 4 * 8 * s * n * d),
        ("data", "psum"): (None, 8 * (4 * d * h + 2 * d * u) // m + 8 * n * d + 8),
    },
)  # fmt: skip

mesh, m, n, d = ag.Mesh.processes(stage=-1), 5, 2, 3
x = normal(STEPS, m, n, d)
onwards, back = rank < p - 1, rank > 0  # whether there is a part after this one, and before
moved, ends = (m + p - 1) * (onwards + back), not (onwards and back)
for name in ("gpipe", "1f1b"):
    check(
        name, mesh, pipeline.train(name), pipeline.SPECS, pipeline.OUT,
        (pipeline.initial(rng, p, d), x, x, 0.1),
        {("stage", "ppermute"): (moved, moved * 8 * n * d), ("stage", "psum"): (None, 8)},
        ends=ends,
    )  # fmt: skip

mesh, c = ag.Mesh.processes(rows=-1), 3
row, column = halo.coordinates(12, c)
source = halo.sources(np.array([0.8, 1.5]), row, column)
specs, out = (P("rows"), P()), (P("rows"), P())
_, sweeps = ag.shard_map(halo.solve, mesh, specs, out)(source, 1e-4)
check(
    "halo", mesh, halo.solve, specs, out, (source, 1e-4),
    {
        ("rows", "ppermute"): (sweeps * (onwards + back), sweeps * (onwards + back) * 8 * c),
        ("rows", "psum"): (sweeps + 1, (sweeps + 1) * 8),
    },
    steps=1, trips=sweeps, ends=ends,
)  # fmt: skip

mesh, k = ag.Mesh.processes(sweep=-1), 12
args = np.linspace(0.3, 4.0, k), np.array([1.5, 0.2]), 0.5, 1e-2
check(
    "sweep", mesh, sweep.sweep, sweep.SPECS, P(), args,
    {("sweep", "all_gather_invariant"): (2, 2 * 8 * k // p), ("sweep", "pmax"): (1, 8)},
    steps=1,
)  # fmt: skip
