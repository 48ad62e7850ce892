"""The demonstrations among the samples find what is there to be found, with right derivatives."""

import numpy as np
import pytest

import autograph as ag
import ops

pytest.importorskip("scipy")

from samples import contacts, dosing, mpc, nuts, nuts_loops, survival
from samples.posteriors import POSTERIORS


def central(f, x, step=1e-6):
    """The Jacobian of a function of a vector, [m, n], by differences."""
    return np.stack(
        [(f(x + step * e) - f(x - step * e)) / (2.0 * step) for e in np.eye(len(x))], -1
    )


# -- contacts --------------------------------------------------------------------------------------

TIMES = np.linspace(0.0, 3.0, 46)
THROWS = {
    "bounces and the wall": contacts.TRUE,
    "slides against its spin": np.array([1.0, 0.2, 40.0, 0.3, 0.2]),
    "comes to rest at the wall": np.array([4.0, 0.5, 60.0, 0.4, 0.5]),
    "backwards": np.array([-1.0, 1.0, 20.0, 0.5, 0.1]),
}


@pytest.mark.slow
@pytest.mark.costly
@pytest.mark.parametrize("name", THROWS)
def test_a_throw(name):
    throw = THROWS[name]
    plain = contacts.simulate(throw, TIMES)
    np.testing.assert_allclose(ag.to_graph(contacts.simulate)(throw, TIMES), plain, rtol=1e-12)
    assert np.all(plain[:, 1] > contacts.RADIUS - 1e-9)
    assert np.all(plain[:, 0] < contacts.WALL - contacts.RADIUS + 1e-9)
    film = lambda p: contacts.film(p, TIMES)
    expected = central(film, throw)
    np.testing.assert_allclose(ag.jacfwd(film)(throw), expected, atol=1e-6)
    np.testing.assert_allclose(ag.jacrev(film)(throw), expected, atol=1e-6)


def test_what_a_contact_keeps():
    """It turns no more than it rubs; it slips as friction lets it, or not at all."""
    for friction in (0.05, 5.0):
        normal, along, spin = contacts.impact(-2.0, 1.0, -30.0, 0.7, friction)
        assert normal == pytest.approx(1.4)
        rub = along - 1.0
        assert spin + 30.0 == pytest.approx(-rub * contacts.RADIUS / contacts.INERTIA)
        slip = along - contacts.RADIUS * spin
        assert abs(rub) == pytest.approx(0.05 * 3.4) if friction < 1.0 else abs(slip) < 1e-12


@pytest.mark.slow
def test_the_throw_is_found():
    seen = contacts.film(contacts.TRUE, TIMES)
    found, error = contacts.fitted(1.02 * contacts.TRUE, TIMES, seen)
    assert error < 1e-18
    np.testing.assert_allclose(found, contacts.TRUE, rtol=1e-7)


def test_standard_errors_are_the_spread_of_fits():
    rng = np.random.default_rng(1)
    seen = contacts.film(contacts.TRUE, TIMES)
    fits = [
        contacts.fitted(contacts.TRUE, TIMES, seen + 3e-3 * rng.normal(size=len(seen)))
        for _ in range(60)
    ]
    found = np.array([parameters for parameters, _ in fits])
    expected = contacts.standard_errors(*fits[0], TIMES)
    np.testing.assert_allclose(np.std(found, axis=0), expected, rtol=0.3)


@pytest.mark.slow
def test_lanes_of_throws():
    throws = np.array(list(THROWS.values()))
    film = lambda p: contacts.film(p, TIMES)
    total = lambda p: np.sum(film(p) ** 2)
    found = ag.vmap(ag.grad(total))(throws)
    expected = [ag.grad(total)(throw) for throw in throws]
    np.testing.assert_allclose(found, expected, rtol=1e-9)


# -- the No-U-Turn Sampler -------------------------------------------------------------------------


@pytest.mark.slow
def test_a_chain_is_that_of_python():
    density, start, key = (
        POSTERIORS["correlated"].log_density,
        np.array([0.3, -0.2]),
        ops.random.key(4),
    )
    plain, steps = nuts.nuts(density, start, key, 4, 8)
    found, again = nuts.sampler(density)(start, key, 4, 8)
    np.testing.assert_allclose(found, plain, rtol=1e-9)
    assert again == steps


@pytest.mark.parametrize("v", [-1.0, 1.0])
@pytest.mark.parametrize("epsilon", [0.02, 0.3, 0.9, 4.0])
def test_the_walk_builds_the_tree_that_recursion_builds(v, epsilon):
    density, key = POSTERIORS["scales"].log_density, ops.random.key(0)
    gradient, random = ag.grad(density), np.random.default_rng(1)
    for j in range(6):
        theta, r = random.normal(size=(2, 4))
        joint = density(theta) - 0.5 * r @ r
        log_u = joint - random.exponential()
        rest = (theta, r, log_u, v, j, epsilon, joint, key)
        tree = nuts.build_tree(density, gradient, *rest)
        walked = nuts_loops.walk_tree(density, gradient, *rest)
        for k, (one, other) in enumerate(zip(tree, walked)):
            if k != 4:  # the place that is drawn, with other keys
                np.testing.assert_allclose(other, one, rtol=1e-12)


def test_the_walk_draws_each_place_of_the_slice_alike():
    density, gradient = POSTERIORS["scales"].log_density, ag.grad(POSTERIORS["scales"].log_density)
    theta, r = np.full(4, 0.1), np.full(4, 0.5)
    walk = lambda key: nuts_loops.walk_tree(
        density, gradient, theta, r, -9.0, 1.0, 3, 0.1, 0.0, key
    )
    results = ag.vmap(walk)(ops.random.split(ops.random.key(2), 4000))
    assert np.all(results[5] == 8)
    _, counts = np.unique(results[4][:, 0], return_counts=True)
    assert len(counts) == 8
    assert np.all(np.abs(counts - 500) < 5.0 * np.sqrt(500))


@pytest.mark.slow
def test_chains_in_lanes():
    density = POSTERIORS["scales"].log_density
    chain = lambda theta, key: nuts.nuts(density, theta, key, 5, 5)
    starts = np.random.default_rng(0).normal(size=(3, 4))
    keys = ops.random.split(ops.random.key(1), 3)
    found, steps = ag.vmap(chain)(starts, keys)
    assert len(set(steps.tolist())) > 1
    for theta, key, draws, count in zip(starts, keys, found, steps):
        expected, made = ag.to_graph(chain)(theta, key)
        np.testing.assert_allclose(draws, expected, rtol=1e-7)
        assert count == made


@pytest.mark.parametrize("name", POSTERIORS)
def test_gradients_of_posteriors(name):
    posterior = POSTERIORS[name]
    at = posterior.start + 0.05 * np.arange(1.0, len(posterior.start) + 1.0)
    expected = central(posterior.log_density, at)
    np.testing.assert_allclose(ag.grad(posterior.log_density)(at), expected, rtol=1e-5, atol=1e-6)


def is_sampled(name, draws, adapting, sampler=nuts.sampler):
    """The mean of a chain is the known one, and says something."""
    posterior = POSTERIORS[name]
    chain, _ = sampler(posterior.log_density)(posterior.start, ops.random.key(3), draws, adapting)
    values = posterior.statistic(chain)
    mean, error = nuts.mean_and_error(values)
    assert error < 0.25 * np.std(values)
    assert abs(mean - posterior.mean()) < 4.0 * error


@pytest.mark.costly
@pytest.mark.parametrize("name", ["gamma-Poisson", "logistic regression"])
def test_moments(name):
    is_sampled(name, draws=300, adapting=150)


@pytest.mark.slow
@pytest.mark.costly
@pytest.mark.parametrize("name", ["scales", "linear regression"])
def test_moments_by_loops(name):
    is_sampled(name, draws=5000, adapting=300, sampler=nuts_loops.loop_sampler)


@pytest.mark.slow
@pytest.mark.parametrize("name", POSTERIORS)
def test_moments_of_all(name):
    is_sampled(name, draws=1000, adapting=300)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in POSTERIORS if name != "Gaussian process"])
def test_moments_of_all_by_loops(name):
    is_sampled(name, draws=20000, adapting=500, sampler=nuts_loops.loop_sampler)


def test_known_moments_are_those_of_finer_grids():
    for name, points in (("survival", 90), ("Gaussian process", 90), ("ordinal", 45)):
        posterior = POSTERIORS[name]
        assert posterior.mean(points) == pytest.approx(posterior.mean(), abs=1e-3)


# -- survival --------------------------------------------------------------------------------------

MODELS = {
    "Weibull": survival.Weibull(),
    "log-logistic": survival.LogLogistic(),
    "piecewise": survival.PiecewiseExponential(np.array([2.0, 5.0, 10.0])),
}


@pytest.mark.costly
@pytest.mark.parametrize("name", MODELS)
def test_derivatives_of_a_likelihood(name):
    model, data = MODELS[name], survival.patients(40)
    size = sum(model.shapes(3).values())
    at = 0.3 * np.random.default_rng(2).normal(size=size)
    loss = model._negative_log_likelihood
    gradient = lambda vector: ag.grad(loss)(vector, *data)
    expected = central(lambda vector: loss(vector, *data), at)
    np.testing.assert_allclose(gradient(at), expected, rtol=1e-6, atol=1e-8)
    hessian = ag.hessian(loss)(at, *data)
    np.testing.assert_allclose(hessian, central(gradient, at), rtol=1e-6, atol=1e-8)


def test_the_likelihood_of_weibull_in_closed_form():
    T, E, Ex = survival.patients(60)
    vector = np.array([1.5, -0.2, 0.4, 0.3])
    scale, shape = np.exp(Ex @ vector[:3]), np.exp(0.3)
    hazard = shape / scale * (T / scale) ** (shape - 1.0)
    expected = np.mean((T / scale) ** shape - E * np.log(hazard))
    assert MODELS["Weibull"]._negative_log_likelihood(vector, T, E, Ex) == pytest.approx(expected)


def test_rates_without_columns_are_deaths_by_time():
    """And the standard error of the logarithm of a rate is one by the root of the deaths."""
    T, E, _ = survival.patients(300)
    model = survival.PiecewiseExponential(np.array([3.0, 8.0])).fit(T, E, np.ones((300, 1)))
    edges = [0.0, 3.0, 8.0, np.inf]
    spent = [np.sum(np.clip(T, a, b) - a) for a, b in zip(edges, edges[1:])]
    deaths = [np.sum(E * (a < T) * (b >= T)) for a, b in zip(edges, edges[1:])]
    np.testing.assert_allclose(model.vector, np.log(np.divide(deaths, spent)), rtol=1e-7)
    np.testing.assert_allclose(model.standard_errors, 1.0 / np.sqrt(deaths), rtol=1e-7)


def test_what_made_the_patients_is_found():
    model = survival.Weibull().fit(*survival.patients(2000, seed=5))
    truth = np.append(survival.TRUE["scale"], np.log(survival.TRUE["shape"]))
    assert np.all(np.abs(model.vector - truth) < 3.5 * model.standard_errors)
    assert np.all(model.standard_errors < 0.06)
    chances = model.survival(np.array([0.0, 3.0, 9.0]), np.array([1.0, 0.0, 1.0]))
    assert chances[0] == 1.0 and np.all(np.diff(chances) < 0.0)


# -- doses -----------------------------------------------------------------------------------------

DOSES, DOSE_TIMES = np.array([200.0, 100.0, 50.0]), np.array([0.1, 5.0, 11.3])
SAMPLED = np.array([0.5, 0.9, 2.0, 5.2, 8.0, 11.0, 14.0, 20.0])
PARAMETERS = np.array([1.1, 5.0, 30.0, 4.0, 40.0, 0.63])


def test_one_compartment_is_bateman_s():
    """Without exchange: a sum of exponentials for each dose that has arrived."""
    absorption, clearance, volume, lag = 1.1, 5.0, 30.0, 0.63
    parameters = np.array([absorption, clearance, volume, 0.0, 40.0, lag])
    rate = clearance / volume
    expected = np.zeros(len(SAMPLED))
    for dose, at in zip(DOSES, DOSE_TIMES):
        since = np.maximum(SAMPLED - at - lag, 0.0)
        shape = np.exp(-rate * since) - np.exp(-absorption * since)
        expected += dose / volume * absorption / (absorption - rate) * shape
    args = (parameters, DOSES, DOSE_TIMES, SAMPLED)
    np.testing.assert_allclose(dosing.concentrations(*args), expected, atol=1e-5)
    np.testing.assert_allclose(ag.to_graph(dosing.concentrations)(*args), expected, atol=1e-5)


def test_nothing_is_lost():
    """What was swallowed is in the body or was cleared."""
    amounts = np.array([100.0, 20.0, 5.0])
    whole = dosing.advance(amounts, np.array([1.1, 0.0, 30.0, 4.0, 40.0, 0.0]), 3.0)
    assert np.sum(whole) == pytest.approx(125.0)
    assert dosing.advance(amounts, PARAMETERS, 0.0).tolist() == amounts.tolist()


@pytest.mark.slow
def test_derivatives_by_parameters_and_times_of_doses():
    f = lambda parameters, at: dosing.concentrations(parameters, DOSES, at, SAMPLED)
    by_parameters = central(lambda p: f(p, DOSE_TIMES), PARAMETERS)
    by_times = central(lambda at: f(PARAMETERS, at), DOSE_TIMES)
    assert np.max(np.abs(by_times)) > 1.0
    for jacobian in (ag.jacfwd, ag.jacrev):
        found = jacobian(f, argnums=(0, 1))(PARAMETERS, DOSE_TIMES)
        np.testing.assert_allclose(found[0], by_parameters, atol=1e-7)
        np.testing.assert_allclose(found[1], by_times, atol=1e-7)


@pytest.mark.slow
def test_second_derivatives_by_the_lag():
    def loss(lag):
        parameters = np.concatenate([PARAMETERS[:5], lag])
        return np.sum(dosing.concentrations(parameters, DOSES, DOSE_TIMES, SAMPLED) ** 2)

    lag = PARAMETERS[5:]
    expected = central(ag.grad(loss), lag)
    np.testing.assert_allclose(ag.hessian(loss)(lag), expected, rtol=1e-6)


def test_the_patient_is_found():
    doses, dose_times, times, seen = dosing.patient()
    exact = dosing.concentrations(dosing.TRUE, doses, dose_times, times)
    found, _, _ = dosing.fit(1.3 * dosing.TRUE, exact, doses, dose_times, times)
    np.testing.assert_allclose(found, dosing.TRUE, rtol=1e-5)
    found, errors, _ = dosing.fit(1.3 * dosing.TRUE, seen, doses, dose_times, times)
    assert np.all(np.abs(np.log(found / dosing.TRUE)) < 3.0 * errors)
    assert np.all(errors < 0.15)


def test_a_better_schedule():
    start, later = np.array([0.0, 5.0, 10.0]), np.linspace(6.0, 30.0, 25)
    before = dosing.deviation(start, PARAMETERS, DOSES, 2.0, later)
    best, value = dosing.schedule(start, PARAMETERS, DOSES, 2.0, later, steps=60)
    assert value < 0.8 * before and np.all(np.diff(best) > 0.0) and best[0] >= 0.0
    assert value == pytest.approx(dosing.deviation(best, PARAMETERS, DOSES, 2.0, later))


# -- model predictive control ----------------------------------------------------------------------


def some_plan(seed=0):
    return mpc.swing() + 0.3 * np.random.default_rng(seed).normal(size=5 * mpc.HORIZON)


def test_a_cart_without_force_keeps_its_energy():
    def energy(state):
        _, angle, speed, turning = state
        along = speed + mpc.LENGTH * turning * np.cos(angle)
        upwards = -mpc.LENGTH * turning * np.sin(angle)
        spin = mpc.POLE * mpc.LENGTH**2 / 3.0 * turning**2  # a rod, around its middle
        moving = mpc.CART * speed**2 + mpc.POLE * (along**2 + upwards**2) + spin
        return 0.5 * moving + mpc.POLE * mpc.GRAVITY * mpc.LENGTH * np.cos(angle)

    state = np.array([0.0, 1.0, 0.5, -1.0])
    before = energy(state)
    for _ in range(40):
        state = mpc.motion(state, 0.0)
    assert energy(state) == pytest.approx(before, abs=1e-3)


def test_sparse_derivatives_of_the_equations():
    plan = some_plan()
    found = mpc.by_plan(plan, mpc.HANGING)
    dense = ag.jacfwd(mpc.defects)(plan, mpc.HANGING)
    assert found.nnz == 20 + 36 * (mpc.HORIZON - 1)
    np.testing.assert_allclose(found.toarray(), dense, atol=1e-12)
    expected = central(lambda plan: mpc.defects(plan, mpc.HANGING), plan)
    np.testing.assert_allclose(dense, expected, atol=1e-7)


def test_riccati_s_recursion_solves_the_quadratic_problem():
    plan = some_plan()
    step, along, largest = mpc.newton_step(plan, mpc.HANGING)
    by_plan, gaps = ag.jacfwd(mpc.defects)(plan, mpc.HANGING), mpc.defects(plan, mpc.HANGING)
    slopes, r = ag.jacfwd(mpc.residuals)(plan), mpc.residuals(plan)
    corner = np.zeros((len(gaps), len(gaps)))
    whole = np.block([[slopes.T @ slopes, by_plan.T], [by_plan, corner]])
    solved = np.linalg.solve(whole, -np.concatenate([slopes.T @ r, gaps]))
    np.testing.assert_allclose(step, solved[: len(plan)], atol=1e-9)
    assert along == pytest.approx((slopes.T @ r) @ step)
    assert largest == pytest.approx(np.max(np.abs(solved[len(plan) :])))


@pytest.mark.slow
def test_a_plan_is_the_best_nearby():
    """It keeps the equations of motion, and no direction that does so is better."""
    plan, made = mpc.solve(mpc.swing(), mpc.HANGING, 200)
    assert made < 200 and np.max(np.abs(mpc.defects(plan, mpc.HANGING))) < 1e-9
    by_plan = ag.jacfwd(mpc.defects)(plan, mpc.HANGING)
    slope = ag.grad(lambda plan: 0.5 * np.sum(mpc.residuals(plan) ** 2))(plan)
    multipliers = np.linalg.lstsq(by_plan.T, -slope, rcond=None)[0]
    np.testing.assert_allclose(slope + by_plan.T @ multipliers, 0.0, atol=1e-4)


def test_the_pole_is_swung_up_and_held():
    states, forces, _, counts = mpc.control(110, push_at=60)
    off = np.abs(np.sin(0.5 * states[:, 1]))
    assert np.max(off[45:61]) < 0.1 < off[0]  # before the push
    assert np.max(off[61:70]) > 1.5 * np.max(off[55:61])
    assert np.max(off[100:]) < 0.05
    assert np.max(np.abs(forces)) < mpc.MOST_FORCE + 0.5
    assert max(counts) < 200 and np.median(counts) < 8
