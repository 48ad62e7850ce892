"""Kernels that are made quickly as they were lowered, by none of the passes.

What passes gain of a kernel, they gain in each call; what they take, a new process waits for. They
take about as long as LLVM does for machine code that is made quickly, and what runs for some
microseconds in some tens of calls never gains as much. Once such a kernel is to be optimised, its
text is that of all passes, as it would have been at once.

Its results have the same bits then: all passes keep the order of operations, but in sums of
independent trips, which nothing orders. How such a sum is added up depends on what is around it.
"""

from __future__ import annotations

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Block
from autograph.kernels.ir.work import usual_trips, work
from ops.core.symbolic_lengths import is_length

# Bytes of all arrays of a kernel's own: as they are, they stay in caches, and are little memory.
NEAR = 4 << 20

_SHORT = 4000.0  # nanoseconds of a loop, which is never shared by threads
_SHARED = 20_000.0  # the same of one that is in no other, see `autograph.kernels.llvm.each`
_FEW = 4  # trips of a loop in order that may become lanes, see `autograph.kernels.passes.nests`

# Trips of a loop with a test. Nobody knows how often it runs; a call in which it runs for long is
# given up, and the kernel is optimised, as soon as if passes had changed it.
_UNTIL = 30.0

# Nanoseconds of a call, about, for each statement. Passes take about 30 microseconds for each, and
# save some tens of calls less than half of their time.
_WORTH = 1200.0


def is_one_sum(s: ir.Each) -> bool:
    """Whether what a loop adds up is added up in one way, whatever is around it but for loops in
    order."""
    if not s.reductions:
        return True
    return isinstance(s.count, ir.Number) and float(s.count.value) * s.work < _SHORT


def is_short(kernel: ir.Kernel) -> bool:
    """Whether a kernel may be made quickly as it is, and passes would take longer than they
    gain."""
    statements = list(ir.walk(kernel.body))
    kinds = set(map(type, statements))
    if kernel.routines:
        return False
    if (ir.For in kinds or ir.While in kinds) and not _has_one_order(kernel.body, _SHARED):
        return False
    buffers = dict.fromkeys(uses.touched(kernel.body))
    own = [b for b in buffers if b.kind == "temporary" and not is_length(b.size)]
    if sum(b.nbytes for b in own) > NEAR:
        return False
    return work(kernel.body, usual_trips(kernel), _UNTIL) <= _WORTH * len(statements)


def _has_one_order(block: Block, longest: float) -> bool:
    """Whether passes that change loops in order leave all sums as they are.

    Args:
        longest: nanoseconds of a loop, with those that it may be joined with, of which a sum is
            added up in one way.
    """
    if ir.is_straight(block):
        return True
    # Of neighbouring loops, which may be joined: how many trips they make, and nanoseconds of all
    # of them; and those in order, which may become ones of as many trips.
    trips, before, ordered = 0, 0.0, list[ir.For]()
    for s in block:
        if isinstance(s, ir.For):
            ordered.append(s)
        elif isinstance(s, ir.Each) and isinstance(s.count, ir.Number):
            if int(s.count.value) != trips:
                trips, before = int(s.count.value), 0.0
            if s.reductions:
                others = before + sum(work(Block([f])) for f in ordered if _may_make(f, trips))
                is_alone = not others and longest == _SHARED
                if not is_alone and others + trips * s.work >= longest:
                    return False
            before += trips * s.work
        elif isinstance(s, ir.Each) and s.reductions:
            return False
        elif not isinstance(s, ir.Compute | ir.Load | ir.Check):
            before, ordered = 0.0, []
        inside = _longest_inside(s, longest)
        if not all(_has_one_order(inner, inside) for inner in ir.blocks(s)):
            return False
    return True


def _may_make(s: ir.For, trips: int) -> bool:
    """Whether passes may make a loop of so many trips of one in order, or of those in it: they take
    some trips apart, and add none."""
    return any(
        isinstance(x, ir.For | ir.Each)
        and (not isinstance(x.count, ir.Number) or x.count.value >= trips)
        for x in ir.walk([s])
    )


def _longest_inside(s: ir.Statement, longest: float) -> float:
    """The same in the blocks of a statement: trips of a loop in order may become lanes, which add
    up one by one, and those of a loop with a test may not."""
    match s:
        case ir.For() if not _makes_few_trips(s):
            return 0.0
        case ir.For() | ir.While():
            return min(longest, _SHORT)
    return longest


def _makes_few_trips(s: ir.For) -> bool:
    if not isinstance(s.count, ir.Number) or s.count.value >= _FEW:
        return False
    return not any(isinstance(inner, ir.For) for inner in ir.walk(s.body))
