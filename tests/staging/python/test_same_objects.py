"""``is`` of objects in loops and recursive functions, where what a variable holds is another one in
each trip or call."""

import numpy as np
import pytest

from autograph.errors import ConcreteValueError
from tests.support.oracle import Programs, check
from tests.support.refusals import refused

programs = Programs()


class Node:
    def __init__(self, v):
        self.v, self.next = v, self


@programs(3)
@programs(20)
@programs(1)
def a_ring(n):
    head = Node(0)
    for i in range(1, n):
        new = Node(i)
        new.next, head.next = head.next, new
    out, node = [], head
    for _ in range(2 * n):
        out.append(node.v)
        node = node.next
        if node is head:
            break
    return out


@programs(3.0)
def three_nodes(n):
    a, b, c = Node(n), Node(n + 1), Node(n + 2)
    a.next, b.next, c.next = b, c, a
    out, node = [], a
    while True:
        out.append(node.v)
        node = node.next
        if node is a or len(out) > 10:
            break
    return out


@programs(3.0)
def in_a_branch_of_a_loop(n):
    a, b, c = Node(n), Node(n + 1), Node(n + 2)
    a.next, b.next, c.next = b, c, a
    out, node = [], a
    while len(out) < 9:
        out.append(node.v)
        node = node.next if node.v > 3.5 else node.next.next
        if node is b:
            break
    return out


@programs(3.0)
@programs(4.0)
def in_a_loop_in_a_loop(n):
    a, b, c = Node(n), Node(n + 1), Node(n + 2)
    a.next, b.next, c.next = b, c, a
    out, node = [], a
    while len(out) < 9:
        k = 0
        while k < n:
            node = node.next
            k += 1
        out.append(node.v)
        if node is b:
            break
    return out


@programs([3, 1, 2])
@programs(list(range(9)))
def slow_and_fast(xs):
    head = last = Node(xs[0])
    for x in xs[1:]:
        last.next = Node(x)
        last = last.next
    last.next = head.next
    slow, fast, steps = head, head, 0
    while True:
        slow, fast, steps = slow.next, fast.next.next, steps + 1
        if slow is fast:
            break
    return steps, slow.v


def swapped(d, e, n):
    if n <= 0.0:
        return 1.0 if d is e else 0.0
    return swapped(e, d, n - 1.0)


@programs(3.0)
def arguments_of_a_recursion(n):
    a, b = {"v": n}, {"v": n + 1}
    return swapped(a, b, n), swapped(a, a, n), swapped([n], [n], n)


@programs.test
def test_value(call):
    check(call.function, *call.args)


def a_dict_of_a_recursion(n):
    a, b = {"v": n}, {"v": n + 1}

    def compare(d, n):
        if n <= 0.0:
            return 1.0 if d is a else 0.0
        return compare({"v": n} if n > 2.0 else a, n - 1.0)

    return compare(a, n), compare(b, n)


def a_dict_of_a_loop(n):
    a, b = {"v": n}, {"v": n + 1}
    held, k = a, 0
    while k < n:
        held = b if held is a else a
        k += 1
    return held is a, held["v"]


@pytest.mark.parametrize("program", [a_dict_of_a_recursion, a_dict_of_a_loop])
def test_dicts_that_may_be_the_same(program):
    assert "depends on control flow" in refused(ConcreteValueError, program, np.float64(3.0))
