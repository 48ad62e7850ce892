"""Changing arrays in their memory: whether that may be done, and what has to be done before."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from autograph.graph.graph import Node, Value
from autograph.kernels.ir.ir import Buffer
from autograph.kernels.lowering.arrays import demand
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import Memory


def may_change(state: State, value: Value, place: Memory) -> bool:
    """Whether an array's memory is the kernel's own, and of other values that are needed later
    there are but smaller parts, which `take` copies."""
    if place.buffer.kind not in ("temporary", "reserved", "local", "output"):
        return False
    for other in state.env.others_in(place.buffer, value):
        if other not in state.env.own:
            return False
        if state.progress.is_used_later(other) and other.type.size >= value.type.size:
            return False
    return value in state.env.own


def put_in_place(
    state: State, found: Iterable[tuple[Memory, Memory, Any]], places: Collection[Buffer]
) -> None:
    """Have arrays where they belong, which may be where others of them are.

    Args:
        found: where each is, where it belongs, and how many elements it has.
        places: the memory where they belong.
    """
    moves = []
    for result, place, size in found:
        if result.buffer is place.buffer:
            continue
        if result.buffer in places:  # of another array, which is overwritten as well
            copy = state.places.allocate(result.buffer.dtype, size)
            state.loops.copy(result, copy, size)
            result = copy
        moves.append((result, place, size))
    for result, place, size in moves:
        state.loops.copy(result, place, size)


def take(state: State, value: Value, place: Memory, reader: Value | None = None) -> None:
    """Prepare the memory of an array, which may be changed, for it: what would read it later is
    computed, other values that are still needed are copied, and those that are not end.

    Args:
        reader: an array that waits, and is computed while the memory is changed.
    """
    _settle_readers(state, place, reader)
    for other in list(state.env.others_in(place.buffer, value)):
        if state.progress.is_still_used(other):
            held = demand.memory(state, other)
            copy = state.places.allocate(other.type.dtype, other.type.size, other.name)
            state.loops.copy(held, copy, other.type.size)
            state.env[other] = copy
        else:
            state.env.end(other)


def _settle_readers(state: State, place: Memory, reader: Value | None) -> None:
    """Compute what would read memory later, before it is changed."""
    progress, waiting = state.progress, state.env.waiting
    others: set[Value] = set()  # of which is known that they do not read it
    for value in list(waiting):
        if value is reader or value not in waiting:
            continue
        if not progress.is_still_used(value) and value not in progress.pending:
            del waiting[value]  # what reads it, and waits as well, is asked itself
        elif state.env.reads(value, place.buffer, others):
            demand.held(state, value)
            others.clear()


def buffers_written(state: State, node: Node, place: Memory) -> list[Buffer]:
    """What memory a node writes to that changes an array, which is at a place."""
    target = state.places.wanted(node.outputs[0])
    return [place.buffer] if target is None else [place.buffer, target.buffer]


def changeable(
    state: State, node: Node, array: Value, result: Value, reader: Value | None = None
) -> Memory:
    """The memory of an array that a node changes to get a result if it may be changed, else a copy
    of it.

    Args:
        reader: what is computed while the memory is changed, and may read the array. The array then
            has not ended yet.
    """
    target = state.places.wanted(result)
    place = demand.memory(state, array)
    is_last = sum(v is array for v in node.inputs) == 1 and not state.progress.is_used_later(array)
    if is_last and may_change(state, array, place):
        take(state, array, place, reader)
        if reader is None:
            state.env.end(array)
        return place
    if target is None or target.buffer is place.buffer:  # which is still needed as it is
        target = state.places.allocate(array.type.dtype, array.type.size, array.name)
    state.loops.copy(place, target, array.type.size)
    return target
