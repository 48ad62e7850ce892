"""Loops that clamp places to an array by a distance known only at run time: the trips between
those in which something is clamped.

``s[min(i + r + 1, n)] - s[max(i - r, 0)]`` reads neighbouring elements in neighbouring trips but
for the first and the last ``r``. Where the first trip is that clamps nothing, and where the last
one, is found before the loop: comparisons of the index with what the loop does not change are known
between them. `splitting` has three loops then.

What is computed for that does not leave 64 bits where all that it is computed from is small. Where
something is not, nothing is between.
"""

from __future__ import annotations

from collections.abc import Mapping

from autograph.closure import closure
from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import BOOL, LONG, Number, Operand, Var
from autograph.kernels.passes.forms import Form, number, variable
from ops.core.records import NamedTuple

Scope = Mapping[Operand, ir.Compute]  # what is computed around a loop

_SIGNS = {"<": 1, "<=": 1, ">": -1, ">=": -1}  # of a difference where a comparison holds, negated
_MOST_TERMS = 6
_MOST_COMPARED = 8
_DEEPEST = 4  # sums around the loop that are looked into
_NEAR = 2**16  # factors
_FAR = 2**40  # what differences of smaller numbers do not leave 64 bits


class Between(NamedTuple):
    """Trips of a loop.

    Attributes:
        begin, end: the first of them, and the one after the last.
        outcomes: of the comparisons that are known in them.
    """

    begin: Operand
    end: Operand
    outcomes: dict[Var, bool]


class _Compared(NamedTuple):
    """A comparison of the index with what a loop does not change.

    Attributes:
        place: the index of the trip at which both are equal.
        is_above: whether the difference grows with the index.
        function: by which the difference is compared with 0.
        at_end: whether it is near the end of the loop that something is clamped.
        variables: of which both sides are sums, besides the index.
    """

    out: Var
    place: Form
    is_above: bool
    function: str
    at_end: bool
    variables: list[Var]

    @property
    def outcome(self) -> bool:
        """What it gives where nothing is clamped."""
        positive = self.is_above != self.at_end
        return positive == (self.function in (">", ">="))

    @property
    def is_strict(self) -> bool:
        """Whether it gives something else at the place itself."""
        return ("=" in self.function) != self.outcome


def between(builder: KernelBuilder, each: ir.Each, scope: Scope) -> Between | None:
    """The trips of a vector loop between those that clamp places; None if there are no such trips.

    Args:
        builder: to add what finds them.
        scope: what is computed around the loop.
    """
    compared = _Places(each, scope).compared()
    if not compared or len(compared) > _MOST_COMPARED:
        return None
    b, count = builder, each.count
    begin: Operand = b.long(0)
    end: Operand = count
    small: Operand = Number(True, BOOL)
    for var in dict.fromkeys(v for x in compared for v in x.variables):
        small = b.compute("&", small, b.compute(">=", var, -_FAR))
        small = b.compute("&", small, b.compute("<=", var, _FAR))
    for x in compared:
        place = _computed(b, x.place)
        if x.at_end:
            end = b.compute("min", end, place if x.is_strict else b.compute("+", place, 1))
        else:
            begin = b.compute("max", begin, b.compute("+", place, 1) if x.is_strict else place)
    begin = b.compute("select", small, b.compute("min", begin, count), count)
    end = b.compute("max", begin, b.compute("select", small, end, count))
    return Between(begin, end, {x.out: x.outcome for x in compared})


class _Places:
    """What depends on the index of a loop, and on what the loop does not change, linearly."""

    def __init__(self, each: ir.Each, scope: Scope):
        self._each = each
        self._scope = scope
        self._inner = {v for s in ir.walk(each.body) for v in uses.defined(s)}
        self._found: dict[Operand, Form] = {each.index: variable(each.index)}
        self._count = self._form(each.count)

    def compared(self) -> list[_Compared]:
        """The comparisons that decide which elements are read."""
        made: dict[Operand, tuple[Operand, ...]] = {}
        places: list[Operand] = []
        found: list[_Compared] = []
        for s in ir.walk(self._each.body):
            if isinstance(s, ir.Load):
                places.append(s.index)
            elif isinstance(s, ir.Compute):
                made[s.out] = s.operands
                if s.out.dtype == LONG:
                    form = self._sum(s)
                    if form is not None:
                        self._found[s.out] = form
                elif s.function in _SIGNS and s.operands[0].dtype == LONG:
                    found += self._comparison(s)
        deciding = closure(places, lambda operand: made.get(operand, ()))
        return [x for x in found if x.out in deciding]

    def _comparison(self, s: ir.Compute) -> list[_Compared]:
        x, y = map(self._form, s.operands)
        if x is None or y is None:
            return []
        difference = x.plus(y, -1)
        slope = difference.of(self._each.index)
        if slope not in (1, -1) or not difference.is_linear or not _is_small(difference):
            return []
        of_index = variable(self._each.index)
        place = of_index.plus(difference, -slope)
        variables = [v for form in (x, y) for v in form.variables if v is not self._each.index]
        at_end = self._is_at_end(place)
        return [_Compared(s.out, place, slope > 0, s.function, at_end, variables)]

    def _is_at_end(self, place: Form) -> bool:
        """Whether a place is rather near the end of the loop than near its begin."""
        assert self._count is not None
        if self._count.terms:
            return all(place.terms.get(v) == c for v, c in self._count.terms.items())
        return place.constant > self._count.constant // 2

    def _form(self, operand: Operand, depth: int = 0) -> Form | None:
        if isinstance(operand, Number):
            return number(int(operand.value)) if operand.dtype == LONG else None
        found = self._found.get(operand)
        if found is not None or operand in self._inner or operand.dtype != LONG:
            return found
        s = self._scope.get(operand)
        if s is not None and depth < _DEEPEST:
            found = self._sum(s, depth + 1)
        assert isinstance(operand, Var)
        return found or variable(operand)

    def _sum(self, s: ir.Compute, depth: int = 0) -> Form | None:
        """The form of a sum that has 64 bits for sure."""
        if s.function not in ("+", "-") or len(s.operands) != 2:
            return None
        x, y = (self._form(operand, depth) for operand in s.operands)
        if x is None or y is None:
            return None
        found = x.plus(y, 1 if s.function == "+" else -1)
        return found if _is_small(found) else None


def _is_small(form: Form) -> bool:
    few = len(form.terms) <= _MOST_TERMS and abs(form.constant) <= _FAR
    return few and all(abs(c) <= _NEAR for c in form.terms.values())


def _computed(b: KernelBuilder, form: Form) -> Operand:
    """What computes a form."""
    total: Operand = b.long(form.constant)
    for var, times in form.terms.items():
        total = b.compute("+", total, b.compute("*", var, times))
    return total
