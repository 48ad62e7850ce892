"""How long loops run between two looks at whether the user wants the kernel to end.

Time is estimated in statements, of which a machine does about one in a nanosecond. Loops of unknown
length count as one statement: they look for themselves.
"""

from __future__ import annotations

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Block, Number

SPAN = 1 << 20  # statements between two looks
_LANES = 4  # elements that a vector loop computes at a time


def work(block: Block) -> int:
    """How many statements run, as far as is known."""
    return sum(map(_of_statement, block))


def _of_statement(s: ir.Statement) -> int:
    match s:
        case ir.For():
            known = _count(s)
            return 1 if known is None else 1 + known * work(s.body)
        case ir.Each():
            count = int(s.count.value) if isinstance(s.count, Number) else 1
            return 1 + count * work(s.body) // _LANES
        case ir.If():
            return 1 + work(s.then) + work(s.orelse)
        case ir.Multiply():
            return 1 + s.known_batch * s.multiplications // 16
        case ir.RoutineCall() | ir.InnerLoopCall() | ir.SortCall():
            return 1 + int(s.work)
    return 1


def _count(s: ir.For) -> int | None:
    return max(int(s.count.value), 0) if isinstance(s.count, Number) else None


def trips_between(s: ir.For) -> int | None:
    """How many trips of a loop may run between two looks; None for all."""
    each = max(work(s.body), 1)
    known = _count(s)
    if known is not None and known * each <= SPAN:
        return None
    return max(SPAN // each, 1)
