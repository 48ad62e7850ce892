"""What is refused of lists, texts, sets and objects says what it is and what to write instead."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from oracle import check

import autograph as ag


class Point:
    __slots__ = ("v",)


def texts(x):
    if x > 1:
        shown = f"{x:.1f}"
    else:
        shown = f"about {x:.3f}"
    return shown


def text_or_constant(x):
    shown = "none"
    if x > 1:
        shown = f"{x} m"
    return shown


def attribute(x):
    point = Point()
    if x > 1:
        point.v = x
    return point.v if x > 1 else 0.0


def waiting(x):
    queue = deque()
    if x > 1:
        queue.append(x)
    return len(queue)


def seen(x):
    found = {(0, 0)}
    if x > 1:
        found.add((0, 1))
    return len(found)


def of_tuple(x):
    return (1.0, 2.0, 3.0)[x[0]]


def of_mixed_list(x):
    return [1.0, "a", 3][x[0]]


def of_text(x):
    return "abc"[x[0]]


def into_mixed_list(x):
    items = [1.0, "a", 3]
    items[x[0]] = 2
    return items


def digits(n):
    return sum(int(digit) for digit in str(n))


NUMBER = (2.0,)
INDEX = (np.array([1, 2]),)


@pytest.mark.parametrize(
    "function, arguments, id, words, fix",
    [
        (texts, NUMBER, "AG0311", "text '{:.1f}' of float and the text 'about {:.3f}'", "each"),
        (text_or_constant, NUMBER, "AG0311", "text '{} m' of float and 'none'", "each branch"),
        (attribute, NUMBER, "AG0314", "attributes v and no attributes", "first values before"),
        (waiting, NUMBER, "AG0314", "1 elements and 0 elements", "use a list"),
        (seen, NUMBER, "AG0314", "{(0, 0), (0, 1)} and {(0, 0)}", "seen[i] = True"),
        (of_tuple, INDEX, "AG0302", "a plain integer", "np.array(...)[i]"),
        (of_mixed_list, INDEX, "AG0302", "a plain integer", "np.array(...)[i]"),
        (of_text, INDEX, "AG0302", "a plain integer", "decide with 'if'"),
        (into_mixed_list, INDEX, "AG0302", "a plain integer", "np.array(...)[i]"),
        (digits, (12,), "AG0306", "contents of a text", "divmod(n, 10)"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_is_said(function, arguments, id, words, fix):
    with pytest.raises(ag.errors.AutographError) as raised:
        ag.to_graph(function)(*arguments)
    error = raised.value
    assert (error.id, error.location.file) == (id, __file__)
    assert words in error.message
    assert fix in error.fix


def test_a_list_in_the_place_of_a_deque():
    def waiting(x):
        queue = []
        if x > 1:
            queue.append(x)
        return len(queue)

    check(waiting, 2.0)
    check(waiting, 0.0)


def test_a_recursion_that_begins_with_a_list_of_nothing():
    def arrangements(a):
        if len(a) == 0:
            return [[]]
        found = []
        for i in range(len(a)):
            for rest in arrangements(a[:i] + a[i + 1 :]):
                found.append([a[i], *rest])
        return found

    check(arrangements, [1, 2, 3])


def test_empty_tuples_in_lists():
    def kept(x):
        found = [()]
        for v in x:
            if v > 1:
                found.append(())
        return len(found)

    with pytest.raises(ag.errors.AutographError, match="contain nothing"):
        ag.to_graph(kept)(np.array([1.0, 2.0]))


@pytest.mark.parametrize("factor", [2.0, np.float32(2), np.bool_(True), 2j], ids=repr)
@pytest.mark.parametrize("items", [[1.0, 2], (1.0, 2)], ids=repr)
def test_sequences_are_not_repeated_by_what_is_no_integer(items, factor):
    array = np.array([factor, factor])
    check(lambda x: items * x[0], array)
    check(lambda x: x[0] * items, array)
