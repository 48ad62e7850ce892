"""Triangular recurrences along rows: what is known already is taken from several elements at once.

``for j: (for k < j: x[j] -= x[k] * u[k, j]); x[j] /= u[j, j]`` waits for one difference after the
other. Of sixteen elements, those of the blocks before are subtracted from all in vectors, along the
rows of ``u``, and then those of the block itself one by one (distribution and interchange of a nest
in strips; Allen & Kennedy, "Optimizing compilers for modern architectures", 2001): substitution,
and factorisations that are written by elements. The same is done to each element in the same order.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.builder import KernelBuilder, block_apart
from autograph.kernels.ir.ir import Block, Operand, Statement
from autograph.kernels.ir.work import in_lanes
from autograph.kernels.passes.dependence import (
    Access,
    Dependences,
    accesses,
    defined_in,
    is_understood,
    may_come_before,
)
from autograph.kernels.passes.forms import Form, number, variable
from autograph.kernels.passes.jam import Copier, in_groups

_STRIP, _TOGETHER = 16, 4  # elements
_MOST_STATEMENTS = 60
_MOST_PAIRS = 200  # of accesses


@dataclasses.dataclass
class _Nest:
    """``for j: begin; (for k < j: update); end``.

    Attributes:
        begin: what is computed of ``j``; it reads nothing that the nest writes.
    """

    loop: ir.For
    inner: ir.For
    begin: Sequence[Statement]
    update: Sequence[Statement]
    end: Sequence[Statement]


def in_strips(s: ir.For, dependences: Dependences) -> list[Statement] | None:
    """What comes in the place of a loop over elements that wait for those before them; None if it
    is no such loop."""
    nest = _nest(s, dependences)
    if nest is None or not _keeps_order(nest, dependences):
        return None
    with block_apart("triangle") as (builder, made):
        _Strips(builder, nest).all()
    return made.statements


def _nest(s: ir.For, dependences: Dependences) -> _Nest | None:
    loops = [x for x in s.body if isinstance(x, ir.For)]
    if s.state or len(loops) != 1 or not is_understood(s.body):
        return None
    (inner,) = loops
    count = dependences.facts.form(inner.count)
    if inner.freed is not None or count is None or not count.same(variable(s.index)):
        return None
    plain = (ir.Compute, ir.Load, ir.Store, ir.Check)
    if not all(x is inner or isinstance(x, plain) for x in s.body):
        return None
    if not all(isinstance(x, plain) for x in inner.body):
        return None
    if sum(1 for _ in ir.walk(s.body)) > _MOST_STATEMENTS:
        return None
    place = s.body.statements.index(inner)
    begin, end = s.body.statements[:place], s.body.statements[place + 1 :]
    nest = _Nest(s, inner, begin, inner.body.statements, end)
    if inner.state:
        in_memory = _accumulated_in_memory(nest, dependences)
        if in_memory is None:
            return None
        nest = in_memory
    return nest if may_come_before(nest.begin, s.body, dependences) else None


def _accumulated_in_memory(nest: _Nest, dependences: Dependences) -> _Nest | None:
    """The nest whose sums are added up where they are stored in the end, if they begin with what is
    there: ``total = x[j]; (for k < j: total -= x[k] * u[k, j]); x[j] = total / u[j, j]``."""
    facts, inner = dependences.facts, nest.inner
    if len(inner.state) != 1:
        return None
    (state,), (init,), (following,), (result,) = (
        inner.state,
        inner.init,
        inner.following,
        inner.results,
    )
    loads = [x for x in nest.begin if isinstance(x, ir.Load) and x.out is init]
    stores = [x for x in nest.end if isinstance(x, ir.Store)]
    if len(loads) != 1 or len(stores) != 1 or following is state:
        return None
    (load,), (store,) = loads, stores
    form, there = facts.form(load.index), facts.form(store.index)
    if form is None or there is None or not form.same(there) or load.buffer is not store.buffer:
        return None
    # Nothing else in the trip reads the element.
    varying = {inner.index, *defined_in(inner.body)}
    for access in accesses([*nest.begin, inner, *nest.end], facts):
        if access.statement is load or access.statement is store:
            continue
        if dependences.memory.group(access.buffer) != dependences.memory.group(load.buffer):
            continue
        if access.form is None or access.buffer is not load.buffer:
            return None
        if not dependences.differ(form, access.form, varying):
            return None
    here = ir.Load(state, load.buffer, load.index)
    update = [here, *nest.update, ir.Store(load.buffer, load.index, following)]
    end = [ir.Load(result, load.buffer, load.index), *nest.end]
    others = [x for x in nest.begin if x is not load]
    used = {v for x in ir.walk(Block([*others, *nest.update, *nest.end])) for v in uses.operands(x)}
    return (
        None
        if load.out in used
        else dataclasses.replace(nest, begin=others, update=update, end=end)
    )


def _keeps_order(nest: _Nest, dependences: Dependences) -> bool:
    """Whether vectors along rows touch neighbours, and no element that an element of their strip
    touches."""
    facts = dependences.facts
    j, k = nest.loop.index, nest.inner.index
    update = list(accesses(nest.update, facts))
    steps = [None if a.form is None else a.form.of(j) for a in update]
    if 1 not in steps or not all(step in (0, 1) for step in steps):
        return False
    variables = {j, k, *defined_in(nest.loop.body)}
    pairs = list(dependences.pairs([*update, *accesses(nest.end, facts)], update))

    def meet(a: Access, b: Access) -> bool:
        """Whether ``b``, of an element that comes later, may touch what ``a`` touches before ``b``
        has all of the blocks before."""
        if a.form is None or b.form is None or a.buffer is not b.buffer:
            return True
        there, other = dependences.elsewhere(b.form, variables)
        later = _difference(other[j], j).plus(number(-1))
        known = _difference(j, other[k]).plus(number(-1))
        return not facts.impossible(dependences.equations(a.form, there), [later, known])

    return len(pairs) <= _MOST_PAIRS and not any(meet(a, b) for a, b in pairs)


def _difference(x: ir.Var, y: ir.Var) -> Form:
    return variable(x).plus(variable(y), -1)


class _Strips:
    """Adds the loop over strips to a builder."""

    def __init__(self, builder: KernelBuilder, nest: _Nest):
        self.builder = builder
        self.nest = nest
        self.copier = Copier(builder)
        self.begin, self.end = Block(list(nest.begin)), Block(list(nest.end))
        self.update = Block(list(nest.update))

    def all(self) -> None:
        """All strips."""
        b, count = self.builder, self.nest.loop.count
        work = in_lanes(Block([dataclasses.replace(self.nest.inner, body=self.update)]))

        def strip(index: Operand) -> tuple[Operand, ...]:
            first = b.compute("*", index, _STRIP)
            rest = b.compute("-", count, first)
            length = b.compute("select", b.compute("<", rest, _STRIP), rest, _STRIP)
            with b.each(length, "vector", work=max(work, 0.2)) as lane:
                self.updated(self.begun([b.compute("+", first, lane)]), b.long(0), first)
            self.within(first, length)
            return ()

        strips = b.compute("quotient", b.compute("+", count, _STRIP - 1), _STRIP)
        b.for_(strips, (), strip)

    def within(self, first: Operand, length: Operand) -> None:
        """What the elements of a strip take from each other: some together from those before them,
        then these from each other; the last of the strip one by one."""
        b = self.builder
        groups, done, rest = in_groups(b, length, _TOGETHER)

        def group(index: Operand) -> tuple[Operand, ...]:
            before = b.compute("*", index, _TOGETHER)
            start = b.compute("+", first, before)
            places = [b.compute("+", start, k) for k in range(_TOGETHER)]
            copies = self.begun(places)
            self.updated(copies, first, before)
            for k, copy in enumerate(copies):
                for place in places[:k]:
                    self.copier.statements(self.update, [{**copy, self.nest.inner.index: place}])
                self.copier.statements(self.end, [copy])
            return ()

        def single(index: Operand) -> tuple[Operand, ...]:
            before = b.compute("+", done, index)
            copies = self.begun([b.compute("+", first, before)])
            self.updated(copies, first, before)
            self.copier.statements(self.end, copies)
            return ()

        b.for_(groups, (), group)
        b.for_(rest, (), single)

    def begun(self, places: Sequence[Operand]) -> list[dict[Operand, Operand]]:
        """What is computed of some elements."""
        copies: list[dict[Operand, Operand]] = [{self.nest.loop.index: x} for x in places]
        self.copier.statements(self.begin, copies)
        return copies

    def updated(
        self, copies: Sequence[dict[Operand, Operand]], first: Operand, trips: Operand
    ) -> None:
        """What some elements take from those that are finished, from the first of these on."""

        def trip(index: Operand) -> tuple[Operand, ...]:
            k = self.builder.compute("+", first, index)
            own = [{**copy, self.nest.inner.index: k} for copy in copies]
            self.copier.statements(self.update, own)
            return ()

        self.builder.for_(trips, (), trip)
