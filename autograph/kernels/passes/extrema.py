"""Loops that look for the greatest or least number, and note that they have found one.

``if x > best: best, found = x, True``: what is the same number whichever trip notes it need not be
carried. A number was noted if the best one is another one in the end than it was in the beginning,
since it only ever grows. What a Python number's type is, of which ``best`` is one of NumPy's from
the first that is taken from an array on, is such a note. Without it a loop is one that LLVM makes a
vector of.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import BOOL, Block, Number, Operand, Statement, Var
from autograph.kernels.passes.replacing import replace_statements

_STRICT = ("<", ">")


def without_notes(block: Block) -> bool:
    """Take such notes out of the loops of a block, in place. Returns whether there were any."""

    def change(s: ir.For | ir.While) -> list[Statement] | None:
        loop, after = _without_notes_of(s)
        return [loop, *after] if after else None

    return replace_statements(block, (ir.For, ir.While), change)


def _without_notes_of(loop: ir.For | ir.While) -> tuple[ir.For | ir.While, list[ir.Compute]]:
    """A loop without its notes, and what finds them after it."""
    if len(loop.state) < 2:
        return loop, []
    made: dict[Operand, ir.Compute] = {x.out: x for x in loop.body if isinstance(x, ir.Compute)}
    choices = [made.get(x) for x in loop.following]
    for place, (state, choice) in enumerate(zip(loop.state, choices)):
        if choice is None or choice.function != "select" or choice.operands[2] is not state:
            continue
        test = made.get(choice.operands[0])
        if test is None or test.function not in _STRICT:
            continue
        if not any(pair[0] is state and pair[1] is choice.operands[1] for pair in _ways(test)):
            continue
        notes = [k for k in range(len(loop.state)) if _is_note(loop, k, choices[k], test.out)]
        if not notes:
            continue
        better = Var(BOOL)
        ends = (loop.init[place], loop.results[place])
        after = [
            ir.Compute(better, test.function, ends if test.operands[0] is state else ends[::-1])
        ]
        for k in notes:
            noted = choices[k]
            assert noted is not None
            operands = (better, noted.operands[1], loop.init[k])
            after.append(ir.Compute(loop.results[k], "select", operands))
        kept = [k for k in range(len(loop.state)) if k not in notes]
        own: dict[str, Any] = {
            name: tuple(getattr(loop, name)[k] for k in kept)
            for name in ("state", "init", "following", "results")
        }
        return dataclasses.replace(loop, **own), after
    return loop, []


def _ways(test: ir.Compute) -> Iterator[tuple[Operand, Operand]]:
    yield test.operands[0], test.operands[1]
    yield test.operands[1], test.operands[0]


def _is_note(loop: ir.For | ir.While, place: int, choice: ir.Compute | None, test: Operand) -> bool:
    """Whether a state of a loop becomes a number where a test holds, stays what it is otherwise,
    and is read for nothing else."""
    state = loop.state[place]
    if choice is None or choice.function != "select" or not isinstance(choice.operands[1], Number):
        return False
    if choice.operands[0] is not test or choice.operands[2] is not state:
        return False
    reads = [
        y for b in ir.blocks(loop) for x in ir.walk(b) if x is not choice for y in uses.operands(x)
    ]
    own = [x for k, x in enumerate(loop.following) if k != place]
    tested = [loop.condition] if isinstance(loop, ir.While) else []
    return not any(x is state or x is choice.out for x in (*reads, *own, *tested))
