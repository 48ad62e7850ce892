"""Where the generators from outside are that a kernel draws from: it is given the place of each
after its other inputs, and gives them to the routines that draw from them. So machine code knows of
no generator, and several threads may run it at once, each with generators of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import LONG, Block, Kernel, Statement, Var


def given_generators(kernel: Kernel, numbers: Sequence[int]) -> Kernel:
    """A kernel that is given where generators are, before the symbols of lengths.

    Args:
        kernel: it knows generators by their numbers.
        numbers: of those that are given, in order. All that it draws from are among them.
    """
    if not numbers:
        return kernel
    drawn = {
        name: [n for n in numbers if n in found]
        for name, found in _drawn_by_routines(kernel.routines).items()
    }
    routines = {
        name: _with_inputs(routine, drawn[name], drawn) for name, routine in kernel.routines.items()
    }
    made = _with_inputs(kernel, numbers, drawn, before=len(kernel.symbols))
    return replace(made, routines=routines)


def _with_inputs(
    kernel: Kernel, numbers: Sequence[int], drawn: Mapping[str, Sequence[int]], before: int = 0
) -> Kernel:
    """A kernel with inputs more, before so many at the end: where generators with some numbers
    are."""
    if not numbers:
        return kernel
    places = {number: Var(LONG, "generator") for number in numbers}

    def change(s: Statement) -> Statement:
        if isinstance(s, ir.Draw) and isinstance(s.source, int):
            return replace(s, source=places[s.source])
        if isinstance(s, ir.RoutineCall) and drawn[s.routine]:
            return replace(s, given=(*s.given, *(places[n] for n in drawn[s.routine])))
        return s

    inputs = list(kernel.inputs)
    end = len(inputs) - before
    inputs[end:end] = places.values()
    return replace(kernel, inputs=tuple(inputs), body=_changed(kernel.body, change))


def _drawn_by_routines(routines: Mapping[str, Kernel]) -> dict[str, Collection[int]]:
    """The numbers of the generators that each routine draws from, or one that it calls."""
    found: dict[str, set[int]] = {}
    calls: dict[str, set[str]] = {}
    for name, routine in routines.items():
        inside = list(ir.walk(routine.body))
        draws = [s.source for s in inside if isinstance(s, ir.Draw)]
        found[name] = {source for source in draws if isinstance(source, int)}
        calls[name] = {s.routine for s in inside if isinstance(s, ir.RoutineCall)}
    grows = True
    while grows:
        before = sum(map(len, found.values()))
        for name, called in calls.items():
            found[name].update(*(found[other] for other in called))
        grows = sum(map(len, found.values())) > before
    return dict(found)


def _changed(block: Block, change: Callable[[Statement], Statement]) -> Block:
    """A block with something else in the place of statements that hold no others."""
    made: list[Statement] = []
    for s in block:
        match s:
            case ir.For() | ir.Each():
                made.append(replace(s, body=_changed(s.body, change)))
            case ir.While():
                test, body = _changed(s.test, change), _changed(s.body, change)
                made.append(replace(s, test=test, body=body))
            case ir.If():
                then, orelse = _changed(s.then, change), _changed(s.orelse, change)
                made.append(replace(s, then=then, orelse=orelse))
            case _:
                made.append(change(s))
    return Block(made)
