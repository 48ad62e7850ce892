"""What is noted of a call while it is recorded."""

from __future__ import annotations

from collections.abc import Hashable

from autograph.errors import Location
from autograph.graph.graph import Node
from ops.core.records import NamedTuple


class NotedCall(NamedTuple):
    """Where in a recording a call is.

    Attributes:
        function: what was called, by its code.
        name: of the function.
        first, last: the nodes that it began and ended with.
        size: how many there are, these included.
        location: of the call.
    """

    function: Hashable
    name: str
    first: Node
    last: Node
    size: int
    location: Location | None
