"""What masks select, and where elements are not zero, in kernels."""

import numpy as np
import pytest

import autograph as ag
from tests.kernels.kernel_check import ALL, check
from tests.support.oracle import check_grad

RNG = np.random.default_rng(0)
X = RNG.random(60)


def selected_in_loops(x):
    total = 0.0
    for i in range(1, 5):
        y = x[x > 0.1 * i]
        z = y[y < 0.9]
        total += y[0] * y[-1] + z[1] * z.size + np.sort(z)[1] * np.argsort(z)[0]
        total += np.compress(x > 0.2, x)[i] + np.extract(x > 0.1, x)[i]
    return total


def places_in_loops(x):
    total = 0
    for i in range(4):
        places = np.where(x > 0.3 * i)[0]
        if places.size > 0:
            total += places[0] + places[-1] * len(places)
        total += np.flatnonzero(x < 0.2)[0] + np.count_nonzero(places)
    return total


def over_places(x):
    total = 0.0
    for i in np.nonzero(x > 0.5)[0]:
        total += x[i] * i
    rows = x.reshape(6, -1)
    for i, j in np.argwhere(rows > 0.5):
        total += rows[i, j] * (i - j)
    a, b = np.nonzero(np.floor(rows * 3))
    for k in range(len(a)):
        total += rows[a[k], b[k]] * k
    return total


def of_several_axes(x):
    rows = x.reshape(6, -1) * 1
    total = 0.0
    for k in range(1, 4):
        y = rows[rows[:, k] > 0.2]
        z = rows[:, rows[k] > 0.3]
        w = rows[rows > 0.1 * k]
        total += np.sum(y) + y[0, k] + z[1, 0] + w[2]
    return total


def changed(x):
    y = x * 1
    for k in range(3):
        y[y > 0.5] *= 0.7
        y[y < 0.1] = k
        places = np.flatnonzero(y > 0.2)
        y[places] += 0.01
        y[places[::2]] = x[places[::2]]
        y[y > 0.6] = np.sort(y[y > 0.6])
    return y


def sieve(count):
    is_prime = np.ones(count, bool)
    is_prime[:2] = False
    for i in range(2, int(count**0.5) + 1):
        if is_prime[i]:
            is_prime[i * i :: i] = False
    return np.nonzero(is_prime)[0]


def of_complex(x):
    z = x * np.exp(3j * x)
    total = 0j
    for i in range(3):
        w = z[x > 0.1 * i]
        total += w[0] * w[-1] + np.sum(w[1:])
    return total


@pytest.mark.parametrize(
    "function",
    [
        selected_in_loops,
        places_in_loops,
        over_places,
        of_several_axes,
        changed,
        of_complex,
    ],
)
def test_programs(function):
    check(function, X, kernels=ALL, scale=100.0)
    check(function, np.resize(X, 78), kernels=ALL, scale=100.0)


def test_a_sieve():
    check(sieve, 100, kernels=ALL)


@pytest.mark.parametrize("dtype", ["?", "int8", "uint32", "float32"])
def test_dtypes(dtype):
    def found(x):
        total = 0
        for i in range(3):
            for k in np.nonzero(x[i:])[0]:
                total += k * i
        return total

    x = np.array([0, 1, 0, 0, 2, 3, 0, 0, 7, 0]).astype(dtype)
    if x.dtype.kind == "f":
        x[2:4] = np.nan, -0.0
    check(found, x, kernels=ALL)
    check(found, np.zeros_like(x), kernels=ALL)
    check(found, x != 0, kernels=ALL)


def test_nothing_is_selected():
    def last(x, least):
        total = 0.0
        for _ in range(2):
            y = x[x > least]
            total += np.sum(y) + y[-1]
        return total

    check(last, X, 0.5, kernels=ALL, scale=100.0)
    check(last, X, 2.0, kernels=ALL)


def test_masks_that_do_not_fit():
    def wrong(x, least):
        total = 0.0
        for i in range(3):
            y, z = x[x > least], x[x > 0.5 * i]
            total += np.sort(z[y > 0.0])[0]
        return total

    with pytest.raises(IndexError):
        wrong(X, 0.3)
    with pytest.raises(IndexError):
        ag.to_graph(wrong)(X, 0.3)


@pytest.mark.parametrize("x", [X[:10], X[:17]])
def test_gradients_in_loops(x):
    def loss(x):
        total = 0.0
        for i in range(1, 4):
            y = x[x > 0.1 * i]
            total += y[0] * np.sort(y)[1] + np.sum(y[1:] * y[:-1])
        return total

    check_grad(loss, x)


def test_arguments_stay_as_they_are():
    def moved(x):
        for k in range(2):
            y = x[x > 0.5]
            x[:2] = k
            x[2] = y[0] + y[1]
        return x[2]

    check(moved, X, kernels=None)


def in_a_larger_function(x, shown):
    print(shown)
    places = np.nonzero(x > 0.5)[0]
    y = x * 1
    for k in places:
        y[k] = y[k - 1] * 0.5
    z = np.sort(x[x > 0.3]) * 2
    total = 0.0
    for i in range(3):
        total += z[i] * np.sum(z)
    print(shown)
    return y, total


def used_elsewhere(x, shown):
    places = np.nonzero(x > 0.5)[0]
    print(places.size, shown)
    y = x * 1
    for k in places:
        y[k] = y[k - 1] * 0.5
    return y, places


@pytest.mark.parametrize("function", [in_a_larger_function, used_elsewhere])
def test_loops_in_what_is_no_kernel(function, capsys):
    compiled = check(function, X, "shown", kernels=None, scale=10.0)
    capsys.readouterr()
    left_out = str(compiled.explain(X, "shown")).partition("no kernels")[2]
    assert ("for k in places" in left_out) is (function is used_elsewhere)


def most_common(x):
    total = 0.0
    for i in range(3):
        values, counts = np.unique(np.floor(x * (i + 2)), return_counts=True)
        total += values[np.argmax(counts)] * counts[0]
        values, first, places = np.unique(np.floor(x * 3), True, True)
        total += values[places[3]] * first[1]
    return total


def test_different_elements():
    check(most_common, X, kernels=1)
    check(most_common, np.resize(X, 78), kernels=1)
