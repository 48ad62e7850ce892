"""What a kernel may give where the graph has a value without axes.

NumPy has scalars and arrays without axes; a kernel gives scalars. Which of the two the program in
NumPy's terms has, is told by the operator that makes it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

import ops
from autograph.graph.graph import Constant, Graph, Node, Value, callees, producer_of, walk
from autograph.graph.wiring import is_loop, loop_of, sources_of, wiring
from autograph.kernels.by_python import calls_of_python
from autograph.kernels.lowering.analysis.nodes import PRODUCTS
from autograph.kernels.selection.support import CONTROL_FLOW
from ops.control import regions
from ops.core.registry import Elementwise
from ops.core.types import ArrayType


def is_result(value: Value, graphs: Mapping[str, Graph], given: Collection[Value]) -> bool:
    """Whether NumPy gives a scalar where the graph has one: not an array without axes.

    Args:
        graphs: those that are called, by their names.
        given: what may be taken for scalars, since the kernel is for calls in which it is, see
            `autograph.graph.given`.
    """
    return _Results(graphs, given).holds(value)


def passes_numbers(graph: Graph, graphs: Mapping[str, Graph]) -> bool:
    """Whether what the kernel of a graph has Python show are numbers where it has no axes: NumPy
    shows an array without axes otherwise. The kernel is for calls in which it is given none.

    Args:
        graphs: those that are called, by name.
    """
    parts = [graph, *(graphs[name] for name in callees(graph, graphs))]
    given = [v for part in parts for node in calls_of_python(part) for v in node.inputs]
    if not given:
        return True
    found = _Results(graphs, graph.inputs)
    found.enter_loops(parts)
    return all(map(found.holds, given))


class _Results:
    """Answers."""

    def __init__(self, graphs: Mapping[str, Graph], given: Collection[Value]):
        self._graphs, self._given = graphs, frozenset(given)
        self._arguments: dict[Value, list[Value]] = {}  # what inputs of named graphs are
        for graph in graphs.values():
            for node in walk(graph):
                if node.op is regions.call:
                    self._enter(node)

    def _enter(self, node: Node) -> None:
        """Note the arguments of a call."""
        graph = self._graphs.get(node.attrs["callee"])
        for value, argument in zip(() if graph is None else graph.inputs, node.inputs):
            self._arguments.setdefault(value, []).append(argument)

    def enter_loops(self, graphs: Iterable[Graph]) -> None:
        """Note what the states of loops are in their trips, and the arguments of calls."""
        for graph in graphs:
            for node in walk(graph):
                if node.op is regions.call:
                    self._enter(node)
                elif is_loop(node):
                    for one in wiring(node).carried:
                        sources = [one.start, one.result]
                        for value in (one.entered, *one.tested):
                            self._arguments.setdefault(value, []).extend(sources)

    def holds(self, value: Value) -> bool:
        """See `is_result`: whether all that it may be is, each looked at once."""
        asked, waiting = {value}, [value]
        while waiting:
            found = self._may_be(waiting.pop(), asked)
            if found is None:
                return False
            new = [v for v in found if v not in asked]
            waiting += new
            asked.update(new)
        return True

    def _may_be(self, value: Value, asked: set[Value]) -> Sequence[Value] | None:
        """The values one of which this one is: none if it is a scalar itself; None if it is not.

        Args:
            asked: those that are looked at. Inputs of loops' bodies are among them from where the
                loop is looked at: it is asked of what they become.
        """
        if not isinstance(value.type, ArrayType):
            return None
        if value.type.shape or value.type.weak or value in self._given:
            return ()
        node = value.producer
        if isinstance(value, Constant):
            return () if isinstance(value.data, np.generic) else None
        if node is None:
            return self._arguments.get(value)
        if node.op in CONTROL_FLOW:
            asked.update(v for region in node.regions for v in region.inputs)
            if node.op is regions.cond:
                return sources_of(node)[value]
            loop = loop_of(node)  # any of the state may become any other of its type
            return [v for v in (*loop.body.outputs, *loop.start) if v.type == value.type]
        if node.op is regions.call:
            return self._of_call(node, value)
        if node.op is ops.cast:  # NumPy's ``astype``: of an array without axes it is one
            return node.inputs[:1]  # what a kernel is given may be an array
        is_scalar = (
            isinstance(node.op, Elementwise)
            or node.op.fold is not None
            or node.op.expansion is not None
            or node.op.inner_loops is not None
            or node.op in PRODUCTS
            or is_element(value)
        )
        return () if is_scalar else None

    def _of_call(self, node: Node, value: Value) -> Sequence[Value] | None:
        graph = self._graphs.get(node.attrs["callee"])
        if graph is None:
            return None
        self._enter(node)
        return (graph.outputs[node.place(value)],)


def is_element(value: Value) -> bool:
    """Whether a value is one element of an array, which NumPy gives as a scalar."""
    node = producer_of(value)
    if node.op is not ops.getitem or value.type.shape:
        return False
    return all(kind in ("int", "arg") for kind, *_ in node.attrs["index"])
