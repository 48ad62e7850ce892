"""Variables that are None on some paths."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs

programs = Programs()


class Link:
    def __init__(self, value, rest=None):
        self.value = value
        self.rest = rest


@programs.smooth(1.3)
@programs.smooth(-3.0)
def best_so_far(x):
    best = None
    i = 0
    while i < 5:
        value = (x - i) ** 2 * x
        if best is None or value < best:
            best = value
        i += 1
    return best


@programs(1.0)
@programs(-1.0)
def none_or_a_number(x):
    return None if x > 0 else x


@programs(1.0)
@programs(-1.0)
def truth_of_none_or_a_number(x):
    y = None
    if x > 0:
        y = x - 1.0
    return 1 if y else 0


@programs(1.0)
@programs(-1.0)
def none_used_as_a_number(x):
    y = None
    if x > 0:
        y = x
    return y + 1.0


@programs(2)
@programs(100)
def pair_found_in_nested_loops(n):
    for i in range(4):
        for j in range(4):
            if i * j == n and i > 0:
                return i, j
    return None


@programs(2)
@programs(100)
def pair_found_in_a_function(n):
    def find():
        for i in range(4):
            if i * i == n - 2:
                return i, i + 1.0
        return None

    found = find()
    if found is None:
        return -1, 0.0
    a, b = found
    return a, b


@programs.smooth(3.0)
@programs.smooth(-3.0)
def truth_of_none_or_a_pair(x):
    pair = None
    if x > 0:
        pair = (x * x, 2.0)
    if pair:
        return pair[0] * pair[1]
    return x


@programs(3.0)
@programs(-3.0)
def none_unpacked(x):
    pair = None
    if x > 0:
        pair = (x, 1.0)
    a, b = pair
    return a + b


@programs(np.array([1.0, -2.0, 3.0]))
@programs(np.array([-1.0, -2.0, -3.0]))
def best_pair(xs):
    best = None
    for i, x in enumerate(xs):
        if x > 0 and (best is None or x > best[1]):
            best = (i, x)
    return best


@programs(3.0)
@programs(-3.0)
def none_or_an_object(x):
    link = None
    if x > 0:
        link = Link(x)
    if link is not None:
        link.value += 1
    return link, link is None


@programs(3.0)
@programs(-3.0)
def list_made_if_there_is_none(x):
    xs = None
    if x > 0:
        xs = [x]
    if xs is None:
        xs = []
    xs.append(1.0)
    return xs


@programs.test
def test_none(call):
    call.run()


class Empty:
    pass


@programs(1.0)
@programs(-1.0)
def kinds_of_what_may_be_none(x):
    number = pair = items = thing = None
    if x > 0:
        number, pair, items, thing = x, (x, 2 * x), [x], Empty()
    result = 0.0
    if isinstance(number, float):
        result += 1.0
    if isinstance(pair, tuple):
        result += pair[0]
    if isinstance(items, list) and hasattr(items, "append"):
        result += items[0]
    kinds = type(number) is float, type(thing) is Empty, isinstance(thing, Empty)
    questions = hasattr(number, "real"), np.isscalar(number), callable(thing)
    return result, kinds, questions, isinstance(number, (int, type(None)))


@programs(2.5)
@programs(0.5)
@programs(-1.0)
def kind_after_a_loop(x):
    y = None
    for i in range(3):
        if x > i:
            y = x * i
    return 1 if isinstance(y, float) else 2


def first_or_half(value, n):
    if n > 0:
        return first_or_half(value, n - 1) * 0.5
    if value is None:
        return 0.0
    return np.sin(value)


@programs.smooth(1.5, 2)
@programs.smooth(-1.5, 2)
@programs.smooth(1.5, 0)
def none_given_to_a_recursion(x, n):
    best = None
    if x > 0:
        best = x
    return first_or_half(best, n) + x


def leaves_of(value, n):
    if isinstance(value, tuple):
        return sum([leaves_of(v, n) for v in value])
    return 0.0 if value is None else np.sin(value) * n


def below(n, x):
    if n <= 0:
        return leaves_of((None if x < 0 else x, x), 2.0)
    return below(n - 1, x)


@programs.smooth(1.5, 2)
@programs.smooth(-1.5, 2)
def none_given_to_a_recursion_inside_another(x, n):
    return below(n, x)


@programs(np.array([1.0, 2.0, 5.0]), 2.0)
@programs(np.array([1.0, 2.0, 5.0]), 9.0)
def list_or_none_in_a_tuple(x, k):
    if k < 5.0:
        return [v for v in x if v < k], 1
    return None, 0


@programs(np.array([1.0, 2.0, 5.0]), 1.0)
@programs(np.array([1.0, 2.0, 5.0]), 9.0)
def list_or_none_returned_in_a_loop(x, k):
    for v in x:
        if v > k:
            return v, ([w for w in x if w < v], "found")
    return 0.0, (None, "nothing")


@programs(np.array([1.0, 2.0, 5.0]), 1.0)
@programs(np.array([1.0, 2.0, 5.0]), 9.0)
def dict_or_none_in_a_tuple(x, k):
    found = (None, None, 0)
    for v in x:
        if v > k:
            found = ({"value": v}, [v, v], found[2] + 1)
    return found


@programs(np.array([1.0, 2.0, 5.0]), 1.0)
@programs(np.array([1.0, 2.0, 5.0]), 9.0)
def taken_apart(x, k):
    def search(limit):
        for v in x:
            if v > limit:
                return [v, v * 2], v
        return None, -1.0

    path, cost = search(k)
    return cost if path is None else path[1] + cost


@programs.smooth(np.array([1.0, 2.0, 5.0]), 1.5)
@programs.smooth(np.array([1.0, 2.0, 5.0]), 9.0)
def smooth_in_a_tuple(x, k):
    best = (None, 1.0)
    for v in x:
        if v > k:
            best = ([v * v, v], best[1] * v)
    return best[1] * (2.0 if best[0] is None else best[0][0])


@programs(2.0)
@programs(-2.0)
def changed_in_place(x):
    """What is there is the list that others know, too."""
    first = [x]
    found = first if x > 0 else None
    if found is not None:
        found += [1.0]
        found *= 2
    return first, found


@programs(2.0)
@programs(-2.0)
def right_operand(x):
    path, cost = ([x], 1.0) if x > 0 else (None, 2.0)
    pair = (x, cost) if x > 0 else None
    known = {"x": x} if x > 0 else None
    if path is not None and pair is not None and known is not None:
        return (
            [0.0] + path,
            path + path,
            2 * path,
            (1.0,) + pair,
            {"y": x} | known,
            known | {"z": x},
        )
    return None


@programs(np.array([1.0, -2.0, 3.0]))
@programs(np.array([-1.0, 2.0]))
def gone_through(x):
    """A list of which only the run knows how long it is, and whether it is there."""
    found = [v for v in x if v > 0] if x[0] > 0 else None
    if found is None:
        return 0.0, [], []
    total = 0.0
    for v in found:
        total += v
    return total, [v * 2 for v in found], [i * v for i, v in enumerate(found)]


@programs.smooth(np.array([1.0, -2.0, 3.0]))
@programs.smooth(np.array([-1.0, 2.0, 0.5]))
def smooth_gone_through(x):
    found = [v * v for v in x if v > 0] if x[0] > 0 else None
    total = x[1] * x[0]
    if found is not None:
        for v in found:
            total = total * v + x[2]
    return total


@programs(np.array([1.0, -2.0, 3.0]))
@programs(np.array([-1.0, 2.0, 1.0]))
def given_to_numpy(x):
    some = [v for v in x if v > 0] if x[0] > 0 else None
    both = [x[0], x[2]] if x[0] > 0 else None
    if some is None or both is None:
        return 0.0, 0.0, 0.0, np.zeros(2)
    return np.sum(some), np.mean(both), np.dot(both, both), np.exp(both)


@programs(np.array([1.0, -2.0, 3.0]))
@programs(np.array([-1.0, 2.0, 1.0]))
def shown(x):
    found = [float(x[0]), float(x[2])] if x[0] > 0 else None
    return f"{found}", f"{found!r}", str([found, 1]), [v for v in reversed(found or [])]


@programs(np.array([1.0, 2.0, 3.0, 1.0]), 0, 3, 4)
@programs(np.array([1.0, 2.0, 3.0, 1.0]), 0, 3, 2)
def path_or_none_by_recursion(costs, start, goal, depth):
    def search(place, depth):
        if place == goal:
            return [place], 0.0
        if depth == 0:
            return None, -1.0
        best, least = None, -1.0
        for step in (-1, 1):
            there = place + step
            if 0 <= there < len(costs):
                path, cost = search(there, depth - 1)
                if path is not None:
                    cost = cost + costs[there]
                    if best is None or cost < least:
                        best, least = [place] + path, cost
        return best, least

    return search(start, depth)


def test_what_is_none_after_all():
    def extended(x):
        found = [x] if x > 0 else None
        found.append(x)
        return found

    assert ag.to_graph(extended)(1.0) == [1.0, 1.0]
    with pytest.raises(AttributeError, match="'NoneType' object has no attribute 'append'"):
        ag.to_graph(extended)(-1.0)


def test_patterns_of_classes_for_what_may_be_none():
    def matched(x):
        y = None
        if x > 0:
            y = x
        match y:
            case None:
                return 0.0
            case float() if y > 2.0:
                return y
            case float(z):
                return 2.0 * z
        return 7.0

    compiled = ag.to_graph(matched)
    for x in (1.0, -1.0, 3.0, np.float64(2.5), 2, np.float32(1.0)):
        assert compiled(x) == matched(x) and type(compiled(x)) is type(matched(x))
    assert [ag.grad(matched)(x) for x in (1.0, -1.0, 3.0)] == [2.0, 0.0, 1.0]
