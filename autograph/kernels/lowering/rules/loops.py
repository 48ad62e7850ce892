"""Loops: `while_loop` and `for_loop`.

Scalars that a loop changes are state of the IR's loops. An array that a loop changes has one place
in memory from the first trip to the last. A trip computes its next contents there if nothing can
notice, else somewhere else, and they are copied.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import ops
from autograph.graph.aliasing import may_be_given
from autograph.graph.graph import Node, Value, producer_of
from autograph.graph.wiring import Carried, loop_of, wiring
from autograph.kernels.ir.ir import BOOL, LONG, Operand, Var
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.analysis.by_columns import by_columns
from autograph.kernels.lowering.analysis.changed import keeps_rows
from autograph.kernels.lowering.analysis.overwriting import may_overwrite
from autograph.kernels.lowering.analysis.trips import freed, leaves_records, may_free_beside_lists
from autograph.kernels.lowering.arrays import demand, growing, lookups
from autograph.kernels.lowering.arrays.changes import may_change, put_in_place, take
from autograph.kernels.lowering.rules.by_columns import trips
from autograph.kernels.lowering.rules.captures import settle_captures
from autograph.kernels.lowering.rules.renewed import WORD, Renewal
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import (
    CannotLower,
    Deferred,
    GrowingRows,
    Held,
    Measured,
    Memory,
    is_array,
    is_growing,
    scalar_dtype,
)
from ops.core.symbolic_lengths import is_length


def while_loop(state: State, node: Node) -> None:
    """A loop that goes on as long as its test says so."""
    filled = _filled_in_place(state, node)
    settle_captures(state, node)
    _share_captures(state, node)
    loop = LoopState(state, node, filled)
    test = loop.parts.test

    def condition(*values: Var) -> Operand:
        inner = state.inner(test)
        loop.bind(inner, test.inputs, values)
        growing.share_all(inner, test.inputs)  # the body gets them as well
        (flag,) = state.shared.lower_region(inner, test, [None])
        return state.b.cast(flag, BOOL)

    def trip(*values: Var) -> list[Operand]:
        return loop.trip(values)

    loop.finish(state.b.while_(loop.init, condition, trip, loop.names, loop.freed()))


def for_loop(state: State, node: Node) -> None:
    """A loop whose trips are counted."""
    filled = _filled_in_place(state, node)
    settle_captures(state, node)
    _share_captures(state, node)
    loop = LoopState(state, node, filled)
    columns = None if state.serial else by_columns(node)
    if columns is not None:
        count = trips(state, node, columns, loop.places)
        loop.finish(loop.given_after(count))
        return
    count = state.b.cast(demand.scalar(state, loop.parts.count), LONG)

    def trip(index: Operand, *values: Var) -> list[Operand]:
        return loop.trip(values, state.b.cast(index, scalar_dtype(loop.parts.index)))

    loop.finish(state.b.for_(count, loop.init, trip, loop.names, loop.freed()))


def _share_captures(state: State, node: Node) -> None:
    """Let lists that a loop does not pass on be its own as well, if one of those that it leaves may
    be one of them."""
    if any(map(is_growing, node.outputs)):
        growing.share_all(state, [v for region in node.regions for v in region.captures])


class LoopState:
    """What a loop passes from trip to trip.

    That is a list of scalars: first the variables that are scalars, then, for each array of which
    only the run knows it, whether it is memory that the kernel was given, then, for each list that
    grows, where it is, and what `Renewal` has, if its trips make such anew. The other arrays, and
    these too, are in memory.

    Attributes:
        parts: of the loop.
        variables: of the loop.
        init: the scalars before the first trip; ``names`` are theirs.
        places: the memory of arrays, by the inputs of the body.
        filled: that of those which are filled in it, by what they are before the first trip.
        uncertain: the arrays that may still be, or be again, what the kernel was given; likewise.
        lists: the variables of which only the run knows a length.
        alone: those of them, by the inputs of the body, that no trip gives other memory; see
            `GrowingRows`.
        renewal: how trips leave these, if they are copied.
        frees: whether a trip of a loop with lists frees what it reserves for others. Then the last
            scalar is where the newest of what stays is: in a trip in which a list moves, all does.
    """

    def __init__(self, state: State, node: Node, filled: Mapping[Value, Memory]):
        self.state = state
        self.node = node
        self.filled = filled
        self.parts = loop_of(node)
        self.variables = wiring(node).carried
        scalars = [v for v in self.variables if not is_array(v.entered)]
        self.init = [self._typed(demand.scalar(state, v.start), v.entered) for v in scalars]
        arrays = [v for v in self.variables if not is_growing(v.entered)]
        self.uncertain = {v.entered: v for v in arrays if may_be_given(v.result)}
        self.init += [state.env.is_given(v.start) for v in self.uncertain.values()]
        self.names = [v.entered.name for v in scalars] + [None] * len(self.uncertain)
        self.lists = [v for v in self.variables if is_growing(v.entered)]
        self.alone: set[Value] = set()
        for variable in self.lists:
            self.init += growing.words(state, self._first_rows(variable))
            self.names += growing.names(state, variable.entered)
        self.renewal = None
        if self.lists and state.shared.renews:
            self.renewal, self.newest = Renewal(len(self.lists)), len(self.init)
            self.init += self.renewal.init
            self.names += [None] * len(self.renewal.init)
        may_free = self.renewal is None and not state.serial
        self.frees = may_free and may_free_beside_lists(
            self.parts.body, self.lists, state.shared.list_before_call
        )
        if self.frees:
            self.init.append(state.b.long(0))
            self.names.append(None)
        self.places: dict[Value, Memory] = {}
        for variable in self.variables:
            if is_array(variable.entered) and not is_growing(variable.entered):
                self.places[variable.entered] = self._placed(variable)

    def _first_rows(self, variable: Carried) -> GrowingRows:
        """A list before the first trip. If trips write elements of it and nothing else, it is moved
        here to memory of its own, where it has to be, rather than as each of them asks."""
        state, entered = self.state, variable.entered
        rows = growing.taken(state, self.node, variable.start)
        may_move = not (rows.is_alone or state.keeps or state.shared.renews)
        if not (rows.is_alone or may_move) or lookups.has_table(state, variable.start, entered):
            return rows
        if keeps_rows(self.parts.body, entered, variable.left, surely=may_move):
            rows = growing.alone(state, variable.start.type, rows)
            self.alone.add(entered)
        return rows

    def _typed(self, operand: Operand, value: Value) -> Operand:
        """A scalar in the dtype of a value."""
        return self.state.b.cast(operand, scalar_dtype(value))

    def _placed(self, variable: Carried) -> Memory:
        """The memory of an array, with its first contents."""
        state, start = self.state, variable.start
        if start in self.filled:
            place = self.filled[start]
            demand.put(state, start, place)
            del state.env[start]  # its memory will change
            return place
        place = state.places.wanted(variable.result)
        held = state.env.get(start)
        same = isinstance(held, Memory) and place is not None and held.buffer is place.buffer
        if (place is None or same) and _may_take(state, self.node, start):
            place = demand.memory(state, start)
            take(state, start, place)
            state.env.end(start)  # it will change
            return place
        type = variable.entered.type
        if place is None or same:
            place = state.places.allocate(type.dtype, type.size, variable.entered.name)
        if isinstance(state.env.get(start), Deferred) and _is_only_start(state, self.node, start):
            demand.put(state, start, place)
            del state.env[start]  # its memory will change
        else:
            state.loops.copy(demand.memory(state, start), place, type.size)
        return place

    def bind(self, inner: State, values: Sequence[Value], scalars: Sequence[Operand]) -> None:
        """Let values, as the inputs of a region, be the variables."""
        following = iter(scalars)
        for value, variable in zip(values, self.variables):
            place = self.places.get(variable.entered)
            if not is_growing(value):
                inner.env[value] = next(following) if place is None else place
        for value, variable in zip(values, self.variables):
            if variable.entered in self.uncertain:
                inner.env.given[value] = next(following)
        for value, variable in zip(values, self.variables):
            if is_growing(value):
                rows = growing.from_words(inner, value, following)
                is_alone = variable.entered in self.alone
                inner.env[value] = rows._replace(is_alone=is_alone)

    def trip(self, scalars: Sequence[Operand], index: Operand | None = None) -> list[Operand]:
        """The body, and the next scalars."""
        body = self.parts.body
        inner = self.state.inner(body)
        inner.keeps |= bool(self.lists) and self.renewal is None and not self.frees
        if index is not None:
            inner.env[self.parts.index] = index
        self.bind(inner, self.parts.state, scalars)
        for variable in self.variables:
            place, left = self.places.get(variable.entered), variable.left
            if place is None or sum(v is left for v in body.outputs) > 1:
                continue
            if may_overwrite(inner.plan, variable.entered, left):
                inner.places.want(left, place)
                inner.places.replaced[left] = variable.entered
        entered = [inner.env[v.entered] for v in self.lists]
        inner.leaves_measured = self.renewal is not None
        results = self.state.shared.lower_region(inner, body, [None] * len(body.outputs))
        lists = [found for found in results if isinstance(found, GrowingRows | Measured)]
        for k, variable in enumerate(self.lists):
            found = lists[k]
            if variable.entered in self.alone and isinstance(found, GrowingRows):
                lists[k] = growing.alone(inner, variable.entered.type, found)
        renewed: list[Operand] = []
        if self.renewal is not None:
            types = [v.entered.type for v in self.lists]
            tables = [lookups.has_table(inner, v.entered) for v in self.lists]
            given = scalars[self.newest :], types, entered, lists, tables
            lists, renewed = self.renewal.left(inner, *given)
        following = self._moved(inner, results)
        following += [inner.env.is_given(v.left) for v in self.uncertain.values()]
        following += [word for rows in lists for word in growing.words(inner, rows)] + renewed
        if self.frees:
            following += self._newest(inner, entered, lists, scalars[-1])
        return following

    def _newest(
        self,
        inner: State,
        entered: Sequence[GrowingRows],
        left: Sequence[GrowingRows],
        before: Operand,
    ) -> tuple[Operand, ...]:
        """Where the newest memory is that stays after a trip."""
        b = inner.b
        moved: Operand = b.cast(b.long(0), BOOL)
        for variable, was, now in zip(self.lists, entered, left):
            type = variable.entered.type
            moved = moved | (growing.end(inner, type, was) != growing.end(inner, type, now))
        return b.if_(moved, lambda: (b.reserve(b.long(WORD)),), lambda: (before,))

    def _moved(self, inner: State, results: Sequence[Held]) -> list[Operand]:
        """Have arrays that a trip leaves elsewhere in their places; the scalars that it leaves."""
        scalars: list[Operand] = []
        found = []
        for variable, result in zip(self.variables, results):
            value = variable.entered
            if isinstance(result, Operand):
                scalars.append(self._typed(result, value))
            if isinstance(result, Memory):
                found.append((result, self.places[value], value.type.size))
        put_in_place(inner, found, [place.buffer for place in self.places.values()])
        return scalars

    def given_after(self, count: Operand) -> list[Operand]:
        """Which arrays are still what the kernel was given after so many trips that change them,
        where arrays are all that they change."""
        b = self.state.b
        return [
            flag if v.left is v.entered else b.cast(flag, BOOL) & (count < 1)
            for flag, v in zip(self.init, self.uncertain.values())
        ]

    def freed(self) -> tuple[int | None, int | Operand] | None:
        """What is freed at the end of a trip: by position among the scalars."""
        if self.frees:
            return len(self.init) - 1, WORD
        found = None if self.state.serial else freed(self.parts, self.state.shared.records)
        if found is None:
            return None
        if self.lists:  # they have to stay
            if leaves_records(self.parts.body.nodes):
                raise CannotLower(reasons.ADDS_UP.of(self.node.location))
            return None if self.renewal is None else (self.newest, WORD)
        newest, nbytes = found
        following = [v.left for v in self.variables if not is_array(v.entered)]
        position = next((i for i, v in enumerate(following) if v is newest), None)
        return position, self.state.b.long(nbytes) if is_length(nbytes) else nbytes

    def finish(self, scalars: Sequence[Operand]) -> None:
        """Let the node's results be what the last trip left."""
        self.bind(self.state, self.node.outputs, scalars)


def _may_take(state: State, node: Node, start: Value) -> bool:
    """Whether a loop may change an array in the memory in which it is before."""
    held = state.env.get(start)
    if not isinstance(held, Memory) or held.buffer.size != start.type.size:
        return False
    read = [*node.inputs, *(v for region in node.regions for v in region.captures)]
    return (
        sum(v is start for v in read) == 1
        and not state.progress.is_used_later(start)
        and may_change(state, start, held)
    )


def _filled_in_place(state: State, node: Node) -> dict[Value, Memory]:
    """The arrays that are filled with a number before the first trip, and the memory of the result,
    where they are filled if nothing else is in that memory.

    This is asked of all of them before anything is computed for the loop, which would bring them
    into memory of their own.
    """
    found = {}
    for variable in wiring(node).carried:
        start, place = variable.start, state.places.wanted(variable.result)
        if not is_array(variable.entered) or is_growing(variable.entered) or place is None:
            continue
        waits = isinstance(state.env.get(start), Deferred) and _is_only_start(state, node, start)
        if not waits or producer_of(start).op is not ops.full:
            continue
        taken = any(True for _ in state.env.others_in(place.buffer, start))
        if not taken and state.places.wanted(start) is None:
            state.places.want(start, place)
            found[start] = place
    return found


def _is_only_start(state: State, node: Node, value: Value) -> bool:
    """Whether a value is for nothing but to be one variable of a loop before the first trip."""
    plan = state.plan
    captured = any(value is v for region in node.regions for v in region.captures)
    return (
        plan.uses.get(value, ()) == [node]
        and value not in plan.outputs
        and not captured
        and sum(v is value for v in node.inputs) == 1
    )
