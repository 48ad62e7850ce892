"""The temporaries of a kernel whose lengths only the run knows: one block of memory for all of
them, in which those that are not needed at the same time share a part.

Their sizes are known when the kernel begins: so are those of the parts, each of the largest that is
in it, and where each part starts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import BOOL, LONG, Block, Buffer, Kernel, Number, Operand, Var
from autograph.kernels.ir.lives import Life, Lives

_MOST = 32  # parts: the sum of their sizes stays in 64 bits


class Room:
    """A part of the block."""

    def __init__(self, reserve: ir.Reserve, life: Life):
        self.reserves = [reserve]
        self.until = life[1]

    def add(self, reserve: ir.Reserve, life: Life) -> None:
        self.reserves.append(reserve)
        self.until = life[1]

    @property
    def sizes(self) -> list[Operand]:
        """In bytes, of what is in it, each once."""
        found: list[Operand] = []
        for s in self.reserves:
            if all(s.size is not x for x in found):
                found.append(s.size)
        return found


class Rooms:
    """The memory of such temporaries.

    Attributes:
        kernel: the kernel, which takes one block for them.
        overlapping: pairs that share memory.
    """

    def __init__(self, kernel: Kernel):
        self.kernel = kernel
        self.overlapping: list[tuple[Buffer, Buffer]] = []
        body = kernel.body.statements
        end = next((k for k, s in enumerate(body) if not _begins(s)), len(body))
        reserves = {s.out: s for s in body[:end] if isinstance(s, ir.Reserve) and not s.for_caller}
        of = _only_of_buffers(kernel, reserves)
        if len(of) < 2:
            return
        lives = Lives(kernel.body, lambda b: b.base is not None and b.base in of)
        parts = _parts({reserves[base]: _life(lives, buffers) for base, buffers in of.items()})
        if len(parts) > _MOST:
            return
        for part in parts:
            for one, other in combinations(part.reserves, 2):
                self.overlapping += [(a, b) for a in of[one.out] for b in of[other.out]]
        taken = {s for part in parts for s in part.reserves}
        first = [s for s in body[:end] if s not in taken]
        self.kernel = replace(kernel, body=Block([*first, *_taken(parts), *body[end:]]))


def _begins(s: ir.Statement) -> bool:
    """Whether a statement may stand among those that take memory when a kernel begins."""
    return isinstance(s, ir.Compute | ir.Reserve)


def _only_of_buffers(kernel: Kernel, reserves: dict[Var, ir.Reserve]) -> dict[Var, list[Buffer]]:
    """The buffers that start where memory was taken, of memory of which nothing else is made."""
    found: dict[Var, list[Buffer]] = {}
    others: set[Operand] = set()
    for s in ir.walk(kernel.body):
        bases: set[Operand] = set()
        for b in uses.buffers(s):
            if b.kind == "reserved" and isinstance(b.base, Var) and b.base in reserves:
                bases.add(b.base)
                known = found.setdefault(b.base, [])
                if all(b is not x for x in known):
                    known.append(b)
        others.update(x for x in uses.operands(s) if x in reserves and x not in bases)
    return {base: buffers for base, buffers in found.items() if base not in others}


def _life(lives: Lives, buffers: list[Buffer]) -> Life:
    if len(buffers) == 1:
        return lives.of[buffers[0]]
    around = [lives.around[b] for b in buffers]
    return min(first for first, _ in around), max(last for _, last in around)


def _parts(lives: dict[ir.Reserve, Life]) -> list[Room]:
    """The parts, in the order in which they are first needed."""
    parts: list[Room] = []
    for reserve, life in sorted(lives.items(), key=lambda item: item[1]):
        free = [part for part in parts if part.until < life[0]]
        same = [part for part in free if any(reserve.size is x for x in part.sizes)]
        if free:
            (same or free)[0].add(reserve, life)
        else:
            parts.append(Room(reserve, life))
    return parts


def _taken(parts: list[Room]) -> Iterator[ir.Statement]:
    """Take the block, and say where each temporary starts."""
    starts: list[Operand] = []
    end: Operand = Number(0, LONG)
    for part in parts:
        starts.append(end)
        size, *others = part.sizes
        for other in others:
            larger, both = Var(BOOL), Var(LONG)
            yield ir.Compute(larger, ">", (other, size))
            yield ir.Compute(both, "select", (larger, other, size))
            size = both
        following = Var(LONG)
        yield ir.Compute(following, "+", (end, size))
        end = following
    block = Var(LONG, "room")
    yield ir.Reserve(block, end)
    for part, start in zip(parts, starts):
        for s in part.reserves:
            yield ir.Compute(s.out, "+", (block, start))
