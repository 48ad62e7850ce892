"""Attributes of objects in heaps that are a tuple, or a list of objects, or None: quadtrees."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs, check, check_grad

programs = Programs()
X = np.array([0.0856, 0.2368, 0.8013, 0.5822, 0.0941])


class Tree:
    def __init__(self, low, high):
        self.low, self.high = low, high
        self.item = None
        self.children = None
        self.count = 0

    def insert(self, value, weight):
        self.count += 1
        if self.children is None:
            if self.item is None:
                self.item = (value, weight)
                return
            middle = (self.low + self.high) / 2
            self.children = [Tree(self.low, middle), Tree(middle, self.high)]
            old_value, old_weight = self.item
            self.item = None
            self.child(old_value).insert(old_value, old_weight)
        self.child(value).insert(value, weight)

    def child(self, value):
        return self.children[1 if value >= (self.low + self.high) / 2 else 0]

    def total(self):
        if self.children is None:
            return self.item[0] * self.item[1] if self.item is not None else 0.0
        total = 0.0
        for child in self.children:
            total += child.total() * child.total()
        return total


def total_of_a_tree(x):
    tree = Tree(0.0, 1.0)
    for i in range(len(x)):
        tree.insert(x[i], i + 0.5)
    return tree.total()


@pytest.mark.slow
def test_a_tree():
    check(total_of_a_tree, X)


@pytest.mark.slow
def test_derivatives_of_a_tree():
    check_grad(total_of_a_tree, X)


class Node:
    def __init__(self, v):
        self.v, self.children, self.best = v, None, None


def grown(xs):
    root = node = Node(0)
    for x in xs:
        if node.children is None:
            node.children = []
        node.children.append(Node(x))
        if node.best is None or node.best[0] < x:
            node.best = (x, x / 2)
        if x % 2:
            node = node.children[-1]
    return root


def shown(node):
    children = None if node.children is None else [shown(child) for child in node.children]
    return node.v, node.best, children


@programs([3, 1, 2])
@programs(list(range(20)))
def gone_through(xs):
    found, waiting = [], [grown(xs)]
    while waiting:
        node = waiting.pop()
        found.append(node.v)
        if node.best is not None:
            found.append(node.best[0])
        if node.children:
            for child in node.children:
                waiting.append(child)
    return found


@programs([3, 1, 2, 5])
@programs(list(range(20)))
def taken_away(xs):
    root = grown(xs)
    had = root.children
    root.children = None
    root.best = None
    return had is None, root.children is None, root.best is None, root.best == None  # noqa: E711


@programs.test
def test_value(call):
    check(call.function, *call.args)


@pytest.mark.parametrize("xs", [[3, 1, 2], list(range(20))])
def test_a_result(xs):
    assert shown(ag.to_graph(grown)(xs)) == shown(grown(xs))
