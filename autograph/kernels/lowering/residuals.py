"""Packs and stacks: what forward passes leave for backward passes, in memory that lasts.

A pack is a record: 8 bytes for the record below it on a stack, then its values, each on a boundary
of 8 bytes, arrays element by element; `autograph.kernels.lowering.records` says where. A pack is
known by its address, and a stack by that of the record on top, 0 if it is empty. So pushing shares
everything below, as lists of pairs do, and nothing is ever moved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from autograph.graph.graph import Graph, Node, Value
from autograph.kernels.builder import KernelBuilder
from autograph.kernels.ir import LONG, Number, Operand
from autograph.kernels.lowering.cotangents import (
    added,
    clear,
    is_sum,
    over_terms,
    taken_together,
    word,
)
from autograph.kernels.lowering.plan import is_elementwise, is_reduction
from autograph.kernels.lowering.records import Field, contents, is_nothing
from autograph.kernels.lowering.trips import reserves
from autograph.kernels.lowering.values import CannotLower, Memory, is_array
from ops import regions

if TYPE_CHECKING:
    from autograph.kernels.lowering.block import Lowering


def reserve_ahead(lowering: Lowering, graph: Graph) -> None:
    """Let arrays that will be packed be computed in the pack, rather than be copied to it."""
    for position, node in enumerate(graph.nodes):
        if node.op is not regions.pack:
            continue
        kind = lowering.records().kind(node.outputs[0])
        if not kind.exact or reserves(graph.nodes[:position]):  # what it refers to is older
            return
        fields, total = kind.fields([v.type for v in node.inputs])
        places = {
            value: field
            for value, field in zip(node.inputs, fields)
            if _is_computed(lowering, value) and sum(value is v for v in node.inputs) == 1
        }
        if places:
            address = lowering.reserved[node] = lowering.b.reserve(total)
        for value, field in places.items():
            buffer = field.of(lowering.b, address, value.name)
            lowering.want_at(value, Memory(buffer, lowering.b.long(0)))
        return


def _is_computed(lowering: Lowering, value: Value) -> bool:
    """Whether a block computes an array that has no place yet."""
    if not is_array(value) or value.producer not in lowering.plan.position:
        return False
    known = is_elementwise(value.producer) or is_reduction(value.producer)
    return known and lowering.wanted_at(value) is None


def _pack(lowering: Lowering, node: Node) -> None:
    b = lowering.b
    kind = lowering.records().kind(node.outputs[0])
    fields, total = kind.fields([v.type for v in node.inputs])
    address = lowering.reserved.get(node)
    if address is None:
        address = b.reserve(total)
    for position, (value, field) in enumerate(zip(node.inputs, fields)):
        if is_nothing(value):
            size = 8 if kind.exact else kind.nbytes(position)
            clear(lowering, b.record(LONG, size // 8, address, field.offset))
        elif is_array(value):
            place = lowering.wanted_at(value)
            if place is None or place.buffer.base is not address:
                place = Memory(field.of(b, address, value.name), b.long(0))
            lowering.put(value, place)
        else:
            b.store(field.of(b, address, value.name), 0, lowering.scalar(value))
    lowering.env[node.outputs[0]] = address


def _push(lowering: Lowering, node: Node) -> None:
    stack, pack = node.inputs
    is_new = pack.producer in lowering.plan.position and pack.producer.op.name == "pack"
    if not (is_new and lowering.records().is_used_once(pack)):  # what is below it is one thing
        raise CannotLower("a residual that is in two places", node.location)
    address = lowering.scalar(pack)
    lowering.b.store(word(lowering.b, address, 0), 0, lowering.scalar(stack))
    lowering.env[node.outputs[0]] = address


def _pop(lowering: Lowering, node: Node) -> None:
    b = lowering.b
    (stack,), (rest, top) = node.inputs, node.outputs
    address = lowering.scalar(stack)
    kind = lowering.records().kind(stack)
    users = lowering.plan.uses.get(top, ())
    if kind.sums:
        below, pack = b.if_(
            is_sum(address),
            lambda: _popped_of_sum(b, address),
            lambda: _popped(b, address),
        )
    elif users and all(user.op.name == "unpack" for user in users):  # there is something
        below, pack = _taken(b, address)
    else:
        below, pack = _popped(b, address)
    lowering.env[rest], lowering.env[top] = below, pack


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


def _add(lowering: Lowering, node: Node) -> None:
    lowering.env[node.outputs[0]] = added(lowering.b, *map(lowering.scalar, node.inputs))


def _unpack(lowering: Lowering, node: Node) -> None:
    (pack,) = node.inputs
    fields, _ = lowering.records().kind(pack).fields(node.attrs["types"])
    _bind(lowering, node.outputs, fields, lowering.scalar(pack))


def _bind(
    lowering: Lowering, values: Sequence[Value], fields: Sequence[Field], address: Operand
) -> None:
    """Let values be what is in a record."""
    b = lowering.b
    for value, field in zip(values, fields):
        buffer = field.of(b, address, value.name)
        if is_array(value):
            lowering.env[value] = Memory(buffer, b.long(0))
        else:
            lowering.env[value] = b.load(buffer, 0, value.name)


def _unpack_cotangent(lowering: Lowering, node: Node) -> None:
    """The values of a pack, or zeros where there is none."""
    if len(node.inputs) > 1:
        raise CannotLower("a residual whose shape only the run knows", node.location)
    b = lowering.b
    (pack,), types = node.inputs, node.attrs["types"]
    kind = lowering.records().kind(pack)
    fields, size = kind.fields(types)
    values, wanted = [], []
    for position, (value, field) in enumerate(zip(node.outputs, fields)):
        if kind.is_zero(position, value.type):
            _be_zero(lowering, value)
        else:
            values.append(value)
            wanted.append(field)
    if not values:
        return
    address = lowering.scalar(pack)
    if kind.sums:
        address = taken_together(lowering, address, wanted, size)
    if any(map(is_array, values)):

        def zeros() -> Sequence[Operand]:
            record = b.reserve(size)
            for field in wanted:
                clear(lowering, field.of(b, record))
            return (record,)

        _bind(lowering, values, wanted, b.if_(address != 0, lambda: (address,), zeros)[0])
        return
    buffers = [field.of(b, address) for field in wanted]
    found = b.if_(
        address != 0,
        lambda: [b.load(buffer, 0) for buffer in buffers],
        lambda: [Number(0, buffer.dtype) for buffer in buffers],
        [v.name for v in values],
    )
    lowering.env.update(zip(values, found))


def _be_zero(lowering: Lowering, value: Value) -> None:
    dtype, size, _ = contents(value.type)
    if is_array(value):
        lowering.env[value] = lowering.allocate(dtype, size, value.name)
        clear(lowering, lowering.env[value].buffer)
    else:
        lowering.env[value] = Number(0, dtype)


RULES: dict[str, Callable[[Lowering, Node], None]] = {
    "pack": _pack,
    "push": _push,
    "pop": _pop,
    "add_ct": _add,
    "unpack": _unpack,
    "unpack_ct": _unpack_cotangent,
}
