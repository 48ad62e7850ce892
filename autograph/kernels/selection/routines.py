"""Which named graphs become routines: kernels that other kernels call.

A named graph that is called is built in where it is called, so that what it computes and what is
around it become one. Where it is called in several places, and is large, all that would have to be
lowered, printed and compiled once for each. As a routine it is once in a program's kernels, and in
each kernel that calls it once in the machine code.

Graphs that call themselves, or each other, are routines in any case: together, or none of them.
While they are lowered, calls among them refer to kernels without a body, which get theirs in the
end. So do passes forward and backward, which leave each other what such graphs do.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from autograph.graph.aliasing import is_view, may_be_given
from autograph.graph.graph import Graph, Module, Node, Value, called, callees, walk
from autograph.graph.lengths import symbol_places
from autograph.kernels.ir import ir
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.analysis.unknown_lengths import looked_up
from autograph.kernels.lowering.complex_numbers import is_complex
from autograph.kernels.lowering.kernel import lower
from autograph.kernels.lowering.reasons import NoKernel
from autograph.kernels.lowering.routine import (
    CalledKernel,
    Convention,
    changed_arguments,
    numbers_of,
    sources_of_lists,
    uses_lists,
)
from autograph.kernels.lowering.values import CannotLower, is_array, is_growing, scalar_dtype
from ops.core.types import ArrayType, UnknownLengthError

_LEAST = 12  # nodes, those of regions included


class Routines:
    """The routines of a program, lowered when they are first asked for.

    Args:
        is_native: whether a node can be a part of a kernel.
    """

    def __init__(self, module: Module, is_native: Callable[[Node], bool]):
        self._graphs = module.graphs
        self._is_native = is_native
        self._calls: Counter[str] = Counter()
        for graph in (module.main, *module.graphs.values()):
            self._calls.update(called(graph))
        self._found: dict[str, CalledKernel | None] = {}
        self._refused: dict[str, NoKernel] = {}

    def find(self, name: str) -> CalledKernel | None:
        """The routine for a named graph; None if it is to be built in where it is called."""
        if name not in self._found:
            group = self._calling_each_other(name)
            if group:
                self._make(group)
            else:
                self._found[name] = None  # as long as that is not known
                self._found[name] = self._made(name)
        return self._found[name]

    def refusal(self, name: str) -> NoKernel | None:
        """Why there is no routine for a graph that calls itself; None if it does not, or there is
        one."""
        return self._refused.get(name) if self.find(name) is None else None

    def _made(self, name: str) -> CalledKernel | None:
        graph = self._graphs[name]
        if self._calls[name] < 2 or sum(1 for _ in walk(graph)) < _LEAST:
            return None
        if not all(map(self._is_native, graph.nodes)):
            return None
        if _takes_or_leaves_packs(graph):  # as those do that call themselves
            self._make([name])
            self._refused.pop(name, None)
            return self._found[name]
        if not _takes_and_gives_arrays(graph):
            return None
        try:
            kernel = lower(
                graph, identifier(name), self._graphs, routine=self.find, in_process=True
            )
            kernel.recursive = any(routine.recursive for routine in kernel.routines.values())
            return CalledKernel(kernel, symbols=tuple(symbol_places(graph)))
        except (CannotLower, UnknownLengthError):  # parts of it may do, where it is called
            return None

    # -- graphs that call themselves ---------------------------------------------------------------

    def _calling_each_other(self, name: str) -> list[str]:
        """The graphs that a graph calls and that call it; none if it does not call itself."""
        reached = callees(self._graphs[name], self._graphs)
        return [n for n in reached if name in callees(self._graphs[n], self._graphs)]

    def _make(self, group: Sequence[str]) -> None:
        """Find routines for graphs that call each other."""
        try:
            self._found.update({name: self._without_body(name, group) for name in group})
            made = {name: self._with_body(name) for name in group}
        except CannotLower as refused:
            self._found.update(dict.fromkeys(group))
            self._refused.update(dict.fromkeys(group, refused.why))
            return
        except UnknownLengthError:
            self._found.update(dict.fromkeys(group))
            self._refused.update(dict.fromkeys(group, reasons.UNKNOWN.of()))
            return
        called: dict[str, ir.Kernel] = {}
        for name, kernel in made.items():
            called |= kernel.routines
            self._routine(name).kernel.become(replace(kernel, routines={}))
        for name in group:
            routine = self._routine(name)
            own = {routine.kernel.name: routine.kernel}
            kernel = replace(routine.kernel, routines={**called, **own})
            self._found[name] = routine._replace(kernel=kernel)

    def _routine(self, name: str) -> CalledKernel:
        routine = self._found[name]
        assert routine is not None
        return routine

    def _without_body(self, name: str, group: Sequence[str]) -> CalledKernel:
        """How a routine will be called.

        Args:
            group: the graphs that call each other.
        """
        graph = self._graphs[name]
        symbols = tuple(symbol_places(graph))
        convention = self._convention(name, group)
        changed = convention.changed
        inputs: list[ir.Buffer | ir.Var] = []
        for position, value in enumerate(graph.inputs):
            if is_growing(value):
                count = numbers_of(value, position in convention.tables_given)
                inputs += [ir.Var(ir.LONG) for _ in range(count)]
            elif position not in changed.values():
                inputs.append(_parameter(value))
        outputs = []
        for position, value in enumerate(graph.outputs):
            count = numbers_of(value, position in convention.tables_left)
            dtype, size = (ir.LONG, 1) if is_growing(value) else (scalar_dtype(value), _size(value))
            outputs += [ir.Buffer(dtype, size, "output") for _ in range(count)]
        places = convention.places(graph.outputs)
        kernel = ir.Kernel(
            identifier(name),
            (*inputs, *(ir.Var(ir.LONG, symbol) for symbol in symbols)),
            (*outputs, *(ir.Buffer(ir.BOOL, 1, "output") for _ in convention.uncertain)),
            ir.Block(),
            location=graph.location,
            changed=tuple(places[position] for position in changed),
            recursive=True,
            leaves_records=uses_lists(graph)
            or not all(isinstance(v.type, ArrayType) for v in graph.outputs),
        )
        return CalledKernel(kernel, convention, symbols)

    def _convention(self, name: str, group: Sequence[str]) -> Convention:
        graph = self._graphs[name]
        given = (i for i, v in enumerate(graph.outputs) if may_be_given(v) and not is_growing(v))
        found = Convention(changed_arguments(graph), tuple(given))
        if not any(map(is_growing, (*graph.inputs, *graph.outputs))):
            return found
        graphs = {n: self._graphs[n] for n in group}
        searched = looked_up({n: self._graphs[n] for n in callees(graph, self._graphs)})
        return replace(
            found,
            came_from=sources_of_lists(graphs)[name],
            tables_given=frozenset(i for i, v in enumerate(graph.inputs) if v in searched),
            tables_left=frozenset(i for i, v in enumerate(graph.outputs) if v in searched),
        )

    def _with_body(self, name: str) -> ir.Kernel:
        graph, routine = self._graphs[name], self._routine(name)
        if any(is_complex(v.type) for v in (*graph.inputs, *graph.outputs)):
            raise CannotLower(reasons.COMPLEX.of(graph.location))
        if not all(map(self._is_native, graph.nodes)):
            raise CannotLower(reasons.RECURSION.of(op=name))
        kernel = lower(
            graph,
            routine.kernel.name,
            self._graphs,
            routine=self.find,
            in_process=True,
            convention=routine.convention,
        )
        of_stub = routine.kernel
        return replace(
            kernel,
            changed=of_stub.changed,
            recursive=True,
            leaves_records=of_stub.leaves_records,
        )


def _parameter(value: Value) -> ir.Buffer | ir.Var:
    dtype = scalar_dtype(value)
    return ir.Buffer(dtype, _size(value), "input") if is_array(value) else ir.Var(dtype)


def _size(value: Value) -> int:
    return value.type.size if is_array(value) else 1


def _takes_or_leaves_packs(graph: Graph) -> bool:
    """Whether a graph is a pass forward or backward, of which the other one is a graph as well."""
    return not all(isinstance(v.type, ArrayType) for v in (*graph.inputs, *graph.outputs))


def _takes_and_gives_arrays(graph: Graph) -> bool:
    """Whether arguments and results are arrays and numbers, and the results new and different."""
    types = [v.type for v in (*graph.inputs, *graph.outputs)]
    if not all(isinstance(t, ArrayType) and t.is_static and t.dtype.kind != "c" for t in types):
        return False
    if not graph.outputs or len(set(graph.outputs)) < len(graph.outputs):
        return False
    made = all(v.producer is not None and not is_view(v) for v in graph.outputs)
    return made and not any(map(may_be_given, graph.outputs))


def identifier(name: str) -> str:
    """A name that LLVM and C accept, and that no function of C has."""
    plain = re.sub(r"\W", "_", name.encode("ascii", "replace").decode())
    return plain if "kernel" in plain else f"{plain}_kernel"
