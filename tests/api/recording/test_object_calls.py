"""Calls with objects in heaps that are like an earlier one are not taken apart anew; those that are
not are told from them."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import autograph as ag
from autograph.api.recording.list_forms import ListForms
from tests.support.oracle import assert_same_outcome, outcome


class Node:
    rate = 0.5

    def __init__(self, value, next=None):
        self.value = value
        self.next = next
        self.total = 0.0


class Leaf(Node):
    pass


class Slotted:
    __slots__ = ("next", "value")

    def __init__(self, value, next=None):
        self.value = value
        self.next = next


class Tree:
    def __init__(self, value, children=()):
        self.value = value
        self.children = list(children)
        self.log = [value]


def chain(values, kind=Node):
    head = None
    for value in values:
        head = kind(value, head)
    return head


def walk(node, scale):
    total = 0.0
    while node is not None:
        total = total * 0.5 + node.value * node.rate * scale
        node.total = total
        node = node.next
    return total


def last(node):
    while node.next is not None:
        node = node.next
    return node


def over(nodes):
    total = 0.0
    for node in nodes:
        total += node.value
        node.value = total
    nodes.append(nodes[0])
    return nodes


def meet(a, b):
    while a is not b and a.next is not None:
        a = a.next
    return a is b


def through_slots(node):
    total, first = 0.0, node
    while node is not None:
        total += node.value
        node.value = -total
        node = node.next
    while first.next is not None:
        total = total * 0.5 + first.value
        first = first.next
    return total


def down(tree):
    total, waiting = 0.0, [tree]
    while waiting:
        tree = waiting.pop()
        total = total * 0.5 + tree.value
        tree.log.append(total)
        for child in tree.children:
            waiting.append(child)
    return total


def noted(node, log, pairs):
    while node is not None:
        log.append(node.value * 0.5 + log[-1])
        pairs.append((log[-1], pairs[0][0]))
        node = node.next
    return log


SHAPES = [2, 3, 4, 5, 6, 7, 6, 1, 9]


def numbers(count):
    return [0.25 * (k + 1) for k in range(count)]


def tree(count):
    nodes = [Tree(value) for value in numbers(count)]
    for k, node in enumerate(nodes[1:]):
        nodes[k // 2].children.append(node)
    return nodes[0]


def shared(count):
    nodes = chain(numbers(count))
    return nodes, last(nodes)


PROGRAMS = [
    (walk, lambda n: (chain(numbers(n)), 2.0)),
    (last, lambda n: (chain(numbers(n)),)),
    (over, lambda n: ([Node(v) for v in numbers(n)],)),
    (meet, shared),
    (through_slots, lambda n: (chain(numbers(n), Slotted),)),
    (down, lambda n: (tree(n),)),
    (noted, lambda n: (chain(numbers(n)), numbers(20 + n), [(0.5, 1)] * (20 + n))),
]


def alike(compiled, function, args):
    expected = outcome(function, copy.deepcopy(args))
    found = outcome(compiled, copy.deepcopy(args))
    if function is through_slots:  # whose objects are not compared
        expected.args = found.args = ()
    assert_same_outcome(found, expected)


def settled(function, make):
    """The function, compiled for any number of objects."""
    compiled = ag.to_graph(function)
    for count in SHAPES:
        alike(compiled, function, make(count))
    return compiled


@pytest.mark.parametrize(("function", "make"), PROGRAMS, ids=lambda x: getattr(x, "__name__", ""))
def test_a_call_that_is_like_an_earlier_one_is_not_taken_apart(function, make, monkeypatch):
    compiled = settled(function, make)

    def refused(*args):
        raise AssertionError

    monkeypatch.setattr(ListForms, "flat", refused)
    for count in (6, 3, 12):
        alike(compiled, function, make(count))


def with_values(*values):
    return chain(values), 2.0


OTHERS = {
    "ints": lambda: with_values(1, 2, 3),
    "mixed": lambda: with_values(1, 2.5, 3),
    "numpy": lambda: with_values(np.float64(1.0), np.float64(2.0)),
    "another scale": lambda: (chain(numbers(3)), 2),
    "none": lambda: (None, 2.0),
    "a subclass": lambda: (chain(numbers(3), Leaf), 2.0),
    "both classes": lambda: (Leaf(0.5, chain(numbers(3))), 2.0),
    "zeros": lambda: with_values(0.0, -0.0, float("nan"), 0.0),
    "a circle that ends": lambda: (chain(numbers(40)), -1.0),
}


@pytest.mark.parametrize("other", OTHERS)
def test_calls_with_other_attributes_are_told_apart(other):
    compiled = settled(walk, lambda n: (chain(numbers(n)), 2.0))
    for _ in range(3):
        alike(compiled, walk, OTHERS[other]())
        alike(compiled, walk, (chain(numbers(4)), 2.0))


def test_an_attribute_of_its_own_hides_that_of_the_class():
    compiled = settled(walk, lambda n: (chain(numbers(n)), 2.0))
    nodes = chain(numbers(4))
    nodes.next.rate = 3.0
    expected = walk(copy.deepcopy(nodes), 2.0)
    try:
        assert compiled(nodes, 2.0) == expected
    except ag.AutographError:  # only some of the objects have it
        pass
    alike(compiled, walk, (chain(numbers(4)), 2.0))


def test_what_the_class_holds_may_change_between_calls(monkeypatch):
    compiled = settled(walk, lambda n: (chain(numbers(n)), 2.0))
    for rate in (0.25, 0.5, 4):
        monkeypatch.setattr(Node, "rate", rate)
        alike(compiled, walk, (chain(numbers(4)), 2.0))


def test_the_caller_keeps_its_objects_and_numbers():
    compiled = settled(walk, lambda n: (chain(numbers(n)), 2.0))
    nodes = chain(numbers(4))
    kept = [nodes, nodes.next, nodes.value, last(nodes)]
    compiled(nodes, 2.0)
    assert [nodes, nodes.next, nodes.value, last(nodes)] == kept
    assert nodes.value is kept[2]
    assert ag.to_graph(last)(nodes) is kept[3]


def test_numbers_of_another_type_in_a_list_beside_objects():
    def f(node, log):
        while node is not None:
            log.append(node.value + log[-1])
            node = node.next
        return log

    compiled = settled(f, lambda n: (chain(numbers(n)), numbers(20 + n)))
    for log in (numbers(30), [1] * 30, [np.float64(0.5)] * 30, [0.5, 1] * 20, [0.5, None] * 20):
        alike(compiled, f, (chain(numbers(3)), log))
        alike(compiled, f, (chain(numbers(4)), numbers(50)))


def test_one_list_twice_and_two_lists():
    def f(a, b):
        total = 0.0
        for node in a:
            total += node.value
            b[0].value = total
        a.append(b[-1])
        return total, len(b)

    compiled = ag.to_graph(f)
    for count in SHAPES:
        rows = [Node(v) for v in numbers(count)]
        alike(compiled, f, (rows, [Node(1.0), *rows]))
        alike(compiled, f, (rows, rows))
        alike(compiled, f, (rows, rows[:1]))
