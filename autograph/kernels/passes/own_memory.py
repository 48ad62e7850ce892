"""Arrays of a length known only at run time, in memory that nothing else has: known memory, as
that of other arrays of the kernel's own is. What is stored there changes nothing else, and is not
changed by what is stored elsewhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Block, Buffer, Operand
from autograph.kernels.ir.renaming import renamed


def with_own_memory(body: Block) -> Block:
    """A kernel's body in which such arrays are buffers of the kind ``"reserved"``. The given one is
    left as it is."""
    starts: set[Operand] = set()
    _note_reserved(body, starts)
    if not starts:
        return body
    found: dict[Operand, list[Buffer]] = defaultdict(list)
    for s in ir.walk(body):
        touched = uses.buffers(s)
        if isinstance(s, ir.Load | ir.Store | ir.Multiply):
            for b in touched:
                if b.base is not None and b.base in starts:
                    found[b.base].append(b)
            passed = set(uses.operands(s)) - {b.base for b in touched}
            if isinstance(s, ir.Store):
                passed |= {s.index, s.value}
        else:
            passed = set(uses.operands(s))
        starts -= passed
    others: dict[Buffer, Buffer] = {}
    for start in starts:
        others.update(_as_one(found[start]))
    return renamed(body, others) if others else body


def _note_reserved(block: Block, starts: set[Operand]) -> None:
    """Note where memory starts that is reserved once, or once in each trip of loops in order: lanes
    have theirs side by side."""
    for s in block:
        if isinstance(s, ir.Reserve) and not s.for_caller:
            starts.add(s.out)
        elif not isinstance(s, ir.Each):
            for inner in ir.blocks(s):
                _note_reserved(inner, starts)


def _as_one(buffers: Iterable[Buffer]) -> dict[Buffer, Buffer]:
    """One buffer in the place of those in the same memory, if all are one array."""
    known = list(dict.fromkeys(buffers))
    if not known or any(b.offset or b.dtype != known[0].dtype for b in known):
        return {}
    first = known[0]
    if any(b.kind != "record" for b in known):
        return {}
    name = next((b.name for b in known if b.name), None)
    one = Buffer(first.dtype, first.size, "reserved", name, first.base)
    return dict.fromkeys(known, one)
