"""Texts of which data decide which ones they are: compared, sorted, and in heaps."""

import heapq
import random

import numpy as np

from tests.support.oracle import Programs

programs = Programs()
X = np.array([3.0, 1.0, -2.0, 1.0, 1.0])


@programs(1.0)
@programs(-1.0)
def compared(x):
    one, other = "b" if x > 0 else "c", "a" if x > 0 else "d"
    pairs = (x, one) < (1.0, "bb"), (x, one) == (x, "b"), (x, one) >= (x, other), one < other
    return pairs, max([one, other]), min((x, one), (x, other)), max(one, "bb")


@programs(1.0)
@programs(-1.0)
def few_sorted(x):
    one, other = "b" if x > 0 else "c", "a" if x > 0 else "d"
    names = sorted([one, other, "bb"], reverse=True)
    return names, sorted([(x, one), (1.0, other), (-1.0, "bb")]), sorted([(other, 2), (one, 1)])


@programs(X)
def many_sorted(x):
    found = []
    for value in x:
        found.append((abs(value), "up" if value > 0 else "down"))
    names = [name for _, name in found]
    return sorted(found), min(found), max(found), found[0] < found[1], sorted(names), min(names)


@programs(X * X, 0.3)
def in_a_heap(x, limit):
    queue, out = [], []
    for k, value in enumerate(x):
        heapq.heappush(queue, (value, "arrive" if value > limit * k else "depart"))
    while queue:
        out.append(heapq.heappop(queue))
    return out


@programs(np.array([0.5, 0.7, 0.3, 0.9]), 8.0)
@programs(np.array([0.5, 0.5, 0.5]), 4.0)
def events(gaps, until):
    queue, waiting, served, log = [], 0, 0, []
    heapq.heappush(queue, (gaps[0], "arrive"))
    while queue:
        now, kind = heapq.heappop(queue)
        if now > until:
            break
        if kind == "arrive":
            waiting += 1
            heapq.heappush(queue, (now + gaps[(waiting + served) % len(gaps)], "arrive"))
            if waiting == 1:
                heapq.heappush(queue, (now + 1.0, "depart"))
        else:
            waiting, served = waiting - 1, served + 1
            if waiting > 0:
                heapq.heappush(queue, (now + 1.0, "depart"))
        log.append((now, kind, waiting))
    return log, served


@programs(3)
def texts_exchanged(seed):
    names = ["a", "b", "c"]
    random.seed(seed)
    random.shuffle(names)
    return names


@programs.test
def test_texts_in_order(call):
    call.run()
