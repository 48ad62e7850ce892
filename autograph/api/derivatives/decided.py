"""The warning that a derivative is zero because the result is decided by comparisons."""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence

from autograph.errors import ZeroGradientWarning, warn_once
from autograph.graph.builder import current_builder
from autograph.graph.graph import Graph, Node, Value, walk
from autograph.graph.wiring import is_loop
from autograph.staging.ground.naming import unversioned
from autograph.transforms.analysis.decisions import comparisons_alone
from autograph.transforms.scores.sites import draws_integers, is_decided_by_draws
from ops.control import regions

# How many derivatives this thread has taken. The derivative of one is not looked at: that of a
# rectifier's slope is zero, rightly, and it is nothing but a comparison.
_taken = threading.local()


class Order:
    """Whether a function that is recorded takes derivatives itself."""

    def __init__(self) -> None:
        self._before = getattr(_taken, "count", 0)

    def is_first(self) -> bool:
        """Whether it has not, since this was made; its own derivative is about to be taken."""
        count = getattr(_taken, "count", 0)
        note_taken()
        return count == self._before


def note_taken() -> None:
    """Note that a derivative is taken."""
    _taken.count = getattr(_taken, "count", 0) + 1


def warn_of_decisions(graph: Graph, roots: Collection[Value], outputs: Sequence[Value]) -> None:
    """Warn, once for each line, where the derivative by one of ``roots`` is zero because the
    outputs depend on it through comparisons alone."""
    if len(graph.nodes) == 1 and graph.nodes[0].op is regions.call:  # as functions of lanes are
        (node,) = graph.nodes
        callee = current_builder().graphs.get(node.attrs["callee"])
        if callee is not None:
            given, wanted = set(roots), set(outputs)
            inner = [v for v, of_call in zip(callee.inputs, node.inputs) if of_call in given]
            results = [v for v, of_call in zip(callee.outputs, node.outputs) if of_call in wanted]
            warn_of_decisions(callee, inner, results)
            return
    for root, node in comparisons_alone(graph, roots, outputs, draws_integers):
        name = f"'{unversioned(root.name)}'" if root.name else "an argument"
        loop = _loop_around(graph, node)
        if is_decided_by_draws(graph, node):
            how = (
                f"the probabilities of what is drawn alone, such as here{loop}. The derivative of "
                "the expected result is what ag.score_gradient gives"
            )
        else:
            how = (
                f"comparisons alone, such as this{loop}. What a search finds has the derivative "
                "of its equation by ag.implicit, or find it by ag.root"
            )
        message = (
            f"the derivative of '{graph.name}' by {name} is zero: the result depends on it through "
            f"{how}; if zero is meant, compare with stop_gradient of the argument"
        )
        warn_once(message, ZeroGradientWarning, node.location or graph.location)


def _loop_around(graph: Graph, node: Node) -> str:
    """Where the loop is that a node is in, as a part of a sentence."""
    for loop in graph.nodes:
        inside = (found for region in loop.regions for found in walk(region))
        if is_loop(loop) and loop.location and any(found is node for found in inside):
            return f", in the loop at {loop.location}"
    return ""
