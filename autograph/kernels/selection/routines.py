"""Which named graphs become routines: kernels that other kernels call.

A named graph that is called is built in where it is called, so that what it computes and what is
around it become one. Where it is called in several places, and is large, all that would have to be
lowered, printed and compiled once for each. As a routine it is once in a program's kernels, and in
each kernel that calls it once in the machine code.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from autograph.graph.aliasing import is_view, may_be_given
from autograph.graph.graph import Graph, Module, Node, called, callees, walk
from autograph.kernels.ir import ir
from autograph.kernels.lowering import CannotLower, lower
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
        self._found: dict[str, ir.Kernel | None] = {}

    def find(self, name: str) -> ir.Kernel | None:
        """The routine for a named graph; None if it is to be built in where it is called."""
        if name not in self._found:
            self._found[name] = None  # as long as that is not known
            self._found[name] = self._made(name)
        return self._found[name]

    def _made(self, name: str) -> ir.Kernel | None:
        graph = self._graphs[name]
        if self._calls[name] < 2 or sum(1 for _ in walk(graph)) < _LEAST:
            return None
        if name in callees(graph, self._graphs) or not all(map(self._is_native, graph.nodes)):
            return None
        if not _takes_and_gives_arrays(graph):
            return None
        try:
            return lower(graph, identifier(name), self._graphs, routine=self.find, in_process=True)
        except (CannotLower, UnknownLengthError):  # parts of it may do, where it is called
            return None


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
