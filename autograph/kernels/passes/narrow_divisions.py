"""Divisions of small integers by known numbers, in vector loops: by shifts and masks, or in 32 bits
in the place of 64.

Which element of an array of several axes a lane computes is told by quotients and rests of its
number in the loop. No machine multiplies vectors of 64 bits to the upper half of the product, by
which compilers divide by a known number, so each lane divided by itself; of 32 bits there are such
vectors. It is also a fourth of the work to make machine code of.

How large integers are at most is known from the loops that they are indices of, and from what is
added to them, multiplied with, and divided by: what a lane computes places from.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import LONG, Block, Number, Operand, Var

_SHORT = np.dtype("uint32")
_MOST = 2**31  # what has no sign in 32 bits either

_DIVISIONS = ("quotient", "rest")

# At most how large integers are that are not negative.
_Bounds = dict[Var, int]


def narrowed(kernel: ir.Kernel) -> ir.Kernel:
    """A kernel with such divisions; itself if there are none. The given kernel's blocks are left as
    they are; other blocks, `Var` and `Buffer` objects are shared with it."""
    kernel = kernel.with_routines(narrowed)
    computed = (s for s in ir.walk(kernel.body) if isinstance(s, ir.Compute))
    if not any(s.function in _DIVISIONS for s in computed):
        return kernel
    body = _block(kernel.body, {}, False)
    return kernel if body is kernel.body else dataclasses.replace(kernel, body=body)


def _block(block: Block, bounds: _Bounds, in_lanes: bool) -> Block:
    """A block with them; itself if there are none."""
    made: list[ir.Statement] = []
    for statement in block:
        match statement:
            case ir.Compute():
                bound = _bound(statement, bounds)
                if bound is not None:
                    bounds[statement.out] = bound
                    if in_lanes and _is_division(statement, bounds):
                        made += _division(statement)
                        continue
            case ir.For() | ir.Each():
                if isinstance(statement.count, Number):
                    bounds[statement.index] = max(int(statement.count.value) - 1, 0)
        made.append(_with_blocks(statement, bounds, in_lanes or isinstance(statement, ir.Each)))
    return Block(made) if any(a is not b for a, b in zip(made, block.statements)) else block


def _with_blocks(statement: ir.Statement, bounds: _Bounds, in_lanes: bool) -> ir.Statement:
    """A statement with other blocks in it; itself if these are the same."""
    changed: dict[str, Any] = {}
    for name in _FIELDS.get(type(statement), ()):
        before = getattr(statement, name)
        after = _block(before, bounds, in_lanes)
        if after is not before:
            changed[name] = after
    return dataclasses.replace(statement, **changed) if changed else statement


# Where statements have blocks, in the order in which they run.
_FIELDS: Mapping[type, tuple[str, ...]] = {
    ir.For: ("body",),
    ir.Each: ("body",),
    ir.While: ("test", "body"),
    ir.If: ("then", "orelse"),
}


def _most(operand: Operand, bounds: _Bounds) -> int | None:
    """At most how large an int64 is; None if it may be negative, or that is not known."""
    if isinstance(operand, Number):
        value = int(operand.value)
        return value if operand.dtype == LONG and value >= 0 else None
    return bounds.get(operand) if isinstance(operand, Var) else None


def _bound(s: ir.Compute, bounds: _Bounds) -> int | None:
    """At most how large the result is; None as `_most` says."""
    if s.out.dtype != LONG or len(s.operands) != 2 or s.function not in _RESULTS:
        return None
    x, y = (_most(operand, bounds) for operand in s.operands)
    if x is None or y is None:
        return y if s.function == "&" and y is not None else None
    if s.function == "&":
        return min(x, y)
    if s.function == "shift_right":
        return x >> min(y, 63)
    if s.function in _DIVISIONS:
        if not isinstance(s.operands[1], Number) or y == 0:
            return None
        return x // y if s.function == "quotient" else min(x, y - 1)
    found = x + y if s.function == "+" else x * y
    return found if found < _MOST else None


_RESULTS = ("+", "*", "&", "shift_right", *_DIVISIONS)


def _is_division(s: ir.Compute, bounds: _Bounds) -> bool:
    """Whether both are small."""
    if s.function not in _DIVISIONS:
        return False
    x, y = (_most(operand, bounds) for operand in s.operands)
    return x is not None and y is not None and x < _MOST > y


def _division(s: ir.Compute) -> list[ir.Statement]:
    """The same by bits, or with numbers of 32 bits."""
    x, y = s.operands
    assert isinstance(y, Number)
    by, name = int(y.value), s.out.name
    if by & (by - 1) == 0:
        way, bits = (
            ("shift_right", by.bit_length() - 1) if s.function == "quotient" else ("&", by - 1)
        )
        return [ir.Compute(s.out, way, (x, Number(bits, LONG)), s.location)]
    short, result = Var(_SHORT, x.name if isinstance(x, Var) else None), Var(_SHORT, name)
    return [
        ir.Compute(short, "cast", (x,), s.location),
        ir.Compute(result, s.function, (short, Number(by, _SHORT)), s.location),
        ir.Compute(s.out, "cast", (result,), s.location),
    ]
