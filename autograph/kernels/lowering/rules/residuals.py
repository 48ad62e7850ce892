"""Packs and stacks: what forward passes leave for backward passes, in memory that lasts.

A pack is a record: 8 bytes for the record below it, if it may be on a stack, then its values, each
on a boundary of 8 bytes, arrays element by element; `autograph.kernels.lowering.analysis.records`
says where. An array whose lengths only the run knows has memory of its own, which is older than the
record: what is newer than a record can be freed. A pack is known by its address, and a stack by
that of the record on top, 0 if it is empty. So pushing shares everything below, as lists of pairs
do, and nothing is ever moved.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograph.graph.graph import Graph, Node, Value
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import LONG, Number, Operand
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.analysis.nodes import is_elementwise, is_reduction
from autograph.kernels.lowering.analysis.records import RecordField, contents, is_nothing
from autograph.kernels.lowering.analysis.trips import reserves
from autograph.kernels.lowering.arrays import demand, measured
from autograph.kernels.lowering.rules.cotangents import (
    added,
    clear,
    is_sum,
    over_terms,
    taken_together,
    word,
)
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import CannotLower, Memory, is_array, is_growing
from ops.control import regions


def reserve_ahead(state: State, graph: Graph) -> None:
    """Let arrays that will be packed be computed in the pack, rather than be copied to it."""
    for position, node in enumerate(graph.nodes):
        if node.op is not regions.pack:
            continue
        kind = state.shared.records().kind(node.outputs[0])
        apart = any(map(is_growing, node.inputs))
        if (
            apart or not kind.exact or reserves(graph.nodes[:position])
        ):  # what it refers to is older
            return
        fields, total = kind.fields([v.type for v in node.inputs])
        places = {
            value: field
            for value, field in zip(node.inputs, fields)
            if _is_computed(state, value) and sum(value is v for v in node.inputs) == 1
        }
        if places:
            address = state.reserved[node] = state.b.reserve(total)
        for value, field in places.items():
            buffer = field.of(state.b, address, value.name)
            state.places.want(value, Memory(buffer, state.b.long(0)))
        return


def _is_computed(state: State, value: Value) -> bool:
    """Whether a block computes an array that has no place yet."""
    if not is_array(value) or value.producer not in state.plan.position:
        return False
    known = is_elementwise(value.producer) or is_reduction(value.producer)
    return known and state.places.wanted(value) is None


def pack(state: State, node: Node) -> None:
    """A new record of values."""
    b = state.b
    kind = state.shared.records().kind(node.outputs[0])
    fields, total = kind.fields([v.type for v in node.inputs])
    apart = {v: _kept_apart(state, v) for v in node.inputs if is_growing(v)}
    address = state.reserved.get(node)
    if address is None:
        address = b.reserve(total)
    for position, (value, field) in enumerate(zip(node.inputs, fields)):
        if value in apart:
            buffer = field.of(b, address, value.name)
            for number, found in enumerate(apart[value]):
                b.store(buffer, number, found)
        elif is_nothing(value):
            size = 8 if kind.exact else kind.nbytes(position)
            clear(state.loops, b.record(LONG, size // 8, address, field.offset))
        elif is_array(value):
            place = state.places.wanted(value)
            again = any(value is before for before in node.inputs[:position])
            if again or place is None or place.buffer.base is not address:
                place = Memory(field.of(b, address, value.name), b.long(0))
            demand.put(state, value, place)
        else:
            b.store(field.of(b, address, value.name), 0, demand.scalar(state, value))
    state.env[node.outputs[0]] = address


def _kept_apart(state: State, value: Value) -> tuple[Operand, ...]:
    """Where there is a copy of an array that nothing else changes, and its lengths."""
    array = demand.as_measured(state, value)
    address, _ = measured.in_new_memory(state, value.type, array)
    return address, *array.lengths


def push(state: State, node: Node) -> None:
    """A stack with a pack on top."""
    stack, pack = node.inputs
    is_new = pack.producer in state.plan.position and pack.producer.op is regions.pack
    if not (is_new and state.shared.records().is_used_once(pack)):  # what is below it is one thing
        raise CannotLower(reasons.KEPT.of(node.location, what="is in two places"))
    address = demand.scalar(state, pack)
    state.b.store(word(state.b, address, 0), 0, demand.scalar(state, stack))
    state.env[node.outputs[0]] = address


def pop(state: State, node: Node) -> None:
    """What is below the top of a stack, and the top."""
    b = state.b
    (stack,), (rest, top) = node.inputs, node.outputs
    address = demand.scalar(state, stack)
    kind = state.shared.records().kind(stack)
    users = state.plan.uses.get(top, ())
    if kind.sums:
        below, pack = b.if_(
            is_sum(address),
            lambda: _popped_of_sum(b, address),
            lambda: _popped(b, address),
        )
    elif users and all(user.op is regions.unpack for user in users):  # there is something
        below, pack = _taken(b, address)
    else:
        below, pack = _popped(b, address)
    state.env[rest], state.env[top] = below, pack


def _popped(b: KernelBuilder, address: Operand) -> Sequence[Operand]:
    """What is below, and on top of, a stack; it may be one of zeros."""
    nothing = (b.long(0), b.long(0))
    return b.if_(address != 0, lambda: _taken(b, address), lambda: nothing)


def _taken(b: KernelBuilder, address: Operand) -> Sequence[Operand]:
    """The same, where there is something."""
    return b.load(word(b, address, 0), 0), address


def _popped_of_sum(b: KernelBuilder, address: Operand) -> Sequence[Operand]:
    def visit(term: Operand, rest: Operand, top: Operand) -> Sequence[Operand]:
        below, pack = _taken(b, term)
        return added(b, rest, below), added(b, top, pack)

    return over_terms(b, address, (b.long(0), b.long(0)), visit)


def add(state: State, node: Node) -> None:
    """The sum of two cotangents."""
    x, y = (demand.scalar(state, v) for v in node.inputs)
    state.env[node.outputs[0]] = added(state.b, x, y)


def unpack(state: State, node: Node) -> None:
    """The values of a pack."""
    (pack,) = node.inputs
    fields, _ = state.shared.records().kind(pack).fields(node.attrs["types"])
    _bind(state, node.outputs, fields, demand.scalar(state, pack))


def _bind(
    state: State, values: Sequence[Value], fields: Sequence[RecordField], address: Operand
) -> None:
    """Let values be what is in a record."""
    b = state.b
    for value, field in zip(values, fields):
        buffer = field.of(b, address, value.name)
        if is_growing(value):
            place, *lengths = (b.load(buffer, i) for i in range(buffer.size))
            state.env[value] = measured.at_address(state, value.type, place, lengths)
        elif is_array(value):
            state.env[value] = Memory(buffer, b.long(0))
        else:
            state.env[value] = b.load(buffer, 0, value.name)


def unpack_cotangent(state: State, node: Node) -> None:
    """The values of a pack, or zeros where there is none."""
    if len(node.inputs) > 1:
        raise CannotLower(reasons.KEPT.of(node.location, what="has no known size"))
    b = state.b
    (pack,), types = node.inputs, node.attrs["types"]
    kind = state.shared.records().kind(pack)
    fields, size = kind.fields(types)
    values, wanted = [], []
    for position, (value, field) in enumerate(zip(node.outputs, fields)):
        if kind.is_zero(position, value.type):
            _be_zero(state, value)
        else:
            values.append(value)
            wanted.append(field)
    if not values:
        return
    address = demand.scalar(state, pack)
    if kind.sums:
        address = taken_together(state.loops, address, wanted, size)
    if any(map(is_array, values)):

        def zeros() -> Sequence[Operand]:
            record = b.reserve(size)
            for field in wanted:
                clear(state.loops, field.of(b, record))
            return (record,)

        _bind(state, values, wanted, b.if_(address != 0, lambda: (address,), zeros)[0])
        return
    buffers = [field.of(b, address) for field in wanted]
    found = b.if_(
        address != 0,
        lambda: [b.load(buffer, 0) for buffer in buffers],
        lambda: [Number(0, buffer.dtype) for buffer in buffers],
        [v.name for v in values],
    )
    for value, scalar in zip(values, found):
        state.env[value] = scalar


def _be_zero(state: State, value: Value) -> None:
    dtype, size, *_ = contents(value.type)
    if is_array(value):
        memory = state.env[value] = state.places.allocate(dtype, size, value.name)
        clear(state.loops, memory.buffer)
    else:
        state.env[value] = Number(0, dtype)
