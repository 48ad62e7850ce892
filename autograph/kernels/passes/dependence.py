"""Which trips of a loop touch the same memory.

Two accesses, one of which writes, depend on each other if they reach one element in two trips. Of
places that are `forms` that is a system of equations and conditions in the indices of
both trips. What an index adds to a place in steps of a row, and what within it, are equations of
their own: then ``118 * i + j`` is one place of ``118 * k + l`` only if ``i == k`` and ``j == l``
(Maslov, "Delinearization: an efficient way to break multiloop dependence equations", 1992). What
is not understood may depend on everything.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import UNKNOWN_SIZE, Block, Buffer, Kernel, Statement, Var
from autograph.kernels.passes.affine import Facts
from autograph.kernels.passes.conditions import Conditions
from autograph.kernels.passes.forms import Form, number, variable
from ops.core.records import dataclass

_UNDERSTOOD = (
    ir.Compute | ir.Load | ir.Store | ir.Check | ir.If | ir.For | ir.Each
)  # statements that touch memory only by loads and stores, but for `While`

_NOTHING: Mapping[ir.Statement, tuple[Form, ...]] = MappingProxyType({})

_TYPICAL = 1000  # a length, to tell which of two strides is larger
_MOST_PAIRS = 400  # of accesses; of more it is not worth the time


@dataclass(frozen=True)
class Access:
    """A load or a store.

    Attributes:
        depth: how many loops are around it, of those that are looked at.
        form: of its place, if that is known.
    """

    statement: ir.Load | ir.Store
    depth: int
    form: Form | None

    @property
    def buffer(self) -> Buffer:
        return self.statement.buffer

    @property
    def writes(self) -> bool:
        return isinstance(self.statement, ir.Store)


class BufferGroups:
    """Which buffers of a kernel may be the same memory."""

    def __init__(self, kernel: Kernel):
        self._same: dict[Buffer, Buffer] = dict(kernel.shared)

    def group(self, buffer: Buffer) -> object:
        """The same for buffers that may be the same memory."""
        if buffer.kind == "record":
            return "record"
        return self._same.get(buffer, buffer)


def is_understood(
    statements: Iterable[ir.Statement], *, endless: bool = False, own: bool = False
) -> bool:
    """Whether it is known which memory statements touch. That of records is not: where they start
    is computed, and names them.

    Args:
        endless: whether loops may be among them that end when they end.
        own: whether memory of each trip may be.
    """
    return all(
        (
            isinstance(s, _UNDERSTOOD)
            or (endless and isinstance(s, ir.While) and s.freed is None)
            or (own and isinstance(s, ir.Local))
        )
        and all(b.kind != "record" for b in uses.buffers(s))
        for s in ir.walk(statements)
    )


def accesses(statements: Iterable[ir.Statement], facts: Facts, depth: int = 0) -> Iterator[Access]:
    """The loads and stores of statements, those in them included."""
    for s in statements:
        if isinstance(s, ir.Load | ir.Store):
            yield Access(s, depth, facts.form(s.index))
        inner = depth + isinstance(s, ir.For | ir.Each | ir.While)
        for block in ir.blocks(s):
            yield from accesses(block, facts, inner)


def defined_in(statements: Iterable[ir.Statement]) -> set[Var]:
    """The scalars that statements, and those in them, define."""
    return {var for s in ir.walk(statements) for var in uses.defined(s)}


class Dependences:
    """Dependences in a kernel."""

    def __init__(self, facts: Facts, memory: BufferGroups):
        self.facts = facts
        self.memory = memory

    def pairs(
        self, first: Sequence[Access], second: Sequence[Access]
    ) -> Iterator[tuple[Access, Access]]:
        """Those of two groups of accesses of which one may write what the other touches."""
        by_group: dict[object, list[Access]] = {}
        for access in second:
            by_group.setdefault(self.memory.group(access.buffer), []).append(access)
        for a in first:
            for b in by_group.get(self.memory.group(a.buffer), ()):
                if a.writes or b.writes:
                    yield a, b

    def independent(
        self, index: Var, body: Sequence[ir.Statement], private: Collection[Buffer] = ()
    ) -> bool:
        """Whether no trip of a loop touches what another one writes, in other memory than that
        which each has of its own."""
        found = [a for a in accesses(body, self.facts) if a.buffer not in private]
        inner = defined_in(body)
        places = {a.statement: k for k, a in enumerate(found)}
        pairs = list(self.pairs(found, found))
        if len(pairs) > _MOST_PAIRS:
            return False
        known: Mapping[ir.Statement, tuple[Form, ...]] | None = None
        for a, b in pairs:
            if not a.writes or (b.writes and places[a.statement] > places[b.statement]):
                continue  # the pair comes the other way round as well
            if self.may_meet(a, b, {index, *inner}, index):
                known = Conditions(body, self.facts).around(body) if known is None else known
                if not known or self.may_meet(a, b, {index, *inner}, index, known):
                    return False
        return True

    def meet_only_in_step(
        self,
        first: Sequence[Access],
        second: Sequence[Access],
        inner: Collection[Var],
        index: Var,
    ) -> bool:
        """Whether two bodies of loops over the same index touch the same memory, of which one is
        written, only in the same trip."""
        pairs = list(self.pairs(first, second))
        return len(pairs) <= _MOST_PAIRS and not any(
            self.may_meet(a, b, {index, *inner}, index) for a, b in pairs
        )

    def may_meet(
        self,
        a: Access,
        b: Access,
        inner: Collection[Var],
        index: Var,
        known: Mapping[ir.Statement, tuple[Form, ...]] = _NOTHING,
    ) -> bool:
        """Whether two accesses may reach the same element, in two trips.

        Args:
            inner: the variables that may differ between the two.
            index: one of them that does differ.
            known: what is not negative where they stand.
        """
        if a.form is None or b.form is None:
            return True
        there, other = self.elsewhere(b.form, inner)
        equal = self.equations(a.form, there)
        said = [*known.get(a.statement, ())]
        said += [form.renamed(other) for form in known.get(b.statement, ())]
        if index not in other:  # no place depends on it
            return not self.facts.impossible(equal, said)
        difference = variable(index).plus(variable(other[index]), -1)
        if any(e.same(difference) or e.same(difference.times(-1)) for e in equal):
            return False
        one = number(-1)
        return not (
            self.facts.impossible(equal, [*said, difference.plus(one)])
            and self.facts.impossible(equal, [*said, difference.times(-1).plus(one)])
        )

    def is_inside(self, buffer: Buffer, place: Form) -> bool:
        """Whether a place is known to be one of a buffer's, also where no check was before."""
        size = self.facts.length(buffer.size)
        if size is None or buffer.size == UNKNOWN_SIZE:
            return False
        return self.facts.least(place) >= 0 and self.facts.greatest(place.plus(size, -1)) < 0

    def differ(self, a: Form, b: Form, inner: Collection[Var]) -> bool:
        """Whether two places are different, whatever variables are in each."""
        there, _ = self.elsewhere(b, inner)
        # The bounds of what is the same in both tell how long rows are.
        same = a.variables & there.variables
        known = [variable(v).plus(low, -1) for v in same for low in self.facts.lows(v)]
        return self.facts.impossible(self.equations(a, there), known)

    def elsewhere(self, place: Form, inner: Collection[Var]) -> tuple[Form, dict[Var, Var]]:
        """A place in another trip, and what stands there for variables that may differ."""
        other = self._copied(inner)
        return place.renamed(other), other

    def _copied(self, inner: Collection[Var]) -> dict[Var, Var]:
        """Variables of another trip, with the same bounds."""
        facts = self.facts
        known = sorted((v for v in inner if v in facts.order), key=facts.order.__getitem__)
        other = {v: Var(v.dtype, v.name) for v in known}
        for var, copy in other.items():
            lows = [x.renamed(other) for x in facts.lows(var)]
            facts.add(copy, lows, [x.renamed(other) for x in facts.highs(var)])
        return other

    # -- axes --------------------------------------------------------------------------------------

    def equations(self, a: Form, b: Form) -> list[Form]:
        """What is 0 if two places are the same."""
        found: list[Form] = []
        for stride in self.strides(a, b):
            one, other = self.split(a, stride), self.split(b, stride)
            if one is not None and other is not None:
                found.append(one[0].plus(other[0], -1))
                a, b = one[1], other[1]
        found.append(a.plus(b, -1))
        return found

    def strides(self, *forms: Form) -> list[Form]:
        """What variables in places are multiplied by, the largest first; 1 is none."""
        if all(form.is_linear for form in forms):
            known = {abs(c) for form in forms for c in form.terms.values()}
            return [number(c) for c in sorted(known, reverse=True) if c > 1]
        found: dict[object, Form] = {}
        for form in forms:
            for var in form.variables:
                if self.facts.is_length(var):
                    continue
                slope = form.slope(var)
                if slope is not None:
                    slope = slope if slope.at(_TYPICAL) > 0 else slope.times(-1)
                    found[slope.constant, frozenset(slope.terms.items())] = slope
        strides = sorted(found.values(), key=lambda slope: -slope.at(_TYPICAL))
        return [slope for slope in strides if slope.at(_TYPICAL) > 1]

    def split(self, form: Form, stride: Form) -> tuple[Form, Form] | None:
        """A form as ``stride * high + low`` with ``0 <= low < stride``; (high, low)."""
        facts = self.facts
        high, low = form.divided(stride)
        # The columns of [i, n - 1 - j] are not those of row i + 1.
        nearest = [0, -1, 1] if stride.terms else [facts.least(low) // stride.constant]
        for whole in nearest:
            rest = low.plus(stride, -whole)
            if facts.least(rest) >= 0 and facts.greatest(rest.plus(stride, -1)) < 0:
                return high.plus(number(whole)), rest
        return None


def may_come_before(begin: Sequence[Statement], row: Block, dependences: Dependences) -> bool:
    """Whether what a row begins with may be computed before rows above are finished: it writes
    nothing, and reads nothing that a row writes."""
    group = dependences.memory.group
    written = {group(a.buffer) for a in accesses(row, dependences.facts) if a.writes}
    return all(
        isinstance(x, ir.Compute | ir.Check)
        or (isinstance(x, ir.Load) and group(x.buffer) not in written)
        for x in begin
    )
