"""The functions of `tests.parallel.sums` by processes: as on lanes, with the argument unchanged."""

import sys

import numpy as np

import autograph as ag
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
