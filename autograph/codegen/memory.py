"""Which updates of an array can be done in place, and which values must be copied first."""

from __future__ import annotations

from dataclasses import dataclass, field

from autograph.graph.graph import Node, Value


@dataclass
class Plan:
    """What is copied, so that everything else can be done in place.

    Attributes:
        updates: updates that change a copy of their target.
        entries: (loop, position) of loop state that starts as a copy.
        views: results of view operators that are copied at once.
    """

    updates: set[Node] = field(default_factory=set)
    entries: set[tuple[Node, int]] = field(default_factory=set)
    views: set[Value] = field(default_factory=set)


def is_update(node: Node) -> bool:
    """Whether a node changes elements of an array. A scalar, which may be a NumPy scalar and so
    immutable, is replaced instead."""
    return node.op.name in ("index_update", "index_add") and node.outputs[0].type.ndim > 0
