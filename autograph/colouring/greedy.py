"""Colourings in which neighbours have different colours, vertex by vertex: each gets the first
colour that none of its neighbours has."""

from __future__ import annotations

import heapq

from autograph.colouring.graphs import Graph
from autograph.colouring.orders import ORDERS

NAMES = (*ORDERS, "saturation")


def coloured(graph: Graph, order: str) -> list[int]:
    """A colour, from 0 on, for each vertex.

    Args:
        order: one of `NAMES`.
    """
    if order == "saturation":
        return _by_saturation(graph)
    colours = [-1] * len(graph)
    for vertex in ORDERS[order](graph):
        colours[vertex] = first_free({colours[other] for other in graph[vertex]})
    return colours


def first_free(taken: set[int]) -> int:
    """The first colour that is not among some."""
    colour = 0
    while colour in taken:
        colour += 1
    return colour


def _by_saturation(graph: Graph) -> list[int]:
    """The next one is that whose neighbours have the most colours; of several, that with the most
    neighbours that have none. Brélaz, New methods to color the vertices of a graph, 1979."""
    colours = [-1] * len(graph)
    seen: list[set[int]] = [set() for _ in graph]
    left = [len(found) for found in graph]
    heap = [(0, -left[v], v) for v in range(len(graph))]
    heapq.heapify(heap)
    while heap:
        count, degree, vertex = heapq.heappop(heap)
        if colours[vertex] >= 0 or (-count, -degree) != (len(seen[vertex]), left[vertex]):
            continue
        colour = colours[vertex] = first_free(seen[vertex])
        for other in graph[vertex]:
            if colours[other] < 0:
                left[other] -= 1
                seen[other].add(colour)
                heapq.heappush(heap, (-len(seen[other]), -left[other], other))
    return colours
