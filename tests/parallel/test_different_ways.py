"""Parts of a mesh that go different ways along one axis and meet along another one, and what is the
same in all parts beside what is not: programs that random ones (`tests.fuzz.spmd`) have come to."""

import numpy as np
import pytest

import autograph as ag
import ops
from autograph import P
from autograph.errors import MeshError

GRID = ag.Mesh.lanes(data=2, model=2)
EACH = P(("data", "model"))
rng = np.random.default_rng(5)
W, X = rng.normal(size=3), rng.normal(size=(8, 3))
DATA, MODEL = np.array([[0.5, 1.0], [-0.25, 2.0]]), np.array([0.75, -0.5])


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)


def test_meeting_along_the_first_axis_where_the_second_goes_its_own_way():
    def part(x, z):
        y = x[0, 0]
        if z[0] > 0.0:
            y = ops.psum(y, "data") * z[0]
        return np.reshape(y, (1, 1))

    spec = P("data", "model")
    found = ag.shard_map(part, GRID, (spec, P("model")), spec)(DATA, MODEL)
    close(np.asarray(found), [[0.1875, 1.0], [0.1875, 2.0]])


def test_loops_of_own_lengths_along_the_second_axis_meet_along_the_first():
    def part(x, z):
        y, n = x[0, 0], 0
        while n < 4 and z[0] * n < 0.5:
            y = ops.psum(y, "data") * 0.5
            n = n + 1
        return np.reshape(y * n, (1, 1))

    spec = P("data", "model")
    found = ag.shard_map(part, GRID, (spec, P("model")), spec)(DATA, MODEL)
    close(np.asarray(found), [[0.125, 6.0], [0.125, 6.0]])


def test_an_invariant_result_beside_a_branch_of_each():
    def part(n, x):
        y = x[0, 0]
        if y > 0.1:
            y = n * 0.25
        return n, np.reshape(y, (1,))

    n, y = ag.shard_map(part, GRID, (P(), EACH), (P(), EACH))(2, X)
    assert n == 2
    close(np.asarray(y), np.where(X[::2, 0] > 0.1, 0.5, X[::2, 0]))


def test_a_sum_of_python_numbers_is_numpys():
    def part(n, z):
        y = z[0]
        if y > 0.0:
            y = ops.psum(n * 0.25, "data") * y
        return np.reshape(y, (1,))

    found = ag.shard_map(part, GRID, (P(), P("model")), P("model"))(3, MODEL)
    close(np.asarray(found), [1.5 * 0.75, -0.5])


def test_gradients_of_what_a_branch_of_each_returns_as_it_is():
    """It is varied once, before the branch: the gradient was a sum of sums."""

    def part(w, x):
        same = np.sin(w[0])
        y = ops.ppermute(x[0] if x[0] > 0.1 and x[0] < 0.6 else same, "data", [(1, 0)])
        return ops.psum(y * x[1], ("data", "model"))

    def whole(w, x):
        a, b, c, d = x[0:2], x[2:4], x[4:6], x[6:8]
        moved = [y[0] if 0.1 < y[0] < 0.6 else np.sin(w[0]) for y in (c, d)]
        return moved[0] * a[1] + moved[1] * b[1]

    x = np.array([0.3, 1.0, -0.7, 0.5, 0.4, 2.0, 0.9, -1.0])
    specs = (P(), EACH)
    mapped = ag.shard_map(part, GRID, specs, P())
    close(mapped(W, x), whole(W, x))
    for i, out in ((0, P()), (1, EACH)):
        expected = ag.grad(whole, argnums=i)(W, x)
        close(ag.grad(mapped, argnums=i)(W, x), expected)
        inside = ag.shard_map(ag.grad(part, argnums=i), GRID, specs, out)
        close(np.asarray(inside(W, x)), expected)


def test_pvary_of_what_varies_does_nothing():
    """Its gradient was that of all parts together."""

    def part(x):
        return ops.psum(ops.pvary(x[0], "data") ** 2, "data")

    line = ag.Mesh.lanes(data=2)
    found = ag.shard_map(ag.grad(part), line, P("data"), P("data"))(np.arange(1.0, 5.0))
    close(np.asarray(found), [2.0, 0.0, 6.0, 0.0])


def test_lanes_inside_that_go_different_ways_vary_as_what_they_are_computed_of():
    def part(x):
        return ag.vmap(lambda f: np.sin(f) if f > 0.0 else f * f)(x)

    with pytest.raises(MeshError, match="AG0642"):
        ag.shard_map(part, GRID, EACH, P())(X[:, 0])
    found = ag.shard_map(part, GRID, EACH, EACH)(X[:, 0])
    close(np.asarray(found), np.where(X[:, 0] > 0.0, np.sin(X[:, 0]), X[:, 0] ** 2))


def test_gradients_of_lanes_inside_that_go_different_ways():
    def part(w, x):
        y = ag.vmap(lambda f: np.sin(f * w[0]) if f > 0.0 else f * f * w[1])(x)
        return ops.psum(np.sum(y * w[2]), ("data", "model"))

    def whole(w, x):
        return np.sum(np.where(x > 0.0, np.sin(x * w[0]), x * x * w[1]) * w[2])

    x = X[:, 0]
    expected = ag.grad(whole)(W, x)
    close(ag.shard_map(ag.grad(part), GRID, (P(), EACH), P())(W, x), expected)
    close(ag.grad(ag.shard_map(part, GRID, (P(), EACH), P()))(W, x), expected)
