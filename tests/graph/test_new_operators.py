"""An operator with regions of which only its wiring is known."""

import numpy as np
import pytest

from autograph.codegen import function as codegen
from autograph.graph import wiring
from autograph.graph.builder import current_builder
from autograph.graph.graph import Module
from autograph.graph.verify import verify
from autograph.transforms.simplify.simplify import simplify
from ops import elementwise as e
from ops.control.regions import Structured
from ops.core.registry import REGISTRY
from tests.codegen.compare import run
from tests.support.build_graphs import VECTOR, graph_of

X = np.array([0.5, -1.0, 2.0])


@pytest.fixture
def quiet():
    """Runs a region while NumPy does not warn."""
    op = Structured("quiet", "Run a region without warnings.", ("body",), runs=True)
    del REGISTRY["quiet"]  # other tests are about all that are declared
    return op


@pytest.fixture
def wired(monkeypatch, quiet):
    rule = lambda node: wiring.through(node, node.inputs, node.regions)
    monkeypatch.setitem(wiring.RULES, quiet, rule)
    return quiet


def add(op, body, *operands):
    region = graph_of(body, "body", x=VECTOR)
    return current_builder().add(op, operands, {}, region.output_types, [region])


def two_results(op):
    """A graph that uses one of two results; ``exp`` is computed inside and out."""

    def body(x):
        y = e.exp(x)
        return e.log(y), e.sin(y)

    return graph_of(lambda x: add(op, body, e.exp(x))[1], "g", x=VECTOR)


def test_one_that_is_not_wired(quiet):
    with pytest.raises(TypeError, match="'quiet' has no entry in"):
        simplify(two_results(quiet))


def test_results_that_nobody_uses_are_left_out(wired):
    graph = simplify(two_results(wired))
    verify(Module(graph))
    assert str(graph).count("exp(") == 2
    assert "log" not in str(graph) and len(graph.nodes[-1].outputs) == 1


def test_what_comes_from_outside_is_no_result(wired):
    def around(x):
        y = e.exp(x)
        same, other = add(wired, lambda z: (y, e.sin(z)), y)
        return same, other

    graph = simplify(graph_of(around, "g", x=VECTOR))
    verify(Module(graph))
    assert len(graph.nodes[-1].outputs) == 1 and graph.outputs[0] is graph.nodes[0].outputs[0]


def test_one_that_programs_cannot_be_written_with(wired):
    with pytest.raises(TypeError, match="'quiet' has no rule in"):
        run(two_results(wired), X)


def test_one_that_programs_are_written_with(wired, monkeypatch):
    def write(writer, node):
        (region,) = wiring.wiring(node).runs
        writer._enter_loop(node, region.inputs, node.inputs)
        targets = writer._targets(node)
        writer._emit('with np.errstate(all="ignore"):', node.location)
        with writer._block() as block:
            writer._nodes(region)
            writer._assign(list(zip(targets, region.outputs)), node.location)
        writer.lines += block

    monkeypatch.setitem(codegen.RULES, wired, write)
    (result,) = run(simplify(two_results(wired)), X)
    np.testing.assert_allclose(result, np.sin(np.exp(np.exp(X))))
