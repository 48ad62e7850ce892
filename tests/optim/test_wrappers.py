"""Masks, partitions, gathered gradients, averages, conditions, and what is refused."""

import numpy as np
import pytest

import autograph as ag
from autograph import optim
from autograph.errors import OperandShapeError, OperandTypeError, OptionError
from tests.optim.cases import Dense, loss, model, numbers

PARAMS = {"w": np.ones((2, 2)), "bias": np.ones(2)}
ZEROS = {"w": np.zeros((2, 2)), "bias": np.zeros(2)}


def is_matrix(params):
    return ag.tree.map(lambda leaf: np.ndim(leaf) == 2, params)


@pytest.mark.parametrize(
    "mask", [{"w": True, "bias": False}, is_matrix, optim.by_path(lambda path: "w" in path)]
)
@pytest.mark.parametrize("run", [lambda f: f, ag.to_graph], ids=["plain", "compiled"])
def test_masks(mask, run):
    optimiser = optim.adamw(0.1, weight_decay=0.5, mask=mask)
    state = optimiser.init(PARAMS)
    updates, _ = run(optimiser.update)(ZEROS, state, PARAMS)
    np.testing.assert_allclose(updates["w"], -0.05)
    np.testing.assert_allclose(updates["bias"], 0.0)


def test_a_mask_over_an_outer_part():
    optimiser = optim.masked(optim.scale(0.0), {"a": True, "b": False})
    params = {"a": (np.ones(2), 2.0), "b": [np.ones(1), {"c": 1.0}]}
    updates, _ = optimiser.update(params, optimiser.init(params))
    np.testing.assert_allclose(numbers(updates), [0, 0, 0, 1, 1])


def test_a_state_is_kept_for_the_masked_part_only():
    optimiser = optim.masked(optim.adam(0.1), optim.by_path(lambda path: path.endswith("bias")))
    state = optimiser.init(model())
    assert len(ag.tree.leaves(state.inner_state[0].mu)) == 2


def test_objects_all_of_which_is_masked_out():
    params = [Dense(np.ones((2, 2)), np.ones(2)), Dense(np.ones((2, 2)), np.ones(2))]
    optimiser = optim.partition(
        {"slow": optim.adam(0.1), "frozen": optim.set_to_zero()},
        optim.by_path(lambda path: "frozen" if path.startswith("[0]") else "slow"),
    )

    def step(params, state):
        gradient = ag.grad(lambda p: np.sum(p[1](p[0](np.ones((1, 2))))))(params)
        updates, state = optimiser.update(gradient, state, params)
        return optim.apply_updates(params, updates), state

    state = optimiser.init(params)
    for run in (step, ag.to_graph(step)):
        (first, second), _ = run(params, state)
        np.testing.assert_array_equal(first.weight, np.ones((2, 2)))
        np.testing.assert_allclose(second.weight, np.full((2, 2), 0.9), rtol=1e-6)


def test_gathered_steps_are_steps_of_the_mean():
    gradients = np.random.default_rng(0).normal(size=(6, 3))
    gathered, whole = optim.MultiSteps(optim.adam(0.1), 3), optim.adam(0.1)
    x = y = np.zeros(3)
    state, state_of_whole = gathered.init(x), whole.init(y)
    update = ag.to_graph(gathered.update)
    for place, gradient in enumerate(gradients):
        updates, state = update(gradient, state, x)
        assert bool(gathered.has_updated(state)) == (place % 3 == 2)
        x = optim.apply_updates(x, updates)
    for part in (gradients[:3], gradients[3:]):
        updates, state_of_whole = whole.update(np.mean(part, axis=0), state_of_whole)
        y = optim.apply_updates(y, updates)
    np.testing.assert_allclose(x, y, rtol=1e-12)
    assert (int(state.gradient_step), state.gradient_step.dtype) == (2, np.int32)


def test_averages_along_the_way():
    points = np.random.default_rng(0).normal(size=(9, 2))
    for averaging, wanted in (
        (optim.swa(), np.mean(points[1:], axis=0)),
        (optim.swa(start=2, every=3), np.mean(points[[3, 6]], axis=0)),
        (optim.params_ema(0.5), 0.5**8 * points[0] + 0.5 ** np.arange(8, 0, -1) @ points[1:]),
    ):
        for run in (averaging.update, ag.to_graph(averaging.update)):
            state = averaging.init({"w": points[0]})
            for point in points[1:]:
                state = run({"w": point}, state)
            np.testing.assert_allclose(state.average["w"], wanted, rtol=1e-12)


def test_steps_that_are_not_finite_are_left_out():
    optimiser = optim.apply_if_finite(optim.sgd(0.1), 1)
    for update in (optimiser.update, ag.to_graph(optimiser.update)):
        state, found = optimiser.init(np.zeros(2)), []
        for value in (1.0, np.nan, 1.0, np.inf, np.inf):
            updates, state = update(np.array([value, 1.0]), state)
            found.append(updates[1])
        np.testing.assert_allclose(found, [-0.1, 0.0, -0.1, 0.0, -0.1])
        assert (int(state.total_notfinite), int(state.notfinite_count)) == (3, 2)


@pytest.mark.parametrize("run", [lambda f: f, ag.to_graph], ids=["plain", "compiled"])
def test_schedules(run):
    peak = optim.warmup_cosine_decay_schedule(0.0, 2.0, 10, 110, end_value=0.2)
    found = [float(run(peak)(np.int32(count))) for count in (0, 5, 10, 60, 110, 500)]
    np.testing.assert_allclose(found, [0.0, 1.0, 2.0, 1.1, 0.2, 0.2])
    cycle = optim.cosine_onecycle_schedule(100, 1.0, final_div_factor=10.0)
    found = [float(run(cycle)(np.int32(count))) for count in (0, 15, 30, 65, 100, 101)]
    np.testing.assert_allclose(found, [0.04, 0.52, 1.0, 0.502, 0.004, 0.004])
    steps = optim.piecewise_constant_schedule(1.0, {3: 0.5, 6: 0.1})
    found = [float(run(steps)(np.int32(count))) for count in (2, 3, 5, 6, 7)]
    np.testing.assert_allclose(found, [1.0, 0.5, 0.5, 0.05, 0.05])
    decay = optim.warmup_exponential_decay_schedule(0.0, 1.0, 2, 2, 0.25, end_value=0.1)
    found = [float(run(decay)(np.int32(count))) for count in range(6)]
    np.testing.assert_allclose(found, [0.0, 0.5, 1.0, 0.5, 0.25, 0.125])


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize("run", [lambda f: f, ag.to_graph], ids=["plain", "compiled"])
def test_gradients_that_are_not_those_of_the_parameters(run):
    optimiser = optim.sgd(0.1)

    def step(params, gradient):
        return optim.apply_updates(params, optimiser.update(gradient, optimiser.init(params))[0])

    with pytest.raises(OperandShapeError, match=r"AG0700.*\['bias'\].*\(3,\).*\(2,\)"):
        run(step)(PARAMS, {"w": np.ones((2, 2)), "bias": np.ones(3)})
    message = r"AG0700.*\['bias'\] is none among the gradients, of shape \(2,\)"
    with pytest.raises(OperandShapeError, match=message):
        run(step)(PARAMS, {"w": np.ones((2, 2))})


@pytest.mark.parametrize("run", [lambda f: f, ag.to_graph], ids=["plain", "compiled"])
def test_a_state_of_other_parameters(run):
    optimiser = optim.adam(0.1)
    state = optimiser.init({"w": np.ones((2, 3)), "bias": np.ones(2)})
    with pytest.raises(OperandShapeError, match=r"AG0701.*\['w'\].*\(2, 2\).*\(2, 3\)"):
        run(optimiser.update)(PARAMS, state)
    state = optimiser.init({"w": np.ones((2, 2))})
    with pytest.raises(OperandShapeError, match=r"AG0701.*\['bias'\]"):
        run(optimiser.update)(PARAMS, state)
    state = optimiser.init({"w": np.ones((2, 2)), "bias": 3})
    with pytest.raises(OperandShapeError, match=r"AG0701.*\['bias'\].*none"):
        run(optimiser.update)(PARAMS, state)


def test_complex_parameters():
    with pytest.raises(OperandTypeError, match=r"AG0702.*complex"):
        optim.adam(0.1).init({"z": np.ones(2, complex)})


REFUSED = [
    (lambda: optim.lbfgs(memory_size=0), "memory_size is 0"),
    (lambda: optim.apply_every(0), "k=0"),
    (lambda: optim.MultiSteps(optim.sgd(0.1), 0), "0 gradients"),
    (lambda: optim.swa(every=0), "every=0"),
    (lambda: optim.apply_if_finite(optim.sgd(0.1), -1), "-1"),
    (lambda: optim.muon(0.1, preconditioning="none"), "preconditioning 'none'"),
    (lambda: optim.muon(0.1, ns_coeffs="fast"), "coefficients 'fast'"),
    (lambda: optim.muon(0.1, ns_coeffs=(1.0, 2.0)), r"the shape \(2,\)"),
    (
        lambda: optim.scale_by_muon().update(np.ones(2), optim.scale_by_muon().init(np.ones(2))),
        "2,",
    ),
    (lambda: optim.cosine_decay_schedule(0.1, 0), "0 steps"),
    (lambda: optim.warmup_cosine_decay_schedule(0.0, 1.0, 5, 5), "5 steps, of which 5"),
    (lambda: optim.linear_onecycle_schedule(-1, 0.1), "-1 steps"),
    (lambda: optim.piecewise_constant_schedule(1.0, {3: -0.5}), "factor -0.5 at step 3"),
    (lambda: optim.piecewise_interpolate_schedule("cubic", 1.0), "'cubic'"),
    (lambda: optim.join_schedules([optim.constant_schedule(1.0)], [3]), "1 boundaries"),
    (lambda: optim.scale_by_zoom_linesearch(0), "0 steps"),
    (lambda: optim.scale_by_zoom_linesearch(5, initial_guess_strategy="two"), "'two'"),
    (lambda: optim.partition({"a": optim.sgd(0.1)}, {"w": "b"}).init({"w": 1.0}), "label 'b'"),
    (lambda: optim.chain(optim.sgd(0.1)).update(1.0, ()), "a state of 0"),
    (lambda: optim.value_and_grad_from_state(np.sum)(1.0, state=optim.sgd(0.1).init(1.0)), "value"),
    (lambda: optim.minimize(np.sum, 1.0, method="simplex"), "'simplex'"),
    (lambda: optim.least_squares(np.sum, 1.0, method="lm"), "'lm'"),
]


@pytest.mark.parametrize("call, message", REFUSED, ids=[message for _, message in REFUSED])
def test_options(call, message):
    with pytest.raises(OptionError, match=f"AG0703.*{message}"):
        call()


def test_marks_that_do_not_fit():
    for mask in ({"w": True}, {"w": True, "bias": {"a": False}}):
        with pytest.raises(OperandShapeError, match="AG0704"):
            optim.masked(optim.sgd(0.1), mask).init(PARAMS)


@pytest.mark.parametrize("name", ["add_decayed_weights", "scale_by_trust_ratio", "scale_by_lbfgs"])
def test_parameters_that_are_missing(name):
    optimiser = getattr(optim, name)()
    with pytest.raises(OptionError, match=f"AG0705.*{name}"):
        optimiser.update(PARAMS, optimiser.init(PARAMS))


def test_a_line_search_without_a_function():
    optimiser = optim.lbfgs()
    x = np.ones(2)
    with pytest.raises(OptionError, match=r"AG0703.*needs the function"):
        optimiser.update(x, optimiser.init(x), x)


def test_the_line_of_the_user_is_named():
    optimiser = optim.adam(0.1)
    state = optimiser.init({"w": np.ones(3)})

    @ag.to_graph
    def step(params):
        gradient = ag.grad(lambda params: np.sum(params["w"] ** 2))(params)
        return optimiser.update(gradient, state)[0]  # here

    with pytest.raises(OperandShapeError) as caught:
        step({"w": np.ones(2)})
    assert "test_wrappers.py" in str(caught.value) and "# here" in str(caught.value)


def test_the_loss_of_the_cases_has_a_gradient():
    assert np.linalg.norm(numbers(ag.grad(loss)(model()))) > 1.0
