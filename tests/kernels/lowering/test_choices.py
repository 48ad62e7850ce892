"""Branches that give arrays: elements of one or the other, or the memory of one of them."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from tests.kernels.kernel_check import check, host_statements

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=3000), RNG.normal(size=3000)


def masks_of_rings(x, edges):
    means = np.zeros(len(edges) - 1)
    for k in range(len(edges) - 1):
        if k < len(edges) - 2:
            inside = (x >= edges[k]) & (x < edges[k + 1])
        else:
            inside = (x >= edges[k]) & (x <= edges[k + 1])
        means[k] = np.sum(x[inside]) / max(1, np.sum(inside))
    return means


def one_of_two(x, y, k):
    z = x if k else y
    return np.sum(z * 2.0), x + 1.0, y - 1.0


def negated(x, y, k):
    total = np.zeros(x.shape)
    for i in range(4):
        z = x * float(i)
        if i % 2 == k:
            z = -z
        total += z * y
    return total


def numbers_as_well(x, y, k):
    if k > 1:
        z, a, b = x * y[k], 2.0, k
    else:
        z, a, b = x - y[0] * k, y[1], k + 1
    return np.max(z), a, b


def nested(x, y, k):
    if k > 0:
        z = x + 1.0 if k > 1 else y
    else:
        z = np.zeros(len(x))
    return np.sum(z * x)


def changed_afterwards(x, y, k):
    a, b = x * 1.0, y * 1.0
    z = a if k else b
    a[3] = 7.0
    b[4] = 8.0
    return z * 2.0, a, b


def changed_itself(x, y, k):
    a, b = x * 1.0, y * 1.0
    z = a if k else b
    z[3] += 7.0
    return np.sum(z), a, b


def replaced_in_one_branch(x, y, k):
    a = x * 2.0
    for i in range(5):
        if i == k:
            a = np.cumsum(y)
        a[i] = 0.5
    return a


def both_exchanged(x, y, k):
    a, b = x * 2.0, y * 3.0
    if k:
        a, b = b, a
    a[2] = 1.0
    return a, b


def given_by_one_and_read_by_the_other(x, y, k):
    a = np.cumsum(x)
    if k:
        a = np.cumsum(a[::-1]) + a
    return np.cumsum(a)


FUNCTIONS = [
    one_of_two,
    negated,
    numbers_as_well,
    nested,
    changed_afterwards,
    changed_itself,
    replaced_in_one_branch,
    both_exchanged,
    given_by_one_and_read_by_the_other,
]


@pytest.mark.parametrize("k", [0, 1, 2])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_as_python(function, k):
    check(function, X, Y, k, kernels=None, ulps=4, scale=np.abs(X).sum())


def test_what_raises_in_a_branch_raises_there():
    check(masks_of_rings, X, np.linspace(-3.0, 3.0, 9), ulps=64)
    check(numbers_as_well, X, Y[:3], 2, kernels=None)
    check(numbers_as_well, X, Y[:3], 3, kernels=None)  # IndexError
    check(numbers_as_well, X, Y[:3], 1, kernels=None)


@pytest.mark.parametrize("k", [0, 1, 2])
def test_gradients(k):
    for function in (negated, nested, numbers_as_well):

        def loss(x, y, function=function):
            found = function(x, y, k)
            return np.sum(found[0] * 1.5 if isinstance(found, tuple) else found)

        ag.check_grads(loss, (X[:7], Y[:7]), order=2)


def test_lanes():
    xs, k = X.reshape(30, 100), np.arange(30) % 3
    found = ag.vmap(nested, (0, None, 0))(xs, Y[:100], k)
    np.testing.assert_allclose(found, [nested(x, Y[:100], i) for x, i in zip(xs, k)])


def halved(x, n):
    """Ends in one array or the other."""
    a, b = x * 1.0, x * 0.0
    while n >= 1:
        for i in range(len(x) // 2):
            b[2 * i] = a[i] + a[i + len(x) // 2]
            b[2 * i + 1] = (a[i] - a[i + len(x) // 2]) * 0.5j
        a, b = b, a
        n //= 2
    return a


@pytest.mark.parametrize("n", [0, 1, 2, 9])
def test_complex_arrays_that_are_exchanged(n):
    check(halved, X[:300] + 1j * Y[:300], n)


def own(function, *args):
    """The bytes of the arrays of kernels."""
    found = {}
    for s in host_statements(function, *args):
        if isinstance(s, ir.Load | ir.Store) and s.buffer.kind in ("temporary", "local"):
            found[s.buffer] = s.buffer.nbytes
    return sum(found.values())


def test_no_mask_is_kept():
    assert own(masks_of_rings, X, np.linspace(-3.0, 3.0, 9)) < 200


def test_arrays_that_are_exchanged_are_two():
    assert own(halved, X[:60] + 1j * Y[:60], 9) == 2 * 960


def test_what_one_branch_gives_has_one_place():
    assert own(replaced_in_one_branch, X[:60], Y[:60], 3) == 0
