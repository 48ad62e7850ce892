"""Loops in two versions: one without checks, for when all places that it touches are known to be
inside of their arrays before it begins, and one as it is.

In ``for q in range(n): b[q + start] = a[q + offset]`` all is well if it is in the first trip and in
the last one, since places are linear in the counter. Then nothing has to be asked in each trip: not
whether sums overflow, not whether a place is inside, nor whether it counts from the end; and LLVM
may take several trips at once (Markstein, Cocke & Markstein, "Optimization of range checking",
1982). A place that does count from the end, or is outside, leaves the loop as it is.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import BOOL, LONG, Block, Number, Operand, Statement, Var
from autograph.kernels.passes.affine import Facts, Form, number
from autograph.kernels.passes.dependence import defined_in, is_understood
from autograph.kernels.passes.jam import Copier

_CHECKED = {"add_checked": "+", "subtract_checked": "-", "multiply_checked": "*"}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_LEAST = 8  # trips of a loop that is worth it
_MOST = 80  # statements of one
_MOST_CONDITIONS = 16
_MOST_TERMS = 4
# With these no sum of a few terms leaves 64 bits.
_FAR, _STEEP, _CONSTANT = 2**38, 2**20, 2**60


def in_versions(block: Block, facts: Facts) -> bool:
    """Change the innermost loops of a block, in place. Returns whether there were any."""
    changed = False
    made: list[Statement] = []
    for s in block:
        if not isinstance(s, ir.Each) or s.mode != "vector":
            for inner in ir.blocks(s):
                changed |= in_versions(inner, facts)
        found = _versions(s, facts) if isinstance(s, ir.For) else None
        changed |= found is not None
        made += [s] if found is None else found
    block.statements[:] = made
    return changed


def _versions(s: ir.For, facts: Facts) -> list[Statement] | None:
    """A loop in two versions; None if it stays."""
    statements = list(ir.walk(s.body))
    if s.freed is not None or len(statements) > _MOST or not is_understood(s.body):
        return None
    if any(isinstance(x, ir.For | ir.Each) for x in statements):
        return None
    if isinstance(s.count, Number) and s.count.value < _LEAST:
        return None
    conditions = _Conditions(s, facts)
    if not conditions.known or not 0 < len(conditions.needed) <= _MOST_CONDITIONS:
        return None
    builder = KernelBuilder("versions")
    try:
        with builder.block() as before:
            holds = conditions.hold(builder)
        with builder.block() as quick:
            copy: dict[Operand, Operand] = {}
            _Unchecked(builder, conditions).loop(s, [copy])
    finally:
        builder.close()
    if holds is None:
        return None
    own = tuple(Var(x.dtype, x.name) for x in s.results)
    slow = Block([dataclasses.replace(s, results=own)])
    quick_results = tuple(copy[x] for x in s.results)
    return [*before, ir.If(holds, quick, slow, s.results, quick_results, own)]


class _Conditions:
    """What has to hold in all trips of a loop, for its checks to hold.

    Attributes:
        known: the comparisons that are decided then, and their outcome.
        plain: what is computed with checks, which do not fail then.
        needed: forms of the loop's index, and of what is the same in all trips, that are not
            negative then.
    """

    def __init__(self, s: ir.For, facts: Facts):
        self.loop = s
        self.facts = facts
        self.varying = {*s.state, *defined_in(s.body)}
        self.known: dict[Var, bool] = {}
        self.plain: set[Var] = set()
        self.needed: list[Form] = []
        self._forms: dict[Operand, Form] = {s.index: Form(0, {s.index: 1})}
        self._made: dict[Operand, ir.Compute] = {}
        for x in ir.walk(s.body):
            if isinstance(x, ir.Compute):
                self._made[x.out] = x
                self._computed(x)
        for x in s.body:  # not what only some trips do
            if isinstance(x, ir.Check):
                for compared in self._compared(x.condition):
                    self._need(compared, True)
            elif isinstance(x, ir.Compute) and x.function == "select" and self.known:
                self._counts_from_the_end(x)

    def form(self, operand: Operand) -> Form | None:
        """The form of an integer in the index and what is the same in all trips."""
        if operand in self._forms:
            return self._forms[operand]
        if operand.dtype != LONG or operand in self.varying:
            return None
        return self.facts.form(operand)

    def _computed(self, x: ir.Compute) -> None:
        function = _CHECKED.get(x.function, x.function)
        if x.out.dtype != LONG or function not in ("+", "-", "*"):
            return
        a, b = (self.form(y) for y in x.operands)
        if a is None or b is None:
            return
        if function != "*":
            form = a.plus(b, 1 if function == "+" else -1)
        elif not a.terms or not b.terms:
            form = b.times(a.constant) if not a.terms else a.times(b.constant)
        else:
            return
        if not self._is_moderate(form):
            return
        self._forms[x.out] = form
        if x.function in _CHECKED:
            self.plain.add(x.out)

    @staticmethod
    def _is_moderate(form: Form) -> bool:
        steps = form.terms.values()
        return (
            len(form.terms) <= _MOST_TERMS
            and abs(form.constant) <= _CONSTANT
            and all(abs(c) <= _STEEP for c in steps)
        )

    def _compared(self, condition: Operand) -> Iterator[ir.Compute]:
        """The comparisons that a condition is made of, all of which hold where it does."""
        made = self._made.get(condition)
        if made is None or made.out.dtype != BOOL:
            return
        if made.function == "&":
            for operand in made.operands:
                yield from self._compared(operand)
        elif made.function in _OPPOSITE:
            yield made

    def _need(self, x: ir.Compute, outcome: bool) -> None:
        """Have a comparison be decided."""
        function = x.function if outcome else _OPPOSITE[x.function]
        a, b = (self.form(y) for y in x.operands)
        if a is None or b is None:
            return
        difference = a.plus(b, -1) if function in (">", ">=") else b.plus(a, -1)
        form = difference.plus(number(-1)) if function in ("<", ">") else difference
        if not self._is_moderate(form) or (not form.terms and form.constant < 0):
            return
        self.known[x.out] = outcome
        if not form.terms:
            return
        for place, other in enumerate(self.needed):
            if other.terms == form.terms:
                self.needed[place] = min(form, other, key=lambda f: f.constant)
                return
        self.needed.append(form)

    def _counts_from_the_end(self, x: ir.Compute) -> None:
        """Let a place that may count from the end not do so."""
        test, _, place = x.operands
        made = self._made.get(test)
        if made is None or made.function != "<" or made.operands[0] is not place:
            return
        zero = made.operands[1]
        if isinstance(zero, Number) and zero.value == 0:
            self._need(made, False)

    # -- before the loop ---------------------------------------------------------------------------

    def hold(self, builder: KernelBuilder) -> Operand | None:
        """What tells whether all conditions hold in all trips; None if a trip may need more."""
        index, count = self.loop.index, self.loop.count
        bounded: dict[Operand, None] = {count: None}
        sides: set[tuple[Var, int]] = set()  # on which variables are near enough by a condition
        tests: list[Operand] = []
        last = builder.compute("-", count, 1)
        for form in self.needed:
            step = form.of(index)
            rest = {v: c for v, c in form.terms.items() if v is not index}
            least = builder.long(form.constant)
            if step < 0:  # it is the least in the last trip
                least = builder.compute("+", least, builder.compute("*", last, step))
            if len(rest) == 1 and abs(step) <= 1 and abs(form.constant) <= _FAR:
                ((var, sign),) = rest.items()
                if abs(sign) == 1:
                    sides.add((var, sign))
                    least = least if sign < 0 else builder.compute("-", 0, least)
                    tests.append(builder.compute("<=" if sign < 0 else ">=", var, least))
                    continue
            for var, coefficient in rest.items():
                bounded[var] = None
                least = builder.compute("+", least, builder.compute("*", var, coefficient))
            tests.append(builder.compute(">=", least, 0))
        used = {v for out in self.plain for v in self._forms[out].terms if v is not index}
        near = {v for v, _ in sides if {(v, 1), (v, -1)} <= sides}
        bounded |= dict.fromkeys(v for v in used if v not in near)
        for value in bounded:
            if isinstance(value, Var) and not self._is_near(value):
                tests.append(builder.compute(">=", value, -_FAR))
                tests.append(builder.compute("<=", value, _FAR))
        holds: Operand = Number(True, BOOL)
        for test in tests:
            holds = builder.compute("&", holds, test)
        return holds if isinstance(holds, Var) else None

    def _is_near(self, var: Var) -> bool:
        form = Form(0, {var: 1})
        return self.facts.least(form) >= -_FAR and self.facts.greatest(form) <= _FAR


class _Unchecked(Copier):
    """Copies a loop without what is known."""

    def __init__(self, builder: KernelBuilder, conditions: _Conditions):
        super().__init__(builder)
        self.conditions = conditions

    def statement(self, s: Statement, copy: dict[Operand, Operand]) -> None:
        if isinstance(s, ir.Compute):
            if s.out in self.conditions.known:
                copy[s.out] = Number(self.conditions.known[s.out], BOOL)
                return
            if s.out in self.conditions.plain:
                s = dataclasses.replace(s, function=_CHECKED[s.function])
        super().statement(s, copy)
