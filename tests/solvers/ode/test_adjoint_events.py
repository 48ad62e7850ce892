"""Events and dense output of `ag.odeint(..., gradient="adjoint")`, beside exact answers and the
derivative of the steps."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import ConvergenceError
from autograph.solvers.ode.adjoint import rate_of
from samples.events import GRAVITY
from samples.events import ball as exact_ball

EXACT = {"gradient": "adjoint", "rtol": 1e-10, "atol": 1e-10}
BY_ALL = (0, 1, 2)
BOTH_MODES = pytest.mark.parametrize("mode", [ag.grad, ag.jacfwd])
# Forward mode compiles as long again.
EACH_MODE = pytest.mark.parametrize(
    "mode", [ag.grad, pytest.param(ag.jacfwd, marks=pytest.mark.slow)]
)


def bouncing(height, restitution, end, **options):
    bounce = ag.Event(
        lambda y, t: y["place"],
        direction=-1,
        jump=lambda y, t: {"place": 0.0 * y["place"], "speed": -restitution * y["speed"]},
    )
    fall = lambda y, t: {"place": y["speed"], "speed": -GRAVITY + 0.0 * t}
    start = {"place": height, "speed": 0.0 * height}
    times = np.stack([0.0 * end, 0.5 * end, end])
    return ag.odeint(fall, start, times, events=bounce, max_events=6, **{**EXACT, **options})


BALL = (1.0, 0.8, 2.0)


@pytest.mark.slow
@BOTH_MODES
def test_a_ball_after_three_bounces(mode):
    def places(*args):
        found = bouncing(*args)
        return found.y["place"] + 2.0 * found.ys["place"][1]

    def exactly(height, restitution, end):
        args = height, restitution
        return exact_ball(*args, end) + 2.0 * exact_ball(*args, 0.5 * end)

    found, wanted = mode(places, argnums=BY_ALL)(*BALL), ag.grad(exactly, argnums=BY_ALL)(*BALL)
    np.testing.assert_allclose(found, wanted, rtol=1e-9)


@pytest.mark.slow
@EACH_MODE
def test_the_times_of_bounces_and_the_speeds_there(mode):
    def happened(*args):
        events = bouncing(*args).events
        return events.times[2] + 2.0 * events.states["speed"][1]

    def exactly(height, restitution, end):
        first = np.sqrt(2.0 * height / GRAVITY)
        third = first * (1.0 + 2.0 * (restitution + restitution**2))
        return third - 2.0 * GRAVITY * first * restitution + 0.0 * end

    found, wanted = mode(happened, argnums=BY_ALL)(*BALL), ag.grad(exactly, argnums=BY_ALL)(*BALL)
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    "second",
    [ag.hessian, lambda f: ag.jacrev(ag.grad(f)), lambda f: ag.jacfwd(ag.jacfwd(f))],
    ids=["forward over reverse", "reverse over reverse", "forward over forward"],
)
def test_second_derivatives_through_bounces(second):
    at = np.array(BALL)
    found = second(lambda p: bouncing(p[0], p[1], p[2]).y["place"])(at)
    wanted = ag.hessian(lambda p: exact_ball(p[0], p[1], p[2]))(at)
    np.testing.assert_allclose(found, wanted, rtol=1e-7, atol=1e-7)


@pytest.mark.slow
@EACH_MODE
def test_lanes_with_as_many_bounces_as_each_has(mode):
    heights = np.array([0.5, 1.0, 2.0])
    place = lambda height: bouncing(height, 0.8, 2.0).y["place"]
    wanted = ag.vmap(ag.grad(lambda height: exact_ball(height, 0.8, 2.0)))(heights)
    np.testing.assert_allclose(ag.vmap(mode(place))(heights), wanted, rtol=1e-8)


def stopped(rate, start, level):
    """When something that decays comes to a level, and the states until then and afterwards."""
    stop = ag.Event(lambda y, t: y - level, terminal=True)
    times = [0.0, 1.0, 9.0]
    found = ag.odeint(lambda y, t: -rate * y, start, times, events=stop, **EXACT)
    return found.t + np.sum(found.ys * np.array([1.0, 2.0, 3.0])) + found.y


def exactly_stopped(rate, start, level):
    return np.log(start / level) / rate + start + 2.0 * start * np.exp(-rate) + 4.0 * level


DECAY = (1.5, 1.0, 0.1)


@pytest.mark.slow
@EACH_MODE
def test_a_decay_that_ends_at_a_level(mode):
    wanted = ag.grad(exactly_stopped, argnums=BY_ALL)(*DECAY)
    np.testing.assert_allclose(mode(stopped, argnums=BY_ALL)(*DECAY), wanted, rtol=1e-7)


@pytest.mark.slow
def test_second_derivatives_of_a_decay_that_ends_at_a_level():
    at = np.array(DECAY)
    functions = (lambda p: f(p[0], p[1], p[2]) for f in (stopped, exactly_stopped))
    found, wanted = (ag.hessian(function)(at) for function in functions)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
    ag.check_grads(stopped, DECAY, order=2, rtol=1e-3, atol=1e-4)


@pytest.mark.slow
@EACH_MODE
def test_the_third_spike_of_a_neuron(mode):
    def spike(current, leak, threshold):
        fire = ag.Event(lambda v, t: v - threshold, direction=1, jump=lambda v, t: 0.0 * v)
        membrane = lambda v, t: current - leak * v
        return ag.odeint(
            membrane, 0.0, [0.0, 5.0], events=fire, max_events=9, **EXACT
        ).events.times[2]

    exactly = lambda current, leak, threshold: (
        3.0 * np.log(current / (current - leak * threshold)) / leak
    )
    args = 1.5, 1.0, 0.9
    wanted = ag.grad(exactly, argnums=BY_ALL)(*args)
    np.testing.assert_allclose(mode(spike, argnums=BY_ALL)(*args), wanted, rtol=1e-7)


@pytest.mark.slow
@EACH_MODE
def test_doses_at_a_time_and_at_a_level(mode):
    """A jump that depends on time and parameters, and an event that changes nothing."""

    def level(dose, time, rate):
        give = ag.Event(lambda y, t: t - time, jump=lambda y, t: y + dose * (1.0 + t))
        seen = ag.Event(lambda y, t: y - 0.6)
        run = ag.odeint(lambda y, t: -rate * y, 1.0, [0.0, 2.0], events=[seen, give], **EXACT)
        return run.y + run.events.times[0]

    def exactly(dose, time, rate):
        late = dose * (1.0 + time) * np.exp(-rate * (2.0 - time))
        return np.exp(-2.0 * rate) + late - np.log(0.6) / rate

    args = (0.5, 0.7, 1.3)
    wanted = ag.grad(exactly, argnums=BY_ALL)(*args)
    np.testing.assert_allclose(mode(level, argnums=BY_ALL)(*args), wanted, rtol=1e-7)


@pytest.mark.slow
@EACH_MODE
def test_backwards_in_time(mode):
    def grown(rate, level, start):
        reset = ag.Event(lambda y, t: y - level, jump=lambda y, t: 0.5 * y)
        return ag.odeint(lambda y, t: -rate * y, start, [0.0, -2.0], events=reset, **EXACT).y

    exactly = lambda rate, level, start: 0.5 * start * np.exp(2.0 * rate) + 0.0 * level
    args = (0.5, 2.0, 1.0)
    wanted = ag.grad(exactly, argnums=BY_ALL)(*args)
    np.testing.assert_allclose(mode(grown, argnums=BY_ALL)(*args), wanted, rtol=1e-8, atol=1e-8)


@pytest.mark.slow
def test_a_guard_that_is_flat_where_it_is_zero_has_a_derivative_without_bounds():
    def touching(level):
        top = ag.Event(lambda y, t: y - level, direction=1, terminal=True)
        change = lambda y, t: 3.0 * (t - 1.0) ** 2
        return ag.odeint(change, -1.0, [0.0, 1.5], events=top, gradient="adjoint").t

    assert ag.grad(touching)(0.0) > 1e4
    with pytest.raises(ConvergenceError, match=r"at the time 1\.0 is flat there"):
        rate_of(0.0, 1.0)


# -- dense output ----------------------------------------------------------------------------------

AT = np.array([0.1, 0.7, 1.3])


def curve(rate, start, end, **options):
    """A logistic curve between the times, and at the last one."""
    change = lambda y, t: rate * y * (1.0 - y)
    times = np.stack([0.0 * end, end])
    run = ag.odeint(change, start, times, dense=True, max_steps=100, **{**EXACT, **options})
    return np.sum(run.between(AT) ** 2) + run.ys[1]


def exact_curve(rate, start, end):
    at = lambda t: start / (start + (1.0 - start) * np.exp(-rate * t))
    return np.sum(at(AT) ** 2) + at(end)


LOGISTIC = (1.1, 0.2, 2.0)


@pytest.mark.slow
@EACH_MODE
def test_between_the_times(mode):
    wanted = ag.grad(exact_curve, argnums=BY_ALL)(*LOGISTIC)
    np.testing.assert_allclose(mode(curve, argnums=BY_ALL)(*LOGISTIC), wanted, rtol=1e-7)
    np.testing.assert_allclose(curve(*LOGISTIC), exact_curve(*LOGISTIC), rtol=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["tsit5", "bosh3", "rk4", "rodas4"])
def test_between_the_times_by_other_methods(method):
    options = {"method": method, "rtol": 1e-6, "atol": 1e-6}
    if method == "rk4":
        options["step"] = 0.05
    wanted = ag.grad(exact_curve, argnums=BY_ALL)(*LOGISTIC)
    found = ag.grad(lambda *args: curve(*args, **options), argnums=BY_ALL)(*LOGISTIC)
    np.testing.assert_allclose(found, wanted, rtol=1e-4)


@pytest.mark.slow
def test_second_derivatives_between_the_times():
    at = np.array(LOGISTIC)
    functions = (lambda p: f(p[0], p[1], p[2]) for f in (curve, exact_curve))
    found, wanted = (ag.hessian(function)(at) for function in functions)
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-6)


@pytest.mark.slow
@EACH_MODE
def test_the_time_between_the_times(mode):
    def state(rate, t):
        change = lambda y, t: -rate * y
        return ag.odeint(change, 1.0, [0.0, 2.0], dense=True, max_steps=50, **EXACT).between(t)

    found = mode(state, argnums=(0, 1))(0.8, 1.1)
    value = np.exp(-0.8 * 1.1)
    np.testing.assert_allclose(found, [-1.1 * value, -0.8 * value], rtol=1e-6)


@pytest.mark.slow
@EACH_MODE
def test_between_bounces(mode):
    """The state as a function of time on both sides of events, in lanes."""
    at = np.array([0.3, 0.9, 1.4, 1.9])

    def places(height):
        found = bouncing(height, 0.8, 2.0, dense=True, max_steps=40)
        return np.sum(found.between(at)["place"] * np.arange(1.0, 5.0))

    def exactly(height):
        found = [(i + 1.0) * exact_ball(height, 0.8, t) for i, t in enumerate(at.tolist())]
        return found[0] + found[1] + found[2] + found[3]

    heights = np.array([0.7, 1.0])
    wanted = ag.vmap(ag.grad(exactly))(heights)
    np.testing.assert_allclose(ag.vmap(mode(places))(heights), wanted, rtol=1e-6)


@pytest.mark.slow
@EACH_MODE
def test_between_the_times_until_an_event_ends_it(mode):
    def seen(rate, level):
        stop = ag.Event(lambda y, t: y - level, terminal=True)
        options = {"events": stop, "dense": True, "max_steps": 60, **EXACT}
        run = ag.odeint(lambda y, t: -rate * y, 1.0, [0.0, 9.0], **options)
        return run.between(0.5) + run.t

    wanted = [-0.5 * np.exp(-0.75) + np.log(0.1) / 1.5**2, -1.0 / 0.15]
    np.testing.assert_allclose(mode(seen, argnums=(0, 1))(1.5, 0.1), wanted, rtol=1e-7)


# -- flags -----------------------------------------------------------------------------------------


@pytest.mark.slow
@EACH_MODE
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_lanes_that_come_to_no_end_have_no_derivative(mode):
    def explosion(start):
        found = ag.odeint(
            lambda y, t: y * y, start, [0.0, 1.5], gradient="adjoint", info=True, max_steps=500
        )
        return found.y

    found = ag.vmap(mode(explosion))(np.array([0.5, 1.0]))
    assert found[0] == pytest.approx(1.0 / (1.0 - 0.5 * 1.5) ** 2, rel=1e-5)
    assert np.isnan(found[1])
