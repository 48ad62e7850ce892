"""Lists of one number, repeated as often as only the run knows; and places found in lists."""

import numpy as np

import autograph as ag
from tests.support.oracle import Programs

programs = Programs()
X = np.array([0.25, 0.5, 0.75, 0.5, 0.125])


@programs(X, np.array([4]))
@programs(X, np.array([0]))
@programs(X, np.array([-2]))
def zeros(x, n):
    made = [0.0] * int(n[0])
    for i in range(len(made)):
        made[i] = made[i] + x[i]
    return made, [x[0]] * int(n[0]), [7] * int(n[0]), [(1, x[1])] * int(n[0])


@programs(X, np.array([4]))
@programs(X, np.array([9]))
def padded(x, n):
    kept = [v for v in x if v > 0.3]
    kept += [x[1]] * (int(n[0]) - len(kept))
    return kept + [x[0]] * len(kept)


@programs(np.array([3, 1, 4, 1, 5]))
@programs(np.array([0]))
def counted(xs):
    counts = [0] * (xs.max() + 1)
    for v in xs:
        counts[v] += 1
    return counts


@programs(X, 0.5)
@programs(X, 0.75)
@programs(X, 0.125)
@programs(X, 9.0)
def places(x, v):
    kept = [u for u in x if u > 0.2]
    return kept.index(v), kept.index(v, 0, -1), kept.index(v, -9), kept.count(v), v in kept


@programs(X, 0.75)
@programs(X, 9.0)
def removed(x, v):
    kept = [u for u in x if u > 0.2]
    kept.remove(v)
    return kept


@programs.test
def test_as_python(call):
    call.run()


def test_derivatives():
    def f(x):
        kept = [u for u in x if u > 0.2]
        kept += [x[0] ** 2] * (6 - len(kept))
        return kept[kept.index(x[1])] ** 2 * sum(kept)

    ag.check_grads(f, (X,), order=2, modes=("fwd", "rev"))
    lanes = np.stack([X, X[::-1]])
    np.testing.assert_allclose(ag.vmap(f)(lanes), [f(x) for x in lanes])
