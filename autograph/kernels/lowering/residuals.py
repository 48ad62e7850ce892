"""Packs and stacks: what forward passes leave for backward passes, in memory that lasts.

A pack is a record: 8 bytes for the record below it on a stack, then its values, each on a boundary
of 8 bytes, arrays element by element. A pack is known by its address, and a stack by that of the
record on top, 0 if it is empty. So pushing shares everything below, as lists of pairs do, and
nothing is ever moved. The address 0 is also the zero of cotangents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING
from weakref import WeakSet

from autograph.graph.graph import Constant, Node
from autograph.kernels.builder import KernelBuilder, current
from autograph.kernels.ir import LONG, Number, Operand
from autograph.kernels.lowering.nests import Nests
from autograph.kernels.lowering.values import CannotLower, Memory
from ops.types import ArrayType, Type

if TYPE_CHECKING:
    from autograph.kernels.lowering.block import Lowering

_LINK = 8  # bytes for the record below

# The kernels being built in which packs hold arrays.
_with_arrays: WeakSet[KernelBuilder] = WeakSet()


def _is_array(type: Type) -> bool:
    return isinstance(type, ArrayType) and type.shape != ()


def _dtype(type: Type):
    return type.dtype if isinstance(type, ArrayType) else LONG


def _layout(types: Sequence[Type]) -> Iterator[tuple[int, int]]:
    """The offset of each value, and the number of its elements; at the end the size of all."""
    offset = _LINK
    for type in types:
        if isinstance(type, ArrayType) and not type.is_static:
            raise CannotLower(f"a residual of type {type}")
        size = type.size if _is_array(type) else 1
        yield offset, size
        offset += -(-size * _dtype(type).itemsize // 8) * 8
    yield offset, 0


def _pack(lowering: Lowering, node: Node) -> None:
    b = lowering.b
    types = [v.type for v in node.inputs]
    *places, (total, _) = _layout(types)
    if any(map(_is_array, types)):
        _with_arrays.add(b)
    address = b.reserve(total)
    for value, (offset, size) in zip(node.inputs, places):
        memory = Memory(b.record(_dtype(value.type), size, address, offset, value.name), b.long(0))
        if _is_array(value.type):
            lowering.put(value, memory)
        else:
            b.store(memory.buffer, 0, lowering.scalar(value))
    lowering.env[node.outputs[0]] = address


def _link(address: Operand):
    return current().record(LONG, 1, address, 0, "below")


def _push(lowering: Lowering, node: Node) -> None:
    stack, pack = node.inputs
    if (
        isinstance(pack, Constant)
        or lowering.plan.uses[pack] != [node]
        or pack in lowering.plan.outputs
    ):
        raise CannotLower("a residual that is in two places", node.location)
    address = lowering.scalar(pack)
    lowering.b.store(_link(address), 0, lowering.scalar(stack))
    lowering.env[node.outputs[0]] = address


def _pop(lowering: Lowering, node: Node) -> None:
    b = lowering.b
    (stack,), (rest, top) = node.inputs, node.outputs
    address = lowering.scalar(stack)
    users = lowering.plan.uses.get(top, ())
    if all(user.op.name == "unpack" for user in users) and users:
        below = b.load(_link(address), 0)
    else:  # a stack of zeros
        below = b.if_(address != 0, lambda: (b.load(_link(address), 0),), lambda: (b.long(0),))[0]
    lowering.env[rest], lowering.env[top] = below, address


def _unpack(lowering: Lowering, node: Node) -> None:
    b = lowering.b
    address = lowering.scalar(node.inputs[0])
    for value, (offset, size) in zip(node.outputs, _layout(node.attrs["types"])):
        buffer = b.record(_dtype(value.type), size, address, offset, value.name)
        if _is_array(value.type):
            lowering.env[value] = Memory(buffer, b.long(0))
        else:
            lowering.env[value] = b.load(buffer, 0, value.name)


def _unpack_cotangent(lowering: Lowering, node: Node) -> None:
    """The values of a pack, or zeros where there is none."""
    b = lowering.b
    if len(node.inputs) > 1:
        raise CannotLower("a residual whose shape only the run knows", node.location)
    types = node.attrs["types"]
    if b in _with_arrays or any(map(_is_array, types)):
        # In the place of an array there may be a zero, or something else where it is not wanted.
        source = node.inputs[0].producer
        packed = source.inputs if source is not None and source.op.name == "pack" else ()
        if [v.type for v in packed] != [*types]:
            raise CannotLower("cotangents that lie elsewhere in a pack", node.location)
    address = lowering.scalar(node.inputs[0])
    is_there = address != 0
    for value, (offset, size) in zip(node.outputs, _layout(node.attrs["types"])):
        dtype = _dtype(value.type)
        buffer = b.record(dtype, size, address, offset)
        if not _is_array(value.type):
            lowering.env[value] = b.if_(
                is_there,
                lambda buffer=buffer: (b.load(buffer, 0),),
                lambda dtype=dtype: (Number(0, dtype),),
            )[0]
            continue
        memory = lowering.allocate(dtype, size, value.name)

        def copy(memory=memory, buffer=buffer, size=size) -> tuple:
            lowering.copy(Memory(buffer, b.long(0)), memory, size)
            return ()

        def clear(memory=memory, dtype=dtype, size=size) -> tuple:
            def body(i: Operand) -> tuple:
                b.store(memory.buffer, memory.start + i, Number(0, dtype))
                return ()

            Nests(lowering)._loop(size, "vector", body)
            return ()

        b.if_(is_there, copy, clear)
        lowering.env[value] = memory


RULES: dict[str, Callable[[Lowering, Node], None]] = {
    "pack": _pack,
    "push": _push,
    "pop": _pop,
    "unpack": _unpack,
    "unpack_ct": _unpack_cotangent,
}
