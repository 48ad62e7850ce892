"""Control flow: `If`, `Loop` and `Scan`, and what they keep for a backward pass.

What a region captures it finds in the graph around it. A variable of a loop that no trip changes is
found there, too. A counted loop that writes a row of an array in each trip, the array having as
many rows as there are trips, stacks these rows: it is a `Scan`; rows that it reads in that order
are what it goes through. What each trip puts on a stack the loop stacks likewise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from autograph.export.layouts import NOTHING, Layout
from autograph.export.onnx_model import records
from autograph.export.onnx_model.nodes import BOOL, LONG, NodeScope
from autograph.export.onnx_model.records import KeptArrays
from autograph.export.onnx_model.terms import Tensor, all_true, known
from autograph.export.onnx_model.writer import ModelWriter, rule
from autograph.graph.graph import Constant, Graph, Node, Value, walk
from autograph.graph.wiring import branches_of, loop_of
from ops.arrays.indexing import getitem, index_update
from ops.control import effects, regions
from ops.core.types import ArrayType
from ops.numbers.overflow import in_64_bits

_EACH = (("arg", 0),)


class GraphPart(NamedTuple):
    """An array that goes in or out of a subgraph.

    Attributes:
        dtype, shape: of it; a length is None if known only at run time.
    """

    dtype: np.dtype
    shape: tuple[int | None, ...]


def _layout(value: Value, found: Any) -> Layout:
    return found.layout if isinstance(found, KeptArrays) else records.leaf(value.type)


def _parts(layout: Layout) -> list[GraphPart]:
    return [GraphPart(*array) for array in records.arrays(layout)]


def _terms(writer: ModelWriter, found: Any, layout: Layout) -> list[Tensor]:
    """The arrays that something is, in a layout."""
    if isinstance(found, KeptArrays):
        return list(records.converted(writer.nodes, found, layout))
    return [found]


def _held(layout: Layout, terms: Sequence[Tensor]) -> Any:
    return terms[0] if layout[0] == "leaf" else KeptArrays(layout, tuple(terms))


def _split(layouts: Sequence[Layout], terms: Sequence[Tensor]) -> list[Any]:
    """What values of these layouts are, of all their arrays."""
    found, start = [], 0
    for layout in layouts:
        end = start + records.count(layout)
        found.append(_held(layout, terms[start:end]))
        start = end
    return found


def _described(
    writer: ModelWriter, terms: Sequence[Tensor], parts: Sequence[GraphPart]
) -> list[Any]:
    return [writer.nodes.described(t.name, p.dtype, p.shape) for t, p in zip(terms, parts)]


def _own(writer: ModelWriter, scope: NodeScope, terms: Sequence[Tensor]) -> list[Tensor]:
    """Results of a subgraph, which has to compute each of them, once."""
    computed = {name for node in scope.nodes for name in node.output}
    found: list[Tensor] = []
    for term in terms:
        if term.name not in computed:
            term = term.made("Identity")
        computed.discard(term.name)
        found.append(term)
    return found


def _inputs(writer: ModelWriter, stem: str | None, parts: Sequence[GraphPart]) -> list[Tensor]:
    return [Tensor(writer.nodes, writer.nodes.new(stem), part.dtype) for part in parts]


# -- branches --------------------------------------------------------------------------------------


@rule(regions.cond)
def _cond(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> list[Any]:
    nodes = writer.nodes
    branches = branches_of(node)
    test = operands[0].cast(bool)
    written = []
    for region in (branches.then, branches.orelse):
        with nodes.subgraph() as scope:
            written.append((region, scope, writer.write(region)))
    first, second = ([_layout(v, x) for v, x in zip(r.outputs, f)] for r, _, f in written)
    layouts = [records.united(nodes, a, b) for a, b in zip(_of(node, first), _of(node, second))]
    guarded = any(scope.guards for _, scope, _ in written)
    graphs = []
    parts = [p for layout in layouts for p in _parts(layout)]
    parts += [GraphPart(BOOL, ())] if guarded else []
    for region, scope, found in written:
        with nodes.subgraph():
            nodes.scope = scope
            terms = [t for x, layout in zip(found, layouts) for t in _terms(writer, x, layout)]
            if guarded:
                flag = nodes.guard(scope)
                terms.append(known(nodes, True) if flag is None else Tensor(nodes, flag, BOOL))
            terms = _own(writer, scope, terms)
            name = nodes.new(region.name)
            graphs.append(nodes.graph(name, scope, [], _described(writer, terms, parts)))
    if not parts:
        return []
    names = nodes.many("If", [test.name], len(parts), then_branch=graphs[0], else_branch=graphs[1])
    terms = [Tensor(nodes, name, part.dtype) for name, part in zip(names, parts)]
    if guarded:
        nodes.scope.guards.append(terms.pop().name)
    return _split(layouts, terms)


def _of(node: Node, layouts: Sequence[Layout]) -> list[Layout]:
    """The layouts of results, whose types are those of the node."""
    return [
        records.leaf(v.type) if isinstance(v.type, ArrayType) else layout
        for v, layout in zip(node.outputs, layouts)
    ]


# -- loops -----------------------------------------------------------------------------------------


class Trip(NamedTuple):
    """What a trip of a loop was written as.

    Attributes:
        entered: what variables are as it begins.
        left: when it ends.
        scope: its nodes.
    """

    entered: list[Any]
    left: list[Any]
    scope: NodeScope


class LoopWriter:
    """Writes a loop."""

    def __init__(self, writer: ModelWriter, node: Node, operands: Sequence[Any]):
        self.writer, self.nodes, self.node = writer, writer.nodes, node
        self.loop = loop_of(node)
        self.start = list(operands[len(self.loop.operands) :])
        self.index: Tensor | None = None
        self.layouts = [_layout(v, x) for v, x in zip(self.loop.state, self.start)]
        self.constant: set[int] = set()  # of variables that no trip changes
        self.pushes: set[int] = set()  # of stacks that each trip puts a pack on
        self._look()

    def _look(self) -> None:
        """Find out what the variables are, by trips that are not kept."""
        loop, nodes = self.loop, self.nodes
        for place, (entered, left) in enumerate(zip(loop.state, loop.body.outputs)):
            if entered is left:
                self.constant.add(place)
        if all(isinstance(v.type, ArrayType) for v in loop.state):
            return
        before = self.constant
        self.constant = set()
        while True:
            self.index = self._new_index()
            trip = self.trip([self._fresh(i) for i in range(len(loop.state))])
            found = [_layout(v, x) for v, x in zip(loop.state, trip.left)]
            wider = [records.united(nodes, a, b) for a, b in zip(self.layouts, _typed(loop, found))]
            if wider == self.layouts:
                break
            self.layouts = wider
        self.constant = before
        for place, (entered, left) in enumerate(zip(trip.entered, trip.left)):
            if isinstance(left, KeptArrays) and left.pushed and left.pushed[0] is entered:
                self.pushes.add(place)

    def _new_index(self) -> Tensor | None:
        index = self.loop.index
        return None if index is None else Tensor(self.nodes, self.nodes.new(index.name), LONG)

    def _fresh(self, place: int) -> Any:
        """A variable as a trip finds it."""
        layout, name = self.layouts[place], self.loop.state[place].name
        return _held(layout, _inputs(self.writer, name, _parts(layout)))

    def trip(self, entered: list[Any], around: Callable[[], None] | None = None) -> Trip:
        """Write a trip."""
        with self.nodes.subgraph() as scope:
            self.writer.held.update(zip(self.loop.state, entered))
            if self.loop.index is not None and self.index is not None:
                self.writer.held[self.loop.index] = self.index
            if around is not None:
                around()
            left = self.writer.write(self.loop.body)
        return Trip(entered, left, scope)

    def test(self, state: Sequence[Any]) -> Tensor:
        """Whether there is another trip."""
        test = self.loop.test
        assert test is not None
        (flag,) = self.writer.written(test, state)
        return flag.cast(bool)

    # -- as a Loop ---------------------------------------------------------------------------------

    def write(self, count: Tensor | None) -> list[Any]:
        """The node, and what becomes of the variables."""
        nodes, writer = self.nodes, self.writer
        # Stacks that are only pushed on are not carried: their rows are results of the trips.
        initial = [_terms(writer, x, layout) for x, layout in zip(self.start, self.layouts)]
        entered: list[Any] = []
        for place, terms in enumerate(initial):
            fixed = place in self.constant or place in self.pushes
            entered.append(_held(self.layouts[place], terms) if fixed else self._fresh(place))
        first = known(nodes, True) if count is not None else self.test(given_start(self, initial))
        self.index = self._new_index()
        trip = self.trip(entered)
        with nodes.subgraph():
            nodes.scope = trip.scope
            state = [
                self._pushed_only(place, x) if place in self.pushes else x
                for place, x in enumerate(trip.left)
            ]
            if count is None:
                again = self.test(trip.left)
            else:
                again = known(nodes, True)
            carried, parts, inside, stacked = self._state(trip, state, initial)
            guard = nodes.guard(trip.scope)
            guard_in = nodes.new("fine")
            if guard is not None:
                carried.append(Tensor(nodes, nodes.one("And", guard, guard_in), BOOL))
            outputs = _own(writer, trip.scope, [again, *carried, *(t for t, _ in stacked)])
            described = _described(
                writer,
                outputs,
                [
                    GraphPart(BOOL, ()),
                    *parts,
                    *([GraphPart(BOOL, ())] if guard is not None else []),
                    *(p for _, p in stacked),
                ],
            )
            trips = self.index.name if self.index is not None else nodes.new("trip")
            inputs = [
                nodes.described(trips, LONG, ()),
                nodes.described(nodes.new("again"), BOOL, ()),
                *_described(writer, inside, parts),
            ]
            if guard is not None:
                inputs.append(nodes.described(guard_in, BOOL, ()))
            body = nodes.graph(nodes.new(self.loop.body.name), trip.scope, inputs, described)
        names = ["" if count is None else count.name, "" if count is not None else first.name]
        names += [t.name for t in self._carried_starts]
        if guard is not None:
            names.append(nodes.constant(True))
        total = len(outputs) - 1
        found = [
            Tensor(nodes, name, t.dtype)
            for name, t in zip(nodes.many("Loop", names, total, body=body), outputs[1:])
        ]
        size = len(parts) + (guard is not None)
        if guard is not None:
            nodes.scope.guards.append(found[len(parts)].name)
        return self._results(found[: len(parts)], found[size:], initial)

    def _pushed_only(self, place: int, left: Any) -> Any:
        """The pack that a trip leaves on a stack, in the layout of its packs."""
        assert isinstance(left, KeptArrays) and left.pushed is not None
        element = self.layouts[place][1]
        terms = records.converted(self.nodes, left.pushed[1], element)
        return KeptArrays(element, terms)

    def _state(
        self, trip: Trip, state: Sequence[Any], initial: Sequence[Sequence[Tensor]]
    ) -> tuple[list[Tensor], list[GraphPart], list[Tensor], list[tuple[Tensor, GraphPart]]]:
        """What is carried, what that is, as what it comes in, and what is stacked."""
        nodes, writer = self.nodes, self.writer
        carried: list[Tensor] = []
        parts: list[GraphPart] = []
        inside: list[Tensor] = []
        stacked: list[tuple[Tensor, GraphPart]] = []
        self._carried_starts: list[Tensor] = []
        self._plan: list[tuple[str, Any]] = []  # how each variable is found again
        for place, layout in enumerate(self.layouts):
            if place in self.constant:
                self._plan.append(("constant", None))
                continue
            if place in self.pushes:
                ragged: list[int | None] = []
                for array, term in zip(records.arrays(layout[1]), state[place].terms):
                    part = GraphPart(*array)
                    if None not in part.shape:
                        stacked.append((term, part))
                        ragged.append(None)
                        continue
                    # Rows of different lengths can't be stacked: they are joined as they come.
                    rows = GraphPart(part.dtype, (None, *part.shape[1:]))
                    (before,) = _inputs(writer, None, [rows])
                    inside.append(before)
                    parts.append(rows)
                    carried.append(before.made("Concat", term, axis=0))
                    blank = np.zeros((0, *(n or 0 for n in part.shape[1:])), part.dtype)
                    self._carried_starts.append(known(nodes, blank))
                    length = term.made("Shape", dtype=LONG, start=0, end=1).squeezed([0])
                    stacked.append((length, GraphPart(LONG, ())))
                    ragged.append(len(carried) - 1)
                self._plan.append(("pushed", ragged))
                continue
            found = _terms(writer, state[place], layout)
            own = _terms(writer, trip.entered[place], layout)
            places: list[Any] = []
            for before, after, start, part in zip(own, found, initial[place], _parts(layout)):
                if before.name == after.name and layout[0] != "leaf":
                    places.append(None)  # it never changes; see `_rename`
                    self._rename(trip.scope, before.name, start.name)
                    continue
                places.append(len(carried))
                carried.append(after)
                inside.append(before)
                parts.append(part)
                self._carried_starts.append(start)
            self._plan.append(("carried", places))
        return carried, parts, inside, stacked

    def _rename(self, scope: NodeScope, old: str, new: str) -> None:
        """What no trip changes is found in the graph around the loop."""
        for node in scope.nodes:
            _replace(node, old, new)

    def _results(
        self,
        carried: Sequence[Tensor],
        stacked: Sequence[Tensor],
        initial: Sequence[Sequence[Tensor]],
    ) -> list[Any]:
        results = []
        rows = iter(stacked)
        for place, (kind, how) in enumerate(self._plan):
            layout, start = self.layouts[place], initial[place]
            if kind == "constant":
                results.append(_held(layout, start))
            elif kind == "carried":
                terms = [start[i] if at is None else carried[at] for i, at in enumerate(how)]
                results.append(_held(layout, terms))
            else:
                results.append(self._stack(place, layout, start, how, carried, rows))
        return results

    def _stack(
        self, place: int, layout: Layout, start: Any, how: Any, carried: Any, rows: Any
    ) -> KeptArrays:
        """A stack with what the trips have left on it."""
        was_empty = self.start[place].layout in (NOTHING, records.EMPTY)
        columns: list[Tensor] = []
        trips: Tensor | None = None
        for at in how:
            column = next(rows)
            trips = trips or column.made("Shape", dtype=LONG, start=0, end=1).squeezed([0])
            columns += [column] if at is None else [carried[at], column]
        if trips is None:  # packs of nothing
            return KeptArrays(layout, tuple(start))
        if was_empty:
            return KeptArrays(layout, (trips, *columns))
        number = start[0].reshaped([1])
        found: list[Tensor] = []
        column_list = iter(zip(start[1:], columns))
        for at in how:
            before, more = next(column_list)
            if at is None:
                first = before.made("Slice", before.longs([0]), number, before.longs([0]))
                found.append(first.made("Concat", more, axis=0))
                continue
            lengths, added = next(column_list)
            kept = lengths.made("Slice", lengths.longs([0]), number, lengths.longs([0]))
            total = kept.made("ReduceSum", kept.longs([0]), keepdims=1)
            first = before.made("Slice", before.longs([0]), total, before.longs([0]))
            found += [first.made("Concat", more, axis=0), kept.made("Concat", added, axis=0)]
        return KeptArrays(layout, (start[0].made("Add", trips), *found))


def given_start(writer: LoopWriter, initial: Sequence[Sequence[Tensor]]) -> list[Any]:
    """The variables before the first trip."""
    return [_held(layout, terms) for layout, terms in zip(writer.layouts, initial)]


def _typed(loop: Any, layouts: Sequence[Layout]) -> list[Layout]:
    return [
        records.leaf(v.type) if isinstance(v.type, ArrayType) else layout
        for v, layout in zip(loop.state, layouts)
    ]


def _replace(node: Any, old: str, new: str) -> None:
    for place, name in enumerate(node.input):
        if name == old:
            node.input[place] = new
    for attribute in node.attribute:
        if attribute.HasField("g"):
            for inner in attribute.g.node:
                _replace(inner, old, new)


@rule(regions.while_loop)
def _while(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> list[Any]:
    return LoopWriter(writer, node, operands).write(None)


@rule(regions.for_loop)
def _for(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> list[Any]:
    count = operands[0].cast(LONG)
    found = _as_scan(writer, node, operands)
    if found is not None:
        return found
    if count.value is None or int(count.value) < 0:
        count = count.made("Max", count.longs(0))
    return LoopWriter(writer, node, operands).write(count)


# -- as a Scan -------------------------------------------------------------------------------------


def _as_scan(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> list[Any] | None:
    """The loop as a Scan, if it stacks what its trips compute; else None."""
    loop, nodes = loop_of(node), writer.nodes
    count = loop.count.literal() if isinstance(loop.count, Constant) else None
    arrays = all(isinstance(v.type, ArrayType) for v in loop.state)
    if not isinstance(count, int) or count < 1 or not arrays or loop.index is None:
        return None
    written = {}  # by the place of a variable, the row that a trip writes
    for place, (entered, left) in enumerate(zip(loop.state, loop.body.outputs)):
        update = left.producer
        if update is None or update.op is not index_update or update.attrs["index"] != _EACH:
            continue
        whole, row, index = update.inputs
        same = whole is entered and index is loop.index and entered.type.shape[0] == count
        if same and row.type.shape == entered.type.shape[1:] and update in loop.body.nodes:
            uses = sum(v is entered for n in walk(loop.body) for v in n.inputs)
            if uses == 1 and not any(v is entered for v in loop.body.outputs):
                written[place] = (update, row)
    if not written:
        return None
    updates = [update for update, _ in written.values()]
    reads = _rows_read(loop.body, loop.index, count)
    maker = LoopWriter(writer, node, operands)
    carried = [p for p in range(len(loop.state)) if p not in written and p not in maker.constant]
    body = loop.body
    skipped = {*updates, *reads}
    graph = Graph(
        body.name,
        body.inputs,
        tuple(n for n in body.nodes if n not in skipped),
        tuple(written[p][1] if p in written else v for p, v in enumerate(body.outputs)),
        body.location,
    )
    sources = [writer.array(n.inputs[0]) for n in reads]
    with nodes.subgraph() as scope:
        maker.index = maker._new_index()
        assert maker.index is not None
        writer.held[loop.index] = maker.index
        inside = {}
        for place, value in enumerate(loop.state):
            if place in maker.constant:
                writer.held[value] = maker.start[place]
            elif place not in written:
                inside[place] = writer.held[value] = maker._fresh(place)
        rows = []
        for n in reads:
            type = n.outputs[0].type
            part = Tensor(nodes, nodes.new(n.outputs[0].name or "row"), type.dtype)
            writer.held[n.outputs[0]] = part
            rows.append((part, GraphPart(part.dtype, type.shape)))
        found = writer.write(graph)
        guard = nodes.guard(scope)
        fine = nodes.new("fine")
        states = [found[p] for p in carried]
        parts = [GraphPart(v.type.dtype, v.type.shape) for v in (loop.state[p] for p in carried)]
        if guard is not None:
            states.append(Tensor(nodes, nodes.one("And", guard, fine), BOOL))
        kept = [found[p].cast(loop.state[p].type.dtype) for p in written]
        kept_parts = [
            GraphPart(v.dtype, loop.state[p].type.shape[1:]) for v, p in zip(kept, written)
        ]
        outputs = _own(writer, scope, [*states, *kept])
        flag = [GraphPart(BOOL, ())] if guard is not None else []
        inputs = _described(writer, [inside[p] for p in carried], parts)
        if guard is not None:
            inputs.append(nodes.described(fine, BOOL, ()))
        inputs += _described(writer, [row for row, _ in rows], [part for _, part in rows])
        inputs.append(nodes.described(maker.index.name, LONG, ()))
        described = _described(writer, outputs, [*parts, *flag, *kept_parts])
        made = nodes.graph(nodes.new(body.name), scope, inputs, described)
    given = [maker.start[p].name for p in carried]
    given += [nodes.constant(True)] if guard is not None else []
    given += [source.name for source in sources]
    given.append(nodes.constant(np.arange(count)))
    names = nodes.many("Scan", given, len(outputs), body=made, num_scan_inputs=len(sources) + 1)
    terms = [Tensor(nodes, name, t.dtype) for name, t in zip(names, outputs)]
    if guard is not None:
        nodes.scope.guards.append(terms.pop(len(carried)).name)
    order = [*carried, *written]
    results = dict(zip(order, terms))
    return [results.get(p, maker.start[p]) for p in range(len(loop.state))]


def _rows_read(body: Graph, index: Value, count: int) -> list[Node]:
    """The nodes of a body that read a row of an array from around the loop, one each trip."""
    inside = {v for n in body.nodes for v in n.outputs} | set(body.inputs)
    return [
        n
        for n in body.nodes
        if n.op is getitem
        and n.attrs["index"] == _EACH
        and n.inputs[1] is index
        and n.inputs[0] not in inside
        and n.inputs[0].type.shape[0] == count
    ]


# -- packs and stacks ------------------------------------------------------------------------------


@rule(regions.pack)
def _pack(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> KeptArrays:
    return records.packed(list(zip(operands, (v.type for v in node.inputs))))


@rule(regions.unpack, regions.unpack_ct)
def _unpack(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> list[Any]:
    return records.opened(writer.nodes, operands[0], node.attrs["types"])


@rule(regions.push)
def _push(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> KeptArrays:
    return records.pushed(writer.nodes, *operands)


@rule(regions.pop)
def _pop(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> tuple[Any, Any]:
    return records.popped(writer.nodes, operands[0])


@rule(regions.add_ct)
def _add_cotangents(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> KeptArrays:
    return records.added(writer.nodes, *operands)


# -- what raises -----------------------------------------------------------------------------------


@rule(effects.check)
def _check(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> list[Any]:
    message = f"{node.attrs['error']}: {node.attrs['message']}"
    writer.nodes.require(operands[0].cast(bool).name, message)
    return []


@rule(effects.fail)
def _fail(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> list[Any]:
    error = node.attrs["error"]
    name = error if isinstance(error, str) else getattr(error, "__name__", "an exception")
    texts = [arg for arg in node.attrs["args"] if isinstance(arg, str)]
    writer.nodes.require(writer.nodes.constant(False), ": ".join([name, *texts]))
    return []


@rule(in_64_bits)
def _held_to_64_bits(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    x, fits = operands
    writer.nodes.require(all_true(fits).name, f"OverflowError: {node.attrs['message']}")
    return x
