"""Arrays that are computed aside and copied to where they belong, computed there.

``x = np.minimum(x, x[:, k : k + 1] + x[k])`` writes each element where it reads the old one, but
for the row ``x[k]``, which all rows read, and ``x[i, k]``, which all elements of row ``i`` read.
That row is copied before, in the place of the whole, and that element is read before its row is
written.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Block, Buffer, Statement, Var
from autograph.kernels.passes.affine import materialised
from autograph.kernels.passes.copying import OWN, Copied, CopiesRead
from autograph.kernels.passes.dependence import (
    Access,
    Dependences,
    accesses,
    defined_in,
    is_understood,
)
from autograph.kernels.passes.forms import Form, number, variable
from autograph.kernels.passes.replacing import rebuild

_MOST = 1 << 16  # elements of a row


@dataclasses.dataclass
class _Nest:
    """A loop, or one in another one, in which one element of an array is written.

    Attributes:
        loops: the outer one first.
        store: in the block of the last one.
    """

    loops: list[ir.For | ir.Each]
    store: ir.Store

    def counts(self, dependences: Dependences) -> dict[Var, Form] | None:
        found = {s.index: dependences.facts.form(s.count) for s in self.loops}
        known = {index: form for index, form in found.items() if form is not None}
        return known if len(known) == len(found) else None


class InPlace:
    """Computes arrays where they are copied to."""

    def __init__(self, body: Block, dependences: Dependences):
        self.facts = dependences.facts
        self.dependences = dependences
        self.copies = CopiesRead(body, dependences)
        self.loads: dict[Buffer, int] = {}
        for s in ir.walk(body):
            if not isinstance(s, ir.Store):
                for buffer in uses.buffers(s):
                    once = isinstance(s, ir.Load)  # others read who knows what
                    self.loads[buffer] = self.loads.get(buffer, 0) + (1 if once else 2)

    def block(self, block: Block) -> bool:
        """Change a block, in place. Returns whether there was something to change."""
        return rebuild(block, self._add)

    def _add(self, made: list[Statement], s: Statement) -> bool:
        place = len(made) - 1
        while place >= 0 and isinstance(made[place], ir.Compute | ir.Check):
            place -= 1
        joined = self.joined(made[place], s) if place >= 0 else None
        if joined is None:
            made.append(s)
            return False
        made[place:] = [*made[place + 1 :], *joined]
        return True

    def joined(self, first: Statement, second: Statement) -> Sequence[Statement] | None:
        """A nest that computes an array, and one that copies it, as one."""
        making, copying = _nest(first), _nest(second)
        if making is None or copying is None or not is_understood([first]):
            return None
        if len(making.loops) != 2 or not isinstance(making.loops[1], ir.Each):
            return None
        buffer, target = making.store.buffer, copying.store.buffer
        load = _copied(copying)
        if load is None or load.buffer is not buffer or buffer.kind not in OWN:
            return None
        if self.copies.stores.get(buffer) != 1 or self.loads.get(buffer) != 1:
            return None
        place = self.place(making, copying, load)
        if place is None:
            return None
        rows = self.rows(making, target, place)
        if rows is None:
            return None
        return self.rebuilt(making, target, place, rows)

    def place(self, making: _Nest, copying: _Nest, load: ir.Load) -> Form | None:
        """Where an element that is made is copied to, if all that are copied are made."""
        made, read = self.facts.form(making.store.index), self.facts.form(load.index)
        to = self.facts.form(copying.store.index)
        own, others = making.counts(self.dependences), copying.counts(self.dependences)
        if made is None or read is None or to is None or own is None or others is None:
            return None
        all_made = self.copies.original(Copied(load.buffer, load, made, made, own), read)
        if all_made is None and not self.as_many(making, made, own, others):
            return None
        return self.copies.original(Copied(load.buffer, load, read, to, others), made)

    def as_many(
        self, making: _Nest, made: Form, own: dict[Var, Form], others: dict[Var, Form]
    ) -> bool:
        """Whether a nest makes as many different elements as there are trips of another one."""
        if any(form.terms for form in (*own.values(), *others.values())):
            return False
        outer, inner = (s.index for s in making.loops)
        parts = self.dependences.split(made, number(max(made.of(outer) or 1, 1)))
        if parts is None or not parts[0].same(variable(outer)):
            return False
        if not parts[1].same(variable(inner)):
            return False
        trips, copied = (math.prod(f.constant for f in x.values()) for x in (own, others))
        return trips == copied

    def rows(self, making: _Nest, target: Buffer, place: Form) -> list[ir.Load] | None:
        """The loads of elements that all rows, or all elements of a row, read; None if others are
        read that change."""
        outer, inner = making.loops
        variables = {outer.index, *defined_in(outer.body)}
        group = self.dependences.memory.group(target)
        count = self.facts.form(inner.count)
        rows: list[ir.Load] = []
        direct = {s for s in inner.body if isinstance(s, ir.Load)}
        for access in accesses([outer], self.facts):
            if self.dependences.memory.group(access.buffer) != group:
                continue
            s, form = access.statement, access.form
            if not isinstance(s, ir.Load) or access.buffer is not target or form is None:
                return None
            if form.same(place) or self.dependences.differ(form, place, variables):
                continue
            if s not in direct or count is None or self.facts.greatest(count) > _MOST:
                return None
            if not self.dependences.is_inside(target, form):  # it is read before it is checked
                return None
            own = variables.intersection(form.variables)
            of_one_row = own <= {outer.index} and not self.dependences.may_meet(
                Access(making.store, 1, place), access, variables, outer.index
            )
            if not of_one_row and (own != {inner.index} or form.of(inner.index) != 1):
                return None
            rows.append(s)
        return rows

    def rebuilt(
        self, making: _Nest, target: Buffer, place: Form, rows: Sequence[ir.Load]
    ) -> list[Statement]:
        outer, inner = making.loops
        assert isinstance(inner, ir.Each)
        before: list[Statement] = []
        early: list[Statement] = []  # in a row, before it is written
        kept: dict[Statement, Statement | None] = {}
        size = self.facts.form(inner.count)
        for load in rows:
            form = self.facts.form(load.index)
            assert form is not None and size is not None
            if inner.index not in form.variables:
                computed, at = materialised(form, self.facts)
                early += [*computed, ir.Load(load.out, target, at)]
                kept[load] = None
                continue
            row = Buffer(target.dtype, self.facts.greatest(size), "temporary", target.name)
            index, value = Var(ir.LONG, inner.index.name), Var(target.dtype)
            self.facts.index(index, size)
            computed, at = materialised(form.replaced(inner.index, variable(index)), self.facts)
            body = Block([*computed, ir.Load(value, target, at), ir.Store(row, index, value)])
            before.append(ir.Each(index, inner.count, body, "vector", (), 0.3))
            kept[load] = ir.Load(load.out, row, inner.index)
        made: list[Statement] = []
        for s in inner.body:
            if s is making.store:
                computed, at = materialised(place, self.facts)
                made += [*computed, ir.Store(target, at, making.store.value)]
            else:
                here = kept.get(s, s)
                made += [] if here is None else [here]
        vector = dataclasses.replace(inner, body=Block(made))
        rest = [x for s in outer.body for x in ([*early, vector] if s is inner else [s])]
        nest = dataclasses.replace(outer, body=Block(rest))
        return [*before, nest]


def _nest(statement: Statement) -> _Nest | None:
    """A nest in whose innermost block one element is stored, and nothing else anywhere."""
    loops: list[ir.For | ir.Each] = []
    while isinstance(statement, ir.For | ir.Each) and len(loops) < 2:
        if (isinstance(statement, ir.For) and statement.state) or uses.results(statement):
            return None
        loops.append(statement)
        inner = [s for s in statement.body if ir.blocks(s)]
        if not inner:
            stores = [s for s in statement.body if isinstance(s, ir.Store)]
            plain = all(
                isinstance(s, ir.Compute | ir.Load | ir.Store | ir.Check) for s in statement.body
            )
            return _Nest(loops, stores[0]) if plain and len(stores) == 1 else None
        if len(inner) != 1 or any(isinstance(s, ir.Store) for s in statement.body):
            return None
        statement = inner[0]
    return None


def _copied(nest: _Nest) -> ir.Load | None:
    """The load of a nest that copies, and does nothing else."""
    if any(isinstance(s, ir.Load | ir.Check) for loop in nest.loops[:-1] for s in loop.body):
        return None
    body = nest.loops[-1].body
    loads = [s for s in body if isinstance(s, ir.Load)]
    if len(loads) != 1 or loads[0].out is not nest.store.value:
        return None
    return None if any(isinstance(s, ir.Check) for s in body) else loads[0]
