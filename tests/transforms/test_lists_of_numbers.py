"""Derivatives by lists of numbers: those of many elements, and of other lengths than before, are
arrays, whose derivatives are lists again."""

import math

import numpy as np
import pytest

import autograph as ag
from autograph.errors import (
    BatchingError,
    MutationError,
    NonDifferentiableError,
)

LENGTHS = (3, 20, 300, 1, 2, 16, 17)


def mean_square(u):
    total = 0.0
    for x in u:
        total += x * x
    return total / len(u)


def horner(coefficients, x=0.7):
    value = 0.0
    for c in reversed(coefficients):
        value = value * x + math.sin(c)
    return value


def smoothed(u):
    level, loss = u[0], 0.0
    for x in u[1:]:
        loss += (x - level) ** 2 if x > level else 0.5 * (x - level) ** 2
        level += 0.3 * (x - level)
    return loss + level


def pairs(u):
    return sum(a * b * b for a, b in zip(u, u[1:])) + max(u) - min(u)


def as_array(u):
    return np.sum(np.sin(np.array(u)) ** 2) + np.prod(np.array(u[:3]))


PROGRAMS = [mean_square, horner, smoothed, pairs, as_array]


def numbers(n, kind=float):
    return [kind(math.sin(1.7 * k) + 1.5) for k in range(n)]


def differences(f, u, step=1e-6):
    found = []
    for k in range(len(u)):
        ends = [f([*u[:k], u[k] + h, *u[k + 1 :]]) for h in (step, -step)]
        found.append((ends[0] - ends[1]) / (2 * step))
    return found


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients_by_lists_of_any_length(program):
    value_and_grad, grad = ag.value_and_grad(program), ag.grad(program)
    for n in LENGTHS:
        u = numbers(n)
        wanted = differences(program, u)
        value, found = value_and_grad(u)
        assert value == pytest.approx(program(u), rel=1e-12)
        assert [type(x) for x in found] == [float] * n
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-7)
        assert grad(u) == found
        out, pull = ag.vjp(program, u)
        assert type(out) is type(program(u))
        np.testing.assert_allclose(pull(2.0)[0], 2 * np.array(found), rtol=1e-12)
        rates = [math.cos(k) for k in range(n)]
        _, rate = ag.jvp(program, (u,), (rates,))
        assert rate == pytest.approx(np.dot(found, rates), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("program", PROGRAMS[:3], ids=lambda f: f.__name__)
def test_second_derivatives(program):
    def of_gradient(u):
        return sum(g * g for g in ag.grad(program)(u))

    for n in (3, 20, 40, 17):
        u, v = numbers(n), [math.cos(k) for k in range(n)]
        plain = lambda w: sum(g * g for g in differences(program, w, 1e-4))
        wanted = differences(plain, u, 1e-4)
        np.testing.assert_allclose(ag.grad(of_gradient)(u), wanted, rtol=1e-3, atol=1e-5)
        found = ag.hvp(program)(u, v)
        assert [type(x) for x in found] == [float] * n
        moved = lambda h: np.array(ag.grad(program)([a + h * b for a, b in zip(u, v)]))
        wanted = (moved(1e-5) - moved(-1e-5)) / 2e-5
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-6)


def test_types_of_the_elements_stay():
    for n in (3, 20, 300):
        found = ag.grad(mean_square)(numbers(n, np.float64))
        assert [type(x) for x in found] == [np.float64] * n


def squared_error(samples, w, b):
    loss = 0.0
    for x, y in samples:
        loss += (w * x + b - y) ** 2
    return loss / len(samples)


def test_lists_of_tuples():
    for n in (3, 20, 300, 5):
        samples = [(0.1 * k, 0.3 * k + 1) for k in range(n)]
        x, y = np.array(samples).T
        rest = 2 * (2.0 * x + 0.5 - y) / n
        of_samples, of_w = ag.grad(squared_error, argnums=(0, 1))(samples, 2.0, 0.5)
        assert type(of_samples) is list and [type(s) for s in of_samples] == [tuple] * n
        wanted = np.stack([2.0 * rest, -rest], axis=1)
        np.testing.assert_allclose(np.array(of_samples), wanted, atol=1e-14)
        assert of_w == pytest.approx(np.sum(rest * x))
        assert ag.hvp(squared_error, argnums=1)(samples, 2.0, 0.5, 1.0) == pytest.approx(
            2 * np.mean(x * x)
        )
        at = lambda w: ag.grad(squared_error, argnums=2)(samples, w, 0.5)
        np.testing.assert_allclose(
            ag.vmap(ag.grad(squared_error, argnums=2), in_axes=(None, 0, None))(
                samples, np.array([1.0, 2.0]), 0.5
            ),
            [at(1.0), at(2.0)],
        )
        assert ag.jacrev(squared_error, argnums=1)(samples, 2.0, 0.5) == pytest.approx(of_w)


def test_one_recording_serves_all_lengths():
    def squares(u):
        total = 0.0
        for x in u:
            total += x * x
        return total

    gradient = ag.grad(squares)
    for n in (20, 21, 55, 34, 200):
        gradient(numbers(n))
    assert len(gradient.compiled_forms()) == 1


def test_lists_among_other_parameters():
    class Model:
        def __init__(self, weights, scale):
            self.weights, self.scale = weights, scale

    def of_dict(p, x):
        return sum(w * p["scale"] * x for w in p["weights"]) + np.sum(p["layers"][0])

    def of_object(model, x):
        return sum(w * w * model.scale * x for w in model.weights)

    for n in (3, 20, 300):
        p = {"weights": numbers(n), "scale": 2.0, "layers": [np.ones(2), np.ones((2, 2))]}
        found = ag.grad(of_dict)(p, 3.0)
        assert found["weights"] == [6.0] * n
        assert found["scale"] == pytest.approx(3 * sum(p["weights"]))
        assert [part.shape for part in found["layers"]] == [(2,), (2, 2)]
        found = ag.grad(of_object)(Model(numbers(n), 2.0), 3.0)
        np.testing.assert_allclose(found.weights, 12 * np.array(numbers(n)))


def test_the_same_list_twice_has_two_derivatives():
    def product(u, v):
        return sum(a * a * b for a, b in zip(u, v))

    @ag.to_graph
    def inside(u):
        return ag.grad(product, argnums=(0, 1))(u, u)

    for n in (3, 20, 300):
        u = numbers(n)
        for found in (ag.grad(product, argnums=(0, 1))(u, u), inside(u)):
            np.testing.assert_allclose(found[0], [2 * x * x for x in u])
            np.testing.assert_allclose(found[1], [x * x for x in u])


def test_gradients_in_compiled_functions():
    """They were zeros: columns were no inputs of what is differentiated."""

    @ag.to_graph
    def step(u, rate):
        return [x - rate * g for x, g in zip(u, ag.grad(mean_square)(u))]

    @ag.to_graph
    def pulled(u):
        out, pull = ag.vjp(mean_square, u)
        return out, pull(3.0), ag.jvp(mean_square, (u,), (u,))

    for n in (3, 20, 300):
        u = numbers(n)
        np.testing.assert_allclose(step(u, 0.1), [x - 0.2 * x / n for x in u])
        out, (cotangent,), (_, rate) = pulled(u)
        np.testing.assert_allclose(cotangent, [6 * x / n for x in u])
        assert rate == pytest.approx(2 * out)


def test_gradients_by_lists_that_a_loop_has_filled():
    @ag.to_graph
    def made(n, x):
        items, i = [], 0
        while i < n:
            items.append(x * i)
            i += 1
        return ag.grad(lambda u: np.sum(u[1] * u[2] * u[3]))(items)

    x = np.array([1.0, 2.0])
    found = made(5, x)
    wanted = [0 * x, 6 * x * x, 3 * x * x, 2 * x * x, 0 * x]
    np.testing.assert_allclose(found, wanted)


def test_lanes_of_lists_are_those_of_their_elements():
    """`vmap` mapped over the elements of such a list."""

    @ag.to_graph
    def made(n, x):
        items, i = [], 0
        while i < n:
            items.append((x * i, x + i))
            i += 1
        return ag.vmap(lambda u: u[1][0] + u[2][1])(items)

    x = np.array([1.0, 2.0, 4.0])
    np.testing.assert_array_equal(made(5, x), 2 * x + 2)
    for n in (3, 20, 300):
        for mapped in (ag.vmap(sum), ag.to_graph(lambda u: ag.vmap(sum)(u))):
            with pytest.raises(BatchingError, match="AG0541"):
                mapped(numbers(n))


def test_jacobians_are_nested_as_lists_are():
    def products(u):
        return np.array([u[0], u[1] * u[2]])

    @ag.to_graph
    def inside(u):
        return ag.jacrev(products)(u)

    for n in (3, 20):
        u = numbers(n)
        for found in (inside(u), ag.jacfwd(products)(u), ag.jacrev(products)(u)):
            assert [type(x) for x in found] == [np.ndarray] * n
            wanted = [[1.0, 0.0], [0.0, u[2]], [0.0, u[1]]] + [[0.0, 0.0]] * (n - 3)
            np.testing.assert_allclose(np.array(found), wanted)


def test_ints_have_no_gradient():
    for n in (3, 20, 300):
        with pytest.raises(NonDifferentiableError, match="AG0503"):
            ag.grad(mean_square)([2] * n)

    def weighted(u):
        return sum(k * x for k, x in u)

    for n in (3, 20, 100):
        assert ag.grad(weighted)([(k, 0.5) for k in range(n)]) == [(None, k) for k in range(n)]


def test_changed_lists_are_refused():
    def changes(u):
        u[0] = 3.0
        return sum(u)

    for n in (3, 20, 300):
        u = numbers(n)
        with pytest.raises(MutationError, match="AG0321"):
            ag.grad(changes)(u)
        assert u == numbers(n)


def test_tangents_of_lists_may_be_none():
    for n in (3, 20, 300):
        samples = [(0.1 * k, 0.3 * k + 1) for k in range(n)]
        slope = ag.grad(squared_error, argnums=1)(samples, 2.0, 0.5)
        _, rate = ag.jvp(squared_error, (samples, 2.0, 0.5), (None, 1.0, None))
        assert rate == pytest.approx(slope)


def test_pullbacks_with_objects_beside_lists():
    class Scale:
        def __init__(self, v):
            self.v = v

    def scaled(scale, u):
        return sum(scale.v * x * x for x in u)

    u = numbers(20)
    _, pull = ag.vjp(scaled, Scale(2.0), u)
    of_scale, of_list = pull(1.0)
    assert of_scale.v == pytest.approx(sum(x * x for x in u))
    np.testing.assert_allclose(of_list, [4 * x for x in u])
