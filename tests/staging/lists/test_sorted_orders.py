"""`sorted` puts elements where Python's algorithm does, also NaNs, and leaves each as it is."""

import heapq
import statistics

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs, check

NAN = float("nan")
programs = Programs()


@programs(NAN, 1.0, 0.0, -1.0)
@programs(3.0, NAN, 2.0, 1.0)
@programs(2.0, 1.0, NAN, NAN)
@programs(0.0, -0.0, 0.0, -1.0)
def numbers(a, b, c, d):
    xs = [a, b, c, d]
    xs.sort(key=lambda v: -v, reverse=True)
    return sorted([a, b, c, d]), sorted([d, c, b, a], reverse=True), xs


@programs(NAN, 1.0, 0.0)
@programs(1.0, NAN, 1.0)
@programs(0.0, -0.0, 0.0)
def pairs(a, b, c):
    return sorted([(a, b), (c, 1.0), (b, c)]), sorted([(a, 1), (b, 2), (c, 3)], key=lambda t: t[0])


@programs(np.array([3, NAN, 2, 1.0, NAN, 0.0]))
@programs(np.array([3, NAN, 2], np.float32))
@programs(np.array([2.0, 1.0]))
def of_arrays(x):
    return sorted(x), sorted(x.tolist(), reverse=True), sorted([v * 2 for v in x])


@programs(np.array([3, NAN, 2, 1.0, NAN, 0.0]))
@programs(np.array([3, 1.0, 2.0]))
def of_unknown_length(x):
    kept = []
    for v in x:
        if not v > 2.5:
            kept.append((float(v), 1.0))
    kept.sort(key=lambda pair: pair[0])
    return kept, statistics.median(x.tolist())


@programs(1, 2.0, 1.0, 0)
@programs(2**53 + 1, 2.0, NAN, True)
@programs(np.float64(0.5), 0, np.float32(0.25), 1)
def of_several_types(a, b, c, d):
    total = sum(sorted([a, b, c, d])[1:3])
    return sorted([a, b, c, d]), sorted([(b, 1), (a, 2.0)], key=lambda t: t[0]), total


@programs(1, 0.5)
@programs(1, 1.5)
def of_several_types_in_loops(a, b):
    for _ in range(3):
        a, b = sorted([a, b], reverse=True)
        a = a + b
    return a, b, a // 1


@programs(1, 0.5)
def of_types_by_path(a, b):
    c = a if b > 0 else b
    return sorted([c, b, 2]), f"{sorted([c, 3, b])}"


@programs.test
def test_sorted(call):
    call.run()


def test_in_each_lane():
    x = np.array([[2.0, NAN, 1.0, 0.0], [3.0, 2.0, 1.0, 0.0]])
    order = lambda a, b, c, d: np.array(sorted([a, b, c, d], reverse=True))
    found = ag.vmap(order)(*x.T)
    np.testing.assert_array_equal(found, [order(*row) for row in x])


def test_gradients_follow_the_elements():
    f = lambda a, b, c: sorted([a, b, c], reverse=True)[0] * 2.0
    assert ag.grad(f, argnums=(0, 1, 2))(1.0, NAN, 3.0) == (2.0, 0.0, 0.0)
    mixed = lambda a, n: sorted([a, n, 7])[1] * a
    assert ag.grad(mixed)(2.0, 1) == 4.0
    assert ag.grad(mixed)(2.0, 3) == 3.0


def test_several_nans_at_one_place_of_tuples_are_an_error():
    f = ag.to_graph(lambda a, b: sorted([(a, 1.0), (b, 0.0)]))
    check(f, 1.0, NAN)
    with pytest.raises(ValueError, match="whether these are the same object"):
        f(NAN, NAN)


def test_a_nan_among_what_heapq_takes_is_an_error():
    f = ag.to_graph(lambda x: heapq.nsmallest(2, x.tolist()))
    check(f, np.array([2.0, 1.0, 3.0]))
    with pytest.raises(ValueError, match="NaN among what heapq"):
        f(np.array([2.0, NAN, 3.0]))
