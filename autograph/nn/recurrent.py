"""Cells, which take one step of a sequence, and networks of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import ops
from autograph.nn import init
from autograph.nn.checks import require, require_features


class LSTMState(NamedTuple):
    """What an `LSTMCell` remembers, each ``(..., hidden)``; the first is what it gives."""

    hidden: Any
    cell: Any


@dataclass
class LSTMCell:
    """One step of a long short-term memory. Hochreiter and Schmidhuber (1997), with the forget gate
    of Gers et al. (2000).

    Attributes:
        weight_ih: ``(4 hidden, inputs)``: of the gates for input, forgetting, content and output.
        weight_hh: ``(4 hidden, hidden)``.
        bias_ih, bias_hh: ``(4 hidden,)``.

    Examples:
        >>> cell = nn.LSTMCell.make(ops.random.key(0), 3, 4)
        >>> state = cell.initial((2,))
        >>> for x in np.ones((5, 2, 3), np.float32):
        ...     state = cell(x, state)
        >>> state.hidden.shape
        (2, 4)
    """

    weight_ih: Any
    weight_hh: Any
    bias_ih: Any
    bias_hh: Any

    @classmethod
    def make(
        cls,
        key: Any,
        inputs: int,
        hidden: int,
        *,
        initial: Callable = init.lecun_normal,
        recurrent: Callable = init.orthogonal,
        dtype: Any = np.float32,
    ) -> LSTMCell:
        """A cell with weights by `nn.init`, and biases of zero."""
        return cls(*_weights(key, 4, inputs, hidden, initial, recurrent, dtype))

    def initial(self, shape: tuple[int, ...] = ()) -> LSTMState:
        """The state before the first step: zeros, of batches of a shape."""
        zeros = np.zeros((*shape, self.weight_hh.shape[1]), self.weight_hh.dtype)
        return LSTMState(zeros, zeros)

    def __call__(self, x: Any, state: LSTMState) -> LSTMState:
        """The state after ``x``, ``(..., inputs)``."""
        require_features("LSTMCell", x, -1, self.weight_ih.shape[1])
        hidden, cell = state
        gates = ops.nn.linear(x, self.weight_ih, self.bias_ih)
        gates = gates + ops.nn.linear(hidden, self.weight_hh, self.bias_hh)
        entering, kept, content, given = np.split(gates, 4, axis=-1)
        cell = ops.nn.sigmoid(kept) * cell + ops.nn.sigmoid(entering) * np.tanh(content)
        return LSTMState(ops.nn.sigmoid(given) * np.tanh(cell), cell)


class GRUState(NamedTuple):
    """What a `GRUCell` remembers and gives, ``(..., hidden)``."""

    hidden: Any


@dataclass
class GRUCell:
    """One step of a gated recurrent unit. Cho et al., arXiv:1406.1078, with the reset after the
    product, as cuDNN and PyTorch have it.

    Attributes:
        weight_ih: ``(3 hidden, inputs)``: of the gates for reset and update, and of the content.
        weight_hh: ``(3 hidden, hidden)``.
        bias_ih, bias_hh: ``(3 hidden,)``.

    Examples:
        >>> cell = nn.GRUCell.make(ops.random.key(0), 3, 4)
        >>> cell(np.ones((2, 3), np.float32), cell.initial((2,))).hidden.shape
        (2, 4)
    """

    weight_ih: Any
    weight_hh: Any
    bias_ih: Any
    bias_hh: Any

    @classmethod
    def make(
        cls,
        key: Any,
        inputs: int,
        hidden: int,
        *,
        initial: Callable = init.lecun_normal,
        recurrent: Callable = init.orthogonal,
        dtype: Any = np.float32,
    ) -> GRUCell:
        """A cell with weights by `nn.init`, and biases of zero."""
        return cls(*_weights(key, 3, inputs, hidden, initial, recurrent, dtype))

    def initial(self, shape: tuple[int, ...] = ()) -> GRUState:
        """The state before the first step: zeros, of batches of a shape."""
        return GRUState(np.zeros((*shape, self.weight_hh.shape[1]), self.weight_hh.dtype))

    def __call__(self, x: Any, state: GRUState) -> GRUState:
        """The state after ``x``, ``(..., inputs)``."""
        require_features("GRUCell", x, -1, self.weight_ih.shape[1])
        (hidden,) = state
        by_x = np.split(ops.nn.linear(x, self.weight_ih, self.bias_ih), 3, axis=-1)
        by_h = np.split(ops.nn.linear(hidden, self.weight_hh, self.bias_hh), 3, axis=-1)
        reset = ops.nn.sigmoid(by_x[0] + by_h[0])
        update = ops.nn.sigmoid(by_x[1] + by_h[1])
        content = np.tanh(by_x[2] + reset * by_h[2])
        return GRUState((1.0 - update) * content + update * hidden)


def _weights(
    key: Any,
    gates: int,
    inputs: int,
    hidden: int,
    initial: Callable,
    recurrent: Callable,
    dtype: Any,
) -> tuple[Any, Any, Any, Any]:
    of_x, of_h = ops.random.split(key)
    by_gate = [recurrent(k, (hidden, hidden), dtype) for k in ops.random.split(of_h, gates)]
    zeros = np.zeros(gates * hidden, dtype)
    weight = initial(of_x, (gates * hidden, inputs), dtype)
    return weight, np.concatenate(by_gate), zeros, np.zeros_like(zeros)


@dataclass
class Recurrent:
    """Cells one above the other, over a sequence.

    Attributes:
        cells: of any class with ``initial(shape)`` and ``cell(x, state) -> state``, where the first
            part of a state is what the cell gives.

    Examples:
        >>> network = nn.Recurrent.make(ops.random.key(0), nn.LSTMCell, [3, 8, 4])
        >>> outputs, state = network(np.ones((5, 2, 3), np.float32))
        >>> outputs.shape, state[1].hidden.shape
        ((5, 2, 4), (2, 4))
    """

    cells: list[Any]

    @classmethod
    def make(cls, key: Any, cell: Any, sizes: Sequence[int], **options: Any) -> Recurrent:
        """Cells of a class between layers of some sizes; ``options`` are those of its ``make``."""
        require(
            len(sizes) > 1, f"layers of sizes {sizes}", "give the numbers of inputs, and of units"
        )
        keys = ops.random.split(key, len(sizes) - 1)
        return cls([cell.make(k, n, m, **options) for k, n, m in zip(keys, sizes, sizes[1:])])

    def __call__(self, xs: Any, states: Any = None) -> tuple[Any, list[Any]]:
        """``(steps, ..., inputs)`` to ``(steps, ..., units)``, and the states of the cells after
        the last step.

        Args:
            xs: the sequence.
            states: of the cells before it; by default the first ones.
        """
        if states is None:
            states = [cell.initial(xs.shape[1:-1]) for cell in self.cells]
        states = list(states)
        outputs = []
        for x in xs:
            for i, cell in enumerate(self.cells):
                states[i] = cell(x, states[i])
                x = states[i][0]
            outputs.append(x)
        return np.stack(outputs), states
