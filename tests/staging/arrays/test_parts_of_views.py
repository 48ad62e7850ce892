"""What is written to elements of views is written to the elements of the array they are of."""

import numpy as np
import pytest

import autograph as ag
import ops
from autograph.graph.graph import walk

RNG = np.random.default_rng(0)
A = RNG.normal(size=(7, 6))


def halves_of_rows(a, k):
    position, velocity = a[:, :3], a[:, 3:]
    for i in range(len(a)):
        for j in range(3):
            velocity[i, j] -= 0.1 * position[i, j]
            position[i, j] += 0.1 * velocity[i, j]
    return position, velocity


def columns_by_name(a, k):
    x, y, *_ = a.T
    for i in range(1, len(a)):
        x[i] += y[i - 1]
        y[i] = x[i] - x[i - 1]
    return x


def planes(a, k):
    best, other = np.zeros((2, 7, 6))
    for i in range(1, 7):
        for j in range(6):
            best[i, j] = other[i - 1, j] + a[i, j]
            other[i, j] = max(best[i, j], best[i - 1, j])
    return best, other


def in_rows(a, k):
    for i in range(1, len(a)):
        row, above = a[i], a[i - 1]
        for j in range(1, 6):
            row[j] = row[j - 1] + above[j]
    return row


def in_steps(a, k):
    odd, backwards = a[1::2, 2:], a[::-1]
    for i in range(3):
        odd[i, -1] += 2.0
        odd[i][i] *= 3.0
        backwards[i, 0] -= odd[i, 0]
    return odd, backwards


def views_of_views(a, k):
    inner = a[1:6][:, 1:5].T
    for i in range(4):
        inner[i, 2] += a[3, i]
        inner[i] *= 1.5
        inner[i, 1:3] -= 0.5
    return inner


def places_in_an_argument(a, k):
    part = a[2:, 1:4]
    for i in range(3):
        part[k[i], i] += part[i, 0]
        part[k[i]][k[i + 1]] = 4.0
    return part


def rows_by_places(a, k):
    """Only the run knows whether the places are inside of the rows."""
    for i in range(len(a)):
        for j in k:
            a[i][j] += 1.5
            a.T[j][i] *= 0.5
            a[:, 1:5][i][j] += 0.25
            a[::-1, ::2][i, j % 3] -= 0.5
    return a[2]


def kept(a, k):
    """A view that has been read before it is written, and rows after."""
    part = a[:, 2]
    before = part + 0.0
    part[3] = 9.0
    a[3, 2] += 1.0
    part[2] = part[3] + before[3]
    return before, part, a[2]


FUNCTIONS = [
    halves_of_rows,
    columns_by_name,
    planes,
    in_rows,
    in_steps,
    views_of_views,
    places_in_an_argument,
    rows_by_places,
    kept,
]
K = np.array([1, 0, -1, 2])


DTYPES = np.float64, np.float32, np.complex128
CASES = [(f, t) for t in DTYPES for f in FUNCTIONS if t is not np.complex128 or f is not planes]


@pytest.mark.parametrize(("function", "dtype"), CASES)
def test_writes_to_views(function, dtype):
    ours, theirs = (10 * A).astype(dtype), (10 * A).astype(dtype)
    found, expected = ag.to_graph(function)(ours, K), function(theirs, K)
    np.testing.assert_array_equal(ours, theirs)
    found, expected = (x if isinstance(x, tuple) else (x,) for x in (found, expected))
    for x, y in zip(found, expected):
        assert x.dtype == y.dtype
        np.testing.assert_array_equal(x, y)


@pytest.mark.costly
@pytest.mark.parametrize("function", FUNCTIONS)
def test_derivatives_and_lanes_of_writes_to_views(function):
    def loss(a):
        a = a.copy()
        found = function(a, K)
        found = found if isinstance(found, tuple) else (found,)
        return sum(np.sum(x * x) for x in found) + np.sum(a)

    ag.check_grads(loss, (A,), order=2)
    several = np.stack([A, A - 0.3])
    np.testing.assert_allclose(ag.vmap(loss)(several), [loss(a) for a in several])


def out_of_range(a, k):
    part = a[:, 2:5]
    for i in range(2):
        part[i, k[i]] = 1.0
    return part


def out_of_rows(a, k):
    for i in range(2):
        a[i][k[i]] = 1.0
    return a


def out_of_steps(a, k):
    part = a[::-1, 5:1:-1]
    part[k[0], k[1]] = 1.0
    return a


@pytest.mark.parametrize("function", [out_of_range, out_of_rows, out_of_steps])
@pytest.mark.parametrize("places", [[0, 3], [-4, 0], [2, 5], [-1, -3], [6, 0], [1, -7]])
def test_places_outside_of_a_view_raise(function, places):
    outcomes: list[tuple] = []
    for f in (ag.to_graph(function), function):
        a = A.copy()
        try:
            outcomes.append((f(a, np.array(places)).tolist(), None, a.tolist()))
        except IndexError as error:
            outcomes.append((None, str(error).splitlines()[0], None))
    assert outcomes[0][0] == outcomes[1][0] and outcomes[0][2] == outcomes[1][2]
    assert (outcomes[0][1] is None) == (outcomes[1][1] is None)
    if outcomes[1][1] is not None:
        assert outcomes[1][1] in outcomes[0][1]


@pytest.mark.parametrize(
    "function", [halves_of_rows, columns_by_name, planes, in_rows, rows_by_places]
)
def test_only_elements_are_written(function):
    """No trip of a loop writes a whole view back."""
    graph = ag.to_graph(function).stages(A.copy(), K)["simplify"].after.main
    updates = [node for node in walk(graph) if node.op is ops.index_update]
    assert updates
    assert all(node.inputs[1].type.shape == () for node in updates)
