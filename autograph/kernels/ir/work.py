"""About how long kernels run."""

from __future__ import annotations

from autograph.kernels.ir import ir

LONG = 20e3  # nanoseconds, from which on other threads of Python may run meanwhile


def of_routine(routine: ir.Kernel) -> float:
    """About how long a routine runs; one that calls itself runs long."""
    return LONG if routine.recursive else work(routine.body)


def work(block: ir.Block) -> float:
    """About how long a block takes, in nanoseconds; loops of unknown length are long."""
    total = 0.0
    for statement in block:
        match statement:
            case ir.Each():
                count = statement.count
                trips = float(count.value) if isinstance(count, ir.Number) else 1e3
                total += trips * statement.work
                if any(isinstance(s, ir.While) for s in ir.walk(statement.body)):
                    total += LONG
            case ir.While():
                total += LONG
            case ir.For():
                count = statement.count
                trips = float(count.value) if isinstance(count, ir.Number) else 1e3
                total += trips * work(statement.body)
            case ir.If():
                total += max(work(statement.then), work(statement.orelse))
            case ir.Multiply():
                total += statement.known_batch * statement.work
            case ir.RoutineCall() | ir.InnerLoopCall():
                total += statement.work
            case _:
                total += 1.0
    return total
