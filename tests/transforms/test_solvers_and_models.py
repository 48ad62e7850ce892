"""Whole programs, as people write them for JAX, Equinox, PyTorch and Zygote, here in plain Python:
values, first and second derivatives in both modes, and lanes, against Python and differences.
"""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
import ops
from tests.transforms.lanes import by_lane

RNG = np.random.default_rng(7)
PROGRAMS = []


def program(*args, lanes=None, order=2):
    """A decorator: a scalar function, differentiated by the first argument, a float array.

    Args:
        lanes: arguments for several lanes; all have them on axis 0.
        order: up to which the derivatives are compared with differences.
    """

    def add(function):
        PROGRAMS.append(pytest.param(function, args, lanes, order, id=function.__name__))
        return function

    return add


@pytest.mark.costly
@pytest.mark.parametrize("function, args, lanes, order", PROGRAMS)
def test_program(function, args, lanes, order):
    np.testing.assert_allclose(ag.to_graph(function)(*args), function(*args), rtol=1e-10)
    ag.check_grads(function, args, order=order)
    gradient = ag.grad(function)(*args)
    np.testing.assert_allclose(ag.jacfwd(function)(*args), gradient, rtol=1e-8, atol=1e-10)
    direction = tuple(np.cos(a) if _is_float(a) else None for a in args)
    value, slope = ag.jvp(function, args, direction)
    np.testing.assert_allclose(value, function(*args), rtol=1e-10)
    np.testing.assert_allclose(ag.linearize(function, *args)[1](*direction), slope, rtol=1e-8)
    pulled = ag.vjp(function, *args)[1](1.0)[0]
    np.testing.assert_allclose(pulled, gradient, rtol=1e-7, atol=1e-12)
    again = ag.grad(ag.checkpoint(function, loops="sqrt"))(*args)
    np.testing.assert_allclose(again, gradient, rtol=1e-9, atol=1e-12)


@pytest.mark.costly
@pytest.mark.parametrize("function, args, lanes, order", PROGRAMS)
def test_lanes(function, args, lanes, order):
    lanes = lanes or tuple(_varied(a) for a in args)
    for f in (function, ag.grad(function)):
        wanted = by_lane(f, lanes)
        np.testing.assert_allclose(ag.vmap(f)(*lanes), wanted, rtol=1e-8, atol=1e-10)
    total = lambda *args: np.sum(ag.vmap(function)(*args))
    wanted = by_lane(ag.grad(function), lanes)
    np.testing.assert_allclose(ag.grad(total)(*lanes), wanted, rtol=1e-8, atol=1e-10)
    hessian = ag.hessian(function)
    found = ag.vmap(hessian)(*lanes)
    np.testing.assert_allclose(found, by_lane(hessian, lanes), rtol=1e-7, atol=1e-8)


def _is_float(x):
    return np.asarray(x).dtype.kind == "f"


def _varied(x):
    """Three lanes near ``x``."""
    x = np.asarray(x)
    return np.stack([x * f for f in (1.0, 0.93, 1.04)]) if _is_float(x) else np.stack([x] * 3)


# -- differential equations ------------------------------------------------------------------------


@program(np.array([0.9, 0.2]), 1.3)
def adaptive_ode(y, stiffness):
    """Bogacki and Shampine's method with step size control, up to time 1: van der Pol."""

    def field(y):
        return np.array([y[1], stiffness * (1.0 - y[0] ** 2) * y[1] - y[0]])

    t, h = 0.0, 0.3
    while t < 1.0:
        if t + h > 1.0:
            h = 1.0 - t
        k1 = field(y)
        k2 = field(y + 0.5 * h * k1)
        k3 = field(y + 0.75 * h * k2)
        new = y + h * (2.0 * k1 + 3.0 * k2 + 4.0 * k3) / 9.0
        k4 = field(new)
        off = h * (-5.0 * k1 / 72.0 + k2 / 12.0 + k3 / 9.0 - k4 / 8.0)
        error = np.sqrt(np.sum(off * off)) / 1e-3
        if error < 1.0:
            t, y = t + h, new
        h = h * min(2.0, max(0.3, 0.9 * error ** (-1.0 / 3.0)))
    return y[0] ** 2 + y[1]


@program(np.array([1.0, 0.3]))
def bouncing_ball(state):
    """Events: at the ground the velocity turns, and energy is lost."""
    height, speed = state[0], state[1]
    bounces = 0
    for _ in range(25):
        height, speed = height + 0.04 * speed, speed - 0.04 * 9.81
        if height < 0.0:
            height, speed = -0.8 * height, -0.8 * speed
            bounces += 1
            if bounces == 3:
                break
    return height * height + 0.1 * speed


@program(np.array([0.4, 0.3]), np.array([0.2, 0.9, 0.1]))
def leapfrog_with_rejection(q, uniforms):
    """Hamiltonian Monte Carlo with given numbers in place of random ones."""

    def energy(q):
        return np.sum(q**4) / 4.0 + q[0] * q[1]

    force = ag.grad(energy)
    for u in uniforms:
        p = np.array([u, 1.0 - u])
        before = energy(q) + 0.5 * np.sum(p * p)
        new = q
        for _ in range(4):
            p = p - 0.05 * force(new)
            new = new + 0.1 * p
            p = p - 0.05 * force(new)
        after = energy(new) + 0.5 * np.sum(p * p)
        if np.log(u) < before - after:
            q = new
    return np.sum(q * q)


# -- roots, fixed points, optimisation -------------------------------------------------------------


@program(np.array([1.4, 0.6]))
def newton_in_two_dimensions(a):
    """Roots by Newton's method, until the residual is small."""
    x = np.array([1.0, 1.0])
    residual = np.array([1.0, 1.0])
    while np.max(np.abs(residual)) > 1e-11:
        residual = np.array([x[0] ** 2 + x[1] - a[0] - 1.0, x[0] - x[1] ** 3 + a[1]])
        slope = np.array([[2.0 * x[0], 1.0], [1.0, -3.0 * x[1] ** 2]])
        x = x - np.linalg.solve(slope, residual)
    return np.sum(x * np.array([1.0, 2.0]))


@program(np.array([0.5, 1.1, 0.8]))
def sinkhorn(costs):
    """Optimal transport: scale rows and columns in turn until nothing changes."""
    kernel = np.exp(-(np.abs(costs[:, None] - 0.7 * costs[None, :]) ** 2))
    u, change = np.ones(3), 1.0
    while change > 1e-10:
        v = (1.0 / 3.0) / (kernel.T @ u)
        new = (1.0 / 3.0) / (kernel @ v)
        change = np.max(np.abs(new - u))
        u = new
    return np.sum(u[:, None] * kernel * v[None, :] * (costs[:, None] - costs[None, :]) ** 2)


@program(np.array([0.8, -0.4]), 0.3)
def learned_initialisation(w, rate):
    """Gradient steps in a function that is itself differentiated, each with a line search."""

    def loss(w):
        return np.sum((w - 1.0) ** 2) + 0.3 * w[0] * w[1] ** 2

    slope = ag.grad(loss)
    for _ in range(3):
        direction, step = slope(w), 4.0 * rate
        for _ in range(5):
            if loss(w - step * direction) < loss(w) - 0.1 * step * np.sum(direction**2):
                break
            step = 0.5 * step
        w = w - step * direction
    return loss(w) + w[0]


@program(np.array([0.5, -0.2, 0.7]))
def limited_memory_quasi_newton(x):
    """Two loops over lists of earlier steps."""

    def slope(x):
        return np.array([x[0] + 0.5 * x[1] ** 3, 2.0 * x[1] + 0.1 * x[0], x[2] ** 3])

    steps, changes, g = [], [], slope(x)
    for _ in range(3):
        q, alphas = g, []
        for s, y in zip(reversed(steps), reversed(changes)):
            alpha = np.sum(s * q) / np.sum(s * y)
            q = q - alpha * y
            alphas.append(alpha)
        for s, y, alpha in zip(steps, changes, reversed(alphas)):
            q = q + s * (alpha - np.sum(y * q) / np.sum(s * y))
        new = x - 0.3 * q
        steps.append(new - x)
        changes.append(slope(new) - g)
        x, g = new, slope(new)
    return np.sum(x * x) + x[0]


# -- sequences -------------------------------------------------------------------------------------


def log_sum_exp(x):
    top = np.max(x, axis=0)
    return top + np.log(np.sum(np.exp(x - top), axis=0))


@program(RNG.normal(size=(3, 3)), np.array([0, 2, 1, 1, 0]))
def hidden_markov(logits, observed):
    """The forward algorithm, with `ops.scan`."""
    transitions = logits - log_sum_exp(logits.T)[:, None]
    emissions = transitions.T

    def step(alpha, symbol):
        alpha = log_sum_exp(alpha[:, None] + transitions) + emissions[:, symbol]
        return alpha, log_sum_exp(alpha)

    start = np.log(np.array([0.5, 0.3, 0.2])) + emissions[:, observed[0]]
    alpha, partial = ops.scan(step, start, observed[1:])
    return log_sum_exp(alpha) + 0.1 * np.sum(partial)


@program(RNG.normal(size=(5, 3)))
def viterbi(scores):
    """The best path by dynamic programming, followed back through a table."""
    n, states = scores.shape
    best, back = scores[0], np.zeros((n, states), dtype=int)
    for t in range(1, n):
        ways = best[:, None] - 0.3 * np.abs(np.arange(3)[:, None] - np.arange(3)[None, :])
        back[t] = np.argmax(ways, axis=0)
        best = np.max(ways, axis=0) + scores[t]
    state = np.argmax(best)
    total = 0.0
    for t in range(n - 1, -1, -1):
        total = total + scores[t, state] ** 2
        state = back[t, state]
    return total + 0.1 * np.max(best)


@program(RNG.normal(size=(6, 3)), np.array([1, 2, 2]))
def connectionist_temporal(logits, labels):
    """The loss of Graves et al. (2006): label 0 is the blank."""
    logs = logits - log_sum_exp(logits.T)[:, None]
    size = 2 * len(labels) + 1
    alpha = np.full(size, -1e3)
    alpha[0] = logs[0, 0]
    alpha[1] = logs[0, labels[0]]
    for t in range(1, len(logits)):
        new = np.full(size, -1e3)
        for s in range(size):
            symbol = labels[s // 2] if s % 2 == 1 else 0
            ways = alpha[s]
            if s > 0:
                ways = np.logaddexp(ways, alpha[s - 1])
            if s > 1 and s % 2 == 1 and labels[s // 2] != labels[s // 2 - 1]:
                ways = np.logaddexp(ways, alpha[s - 2])
            new[s] = ways + logs[t, symbol]
        alpha = new
    return -np.logaddexp(alpha[size - 1], alpha[size - 2])


@program(RNG.normal(size=4), RNG.normal(size=3))
def soft_time_warping(x, y):
    """A table filled in place, row by row."""
    table = np.full((len(x) + 1, len(y) + 1), 1e3)
    table[0, 0] = 0.0
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            ways = np.stack([table[i - 1, j], table[i, j - 1], table[i - 1, j - 1]])
            table[i, j] = (x[i - 1] - y[j - 1]) ** 2 - log_sum_exp(-ways)
    return table[len(x), len(y)]


@program(RNG.normal(size=(4, 2)) * 0.5, RNG.normal(size=(5, 2)), np.array([1, 1, 0, 1, 2]))
def recurrent_network(weights, inputs, tokens):
    """A gated cell that stops at an end token and skips padding."""
    h, c, outputs = np.zeros(2), np.zeros(2), []
    for x, token in zip(inputs, tokens):
        if token == 2:
            break
        if token == 0:
            continue
        gates = 1.0 / (1.0 + np.exp(-(weights @ x + np.concatenate([h, c]))))
        c = gates[:2] * c + gates[2:] * np.tanh(x + h)
        h = gates[2:] * np.tanh(c)
        outputs.append(np.sum(h))
    return np.sum(np.array(outputs) ** 2) + len(outputs)


@program(np.array([0.3, 0.8]), RNG.normal(size=6))
def kalman_filter(variances, measured):
    mean, variance, likelihood = 0.0, 1.0, 0.0
    for z in measured:
        variance = variance + variances[0] ** 2
        spread = variance + variances[1] ** 2
        gain, surprise = variance / spread, z - mean
        likelihood = likelihood - 0.5 * (np.log(spread) + surprise**2 / spread)
        if abs(surprise) < 3.0:  # outliers are left out
            mean, variance = mean + gain * surprise, (1.0 - gain) * variance
    return likelihood


# -- graphics, recursion, loops with buffers -------------------------------------------------------


@program(np.array([0.1, 0.2, 0.9]))
def ray_marching(light):
    """Rays meet a ball or pass it; each takes as many steps as it needs."""
    total = 0.0
    for x in np.linspace(-0.6, 0.6, 4):
        direction = np.array([x, 0.1, 1.0]) / np.sqrt(x * x + 1.01)
        t, distance, steps = 0.0, 1.0, 0
        while distance > 1e-6 and steps < 60 and t < 4.0:
            point = t * direction - np.array([0.0, 0.0, 2.0]) + 0.1 * light
            distance = np.sqrt(np.sum(point * point)) - 0.9
            t, steps = t + distance, steps + 1
        if t < 4.0:
            total = total + np.maximum(np.sum(light * point) * -0.5, 0.01 * light[0])
    return total + np.sum(light**2)


@program(np.array([0.7, 0.4]))
def adaptive_quadrature(p):
    """Simpson's rule, by halves where it is not good enough."""

    def integrand(t):
        return np.exp(-p[0] * t * t) * np.cos(3.0 * p[1] * t)

    def simpson(a, b):
        return (b - a) / 6.0 * (integrand(a) + 4.0 * integrand(0.5 * (a + b)) + integrand(b))

    def integral(a, b, whole, depth):
        middle = 0.5 * (a + b)
        left, right = simpson(a, middle), simpson(middle, b)
        if depth == 0 or abs(left + right - whole) < 1e-4:
            return left + right
        return integral(a, middle, left, depth - 1) + integral(middle, b, right, depth - 1)

    return integral(0.0, 2.0, simpson(0.0, 2.0), 5)


@program(RNG.normal(size=2), RNG.normal(size=(3, 2)), 5)
def rotations_with_a_buffer(value, weights, steps):
    """The loop of Equinox's tests: a state that turns, and an array that is written to."""
    buffer, step = np.zeros(4), 0
    while step < steps:
        angle = np.sum(np.tanh(weights @ value))
        turned = (value[0] + 1j * value[1]) * np.exp(1j * angle)
        value = np.stack([turned.real, turned.imag])
        buffer[step % 4] = value[0]
        step += 1
    return np.sum(value) + np.sum(buffer**2)


@program(np.array([0.6, -0.3, 0.2]), np.array([2, 0, 1, 5]))
def stack_machine(x, codes):
    """An interpreter: a list as a stack, and a way for each code."""
    stack = [x[0], x[1]]
    for code in codes:
        if code == 0:
            stack.append(np.sin(stack[-1]) * x[2])
        elif code == 1:
            top = stack.pop()
            stack[-1] = stack[-1] * top
        elif code == 2:
            stack[-1] = stack[-1] + x[2]
        else:
            stack[0] = 2.0 * stack[0]
    return sum(stack) ** 2 + len(stack)


# -- what the programs have in common --------------------------------------------------------------


@pytest.mark.parametrize("loops", ["sqrt", "log", 1, 3])
@pytest.mark.parametrize("steps", [0, 1, 7, 14])
def test_checkpointed_loops_of_any_length(loops, steps):
    value, weights = RNG.normal(size=2), RNG.normal(size=(3, 2))
    wanted = ag.grad(rotations_with_a_buffer, (0, 1))(value, weights, steps)
    kept = ag.checkpoint(rotations_with_a_buffer, loops=loops)
    found = ag.grad(kept, (0, 1))(value, weights, steps)
    for x, y in zip(found, wanted):
        np.testing.assert_allclose(x, y, rtol=1e-9, atol=1e-12)


def test_lanes_with_trip_counts_of_their_own():
    steps = np.array([0, 1, 3, 6])
    values, weights = RNG.normal(size=(4, 2)), RNG.normal(size=(3, 2))
    gradient = ag.grad(rotations_with_a_buffer)
    found = ag.vmap(gradient, (0, None, 0))(values, weights, steps)
    wanted = [gradient(v, weights, n) for v, n in zip(values, steps)]
    np.testing.assert_allclose(found, wanted)


def test_implicit_differentiation_of_a_fixed_point():
    """A custom rule solves the equation of the derivative by the same loop."""

    def settle(step, x, a):
        change = 1.0
        while change > 1e-12:
            new = step(x, a)
            change = np.max(np.abs(new - x))
            x = new
        return x

    def step(x, a):
        return np.cos(a * x) * 0.5 + 0.1 * a

    @ag.custom_vjp
    def fixed_point(a):
        return settle(step, np.zeros(2), a)

    def forward(a):
        x = fixed_point(a)
        return x, (x, a)

    def backward(residuals, ct):
        x, a = residuals
        _, by_x = ag.vjp(lambda x: step(x, a), x)
        _, by_a = ag.vjp(lambda a: step(x, a), a)
        adjoint = settle(lambda w, ct: ct + by_x(w)[0], ct, ct)
        return by_a(adjoint)

    fixed_point.defvjp(forward, backward)
    loss = lambda a: np.sum(fixed_point(a) ** 2)
    through = lambda a: np.sum(settle(step, np.zeros(2), a) ** 2)
    a = np.array([0.8, 1.1])
    np.testing.assert_allclose(ag.grad(loss)(a), ag.grad(through)(a), rtol=1e-8)
    lanes = np.stack([a, 0.5 * a, 1.2 * a])
    np.testing.assert_allclose(ag.vmap(ag.grad(loss))(lanes), ag.vmap(ag.grad(through))(lanes))


def test_third_derivatives_of_a_root():
    def root(a):
        x = a
        while abs(x * x - a) > 1e-13 * a:
            x = 0.5 * (x + a / x)
        return x

    third = ag.grad(ag.grad(ag.grad(root)))
    wanted = lambda a: 3.0 / 8.0 * a**-2.5
    np.testing.assert_allclose(third(2.0), wanted(2.0), rtol=1e-6)
    lanes = np.array([0.5, 2.0, 9.0])
    np.testing.assert_allclose(ag.vmap(third)(lanes), wanted(lanes), rtol=1e-6)
    forward = ag.jacfwd(ag.jacfwd(ag.jacfwd(root)))
    np.testing.assert_allclose(forward(2.0), wanted(2.0), rtol=1e-6)
