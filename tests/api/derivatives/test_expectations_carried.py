"""Derivatives of expectations where draws are carried: through branches, trips, and calls."""

import numpy as np
import pytest

import autograph as ag
import ops
from tests.api.derivatives.test_expectations import (
    curvature,
    drawn,
    estimates_of,
    expected,
    forwards_and_in_lanes,
    is_near,
    slope,
)


def again_in_the_trip(p, us):
    u, n = drawn(us[0]), 0
    while u < p and n < 2:
        n += 1
        u = drawn(us[n])
    return (1 + n) ** 2


def in_test_and_trip(p, us):
    """The same draw is compared with two thresholds."""
    u, n, total = drawn(us[0]), 0, 1.0
    while u < 2.0 * p and n < 2:
        total = total * 3.0 if u < p else total + p
        n += 1
        u = drawn(us[n])
    return total


def kept_in_a_trip(p, us):
    """A draw that is carried through a trip unchanged, and compared again."""
    u, n, total = drawn(us[0]), 0, 1.0
    for i in range(3):
        if u < p * (i + 1.0):
            total = total * 2.0 + p
        if i == 1:
            n += 1
            u = drawn(us[n])
    return total


def ended_by_break(p, us):
    u, n = drawn(us[0]), 0
    while True:
        if u >= 2.0 * p or n == 2:
            break
        n += 1
        if u < p:
            u = drawn(us[n])
            continue
        u = drawn(us[n])
    return n * p + (u < p)


def after_the_loop(p, us):
    u, n = drawn(us[0]), 0
    while u > p and n < 2:
        n += 1
        u = drawn(us[n])
    return 10.0 if u < p * p else n


def starts_with_a_number(p, us):
    """At first it is no draw."""
    u, n = 0.0, 0
    while u < p and n < 3:
        u = drawn(us[n])
        n += 1
    return n**2 + (2.0 if u < 2.0 * p else p)


def starts_with_a_parameter(p, us):
    u, total = p / 2, 0.0
    for i in range(3):
        if u < p * (1.0 + 0.5 * i):
            total += 1.0 + p * i
            u = drawn(us[i])
    return total**2


def shifted(p, us):
    """The one before is compared in the next trip."""
    last, u, total = drawn(us[0]), drawn(us[1]), 1.0
    for i in range(2):
        if last < p:
            total = total * 2.0
        if u < 2.0 * p:
            total = total + p
        last = u
        u = drawn(us[2 + i])
    return total


def nested(p, us):
    u, n, total = drawn(us[0]), 0, 1.0
    while n < 2:
        for i in range(2):
            if u < p * (i + 1.0):
                total = total + 2.0 * p
                break
            total = total * 1.5
        else:
            total = total * total
        n += 1
        u = drawn(us[n])
        while u < p and n < 2:
            total, n = total + 3.0, n + 1
            u = drawn(us[n])
    return total


def chosen(p, us):
    u = drawn(us[0]) if drawn(us[1]) < p else drawn(us[2])
    return 3.0 if u < p * p else p


def made(p, us):
    """What is carried was made of what was drawn, with parameters."""
    x, n = (2.0 + p) * drawn(us[0]) - p, 0
    while x < 0.25 and n < 2:
        n += 1
        x = (2.0 + n) * drawn(us[n]) - p
    return n + (x < 1.0) * 3.0


def times(p, us):
    """Exponential waiting times by inversion."""
    wait, n = -np.log(drawn(us[0])) / p, 0
    while wait < 2.0 and n < 2:
        n += 1
        wait = -np.log(drawn(us[n])) / p
    return n**2


def in_several_ways(p, us):
    """One is moved and scaled otherwise than the next, and the last once more."""
    x, total = 2.0 * drawn(us[0]) - p, 0.0
    for i in range(3):
        if x < p:
            total += 1.0 + p * i
        if i == 0:
            x = drawn(us[1])
        elif i == 1:
            x = p - 0.5 * x + 0.1
    return total**2


def arrays(p, us):
    u, total = drawn(us[:2]), 1.0
    for i in range(2):
        if u[0] < p:
            total = total + 3.0
        total = total * np.sum(np.where(u < 2.0 * p, 2.0, p))
        if i == 0 and u[1] > p:
            u = drawn(us[2:])
    return total


def chain(p, u, us, n):
    if n == 2 or u >= 2.0 * p:
        return n * p
    if u < p:
        return 2.0 + chain(p, drawn(us[n + 1]), us, n + 1)
    return 3.0 * chain(p, drawn(us[n + 1]), us, n + 1)


def passed_on(p, us):
    return chain(p, drawn(us[0]), us, 0)


def descent(p, u, n):
    if n == 3:
        return 0.0
    if u < p * n:
        return 1.0 + p
    return 2.0 + descent(p, u, n + 1)


def passed_unchanged(p, us):
    u = drawn(us[0])
    first = 4.0 if u < 0.5 * p else p
    return first * descent(p, u, 1)


def passed_in_trips(p, us):
    """What is compared inside the function is a variable of a loop, which may be no draw."""
    u, total = 0.0, 1.0
    for i in range(2):
        total = total + descent(p, u, 1)
        u = drawn(us[i])
    return total * (1.0 + (u < p))


def loop_in_recursion(p, u, us, n):
    k = 0
    while u < p and k < 1:
        k += 1
        u = drawn(us[n])
    if n == 2:
        return k + (u < 2.0 * p)
    return k * loop_in_recursion(p, u, us, n + 1) + p


def loops_in_recursion(p, us):
    return loop_in_recursion(p, drawn(us[0]), us, 1)


def in_lanes(p, us):
    def lane(u):
        x, n = drawn(u[0]), 0
        while x < p and n < 1:
            n += 1
            x = drawn(u[n])
        return 2.0 if x < p else n

    return np.prod(1.0 + ag.vmap(lane)(us.reshape(2, 2)))


def checkpointed(p, us):
    return ag.checkpoint(again_in_the_trip)(p, us) * p


def part(p, us):
    """A function that draws, and one that is given what it drew."""

    def draws(i):
        return drawn(us[i])

    def decides(u):
        return u < p

    u, n = draws(0), 0
    while decides(u) and n < 2:
        n += 1
        u = draws(n)
    return n


P = 0.3
CUTS = {
    again_in_the_trip: lambda p: [[p]] * 3,
    in_test_and_trip: lambda p: [[p, 2 * p]] * 3,
    kept_in_a_trip: lambda p: [[p, 2 * p, 3 * p]] * 2,
    ended_by_break: lambda p: [[p, 2 * p]] * 3,
    after_the_loop: lambda p: [[p * p, p]] * 3,
    starts_with_a_number: lambda p: [[p, 2 * p]] * 3,
    starts_with_a_parameter: lambda p: [[p, 1.5 * p, 2 * p]] * 3,
    shifted: lambda p: [[p, 2 * p]] * 4,
    nested: lambda p: [[p, 2 * p]] * 3,
    chosen: lambda p: [[p * p], [p], [p * p]],
    made: lambda p: [[(x + p) / (w or 2 + p) for x in (0.25, 1.0)] for w in (0, 3.0, 4.0)],
    times: lambda p: [[np.exp(-2.0 * p)]] * 3,
    in_several_ways: lambda p: [[p], [0.2, p]],
    arrays: lambda p: [[p, 2 * p]] * 4,
    passed_on: lambda p: [[p, 2 * p]] * 3,
    passed_unchanged: lambda p: [[0.5 * p, p, 2 * p]],
    passed_in_trips: lambda p: [[p, 2 * p]] * 2,
    loops_in_recursion: lambda p: [[p, 2 * p]] * 3,
    checkpointed: lambda p: [[p]] * 3,
    part: lambda p: [[p]] * 3,
}
programs = pytest.mark.parametrize("f", CUTS, ids=lambda f: f.__name__)


def mean_of(f):
    """The expectation as Python computes it."""
    return lambda p: float(expected(f, CUTS[f](p), p))


@programs
def test_the_mean_of_all_estimates_is_the_derivative(f):
    found = expected(ag.score_gradient(f), CUTS[f](P), P)
    assert found == pytest.approx(slope(mean_of(f), P), rel=1e-7)


@pytest.mark.costly
@programs
def test_so_is_that_of_forward_mode_and_of_lanes(f):
    assert expected(forwards_and_in_lanes(f), CUTS[f](P), P) == pytest.approx(
        slope(mean_of(f), P), rel=1e-7
    )


@programs
def test_so_is_that_of_second_derivatives(f):
    found = expected(ag.grad(ag.score_gradient(f)), CUTS[f](P), P)
    assert found == pytest.approx(curvature(mean_of(f), P, 3e-4), rel=1e-5)


def test_loops_in_lanes(monkeypatch):
    monkeypatch.delenv("AUTOGRAPH_KERNELS", raising=False)  # without native code it is refused
    mean = lambda p: float(expected(in_lanes, [[p]] * 4, p))
    found = expected(ag.score_gradient(in_lanes), [[P]] * 4, P)
    assert found == pytest.approx(slope(mean, P), rel=1e-7)


def test_draws_from_a_generator():
    def until_a_success(p, rng):
        u, n = rng.random(), 0
        while u >= p:
            n += 1
            u = rng.random()
        return n

    rng, estimate = np.random.default_rng(0), ag.score_gradient(until_a_success)
    assert is_near([estimate(0.4, rng) for _ in range(4_000)], -1 / 0.4**2)


def test_waiting_times_from_keys():
    """How many events there are until a time, of which each comes after an exponential one."""

    def events(rate, key):
        wait, n = ops.random.exponential(key) / rate, 0
        left = 2.0
        while wait < left and n < 50:
            n += 1
            wait = wait + ops.random.exponential(ops.random.fold_in(key, n)) / rate
        return n

    assert is_near(estimates_of(events, 1.5, 50_000), 2.0)
    found = ag.score_gradient(events, samples=50_000)(1.5, ops.random.key(1))
    assert found == pytest.approx(2.0, abs=0.1)
