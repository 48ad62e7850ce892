"""Arrays that only copy parts of others, which are read in their place, and neighbouring loops of
one length as one: what rows and columns that are read and written as arrays leave behind."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Block, Buffer, Operand, Statement, Var
from autograph.kernels.passes.affine import Facts, materialised
from autograph.kernels.passes.dependence import (
    Access,
    Dependences,
    accesses,
    defined_in,
    is_understood,
)
from autograph.kernels.passes.forms import Form, variable
from autograph.kernels.passes.replacing import rebuild

OWN = ("temporary", "reserved")  # the kinds of memory of the kernel's, for the whole run
_MOST = 100  # statements of a loop that is made of two ...
_FEW = 8  # ... unless the second one has no more than so many, as one that copies
_AGAIN = 2  # loops in a loop, in which elements of a copy are read more than once


def is_same_count(x: Operand, y: Operand, facts: Facts) -> bool:
    """Whether two loops make as many trips, if any."""
    a, b = facts.form(x), facts.form(y)
    return a is not None and b is not None and a.same(b)


# -- reading what was copied -----------------------------------------------------------------------


def innermost(
    statement: Statement, facts: Facts
) -> tuple[ir.For | ir.Each, dict[Var, Form]] | None:
    """The innermost of loops in each other that have nothing else in them, and how many trips each
    makes, by its index; None if that is not known, or if one has variables."""
    counts: dict[Var, Form] = {}
    while isinstance(statement, ir.For | ir.Each):
        count = facts.form(statement.count)
        if count is None or (isinstance(statement, ir.For) and statement.state):
            return None
        counts[statement.index] = count
        nested = [s for s in statement.body if isinstance(s, ir.For | ir.Each)]
        if len(nested) != 1 or len(statement.body.statements) != 1:
            return statement, counts
        statement = nested[0]
    return None


def copying_loops(
    statement: Statement,
) -> tuple[list[ir.For | ir.Each], ir.Load, ir.Store] | None:
    """The loops of a nest that copies, the outer one first, and what it loads and stores."""
    loops: list[ir.For | ir.Each] = []
    while isinstance(statement, ir.For | ir.Each):
        if uses.results(statement) or (isinstance(statement, ir.For) and statement.state):
            return None
        loops.append(statement)
        others = [s for s in statement.body if not isinstance(s, ir.Compute)]
        if len(others) == 1:
            statement = others[0]
            continue
        if len(others) != 2:
            return None
        load, store = others
        if isinstance(load, ir.Load) and isinstance(store, ir.Store) and store.value is load.out:
            return loops, load, store
        return None
    return None


@dataclasses.dataclass(frozen=True)
class Copied:
    """An array each element of which is one of another: that at ``source`` is at ``target``, for
    the indices of loops, of which there are as many as ``counts`` say."""

    buffer: Buffer
    load: ir.Load
    target: Form
    source: Form
    counts: dict[Var, Form]


class CopiesRead:
    """Reads the originals of copies."""

    def __init__(self, body: Block, dependences: Dependences):
        self.facts = dependences.facts
        self.dependences = dependences
        self.stores: dict[Buffer, int] = {}
        for buffer in uses.all_written(body):
            self.stores[buffer] = self.stores.get(buffer, 0) + 1

    def block(self, block: Block) -> bool:
        """Change loads in a block, in place. Returns whether there were any."""
        if ir.is_straight(block):
            return False
        changed = False
        copied: list[Copied] = []
        group = self.dependences.memory.group
        for statement in block:
            for inner in ir.blocks(statement):
                changed |= self.block(inner)
            written: set[object] = set()
            if copied:
                written = {group(b) for s in ir.walk([statement]) for b in uses.written(s)}
            if isinstance(statement, ir.Each):
                for c in copied:
                    if group(c.load.buffer) in written:
                        changed |= self.replace_before_change(statement, c)
            copied = [c for c in copied if group(c.load.buffer) not in written]
            if copied and not isinstance(statement, ir.Load | ir.Store | ir.Compute):
                for inner in ir.blocks(statement):
                    changed |= self.replace(inner, copied)
            found = self.copies(statement)
            copied = [c for c in copied if all(c.buffer is not f.buffer for f in found)] + found
        return changed

    def copies(self, statement: Statement) -> list[Copied]:
        """The copies that a loop makes."""
        nest = innermost(statement, self.facts)
        if nest is None:
            return []
        loop, counts = nest
        block = loop.body
        loads: dict[Operand, ir.Load] = {s.out: s for s in block if isinstance(s, ir.Load)}
        found = []
        for s in block:
            if not isinstance(s, ir.Store) or s.value not in loads:
                continue
            buffer, load = s.buffer, loads[s.value]
            target, source = self.facts.form(s.index), self.facts.form(load.index)
            if buffer.kind not in OWN or self.stores.get(buffer) != 1:
                continue
            if target is None or source is None or load.buffer is buffer:
                continue
            if load.buffer.kind in ("record", "local"):  # others, after the loop
                continue
            if source.variables & (defined_in([loop]) - set(counts)):
                continue
            own = self.dependences.memory.group(load.buffer)
            if any(self.dependences.memory.group(b) == own for x in block for b in uses.written(x)):
                continue
            found.append(Copied(buffer, load, target, source, counts))
        return found

    def replace(self, block: Block, copied: Sequence[Copied], depth: int = 0) -> bool:
        """Change loads in a block, in place.

        Args:
            depth: how many loops are around it, but for the outermost.
        """
        changed = False
        made: list[Statement] = []
        again = depth >= _AGAIN and not any(isinstance(s, ir.For | ir.Each) for s in block)
        for s in block:
            inside = depth + isinstance(s, ir.For | ir.Each | ir.While)
            for inner in ir.blocks(s):
                changed |= self.replace(inner, copied, inside)
            one = next((c for c in copied if isinstance(s, ir.Load) and s.buffer is c.buffer), None)
            place = None
            if one is not None and isinstance(s, ir.Load):
                form = self.facts.form(s.index)
                place = self.original(one, form)
                if again and place is not None and _is_in_wider_steps(form, place):
                    place = None
            if one is None or place is None or not isinstance(s, ir.Load):
                made.append(s)
                continue
            made += self.read(s, one, place)
            changed = True
        block.statements[:] = made
        return changed

    def replace_before_change(self, each: ir.Each, copied: Copied) -> bool:
        """Change loads in a loop that changes the originals: each trip an element that no other
        one does, and that it has read before."""
        group, buffer = self.dependences.memory.group, copied.load.buffer
        stores = [
            s for s in ir.walk(each.body) if any(group(b) == group(buffer) for b in uses.written(s))
        ]
        if len(stores) != 1 or not any(s is stores[0] for s in each.body):
            return False
        store = stores[0]
        if not isinstance(store, ir.Store) or store.buffer is not buffer:
            return False
        target = self.facts.form(store.index)
        inner = {each.index, *defined_in(each.body)}
        own = Access(store, 1, target)
        if target is None or self.dependences.may_meet(own, own, inner, each.index):
            return False
        made: list[Statement] = []
        changed = is_changed = False
        for s in each.body:
            is_changed |= s is store
            place = None
            if isinstance(s, ir.Load) and s.buffer is copied.buffer and not is_changed:
                place = self.original(copied, self.facts.form(s.index))
            if place is None or not place.same(target) or not isinstance(s, ir.Load):
                made.append(s)
                continue
            made += self.read(s, copied, place)
            changed = True
        each.body.statements[:] = made
        return changed

    def read(self, load: ir.Load, copied: Copied, place: Form) -> list[Statement]:
        """What reads the original, at a place, where a copy was read."""
        computed, index = materialised(place, self.facts)
        return [*computed, ir.Load(load.out, copied.load.buffer, index)]

    def original(self, copied: Copied, place: Form | None) -> Form | None:
        """Where the element is that was copied to a place."""
        if place is None:
            return None
        split = self.dependences.split
        target, source, facts = copied.target, copied.source, self.facts
        pairs: list[tuple[Form, Form]] = []
        for stride in self.dependences.strides(target):
            mine, wanted = split(target, stride), split(place, stride)
            if mine is None or wanted is None:
                return None
            pairs.append((mine[0], wanted[0]))
            target, place = mine[1], wanted[1]
        pairs.append((target, place))
        found = source
        solved: dict[Var, Form] = {}
        for form, value in pairs:
            own = [v for v in form.variables if v in copied.counts]
            if not own:
                if not form.same(value):
                    return None
                continue
            if len(own) != 1 or form.of(own[0]) != 1 or own[0] in solved:
                return None
            index = own[0]
            rest = form.plus(variable(index), -1)
            solved[index] = value.plus(rest, -1)
            beyond = solved[index].plus(copied.counts[index], -1)
            if facts.least(solved[index]) < 0 or facts.greatest(beyond) >= 0:
                return None
        for index, value in solved.items():
            found = found.replaced(index, value)
        if any(v in found.variables for v in copied.counts):
            return None
        return found


def _is_in_wider_steps(copy: Form | None, original: Form) -> bool:
    """Whether what lies side by side in a copy does not in the original, as parts of complex
    numbers do not."""
    return copy is not None and any(copy.of(v) == 1 and original.of(v) != 1 for v in copy.variables)


# -- neighbours ------------------------------------------------------------------------------------


class Neighbours:
    """Makes one loop of two that follow each other, where the second reads what the first wrote."""

    def __init__(self, dependences: Dependences):
        self.facts = dependences.facts
        self.dependences = dependences

    def block(self, block: Block) -> bool:
        """Join the loops of a block, in place. Returns whether there were any."""
        return rebuild(block, self._add)

    def _add(self, made: list[Statement], s: Statement) -> bool:
        place = self.before(made, s) if isinstance(s, ir.Each) else None
        if place is None:
            made.append(s)
            return False
        first = made[place]
        assert isinstance(first, ir.Each) and isinstance(s, ir.Each)
        made[place:] = [*made[place + 1 :], self.joined(first, s)]
        return True

    def before(self, made: Sequence[Statement], second: ir.Each) -> int | None:
        """Where the loop is that a loop can be joined to."""
        for place in range(len(made) - 1, -1, -1):
            s = made[place]
            if isinstance(s, ir.Each):
                between = made[place + 1 :]
                return place if self.may_join(s, between, second) else None
            if not isinstance(s, ir.Compute | ir.Load | ir.Check):
                return None
        return None

    def may_join(self, first: ir.Each, between: Sequence[Statement], second: ir.Each) -> bool:
        statements = [*first.body, *second.body]
        if (first.mode, second.mode) != ("vector", "vector") or first.reductions:
            return False
        if not is_same_count(first.count, second.count, self.facts):
            return False
        if not is_understood(statements):
            return False
        if len(second.body.statements) > _FEW and sum(1 for _ in ir.walk(statements)) > _MOST:
            return False
        written = uses.writes(first.body)
        if not written & uses.reads(second.body):
            return False
        groups = {self.dependences.memory.group(b) for b in written}
        if any(
            isinstance(s, ir.Load) and self.dependences.memory.group(s.buffer) in groups
            for s in between
        ):
            return False
        return in_step(first, second, self.dependences)

    def joined(self, first: ir.Each, second: ir.Each) -> ir.Each:
        """One loop; `may_join` has renamed the index of the second."""
        moved = [substituted(s, {second.index: first.index}) for s in second.body]
        block = Block([*first.body, *moved])
        found = forward(block, self.dependences)
        found[second.index] = first.index
        reductions = tuple(
            dataclasses.replace(r, value=found.get(r.value, r.value)) for r in second.reductions
        )
        work = first.work + second.work
        return dataclasses.replace(first, body=block, work=work, reductions=reductions)


def in_step(first: ir.For | ir.Each, second: ir.For | ir.Each, dependences: Dependences) -> bool:
    """Whether two loops touch the same memory, of which one is written, only in trips of the same
    number. Then what is known of the second speaks of the index of the first."""
    facts, inner = dependences.facts, defined_in(second.body)
    bounds = (x for v in inner for x in (*facts.lows(v), *facts.highs(v)))
    if any(second.index in x.variables for x in bounds):
        return False
    inner.add(second.index)

    def rename(old: Var, new: Var) -> None:
        for var in inner:
            facts.rename(var, old, new)

    rename(second.index, first.index)
    alike = dependences.meet_only_in_step(
        list(accesses(first.body, facts)),
        list(accesses(second.body, facts)),
        defined_in([*first.body, *second.body]),
        first.index,
    )
    if not alike:
        rename(first.index, second.index)
    return alike


def forward(block: Block, dependences: Dependences) -> dict[Operand, Operand]:
    """Take what a block stores as it is where the block loads it again, in place. Returns what
    stands for the scalars that are not loaded any more."""
    facts, group = dependences.facts, dependences.memory.group
    stored: dict[Buffer, tuple[Form, Operand]] = {}
    replaced: dict[Operand, Operand] = {}
    made: list[Statement] = []
    for s in block:
        s = substituted(s, replaced)
        match s:
            case ir.Load() if s.buffer in stored:
                form, value = stored[s.buffer]
                here = facts.form(s.index)
                if here is not None and here.same(form):
                    replaced[s.out] = value
                    continue
            case ir.Store():
                stored = {b: x for b, x in stored.items() if group(b) != group(s.buffer)}
                place = facts.form(s.index)
                if place is not None:
                    stored[s.buffer] = (place, s.value)
            case _:
                written = {group(b) for x in ir.walk([s]) for b in uses.written(x)}
                stored = {b: x for b, x in stored.items() if group(b) not in written}
        made.append(s)
    block.statements[:] = made
    return replaced


def substituted(s: Statement, replaced: dict[Operand, Operand]) -> Statement:
    """A statement, and those in it, with other operands."""
    if not replaced:
        return s

    def of(value: Any) -> Any:
        match value:
            case Block():
                return Block([substituted(x, replaced) for x in value])
            case tuple() if type(value) is tuple:  # a location is one with names
                return tuple(map(of, value))
            case ir.Reduction():
                return dataclasses.replace(value, out=of(value.out), value=of(value.value))
            case Operand():
                return replaced.get(value, value)
        return value

    changes: dict[str, Any] = {f.name: of(getattr(s, f.name)) for f in dataclasses.fields(s)}
    return dataclasses.replace(s, **changes)
