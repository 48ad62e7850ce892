"""State of loops and branches that nobody reads, and what only it needs, taken out."""

from __future__ import annotations

import dataclasses
import operator
from typing import Any, TypeVar

from autograph.closure import reached
from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Block, Operand

Loop = TypeVar("Loop", ir.For, ir.While, ir.Each, ir.If, ir.For | ir.While)


def without_idle_state(block: Block) -> Block:
    """A block whose loops and branches carry no scalars that nothing reads. What has none is in it
    as it is."""
    needed = _needed(block)
    return _kept(block, needed)


def _needed(block: Block) -> set[Operand]:
    made: dict[Operand, tuple[Operand, ...]] = {}
    pending: list[Operand] = []
    for s in ir.walk(block):
        if type(s) is ir.Compute and not s.function.endswith("_checked"):
            made[s.out] = s.operands
            continue
        if type(s) is ir.Load:
            made[s.out] = uses.operands(s)
            continue
        match s:
            case ir.For() | ir.While():
                pending.append(s.count if isinstance(s, ir.For) else s.condition)
                if s.freed is not None and s.freed.newest is not None:
                    pending.append(s.freed.newest)
                for var, first, then, result in zip(s.state, s.init, s.following, s.results):
                    made[var] = made[result] = (first, then, var)
            case ir.If():
                pending.append(s.condition)
                made |= {
                    result: (yes, no)
                    for result, yes, no in zip(s.results, s.then_results, s.else_results)
                }
            case _:
                pending += uses.operands(s)
    return reached(pending, made)


def _kept(block: Block, needed: set[Operand]) -> Block:
    made: list[ir.Statement] = []
    for s in block:
        if type(s) is ir.Compute:
            if s.out in needed or s.function.endswith("_checked"):
                made.append(s)
            continue
        match s:
            case ir.Load():
                if s.out in needed:
                    made.append(s)
            case ir.For() | ir.While():
                places = [
                    k
                    for k, (var, result) in enumerate(zip(s.state, s.results))
                    if var in needed or result in needed
                ]
                own: dict[str, Any] = {
                    name: tuple(getattr(s, name)[k] for k in places)
                    for name in ("state", "init", "following", "results")
                }
                own["body"] = _kept(s.body, needed)
                if isinstance(s, ir.While):
                    own["test"] = _kept(s.test, needed)
                made.append(_with(s, own, len(places) == len(s.state)))
            case ir.Each():
                made.append(_with(s, {"body": _kept(s.body, needed)}, True))
            case ir.If():
                places = [k for k, result in enumerate(s.results) if result in needed]
                names = ("results", "then_results", "else_results")
                own = {name: tuple(getattr(s, name)[k] for k in places) for name in names}
                own |= {"then": _kept(s.then, needed), "orelse": _kept(s.orelse, needed)}
                changed = _with(s, own, len(places) == len(s.results))
                if places or changed.then.statements or changed.orelse.statements:
                    made.append(changed)
            case _:
                made.append(s)
    if len(made) == len(block.statements) and all(map(operator.is_, made, block.statements)):
        return block
    return Block(made)


def _with(s: Loop, own: dict[str, Any], keeps_state: bool) -> Loop:
    """A statement with other blocks and other state; itself if these are the same."""
    if keeps_state and all(b is getattr(s, name) for name, b in own.items() if name in _BLOCKS):
        return s
    return dataclasses.replace(s, **own)


_BLOCKS = ("body", "test", "then", "orelse")
