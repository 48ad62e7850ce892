"""Trips that are known to be a loop's last when they end: those in which ``break`` or ``return`` is
reached.

A loop with an exit carries which exit was taken, and its test asks for that: ``while i < n and not
exit``. Printed so, each trip puts it together, by instructions that wait for what it depends on,
and asks twice: whether there is a reason to leave, and, at the head, whether one was found. LLVM
does not thread a jump through the head of a loop. Here a branch at the end of a trip is found after
which the test is known to fail, so that it can be printed as the jump that the user wrote.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import BOOL, Number, Operand
from ops.core.records import NamedTuple

_FOLDED: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

Known = dict[Operand, Any]


class Ending(NamedTuple):
    """How a trip ends: with a choice, after other statements.

    Attributes:
        before: the statements before the choice.
        choice: it, with the blocks of its two sides.
        then, orelse: the next state of the loop after each side.
    """

    before: Sequence[ir.Statement]
    choice: ir.If
    then: tuple[Operand, ...]
    orelse: tuple[Operand, ...]


def ending(
    loop: ir.While, statements: Sequence[ir.Statement], following: Sequence[Operand]
) -> Ending | None:
    """The choice at the end of a trip, or of a part of it, if on one of its sides, or amid that,
    the loop is left; None if there is none.

    Args:
        statements: of the part.
        following: the next state of the loop after them.
    """
    found = _choice(statements)
    if found is None:
        return None
    before, choice = found
    sides = []
    for results in (choice.then_results, choice.else_results):
        given: dict[Operand, Operand] = dict(zip(choice.results, results))
        sides.append(tuple(given.get(x, x) for x in following))
    then, orelse = sides
    for side, block in ((then, choice.then), (orelse, choice.orelse)):
        if leaves(loop, side) or ending(loop, block.statements, side) is not None:
            return Ending(before, choice, then, orelse)
    return None


def leaves(loop: ir.While, following: Sequence[Operand]) -> bool:
    """Whether a loop is left with a next state, and its test does nothing else then."""
    known: Known = {var: x.value for var, x in zip(loop.state, following) if isinstance(x, Number)}
    return bool(known) and fails(loop, known)


def fails(loop: ir.While, state: Mapping[Operand, Any]) -> bool:
    """Whether the test of a loop is known to fail, and to do nothing else, of some of whose state
    the values are known."""
    known: Known = dict(state)
    if not _evaluate(loop.test, known):
        return False
    found = _value(loop.condition, known)
    return found is not None and not found


def _choice(statements: Sequence[ir.Statement]) -> tuple[Sequence[ir.Statement], ir.If] | None:
    """The choice at the end of statements: a branch, or scalars that one bool selects."""
    if not statements:
        return None
    last = statements[-1]
    if isinstance(last, ir.If):
        return statements[:-1], last
    start = len(statements)
    made: list[ir.Compute] = []
    while start:
        s = statements[start - 1]
        if not isinstance(s, ir.Compute) or s.function != "select":
            break
        if made and s.operands[0] is not made[0].operands[0]:
            break
        made.append(s)
        start -= 1
    outs = {s.out for s in made}
    if not made or any(x in outs for s in made for x in s.operands):
        return None
    results, then, orelse = zip(*((s.out, s.operands[1], s.operands[2]) for s in made))
    choice = ir.If(made[0].operands[0], ir.Block(), ir.Block(), results, then, orelse)
    return statements[:start], choice


def _evaluate(block: ir.Block, known: Known) -> bool:
    """Find out what scalars of a block are. Returns whether it does nothing but define scalars, as
    far as it runs."""
    for s in block:
        if isinstance(s, ir.Compute):
            if s.function.endswith("_checked"):
                return False
            found = _computed(s, known)
            if found is not None:
                known[s.out] = found
        elif isinstance(s, ir.If):
            condition = _value(s.condition, known)
            found_of: list[list[Any]] = []
            for holds, block, results in (
                (True, s.then, s.then_results),
                (False, s.orelse, s.else_results),
            ):
                if condition is None or bool(condition) == holds:
                    inside = {**known, s.condition: holds}
                    if not _evaluate(block, inside):
                        return False
                    found_of.append([_value(x, inside) for x in results])
            for out, *values in zip(s.results, *found_of):
                if values[0] is not None and all(x is not None and x == values[0] for x in values):
                    known[out] = values[0]
        elif not isinstance(s, ir.Load):
            return False
    return True


def _value(x: Operand, known: Known) -> Any:
    """A scalar, if it is known; None otherwise."""
    return x.value if isinstance(x, Number) else known.get(x)


def _computed(s: ir.Compute, known: Known) -> Any:
    """What a statement computes, if it is known; None otherwise."""
    if s.function == "select":
        test, yes, no = s.operands
        condition = _value(test, known)
        sides = (
            _value(x, {**known, test: holds})
            for x, holds in ((yes, True), (no, False))
            if condition is None or bool(condition) == holds
        )
        found, *others = sides
        return found if all(x is not None and x == found for x in others) else None
    values = [_value(x, known) for x in s.operands]
    if s.out.dtype == BOOL and s.function in ("&", "|"):
        deciding = [x for x in values if x is not None and bool(x) == (s.function == "|")]
        if deciding:
            return deciding[0]
    if any(x is None for x in values):
        return None
    if s.function in _FOLDED:
        return bool(_FOLDED[s.function](*values))
    if s.function == "~" and s.out.dtype == BOOL:
        return not values[0]
    if s.function == "cast" and s.out.dtype == BOOL:
        return bool(values[0])
    return None
