"""Scales of losses, and a training in low precision beside one in float32."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from sklearn.datasets import load_digits

import autograph as ag
import ops
from autograph import nn, optim, train
from autograph.errors import OptionError


def scaled(finite, **options):
    """(value, good steps) of a scale after each of some steps, by a class written plainly."""
    value, good = options.pop("initial"), 0
    for is_finite in finite:
        if not is_finite:
            value, good = max(value * options["backoff_factor"], options["least"]), 0
        elif good + 1 >= options["growth_interval"]:
            value, good = value * options["growth_factor"], 0
        else:
            good += 1
        yield value, good


OPTIONS = dict(growth_interval=3, growth_factor=4.0, backoff_factor=0.25, least=2.0)


def test_growth_and_backoff():
    finite = np.random.default_rng(0).random(60) < 0.7
    scale, compiled = ag.LossScale.make(8.0, **OPTIONS), ag.LossScale.make(8.0, **OPTIONS)
    adjust = ag.to_graph(lambda scale, is_finite: scale.adjust(is_finite))
    wanted = list(scaled(finite, initial=8.0, **OPTIONS))
    assert min(wanted)[0] == 2.0
    assert max(wanted)[0] > 100.0
    for is_finite, (value, good) in zip(finite, wanted):
        scale, compiled = scale.adjust(is_finite), adjust(compiled, is_finite)
        for found in (scale, compiled):
            assert (float(found.value), int(found.good_steps)) == (value, good)
            assert found.value.dtype == np.float32
            assert found.good_steps.dtype == np.int32
            assert (found.growth_interval, found.least) == (3, 2.0)


def test_it_is_carried_by_loops():
    @ag.to_graph
    def run(scale, finite):
        steps = 0
        while steps < len(finite) and scale.value > 2.0:
            scale, steps = scale.adjust(finite[steps]), steps + 1
        return scale, steps

    finite = np.array([True] * 7 + [False] * 9)
    found, steps = run(ag.LossScale.make(8.0, **OPTIONS), finite)
    wanted = list(scaled(finite, initial=8.0, **OPTIONS))
    assert steps == 1 + next(i for i, (value, _) in enumerate(wanted) if value <= 2.0)
    assert (float(found.value), int(found.good_steps)) == wanted[steps - 1]


def test_a_static_one_stays_and_a_large_one_stays_finite():
    scale = ag.LossScale.make(128.0, growth_interval=None)
    assert scale.adjust(False) is scale
    large = ag.LossScale.make(3e38, growth_interval=1)
    assert large.adjust(True).value == np.float32(3e38)


def test_losses_and_gradients_keep_their_dtypes():
    scale = ag.LossScale.make(1024.0)
    gradients = {"a": np.float32([2.0, 0.5]), "b": (np.array([3.0]), None, 1.0)}
    found = scale.unscale(ag.tree.map(scale.scale, gradients))
    assert found["b"][1] is None
    for leaf, wanted in zip(ag.tree.leaves(found), ag.tree.leaves(gradients)):
        assert np.asarray(leaf).dtype == np.asarray(wanted).dtype
        assert np.array_equal(leaf, wanted)
    assert np.asarray(scale.scale(np.float32(1.0))).dtype == np.float32


def test_what_is_finite():
    for bad in (np.nan, np.inf, -np.inf):
        assert not ag.LossScale.is_finite({"a": np.ones(2), "b": [np.float32([1.0, bad]), None]})
    assert ag.LossScale.is_finite({"a": np.ones(2), "n": np.arange(3), "none": None})
    assert ag.LossScale.is_finite(())


def test_options_that_are_none():
    for options in (
        {"initial": 0.0},
        {"initial": np.inf},
        {"initial": 2.0, "least": 4.0},
        {"growth_interval": 0},
        {"growth_factor": 0.5},
        {"backoff_factor": 0.0},
        {"backoff_factor": 2.0},
    ):
        with pytest.raises(OptionError, match=r"AG0703.*loss scale"):
            ag.LossScale.make(**options)


def test_small_gradients_are_lost_without_it():
    w, x = np.float32([[1.0, -2.0]]), np.float32([[1.0], [3.0]])
    loss = ag.precision(lambda w: np.sum((w @ x) * 1e-9), "float16")
    assert np.array_equal(ag.grad(loss)(w), [[0.0, 0.0]])
    scale = ag.LossScale.make(2.0**16)
    # The factor itself is no number of float16; what is small is the cotangent.
    loss = ag.precision(lambda w: np.sum(w @ x) * np.float32(1e-9), "float16")
    assert np.array_equal(ag.grad(loss)(w), [[0.0, 0.0]])
    found = scale.unscale(ag.grad(lambda w: scale.scale(loss(w)))(w))
    np.testing.assert_allclose(found, 1e-9 * x.T, rtol=1e-2)


# -- the digits ------------------------------------------------------------------------------------


class State(NamedTuple):
    model: nn.MLP
    optimiser: Any
    scale: ag.LossScale


def digits():
    x, y = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(x))
    return (x[order] / 16).astype(np.float32), y[order]


def trained(lowered, scale, folder=None, epochs=30):
    """What a training comes to, and how many of 897 digits that are held out it reads."""
    x, y = digits()
    optimiser = optim.adam(5e-3)
    loss = lowered(lambda model, x, y: np.mean(ops.nn.cross_entropy(model(x), y)))

    @ag.to_graph
    def step(state, batch):
        def total(model):
            return state.scale.scale(loss(model, *batch))

        value, gradient = ag.value_and_grad(total)(state.model)
        gradient = state.scale.unscale(gradient)
        finite = state.scale.is_finite(gradient)
        model, inner = state.model, state.optimiser
        if finite:
            updates, inner = optimiser.update(gradient, inner, model)
            model = optim.apply_updates(model, updates)
        return State(model, inner, state.scale.adjust(finite)), {"finite": finite}

    model = nn.MLP.make(ops.random.key(1), [64, 48, 10])
    fitted = train.fit(
        step,
        State(model, optimiser.init(model), scale),
        train.Batches((x[:900], y[:900]), 50),
        epochs=epochs,
        folder=folder,
        progress=False,
    )
    read = lowered(lambda model, x: np.argmax(model(x), 1))
    return fitted, np.sum(read(fitted.state.model, x[900:]) == y[900:])


@pytest.mark.slow
def test_the_digits_are_read_as_well_as_in_float32():
    static = ag.LossScale.make(1.0, growth_interval=None)
    _, full = trained(lambda f: f, static)
    half_a_point = 0.005 * 897
    assert full > 0.95 * 897
    _, read = trained(ag.precision, static)
    assert abs(int(read) - int(full)) <= half_a_point
    dynamic = ag.LossScale.make(2.0**20, growth_interval=50)
    fitted, read = trained(lambda f: ag.precision(f, "float16"), dynamic)
    assert abs(int(read) - int(full)) <= half_a_point
    assert fitted.history[0]["finite"] < 1.0  # steps were left out
    assert fitted.history[-1]["finite"] > 0.9
    assert all(leaf.dtype == np.float32 for leaf in ag.tree.leaves(fitted.state.model))


def test_it_goes_on_from_a_checkpoint_with_the_same_scale(tmp_path):
    lowered = lambda f: ag.precision(f, "float16")
    make = lambda: ag.LossScale.make(2.0**22, growth_interval=4)
    whole, _ = trained(lowered, make(), epochs=2)
    trained(lowered, make(), tmp_path, epochs=1)
    resumed, _ = trained(lowered, make(), tmp_path, epochs=2)
    assert whole.state.scale.value == resumed.state.scale.value != 2.0**22
    for one, other in zip(ag.tree.leaves(whole.state), ag.tree.leaves(resumed.state)):
        assert np.array_equal(one, other)
