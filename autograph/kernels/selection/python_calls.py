"""What kernels have Python do becomes named graphs, which they call.

That is what is printed, warned of and logged in loops, and computed there by operators without a
native form: without it many a loop would be a kernel. Outside of loops it stays what it is, and
kernels end before it; but for single numbers that are drawn before or behind a loop that draws as
well, so that what the loop goes on with is made in its kernel.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from autograph.closure import closure
from autograph.graph.builder import current_builder, graph_of, inline
from autograph.graph.graph import Constant, Graph, Module, Node, Value, called, callees, walk
from autograph.graph.rewrite import Env, rewrite
from autograph.graph.wiring import is_loop
from autograph.kernels.by_python import (
    call_attrs,
    calls_of_python,
    is_for_python,
    is_left_to_python,
)
from autograph.kernels.selection.constants import with_constants_passed
from ops.control import regions
from ops.random import numpy_streams


def prepared(module: Module) -> Module:
    """The program that kernels for the processor are cut out of."""
    return with_python_calls(with_constants_passed(module))


def with_python_calls(module: Module) -> Module:
    """A program in which a named graph is called for what kernels have Python do; the same if there
    is nothing of the kind."""
    used = {node.op for graph in (module.main, *module.graphs.values()) for node in walk(graph)}
    if not any(map(is_left_to_python, used)):
        return module
    graphs = module.graphs
    repeated, done = _repeated(module), _called_by_kernels((module.main, *graphs.values()))
    found = _left_to_python(module.main, False)
    for name, graph in graphs.items():
        if name not in done:
            found |= _left_to_python(graph, name in repeated)
    if not found:
        return module
    made: dict[str, Graph] = {}

    def change(node: Node, env: Env) -> Sequence[Value] | None:
        if node not in found:
            return None
        given = [v for v in dict.fromkeys(node.inputs) if not _is_number(v)]
        names = (f"{module.main.name}_{node.op.name}_{k}" for k in itertools.count(1))
        taken = (*graphs, *made, module.main.name)
        name = next(name for name in names if name not in taken)
        made[name] = graph_of(name, given, [node], node.outputs, node.location)
        call = replace(node, op=regions.call, attrs=call_attrs(name))
        return current_builder().copy(call, [env.get(v, v) for v in given], ())

    main = rewrite(module.main, change)
    changed = {name: rewrite(graph, change) for name, graph in graphs.items()}
    return Module(main, {**changed, **made})


def without_unused(module: Module, made: Collection[str], kernels: Collection[str]) -> Module:
    """A program in which what no kernel calls stands where it stood.

    Args:
        made: the names of the graphs that `with_python_calls` has made.
        kernels: of those that are kernels.
    """
    graphs = {module.main.name: module.main, **module.graphs}
    used = closure(kernels, lambda name: called(graphs[name]))
    unused = {name for name in made if name not in used}
    if not unused:
        return module

    def change(node: Node, env: Env) -> Sequence[Value] | None:
        if node.op is not regions.call or node.attrs["callee"] not in unused:
            return None
        graph = module.graphs[node.attrs["callee"]]
        return inline(graph, [env.get(v, v) for v in node.inputs])

    def changed(graph: Graph) -> Graph:
        return graph if unused.isdisjoint(called(graph)) else rewrite(graph, change)

    kept = {name: changed(g) for name, g in module.graphs.items() if name not in unused}
    return Module(changed(module.main), kept)


def _called_by_kernels(graphs: Iterable[Graph]) -> set[str]:
    """The names of the graphs that are called for Python to compute them."""
    return {node.attrs["callee"] for graph in graphs for node in calls_of_python(graph)}


class PythonCalls:
    """Which nodes of a program call Python."""

    def __init__(self, module: Module):
        self._graphs = module.graphs
        self._names = _called_by_kernels((module.main, *module.graphs.values()))

    def is_called(self, run: Sequence[Node]) -> bool:
        """Whether some nodes call Python."""
        return bool(self._names) and not self._names.isdisjoint(self._called(run))

    def is_repeated(self, run: Sequence[Node]) -> bool:
        """Whether there are loops in some nodes, or functions that call themselves: without these
        Python calls it as well."""
        names, graphs = self._called(run), self._graphs
        inner = (node for name in names for node in walk(graphs[name]))
        return any(map(is_loop, itertools.chain(_with_regions(run), inner))) or any(
            name in callees(graphs[name], graphs) for name in names
        )

    def _called(self, run: Sequence[Node]) -> set[str]:
        """The named graphs that some nodes call, directly or through one another."""
        calls = (n.attrs["callee"] for n in _with_regions(run) if n.op is regions.call)
        return closure(calls, lambda name: called(self._graphs[name]))


def _with_regions(run: Sequence[Node]) -> Iterator[Node]:
    for node in run:
        yield node
        for region in node.regions:
            yield from walk(region)


def _is_number(value: Value) -> bool:
    return isinstance(value, Constant) and not value.is_array


def _left_to_python(graph: Graph, is_repeated: bool) -> set[Node]:
    """The nodes of a graph that kernels have Python do."""
    found = set(_in_loops(graph, is_repeated))
    if any(node.op in _DRAWS for node in found):
        found.update(node for node in _outside_of_lanes(graph) if _draws_a_number(node))
    return found


_DRAWS = (numpy_streams.draw, numpy_streams.draw_next)


def _draws_a_number(node: Node) -> bool:
    return node.op in _DRAWS and is_for_python(node) and not node.outputs[-1].type.shape


def _outside_of_lanes(graph: Graph) -> Iterator[Node]:
    for node in graph.nodes:
        yield node
        if node.op is not regions.lanes:
            for region in node.regions:
                yield from _outside_of_lanes(region)


def _in_loops(graph: Graph, is_repeated: bool) -> Iterator[Node]:
    """The nodes of a graph that Python does for kernels, in loops, or everywhere if the graph is
    repeated."""
    for node in graph.nodes:
        if is_repeated and is_for_python(node):
            yield node
        if node.op is not regions.lanes:
            for region in node.regions:
                yield from _in_loops(region, is_repeated or is_loop(node))


def _repeated(module: Module) -> set[str]:
    """The names of the graphs that are called in loops, or that call themselves."""
    graphs = module.graphs
    found = {name for name, graph in graphs.items() if name in callees(graph, graphs)}
    for graph in (module.main, *graphs.values()):
        for node in walk(graph):
            if is_loop(node):
                for region in node.regions:
                    found.update(called(region))
    return closure(found, lambda name: called(graphs[name]))
