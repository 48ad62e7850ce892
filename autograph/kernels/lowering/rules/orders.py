"""Elements put in order along an axis; see `autograph.kernels.lowering.analysis.orders`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from autograph.graph.graph import Node
from autograph.kernels.ir import ir, partitions
from autograph.kernels.ir.builder import split_index
from autograph.kernels.ir.ir import LONG, Operand
from autograph.kernels.lowering import networks, reasons
from autograph.kernels.lowering.analysis import orders
from autograph.kernels.lowering.analysis.groups import root_of
from autograph.kernels.lowering.arrays import demand, measured
from autograph.kernels.lowering.arrays.nest import settle_scalars
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import CannotLower, Measured, Memory, shape_of
from ops.core import kernels
from ops.core.symbolic_lengths import example_of, is_length

_NS = 3.0  # of an element, times the logarithm of how many there are
_EXCHANGE = 1.0  # of two elements of a network


def order(state: State, node: Node) -> None:
    """An operator that declares a `ops.core.kernels.Ordering`."""
    may_call = state.shared.in_process and not state.serial
    if not orders.is_native(node, may_call):
        raise CannotLower(reasons.of_operator(node))
    demand.flush(state)
    settle_scalars(state, [root_of(node.outputs[0], state.env.get, lambda v: False)])
    _Order(state, node).emit()


class _Order:
    """The loops of one operator: over what is outside of the axis, and inside of it."""

    def __init__(self, state: State, node: Node):
        self.state, self.b, self.node = state, state.b, node
        (self.value,), (self.result,) = node.inputs, node.outputs
        shape, axis = shape_of(self.value), node.attrs["axis"]
        self.before, self.count, self.behind = shape[:axis], shape[axis], shape[axis + 1 :]
        self.columns = math.prod(self.behind)
        self.places = orders.gives_places(node)
        self.kind = orders.kind_of(node)
        self.descending = orders.is_descending(node)
        self.target = state.places.give(self.result)

    def emit(self) -> None:
        """Put the elements in order."""
        rows = math.prod(self.before) * self.columns
        if is_length(rows * self.count) or rows * self.count:
            self._emit(rows)
        self.state.env[self.result] = self.target

    def _emit(self, rows: int) -> None:
        body: Callable[[Operand], None]
        if orders.is_network(self.node):
            body, work = self._network, _EXCHANGE * self.count * self.count.bit_length()
            mode = "serial" if orders.may_call(self.node) else "vector"
        elif self.columns == 1 and not self.descending and not is_length(self.columns):
            self._in_place(rows)
            return
        else:
            body, work, mode = self._apart(), 0.0, "serial"

        def one(flat: Operand) -> tuple:
            body(flat)
            return ()

        if not is_length(rows) and rows == 1:
            one(self.b.long(0))
        else:
            self.state.loops.loop(rows, mode, one, work)

    # -- where elements are ------------------------------------------------------------------------

    def _element(self, flat: Operand, j: Operand | int) -> Operand:
        """Of the operand: in a row, by its number, at a place."""
        index = split_index(flat, (*self.before, *self.behind))
        lead = len(self.before)
        at = (*index[:lead], self.b.long(j), *index[lead:])
        return self.state.elements.at(self.value, at)

    def _store(self, flat: Operand, k: Operand | int, element: Operand) -> None:
        """Of the result: the element at a place of a row, counted from the smallest."""
        k = self.count - 1 - self.b.long(k) if self.descending else self.b.long(k)
        row, column = split_index(flat, (math.prod(self.before), self.columns))
        if self.columns == 1 and not is_length(self.columns):
            row, column = flat, self.b.long(0)
        place = self.target.start + ((row * self.count + k) * self.columns + column)
        self.b.store(self.target.buffer, place, element)

    def _from(self, j: Operand | int) -> Operand:
        """From which place an element comes that is the one with some number. In a descending order
        of places equal elements are in the order in which they were, so that they are read from the
        end on."""
        j = self.b.long(j)
        return self.count - 1 - j if self.places and self.descending else j

    # -- few elements ------------------------------------------------------------------------------

    def _network(self, flat: Operand) -> None:
        b, stable = self.b, self.kind == "stable"
        values = [self._element(flat, self._from(j)) for j in range(self.count)]
        if not self.places:
            found = networks.in_order(b, values, stable and orders.shows_order(self.node))
        elif self.count == 1:
            found = [b.long(0)]
        else:
            found, unclear = networks.places_in_order(b, values, stable)
            if not stable:
                by_network = found
                found = list(b.if_(unclear, lambda: self._called(values), lambda: by_network))
        for k, element in enumerate(found):
            self._store(flat, k, self._from(element) if self.places else element)

    def _called(self, values: Sequence[Operand]) -> list[Operand]:
        """The places as NumPy's function gives them."""
        memory = [self._allocate(dtype) for dtype in (self.value.type.dtype, LONG)]
        for j, element in enumerate(values):
            self.b.store(memory[0].buffer, memory[0].start + j, element)
            self.b.store(memory[1].buffer, memory[1].start + j, self.b.long(j))
        self._call(*memory)
        return [self.b.load(memory[1].buffer, memory[1].start + j) for j in range(self.count)]

    # -- more --------------------------------------------------------------------------------------

    def _allocate(self, dtype: object) -> Memory:
        return self.state.places.allocate(dtype, self.count)

    def _call(self, values: Memory, places: Memory | None = None) -> None:
        call(self.state, self.kind, values, places, self.count)

    def _number(self, places: Memory) -> None:
        """Write down where elements are before they are put in order, if that is asked for."""
        if orders.is_partition(self.node):
            return

        def one(j: Operand) -> None:
            self.b.store(places.buffer, places.start + j, j)

        self.state.loops.each(self.count, one, 0.3)

    def _in_place(self, rows: int) -> None:
        """Rows that are in the order of the result in memory."""
        b, target = self.b, self.target
        if not self.places:
            source = self.state.env.get(self.value)
            if isinstance(source, Memory):
                self.state.loops.copy(source, target, self.value.type.size)
            else:

                def visit(index: tuple[Operand, ...]) -> None:
                    flat = ir.current().flat_index(index, shape_of(self.value))
                    element = self.state.elements.at(self.value, index)
                    b.store(target.buffer, target.start + flat, element)

                self.state.loops.over(shape_of(self.value), visit)

        read = self._rows_of_operand() if self.places else None

        def one(row: Operand) -> tuple:
            own = Memory(target.buffer, target.start + row * self.count)
            if read is None:
                self._call(own)
            else:
                self._number(own)
                self._call(read(row), own)
            return ()

        if not is_length(rows) and rows == 1:
            one(b.long(0))
        else:
            self.state.loops.loop(rows, "serial", one)

    def _rows_of_operand(self) -> Callable[[Operand], Memory]:
        """What gives the elements of a row in memory."""
        source = self.state.env.get(self.value)
        if isinstance(source, Memory):
            return lambda row: Memory(source.buffer, source.start + row * self.count)
        memory = self._allocate(self.value.type.dtype)

        def copied(row: Operand) -> Memory:
            self._gather(row, memory)
            return memory

        return copied

    def _gather(self, flat: Operand, memory: Memory) -> None:
        def one(j: Operand) -> None:
            element = self._element(flat, self._from(j))
            self.b.store(memory.buffer, memory.start + j, element)

        self.state.loops.each(self.count, one)

    def _apart(self) -> Callable[[Operand], None]:
        """What puts a row in order whose elements are not one after the other."""
        b = self.b
        values = self._allocate(self.value.type.dtype)
        places = self._allocate(LONG) if self.places else None
        made = values if places is None else places

        def row(flat: Operand) -> None:
            self._gather(flat, values)
            if places is not None:
                self._number(places)
            self._call(values, places)

            def one(k: Operand) -> None:
                element = b.load(made.buffer, made.start + k)
                self._store(flat, k, self._from(element) if self.places else element)

            self.state.loops.each(self.count, one)

        return row


def call(
    state: State, kind: str, values: Memory, places: Memory | None, count: int | Operand
) -> None:
    """Let NumPy's function put elements, or the numbers of their places, in order."""
    length = example_of(count) if not isinstance(count, Operand) else 1000
    work = _NS * length * math.log2(length + 2)
    given = None if places is None else (places.buffer, places.start)
    measure = count if isinstance(count, Operand) else state.b.measure(count)
    state.b.add(ir.SortCall(kind, (values.buffer, values.start), given, measure, work))
    state.b.written((values if places is None else places).buffer)


def of_unknown_length(state: State, node: Node) -> Measured:
    """The same of a vector whose length is known only at run time."""
    if state.serial or not state.shared.in_process:
        raise CannotLower(reasons.of_operator(node))
    b, (value,), (result,) = state.b, node.inputs, node.outputs
    places, descending = orders.gives_places(node), orders.is_descending(node)
    given = demand.as_measured(state, value)
    (count,) = given.lengths
    for k in partitions.listed(node.attrs["kth"]) if orders.is_partition(node) else ():
        kernels.require((b.long(k) < count) & (b.long(k) >= -count))
    turned = lambda i: count - 1 - i if descending else i
    memory = measured.allocated(state, value, given.lengths, given.most)
    made = memory

    def store(index: Sequence[Operand], element: Operand) -> None:
        at = turned(index[0]) if places else index[0]
        b.store(memory.buffer, memory.start + at, element)

    measured.visit(state, given, store)
    if places:
        made = measured.allocated(state, result, given.lengths, given.most)
    if places and not orders.is_partition(node):
        measured.over(
            state,
            given.lengths,
            lambda index: b.store(made.buffer, made.start + index[0], index[0]),
        )
    call(state, orders.kind_of(node), memory, made if places else None, count)

    def load(index: Sequence[Operand]) -> Operand:
        element = b.load(made.buffer, made.start + turned(index[0]))
        return turned(element) if places else element

    return Measured(given.lengths, given.most, load, settled=True)
