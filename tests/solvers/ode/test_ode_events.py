"""Events of `ag.odeint`: when they happen, what the state is then, and how both depend on what
they are made of, beside exact answers."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import IntegrationError
from samples.events import GRAVITY
from samples.events import ball as exact_ball

reference = pytest.importorskip("scipy.integrate")


def fall(y, t):
    return np.stack([y[1], -GRAVITY + 0.0 * y[0]])


def bouncing(height, restitution, end, **options):
    bounce = ag.Event(
        lambda y, t: y[0],
        direction=-1,
        jump=lambda y, t: np.stack([0.0 * y[0], -restitution * y[1]]),
    )
    start = np.stack([height, 0.0 * height])
    return ag.odeint(fall, start, np.stack([0.0 * end, end]), events=bounce, **options)


def ball(height, restitution, end):
    return bouncing(height, restitution, end, max_events=20).y[0]


ARGS = (1.0, 0.8, 2.0)
BY_ALL = (0, 1, 2)


def test_a_ball_that_bounces():
    found = bouncing(*ARGS, max_events=5)
    first = np.sqrt(2.0 / GRAVITY)
    wanted = first * np.array([1.0, 1.0 + 2.0 * 0.8, 1.0 + 2.0 * (0.8 + 0.64)])
    assert found.events.count == 3
    np.testing.assert_allclose(found.events.times, [*wanted, np.nan, np.nan], rtol=1e-12)
    np.testing.assert_array_equal(found.events.which, [0, 0, 0, -1, -1])
    speed = GRAVITY * first
    before = -speed * np.array([1.0, 0.8, 0.64])
    np.testing.assert_allclose(found.events.states[:3, 1], before, rtol=1e-12)
    assert found.ending == -1
    assert found.t == 2.0
    assert found.y[0] == pytest.approx(exact_ball(*ARGS), rel=1e-12)


@pytest.mark.slow
def test_derivatives_through_bounces():
    wanted = ag.grad(exact_ball, argnums=BY_ALL)(*ARGS)
    np.testing.assert_allclose(ag.grad(ball, argnums=BY_ALL)(*ARGS), wanted, rtol=1e-10)
    forward = ag.jvp(ball, ARGS, (1.0, 1.0, 1.0))[1]
    assert forward == pytest.approx(sum(wanted), rel=1e-10)


@pytest.mark.slow
def test_second_derivatives_through_bounces():
    at = np.array(ARGS)
    found, wanted = (ag.hessian(lambda p: f(p[0], p[1], p[2]))(at) for f in (ball, exact_ball))
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)


@pytest.mark.slow
def test_the_time_of_a_bounce_depends_on_the_height():
    """``dt/dh`` of the k-th bounce, from its exact time."""
    time = lambda height: bouncing(height, 0.8, 2.0, max_events=3).events.times
    factors = np.array([1.0, 1.0 + 2.0 * 0.8, 1.0 + 2.0 * (0.8 + 0.64)])
    wanted = factors * np.sqrt(2.0 / GRAVITY) * 0.5
    np.testing.assert_allclose(ag.jacfwd(time)(1.0), wanted, rtol=1e-10)
    np.testing.assert_allclose(ag.jacrev(time)(1.0), wanted, rtol=1e-10)


@pytest.mark.slow
def test_before_at_and_after_a_bounce():
    bounce = np.sqrt(2.0 / GRAVITY)
    slope = ag.grad(ball, argnums=(0, 2))
    for end in (0.9 * bounce, 1.1 * bounce, 3.0 * bounce):
        wanted = ag.grad(exact_ball, argnums=(0, 2))(1.0, 0.8, end)
        np.testing.assert_allclose(slope(1.0, 0.8, end), wanted, rtol=1e-9)
    # At the bounce itself the derivative is that from one of the sides.
    sides = [
        ag.grad(exact_ball, argnums=(0, 2))(1.0, 0.8, bounce * (1.0 + d)) for d in (-1e-9, 1e-9)
    ]
    found = slope(1.0, 0.8, bounce)
    assert any(np.allclose(found, side, rtol=1e-6) for side in sides)


@pytest.mark.slow
def test_in_lanes_each_has_its_own_events():
    heights = np.linspace(0.5, 2.0, 5)
    found = ag.vmap(lambda h: bouncing(h, 0.8, 2.0, max_events=20).events.count)(heights)
    assert len(set(found)) > 2
    for function in (lambda h: ball(h, 0.8, 2.0), ag.grad(lambda h: ball(h, 0.8, 2.0))):
        wanted = [function(h) for h in heights]
        np.testing.assert_allclose(ag.vmap(function)(heights), wanted, rtol=1e-9)


@pytest.mark.costly
@pytest.mark.parametrize("run", [lambda f: f, ag.to_graph, ag.grad, lambda f: ag.vmap(f)])
def test_bounces_that_accumulate_are_an_error_with_the_line(run):
    function = lambda height: bouncing(height, 0.5, 10.0).y[0]
    compiled = run(function)
    height = 1.0 if run in (ag.to_graph, ag.grad) or compiled is function else np.ones(2)
    with pytest.raises(IntegrationError, match=r"AG0570.*100 events until the time 1.35") as raised:
        compiled(height)
    if compiled is not function:
        notes = "\n".join(getattr(raised.value, "__notes__", ()))
        assert "return ag.odeint(fall" in notes + str(raised.value.__cause__)


# -- terminal events -------------------------------------------------------------------------------


def landing(height, speed):
    """Where and when a ball that is thrown up comes down, against the friction of air."""
    ground = ag.Event(lambda y, t: y[0], direction=-1, terminal=True)
    drag = lambda y, t: np.stack([y[1], -GRAVITY - 0.1 * y[1] * np.abs(y[1])])
    return ag.odeint(
        *(drag, np.stack([height, speed]), np.linspace(0.0, 9.0, 4)),
        events=ground,
        rtol=1e-10,
        atol=1e-10,
    )


def test_a_terminal_event_is_that_of_scipy():
    ground = lambda t, y: y[0]
    ground.terminal, ground.direction = True, -1
    wanted = reference.solve_ivp(
        lambda t, y: [y[1], -GRAVITY - 0.1 * y[1] * abs(y[1])],
        *((0.0, 9.0), [0.0, 5.0]),
        events=ground,
        rtol=1e-11,
        atol=1e-12,
    )
    for function in (landing, ag.to_graph(landing)):
        found = function(0.0, 5.0)  # the guard is zero where it begins
        assert found.t == pytest.approx(wanted.t_events[0][0], rel=1e-8)
        assert found.y[1] == pytest.approx(wanted.y_events[0][0][1], rel=1e-8)
        assert found.ending == 0
        assert found.converged
        # After it the state is that at the event.
        np.testing.assert_array_equal(found.ys[1:], np.stack([found.y] * 3))


@pytest.mark.slow
def test_derivatives_of_the_time_of_a_terminal_event_and_of_the_state_there():
    """``dt = -dg / (dg/dt)`` along the trajectory, and the state moves on with it."""
    when = lambda height: landing(height, 5.0).t
    where = lambda height: landing(height, 5.0).y[1]
    for function in (when, where):
        ag.check_grads(function, (1.0,), order=2, rtol=1e-3, atol=1e-5)
    without = lambda height, end: ag.odeint(
        lambda y, t: np.stack([y[1], -GRAVITY - 0.1 * y[1] * np.abs(y[1])]),
        *(np.stack([height, 5.0]), np.stack([0.0, end])),
        rtol=1e-10,
        atol=1e-10,
    )[-1]
    end = ag.to_graph(when)(1.0)
    by_height, by_time = ag.jacfwd(without, argnums=(0, 1))(1.0, end)
    moved = -by_height[0] / by_time[0]
    assert ag.grad(when)(1.0) == pytest.approx(moved, rel=1e-6)
    assert ag.grad(where)(1.0) == pytest.approx(by_height[1] + by_time[1] * moved, rel=1e-6)


def test_an_event_that_never_comes():
    never = ag.Event(lambda y, t: y + 1.0, terminal=True)
    found = ag.odeint(lambda y, t: -y, 1.0, [0.0, 2.0], events=never)
    assert (found.events.count, found.ending, found.t) == (0, -1, 2.0)
    assert np.all(np.isnan(found.events.times))
    slope = ag.grad(lambda y: ag.odeint(lambda y, t: -y, y, [0.0, 2.0], events=never).y)(1.0)
    assert slope == pytest.approx(np.exp(-2.0), rel=1e-6)


def test_directions():
    wave = lambda y, t: np.cos(t)
    for direction, wanted in ((0, [1, 2, 3]), (1, [2]), (-1, [1, 3])):
        event = ag.Event(lambda y, t: y, direction=direction)
        found = ag.odeint(wave, 0.0, [0.0, 10.0], events=event, hmax=1.0, max_events=4)
        times = np.pi * np.array(wanted)
        assert found.events.count == len(wanted)
        np.testing.assert_allclose(found.events.times[: len(wanted)], times, rtol=1e-7)
    backwards = ag.odeint(
        *(wave, 0.0, [0.0, -4.0]), events=ag.Event(lambda y, t: y, direction=1), hmax=1.0
    )
    assert backwards.events.times[0] == pytest.approx(-np.pi, rel=1e-7)


# -- several events --------------------------------------------------------------------------------


@pytest.mark.slow
def test_several_events_in_their_order():
    def heating(loss, end):
        """A thermostat: the temperature, and whether it heats."""
        change = lambda y, t: np.stack([10.0 * y[1] - loss * y[0], 0.0 * y[1]])
        low = ag.Event(
            lambda y, t: y[0] - 18.0, direction=-1, jump=lambda y, t: np.stack([y[0], 1.0])
        )
        high = ag.Event(
            lambda y, t: y[0] - 21.0, direction=1, jump=lambda y, t: np.stack([y[0], 0.0])
        )
        start = np.array([21.0, 0.0])
        return ag.odeint(change, start, [0.0, end], events=[low, high], max_events=20)

    loss, end = 0.3, 6.0
    cool = np.log(21.0 / 18.0) / loss
    heat = np.log((10.0 / loss - 18.0) / (10.0 / loss - 21.0)) / loss
    found = ag.to_graph(lambda loss: heating(loss, end))(loss)
    wanted = np.cumsum([cool, heat] * 6)
    wanted = wanted[wanted < end]
    assert found.events.count == len(wanted)
    np.testing.assert_allclose(found.events.times[: len(wanted)], wanted, rtol=1e-6)
    np.testing.assert_array_equal(found.events.which[:4], [0, 1, 0, 1])
    ag.check_grads(lambda loss: heating(loss, 5.0).y[0], (loss,), order=1, rtol=1e-4)


def test_events_at_the_same_time_happen_in_the_order_of_the_list():
    line = lambda y, t: np.ones_like(y)
    double = ag.Event(lambda y, t: y[0] - 1.0, direction=1, jump=lambda y, t: 2.0 * y)
    add = ag.Event(lambda y, t: t - 1.0, jump=lambda y, t: y + 10.0)
    start, times = np.zeros(1), [0.0, 1.5]
    for events, wanted in (([double, add], 12.5), ([add, double], 22.5)):
        found = ag.odeint(line, start, times, events=events)
        assert found.events.count == 2
        assert found.y[0] == pytest.approx(wanted)


@pytest.mark.costly
@pytest.mark.parametrize("gradient", ["steps", pytest.param("adjoint", marks=pytest.mark.slow)])
@pytest.mark.parametrize("mode", [ag.jacfwd, ag.jacrev])
def test_events_at_the_same_time_move_by_themselves(gradient, mode):
    """Two balls that know nothing of each other, and come down at once."""

    def places(heights):
        lands = lambda i: ag.Event(
            lambda y, t: y[i],
            direction=-1,
            jump=lambda y, t: y * np.array([1.0, 1.0, -0.8 if i == 0 else 1.0, -0.5 if i else 1.0]),
        )
        fall = lambda y, t: np.stack([y[2], y[3], -GRAVITY + 0.0 * t, -GRAVITY + 0.0 * t])
        start, times = np.stack([heights[0], heights[1], 0.0, 0.0]), [0.0, 0.7]
        events = [lands(0), lands(1)]
        return ag.odeint(fall, start, times, events=events, gradient=gradient).y[:2]

    slopes = [ag.grad(exact_ball)(1.0, restitution, 0.7) for restitution in (0.8, 0.5)]
    found = mode(places)(np.ones(2))
    np.testing.assert_allclose(found, np.diag(slopes), rtol=1e-9, atol=1e-9)


def test_a_dose_at_a_time():
    """The saltation of an event at a fixed time: the jump alone."""

    def level(dose, time, rate):
        give = ag.Event(lambda y, t: t - time, jump=lambda y, t: y + dose)
        return ag.odeint(lambda y, t: -rate * y, 1.0, [0.0, 2.0], events=give).y

    exact = lambda dose, time, rate: np.exp(-2.0 * rate) + dose * np.exp(-rate * (2.0 - time))
    args = (0.5, 0.7, 1.3)
    assert level(*args) == pytest.approx(exact(*args), rel=1e-7)
    found, wanted = (ag.grad(f, argnums=BY_ALL)(*args) for f in (level, exact))
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.slow
def test_another_law_of_motion():
    """A vector field that is another one behind a line: the derivative jumps there."""

    def place(start, slow):
        line = ag.Event(lambda y, t: y[0], direction=1, jump=lambda y, t: np.stack([y[0], slow]))
        change = lambda y, t: np.stack([y[1], 0.0 * y[1]])
        return ag.odeint(change, np.stack([start, 1.0]), [0.0, 2.0], events=line).y[0]

    assert place(-1.0, 0.3) == pytest.approx(0.3)
    np.testing.assert_allclose(ag.grad(place, argnums=(0, 1))(-1.0, 0.3), [0.3, 1.0], rtol=1e-9)


@pytest.mark.slow
def test_spikes():
    def last(current, leak):
        """When a leaky neuron fires for the third time."""
        fire = ag.Event(lambda v, t: v - 1.0, direction=1, jump=lambda v, t: 0.0 * v)
        run = ag.odeint(lambda v, t: current - leak * v, 0.0, [0.0, 5.0], events=fire, max_events=9)
        return run.events.times[2]

    exact = lambda current, leak: 3.0 * np.log(current / (current - leak)) / leak
    args = (1.5, 1.0)
    assert last(*args) == pytest.approx(exact(*args), rel=1e-7)
    found, wanted = (ag.grad(f, argnums=(0, 1))(*args) for f in (last, exact))
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.slow
def test_a_guard_that_is_flat_where_it_is_zero_has_a_derivative_without_bounds():
    def touching(level):
        top = ag.Event(lambda y, t: y - level, direction=1, terminal=True)
        return ag.odeint(lambda y, t: 3.0 * (t - 1.0) ** 2, -1.0, [0.0, 1.5], events=top).t

    assert ag.to_graph(touching)(0.0) == pytest.approx(1.0, abs=1e-4)
    assert ag.grad(touching)(0.0) > 1e4


@pytest.mark.slow
def test_events_of_stiff_systems():
    """When the solution of van der Pol's equation crosses zero."""

    def crossing(mu):
        zero = ag.Event(lambda y, t: y[0], terminal=True)
        change = lambda y, t: np.stack([y[1], mu * (1.0 - y[0] ** 2) * y[1] - y[0]])
        return ag.odeint(
            *(change, np.array([2.0, 0.0]), [0.0, 200.0]),
            events=zero,
            method="rodas4",
            rtol=1e-8,
            atol=1e-8,
        ).t

    hit = lambda t, y: y[0]
    hit.terminal = True
    change = lambda t, y: [y[1], 100.0 * (1.0 - y[0] ** 2) * y[1] - y[0]]
    wanted = reference.solve_ivp(
        change, (0, 200), [2.0, 0.0], "Radau", events=hit, rtol=1e-10, atol=1e-10
    ).t_events[0][0]
    compiled = ag.to_graph(crossing)
    assert compiled(100.0) == pytest.approx(wanted, rel=1e-7)
    slope = (compiled(100.1) - compiled(99.9)) / 0.2
    assert ag.jvp(crossing, (100.0,), (1.0,))[1] == pytest.approx(slope, rel=1e-4)
