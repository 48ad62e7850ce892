"""From a module of graphs to the source of a program.

The program has one function for each named graph and one for the main graph, preceded by the
helpers that its operators need. It is meant to be read: see `autograph.codegen.function` for how
the statements of a function are made, `autograph.codegen.names` for its variables and
`autograph.codegen.memory` for what happens in place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType, ModuleType
from typing import Any

from autograph.codegen.freeing import freeing
from autograph.codegen.function import FunctionWriter, Line
from autograph.codegen.program import CalledByKernels, Program, RecursionFacts, Source
from autograph.codegen.shared import Shared
from autograph.errors import Location
from autograph.graph.graph import Graph, Module, Value, callees, walk
from autograph.kernels.by_python import python_calls
from autograph.places import file_name
from ops.control import regions
from ops.core.eager import helper_source
from ops.core.types import ArrayType
from ops.random.numpy_streams import draw

_COMMENT_COLUMN = 66


def generate(
    module: Module,
    backend: ModuleType,
    donated: Iterable[int] = (),
    frees: bool = False,
    kernels: Mapping[str, Any] | None = None,
    apart: bool = False,
    pieces: Mapping[str, Any] = MappingProxyType({}),
) -> Program:
    """The program that computes what a module of graphs computes.

    Args:
        module: the main graph and the graphs it calls.
        backend: a module of `autograph.backends`.
        donated: the positions of those of the main graph's inputs whose memory it may write to.
        frees: whether it lets arrays go where they are no longer needed, see
            `autograph.codegen.freeing`.
        kernels: native code for graphs of the module, by their names.
        apart: whether each operation is a statement of its own, which has the line of the user's
            that it comes from.
        pieces: what is known of graphs that may be graphs of CUDA's, see `Program`, by their names.

    Returns:
        A program whose function takes the main graph's inputs, as arrays of the backend and Python
        numbers, and returns its output, or the tuple of them unless there is exactly one.
    """
    given = module, backend, donated, frees, kernels or {}, apart, pieces
    return ProgramWriter(*given).program()


class ProgramWriter:
    """Writes the program for a module of graphs; for the arguments see `generate`."""

    def __init__(
        self,
        module: Module,
        backend: ModuleType,
        donated: Iterable[int],
        frees: bool,
        kernels: Mapping[str, Any],
        apart: bool = False,
        pieces: Mapping[str, Any] = MappingProxyType({}),
    ):
        self.module = module
        self.backend = backend
        self.frees = frees
        self.kernels = kernels
        self.apart = apart
        self.pieces = pieces
        self.shared = Shared(module, backend, donated)

    def program(self) -> Program:
        """The whole program. It is written when somebody needs it: a function that is one kernel
        may do without."""
        named = {**self.shared.functions, self.module.main.name: self.shared.main}
        kernels = {named[name]: kernel for name, kernel in self.kernels.items()}
        keeps, recursion = self.shared.keeps, self._recursion()
        graphs = {self.module.main.name: self.module.main, **self.module.graphs}
        found: dict[str, CalledByKernels] = {}
        for name in self.kernels:
            for callee, graph in python_calls(graphs[name], self.module.graphs).items():
                types = [
                    tuple([v.type for v in values]) for values in (graph.inputs, graph.outputs)
                ]
                found[callee] = CalledByKernels(self.shared.functions[callee], *types)
        pieces = {named[name]: piece for name, piece in self.pieces.items()}
        given = self.shared.main, self._source, self.backend, recursion, kernels, keeps, found
        return Program(*given, pieces)

    def _source(self, left_out: Collection[str] = ()) -> Source:
        """What is written.

        Args:
            left_out: the names of functions that are not.
        """
        self.shared.forget_uses()
        lines = [*self._imports()]
        if self._recursion() is not None:
            lines += [Line(0, ""), Line(0, "# Deep recursion needs a high sys.setrecursionlimit.")]
        constants = self.shared.constants
        if constants:
            listed = [f"# {name}: {constant.type}" for name, constant in constants.items()]
            head = ["", "# Array constants, defined at the end:"]
            lines += [Line(0, text) for text in (*head, *listed)]
        main, names = self.shared.main, self.shared.functions
        functions = [(names[name], graph) for name, graph in self.module.graphs.items()]
        written = [
            self._written(name, graph)
            for name, graph in (*functions, (main, self.module.main))
            if name not in left_out
        ]
        sources = [helper_source(helper).splitlines() for helper in self.shared.helpers]
        made = [Line(0, f"{name} = {made}") for name, made in self.shared.made.items()]
        blocks = [*([Line(0, text) for text in source] for source in sources), made, *written]
        for block in filter(None, blocks):
            lines += [Line(0, ""), Line(0, ""), *block]
        text = "".join(_with_comment(line) + "\n" for line in lines)
        places = {number: (*line.raises, line.location) for number, line in enumerate(lines, 1)}
        locations: dict[int, Location] = {n: p[0] for n, p in places.items() if p[0]}
        draws = (node for node in self.shared.nodes() if node.op is draw)
        generators = dict.fromkeys(node.attrs["generator"] for node in draws)
        data = {name: constant.data for name, constant in constants.items()}
        return Source(text, data, locations, tuple(generators))

    def _written(self, name: str, graph: Graph) -> list[Line]:
        """The lines of the function that computes a graph."""
        writer = FunctionWriter(self.shared, graph, self.apart)
        comment, header, *body = writer.write(name)
        if self.frees:
            body = freeing(body, writer.variables.of_arrays())
        return [comment, header, *body]

    def _imports(self) -> Iterator[Line]:
        """The array library, and what makes dtypes known to it that are not its own."""
        dtypes = {v.type.dtype for v in self._values() if isinstance(v.type, ArrayType)}
        for package in sorted({dtype.type.__module__.partition(".")[0] for dtype in dtypes}):
            if package != "numpy":
                yield Line(0, f"import {package}  # its dtypes are looked up by name")
        yield Line(0, f"import {self.backend.name} as np")

    def _values(self) -> Iterator[Value]:
        for graph in (self.module.main, *self.module.graphs.values()):
            yield from graph.inputs
        for node in self.shared.nodes():
            yield from (*node.inputs, *node.outputs)

    def _recursion(self) -> RecursionFacts | None:
        graphs = self.module.graphs
        names = {name for name, graph in graphs.items() if name in callees(graph, graphs)}
        if not names:
            return None
        sites = {
            self.shared.functions[name]: (graphs[name].location, node.location)
            for name in names
            for node in walk(graphs[name])
            if node.op is regions.call and node.attrs["callee"] in names
        }
        functions = frozenset((self.shared.main, *self.shared.functions.values()))
        repeatable = not any(node.op.effect in ("shows", "draws") for node in self.shared.nodes())
        return RecursionFacts(functions, sites, repeatable=repeatable)


def _with_comment(line: Line) -> str:
    text = "    " * line.depth + line.text
    if line.location is None:
        return text
    file = file_name(line.location.file)
    return f"{text:{_COMMENT_COLUMN - 1}} # {file}:{line.location.line}"
