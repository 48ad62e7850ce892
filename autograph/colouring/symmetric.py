"""Colourings of the graph of a symmetric matrix, of which each element counts for two.

In a *star* colouring neighbours differ, and each path of four vertices has three colours: of two
columns that meet in an element one tells it directly. In an *acyclic* one neighbours differ, and
each circle has three colours: the elements between two colours are the edges of trees, and are
found from their leaves on. The latter has fewer colours.

Coleman & Moré, 1984; Coleman & Cai, The cyclic coloring problem and estimation of sparse Hessian
matrices, 1986; Gebremedhin, Tarafdar, Manne & Pothen, New acyclic and star coloring algorithms with
application to computing Hessians, 2007.
"""

from __future__ import annotations

from autograph.colouring.graphs import Graph
from autograph.colouring.greedy import first_free
from autograph.colouring.orders import ORDERS

NAMES = tuple(ORDERS)


def star(graph: Graph, order: str) -> list[int]:
    """A colour, from 0 on, for each vertex; algorithm 4.1 of the article of 2007."""
    colours = [-1] * len(graph)
    for vertex in ORDERS[order](graph):
        taken: set[int] = set()
        for near in graph[vertex]:
            own = colours[near]
            taken.add(own)
            for far in graph[near]:
                colour = colours[far]
                if far == vertex or colour < 0 or colour in taken:
                    continue
                if own < 0 or any(colours[x] == own and x != near for x in graph[far]):
                    taken.add(colour)
        colours[vertex] = first_free(taken)
    return colours


class _Forests:
    """Which edges belong to one tree of two colours."""

    def __init__(self) -> None:
        self._above: dict[tuple[int, int], tuple[int, int]] = {}

    def tree(self, a: int, b: int) -> tuple[int, int]:
        edge = (a, b) if a < b else (b, a)
        top = edge
        while (above := self._above.get(top, top)) != top:
            top = above
        while edge != top:
            self._above[edge], edge = top, self._above.get(edge, top)
        return top

    def join(self, a: tuple[int, int], b: tuple[int, int]) -> None:
        if a != b:
            self._above[a] = b


def acyclic(graph: Graph, order: str) -> list[int]:
    """A colour, from 0 on, for each vertex: that of a vertex must not close a circle of two
    colours, that is, it has no two neighbours of one colour in one tree with it."""
    colours = [-1] * len(graph)
    forests = _Forests()
    for vertex in ORDERS[order](graph):
        near = [other for other in graph[vertex] if colours[other] >= 0]
        taken = {colours[other] for other in near}
        met: dict[tuple[int, int], int] = {}
        for other in near:
            for far in graph[other]:
                colour = colours[far]
                if far == vertex or colour < 0 or colour in taken:
                    continue
                if met.setdefault(forests.tree(other, far), other) != other:
                    taken.add(colour)
        colour = colours[vertex] = first_free(taken)
        by_colour: dict[int, tuple[int, int]] = {}
        for other in near:
            own = by_colour.setdefault(colours[other], forests.tree(vertex, other))
            forests.join(forests.tree(vertex, other), forests.tree(*own))
            for far in graph[other]:
                if far != vertex and colours[far] == colour:
                    forests.join(forests.tree(other, far), forests.tree(vertex, other))
    return colours
