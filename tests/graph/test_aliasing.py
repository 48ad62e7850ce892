"""Which arrays a graph may have been given."""

import ops
from autograph.graph.aliasing import may_be_given
from ops.core.types import array
from tests.support.build_graphs import BOOL, cond, graph_of

ROW = array("f8", (4,))


def result(function, **inputs):
    return graph_of(function, **inputs).outputs[0]


def test_what_is_computed_is_not():
    assert not may_be_given(result(lambda x: ops.add(x, 1.0), x=ROW))
    assert may_be_given(result(lambda x: ops.refine(x, shape=(4,)), x=ROW))


def test_one_of_two_ways():
    def function(b, x):
        return cond(b, lambda: ops.add(x, 1.0), lambda: x)

    assert may_be_given(result(function, b=BOOL, x=ROW))


def test_many_ways_are_followed_once():
    def function(b, x):
        y = ops.add(x, 1.0)
        for _ in range(60):  # with twice as many ways each
            y = cond(b, lambda y=y: y, lambda y=y: ops.refine(y, shape=(4,)))
        return y

    assert not may_be_given(result(function, b=BOOL, x=ROW))
