"""In which order the vertices of a graph are coloured.

===================  ==========================================================================
``natural``          as they are numbered
``largest_first``    by falling degree: Welsh & Powell, 1967
``smallest_last``    the last one has the smallest degree, and so on in the graph without it:
                     Matula, 1968
``incidence``        the one with the most neighbours that come before it: Coleman & Moré, 1983
``saturation``       the one whose neighbours have the most colours: Brélaz, 1979; found on the
                     way, see `autograph.colouring.greedy`
===================  ==========================================================================

Gebremedhin, Manne & Pothen, What color is your Jacobian? Graph coloring for computing derivatives,
SIAM Review 47, 2005, and Gebremedhin et al., ColPack, 2013.
"""

from __future__ import annotations

from collections.abc import Callable

from autograph.colouring.graphs import Graph


def natural(graph: Graph) -> list[int]:
    return [*range(len(graph))]


def largest_first(graph: Graph) -> list[int]:
    return sorted(range(len(graph)), key=lambda v: -len(graph[v]))


class _ByCount:
    """Vertices by a number that changes by one: which has the largest, or the smallest, is found
    in constant time."""

    def __init__(self, counts: list[int], most: int):
        self.counts = counts
        self._buckets: list[list[int]] = [[] for _ in range(most + 1)]
        self._done = [False] * len(counts)
        for vertex in reversed(range(len(counts))):
            self._buckets[counts[vertex]].append(vertex)

    def change(self, vertex: int, by: int) -> int:
        """Its new number."""
        if not self._done[vertex]:
            self.counts[vertex] += by
            self._buckets[self.counts[vertex]].append(vertex)
        return self.counts[vertex]

    def take(self, at: int) -> int | None:
        """One with a number, which is then done; None if there is none."""
        bucket = self._buckets[at]
        while bucket:
            vertex = bucket.pop()
            if not self._done[vertex] and self.counts[vertex] == at:
                self._done[vertex] = True
                return vertex
        return None


def smallest_last(graph: Graph) -> list[int]:
    degrees = [len(found) for found in graph]
    most = max(degrees, default=0)
    rest = _ByCount(degrees, most)
    order: list[int] = []
    smallest = 0
    while len(order) < len(graph):
        vertex = rest.take(smallest)
        if vertex is None:
            smallest += 1
            continue
        order.append(vertex)
        for other in graph[vertex]:
            smallest = min(smallest, rest.change(other, -1))
    return order[::-1]


def incidence(graph: Graph) -> list[int]:
    most = max(map(len, graph), default=0)
    rest = _ByCount([0] * len(graph), most)
    order: list[int] = []
    largest = 0
    while len(order) < len(graph):
        vertex = rest.take(largest)
        if vertex is None:
            largest -= 1
            continue
        order.append(vertex)
        for other in graph[vertex]:
            largest = max(largest, rest.change(other, 1))
    return order


ORDERS: dict[str, Callable[[Graph], list[int]]] = {
    "natural": natural,
    "largest_first": largest_first,
    "smallest_last": smallest_last,
    "incidence": incidence,
}
