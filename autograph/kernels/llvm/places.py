"""Places in arrays that may count from the end, as kernels have them: a check that one is inside,
``(i >= -n) & (i < n)``, and ``select(i < 0, i + n, i)``."""

from __future__ import annotations

from collections.abc import Mapping

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import LONG, Number, Operand

Made = Mapping[Operand, ir.Compute]

_SUMS = {"+": 1, "-": -1, "add_checked": 1, "subtract_checked": -1}
_MOST = 16  # sums that are looked into


def checked(condition: Operand, made: Made) -> tuple[Operand, Operand, bool] | None:
    """The integer that a condition says to be a place, of how many, and whether it may be too large
    as well as too small; None for other conditions.

    Args:
        made: the statements that computed scalars.
    """
    both = made.get(condition)
    if both is not None and both.function == ">=" and both.operands[0].dtype == LONG:
        i, least = both.operands
        size = _negated(least, made)
        return None if size is None else (i, size, False)
    if both is None or both.function != "&":
        return None
    above, below = map(made.get, both.operands)
    if above is None or below is None or (above.function, below.function) != (">=", "<"):
        return None
    (i, least), (j, size) = above.operands, below.operands
    if i is not j or i.dtype != LONG or not _is_negative(least, size, made):
        return None
    return i, size, True


def counts_from_end(choice: ir.Compute, size: Operand, made: Made) -> bool:
    """Whether a choice gives the place that an integer is, of so many."""
    test, counted, i = choice.operands
    below, sum_ = made.get(test), made.get(counted)
    return (
        below is not None
        and sum_ is not None
        and (below.function, sum_.function) == ("<", "+")
        and below.operands[0] is i
        and _is_number(below.operands[1], 0)
        and sum_.operands[0] is i
        and _same(sum_.operands[1], size, made)
    )


def _is_negative(x: Operand, size: Operand, made: Made) -> bool:
    """Whether an integer is minus another one."""
    return _sum(x, 1, size, made) == {}


def _negated(x: Operand, made: Made) -> Operand | None:
    """The integer that one is minus; None if that is not known, or it is less than 1."""
    if isinstance(x, Number):
        return Number(-int(x.value), LONG) if x.value < 0 else None
    s = made.get(x)
    if s is None:
        return None
    if s.function == "-" and len(s.operands) == 1:
        return s.operands[0]
    return s.operands[0] if s.function == "*" and _is_number(s.operands[1], -1) else None


def _is_number(x: Operand, value: int) -> bool:
    return isinstance(x, Number) and int(x.value) == value


def _same(x: Operand, y: Operand, made: Made) -> bool:
    return x is y or _sum(x, -1, y, made) == {}


def _sum(x: Operand, sign: int, y: Operand, made: Made) -> dict[Operand | None, int]:
    """``x + sign * y`` as a sum of integers and a number, that of None, without those that are
    taken 0 times. Lengths are such sums of others, and what they are computed by may differ."""
    found: dict[Operand | None, int] = {}
    pending = [(x, 1), (y, sign)]
    for _ in range(_MOST):
        if not pending:
            break
        operand, times = pending.pop()
        s = made.get(operand)
        if isinstance(operand, Number):
            found[None] = found.get(None, 0) + times * int(operand.value)
            continue
        parts = None if s is None else _parts(s)
        if parts is None:
            found[operand] = found.get(operand, 0) + times
        else:
            pending += ((part, times * coefficient) for part, coefficient in parts)
    for operand, times in pending:
        found[operand] = found.get(operand, 0) + times
    return {operand: times for operand, times in found.items() if times}


def _parts(s: ir.Compute) -> list[tuple[Operand, int]] | None:
    """What an integer is a sum of, and how many times; None of what is no sum."""
    operands = s.operands
    if s.function == "-" and len(operands) == 1:
        return [(operands[0], -1)]
    if s.function in _SUMS and len(operands) == 2:
        return [(operands[0], 1), (operands[1], _SUMS[s.function])]
    if s.function == "*" and isinstance(operands[1], Number):
        return [(operands[0], int(operands[1].value))]
    return None
