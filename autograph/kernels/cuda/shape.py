"""What follows from a segment's loops for how it is printed: threads, memory, order."""

from __future__ import annotations

from collections.abc import Sequence

from autograph.kernels.cuda.split import Segment
from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Buffer, Number


def has_own_memory(block: ir.Block) -> bool:
    """Whether a trip of a team's, its lanes' left out, has memory that ends with it."""
    return any(
        isinstance(s, ir.Local | ir.Reserve)
        or (
            (not isinstance(s, ir.Each) or uses.has_each(s.body))
            and any(map(has_own_memory, ir.blocks(s)))
        )
        for s in block
    )


def flags(segment: Segment) -> Buffer | None:
    """The flags of a segment whose trips are in order; None if they need not be."""
    first = segment.statements[0] if segment.kind == "teams" else None
    return first.flags if isinstance(first, ir.Each) else None


def threads(each: ir.Each) -> int:
    """The threads of a block: fewer where there are not enough trips for many blocks, or where
    trips take different times."""
    if isinstance(each.count, Number) and int(each.count.value) <= 2**14:
        return 64
    loops = any(isinstance(s, ir.While | ir.For | ir.Each) for s in ir.walk(each.body))
    return 128 if loops else 256


def longest(statements: Sequence[ir.Statement]) -> int | None:
    """The most trips of a loop for lanes; None if that is not known."""
    counts = [
        s.count for s in ir.walk(statements) if isinstance(s, ir.Each) and not uses.has_each(s.body)
    ]
    known = [int(x.value) for x in counts if isinstance(x, Number)]
    return max(known, default=0) if len(known) == len(counts) else None
