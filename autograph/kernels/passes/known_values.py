"""What is known of the integers and bools that a kernel computes, where it is: their forms and
bounds, what follows where a bool holds and where it does not, and what stands for a scalar that has
not to be computed. What holds in which block is known by `ranges`, which goes through them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence, Set

import numpy as np

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import BOOL, LONG, Number, Operand, Var
from autograph.kernels.passes.affine import Facts, materialised
from autograph.kernels.passes.divisions import (
    bound_division,
    bound_lifted,
    bound_unsigned,
    by_bits,
    compared,
    turns,
)
from autograph.kernels.passes.forms import Form, number, variable
from autograph.kernels.passes.short_integers import ShortIntegers, combined, is_short

_CHECKED = {"add_checked": "+", "subtract_checked": "-", "multiply_checked": "*"}
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
COMPARED = {*OPPOSITE, "==", "!="}
_MOST_TERMS = 4  # of a form that is computed anew
_DEEPEST = 8  # choices that are bounded by the one before: a search follows all of them


class KnownValues:
    """What is known of the scalars that have been computed so far."""

    def __init__(self, bases: Set[Operand], facts: Facts):
        """Begin with what is known of the kernel's arguments.

        Args:
            bases: where buffers start, which name them: nothing else may stand for these.
            facts: what is known already.
        """
        self.bases = bases
        self.facts = facts
        self.replaced: dict[Operand, Operand] = {}
        # Of bools, what is not negative if they hold, and if they do not. Both are not all of it.
        self.says: dict[Operand, tuple[list[Form], list[Form]]] = {}
        self.chosen: dict[Operand, tuple[Operand, Operand, Operand]] = {}  # what selects choose
        self.lifted: dict[Operand, Sequence[Operand]] = {}  # shifted left, with nothing lost
        self.masked: dict[Operand, int] = {}  # what integers without a sign do not exceed
        self.divided: list[Var] = []  # the quotients that have been computed here
        self.nesting = 0  # how many blocks are around
        self.short = ShortIntegers(facts)
        self.depth: dict[Var, int] = {}  # how many choices are bounded by each other

    def of(self, operand: Operand) -> Operand:
        found = self.replaced.get(operand)
        while found is not None:  # what stands for it may have been checked since
            operand, found = found, self.replaced.get(found)
        return operand

    def all(self, operands: tuple[Operand, ...]) -> tuple[Operand, ...]:
        """What stands for some operands; the given ones themselves if nothing does for any."""
        if self.replaced.keys().isdisjoint(operands):
            return operands
        return tuple(map(self.of, operands))

    def compute(self, s: ir.Compute) -> Sequence[ir.Statement]:
        operands, function = self.all(s.operands), s.function
        found: Operand | None = None
        if function == "cast" and s.out.dtype == BOOL and operands[0].dtype == LONG:
            function, operands = "!=", (operands[0], Number(0, LONG))
        if function in ("==", "!=") and operands[0].dtype == BOOL:
            function, operands = _as_logical(function, operands)
        if s.out.dtype.kind == "f":  # most of them, of which nothing is known
            if function == "select":
                found = self.selected(s.out, *operands)
        elif function in COMPARED:
            found = self.compared(s.out, function, operands)
        elif s.out.dtype == BOOL and function in ("&", "|", "~"):
            found = self.logical(s.out, function, operands)
        elif function == "select":
            found = self.selected(s.out, *operands)
        elif function == "cast" and s.out.dtype == LONG and isinstance(operands[0], Number):
            found = Number(operands[0].value, LONG) if operands[0].dtype == BOOL else None
        elif function == "cast" and s.out.dtype == LONG and is_short(operands[0]):
            return self.lengthened(s, operands[0])
        elif function == "cast" and s.out.dtype == LONG and operands[0].dtype.kind == "u":
            bound_unsigned(self.facts, s.out, operands[0], self.masked.get(operands[0]))
        elif s.out.dtype.kind == "u" and function in ("&", "shift_right", "popcount"):
            self.mask(s.out, function, operands)
        elif s.out.dtype == LONG:
            around = turns(self.facts, function, operands)
            if around:
                bound_division(self.facts, s.out, function, operands)
                return compared(s, operands, around)
            if around == 0:
                found = operands[0] if function == "rest" else Number(0, LONG)
            else:
                # Not what is computed once, such as how many trips a loop makes.
                if self.nesting > 1 and function in ("quotient", "rest"):
                    function, operands = by_bits(self.facts, function, operands)
                function, found = self.integer(s.out, function, operands)
        elif is_short(s.out):
            self.short.compute(s.out, function, operands)
        if found is not None:
            return self.stands_for(s.out, found)
        if operands is s.operands and function == s.function:
            return [s]
        return [ir.Compute(s.out, function, operands, s.location)]

    def mask(self, out: Var, function: str, operands: Sequence[Operand]) -> None:
        """Know what an integer without a sign does not exceed that was masked or moved down."""
        most = [
            int(x.value) if isinstance(x, Number) else self.masked.get(x, _greatest(out.dtype))
            for x in operands
        ]
        if function == "&":
            self.masked[out] = min(most)
        elif function == "popcount":
            self.masked[out] = 8 * operands[0].dtype.itemsize
        elif isinstance(operands[1], Number):
            self.masked[out] = most[0] >> most[1]

    def lengthened(self, s: ir.Compute, operand: Operand) -> Sequence[ir.Statement]:
        """An integer of few bits as a long one: computed as that where it has not wrapped."""
        form = self.short.value(operand)
        if form is None or len(form.terms) > _MOST_TERMS:
            self.short.cast(s.out, operand)
            return [dataclasses.replace(s, operands=(operand,))]
        made, found = materialised(form, self.facts)
        self.facts.define(s.out, form)
        return [*made, *self.stands_for(s.out, found)]

    def stands_for(self, out: Var, value: Operand) -> list[ir.Statement]:
        """Put a value in the place of a scalar; what has to be computed for that."""
        if out in self.bases:
            return [ir.Compute(out, "+", (value, Number(0, LONG)))]
        self.replaced[out] = value
        return []

    def integer(
        self, out: Var, function: str, operands: Sequence[Operand]
    ) -> tuple[str, Operand | None]:
        """The function that an integer is computed by, and its value if that is known."""
        plain = _CHECKED.get(function, function)
        forms = [self.facts.form(x) for x in operands]
        form: Form | None = None
        if all(x is not None for x in forms) and plain in ("+", "-", "*"):
            form = combined(plain, [x for x in forms if x is not None])
        if form is None or not self.facts.define(out, form, checked=function in _CHECKED):
            return function, self.moved(out, function, operands)
        if not form.terms:
            return plain, Number(form.constant, LONG)
        if form.constant == 0 and len(form.terms) == 1:
            ((term, coefficient),) = form.terms.items()
            if coefficient == 1 and isinstance(term, Var):
                return plain, term
        return plain, None

    def moved(self, out: Var, function: str, operands: Sequence[Operand]) -> Operand | None:
        """Bound an integer that was divided, masked or shifted. Returns what it is if it was
        shifted left before, by as much, and lost nothing."""
        if function == "shift_left":
            if bound_lifted(self.facts, out, operands):
                self.lifted[out] = operands
            else:
                self.lifted.pop(out, None)
            form = self.facts.form(out)
            return None if form is None or form.terms else Number(form.constant, LONG)
        if bound_division(self.facts, out, function, operands):
            same = self.facts.same_quotient(out, self.divided)
            if same is not None:
                return same
            self.divided.append(out)
            if self.nesting == 1 and all(map(self.facts.is_of_lengths, operands)):
                self.facts.length_quotient(out)
        if function != "shift_right" or operands[0] not in self.lifted:
            return None
        x, *counts = (*self.lifted[operands[0]], operands[1])
        one, other = map(self.facts.form, counts)
        return x if one is not None and other is not None and one.same(other) else None

    def compared(self, out: Var, function: str, operands: Sequence[Operand]) -> Operand | None:
        a, b = (self.short.value(x) if is_short(x) else self.facts.form(x) for x in operands)
        if a is None or b is None:
            return None
        difference = a.plus(b, -1)
        low, high = self.facts.least(difference), self.facts.greatest(difference)
        known: bool | None = None
        match function:
            case "<":
                known = True if high < 0 else False if low >= 0 else None
            case "<=":
                known = True if high <= 0 else False if low > 0 else None
            case ">":
                known = True if low > 0 else False if high <= 0 else None
            case ">=":
                known = True if low >= 0 else False if high < 0 else None
            case "==":
                known = True if low == high == 0 else False if low > 0 or high < 0 else None
            case "!=":
                known = False if low == high == 0 else True if low > 0 or high < 0 else None
        if known is not None:
            return Number(known, BOOL)
        if function in OPPOSITE:
            self.says[out] = (
                [not_negative(function, difference)],
                [not_negative(OPPOSITE[function], difference)],
            )
        elif low >= 0 or high <= 0:  # what is not 0 is positive, or negative
            apart = not_negative(">" if low >= 0 else "<", difference)
            self.says[out] = ([apart], []) if function == "!=" else ([], [apart])
        return None

    def logical(self, out: Var, function: str, operands: Sequence[Operand]) -> Operand | None:
        """The outcome of what is computed from bools, if it is known."""
        nothing: tuple[list[Form], list[Form]] = ([], [])
        says = [self.says.get(x, nothing) for x in operands]
        if function == "~":
            if isinstance(operands[0], Number):
                return Number(not operands[0].value, BOOL)
            self.says[out] = (says[0][1], says[0][0])
            return None
        neutral = function == "&"
        for x, other in (operands, operands[::-1]):
            if isinstance(x, Number):
                return other if bool(x.value) == neutral else x
        if neutral:
            self.says[out] = (says[0][0] + says[1][0], [])
        else:
            self.says[out] = ([], says[0][1] + says[1][1])
        return None

    def selected(self, out: Var, test: Operand, yes: Operand, no: Operand) -> Operand | None:
        """A choice between two values, if it is known."""
        if isinstance(test, Number):
            return yes if test.value else no
        self.chosen[out] = (test, yes, no)
        return self.either(out, test, yes, no)

    def either(self, out: Var, test: Operand, yes: Operand, no: Operand) -> Operand | None:
        """Say what is known of an integer that is one of two. Returns which, if that is known."""
        facts = self.facts
        a, b = facts.form(yes), facts.form(no)
        if out.dtype != LONG or a is None or b is None:
            return None
        is_greatest = is_least = True  # whether it is the larger one of the two, the smaller one
        below = a.plus(b, -1).plus(number(-1))  # ``k + n if k < 0 else k`` is less than n
        is_below = below.variables <= {v for v in below.variables if facts.is_length(v)}
        least, greatest = [], []
        for first, second, said in zip((a, b), (b, a), self.says.get(test, ([], []))):
            undo = [x for form in said for x in facts.assume(form)]
            difference = first.plus(second, -1)
            is_greatest &= facts.least(difference) >= 0 or _follows(difference, said)
            is_least &= facts.greatest(difference) <= 0 or _follows(difference.times(-1), said)
            least.append(facts.least(first))
            greatest.append(facts.greatest(first))
            is_below &= facts.least(below.plus(first, -1)) >= 0
            facts.forget(undo)
        if is_greatest or is_least:
            low, high = facts.least(a.plus(b, -1)), facts.greatest(a.plus(b, -1))
            if low >= 0 or high <= 0:
                return yes if (low >= 0) == is_greatest else no
        lows = [a, b] if is_greatest else []
        highs = [a, b] if is_least else []
        if not lows and not highs:  # of ``k`` and ``k + 1`` it is between both
            rest = a.plus(b, -1)
            depth = 1 + max((self.depth.get(v, 0) for v in a.variables), default=0)
            if not rest.terms and depth <= _DEEPEST:
                lows, highs = ([b], [a]) if rest.constant >= 0 else ([a], [b])
                self.depth[out] = depth
            elif is_below:
                highs = [below]
            elif depth <= _DEEPEST and any(v in self.depth for v in a.variables | b.variables):
                lows, highs = (self.around_both(a, b, sign) for sign in (1, -1))
                self.depth[out] = depth
        facts.add(out, [*lows, number(min(least))], [*highs, number(max(greatest))])
        if is_greatest and (a.same(number(0)) or b.same(number(0))):
            facts.positive[out] = b if a.same(number(0)) else a
        return None

    def around_both(self, a: Form, b: Form, sign: int) -> list[Form]:
        """A form that neither of two is less than, of those that bound one of them; greater than,
        with the sign -1. That is so of choices between ``k``, ``k + 1`` and ``k + 2``."""
        facts = self.facts
        for form in (a, b):
            var = next(iter(form.variables), None)
            bounds = [form]
            if var is not None and form.plus(variable(var), -1).terms == {}:
                known = facts.lows(var) if sign > 0 else facts.highs(var)
                rest = form.plus(variable(var), -1)
                bounds += [bound.plus(rest) for bound in known if bound.terms]
            for bound in bounds[::-1]:
                if all(facts.least(x.plus(bound, -1).times(sign)) >= 0 for x in (a, b)):
                    return [bound]
        return []


def _as_logical(function: str, operands: tuple[Operand, ...]) -> tuple[str, tuple[Operand, ...]]:
    """What says the same as a comparison of a bool with a known one: ``not`` it, or itself and
    True."""
    x, y = operands
    if not isinstance(y, Number):
        return function, operands
    same = bool(y.value) == (function == "==")
    return ("&", (x, Number(True, BOOL))) if same else ("~", (x,))


def _greatest(dtype: np.dtype) -> int:
    return (1 << (8 * dtype.itemsize)) - 1


def _follows(form: Form, said: Iterable[Form]) -> bool:
    """Whether a form is not negative because one of some others is not."""
    apart = (form.plus(other, -1) for other in said)
    return any(not rest.terms and rest.constant >= 0 for rest in apart)


def not_negative(function: str, difference: Form) -> Form:
    """What is not negative if a comparison of two integers with that difference holds."""
    match function:
        case "<":
            return difference.times(-1).plus(number(-1))
        case "<=":
            return difference.times(-1)
        case ">":
            return difference.plus(number(-1))
    return difference
