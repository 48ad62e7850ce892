"""Named graphs that are called, and functions of one lane."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from autograph.graph.graph import Graph, Node, Value, walk
from autograph.graph.wiring import lanes_of
from autograph.kernels.by_python import is_python_call
from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import BOOL, Buffer, Number, Operand
from autograph.kernels.ir.work import of_routine
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.arrays import demand, passed_lists
from autograph.kernels.lowering.arrays.changes import changeable, put_in_place
from autograph.kernels.lowering.routine import CalledKernel, Convention
from autograph.kernels.lowering.rules import draws
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import (
    CannotLower,
    Held,
    Memory,
    is_array,
    is_growing,
    shape_of,
)
from ops.control import regions
from ops.core import kernels
from ops.core.symbolic_lengths import is_length
from ops.core.types import ArrayType


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
    if is_python_call(node):
        _call_python(state, node, graph)
        return
    inner = state.inner(graph, callee=name)
    for value, given in zip(graph.inputs, node.inputs):
        inner.env[value] = demand.held(state, given)
        inner.env.given[value] = state.env.is_given(given)
    results = state.shared.lower_region(inner, graph, [None] * len(graph.outputs))
    for value, given, result in zip(node.outputs, graph.outputs, results):
        state.env[value] = result
        if is_array(value):
            state.env.given[value] = inner.env.is_given(given)


def _call_python(state: State, node: Node, graph: Graph) -> None:
    """A call of Python, which is given lengths known only at run time after all else. What comes
    before and may raise is computed before."""
    if state.serial or not state.shared.in_process:
        raise CannotLower(reasons.of_operator(graph.nodes[0]))
    drawn = draws.draw_of(graph)
    if drawn is not None:
        draws.draw(state, node, graph, drawn)
        return
    b, held = state.b, [demand.held(state, v) for v in node.inputs]
    demand.flush(state)
    given = [(x.buffer, x.start) if isinstance(x, Memory) else _scalar(x) for x in held]
    lengths = [n for v in (*node.inputs, *node.outputs) for n in shape_of(v) if is_length(n)]
    given += map(b.long, lengths)
    results = [
        state.places.give(v) if is_array(v) else state.places.allocate(v.type.dtype, 1, v.name)
        for v in node.outputs
    ]
    b.add(ir.PythonCall(node.attrs["callee"], tuple(given), tuple(results)))
    for value, memory in zip(node.outputs, results):
        b.written(memory.buffer)
        number = not is_array(value)
        state.env[value] = b.load(memory.buffer, memory.start, value.name) if number else memory


def _call_routine(state: State, node: Node, routine: CalledKernel) -> None:
    """A call of another kernel. Its results are in memory of their own, or where the arrays were
    that it changes."""
    b, (kernel, convention, symbols) = state.b, routine
    for value in (*node.inputs, *node.outputs):
        if not isinstance(value.type, ArrayType) and not state.shared.records().is_exact(value):
            raise CannotLower(reasons.KEPT.of(node.location, what="has no known size"))
    touched: list[Buffer] = []
    were_given = [is_array(v) and state.env.is_given(v) for v in node.inputs]
    changed = {
        position: _to_change(state, node, node.inputs[argument], node.outputs[position])
        for position, argument in convention.changed.items()
    }
    given: list[Operand | tuple[Buffer, Operand]] = []
    for position, value in enumerate(node.inputs):
        if is_growing(value):
            numbers, rows = passed_lists.given(state, node, position, convention)
            given += numbers
            touched.append(rows)
        elif position not in convention.changed.values():
            given.append(_given(state, value, changed.values()))
    given += map(b.symbol, symbols)
    places = convention.places(node.outputs)
    result_of = {place: position for position, place in enumerate(places) if position in changed}
    results = []
    for place, output in enumerate(kernel.outputs):
        if place in result_of:
            results.append(changed[result_of[place]])
        else:
            results.append(state.places.allocate(output.dtype, output.size))
    buffers = [memory.buffer for memory in results]
    b.call(kernel, given, buffers, of_routine(kernel), touched)
    flags = iter(results[places[-1] :])
    for position, value in enumerate(node.outputs):
        memory = results[places[position]]
        if is_growing(value):
            own = iter(results[places[position] :])
            state.env[value] = passed_lists.left(state, node, position, convention, own)
            continue
        if not is_array(value):
            state.env[value] = b.load(memory.buffer, memory.start, value.name)
            continue
        state.env[value] = memory
        state.env.given[value] = False
        if position in convention.uncertain:
            flag = b.load(next(flags).buffer, 0)
            sources = [were_given[i] for i in _may_become(node, position, convention)]
            any_given = functools.reduce(operator.or_, sources, Number(False, BOOL))
            state.env.given[value] = flag & any_given


def _may_become(node: Node, position: int, convention: Convention) -> Sequence[int]:
    """The arguments of a call that may be a result of it."""
    if position in convention.changed:
        return [convention.changed[position]]
    return [i for i, v in enumerate(node.inputs) if v.type == node.outputs[position].type]


def _to_change(state: State, node: Node, array: Value, result: Value) -> Memory:
    """Memory, all of a buffer, of an array that a call changes to get a result."""
    memory = changeable(state, node, array, result)
    start = memory.start
    at_start = isinstance(start, Number) and not start.value
    if at_start and memory.buffer.size == array.type.size:
        return memory
    whole = state.places.allocate(array.type.dtype, array.type.size, array.name)
    state.loops.copy(memory, whole, array.type.size)
    return whole


def _given(
    state: State, value: Value, changed: Iterable[Memory]
) -> Operand | tuple[Buffer, Operand]:
    """What a routine is given for a value: none of the memory that it changes."""
    found = demand.held(state, value)
    if not isinstance(found, Memory):
        return _scalar(found)
    if any(found.buffer is memory.buffer for memory in changed):
        copy = state.places.allocate(value.type.dtype, value.type.size, value.name)
        state.loops.copy(found, copy, value.type.size)
        found = copy
    return found.buffer, found.start


def leave_in_place(
    state: State,
    graph: Graph,
    changed: Mapping[int, int],
    results: Sequence[Held],
    targets: Sequence[Memory | None],
) -> None:
    """Have the arrays that a routine changes where its caller expects them."""
    found = []
    for position in changed:
        result, place = results[position], targets[position]
        assert isinstance(result, Memory) and place is not None
        found.append((result, place, graph.outputs[position].type.size))
    put_in_place(state, found, [place.buffer for _, place, _ in found])


def _scalar(held: Held) -> Operand:
    """What a kernel is given besides arrays."""
    assert isinstance(held, Operand)
    return held


def lanes(state: State, node: Node) -> None:
    """A loop over lanes, each of which computes the region by itself. Those that call routines, as
    functions that call themselves do, run one after the other."""
    if state.serial:
        raise CannotLower(reasons.LANES.of(node.location))
    b = state.b
    graph, sizes = lanes_of(node).lane, node.attrs["sizes"]
    given = [demand.held(state, v) for v in node.inputs]
    places = [state.places.give(v) for v in node.outputs]
    in_order = any(n.op is regions.call for n in walk(graph))

    def compute(lane: Operand) -> tuple[Operand, ...]:
        inner = state.inner(graph, serial=not in_order)
        for value, array, axes in zip(graph.inputs, given, node.attrs["axes"]):
            if axes and isinstance(array, Memory):
                array = _of_lane(state, array, _position(lane, axes, sizes), value)
            inner.env[value] = array
        targets = []
        for value, place in zip(graph.outputs, places):
            size = value.type.size if is_array(value) else 1
            targets.append(Memory(place.buffer, place.start + lane * size))
        state.shared.lower_region(inner, graph, targets)
        return ()

    if in_order:
        b.for_(math.prod(sizes), (), compute, freed=(None, 0))
    else:
        with b.each(math.prod(sizes), "vector", work=50.0) as lane:
            compute(lane)
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
