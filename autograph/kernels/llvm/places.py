"""Places in arrays that may count from the end, as kernels have them: a check that one is inside,
``(i >= -n) & (i < n)``, and ``select(i < 0, i + n, i)``."""

from __future__ import annotations

from collections.abc import Mapping

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import LONG, Number, Operand

Made = Mapping[Operand, ir.Compute]


def checked(condition: Operand, made: Made) -> tuple[Operand, Operand] | None:
    """The integer that a condition says to be a place, and of how many; None for other conditions.

    Args:
        made: the statements that computed scalars.
    """
    both = made.get(condition)
    if both is None or both.function != "&":
        return None
    above, below = map(made.get, both.operands)
    if above is None or below is None or (above.function, below.function) != (">=", "<"):
        return None
    (i, least), (j, size) = above.operands, below.operands
    if i is not j or i.dtype != LONG or not _is_negative(least, size, made):
        return None
    return i, size


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


def _is_negative(x: Operand, size: Operand, made: Made) -> bool:
    """Whether an integer is minus another one."""
    if isinstance(x, Number):
        return isinstance(size, Number) and int(x.value) == -int(size.value)
    negative = made.get(x)
    return negative is not None and negative.function == "-" and negative.operands == (size,)


def _is_number(x: Operand, value: int) -> bool:
    return isinstance(x, Number) and int(x.value) == value


def _same(x: Operand, y: Operand) -> bool:
    return x is y or (isinstance(y, Number) and _is_number(x, int(y.value)))
