"""Loops over parts of arrays, and comprehensions, that are as long as arrays: for any length."""

import numpy as np
import pytest

import autograph as ag
from tests.api.test_any_length import check, vectors

pytestmark = pytest.mark.usefixtures("with_and_without_kernels")

LENGTHS = (9, 10, 12, 31, 7)


def moving_means(x, k):
    out = np.zeros(len(x) - k + 1)
    for i in range(len(x) - k + 1):
        out[i] = x[i : i + k].mean()
    return out


def backwards(x):
    n = len(x)
    out = np.zeros(n - 1)
    for i in range(n - 1):
        out[i] = x[n - i - 2 : n - i].sum()
    return out


def strided(x):
    return np.array([x[i * 3 : i * 3 + 5].max() for i in range((len(x) - 5) // 3 + 1)])


def changed(x):
    y = x.copy()
    for i in range(len(x) - 2):
        y[i : i + 2] += x[i + 1 : i + 3]
    return y


def pooled(x):
    out = np.empty((len(x) // 2, 3))
    y = np.outer(x, x[:6])
    for i in range(len(x) // 2):
        for j in range(3):
            out[i, j] = y[2 * i : 2 * i + 2, 2 * j : 2 * j + 2].max()
    return out


def newton(a):
    x = 1.0
    while abs(x * x - a * a - 1) > 1e-9:
        x = 0.5 * (x + (a * a + 1) / x)
    return x


PARTS = {
    "means": lambda x: moving_means(x, 3) + moving_means(x[1:], 2),
    "backwards": backwards,
    "strided": strided,
    "changed": changed,
    "pooled": pooled,
}
MADE = {
    "elements": lambda x: np.array([v * 2 for v in x]),
    "pairs": lambda x: np.array([a * b for a, b in zip(x, x[1:])]),
    "pairs, the second longer": lambda x: np.array([a * b for a, b in zip(x[2:], x)]),
    "all but the ends": lambda x: np.array([x[i - 1] + x[i + 1] for i in range(1, len(x) - 1)]),
    "every other": lambda x: np.array([x[i] for i in range(0, len(x), 2)]),
    "numbers": lambda x: np.array([[v, i] for i, v in enumerate(x)]),
    "twice": lambda x: np.array([v for row in [x, -x] for v in row]),
    "appended": lambda x: appended(x),
    "apply_along_axis": lambda x: np.apply_along_axis(
        lambda row: row / (1 + np.sum(row**2)), 1, np.outer(x, x)
    ),
    "vectorize": lambda x: np.vectorize(newton)(x),
    "vectorize two": lambda x: np.vectorize(lambda a, b: a if a > b else 2 * b)(x[:, None], x),
}


def appended(x):
    made = [0.0]
    for v in x:
        made.append(made[-1] + v)
    return np.array(made)


@pytest.mark.parametrize("name", PARTS)
def test_parts_of_known_length(name):
    check(PARTS[name], vectors(*LENGTHS), None, 1)


@pytest.mark.parametrize("name", MADE)
def test_lists_as_long_as_an_array(name):
    check(MADE[name], vectors(*LENGTHS), None, 1)


def test_the_length_of_a_list_is_a_symbol():
    f = ag.to_graph(lambda x: np.array([v * 2 for v in x]))
    for (x,) in vectors(5, 6):
        f(x)
    assert "-> f64[n]" in str(f.graph(np.zeros(9))).splitlines()[0]


@pytest.mark.parametrize("program", [PARTS["means"], PARTS["changed"], MADE["pairs"]])
def test_derivatives(program):
    f = ag.grad(lambda x: np.sum(program(x) ** 2))
    for (x,) in vectors(*LENGTHS):
        step = np.linspace(-1e-6, 1e-6, len(x))
        difference = np.sum(program(x + step) ** 2) - np.sum(program(x - step) ** 2)
        np.testing.assert_allclose(2 * f(x) @ step, difference, rtol=1e-5, atol=1e-11)
    assert [form.open_shapes is not None for form in f.compiled_forms()] == [False, True]


def mean_squares(x):
    total = 0.0
    for i in range(0, len(x), 4):
        batch = x[i : i + 4]
        total += np.sum(batch * batch) / len(batch)
    return total


def differences(x):
    return sum(np.sum(np.abs(x[i + 1 :] - x[i])) for i in range(len(x)))


def blocks(a):
    c = np.zeros((len(a), len(a)))
    for i in range(0, len(a), 3):
        for j in range(0, len(a), 3):
            c[i : i + 3, j : j + 3] += np.outer(a[i : i + 3], a[j : j + 3])
    return c


PAST_THE_END = [
    lambda x: sum(x[i : i + 2].sum() for i in range(len(x))),
    mean_squares,
    differences,
    blocks,
]


@pytest.mark.parametrize("program", PAST_THE_END)
def test_slices_that_reach_past_the_end_for_some_lengths(program):
    check(program, vectors(8, 5, 6, 7, 12, 20), 1, 1)


@pytest.mark.parametrize("program", PAST_THE_END[1:3])
def test_derivatives_of_slices_that_reach_past_the_end(program):
    f = ag.grad(program)
    for (x,) in vectors(5, 8, 7, 12):
        step = np.linspace(-1e-6, 1e-6, len(x))
        difference = program(x + step) - program(x - step)
        np.testing.assert_allclose(2 * f(x) @ step, difference, rtol=1e-5, atol=1e-11)
    assert [form.open_shapes is not None for form in f.compiled_forms()] == [False, True]


def test_vectorize_makes_a_loop():
    f = ag.to_graph(lambda x: np.vectorize(newton)(x))
    ((x,),) = vectors(2000)
    np.testing.assert_array_equal(f(x), np.vectorize(newton)(x))
    assert len(str(f.graph(x)).splitlines()) < 50  # NumPy calls it for the first element twice
