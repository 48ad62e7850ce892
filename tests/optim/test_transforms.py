"""Training that is differentiated, in lanes, in loops, and on the parts of a mesh."""

import numpy as np
import pytest

import autograph as ag
import ops
from autograph import optim
from tests.optim.cases import OPTIMISERS

A = np.array([[3.0, 0.5], [0.5, 1.0]])
START = np.array([1.0, -1.5])


def quadratic(x):
    return 0.5 * np.sum(x * (A @ x)) + 0.1 * np.sum(x**4)


def after_three(make, rate):
    optimiser = make(rate)
    x = START
    state = optimiser.init(x)
    for _ in range(3):
        updates, state = optimiser.update(ag.grad(quadratic)(x), state, x)
        x = optim.apply_updates(x, updates)
    return quadratic(x)


SMOOTH = ["momentum", "nesterov", "adam", "adamax", "amsgrad", "nadam", "lamb", "adagrad"]
SMOOTH += ["rmsprop", "adafactor", "lbfgs", "gathered", "averaged"]


@pytest.mark.parametrize("name", SMOOTH)
def test_derivative_by_the_learning_rate(name):
    function = lambda rate: after_three(OPTIMISERS[name], rate)
    found, h = ag.grad(function)(0.07), 1e-6
    wanted = (function(0.07 + h) - function(0.07 - h)) / (2 * h)
    assert found == pytest.approx(wanted, rel=1e-6)


def test_second_derivatives_and_forward_mode():
    function = lambda rate: after_three(OPTIMISERS["adam"], rate)
    slope = ag.grad(function)
    wanted = (slope(0.07 + 1e-5) - slope(0.07 - 1e-5)) / 2e-5
    assert ag.grad(slope)(0.07) == pytest.approx(wanted, rel=1e-6)
    assert ag.jvp(function, (0.07,), (1.0,))[1] == pytest.approx(slope(0.07), rel=1e-9)


def test_derivatives_by_all_numbers_of_adam():
    def function(numbers):
        rate, b1, b2, decay = numbers
        make = lambda rate: optim.adamw(rate, b1, b2, weight_decay=decay)
        return after_three(make, rate)

    ag.check_grads(function, (np.array([0.05, 0.8, 0.9, 0.1]),))


@pytest.mark.parametrize("name", ["adam", "lion", "gathered", "lbfgs", "finite"])
def test_lanes_of_learning_rates(name):
    rates = np.array([0.01, 0.1, 0.3])
    function = lambda rate: after_three(OPTIMISERS[name], rate)
    found = ag.vmap(function)(rates)
    np.testing.assert_allclose(found, [function(rate) for rate in rates], rtol=1e-9)


def test_lanes_keep_float32():
    def trained(rate, x):
        optimiser = optim.adam(rate)
        return optim.apply_updates(x, optimiser.update(x, optimiser.init(x))[0])

    found = ag.vmap(trained, (0, None))(np.array([0.1, 0.2]), np.ones(3, np.float32))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, [[0.9] * 3, [0.8] * 3], rtol=1e-6)


def trained_until(rate, x):
    """A loop whose trips the data decide; its state is that of the optimiser."""
    optimiser = optim.chain(optim.clip_by_global_norm(2.0), optim.adam(rate))
    state = optimiser.init(x)
    steps = 0
    while quadratic(x) > 1e-3 and steps < 500:
        updates, state = optimiser.update(ag.grad(quadratic)(x), state, x)
        x = optim.apply_updates(x, updates)
        steps += 1
    return x, steps


def test_a_loop_until_it_is_done():
    wanted, steps = trained_until(0.1, START)
    assert 5 < steps < 500
    found, count = ag.to_graph(trained_until)(0.1, START)
    np.testing.assert_allclose(found, wanted, rtol=1e-9)
    assert count == steps
    lanes, counts = ag.vmap(trained_until, (0, None))(np.array([0.1, 0.2]), START)
    np.testing.assert_allclose(lanes[0], wanted, rtol=1e-9)
    assert counts[0] == steps != counts[1]


def test_derivative_through_such_a_loop():
    function = lambda x: np.sum(trained_until(0.1, x)[0] ** 2)
    found, h = ag.grad(function)(START), 1e-6
    wanted = [(function(START + e) - function(START - e)) / (2 * h) for e in h * np.eye(2)]
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-9)


def test_data_on_the_parts_of_a_mesh():
    optimiser = optim.adam(0.1)
    x = np.arange(8.0).reshape(4, 2)

    def step(params, state, x):
        loss = lambda params: ops.pmean(np.mean((x @ params - 1.0) ** 2), "data")
        updates, state = optimiser.update(ag.grad(loss)(params), state, params)
        return optim.apply_updates(params, updates), state

    mesh = ag.Mesh.lanes(data=2)
    params = np.array([0.5, -0.5])
    state = optimiser.init(params)
    divided = ag.shard_map(step, mesh, (ag.P(), ag.P(), ag.P("data")), (ag.P(), ag.P()))
    found, _ = divided(params, state, x)
    loss = lambda params: np.mean((x @ params - 1.0) ** 2)
    updates, _ = optimiser.update(ag.grad(loss)(params), state, params)
    np.testing.assert_allclose(found, params + updates, rtol=1e-9)
