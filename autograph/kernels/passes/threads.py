"""Loops in order over elements, whose trips are independent of each other, given to threads.

``for i in range(n): for j in range(m): counts[i, j] = ...`` computes one element after the other,
in any of which there may be loops of unknown length. The outermost loop whose trips touch nothing
that another one writes becomes one that threads share. Arrays that each trip computes anew for
itself are no obstacle: they become the trip's own (Tu & Padua, "Automatic array privatization",
1993).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import UNKNOWN_SIZE, Block, Buffer, Number, Statement
from autograph.kernels.passes.affine import Facts
from autograph.kernels.passes.dependence import Dependences, is_understood
from autograph.kernels.passes.estimates import UNKNOWN_TRIPS, nanoseconds

_LEAST = 40_000.0  # nanoseconds of a loop that is worth threads
_ALONE = 10_000.0  # of a loop of vectors in it, which is given to threads itself
_MOST_BYTES = 1 << 12  # of the arrays of a trip


def share_trips(body: Block, dependences: Dependences) -> None:
    """Change the loops of a kernel, in place."""
    _Threads(body, dependences).block(body)


class _Threads:
    def __init__(self, body: Block, dependences: Dependences):
        self.dependences = dependences
        self.facts: Facts = dependences.facts
        self.used = _touching(body)

    def block(self, block: Block) -> None:
        made: list[Statement] = []
        for s in block:
            shared = self.shared(s) if isinstance(s, ir.For) else None
            if shared is None and not isinstance(s, ir.Each):
                for inner in ir.blocks(s):
                    self.block(inner)
            made.append(s if shared is None else shared)
        block.statements[:] = made

    def shared(self, s: ir.For) -> ir.Each | None:
        """A loop whose trips threads share; None if they should not."""
        if s.state or s.freed is not None or self.facts.form(s.count) is None:
            return None
        trips = float(s.count.value) if isinstance(s.count, Number) else UNKNOWN_TRIPS
        work = nanoseconds(s.body)
        if trips < 2 or trips * work < _LEAST:
            return None
        if any(isinstance(x, ir.Each) and not self.is_short(x) for x in ir.walk(s.body)):
            return None
        if not is_understood(s.body, whiles=True):
            return None
        own = self.own(s)
        if not self.dependences.independent(s.index, s.body.statements, own):
            return None
        body = _with_buffers(s.body, own)
        locals_ = [ir.Local(buffer) for buffer in own.values()]
        return ir.Each(s.index, s.count, Block([*locals_, *body]), "parallel", (), work)

    @staticmethod
    def is_short(each: ir.Each) -> bool:
        if each.mode != "vector" or not isinstance(each.count, Number):
            return False
        return each.count.value * each.work < _ALONE

    # -- arrays of one trip ------------------------------------------------------------------------

    def own(self, s: ir.For) -> dict[Buffer, Buffer]:
        """The arrays that each trip writes before it reads them, and that nothing else reads, with
        what is in the place of each."""
        inside = _touching(s.body)
        found: dict[Buffer, Buffer] = {}
        nbytes = 0
        for buffer, count in inside.items():
            if buffer.kind != "temporary" or buffer.size == UNKNOWN_SIZE:
                continue
            if count != self.used[buffer] or nbytes + buffer.nbytes > _MOST_BYTES:
                continue
            if self.is_new(buffer, s.body):
                nbytes += buffer.nbytes
                found[buffer] = Buffer(buffer.dtype, buffer.size, "local", buffer.name)
        return found

    def is_new(self, buffer: Buffer, block: Block) -> bool:
        """Whether all of an array is written before anything in a block reads of it."""
        touching = [s for s in block if buffer in _touching([s])]
        if self.fills(buffer, touching[0]):
            return True
        if len(touching) > 1:
            return False
        inner = [b for b in ir.blocks(touching[0]) if buffer in _touching(b)]
        return bool(inner) and all(self.is_new(buffer, b) for b in inner)

    def fills(self, buffer: Buffer, statement: Statement) -> bool:
        """Whether a nest of loops writes all elements of an array, and reads none."""
        counts: dict[ir.Var, int] = {}
        loop: Statement = statement
        while isinstance(loop, ir.For | ir.Each):
            if not isinstance(loop.count, Number):
                return False
            counts[loop.index] = int(loop.count.value)
            inner = [s for s in loop.body if buffer in _touching([s])]
            if len(inner) != 1:
                return False
            loop = inner[0]
        if not isinstance(loop, ir.Store):
            return False
        form = self.facts.form(loop.index)
        if form is None or form.constant:
            return False
        stride = 1
        for var, coefficient in sorted(form.terms.items(), key=lambda term: term[1]):
            if coefficient != stride or var not in counts:
                return False
            stride *= counts[var]
        return stride == buffer.size


def _touching(statements: Iterable[Statement]) -> dict[Buffer, int]:
    """By how many statements buffers are touched."""
    found: dict[Buffer, int] = {}
    for s in ir.walk(statements):
        for buffer in uses.buffers(s):
            found[buffer] = found.get(buffer, 0) + 1
    return found


def _with_buffers(block: Block, other: Mapping[Buffer, Buffer]) -> Block:
    """A block that reads and writes others in the place of some buffers."""
    if not other:
        return block
    made: list[Statement] = []
    for s in block:
        if isinstance(s, ir.Load | ir.Store) and s.buffer in other:
            s = dataclasses.replace(s, buffer=other[s.buffer])
        inner: dict[str, Any] = {
            f.name: _with_buffers(value, other)
            for f in dataclasses.fields(s)
            if isinstance(value := getattr(s, f.name), Block)
        }
        made.append(dataclasses.replace(s, **inner) if inner else s)
    return Block(made)
