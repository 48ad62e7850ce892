"""Rewriting a graph for low precision, node by node, through control flow and calls.

What loops carry is not low, whatever it is at first: a sum that grows from trip to trip is one of
float32, too. What a branch returns is low if it is in both; a called graph is rewritten once for
each choice of marks of its arguments, and says which of its results are low, but for those of a
function that is called by itself, which are not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from weakref import WeakKeyDictionary

import ops
from autograph.errors import UnsupportedFunctionError
from autograph.graph import derived
from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Constant, Graph, Node, Value
from autograph.graph.wiring import Carried, custom_vjp_of, lanes_of, wiring
from autograph.transforms.forward import regions as forwards
from autograph.transforms.precision.marks import Mark, can_be_low, is_number, joined
from autograph.transforms.reverse import regions as backwards
from autograph.transforms.reverse.replay import both
from ops.control import regions
from ops.control.regions import Container, Structured
from ops.core.types import ArrayType

# The marks of the results of named graphs that have been rewritten.
_RESULTS: WeakKeyDictionary[Graph, tuple[Mark, ...]] = WeakKeyDictionary()


class _Scope:
    """A graph or region that is being built.

    Attributes:
        builder: of it.
        own: the values that are defined in it.
        rounded: what values are when they are rounded.
    """

    def __init__(self, builder: Builder):
        self.builder = builder
        self.own: set[Value] = set()
        self.rounded: dict[Value, Value] = {}


class Rounding:
    """A graph added to the current builder with its products, and what is between them, in low
    precision.

    Args:
        dtype: the narrow format, see `ops.round_to`.
        around: what rewrites the graph that calls this one.
    """

    def __init__(self, dtype: str, around: Rounding | None = None):
        self._dtype = dtype
        # The types of what is kept in full and is in a pack, see `_container`; and with which marks
        # functions are called whose passes are, see `_pass`.
        self._packed: set[ArrayType] = set() if around is None else around._packed
        self._passes: dict[tuple, tuple[Mark, ...]] = {} if around is None else around._passes
        self._env: dict[Value, Value] = {}
        self._marks: dict[Value, Mark] = {}
        self._scopes: list[_Scope] = []

    def run(
        self, graph: Graph, args: Sequence[Value], marks: Sequence[Mark]
    ) -> tuple[list[Value], list[Mark]]:
        """Add the graph.

        Args:
            args: what takes the place of its inputs.
            marks: of these.

        Returns:
            (outputs, their marks).
        """
        with self._scope(current_builder()):
            self._env.update(zip(graph.inputs, args))
            self._marks.update(zip(graph.inputs, marks))
            self._nodes(graph.nodes)
        return [self._read(v) for v in graph.outputs], [self._mark(v) for v in graph.outputs]

    # -- values ------------------------------------------------------------------------------------

    @contextmanager
    def _scope(self, builder: Builder) -> Iterator[None]:
        self._scopes.append(_Scope(builder))
        try:
            yield
        finally:
            self._scopes.pop()

    def _read(self, value: Value) -> Value:
        return self._env.get(value, value)

    def _mark(self, value: Value) -> Mark:
        if value in self._marks:
            return self._marks[value]
        return Mark.LOW if self._is_exact(value) else Mark.WIDE

    def _is_exact(self, value: Value) -> bool:
        """Whether it is a known number that needs no rounding."""
        if not isinstance(value, Constant) or not value.is_scalar:
            return False
        number = self._number(value)
        return number is not None and number == value.data

    def _number(self, value: Constant) -> float | None:
        """A known number, rounded; None if it is none of those that are."""
        if can_be_low(value.type) or (is_number(value) and value.type.dtype.kind in "iu"):
            return float(ops.round_to(float(value.data), self._dtype))
        return None

    def _define(self, node: Node, results: Sequence[Value], marks: Iterable[Mark]) -> None:
        self._env.update(zip(node.outputs, results))
        self._marks.update(zip(node.outputs, marks))
        self._scopes[-1].own.update(results)

    def _rounded(self, value: Value) -> Value:
        """A value of the new graph, rounded once, where it is defined: what a loop captures before
        the loop."""
        if isinstance(value, Constant) and value.is_scalar:
            number = self._number(value)
            return Constant(number if is_number(value) else value.type.dtype.type(number))
        scope = next((s for s in reversed(self._scopes) if value in s.own), self._scopes[0])
        found = scope.rounded.get(value)
        if found is None:
            attrs = {"dtype": self._dtype}
            names = [value.name]
            (found,) = scope.builder.add(ops.round_to, [value], attrs, [value.type], (), names)
            scope.rounded[value] = found
            scope.own.add(found)
        return found

    # -- nodes -------------------------------------------------------------------------------------

    def _nodes(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            with current_builder().at(node.location):
                if isinstance(node.op, Structured):
                    self._structured(node)
                elif isinstance(node.op, Container):
                    self._container(node)
                else:
                    self._plain(node)

    def _plain(self, node: Node) -> None:
        floats = [v for v in node.inputs if isinstance(v.type, ArrayType) and v.type.inexact]
        marks = [self._mark(v) for v in floats if not is_number(v)]
        results = [v.type for v in node.outputs]
        fits = all(can_be_low(type) for type in (*results, *(v.type for v in floats)))
        op = node.op
        if op is ops.cast or op is ops.round_to:
            self._converted(node)
        elif Mark.KEPT in marks and (op.product or op.precision == "exact"):
            self._copied(node, Mark.WIDE if op.product else Mark.KEPT)
        elif op.product and fits and floats:
            self._low(node, rounds=True)
        elif op.precision and fits and self._is_low(node):
            self._low(node, rounds=op.precision == "low")
        else:
            self._copied(node, Mark.WIDE)

    def _is_low(self, node: Node) -> bool:
        """Whether all numbers that a node computes with are low, apart from those of Python, which
        take the precision of the others."""
        (result,) = node.outputs
        floats = [v for v in node.inputs if can_be_low(v.type)]
        arrays = [v for v in floats if not is_number(v)]
        if not arrays:  # an array that is made of numbers
            moved = node.op.precision == "exact" and not is_number(result)
            return moved and bool(floats) and all(map(self._is_exact, floats))
        if node.op.precision == "low" and any(map(_is_integer, node.inputs)):
            return False
        same = all(v.type.dtype == result.type.dtype for v in arrays)
        return same and all(self._mark(v) is Mark.LOW for v in arrays)

    def _copied(self, node: Node, mark: Mark) -> None:
        results = current_builder().copy(node, [self._read(v) for v in node.inputs], ())
        self._define(node, results, [mark] * len(results))

    def _low(self, node: Node, rounds: bool) -> None:
        """A node of rounded numbers, whose results are rounded if they need it."""
        inputs = []
        for value in node.inputs:
            copy = self._read(value)
            is_known = is_number(value) and isinstance(value, Constant)
            if (can_be_low(value.type) or is_known) and self._mark(value) is not Mark.LOW:
                copy = self._rounded(copy)
            inputs.append(copy)
        results = current_builder().copy(node, inputs, ())
        self._scopes[-1].own.update(results)
        if rounds:
            results = tuple(map(self._rounded, results))
        self._define(node, results, [Mark.LOW] * len(results))

    def _converted(self, node: Node) -> None:
        """A conversion: truth values are 0 and 1, and to the same dtype it is none."""
        (value,), (result,) = node.inputs, node.outputs
        mark = self._mark(value)
        if node.op is ops.round_to:
            mark = Mark.LOW if node.attrs["dtype"] == self._dtype else Mark.WIDE
        elif value.type.dtype.kind == "b":
            mark = Mark.LOW
        elif value.type.dtype != result.type.dtype and mark is Mark.LOW:
            mark = Mark.WIDE
        self._copied(node, mark)

    # -- control flow ------------------------------------------------------------------------------

    def _structured(self, node: Node) -> None:
        if node.op is regions.call:
            self._call(node)
            return
        wires = wiring(node)
        for region in node.regions:
            self._marks.update((v, Mark.WIDE) for v in region.inputs)
        self._follow(wires.enters)
        for variable in wires.carried:
            self._carry(variable, self._mark(variable.start))
        batched = lanes_of(node).batched if node.op is regions.lanes else None
        if batched is not None:
            self._marks.update((v, self._mark(o)) for v, o in zip(batched.inputs, node.inputs))
        while True:
            bodies = [self._region(region, node) for region in node.regions]
            found = [v for v in wires.carried if self._mark(v.left) is Mark.KEPT]
            if all(self._mark(v.entered) is Mark.KEPT for v in found):
                break
            for variable in found:  # what is kept comes into the state by a trip
                self._carry(variable, Mark.KEPT)
        results = current_builder().copy(node, [self._read(v) for v in node.inputs], bodies)
        self._define(node, results, [Mark.WIDE] * len(results))
        self._follow(wires.leaves)
        self._marks.update((v.result, self._mark(v.entered)) for v in wires.carried)

    def _follow(self, edges: Iterable[tuple[Value, Value]]) -> None:
        """Mark what values may be."""
        sources: dict[Value, list[Mark]] = {}
        for source, target in edges:
            sources.setdefault(target, []).append(self._mark(source))
        self._marks.update((target, joined(marks)) for target, marks in sources.items())

    def _carry(self, variable: Carried, mark: Mark) -> None:
        """Mark a variable of a loop as a trip finds it, which is never low."""
        mark = mark if mark is Mark.KEPT else Mark.WIDE
        self._marks.update((v, mark) for v in (variable.entered, *variable.tested))

    def _region(self, region: Graph, node: Node) -> Graph:
        if node.op is regions.custom_vjp:
            parts = custom_vjp_of(node)
            if region is parts.backward:
                self._follow(zip(parts.residuals, parts.taken))
        with Builder(region.name) as builder, self._scope(builder):
            for value in region.inputs:
                self._env[value] = builder.input(value.type, value.name)
                self._scopes[-1].own.add(self._env[value])
            self._nodes(region.nodes)
            return builder.finish([self._read(v) for v in region.outputs], region.location)

    def _call(self, node: Node) -> None:
        builder = current_builder()
        callee = node.attrs["callee"]
        if builder.graphs[callee] is None:
            raise UnsupportedFunctionError(
                f"the recursive function '{callee}' calls itself in low precision",
                node.location,
                id="AG0782",
                fix="take ag.precision of it outside of the function",
            )
        marks = tuple(self._mark(v) if can_be_low(v.type) else Mark.WIDE for v in node.inputs)
        name = self._pass(node, callee, marks) or self._named(callee, marks)
        inputs = [self._read(v) for v in node.inputs]
        attrs = {**node.attrs, "callee": name}
        types = [v.type for v in node.outputs]
        names = [v.name for v in node.outputs]
        results = builder.add(regions.call, inputs, attrs, types, (), names, node.required)
        unknown = (Mark.WIDE,) * len(results)
        self._define(node, results, _RESULTS.get(builder.graphs[name], unknown))

    def _named(self, callee: str, marks: tuple[Mark, ...]) -> str:
        """The name of the named graph ``callee`` in low precision; it is added to the module if
        need be."""
        builder = current_builder()
        name, is_new = derived.find(builder, callee, self._dtype, marks)
        if is_new:
            graph = builder.graphs[callee]
            with Builder(name) as inner:
                inputs = [inner.input(v.type, v.name) for v in graph.inputs]
                outputs, found = Rounding(self._dtype, self).run(graph, inputs, marks)
                derived.finish(builder, name, inner, outputs)
            _RESULTS[builder.graphs[name]] = tuple(found)
        return name

    def _pass(self, node: Node, callee: str, marks: tuple[Mark, ...]) -> str | None:
        """The pass of a graph in low precision, given that of the graph: what one pass leaves for
        the other remains theirs, which batching has to know. None if ``callee`` is no pass.

        What is kept of the arguments tells the pass that has them.
        """
        builder = current_builder()
        made_of = derived.origin(builder, callee)
        if made_of is None:
            return None
        kind, source, active, _ = made_of
        if kind == "jvp":
            inner = self._pass(node, source, marks[: len(builder.graphs[source].inputs)])
            return None if inner is None else forwards.differentiated(builder, inner, active)
        if kind not in ("fwd", "bwd", "recorded", "replayed"):
            return None
        takes = len(builder.graphs[source].inputs)
        kept = tuple(mark if mark is Mark.KEPT else Mark.WIDE for mark in marks[:takes])
        if kind in ("fwd", "recorded"):
            known = self._passes.setdefault((source, active), kept)
            if known != kept:
                raise UnsupportedFunctionError(
                    f"a derivative of '{source}' is taken by arguments that are kept and others "
                    "that are not",
                    node.location,
                    id="AG0783",
                    fix="differentiate what ag.precision returns",
                )
        given = self._passes.get((source, active), (Mark.WIDE,) * takes)
        inner = self._pass(node, source, given) or self._named(source, given)
        if kind in ("recorded", "replayed"):
            recorded, replayed = both(builder, inner, *active or (None,))
            return recorded if kind == "recorded" else replayed
        forward, backward = backwards.differentiated(builder, inner, active)
        return forward if kind == "fwd" else backward

    def _container(self, node: Node) -> None:
        """What a forward pass leaves: what is kept in full is not known from what is not in a
        pack, so all of its type is taken for it."""
        for value in node.inputs:
            if self._mark(value) is Mark.KEPT and isinstance(value.type, ArrayType):
                self._packed.add(value.type)
        results = current_builder().copy(node, [self._read(v) for v in node.inputs], ())
        found = [Mark.KEPT if v.type in self._packed else Mark.WIDE for v in node.outputs]
        self._define(node, results, found)


def _is_integer(value: Value) -> bool:
    """Whether a value is an integer whose digits count: one that is known is rounded like other
    numbers."""
    known = is_number(value) and isinstance(value, Constant)
    return value.type.dtype.kind in "iu" and not known
