"""Arrays of unequal numbers of rows that meet after branches and from trip to trip."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import BranchMismatchError, LoopStateError
from tests.support.oracle import check


def selected(x, c):
    if c > 0.0:
        x = x[x > 0.0]
    return x.sum(), x * c


def without_the_first(x, c):
    y = x[1:] if c > 0.0 else x
    return y * 2.0, len(y)


def returned_early(x, c):
    if c > 0.0:
        return x[x > 0.0], 1
    return x, 2


def rows(x, c):
    m = np.outer(x, [1.0, 2.0])
    if c > 0.0:
        m = m[x > 0.0]
    return m @ np.ones(2), m.shape[0]


def clipped(x, c):
    trips = 0
    while True:
        good = np.abs(x - x.mean()) < (1.2 + 0.1 * abs(c)) * x.std()
        trips += 1
        if good.all() or trips > 5:
            break
        x = x[good]
    return x, trips


def grown(x, c):
    while x.sum() < 60.0 + c:
        x = np.concatenate([x, [len(x) + 1.0]])
    return x, len(x)


PROGRAMS = [selected, without_the_first, returned_early, rows, clipped, grown]


@pytest.mark.parametrize("c", [1.5, -0.5])
@pytest.mark.parametrize("function", PROGRAMS)
def test_as_python(function, c):
    compiled = ag.to_graph(function)
    for x in (np.array([1.0, 2.0, 50.0, 3.0, -4.0]), np.array([0.5, 7.0]), -np.ones(3)):
        if function in (grown, clipped) and x[0] < 0:
            continue  # the one takes many trips, the other divides by nothing
        for given in (x, x.astype(np.float32)):
            for found, expected in zip(compiled(given, c), function(given, c)):
                assert type(found) is type(expected)
                assert np.allclose(found, expected, 1e-5)
                assert getattr(found, "dtype", None) == getattr(expected, "dtype", None)


@pytest.mark.costly
@pytest.mark.parametrize("function", [selected, rows, clipped])
def test_derivatives(function):
    x = np.array([1.0, 2.0, 9.0, 3.0, -4.0])
    for c in (1.5, -0.5):
        ag.check_grads(lambda x, c=c: np.sum(function(x, c)[0] ** 2), (x,), order=2)


def test_of_many():
    x, c = np.array([[1.0, -2.0, 3.0], [4.0, -5.0, 6.0]]), np.array([1.0, -1.0])
    assert np.array_equal(ag.vmap(lambda x, c: selected(x, c)[0])(x, c), [4.0, 5.0])


def test_ints_decide_as_before():
    def parts(x, n):
        return x[1:] if n > 2 else x

    compiled = ag.to_graph(parts)
    assert compiled(np.arange(4.0), 3).shape == (3,)
    assert "f64[3]" in str(compiled.graph(np.arange(4.0), 3))


def of_fewer_columns(x):
    return np.outer(x, x) if x[0] > 0 else np.outer(x, x)[:, 1:]


def wider(x):
    while x.sum() < 9.0:
        x = np.concatenate([x, x], axis=1)
    return x


def test_any_axis_may_be_of_other_lengths():
    for x in np.ones(3), -np.ones(3):
        check(of_fewer_columns, x)
        ag.check_grads(lambda x: np.sum(of_fewer_columns(x) ** 2), (x,), order=2)
    check(wider, np.ones((1, 2)))
    check(wider, np.ones((1, 20)))


def test_two_axes_at_once_are_refused():
    with pytest.raises(BranchMismatchError, match="AG0311"):
        ag.to_graph(lambda x: np.outer(x, x) if x[0] > 0 else np.outer(x, x)[1:, 1:])(np.ones(3))

    def larger(x):
        while x.sum() < 9.0:
            x = np.tile(x, (2, 2))
        return x

    with pytest.raises(LoopStateError, match="AG0312"):
        ag.to_graph(larger)(np.ones((1, 2)))


def test_lanes_of_a_loop_that_a_container_joins():
    """The state of the loop was looked at once more, which recorded a length outside of it."""

    def once(x, a, f):
        i, v, d = a % 3, x[1:], {"v": x * 0.5}
        left = 1
        while left > 0:
            left -= 1
            d["v"][a % 3] = f
            for _ in x:
                v = np.ones(3)[i:9][:2] if a < 2 else v
        return d["v"], v.sum()

    xs, places, fs = np.arange(12.0).reshape(4, 3), np.array([2, 3, -1, 0]), np.arange(4.0)
    with pytest.warns(ag.errors.PerformanceWarning, match="one lane after the other"):
        found = ag.vmap(once)(xs, places, fs)
    for lane, arguments in enumerate(zip(xs, places, fs)):
        for ours, pythons in zip(found, once(*arguments)):
            np.testing.assert_array_equal(ours[lane], pythons)


def doubled_steps(x):
    y, step = x.copy(), 1
    while step < len(x):
        y = np.concatenate((y[:step], y[step:] + y[:-step]))
        step *= 2
    return y.reshape(2, -1)


def thinned(x):
    for _ in range(4):
        x = x[x > x.mean() - 1.0]
    return x


def cut_down(x):
    k = 0
    while k < 300:
        x = np.concatenate((x[:1], x[1:][x[1:] > k]))
        k += 1
    return x


def test_lengths_that_python_knows_stay_known():
    graph = ag.to_graph(doubled_steps).graph(np.arange(8.0))
    assert "f64[2,4]" in str(graph).splitlines()[0] and "while_loop" not in str(graph)


@pytest.mark.parametrize("program", [doubled_steps, thinned, cut_down])
def test_known_numbers_of_trips(program):
    for x in np.arange(8.0), np.array([9.0, 400.0, 2.0, 301.0, 0.0, 5.0]):
        check(program, x)


def test_a_loop_whose_trips_forget_a_length_is_recorded():
    graph = str(ag.to_graph(cut_down).graph(np.arange(8.0)))
    assert "while_loop" in graph and len(graph.splitlines()) < 60
