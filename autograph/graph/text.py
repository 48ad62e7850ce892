"""A graph as text, for people to read.

One line per node: what it defines, with types; the operator; its operands. Regions are indented
below their node, under a header that tells their inputs and what they capture. The place in the
user's file that a line came from follows as a comment::

    graph newton_sqrt(a: float) -> float                          # newton.py:5
        x: float = while_loop(a)                                  # newton.py:7
            test(x: float) captures a
                t0: float = multiply(x, x)                        # newton.py:7
                t1: float = subtract(t0, a)                       # newton.py:7
                ...

Values keep the names of the user's variables; a number is appended where one variable has several
values in the same scope. As in Python, a region's own names may hide names of the enclosing graph,
but never one that the region captures. Values without a name are t0, t1 ... in order of appearance.
The same graph always gives the same text.

What a function of one lane is for all lanes at once (see `ops.regions`) is left out, together with
the graphs that only this calls: the program that is generated shows it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from autograph.errors import Location
from autograph.graph.graph import Constant, Graph, Module, Node, Value, callees
from ops.regions import Structured
from ops.types import ArrayType, PackType, StackType, dtype_name

_INDENT = "    "
_COMMENT_COLUMN = 66


def graph_text(graph: Graph) -> str:
    """The text of a graph, or of a region by itself.

    Returns:
        Lines joined by newlines, without one at the end.
    """
    lines = _Printer(graph).lines(graph)
    return "\n".join(_with_comment(text, location) for text, location in lines)


def module_text(module: Module) -> str:
    """The text of a module's graphs, the function's own first."""
    met = {None}
    pending = [module.main]
    while pending:
        for node in _shown_nodes(pending.pop()):
            callee = node.attrs.get("callee")
            if callee not in met:
                met.add(callee)
                pending.append(module.graphs[callee])
    hidden = callees(module.main, module.graphs) - met
    graphs = [graph for name, graph in module.graphs.items() if name not in hidden]
    return "\n\n".join(map(graph_text, (module.main, *graphs)))


def constant_text(constant: Constant) -> str:
    """A scalar's value; the type alone of an array, which may be the user's and change."""
    data, type = constant.data, constant.type
    if data is None:
        return "None"
    if not constant.is_scalar:
        name = f"{constant.name}: " if constant.name else ""
        return f"<const {name}{type}>"
    if type.weak:
        return repr(type.scalar(data))
    return f"{dtype_name(type.dtype)}({data!s})"


def attr_text(value: Any) -> str:
    """An attribute's value, without anything that differs from run to run."""
    if isinstance(value, (ArrayType, PackType, StackType)):
        return str(value)
    if isinstance(value, tuple):
        items = [attr_text(item) for item in value]
        return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
    if isinstance(value, np.dtype):
        return dtype_name(value)
    return getattr(value, "__qualname__", None) or repr(value)


_Line = tuple[str, "Location | None"]


class _Scope:
    """The names in use in one graph or region."""

    def __init__(self, taken: Iterable[str]):
        self.taken = set(taken)
        self.suffixes: dict[str, int] = {}

    def unique(self, name: str, reserved: set[str]) -> str:
        """``name`` if it is free here, else ``name_1``, ``name_2`` ..., none of them reserved."""
        choice = name
        while choice in self.taken:
            number = self.suffixes[name] = self.suffixes.get(name, 0) + 1
            choice = f"{name}_{number}"
            if choice in reserved:
                choice = name
        self.taken.add(choice)
        return choice


class _Printer:
    def __init__(self, graph: Graph):
        self.names: dict[Value, str] = {}
        self.reserved = {v.name for v in (*graph.captures, *_defined(graph)) if v.name}
        self.temporaries = 0
        self.outermost = _Scope(())
        self._declare(graph.captures, self.outermost)

    def lines(self, graph: Graph) -> Iterator[_Line]:
        scope = self.outermost
        inputs = self._declare(graph.inputs, scope)
        types = [str(type) for type in graph.output_types]
        result = types[0] if len(types) == 1 else f"({', '.join(types)})"
        header = f"graph {graph.name}({inputs}) -> {result}{self._captures(graph)}"
        yield header, graph.location
        yield from self._body(graph, scope, _INDENT)

    def _body(self, graph: Graph, scope: _Scope, indent: str) -> Iterator[_Line]:
        for node in graph.nodes:
            call = self._application(node)
            results = self._declare(node.outputs, scope)
            yield f"{indent}{results} = {call}" if results else indent + call, node.location
            for role, region in _with_roles(node):
                yield from self._region(role, region, indent + _INDENT)
        yield f"{indent}return {self._operands(graph.outputs)}".rstrip(), None

    def _region(self, role: str, region: Graph, indent: str) -> Iterator[_Line]:
        scope = _Scope(self.names[v] for v in region.captures)
        inputs = self._declare(region.inputs, scope)
        yield f"{indent}{role}({inputs}){self._captures(region)}", None
        yield from self._body(region, scope, indent + _INDENT)

    def _application(self, node: Node) -> str:
        attrs = dict(node.attrs)
        callee = f" @{attrs.pop('callee')}" if node.op.name == "call" else ""
        operands = [self._operand(v) for v in node.inputs]
        operands += [f"{key}={attr_text(value)}" for key, value in sorted(attrs.items())]
        return f"{node.op.name}{callee}({', '.join(operands)})"

    def _captures(self, graph: Graph) -> str:
        return f" captures {self._operands(graph.captures)}" if graph.captures else ""

    def _operands(self, values: Iterable[Value]) -> str:
        return ", ".join(map(self._operand, values))

    def _operand(self, value: Value) -> str:
        return constant_text(value) if isinstance(value, Constant) else self.names[value]

    def _declare(self, values: Iterable[Value], scope: _Scope) -> str:
        """Give names to values being defined; returns them with their types."""
        declarations = []
        for value in values:
            name = scope.unique(value.name, self.reserved) if value.name else self._temporary()
            self.names[value] = name
            declarations.append(f"{name}: {value.type}")
        return ", ".join(declarations)

    def _temporary(self) -> str:
        while True:
            name = f"t{self.temporaries}"
            self.temporaries += 1
            if name not in self.reserved:
                return name


def _shown_nodes(graph: Graph) -> Iterator[Node]:
    """The nodes of a graph, those of regions included, that its text shows."""
    for node in graph.nodes:
        yield node
        for region in _shown_regions(node):
            yield from _shown_nodes(region)


def _shown_regions(node: Node) -> Sequence[Graph]:
    return [region for _, region in _with_roles(node)]


def _with_roles(node: Node) -> Iterator[tuple[str, Graph]]:
    """The regions that are shown, each with what it is called."""
    if isinstance(node.op, Structured):
        yield from zip(node.op.roles, node.regions)
    else:
        yield from ((region.name, region) for region in node.regions)


def _defined(graph: Graph) -> Iterator[Value]:
    """All values defined in a graph, those of nested regions included."""
    yield from graph.inputs
    for node in graph.nodes:
        yield from node.outputs
        for region in node.regions:
            yield from _defined(region)


def _with_comment(text: str, location: Location | None) -> str:
    if location is None:
        return text
    padded = text.ljust(_COMMENT_COLUMN) if len(text) < _COMMENT_COLUMN else f"{text}  "
    return f"{padded}# {os.path.basename(location.file)}:{location.line}"
