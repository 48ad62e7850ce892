"""Building graphs, one node at a time.

Builders nest: while a region is being built, the builder of the enclosing graph waits below it.
Operators applied to graph values add their node to the innermost builder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from types import EllipsisType
from typing import Any

from autograph.errors import Location
from autograph.graph.graph import (
    Constant,
    Graph,
    Node,
    Value,
    building,
    current_builder,
    exchanged,
    new_node,
)
from autograph.graph.variance import along, axes_of, meeting, varied, varying
from autograph.graph.wiring import is_loop, wiring
from ops.control import regions
from ops.control.collectives import vary
from ops.control.regions import Container, Structured
from ops.core.lengths import extent
from ops.core.registry import Op
from ops.core.symbolic_lengths import is_length
from ops.core.types import Type


class Builder:
    """Collects the nodes of one graph.

    Used as a context manager, which makes it the current builder::

        with Builder("double") as b:
            x = b.input(types.array("f8"))
            graph = b.finish([ops.multiply(x, 2.0)])

    Args:
        name: the graph's name.
        locate: gives the location and the variable name for the node being added; by default both
            come from the `at` in force, or from the enclosing builder.
        count: is told where each node is that is added here, but not inside builders in this one.
        native: whether most of it will run as native code, so that an operation costs next to
            nothing besides its elements; by default as in the enclosing builder.
    """

    def __init__(
        self,
        name: str = "graph",
        locate: Callable[[], tuple[Location | None, str | None]] | None = None,
        count: Callable[[Location | None], None] | None = None,
        native: bool | None = None,
    ):
        self.name = name
        self.nodes: list[Node] = []
        self.inputs: list[Value] = []
        self.parent: Builder | None = building.builder
        self.varied: dict[tuple[Value, frozenset], Value] = {}  # see `autograph.graph.variance`
        self.location: Location | None = self.parent.location if self.parent else None
        self.graphs: dict[str, Graph] = self.parent.graphs if self.parent else {}
        inherited = self.parent is not None and self.parent.native
        self.native: bool = inherited if native is None else native
        self._locate = locate or (self.parent._locate if self.parent else None)
        self._count = count

    def __enter__(self) -> Builder:
        self.parent = building.builder
        building.builder = self
        return self

    def __exit__(self, *_: Any) -> None:
        building.builder = self.parent

    @property
    def outermost(self) -> Builder:
        """The builder of the graph that this one is a part of, or itself."""
        builder = self
        while builder.parent is not None:
            builder = builder.parent
        return builder

    def input(self, type: Type, name: str | None = None) -> Value:
        """A new input of the graph."""
        value = Value(type, name)
        self.inputs.append(value)
        return value

    def lift(self, value: Any) -> Value:
        """``value`` as a graph value: itself, a symbolic length, or a constant."""
        if is_length(value):
            return self.apply(extent, (), {"length": value})
        return value if isinstance(value, Value) else Constant(value)

    def apply(
        self, op: Op, args: Sequence[Any], attrs: dict[str, Any], required: bool = False
    ) -> Any:
        """Add an application of ``op``; a single result comes by itself, several as a tuple."""
        inputs = tuple(map(self.lift, args))
        on_mesh = building.control is not None
        if on_mesh:
            inputs = meeting(inputs, attrs)
        types = op.infer(*[value.type for value in inputs], **attrs)
        if on_mesh:
            types = varying(op, inputs, attrs, types)
        outputs = self.add(op, inputs, attrs, types, required=required)
        return outputs[0] if len(outputs) == 1 else outputs

    def add(
        self,
        op: Op,
        inputs: Sequence[Value],
        attrs: dict[str, Any],
        types: Sequence[Type],
        bodies: Sequence[Graph] = (),
        names: Sequence[str | None] = (),
        required: bool = False,
    ) -> tuple[Value, ...]:
        """Add a node whose result types are known."""
        location, name = (self.location, None) if self._locate is None else self._locate()
        location = self.location or location
        if not names:
            names = [name] * len(types) if len(types) == 1 else [None] * len(types)
        node = new_node(op, tuple(inputs), attrs, tuple(bodies), types, names, location, required)
        if building.control is not None and bodies:
            node = _settled(node)
        self.nodes.append(node)
        if self._count is not None:
            self._count(location)
        return node.outputs

    def copy(
        self,
        node: Node,
        inputs: Sequence[Value],
        regions: Sequence[Graph],
        required: bool | None = None,
    ) -> tuple[Value, ...]:
        """Add a node like another one, with other operands and regions; and required, or not, where
        that is said."""
        copy = new_node(
            node.op,
            tuple(inputs),
            node.attrs,
            tuple(regions),
            [v.type for v in node.outputs],
            [v.name for v in node.outputs],
            node.location,
            node.required if required is None else required,
        )
        self.nodes.append(copy)
        return copy.outputs

    def exchange(self, node: Node, **changes: Any) -> None:
        """Let a node with other fields take the place of one that was added here."""
        nodes = self.nodes
        place = next(i for i in reversed(range(len(nodes))) if nodes[i] is node)
        nodes[place] = exchanged(node, **changes)

    def finish(
        self, outputs: Sequence[Any], location: Location | EllipsisType | None = ...
    ) -> Graph:
        """The graph of everything added so far.

        Args:
            location: where it is defined; by default, the one in force.
        """
        location = self.location if location is ... else location
        lifted = tuple(self.lift(value) for value in outputs)
        return Graph(self.name, tuple(self.inputs), tuple(self.nodes), lifted, location)

    @contextmanager
    def at(self, location: Location | None) -> Iterator[None]:
        """Nodes added inside carry ``location``."""
        previous, self.location = self.location, location
        try:
            yield
        finally:
            self.location = previous


# -- on a mesh -------------------------------------------------------------------------------------


def _settled(node: Node) -> Node:
    """A node with regions whose results vary as they do: along the axes along which it varies which
    way control flow takes, and for a loop along those along which its state does after a trip."""
    while True:
        wires = wiring(node)
        decides = axes_of(*wires.decides)
        if not is_loop(node):
            sources = wires.sources()
            own = [decides | axes_of(*sources.get(v, ())) for v in node.outputs]
            return _along(node, node.regions, own)
        axes = [
            decides | axes_of(one.entered, one.left, one.start, one.result) for one in wires.carried
        ]
        wider = {
            value: type
            for own, one in zip(axes, wires.carried)
            for value in (one.entered, *one.tested)
            for type in along([value.type], own)
            if type != value.type
        }
        if not wider:
            return _along(node, node.regions, axes)
        node = _along(node, [_widened(region, wider, {}) for region in node.regions], axes)


def _along(node: Node, bodies: Sequence[Graph], axes: Sequence[frozenset]) -> Node:
    types = [along([v.type], own)[0] for v, own in zip(node.outputs, axes)]
    if tuple(bodies) == node.regions and types == [v.type for v in node.outputs]:
        return node
    names = [v.name for v in node.outputs]
    return new_node(
        node.op, node.inputs, node.attrs, tuple(bodies), types, names, node.location, node.required
    )


def _widened(graph: Graph, types: Mapping[Value, Type], env: MutableMapping[Value, Value]) -> Graph:
    """A graph some of whose inputs are of other types, which vary along more axes, as what is
    computed of them does."""
    with Builder(graph.name) as builder:
        for value in graph.inputs:
            env[value] = builder.input(types.get(value, value.type), value.name)
        for node in graph.nodes:
            with builder.at(node.location):
                env.update(zip(node.outputs, _readded(builder, node, env)))
        return builder.finish([env.get(v, v) for v in graph.outputs], graph.location)


def _readded(builder: Builder, node: Node, env: MutableMapping[Value, Value]) -> Sequence[Value]:
    inputs = [env.get(v, v) for v in node.inputs]
    if all(axes_of(new) == axes_of(old) for new, old in zip(inputs, node.inputs)):
        if not node.regions:
            return builder.copy(node, inputs, ())
    elif node.op is vary:
        return _varied_again(node, inputs)
    elif not isinstance(node.op, (Structured, Container)):
        found = builder.apply(node.op, inputs, node.attrs, node.required)
        return found if isinstance(found, tuple) else (found,)
    bodies = [_widened(region, {}, env) for region in node.regions]
    types: list[Type] = [v.type for v in node.outputs]
    if node.op in (regions.cond, regions.checkpoint):
        for body in bodies:
            types = [along([t], axes_of(v))[0] for t, v in zip(types, body.outputs)]
    elif node.op not in (regions.while_loop, regions.for_loop):
        types = along(types, axes_of(*inputs, *(v for body in bodies for v in body.captures)))
    names = [v.name for v in node.outputs]
    return builder.add(node.op, inputs, node.attrs, types, bodies, names, node.required)


def _varied_again(node: Node, inputs: Sequence[Value]) -> Sequence[Value]:
    """What becomes of a `vary` whose operand may vary along some of its axes by now."""
    known = axes_of(*inputs)
    missing = tuple(axis for axis in node.attrs["axes"] if axis.name not in known)
    return [vary(*inputs, axes=missing)] if missing else inputs


# -- copies ----------------------------------------------------------------------------------------


def copy_node(
    builder: Builder,
    node: Node,
    env: MutableMapping[Value, Value],
    required: bool | None = None,
) -> tuple[Value, ...]:
    """Add a copy of ``node``, regions and all, reading its operands through ``env`` and
    extending it; it is required, or not, where that is said."""
    inputs = [env.get(v, v) for v in node.inputs]
    regions = [copy_graph(region, env) for region in node.regions]
    outputs = builder.copy(node, inputs, regions, required)
    env.update(zip(node.outputs, outputs))
    return outputs


def copy_nodes(
    nodes: Iterable[Node], outputs: Iterable[Value], env: MutableMapping[Value, Value]
) -> list[Value]:
    """Add copies of some nodes to the current builder, as `copy_node` does; what values are
    then."""
    builder = current_builder()
    for node in nodes:
        copy_node(builder, node, env)
    return [env.get(v, v) for v in outputs]


def graph_of(
    name: str,
    inputs: Iterable[Value],
    nodes: Iterable[Node],
    outputs: Iterable[Value],
    location: Location | EllipsisType | None = ...,
) -> Graph:
    """A graph of copies of some nodes, with inputs for values that they use and do not compute; for
    ``location`` see `Builder.finish`."""
    with Builder(name) as builder:
        env = {v: builder.input(v.type, v.name) for v in inputs}
        return builder.finish(copy_nodes(nodes, outputs, env), location)


def copy_graph(graph: Graph, env: MutableMapping[Value, Value]) -> Graph:
    """A copy of ``graph`` with fresh values, its captures read through ``env``."""
    with Builder(graph.name) as builder:
        for value in graph.inputs:
            env[value] = builder.input(value.type, value.name)
        return builder.finish(copy_nodes(graph.nodes, graph.outputs, env), graph.location)


def varied_captures(graphs: Sequence[Graph], axes: frozenset) -> list[Graph]:
    """Regions where the parts of a mesh may have gone different ways along some axes, with what
    they capture varied before; see `autograph.graph.variance`."""
    env: dict[Value, Value] = {}
    if axes:
        captured = {value: varied(value, axes) for graph in graphs for value in graph.captures}
        env = {value: other for value, other in captured.items() if other is not value}
    return [_copy_varied_once(graph, env) for graph in graphs] if env else list(graphs)


def _copy_varied_once(graph: Graph, env: MutableMapping[Value, Value]) -> Graph:
    """A copy in which nothing is varied that is already: the transpose would sum it twice."""
    with Builder(graph.name) as builder:
        for value in graph.inputs:
            env[value] = builder.input(value.type, value.name)
        for node in graph.nodes:
            inputs = [env.get(v, v) for v in node.inputs]
            if node.op is vary:
                with builder.at(node.location):
                    outputs = _varied_again(node, inputs)
            else:
                bodies = [_copy_varied_once(region, env) for region in node.regions]
                outputs = builder.copy(node, inputs, bodies)
            env.update(zip(node.outputs, outputs))
        return builder.finish([env.get(v, v) for v in graph.outputs], graph.location)


def inline(
    graph: Graph, args: Sequence[Value], env: Mapping[Value, Value] | None = None
) -> tuple[Value, ...]:
    """Add a copy of the nodes of ``graph`` to the current builder.

    Args:
        graph: what to copy.
        args: what takes the place of its inputs.
        env: what takes the place of captured values; the others stay what they are.

    Returns:
        What its outputs became.
    """
    inner = {} if env is None else dict(env)
    inner.update(zip(graph.inputs, args))
    return tuple(copy_nodes(graph.nodes, graph.outputs, inner))
