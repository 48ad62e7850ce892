"""What is known of the integers of a kernel: sums of multiples of loop indices, and their bounds.

A *form* is ``constant + sum(coefficient * variable)``, in integers without end. The variables are
indices of loops, and scalars of which no form is known. Each has bounds, which are forms of
variables defined before it: ``j < n - i`` of a triangular loop. The least and greatest value of a
form follow by putting bounds in the place of its variables, the innermost first. Whether several
such conditions can hold at once is found by Fourier's and Motzkin's elimination (Schrijver,
"Theory of Linear and Integer Programming", 1986, section 12.2), with the constants rounded, since
all are integers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from autograph.kernels.ir.ir import LONG, Number, Operand, Var

LEAST, GREATEST = -(2**63), 2**63 - 1
_FAR = 2**60  # trips that no loop reaches
_STEPS = 200  # of a search for a bound
_MOST_CONDITIONS = 80  # with more, elimination is given up


@dataclass(frozen=True)
class Form:
    """``constant + sum(coefficient * variable)``; no coefficient is 0."""

    constant: int = 0
    terms: Mapping[Var, int] = field(default_factory=dict)

    def plus(self, other: Form, factor: int = 1) -> Form:
        """``self + factor * other``."""
        if not factor:
            return self
        terms = dict(self.terms)
        for var, coefficient in other.terms.items():
            total = terms.get(var, 0) + factor * coefficient
            if total:
                terms[var] = total
            else:
                terms.pop(var, None)
        return Form(self.constant + factor * other.constant, terms)

    def times(self, factor: int) -> Form:
        """``factor * self``."""
        return Form().plus(self, factor)

    def of(self, var: Var) -> int:
        """The coefficient of a variable."""
        return self.terms.get(var, 0)

    def replaced(self, var: Var, other: Form) -> Form:
        """The form with another in the place of a variable."""
        coefficient = self.of(var)
        if not coefficient:
            return self
        rest = {v: c for v, c in self.terms.items() if v is not var}
        return Form(self.constant, rest).plus(other, coefficient)

    def same(self, other: Form) -> bool:
        """Whether both are the same number, whatever the variables are."""
        return self.constant == other.constant and self.terms == other.terms


def number(value: int) -> Form:
    """A form without variables."""
    return Form(int(value))


class Facts:
    """What is known where a statement stands.

    Attributes:
        order: the variables, in the order in which they are defined.
        positive: of the larger one of a form and 0, the form.
    """

    def __init__(self) -> None:
        self._forms: dict[Var, Form] = {}
        self.order: dict[Var, int] = {}
        self._lows: dict[Var, list[Form]] = {}
        self._highs: dict[Var, list[Form]] = {}
        self._related: dict[Var, list[Form]] = {}  # forms with a variable that are not negative
        self.positive: dict[Var, Form] = {}

    # -- forms -------------------------------------------------------------------------------------

    def form(self, operand: Operand) -> Form | None:
        """The form of an int64; None of others."""
        if operand.dtype != LONG:
            return None
        if isinstance(operand, Number):
            return number(operand.value)
        assert isinstance(operand, Var)
        found = self._forms.get(operand)
        if found is None:
            self.add(operand)
            found = self._forms[operand]
        return found

    def add(self, var: Var, lows: Iterable[Form] = (), highs: Iterable[Form] = ()) -> None:
        """A variable, with bounds."""
        self.order.setdefault(var, len(self.order))
        self._forms[var] = Form(0, {var: 1})
        self._lows[var] = list(lows)
        self._highs[var] = list(highs)

    def define(self, var: Var, form: Form, *, checked: bool = False) -> bool:
        """Say that a scalar has a form. Returns whether the number stays in 64 bits for sure: where
        not, it is a variable, unless the kernel gives up then (``checked``)."""
        low, high = self.least(form), self.greatest(form)
        stays = low >= LEAST and high <= GREATEST
        if not stays and not checked:
            self.add(var)
            return False
        self.order.setdefault(var, len(self.order))
        self._forms[var] = form
        return stays

    def rename(self, var: Var, old: Var, new: Var) -> None:
        """Put one variable in the place of another in the form of a scalar."""
        if var in self._forms:
            self._forms[var] = self._forms[var].replaced(old, Form(0, {new: 1}))

    def index(self, var: Var, count: Form) -> None:
        """The index of a loop, in its body."""
        highs = [count.plus(number(-1))]
        if self.greatest(count) > _FAR:
            highs.append(number(_FAR))
        self.add(var, [number(0)], highs)

    def lows(self, var: Var) -> list[Form]:
        """Forms that a variable is not less than."""
        return self._lows.get(var, [])

    def highs(self, var: Var) -> list[Form]:
        """Forms that a variable is not greater than."""
        return self._highs.get(var, [])

    def divide(self, var: Var, form: Form, divisor: int) -> None:
        """A variable that is the quotient of a form, which is not negative, and a number."""
        self.add(
            var, [number(self.least(form) // divisor)], [number(self.greatest(form) // divisor)]
        )
        self._related[var] = [form.plus(Form(0, {var: 1}), -divisor)]

    def assume(self, form: Form) -> list[tuple[list[Form], Form]]:
        """Say that a form is not negative, until `forget` is given what this returns."""
        added: list[tuple[list[Form], Form]] = []
        if form.terms:
            var = max(form.terms, key=self.order.__getitem__)
            coefficient = form.of(var)
            if abs(coefficient) == 1:
                rest = Form(form.constant, {v: c for v, c in form.terms.items() if v is not var})
                bound = rest.times(-coefficient)
                side = (self._lows if coefficient > 0 else self._highs).setdefault(var, [])
                side.append(bound)
                added.append((side, bound))
        return added

    @staticmethod
    def forget(added: list[tuple[list[Form], Form]]) -> None:
        """Take back what was assumed."""
        for side, bound in reversed(added):
            side[:] = [x for x in side if x is not bound]

    # -- bounds ------------------------------------------------------------------------------------

    def greatest(self, form: Form) -> int:
        """A number that a form is not greater than."""
        return self._greatest(form, [_STEPS])

    def least(self, form: Form) -> int:
        """A number that a form is not less than."""
        return -self._greatest(form.times(-1), [_STEPS])

    def _greatest(self, form: Form, steps: list[int]) -> int:
        if not form.terms:
            return form.constant
        steps[0] -= 1
        var = max(form.terms, key=self.order.__getitem__)
        coefficient = form.of(var)
        bounds = self.highs(var) if coefficient > 0 else self.lows(var)
        extreme = number(GREATEST if coefficient > 0 else LEAST)
        best = None
        for bound in bounds:
            if steps[0] <= 0:
                break
            found = self._greatest(form.replaced(var, bound), steps)
            best = found if best is None else min(best, found)
        if best is None:
            best = self._greatest(form.replaced(var, extreme), steps)
        return best

    # -- several conditions ------------------------------------------------------------------------

    def impossible(self, equal: Iterable[Form], apart: Iterable[Form]) -> bool:
        """Whether there are no integers for which some forms are 0 and others not negative, within
        the bounds of their variables."""
        zeros, conditions = list(equal), list(apart)
        for form in self._bounding([*zeros, *conditions]):
            conditions.append(form)
        return _impossible(zeros, conditions)

    def _bounding(self, forms: Iterable[Form]) -> Iterator[Form]:
        """The bounds of all variables that occur, as forms that are not negative."""
        seen: set[Var] = set()
        pending = [var for form in forms for var in form.terms]
        while pending:
            var = pending.pop()
            if var in seen:
                continue
            seen.add(var)
            own = Form(0, {var: 1})
            for form in self._related.get(var, ()):
                pending += form.terms
                yield form
            for bound in self.lows(var):
                pending += bound.terms
                yield own.plus(bound, -1)
            for bound in self.highs(var):
                pending += bound.terms
                yield bound.plus(own, -1)


def _impossible(zeros: list[Form], conditions: list[Form]) -> bool:
    while zeros:
        form = zeros.pop()
        if not form.terms:
            if form.constant:
                return True
            continue
        if form.constant % math.gcd(*form.terms.values()):
            return True
        var = next((v for v, c in form.terms.items() if abs(c) == 1), None)
        if var is None:
            conditions += [form, form.times(-1)]
            continue
        coefficient = form.of(var)
        rest = Form(form.constant, {v: c for v, c in form.terms.items() if v is not var})
        solved = rest.times(-coefficient)
        zeros = [x.replaced(var, solved) for x in zeros]
        conditions = [x.replaced(var, solved) for x in conditions]
    return _eliminated(conditions)


def _eliminated(conditions: list[Form]) -> bool:
    """Whether conditions, forms that are not negative, contradict each other."""
    known: dict[tuple[tuple[Var, int], ...], int] = {}

    def add(form: Form) -> bool:
        """Keep a condition, the strictest of those with these terms. Returns whether it is false
        by itself."""
        if not form.terms:
            return form.constant < 0
        divisor = math.gcd(*form.terms.values())
        key = tuple(sorted(((v, c // divisor) for v, c in form.terms.items()), key=_by_identity))
        constant = form.constant // divisor
        known[key] = min(known.get(key, constant), constant)
        return False

    if any(add(form) for form in conditions):
        return True
    while known:
        forms = [Form(constant, dict(key)) for key, constant in known.items()]
        sides: dict[Var, list[int]] = {}
        for form in forms:
            for var, coefficient in form.terms.items():
                sides.setdefault(var, [0, 0])[coefficient > 0] += 1
        var = min(sides, key=lambda v: sides[v][0] * sides[v][1] - sum(sides[v]))
        known = {}
        lower = [f for f in forms if f.of(var) > 0]
        upper = [f for f in forms if f.of(var) < 0]
        for form in forms:
            if not form.of(var):
                add(form)
        for a in lower:
            for b in upper:
                if add(a.times(-b.of(var)).plus(b, a.of(var))):
                    return True
        if len(known) > _MOST_CONDITIONS:
            return False
    return False


def _by_identity(term: tuple[Var, int]) -> int:
    return id(term[0])
