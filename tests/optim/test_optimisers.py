"""Optimisers: the formulas of their papers, the structure and the dtypes of parameters."""

import numpy as np
import pytest

import autograph as ag
from autograph import optim
from tests.optim.cases import OPTIMISERS, loss, model, numbers, step_of

RNG = np.random.default_rng(3)
GRADIENTS = RNG.normal(size=(4, 3, 2))
START = RNG.normal(size=(3, 2))


def moved(optimiser):
    """The parameters after each step of some gradients."""
    params, found = START, []
    state = optimiser.init(params)
    for gradient in GRADIENTS:
        updates, state = optimiser.update(gradient, state, params)
        params = optim.apply_updates(params, updates)
        found.append(params)
    return found


# -- formulas, as the papers have them -------------------------------------------------------------


def sgd(x, g, s, t):
    return x - 0.1 * g


def momentum(x, g, s, t):
    s["v"] = 0.9 * s.get("v", 0.0) + g
    return x - 0.1 * s["v"]


def nesterov(x, g, s, t):
    s["v"] = 0.9 * s.get("v", 0.0) + g
    return x - 0.1 * (g + 0.9 * s["v"])


def moments(g, s, t, b1=0.9, b2=0.999):
    s["m"] = b1 * s.get("m", 0.0) + (1 - b1) * g
    s["v"] = b2 * s.get("v", 0.0) + (1 - b2) * g**2
    return s["m"] / (1 - b1**t), s["v"] / (1 - b2**t)


def adam(x, g, s, t):
    m, v = moments(g, s, t)
    return x - 0.1 * m / (np.sqrt(v) + 1e-8)


def adamw(x, g, s, t):
    m, v = moments(g, s, t)
    return x - 0.1 * (m / (np.sqrt(v) + 1e-8) + 0.1 * x)


def amsgrad(x, g, s, t):
    m, v = moments(g, s, t)
    s["max"] = np.maximum(s.get("max", 0.0), v)
    return x - 0.1 * m / (np.sqrt(s["max"]) + 1e-8)


def adamax(x, g, s, t):
    m, _ = moments(g, s, t)
    s["u"] = np.maximum(0.999 * s.get("u", 0.0), np.abs(g) + 1e-8)
    return x - 0.1 * m / s["u"]


def nadam(x, g, s, t):
    _, v = moments(g, s, t)
    ahead = 0.9 * s["m"] / (1 - 0.9 ** (t + 1)) + 0.1 * g / (1 - 0.9**t)
    return x - 0.1 * ahead / (np.sqrt(v) + 1e-8)


def lamb(x, g, s, t):
    m, v = moments(g, s, t)
    r = m / (np.sqrt(v) + 1e-6) + 0.1 * x
    return x - 0.1 * np.linalg.norm(x) / np.linalg.norm(r) * r


def lion(x, g, s, t):
    m = s.get("m", 0.0)
    s["m"] = 0.99 * m + 0.01 * g
    return x - 0.1 * (np.sign(0.9 * m + 0.1 * g) + 1e-3 * x)


def adagrad(x, g, s, t):
    s["sum"] = s.get("sum", 0.1) + g**2
    return x - 0.1 * g / np.sqrt(s["sum"] + 1e-7)


def rmsprop(x, g, s, t):
    s["v"] = 0.9 * s.get("v", 0.0) + 0.1 * g**2
    s["step"] = 0.5 * s.get("step", 0.0) - 0.1 * g / np.sqrt(s["v"] + 1e-8)
    return x + s["step"]


def adafactor(x, g, s, t):
    rate = 1 - t**-0.8
    s["r"] = rate * s.get("r", 0.0) + (1 - rate) * np.mean(g**2, axis=1)
    s["c"] = rate * s.get("c", 0.0) + (1 - rate) * np.mean(g**2, axis=0)
    u = g / np.sqrt(np.outer(s["r"], s["c"]) / np.mean(s["r"]))
    u = u / max(1.0, np.sqrt(np.mean(u**2)))
    return x - 0.1 * max(1e-3, np.sqrt(np.mean(x**2))) * u


def muon(x, g, s, t):
    s["m"] = 0.95 * s.get("m", 0.0) + 0.05 * g
    m = 0.95 * s["m"] / (1 - 0.95 ** (t + 1)) + 0.05 * g / (1 - 0.95**t)
    u, sizes, v = np.linalg.svd(m, full_matrices=False)
    sizes = sizes / np.sqrt(np.sum(sizes**2))
    for _ in range(5):
        sizes = 3.4445 * sizes - 4.7750 * sizes**3 + 2.0315 * sizes**5
    return x - 0.1 * (u * sizes) @ v


FORMULAS = [sgd, momentum, nesterov, adam, adamw, amsgrad, adamax, nadam, lamb, lion]
FORMULAS += [adagrad, rmsprop, adafactor, muon]


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: formula.__name__)
def test_steps_are_those_of_the_paper(formula):
    x, state = START, {}
    for t, (g, found) in enumerate(zip(GRADIENTS, moved(OPTIMISERS[formula.__name__](0.1))), 1):
        x = formula(x, g, state, t)
        np.testing.assert_allclose(found, x, rtol=1e-7)


# -- parameters of any structure -------------------------------------------------------------------


@pytest.mark.parametrize("name", OPTIMISERS)
def test_compiled_training_is_plain_training(name):
    step = step_of(OPTIMISERS[name](0.05))
    compiled = ag.to_graph(step)
    state = OPTIMISERS[name](0.05).init(model())
    ours, theirs = (model(), state), (model(), state)
    for _ in range(3):
        ours, theirs = compiled(*ours), step(*theirs)
    assert ag.tree.structure(ours) == ag.tree.structure(theirs)
    np.testing.assert_allclose(numbers(ours), numbers(theirs), rtol=1e-9, atol=1e-12)
    assert loss(ours[0]) != loss(model())


@pytest.mark.parametrize("name", OPTIMISERS)
def test_dtypes_structure_and_what_is_no_parameter_are_kept(name):
    params = model(np.float32)
    optimiser = OPTIMISERS[name](0.05)
    state = optimiser.init(params)
    updates, following = optimiser.update(ag.grad(loss)(params), state, params)
    after = optim.apply_updates(params, updates)
    for made in (after, updates):
        for dense in made["layers"]:
            assert (dense.weight.dtype, dense.bias.dtype) == (np.float32, np.float32)
            assert dense.name == "dense"
        assert made["gain"][0].gain.dtype == np.float32
    assert [dense.count for dense in after["layers"]] == [3, 5]
    assert [dense.power for dense in after["layers"]] == [2, 1]
    assert [dense.count for dense in updates["layers"]] == [None, None]
    assert ag.tree.structure(following) == ag.tree.structure(state)
    for old, new in zip(ag.tree.leaves(state), ag.tree.leaves(following)):
        assert (np.shape(old), np.asarray(old).dtype) == (np.shape(new), np.asarray(new).dtype)


def test_a_schedule_keeps_float32():
    optimiser = optim.adamw(optim.cosine_decay_schedule(0.1, 10), weight_decay=lambda step: 0.1)
    params = np.ones(3, np.float32)
    state = optimiser.init(params)
    for function in (optimiser.update, ag.to_graph(optimiser.update)):
        assert function(params, state, params)[0].dtype == np.float32


def test_moments_of_another_dtype():
    optimiser = optim.adam(0.1, mu_dtype=np.float32)
    params = np.array([1.0, 2.0])
    updates, state = optimiser.update(params, optimiser.init(params))
    assert (updates.dtype, state[0].mu.dtype, state[0].nu.dtype) == (float, np.float32, float)


def test_what_has_no_gradient_stays():
    params = {"a": np.ones(2), "b": np.ones(2)}
    optimiser = optim.adam(0.1)
    state = optimiser.init(params)
    updates, state = optimiser.update({"a": np.ones(2), "b": None}, state, params)
    assert updates["b"] is None
    np.testing.assert_array_equal(state[0].nu["b"], np.zeros(2))
    after = optim.apply_updates(params, updates)
    np.testing.assert_array_equal(after["b"], params["b"])
    assert np.all(after["a"] < params["a"])


def test_noise_is_what_it_is_said_to_be():
    optimiser = optim.add_noise(4.0, 1.0, ag.ops.random.key(1))
    params = {"a": np.zeros(4000, np.float32), "b": np.zeros(4000)}
    state = optimiser.init(params)
    for step in range(1, 4):
        updates, state = optimiser.update(params, state)
        assert np.std(updates["a"]) == pytest.approx(np.sqrt(4.0 / step), rel=0.05)
        assert abs(np.corrcoef(updates["a"], updates["b"])[0, 1]) < 0.06
    assert updates["a"].dtype == np.float32
    again, _ = optimiser.update(params, optimiser.init(params))
    assert not np.allclose(again["a"], updates["a"])


@pytest.mark.parametrize("name", ["momentum", "adam", "nadam", "rmsprop", "adafactor", "muon"])
def test_a_quadratic_is_minimised(name):
    optimiser = OPTIMISERS[name](optim.cosine_decay_schedule(0.3, 300))
    target = np.array([[1.0, -2.0], [0.5, 3.0]])

    @ag.to_graph
    def trained(params):
        state = optimiser.init(params)
        for _ in range(300):
            gradient = 2.0 * (params - target)
            updates, state = optimiser.update(gradient, state, params)
            params = optim.apply_updates(params, updates)
        return params

    np.testing.assert_allclose(trained(np.full((2, 2), 4.0)), target, atol=0.05)
