"""The nodes of custom derivatives: their rules, their text, and what becomes of them."""

import re

import pytest

import autograph as ag
from autograph.errors import VerificationError
from autograph.graph.builder import current_builder
from autograph.graph.graph import Module, walk
from autograph.graph.verify import verify
from autograph.staging.trace import subgraph
from autograph.transforms.analysis.linearity import nonlinear_node
from autograph.transforms.simplify.erase import erase
from autograph.transforms.simplify.simplify import simplify
from ops import elementwise as e
from ops.control import regions
from tests.support.build_graphs import FLOAT, INT, VECTOR, graph_of, named


def custom(op, inputs, parts, types):
    outputs = current_builder().add(op, inputs, {}, types, parts)
    return outputs


def by_vjp(x, n, primal=None, forward=None, backward=None):
    primal = primal or graph_of(lambda x, n: x * n, "f", x=FLOAT, n=INT)
    forward = forward or graph_of(lambda x, n: (x * n, n), "forward", x=FLOAT, n=INT)
    backward = backward or graph_of(lambda n, ct: n * ct, "backward", n=INT, ct=FLOAT)
    return custom(regions.custom_vjp, [x, n], [primal, forward, backward], [FLOAT])


def by_jvp(x, n, rule=None):
    primal = graph_of(lambda x, n: x * n, "f", x=FLOAT, n=INT)
    rule = rule or graph_of(lambda x, n, t: (x * n, t * n), "rule", x=FLOAT, n=INT, t=FLOAT)
    return custom(regions.custom_jvp, [x, n], [primal, rule], [FLOAT])


def linear_call(x, n, function=None, transpose=None):
    doubled = lambda x: x * 2.0
    function = function or graph_of(doubled, "f", x=FLOAT)
    transpose = transpose or graph_of(doubled, "transpose", ct=FLOAT)
    return custom(regions.linear_call, [x], [function, transpose], [FLOAT])


def node_of(build, **parts):
    return graph_of(lambda x, n: build(x, n, **parts), "g", x=FLOAT, n=INT)


def test_nodes_that_are_right():
    verify(node_of(by_vjp))
    verify(node_of(by_jvp))
    verify(node_of(linear_call))


@pytest.mark.parametrize(
    ("build", "part", "region", "message"),
    [
        (by_vjp, "primal", lambda x, n: n, "the outputs of the primal should have the types"),
        (by_vjp, "forward", lambda x, n: n, "the outputs of the forward pass should have"),
        (by_vjp, "backward", lambda n, ct: n, "the outputs of the backward pass should have"),
        (by_vjp, "backward", lambda ct: ct, "the inputs of the backward pass should have"),
        (by_jvp, "rule", lambda x, n, t: x * n, "the outputs of the rule should have"),
        (by_jvp, "rule", lambda x, n: (x * n, x), "the inputs of the rule should have"),
        (linear_call, "function", lambda n: n, "the inputs of the function should have"),
        (linear_call, "transpose", lambda ct, n: ct, "the inputs of the transpose should have"),
    ],
)
def test_nodes_that_are_not(build, part, region, message):
    types = {"x": FLOAT, "n": INT, "t": FLOAT, "ct": FLOAT}
    names = region.__code__.co_varnames
    wrong = graph_of(region, part, **{name: types[name] for name in names})
    with pytest.raises(VerificationError, match=re.escape(message)):
        verify(node_of(build, **{part: wrong}))


@pytest.mark.parametrize("op", [regions.custom_vjp, regions.custom_jvp])
def test_regions_that_are_missing(op):
    graph = graph_of(lambda x: custom(op, [x], [], [FLOAT]), "g", x=FLOAT)
    with pytest.raises(VerificationError, match=r"there should be \d regions, not 0"):
        verify(graph)


def test_text():
    text = str(node_of(by_vjp))
    lines = [line.strip() for line in text.splitlines()]
    assert lines[1] == "t0: float = custom_vjp(x, n)"
    assert [line for line in lines if line.endswith(")") and line.partition("(")[0].isalpha()] == [
        "primal(x: float, n: int)",
        "forward(x: float, n: int)",
        "backward(n: int, ct: float)",
    ]


# -- recorded nodes --------------------------------------------------------------------------------


@ag.custom_vjp
def twice(x):
    return 2.0 * x


twice.defvjp(lambda x: (twice(x), x), lambda x, ct: (ct * 2.0,))


def recorded(function, *args):
    """The graph of a function as a transform gets it, and that simplified and erased."""
    found = []

    def transform(*arguments):
        traced, _ = subgraph(function, "g", arguments, {})
        found.append(traced.module.main)
        return 0.0

    ag.GraphFunction(transform, source=function)(*args)
    (graph,) = found
    verify(graph)
    return graph


def operators(graph):
    return [node.op.name for node in walk(graph)]


def loop(x, n):
    for _ in range(n):
        x = twice(x) if x < 100.0 else twice(x + 1.0)
    return x


def test_simplification_keeps_the_regions():
    graph = simplify(recorded(loop, 1.0, 3))
    verify(graph)
    nodes = [node for node in walk(graph) if node.op is regions.custom_vjp]
    assert len(nodes) == 2
    assert all(len(node.regions) == 3 for node in nodes)
    unused = simplify(recorded(lambda x: (twice(x), x)[1], 1.0))
    assert operators(unused) == []


def test_erasing_leaves_the_function():
    graph = recorded(loop, 1.0, 3)
    module = erase(Module(graph))
    verify(module)
    assert not {"custom_vjp", "custom_jvp"} & set(operators(module.main))
    assert erase(module) is module


# -- linearity -------------------------------------------------------------------------------------


def found(function, **inputs):
    graph = graph_of(function, "g", **inputs)
    node = nonlinear_node(graph, [v for v in graph.inputs if v.name.startswith("t")])
    return None if node is None else node.op.name


def test_what_is_linear_and_what_is_not():
    assert found(lambda x, t: x * t + t / x - 3.0 * t, x=FLOAT, t=FLOAT) is None
    assert found(lambda x, t: e.sin(x) * t + e.exp(x * x) * t, x=FLOAT, t=FLOAT) is None
    assert found(lambda t, t2: t + t2 * 2.0, t=VECTOR, t2=VECTOR) is None
    assert found(lambda t, t2: t * t2, t=VECTOR, t2=VECTOR) == "multiply"
    assert found(lambda x, t: x / t, x=FLOAT, t=FLOAT) == "divide"
    assert found(lambda x, t: x + e.floor(t), x=FLOAT, t=FLOAT) == "floor"
    assert found(lambda x, t: named(e.sin(t + x), "y"), x=FLOAT, t=FLOAT) == "sin"
