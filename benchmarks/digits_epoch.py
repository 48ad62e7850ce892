"""A training epoch of `samples/digits.py` against the same epoch with gradients written by hand."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_digits

import autograph as ag
from benchmarks.table import Table, duration
from benchmarks.timing import interleaved
from samples import digits


def numpy_gradient(params, x, y):
    """The loss of `digits.loss` and its gradient, by hand."""
    activations = [x]
    for w, b in params[:-1]:
        activations.append(np.maximum(activations[-1] @ w + b, 0.0))
    w, b = params[-1]
    scores = activations[-1] @ w + b
    scores -= np.max(scores, axis=1, keepdims=True)
    exponentials = np.exp(scores)
    normalizer = np.sum(exponentials, axis=1, keepdims=True)
    rows = np.arange(len(y))
    value = np.mean(np.log(normalizer[:, 0]) - scores[rows, y])
    ct = exponentials / normalizer
    ct[rows, y] -= 1.0
    ct /= len(y)
    gradient = []
    for (w, _), activation in zip(reversed(params), reversed(activations)):
        gradient.append((activation.T @ ct, np.sum(ct, axis=0)))
        ct = (ct @ w.T) * (activation > 0.0)
    return value, gradient[::-1]


def numpy_epoch(params, velocity, x, y, batches, rate, momentum):
    """`digits.epoch` by hand; parameters are updated in place, in copies."""
    params = [(w.copy(), b.copy()) for w, b in params]
    velocity = [(w.copy(), b.copy()) for w, b in velocity]
    total = 0.0
    for batch in batches:
        value, gradient = numpy_gradient(params, x[batch], y[batch])
        for parameters, velocities, gradients in zip(params, velocity, gradient):
            for p, v, g in zip(parameters, velocities, gradients):
                v *= momentum
                g *= rate
                v -= g
                p += v
        total += value
    return params, velocity, total / len(batches)


def arguments(batches: int | None = None) -> tuple:
    """The arguments of an epoch over all the images, or over a few batches of them."""
    x, y = load_digits(return_X_y=True)
    rng = np.random.default_rng(0)
    params, velocity = digits.initial(rng)
    order = rng.permutation(len(x))
    chosen = order[: len(order) // digits.BATCH * digits.BATCH].reshape(-1, digits.BATCH)
    return params, velocity, x / 16.0, y, chosen[:batches], 0.05, 0.9


def run() -> Table:
    args = arguments()
    compiled = ag.to_graph(digits.epoch)
    check(compiled(*args), numpy_epoch(*args))
    timings = interleaved(
        {"NumPy": lambda: numpy_epoch(*args), "compiled": lambda: compiled(*args)}
    )
    row = (
        f"{len(args[4])} steps of {digits.BATCH} images",
        duration(timings.seconds("NumPy")),
        duration(timings.seconds("compiled")),
        f"{timings.ratio('compiled', 'NumPy'):.2f}",
    )
    return Table(
        "Digits epoch",
        "One epoch of samples/digits.py, against NumPy with gradients written by hand. Both give "
        "the same parameters.",
        ("epoch", "NumPy by hand", "compiled", "ratio"),
        [row],
    )


def check(compiled: tuple, by_hand: tuple) -> None:
    """Raise unless two results of an epoch agree to rounding."""
    for mine, other in zip(compiled[:2], by_hand[:2], strict=True):
        for pair, expected in zip(mine, other, strict=True):
            for array, reference in zip(pair, expected, strict=True):
                np.testing.assert_allclose(array, reference, rtol=1e-7, atol=1e-10)
    np.testing.assert_allclose(compiled[2], by_hand[2], rtol=1e-10)
