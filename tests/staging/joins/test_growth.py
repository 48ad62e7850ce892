"""How much longer the lists of a loop get in each trip."""

import pytest

import ops
from autograph.staging.joins.growth import grown_by
from autograph.staging.joins.variables import ALWAYS, MAYBE, Variable
from autograph.staging.values.leaves import ColumnOf, Optional
from ops.core.types import ArrayType, array, weak
from tests.support.build_graphs import BOOL, FLOAT, INT, cond, graph_of

ROWS = array("f8", (None,))
NUMBER = array("f8", ())
LIST = Variable("xs", ALWAYS, None, (ColumnOf(NUMBER),))


def grown(body, facts=(LIST,), offset=0, **inputs):
    found = grown_by(graph_of(body, **inputs), facts, offset)
    assert all(growth.axis == 0 for growth in found.values())
    return {position: growth.count for position, growth in found.items()}


@pytest.mark.parametrize("count", [0, 1, 3])
def test_elements_appended(count):
    def body(xs, x):
        for _ in range(count):
            xs = ops.append_row(xs, x)
        return xs

    assert grown(body, xs=ROWS, x=NUMBER) == {0: count}


def test_elements_taken_out():
    def body(xs, x):
        return ops.append_row(ops.drop_row(ops.drop_row(xs)), x)

    assert grown(body, xs=ROWS, x=NUMBER) == {0: -1}


def test_a_list_that_is_made_anew_has_not_grown():
    assert grown(lambda xs, x: ops.concatenate([xs, xs]), xs=ROWS, x=NUMBER) == {}


def test_a_list_of_before_the_loop_has_not_grown():
    assert grown(lambda xs, ys: ops.append_row(ys, 1.0), xs=ROWS, ys=ROWS) == {}


def test_elements_appended_on_some_paths():
    def body(xs, x, b):
        return cond(b, lambda: ops.append_row(xs, x), lambda: xs)

    assert grown(body, xs=ROWS, x=NUMBER, b=BOOL) == {}


def test_positions_count_all_values_of_the_state():
    facts = (
        Variable("x", ALWAYS, None, (FLOAT,)),
        Variable("y", MAYBE, None, (Optional(FLOAT),)),  # a flag, a flag and a number
        LIST,
    )

    def body(i, x, defined, there, y, xs):
        return x, defined, there, y, ops.append_row(xs, 1.0)

    inputs = dict(i=INT, x=FLOAT, defined=BOOL, there=BOOL, y=FLOAT, xs=ROWS)
    assert grown(body, facts, offset=1, **inputs) == {4: 1}


def test_no_lists():
    facts = (Variable("x", ALWAYS, None, (weak(float),)),)
    assert grown(lambda x: x, facts, x=ArrayType(NUMBER.dtype, (), True)) == {}
