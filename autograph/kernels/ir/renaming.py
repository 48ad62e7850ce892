"""The same statements with other buffers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Block, Buffer, Statement


def renamed(block: Block, others: Mapping[Buffer, Buffer]) -> Block:
    """A block with others in the place of some buffers that it loads from, stores to and
    multiplies. The given one is left as it is."""
    return Block([_changed(s, others) for s in block])


def reading(block: Block, others: Mapping[Buffer, Buffer | None]) -> Block:
    """The same for loads alone: what is stored in those buffers is not stored any more. What is
    loaded from one that has no other is not loaded."""
    changed: list[Statement] = []
    for s in block:
        if isinstance(s, ir.Store) and s.buffer in others:
            continue
        if isinstance(s, ir.Load):
            other = others.get(s.buffer, s.buffer)
            changed += [] if other is None else [replace(s, buffer=other)]
        else:
            changed.append(_changed(s, others, reading))
    return Block(changed)


def _changed(
    s: Statement,
    others: Mapping[Buffer, Any],
    within: Callable[[Block, Mapping[Buffer, Any]], Block] = renamed,
) -> Statement:
    match s:
        case ir.Load() | ir.Store():
            return replace(s, buffer=others.get(s.buffer, s.buffer))
        case ir.Multiply():
            a, b, c = (others.get(x, x) for x in (s.a, s.b, s.c))
            return replace(s, a=a, b=b, c=c)
        case ir.Announce() | ir.Await():
            return replace(s, flags=others.get(s.flags, s.flags))
        case ir.Each() if s.flags is not None:
            flags = others.get(s.flags, s.flags)
            return replace(s, body=renamed(s.body, others), flags=flags)
        case ir.For() | ir.Each():
            return replace(s, body=within(s.body, others))
        case ir.While():
            return replace(s, test=within(s.test, others), body=within(s.body, others))
        case ir.If():
            return replace(s, then=within(s.then, others), orelse=within(s.orelse, others))
    return s
