"""What a function returns amid a loop is read by no trip: that it becomes known is no reason to
record the loop again."""

import numpy as np
import pytest

import autograph as ag
from autograph.staging.control.recorded_loop import RecordedLoop
from tests.support.oracle import Programs, check_grad

programs = Programs()


@pytest.fixture
def passes(monkeypatch):
    """The loops that are recorded, as often as they are."""
    found, record = [], RecordedLoop.record

    def counted(self):
        found.append(self)
        return record(self)

    monkeypatch.setattr(RecordedLoop, "record", counted)
    return found


def first_above(x, limit):
    for v in x:
        if v > limit:
            return v * 2.0
    return -1.0


def is_free(board, row, column):
    for k in range(9):
        if board[row, k] == 5 or board[k, column] == 5:
            return False
    i = 0
    while i < 3:
        j = 0
        while j < 3:
            if board[row // 3 * 3 + i, column // 3 * 3 + j] == 5:
                return False
            j += 1
        i += 1
    return True


def place_of(x, y, limit):
    for i in range(len(x)):
        for j in range(len(y)):
            if x[i] * y[j] > limit:
                return i, (j, x[i])
    return -1, (-1, 0.0)


X, Y = np.array([0.5, 1.5, 2.5]), np.array([1.0, 3.0])
BOARD = np.arange(81).reshape(9, 9)


programs(X, 2.0)(first_above)
programs(X, 9.0)(first_above)
programs(np.zeros(0), 9.0)(first_above)
programs(BOARD, 4, 5)(is_free)
programs(BOARD * 0, 1, 8)(is_free)
programs(X, Y, 4.0)(place_of)
programs(X, Y, 40.0)(place_of)


@programs(X, 1.0)
@programs(X, 9.0)
def array_that_the_loop_changes(x, limit):
    total = np.zeros(2)
    for v in x:
        total += v
        if total[0] > limit:
            return total
    return total * 0.5


@programs(X, 1.0)
@programs(X, 9.0)
def a_copy_of_what_it_changes(x, limit):
    for i in range(len(x)):
        x[i] += 1.0
        if x[i] > limit:
            return x.copy()
    return -x


@programs(X, 1.0)
@programs(X, 9.0)
def a_view(x, limit):
    for i in range(1, len(x)):
        x[i - 1] *= 2.0
        if x[i] > limit:
            return x[:i]
    return x[:0]


@programs(X, 1.0)
@programs(X, 9.0)
def a_list_that_grows(x, limit):
    seen = []
    for v in x:
        seen.append(v)
        if v > limit:
            return seen
    return seen[:1]


@programs(X, 1.0)
@programs(X, 9.0)
def none_or_a_number(x, limit):
    for v in x:
        if v > limit:
            return v
        if v < -limit:
            return None
    return None


@programs(X, 3)
@programs(X, 0)
def in_a_with(x, n):
    total = 0.0
    for i in range(n):
        with np.errstate(all="ignore"):
            total += x[i]
            if total > 1.0:
                return total
    return -total


@programs(X, 3)
@programs(X, 0)
def in_a_try(x, n):
    for i in range(n):
        try:
            if 1.0 / (x[i] - 1.5) > 0.0:
                return i, x[i]
        finally:
            x[i] = 0.0
    return n, 0.0


@programs(X, 3)
def of_two_loops(x, n):
    for i in range(n):
        if x[i] > 9.0:
            return i
    for i in range(n):
        if x[i] > 2.0:
            return x[i]
    return -1


def found(x, limit):
    for i in range(len(x)):
        if x[i] > limit:
            return i
    return -1


@programs(X, 3)
def of_called_functions(x, n):
    total = 0
    for k in range(n):
        i = found(x, 1.0 * k)
        if i < 0:
            return total * 1.0
        total += i
    return total * 2.0


@programs(7, 2)
def of_recursive_functions(n, least):
    def deepest(k, depth):
        while k > 0:
            k -= 1
            if k * depth > 6:
                return depth
            if k % 2:
                below = deepest(k - 2, depth + 1)
                if below > least:
                    return below
        return 0

    return deepest(n, 1)


@programs.test
def test_what_is_returned(call):
    call.run()


@pytest.mark.parametrize(
    "function, arguments, loops",
    [
        (first_above, (X, 2.0), 1),
        (is_free, (BOARD, 4, 5), 3),
        (place_of, (X, Y, 4.0), 2),
        (none_or_a_number, (X, 1.0), 1),
        (array_that_the_loop_changes, (X, 1.0), 2),  # first to see that it does
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_loops_are_not_recorded_for_what_is_returned(passes, function, arguments, loops):
    ag.to_graph(function).graph(*arguments)
    assert len(passes) == loops


def rooted(x, limit):
    total = 0.0
    for v in x:
        total += v * v
        if total > limit:
            return total * v
    return total


@pytest.mark.parametrize("limit", [1.0, 5.0, 50.0])
def test_derivatives_of_what_is_returned(limit):
    check_grad(lambda x: rooted(x, limit), X)


def test_many_lanes_return_in_trips_of_their_own():
    limits = np.array([0.1, 1.0, 5.0, 50.0])
    expected = [rooted(X, limit) for limit in limits]
    np.testing.assert_allclose(ag.vmap(rooted, (None, 0))(X, limits), expected)
    expected = [ag.grad(rooted)(X, limit) for limit in limits]
    np.testing.assert_allclose(ag.vmap(ag.grad(rooted), (None, 0))(X, limits), expected)
