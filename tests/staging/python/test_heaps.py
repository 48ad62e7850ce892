"""``heapq`` on symbolic elements: they lie as they do in Python."""

import heapq
import operator
import random

import numpy as np
import pytest

import ops
from autograph.errors import UnsupportedFunctionError
from autograph.staging.python import heaps

RNG = random.Random(0)
LISTS = [[], [2.5], [2.5, 2.5, 1.5], [RNG.randrange(9) + 0.5 for _ in range(7)]]


@pytest.fixture
def ours(recording):
    """A list of symbolic elements."""
    return lambda items: ops.tracked([recording.given(x) for x in items])


def run(recording, items):
    return list(recording.run(items))


def heap_of(items):
    items = list(items)
    heapq.heapify(items)
    return items


@pytest.mark.parametrize("items", LISTS, ids=len)
def test_heapify(recording, ours, items):
    heap = ours(items)
    heaps.heapify(heap)
    assert run(recording, heap) == heap_of(items)


@pytest.mark.parametrize("items", LISTS, ids=len)
@pytest.mark.parametrize("item", [0.0, 9.0])
def test_push(recording, ours, items, item):
    expected = heap_of(items)
    heap = ours(expected)
    heapq.heappush(expected, item)
    heaps.push(heap, recording.given(item))
    assert run(recording, heap) == expected


@pytest.mark.parametrize("items", LISTS[1:], ids=len)
def test_pop(recording, ours, items):
    expected = heap_of(items)
    heap = ours(expected)
    least = heapq.heappop(expected)
    assert recording.run(heaps.pop(heap)) == least
    assert run(recording, heap) == expected


def test_pop_of_nothing(ours):
    with pytest.raises(IndexError):
        heaps.pop(ours([]))


@pytest.mark.parametrize("items", LISTS[1:], ids=len)
@pytest.mark.parametrize("name", ["push_pop", "replace"])
def test_push_and_pop(recording, ours, items, name):
    theirs = {"push_pop": heapq.heappushpop, "replace": heapq.heapreplace}[name]
    expected, item = heap_of(items), 4.0
    heap = ours(expected)
    found = getattr(heaps, name)(heap, recording.given(item))
    assert recording.run(found) == theirs(expected, item)
    assert run(recording, heap) == expected


def test_push_and_pop_of_an_empty_heap(recording, ours):
    assert recording.run(heaps.push_pop(ours([]), recording.given(2.0))) == 2.0


@pytest.mark.parametrize("n", [0, 3, 9])
def test_the_smallest_and_largest(recording, ours, n):
    items = [3.0, 1.0, 2.0, 5.0]
    assert run(recording, heaps.smallest(n, ours(items))) == heapq.nsmallest(n, items)
    assert run(recording, heaps.largest(n, ours(items))) == heapq.nlargest(n, items)


def test_by_a_key(recording, ours):
    found = heaps.smallest(2, ours([3.0, 1.0, 2.0]), key=operator.neg)
    assert run(recording, found) == [3.0, 2.0]


def test_merge_is_refused(ours):
    with pytest.raises(UnsupportedFunctionError) as caught:
        heaps.FUNCTIONS[heapq.merge](ours([1.0]), ours([2.0]))
    assert "sorted([*a, *b])" in caught.value.fix


def test_all_functions_are_there():
    assert set(heaps.FUNCTIONS) >= {
        getattr(heapq, name) for name in heapq.__all__ if "_max" not in name
    }


def test_numbers_of_numpy(recording, ours):
    items = np.array([3.0, 1.0, 2.0])
    heap = ours(items)
    heaps.heapify(heap)
    assert run(recording, heap) == heap_of(items)
