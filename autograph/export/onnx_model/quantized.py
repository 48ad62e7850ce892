"""Numbers of few bits: what `ag.quantize` makes, as `QuantizeLinear` and `DequantizeLinear`.

Runtimes find these pairs, and compute products of integers where they can. They are two forms of a
graph. Weights are integers times steps, where the integers are known,

    w = multiply(cast(i), step)                            w = DequantizeLinear(i, step)

and numbers on a grid are rounded quotients times the step, see `transforms.quantization.grids`,

    q = rint_through(clip(divide(x, step), low, high))     q = QuantizeLinear(x, step, zero)
    y = multiply(q, step)                                  y = DequantizeLinear(q, step, zero)

What only the form on the left needs is left out of the model with all that nobody needs. ONNX has
this for steps of float32 and float16; others are written as they are.

Weights of 4 bits or fewer are of the type INT4, those of up to 7 bits of INT8. Those of 8 bits, and
what is rounded as the model runs, are of UINT8 with 128 or so added: on CPUs without instructions
for it ONNX Runtime adds two products with INT8 in 16 bits, which are not enough.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

import ops
from autograph.export.elementwise import elementwise
from autograph.export.onnx_model.terms import Tensor
from autograph.export.onnx_model.writer import ModelWriter, rule
from autograph.graph.graph import Constant, Node, Value
from ops.structure import reshaping

_MIDDLE, _MOST = 128, 255  # of a byte without a sign
_OF_STEPS = (np.dtype(np.float32), np.dtype(np.float16))


@rule(ops.multiply)
def _multiply(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Any:
    weight = _weight(node)
    if weight is not None:
        found = _dequantized(writer, weight, _is_apart(writer, node.outputs[0]))
        if found is not None:
            return found
    grid = _grid(node)
    if grid is not None:
        return _on_grid(writer, grid)
    return elementwise(writer.form, writer.bounds, node, operands)


# -- weights ---------------------------------------------------------------------------------------


class _Weight(NamedTuple):
    """Integers times steps, arrays with as many axes."""

    integers: np.ndarray
    steps: np.ndarray


def _weight(node: Node | None) -> _Weight | None:
    if node is None or node.op is not ops.multiply:
        return None
    for value, other in (node.inputs, node.inputs[::-1]):
        source = value.producer
        if not isinstance(other, Constant) or source is None or source.op is not ops.cast:
            continue
        if source.inputs[0].type.dtype != np.int8 or other.type.dtype not in _OF_STEPS:
            continue
        integers = _known(source.inputs[0])
        steps = np.asarray(other.data, other.type.dtype)
        if integers is not None and integers.ndim and integers.ndim == steps.ndim:
            return _Weight(integers, steps)
    return None


# What takes integers apart of which two are in a byte, and puts them into their places.
_UNPACKING = (ops.left_shift, ops.right_shift, ops.concatenate, reshaping.reshape)


def _known(value: Value) -> np.ndarray | None:
    """The integers that constants hold, if they are only unpacked."""
    if isinstance(value, Constant):
        return np.asarray(value.data, value.type.dtype)
    node = value.producer
    if node is None or node.op not in _UNPACKING:
        return None
    given = [_known(v) for v in node.inputs]
    if any(array is None for array in given):
        return None
    return np.asarray(node.op.evaluate(np, given, node.attrs))


def _dequantized(writer: ModelWriter, weight: _Weight, is_apart: bool) -> Tensor | None:
    """A weight whose steps belong to places of one axis, or are the same along one; None where it
    is another."""
    integers, steps = weight
    shape = integers.shape
    if any(n not in (1, m) for n, m in zip(steps.shape, shape)):
        return None
    kept = [axis for axis, n in enumerate(steps.shape) if n > 1]
    if not kept and not is_apart:
        return _node(writer, integers, steps.reshape(()))
    if len(kept) < 2:
        axis = kept[0] if kept else len(shape) - 1
        spread = np.broadcast_to(steps.reshape(-1), shape[axis])
        return _node(writer, integers, spread, is_apart, axis=axis)
    others = [axis for axis in range(len(shape)) if axis not in kept and shape[axis] > 1]
    if len(others) == 1:
        return _node(writer, integers, steps, True, axis=others[0], block_size=shape[others[0]])
    first = len(kept)
    if kept == list(range(first)):
        rows = math.prod(shape[:first])
        found = _node(writer, integers.reshape(rows, -1), steps.reshape(-1), axis=0)
        return found.reshaped(list(shape))
    return None


def grouped_weight(writer: ModelWriter, node: Node) -> Tensor | None:
    """What a reshaping gives that puts groups of a weight, each with a step of its own, side by
    side along their axis; None if a node is none."""
    weight = _weight(node.inputs[0].producer)
    if weight is None or len(node.inputs) > 1:
        return None
    integers, steps = weight
    shape, merged = integers.shape, tuple(node.attrs["shape"])
    for axis in range(len(shape) - 1):
        size = shape[axis + 1]
        side_by_side = (*shape[:axis], shape[axis] * size, *shape[axis + 2 :])
        is_group = steps.shape[axis] == shape[axis] > 1 and steps.shape[axis + 1] == 1
        if merged == side_by_side and is_group and size > 1:
            of_groups = np.squeeze(steps, axis + 1)
            wanted = (*merged[:axis], shape[axis], *merged[axis + 1 :])
            spread = np.broadcast_to(of_groups, wanted)
            blocks = {"axis": axis, "block_size": size}
            is_apart = not fits_4_bits(integers) or _is_apart(writer, node.outputs[0])
            return _node(writer, integers.reshape(merged), spread, is_apart, **blocks)
    return None


def _is_apart(writer: ModelWriter, weight: Value) -> bool:
    """Whether some product of a weight is one with numbers that are not on a grid: ONNX Runtime
    rounds these by itself, unless something is between the two."""
    for user in writer.users(weight):
        if user.op is ops.matmul:
            for other in user.inputs:
                source = other.producer
                if other is not weight and (source is None or _grid(source) is None):
                    return True
    return False


def _node(
    writer: ModelWriter,
    integers: np.ndarray,
    steps: np.ndarray,
    is_apart: bool = False,
    **attrs: int,
) -> Tensor:
    """A weight as a constant of 4 or 8 bits, and what makes floats of it.

    Args:
        is_apart: whether it goes through a reshaping, by which ONNX Runtime does not see that it is
            part of a product. Of blocks of bytes it would make one that is wrong.
    """
    if is_apart:
        shape = list(integers.shape)
        attrs["axis"] += 1
        steps = steps[None] if "block_size" in attrs else steps
        return _node(writer, integers[None], steps, False, **attrs).reshaped(shape)
    nodes = writer.nodes
    largest = np.max(np.abs(integers.astype(np.int16)), initial=0)
    zero = 0 if largest <= _SMALL else _MIDDLE
    if fits_4_bits(integers):
        stored = nodes.integers_of_4_bits(integers)
    elif zero:
        stored = nodes.constant(integers.view(np.uint8) ^ np.uint8(_MIDDLE), np.uint8, "weight")
    else:
        stored = nodes.constant(integers, np.int8, "weight")
    inputs = [stored, nodes.constant(steps)]
    if zero:
        inputs.append(nodes.constant(np.full(steps.shape, zero, np.uint8)))
    return Tensor(nodes, nodes.one("DequantizeLinear", *inputs, **attrs), steps.dtype)


def fits_4_bits(integers: np.ndarray) -> bool:
    return not integers.size or (np.min(integers) >= -8 and np.max(integers) <= 7)


# What may be multiplied with 255 and added to another such product in 16 bits.
_SMALL = 64


# -- grids -----------------------------------------------------------------------------------------


class _Grid(NamedTuple):
    """What is rounded, to multiples of a step from one integer to another."""

    x: Value
    step: Value
    low: int
    high: int


def _grid(node: Node) -> _Grid | None:
    if node.op is not ops.multiply:
        return None
    for value, step in (node.inputs, node.inputs[::-1]):
        whole = _made_by(value, ops.rint_through)
        if whole is None or step.type.dtype not in _OF_STEPS:
            continue
        upper, inside = _bound(whole.inputs[0], ops.minimum)
        lower, quotient = _bound(inside, ops.maximum)
        divided = _made_by(quotient, ops.divide)
        if divided is None or lower is None or upper is None:
            continue
        x, divisor = divided.inputs
        is_float = x.type.dtype == step.type.dtype == node.outputs[0].type.dtype
        low, high = math.ceil(lower), math.floor(upper)
        if is_float and _same(divisor, step) and high - low <= _MOST:
            return _Grid(x, step, low, high)
    return None


def _made_by(value: Value | None, op: Any) -> Node | None:
    node = None if value is None else value.producer
    return node if node is not None and node.op is op else None


def _bound(value: Value | None, op: Any) -> tuple[float | None, Value | None]:
    """A number, and what is cut there by `minimum` or `maximum`."""
    node = _made_by(value, op)
    for bound, other in () if node is None else (node.inputs, node.inputs[::-1]):
        if isinstance(bound, Constant) and not bound.type.shape:
            return float(bound.data), other
    return None, None


def _same(a: Value, b: Value) -> bool:
    if isinstance(a, Constant) and isinstance(b, Constant):
        return a.type == b.type and np.array_equal(a.data, b.data)
    return a is b


def _on_grid(writer: ModelWriter, grid: _Grid) -> Tensor:
    nodes = writer.nodes
    x, step = writer.array(grid.x), writer.array(grid.step)
    zero = _MIDDLE if grid.low >= -_MIDDLE and grid.high < _MIDDLE else -grid.low
    if (grid.low + zero, grid.high + zero) != (0, _MOST):  # a byte goes further
        for op, bound in (("Max", grid.low), ("Min", grid.high)):
            x = x.made(op, step * step.dtype.type(bound))
    shape = grid.step.type.shape
    axes = [axis for axis, n in enumerate(shape) if n != 1]
    if len(axes) > 1 or (axes and len(shape) != grid.x.type.ndim):
        whole = x.made("Div", step).made("Round")
        return whole.made("Mul", step)
    attrs = {"axis": axes[0]} if axes else {}
    count = [-1] if axes else []
    if shape != tuple(count):
        step = step.reshaped(count)
    zeros = nodes.constant(np.full([shape[a] for a in axes], zero, np.uint8))
    integers = x.made("QuantizeLinear", step, zeros, dtype=np.uint8, **attrs)
    return integers.made("DequantizeLinear", step, zeros, dtype=step.dtype, **attrs)
