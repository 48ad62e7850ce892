"""From the pattern of a matrix to the products that tell its elements.

A plan has groups of columns, each of which is added up by a product of the matrix with a vector of
zeros and ones, and groups of rows, likewise from the left. Each element is then one of those
products', or, after an acyclic colouring, follows from them one after the other.
"""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

import numpy as np

from autograph.colouring import greedy, symmetric
from autograph.colouring.graphs import bipartite, neighbours

# Of how many elements on columns are coloured by themselves, which takes the least time, and of how
# many paths of two edges on a star colouring takes the place of an acyclic one.
_MOST_ELEMENTS = 5_000_000
_MOST_PATHS = 30_000_000


class Substitution(NamedTuple):
    """How elements follow from sums of them: the trees that they are edges of, from the leaves on.

    Of the sums over the edges at each vertex, ``products``, that at a leaf is its only edge's; the
    rest of the sum at the other end is without it.

    Attributes:
        leaves, parents: the ends of each edge, among so many ``vertices``.
        products: which product is the sum at the leaf.
    """

    leaves: np.ndarray
    parents: np.ndarray
    products: np.ndarray
    vertices: int


class ProductPlan(NamedTuple):
    """The products of a matrix that tell its elements.

    Attributes:
        columns, rows: the group of each, below ``of_columns`` and ``of_rows``, or -1.
        places: where each element of the pattern is among the elements of the products, one
            product after the other, those with groups of columns first; and behind these in what is
            substituted.
        substitution: if there is any.
    """

    columns: np.ndarray
    rows: np.ndarray
    of_columns: int
    of_rows: int
    places: np.ndarray
    substitution: Substitution | None = None

    @property
    def number(self) -> int:
        """How many products there are."""
        return self.of_columns + self.of_rows

    def seeds(self, by_rows: bool) -> np.ndarray:
        """The vectors of the products, a row for each."""
        groups, count = (self.rows, self.of_rows) if by_rows else (self.columns, self.of_columns)
        return (groups == np.arange(count)[:, None]).astype(np.float64)


def _places(pattern: Any) -> tuple[np.ndarray, np.ndarray]:
    """The row and the column of each element of a pattern."""
    rows = np.repeat(np.arange(pattern.shape[0]), np.diff(pattern.indptr))
    return rows, pattern.indices.astype(np.int64)


def _none(count: int) -> np.ndarray:
    return np.full(count, -1)


def _distinct_colours(pattern: Any, order: str) -> tuple[np.ndarray, int]:
    """A colour for each column that has elements, such that those with a common row differ."""
    used = np.zeros(pattern.shape[1], bool)
    used[pattern.indices] = True
    longest = int(np.diff(pattern.indptr).max(initial=0))
    if longest == np.count_nonzero(used):  # a row has elements in all of them
        found = np.cumsum(used) - 1
    else:
        found = np.array(greedy.coloured_columns(pattern, order), int)
    found = np.where(used, found, -1)
    return found, int(found.max(initial=-1)) + 1


def by_columns(pattern: Any, order: str) -> ProductPlan:
    """Each element is alone in its row among the columns of its colour: Curtis, Powell & Reid, On
    the estimation of sparse Jacobian matrices, 1974."""
    count = pattern.shape[0]
    colours, number = _distinct_colours(pattern, order)
    rows, columns = _places(pattern)
    return ProductPlan(colours, _none(count), number, 0, colours[columns] * count + rows)


def by_rows(pattern: Any, order: str) -> ProductPlan:
    """As `by_columns`, of the transpose."""
    width = pattern.shape[1]
    colours, number = _distinct_colours(pattern.T.tocsr(), order)
    rows, columns = _places(pattern)
    return ProductPlan(_none(width), colours, 0, number, colours[rows] * width + columns)


def by_both(pattern: Any, order: str) -> ProductPlan:
    """Some elements from products with columns, the others from products with rows.

    A star colouring of the rows and columns together does, of which those colours are left out
    that tell nothing which others don't: Coleman & Verma, The efficient computation of sparse
    Jacobian matrices using automatic differentiation, 1998; Montoison, Dalle & Gebremedhin,
    Revisiting sparse matrix coloring and bicoloring, 2025.
    """
    either = by_columns(pattern, order), by_rows(pattern, order)
    best = min(either, key=lambda plan: plan.number)
    fewest = -(-pattern.nnz // max(1, *pattern.shape))  # each tells as many elements as it has
    if pattern.nnz > _MOST_ELEMENTS or best.number <= fewest:
        return best
    count, width = pattern.shape
    found = np.array(symmetric.star(bipartite(pattern), order), int)
    rows, columns = _places(pattern)
    by_column, by_row = found[:width], found[width:]
    number = int(found.max(initial=-1)) + 1
    first = np.where(_is_alone(rows, by_column[columns], number), by_column[columns], -1)
    second = np.where(_is_alone(columns, by_row[rows], number), by_row[rows] + number, -1)
    chosen = _chosen(first, second, 2 * number)
    of_columns, of_rows = _renumbered(chosen, 0, number), _renumbered(chosen, number, 2 * number)
    own, other = of_columns[by_column], of_rows[by_row]
    total, total_of_rows = int(own.max(initial=-1)) + 1, int(other.max(initial=-1)) + 1
    if best.number <= total + total_of_rows:
        return best
    places = np.where(
        chosen < number,
        own[columns] * count + rows,
        total * count + other[rows] * width + columns,
    )
    return ProductPlan(own, other, total, total_of_rows, places)


def _is_alone(lines: np.ndarray, colours: np.ndarray, number: int) -> np.ndarray:
    """Whether each element is the only one of its colour in its line."""
    _, inverse, counts = np.unique(
        lines * number + colours, return_inverse=True, return_counts=True
    )
    return counts[inverse.reshape(-1)] == 1


def _chosen(first: np.ndarray, second: np.ndarray, number: int) -> np.ndarray:
    """One of two products for each element, such that there are few of them in all; -1 is none."""
    used = np.zeros(number, bool)
    for one, other in ((first, second), (second, first)):
        used[one[(other < 0) & (one >= 0)]] = True
    used[first[(first == second) & (first >= 0)]] = True

    def is_used(which: np.ndarray) -> np.ndarray:
        return (which >= 0) & used[which]

    open_ = ~(is_used(first) | is_used(second))
    left = np.flatnonzero(open_)
    # The elements that each product tells, of those that none is chosen for yet.
    products = np.concatenate([first[left], second[left]])
    order = np.argsort(products, kind="stable")
    elements = np.concatenate([left, left])[order]
    counts = np.bincount(products, minlength=number)
    ends = np.concatenate([[0], np.cumsum(counts)])
    while counts.any():
        product = int(np.argmax(counts))
        used[product] = True
        told = elements[ends[product] : ends[product + 1]]
        told = told[open_[told]]
        open_[told] = False
        for which in (first, second):
            counts -= np.bincount(which[told], minlength=number)
    return np.where(is_used(first), first, second)


def _renumbered(chosen: np.ndarray, start: int, end: int) -> np.ndarray:
    """New numbers, from 0 on, for the colours from ``start`` to ``end`` that are used; -1 for the
    others."""
    used = np.zeros(end - start, bool)
    used[chosen[(chosen >= start) & (chosen < end)] - start] = True
    return np.where(used, np.cumsum(used) - 1, -1)


def by_star(pattern: Any, order: str) -> ProductPlan:
    """Of a symmetric matrix: an element is alone of its colour in its row, or in its column."""
    count = pattern.shape[0]
    if pattern.nnz > _MOST_ELEMENTS or pattern.nnz == count**2:
        return by_columns(pattern, order)
    found = np.array(symmetric.star(neighbours(pattern), order), int)
    rows, columns = _places(pattern)
    number = int(found.max(initial=-1)) + 1
    alone = _is_alone(rows, found[columns], number)
    first = np.where(alone, found[columns], -1)
    second = np.where(_is_alone(columns, found[rows], number), found[rows], -1)
    chosen = _chosen(first, second, number)
    numbers = _renumbered(chosen, 0, number)
    at = np.where(chosen == first, rows, columns)
    colours = numbers[found] if number else found
    total = int(colours.max(initial=-1)) + 1
    return ProductPlan(colours, _none(count), total, 0, numbers[chosen] * count + at)


def by_acyclic(pattern: Any, order: str) -> ProductPlan:
    """Of a symmetric matrix: the elements between two colours are the edges of trees."""
    count = pattern.shape[0]
    paths = int(np.sum(np.diff(pattern.indptr).astype(np.int64) ** 2))
    if paths > _MOST_PATHS or pattern.nnz == count**2:
        return by_star(pattern, order)
    found = symmetric.acyclic(neighbours(pattern), order)
    rows, columns = _places(pattern)
    number = max(found, default=-1) + 1
    colours = np.array(found, int)
    places = colours[columns] * count + rows
    upper = np.flatnonzero(rows < columns)
    substitution, position = _substituted(
        [*zip(rows[upper].tolist(), columns[upper].tolist())], found, count
    )
    if len(upper):
        of_edge = number * count + position
        places[upper] = of_edge
        keys = rows[upper] * count + columns[upper]  # in order, as the pattern is
        lower = np.flatnonzero(rows > columns)
        twins = columns[lower] * count + rows[lower]
        places[lower] = of_edge[np.searchsorted(keys, twins)]
    return ProductPlan(colours, _none(count), number, 0, places, substitution)


def _substituted(
    edges: list[tuple[int, int]], colours: list[int], count: int
) -> tuple[Substitution, np.ndarray]:
    """The order in which edges are found, and where each of them is in it.

    A vertex of the trees is a vertex of the graph together with the other colour.
    """
    ids: dict[tuple[int, int], int] = {}
    ends = []
    around: list[list[int]] = []
    of_vertex: list[tuple[int, int]] = []
    for edge, (i, j) in enumerate(edges):
        pair = []
        for vertex, other in ((i, j), (j, i)):
            key = (vertex, colours[other])
            if key not in ids:
                ids[key] = len(ids)
                around.append([])
                of_vertex.append(key)
            around[ids[key]].append(edge)
            pair.append(ids[key])
        ends.append(pair)
    left = [len(found) for found in around]
    done = [False] * len(edges)
    waiting = deque(vertex for vertex, degree in enumerate(left) if degree == 1)
    leaves: list[int] = []
    parents: list[int] = []
    products: list[int] = []
    position = np.zeros(len(edges), int)
    while waiting:
        leaf = waiting.popleft()
        open_ = [edge for edge in around[leaf] if not done[edge]]
        if not open_:  # the last one of its tree
            continue
        (edge,) = open_
        done[edge] = True
        parent = ends[edge][0] + ends[edge][1] - leaf
        vertex, colour = of_vertex[leaf]
        position[edge] = len(leaves)
        leaves.append(leaf)
        parents.append(parent)
        products.append(colour * count + vertex)
        left[parent] -= 1
        if left[parent] == 1:
            waiting.append(parent)
    parts = (np.array(leaves, int), np.array(parents, int), np.array(products, int))
    return Substitution(*parts, len(ids)), position
