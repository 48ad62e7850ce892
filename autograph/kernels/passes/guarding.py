"""Loops that look in each trip whether a place is inside of an array look once before all of them.

Of ``values[k]`` for ``k`` in ``range(starts[i], starts[i + 1])`` nothing is known when the kernel
is compiled. But ``k`` grows by one, so that all places are inside if the first and the last one
are. Where that holds a copy of the loop runs in which it is known; where not, the loop as it was,
which counts from the end, or gives up at the trip that is outside (Gupta, "Optimizing array bound
checks using flow analysis", 1993).

So do loops with a test that divide what they carry by what they carry, as Euclid's ``a, b = b, a %
b``: whether it begins with numbers that are not negative. Then none gets negative, and a rest is
that of the machine.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from autograph.closure import closure
from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import BOOL, LONG, Block, Number, Operand, Statement, Var
from autograph.kernels.passes.affine import Facts
from autograph.kernels.passes.copying import substituted
from autograph.kernels.passes.dependence import defined_in
from autograph.kernels.passes.forms import Form, Term, factors, number, variable
from autograph.kernels.passes.known_values import COMPARED, not_negative
from autograph.kernels.passes.replacing import is_no_vector, replace_statements
from autograph.kernels.passes.short_integers import combined

_LEAST = 8  # trips of a loop that is worth it
_MOST = 60  # statements of a loop that there are two of
_MOST_LOOPS = 16  # of a kernel
_MOST_CONDITIONS = 8
_MOST_CHOICES = 4  # in the place of an element
_SMALL = 2**16  # factors of numbers that are not far from 0
_FAR = 2**40


def guarded(block: Block, facts: Facts) -> bool:
    """Have loops of a block look before they begin, in place. Returns whether there are any."""
    guards = _Guards(facts)
    return replace_statements(block, (ir.For, ir.While), guards.guarded, is_no_vector)


class _Guards:
    """Finds such loops.

    Attributes:
        loops: how many there are so far.
    """

    def __init__(self, facts: Facts):
        self.facts = facts
        self.loops = 0

    def guarded(self, s: ir.For | ir.While) -> list[Statement] | None:
        """What comes in the place of a loop; None if it stays."""
        conditions = self.conditions(s) if isinstance(s, ir.For) else self.signs(s)
        if not conditions or self.loops == _MOST_LOOPS:
            return None
        self.loops += 1
        return _both(s, conditions, self.facts)

    def conditions(self, s: ir.For) -> list[Form]:
        """What is not negative if all places of a loop are inside, as far as that is not known."""
        statements = list(ir.walk(s.body))
        few = isinstance(s.count, Number) and s.count.value < _LEAST
        if few or len(statements) > _MOST or not _may_be_copied(statements):
            return []
        count = self.facts.form(s.count)
        if isinstance(s.count, Var):
            count = self.facts.positive.get(s.count, count)
        if count is None:
            return []
        last = count.plus(number(-1))
        inner = defined_in(s.body) | set(s.state)
        forms = _Forms(self.facts, s.index, inner)
        found: dict[frozenset[tuple[Term, int]], int] = {}  # of terms, the least constant
        wanted = [x for form in self.wanted(statements, forms) for x in forms.chosen(form)]
        if not wanted:
            return []
        for form in [*wanted, *forms.near()]:
            step = form.of(s.index)
            if step is None or not inner.isdisjoint(form.variables):
                continue
            end = form.replaced(s.index, number(0) if step > 0 else last)
            if self.facts.greatest(end) < 0:
                return []
            if self.facts.least(end) < 0:
                key = frozenset(end.terms.items())
                found[key] = min(end.constant, found.get(key, end.constant))
        conditions = [Form(constant, dict(terms)) for terms, constant in found.items()]
        return conditions if len(conditions) <= _MOST_CONDITIONS else []

    def signs(self, s: ir.While) -> list[Form]:
        """What is not negative if nothing that a loop divides by another number is at first."""
        statements = [*ir.walk(s.test), *ir.walk(s.body)]
        if len(statements) > _MOST or not _may_be_copied(statements):
            return []
        given: dict[Operand, tuple[Operand, ...]] = {
            x.out: x.operands for x in statements if isinstance(x, ir.Compute)
        }
        divided: list[Operand] = [
            operand
            for x in statements
            if isinstance(x, ir.Compute) and x.function in ("quotient", "rest")
            if x.out.dtype == LONG and not isinstance(x.operands[1], Number)
            for operand in x.operands
        ]
        used = closure(divided, lambda operand: given.get(operand, ()))
        conditions: list[Form] = []
        for var, init in zip(s.state, s.init):
            form = self.facts.form(init) if var in used else None
            if form is not None and self.facts.least(form) < 0 <= self.facts.greatest(form):
                conditions.append(form)
        return conditions if len(conditions) <= _MOST_CONDITIONS else []

    def wanted(self, statements: list[Statement], forms: _Forms) -> Iterator[Form]:
        """What is not negative if places are inside, and none is counted from the end."""
        made: dict[Operand, ir.Compute] = {}
        for x in statements:
            if isinstance(x, ir.Compute):
                made[x.out] = x
                forms.computed(x)
        pending = [x.condition for x in statements if isinstance(x, ir.Check)]
        while pending:
            compared = made.get(pending.pop())
            if compared is not None and compared.function == "&":
                pending += compared.operands
            elif compared is not None and compared.function in COMPARED:
                difference = forms.difference(compared)
                if difference is not None:
                    yield not_negative(compared.function, difference)
        for x in made.values():
            test = made.get(x.operands[0]) if x.function == "select" else None
            if test is None or test.function != "<" or test.operands[0] is not x.operands[2]:
                continue
            from_end = made.get(x.operands[1])
            if from_end is None or not any(y is x.operands[2] for y in from_end.operands):
                continue  # the larger one of a number and 0
            place, zero = map(forms.of, test.operands)
            if place is not None and zero is not None and zero.same(number(0)):
                yield place


class _Forms:
    """The forms of integers in the body of a loop where what they are computed from is small: then
    they do not leave 64 bits."""

    def __init__(self, facts: Facts, index: Var, inner: set[Var]):
        self.facts = facts
        self.index = index
        self.inner = inner
        self.found: dict[Operand, Form] = {}
        self.summed: list[Form] = []  # the forms of what is checked to be in 64 bits
        self.choices: dict[Var, tuple[Form, Form]] = {}

    def of(self, operand: Operand) -> Form | None:
        return self.found.get(operand) or self.facts.form(operand)

    def computed(self, s: ir.Compute) -> None:
        """Know a sum or a product by a number, of what the loop does not change, and between which
        of these is chosen."""
        if s.function == "select":
            one, other = map(self.of, s.operands[1:])
            if one is not None and other is not None:
                self.choices[s.out] = one, other
            return
        own = self.facts.form(s.out)
        if own is None:
            return
        if not own.same(variable(s.out)):
            if s.function.endswith("_checked") and _is_small(own):
                self.summed.append(own)
            return
        given = [form for x in s.operands if (form := self.of(x)) is not None]
        form = combined(s.function, given) if len(given) == len(s.operands) else None
        if form is None or not self.inner.isdisjoint(form.variables):
            return
        if _is_small(form):
            self.found[s.out] = form

    def chosen(self, form: Form) -> list[Form]:
        """What is not negative if a form is not, whatever is chosen: of ``min(i + r, n)`` both."""
        found = [form]
        for _ in range(_MOST_CHOICES):
            var = next((v for x in found for v in x.variables if v in self.choices), None)
            if var is None:
                break
            found = [y for x in found for y in self._either(x, var)]
        return found

    def _either(self, form: Form, var: Var) -> list[Form]:
        if var not in form.variables:
            return [form]
        return [form.replaced(var, x) for x in self.choices[var]]

    def near(self) -> Iterator[Form]:
        """What is not negative if all that is said here is so, and no sum leaves 64 bits."""
        forms = [*self.found.values(), *self.summed]
        for var in {v for form in forms for v in form.variables} - {self.index} - self.inner:
            yield number(_FAR).plus(variable(var))
            yield number(_FAR).plus(variable(var), -1)

    def difference(self, compared: ir.Compute) -> Form | None:
        if compared.function not in ("<", "<=", ">", ">="):
            return None
        a, b = map(self.of, compared.operands)
        return None if a is None or b is None else a.plus(b, -1)


def _is_small(form: Form) -> bool:
    """Whether a sum does not leave 64 bits if its variables are not far from 0."""
    is_near = all(abs(c) <= _SMALL for c in form.terms.values()) and abs(form.constant) <= _FAR
    return form.is_linear and is_near


def _may_be_copied(statements: list[Statement]) -> bool:
    copied = ir.Compute | ir.Load | ir.Store | ir.If | ir.Check
    # Records name the scalar that says where they start.
    names = any(b.kind == "record" for x in statements for b in uses.buffers(x))
    return not names and all(isinstance(x, copied) for x in statements)


def _both(s: ir.For | ir.While, conditions: list[Form], facts: Facts) -> list[Statement]:
    """A loop of which it is known that conditions hold, and the loop as it was where they do
    not."""
    made: list[Statement] = []
    holds: Operand | None = None
    for form in conditions:
        one = _condition(form, made, facts)
        if holds is not None:
            both = Var(BOOL)
            made.append(ir.Compute(both, "&", (holds, one)))
            one = both
        holds = one
    assert holds is not None
    known = substituted(s, {v: Var(v.dtype, v.name) for v in defined_in([s])})
    own = tuple(Var(v.dtype, v.name) for v in s.results)
    asking = dataclasses.replace(s, results=own)
    assert isinstance(known, ir.For | ir.While)
    branches = Block([known]), Block([asking])
    return [*made, ir.If(holds, *branches, s.results, known.results, own)]


def _condition(form: Form, made: list[Statement], facts: Facts) -> Var:
    """Whether a form is not negative. What would leave 64 bits gives up."""
    out = Var(BOOL)
    if len(form.terms) == 1:
        ((term, coefficient),) = form.terms.items()
        if abs(coefficient) == 1 and isinstance(term, Var):
            function, bound = (">=", -form.constant) if coefficient > 0 else ("<=", form.constant)
            made.append(ir.Compute(out, function, (term, Number(bound, LONG))))
            return out
    total: Operand = Number(form.constant, LONG)

    def add(function: str, x: Operand, y: Operand) -> Var:
        found = Var(LONG)
        made.append(ir.Compute(found, function, (x, y)))
        return found

    ordered = [(sorted(factors(t), key=facts.order.__getitem__), c) for t, c in form.terms.items()]
    for of, coefficient in sorted(ordered, key=lambda x: [facts.order[v] for v in x[0]]):
        part: Operand = of[0]
        for factor in of[1:]:
            part = add("multiply_checked", part, factor)
        if abs(coefficient) != 1:
            part = add("multiply_checked", part, Number(abs(coefficient), LONG))
        total = add("add_checked" if coefficient > 0 else "subtract_checked", total, part)
    made.append(ir.Compute(out, ">=", (total, Number(0, LONG))))
    return out
