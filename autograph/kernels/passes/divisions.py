"""Between which bounds quotients, rests, some of the bits of integers, and integers with bits added
are, and which quotients and rests are found without a division.

What they are computed from may have bounds that are forms: ``i % n`` is less than ``n``, whatever
that is, and ``(low + high) // 2`` is at most a half of what the sum is at most.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import BOOL, LONG, Number, Operand, Var
from autograph.kernels.passes.affine import GREATEST, Facts
from autograph.kernels.passes.forms import Form, number

_MOST_BITS = 62  # that an integer is moved by and its divisor is one as well


def bound_division(facts: Facts, out: Var, function: str, operands: Sequence[Operand]) -> bool:
    """Know what an int64 is that was computed by a function of two, if it divides or masks.
    Returns whether it is a quotient that `Facts` knows as one."""
    if len(operands) != 2:
        return False
    x, y = map(facts.form, operands)
    if x is None or y is None:
        return False
    match function:
        case "quotient" if isinstance(operands[1], Number) and y.constant >= 1:
            return _bound_quotient(facts, out, x, y.constant)
        case "quotient" if facts.least(x) >= 0 and facts.least(y) >= 1:
            facts.ratio(out, x, y)
        case "shift_right" if isinstance(operands[1], Number) and 0 <= y.constant <= _MOST_BITS:
            return _bound_shifted(facts, out, x, y.constant)
        case "rest" if facts.least(y) >= 1:
            most = y.plus(number(-1))
            if facts.least(x) >= 0:
                facts.add(out, [number(0)], [most, x])
            else:
                facts.add(out, [most.times(-1)], [most])
        case "&":
            masks = [mask for mask in (x, y) if facts.least(mask) >= 0]
            if masks:
                facts.add(out, [number(0)], masks)
        case "|" | "^" if facts.least(x) >= 0 and facts.least(y) >= 0:
            bits = max(facts.greatest(x), facts.greatest(y)).bit_length()
            facts.add(out, [number(0)], [number((1 << bits) - 1)])
    return False


def turns(facts: Facts, function: str, operands: Sequence[Operand]) -> int | None:
    """Whether an integer that is divided is known to go around only so often: 0 if its size is less
    than that of a positive divisor, so that it is the rest; 1 if it is not negative, and less than
    twice the divisor, as ``(i + 1) % n`` in a loop over ``n``; -1 if it is less than the divisor,
    and no less than its negative, as ``(i - 1) % n`` there. None if that is not known, or there is
    nothing to win."""
    if function not in ("quotient", "rest"):
        return None
    x, y = map(facts.form, operands)
    if x is None or y is None:
        return None
    below = y.plus(number(-1))
    if facts.least(below.plus(x, -1)) >= 0 and facts.least(y.plus(x)) >= 0:
        return 0 if facts.least(below.plus(x)) >= 0 else -1
    divisor = operands[1]
    is_power = isinstance(divisor, Number) and int(divisor.value) & (int(divisor.value) - 1) == 0
    if is_power or facts.least(x) < 0 or facts.least(below) < 0:
        return None
    return 1 if facts.least(below.plus(y).plus(x, -1)) >= 0 else None


def by_bits(
    facts: Facts, function: str, operands: Sequence[Operand]
) -> tuple[str, tuple[Operand, ...]]:
    """A quotient or a rest of what is not negative, by a power of two, as a shift or a mask. It
    takes machines several operations where they do not know the sign."""
    x, by = operands
    if not isinstance(by, Number) or by.value < 2 or int(by.value) & (int(by.value) - 1):
        return function, (x, by)
    form = facts.form(x)
    if form is None or facts.least(form) < 0:
        return function, (x, by)
    if function == "rest":
        return "&", (x, Number(int(by.value) - 1, LONG))
    return "shift_right", (x, Number(int(by.value).bit_length() - 1, LONG))


def compared(s: ir.Compute, operands: Sequence[Operand], around: int) -> list[ir.Statement]:
    """A rest or a quotient of what goes around once at most, by a comparison in the place of the
    division.

    Args:
        around: 1 or -1, see `turns`.
    """
    x, y = operands
    is_over, rest = Var(BOOL), Var(LONG)
    made: list[ir.Statement] = [ir.Compute(rest, "-" if around > 0 else "+", (x, y))]
    if around > 0:
        made.append(ir.Compute(is_over, ">=", (x, y)))
    else:
        made.append(ir.Compute(is_over, "==", (rest, Number(0, LONG))))
    choice: tuple[Operand, Operand] = (rest, x)
    if s.function == "quotient":
        choice = Number(around, LONG), Number(0, LONG)
    return [*made, ir.Compute(s.out, "select", (is_over, *choice), s.location)]


def _bound_quotient(facts: Facts, out: Var, x: Form, by: int) -> bool:
    """Of a quotient that is rounded towards 0, by what is positive."""
    low, high = facts.least(x), facts.greatest(x)
    if low >= 0:
        facts.quotient(out, x, by)
        return True
    most = high // by if high >= 0 else -(-high // by)
    facts.add(out, [number(-(-low // by))], [number(most)])
    return False


def _bound_shifted(facts: Facts, out: Var, x: Form, count: int) -> bool:
    """Of a quotient that is rounded down, by a power of two."""
    if facts.least(x) >= 0:
        facts.quotient(out, x, 1 << count)
        return True
    low, high = (bound >> count for bound in (facts.least(x), facts.greatest(x)))
    facts.add(out, [number(low)], [number(high)])
    return False


def bound_lifted(facts: Facts, out: Var, operands: Sequence[Operand]) -> bool:
    """Know what an int64 is whose bits were moved up. Returns whether none were lost."""
    x, count = map(facts.form, operands)
    if x is None or count is None:
        return False
    low, high = facts.least(x), facts.greatest(x)
    least, most = facts.least(count), facts.greatest(count)
    if least < 0 or most > _MOST_BITS or max(abs(low), abs(high)) << most > GREATEST:
        return False
    if not count.terms:
        return facts.define(out, x.times(1 << count.constant))
    lowest = low << (most if low < 0 else least)
    highest = high << (least if high < 0 else most)
    facts.add(out, [number(lowest)], [number(highest)])
    return True


def bound_unsigned(facts: Facts, out: Var, operand: Operand, most: int | None) -> None:
    """Know what an int64 is that was an integer without a sign, and at most so much."""
    highest = 2 ** (8 * operand.dtype.itemsize) - 1 if most is None else most
    if highest <= GREATEST:
        facts.add(out, [number(0)], [number(highest)])
    else:
        facts.add(out)
