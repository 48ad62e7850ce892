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

from collections.abc import Iterator

from autograph.colouring.graphs import Graph
from autograph.colouring.greedy import first_free
from autograph.colouring.orders import ORDERS

NAMES = tuple(ORDERS)


def star(graph: Graph, order: str) -> list[int]:
    """A colour, from 0 on, for each vertex; algorithm 4.1 of the article of 2007.

    A vertex may not have the colours of its neighbours, those of the neighbours of one without a
    colour, and those that would be the fourth in a path of two colours: of the neighbours of a
    neighbour of which two have its colour. These sets are kept as bits of integers, so a vertex
    takes as many steps as it has neighbours.
    """
    colours = [-1] * len(graph)
    near = [0] * len(graph)  # the colours of its neighbours
    repeated = [0] * len(graph)  # those that several of them have
    first: list[dict[int, int]] = [{} for _ in graph]  # which neighbour had a colour first
    closed = [0] * len(graph)  # what would be the fourth in a path that goes on from it
    for vertex in ORDERS[order](graph):
        taken = 0
        for other in graph[vertex]:
            own = colours[other]
            taken |= near[other] if own < 0 else closed[other] | 1 << own
        colour = colours[vertex] = first_free(taken)
        bit = 1 << colour
        for other in graph[vertex]:
            own = colours[other]
            of_other = 0 if own < 0 else 1 << own
            if near[other] & bit:
                closed[vertex] |= of_other
                if not repeated[other] & bit:
                    repeated[other] |= bit
                    closed[first[other][colour]] |= of_other
            else:
                near[other] |= bit
                first[other][colour] = vertex
            if repeated[vertex] & of_other:
                closed[other] |= bit
    return colours


class _Forests:
    """Which edges belong to one tree of two colours: all those from a vertex to neighbours of one
    colour do, so a tree is known by the two."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._above: dict[int, int] = {}

    def tree(self, vertex: int, colour: int) -> int:
        above = self._above
        top = own = colour * self._count + vertex
        while (next_ := above.get(top, top)) != top:
            top = next_
        while own != top:
            above[own], own = top, above.get(own, top)
        return top

    def join(self, a: int, b: int) -> None:
        if a != b:
            self._above[a] = b


def acyclic(graph: Graph, order: str) -> list[int]:
    """A colour, from 0 on, for each vertex: that of a vertex must not close a circle of two
    colours, that is, it has no two neighbours of one colour in one tree with it."""
    colours = [-1] * len(graph)
    near = [0] * len(graph)  # the colours of its neighbours
    forests = _Forests(len(graph))
    for vertex in ORDERS[order](graph):
        coloured = [other for other in graph[vertex] if colours[other] >= 0]
        taken = near[vertex]
        met: dict[int, int] = {}
        for other in coloured:
            for colour in _bits(near[other] & ~taken):
                if met.setdefault(forests.tree(other, colour), other) != other:
                    taken |= 1 << colour
        colour = colours[vertex] = first_free(taken)
        for other in graph[vertex]:
            near[other] |= 1 << colour
        for other in coloured:
            forests.join(forests.tree(other, colour), forests.tree(vertex, colours[other]))
    return colours


def _bits(number: int) -> Iterator[int]:
    """The places of the bits that are set."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
