"""What is known of integers of 8, 16 and 32 bits, which wrap: that they are the same as a form of
long ones but for a multiple of 2**bits.

Sums, differences and products keep that, whether they wrap or not. Where a form is known to fit in
the bits, the integer is the form: so the ``int32`` place ``room - weight`` is known to be inside of
an array though ``weight`` may be any number, since the loop over rooms runs only if it is not.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograph.kernels.ir.ir import LONG, Number, Operand, Var
from autograph.kernels.passes.affine import Facts
from autograph.kernels.passes.forms import Form, number, variable


def is_short(operand: Operand) -> bool:
    """Whether an operand is an integer with a sign, and has less than 64 bits."""
    return operand.dtype.kind == "i" and operand.dtype != LONG


def combined(function: str, forms: Sequence[Form]) -> Form | None:
    """The form of a sum, difference or product."""
    match function, forms:
        case "+", [a, b]:
            return a.plus(b)
        case "-", [a, b]:
            return a.plus(b, -1)
        case "-", [a]:
            return a.times(-1)
        case "*", [a, b]:
            return a.multiplied(b)
    return None


class ShortIntegers:
    """What is known where a statement stands."""

    def __init__(self, facts: Facts):
        self.facts = facts
        self._forms: dict[Operand, Form] = {}
        self._shifted: dict[Operand, tuple[Operand, int]] = {}  # the same as another one, and more
        self._order: list[Operand] = []  # in which forms became known

    def mark(self) -> int:
        """What `forget` is given after a block."""
        return len(self._order)

    def forget(self, mark: int) -> None:
        """Forget what became known since, in which there may be scalars of a block."""
        while len(self._order) > mark:
            del self._forms[self._order.pop()]

    def form(self, operand: Operand) -> Form | None:
        """What an operand is but for a multiple of 2**bits."""
        if isinstance(operand, Number):
            return number(int(operand.value))
        if operand.dtype == LONG:
            return self.facts.form(operand)
        found = self._forms.get(operand)
        if found is None and operand in self._shifted:
            other, by = self._shifted[operand]
            found = self._forms.get(other)
            found = None if found is None else found.plus(number(by))
        return found

    def value(self, operand: Operand) -> Form | None:
        """What an operand is; None if it may have wrapped."""
        form, most = self.form(operand), 2 ** (8 * operand.dtype.itemsize - 1)
        if form is None or self.facts.least(form) < -most or self.facts.greatest(form) >= most:
            return None
        return form

    def compute(self, out: Var, function: str, operands: Sequence[Operand]) -> None:
        """Know what a scalar is that is computed."""
        if function == "cast":
            form = self.form(operands[0]) if operands[0].dtype == LONG else None
        else:
            forms = [self.form(x) if is_short(x) else None for x in operands]
            known = [x for x in forms if x is not None]
            form = combined(function, known) if len(known) == len(forms) else None
        if form is not None:
            self._know(out, form)
        elif function in ("+", "-") and len(operands) == 2 and isinstance(operands[1], Number):
            by = int(operands[1].value)
            self._shifted[out] = operands[0], by if function == "+" else -by

    def cast(self, out: Var, operand: Operand) -> None:
        """Know that a long integer is a short one, of which nothing else is known."""
        most = 2 ** (8 * operand.dtype.itemsize - 1)
        self.facts.add(out, [number(-most)], [number(most - 1)])
        if self.form(operand) is not None:
            return
        form = variable(out)
        self._know(operand, form)
        if operand in self._shifted:
            other, by = self._shifted[operand]
            if self.form(other) is None:
                self._know(other, form.plus(number(-by)))

    def _know(self, operand: Operand, form: Form) -> None:
        if operand not in self._forms:
            self._order.append(operand)
        self._forms[operand] = form
