"""Values, nodes, graphs and modules.

A graph is first-order and typed: inputs, nodes in the order they run, outputs. Each value is
defined once, as an input, as an output of a node, or as a constant. Control flow is a node with
nested graphs (its *regions*, see `ops.control.regions`), which may refer to values defined before
the node in the enclosing graphs; `Graph.captures` lists those. The graph of a whole function
captures nothing. A *module* is a function's graph together with the named graphs that it calls,
directly or through one another.

Nothing of this is changed once it is made, and assigning to an attribute raises: passes build new
graphs, with a `Builder` or by `autograph.graph.rewrite`. Two things come late, and are given here:
the name of a value (`label`), and the producer of values whose node gives way to another before
their graph is finished (`exchanged`).

`str` of a graph or module is a text for people to read. One line per node: what it defines, with
types; the operator; its operands. Regions are indented below their node, under a header that tells
their inputs and what they capture. The place in the user's file that a line came from follows as a
comment::

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

What a function of one lane is for all lanes at once (see `ops.control.regions`) is left out,
together with the graphs that only this calls: the program that is generated shows it.
"""

from __future__ import annotations

import itertools
import operator
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import FrozenInstanceError, dataclass, field, replace
from types import MappingProxyType
from typing import Any, NoReturn

import numpy as np

from autograph.closure import closure
from autograph.errors import Location
from autograph.html import Shown
from autograph.places import file_name
from ops.control.meshes import MeshAxis
from ops.control.regions import Structured, call
from ops.core.lazy import lazy
from ops.core.operands import Symbolic
from ops.core.registry import Op
from ops.core.types import (
    PYTHON_SCALARS,
    ArrayType,
    PackType,
    StackType,
    Type,
    dtype_name,
    python_type,
    type_of,
)
from ops.names.operators import Operators


class _Building(threading.local):
    """What each thread is building.

    Attributes:
        builder: the innermost builder; see `autograph.graph.builder`.
        control: None, or, in the function for a mesh, along which of its axes control flow varies;
            see `autograph.graph.variance`.
        axes: what operators have for the axes of the mesh, by name.
    """

    builder: Any = None
    control: frozenset | None = None
    axes: Mapping[str, MeshAxis] = MappingProxyType({})


building = _Building()


def current_builder() -> Any:
    """The builder of the graph that this thread is building."""
    builder = building.builder
    if builder is None:
        raise RuntimeError("an operator was applied to a graph value while no graph is being built")
    return builder


class Value(Operators, Symbolic):
    """One typed value. ``name`` is the user's variable it was bound to, or None; ``producer``
    its node.

    Type checkers take ``type`` for that of an array: the few values that are packs or stacks, which
    a region leaves for its backward pass, are met by operators that only handle those.
    """

    __slots__ = ("name", "producer", "type")
    name: str | None
    producer: Node | None

    def __init__(self, type: Type, name: str | None = None, producer: Node | None = None):
        _set_type(self, type)
        _set_name(self, name)
        _set_producer(self, producer)

    def __setattr__(self, attribute: str, _: Any) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {attribute!r} of a value of a graph")

    def __apply__(self, op: Op, args: Sequence[Any], attrs: dict[str, Any]) -> Any:
        return current_builder().apply(op, args, attrs)

    def __bool__(self) -> bool:
        raise TypeError("a graph value has no truth value while the graph is being built")

    def __repr__(self) -> str:
        return f"<{self.name or 'value'}: {self.type}>"


def producer_of(value: Value) -> Node:
    """The node that has a value as a result, of one that is known to be a result."""
    node = value.producer
    assert node is not None
    return node


def _setter(kind: type, field: str) -> Callable[[Any, Any], None]:
    """What fills a field, past the guard against assignments."""
    setter: Callable[[Any, Any], None] = getattr(kind, field).__set__
    return setter


_set_type, _set_name = _setter(Value, "type"), _setter(Value, "name")
_set_producer = _setter(Value, "producer")


def label(value: Value, name: str | None) -> None:
    """Name a value that has no name. This is for printing, and says nothing of what it is: of what
    a pass computes, it may turn out later that it is what has a name in the user's program."""
    if value.name is None:
        _set_name(value, name)


class Constant(Value):
    """A value known when the graph is built: a Python scalar, a NumPy scalar, or an array.

    An array is held by reference, not copied: it may be the user's own, and change between calls.
    ``None`` is a constant of type Pack or Stack: the empty stack, or a zero cotangent. A tuple is
    one that a forward pass which is over has left.
    """

    __slots__ = ("data",)
    data: Any

    def __init__(self, data: Any, type: Type | None = None, name: str | None = None):
        type = type or type_of(data)
        if type is None:
            raise TypeError(f"no graph constant can hold {data!r}")
        super().__init__(type, name)
        _set_data(self, data)

    def literal(self) -> Any:
        return self.data if self.is_scalar else None

    @property
    def is_array(self) -> bool:
        """Whether the data is an array."""
        return not (self.is_scalar or self.data is None or isinstance(self.data, tuple))

    @property
    def is_scalar(self) -> bool:
        """Whether the data is immutable, so that it may be folded into other constants and
        printed."""
        return isinstance(self.data, PYTHON_SCALARS + (np.generic,))

    def __repr__(self) -> str:
        return f"<constant {self.data!r}: {self.type}>"


_set_data = _setter(Constant, "data")


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """One application of an operator.

    ``attrs`` are static; ``location`` is a place in the user's file. A ``required`` node runs even
    if nobody uses its results, because it may raise, as the user's program would.
    """

    op: Op
    inputs: tuple[Value, ...]
    attrs: dict[str, Any]
    regions: tuple[Graph, ...]
    outputs: tuple[Value, ...] = ()
    location: Location | None = None
    required: bool = False

    def uses(self) -> Iterator[Value]:
        """The values the node needs: its inputs and what its regions capture (constants
        included)."""
        if not self.regions:  # most of them: every pass asks
            return iter(self.inputs)
        captures = itertools.chain.from_iterable(region.captures for region in self.regions)
        return itertools.chain(self.inputs, captures)

    @property
    def is_view(self) -> bool:
        """Whether the result may share memory with the first operand."""
        view = self.op.view
        return view([v.type for v in self.inputs], self.attrs) if callable(view) else view

    def place(self, value: Value) -> int:
        """Which of the results a value is."""
        return next(i for i, output in enumerate(self.outputs) if output is value)


class _Draft:
    """A node that is being made, whose fields can still be assigned. It becomes one by a change of
    its class, which takes a fraction of the time of passing the guard once for each field: passes
    make all the nodes of a graph again and again."""

    __slots__ = Node.__slots__


def new_node(
    op: Op,
    inputs: tuple[Value, ...],
    attrs: dict[str, Any],
    regions: tuple[Graph, ...],
    types: Iterable[Type],
    names: Iterable[str | None],
    location: Location | None,
    required: bool,
) -> Node:
    """A node with new values, of these types and names, as its results."""
    node: Any = _Draft()
    node.op, node.inputs, node.attrs, node.regions = op, inputs, attrs, regions
    node.outputs = tuple([Value(type, name, node) for type, name in zip(types, names)])
    node.location, node.required = location, required
    node.__class__ = Node
    return node


def exchanged(node: Node, **changes: Any) -> Node:
    """A node with other fields that gives the results of ``node``, in whose place it comes.

    Their producer it is from now on: this is for nodes whose graph is not finished yet.
    """
    new = replace(node, **changes)
    for value in new.outputs:
        _set_producer(value, new)
    return new


@dataclass(frozen=True, eq=False)
class Graph:
    """Inputs, nodes in order, outputs; ``captures`` are the values of enclosing graphs referred
    to."""

    name: str
    inputs: tuple[Value, ...]
    nodes: tuple[Node, ...]
    outputs: tuple[Value, ...]
    location: Location | None = None
    captures: tuple[Value, ...] = field(init=False)

    def __post_init__(self) -> None:
        captures = free_values(self.inputs, self.nodes, self.outputs)
        object.__setattr__(self, "captures", captures)

    @lazy
    def every_node(self) -> Sequence[Node]:
        """All of its nodes, those of nested regions after the node that holds them: passes ask
        again and again."""
        if not any(map(_REGIONS, self.nodes)):  # most are straight
            return self.nodes
        return [*_walk_regions(self.nodes)]

    @property
    def input_types(self) -> tuple[Type, ...]:
        return tuple(v.type for v in self.inputs)

    @property
    def output_types(self) -> tuple[Type, ...]:
        return tuple(v.type for v in self.outputs)

    def __str__(self) -> str:
        return graph_text(self)


@dataclass(frozen=True, eq=False)
class Module(Shown):
    """A function's graph and the named graphs that ``call`` nodes refer to."""

    main: Graph
    graphs: dict[str, Graph] = field(default_factory=dict)

    def __str__(self) -> str:
        return module_text(self)

    def svg(self) -> str:
        """A picture of the graphs, as the text of an SVG file; see `autograph.graph.drawing`."""
        from autograph.graph.drawing import svg  # which few need

        return svg(self)

    def _repr_html_(self) -> str:
        from autograph.graph.drawing import page

        return page(self)


def free_values(
    inputs: Iterable[Value], nodes: Iterable[Node], outputs: Iterable[Value]
) -> tuple[Value, ...]:
    """The values used by these nodes and outputs but not defined among them, in order of first
    use."""
    bound = set(inputs)
    free: dict[Value, None] = {}
    for node in nodes:
        for value in node.uses() if node.regions else node.inputs:
            if value not in bound and not isinstance(value, Constant):
                free.setdefault(value)
        bound.update(node.outputs)
    for value in outputs:
        if value not in bound and not isinstance(value, Constant):
            free.setdefault(value)
    return tuple(free)


def walk(graph: Graph) -> Iterator[Node]:
    """All nodes of a graph, those of nested regions after the node that holds them."""
    return iter(graph.every_node)


def walk_nodes(nodes: Sequence[Node]) -> Iterator[Node]:
    """Nodes, and those of their regions, each after the node that holds it."""
    straight = not any(map(_REGIONS, nodes))  # most are, and all passes come here
    return iter(nodes) if straight else _walk_regions(nodes)


_REGIONS = operator.attrgetter("regions")


def _walk_regions(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        for region in node.regions:
            yield from walk_nodes(region.nodes)


def called(graph: Graph | None) -> Iterator[str]:
    """The names of the graphs that ``graph`` itself calls; none if it is still being recorded."""
    nodes = () if graph is None else walk(graph)
    return (node.attrs["callee"] for node in nodes if node.op is call)


def callees(graph: Graph, graphs: Mapping[str, Graph]) -> set[str]:
    """The names of the graphs that ``graph`` calls, directly or through one another."""
    return closure(called(graph), lambda name: called(graphs[name]))


def calls_itself(name: str, graphs: Mapping[str, Graph]) -> bool:
    """Whether a named graph calls itself, directly or through others; one that is still being
    recorded may."""
    return graphs[name] is None or name in callees(graphs[name], graphs)


# -- text -----------------------------------------------------------------------------------------

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
    return "\n\n".join(map(graph_text, shown_graphs(module)))


def shown_graphs(module: Module) -> list[Graph]:
    """The graphs of a module that texts and pictures show, the function's own first."""

    def shown(graph: Graph) -> Iterator[Any]:
        return (node.attrs["callee"] for node in _shown_nodes(graph) if "callee" in node.attrs)

    met = closure(shown(module.main), lambda name: shown(module.graphs[name]))
    hidden = callees(module.main, module.graphs) - met
    return [module.main, *(graph for name, graph in module.graphs.items() if name not in hidden)]


def constant_text(constant: Constant) -> str:
    """A scalar's value; the type alone of an array, which may be the user's and change."""
    data, type = constant.data, constant.type
    if data is None:
        return "None"
    if not constant.is_scalar:
        name = f"{constant.name}: " if constant.name else ""
        return f"<const {name}{type}>"
    if type.weak:
        return repr(python_type(type.dtype)(data))
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
            for role, region in regions_by_role(node):
                yield from self._region(role, region, indent + _INDENT)
        yield f"{indent}return {self._operands(graph.outputs)}".rstrip(), None

    def _region(self, role: str, region: Graph, indent: str) -> Iterator[_Line]:
        scope = _Scope(self.names[v] for v in region.captures)
        inputs = self._declare(region.inputs, scope)
        yield f"{indent}{role}({inputs}){self._captures(region)}", None
        yield from self._body(region, scope, indent + _INDENT)

    def _application(self, node: Node) -> str:
        attrs = dict(node.attrs)
        callee = f" @{attrs.pop('callee')}" if node.op is call else ""
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


class ValueNames:
    """What a graph's text calls its values, those of regions included."""

    def __init__(self, graph: Graph):
        self._printer = _Printer(graph)
        for _ in self._printer.lines(graph):
            pass

    def __getitem__(self, value: Value) -> str:
        return self._printer.names[value]

    def operand(self, value: Value) -> str:
        """A value where it is used: a constant is itself."""
        return self._printer._operand(value)


def _shown_nodes(graph: Graph) -> Iterator[Node]:
    """The nodes of a graph, those of regions included, that its text shows."""
    for node in graph.nodes:
        yield node
        for region in _shown_regions(node):
            yield from _shown_nodes(region)


def _shown_regions(node: Node) -> Sequence[Graph]:
    return [region for _, region in regions_by_role(node)]


def regions_by_role(node: Node) -> Iterator[tuple[str, Graph]]:
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
    return f"{padded}# {file_name(location.file)}:{location.line}"
