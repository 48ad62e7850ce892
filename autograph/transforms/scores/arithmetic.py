"""Arithmetic of thresholds, of the ends of intervals, and of what moves and scales numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import ops
from autograph.graph.graph import Constant, Node, Value
from autograph.graph.rewrite import Env
from autograph.transforms.scores.flows import SAME, Shape
from ops.core.registry import Op

LOGARITHMS = (ops.log, ops.log1p)


def number(value: float) -> Value:
    return Constant(np.float64(value))


UNMOVED = number(0.0), number(1.0)


def float64(value: Value) -> Value:
    type = value.type
    if type.dtype == np.float64 and not type.weak:
        return value
    return ops.cast(value, dtype="float64", weak=False)


def filled(value: Value, end: float, env: Env) -> Value:
    """A number for each element of a draw."""
    shape = value.type.shape
    if not shape:
        return number(end)
    like = ops.zeros_like(float64(env.get(value, value)))
    return ops.add(like, number(end)) if end else like


def viewed(end: Value, view: Node, env: Env) -> Value:
    """Those elements of the ends that a subscript takes."""
    operands = [env.get(v, v) for v in view.inputs[1:]]
    return ops.getitem.apply([end, *operands], view.attrs)


def put(whole: Value, part: Value, view: Node, env: Env) -> Value:
    """The ends with others for those elements that a subscript takes."""
    operands = [env.get(v, v) for v in view.inputs[1:]]
    put = ops.getitem.put
    assert put is not None
    found: Value = put(whole, part, *operands, **view.attrs)
    return found


def reduced(ends: Value, shape: tuple[int | None, ...], reduce: Callable) -> Value:
    """Ends of intervals, of a shape that one is broadcast to, for that one."""
    found = ends.type.shape
    extra = tuple(range(len(found) - len(shape)))
    if extra:
        ends = reduce(ends, axis=extra)
    along = tuple(i for i, (n, m) in enumerate(zip(found[len(extra) :], shape)) if n != m)
    return reduce(ends, axis=along, keepdims=True) if along else ends


def broadcast(value: Value, shape: Shape) -> Value:
    return value if value.type.shape == shape else ops.broadcast_to(value, shape)


def is_binary(op: Op) -> bool:
    return op in (ops.add, ops.subtract, ops.multiply, ops.divide)


def affine(
    op: Op, place: int, origin: Value, unit: Value, other: Value | None
) -> tuple[Value, Value]:
    """``origin + unit * z`` after one more step."""
    if op in SAME:
        return origin, unit
    if op is ops.negative:
        return ops.negative(origin), ops.negative(unit)
    assert other is not None
    other = float64(other)
    if op is ops.add:
        return ops.add(origin, other), unit
    if op is ops.subtract and place == 0:
        return ops.subtract(origin, other), unit
    if op is ops.subtract:
        return ops.subtract(other, origin), ops.negative(unit)
    operator = ops.multiply if op is ops.multiply else ops.divide
    return operator(origin, other), operator(unit, other)


def inverse(
    op: Op, place: int, threshold: Value, is_below: Value, other: Value | None
) -> tuple[Value, Value]:
    """The threshold before a step, and whether the number was below it there."""
    if op in LOGARITHMS:
        return before_logarithm(op, threshold), is_below
    if op is ops.negative:
        return ops.negative(threshold), ops.logical_not(is_below)
    if op is ops.add:
        return ops.subtract(threshold, other), is_below
    if op is ops.subtract and place == 0:
        return ops.add(threshold, other), is_below
    if op is ops.subtract:
        return ops.subtract(other, threshold), ops.logical_not(is_below)
    if op in (ops.multiply, ops.divide):
        operator = ops.divide if op is ops.multiply else ops.multiply
        turned = ops.logical_xor(is_below, ops.less(other, 0.0))
        return operator(threshold, other), turned
    return threshold, is_below  # another dtype, or broadcast


def before_logarithm(op: Op, threshold: Value) -> Value:
    return ops.exp(threshold) if op is ops.log else ops.expm1(threshold)
