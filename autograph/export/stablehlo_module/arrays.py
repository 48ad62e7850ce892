"""Operators on whole arrays that say nothing for kernels, or that StableHLO has itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import ops
from autograph.export.elements import gathered
from autograph.export.elementwise import fitted
from autograph.export.stablehlo_module.terms import (
    LONG,
    HloTerm,
    known,
    returned,
    row_of,
    while_loop,
    with_row,
)
from autograph.export.stablehlo_module.text import tensor
from autograph.export.stablehlo_module.writer import ModuleWriter, rule
from autograph.graph.graph import Node
from ops.arrays.indexing import getitem, index_add, index_update
from ops.control import effects, regions
from ops.control.collectives import vary
from ops.core import kernels
from ops.core.registry import REGISTRY
from ops.core.subscripts import indexed_shape, may_repeat
from ops.numbers.overflow import in_64_bits
from ops.signal import convolution
from ops.structure import broadcasting, identity, permuting, reshaping


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
def _same(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> HloTerm:
    return operands[0].cast(node.outputs[0].type.dtype)


rule(*(op for op in REGISTRY.values() if op.scan is not None))(lambda *args: scanned(*args))


@rule(permuting.transpose)
def _transpose(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> HloTerm:
    return operands[0].transposed(node.attrs["axes"])


@rule(reshaping.reshape)
def _reshape(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> HloTerm:
    return operands[0].reshaped(node.outputs[0].type.known_shape)


@rule(broadcasting.broadcast_to)
def _broadcast(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> HloTerm:
    return operands[0].expanded(node.outputs[0].type.known_shape)


@rule(REGISTRY["full"])
def _full(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> HloTerm:
    value = fitted(writer.form, node.inputs[0], operands[0], np.dtype(node.attrs["dtype"]))
    return value.expanded(node.outputs[0].type.known_shape)


@rule(REGISTRY["concatenate"])
def _concatenate(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> HloTerm:
    type = node.outputs[0].type
    parts = [x.cast(type.dtype) for x in operands]
    names = ", ".join(x.name for x in parts)
    types = ", ".join(x.type for x in parts)
    operation = f"stablehlo.concatenate {names}, dim = {node.attrs['axis']} : ({types}) -> "
    to = tensor(type.dtype, type.known_shape)
    return parts[0].made(operation + to, type.dtype, type.known_shape)


# -- subscripts ------------------------------------------------------------------------------------


@rule(index_update, index_add)
def _write(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> HloTerm:
    """What is written goes to the places that the subscript reads of an array of numbers."""
    x, value, *others = operands
    type, _, *types = (v.type for v in node.inputs)
    spec = node.attrs["index"]
    value = fitted(writer.form, node.inputs[1], value, type.dtype).cast(type.dtype)
    part = indexed_shape(type.shape, types, spec)
    numbers = known(writer.text, np.arange(type.size).reshape(type.known_shape), LONG)
    places = _read(writer, numbers, others, [type._replace(dtype=LONG), *types], spec)
    while len(value.shape) > len(part):
        value = value.reshaped(value.shape[1:])
    values, places, flat = (z.flattened() for z in (value.expanded(places.shape), places, x))
    if node.op is index_add:
        return _scattered(flat, places, values, _plus).reshaped(x.shape)
    if may_repeat(types, spec):
        values = _last_written(places, values, flat)
    return _scattered(flat, places, values, lambda before, given: given).reshaped(x.shape)


def _plus(x: HloTerm, y: HloTerm) -> HloTerm:
    return x | y if x.dtype == bool else x + y


def _last_written(places: HloTerm, values: HloTerm, flat: HloTerm) -> HloTerm:
    """Values of which those that go to one place are all the last of them: StableHLO does not say
    which of several wins."""
    if 0 in places.shape:
        return values
    numbers = known(places.text, np.arange(places.shape[0]))
    none = known(places.text, np.zeros(flat.shape, LONG))
    last = _scattered(none, places, numbers, lambda x, y: kernels.select(x > y, x, y))
    return values.gathered(last.gathered(places))


def _read(
    writer: ModuleWriter, x: HloTerm, others: Sequence[HloTerm], types: Sequence[Any], spec: Any
) -> HloTerm:
    """The part of an array that a subscript names."""
    found_shape = indexed_shape(types[0].shape, types[1:], spec)
    part = tuple(n for n in found_shape if n is not None)
    if len(part) < len(found_shape):
        raise writer.form.refuse("how much of an array is written to is known only at run time")
    index = tuple(
        known(writer.text, np.arange(n).reshape([-1 if k == i else 1 for k in range(len(part))]))
        for i, n in enumerate(part)
    )

    def read(i: int, place: tuple) -> Any:
        source = [x, *others][i]
        return gathered(writer.form, source, types[i].known_shape, place)

    assert getitem.element is not None
    found = getitem.element(read, index, types, {"index": spec})
    found = found if isinstance(found, HloTerm) else known(writer.text, found, x.dtype)
    return found.expanded(part)


def _scattered(
    flat: HloTerm, places: HloTerm, values: HloTerm, combined: Callable[[HloTerm, HloTerm], Any]
) -> HloTerm:
    """A flat array with values at places, combined with what is there."""
    if 0 in places.shape:
        return flat
    text = flat.text
    scalar = tensor(flat.dtype, ())
    old, new = text.new(), text.new()
    with text.region() as block:
        before, given = (HloTerm(text, name, flat.dtype, ()) for name in (old, new))
        found = combined(before, given)
        block.lines.append(f"stablehlo.return {found.name} : {scalar}")
    inside = "\n".join(f"  {line}" for line in block.lines)
    numbers = (
        "#stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
        "index_vector_dim = 1>"
    )
    operation = (
        f'"stablehlo.scatter"({flat.name}, {places.name}, {values.name}) <{{'
        f"scatter_dimension_numbers = {numbers}, indices_are_sorted = false, "
        f"unique_indices = false}}> ({{\n^bb0({old}: {scalar}, {new}: {scalar}):\n{inside}\n}}) : "
        f"({flat.type}, {places.type}, {values.type}) -> {flat.type}"
    )
    return flat.made(operation, flat.dtype, flat.shape)


# -- along an axis ---------------------------------------------------------------------------------


def scanned(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> HloTerm:
    """Running totals: a loop over the elements of an axis."""
    scan, result = node.op.scan, node.outputs[0].type
    assert scan is not None
    text = writer.text
    axis = scan.axis(node.inputs[0].type, **node.attrs)
    shape = result.known_shape
    if 0 in shape:
        return known(text, np.zeros(shape, result.dtype))
    order = [axis, *(i for i in range(len(shape)) if i != axis)]
    parts = [x.cast(result.dtype).transposed(order) for x in operands]
    first = parts[-1]
    one = known(text, 1, LONG)
    names = [text.new(), text.new()]
    number = HloTerm(text, names[0], LONG, ())
    totals = HloTerm(text, names[1], result.dtype, first.shape)
    with text.region() as tested:
        tested.lines.append(returned([number < first.shape[0]]))
    with text.region() as trip:
        following = scan.following(row_of(totals, number - 1), *(row_of(p, number) for p in parts))
        following = following if isinstance(following, HloTerm) else known(text, following)
        row = following.cast(result.dtype).expanded(first.shape[1:])
        trip.lines.append(returned([number + 1, with_row(totals, number, row)]))
    _, found = while_loop(text, tested, trip, [number, totals], [one, first])
    back = [order.index(i) for i in range(len(shape))]
    return found.transposed(back)


def _compared(less: Callable[[HloTerm, HloTerm], Any], x: HloTerm, axis: int) -> list[HloTerm]:
    """The elements along an axis in their order, and the numbers of their places before; equal ones
    as they were."""
    text = x.text
    numbers = x.made(f"stablehlo.iota dim = {axis} : {tensor(LONG, x.shape)}", LONG, x.shape)
    a, b, c, d = (text.new() for _ in range(4))
    scalar, long = tensor(x.dtype, ()), tensor(LONG, ())
    with text.region() as block:
        found = less(HloTerm(text, a, x.dtype, ()), HloTerm(text, b, x.dtype, ()))
        block.lines.append(returned([found]))
    inside = "\n".join(f"  {line}" for line in block.lines)
    arguments = f"{a}: {scalar}, {b}: {scalar}, {c}: {long}, {d}: {long}"
    operation = (
        f'"stablehlo.sort"({x.name}, {numbers.name}) <{{dimension = {axis} : i64, '
        f"is_stable = true}}> ({{\n^bb0({arguments}):\n{inside}\n}}) : "
        f"({x.type}, {numbers.type}) -> ({x.type}, {numbers.type})"
    )
    first, second = text.let_many(operation, 2)
    return [HloTerm(text, first, x.dtype, x.shape), HloTerm(text, second, LONG, x.shape)]


def _less(x: HloTerm, y: HloTerm) -> Any:
    """NaN comes last."""
    if x.dtype.kind == "f":
        return (x < y) | ((x == x) & (y != y))
    return (~x & y) if x.dtype == bool else x < y


def _more(x: HloTerm, y: HloTerm) -> Any:
    return _less(y, x)


def _ordered(place: int) -> Callable[[ModuleWriter, Node, Sequence[Any]], HloTerm]:
    def found(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> HloTerm:
        (x,) = operands
        axis = node.attrs["axis"]
        if axis is None or x.dtype.kind == "c":
            raise writer.refused(node)
        less = _more if node.attrs["descending"] else _less
        result = _compared(less, x, axis % len(x.shape))[place]
        return result.reshaped(node.outputs[0].type.known_shape)

    return found


rule(REGISTRY["sort"])(_ordered(0))
rule(REGISTRY["argsort"])(_ordered(1))


# -- products --------------------------------------------------------------------------------------


@rule(REGISTRY["matmul"])
def _matmul(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> HloTerm:
    result = node.outputs[0].type
    x, y = (z.cast(result.dtype) for z in operands)
    if result.dtype == bool:
        raise writer.refused(node)
    row = x.reshaped((1, *x.shape)) if len(x.shape) == 1 else x
    column = y.reshaped((*y.shape, 1)) if len(y.shape) == 1 else y
    stack = np.broadcast_shapes(row.shape[:-2], column.shape[:-2])
    row = row.expanded((*stack, *row.shape[-2:]))
    column = column.expanded((*stack, *column.shape[-2:]))
    n = len(stack)
    batch = ", ".join(map(str, range(n)))
    shape = (*stack, row.shape[-2], column.shape[-1])
    operation = (
        f"stablehlo.dot_general {row.name}, {column.name}, "
        + (f"batching_dims = [{batch}] x [{batch}], " if n else "")
        + f"contracting_dims = [{n + 1}] x [{n}], precision = [HIGHEST, HIGHEST] : "
        f"({row.type}, {column.type}) -> {tensor(result.dtype, shape)}"
    )
    return row.made(operation, result.dtype, shape).reshaped(result.known_shape)


@rule(convolution.grouped_convolution)
def _convolution(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> HloTerm:
    """Groups are channels side by side."""
    result, attrs = node.outputs[0].type, node.attrs
    x, kernel = (z.cast(result.dtype) for z in operands)
    groups, batch, channels, *lengths = x.shape
    features, sizes = kernel.shape[1], kernel.shape[3:]
    if 0 in (*x.shape, *kernel.shape, *result.known_shape):
        return known(writer.text, np.zeros(result.known_shape, result.dtype))
    n = len(lengths)
    x = x.transposed([1, 0, *range(2, n + 3)]).reshaped((batch, groups * channels, *lengths))
    kernel = kernel.reshaped((groups * features, channels, *sizes))
    axes = ", ".join(map(str, range(n)))
    shape = (batch, groups * features, *result.known_shape[3:])
    pads = "[" + ", ".join(f"[{low}, {high}]" for low, high in attrs["padding"]) + "]"
    lists = {
        "stride": attrs["strides"],
        "lhs_dilate": attrs["x_dilation"],
        "rhs_dilate": attrs["kernel_dilation"],
    }
    window = ", ".join(f"{k} = [{', '.join(map(str, v))}]" for k, v in lists.items())
    operation = (
        f"stablehlo.convolution({x.name}, {kernel.name}) dim_numbers = "
        f"[b, f, {axes}]x[o, i, {axes}]->[b, f, {axes}], "
        f"window = {{pad = {pads}, {window}}} "
        f"{{batch_group_count = 1 : i64, feature_group_count = {groups} : i64, "
        "precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : "
        f"({x.type}, {kernel.type}) -> {tensor(result.dtype, shape)}"
    )
    found = x.made(operation, result.dtype, shape)
    found = found.reshaped((batch, groups, features, *result.known_shape[3:]))
    return found.transposed([1, 0, *range(2, n + 3)])


# -- what raises -----------------------------------------------------------------------------------


@rule(effects.check)
def _check(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> list[Any]:
    operands[0].cast(bool).__require__()
    return []


@rule(effects.fail)
def _fail(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> list[Any]:
    known(writer.text, False).__require__()
    return []


@rule(in_64_bits)
def _held_to_64_bits(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> HloTerm:
    x, fits = operands
    fits.__require__()
    return x
