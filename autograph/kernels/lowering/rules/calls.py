"""Named graphs that are called, and functions of one lane."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from autograph.graph.graph import Node, Value
from autograph.graph.wiring import lanes_of
from autograph.kernels.ir.ir import Buffer, Kernel, Operand
from autograph.kernels.ir.work import work
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.arrays import demand
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import CannotLower, Held, Memory, is_array
from ops.core import kernels


def call(state: State, node: Node) -> None:
    """The graph that is called: a routine, or what it computes in its place."""
    name = node.attrs["callee"]
    if name in state.calling:
        raise CannotLower(reasons.RECURSION.of(node.location, op=name))
    routine = None if state.serial else state.shared.routine(name)
    if routine is not None:
        _call_routine(state, node, routine)
        return
    graph = state.shared.callee(name)
    inner = state.inner(graph, callee=name)
    for value, given in zip(graph.inputs, node.inputs):
        inner.env[value] = demand.held(state, given)
        inner.env.given[value] = state.env.is_given(given)
    results = state.shared.lower_region(inner, graph, [None] * len(graph.outputs))
    for value, given, result in zip(node.outputs, graph.outputs, results):
        state.env[value] = result
        if is_array(value):
            state.env.given[value] = inner.env.is_given(given)


def _call_routine(state: State, node: Node, routine: Kernel) -> None:
    """A call of another kernel, whose results are in memory of their own."""
    given: list[Operand | tuple[Buffer, Operand]] = []
    for value in node.inputs:
        found = demand.held(state, value)
        given.append((found.buffer, found.start) if isinstance(found, Memory) else _scalar(found))
    results = []
    for value, output in zip(node.outputs, routine.outputs):
        results.append(state.places.allocate(output.dtype, output.size, value.name))
    state.b.call(routine, given, [memory.buffer for memory in results], work(routine.body))
    for value, memory in zip(node.outputs, results):
        if is_array(value):
            state.env[value] = memory
            state.env.given[value] = False
        else:
            state.env[value] = state.b.load(memory.buffer, memory.start, value.name)


def _scalar(held: Held) -> Operand:
    """What a kernel is given besides arrays."""
    assert isinstance(held, Operand)
    return held


def lanes(state: State, node: Node) -> None:
    """A loop over lanes, each of which computes the region by itself."""
    if state.serial:
        raise CannotLower(reasons.LANES.of(node.location))
    b = state.b
    graph, sizes = lanes_of(node).lane, node.attrs["sizes"]
    given = [demand.held(state, v) for v in node.inputs]
    places = [state.places.give(v) for v in node.outputs]
    with b.each(math.prod(sizes), "vector", work=50.0) as lane:
        inner = state.inner(graph, serial=True)
        for value, array, axes in zip(graph.inputs, given, node.attrs["axes"]):
            if axes and isinstance(array, Memory):
                array = _of_lane(state, array, _position(lane, axes, sizes), value)
            inner.env[value] = array
        targets = []
        for value, place in zip(graph.outputs, places):
            size = value.type.size if is_array(value) else 1
            targets.append(Memory(place.buffer, place.start + lane * size))
        state.shared.lower_region(inner, graph, targets)
    for value, place in zip(node.outputs, places):
        b.written(place.buffer)
        state.env[value] = place


def _position(lane: Operand, axes: Sequence[int], sizes: Sequence[int]) -> Operand:
    """The number of a lane among those that differ along some of the axes of all lanes."""
    if len(axes) == len(sizes):
        return lane
    position: Any = 0
    for axis in axes:
        inside = math.prod(sizes[axis + 1 :])
        along = kernels.quotient(lane, inside) if inside > 1 else lane
        if axis > 0:
            along = kernels.rest(along, sizes[axis])
        position = position * sizes[axis] + along
    return position


def _of_lane(state: State, array: Memory, lane: Operand, value: Value) -> Operand | Memory:
    """What one lane has of an array."""
    size = value.type.size if is_array(value) else 1
    memory = Memory(array.buffer, array.start + lane * size)
    return memory if is_array(value) else state.b.load(memory.buffer, memory.start, value.name)
