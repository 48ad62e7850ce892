"""Hyperparameters in the state, gradients that are skipped, Lion's modes, and Muon's axes."""

import functools

import numpy as np
import pytest

import autograph as ag
from autograph import optim
from autograph.errors import OperandShapeError, OptionError
from tests.optim.cases import Dense

RUNS = pytest.mark.parametrize("run", [lambda f: f, ag.to_graph], ids=["plain", "compiled"])
X = np.array([1.0, -2.0])


# -- hyperparameters -------------------------------------------------------------------------------


@RUNS
def test_numbers_are_read_and_set(run):
    optimiser = optim.inject_hyperparams(optim.sgd)(learning_rate=0.1, momentum=0.5)
    state = optimiser.init(np.zeros(2))
    assert sorted(state.hyperparams) == ["learning_rate", "momentum"]
    update = run(optimiser.update)
    made, state = update(X, state)
    np.testing.assert_allclose(made, -0.1 * X)
    state.hyperparams["learning_rate"] = 0.2
    made, state = update(X, state)
    np.testing.assert_allclose(made, -0.2 * 1.5 * X)
    state.hyperparams["momentum"] = 0.0
    made, state = update(X, state)
    np.testing.assert_allclose(made, -0.2 * X)
    assert int(state.count) == 3


@RUNS
def test_any_number_may_be_a_schedule(run):
    constructor = optim.inject_hyperparams(optim.scale_by_adam)
    optimiser = constructor(b1=lambda count: 0.1 * (count + 1), b2=0.9)
    state, moments, update = optimiser.init(np.zeros(2)), np.zeros(2), run(optimiser.update)
    for step in range(4):
        _, state = update(X, state)
        b1 = 0.1 * (step + 1)
        assert float(state.hyperparams["b1"]) == pytest.approx(b1)
        moments = b1 * moments + (1.0 - b1) * X
        np.testing.assert_allclose(state.inner_state.mu, moments)
    assert int(state.hyperparams_states["b1"].count) == 4


class Plateau(optim.StatefulSchedule):
    """Half as much after each loss that is no lower than all before."""

    def init(self):
        return {"rate": np.float64(1.0), "best": np.float64(np.inf)}

    def update(self, state, **extra_args):
        value = extra_args["value"]
        rate = np.where(value < state["best"], state["rate"], 0.5 * state["rate"])
        return {"rate": rate, "best": np.minimum(value, state["best"])}

    def __call__(self, state, **extra_args):
        return state["rate"]


@RUNS
def test_schedules_with_a_state(run):
    optimiser = optim.inject_hyperparams(optim.sgd)(Plateau())
    state, found = optimiser.init(np.zeros(2)), []
    update = run(lambda g, state, value: optimiser.update(g, state, value=value))
    for value in (3.0, 2.0, 2.5, 2.5, 1.0):
        made, state = update(X, state, value)
        found.append(-made[0])
    np.testing.assert_allclose(found, [1.0, 1.0, 1.0, 0.5, 0.25])


@RUNS
def test_dtypes(run):
    optimiser = optim.inject_hyperparams(optim.adam)(0.1)
    params = np.ones(2, np.float32)
    state = optimiser.init(params)
    made, following = run(optimiser.update)(params, state, params)
    assert made.dtype == np.float32
    for of_state in (state, following):
        assert {value.dtype for value in of_state.hyperparams.values()} == {np.dtype(np.float32)}
    wide = optim.inject_hyperparams(optim.adam, hyperparam_dtype=np.float64)(0.1)
    assert wide.init(params).hyperparams["b1"].dtype == np.float64


def test_what_stays_as_it_is():
    is_bias = optim.by_path(lambda path: "bias" in path)
    constructor = optim.inject_hyperparams(optim.adamw, static_args="mask")
    optimiser = constructor(0.1, weight_decay=0.5, mask=is_bias, nesterov=True)
    params = {"w": np.ones(2), "bias": np.ones(2)}
    state = optimiser.init(params)
    assert "mask" not in state.hyperparams and "nesterov" not in state.hyperparams
    zeros = {"w": np.zeros(2), "bias": np.zeros(2)}
    made, _ = optimiser.update(zeros, state, params)
    np.testing.assert_allclose(made["w"], 0.0)
    np.testing.assert_allclose(made["bias"], -0.05)
    with pytest.raises(OptionError, match="'masks', which is no argument"):
        optim.inject_hyperparams(optim.adamw, static_args=("masks",))


def test_in_a_loop_with_a_derivative_by_a_number():
    """Loss after training, as a function of the learning rate; and lanes of it."""

    def after(rate):
        optimiser = optim.inject_hyperparams(optim.sgd)(0.0, momentum=0.5)
        x = X
        state = optimiser.init(x)
        state.hyperparams["learning_rate"] = rate
        for _ in range(5):
            made, state = optimiser.update(2.0 * x, state, x)
            x = optim.apply_updates(x, made)
        return np.sum(x**2)

    wanted = (after(0.1 + 1e-5) - after(0.1 - 1e-5)) / 2e-5
    assert ag.grad(after)(0.1) == pytest.approx(wanted, rel=1e-6)
    rates = np.array([0.05, 0.1, 0.2])
    np.testing.assert_allclose(ag.vmap(after)(rates), [after(rate) for rate in rates])


# -- gradients that are skipped --------------------------------------------------------------------


@RUNS
def test_gradients_that_are_not_finite_are_as_if_they_had_not_been(run):
    def steps(gradients, **options):
        optimiser = optim.MultiSteps(optim.adam(0.1), 2, **options)
        state, found = optimiser.init(np.zeros(2)), []
        update = run(optimiser.update)
        for gradient in gradients:
            made, state = update(gradient, state)
            found.append(made)
        return found, state

    bad = np.array([np.nan, 1.0])
    some, state = steps([X, bad, 3.0 * X, bad, X, X], should_skip_update_fn=optim.skip_not_finite)
    wanted, _ = steps([X, 3.0 * X, X, X])
    np.testing.assert_array_equal(some[1], 0.0)
    np.testing.assert_array_equal(some[3], 0.0)
    np.testing.assert_allclose([some[k] for k in (0, 2, 4, 5)], wanted)
    assert (int(state.gradient_step), int(state.skip_state["num_not_finite"])) == (2, 0)


@RUNS
def test_large_gradients_are_skipped(run):
    skip = functools.partial(optim.skip_large_updates, max_squared_norm=10.0)
    optimiser = optim.MultiSteps(optim.sgd(1.0), 1, should_skip_update_fn=skip)
    update, state = run(optimiser.update), optimiser.init(np.zeros(2))
    for scale, wanted in ((1.0, -X), (3.0, 0.0 * X), (np.nan, 0.0 * X), (0.5, -0.5 * X)):
        made, state = update(scale * X, state)
        np.testing.assert_array_equal(made, wanted)
        np.testing.assert_array_equal(state.skip_state["norm_squared"], 5.0 * scale**2)
    assert int(state.gradient_step) == 2


def test_what_skips_has_to_be_one_bool():
    skip = lambda updates, step, params: (updates > 0.0, ())
    with pytest.raises(OptionError, match=r"AG0703.*than one bool"):
        optim.MultiSteps(optim.sgd(0.1), 2, should_skip_update_fn=skip).init(np.zeros(2))


# -- Lion ------------------------------------------------------------------------------------------


@RUNS
def test_modes_of_lion(run):
    gradient = np.array([30.0, -30.0, 3.0, -0.5])
    x = 0.1 * gradient
    for options, wanted in (
        ({}, np.sign(x)),
        ({"mode": "smooth", "smooth_beta": 2.0}, np.tanh(2.0 * x)),
        ({"mode": "refined"}, np.clip(x, -1.0, 1.0)),
    ):
        lion = optim.scale_by_lion(**options)
        made, _ = run(lion.update)(gradient, lion.init(gradient))
        np.testing.assert_allclose(made, wanted)
    with pytest.raises(OptionError, match="mode 'soft'"):
        optim.scale_by_lion(mode="soft")


# -- Muon ------------------------------------------------------------------------------------------

RNG = np.random.default_rng(0)


def as_matrices(kernel):
    """The axes 0 and 2 as rows, 3 as columns, for each place of axis 1."""
    return np.moveaxis(kernel, 1, 0).reshape(kernel.shape[1], -1, kernel.shape[3])


@RUNS
@pytest.mark.parametrize("preconditioning", ["frobenius", "spectral", "aol", "schatten"])
def test_axes_of_matrices(run, preconditioning):
    kernel = RNG.normal(size=(2, 3, 4, 5))
    numbers = optim.MuonDimensionNumbers((0, -2), 3)
    function = lambda x: optim.orthogonalize_via_newton_schulz(
        x, preconditioning=preconditioning, dimension_numbers=numbers
    )
    found = run(function)(kernel)
    assert found.shape == kernel.shape
    for made, matrix in zip(as_matrices(found), as_matrices(kernel)):
        wanted = optim.orthogonalize_via_newton_schulz(matrix, preconditioning=preconditioning)
        np.testing.assert_allclose(made, wanted, rtol=1e-9, atol=1e-12)


PARAMS = {
    "kernel": RNG.normal(size=(2, 3, 4)),
    "layer": Dense(RNG.normal(size=(3, 2)), np.zeros(2)),
    "table": RNG.normal(size=(5, 2)),
}


def by_shape(params):
    axes = {3: optim.MuonDimensionNumbers((0, 1), 2), 2: optim.MuonDimensionNumbers()}
    return ag.tree.map(lambda leaf: axes.get(np.ndim(leaf)), params)


@RUNS
@pytest.mark.parametrize("form", ["tree", "function", "outer part"])
def test_which_parameters_are_for_muon(run, form):
    numbers = {
        "tree": {
            "kernel": optim.MuonDimensionNumbers((0, 1), 2),
            "layer": Dense(optim.MuonDimensionNumbers(), None, None),
            "table": None,
        },
        "function": lambda params: {**by_shape(params), "table": None},
        "outer part": {
            "kernel": optim.MuonDimensionNumbers((0, 1), 2),
            "layer": None,
            "table": None,
        },
    }[form]
    optimiser = optim.muon(0.1, muon_weight_dimension_numbers=numbers)
    state = optimiser.init(PARAMS)
    gradient = ag.tree.map(lambda leaf: np.cos(10.0 * leaf) if np.ndim(leaf) else None, PARAMS)
    found, _ = run(optimiser.update)(gradient, state, PARAMS)

    def alone(tx, g, params):
        return tx.update(g, tx.init(params), params)[0]

    flat = alone(optim.muon(0.1), gradient["kernel"].reshape(6, 4), np.zeros((6, 4)))
    np.testing.assert_allclose(found["kernel"].reshape(6, 4), flat, rtol=1e-9)
    adam = optim.adamw(0.1, weight_decay=0.0, nesterov=True)
    by_adam = alone(adam, gradient["table"], PARAMS["table"])
    np.testing.assert_allclose(found["table"], by_adam, rtol=1e-9)
    weights = adam if form == "outer part" else optim.muon(0.1)
    wanted = alone(weights, gradient["layer"].weight, PARAMS["layer"].weight)
    np.testing.assert_allclose(found["layer"].weight, wanted, rtol=1e-9)


def test_axes_that_do_not_fit():
    for numbers in (
        optim.MuonDimensionNumbers(0, 0),
        optim.MuonDimensionNumbers(0, 3),
        optim.MuonDimensionNumbers((0, -3), 1),
        None,
    ):
        with pytest.raises(OptionError, match="AG0703"):
            optim.orthogonalize_via_newton_schulz(np.ones((2, 3, 4)), dimension_numbers=numbers)
    optimiser = optim.muon(0.1, muon_weight_dimension_numbers=optim.MuonDimensionNumbers())
    with pytest.raises(OptionError, match=r"shape \(2,\)"):
        optimiser.update(PARAMS, optimiser.init(PARAMS), PARAMS)
    misnamed = {"kernel": None, "layers": None, "table": None}
    with pytest.raises(OperandShapeError, match="AG0704"):
        optim.muon(0.1, muon_weight_dimension_numbers=misnamed).init(PARAMS)
