"""Along which axes of a mesh the values of a finished graph may differ, found anew, and whether
that is what their types say.

Types are made while a graph is recorded and transformed, see `autograph.graph.variance`. Here the
whole graph is looked at: what is the same in all parts of a mesh is computed of such values, or by
parts that meet; and no part goes another way than the others to it. The analysis goes through
regions, and through loops to a fixed point, by `autograph.graph.wiring`. The types of what named
graphs are given and give, and of what packs hold, are taken at their word where that is used, and
held to it where it is made.

While parts may have taken different ways, what those who are there have in common may be one value
to them; it is not any more where the ways join.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NoReturn

from autograph.closure import closure
from autograph.errors import Location, VerificationError
from autograph.graph.graph import Constant, Graph, Node, Value, callees
from autograph.graph.variance import NONE, Axes, axes_of
from autograph.graph.wiring import wiring
from ops.control import regions
from ops.control.collectives import own_part, vary, whole_of_process
from ops.control.meshes import MeshAxis
from ops.core.types import ArrayType

_MEETS_LESS = (
    "parts of a mesh would meet along {0!r} where some of them may not come, which should have "
    "been found before"
)


def verify_invariance(graph: Graph, graphs: Mapping[str, Graph], every_value: bool) -> None:
    """Check what the types of a graph for one part of a mesh say of its outputs, what it packs and
    what it calls.

    Args:
        graphs: those that it may call.
        every_value: whether to check every value.

    Raises:
        VerificationError: a value may differ between parts in which its type says that it is the
            same; or parts meet where some of them may not come.
    """
    called = callees(graph, graphs)
    control = dict.fromkeys(called, NONE)
    while True:  # along which axes parts go different ways to a graph is known at its calls
        before = dict(control)
        for name in called:
            _Analysis(graphs, control, every_value).run(graphs[name], control[name])
        _Analysis(graphs, control, every_value).run(graph, NONE)
        if control == before:
            return


class _Analysis:
    """The analysis of one whole graph.

    Attributes:
        control: along which axes not all parts may come to a named graph; more is added here.
        found: along which axes values may differ. What is missing is as its type says.
    """

    def __init__(
        self, graphs: Mapping[str, Graph], control: dict[str, Axes], every_value: bool
    ) -> None:
        self.graphs = graphs
        self.control = control
        self.every_value = every_value
        self.found: dict[Value, Axes] = {}

    def run(self, graph: Graph, control: Axes) -> None:
        for value in graph.inputs:
            self.found[value] = axes_of(value)
        self._nodes(graph)
        self._check(graph, control)
        for value in graph.outputs:
            self._require(value, value, control, graph.location)

    def _of(self, values: Iterable[Value]) -> Axes:
        return NONE.union(*(self._one(value) for value in values))

    def _one(self, value: Value) -> Axes:
        if isinstance(value, Constant):
            return NONE
        return self.found.get(value, NONE)

    def _join(self, value: Value, axes: Axes) -> bool:
        """Let a value differ along some axes, too; whether that is new."""
        before = self.found.get(value)
        self.found[value] = (before or NONE) | axes
        return self.found[value] != before

    # -- what differs -----------------------------------------------------------------------------

    def _nodes(self, graph: Graph) -> None:
        for node in graph.nodes:
            if node.regions:
                self._with_regions(node)
                continue
            axes = self._result(node)
            for value in node.outputs:
                own = axes_of(value) if node.op in _AS_TYPES_SAY else NONE
                self._join(value, axes | own)

    def _result(self, node: Node) -> Axes:
        """Along which axes the results of a node without regions differ, but for what types say."""
        if node.op in (regions.pack, regions.call):
            return NONE
        axes = self._of(node.inputs)
        axis = node.attrs.get("axis_name")
        if node.op in (own_part, whole_of_process):
            names = {each.name for each in node.attrs["axes"]}
            return axes | names if node.op is own_part else axes - names
        if not isinstance(axis, MeshAxis):
            return axes
        return axes | {axis.name} if node.op.collective == "each" else axes - {axis.name}

    def _with_regions(self, node: Node) -> None:
        wires = wiring(node)
        for source, target in wires.enters:
            self._join(target, self._one(source))
        for variable in wires.carried:
            self._join(variable.entered, self._one(variable.start))
        while True:
            for region in wires.runs:
                self._nodes(region)
            changes = [
                self._join(variable.entered, self._one(variable.left)) for variable in wires.carried
            ]
            if not any(changes):
                break
        for variable in wires.carried:
            for value in variable.tested:
                self._join(value, self._one(variable.entered))
        for region in (*wires.tests, *(r for r in node.regions if r not in wires.runs)):
            for value in region.inputs:
                if value not in self.found:
                    self._join(value, axes_of(value))
            self._nodes(region)
        decides = self._of(wires.decides)
        for source, target in wires.leaves:
            self._join(target, self._one(source))
        for variable in wires.carried:
            self._join(variable.result, self._one(variable.entered))
        for value in node.outputs:
            self._join(value, decides)

    # -- what types say ---------------------------------------------------------------------------

    def _check(self, graph: Graph, control: Axes) -> None:
        for node in graph.nodes:
            axis = node.attrs.get("axis_name")
            # Who asks for its number, without operands, meets nobody.
            if isinstance(axis, MeshAxis) and node.inputs and axis.name in control:
                raise VerificationError(_MEETS_LESS.format(axis.name), node.location, fix=_FIX)
            if node.op is vary:
                twice = axes_of(*node.inputs) & {each.name for each in node.attrs["axes"]}
                if twice:
                    raise VerificationError(
                        f"'pvary' of what varies along {sorted(twice)} already, whose transpose is "
                        "a sum too many",
                        node.location,
                        fix=_FIX,
                    )
            elif node.op is regions.call:
                self._check_call(node, control)
            elif node.op is regions.pack:
                for value in node.inputs:
                    self._require(value, value, control, node.location)
            if self.every_value:
                for value in node.outputs:
                    self._require(value, value, control, node.location)
                self._check_operands(node, control)
            if node.regions:
                decides = self._of(wiring(node).decides)
                for region in node.regions:
                    self._check(region, control | decides)

    def _check_operands(self, node: Node, control: Axes) -> None:
        """What has a derivative varies as the other operands do: `vary` comes before it, otherwise
        its cotangent would lack what other parts contribute."""
        if node.regions or node.op is regions.call or isinstance(node.op, regions.Container):
            return
        axis = node.attrs.get("axis_name")
        axes = axes_of(*node.inputs) | ({axis.name} if isinstance(axis, MeshAxis) else NONE)
        for value in node.inputs:
            inexact = isinstance(value.type, ArrayType) and value.type.inexact
            missing = axes - axes_of(value) - control
            if inexact and missing and not _is_known(value):
                raise VerificationError(
                    f"an operand of '{node.op.name}' of type {value.type} is not varied along "
                    f"{sorted(missing)}",
                    node.location,
                    fix=_FIX,
                )

    def _check_call(self, node: Node, control: Axes) -> None:
        callee = self.graphs[node.attrs["callee"]]
        for value, place in zip(node.inputs, callee.inputs):
            self._require(value, place, control, node.location)
        for result, value in zip(node.outputs, callee.outputs):
            if not axes_of(value) <= axes_of(result) | control:
                self._fail(result, axes_of(value) - axes_of(result) - control, node.location)
        self.control[node.attrs["callee"]] |= control

    def _require(
        self, value: Value, place: Value, control: Axes, location: Location | None
    ) -> None:
        """A value differs at most along the axes that the type of its place says, among the parts
        that have come."""
        more = self._one(value) - axes_of(place) - control
        if more and isinstance(place.type, ArrayType):
            self._fail(value, more, location)

    def _fail(self, value: Value, axes: Axes, location: Location | None) -> NoReturn:
        names = ", ".join(map(repr, sorted(axes)))
        name = f" '{value.name}'" if value.name else ""
        raise VerificationError(
            f"the value{name} of type {value.type} is taken to be the same in all parts of a mesh "
            f"along {names}, but may not be",
            location,
            fix=_FIX,
        )


def _is_known(value: Value) -> bool:
    """Whether it is computed of constants alone, which have no derivative."""

    def operands(each: Value) -> tuple[Value, ...]:
        node = each.producer
        return () if node is None or node.regions else node.inputs

    ends = (each for each in closure([value], operands) if not operands(each))
    return all(isinstance(each, Constant) for each in ends)


_FIX = "report the program that led to it"

# What takes out what was put in somewhere else: see `_Analysis._check`.
_AS_TYPES_SAY = (regions.unpack, regions.unpack_ct, regions.call)
