"""No NaN reaches a derivative from what ``where`` does not choose, in any mode, to second order."""

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

import autograph as ag
from autograph.graph.graph import walk

X = np.array([0.0, 1.0, 2.0])
INFINITE = np.array([np.inf, 1.0, np.nan])


def xlogx(x):
    return np.where(x > 0, x * np.log(x), 0.0)


def inverse(x):
    return np.where(x > 0, np.exp(-1 / x), 0.0)


def power_of_logarithm(x):
    return np.where(x > 0, np.log(x) ** 2 + 3 * np.log(x), 0.0)


def root_times(x):
    return np.where(x > 0, np.sqrt(x) * x / x, 0.0)


def both_branches(x):
    return np.where(x > 0, x * np.log(x), np.where(x < 0, 1 / x, 0.0))


def nested(x):
    return np.where(x > 0, np.where(x < 1.5, x * np.log(x), x / (x - 1.5)), 0.0)


def finite_only(x):
    return np.where(np.isfinite(x), x * x * x, 0.0)


def not_a_number(x):
    return np.where(np.isnan(x), 0.0, np.where(np.isinf(x), 0.0, np.sin(x) * x))


def overflow(x):
    return np.where(x < 2.5, x, np.exp(x * 1e9) * x)


def reshaped(x):
    return np.where((x > 0).reshape(3, 1), (x * np.log(x)).reshape(3, 1), 0.0)


def broadcast(x):
    return np.where((x > 0)[:, None], (x * np.log(x))[:, None] * np.ones(2), 0.0)


def broadcast_operand(x):
    return np.where((x > 0)[:, None], x[:, None] * np.log(x)[:, None] * np.arange(1.0, 3.0), 0.0)


def moved(x):
    y = x * np.log(x)
    y = np.roll(np.concatenate([y, y])[1:], 1)
    return np.where(np.roll(np.concatenate([x, x])[1:], 1) > 0, y, 0.0)


def transposed(x):
    y = (x * np.log(x)) + np.zeros((2, 3))
    return np.where(x[:, None] > 0, y.T, 0.0)


def summed(x):
    return np.sum(x * np.log(x), where=x > 0)


def averaged(x):
    return np.mean(np.log(x) * x, where=x > 0)


def selected(x):
    return np.select([x > 1.5, x > 0], [x * x, x * np.log(x)], 0.0)


def scalar_condition(x):
    v = x * 0.0
    square = np.sum(v * v)
    return np.where(square > 0, np.sqrt(square) * np.log(square), 0.0)


def product_under_a_scalar_condition(x):
    return np.where(np.sum(x) < 0, np.log(x * 0.0) @ x, 1.0)


def determinant_under_a_scalar_condition(x):
    return np.where(np.sum(x) < 0, np.linalg.det(np.diag(x)), np.sum(x * x))


def as_a_float(x):
    return np.where(x[0] > 0.0, float(x[0]) * np.log(x[0]), 0.0)


def written_in_place(x):
    y = np.zeros(3)
    y[x > 0] = x[x > 0] * np.log(x[x > 0])
    return y


def used_twice(x):
    y = np.log(x)
    return np.where(x > 0, y * y, 0.0) + np.where(x > 1.5, y * x, 0.0)


def in_a_loop(x):
    for _ in range(3):
        x = np.where(x > 0, x * np.log(x) + 1.0, 0.0)
    return x


def slope_of_the_loop(x):
    product = 1.0
    for _ in range(3):
        product *= np.log(x) + 1.0
        x = x * np.log(x) + 1.0
    return product


def in_windows(x):
    y = sliding_window_view(x * np.log(x), 2)
    return np.where(sliding_window_view(x, 2) > 0, y, 0.0)


def sorted_downwards(x):
    return np.where(np.sort(x)[::-1] > 0, np.sort(np.sqrt(x))[::-1], 0.0)


def parted(x):
    return np.where(np.partition(x, 1) > 0, np.partition(np.sqrt(x), 1), 0.0)


def largest_of_rows(x):
    y = np.sqrt(x)[:, None] + np.array([0.0, 1.0])
    return np.where(x > 0, np.max(y, axis=1), 0.0)


def largest_so_far(x):
    return np.where(x > 0, np.maximum.accumulate(np.sqrt(x)), 0.0)


def product_of_rows(x):
    y = np.sqrt(x)[:, None] * np.array([1.0, 2.0])
    return np.where(x > 0, np.prod(y, axis=1) / 2.0 + 0.0 * x, 0.0)


def product_with_a_zero(x):
    """The derivative of the slope by the factor that is zero is not held back."""
    y = np.stack([np.sqrt(x), x - 1.0], axis=1)
    return np.where(x > 0, np.prod(y, axis=1), 0.0)


def counted(x):
    return np.where([True, False], np.bincount([1, 0, 0], x * np.log(x)), 0.0)


def picked(x):
    return np.where(x > 0, np.choose([0, 0, 1], [x * np.log(x), x]), 0.0)


L = np.log(2.0)
SLOPES = np.array([0.0, 1.0, 1.0 + L])  # of x log x, for x > 0
ROOTS = np.array([0.0, 0.5, 0.5 / np.sqrt(2.0)])  # slopes of the square root, for x > 0

PROGRAMS = [
    (xlogx, X, SLOPES),
    (inverse, X, [0.0, np.exp(-1.0), np.exp(-0.5) / 4]),
    (power_of_logarithm, X, [0.0, 3.0, L + 1.5]),
    (root_times, X, [0.0, 0.5, 0.5 / np.sqrt(2)]),
    (both_branches, X - 1.0, [-1.0, 0.0, 1.0]),
    (nested, X, [0.0, 1.0, -6.0]),
    (finite_only, INFINITE, [0.0, 3.0, 0.0]),
    (not_a_number, INFINITE, [0.0, np.sin(1.0) + np.cos(1.0), 0.0]),
    (overflow, X, [1.0, 1.0, 1.0]),
    (reshaped, X, SLOPES),
    (broadcast, X, 2 * SLOPES),
    (broadcast_operand, X, 3 * SLOPES),
    (moved, X, 2 * SLOPES),
    (transposed, X, 2 * SLOPES),
    (summed, X, SLOPES),
    (averaged, X, SLOPES / 2),
    (selected, X, [0.0, 1.0, 4.0]),
    (scalar_condition, X, [0.0, 0.0, 0.0]),
    (product_under_a_scalar_condition, X, [0.0, 0.0, 0.0]),
    (determinant_under_a_scalar_condition, X, 2 * X),
    (as_a_float, X, [0.0, 0.0, 0.0]),
    (written_in_place, X, SLOPES),
    (used_twice, X, [0.0, 0.0, 1 + 2 * L]),
    (in_windows, X, [0.0, 2.0, 1.0 + L]),
    (sorted_downwards, X, ROOTS),
    (parted, X, ROOTS),
    (largest_of_rows, X, ROOTS),
    (largest_so_far, X, ROOTS),
    (product_of_rows, X, [0.0, 1.0, 1.0]),
    (product_with_a_zero, X, [0.0, 1.0, 0.5 / np.sqrt(2.0) + np.sqrt(2.0)]),
    (counted, X, SLOPES),
    (picked, X, [0.0, 1.0, 1.0]),
    (in_a_loop, X, [0.0, 1.0, slope_of_the_loop(2.0)]),
]


def total(function):
    return lambda x: np.sum(function(x))


def along_ones(function):
    """The sum of the derivatives, in forward mode."""
    return lambda x: ag.jvp(function, (x,), (np.ones(x.shape),))[1]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("function", "x", "slopes"), PROGRAMS)
def test_derivatives_of_what_is_chosen(function, x, slopes):
    scalar = total(function)
    gradient = ag.grad(scalar)
    np.testing.assert_allclose(gradient(x), slopes, rtol=1e-12, atol=1e-300)
    np.testing.assert_allclose(along_ones(scalar)(x), np.sum(slopes), rtol=1e-12)
    seconds = [
        ag.grad(total(gradient))(x),
        along_ones(gradient)(x),
        ag.grad(along_ones(scalar))(x),
    ]
    assert np.isfinite(seconds[0]).all()
    for second in seconds[1:]:
        np.testing.assert_allclose(second, seconds[0], rtol=1e-9, atol=1e-12)


def by_recursion(x, n=2):
    if n == 0:
        return x
    return by_recursion(np.where(x > 0, x * np.log(x) + 1.0, 0.0), n - 1) * (x + 1.0)


def by_branches(x):
    if np.sum(x) > 0:
        y = np.log(x)
        x = np.where(x > 0, y * y * x + y, 0.0) * np.where(x > 1.5, y, 1.0)
    return x * x


@pytest.mark.costly
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("function", [xlogx, used_twice, in_a_loop, by_recursion, by_branches])
def test_third_order(function):
    """What packs hand from one backward pass to the next keeps its masks, and no others."""
    weights = np.array([0.7, -0.4, 1.1])
    forward = lambda f: lambda x: ag.jvp(f, (x,), (weights,))[1]
    reverse = lambda f: lambda x: np.sum(ag.grad(f)(x) * weights)
    f = total(function)
    expected = forward(forward(forward(f)))(X)
    assert np.isfinite(expected)
    for a in (forward, reverse):
        for b in (forward, reverse):
            for c in (forward, reverse):
                assert a(b(c(f)))(X) == pytest.approx(expected, rel=1e-9)


def test_the_second_derivative_of_x_log_x():
    with np.errstate(invalid="ignore"):
        found = ag.grad(total(ag.grad(total(xlogx))))(np.array([-1.0, 1.0, 2.0, 4.0]))
    np.testing.assert_allclose(found, [0.0, 1.0, 0.5, 0.25])


def test_a_cotangent_that_happens_to_be_zero_has_a_derivative():
    """The masks are those of the program: the residual here is zero, not masked."""

    def loss(x, y):
        residual = np.where(x > 0, x**3, 0.0) - y
        return 0.5 * np.sum(residual * residual)

    x = np.array([1.0, 2.0])
    mixed = ag.grad(lambda y: np.sum(ag.grad(loss)(x, y)))(x**3)
    np.testing.assert_allclose(mixed, -3 * x * x)
    second = ag.grad(lambda x, y: np.sum(ag.grad(loss)(x, y)))(x, x**3)
    np.testing.assert_allclose(second, 9 * x**4)


def test_masks_cost_nothing_where_nothing_can_be_infinite():
    """The choice itself is all there is in the gradient of a rectifier."""
    module = ag.grad(lambda x: np.sum(np.where(x > 0.0, 2.0 * x, 0.0))).graph(X)
    assert sum(node.op.name == "where" for node in walk(module.main)) == 1
    module = ag.grad(lambda x: np.sum(np.where(x > 0.0, np.sin(np.exp(x) * x), 0.0))).graph(X)
    assert sum(node.op.name == "where" for node in walk(module.main)) <= 3


def test_zeros_of_every_type():
    for x in (np.float32([0.0, 2.0]), np.array([0.0, 2.0j]), np.complex64([0.0, 2.0j])):
        with np.errstate(all="ignore"):
            _, pull = ag.vjp(lambda x: np.where(x != 0, np.log(x) * x, 0.0), x)
            (found,) = pull(np.ones(2, x.dtype))
        assert found.dtype == x.dtype
        np.testing.assert_allclose(found, [0.0, np.log(x[1]) + 1], rtol=1e-6)


def test_python_numbers():
    with np.errstate(all="ignore"):
        gradient = ag.grad(lambda x: np.where(x > 0.0, np.log(x) * x, 0.0))
        assert gradient(0.0) == 0.0 and type(gradient(0.0)) is float
        assert gradient(1.0) == 1.0
