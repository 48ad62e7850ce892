"""Trajectories with events: what they depend on, to second order, beside exact answers."""

import numpy as np
import pytest

import autograph as ag
from samples import events
from samples.events import CASES, GRAVITY
from tests.support.processes import file_of, printed


def ball(height, restitution, end):
    """In closed form, with the number of bounces counted outside."""
    first = np.sqrt(2.0 * height / GRAVITY)
    speed = restitution * np.sqrt(2.0 * height * GRAVITY)
    t = first
    while t + 2.0 * speed / GRAVITY < end:
        t = t + 2.0 * speed / GRAVITY
        speed = restitution * speed
    s = end - t
    return speed * s - 0.5 * GRAVITY * s * s if end > first else height - 0.5 * GRAVITY * end**2


def leaving_angle(speed, radius):
    return np.arccos((2.0 + speed**2 / (GRAVITY * radius)) / 3.0)


def heating_time(loss, power, low, high, end):
    rest = power / loss
    cool = np.log(high / low) / loss
    heat = np.log((rest - low) / (rest - high)) / loss
    whole = np.floor(end / ag.stop_gradient(cool + heat))
    left = end - whole * (cool + heat)
    return whole * heat + np.maximum(0.0, np.minimum(heat, left - cool))


def spike(current, leak, threshold):
    return 3.0 * np.log(current / (current - leak * threshold)) / leak


def across(start, slow, end):
    return slow * (end + start)


def hopper(height, stiffness, end):
    """After the first stance: its duration is known, and the speed is the same as before."""
    fall = np.sqrt(2.0 * (height - 1.0) / GRAVITY)
    speed = GRAVITY * fall
    frequency = np.sqrt(stiffness)
    stance = 2.0 * (np.pi - np.arctan(speed * frequency / GRAVITY)) / frequency
    t = fall + stance
    while t + 2.0 * fall + stance < end:
        t = t + 2.0 * fall + stance
    s = end - t
    return 1.0 + speed * s - 0.5 * GRAVITY * s * s


def slip(stiffness, static, kinetic, speed, end):
    """While it slides for the first time."""
    frequency, rest = np.sqrt(stiffness), kinetic / stiffness
    start = static / stiffness
    s = frequency * (end - start / speed)
    return rest + (start - rest) * np.cos(s) + speed / frequency * np.sin(s)


EXACT = {
    "ball": ball,
    "ball by search": ball,
    "leaving angle": leaving_angle,
    "hopper": hopper,
    "heating time": heating_time,
    "spike": spike,
    "across": across,
}
# The steps of Runge and Kutta leave an error.
RTOL = {"leaving angle": 1e-7}


def gradients(function, args):
    return ag.value_and_grad(function, argnums=tuple(range(len(args))))(*args)


@pytest.mark.slow
@pytest.mark.costly
@pytest.mark.parametrize("name", EXACT)
def test_values_and_first_derivatives(name):
    function, args = CASES[name]
    found, wanted = gradients(function, args), gradients(EXACT[name], args)
    rtol = RTOL.get(name, 1e-9)
    np.testing.assert_allclose(found[0], wanted[0], rtol=rtol)
    np.testing.assert_allclose(found[1], wanted[1], rtol=20 * rtol, atol=20 * rtol)
    forward = ag.jvp(function, args, (1.0,) * len(args))[1]
    assert forward == pytest.approx(sum(wanted[1]), rel=20 * rtol, abs=20 * rtol)


@pytest.mark.costly
@pytest.mark.parametrize("name", EXACT)
def test_second_derivatives(name):
    function, args = CASES[name]
    joined = lambda function: lambda p: function(*(p[i] for i in range(len(args))))
    at = np.array(args)
    found, wanted = (ag.hessian(joined(f))(at) for f in (function, EXACT[name]))
    rtol = 100 * RTOL.get(name, 1e-9)
    np.testing.assert_allclose(found, wanted, rtol=rtol, atol=rtol * np.max(np.abs(wanted)))


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_beside_differences(name):
    function, args = CASES[name]
    ag.check_grads(function, args, order=2, rtol=1e-3, atol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_in_lanes(name):
    function, args = CASES[name]
    first = args[0] * np.linspace(0.98, 1.02, 5)
    for wanted in (function, ag.grad(function)):
        found = ag.vmap(lambda x: wanted(x, *args[1:]))(first)
        expected = [wanted(x, *args[1:]) for x in first]
        np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_while_it_slips():
    args = (2.0, 1.5, 0.8, 0.4, 2.4)
    found, wanted = gradients(events.slip, args), gradients(slip, args)
    np.testing.assert_allclose(found[0], wanted[0], rtol=1e-10)
    np.testing.assert_allclose(found[1], wanted[1], rtol=1e-9)


@pytest.mark.parametrize("function", [events.ball, events.ball_by_search])
def test_before_at_and_after_a_bounce(function):
    bounce = np.sqrt(2.0 / GRAVITY)
    slope = ag.grad(function, argnums=(0, 2))
    for end in (0.9 * bounce, 1.1 * bounce, 3.0 * bounce):
        np.testing.assert_allclose(
            slope(1.0, 0.8, end), ag.grad(ball, argnums=(0, 2))(1.0, 0.8, end), rtol=1e-9
        )
    # At the bounce itself the derivative is that from one of the sides.
    sides = [ag.grad(ball, argnums=(0, 2))(1.0, 0.8, bounce * (1.0 + d)) for d in (-1e-9, 1e-9)]
    found = slope(1.0, 0.8, bounce)
    assert any(np.allclose(found, side, rtol=1e-6) for side in sides)


@pytest.mark.costly
@pytest.mark.parametrize("kernels", ["0", "1"])
def test_bounces_that_accumulate_are_an_error_that_names_the_loop(kernels, tmp_path):
    """In a process of its own, whose memory does not hold what others have left free."""
    if kernels == "1":
        pytest.importorskip("llvmlite")
    source = """
    import autograph as ag
    from samples.events import ball

    try:
        ag.grad(ball, argnums=1)(1.0, 0.5, 10.0)
    except RuntimeError as error:
        print(error)
    """
    program = file_of(tmp_path / "accumulate.py", source)
    found = printed(program, AUTOGRAPH_ARENA_SIZE="1000000", AUTOGRAPH_KERNELS=kernels)
    assert "AG0624" in found
    assert "while t + flight < end" in found


@pytest.mark.slow
def test_the_balls_gradient_is_one_kernel_also_of_second_order(monkeypatch):
    pytest.importorskip("llvmlite")
    monkeypatch.delenv("AUTOGRAPH_KERNELS", raising=False)
    heights = np.linspace(0.5, 2.0, 50)
    for order in (ag.grad, lambda f: ag.grad(ag.grad(f))):
        lanes = ag.vmap(order(lambda h: events.ball(h, 0.8, 2.0)))
        exact = [order(lambda h: ball(h, 0.8, 2.0))(h) for h in heights]
        np.testing.assert_allclose(lanes(heights), exact, rtol=1e-9)
        assert len(lanes.kernels(heights)) == 1
    both = np.stack([heights, np.full(50, 0.8)], axis=1)
    hessians = ag.vmap(ag.hessian(lambda p: events.ball(p[0], p[1], 2.0)))
    exact = [ag.hessian(lambda p: ball(p[0], p[1], 2.0))(p) for p in both]
    np.testing.assert_allclose(hessians(both), exact, rtol=1e-8, atol=1e-8)
    assert len(hessians.kernels(both)) == 1
