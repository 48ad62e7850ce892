"""Gradients of loops that only add up need no stack, whatever the sum is made of, and what they
share with the sum is computed once."""

import numpy as np
import pytest

import autograph as ag

RNG = np.random.default_rng(0)
X, Y, W = RNG.normal(size=(7, 3)), RNG.normal(size=7), 0.3 * RNG.normal(size=3)


def logistic(w, x, y):
    total = 0.0
    for i in range(len(x)):
        score = np.dot(x[i], w)
        total += np.log(1.0 + np.exp(score)) - y[i] * score
    return total / len(x) + 0.01 * np.sum(w**2)


def poisson(w, x, y):
    total = np.sum(w) * 2.0
    for row, count in zip(x, y):
        total = np.exp(row @ w) - count * (row @ w) + total
    return np.log(1.0 + total**2)


def softmax_regression(w, x, y):
    """Scores of four classes, of which the weights are multiples."""
    total = 0.0
    for i in range(len(x)):
        scores = np.outer(np.arange(1.0, 5.0), w) @ x[i]
        top = np.max(scores)
        total += np.log(np.sum(np.exp(scores - top))) + top - scores[i % 4]
    return total


def network(w, x, y):
    total = 0.0
    for i in range(len(x)):
        hidden = np.tanh(np.outer(w, w) @ x[i] + w)
        total += (hidden @ w - y[i]) ** 2
    return np.sqrt(total)


def with_ifs(w, x, y):
    """Two sums and a counter, in branches, and a difference."""
    total, other, count = 0.0, 1.0, 0
    for i in range(len(x)):
        score = np.sum(x[i] * w)
        if y[i] > 0.0:
            total += score**2
            count += 1
        elif y[i] > -0.5:
            other = other - np.sin(score) + score
        else:
            total += score
            other -= 0.5 * score
    return total * other + count * w[0]


def of_arrays(w, x, y):
    sums = np.ones(3) * w
    for i in range(len(x)):
        sums = sums + x[i] * np.cos(w) * y[i]
    return np.sum(sums**3)


class Model:
    def __init__(self, scale):
        self.scale = scale

    def part(self, w, row):
        return np.exp(-self.scale * np.sum((w - row) ** 2))

    def __call__(self, w, x, y):
        total = 0.0
        for row in x:
            total += self.part(w, row)
        return total


def read_in_a_trip(w, x, y):
    total = 0.0
    for i in range(len(x)):
        total += np.sin(total + np.sum(x[i] * w))
    return total


def scaled_in_a_trip(w, x, y):
    total = 1.0
    for i in range(len(x)):
        total = total * 0.9 + np.sum(x[i] * w) ** 2
    return total


def read_by_another_sum(w, x, y):
    total, other = 0.0, 0.0
    for i in range(len(x)):
        total += np.sum(x[i] * w) ** 2
        other += total
    return other


def with_a_state(w, x, y):
    total, a = 0.0, w[0]
    for i in range(len(x)):
        a = np.sin(a) + x[i, 0]
        total += a * w[1]
    return total


MODEL = Model(0.1)
SUMS = [logistic, poisson, softmax_regression, network, with_ifs, of_arrays, MODEL]
OTHERS = [read_in_a_trip, scaled_in_a_trip, read_by_another_sum, with_a_state]


def differences(f, w, step=1e-5):
    units = step * np.eye(len(w))
    return np.array([(f(w + u) - f(w - u)) / (2 * step) for u in units])


@pytest.mark.parametrize("function", [*SUMS, *OTHERS])
def test_gradients(function):
    expected = differences(lambda w: function(w, X, Y), W)
    np.testing.assert_allclose(ag.grad(function)(W, X, Y), expected, rtol=1e-6, atol=1e-7)
    value, found = ag.value_and_grad(function)(W, X, Y)
    np.testing.assert_allclose(value, function(W, X, Y), rtol=1e-12)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("function", [*SUMS, *OTHERS])
def test_second_order(function):
    slope = ag.grad(function)
    expected = differences(lambda w: slope(w, X, Y), W)
    np.testing.assert_allclose(ag.hessian(function)(W, X, Y), expected, rtol=1e-5, atol=1e-6)
    twice = ag.jacrev(ag.grad(function))(W, X, Y)
    np.testing.assert_allclose(twice, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("function", [logistic, with_ifs, MODEL])
def test_lanes(function):
    many = np.stack([W, -W, 2 * W])
    found = ag.vmap(ag.grad(function), in_axes=(0, None, None))(many, X, Y)
    expected = [ag.grad(function)(w, X, Y) for w in many]
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)
    rows = ag.grad(lambda w: np.sum(ag.vmap(function, in_axes=(0, None, None))(w, X, Y)))(many)
    np.testing.assert_allclose(rows, expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("function", SUMS)
def test_nothing_is_stacked(function):
    assert "stack" not in str(ag.grad(function).program(W, X, Y))
    assert "stack" not in str(ag.hessian(function).program(W, X, Y))


@pytest.mark.parametrize("function", OTHERS)
def test_what_trips_need_of_others_is_stacked(function):
    assert "stack" in str(ag.grad(function).program(W, X, Y))


def test_by_all_arguments():
    found = ag.grad(logistic, argnums=(0, 1, 2))(W, X, Y)
    score = X @ W
    share = 1.0 / (1.0 + np.exp(-score)) - Y
    np.testing.assert_allclose(found[0], share @ X / 7 + 0.02 * W, rtol=1e-12)
    np.testing.assert_allclose(found[1], share[:, None] * W / 7, rtol=1e-12)
    np.testing.assert_allclose(found[2], -score / 7, rtol=1e-12)


def test_single_precision():
    args = [a.astype(np.float32) for a in (W, X, Y)]
    found = ag.grad(logistic)(*args)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, ag.grad(logistic)(W, X, Y), rtol=1e-4, atol=1e-6)


def test_no_trips():
    assert np.array_equal(ag.grad(of_arrays)(W, X[:0], Y[:0]), 3 * W**2)


def test_effects_of_a_trip_happen_once(capsys):
    def talks(w, x):
        total = 0.0
        for i in range(3):
            print("trip", i)
            total += np.sum(x[i] * w) ** 2
        return total

    expected = differences(lambda w: np.sum((X[:3] @ w) ** 2), W)
    np.testing.assert_allclose(ag.grad(talks)(W, X), expected, rtol=1e-6)
    assert capsys.readouterr().out == "trip 0\ntrip 1\ntrip 2\n"


# -- loops that become one -------------------------------------------------------------------------


def loops(function, *args):
    return str(function.program(*args)).count("for ")


def test_a_sum_and_its_gradient_are_one_loop():
    assert loops(ag.value_and_grad(logistic), W, X, Y) == 1


def test_a_gradient_that_needs_the_sum_is_a_loop_of_its_own():
    assert loops(ag.value_and_grad(network), W, X, Y) == 2


def test_loops_that_share_little_stay_two():
    def both(x, y):
        total, other = 0.0, 0.0
        for i in range(7):
            total += np.sin(x[i, 0])
        for i in range(7):
            other += np.exp(y[i]) * x[i, 1]
        return total, other

    assert loops(ag.to_graph(both), X, Y) == 2
    np.testing.assert_allclose(ag.to_graph(both)(X, Y), both(X, Y), rtol=1e-12)


def test_loops_that_share_most_and_other_code_between():
    def both(x, y):
        total, other = 0.0, 0.0
        for i in range(7):
            total += np.sin(x[i, 0] * 2.0)
        print("between", x[0, 0] > 100.0)
        scale = y[0] * 3.0
        for i in range(7):
            other += np.sin(x[i, 0] * 2.0) * scale
        return total, other, scale

    compiled = ag.to_graph(both)
    assert loops(compiled, X, Y) == 1
    np.testing.assert_allclose(compiled(X, Y), both(X, Y), rtol=1e-12)


def test_a_loop_that_reads_the_result_of_another_one_stays_behind_it():
    def both(x):
        total, other = 0.0, 0.0
        for i in range(7):
            total += np.sin(x[i, 0] * 2.0)
        for i in range(7):
            other += np.sin(x[i, 0] * 2.0) * total
        return other

    assert loops(ag.to_graph(both), X) == 2
    np.testing.assert_allclose(ag.to_graph(both)(X), both(X), rtol=1e-12)


def test_errors_come_in_the_order_of_the_loops():
    """The first loop ends with an error before the second one begins, and what it would raise."""

    def two(x, y, n):
        total = other = 0.0
        for i in range(n):
            total += np.sin(x[i]) * np.cos(x[i])
        for i in range(n):
            other += np.sin(x[i]) * np.cos(x[i]) * y[i]
        return total + other

    with pytest.raises(IndexError, match="with size 5"):
        two(X[0:5, 0], Y[:2], 6)
    with pytest.raises(IndexError, match="with size 5"):
        ag.to_graph(two)(X[0:5, 0], Y[:2], 6)
    assert ag.to_graph(two)(X[0:5, 0], Y[:5], 5) == pytest.approx(two(X[0:5, 0], Y[:5], 5))
