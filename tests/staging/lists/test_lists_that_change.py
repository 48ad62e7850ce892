"""Lists that change while they are gone through; and the changes that elements made by functions
of the user make."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import MutationError
from tests.support.oracle import Programs
from tests.support.refusals import nothing_more_known, refused_or_same

programs = Programs()


@programs([1, 2, 3])
@programs([4, 5, 6])
def appended_in_a_branch(xs):
    for x in xs:
        if x < 6:
            xs.append(x + 3)
    return xs


@programs([1, 2, 3], 1)
def element_set_by_a_traced_index(xs, k):
    met = []
    for x in xs:
        xs[k] = x * 2
        met.append(x)
    return xs, met


@programs([1, 2, 3], 1)
def element_set_while_enumerated(xs, k):
    met = []
    for i, x in enumerate(xs):
        xs[k] = x * 2
        met.append(x + i)
    return xs, met


@programs([1, 2, 2, 3])
@programs([2, 2, 2, 2])
def removed_on_the_way(xs):
    for x in xs:
        if x == 2:
            xs.remove(x)
    return xs


@programs(4)
@programs(6)
def list_of_unknown_length_grows(n):
    xs = [i for i in range(n)]
    for x in xs:
        if x < 6:
            xs.append(x + 3)
    return xs


@programs(4)
def list_of_unknown_length_shrinks(n):
    xs = [i for i in range(n)]
    met = []
    for x in xs:
        met.append(x)
        xs.pop()
    return xs, met


@programs(4)
def left_early(n):
    xs = [i for i in range(n)]
    for x in xs:
        xs.append(x + 3)
        if x > 6:
            break
    return xs


@programs(9)
@programs(2)
def breadth_first(n):
    queue = [1]
    for node in queue:
        if 2 * node <= n:
            queue.append(2 * node)
        if 2 * node + 1 <= n:
            queue.append(2 * node + 1)
    return queue


@programs([3, 5], 20)
@programs([2, 7], 20)
def two_loops_through_one_list(seed, limit):
    for v in seed:
        for w in seed:
            if v + w < limit and v + w not in seed:
                seed.append(v + w)
    return seed


@programs(np.array([1.0, 2.0, 3.0]))
def intervals_halved(a):
    todo = [(0, 3)]
    count = 0
    for low, high in todo:
        count += 1
        if high - low > 1 and a[low] > 0.5:
            middle = (low + high) // 2
            todo.append((low, middle))
            todo.append((middle, high))
    return count, todo


@programs(4)
def elements_set_where_the_length_stays(n):
    xs = [i for i in range(n)]
    for i, x in enumerate(xs):
        if x > 1:
            xs[i] = x * 2
        for k in range(n):
            xs[k] += 1
    return xs


@programs(4)
def grown_by_a_comprehension(n):
    xs = [i for i in range(n)]

    def grow(x):
        if x < 3:
            xs.append(x + 1)
        return x * 2

    return [grow(x) for x in xs], xs, sum(grow(x) for x in xs), xs


@programs([1, 2, 3])
@programs([4, 5, 6])
def iterator_advanced_by_hand(xs):
    iterator = iter(xs)
    first = next(iterator)
    xs.append(first + 10)
    rest = []
    for v in iterator:
        rest.append(v)
        if v < 3:
            xs.append(v + 1)
    xs.append(first)
    return first, rest, next(iterator, -1), len(xs)


@programs(np.array([1.0, 2.0, 3.0]))
@programs(np.array([4.0, 2.0, 3.0]))
def elements_made_by_a_function_that_counts(a):
    n, log = 0, []

    def weigh(x):
        nonlocal n
        n += 1
        if x > 1.5:
            log.append(x)
        return x * n

    return sum(map(weigh, a)), n, max(weigh(x) for x in a), n, any(weigh(x) > 20 for x in a), n, log


@programs.test
def test_lists_that_change(call):
    call.run()


def test_lists_that_change_under_transforms():
    def powers(x, n):
        xs = [x]
        for v in xs:
            if len(xs) < n:
                xs.append(v * x)
        return np.sum(np.array(xs))

    assert ag.to_graph(powers)(2.0, 4) == 30.0
    assert ag.grad(powers)(2.0, 4) == 1 + 2 * 2 + 3 * 4 + 4 * 8
    batched = ag.vmap(powers, in_axes=(0, 0))(np.array([2.0, 3.0]), np.array([4, 2]))
    np.testing.assert_allclose(batched, [30.0, 12.0])


def grown_while_enumerated(xs):
    for i, x in enumerate(xs):
        if x < 6:
            xs.append(x + i + 2)
    return xs


def grown_while_zipped(n):
    xs = [i for i in range(n)]
    for x, _ in zip(xs, xs):
        if x < 6:
            xs.append(x + 3)
    return xs


def grown_while_reversed(n):
    xs = [i for i in range(n)]
    for x in reversed(xs):
        xs.append(x)
    return xs


@pytest.mark.parametrize(
    ("function", "argument"),
    [(grown_while_enumerated, [1.5, 2]), (grown_while_zipped, 4), (grown_while_reversed, 4)],
)
def test_counted_before_the_loop(function, argument):
    with nothing_more_known(), pytest.raises(MutationError, match="AG0378") as caught:
        ag.to_graph(function)(argument)
    assert caught.value.location.line == function.__code__.co_firstlineno + (
        1 if function is grown_while_enumerated else 2
    )
    refused_or_same(function, argument)
