"""Each plan recovers matrices from their products, and each colouring is what it is said to be."""

import itertools

import numpy as np
import pytest
import scipy.sparse as sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.colouring import compression, greedy, symmetric
from autograph.colouring.graphs import conflicts, neighbours

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


def test_what_is_too_dense_is_not_looked_at(monkeypatch):
    monkeypatch.setattr("autograph.colouring.graphs._MOST_PAIRS", 10)
    monkeypatch.setattr("autograph.colouring.graphs._MOST_PATHS", 10)
    pattern = sparse.csr_array(np.ones((4, 5), bool))
    assert conflicts(pattern) is None
    matrix = np.arange(20.0).reshape(4, 5)
    for plan, number in ((compression.by_columns, 5), (compression.by_both, 4)):
        assert plan(pattern, "natural").number == number
        check(plan(pattern, "natural"), pattern, matrix)
    pattern = sparse.csr_array(np.ones((4, 4), bool))
    for plan in (compression.by_star, compression.by_acyclic):
        check(plan(pattern, "natural"), pattern, matrix[:, :4] + matrix[:, :4].T)


def test_a_large_dense_matrix_takes_no_time():
    pattern = sparse.csr_array(np.ones((1500, 1500), bool))
    assert compression.by_both(pattern, "largest_first").number == 1500
    assert compression.by_star(pattern, "largest_first").number == 1500
