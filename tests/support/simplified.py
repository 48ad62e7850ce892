"""Checking what simplification makes of a graph, and that it leaves a simple graph alone."""

from textwrap import dedent

from autograph.graph.graph import Constant
from autograph.graph.verify import verify
from autograph.transforms.simplify.simplify import simplify
from ops.control import effects
from tests.support.build_graphs import graph_of


def simplified(function, **inputs):
    graph = graph_of(function, "f", **inputs)
    verify(graph)
    result = simplify(graph)
    verify(result)
    assert simplify(result) is result
    return result


def check_text(function, expected, **inputs):
    """Compare the lines of the simplified graph after the header."""
    _, *lines = str(simplified(function, **inputs)).splitlines()
    assert dedent("\n".join(lines)) == dedent(expected).strip("\n")


def check_kept(function, **inputs):
    """There is nothing to simplify."""
    graph = graph_of(function, "f", **inputs)
    verify(graph)
    assert simplify(graph) is graph


def check(message):
    """An effect."""
    effects.check(Constant(True), error="ValueError", message=message)
