"""Graphs, and what they are made of, are never changed once they are made."""

from dataclasses import FrozenInstanceError

import pytest

from autograph.graph.builder import Builder
from autograph.graph.graph import Constant, Module, Node, Value, label, walk
from autograph.graph.purity import without_required
from autograph.graph.rewrite import rewrite
from autograph.graph.verify import verify
from ops import elementwise as e
from tests.support.build_graphs import BOOL, FLOAT, cond, graph_of


def graph():
    def f(p, x):
        return cond(p, lambda: e.sin(x), lambda: e.sin(e.exp(x))) * 2.0

    return graph_of(f, p=BOOL, x=FLOAT)


PARTS = {
    "graph": graph(),
    "node": graph().nodes[0],
    "value": graph().nodes[0].outputs[0],
    "constant": Constant(1.0),
    "module": Module(graph()),
}


@pytest.mark.parametrize(
    ("part", "field"),
    [
        *(("graph", f) for f in ("name", "inputs", "nodes", "outputs", "location", "captures")),
        *(("node", f) for f in Node.__slots__),
        *(("value", f) for f in Value.__slots__),
        *(("constant", f) for f in (*Value.__slots__, *Constant.__slots__)),
        *(("module", f) for f in ("main", "graphs")),
    ],
)
def test_assignments_raise(part, field):
    part = PARTS[part]
    before = getattr(part, field)
    with pytest.raises(FrozenInstanceError, match=f"cannot assign to field '{field}'"):
        setattr(part, field, before)
    assert getattr(part, field) is before


def test_further_attributes_raise():
    for part in PARTS.values():
        with pytest.raises((FrozenInstanceError, TypeError)):
            part.further = 1


def test_a_value_is_named_once():
    value = Value(FLOAT)
    label(value, None)
    label(value, "x")
    label(value, "y")
    assert value.name == "x"


def test_the_place_of_a_result():
    with Builder() as builder:
        outputs = builder.add(e.add, [], {}, [FLOAT, FLOAT])
    assert [outputs[0].producer.place(value) for value in outputs] == [0, 1]


def test_an_exchanged_node_is_the_producer():
    with Builder() as builder:
        x = builder.input(FLOAT)
        y, z = e.sin(x), e.cos(x)
        builder.exchange(y.producer, op=e.exp)
        found = builder.finish([y, z])
    verify(found)
    assert [node.op for node in found.nodes] == [e.exp, e.cos]
    assert y.producer is found.nodes[0]


def test_nodes_that_need_not_run():
    with Builder() as builder:
        with Builder("then") as inner:
            then = inner.finish([inner.apply(e.sin, [Constant(1.0)], {}, required=True)])
        p = builder.input(BOOL)
        y = cond(p, lambda: e.sin(1.0), lambda: e.sin(2.0))
        builder.exchange(y.producer, regions=(then, y.producer.regions[1]), required=True)
        found = builder.finish([y])
    assert [node.required for node in walk(found)] == [True, True]
    relaxed = without_required(found)
    verify(relaxed)
    assert [node.required for node in walk(relaxed)] == [False, False]
    assert relaxed.outputs == (y,)
    assert without_required(relaxed) is relaxed


# -- rewriting -------------------------------------------------------------------------------------


def test_rewriting_goes_into_regions():
    old = graph()

    def change(node, env):
        return [e.cos(*(env.get(v, v) for v in node.inputs))] if node.op is e.sin else None

    new = rewrite(old, change)
    verify(new)
    names = [node.op.name for node in walk(old)]
    assert [node.op.name for node in walk(new)] == [n.replace("sin", "cos") for n in names]
    assert not {*new.inputs, *new.nodes} & {*old.inputs, *old.nodes}


def test_what_is_added_is_where_the_node_was():
    old = graph()
    places = []

    def change(node, env):
        with Builder() as inner:
            places.append(inner.location)

    rewrite(old, change)
    assert places == [node.location for node in walk(old)]


def test_captured_values_become_inputs():
    then = graph().nodes[0].regions[0]
    closed = rewrite(then, lambda node, env: None, captured=then.captures)
    verify(closed)
    assert [v.name for v in closed.inputs] == [v.name for v in then.captures]


def test_nodes_are_left_out():
    left = rewrite(graph(), lambda node, env: () if node.op is e.multiply else None)
    assert "multiply" not in [node.op.name for node in walk(left)]
