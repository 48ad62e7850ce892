"""One kernel of a graph."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from autograph.graph.aliasing import is_view
from autograph.graph.given import may_be_argument
from autograph.graph.graph import Graph, Value
from autograph.graph.lengths import symbol_places
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import LONG
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.analysis.order import with_changes_last
from autograph.kernels.lowering.arrays import growing, passed_lists
from autograph.kernels.lowering.choices import with_choices
from autograph.kernels.lowering.complex_numbers import ComplexParts, callee_form, real_form
from autograph.kernels.lowering.dispatch import lower_region
from autograph.kernels.lowering.exchanges import without_exchanges
from autograph.kernels.lowering.expansions import expanded
from autograph.kernels.lowering.fills import with_own_fills
from autograph.kernels.lowering.masks import with_places
from autograph.kernels.lowering.routine import CalledKernel, Convention, numbers_of, uses_lists
from autograph.kernels.lowering.rules import calls
from autograph.kernels.lowering.selections import with_whole_arrays
from autograph.kernels.lowering.state import KernelState, State, no_routine
from autograph.kernels.lowering.unsigned_form import unsigned_form
from autograph.kernels.lowering.values import (
    CannotLower,
    GrowingRows,
    Held,
    Memory,
    element_dtype,
    is_array,
    is_growing,
    scalar_dtype,
)
from autograph.kernels.lowering.wide_products import wide_products
from ops.core.types import ArrayType


def lower(
    graph: Graph,
    name: str,
    graphs: Mapping[str, Graph] | None = None,
    into: Mapping[int, int] = MappingProxyType({}),
    routine: Callable[[str], CalledKernel | None] = no_routine,
    *,
    in_process: bool = False,
    for_gpu: bool = False,
    convention: Convention | None = None,
    renews: bool = False,
) -> ir.Kernel:
    """One kernel that computes a graph.

    Args:
        graph: a closed graph without array constants. Its inputs and outputs become those of the
            kernel, scalars among the outputs buffers of one element.
        name: of the kernel.
        graphs: the named graphs that it calls; they are built in, unless
        routine: gives one for a named graph, which is called where that is possible.
        into: the positions of results that are written to the memory of an input, with its
            position. That is done last, when the kernel will not give up any more.
        in_process: whether the kernel runs in a process with NumPy, which gives and takes complex
            numbers as pairs in memory, and whose loops it may call.
        for_gpu: whether its loops are for the many threads of a GPU.
        convention: how other kernels call this one, if they do.
        renews: see `KernelState`: as is tried where memory would add up otherwise.

    Raises:
        CannotLower: something in the graph has no native form.
    """
    b = KernelBuilder(name, graph.location)
    try:
        if in_process and convention is None:
            graph = wide_products(unsigned_form(graph))
        graph = with_places(expanded(with_whole_arrays(graph), in_process))
        parts: Mapping[Value, ComplexParts] = {}
        if in_process:
            graph, parts = real_form(graph)
        graph = with_changes_last(with_own_fills(with_choices(without_exchanges(graph))))

        @functools.cache
        def callee(name: str) -> Graph:
            graph = expanded(with_whole_arrays((graphs or {})[name]), in_process)
            graph = with_places(graph)
            return with_choices(without_exchanges(callee_form(graph)))

        shared = KernelState(b, graph, callee, lower_region, routine, in_process, for_gpu, renews)
        state = State(shared, graph)
        changed = {} if convention is None else convention.changed
        _bind_inputs(state, graph, convention)
        targets: list[Memory | None] = []
        lists: dict[int, ir.Buffer] = {}
        passed: dict[int, list[ir.Buffer]] = {}
        for position, value in enumerate(graph.outputs):
            if is_growing(value) and convention is not None:
                count = numbers_of(value, position in convention.tables_left)
                passed[position] = [b.output(LONG, 1, value.name) for _ in range(count)]
                targets.append(None)
                continue
            if is_growing(value):  # where it is, and its lengths
                if may_be_argument(graph, value):
                    raise CannotLower(reasons.ARGUMENT.of())
                told = growing.told(value.type)
                lists[position] = b.output(LONG, 1 + len(told), value.name)
                targets.append(None)
                continue
            size = value.type.size if is_array(value) else 1
            dtype = element_dtype(value) if convention is None else scalar_dtype(value)
            buffer = b.output(dtype, size, value.name)
            targets.append(Memory(buffer, b.long(0)))
            if position in into:
                b.share(_memory(state.env[graph.inputs[into[position]]]).buffer, buffer)
            if position in changed:
                _be_argument(state, graph.inputs[changed[position]], buffer)
        elsewhere = [
            None if i in into or i in changed else target for i, target in enumerate(targets)
        ]
        results = lower_region(state, graph, elsewhere)
        for value in graph.outputs if convention is None else ():
            if is_array(value) and not is_view(value) and not is_growing(value):
                _refuse_given(state, parts.get(value, (value,)))
        if convention is not None:
            calls.leave_in_place(state, graph, changed, results, targets)
            for position in convention.uncertain:
                flag = b.output(ir.BOOL, 1)
                b.store(flag, 0, state.env.is_given(graph.outputs[position]))
            _leave_lists(state, graph, convention, passed, results)
        for position in into:
            size = graph.outputs[position].type.size
            state.loops.copy(_memory(results[position]), _memory(targets[position]), size)
        for position, buffer in lists.items():
            growing.to_caller(state, graph.outputs[position].type, results[position], buffer)
        return b.finish()
    except BaseException:
        b.close()
        raise


def _leave_lists(
    state: State,
    graph: Graph,
    convention: Convention,
    places: Mapping[int, Sequence[ir.Buffer]],
    results: Sequence[Held],
) -> None:
    """Free what a routine has reserved, but for the lists that it gives, and say where these are:
    if it gives records, they may be anywhere."""
    if not uses_lists(graph) and not places:
        return
    lists = [rows for rows in map(results.__getitem__, places) if isinstance(rows, GrowingRows)]
    if all(isinstance(v.type, ArrayType) for v in graph.outputs):
        values = [graph.outputs[position] for position in places]
        lists = passed_lists.kept(state, values, lists)
    for (position, buffers), rows in zip(places.items(), lists):
        passed_lists.store(state, rows, position in convention.tables_left, buffers)


def _memory(held: Held | None) -> Memory:
    """Where an array is that the kernel takes or gives."""
    assert isinstance(held, Memory)
    return held


def _bind_inputs(state: State, graph: Graph, convention: Convention | None) -> None:
    """Have the caller pass the inputs, but for those that are outputs as well.

    Args:
        convention: of another kernel, if that is the caller. It may pass records and lists.
    """
    changed = {} if convention is None else convention.changed
    for position, value in enumerate(graph.inputs):
        if position in changed.values():
            continue
        if convention is not None and is_growing(value):
            passed_lists.bound(state, value, position in convention.tables_given)
            continue
        dtype = element_dtype(value) if convention is None else scalar_dtype(value)
        if is_array(value):
            buffer = state.b.input(dtype, value.type.size, value.name)
            state.env[value] = Memory(buffer, state.b.long(0))
            state.env.given[value] = True
        else:
            state.env[value] = state.b.parameter(dtype, value.name)
    state.b.symbols(symbol_places(graph))


def _be_argument(state: State, argument: Value, buffer: ir.Buffer) -> None:
    """Let an output be what an array is in at first."""
    state.env[argument] = Memory(buffer, state.b.long(0))
    state.env.given[argument] = True


def _refuse_given(state: State, parts: Iterable[Value]) -> None:
    """Give up where a result is an array that the kernel was given. One of complex numbers is that
    where both parts are."""
    given = functools.reduce(operator.and_, map(state.env.is_given, parts))
    if isinstance(given, ir.Number) and given.value:
        raise CannotLower(reasons.ARGUMENT.of())
    state.b.check(~given)
