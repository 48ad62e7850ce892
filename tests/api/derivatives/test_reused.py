"""Derivatives that are recorded once and copied: nothing tells them from those recorded again."""

import numpy as np
import pytest

import autograph as ag
import ops
from autograph.api.derivatives import recorded_gradients
from autograph.errors import UnsupportedConstructError

SCALES = np.array([0.5, 1.0, 2.0])


def density(x):
    return -0.5 * np.sum((x / SCALES) ** 2)


def gradient_of_density(x):
    return -x / SCALES**2


@pytest.fixture
def recordings(monkeypatch):
    """The derivatives that are recorded from now on, a list that grows."""
    made, record = [], recorded_gradients.differentiate
    monkeypatch.setattr(
        recorded_gradients, "differentiate", lambda *args: made.append(args) or record(*args)
    )
    return made


def graph_without_reuse(function, *args):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            recorded_gradients, "reused", lambda record, _, options, args, name: record(*args)
        )
        return str(ag.to_graph(function).graph(*args))


# -- recorded once ---------------------------------------------------------------------------------


def leapfrog(gradient, x, r, h):
    r = r + 0.5 * h * gradient(x)
    x = x + h * r
    return x, r + 0.5 * h * gradient(x)


def trajectory(x, r, n):
    gradient, h = ag.grad(density), 0.1
    for _ in range(n):
        x, r = leapfrog(gradient, x, r, h)
        h = h * x[0] if x[0] > 2.0 else h
    return leapfrog(gradient, x, r, h)


def plain_trajectory(x, r, n):
    h = 0.1
    for _ in range(n):
        x, r = leapfrog(gradient_of_density, x, r, h)
        h = h * x[0] if x[0] > 2.0 else h
    return leapfrog(gradient_of_density, x, r, h)


def test_a_gradient_is_recorded_once_for_each_line(recordings):
    args = np.array([0.3, -1.0, 2.5]), np.array([1.0, 0.5, -0.25]), 7
    found = ag.to_graph(trajectory)(*args)
    assert len(recordings) == 2
    np.testing.assert_allclose(found, plain_trajectory(*args), rtol=1e-12)


def made_in_the_loop(x, n):
    for _ in range(n):
        x = x + 0.1 * ag.grad(density)(x)
        x = x * 1.5 if x[0] > 10.0 else x
    return ag.value_and_grad(density)(x)


def test_also_if_it_is_made_anew(recordings):
    x = np.array([0.3, -1.0, 2.5])
    value, gradient = ag.to_graph(made_in_the_loop)(x, 3)
    assert len(recordings) == 2
    for _ in range(3):
        x = x + 0.1 * gradient_of_density(x)
    np.testing.assert_allclose(value, density(x))
    np.testing.assert_allclose(gradient, gradient_of_density(x))


def with_data(x, data, n):
    def loss(x):
        return np.sum((data - x) ** 2)

    for _ in range(n):
        x = x - 0.1 * ag.grad(loss)(x)
        x = np.sqrt(x) if x[0] > 100.0 else x
    return x


def of_parameters(x, n):
    def loss(parameters):
        return np.sum(parameters["w"] ** 2) * parameters["b"]

    parameters = {"w": x, "b": 2.0 * x[0]}
    for _ in range(n):
        found = ag.grad(loss)(parameters)
        parameters = {"w": parameters["w"] - 0.1 * found["w"], "b": parameters["b"] + found["b"]}
    return parameters["w"], parameters["b"]


def hessian_in_a_loop(x, n):
    def slope(x):
        return ag.grad(lambda y: np.sum(y**3))(x)[0]

    for _ in range(n):
        x = x - 0.01 * ag.grad(slope)(x) + 0.01 * ag.grad(slope)(2.0 * x)
    return x


def at_other_types(x, n):
    y = ag.grad(density)(x)
    for _ in range(n):
        y = y + ag.grad(density)(np.asarray(x, np.float32)) + ag.grad(density)(x[:1])
    return y


def in_other_lines(x, y):
    def loss(x):
        for scale in SCALES:
            x = x * scale + np.where(x > 0.0, np.sin(x), 1.0)
        return np.sum(x)

    gradient = ag.grad(loss)
    z = x - 0.1 * gradient(x)
    first = gradient(
        y + z,
    )
    return first * (
        gradient(z)  # comes from here
    )


@pytest.mark.parametrize(
    "program, args",
    [
        (lambda x: ag.jvp(in_other_lines, (x, x), (x, x)), (np.ones(3),)),
        (trajectory, (np.ones(3), np.ones(3), 2)),
        (made_in_the_loop, (np.ones(3), 2)),
        (with_data, (np.ones(3), np.arange(3.0), 2)),
        (of_parameters, (np.ones(3), 2)),
        (hessian_in_a_loop, (np.ones(3), 2)),
        (at_other_types, (np.ones(3), 2)),
        (lambda x: ag.vmap(trajectory, in_axes=(0, 0, None))(x, x, 2), (np.ones((4, 3)),)),
        (lambda x: ag.grad(lambda x: np.sum(trajectory(x, x, 2)[0]))(x), (np.ones(3),)),
    ],
)
def test_the_graph_is_the_same(program, args):
    """With the same names and places."""
    assert str(ag.to_graph(program).graph(*args)) == graph_without_reuse(program, *args)


# -- recorded again --------------------------------------------------------------------------------


def test_the_first_result_may_be_changed():
    @ag.to_graph
    def f(x):
        found = []
        for y in (x, 2.0 * x, 3.0 * x):
            gradient = ag.grad(density)(y)
            found.append(np.sum(gradient))
            gradient[0] = 100.0
        return found

    x = np.array([0.3, -1.0, 2.5])
    expected = [np.sum(gradient_of_density(k * x)) for k in (1.0, 2.0, 3.0)]
    np.testing.assert_allclose(f(x), expected)


def kinked(x):
    total = 0.0
    for scale in SCALES:
        total = total - (x * x / scale if x < 1.0 else 2.0 * x)
    return total


def step(x):
    return x + 0.1 * ag.grad(kinked)(x)


def climbed(x, n):
    for _ in range(n):
        x = step(x)
        x = 0.5 * x if x < -1.0 else step(step(x))
    return x


def test_in_lanes_that_go_different_ways(recordings):
    xs, single = np.array([0.3, -1.0, 2.5]), ag.to_graph(climbed)
    found = ag.vmap(climbed, (0, None))(xs, 3)
    assert len(recordings) == 1
    np.testing.assert_allclose(found, [single(x, 3) for x in xs], rtol=1e-12)


def test_in_lanes_in_other_lines(recordings):
    xs = np.linspace(-1.0, 1.0, 12).reshape(4, 3)
    found = ag.vmap(in_other_lines)(xs, 2.0 * xs)
    assert len(recordings) == 1
    expected = [ag.to_graph(in_other_lines)(x, 2.0 * x) for x in xs]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def power(x, n):
    return x if n == 0 else x * power(x, n - 1)


def recursive_in_lanes(x, n):
    def climb(x):
        return x + 0.1 * ag.grad(lambda x: power(x, n))(x)

    return climb(climb(x))


def test_in_lanes_of_a_recursive_function():
    xs, ns = np.array([0.3, -1.0, 1.5]), np.array([1, 2, 3])
    found = ag.vmap(recursive_in_lanes)(xs, ns)
    once = xs + 0.1 * (ns + 1) * xs**ns
    np.testing.assert_allclose(found, once + 0.1 * (ns + 1) * once**ns, rtol=1e-12)


def test_what_it_captures_may_become_something_else(recordings):
    @ag.to_graph
    def f(x):
        scale, found = 1.0, []

        def loss(x):
            return scale * x**2

        for power in (1.0, 2.0, 2.0, x):
            scale = power
            found.append(ag.grad(loss)(x))
        return found

    assert f(3.0) == [6.0, 12.0, 12.0, 18.0]


def test_an_array_from_outside_may_be_changed():
    weights = np.ones(2)

    @ag.to_graph
    def f(x):
        found = []
        for k in (1.0, 2.0, 3.0):
            weights[0] = k
            found.append(ag.grad(lambda x: np.sum(weights * x))(x))
        return np.array(found)

    def loss(x):
        return np.sum(weights * x)

    @ag.to_graph
    def g(x):
        found = []
        for k in (1.0, 2.0, 3.0):
            weights[0] = k
            found.append(ag.grad(loss)(x))
        return np.array(found)

    for function in (f, g):
        np.testing.assert_array_equal(function(np.zeros(2)), [[1.0, 1.0], [2.0, 1.0], [3.0, 1.0]])


def test_an_object_may_be_changed():
    class Model:
        scale = 1.0

    model = Model()

    def loss(x):
        return model.scale * x**2

    @ag.to_graph
    def f(x):
        found = []
        for k in (1.0, 2.0):
            model.scale = k
            found.append(ag.grad(loss)(x))
        return found

    assert f(3.0) == [6.0, 12.0]


def test_what_it_counts_is_counted():
    @ag.to_graph
    def f(x):
        count = 0

        def loss(x):
            nonlocal count
            count += 1
            return count * x**2

        found = []
        for _ in (1, 2, 3):
            found.append(ag.grad(loss)(x))
        return found, count

    assert f(3.0) == ([6.0, 12.0, 18.0], 3)


def test_what_it_prints_is_printed(capsys):
    def loss(x):
        print("at", x)
        return x**2

    @ag.to_graph
    def f(x):
        found = 0.0
        for k in (1.0, 2.0):
            found = found + ag.grad(loss)(k * x)
        return found

    assert f(3.0) == 18.0
    assert capsys.readouterr().out == "at 3.0\nat 6.0\n"


def test_exceptions_are_refused_where_they_are_handled():
    def loss(x):
        return np.sum(np.linalg.inv(x))

    gradient = ag.grad(loss)

    @ag.to_graph
    def f(x):
        found, handling = [], (False, True)
        for handles in handling:
            if handles:
                try:
                    found.append(gradient(x))
                except np.linalg.LinAlgError:
                    found.append(x)
            else:
                found.append(gradient(x))
        return found

    with pytest.raises(UnsupportedConstructError, match="cannot be handled"):
        f(np.eye(2))


def test_a_recursive_function_is_called(recordings):
    @ag.to_graph
    def f(x, n):
        def power(x, n):
            return 1.0 if n == 0 else x * power(x, n - 1)

        for _ in range(2):
            x = x + ag.grad(lambda x: power(x, n))(x)
        return x

    assert f(1.0, 2) == 9.0


def test_derivatives_of_a_function_that_takes_one_are_not_warned_of(recwarn):
    def kink(x):
        return np.sum(np.abs(x))

    @ag.to_graph
    def f(x):
        found = 0.0
        for k in (1.0, 2.0):
            found = found + ag.grad(lambda x: np.sum(ag.grad(kink)(x)))(k * x)
        return found

    np.testing.assert_array_equal(f(np.ones(2)), [0.0, 0.0])
    assert not recwarn.list


def test_keys_of_random_numbers_are_not_shared():
    @ag.to_graph
    def f(x, key):
        def loss(x):
            return x * ops.random.normal(key)

        found = []
        for _ in (1, 2):
            key, _ = ops.random.split(key)
            found.append(ag.grad(loss)(x))
        return found

    first, second = f(1.0, ops.random.key(0))
    assert first != second
