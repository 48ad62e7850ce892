"""Arrays that each trip of a loop computes aside and copies back, in two memories by turns.

``u[1:-1] = f(u)`` reads neighbours of what it writes, so all of it is computed before any of it is
written. In two trips at once the first reads ``u`` and writes another array, and the second reads
that one and writes ``u``: nothing is copied. What is never written is in both from the start.
Where only the run knows the length of ``u``, the other array is the one that was computed aside if
that is as large, or in memory that the kernel reserves when it begins.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.builder import KernelBuilder, block_apart
from autograph.kernels.ir.ir import LONG, Block, Buffer, Number, Operand, Statement, Var
from autograph.kernels.passes.copying import copying_loops, substituted
from autograph.kernels.passes.dependence import Dependences, defined_in, is_understood
from autograph.kernels.passes.forms import variable
from autograph.kernels.passes.jam import Copier
from autograph.kernels.passes.open_arrays import OpenArrays
from autograph.kernels.passes.replacing import replace_statements
from ops.core.symbolic_lengths import example_of, is_length, is_same

_MOST_STATEMENTS = 200  # of a trip
_LEAST = 3  # trips of a loop that is worth a copy of the whole
_TRIPS = 8  # of a loop of which only the run knows, as far as is known


@dataclasses.dataclass
class _Turn:
    """An array that is computed aside and copied back.

    Attributes:
        target: the array.
        making: the statement of the body that computes it, ``store`` in it.
        copying: the statement that copies it back, and does nothing else.
        place: statements that compute where an element goes, of the indices of ``making``.
        index: where it goes.
        aside: the memory of the array that is computed aside, if the other one shall be there.
    """

    target: Buffer
    making: Statement
    store: ir.Store
    copying: Statement
    place: Sequence[Statement]
    index: Operand
    aside: Buffer | None = None


def alternate(body: Block, dependences: Dependences) -> bool:
    """Change the loops of a kernel, in place, the inner ones first.

    Returns:
        Whether there was something to change.
    """
    memory = OpenArrays(body, dependences.facts)
    changed = replace_statements(
        body,
        ir.For,
        lambda s: _by_turns(s, body, dependences, memory),
        enters=lambda s: not isinstance(s, ir.Each),
    )
    memory.add()
    return changed


def _by_turns(
    s: ir.For, body: Block, dependences: Dependences, memory: OpenArrays
) -> list[Statement] | None:
    """What comes in the place of a loop; None if it stays."""
    if s.state or s.freed is not None or not is_understood(s.body):
        return None
    if isinstance(s.count, Number) and s.count.value < _LEAST:
        return None
    if sum(1 for _ in ir.walk(s.body)) > _MOST_STATEMENTS:
        return None
    turns = [t for x in s.body if (t := _turn(x, s, body, dependences)) is not None]
    if not turns or len({t.target for t in turns}) != len(turns):
        return None
    with block_apart("alternation") as (builder, made):
        _Alternation(builder, s, turns, memory).all()
    return made.statements


def _turn(copying: Statement, s: ir.For, body: Block, dependences: Dependences) -> _Turn | None:
    """The array that a statement of a loop copies back, if it is computed aside and not written
    otherwise."""
    found = copying_loops(copying)
    if found is None:
        return None
    loops, load, store = found
    target, aside = store.buffer, load.buffer
    is_open = is_length(target.size)
    kinds = ("reserved", "output") if is_open else ("temporary", "output")
    if aside.kind != ("reserved" if is_open else "temporary") or target.kind not in kinds:
        return None
    if not is_open and target.size == ir.UNKNOWN_SIZE:
        return None
    if dependences.facts.length(target.size) is None:
        return None
    if target.base in defined_in(s.body):
        return None
    if not _saves(aside, target, s.count):
        return None
    touching = [x for x in ir.walk(body) if aside in uses.buffers(x)]
    if len(touching) != 2:
        return None
    (write,) = (x for x in touching if x is not load)
    group = dependences.memory.group
    for x in ir.walk(s.body):
        if any(b is not target and group(b) == group(target) for b in uses.buffers(x)):
            return None
        if isinstance(x, ir.Store) and x.buffer is target and x is not store:
            return None
    before = s.body.statements[: s.body.statements.index(copying)]
    for making in before:
        path = _path(making, write)
        if path is not None and isinstance(write, ir.Store):
            break
    else:
        return None
    if any(target in uses.buffers(x) for x in ir.walk([copying]) if x is not store):
        return None
    reused = aside if is_open and _is_as_large(aside, target, loops, s, dependences) else None
    turn = _Turn(target, making, write, copying, (), store.index, reused)
    return _placed(turn, path, loops, load, s, dependences)


def _saves(aside: Buffer, target: Buffer, count: Operand) -> bool:
    """Whether trips copy as much as goes from one memory to the other before and after them: not if
    they change a few elements of many."""
    trips = int(count.value) if isinstance(count, Number) else _TRIPS
    return trips * example_of(aside.size) >= 2 * example_of(target.size)


def _is_as_large(
    aside: Buffer,
    target: Buffer,
    loops: Sequence[ir.For | ir.Each],
    s: ir.For,
    dependences: Dependences,
) -> bool:
    """Whether two arrays of a length known only at run time may stand for each other in a loop,
    and one nest copies all of them."""
    if aside.dtype != target.dtype or not is_same((aside.size,), (target.size,)) or len(loops) != 1:
        return False
    count, size = dependences.facts.form(loops[0].count), dependences.facts.length(target.size)
    if count is None or size is None or not count.same(size):
        return False
    return not {loops[0].count, aside.base} & set(defined_in(s.body))


def _placed(
    turn: _Turn,
    path: Sequence[ir.For | ir.Each],
    loops: Sequence[ir.For | ir.Each],
    load: ir.Load,
    s: ir.For,
    dependences: Dependences,
) -> _Turn | None:
    """The turn with the place of an element, if the two nests go through the same elements in the
    same loops."""
    if _is_whole(turn, path, loops, load, s, dependences):
        return dataclasses.replace(turn, index=turn.store.index)
    if len(path) != len(loops):
        return None
    indices: dict[Var, Var] = {}
    facts = dependences.facts
    for mine, other in zip(path, loops):
        a, b = facts.form(mine.count), facts.form(other.count)
        if a is None or b is None or not a.same(b) or a.variables & defined_in(s.body):
            return None
        indices[other.index] = mine.index
    made, read = facts.form(turn.store.index), facts.form(load.index)
    if made is None or read is None or not made.same(read.renamed(indices)):
        return None
    renamed: dict[Operand, Operand] = dict(indices.items())
    # Where elements go depends on nothing but which they are.
    place: list[Statement] = []
    for loop in loops:
        for x in loop.body:
            if isinstance(x, ir.Compute):
                fresh = dataclasses.replace(x, out=Var(x.out.dtype, x.out.name))
                place.append(substituted(fresh, renamed))
                renamed[x.out] = fresh.out
    changing = {s.index, *defined_in(s.body)} - set(renamed.values())
    if any(v in changing for x in place for v in uses.operands(x)):
        return None
    index = renamed.get(turn.index, turn.index)
    if index is turn.index and index in changing:
        return None
    return dataclasses.replace(turn, place=place, index=index)


def _is_whole(
    turn: _Turn,
    path: Sequence[ir.For | ir.Each],
    loops: Sequence[ir.For | ir.Each],
    load: ir.Load,
    s: ir.For,
    dependences: Dependences,
) -> bool:
    """Whether all elements of what is computed aside are copied to the same places, and each trip
    computes the same ones: then these are all, since others were never computed."""
    facts = dependences.facts
    read, to, made = map(facts.form, (load.index, turn.index, turn.store.index))
    count = facts.form(loops[0].count)
    if len(loops) != 1 or read is None or to is None or made is None or count is None:
        return False
    if not read.same(variable(loops[0].index)) or not to.same(read):
        return False
    size = facts.length(turn.store.buffer.size)
    if size is None or not count.same(size):
        return False
    changing = {s.index, *defined_in(s.body)}
    counts = [facts.form(loop.count) for loop in path]
    if any(form is None or changing & form.variables for form in counts):
        return False
    return not changing.difference(loop.index for loop in path) & made.variables


def _path(statement: Statement, store: Statement) -> list[ir.For | ir.Each] | None:
    """The loops around a store that each of their trips makes; None if it is elsewhere."""
    if not isinstance(statement, ir.For | ir.Each):
        return None
    if any(s is store for s in statement.body):
        return [statement]
    for s in statement.body:
        found = _path(s, store)
        if found is not None:
            return [statement, *found]
    return None


class _Alternation:
    """Adds the loop over two trips to a builder."""

    def __init__(
        self, builder: KernelBuilder, s: ir.For, turns: Sequence[_Turn], memory: OpenArrays
    ):
        self.builder = builder
        self.memory = memory
        self.s = s
        self.turns = turns
        self.own = {t.target: t.target for t in turns}
        self.others = {t.target: t.aside or self.like(t.target) for t in turns}

    def all(self) -> None:
        """All trips: two at once, and one that may remain."""
        b, count = self.builder, self.s.count
        for turn in self.turns:
            self.copy(turn.target, self.others[turn.target])
        pairs = b.compute("quotient", count, 2)

        def pair(index: Operand) -> tuple[Operand, ...]:
            first = b.compute("*", index, 2)
            self.trip(first, self.own, self.others)
            self.trip(b.compute("+", first, 1), self.others, self.own)
            return ()

        def last(index: Operand) -> tuple[Operand, ...]:
            self.trip(b.compute("+", done, index), self.own, self.others)
            for turn in self.turns:
                self.copy(self.others[turn.target], turn.target)
            return ()

        b.for_(pairs, (), pair)
        done = b.compute("*", pairs, 2)
        rest = b.compute("-", count, done)
        if not isinstance(rest, Number) or rest.value:
            b.for_(rest, (), last)

    def like(self, array: Buffer) -> Buffer:
        """The other array."""
        if is_length(array.size):
            return self.memory.array(array)
        return self.builder.temporary(array.dtype, array.size, array.name)

    def copy(self, source: Buffer, target: Buffer) -> None:
        """A whole array."""
        b, size = self.builder, source.size
        count = self.memory.size(size) if is_length(size) else Number(size, LONG)
        with b.each(count, "vector", work=0.3) as i:
            b.store(target, i, b.load(source, i))

    def trip(
        self, index: Operand, before: Mapping[Buffer, Buffer], after: Mapping[Buffer, Buffer]
    ) -> None:
        """One trip, which reads arrays in one memory and writes them in another."""
        now = dict(before)
        made: list[Statement] = []
        copying = {t.copying: t for t in self.turns}
        stores: dict[Statement, _Turn] = {t.store: t for t in self.turns}
        for s in self.s.body:
            turn = copying.get(s)
            if turn is not None:
                now[turn.target] = after[turn.target]
                continue
            made += self.moved(s, now, after, stores)
        Copier(self.builder).statements(Block(made), [{self.s.index: index}])

    def moved(
        self,
        s: Statement,
        now: Mapping[Buffer, Buffer],
        after: Mapping[Buffer, Buffer],
        stores: Mapping[Statement, _Turn],
    ) -> list[Statement]:
        """A statement with other memory."""
        if isinstance(s, ir.Load):
            return [dataclasses.replace(s, buffer=now.get(s.buffer, s.buffer))]
        turn = stores.get(s)
        if turn is not None:
            return [*turn.place, ir.Store(after[turn.target], turn.index, turn.store.value)]
        blocks: dict[str, Any] = {
            f.name: Block([y for x in value for y in self.moved(x, now, after, stores)])
            for f in dataclasses.fields(s)
            if isinstance(value := getattr(s, f.name), Block)
        }
        return [dataclasses.replace(s, **blocks)] if blocks else [s]
