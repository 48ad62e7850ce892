"""What a few operations make of an array, element by element, is computed where it is read."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
from autograph.kernels.ir import ir
from tests.kernels.kernel_check import check, host_statements

RNG = np.random.default_rng(0)
X, Y = RNG.random((2, 5000))
K = RNG.integers(0, 12, 5000)


def weights_of_neighbours(x, y, k):
    """Of three arrays beside the places only the places and one weight are kept."""
    place = np.floor(100 * x).astype(np.int64) % 64
    f = 100 * x - np.floor(100 * x)
    rho = np.bincount(place, weights=1.0 - f, minlength=64)
    rho = rho + np.bincount((place + 1) % 64, weights=f, minlength=64)
    return (1.0 - f) * rho[place] + f * rho[(place + 1) % 64]


def members(x, y, k):
    """A mask that is counted, and then read by a branch."""
    found = np.zeros(12)
    for j in range(12):
        here = k == j
        if np.sum(here) > 2:
            found[j] = np.sum(x * here)
        else:
            found[j] = y[j]
    return found


SHRINK = [(weights_of_neighbours, 90_000), (members, 2_000)]


def changed_before_it_is_read(x, y, k):
    """What the mask is made of is another one when the mask is read."""
    k, found = k.copy(), np.zeros(12)
    for j in range(12):
        here = k == j
        if np.sum(here) > 2:
            k[:] = np.where(k == j + 1, j, k)
            found[j] = np.sum(x * here)
    return found


def changed_in_between(x, y, k):
    """An array of which a number is changed in order, and one that was made of it before."""
    f = np.tanh(x)
    g = 1.0 - f
    for i in range(x.shape[0]):
        f[k[i]] += g[i] * y[i]
    return f, np.sum(g)


def the_same_twice(x, y, k):
    a, b = 2.0 * x, 2.0 * x
    for i in range(x.shape[0]):
        a[k[i]] += b[x.shape[0] - 1 - i]
    return a, b


def read_again_and_again(x, y, k):
    g = 1.0 - np.exp(x)
    h = -g
    total = np.zeros(5000)
    for j in range(20):
        total = total + h * g[j] + np.sin(total)
    return total


def one_beside_a_loop(x, y, k):
    """What reads the array is a loop, and a line of its own beside that."""
    total, first = 0.5, 1.5
    for _ in range(3):
        u = y * total
        for j in range(y.shape[0]):
            total = total * 0.5 + u[j]
        first += u[0]
    return total, first


SHRINK.append((one_beside_a_loop, 2_000))
STAY = [changed_before_it_is_read, changed_in_between, the_same_twice, read_again_and_again]


def own_bytes(function):
    """The bytes of the arrays of kernels."""
    found = {}
    for s in host_statements(function, X, Y, K):
        for b in [s.buffer] if isinstance(s, ir.Load | ir.Store) else []:
            if b.kind == "temporary":
                found[b] = b.nbytes
    return sum(found.values())


@pytest.mark.parametrize("function", [*(f for f, _ in SHRINK), *STAY], ids=lambda f: f.__name__)
def test_as_python(function):
    check(function, X, Y, K, kernels=None, ulps=64, scale=10.0)


@pytest.mark.parametrize("function, most", SHRINK, ids=lambda f: getattr(f, "__name__", ""))
def test_they_are_not_kept(function, most):
    assert own_bytes(function) < most
