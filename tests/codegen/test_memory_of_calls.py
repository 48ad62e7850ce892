"""Updates of what a function of the program returns: in place where that is new memory."""

import numpy as np
import pytest

import ops
from autograph.graph.graph import Constant, Module
from ops.arrays.indexing import assigned
from ops.core.types import array
from tests.codegen.compare import check, text_of
from tests.support.build_graphs import call, cond, graph_of, named

VECTOR, X = array("f8", (6,)), np.arange(6.0)


def new(x):
    return x + 1


def of_two(x):
    return x + 1, x + 2


def argument(x):
    return x


def part(x):
    return ops.getitem(x, index=(("slice", 0, 6, 1),))


def constant(x):
    return Constant(np.ones(6))


def one_number(x):
    return ops.broadcast_to(ops.getitem(x, index=(("int", 0),)), (6,))


def twice(x):
    y = x + 1
    return y, y


def one_of_both(x):
    y = x + 1
    return cond(True, lambda: y, lambda: x), y


def itself(x):
    return cond(False, lambda: call("f", [VECTOR], x), lambda: x)


def program(f, after):
    """Of a function that updates the first result of ``f``, and uses what it has after that."""
    graph = graph_of(f, "f", x=VECTOR)

    def main(x):
        y = named(x * 2, "y")
        results = call("f", graph.output_types, y)
        results = [results] if len(graph.outputs) == 1 else [*results]
        return assigned(results[0], 0, 9.0), *after(y, results)

    return Module(graph_of(main, x=VECTOR), {"f": graph})


def nothing(y, results):
    return [y * 0]


def what_was_given(y, results):
    return [y]


def another_result(y, results):
    return results[1:]


@pytest.mark.parametrize(
    "f, after, copied",
    [
        (new, nothing, False),
        (new, what_was_given, False),
        (of_two, another_result, False),
        (argument, what_was_given, True),
        (argument, nothing, True),  # computed after the update
        (part, what_was_given, True),
        (constant, what_was_given, True),
        (one_number, what_was_given, True),
        (twice, another_result, True),
        (one_of_both, another_result, True),
        (itself, what_was_given, True),
    ],
)
def test_what_a_function_returns(f, after, copied):
    module = program(f, after)
    check(module, X)
    text = text_of(module)
    assert (".copy()" in text[text.index("def main(") :]) == copied, text


def test_a_function_called_by_the_function():
    inner, outer = (
        graph_of(new, "inner", x=VECTOR),
        graph_of(lambda x: call("inner", [VECTOR], x), "outer", x=VECTOR),
    )

    def main(x):
        return assigned(call("outer", [VECTOR], x), 0, 9.0)

    module = Module(graph_of(main, x=VECTOR), {"inner": inner, "outer": outer})
    check(module, X)
    assert ".copy()" not in text_of(module)
