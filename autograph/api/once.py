"""A function that a numerical method calls in many places, recorded once.

A method in plain Python calls it at each stage of a step, and a loop is recorded several times
until the types of its state are known. What was recorded once is copied there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.api.derivatives.common import symbolic
from autograph.graph.builder import copy_nodes
from autograph.staging.arrays.array import GraphArray
from autograph.staging.trace import subgraph
from ops.core.types import ArrayType


class RecordedOnce:
    """A function that is recorded once, to be used many times in a recording.

    Args:
        function: of numbers and arrays, which returns one, or a tuple of such.
        args: what they are like.
        differentiated: whether a derivative of it is taken where it is used.

    Attributes:
        captures: what it depends on besides, as far as that has derivatives.
    """

    def __init__(self, function: Callable, *args: Any, differentiated: bool = False):
        purpose = "differentiated" if differentiated else "part of a differential equation"
        self._traced, _ = subgraph(function, "recorded", _symbolic(args), {}, purpose)
        captures = self._traced.module.main.captures
        self._values = [v for v in captures if isinstance(v.type, ArrayType) and v.type.inexact]
        self.captures = tuple(GraphArray(v) for v in self._values)

    def __call__(self, *args: Any) -> Any:
        return self.closed(self.captures, *args)

    def closed(self, captures: tuple, *args: Any) -> Any:
        """The function, with something else in the place of what it depends on besides."""
        graph = self._traced.module.main
        env = dict(zip(self._values, (x.value for x in captures)))
        env.update(zip(graph.inputs, (x.value for x in _symbolic(args))))
        outputs = copy_nodes(graph.nodes, graph.outputs, env)
        return self._traced.delivery.deliver([GraphArray(v) for v in outputs])


def _symbolic(args: tuple) -> tuple:
    return tuple(GraphArray(symbolic(x).value) for x in args)
