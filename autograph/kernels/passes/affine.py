"""What is known of the integers of a kernel: sums of multiples of loop indices, and their bounds.

Integers are `forms` of variables. Each variable has bounds, which are forms of variables defined
before it: ``j < n - i`` of a triangular loop. The least and greatest value of a form follow by
putting bounds in the place of its variables, the innermost first, where it is known whether the
form grows with them. So ``n * i + j`` is at most ``n * (n - 1) + n - 1``, which is less than
``n * n``.

Whether several such conditions can hold at once is asked of `elimination`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import LONG, MOST_BYTES, Buffer, Number, Operand, Statement, Var
from autograph.kernels.passes.elimination import impossible
from autograph.kernels.passes.forms import Form, Term, factors, number, variable
from autograph.kernels.passes.trail import Table, Trail
from ops.core.symbolic_lengths import LEAST as LEAST_LENGTH
from ops.core.symbolic_lengths import Quotient, is_length

LEAST, GREATEST = -(2**63), 2**63 - 1
_FAR = 2**60  # trips that no loop reaches
_MOST_ASSUMPTIONS = 32
_STEPS = 200  # of a search for a bound


class Facts:
    """What is known where a statement stands.

    Attributes:
        order: the variables, in the order in which they are defined.
        positive: of the larger one of a form and 0, the form.
        symbols: of lengths, by their names.
        carried: what loops carry from trip to trip, which may be anything between its bounds.
    """

    def __init__(
        self,
        symbols: Mapping[str, Var],
        arrays: Iterable[Buffer],
    ) -> None:
        """Begin with what is known of lengths.

        Args:
            arrays: that are in memory when the kernel begins.
        """
        self.symbols = symbols
        self._of_symbols = set(symbols.values())
        self._products: list[tuple[tuple[Var, ...], int]] = []  # of symbols, and what none exceeds
        self._forms: dict[Var, Form] = {}
        self.order: dict[Var, int] = {}
        self._numbered = 0
        self._lows: dict[Var, list[Form]] = {}
        self._highs: dict[Var, list[Form]] = {}
        self._ends: dict[Var, tuple[int, int]] = {}  # numbers between which a variable is for sure
        self.positive: dict[Var, Form] = {}
        self.carried: set[Var] = set()
        self._quotients: dict[Var, tuple[Form, int]] = {}
        self._length_quotients: dict[Var, tuple[Form, int]] = {}
        self._ratios: dict[Var, tuple[Form, Form]] = {}  # quotients by what is no number
        self._squares: list[Form] = []  # that are not negative, as was assumed
        for symbol in symbols.values():
            self.add(symbol, [number(LEAST_LENGTH)])
        self._arrays = [b for b in arrays if is_length(b.size)]
        self._assume_of_lengths()
        self._bound_sizes()

    def _assume_of_lengths(self) -> None:
        """Know what was assumed of symbols when the function was recorded: where that does not hold
        other code runs."""
        sizes: list[Any] = [b.size for b in self._arrays]
        assumed = [a for size in sizes[:1] for a in size.symbols.assumptions]
        for assumption in assumed[:_MOST_ASSUMPTIONS]:
            form = self.length(assumption.length)
            if form is not None and form.is_linear and assumption.relation == ">":
                self.assume(form.plus(number(-1)))

    def length_quotient(self, var: Var) -> None:
        """Say that a quotient, of which bounds are known, is made of lengths, and defined when the
        kernel begins. It counts as a length itself if arrays have a multiple of it."""
        of, by = self._quotients[var]
        sizes: list[Any] = [b.size for b in self._arrays]
        for factor in [f for size in sizes for names in size.terms for f in names]:
            if isinstance(factor, Quotient) and factor.by == by:
                length = self.length(factor.of)
                if length is not None and length.same(of):
                    break
        else:
            return
        self._of_symbols.add(var)
        self._length_quotients[var] = self._quotients[var]
        self._bound_sizes()

    def same_quotient(self, var: Var, others: Iterable[Var]) -> Var | None:
        """One of some quotients that is the same number as another."""
        of, by = self._quotients[var]
        for other in others:
            same, divisor = self._quotients[other]
            if divisor == by and same.same(of):
                return other
        return None

    def _bound_sizes(self) -> None:
        """Bound lengths by the memory of those arrays whose lengths are known by now."""
        unknown: list[Buffer] = []
        for buffer in self._arrays:
            size = self.length(buffer.size)
            if size is None:
                unknown.append(buffer)
            else:
                self._bound_size(size, MOST_BYTES // buffer.dtype.itemsize)
        self._arrays = unknown

    def _bound_size(self, size: Form, most: int) -> None:
        """Bound lengths and their products by how many elements an array of them has."""
        if any(self.least(variable(v)) < 1 for v in size.variables):
            return
        if min((size.constant, *size.terms.values())) >= 0:
            for term, coefficient in size.terms.items():
                self._products.append((factors(term), most // coefficient))
                for symbol in set(factors(term)):  # the others are at least 1
                    self._bound_above(symbol, most // coefficient)
            return
        # (n - 1) * (m + 2) is n * m + 2 * n - m - 2; of what is over the least, (k + 1) * (l + 4).
        if not size.variables <= set(self.symbols.values()):
            return
        least = {symbol: self.least(variable(symbol)) for symbol in size.variables}
        for symbol, low in least.items():
            size = size.replaced(symbol, Form(low, {symbol: 1}))
        if min(size.terms.values(), default=0) < 0:
            return
        over = {term: (most - size.constant) // c for term, c in size.terms.items()}
        for term, bound in over.items():
            if isinstance(term, Var):
                self._bound_above(term, bound + least[term])
        for term in over:
            if len(factors(term)) == 2:
                x, y = factors(term)
                if x in over and y in over:
                    total = over[term] + least[x] * over[y] + least[y] * over[x]
                    self._products.append((factors(term), total + least[x] * least[y]))

    def _bound_above(self, symbol: Var, most: int) -> None:
        self._highs[symbol].append(number(most))
        low, high = self._ends[symbol]
        self._ends[symbol] = low, min(high, most)

    def note_changes(self, trail: Trail | None) -> None:
        """Have changes of what is known of variables noted, from now on; or no more."""

        def table(known: dict[Any, Any]) -> dict[Any, Any]:
            return dict(known) if trail is None else Table(known, trail)

        self.order, self._forms = table(self.order), table(self._forms)
        self._lows, self._highs = table(self._lows), table(self._highs)
        self._ends = table(self._ends)
        self.positive, self._quotients = table(self.positive), table(self._quotients)
        self._ratios = table(self._ratios)

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

    def length(self, length: Any) -> Form | None:
        """The form of a number, or of a symbolic length."""
        if not is_length(length):
            return number(length)
        found = Form()
        for names, coefficient in length.terms.items():
            product = [v for name in names if (v := self._factor(name)) is not None]
            if len(product) < len(names):
                return None
            part = Form(1).shifted(tuple(product))
            found = found.plus(part, coefficient)
        return found

    def _factor(self, factor: str | Quotient) -> Var | None:
        """The variable of a symbol, or of a quotient that has been computed."""
        if isinstance(factor, str):
            return self.symbols.get(factor)
        of = self.length(factor.of)
        if of is None:
            return None
        return next(
            (v for v, (x, by) in self._length_quotients.items() if by == factor.by and x.same(of)),
            None,
        )

    def is_length(self, var: Var) -> bool:
        """Whether a variable is a length, or a quotient of some."""
        return var in self._of_symbols

    def is_of_lengths(self, operand: Operand) -> bool:
        """Whether an integer is made of lengths only, which are the same in all of a kernel."""
        form = self.form(operand)
        return form is not None and form.variables <= self._of_symbols

    def add(self, var: Var, lows: Iterable[Form] = (), highs: Iterable[Form] = ()) -> None:
        """A variable, with bounds."""
        self._number(var)
        self._forms[var] = variable(var)
        self._lows[var] = lows = list(lows)
        self._highs[var] = highs = list(highs)
        self._ends[var] = (
            max([LEAST, *(self._between(x)[0] for x in lows)]),
            min([GREATEST, *(self._between(x)[1] for x in highs)]),
        )

    def _number(self, var: Var) -> None:
        if var not in self.order:
            self.order[var] = self._numbered
            self._numbered += 1

    def drop(self, variables: Iterable[Var]) -> None:
        """Know nothing of some variables any more, in which no form of others is."""
        known = (self.order, self._forms, self._lows, self._highs, self._ends)
        tables: list[dict[Var, Any]] = [*known, self.positive, self._quotients, self._ratios]
        for var in variables:
            self.carried.discard(var)
            for table in tables:
                if var in table:
                    table.pop(var)

    def define(self, var: Var, form: Form, *, checked: bool = False) -> bool:
        """Say that a scalar has a form. Returns whether the number stays in 64 bits for sure: where
        not, it is a variable, unless the kernel gives up then (``checked``)."""
        low, high = self._between(form)
        stays = low >= LEAST and high <= GREATEST
        if not stays:
            stays = self.least(form) >= LEAST and self.greatest(form) <= GREATEST
        if not stays and not checked:
            self.add(var)
            return False
        self._number(var)
        self._forms[var] = form
        return stays

    def quotient(self, var: Var, of: Form, by: int) -> None:
        """Say that a scalar is the quotient of what is not negative and a number."""
        most = self.greatest(of) // by
        self.add(var, [number(self.least(of) // by)], [of, number(most)])
        self._quotients[var] = (of, by)

    def quotient_of(self, var: Var) -> tuple[Form, int] | None:
        """What was divided by which number, of a quotient."""
        return self._quotients.get(var)

    def ratio(self, var: Var, of: Form, by: Form) -> None:
        """Say that a scalar is the quotient of what is not negative and what is positive."""
        low, high = self.least(of) // self.greatest(by), self.greatest(of) // self.least(by)
        self.add(var, [number(low)], [of, number(high)])
        self._ratios[var] = (of, by)

    def rename(self, var: Var, old: Var, new: Var) -> None:
        """Put one variable in the place of another in the form of a scalar."""
        if var in self._forms:
            self._forms[var] = self._forms[var].replaced(old, variable(new))

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

    def assume(self, form: Form) -> list[tuple[list[Form], Form]]:
        """Say that a form is not negative, until `forget` is given what this returns."""
        added = self._bound(form)
        if not form.is_linear:
            added += self._bound_root(form)
        if len(form.terms) == 2 and form.is_linear:  # of the other variable, by what bounds one
            var = max(form.variables, key=self.order.__getitem__)
            bounds = self.highs(var) if form.terms[var] > 0 else self.lows(var)
            for bound in list(bounds):
                added += self._bound(form.replaced(var, bound))
        return added

    def _bound(self, form: Form) -> list[tuple[list[Form], Form]]:
        """Bound the last variable of a form that is not negative."""
        added: list[tuple[list[Form], Form]] = []
        if form.terms:
            var = max(form.variables, key=self.order.__getitem__)
            coefficient = form.of(var)
            if coefficient:
                bound = form.replaced(var, Form()).times(-1 if coefficient > 0 else 1)
                if coefficient > 1:  # 2 * i >= n, so that i is at least half of the least n
                    bound = number(-(-self.least(bound) // coefficient))
                elif coefficient < -1:
                    bound = number(self.greatest(bound) // -coefficient)
                side = (self._lows if coefficient > 0 else self._highs).setdefault(var, [])
                side.append(bound)
                added.append((side, bound))
        return added

    def _bound_root(self, form: Form) -> list[tuple[list[Form], Form]]:
        """Bound a variable whose square makes a form less, which is not negative all the same:
        ``i`` where ``i * i <= n``."""
        squares = [t for t, c in form.terms.items() if c < 0 and _is_square(t)]
        if len(squares) != 1:
            return []
        (square,) = squares
        var, coefficient = factors(square)[0], -form.terms[square]
        rest = Form(form.constant, {t: c for t, c in form.terms.items() if t is not square})
        if var in rest.variables:
            return []
        most = math.isqrt(max(self.greatest(rest), 0) // coefficient)
        lows, highs = self._lows.setdefault(var, []), self._highs.setdefault(var, [])
        added = [(self._squares, form), (lows, number(-most)), (highs, number(most))]
        is_last = all(self.order[v] < self.order[var] for v in rest.variables)
        if is_last and self.least(variable(var)) >= 0:
            added.append((highs, rest))
        for side, bound in added:
            side.append(bound)
        return added

    @staticmethod
    def forget(added: list[tuple[list[Form], Form]]) -> None:
        """Take back what was assumed."""
        for side, bound in reversed(added):
            side[:] = [x for x in side if x is not bound]

    # -- bounds ------------------------------------------------------------------------------------

    def _between(self, form: Form) -> tuple[int, int]:
        """Numbers that a form is not less and not greater than, by those of each variable: found at
        once, and often far from the least and greatest. What was assumed does not count."""
        low = high = form.constant
        for term, coefficient in form.terms.items():
            least, most = 1, 1
            for factor in factors(term):
                ends = self._ends.get(factor, (LEAST, GREATEST))
                found = [x * y for x in (least, most) for y in ends]
                least, most = min(found), max(found)
            if coefficient < 0:
                least, most = most, least
            low, high = low + coefficient * least, high + coefficient * most
        return low, high

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
        is_linear = form.is_linear
        of: Iterable[Any] = form.terms if is_linear else form.variables
        place: Callable[[Any], int] = self.order.__getitem__
        var = max(of, key=place)
        grows = form.terms[var] if is_linear else self._grows(form, var, steps)
        if not grows:
            least = [self._by_terms(form, steps)]
            for square in self._squares:
                more = form.plus(square)
                if len(more.terms) < len(form.terms):
                    least.append(self._greatest(more, steps))
            return min(least)
        bounds = self.highs(var) if grows > 0 else self.lows(var)
        best = None
        if is_linear:
            rest = Form(form.constant, {v: c for v, c in form.terms.items() if v is not var})
            bounded = [rest.plus(bound, grows) for bound in bounds]
        else:
            bounded = [form.replaced(var, bound) for bound in bounds]
        if var in self._quotients or var in self._ratios:
            bounded += self._multiplied(form, var, grows)
        for following in bounded:
            if steps[0] <= 0:
                break
            found = self._greatest(following, steps) if following.terms else following.constant
            best = found if best is None else min(best, found)
        if best is None:
            extreme = number(GREATEST if grows > 0 else LEAST)
            best = self._greatest(form.replaced(var, extreme), steps)
        return best

    def _multiplied(self, form: Form, var: Var, grows: int) -> list[Form]:
        """What is not less than a form with a multiple of a quotient: ``4 * (n // 4)`` is ``n`` or
        up to 3 less."""
        slope = form.slope(var)
        if slope is None:
            return []
        if var in self._quotients:
            of, count = self._quotients[var]
            if any(c % count for c in (slope.constant, *slope.terms.values())):
                return []
            times = Form(slope.constant // count, {t: c // count for t, c in slope.terms.items()})
            least = of if grows > 0 else of.plus(number(1 - count))
        else:
            of, by = self._ratios[var]
            times, rest = slope.divided(by)
            if not rest.same(Form()):
                return []
            least = of if grows > 0 else of.plus(by, -1).plus(number(1))
        product = times.multiplied(least)
        return [] if product is None else [form.replaced(var, Form()).plus(product)]

    def _grows(self, form: Form, var: Var, steps: list[int]) -> int:
        """The sign of the change of a form with a variable; 0 if that is not known, or if only
        symbols are left in products."""
        slope = form.slope(var)
        if slope is None or steps[0] <= 0 or var in self._of_symbols:
            return 0
        if self._greatest(slope.times(-1), steps) <= 0:
            return 1
        return -1 if self._greatest(slope, steps) <= 0 else 0

    def _by_terms(self, form: Form, steps: list[int]) -> int:
        """A number that a form is not greater than, by bounds of each of its terms. Where no term
        grows, when the variables do, it is that of the least variables."""
        ranges = {v: self._range(v, steps) for v in form.variables}
        moved = form
        for var, (low, _) in ranges.items():
            moved = moved.replaced(var, Form(low, {var: 1}))
        if all(c < 0 for c in moved.terms.values()):
            return moved.constant
        total = form.constant
        for term, coefficient in form.terms.items():
            low, high = self._range_of_product(term, ranges)
            total += coefficient * (high if coefficient > 0 else low)
        return total

    def _range(self, var: Var, steps: list[int]) -> tuple[int, int]:
        """The least and the greatest of a variable."""
        if steps[0] <= 0:
            return LEAST, GREATEST
        own = variable(var)
        return -self._greatest(own.times(-1), steps), self._greatest(own, steps)

    def _range_of_product(
        self, term: Term, ranges: Mapping[Var, tuple[int, int]]
    ) -> tuple[int, int]:
        low, high = 1, 1
        for factor in factors(term):
            ends = [x * y for x in (low, high) for y in ranges[factor]]
            low, high = min(ends), max(ends)
        if low >= 0:
            for known, most in self._products:
                if _is_among(factors(term), known):
                    high = min(high, most)
        return low, high

    # -- several conditions ------------------------------------------------------------------------

    def impossible(self, equal: Iterable[Form], apart: Iterable[Form]) -> bool:
        """Whether there are no integers for which some forms are 0 and others not negative, within
        the bounds of their variables."""
        zeros, conditions = list(equal), list(apart)
        for form in self._bounding([*zeros, *conditions]):
            conditions.append(form)
        return impossible(zeros, conditions)

    def _bounding(self, forms: Iterable[Form]) -> Iterator[Form]:
        """The bounds of all variables that occur, as forms that are not negative."""
        seen: set[Var] = set()
        pending = [var for form in forms for var in form.variables]
        while pending:
            var = pending.pop()
            if var in seen:
                continue
            seen.add(var)
            own = variable(var)
            for bound in self.lows(var):
                pending += bound.variables
                yield own.plus(bound, -1)
            for bound in self.highs(var):
                pending += bound.variables
                yield bound.plus(own, -1)
            if var in self._quotients:
                of, by = self._quotients[var]
                rest = of.plus(own, -by)
                pending += of.variables
                yield rest
                yield number(by - 1).plus(rest, -1)


def materialised(form: Form, facts: Facts) -> tuple[list[Statement], Operand]:
    """Statements that compute a form, and what they compute."""
    made: list[Statement] = []
    total: Operand | None = None
    seen = Form()

    def add(function: str, x: Operand, y: Operand, value: Form) -> Var:
        out = Var(LONG)
        made.append(ir.Compute(out, function, (x, y)))
        facts.define(out, value)
        return out

    ordered = [(sorted(factors(t), key=facts.order.__getitem__), t) for t in form.terms]
    for of, term in sorted(ordered, key=lambda x: [facts.order[v] for v in x[0]]):
        part: Operand = of[0]
        for k, factor in enumerate(of[1:], 2):
            part = add("*", part, factor, Form(1).shifted(tuple(of[:k])))
        coefficient = form.terms[term]
        own = Form(0, {term: coefficient})
        if coefficient != 1:
            part = add("*", part, Number(coefficient, LONG), own)
        seen = seen.plus(own)
        total = part if total is None else add("+", total, part, seen)
    constant = Number(form.constant, LONG)
    if total is None:
        return made, constant
    if form.constant:
        total = add("+", total, constant, form)
    return made, total


def _is_square(term: Term) -> bool:
    of = factors(term)
    return len(of) == 2 and of[0] is of[1]


def _is_among(few: tuple[Var, ...], many: tuple[Var, ...]) -> bool:
    """Whether some factors, each of which is at least 1 in ``many``, are among others."""
    left = list(map(id, many))
    for factor in map(id, few):
        if factor not in left:
            return False
        left.remove(factor)
    return True
