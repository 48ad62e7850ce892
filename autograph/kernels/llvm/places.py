"""Places in arrays that may count from the end, as kernels have them: a check that one is inside,
``(i >= -n) & (i < n)``, and ``select(i < 0, i + n, i)``. Of the check one side may be left."""

from __future__ import annotations

from collections.abc import Mapping

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import LONG, Number, Operand

Made = Mapping[Operand, ir.Compute]


def checked(condition: Operand, made: Made) -> tuple[Operand, Operand, bool] | None:
    """The integer that a condition says to be a place, of how many, and whether it says that it is
    less than these; None for other conditions.

    Args:
        made: the statements that computed scalars.
    """
    said = made.get(condition)
    if said is None:
        return None
    if said.function == ">=":
        found = _from_end(said, made)
        return (*found, False) if found else None
    above, below = map(made.get, said.operands) if said.function == "&" else (None, None)
    if above is None or below is None or (above.function, below.function) != (">=", "<"):
        return None
    found = _from_end(above, made)
    if found is None or below.operands[0] is not found[0]:
        return None
    return (*found, True) if _same(below.operands[1], found[1]) else None


def _from_end(above: ir.Compute, made: Made) -> tuple[Operand, Operand] | None:
    """The integer that is said not to be less than the first place of an array, counted from its
    end, and how many the array has."""
    i, least = above.operands
    if i.dtype != LONG:
        return None
    if isinstance(least, Number):
        size = -int(least.value)
        return (i, Number(size, LONG)) if size > 0 else None
    negative = made.get(least)
    if negative is None or negative.function != "-" or len(negative.operands) != 1:
        return None
    return i, negative.operands[0]


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
        and _same(sum_.operands[1], size)
    )


def _is_number(x: Operand, value: int) -> bool:
    return isinstance(x, Number) and int(x.value) == value


def _same(x: Operand, y: Operand) -> bool:
    return x is y or (isinstance(y, Number) and _is_number(x, int(y.value)))
