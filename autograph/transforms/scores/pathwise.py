"""Where the derivative of a run is not that of the expectation."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from autograph.errors import NonDifferentiableError
from autograph.graph.graph import Graph, Node, Value
from autograph.transforms.scores.plan import Survey


def check_pathwise(
    graph: Graph, graphs: Mapping[str, Graph], moving: Collection[Value], twice: bool
) -> None:
    """Refuse a graph whose result may jump, for some draws, where parameters move.

    Args:
        graphs: the named graphs that it may call.
        moving: its inputs, and values that it captures, that are parameters.
        twice: whether there are derivatives of derivatives, so that its derivative may not jump.

    Raises:
        NonDifferentiableError: it may.
    """
    for node in _jumps(graph, graphs, moving, (), twice, set()):
        raise NonDifferentiableError(
            "what is drawn decides here, with a probability that depends on what is differentiated "
            "by: the result has no derivative by reparametrisation",
            node.location,
            id="AG0557",
            fix="use ag.score_gradient, or stop_gradient what is no parameter",
        )


def _jumps(
    graph: Graph,
    graphs: Mapping[str, Graph],
    moving: Collection[Value],
    random: Collection[Value],
    twice: bool,
    met: set[tuple],
) -> Iterator[Node]:
    """The nodes at which draws and parameters meet without a derivative, also in graphs that are
    called.

    Args:
        met: calls that have been looked at.
    """
    survey = Survey(graph, graphs, moving, random, twice)
    yield from survey.discrete()
    yield from (jump.node for jump in survey.jumps())
    yield from survey.opaque()
    for node, flags in survey.calls().items():
        callee = graphs[node.attrs["callee"]]
        if callee is not None and (callee, flags) not in met:
            met.add((callee, flags))
            yield from _jumps(callee, graphs, *flags.of(callee.inputs), twice, met)
