"""Loops whose trip count depends on the data."""

from __future__ import annotations

import numpy as np

LIMIT = 256  # trips of the Mandelbrot loop


def collatz_arguments():
    return (837_799,)


def collatz(n):
    """How many steps of the Collatz sequence lead from n to 1."""
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def mandelbrot_arguments():
    """The points of a grid of 400 x 400, one after another."""
    re = np.linspace(-2.0, 0.6, 400, dtype=np.float32)
    im = np.linspace(-1.3, 1.3, 400, dtype=np.float32)
    re, im = np.meshgrid(re, im)
    return re.ravel(), im.ravel()


def escape_time(c_re, c_im):
    """After how many trips, at most `LIMIT`, the orbit of one point is outside the disc."""
    re = im = np.float32(0.0)
    n = 0
    while n < LIMIT and re * re + im * im <= 4.0:
        re, im = re * re - im * im + c_re, 2.0 * re * im + c_im
        n += 1
    return n


def newton_arguments():
    return (2.0,)


def newton_starts():
    return (np.random.default_rng(0).uniform(0.1, 1000.0, 100_000),)


def newton_sqrt(a):
    """The square root of one number by Newton's iteration, which begins with the number."""
    x = a
    while abs(x * x - a) > 1e-10 * a:
        x = 0.5 * (x + a / x)
    return x


def three_bodies_arguments():
    """The figure of eight of Chenciner and Montgomery (Annals of Mathematics 152, 2000), to time
    10 in steps of 0.005."""
    q = np.array([0.97000436, -0.24308753])
    v = np.array([-0.93240737, -0.86473146])
    return np.stack([q, -q, 0.0 * q]), np.stack([-0.5 * v, -0.5 * v, v]), np.ones(3), 10.0, 0.005


def accelerations(q, masses):
    """Newton's gravitation between bodies at q, [bodies, 2]."""
    d = q[None, :, :] - q[:, None, :]
    squared = np.sum(d * d, axis=2) + np.eye(3)
    return np.sum((masses / (squared * np.sqrt(squared)))[:, :, None] * d, axis=1)


def leapfrog(q, v, masses, end, dt):
    """Positions and velocities at time ``end``: kick, drift, kick."""
    t = 0.0
    a = accelerations(q, masses)
    while t < end:
        v = v + 0.5 * dt * a
        q = q + dt * v
        a = accelerations(q, masses)
        v = v + 0.5 * dt * a
        t += dt
    return q, v
