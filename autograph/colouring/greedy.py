"""Colourings in which neighbours have different colours, vertex by vertex: each gets the first
colour that none of its neighbours has. Sets of colours are the bits of integers."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np

from autograph.colouring.graphs import Graph, conflicts, degrees
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
    near = [0] * len(graph)  # the colours of its neighbours
    for vertex in ORDERS[order](graph):
        colour = colours[vertex] = first_free(near[vertex])
        for other in graph[vertex]:
            near[other] |= 1 << colour
    return colours


def coloured_columns(pattern: Any, order: str) -> list[int]:
    """A colour, from 0 on, for each column of a pattern: those with a common row differ.

    The graph of these conflicts is needed for some orders only; where it is very large, the largest
    go first instead.
    """
    if order not in ("natural", "largest_first"):
        graph = conflicts(pattern)
        if graph is not None:
            return coloured(graph, order)
        order = "largest_first"
    width = pattern.shape[1]
    by_column = pattern.tocsc()
    starts, rows = by_column.indptr.tolist(), by_column.indices.tolist()
    sequence = range(width)
    if order == "largest_first":
        sequence = np.argsort(-degrees(pattern), kind="stable").tolist()
    used = [0] * pattern.shape[0]  # the colours in a row
    colours = [-1] * width
    for column in sequence:
        own = rows[starts[column] : starts[column + 1]]
        taken = 0
        for row in own:
            taken |= used[row]
        colour = colours[column] = first_free(taken)
        for row in own:
            used[row] |= 1 << colour
    return colours


def first_free(taken: int) -> int:
    """The first colour that is not among some."""
    return (~taken & (taken + 1)).bit_length() - 1


def _by_saturation(graph: Graph) -> list[int]:
    """The next one is that whose neighbours have the most colours; of several, that with the most
    neighbours that have none. Brélaz, New methods to color the vertices of a graph, 1979."""
    colours = [-1] * len(graph)
    near = [0] * len(graph)  # the colours of its neighbours
    left = [len(found) for found in graph]
    heap = [(0, -left[v], v) for v in range(len(graph))]
    heapq.heapify(heap)
    while heap:
        count, degree, vertex = heapq.heappop(heap)
        if colours[vertex] >= 0 or (-count, -degree) != (near[vertex].bit_count(), left[vertex]):
            continue
        colour = colours[vertex] = first_free(near[vertex])
        for other in graph[vertex]:
            if colours[other] < 0:
                left[other] -= 1
                near[other] |= 1 << colour
                heapq.heappush(heap, (-near[other].bit_count(), -left[other], other))
    return colours
