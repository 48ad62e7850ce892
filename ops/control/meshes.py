"""The axes of a mesh, as operators name them.

See `autograph.graph.variance` for what varies along them.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class MeshAxis(NamedTuple):
    """An axis of a mesh: what operators in which its parts meet have in place of the name of an
    axis of lanes. What is known of variance, and so what the transpose of a sum is, differs."""

    name: str
    of: tuple[tuple[str, int], ...] = ()  # the axes of a mesh of processes, with their sizes

    def __repr__(self) -> str:
        return repr(self.name)

    def __str__(self) -> str:
        return self.name


def varies_more(known: frozenset, axis_name: Any, **_: Any) -> frozenset:
    """Along which axes a result varies that is another one in each part along an axis."""
    return known | {axis_name.name} if isinstance(axis_name, MeshAxis) else known


def varies_less(known: frozenset, axis_name: Any, **_: Any) -> frozenset:
    """Along which axes a result varies that is the same in all parts along an axis."""
    return known - {axis_name.name} if isinstance(axis_name, MeshAxis) else known
