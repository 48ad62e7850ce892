"""Dear functions that are computed ahead of the trips of loops give what they gave in order."""

import warnings

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.passes.ahead import _STRIP
from autograph.kernels.passes.host import for_host
from tests.kernels.kernel_check import SOME, check

X = np.random.default_rng(0).normal(size=150)


def smoothed(x):
    total, out = 0.0, np.zeros_like(x)
    for i in range(len(x)):
        total = 0.5 * total + np.exp(-(x[i] * x[i]))
        out[i] = total
    return total, out


def rounded(x):
    found = 0
    for i in range(len(x)):
        found = (3 * found + int(np.floor(10.0 * np.sin(x[i])))) % 1001
    return found


def both_sides(x):
    total = 0.0
    for i in range(len(x)):
        if x[i] > 0.0:
            total = total * 0.5 + np.log(x[i])
        else:
            total = total * 0.25 - np.exp(x[i]) / (1.0 - x[i])
    return total


def turned(x):
    z, out = 1.0 + 0.0j, np.zeros(len(x), np.complex128)
    for i in range(len(x)):
        z = z * np.exp(1j * x[i]) + 0.1
        out[i] = z
    return out


def pulled(x):
    points, force = x.reshape(-1, 3).copy(), np.zeros((len(x) // 3, 3))
    for i in range(len(points)):
        for j in range(len(points)):
            if i != j:
                apart = points[j] - points[i]
                force[i] += apart / np.sqrt(np.sum(apart**2) + 0.01) ** 3
    return force


def stages(x):
    a, width = x.copy(), 1
    while width < len(a):
        for p in range(len(a) // (2 * width)):
            w = np.cos(0.1 * p)
            for q in range(width):
                one, other = a[q + width * p], a[q + width * (p + 1)]
                a[q + width * p] = one + w * other
        width *= 2
    return a


def written(x):
    a = x.copy()
    for i in range(1, len(a)):
        a[i] = np.exp(-(a[i - 1] ** 2)) + np.sqrt(np.abs(x[i]))
    return a


def decayed(x):
    """Loops of few trips that carry scalars, in a loop."""
    total, rows = 0.5, x.reshape(-1, 3)
    for i in range(len(rows)):
        for j in range(3):
            total = np.exp(-abs(rows[i, j])) * total + np.sin(rows[i, j])
    return total


def decayed_in_branches(x):
    total, k, rows = 0.5, 0, x.reshape(-1, 3)
    for i in range(len(rows)):
        if rows[i, 0] > 0.3:
            for j in range(3):
                k = (k * 5 + j) % 101
                total = total * 0.5 + np.exp(-abs(rows[i, j]))
        elif k > 50:
            for j in range(2):
                k = k // 2 + j
        total = total * 0.5 + np.tanh(rows[i, 1]) * k
    return total, k


def decayed_in_loops(x):
    total, k, rows = 0.5, 0, x.reshape(-1, 3)
    for i in range(len(rows)):
        for j in range(3):
            for m in range(2):
                k = (k * 5 + m) % 101
            total = total * 0.5 + np.exp(-abs(rows[i, j])) * k
        k = k + 1
    return total, k


def pairs(x):
    """Trips that get fewer."""
    force, total = np.zeros(len(x)), 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            apart = x[i] - x[j]
            far = np.sqrt(apart * apart + 0.5)
            pull = apart / (far * far * far)
            total = total * 0.5 + pull
            force[i] -= pull
            force[j] += pull
    return force, total


def since_the_last(x):
    """What a trip reads is needed by the next one."""
    last, doubled, total, out = 0.25, x[0], 0.0, np.zeros_like(x)
    for i in range(len(x)):
        total = total * np.exp(-abs(x[i] - last)) + np.sin(doubled)
        out[i] = total - last
        last, doubled = x[i], 2.0 * x[i] + last * 0.0
    return out, total, last, doubled


def since_what_is_written(x):
    y, last, total = x.copy(), 0.5, 0.0
    for i in range(len(x)):
        total = 0.5 * total + np.exp(-abs(y[i] - last))
        last = y[i]
        if i < len(x) - 1:
            y[i + 1] -= total
    return y, last


def attracted(x):
    """Powers to whole numbers, of which more than three factors take long."""
    energy = 0.0
    for i in range(len(x)):
        r = abs(x[i]) + 0.5
        energy += r**-12 - r**-6
    return energy


def near(x):
    """Few of the trips need what is dear, which lanes know."""
    force, total = np.zeros(len(x)), 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            apart = x[i] - x[j]
            if apart * apart < 0.01 and i != j:
                far = np.sqrt(apart * apart + 0.5)
                if apart > 0.0:
                    total = total * 0.5 + np.exp(-far) * x[j]
                force[i] += apart / (far * far * far)
    return force, total


def within(x):
    """A product and a division that few of the trips need."""
    force, total = np.zeros(len(x)), 0.0
    for i in range(len(x)):
        for j in range(i):
            apart = x[i] - x[j]
            if apart * apart < 0.01 and i != j:
                sixth = (apart * apart + 0.5) ** -3
                total += sixth
                force[i] += sixth / apart
                force[j] -= sixth / apart
    return force, total


FEW_TRIPS = [decayed, decayed_in_branches, decayed_in_loops]
AHEAD = [smoothed, rounded, both_sides, turned, pulled, stages, since_the_last, near, attracted]


@pytest.mark.parametrize("function", [*AHEAD, *FEW_TRIPS, written, since_what_is_written])
def test_dear_functions_ahead(function):
    check(function, X, ulps=100, scale=1.0)


@pytest.mark.parametrize("function", AHEAD)
def test_they_are_computed_in_lanes(function):
    assert strips(function)


def test_products_that_few_trips_need_are_computed_where_one_comes_to_them():
    check(within, X, ulps=100, scale=1.0)
    assert not strips(within)


def test_what_a_trip_before_gives_is_waited_for():
    assert not strips(written)
    assert not strips(since_what_is_written)


def strips(function):
    """Whether there are arrays of what was computed ahead."""
    (kernel,) = ag.to_graph(function).kernels(X.copy()).values()
    found = ir.walk(for_host(kernel.kernel).body)
    return any(isinstance(s, ir.Local) and s.buffer.size in (_STRIP, len(X) // 3) for s in found)


@pytest.mark.parametrize(
    "function", [smoothed, both_sides, turned, pulled, pairs, since_the_last, near]
)
def test_the_bits_are_those_of_trips_in_order(function, monkeypatch):
    found = ag.to_graph(function)(X.copy())
    monkeypatch.setattr("autograph.kernels.passes.improving.ahead", lambda *_: False)
    inside = ag.to_graph(lambda x: function(x))(X.copy())
    np.testing.assert_equal(found, inside)


@pytest.mark.parametrize("function", [both_sides, near])
def test_lanes_ask_whether_any_needs_what_is_dear(function):
    """A cutoff that a trip in fifty is within cost the square roots of all of them."""
    (kernel,) = ag.to_graph(function).kernels(X.copy()).values()
    loops = [s for s in ir.walk(for_host(kernel.kernel).body) if isinstance(s, ir.Each)]
    dear = ("exp", "log", "sqrt", "/")

    def asks(loop):
        always = [s for s in loop.body if getattr(s, "function", "") in dear]
        return not always and any(getattr(s, "function", "") in dear for s in ir.walk(loop.body))

    assert any(map(asks, loops))


@pytest.mark.parametrize("n", [0, 1, 7, 8, 63, 64, 65, 128, 150])
def test_any_number_of_trips(n):
    def weighted(x, n):
        total, last = 0.0, -1.0
        for i in range(n):
            total = total * np.exp(last) + np.exp(x[i])
            last = x[i]
        return total, last

    check(weighted, X, n, kernels=SOME)


@pytest.mark.parametrize("n", [1, 2, 8, 9, 10, 20, 150])
def test_the_last_rows_of_a_triangle(n):
    check(pairs, X[:n].copy(), ulps=100, scale=1.0, kernels=SOME)


def test_few_trips_stay_in_order():
    def loops(n):
        (kernel,) = ag.to_graph(pairs).kernels(X[:n].copy()).values()
        found = list(ir.walk(for_host(kernel.kernel).body))
        count = sum(isinstance(s, ir.For) for s in found)
        return any(isinstance(s, ir.Local) for s in found), count

    assert loops(8) == (False, 2)
    ahead, count = loops(20)
    assert ahead and count > 2  # where there are enough trips, and the loop as it was


def test_a_place_outside_is_not_read_ahead():
    def until(x, n):
        total = 0.0
        for i in range(n):
            if i >= len(x):
                total += 1.0
            else:
                total = total * 0.5 + np.exp(x[i])
        return total

    check(until, X, 400, kernels=SOME)
    with pytest.raises(IndexError):
        ag.to_graph(lambda x, n: np.exp(x[n]) + until(x, 3))(X, 400)


def test_derivatives():
    for function in (lambda x: smoothed(x)[0], both_sides, lambda x: np.sum(pulled(x))):
        ag.check_grads(function, (X[:30],), order=2)


def test_sums_of_a_few_products_are_computed_ahead_as_well():
    def likelihood(x):
        weights, rows, total = x[:8], x[8:144].reshape(17, 8), 0.0
        for i in range(len(rows)):
            t = 0.0
            for k in range(8):
                t += weights[k] * rows[i, k]
            total += np.log(1.0 + np.exp(-t))
        return total

    check(likelihood, X, ulps=100)
    (kernel,) = ag.to_graph(likelihood).kernels(X).values()
    lanes = [s for s in ir.walk(for_host(kernel.kernel).body) if isinstance(s, ir.Each)]
    assert any(isinstance(x, ir.For) for s in lanes for x in ir.walk(s.body))
    ag.check_grads(likelihood, (X,))


def test_loops_whose_records_are_taken_from_a_stack_are_not_written_out():
    """Their addresses are variables of the loop."""

    def sines(x, n):
        y, z = x * 0.5, x * 0.3
        for _ in range(n):
            for _ in range(3):
                y, z = np.sin(y), y
        return np.sum(z)

    gradient = ag.grad(sines)
    assert len(gradient.kernels(X[:3], 4)) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # one tells of a kernel that can't be made
        ag.check_grads(lambda x: sines(x, 4), (X[:3],), order=2)
        gradient(X[:3], 4)
