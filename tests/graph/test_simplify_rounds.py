"""A round of simplification that would change nothing is left out where that is known."""

import pytest

import ops
from autograph.transforms.simplify import simplify
from tests.support.build_graphs import FLOAT, VECTOR, cond, graph_of


@pytest.fixture
def rounds(monkeypatch):
    """How many nodes each round is given."""
    found = []

    class Counted(simplify._Rebuild):
        def run(self):
            found.append(len(self.graph.nodes))
            return super().run()

    monkeypatch.setattr(simplify, "VERIFY", False)
    monkeypatch.setattr(simplify, "_Rebuild", Counted)
    return found


def count(rounds, function, **inputs):
    """How often a graph is gone through until nothing is left to do, which is then known."""
    graph = graph_of(function, "f", **inputs)
    rounds.clear()
    result = simplify.simplify(graph)
    before = len(rounds)
    assert simplify._is_simple(result, None) and result is not graph
    return before


def test_what_is_computed_twice(rounds):
    assert count(rounds, lambda x, y: ops.exp(x * y) + ops.sin(x * y), x=FLOAT, y=FLOAT) == 1


def test_what_nothing_needs(rounds):
    def f(x):
        ops.exp(x) * 2.0
        return ops.sin(x)

    assert count(rounds, f, x=FLOAT) == 1


def test_what_takes_the_place_of_something_may_be_simplified_itself(rounds):
    """One round more, for what a reshape of a reshape has become."""

    def f(x):
        return ops.exp(ops.reshape(ops.reshape(x, shape=(1, 3)), shape=(3, 1)))

    assert count(rounds, f, x=VECTOR) >= 2


def test_branches(rounds):
    def f(x):
        return cond(x > 0.0, lambda: ops.exp(x), lambda: ops.exp(x)) + (x > 0.0) * x

    assert count(rounds, f, x=FLOAT) >= 2


def test_what_may_reach_a_result(rounds):
    def f(x):
        ops.exp(x)
        return x * 1.0, x * 2.0, x * 2.0

    assert count(rounds, f, x=VECTOR) >= 2
