"""About how long kernels run."""

from __future__ import annotations

from collections.abc import Callable

from autograph.kernels.ir import ir

LONG = 20e3  # nanoseconds, from which on other threads of Python may run meanwhile
# Elements from which on threads share loops over arrays, of lengths known only at run time, that
# other loops repeat: of fewer, the call of a function for each would take too long.
WORTH_SHARING = 1 << 14
_STATEMENT = 0.1  # nanoseconds of a statement in a lane
_UNKNOWN = 30  # trips of loops of unknown length, in a lane
_MANY = 1e3  # the same outside of lanes
_WAITING = 4  # times as long takes one that waits for the one before, as in a loop that converges

# Functions of floats without an instruction, by their names in C.
_OF_C = """
    acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp2 expm1 fmod hypot lgamma
    log log10 log1p log2 pow sin sinh tan tanh tgamma"""
_DIVISIONS = {**dict.fromkeys(_OF_C.split(), 4), "sqrt": 2, "/": 1}


_SCALAR = frozenset((ir.Compute, ir.Load, ir.Store, ir.Check))


def divisions(function: str) -> int:
    """How many divisions of floats take as long as a function of theirs; 0 of what is quick."""
    return _DIVISIONS.get(function, 0)


def of_routine(routine: ir.Kernel) -> float:
    """About how long a routine runs; one that calls itself runs long."""
    return LONG if routine.recursive else work(routine.body)


def work(
    block: ir.Block,
    trips: Callable[[ir.Operand], float] | None = None,
    until: float | None = None,
) -> float:
    """About how long a block takes, in nanoseconds.

    Args:
        trips: about how many a loop makes, by its count; without it those of unknown length make
            many.
        until: about how many a loop with a test makes; without it such a loop is long.
    """
    trips = trips or _trips
    total = 0.0
    for statement in block:
        if type(statement) in _SCALAR:  # most are
            total += 1.0
            continue
        match statement:
            case ir.Each():
                total += trips(statement.count) * statement.work
                if until is None and any(isinstance(s, ir.While) for s in ir.walk(statement.body)):
                    total += LONG
            case ir.While():
                trip = sum(work(x, trips, until) for x in ir.blocks(statement))
                total += LONG if until is None else until * trip
            case ir.For():
                total += trips(statement.count) * work(statement.body, trips, until)
            case ir.If():
                total += max(work(x, trips, until) for x in ir.blocks(statement))
            case ir.Multiply():
                total += statement.known_batch * statement.work
            case (
                ir.RoutineCall() | ir.InnerLoopCall() | ir.SortCall() | ir.PythonCall() | ir.Draw()
            ):
                total += statement.work
            case _:
                total += 1.0
    return total


def usual_trips(kernel: ir.Kernel, unknown: float = _MANY) -> Callable[[ir.Operand], float]:
    """About how many trips loops make, by their counts, in the call for which a kernel is made.

    Args:
        unknown: how many it is where that is not known.
    """

    def trips(count: ir.Operand) -> float:
        if isinstance(count, ir.Number):
            return float(count.value)
        return float(kernel.examples.get(count, unknown))

    return trips


def _trips(count: ir.Operand) -> float:
    """About how many trips a loop makes."""
    return float(count.value) if isinstance(count, ir.Number) else _MANY


def library_share(block: ir.Block) -> float:
    """Which part of the time of a block, about, goes by in functions that are called, from 0 to 1:
    products of a library's, loops and sorts of NumPy's, Python's."""
    return _in_library(block) / max(work(block), 1.0)


def _in_library(block: ir.Block) -> float:
    total = 0.0
    for statement in block:
        match statement:
            case ir.For():
                total += _trips(statement.count) * _in_library(statement.body)
            case ir.If():
                total += max(_in_library(statement.then), _in_library(statement.orelse))
            case ir.Multiply() | ir.InnerLoopCall() | ir.SortCall() | ir.PythonCall() | ir.Draw():
                total += work(ir.Block([statement]))
    return total


def most_work(block: ir.Block) -> float | None:
    """The same where the numbers of all trips are known; None where some are not."""
    for statement in ir.holding(ir.walk(block)):
        if isinstance(statement, ir.While):
            return None
        if isinstance(statement, (ir.Each, ir.For)) and not isinstance(statement.count, ir.Number):
            return None
    return work(block)


def in_lanes(block: ir.Block) -> float:
    """About how long a block takes in a lane, in nanoseconds."""
    total = 0.0
    for statement in block:
        match statement:
            case ir.For() | ir.Each():
                count = statement.count
                trips = float(count.value) if isinstance(count, ir.Number) else _UNKNOWN
                total += trips * in_lanes(statement.body)
            case ir.While():
                trip = in_lanes(statement.test) + in_lanes(statement.body)
                total += _UNKNOWN * _WAITING * trip
            case ir.If():
                total += max(in_lanes(statement.then), in_lanes(statement.orelse))
            case ir.Compute() if statement.out.dtype == ir.LONG:
                pass  # mostly places, the same for all lanes
            case _:
                total += _STATEMENT
    return total
