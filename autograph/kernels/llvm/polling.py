"""How long loops run between two looks at whether the user wants the kernel to end.

Time is estimated in statements, of which a machine does about one in a nanosecond. Loops of unknown
length count as one statement: they look for themselves. Those that leave that to the loop around
them, since they can't make more trips than they count or an array has places, count as a part of
what they may come to there, as hardly any comes to all of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Block, Number
from autograph.kernels.llvm import leaving
from autograph.kernels.llvm.places_passed import most_by_places

SPAN = 1 << 20  # statements between two looks
_FEW = 1 << 8  # statements of a loop with a test that does not look at all
_PASSED = SPAN >> 6  # what loops that don't look, and may make many trips, at most count as
_BRIEF = 1 << 4  # what one that is brief counts as
_LANES = 4  # elements that a vector loop computes at a time
_STEPS = {"+": 1, "add_checked": 1, "-": -1, "subtract_checked": -1}  # of what counts
_COMPARISONS = ("<", "<=", ">", ">=")


def work(block: Block) -> int:
    """How many statements run, as far as is known."""
    return sum(map(_of_statement, block))


def _of_statement(s: ir.Statement) -> int:
    match s:
        case ir.While():
            return 1 + _weight(s)
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
        case ir.RoutineCall() | ir.InnerLoopCall() | ir.SortCall() | ir.PythonCall() | ir.Draw():
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


def looks(s: ir.While) -> bool:
    """Whether a loop with a test looks for itself. One of few trips leaves that to the loop around
    it, so that LLVM may write it out; a loop of many trips in which there is nothing else takes a
    few hundred times as long between two looks then, which is a tenth of a second."""
    if any(isinstance(x, ir.While) for x in ir.walk(s.body)):
        return True
    most = most_trips(s)
    is_brief = most is not None and most * (work(s.test) + work(s.body)) <= _FEW
    return not is_brief and not s.brief and not _passed(s)


def _weight(s: ir.While) -> int:
    """What a loop that does not look counts as; 0 if it looks."""
    return _BRIEF if s.brief else min(_passed(s), _PASSED)


def _passed(s: ir.While) -> int:
    """How many statements a loop comes to at most that counts its trips, or passes the places of an
    array, and does not look for itself; 0 if it is none."""
    if any(isinstance(x, ir.While) for block in (s.test, s.body) for x in ir.walk(block)):
        return 0
    known = [most for most in (most_by_places(s), most_trips(s)) if most is not None]
    statements = min(known, default=0) * (work(s.test) + work(s.body))
    return statements if statements <= SPAN else 0


def weight(s: ir.While) -> int:
    """How many trips of a small loop a trip of one that looks stands for, for the loops in it that
    do not."""
    return 1 + sum(_weights(s.body))


def _weights(block: Block) -> Iterator[int]:
    for s in block:
        if isinstance(s, ir.While):
            yield _weight(s)
        elif isinstance(s, ir.If):
            yield max(sum(_weights(s.then)), sum(_weights(s.orelse)))


def most_trips(s: ir.While) -> int | None:
    """At most how many trips a loop makes that counts them, up or down to a limit, as one over
    a range with a ``break``; None if that is not known."""
    made = {x.out: x for x in s.body if isinstance(x, ir.Compute)}
    found = []
    for var, init, following in zip(s.state, s.init, s.following):
        step = made.get(following) if isinstance(following, ir.Var) else None
        if step is None or not isinstance(init, Number) or init.dtype.kind != "i":
            continue
        by = _STEPS.get(step.function, 0)
        if not by or step.operands[0] is not var:
            continue
        if not isinstance(step.operands[1], Number) or step.operands[1].value != 1:
            continue
        start = int(init.value)
        for limit in _compared(s.test, var):
            # The counter comes to each number on its way.
            trips = [
                by * (end - start) for end in (limit, limit + by) if leaving.fails(s, {var: end})
            ]
            found += [count for count in trips if count >= 0]
    return min(found, default=None)


def _compared(test: Block, var: ir.Var) -> Iterator[int]:
    """The numbers that a test compares with a scalar."""
    for x in ir.walk(test):
        if isinstance(x, ir.Compute) and x.function in _COMPARISONS:
            for one, other in (x.operands, x.operands[::-1]):
                if one is var and isinstance(other, Number):
                    yield int(other.value)
