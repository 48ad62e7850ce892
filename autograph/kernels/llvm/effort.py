"""How much LLVM is to do about a kernel.

The printer leaves little to improve: loops are vectors already, no scalar is computed twice. What
LLVM's full pipeline finds beyond that are accumulators in memory and invariants of inner loops, and
shorter ways round loops in order. Where there are loops in others, or loops in order, that may make
three times as fast, and takes up to twice as long: only a very large kernel, which spends its time
in too many places for that to matter, goes without.

Code that is made quickly is machine code as it comes. LLVM has a quick way to it for scalars, and a
slow one for vectors: a loop of vectors takes some times as long to make. Where it makes few trips
in a call, that is not worth it until the kernel has been called often, and is optimised.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from autograph.kernels.ir import ir
from autograph.kernels.ir.work import usual_trips

LARGE = 1000  # statements of a kernel whose loops should not become more code
_VERY_LARGE = 5000  # statements of a kernel that takes long to compile

# Trips of a loop in a call: a statement of a vector takes about 30 microseconds more to make than
# one of a scalar, and gains 0.1 to 0.2 nanoseconds in each trip of some tens of calls. The next
# processes, too, run what was made quickly, and have not to make it.
_FEW = 2048

_PLAIN = frozenset((ir.Compute, ir.Load, ir.Store, ir.If, ir.Check))

Trips = Callable[[ir.Operand], float]


def is_large(kernel: ir.Kernel) -> bool:
    """Whether a kernel takes so long to compile that its loops should not become more code."""
    return _statements(kernel) > LARGE


def _statements(kernel: ir.Kernel) -> int:
    return sum(1 for _ in ir.walk(kernel.body))


def needs_little(kernel: ir.Kernel) -> bool:
    """Whether a few of LLVM's passes make code as fast as all of them, or nearly so."""
    return _statements(kernel) > _VERY_LARGE or _is_plain(kernel.body)


def brief_loops(kernel: ir.Kernel) -> Iterator[ir.Each]:
    """The loops that code which is made quickly is to go through one by one. Whether each trip is
    one of a vector makes no difference to bits; for sums see `brief_sums`."""
    return _brief_loops(kernel.body, usual_trips(kernel, math.inf), 1.0)


def _brief_loops(block: ir.Block, trips_of: Trips, times: float) -> Iterator[ir.Each]:
    """The same of a block.

    Args:
        trips_of: about how many trips a loop makes, by its count.
        times: how often the block runs in a call.
    """
    for s in ir.holding(block):
        if isinstance(s, ir.For | ir.Each):
            trips = times * trips_of(s.count)
            if trips > _FEW:
                continue
            if isinstance(s, ir.For) or s.mode != "vector":
                yield from _brief_loops(s.body, trips_of, trips)
            elif s.reductions and not isinstance(s.count, ir.Number):
                continue  # which lane a trip has depends on how many there are
            elif s.flags is None and _is_brief(s.body, trips_of, trips):
                yield s
        elif isinstance(s, ir.If):
            for inner in ir.blocks(s):
                yield from _brief_loops(inner, trips_of, times)


def _is_brief(block: ir.Block, trips_of: Trips, times: float) -> bool:
    """Whether all that a lane does are plain statements, and loops that make few trips."""
    if not all(isinstance(s, ir.For) or type(s) in _PLAIN for s in block):
        return False
    for s in ir.holding(block):
        trips = times
        if isinstance(s, ir.For):
            trips *= trips_of(s.count)
            if trips > _FEW or s.freed is not None:
                return False
        if not all(_is_brief(inner, trips_of, trips) for inner in ir.blocks(s)):
            return False
    return True


def _is_plain(block: ir.Block, in_each: bool = False) -> bool:
    """Whether the only loops are of independent trips, and none is in another."""
    for statement in block:
        is_each = isinstance(statement, ir.Each)
        if isinstance(statement, (ir.For, ir.While)) or (is_each and in_each):
            return False
        if not all(_is_plain(inner, in_each or is_each) for inner in ir.blocks(statement)):
            return False
    return True
