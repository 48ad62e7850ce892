"""From a module of graphs to the source of a program.

The program has one function for each named graph and one for the main graph, preceded by the
helpers that its operators need. It is meant to be read: see `autograph.codegen.function` for how
the statements of a function are made, `autograph.codegen.names` for its variables and
`autograph.codegen.memory` for what happens in place.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any

import numpy as np

from autograph.codegen.constants import NAMES
from autograph.codegen.expressions import (
    NUMBER,
    Expression,
    Skeleton,
    literal,
    marker,
    parse_skeleton,
)
from autograph.codegen.freeing import freeing
from autograph.codegen.function import FunctionWriter, Line, has_expression
from autograph.codegen.names import ModuleNames
from autograph.codegen.program import Program, Recursion
from autograph.errors import Location, UnsupportedFunctionError
from autograph.graph.graph import Constant, Graph, Module, Node, Value, callees, walk
from autograph.graph.purity import effectful_graphs
from ops import effects
from ops.random.numpy_streams import draw
from ops.registry import Op, helper_source
from ops.types import ArrayType

_COMMENT_COLUMN = 66


def generate(
    module: Module,
    backend: ModuleType,
    donated: Iterable[int] = (),
    frees: bool = False,
    kernels: Mapping[str, Any] | None = None,
) -> Program:
    """The program that computes what a module of graphs computes.

    Args:
        module: the main graph and the graphs it calls.
        backend: a module of `autograph.backends`.
        donated: the positions of those of the main graph's inputs whose memory it may write to.
        frees: whether it lets arrays go where they are no longer needed, see
            `autograph.codegen.freeing`.
        kernels: native code for graphs of the module, by their names.

    Returns:
        A program whose function takes the main graph's inputs, as arrays of the backend and Python
        numbers, and returns its output, or the tuple of them unless there is exactly one.
    """
    return ModuleWriter(module, backend, donated, frees, kernels).program()


class ModuleWriter:
    """What the functions of one program share.

    Attributes:
        functions: the name of the function for each named graph.
        effectful: the named graphs that do more than compute their results.
        reserved: names that no local variable may have.
        donated: inputs of the main graph whose memory the program may write to.
    """

    def __init__(
        self,
        module: Module,
        backend: ModuleType,
        donated: Iterable[int] = (),
        frees: bool = False,
        kernels: Mapping[str, Any] | None = None,
    ):
        self.kernels = kernels or {}
        self.module = module
        self.frees = frees
        self.donated = [module.main.inputs[i] for i in donated]
        self.backend = backend
        self.effectful = effectful_graphs(module)
        self._graphs = (module.main, *module.graphs.values())
        self._check_backend()
        self._skeletons = {n: self._parse(n) for n in self._nodes() if has_expression(n)}
        self._helpers: dict[Callable, None] = {}  # those used so far
        used = {name for skeleton in self._skeletons.values() for name in skeleton.names}
        used |= {helper.__name__ for node in self._skeletons for helper in node.op.helpers}
        names = ModuleNames({"np", *NAMES, *used, *dir(builtins)})
        self.main = names.give(module.main.name)
        self.functions = {name: names.give(name) for name in module.graphs}
        self._constants: dict[int, tuple[str, Constant]] = {}
        for constant in self._global_constants():
            if id(constant.data) not in self._constants:
                name = names.give(constant.name or f"c_{len(self._constants)}")
                self._constants[id(constant.data)] = (name, constant)
        own = {self.main, *self.functions.values(), *(n for n, _ in self._constants.values())}
        self.reserved = own | used | {"np", "range", "float", "complex", "_"}

    def _check_backend(self) -> None:
        """Refuse operators whose code a device's library cannot run; in the host's memory it is
        always NumPy that runs."""
        for node in () if self.backend.host else self._nodes():
            if "cupy" not in node.op.backends:
                raise UnsupportedFunctionError(
                    f"the operator '{node.op.name}' does not run on the backend "
                    f"'{self.backend.name}'",
                    node.location,
                    fix=node.op.instead,
                )

    def _nodes(self) -> Iterator[Node]:
        for graph in self._graphs:
            yield from walk(graph)

    def _global_constants(self) -> Iterator[Constant]:
        for graph in self._graphs:
            values = [*graph.outputs]
            for node in walk(graph):
                values += node.inputs
                for region in node.regions:
                    values += region.outputs
            for value in values:
                if isinstance(value, Constant) and self._inline(value) is None:
                    yield value

    def _inline(self, constant: Constant) -> Expression | None:
        """A constant as a literal, or None if it has to be a global variable.

        A NumPy scalar lives on the host; elsewhere it is an array, like every other scalar with a
        dtype.
        """
        if isinstance(constant.data, (np.ndarray, tuple)):
            return None
        if isinstance(constant.data, np.generic) and not self.backend.host:
            return None
        return literal(constant.data)

    def constant(self, constant: Constant) -> Expression:
        """A constant as an expression."""
        inline = self._inline(constant)
        return Expression(self._constants[id(constant.data)][0]) if inline is None else inline

    def _parse(self, node: Node) -> Skeleton:
        """The expression of a node's operator.

        Non-negative literals stand for themselves: an operator's code may look at them.
        """
        operands = []
        for position, value in enumerate(node.inputs):
            inline = self._inline(value) if isinstance(value, Constant) else None
            known = inline is not None and inline.level >= NUMBER
            operands.append(inline.text if known else marker(position))
        types = [value.type for value in node.inputs]
        return parse_skeleton(node.op.expression(operands, types, node.attrs))

    def skeleton(self, node: Node) -> Skeleton:
        """The expression of a node, with markers for its operands."""
        if node.op.name == "call":
            operands = ", ".join(map(marker, range(len(node.inputs))))
            return parse_skeleton(f"{self.functions[node.attrs['callee']]}({operands})")
        skeleton = self._skeletons[node]
        self.use_helpers(node.op, skeleton.text)
        return skeleton

    def use_helpers(self, op: Op, text: str) -> None:
        """Put those helpers of an operator that ``text`` calls, and those that they call
        themselves, into the program."""
        called = [h for h in op.helpers if re.search(rf"\b{h.__name__}[(,]", text)]
        for helper in called:
            inner = helper.__code__.co_names
            called += [h for h in op.helpers if h.__name__ in inner and h not in called]
        self._helpers.update(dict.fromkeys(called))

    def program(self) -> Program:
        """The whole program."""
        lines = [*self._imports()]
        recursion = self._recursion()
        if recursion is not None:
            lines += [Line(0, ""), Line(0, "# Deep recursion needs a high sys.setrecursionlimit.")]
        constants = {name: constant.data for name, constant in self._constants.values()}
        if constants:
            types = {name: constant.type for name, constant in self._constants.values()}
            listed = [f"# {name}: {type}" for name, type in types.items()]
            head = ["", "# Array constants, defined at the end:"]
            lines += [Line(0, text) for text in (*head, *listed)]
        functions = [(self.functions[name], graph) for name, graph in self.module.graphs.items()]
        functions.append((self.main, self.module.main))
        written = [self._written(name, graph) for name, graph in functions]
        sources = [helper_source(helper).splitlines() for helper in self._helpers]
        for block in [*([Line(0, text) for text in source] for source in sources), *written]:
            lines += [Line(0, ""), Line(0, ""), *block]
        text = "".join(_with_comment(line) + "\n" for line in lines)
        places = {number: (*line.raises, line.location) for number, line in enumerate(lines, 1)}
        locations: dict[int, Location] = {n: p[0] for n, p in places.items() if p[0]}
        generators = {node.attrs["generator"]: None for node in self._nodes() if node.op is draw}
        named = {**self.functions, self.module.main.name: self.main}
        kernels = {named[name]: kernel for name, kernel in self.kernels.items()}
        return Program(
            self.main, text, constants, locations, self.backend, recursion, [*generators], kernels
        )

    def _written(self, name: str, graph: Graph) -> list[Line]:
        """The lines of the function that computes a graph."""
        writer = FunctionWriter(self, graph)
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
        for graph in self._graphs:
            yield from graph.inputs
            for node in walk(graph):
                yield from (*node.inputs, *node.outputs)

    def _recursion(self) -> Recursion | None:
        graphs = self.module.graphs
        names = {name for name, graph in graphs.items() if name in callees(graph, graphs)}
        if not names:
            return None
        sites = {
            self.functions[name]: (graphs[name].location, node.location)
            for name in names
            for node in walk(graphs[name])
            if node.op.name == "call" and node.attrs["callee"] in names
        }
        functions = frozenset((self.main, *self.functions.values()))
        lasting = (*effects.LASTING, draw)  # the others' effect is to raise
        repeatable = not any(node.op in lasting for node in self._nodes())
        return Recursion(functions, sites, repeatable=repeatable)


def _with_comment(line: Line) -> str:
    text = "    " * line.depth + line.text
    if line.location is None:
        return text
    file = line.location.file.replace("\\", "/").rpartition("/")[2]
    return f"{text:{_COMMENT_COLUMN - 1}} # {file}:{line.location.line}"
