"""The functions of `tests.parallel.sums` by processes: as on lanes, with the argument unchanged."""

import sys

import numpy as np

import autograph as ag
import ops
from autograph import P
from autograph.transforms import meshes
from tests.parallel import sums

if "large" in sys.argv:  # all arrays count as large, so that none are packed
    meshes.LARGE = 1
mesh = ag.Mesh.processes(data=-1)
lanes = ag.Mesh.lanes(data=mesh.size)
rng = np.random.default_rng(0)

for f in (*sums.IN_PLACE, *sums.COPIED, sums.several_of_one):
    for count in (4, 400, 40_000):  # rows, some of which are large messages
        if f is sums.of_the_same_number_everywhere and count != 4:
            continue
        x = rng.normal(size=(count, 3))
        given = x.copy()
        expected = ag.tree.leaves(ag.shard_map(f, lanes, P(), P())(x))
        g = ag.shard_map(f, mesh, P(), P())
        for _ in range(2):
            for a, b in zip(ag.tree.leaves(g(given)), expected, strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-10, err_msg=f.__name__)
        np.testing.assert_array_equal(given, x, err_msg=f.__name__)
    if mesh.place["data"] == 0:
        print("done", f.__name__, flush=True)


def total(x):
    return ops.psum(x, "data")


def of_other_lengths(x):
    """One place of a program, at which arrays have another shape at each call."""
    chosen = x[x > 0]
    return total(chosen), total((2 * chosen, chosen + 1))


f = ag.shard_map(of_other_lengths, mesh, P(), P())
for x in (np.array([1.0, -1, 2]), np.array([-1.0, -1, 3]), -np.ones(3), np.arange(3.0)):
    for a, b in zip(ag.tree.leaves(f(x)), (x[x > 0], 2 * x[x > 0], x[x > 0] + 1), strict=True):
        np.testing.assert_array_equal(a, mesh.size * b)
of_both = lambda x: (total(x), total((x, x + 1)))
g, h = (ag.shard_map(of_both, each, P(), P()) for each in (mesh, lanes))
for x in (2.5, 3, np.float32(1.5), np.int8(3), np.array(2.0), np.ones((2, 3)).T, np.ones(2, "D")):
    for a, b in zip(ag.tree.leaves(g(x)), ag.tree.leaves(h(x)), strict=True):
        np.testing.assert_array_equal(a, b)
        assert type(a) is type(b) and np.result_type(a) == np.result_type(b), (a, b)
if mesh.place["data"] == 0:
    print("done with other types", flush=True)
