"""Integers that loops carry: what is known of them leaves out checks, and only those that hold."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.passes.host import for_host

VALUES = np.random.default_rng(0).normal(size=23)


def insertion_sort(a):
    for i in range(1, len(a)):
        v = a[i]
        j = i - 1
        while j >= 0 and a[j] > v:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = v
    return a


def heap_sort(a):
    start, end = len(a) // 2 - 1, len(a) - 1
    while end > 0:
        if start >= 0:
            root = start
            start -= 1
        else:
            a[end], a[0] = a[0], a[end]
            end -= 1
            root = 0
        while 2 * root + 1 <= end:
            child = 2 * root + 1
            if child < end and a[child] < a[child + 1]:
                child += 1
            if not a[root] < a[child]:
                break
            a[root], a[child] = a[child], a[root]
            root = child
    return a


def kept(a):
    out = np.zeros_like(a)
    k = 0
    for i in range(len(a)):
        if a[i] > 0:
            out[k] = a[i]
            k += 1
    return out


def two_ends(a):
    low, high = 0, len(a) - 1
    while low < high:
        if a[low] < 0:
            low += 1
        else:
            a[low], a[high] = a[high], a[low]
            high -= 1
    return a


def merged(a):
    out = np.zeros_like(a)
    half = len(a) // 2
    i, j, k = 0, half, 0
    while i < half or j < len(a):
        if j >= len(a) or (i < half and a[i] < a[j]):
            out[k] = a[i]
            i += 1
        else:
            out[k] = a[j]
            j += 1
        k += 1
    return out


def from_the_end(a):
    """It goes on below 0, where places count from the end."""
    j, total = 3, 0.0
    while j >= -len(a):
        total = total * 0.5 + a[j]
        j -= 1
    return total


def past_the_end(a):
    j, total = 0, 0.0
    while total < 1000.0:
        total += a[j] * 0.0 + 1.0
        j += 1
    return total


def past_the_end_in_steps(a):
    j, total = 0, 0.0
    for i in range(len(a)):
        total += a[j]
        j += 1 + (i % 5 == 4)
    return total


def doubled(a):
    j, total = 1, 0.0
    while j < len(a):
        total += a[j]
        j *= 2
    return total


def stack(a):
    """What is pushed and taken again, as a walk through a tree does."""
    places = np.zeros(len(a), dtype=np.int64)
    top, total = 1, 0.0
    while top > 0:
        top -= 1
        i = places[top]
        total = total * 0.9 + a[i]
        if 2 * i + 1 < len(a):
            places[top] = 2 * i + 1
            top += 1
        if 2 * i + 2 < len(a):
            places[top] = 2 * i + 2
            top += 1
    return total


def backwards(a):
    k = len(a)
    for i in range(len(a)):
        k -= 1
        a[k] = a[k] + 0.5 * a[i]
    return a, k


def of_three(a):
    """The smallest one among others, each of which may be the next place."""
    i, total = 0, 0.0
    for _ in range(40):
        total += a[i]
        i = (i + 7) % len(a)
    return total, i


def two_least(a):
    """The places of the two least numbers so far, each of which may be that of any trip."""
    for n in range(2, len(a)):
        first, second = -1, -1
        for i in range(n):
            if first < 0 or a[i] < a[first]:
                second = first
                first = i
            elif second < 0 or a[i] < a[second]:
                second = i
        a[first] += a[second] + 3.0
    return a


def lengths_of_runs(a):
    """What begins again, and grows by one in other trips."""
    run, total = 0, 0.0
    for i in range(len(a)):
        run = run + 1 if a[i] > 0 else 0
        total += a[run - 1] * run
    return total


def last_one_past_the_end(a):
    """The place of the last number that is not negative, and one more at the end."""
    last = 0
    for i in range(len(a) + 1):
        if a[i % len(a)] >= 0 or i == len(a):
            last = i
        a[last] += 1.0
    return a


def sieve(a):
    """Places whose squares are inside, and multiples of these."""
    i = 2
    while i * i < len(a):
        if a[i] < 1.0:
            for j in range(i * i, len(a), i):
                a[j] += 0.5
        i += 1
    return a


def past_the_end_by_squares(a):
    """A square may be inside and its root not: of what is below 0."""
    i, total = 2, 0.0
    while i * i <= len(a) * len(a):
        total += a[-i - 1] + a[i - len(a)]
        i += 1
    return total


def divisors(a):
    for i in range(1, len(a)):
        for j in range(0, len(a), i):
            a[j] += 0.5 * a[i]
    return a


def multiples_both_ways(a, step):
    total = 0.0
    for j in range(3, len(a), step):
        total = total * 0.5 + a[j]
    for j in range(len(a) - 1, 2, -step):
        total = total * 0.5 + a[j]
    return total


FUNCTIONS = [
    sieve,
    divisors,
    insertion_sort,
    heap_sort,
    kept,
    two_ends,
    merged,
    from_the_end,
    doubled,
    stack,
    backwards,
    of_three,
    two_least,
    lengths_of_runs,
]
PLACES = [insertion_sort, heap_sort, kept, two_ends, backwards, two_least, sieve, divisors]


def checks(function, *args):
    return sum(
        isinstance(s, ir.Check)
        for kernel in ag.to_graph(function).kernels(*args).values()
        for loop in for_host(kernel.kernel).body
        if isinstance(loop, ir.For | ir.While)
        for block in ir.blocks(loop)
        for s in ir.walk(block)
    )


@pytest.mark.parametrize("function", FUNCTIONS)
def test_loops_compute_what_they_are_written_to(function):
    compiled = ag.to_graph(function)
    for length in (23, 22, 4, 17):
        found, expected = VALUES[:length].copy(), VALUES[:length].copy()
        results = compiled(found), function(expected)
        np.testing.assert_array_equal(found, expected)
        for one, other in zip(*(r if isinstance(r, tuple) else (r,) for r in results)):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    "function",
    [past_the_end, past_the_end_in_steps, last_one_past_the_end, past_the_end_by_squares],
)
def test_places_outside_are_an_error(function):
    with pytest.raises(IndexError):
        function(VALUES.copy())
    with pytest.raises(IndexError):
        ag.to_graph(function)(VALUES.copy())


@pytest.mark.parametrize("step", [1, 2, 7, 40, -1, -3, 2**62, -(2**62)])
def test_steps_that_only_the_run_knows(step):
    compiled = ag.to_graph(multiples_both_ways)
    assert compiled(VALUES, step) == multiples_both_ways(VALUES, step)
    with pytest.raises(ValueError, match="must not be zero"):
        compiled(VALUES, 0)


@pytest.mark.parametrize("function", PLACES)
def test_places_that_are_inside_are_not_checked(function):
    assert checks(function, VALUES.copy()) == 0


@pytest.mark.parametrize("function", [past_the_end, past_the_end_in_steps, merged])
def test_places_of_which_that_is_not_known_are_checked(function):
    assert checks(function, VALUES.copy()) > 0


def test_what_is_checked_in_a_branch_holds_as_long_as_the_branch():
    """The condition always holds, but the loop may make no trip."""

    def again(a, j, n):
        total = 0.0
        for i in range(n):
            if i >= 0:
                total += a[j]
        return total + a[j]

    compiled = ag.to_graph(again)
    assert compiled(VALUES, 2, 3) == again(VALUES, 2, 3)
    for place in (100, -100):
        with pytest.raises(IndexError):
            compiled(VALUES, place, 0)


def summed_in_part(a, n):
    """In the first trip of the outer loop the inner one makes none; that holds for no other."""
    k, total, last = 0, 0.0, 0
    while k < n:
        part = 0.0
        for j in range(k % 4):
            part += a[j]
        total += part
        if k % 3 != 1:
            for _ in range(k % 4):
                last = 5
        k += 1
    return total, last


def seen_in_part(a, n):
    k, total = 0, 0.0
    while k < n:
        seen = False
        for _ in range(k % 4):
            seen = True
        if seen:
            total += a[k]
        k += 1
    return total


@pytest.mark.parametrize("function", [summed_in_part, seen_in_part])
def test_what_was_tried_of_loops_without_trips_is_taken_back(function):
    a = np.arange(10.0)
    assert ag.to_graph(function)(a, 7) == function(a, 7)


def made_anew(counts, x):
    made = np.zeros(counts[0])
    for i in range(counts[0]):
        made = np.full(i + 1, x)
    return 1 if len(made) > 0 else 0


def list_made_anew(counts, x):
    made = [0.0] * counts[0]
    for i in range(counts[0]):
        made = [x] * (i + 1)
    return made[-1] if made else -1.0


def counted(counts, x):
    n = i = counts[0]
    steps = 0
    while n > 0 and steps < 3:
        i = steps + 1
        steps += 1
    return x if i > 0 else 0.0


@pytest.mark.parametrize("function", [made_anew, list_made_anew, counted])
def test_what_holds_after_trips_need_not_hold_after_none(function):
    compiled = ag.to_graph(function)
    for n in (0, 2, 0):
        assert compiled(np.array([n]), 2.5) == function(np.array([n]), 2.5)
