"""Functions written in NumPy, in JAX and in torch, whose values and gradients are compared.

What the other frameworks give is kept in ``references.json``, so that `make test`, which has
neither, compares with it too. ``python -m tests.peers.references`` writes it, with their versions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Program(NamedTuple):
    """A function of arrays in NumPy, and what it is with the names of another library.

    Attributes:
        numpy: with Python's control flow.
        other: takes the module that has NumPy's names, ``jax.numpy`` or ``torch``, and the
            arguments. Both give a number.
        args: arrays of float64; the gradient is by all of them.
    """

    numpy: Callable
    other: Callable
    args: tuple[np.ndarray, ...]


RNG = np.random.default_rng(7)


def waves(x):
    y = x
    for i in range(4):
        y = np.sin(y * (i + 1.0)) if np.sum(y) > 0 else y * y
    return np.sum(y * x)


def waves_of(lib: Any, x: Any) -> Any:
    y = x
    for i in range(4):
        y = lib.where(lib.sum(y) > 0, lib.sin(y * (i + 1.0)), y * y)
    return lib.sum(y * x)


def network(w, v, x):
    total = 0.0
    for row in x:
        total += np.sum(np.tanh(v @ np.maximum(w @ row, 0.1)) ** 2)
    return total / len(x)


def network_of(lib: Any, w: Any, v: Any, x: Any) -> Any:
    hidden = lib.clip(x @ w.T, 0.1, None)
    return lib.sum(lib.tanh(hidden @ v.T) ** 2) / len(x)


def softmax_loss(logits, targets):
    shifted = logits - np.max(logits, axis=1, keepdims=True)
    logs = shifted - np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))
    return -np.mean(np.sum(targets * logs, axis=1))


def softmax_loss_of(lib: Any, logits: Any, targets: Any) -> Any:
    logs = logits - lib.log(lib.sum(lib.exp(logits), 1))[:, None]
    return -lib.mean(lib.sum(targets * logs, 1))


def pendulum(state):
    angle, speed = state
    for _ in range(50):
        speed = speed - 0.02 * np.sin(angle)
        angle = angle + 0.02 * speed
        if angle > 3.0:
            angle = angle - 6.0
    return angle * speed


def pendulum_of(lib: Any, state: Any) -> Any:
    angle, speed = state[0], state[1]
    for _ in range(50):
        speed = speed - 0.02 * lib.sin(angle)
        angle = angle + 0.02 * speed
        angle = lib.where(angle > 3.0, angle - 6.0, angle)
    return angle * speed


def solved(a, b):
    matrix = a @ a.T + 3.0 * np.eye(len(b))
    low = np.linalg.cholesky(matrix)
    return np.sum(np.linalg.solve(matrix, b) ** 2) + np.sum(np.log(np.diag(low)))


def solved_of(lib: Any, a: Any, b: Any) -> Any:
    matrix = a @ a.T + 3.0 * lib.eye(len(b), dtype=a.dtype)
    low = lib.linalg.cholesky(matrix)
    return lib.sum(lib.linalg.solve(matrix, b) ** 2) + lib.sum(lib.log(lib.diag(low)))


PROGRAMS = {
    "waves": Program(waves, waves_of, (RNG.normal(size=5),)),
    "network": Program(
        network,
        network_of,
        (RNG.normal(size=(4, 3)), RNG.normal(size=(2, 4)), RNG.normal(size=(6, 3))),
    ),
    "softmax": Program(softmax_loss, softmax_loss_of, (RNG.normal(size=(4, 3)), np.eye(4, 3))),
    "pendulum": Program(pendulum, pendulum_of, (np.array([2.5, 1.5]),)),
    "solved": Program(solved, solved_of, (RNG.normal(size=(3, 3)), RNG.normal(size=3))),
}
