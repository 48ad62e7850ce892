"""The schedules of checkpointed loops are the published optimum, and loops follow them."""

import functools
import re
from math import comb

import numpy as np
import pytest

import autograph as ag
from autograph.api.function import GraphFunction
from autograph.staging.arrays.array import GraphArray
from autograph.transforms.reverse.checkpointed_loops import _advance


def beta(snapshots, repetitions):
    """How many trips can be reversed if none is run forward more than ``repetitions`` times."""
    if snapshots < 0 or repetitions < 0:
        return 0
    return comb(snapshots + repetitions, snapshots)


def repetitions(trips, snapshots):
    """The least r such that ``trips <= beta(snapshots, r)``."""
    r = 0
    while beta(snapshots, r) < trips:
        r += 1
    return r


def forward_steps(trips, snapshots):
    """The least number of trips to run forward, besides those that are run to be reversed."""
    r = repetitions(trips, snapshots)
    return r * trips - beta(snapshots + 1, r - 1)


@ag.to_graph
@GraphFunction
def advance(trips, snapshots):
    """How far from a snapshot programs take the next one."""
    return GraphArray(_advance(trips.value, snapshots.value))


@functools.cache
def least_steps(trips, snapshots):
    """The least number of trips to run forward, by trying every place for the next snapshot."""
    if trips <= 1:
        return 0
    if snapshots == 1:
        return trips * (trips - 1) // 2
    return min(
        m + least_steps(trips - m, snapshots - 1) + least_steps(m, snapshots)
        for m in range(1, trips)
    )


@functools.cache
def steps_taken(trips, snapshots):
    """How many trips `advance` leads to."""
    if trips <= 1:
        return 0
    m = advance(trips, snapshots)
    assert 1 <= m < trips
    if snapshots == 1:
        assert m == trips - 1
        return m + steps_taken(m, 1)
    return m + steps_taken(trips - m, snapshots - 1) + steps_taken(m, snapshots)


@pytest.mark.parametrize("snapshots", range(1, 9))
def test_the_schedule_is_optimal(snapshots):
    for trips in range(61):
        least = least_steps(trips, snapshots)
        assert forward_steps(trips, snapshots) == least
        assert steps_taken(trips, snapshots) == least


def test_published_values():
    # Griewank & Walther: beta(3, 3) = 20 trips with three snapshots and three repetitions; ten
    # trips with three snapshots need 15 steps forward
    assert beta(3, 3) == 20 and repetitions(20, 3) == 3 and repetitions(21, 3) == 4
    assert beta(10, 5) == 3003 and repetitions(3003, 10) == 5
    assert forward_steps(10, 3) == 15
    assert forward_steps(1, 4) == 0 and forward_steps(0, 4) == 0


@pytest.mark.parametrize("snapshots", [2, 5])
def test_beta_is_what_can_be_done(snapshots):
    """With one trip more, a further repetition is needed."""
    for r in range(6):
        trips = beta(snapshots, r)
        assert repetitions(trips, snapshots) == r
        assert repetitions(trips + 1, snapshots) == r + 1


def test_long_loops():
    assert steps_taken(3000, 6) == forward_steps(3000, 6)


# -- what compiled gradients do --------------------------------------------------------------------

COUNTS = pytest.mark.numpy_program("its calls of sine are counted")


def counted(x, n):
    for _ in range(n):
        x = np.sin(x)
    return x


def uncounted(x, n):
    i = 0
    while i < n:
        x = np.sin(x)
        i += 1
    return x


def runs(function, loops):
    """A function from a number of trips to how often the body runs in the compiled gradient. The
    backward pass of a trip alone needs no sine, only the cosine."""
    text = str(ag.grad(ag.checkpoint(function, loops=loops)).program(0.5, 3))
    calls = []

    def sine(x):
        calls.append(x)
        return np.sin(x)

    namespace = {"sine": sine}
    exec(re.sub(r"np\.sin\(", "sine(", text), namespace)

    def count(n):
        calls.clear()
        gradient = namespace[f"grad_{function.__name__}"](0.5, n)
        assert gradient == ag.grad(function)(0.5, n)
        return len(calls)

    return count


@COUNTS
@pytest.mark.parametrize("loops", [1, 2, 3, 5, 8])
def test_a_loop_of_known_length_follows_the_schedule(loops):
    count = runs(counted, loops)
    assert count(0) == 0
    for trips in (1, 2, 3, 4, 7, 10, 31, 60):
        # The schedule does not count the last trip, which the forward pass makes for its result.
        assert count(trips) == forward_steps(trips, loops) + 1


@COUNTS
@pytest.mark.parametrize("loops", [1, 2, 3, 5, 8, 20])
def test_a_loop_of_unknown_length_is_nearly_as_good(loops):
    count = runs(uncounted, loops)
    assert count(0) == 0
    for trips in (1, 2, 3, 4, 7, 10, 31, 60, 200):
        assert count(trips) <= forward_steps(trips, loops) + trips


@pytest.mark.parametrize("function", [counted, uncounted])
@pytest.mark.parametrize("loops", [1, 2, 5])
def test_there_are_no_more_snapshots_than_asked_for(function, loops):
    text = str(ag.grad(ag.checkpoint(function, loops=loops)).program(0.5, 3))
    assert text.count("snapshots = pushed(snapshots, ") == 2
    most = 0

    def push(stack, snapshot):
        nonlocal most
        depth, rest = 1, stack
        while rest is not None:
            depth, rest = depth + 1, rest[0]
        most = max(most, depth)
        return stack, snapshot

    namespace = {"push": push}
    exec(text.replace("snapshots = pushed(", "snapshots = push("), namespace)
    for trips in (1, 2, 3, 10, 50):
        most = 0
        namespace[f"grad_{function.__name__}"](0.5, trips)
        # One more may be that of the last trip, which is worked with at once.
        assert min(trips, loops) <= most <= loops + (function is counted)


@COUNTS
@pytest.mark.parametrize("function", [counted, uncounted])
def test_sqrt_runs_a_loop_twice(function):
    count = runs(function, "sqrt")
    assert [count(trips) for trips in (0, 1, 2, 10, 99, 1000)] == [0, 2, 4, 20, 198, 2000]


@COUNTS
@pytest.mark.parametrize("function", [counted, uncounted])
def test_log_runs_a_loop_a_logarithm_of_times(function):
    count = runs(function, "log")
    for trips in (1, 2, 10, 99, 1000):
        assert count(trips) <= trips * (1 + np.log2(trips))
