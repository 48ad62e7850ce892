"""What is refused of lists, texts, sets and objects says what it is and what to write instead."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest

import autograph as ag
from autograph.errors import BranchMismatchError
from tests.support.oracle import check


class Point:
    __slots__ = ("v",)


def text_or_constant(x):
    shown = "none"
    if x > 1:
        shown = (f"{x} m", 1)
    return shown


def attribute(x):
    point = Point()
    if x > 1:
        point.v = x
    return point.v if x > 1 else 0.0


def waiting(x):
    queue = deque(maxlen=2)
    if x > 1:
        queue.append(x)
    return len(queue)


def waiting_in_a_loop(x):
    queue = deque(maxlen=2)
    while x > 1:
        queue.append(x)
        x = x / 2
    return len(queue)


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
        (
            text_or_constant,
            NUMBER,
            "AG0311",
            "of float, int) and 'none'",
            "each branch",
        ),
        (attribute, NUMBER, "AG0314", "attributes v and no attributes", "first values before"),
        (waiting, NUMBER, "AG0314", "1 elements and 0 elements", "use a list"),
        (waiting_in_a_loop, NUMBER, "AG0315", "0 elements and 1 elements", "pop(0) is popleft()"),
        (into_mixed_list, INDEX, "AG0302", "a plain integer", "np.array(...)[i]"),
        (digits, (np.array(12),), "AG0306", "contents of a text", "divmod(n, 10)"),
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


def test_a_set_that_a_branch_adds_to():
    def seen(x):
        found = {(0, 0)}
        if x > 1:
            found.add((0, 1))
        return len(found)

    check(seen, 2.0)
    check(seen, 0.0)


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


# -- keys of the run -------------------------------------------------------------------------------


def among_texts(x):
    prices = {"a": 1.0}
    prices[int(x)] = 2.0
    return prices


def given(prices, x):
    prices[int(x)] = [2.0]
    return prices


def test_what_is_said_of_keys():
    says_what_to_do(among_texts, 2.0)


def test_what_is_said_of_keys_of_a_given_dict():
    says_what_to_do(given, {0: [1.0]}, 2.0)


def says_what_to_do(function, *arguments):
    with pytest.raises(ag.errors.ConcreteValueError, match="AG0304") as raised:
        ag.to_graph(function)(*arguments)
    assert raised.value.location.file == __file__
    for words in ("seen = np.zeros((rows, columns), bool)", "memo = ", "counts = "):
        assert words in raised.value.fix


def test_what_is_said_of_digits():
    with pytest.raises(ag.errors.ConcreteValueError, match="while n: n, d = divmod"):
        ag.to_graph(lambda x: int(str(int(x))[::-1]))(12.0)
    with pytest.raises(ag.errors.ConcreteValueError, match="bit_count"):
        ag.to_graph(lambda x: bin(int(x)).count("1"))(5.0)
    check(lambda n: bin(n).count("1"), 5)


# -- names of which the run decides what they are of -----------------------------------------------


def chosen_before_an_error(x):
    first, second = {"a": 1.0}, {"a": 2.0}
    if x < 3:
        one = first if x < 1 else second
    else:
        raise ValueError("x")
    one["a"] = 5.0
    return first, second


def chosen_or_new(x):
    first, second = {"a": 1.0}, {"a": 2.0}
    if x < 3:
        one = first if x < 1 else second
    else:
        one = {"a": 7.0}
    one["a"] = 5.0
    return first, second


def object_chosen_before_an_error(x):
    first, second = Named(), Named()
    if x < 3:
        one = first if x < 1 else second
    else:
        raise ValueError("x")
    one.v = x
    return first.v, second.v


def taken_from_a_dict(x):
    both = {0: {"a": 1.0}, 1: {"a": 2.0}}
    both[int(x)]["a"] = 5.0
    return both


class Named:
    def __init__(self):
        self.v = 0.0


@pytest.mark.parametrize(
    "function",
    [chosen_before_an_error, chosen_or_new, object_chosen_before_an_error, taken_from_a_dict],
    ids=lambda function: function.__name__,
)
def test_what_may_be_the_same_stays_so_after_the_next_branch(function):
    with pytest.raises(ag.errors.MutationError, match="AG0328"):
        ag.to_graph(function)(0.0)


class Node:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right


LEAVES = Node(0.2, Node(1.0), Node(2.0, Node(3.0), Node(4.0)))


def walked(x):
    node = LEAVES
    while node.left is not None:
        node = node.left if x < node.value else node.right
    return node.value


def walked_by_calls(x, node=LEAVES):
    if node.left is None:
        return node.value
    return walked_by_calls(x, node.left) if x < node.value else walked_by_calls(x, node.right)


class Loud(Node):
    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)


LOUD = Loud(0.2, Loud(1.0), Loud(2.0, Loud(3.0), Loud(4.0)))


def walked_aloud(x):
    node = LOUD
    while node.left is not None:
        node = node.left if x < node.value else node.right
    return node.value


def test_a_walk_through_a_tree_that_no_heap_holds_is_to_be_written_by_calls():
    with pytest.raises(BranchMismatchError) as raised:
        ag.to_graph(walked_aloud)(0.3)
    assert raised.value.id == "AG0311"
    assert "call a function with each of the objects" in str(raised.value)
    for function in (walked, walked_by_calls):
        compiled = ag.to_graph(function)
        for x in (0.1, 0.3, 5.0):
            assert compiled(x) == walked(x)
