"""From a graph to what a format writes: each node by its rule, or by what its operator declares for
kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Protocol, TypeVar

from autograph.errors import Location
from autograph.export.bounds import Bounds
from autograph.export.elements import element_of, has_form
from autograph.export.elementwise import elementwise
from autograph.export.format import ExportFormat
from autograph.graph.builder import Builder
from autograph.graph.graph import Constant, Graph, Node, Value
from ops.core.registry import Elementwise, Op
from ops.core.types import ArrayType

F = TypeVar("F", bound=Callable[..., Any])


class ExportRules(dict[Op, Callable[[Any, Node, Sequence[Any]], Any]]):
    """What operators become in a format, given the writer, the node and its operands."""

    def enter(self, *found: Op) -> Callable[[F], F]:
        """Enter what some become."""

        def entered(function: F) -> F:
            self.update(dict.fromkeys(found, function))
            return function

        return entered


class Written(Protocol):
    """What is written.

    Attributes:
        place: the user's line that is written now.
    """

    place: Location | None


class GraphWriter:
    """Writes the nodes of graphs.

    Args:
        graphs: those that are called, by name.

    Attributes:
        instead: what to do instead of operators that have no form.
        recursion: of functions that call themselves, why not, and what to do instead.
        held: what stands for values.
    """

    instead: ClassVar[Mapping[Op, str]] = {}
    recursion: ClassVar[tuple[str, str]]

    def __init__(
        self,
        written: Written,
        form: ExportFormat,
        rules: ExportRules,
        main: Graph,
        graphs: Mapping[str, Graph],
    ):
        self._written = written
        self._rules = rules
        self.form = form
        self.graphs = graphs
        self.bounds = Bounds(main)
        self.held: dict[Value, Any] = {}
        self._calls: list[str] = []  # of graphs that are being written

    # -- values ------------------------------------------------------------------------------------

    def get(self, value: Value) -> Any:
        """What stands for a value."""
        if not isinstance(value, Constant):
            return self.held[value]
        if isinstance(value.type, ArrayType):
            return self.constant(value)
        if value.data is None:
            return self.nothing()
        raise self.form.refuse("what a forward pass has left is part of the function")

    def constant(self, value: Constant) -> Any:
        """What stands for an array or number that is known."""
        return self.form.known(value.data, value.type.dtype)

    def nothing(self) -> Any:
        """What stands for what a loop or branch keeps before it keeps anything."""
        raise NotImplementedError

    def set(self, value: Value, found: Any) -> None:
        """What stands for a value from now on."""
        self.held[value] = found

    # -- nodes -------------------------------------------------------------------------------------

    def write(self, graph: Graph) -> list[Any]:
        """The nodes of a graph or region, whose inputs are known; what its outputs are."""
        around = self._written.place
        for node in graph.nodes:
            self._written.place = node.location or around
            self._node(node)
        self._written.place = around
        return [self.get(v) for v in graph.outputs]

    def _node(self, node: Node) -> None:
        self.check(node)
        found = self.found(node, [self.get(v) for v in node.inputs])
        results = found if isinstance(found, (list, tuple)) else [found]
        if len(results) != len(node.outputs):
            raise AssertionError(f"{node.op.name} has {len(node.outputs)} results")
        for value, result in zip(node.outputs, results):
            self.set(value, result)

    def check(self, node: Node) -> None:
        """Refuse a node of which some values have no form, whatever it does."""
        raise NotImplementedError

    def found(self, node: Node, operands: Sequence[Any]) -> Any:
        """What the results of a node are."""
        if node.op in self._rules:
            return self._rules[node.op](self, node, operands)
        if isinstance(node.op, Elementwise):
            return elementwise(self.form, self.bounds, node, operands)
        if has_form(node):
            return element_of(self.form, node, operands)
        if node.op.expansion is not None:
            return self._expanded(node)
        raise self.refused(node)

    def refused(self, node: Node) -> Exception:
        """What has no form in the format."""
        shown = ", ".join(str(v.type) for v in node.inputs)
        what = f"the operator '{node.op.name}'" + (f" of {shown}" if shown else "")
        message = f"there is no form in {self.form.name} of {what}"
        return self.form.refuse(message, self.instead.get(node.op))

    def _expanded(self, node: Node) -> list[Any]:
        """By the operators that kernels have for it."""
        with Builder(node.op.name) as builder, builder.at(node.location):
            inputs = [builder.input(v.type, v.name) for v in node.inputs]
            assert node.op.expansion is not None
            found = node.op.expansion(*inputs, **node.attrs)
            graph = builder.finish(found if isinstance(found, tuple) else [found])
        return self.written(graph, [self.get(v) for v in node.inputs])

    def written(self, graph: Graph, operands: Iterable[Any]) -> list[Any]:
        """A graph in this place, given what its inputs are."""
        self.held.update(zip(graph.inputs, operands))
        return self.write(graph)

    def call(self, node: Node, operands: Sequence[Any]) -> list[Any]:
        """The graph that a node calls, in this place."""
        callee = node.attrs["callee"]
        if callee in self._calls:
            why, fix = self.recursion
            raise self.form.refuse(f"'{callee}' calls itself, and {why}", fix)
        self._calls.append(callee)
        place = self._written.place
        graph = self.graphs[callee]
        self.bounds.enter(graph)
        found = self.written(graph, operands)
        self._written.place = place
        self._calls.pop()
        return found
