"""What is known about which way branches go. Machines guess that from the ways they went before.

A choice of scalars may be an instruction that waits for its condition and for both numbers, or a
branch, which waits for nothing where its way is guessed, and takes as long as twenty instructions
where it is not. LLVM chooses by how long things wait, and takes it that one in four guesses is
wrong. Some kinds are known better:

* Bits of data decide, as in a cyclic redundancy check by bits, or Collatz' numbers: nobody can
  foresee that. What is short is computed on both sides, and selected. What leaves 64 bits there
  counts where its side is taken, which can be foreseen: it hardly ever happens. A step up or down
  (`pos += 1`, else `pos -= 1`) is one sum.
* Whether years are leap years, or numbers multiples of 3 or 5, cannot be foreseen either. Where a
  second test asks for a rest by a known number, which LLVM takes to be a division, both are made.
* A number that equals another one is replaced, or one that is next to 0: that is done lest
  something is divided by it, and hardly ever happens (Ball & Larus, "Branch prediction for free",
  1993, find that floats are hardly ever equal). What is computed next need not wait for it.
* A search ends where a number is one of two, as that in a table of hashes is the key or none. Which
  of them it is, nobody can foresee, and nobody asks: so that is one branch.
"""

from __future__ import annotations

from collections.abc import Mapping

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Number, Operand

Made = Mapping[Operand, ir.Compute]

_FEW = 3  # statements of a side that are computed though the other one is taken
_FEW_OF_TEST = 6  # of a test of a rest that is rounded down, likewise
_DEAR = ("/",)
_TINY = 1e-6
_UNARY = ("cast", "~")
_LEAST = -(2**63)  # of which no int64 is the negative


def nobody_can_foresee(s: ir.If, made: Made) -> bool:
    """Whether bits of data decide between two short sides.

    Args:
        made: the statements that computed scalars.
    """
    sides = (s.then.statements, s.orelse.statements)
    short = all(len(side) <= _FEW and all(map(_is_cheap, side)) for side in sides)
    return short and bool(s.results) and _is_of_bits(s.condition, made)


def asks_for_rests(s: ir.If) -> bool:
    """Whether two tests are one bool, of which the second is short, and of a rest by a number."""
    if len(s.results) != 1 or s.results[0].dtype != ir.BOOL:
        return False
    second = s.then.statements or s.orelse.statements
    if (s.then.statements and s.orelse.statements) or not 0 < len(second) <= _FEW_OF_TEST:
        return False
    rests = [x for x in second if _is_rest(x)]
    return bool(rests) and all(_is_rest(x) or _is_cheap(x) for x in second)


def _is_rest(s: ir.Statement) -> bool:
    if not isinstance(s, ir.Compute) or s.function != "rest":
        return False
    by = s.operands[1]
    return isinstance(by, Number) and by.dtype.kind in "iu" and int(by.value) > 1


def steps(s: ir.If) -> tuple[Operand, int, int] | None:
    """The int64 of which a choice is a sum, and what is added to it on either side; None if the
    choice is no sum of one number and numbers that are known."""
    if len(s.results) != 1:
        return None
    one = _step(s.then, s.then_results[0])
    other = _step(s.orelse, s.else_results[0])
    if one is None or other is None or one[0] is not other[0]:
        return None
    return one[0], one[1], other[1]


def _step(side: ir.Block, result: Operand) -> tuple[Operand, int] | None:
    """What one side of a choice adds to what."""
    match side.statements:
        case []:
            return result, 0
        case [ir.Compute(out, "add_checked", (x, Number(value=by)))] if out is result:
            return x, int(by)
        case [ir.Compute(out, "subtract_checked", (x, Number(value=by)))] if out is result:
            return None if by == _LEAST else (x, -int(by))
    return None


def is_guard(s: ir.Compute, made: Made) -> bool:
    """Whether a choice of floats replaces a number that is equal to another one, or next to 0.

    Args:
        made: the statements that computed scalars.
    """
    if s.function != "select" or s.out.dtype.kind != "f":
        return False
    condition, replacement, x = s.operands
    test = made.get(condition)
    if test is None or not isinstance(replacement, Number) or isinstance(x, Number):
        return False
    of, limit = test.operands[0], test.operands[-1]
    if not isinstance(limit, Number):
        return False
    if test.function == "==":
        return of is x
    size = made.get(of)
    near = test.function in ("<", "<=") and 0 <= limit.value <= _TINY
    return near and size is not None and size.function == "fabs" and size.operands[0] is x


def is_search(s: ir.While, made: Made) -> bool:
    """Whether a loop with a test goes on while an integer is neither of two.

    Args:
        made: the statements that computed scalars.
    """
    last = s.test.statements[-1] if s.test.statements else None
    if not isinstance(last, ir.If) or last.orelse.statements or len(last.results) != 1:
        return False
    first, others = made.get(last.condition), last.then.statements
    if s.condition is not last.results[0] or first is None or len(others) != 1:
        return False
    (second,) = others
    return (
        isinstance(second, ir.Compute)
        and second.out is last.then_results[0]
        and first.function == second.function == "!="
        and first.operands[0].dtype.kind in "iu"
        and any(x is y for x in first.operands for y in second.operands)
    )


def _is_cheap(s: ir.Statement) -> bool:
    if not isinstance(s, ir.Compute) or s.out.dtype.kind not in "iub":
        return False
    if s.function in ("quotient", "rest"):  # shifts and masks
        return isinstance(s.operands[1], Number) and _is_power_of_two(s.operands[1])
    return s.function not in _DEAR


def _is_of_bits(x: Operand, made: Made) -> bool:
    """Whether a scalar tells whether a bit of an integer is set."""
    s = made.get(x)
    if s is None:
        return False
    if s.function in _UNARY:
        return _is_of_bits(s.operands[0], made)
    if s.function == "select":  # a rest that is rounded down
        return _is_of_bits(s.operands[2], made)
    if s.function in ("==", "!="):
        return any(isinstance(y, Number) for y in s.operands) and any(
            _is_of_bits(y, made) for y in s.operands
        )
    if s.function == "^":
        return all(_is_of_bits(y, made) for y in s.operands)
    if s.function == "&":
        return any(isinstance(y, Number) and _is_power_of_two(y) for y in s.operands)
    return s.function == "rest" and isinstance(s.operands[1], Number) and s.operands[1].value == 2


def _is_power_of_two(x: Number) -> bool:
    return x.dtype.kind in "iu" and int(x.value) > 0 and not int(x.value) & (int(x.value) - 1)
