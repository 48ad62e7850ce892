"""How long statements take, about."""

from __future__ import annotations

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import LONG, Block, Number

UNKNOWN_TRIPS = 30  # of loops of unknown length
_STATEMENT = 0.1  # nanoseconds of a statement in a lane
_WAITING = 4  # times as long takes one that waits for the one before, as in a loop that converges


def nanoseconds(block: Block) -> float:
    """About how long a block takes in a lane, in nanoseconds."""
    total = 0.0
    for s in block:
        match s:
            case ir.For() | ir.Each():
                trips = float(s.count.value) if isinstance(s.count, Number) else UNKNOWN_TRIPS
                total += trips * nanoseconds(s.body)
            case ir.While():
                trip = nanoseconds(s.test) + nanoseconds(s.body)
                total += UNKNOWN_TRIPS * _WAITING * trip
            case ir.If():
                total += max(nanoseconds(s.then), nanoseconds(s.orelse))
            case ir.Compute() if s.out.dtype == LONG:
                pass  # mostly places, the same for all lanes
            case _:
                total += _STATEMENT
    return total
