"""Operators on whole arrays: shapes, reductions, products, windows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import ops
from autograph.export.elementwise import fitted
from autograph.export.onnx_model.nodes import BOOL, LONG
from autograph.export.onnx_model.quantized import grouped_weight
from autograph.export.onnx_model.terms import Tensor, compute, known
from autograph.export.onnx_model.writer import ModelWriter, rule
from autograph.graph.graph import Node, Value
from ops.arrays import cumulative, rearrange, reduction
from ops.control import regions, rows
from ops.control.collectives import vary
from ops.core import kernels
from ops.core.lengths import length, positions
from ops.core.registry import REGISTRY
from ops.shapes.padding import pad_zeros
from ops.signal import convolution, pooling
from ops.structure import broadcasting, identity, permuting, reshaping
from ops.structure.reducing import all_axes

# Elements of these dtypes ONNX Runtime adds up one after the other, and compares.
_TOTALLED = frozenset(np.dtype(d) for d in ["f2", "f4", "f8", "i4", "i8"])
_COMPARED = frozenset(np.dtype(d) for d in ["f2", "f4", "f8", "i1", "i4", "i8", "u1"])
_MULTIPLIED = frozenset(np.dtype(d) for d in ["f2", "f4", "f8", "i4", "i8", "u4", "u8"])
_CONVOLVED = frozenset(np.dtype(d) for d in ["f2", "f4"])


def type_of(value: Value) -> Any:
    return value.type


def shape_name(writer: ModelWriter, shape: Sequence[int | None], lengths: Sequence[Tensor]) -> str:
    """The name of a shape, whose unknown lengths are operands."""
    if None not in shape:
        return writer.nodes.constant(np.asarray(shape, LONG))
    if not lengths:  # one that the others tell
        return writer.nodes.constant([-1 if n is None else n for n in shape], LONG)
    remaining = iter(lengths)
    parts = [
        next(remaining).cast(LONG).reshaped([1]) if n is None else known(writer.nodes, [n], LONG)
        for n in shape
    ]
    return parts[0].made("Concat", *parts[1:], axis=0).name


# -- the same elements -----------------------------------------------------------------------------


@rule(
    identity.copy,
    identity.contiguous,
    identity.refine,
    identity.as_long_as,
    ops.stop_gradient,
    regions.recompute,
    REGISTRY["positive"],
    vary,
)
def _same(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    return operands[0].cast(type_of(node.outputs[0]).dtype)


@rule(permuting.transpose)
def _transpose(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    return operands[0].transposed(node.attrs["axes"])


@rule(reshaping.reshape)
def _reshape(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    x, *lengths = operands
    weight = grouped_weight(writer, node)
    if weight is not None:
        return weight
    return x.reshaped(shape_name(writer, node.attrs["shape"], lengths))


@rule(broadcasting.broadcast_to)
def _broadcast(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    x, *lengths = operands
    return x.expanded(shape_name(writer, node.attrs["shape"], lengths))


@rule(REGISTRY["full"])
def _full(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    value, *lengths = operands
    value = fitted(writer.form, node.inputs[0], value, np.dtype(node.attrs["dtype"]))
    return value.expanded(shape_name(writer, node.attrs["shape"], lengths))


@rule(length)
def _length(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    axis = node.attrs["axis"]
    return operands[0].made("Shape", dtype=LONG, start=axis, end=axis + 1).squeezed([0])


@rule(positions)
def _positions(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    zero = known(writer.nodes, 0, LONG)
    return zero.made("Range", operands[0], known(writer.nodes, 1, LONG))


@rule(REGISTRY["concatenate"])
def _concatenate(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    dtype = type_of(node.outputs[0]).dtype
    first, *others = [x.cast(dtype) for x in operands]
    return first.made("Concat", *others, axis=node.attrs["axis"])


@rule(rows.append_row)
def _append(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    some, row = operands
    return some.made("Concat", row.unsqueezed([0]), axis=0)


@rule(rows.drop_row)
def _drop(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    x = operands[0]
    number = x.made("Shape", dtype=LONG, start=0, end=1).squeezed([0])
    writer.nodes.require((number > 0).name, "IndexError: pop from empty list")
    return x.made("Slice", x.longs([0]), x.longs([-1]), x.longs([0]))


@rule(rows.no_rows)
def _no_rows(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    type = type_of(node.outputs[0])
    return known(writer.nodes, np.zeros([n or 0 for n in type.shape], type.dtype))


@rule(rows.add_same)
def _add_same(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Any:
    return compute(writer.nodes, "+", operands)


@rule(
    pad_zeros,
    REGISTRY["tile"],
    REGISTRY["diagonal"],
    pooling.strided_windows,
    REGISTRY["sliding_windows"],
)
def _rearranged(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    """What the operator makes of the numbers of the elements says where each comes from."""
    (type,) = (v.type for v in node.inputs)
    numbers = np.arange(1, type.size + 1).reshape(type.known_shape)
    table = np.asarray(node.op(numbers, **node.attrs))
    x = operands[0].flattened()
    if 0 in table:  # places that nothing comes to
        x = known(writer.nodes, np.zeros(1, x.dtype)).made("Concat", x, axis=0)
        return x.gathered(table)
    return x.gathered(table - 1)


@rule(rearrange.roll)
def _roll(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    x, *shifts = operands
    type, axes = node.inputs[0].type, node.attrs["axis"]
    if None in type.shape:
        raise writer.refused(node)
    found = x.flattened() if axes is None else x
    for axis, shift in zip((0,) if axes is None else axes, shifts):
        n = type.size if axes is None else type.known_shape[axis]
        if n == 0:
            continue
        moved = known(writer.nodes, np.arange(n)) - shift.cast(LONG).reshaped([1])
        found = found.gathered(moved.made("Mod", moved.longs(n)), axis)
    return found.reshaped(type.known_shape)


@rule(rearrange.repeat)
def _repeat(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    type, times = node.inputs[0].type, operands[1].value
    if times is None or None in type.shape:
        raise writer.refused(node)
    numbers = np.arange(type.size).reshape(type.known_shape)
    return operands[0].flattened().gathered(np.repeat(numbers, times, node.attrs["axis"]))


# -- reductions ------------------------------------------------------------------------------------


def _reduced(x: Tensor, op: str, axes: Sequence[int], keepdims: bool) -> Tensor:
    if not axes:
        return x
    return x.made(op, x.longs(list(axes)), keepdims=int(keepdims))


_FIELD = 2**22  # of so many values are the fields that integers are added up by


def _sum(x: Tensor, axes: Sequence[int] | Tensor, keepdims: bool, few: bool = False) -> Tensor:
    """The sum along axes, in the dtype of ``x``.

    ONNX Runtime adds up integers as doubles. So those of 64 bits are taken apart into three fields,
    whose sums are exact.

    Args:
        few: the sum is known to be exact as a double.
    """
    if not isinstance(axes, Tensor) and not axes:
        return x
    names = axes if isinstance(axes, Tensor) else x.longs(list(axes))

    def total(part: Tensor) -> Tensor:
        return part.made("ReduceSum", names, keepdims=int(keepdims), noop_with_empty_axes=1)

    dtype = x.dtype
    if dtype == BOOL:  # of which the sum is whether there is one
        return (total(x.cast(np.int32)) > 0).cast(BOOL)
    if dtype.kind == "f" or few:
        wide = dtype if dtype.kind == "f" else LONG
        return total(x.cast(wide)).cast(dtype)
    x = x.cast(LONG)
    low = x.made("Mod", x.longs(_FIELD))
    rest = (x - low).made("Div", x.longs(_FIELD))
    middle = rest.made("Mod", x.longs(_FIELD))
    high = (rest - middle).made("Div", x.longs(_FIELD))
    found = total(high) * _FIELD + total(middle)
    return (found * _FIELD + total(low)).cast(dtype)


@rule(broadcasting.sum)
def _total(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    type, result = node.inputs[0].type, type_of(node.outputs[0])
    axes = all_axes(node.attrs["axis"], type.ndim)
    short = type.dtype.itemsize <= 2 and type.dtype.kind in "biu"
    few = short and type.is_static and type.size < 2**30 and result.dtype.itemsize == 8
    return _sum(operands[0].cast(result.dtype), axes, node.attrs["keepdims"], few)


@rule(cumulative.prod)
def _product(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    """Of integers by halves: ONNX Runtime would multiply them as doubles."""
    type, result = node.inputs[0].type, type_of(node.outputs[0])
    axes, keepdims = all_axes(node.attrs["axis"], type.ndim), node.attrs["keepdims"]
    x = operands[0].cast(result.dtype)
    if result.dtype.kind == "f":
        return _reduced(x, "ReduceProd", axes, keepdims)
    if not type.is_static:
        raise writer.refused(node)
    if not result.is_static or 0 in type.shape:
        return known(writer.nodes, np.ones(result.known_shape, result.dtype))
    kept = [i for i in range(type.ndim) if i not in axes]
    count = int(np.prod([type.known_shape[i] for i in axes]))
    rows = x.transposed([*axes, *kept]).reshaped([count, -1])
    while count > 1:
        half = count // 2
        ends = [0, half, 2 * half, count]
        left, right, rest = (
            rows.made("Slice", x.longs([i]), x.longs([j]), x.longs([0]))
            for i, j in zip(ends, ends[1:])
        )
        rows = compute(writer.nodes, "&" if result.dtype == BOOL else "*", (left, right))
        rows = rows.made("Concat", rest, axis=0) if count % 2 else rows
        count = half + count % 2
    return rows.reshaped(result.known_shape)


@rule(broadcasting.unbroadcast)
def _unbroadcast(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    """Sums along the axes that were broadcast, which the run finds where it alone knows lengths."""
    x, *lengths = operands
    type, shape = node.inputs[0].type, node.attrs["shape"]
    lead = type.ndim - len(shape)
    wanted = shape_name(writer, shape, lengths)
    if None not in shape and None not in type.shape:
        axes = list(range(lead))
        axes += [i + lead for i, n in enumerate(shape) if n == 1 and type.shape[i + lead] != 1]
        return _sum(x, axes, True).reshaped(wanted)
    ones = known(writer.nodes, np.ones(lead, LONG))
    whole = ones.made("Concat", wanted, axis=0)
    longer = (x.shape() > 1) | (x.shape() == 0)
    summed = ((whole == 1) & longer).made("NonZero", dtype=LONG).reshaped([-1])
    return _sum(x, summed, True).reshaped(wanted)


def _flags(op: str) -> Callable[[ModelWriter, Node, Sequence[Any]], Tensor]:
    """Whether all or any are true, by how many are not, or are: there may be none."""

    def found(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
        axes = all_axes(node.attrs["axis"], node.inputs[0].type.ndim)
        flags = operands[0].cast(BOOL)
        if op == "all":
            flags = compute(writer.nodes, "~", (flags,))
        number = _reduced(flags.cast(np.int32), "ReduceSum", axes, node.attrs["keepdims"])
        return compute(writer.nodes, "==" if op == "all" else ">", (number, 0))

    return found


rule(reduction.all)(_flags("all"))
rule(reduction.any)(_flags("any"))


def _require_some(writer: ModelWriter, node: Node, axes: Sequence[int], x: Tensor) -> None:
    if any(node.inputs[0].type.shape[axis] is None for axis in axes):
        some = x.made("Size", dtype=LONG) > 0
        writer.nodes.require(some.name, "ValueError: a reduction of nothing that has no identity")


def _ordered(x: Tensor) -> Tensor:
    """Elements in a dtype that ONNX Runtime compares, in the same order."""
    if x.dtype in _COMPARED:
        return x
    if x.dtype == BOOL:
        return x.cast(np.uint8)
    if x.dtype == np.uint64:
        return (x ^ np.uint64(2**63)).cast(LONG)
    return x.cast(LONG)


def _extremum(op: str) -> Callable[[ModelWriter, Node, Sequence[Any]], Tensor]:
    sign = -1.0 if op == "ReduceMax" else 1.0

    def found(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
        x, keepdims = operands[0], node.attrs["keepdims"]
        axes = all_axes(node.attrs["axis"], node.inputs[0].type.ndim)
        _require_some(writer, node, axes, x)
        if not axes:
            return x
        if x.dtype.kind == "f":
            missing = x.made("IsNaN", dtype=BOOL)
            numbers = kernels.select(missing, sign * np.inf, x)
            some = _reduced(missing.cast(np.int32), "ReduceMax", axes, keepdims) > 0
            return kernels.select(some, np.nan, _reduced(numbers, op, axes, keepdims))
        result = _reduced(_ordered(x), op, axes, keepdims)
        if x.dtype == np.uint64:
            return result.cast(np.uint64) ^ np.uint64(2**63)
        return result.cast(x.dtype)

    return found


rule(reduction.max)(_extremum("ReduceMax"))
rule(reduction.min)(_extremum("ReduceMin"))


def _place(op: str) -> Callable[[ModelWriter, Node, Sequence[Any]], Tensor]:
    """The first of the largest or smallest, or the first NaN."""

    def found(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
        x, axis, keepdims = operands[0], node.attrs["axis"], node.attrs["keepdims"]
        ndim = node.inputs[0].type.ndim
        _require_some(writer, node, all_axes(axis, ndim), x)
        if ndim == 0:
            return known(writer.nodes, 0, LONG)
        whole = axis is None
        x = x.flattened() if whole else x
        place = 0 if whole else axis[0] if isinstance(axis, tuple) else axis
        keep = int(keepdims and not whole)

        def first(y: Tensor, op: str) -> Tensor:
            return y.made(op, dtype=LONG, axis=place, keepdims=keep)

        result = first(_ordered(x), op)
        if x.dtype.kind == "f":
            missing = x.made("IsNaN", dtype=BOOL).cast(np.int32)
            some = missing.made("ReduceMax", missing.longs([place]), keepdims=keep) > 0
            numbers = kernels.select(missing > 0, 0.0, x)
            result = kernels.select(some, first(missing, "ArgMax"), first(numbers, op))
        return result.reshaped([1] * ndim) if whole and keepdims else result

    return found


rule(reduction.argmax)(_place("ArgMax"))
rule(reduction.argmin)(_place("ArgMin"))


@rule(cumulative.cumsum)
def _cumsum(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    dtype = type_of(node.outputs[0]).dtype
    axis = node.attrs["axis"]
    x = operands[0].cast(dtype)
    x = x.flattened() if axis is None else x
    place = 0 if axis is None else axis[0] if isinstance(axis, tuple) else axis
    if dtype == BOOL:
        return (x.cast(np.int32).made("CumSum", x.longs(place)) > 0).cast(BOOL)
    x = x if dtype in _TOTALLED else x.cast(LONG)
    return x.made("CumSum", x.longs(place)).cast(dtype)


@rule(cumulative.cumprod, cumulative.recurrence, cumulative.cummax, cumulative.cummin)
def _running(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    """Totals one after the other, the first being the first element of the last operand."""
    nodes = writer.nodes
    type, result = node.inputs[-1].type, node.outputs[0].type
    scan = node.op.scan
    if scan is None or None in type.shape:
        raise writer.refused(node)
    given = [x.cast(result.dtype) for x in operands]
    if node.attrs.get("axis", 0) is None:
        given = [x.flattened() for x in given]
        type = type._replace(shape=(type.size,))
        axis = 0
    else:
        axis = scan.axis(type, **node.attrs) % type.ndim
    shape = type.known_shape
    count, row = shape[axis], tuple(n for i, n in enumerate(shape) if i != axis)
    if count < 2:
        return given[-1].reshaped(result.known_shape)
    first = given[-1].gathered(0, axis)
    rest = [x.made("Slice", x.longs([1]), x.longs([count]), x.longs([axis])) for x in given]
    total = Tensor(nodes, nodes.new("total"), result.dtype)
    elements = [Tensor(nodes, nodes.new("element"), result.dtype) for _ in rest]
    with nodes.subgraph() as scope:
        found = scan.following(total, *elements)
        again, kept = found.made("Identity"), found.made("Identity")
        described = [nodes.described(x.name, x.dtype, row) for x in (total, *elements)]
        outputs = [nodes.described(x.name, x.dtype, row) for x in (again, kept)]
        body = nodes.graph(nodes.new(node.op.name), scope, described, outputs)
    names = [first.name, *(x.name for x in rest)]
    _, others = nodes.many(
        "Scan",
        names,
        2,
        body=body,
        num_scan_inputs=len(rest),
        scan_input_axes=[axis] * len(rest),
        scan_output_axes=[axis],
    )
    return first.unsqueezed([axis]).made("Concat", others, axis=axis)


# -- products --------------------------------------------------------------------------------------


@rule(REGISTRY["matmul"])
def _matmul(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    type = type_of(node.outputs[0])
    x, y = (v.cast(type.dtype) for v in operands)
    depth = node.inputs[0].type.shape[-1]
    if depth == 0 or 0 in type.shape:
        return known(writer.nodes, np.zeros(type.known_shape, type.dtype))
    if type.dtype == BOOL:
        return (x.cast(np.int32).made("MatMul", y.cast(np.int32)) > 0).cast(BOOL)
    wide = type.dtype if type.dtype in _MULTIPLIED else LONG
    return x.cast(wide).made("MatMul", y.cast(wide)).cast(type.dtype)


@rule(convolution.grouped_convolution)
def _convolution(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    (x_type, kernel_type), result = (v.type for v in node.inputs), node.outputs[0].type
    if not (x_type.is_static and kernel_type.is_static):
        raise writer.refused(node)
    x, kernel = (v.cast(result.dtype) for v in operands)
    groups, batch, channels, *lengths = x_type.known_shape
    _, features, _, *sizes = kernel_type.known_shape
    attrs = node.attrs
    if 0 in result.known_shape or channels == 0 or 0 in sizes:
        return known(writer.nodes, np.zeros(result.known_shape, result.dtype))
    spread = all(d == 1 for d in attrs["x_dilation"])
    padded = all(p >= 0 for pair in attrs["padding"] for p in pair)
    if result.dtype in _CONVOLVED and spread and padded and 0 not in x_type.shape:
        ndim = len(lengths)
        swap = [1, 0, *range(2, 3 + ndim)]
        image = x.transposed(swap).reshaped([batch, groups * channels, *lengths])
        weights = kernel.reshaped([groups * features, channels, *sizes])
        low, high = zip(*attrs["padding"])
        found = image.made(
            "Conv",
            weights,
            strides=list(attrs["strides"]),
            dilations=list(attrs["kernel_dilation"]),
            pads=[*low, *high],
            group=groups,
        )
        places = result.known_shape[3:]
        return found.reshaped([batch, groups, features, *places]).transposed(swap)
    return _by_windows(writer, node, x, kernel)


def _by_windows(writer: ModelWriter, node: Node, x: Tensor, kernel: Tensor) -> Tensor:
    """A convolution as a product with all windows, whose elements are gathered."""
    attrs, result = node.attrs, node.outputs[0].type
    groups, batch, channels, *lengths = node.inputs[0].type.known_shape
    _, features, _, *sizes = node.inputs[1].type.known_shape
    numbers = np.arange(1, 1 + int(np.prod(lengths))).reshape(1, 1, 1, *lengths)
    numbers = convolution.spread(numbers, attrs["padding"], attrs["x_dilation"])
    windows = pooling.window_view(
        np.ascontiguousarray(numbers), sizes, attrs["strides"], attrs["kernel_dilation"]
    )
    places = result.known_shape[3:]
    table = windows.reshape(int(np.prod(places)), int(np.prod(sizes))).T
    blank = known(writer.nodes, np.zeros((groups, batch, channels, 1), x.dtype))
    flat = x.reshaped([groups, batch, channels, int(np.prod(lengths))])
    parts = blank.made("Concat", flat, axis=3).gathered(table, 3)
    depth = channels * table.shape[0]
    rows = kernel.reshaped([groups, 1, features, depth])
    columns = parts.reshaped([groups, batch, depth, table.shape[1]])
    return rows.made("MatMul", columns).reshaped(result.known_shape)


def _windows(writer: ModelWriter, node: Node, x: Tensor) -> tuple[Tensor, list[int]]:
    """The windows of an array, and the axes of their elements."""
    type = node.inputs[0].type
    if not type.is_static:
        raise writer.refused(node)
    numbers = np.arange(type.size).reshape(type.known_shape)
    window = node.attrs["window"]
    table = pooling.window_view(numbers, window, node.attrs["strides"], node.attrs["dilation"])
    axes = list(range(table.ndim - len(window), table.ndim))
    return x.flattened().gathered(np.ascontiguousarray(table)), axes


@rule(pooling.window_sum)
def _window_sum(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    parts, axes = _windows(writer, node, operands[0])
    return _sum(parts, axes, False)


@rule(pooling.window_max)
def _window_max(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    parts, axes = _windows(writer, node, operands[0])
    if parts.dtype.kind != "f":
        return _reduced(_ordered(parts), "ReduceMax", axes, False).cast(parts.dtype)
    missing = parts.made("IsNaN", dtype=BOOL)
    numbers = kernels.select(missing, -np.inf, parts)
    some = _reduced(missing.cast(np.int32), "ReduceMax", axes, False) > 0
    return kernels.select(some, np.nan, _reduced(numbers, "ReduceMax", axes, False))


@rule(pooling.overlap_add)
def _overlap_add(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    type, result = node.inputs[0].type, node.outputs[0].type
    if not type.is_static or operands[0].dtype.kind != "f":
        raise writer.refused(node)
    shape = result.known_shape
    numbers = np.arange(int(np.prod(shape))).reshape(shape)
    window = type.known_shape[-len(node.attrs["lengths"]) :]
    table = pooling.window_view(numbers, window, node.attrs["strides"], node.attrs["dilation"])
    blank = known(writer.nodes, np.zeros(numbers.size, result.dtype))
    places = known(writer.nodes, np.ascontiguousarray(table).reshape(-1), LONG)
    added = blank.made("ScatterElements", places, operands[0].flattened(), reduction="add")
    return added.reshaped(shape)
