"""The same statements with other buffers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Block, Buffer, Statement


def renamed(block: Block, others: Mapping[Buffer, Buffer]) -> Block:
    """A block with others in the place of some buffers that it loads from, stores to and
    multiplies. The given one is left as it is."""
    return Block([_changed(s, others) for s in block])


def _changed(s: Statement, others: Mapping[Buffer, Buffer]) -> Statement:
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
            return replace(s, body=renamed(s.body, others))
        case ir.While():
            return replace(s, test=renamed(s.test, others), body=renamed(s.body, others))
        case ir.If():
            return replace(s, then=renamed(s.then, others), orelse=renamed(s.orelse, others))
    return s
