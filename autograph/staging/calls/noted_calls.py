"""Where a recording has calls of functions, for those to be found that came to the same.

What a call is given, and what it sees and changes, may be anything: what it came to are nodes; see
`autograph.transforms.repeated_calls`.
"""

from __future__ import annotations

import types
from typing import Any

from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Graph
from autograph.staging.ground.recorder import recorder
from autograph.transforms.repeated_calls.noted import NotedCall

CALLED = "called"  # what tells calls of a function from what is recorded of its derivatives
_LEAST = 8  # nodes, those of regions not counted


class NotedCalls:
    """The calls of a recording.

    Attributes:
        every: in the order in which they ended.
        named: of which functions named graphs are what was recorded in a call.
    """

    def __init__(self) -> None:
        self.every: list[NotedCall] = []
        self.named: dict[Graph, Any] = {}


def note(function: types.FunctionType, builder: Builder, start: int) -> None:
    """Note a call that was recorded.

    Args:
        builder: the current builder when it began.
        start: how many nodes that had.
    """
    nodes = builder.nodes
    count = len(nodes) - start
    if count >= _LEAST and builder is current_builder():
        location = builder.location or recorder().location()
        name = function.__name__
        call = NotedCall(
            (function.__code__, CALLED), name, nodes[start], nodes[-1], count, location
        )
        recorder().state(NotedCalls).every.append(call)
