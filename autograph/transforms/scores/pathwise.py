"""Where the derivative of a run is not that of the expectation."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from autograph.errors import NonDifferentiableError
from autograph.graph.graph import Graph, Value
from autograph.transforms.scores.plan import jumps_of


def check_pathwise(
    graph: Graph, graphs: Mapping[str, Graph], moving: Collection[Value]
) -> None:
    """Refuse a graph whose result may jump, for some draws, where parameters move.

    Args:
        graphs: the named graphs that it may call.
        moving: its inputs, and values that it captures, that are parameters.

    Raises:
        NonDifferentiableError: it may.
    """
    for node in jumps_of(graph, graphs, moving):
        raise NonDifferentiableError(
            "what is drawn decides here, with a probability that depends on what is differentiated "
            "by: the result has no derivative by reparametrisation",
            node.location,
            id="AG0557",
            fix="use ag.score_gradient, or stop_gradient what is no parameter",
        )
