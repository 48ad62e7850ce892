"""Each plan recovers matrices from their products, and each colouring is what it is said to be."""

import itertools

import numpy as np
import pytest
import scipy.sparse as sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.colouring import compression, greedy, symmetric
from autograph.colouring.graphs import conflicts, degrees, neighbours

ORDERS = greedy.NAMES


def recovered(plan, matrix):
    """The elements of the pattern, of products of a dense matrix."""
    products = np.concatenate(
        [
            (plan.seeds(by_rows=False) @ matrix.T).reshape(-1),
            (plan.seeds(by_rows=True) @ matrix).reshape(-1),
        ]
    )
    steps = plan.substitution
    if steps is not None:
        sums, found = np.zeros(steps.vertices), np.zeros(len(steps.leaves))
        for k, (leaf, parent, place) in enumerate(zip(*steps[:3])):
            found[k] = products[place] - sums[leaf]
            sums[parent] += found[k]
        products = np.concatenate([products, found])
    return products[plan.places]


def drawn(shape, density, seed, is_symmetric=False):
    rng = np.random.default_rng(seed)
    mask = rng.random(shape) < density
    mask = mask | mask.T if is_symmetric else mask
    values = rng.integers(1, 100, size=shape).astype(float)  # so that sums are exact
    values = values + values.T if is_symmetric else values
    return sparse.csr_array(mask), np.where(mask, values, 0.0)


def check(plan, pattern, matrix):
    rows, columns = pattern.nonzero()
    np.testing.assert_array_equal(recovered(plan, matrix), matrix[rows, columns])


sizes = st.integers(0, 12)
densities = st.sampled_from([0.0, 0.1, 0.3, 0.6, 1.0])


@settings(max_examples=60, deadline=None)
@given(sizes, sizes, densities, st.integers(0, 99), st.sampled_from(ORDERS))
def test_columns_and_rows_recover_a_matrix(count, width, density, seed, order):
    pattern, matrix = drawn((count, width), density, seed)
    check(compression.by_columns(pattern, order), pattern, matrix)
    check(compression.by_rows(pattern, order), pattern, matrix)


@settings(max_examples=60, deadline=None)
@given(sizes, sizes, densities, st.integers(0, 99), st.sampled_from(symmetric.NAMES))
def test_both_together_recover_a_matrix(count, width, density, seed, order):
    pattern, matrix = drawn((count, width), density, seed)
    check(compression.by_both(pattern, order), pattern, matrix)


@settings(max_examples=60, deadline=None)
@given(sizes, densities, st.integers(0, 99), st.sampled_from(symmetric.NAMES))
def test_star_and_acyclic_colourings_recover_a_symmetric_matrix(size, density, seed, order):
    pattern, matrix = drawn((size, size), density, seed, is_symmetric=True)
    check(compression.by_star(pattern, order), pattern, matrix)
    check(compression.by_acyclic(pattern, order), pattern, matrix)


def edges(graph):
    return [(v, w) for v, near in enumerate(graph) for w in near]


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 8), densities, st.integers(0, 99), st.sampled_from(symmetric.NAMES))
def test_colourings_are_what_they_are_called(size, density, seed, order):
    pattern, _ = drawn((size, size), density, seed, is_symmetric=True)
    graph = neighbours(pattern)
    for colours in (symmetric.star(graph, order), symmetric.acyclic(graph, order)):
        assert all(colours[v] != colours[w] for v, w in edges(graph))
    star = symmetric.star(graph, order)
    for a, b in edges(graph):
        for c, d in itertools.product(graph[b], range(size)):
            if d in graph[c] and len({a, b, c, d}) == 4:
                assert len({star[v] for v in (a, b, c, d)}) > 2
    acyclic = symmetric.acyclic(graph, order)
    for pair in itertools.combinations(set(acyclic), 2):
        kept = [v for v in range(size) if acyclic[v] in pair]
        inside = [(v, w) for v, w in edges(graph) if v < w and {v, w} <= set(kept)]
        part = sparse.coo_array(
            (np.ones(len(inside)), ([v for v, _ in inside], [w for _, w in inside])),
            shape=(size, size),
        )
        trees, _ = sparse.csgraph.connected_components(part, directed=False)
        assert len(inside) == size - trees  # as many edges as forests have


def banded(n, *offsets):
    return sparse.csr_array(
        sparse.diags_array([np.ones(n)] * len(offsets), offsets=offsets, shape=(n, n))
    )


@pytest.mark.parametrize("order", ORDERS)
def test_a_tridiagonal_matrix_takes_three_products(order):
    pattern = banded(50, -1, 0, 1)
    assert compression.by_columns(pattern, "natural").number == 3
    assert compression.by_columns(pattern, order).number <= 4
    assert compression.by_rows(pattern, "natural").number == 3


def test_a_symmetric_tridiagonal_matrix_takes_fewer():
    pattern = banded(50, -1, 0, 1)
    assert compression.by_star(pattern, "natural").number == 3
    assert compression.by_acyclic(pattern, "natural").number == 2


def test_an_arrow_takes_few_products_of_both_kinds():
    n = 40
    arrow = np.eye(n, dtype=bool)
    arrow[0] = arrow[:, 0] = True
    pattern = sparse.csr_array(arrow)
    assert compression.by_columns(pattern, "natural").number == n
    assert compression.by_both(pattern, "largest_first").number <= 3
    assert compression.by_star(pattern, "largest_first").number == 2


def test_saturation_finds_the_colours_of_bipartite_graphs():
    """Brélaz' method is exact for them; by the natural order the crown takes half as many colours
    as it has vertices."""
    n = 6
    graph = [[n + j for j in range(n) if j != i] for i in range(n)]
    graph += [[i for i in range(n) if i != j] for j in range(n)]
    crown = [graph[v // 2 + n * (v % 2)] for v in range(2 * n)]
    crown = [[2 * (w % n) + w // n for w in near] for near in crown]
    assert max(greedy.coloured(crown, "natural")) + 1 == n
    assert max(greedy.coloured(crown, "saturation")) + 1 == 2


def test_what_is_too_large_is_coloured_by_columns_or_rows(monkeypatch):
    monkeypatch.setattr("autograph.colouring.graphs._MOST_PAIRS", 10)
    monkeypatch.setattr("autograph.colouring.compression._MOST_ELEMENTS", 10)
    monkeypatch.setattr("autograph.colouring.compression._MOST_PATHS", 10)
    pattern, matrix = drawn((7, 9), 0.6, seed=1)
    assert conflicts(pattern) is None
    for order in ORDERS:
        for plan in (compression.by_columns, compression.by_rows):
            check(plan(pattern, order), pattern, matrix)
    both = compression.by_both(pattern, "natural")
    assert both.number == compression.by_rows(pattern, "natural").number
    check(both, pattern, matrix)
    pattern, matrix = drawn((9, 9), 0.4, seed=2, is_symmetric=True)
    for plan in (compression.by_star, compression.by_acyclic):
        check(plan(pattern, "natural"), pattern, matrix)


def test_pairs_that_are_not_counted_are_bounded(monkeypatch):
    """The largest column is still the first."""
    pattern = banded(30, -1, 0, 1)
    exact = degrees(pattern)
    monkeypatch.setattr("autograph.colouring.graphs._MOST_PAIRS", 10)
    assert np.all(degrees(pattern) >= exact - 1)
    assert compression.by_columns(pattern, "largest_first").number <= 4


@settings(max_examples=40, deadline=None)
@given(sizes, sizes, densities, st.integers(0, 99), st.sampled_from(ORDERS))
def test_columns_are_coloured_as_the_graph_of_their_conflicts(count, width, density, seed, order):
    pattern, _ = drawn((count, width), density, seed)
    expected = greedy.coloured(conflicts(pattern), order)
    assert greedy.coloured_columns(pattern, order) == expected


@settings(max_examples=40, deadline=None)
@given(sizes, sizes, densities, st.integers(0, 99), st.sampled_from(symmetric.NAMES))
def test_both_together_take_no_more_than_either(count, width, density, seed, order):
    pattern, _ = drawn((count, width), density, seed)
    alone = compression.by_columns(pattern, order), compression.by_rows(pattern, order)
    assert compression.by_both(pattern, order).number <= min(plan.number for plan in alone)


def test_of_full_matrices_no_vertex_is_coloured(monkeypatch):
    """They take as many products as they have rows, or columns."""
    for name in ("greedy.coloured_columns", "symmetric.star", "symmetric.acyclic"):
        monkeypatch.setattr(f"autograph.colouring.{name}", None)
    pattern = sparse.csr_array(np.ones((1500, 1500), bool))
    for plan in (compression.by_both, compression.by_star, compression.by_acyclic):
        assert plan(pattern, "largest_first").number == 1500
    assert compression.by_both(sparse.csr_array(np.ones((3, 1500), bool)), "natural").number == 3


def test_a_vertex_takes_as_many_steps_as_it_has_neighbours():
    """Of nearly full graphs, too: paths of more edges are not gone along."""

    class Counted(list):
        looked = 0

        def __getitem__(self, vertex):
            Counted.looked += len(list.__getitem__(self, vertex))
            return list.__getitem__(self, vertex)

    pattern, _ = drawn((60, 60), 0.7, seed=3, is_symmetric=True)
    graph = Counted(neighbours(pattern))
    for colouring in (symmetric.star, symmetric.acyclic, greedy.coloured):
        Counted.looked = 0
        colouring(graph, "natural")
        assert Counted.looked <= 2 * sum(map(len, graph))
