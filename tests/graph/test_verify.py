"""Each rule of the verifier, with a graph that breaks it."""

import re

import numpy as np
import pytest

from autograph.errors import Location, VerificationError
from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Constant, Graph, Module, Node, Value
from autograph.graph.verify import verify
from ops import elementwise as e
from ops.control import effects, regions
from ops.control.regions import PACK, STACK
from ops.core.types import array
from tests.support.build_graphs import (
    BOOL,
    FLOAT,
    INT,
    VECTOR,
    call,
    cond,
    for_loop,
    graph_of,
    named,
    unpack,
    while_loop,
)


def check_refused(target, rule):
    with pytest.raises(VerificationError, match=re.escape(rule)):
        verify(target)


def simple():
    return graph_of(lambda x: named(x + 1.0, "y"), "f", x=FLOAT)


def broken(part, field, content):
    """Put what breaks a rule past the guard against assignments."""
    object.__setattr__(part, field, content)


def structured(op, inputs, parts, types):
    """A node with regions that need not fit."""
    outputs = current_builder().add(op, inputs, {}, types, parts)
    return outputs


def region(*outputs, **inputs):
    return graph_of(lambda *values: outputs or values, "region", **inputs)


# -- graphs that are right -------------------------------------------------------------------------


def everything(x, n, p, v):
    def body(i, total, stack):
        pack = regions.pack(total, v)
        return total * x + i, regions.push(stack, pack)

    total, stack = for_loop(n, body, x, Constant(None, STACK), names=["total", "stack"])
    rest, top = regions.pop(stack)
    first, second = unpack(top, FLOAT, VECTOR)
    y = cond(p, lambda: cond(p, lambda: first, lambda: total), lambda: x)
    z = while_loop(lambda z: z < y, lambda z: z + 1.0, total, names=["z"])
    effects.check(p, error="ValueError", message="p")
    return z, second * np.ones(3), call("g", [FLOAT], z), regions.add_ct(rest, stack)


def module():
    main = graph_of(everything, x=FLOAT, n=INT, p=BOOL, v=VECTOR)
    return Module(main, {"g": graph_of(lambda x: call("g", [FLOAT], x), "g", x=FLOAT)})


def test_a_module_that_is_right():
    verify(module())
    verify(module().main)


# -- values ----------------------------------------------------------------------------------------


def test_use_before_definition():
    graph = graph_of(lambda x: -(x + 1.0), "f", x=FLOAT)
    backwards = Graph("f", graph.inputs, graph.nodes[::-1], graph.outputs)
    check_refused(backwards, "graph 'f', node 'negative': <value: float> is used before it is def")


def test_a_whole_graph_captures_nothing():
    x = Value(FLOAT, "x")
    check_refused(graph_of(lambda: x + 1.0, "f"), "<x: float> is used before it is defined")


def test_output_that_nothing_defines():
    check_refused(region(Value(FLOAT, "x")), "graph 'region': <x: float> is used before")


def test_use_outside_the_region_of_the_definition():
    def f(p, x):
        inner = []

        def then():
            inner.append(named(x + 1.0, "y"))
            return inner

        return cond(p, then, lambda: x) * inner[0]

    check_refused(graph_of(f, p=BOOL, x=FLOAT), "<y: float> is used outside the region")


def test_a_node_that_stands_twice():
    graph = simple()
    twice = Graph("f", graph.inputs, graph.nodes * 2, graph.outputs)
    check_refused(twice, "<y: float> is defined twice")


def test_an_input_that_stands_twice():
    x = Value(FLOAT, "x")
    check_refused(Graph("f", (x, x), (), (x,)), "<x: float> is defined twice")


def test_one_region_in_two_places():
    def f(p, x):
        branch = region(**{"y": FLOAT})
        return structured(regions.while_loop, [x], [branch, branch], [FLOAT])

    check_refused(graph_of(f, p=BOOL, x=FLOAT), "<y: float> is defined twice")


def test_a_constant_as_input():
    check_refused(Graph("f", (Constant(1.0),), (), ()), "is a constant and cannot be defined")


@pytest.mark.parametrize("producer", [None, Node(e.add, (), {}, ())])
def test_wrong_producer(producer):
    graph = simple()
    broken(graph.nodes[0].outputs[0], "producer", producer)
    check_refused(graph, "<y: float> has the wrong producer")


def test_an_input_with_a_producer():
    graph = simple()
    broken(graph.inputs[0], "producer", graph.nodes[0])
    check_refused(graph, "<x: float> has the wrong producer")


@pytest.mark.parametrize(
    ("constant", "rule"),
    [
        (Constant(1.0, INT), "should have the type float"),
        (Constant(np.ones(3), array("f4", (3,))), "should have the type f64[3]"),
        (Constant(np.float64(1), FLOAT), "should have the type f64[]"),
        (Constant(None, FLOAT), "None is a pack or a stack"),
        (Constant(1.0, PACK), "should have the type float"),
    ],
)
def test_constants(constant, rule):
    check_refused(region(constant), rule)


# -- nodes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("type", [INT, array("f8"), array("f4"), VECTOR, PACK])
def test_result_types(type):
    graph = simple()
    broken(graph.nodes[0].outputs[0], "type", type)
    check_refused(graph, f"the results should have the types (float), not ({type})")


def test_number_of_results():
    graph = simple()
    (node,) = graph.nodes
    broken(node, "outputs", (*node.outputs, Value(FLOAT, "z", node)))
    check_refused(graph, "the results should have the types (float), not (float, float)")


@pytest.mark.parametrize(
    "inputs",
    [[], [Constant(1.0)], [Constant(np.ones(3)), Constant(np.ones(2))]],
)
def test_operands_that_do_not_fit(inputs):
    def f():
        return current_builder().add(e.add, inputs, {}, [VECTOR])

    check_refused(graph_of(f), "the operator does not take these operands")


def test_unexpected_attribute():
    def f(x):
        return current_builder().add(e.negative, [x], {"axis": 0}, [FLOAT])

    check_refused(graph_of(f, x=FLOAT), "the operator does not take these operands")


def test_attributes_that_cannot_be_hashed():
    graph = simple()
    graph.nodes[0].attrs["axes"] = [0]
    check_refused(graph, "the attribute 'axes' cannot be hashed")


def test_the_place_in_the_message():
    with Builder("f") as builder:
        x = builder.input(FLOAT, "x")
        with builder.at(Location("user.py", 12, 4, "f")):
            y = named(-x, "y")
        graph = builder.finish([y])
    broken(y, "type", INT)
    with pytest.raises(VerificationError) as caught:
        verify(graph)
    assert caught.value.location.line == 12
    assert caught.value.message.startswith("graph 'f', node 'negative' giving y: the results")


# -- packs and stacks ------------------------------------------------------------------------------

NO_PACK, NO_STACK = Constant(None, PACK), Constant(None, STACK)


@pytest.mark.parametrize(
    ("op", "inputs", "attrs", "types"),
    [
        (regions.push, [NO_PACK, NO_STACK], {}, [STACK]),
        (regions.pop, [NO_PACK], {}, [STACK, PACK]),
        (regions.unpack, [NO_STACK], {"types": (FLOAT,)}, [FLOAT]),
        (regions.unpack_ct, [Constant(1.0)], {"types": (FLOAT,)}, [FLOAT]),
        (regions.add_ct, [NO_PACK, NO_STACK], {}, [PACK]),
        (regions.add_ct, [Constant(1.0), Constant(1.0)], {}, [FLOAT]),
        (e.negative, [NO_PACK], {}, [PACK]),
    ],
)
def test_containers(op, inputs, attrs, types):
    def f():
        return current_builder().add(op, inputs, attrs, types)

    check_refused(graph_of(f), f"node '{op.name}'")


def test_a_pack_that_is_unpacked_as_something_else():
    graph = graph_of(lambda x: unpack(regions.pack(x), INT), "f", x=FLOAT)
    check_refused(graph, "the values unpacked should have the types (float), not (int)")


# -- regions ---------------------------------------------------------------------------------------


def test_wrong_captures():
    graph = graph_of(lambda p, x: cond(p, lambda: x, lambda: 0.0), "f", p=BOOL, x=FLOAT)
    broken(graph.nodes[0].regions[0], "captures", ())
    check_refused(graph, "the captures of 'then' should be <x: float>, not none")


def test_regions_of_an_operator_without():
    def f(x):
        return structured(e.negative, [x], [region()], [FLOAT])

    check_refused(graph_of(f, x=FLOAT), "this operator has no regions")


TRUE, ZERO, ONE, NO_VECTOR = Constant(True), Constant(0), Constant(1.0), Constant(np.ones(3))


@pytest.mark.parametrize(
    ("inputs", "parts", "types", "rule"),
    [
        ([TRUE], [region(ONE)], [FLOAT], "there should be 2 regions"),
        ([NO_VECTOR], [region(ONE), region(ONE)], [FLOAT], "the predicate should be one scalar"),
        ([TRUE, TRUE], [region(ONE), region(ONE)], [FLOAT], "the predicate should be one scalar"),
        ([NO_PACK], [region(ONE), region(ONE)], [FLOAT], "the predicate should be one scalar"),
        ([TRUE], [region(ONE), region(x=FLOAT)], [FLOAT], "the inputs of the else branch"),
        ([TRUE], [region(ZERO), region(ONE)], [FLOAT], "the outputs of the then branch"),
        ([TRUE], [region(ONE), region(ONE, ONE)], [FLOAT], "the outputs of the else branch"),
    ],
)
def test_cond(inputs, parts, types, rule):
    check_refused(graph_of(lambda: structured(regions.cond, inputs, parts, types)), rule)


@pytest.mark.parametrize(
    ("parts", "types", "rule"),
    [
        ([region(x=FLOAT)], [FLOAT], "there should be 2 regions"),
        ([region(x=INT), region(x=FLOAT)], [FLOAT], "the inputs of the test"),
        ([region(NO_VECTOR, x=FLOAT), region(x=FLOAT)], [FLOAT], "the output of the test"),
        ([region(ONE, ONE, x=FLOAT), region(x=FLOAT)], [FLOAT], "the output of the test"),
        ([region(TRUE, x=FLOAT), region(x=INT)], [FLOAT], "the inputs of the body"),
        ([region(TRUE, x=FLOAT), region(ZERO, x=FLOAT)], [FLOAT], "the outputs of the body"),
        ([region(TRUE, x=FLOAT), region(x=FLOAT)], [INT], "the results should have the types"),
    ],
)
def test_while_loop(parts, types, rule):
    check_refused(graph_of(lambda: structured(regions.while_loop, [ONE], parts, types)), rule)


@pytest.mark.parametrize(
    ("inputs", "parts", "types", "rule"),
    [
        ([ZERO, ONE], [], [FLOAT], "there should be 1 regions"),
        ([], [region()], [], "the count should be one scalar"),
        ([ONE, ONE], [region(ONE, i=INT, x=FLOAT)], [FLOAT], "the count should be an integer"),
        ([ZERO, ONE], [region(ONE, i=FLOAT, x=FLOAT)], [FLOAT], "the inputs of the body"),
        ([ZERO, ONE], [region(ONE, i=array("i8"), x=FLOAT)], [FLOAT], "the inputs of the body"),
        ([ZERO, ONE], [region(i=INT, x=FLOAT)], [FLOAT], "the outputs of the body"),
        ([ZERO, ONE], [region(ONE, i=INT, x=FLOAT)], [INT], "the results should have the types"),
    ],
)
def test_for_loop(inputs, parts, types, rule):
    check_refused(graph_of(lambda: structured(regions.for_loop, inputs, parts, types)), rule)


# -- calls -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "types", "rule"),
    [
        ([ZERO], [FLOAT], "the arguments should have the types (float), not (int)"),
        ([ONE, ONE], [FLOAT], "the arguments should have the types (float)"),
        ([ONE], [], "the results should have the types (float), not ()"),
    ],
)
def test_call_that_does_not_fit(arguments, types, rule):
    main = graph_of(lambda: call("g", types, *arguments), "main")
    check_refused(Module(main, {"g": region(x=FLOAT)}), rule)


def test_call_of_nothing():
    main = graph_of(lambda: call("g", [FLOAT]), "main")
    check_refused(Module(main), "the module has no graph named 'g'")
    main.nodes[0].attrs.clear()
    check_refused(main, "a call has the attribute 'callee'")


def test_errors_in_other_graphs_of_the_module():
    broken = module()
    broken.graphs["unused"] = region(Constant(1.0, INT))
    check_refused(broken, "graph 'region'")
