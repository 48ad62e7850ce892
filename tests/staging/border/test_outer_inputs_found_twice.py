"""Objects and arrays from outside that a function finds in several ways are one."""

import numpy as np

import autograph as ag
from tests.staging.border.test_outer_inputs import FLOATS, Counter, check, state_of


def test_an_object_that_is_found_in_two_ways():
    class Inner:
        def __init__(self):
            self.x = 0.0

    class Outer:
        def __init__(self, inner):
            self.inner = inner
            self.n = 0

    def make():
        inner = Inner()
        outer = Outer(inner)

        def f(x, swap):
            outer.n += 1
            outer.inner.x += x
            inner.x *= 2.0
            if swap:
                outer.inner = Inner()
            return outer.inner.x, inner.x

        return f, [inner, outer]

    check(make, [(1.0, False)] * 4 + [(1.0, True)] + [(1.0, False)] * 3, recordings=6)


def test_an_array_that_is_found_in_two_ways():
    shared = np.zeros(2)

    class Holder:
        def __init__(self):
            self.a = np.zeros(2)
            self.n = 0

    def make():
        holder, shared = Holder(), np.zeros(2)

        def f(x):
            holder.n += 1
            shared[0] += x
            result = holder.a.sum()
            holder.a = shared if holder.n > 2 else shared * 2
            return result

        return f, [holder, shared]

    python, expected = make()
    function, found = make()
    compiled = ag.to_graph(function)
    for args in FLOATS[:2]:
        assert compiled(*args) == python(*args)
        assert state_of(found) == state_of(expected)
    assert shared.sum() == 0.0


def test_an_argument_that_is_the_object_outside():
    counter, other = Counter(), Counter()

    def f(given, x):
        counter.n += 1
        given.n += 10
        return given.n * x

    compiled = ag.to_graph(f)
    expected = [0, 0]
    for given, place in [(other, 1), (other, 1), (other, 1), (counter, 0), (other, 1)]:
        try:
            result = compiled(given, 1.0)
        except ag.errors.MutationError:  # known to be refused
            assert given is counter
            continue
        expected[0] += 1
        expected[place] += 10
        assert (counter.n, other.n) == tuple(expected)
        assert result == expected[place]


def test_a_variable_that_is_bound_to_another_object():
    def make():
        counter = Counter()

        def f(x):
            return counter.hit(x)

        def renew():
            nonlocal counter
            counter = Counter()
            return counter

        return f, renew

    f, renew = make()
    compiled = ag.to_graph(f)
    for _ in range(3):
        counter = renew()
        for i in range(4):
            assert compiled(2.0) == 2.0
            assert counter.n == i + 1


def test_an_object_that_holds_itself():
    class Node:
        def __init__(self):
            self.next, self.n = self, 0

        def step(self, x):
            self.next.n += 1
            return self.n * x

    node = Node()
    step = ag.to_graph(node.step)
    for i in range(5):
        assert step(2.0) == 2.0 * (i + 1)
        assert node.next is node and node.n == i + 1
    assert len(step._summaries) <= 2
