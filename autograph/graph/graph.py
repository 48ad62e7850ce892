"""Values, nodes, graphs and modules.

A graph is first-order and typed: inputs, nodes in the order they run, outputs. Each value is
defined once, as an input, as an output of a node, or as a constant. Control flow is a node with
nested graphs (its *regions*, see `ops.regions`), which may refer to values defined before the node
in the enclosing graphs; `Graph.captures` lists those. The graph of a whole function captures
nothing. A *module* is a function's graph together with the named graphs that it calls, directly or
through one another.

Graphs are never changed once built: passes build new ones with a `Builder`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph.errors import Location
from ops.operators import Operators
from ops.registry import Op, Symbolic
from ops.types import PYTHON_SCALARS, Type, type_of

building = threading.local()  # the innermost builder of each thread; see `autograph.graph.builder`


def current_builder() -> Any:
    """The builder of the graph that this thread is building."""
    builder = getattr(building, "builder", None)
    if builder is None:
        raise RuntimeError("an operator was applied to a graph value while no graph is being built")
    return builder


class Value(Operators, Symbolic):
    """One typed value. ``name`` is the user's variable it was bound to, or None; ``producer``
    its node."""

    __slots__ = ("name", "producer", "type")

    def __init__(self, type: Type, name: str | None = None, producer: Node | None = None):
        self.type = type
        self.name = name
        self.producer = producer

    def __apply__(self, op: Op, args: Sequence[Any], attrs: dict[str, Any]) -> Any:
        return current_builder().apply(op, args, attrs)

    def __bool__(self) -> bool:
        raise TypeError("a graph value has no truth value while the graph is being built")

    def __repr__(self) -> str:
        return f"<{self.name or 'value'}: {self.type}>"


class Constant(Value):
    """A value known when the graph is built: a Python scalar, a NumPy scalar, or an array.

    An array is held by reference, not copied: it may be the user's own, and change between calls.
    ``None`` is a constant of type Pack or Stack: the empty stack, or a zero cotangent. A tuple is
    one that a forward pass which is over has left.
    """

    __slots__ = ("data",)

    def __init__(self, data: Any, type: Type | None = None):
        type = type or type_of(data)
        if type is None:
            raise TypeError(f"no graph constant can hold {data!r}")
        super().__init__(type)
        self.data = data

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


@dataclass(eq=False)
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
        yield from self.inputs
        for region in self.regions:
            yield from region.captures


@dataclass(eq=False)
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
        self.captures = free_values(self.inputs, self.nodes, self.outputs)

    @property
    def input_types(self) -> tuple[Type, ...]:
        return tuple(v.type for v in self.inputs)

    @property
    def output_types(self) -> tuple[Type, ...]:
        return tuple(v.type for v in self.outputs)

    def __str__(self) -> str:
        from autograph.graph.text import graph_text

        return graph_text(self)


@dataclass(eq=False)
class Module:
    """A function's graph and the named graphs that ``call`` nodes refer to."""

    main: Graph
    graphs: dict[str, Graph] = field(default_factory=dict)

    def __str__(self) -> str:
        from autograph.graph.text import module_text

        return module_text(self)


def free_values(
    inputs: Iterable[Value], nodes: Iterable[Node], outputs: Iterable[Value]
) -> tuple[Value, ...]:
    """The values used by these nodes and outputs but not defined among them, in order of first
    use."""
    bound = set(inputs)
    free: dict[Value, None] = {}
    for node in nodes:
        for value in node.uses():
            if value not in bound and not isinstance(value, Constant):
                free.setdefault(value)
        bound.update(node.outputs)
    for value in outputs:
        if value not in bound and not isinstance(value, Constant):
            free.setdefault(value)
    return tuple(free)


def walk(graph: Graph) -> Iterator[Node]:
    """All nodes of a graph, those of nested regions after the node that holds them."""
    for node in graph.nodes:
        yield node
        for region in node.regions:
            yield from walk(region)


def callees(graph: Graph, graphs: Mapping[str, Graph]) -> set[str]:
    """The names of the graphs that ``graph`` calls, directly or through one another."""
    found: set[str] = set()
    pending = [graph]
    while pending:
        for node in walk(pending.pop()):
            callee = node.attrs.get("callee")
            if node.op.name == "call" and callee not in found:
                found.add(callee)
                if graphs[callee] is not None:  # it is still being recorded
                    pending.append(graphs[callee])
    return found
