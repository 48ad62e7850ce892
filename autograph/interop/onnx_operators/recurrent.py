"""Recurrent layers: a loop over the steps, for each direction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import ops
from autograph.interop.onnx_operators.marks import several, unsupported
from autograph.interop.onnx_operators.shapes import ReverseSequence


def _activated(name: str, x: Any, alpha: Any, beta: Any) -> Any:
    if name == "Sigmoid":
        return ops.nn.sigmoid(x)
    if name == "Tanh":
        return np.tanh(x)
    if name == "Relu":
        return ops.nn.relu(x)
    if name == "Affine":
        return alpha * x + beta
    if name == "LeakyRelu":
        return ops.nn.leaky_relu(x, 0.01 if alpha is None else alpha)
    if name == "ThresholdedRelu":
        return np.where(x > (1.0 if alpha is None else alpha), x, 0)
    if name == "ScaledTanh":
        return alpha * np.tanh(beta * x)
    if name == "HardSigmoid":
        slope, offset = 0.2 if alpha is None else alpha, 0.5 if beta is None else beta
        return np.maximum(0, np.minimum(1, slope * x + offset))
    if name == "Elu":
        return ops.nn.elu(x, 1.0 if alpha is None else alpha)
    if name == "Softsign":
        return ops.nn.soft_sign(x)
    if name == "Softplus":
        return ops.nn.softplus(x)
    raise unsupported(f"the activation {name!r} of a recurrent layer")


class _Gates:
    """The activations of one direction.

    Args:
        names, alphas, betas: of all directions, one after the other.
        default: the names where none are given.
        clip: what is given to them is limited to this, on both sides.
    """

    def __init__(
        self,
        names: Sequence[str] | None,
        alphas: Sequence[float] | None,
        betas: Sequence[float] | None,
        default: tuple[str, ...],
        number: int,
        clip: float | None,
    ):
        count = len(default)
        first = number * count
        self.names = default if names is None else tuple(names)[first : first + count]
        self.alphas = [_of(alphas, first + i) for i in range(count)]
        self.betas = [_of(betas, first + i) for i in range(count)]
        self.clip = clip

    def __call__(self, i: int, x: Any) -> Any:
        if self.clip is not None:
            x = np.minimum(np.maximum(x, -self.clip), self.clip)
        return _activated(self.names[i], x, self.alphas[i], self.betas[i])


def _of(values: Sequence[float] | None, i: int) -> float | None:
    return values[i] if values is not None and i < len(values) else None


def _run(
    x: Any,
    states: tuple[Any, ...],
    step: Callable[..., tuple[Any, ...]],
    lengths: Any,
    backwards: bool,
) -> tuple[Any, ...]:
    """The first state after each step, and the states after the last one.

    Args:
        x: ``(steps, batch, inputs)``.
        lengths: of the sequences, or None: behind its end a sequence has zeros, and its states
            stay.
    """
    if backwards:
        x = np.flip(x, 0) if lengths is None else ReverseSequence(x, lengths)
    rows = []
    for t in range(x.shape[0]):
        new = step(x[t], *states)
        if lengths is None:
            states = new
            rows.append(states[0])
        else:
            goes_on = (t < lengths)[:, None]
            states = tuple([np.where(goes_on, a, b) for a, b in zip(new, states)])
            rows.append(np.where(goes_on, states[0], 0))
    y = np.stack(rows)
    if backwards:
        y = np.flip(y, 0) if lengths is None else ReverseSequence(y, lengths)
    return (y, *states)


def _all_directions(
    x: Any,
    initial: tuple[Any, ...],
    direction: str,
    layout: int,
    hidden: int,
    lengths: Any,
    step_of: Callable[[int], Callable[..., tuple[Any, ...]]],
) -> tuple[Any, ...]:
    """The results of a recurrent layer: all outputs, and the last states."""
    if layout:
        x = np.swapaxes(x, 0, 1)
        initial = tuple([None if h is None else np.swapaxes(h, 0, 1) for h in initial])
    ways = (False, True) if direction == "bidirectional" else (direction == "reverse",)
    zeros = np.zeros((x.shape[1], hidden), x.dtype)
    found = []
    for number, backwards in enumerate(ways):
        states = tuple([zeros if h is None else h[number] for h in initial])
        found.append(_run(x, states, step_of(number), lengths, backwards))
    y = np.stack([one[0] for one in found], axis=1)
    last = [np.stack([one[i] for one in found]) for i in range(1, len(initial) + 1)]
    if layout:
        y = np.transpose(y, (2, 0, 1, 3))
        last = [np.swapaxes(h, 0, 1) for h in last]
    return (y, *last)


def RNN(
    x: Any,
    w: Any,
    r: Any,
    b: Any = None,
    sequence_lens: Any = None,
    initial_h: Any = None,
    *,
    activation_alpha: Sequence[float] | None = None,
    activation_beta: Sequence[float] | None = None,
    activations: Sequence[str] | None = None,
    clip: float | None = None,
    direction: str = "forward",
    hidden_size: int | None = None,
    layout: int = 0,
    outputs: int = 2,
) -> Any:
    hidden = r.shape[-1]

    def step_of(number: int) -> Any:
        gates = _Gates(activations, activation_alpha, activation_beta, ("Tanh",), number, clip)

        def step(row: Any, h: Any) -> Any:
            total = row @ w[number].T + h @ r[number].T
            if b is not None:
                total = total + b[number, :hidden] + b[number, hidden:]
            return (gates(0, total),)

        return step

    found = _all_directions(x, (initial_h,), direction, layout, hidden, sequence_lens, step_of)
    return several(found, outputs)


def GRU(
    x: Any,
    w: Any,
    r: Any,
    b: Any = None,
    sequence_lens: Any = None,
    initial_h: Any = None,
    *,
    activation_alpha: Sequence[float] | None = None,
    activation_beta: Sequence[float] | None = None,
    activations: Sequence[str] | None = None,
    clip: float | None = None,
    direction: str = "forward",
    hidden_size: int | None = None,
    layout: int = 0,
    linear_before_reset: int = 0,
    outputs: int = 2,
) -> Any:
    """The gates are those for update and reset, and the content."""
    n = r.shape[-1]

    def step_of(number: int) -> Any:
        gates = _Gates(
            activations, activation_alpha, activation_beta, ("Sigmoid", "Tanh"), number, clip
        )
        of_h = r[number]
        biases = np.zeros(6 * n, x.dtype) if b is None else b[number]

        def step(row: Any, h: Any) -> Any:
            by_x = row @ w[number].T + biases[: 3 * n]
            by_h = h @ of_h[: 2 * n].T + biases[3 * n : 5 * n]
            update = gates(0, by_x[:, :n] + by_h[:, :n])
            reset = gates(0, by_x[:, n : 2 * n] + by_h[:, n:])
            if linear_before_reset:
                inner = reset * (h @ of_h[2 * n :].T + biases[5 * n :])
            else:
                inner = (reset * h) @ of_h[2 * n :].T + biases[5 * n :]
            content = gates(1, by_x[:, 2 * n :] + inner)
            return ((1 - update) * content + update * h,)

        return step

    found = _all_directions(x, (initial_h,), direction, layout, n, sequence_lens, step_of)
    return several(found, outputs)


def LSTM(
    x: Any,
    w: Any,
    r: Any,
    b: Any = None,
    sequence_lens: Any = None,
    initial_h: Any = None,
    initial_c: Any = None,
    p: Any = None,
    *,
    activation_alpha: Sequence[float] | None = None,
    activation_beta: Sequence[float] | None = None,
    activations: Sequence[str] | None = None,
    clip: float | None = None,
    direction: str = "forward",
    hidden_size: int | None = None,
    input_forget: int = 0,
    layout: int = 0,
    outputs: int = 3,
) -> Any:
    """The gates are those for input, output and forgetting, and the content; ``p`` lets the first
    three see the cell."""
    n = r.shape[-1]

    def step_of(number: int) -> Any:
        default = ("Sigmoid", "Tanh", "Tanh")
        gates = _Gates(activations, activation_alpha, activation_beta, default, number, clip)
        peep = np.zeros(3 * n, x.dtype) if p is None else p[number]

        def step(row: Any, h: Any, cell: Any) -> Any:
            total = row @ w[number].T + h @ r[number].T
            if b is not None:
                total = total + b[number, : 4 * n] + b[number, 4 * n :]
            entering = gates(0, total[:, :n] + peep[:n] * cell)
            kept = gates(0, total[:, 2 * n : 3 * n] + peep[2 * n :] * cell)
            if input_forget:
                kept = 1 - entering
            cell = kept * cell + entering * gates(1, total[:, 3 * n :])
            given = gates(0, total[:, n : 2 * n] + peep[n : 2 * n] * cell)
            return given * gates(2, cell), cell

        return step

    states = (initial_h, initial_c)
    found = _all_directions(x, states, direction, layout, n, sequence_lens, step_of)
    return several(found, outputs)
