"""Trajectories with events that depend on parameters: contacts, switches, spikes.

Each is written plainly: a `while` over the events, a search for when the next one is, a jump of the
state or another law of motion afterwards. Derivatives go through all of it, by when the events
happen too: `ag.root` finds the time of an event, and knows how it moves.

    python samples/events.py     each trajectory and its derivative beside what is known exactly

Sources: the systems are those of the literature on hybrid systems, for example Goebel, Sanfelice &
Teel, "Hybrid dynamical systems", IEEE Control Systems 29 (2009), 28-93; for what a derivative does
at an event, Saccon, van de Wouw & Nijmeijer, "Sensitivity analysis of hybrid systems with state
jumps", Proc. 53rd IEEE CDC (2014), 3065-3070.
"""

from __future__ import annotations

import numpy as np

import autograph as ag

GRAVITY = 9.81


def crossing(guard, end):
    """The first time in (0, end) at which ``guard`` changes its sign, or ``end``.

    The sign is looked at 64 times; between two looks the time is found by `ag.root`, which begins
    with a straight line.
    """
    step = end / 64.0
    t, before = 0.0, guard(1e-9 * end)
    while t < end - 0.5 * step:
        now = guard(t + step)
        if before * now <= 0.0:
            share = ag.stop_gradient(before / (before - now))
            return ag.root(guard, ag.stop_gradient(t + share * step))
        t, before = t + step, now
    return end


# -- a ball that bounces ---------------------------------------------------------------------------


def ball(height, restitution, end):
    """How high a ball is at ``end`` that was dropped at 0; of its speed a part is left by each
    bounce."""
    t, y, v = 0.0, height, 0.0
    flight = (v + np.sqrt(v * v + 2.0 * GRAVITY * y)) / GRAVITY
    while t + flight < end:
        t = t + flight
        y, v = 0.0, restitution * (GRAVITY * flight - v)
        flight = 2.0 * v / GRAVITY
    s = end - t
    return y + v * s - 0.5 * GRAVITY * s * s


def ball_by_search(height, restitution, end):
    """The same, where the time of a bounce is searched for."""
    t, y, v = 0.0, height, 0.0
    bounces = 0
    while t < end and bounces < 50:
        fall = ag.root(lambda s: y + v * s - 0.5 * GRAVITY * s * s, v / GRAVITY + 1.0)
        if t + fall >= end:
            s = end - t
            return y + v * s - 0.5 * GRAVITY * s * s
        t = t + fall
        y, v = 0.0, restitution * (GRAVITY * fall - v)
        bounces += 1
    return y


# -- a bead that slides off a sphere ---------------------------------------------------------------


def leaving_angle(speed, radius, steps=400):
    """The angle from the top at which a bead that starts there leaves a smooth sphere: where the
    sphere would have to pull it. By Runge-Kutta steps, the last one as long as it needs to be."""

    def change(state):
        return np.stack([state[1], GRAVITY / radius * np.sin(state[0])])

    def step(state, h):
        a = change(state)
        b = change(state + 0.5 * h * a)
        c = change(state + 0.5 * h * b)
        d = change(state + h * c)
        return state + h / 6.0 * (a + 2.0 * b + 2.0 * c + d)

    def pressure(state):
        return GRAVITY * np.cos(state[0]) - radius * state[1] ** 2

    state = np.stack([0.0 * speed, speed / radius])
    h = 2.0 / steps
    while pressure(step(state, h)) > 0.0:
        state = step(state, h)
    last = ag.root(lambda s: pressure(step(state, s)), 0.5 * h)
    return step(state, last)[0]


# -- a block on a belt that sticks and slips -------------------------------------------------------


def slip(stiffness, static, kinetic, speed, end):
    """Where a block is that a belt carries along against a spring, of mass 1. It sticks until the
    spring pulls harder than ``static``, and slides under the friction ``kinetic`` until it is as
    fast as the belt."""
    frequency = np.sqrt(stiffness)
    rest = kinetic / stiffness
    t, x = 0.0, 0.0
    while t < end:
        stick = (static / stiffness - x) / speed
        if t + stick >= end:
            return x + speed * (end - t)
        t, x = t + stick, static / stiffness
        a, b = x - rest, speed / frequency
        slide = crossing(
            lambda s: -a * np.sin(frequency * s) + b * (np.cos(frequency * s) - 1.0),
            2.0 * np.pi / frequency,
        )
        left = np.minimum(slide, end - t)
        x = rest + a * np.cos(frequency * left) + b * np.sin(frequency * left)
        t = t + left
    return x


# -- a hopper on a spring --------------------------------------------------------------------------


def hopper(height, stiffness, end):
    """How high a hopper of mass 1 is at ``end`` that falls onto its leg, a spring of length 1 when
    nothing presses it: it touches down, and leaves the ground again."""
    t, y, v = 0.0, height, 0.0
    frequency = np.sqrt(stiffness)
    level = 1.0 - GRAVITY / stiffness  # where the spring would carry it
    while t < end:
        fall = (v + np.sqrt(v * v + 2.0 * GRAVITY * (y - 1.0))) / GRAVITY
        if t + fall >= end:
            s = end - t
            return y + v * s - 0.5 * GRAVITY * s * s
        t, v = t + fall, v - GRAVITY * fall
        a, b = 1.0 - level, v / frequency
        stance = crossing(
            lambda s: a * (np.cos(frequency * s) - 1.0) + b * np.sin(frequency * s),
            2.0 * np.pi / frequency,
        )
        if t + stance >= end:
            s = frequency * (end - t)
            return level + a * np.cos(s) + b * np.sin(s)
        s = frequency * stance
        t, y, v = t + stance, 1.0, frequency * (b * np.cos(s) - a * np.sin(s))
    return y


# -- a thermostat ----------------------------------------------------------------------------------


def heating_time(loss, power, low, high, end):
    """For how long a heater is on until ``end``: it goes on below ``low`` and off above ``high``
    degrees; outside it is 0, and from ``high`` on the room cools down."""
    t, on, temperature, total = 0.0, False, high, 0.0 * high
    while t < end:
        rest = power / loss if on else 0.0 * loss
        goal = high if on else low
        span = crossing(
            lambda s: rest + (temperature - rest) * np.exp(-loss * s) - goal, 40.0 / loss
        )
        span = np.minimum(span, end - t)
        total = total + span if on else total
        t, temperature, on = t + span, goal, not on
    return total


# -- a neuron that fires ---------------------------------------------------------------------------


def spike(current, leak, threshold, count):
    """When a leaky neuron fires for the ``count``-th time; its potential is 0 afterwards."""
    t = 0.0
    for _ in range(count):
        t = t + crossing(
            lambda s: current / leak * (1.0 - np.exp(-leak * s)) - threshold, 20.0 / leak
        )
    return t


# -- a vector field with a jump --------------------------------------------------------------------


def across(start, slow, end):
    """Where a point is at ``end`` that moves with speed 1 left of 0 and with ``slow`` to its right,
    starting at ``start < 0``."""
    reach = crossing(lambda s: start + s, end)
    return slow * (end - reach) if reach < end else start + end


CASES = {
    "ball": (ball, (1.0, 0.8, 2.0)),
    "ball by search": (ball_by_search, (1.0, 0.8, 2.0)),
    "leaving angle": (leaving_angle, (0.5, 1.0)),
    "slip": (slip, (2.0, 1.5, 0.8, 0.4, 7.0)),
    "hopper": (hopper, (1.4, 400.0, 1.5)),
    "heating time": (heating_time, (0.3, 9.0, 18.0, 21.0, 6.0)),
    "spike": (lambda current, leak, threshold: spike(current, leak, threshold, 3), (1.5, 1.0, 1.0)),
    "across": (across, (-1.0, 0.3, 2.0)),
}


def main() -> None:
    for name, (function, args) in CASES.items():
        positions = tuple(range(len(args)))
        value, slopes = ag.value_and_grad(function, argnums=positions)(*args)
        print(f"{name:15} {value: .6f}   by its parameters", *(f"{s: .6f}" for s in slopes))


if __name__ == "__main__":
    main()
