"""Sets of indices against products and sums of boolean matrices, in each way that there is."""

from unittest import mock

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.transforms.sparsity import sets

sizes = st.integers(0, 9)
densities = st.sampled_from([0.0, 0.1, 0.4, 0.9, 1.0])

# The limits by which one of the ways is taken; a dense product of nine columns is cut into blocks.
WAYS = {
    "by keys": {"_MANY": 10**9},
    "by SciPy": {"_MANY": 0, "_DENSE_STEPS": 0},
    "dense": {"_MANY": 0, "_DENSE_STEPS": 10**9},
    "dense, row by row": {"_MANY": 0, "_DENSE_STEPS": 10**9, "_DENSEST": 81},
}
in_each_way = pytest.mark.parametrize("limits", WAYS.values(), ids=WAYS)


def drawn(rng, shape, density):
    dense = rng.random(shape) < density
    return dense, sets.relation(*np.nonzero(dense), shape)


def check(found, expected):
    assert found.shape == expected.shape
    np.testing.assert_array_equal(found.toarray(), expected)
    found.check_format(full_check=True)
    rows = np.repeat(np.arange(found.shape[0]), np.diff(found.indptr))
    assert np.all(np.diff(rows * found.shape[1] + found.indices) > 0)


@in_each_way
@settings(max_examples=60, deadline=None)
@given(sizes, sizes, sizes, densities, densities, st.integers(0, 99))
def test_a_product_says_what_is_related(limits, count, between, width, outer, inner, seed):
    rng = np.random.default_rng(seed)
    (a, of_a), (b, of_b) = drawn(rng, (count, between), outer), drawn(rng, (between, width), inner)
    with mock.patch.multiple(sets, **limits):
        check(sets.product(of_a, of_b), (a.astype(int) @ b.astype(int)) > 0)


@in_each_way
@settings(max_examples=60, deadline=None)
@given(sizes, sizes, densities, densities, st.integers(0, 99))
def test_a_union_has_what_is_in_either(limits, count, width, first, second, seed):
    rng = np.random.default_rng(seed)
    (a, of_a), (b, of_b) = drawn(rng, (count, width), first), drawn(rng, (count, width), second)
    with mock.patch.multiple(sets, **limits):
        check(sets.union(of_a, of_b), a | b)
        check(sets.of_all(of_a), a.any(axis=0, keepdims=True))


def test_sets_of_everything_are_related_at_once(monkeypatch):
    """As after a product with a full matrix: no element is looked at once more."""
    looked = []
    monkeypatch.setattr(scipy.sparse.csr_array, "__matmul__", lambda a, b: looked.append(1))
    monkeypatch.setattr(scipy.sparse.csr_array, "toarray", lambda a: looked.append(1))
    everything = sets.repeated(sets.relation([0] * 300, range(300), (1, 300)), 400)
    found = sets.product(sets.repeated(sets.of_all(everything), 400)[:, :300], everything[:300])
    assert (found.shape, found.nnz, looked) == ((400, 300), 120_000, [])
