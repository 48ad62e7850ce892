"""Loops with few operations per trip, and their gradients, against Python written by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import autograph as ag
from benchmarks.table import Table, duration
from benchmarks.timing import interleaved
from samples.control_flow import examples, newton_sqrt, rnn

ROD = np.linspace(0.5, 1.0, 20)


def newton_gradient(a):
    """The gradient of `newton_sqrt`, by hand: forwards, keeping the iterates, then backwards."""
    x = a
    iterates = []
    while abs(x * x - a) > 1e-12:
        iterates.append(x)
        x = 0.5 * (x + a / x)
    d_x, d_a = 1.0, 0.0
    for x in reversed(iterates):
        d_x *= 0.5
        d_a += d_x / x
        d_x -= d_x * a / (x * x)
    return d_a + d_x


def rnn_gradient(w, u, xs, tolerance):
    """The gradient of `rnn` by ``w``, by hand."""
    h = np.zeros(w.shape[0])
    states = []
    for x in xs:
        new = np.tanh(w @ h + u @ x)
        change = np.max(np.abs(new - h))
        states.append((h, new))
        h = new
        if change < tolerance:
            break
    d_h = 2.0 * h
    d_w = np.zeros_like(w)
    for before, new in reversed(states):
        d_sum = d_h * (1.0 - new * new)
        d_w += np.outer(d_sum, before)
        d_h = w.T @ d_sum
    return d_w


def cooling(x):
    """States of a rod that cools, with steps as long as the state lets them be, in lists."""
    times, states = [0.0], [x]
    while np.max(states[-1]) > 0.01:
        step = 0.1 / (1.0 + np.max(np.abs(states[-1])))
        times.append(times[-1] + step)
        states.append(states[-1] - step * states[-1] * (1.0 + states[-1]))
    return np.array(times), np.array(states)


def cooling_loss(x):
    _, states = cooling(x)
    return np.sum(states**2)


def cooling_gradient(x):
    """The gradient of `cooling_loss`, by hand, with steps that are differentiated as well."""
    _, states = cooling(x)
    d_state = 2.0 * states[-1]
    for state in states[-2::-1]:
        most = np.argmax(np.abs(state))
        scale = 1.0 + np.abs(state[most])
        step, rate = 0.1 / scale, state * (1.0 + state)
        d_step = -np.sum(d_state * rate)
        d_state = d_state - step * d_state * (1.0 + 2.0 * state)
        d_state[most] -= d_step * step / scale * np.sign(state[most])
        d_state += 2.0 * state
    return d_state


def cases() -> dict[str, tuple[Callable, Callable, tuple]]:
    """The compiled function, the one written by hand, and their arguments."""
    _, rnn_arguments, _ = examples()["rnn"]
    return {
        "newton_sqrt": (ag.to_graph(newton_sqrt), newton_sqrt, (2.0,)),
        "newton_sqrt, gradient": (ag.grad(newton_sqrt), newton_gradient, (2.0,)),
        "cooling, in lists": (ag.to_graph(cooling), cooling, (ROD,)),
        "cooling, gradient": (ag.grad(cooling_loss), cooling_gradient, (ROD,)),
        "rnn": (ag.to_graph(rnn), rnn, rnn_arguments),
        "rnn, gradient by w": (ag.grad(rnn), rnn_gradient, rnn_arguments),
    }


def run() -> Table:
    rows = []
    for name, (compiled, by_hand, args) in cases().items():
        for found, wanted in zip(
            ag.tree.leaves(compiled(*args)), ag.tree.leaves(by_hand(*args)), strict=True
        ):
            np.testing.assert_allclose(found, wanted, rtol=1e-9)
        timings = interleaved(
            {
                "by hand": lambda by_hand=by_hand, args=args: by_hand(*args),
                "compiled": lambda compiled=compiled, args=args: compiled(*args),
            }
        )
        ratio = f"{timings.ratio('compiled', 'by hand'):.2f}"
        by_hand_time = duration(timings.seconds("by hand"))
        rows.append((name, by_hand_time, duration(timings.seconds("compiled")), ratio))
    return Table(
        "Loops",
        "Loops whose trip count depends on the data. A ratio below 1 means that compiled is "
        "faster. The call overhead is included.",
        ("function", "Python by hand", "compiled", "ratio"),
        rows,
    )
