"""Checking that a graph obeys the rules of the intermediate representation.

The rules, each with the method that checks it:

* a value is defined once, and its ``producer`` is the node that does it         (`_define`)
* it is used after that, in the same graph or a region of it                     (`_use`)
* constants have the type of their data                                          (`_constant`)
* a node's results have the types that its operator infers from its operands     (`_inferred`)
* packs and stacks meet only the operators made for them                         (`_containers`)
* regions and callees take and give what their node does         (`_wired`, `_OWN_RULES`)
* ``captures`` lists what a region takes from the graphs around it               (`_captures`)
* attributes can be hashed                                                       (`_attributes`)

It follows that a whole graph captures nothing.

The time is linear in the size of the graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from autograph.errors import VerificationError
from autograph.graph.graph import Constant, Graph, Module, Node, Value, free_values
from autograph.graph.wiring import (
    custom_jvp_of,
    custom_vjp_of,
    is_loop,
    lanes_of,
    linear_call_of,
    loop_of,
    wiring,
)
from ops.control import regions
from ops.control.regions import PACK, STACK, Structured
from ops.core.registry import Op
from ops.core.symbolic_lengths import is_length, is_same
from ops.core.types import ArrayType, Type, type_of, weak


def verify(target: Graph | Module) -> None:
    """Check a whole graph, or a module with all its graphs.

    The callees of a graph that is checked by itself are not looked up.

    Raises:
        VerificationError: a rule is broken. The message names the graph, the node and the rule.
    """
    if isinstance(target, Graph):
        _Verifier(None).whole(target)
        return
    for graph in (target.main, *target.graphs.values()):
        _Verifier(target.graphs).whole(graph)


class _Verifier:
    """Checks one whole graph.

    Attributes:
        defined: every value met so far, with regions that have ended.
        visible: those that may be used at the current place.
        graph, node: what is being checked, for messages.
    """

    def __init__(self, graphs: Mapping[str, Graph] | None):
        self.graphs = graphs
        self.defined: set[Value] = set()
        self.visible: set[Value] = set()
        self.graph: Graph
        self.node: Node | None = None

    def whole(self, graph: Graph) -> None:
        self.graph = graph
        self._captures(graph)
        self._graph(graph)

    def _fail(self, rule: str) -> NoReturn:
        graph, node = self.graph, self.node
        place, location = f"graph '{graph.name}'", graph.location
        if node is not None:
            names = ", ".join(v.name for v in node.outputs if v.name)
            place += f", node '{node.op.name}'" + (f" giving {names}" if names else "")
            location = node.location or location
        raise VerificationError(
            f"{place}: {rule}",
            location,
            fix="report the program that led to it, unless you have built the graph by hand",
        )

    # -- scopes ------------------------------------------------------------------------------------

    def _graph(self, graph: Graph) -> None:
        """Check a graph or region; what it defines is out of sight afterwards."""
        around = self.graph, self.node
        self.graph, self.node = graph, None
        local: list[Value] = []
        self._define(graph.inputs, None, local)
        for node in graph.nodes:
            self.node = node
            self._node(node)
            self._define(node.outputs, node, local)
        self.node = None
        self._use(graph.outputs)
        self.visible.difference_update(local)
        self.graph, self.node = around

    def _define(self, values: Iterable[Value], producer: Node | None, local: list[Value]) -> None:
        for value in values:
            if isinstance(value, Constant):
                self._fail(f"{value!r} is a constant and cannot be defined")
            if value in self.defined:
                self._fail(f"{value!r} is defined twice")
            if value.producer is not producer:
                self._fail(f"{value!r} has the wrong producer")
            self.defined.add(value)
            self.visible.add(value)
            local.append(value)

    def _use(self, values: Iterable[Value]) -> None:
        for value in values:
            if isinstance(value, Constant):
                self._constant(value)
            elif value not in self.visible:
                if value in self.defined:
                    self._fail(f"{value!r} is used outside the region that defines it")
                self._fail(f"{value!r} is used before it is defined")

    def _constant(self, constant: Constant) -> None:
        if constant.data is None:
            if isinstance(constant.type, ArrayType):
                self._fail(f"{constant!r}: None is a pack or a stack")
        elif isinstance(constant.data, tuple):  # what an earlier call left
            if isinstance(constant.type, ArrayType):
                self._fail(f"{constant!r}: a tuple is a pack or a stack")
        elif type_of(constant.data) != constant.type:
            self._fail(f"{constant!r} should have the type {type_of(constant.data)}")

    # -- nodes -------------------------------------------------------------------------------------

    def _node(self, node: Node) -> None:
        self._attributes(node)
        self._use(node.inputs)
        for region in node.regions:
            self._captures(region)
            self._graph(region)
        if isinstance(node.op, Structured):
            self._structured(node, node.op)
            return
        if node.regions:
            self._fail("this operator has no regions")
        self._containers(node)
        self._inferred(node)

    def _attributes(self, node: Node) -> None:
        for key, value in node.attrs.items():
            try:
                hash(value)
            except TypeError:
                self._fail(f"the attribute '{key}' cannot be hashed")

    def _captures(self, graph: Graph) -> None:
        free = free_values(graph.inputs, graph.nodes, graph.outputs)
        # Values compare by recording a node, so compare their identities.
        if [*map(id, graph.captures)] != [*map(id, free)]:
            self._fail(
                f"the captures of '{graph.name}' should be {_listed(free)}, "
                f"not {_listed(graph.captures)}"
            )

    def _inferred(self, node: Node) -> None:
        try:
            types = node.op.infer(*(v.type for v in node.inputs), **node.attrs)
        except (TypeError, ValueError, IndexError) as error:
            self._fail(f"the operator does not take these operands: {error}")
        self._types("the results", [v.type for v in node.outputs], types)

    def _containers(self, node: Node) -> None:
        op, types = node.op, [v.type for v in node.inputs]
        if op in (regions.pack, regions.recompute):
            return
        if op is regions.add_ct:
            if len(types) != 2 or _differ(*types) or isinstance(types[0], ArrayType):
                self._fail(f"two packs or two stacks are added, not {_types(types)}")
        elif op is regions.unpack_ct:
            lengths = [weak(int)] * sum(
                type.shape.count(None)
                for type in node.attrs["types"]
                if isinstance(type, ArrayType)
            )
            self._types("the operands", types, [PACK, *lengths])
        elif op in _CONTAINER_OPERANDS:
            self._types("the operands", types, _CONTAINER_OPERANDS[op])
        elif not all(isinstance(type, ArrayType) for type in types):
            self._fail(f"this operator takes arrays, not {_types(types)}")
        source = node.inputs[0].producer if op is regions.unpack else None
        if source is not None and source.op is regions.pack:
            packed = [v.type for v in source.inputs]
            self._types("the values unpacked", [v.type for v in node.outputs], packed)

    def _types(self, what: str, given: Sequence[Type], expected: Sequence[Type]) -> None:
        if any(map(_differ, given, expected)) or len(given) != len(expected):
            self._fail(f"{what} should have the types {_types(expected)}, not {_types(given)}")

    # -- nodes with regions ------------------------------------------------------------------------

    def _structured(self, node: Node, op: Structured) -> None:
        most = len(op.roles) + (node.op is regions.lanes)
        least = len(op.roles) - op.optional
        if not least <= len(node.regions) <= most:
            self._fail(f"there should be {least} regions, not {len(node.regions)}")
        if op in _OWN_RULES:
            _OWN_RULES[op](self, node)
        if node.regions and wiring(node).whole:
            self._wired(node, op.roles)

    def _signature(
        self, role: str, region: Graph, inputs: Sequence[Type], outputs: Sequence[Type]
    ) -> None:
        self._types(f"the inputs of the {role}", region.input_types, inputs)
        self._types(f"the outputs of the {role}", region.output_types, outputs)

    def _scalar(self, what: str, values: Sequence[Value]) -> None:
        types = [v.type for v in values]
        if len(types) != 1 or not isinstance(types[0], ArrayType) or types[0].shape != ():
            self._fail(f"{what} should be one scalar, not {_types(types)}")

    def _wired(self, node: Node, roles: Sequence[str]) -> None:
        """What goes into regions, from trip to trip, and out is what is awaited there."""
        wires, results = wiring(node), [v.type for v in node.outputs]
        operands = [v.type for v in wires.operands]
        takes, gives = operands, results
        if is_loop(node):
            takes = [*(weak(int) for _ in loop_of(node).indices), *operands]
            gives = operands
        for role, region in zip(roles, node.regions):
            if region in wires.tests:
                self._types(f"the inputs of the {role}", region.input_types, takes)
                self._scalar(f"the output of the {role}", region.outputs)
            elif region in wires.runs:
                self._signature(_CALLED.get(role, role), region, takes, gives)
        self._types("the results", results, gives)

    def _cond(self, node: Node) -> None:
        self._scalar("the predicate", node.inputs)

    def _for_loop(self, node: Node) -> None:
        self._scalar("the count", node.inputs[:1])
        if node.inputs[0].type.dtype.kind not in "iu":
            self._fail(f"the count should be an integer, not {node.inputs[0].type}")

    def _call(self, node: Node) -> None:
        if "callee" not in node.attrs:
            self._fail("a call has the attribute 'callee'")
        if self.graphs is None:
            return
        callee = self.graphs.get(node.attrs["callee"])
        if callee is None:
            self._fail(f"the module has no graph named '{node.attrs['callee']}'")
        self._types("the arguments", [v.type for v in node.inputs], callee.input_types)
        self._types("the results", [v.type for v in node.outputs], callee.output_types)

    def _custom_vjp(self, node: Node) -> None:
        custom = custom_vjp_of(node)
        arguments, results = [v.type for v in node.inputs], [v.type for v in node.outputs]
        residuals = [v.type for v in custom.residuals]
        self._signature("forward pass", custom.forward, arguments, [*results, *residuals])
        seeds = [*residuals, *_inexact(results)]
        self._signature("backward pass", custom.backward, seeds, _inexact(arguments))
        if custom.by_tangents is not None:
            self._rule(custom.by_tangents.rule, arguments, results)

    def _custom_jvp(self, node: Node) -> None:
        arguments, results = [v.type for v in node.inputs], [v.type for v in node.outputs]
        self._rule(custom_jvp_of(node).rule, arguments, results)

    def _linear_call(self, node: Node) -> None:
        arguments, results = [v.type for v in node.inputs], [v.type for v in node.outputs]
        if not all(type.inexact for type in (*arguments, *results)):
            self._fail("the arguments and results should be floating-point or complex")
        self._signature("transpose", linear_call_of(node).transpose, results, arguments)

    def _rule(self, rule: Graph, arguments: list, results: list) -> None:
        operands = [*arguments, *_inexact(arguments)]
        self._signature("rule", rule, operands, [*results, *_inexact(results)])

    def _lanes(self, node: Node) -> None:
        sizes: Any = node.attrs.get("sizes")
        axes: Any = node.attrs.get("axes")
        is_nested = isinstance(axes, tuple) and all(map(_are_lengths, axes))
        if not (_are_lengths(sizes) and is_nested):
            self._fail("the attributes are numbers of lanes, and axes")
        if len(node.regions) not in (1, 2) or any(r.captures for r in node.regions):
            self._fail("there should be one region or two that capture nothing")
        if len(axes) != len(node.inputs):
            self._fail("there should be axes for each operand")
        lane, batched = lanes_of(node)
        types = [v.type for v in node.inputs]
        results = [v.type for v in node.outputs]
        outputs = [v.type for v in lane.outputs]
        if not all(isinstance(type, ArrayType) for type in (*types, *results, *outputs)):
            self._fail("lanes have arrays and numbers only")
        one = []
        for own, given in zip(axes, types):
            if any(axis >= len(sizes) for axis in own) or list(own) != sorted(set(own)):
                self._fail(f"the axes {own} are not some of those of {len(sizes)} in order")
            lengths = tuple(sizes[i] for i in own)
            if own and (given.weak or not is_same(given.shape[: len(own)], lengths)):
                self._fail(f"an operand of type {given} does not have the axes {own} of {sizes}")
            one.append(given._replace(shape=given.shape[len(own) :]))
        self._types("the inputs of the lane", lane.input_types, one)
        all_lanes = [ArrayType(type.dtype, (*sizes, *type.shape)) for type in outputs]
        self._types("the results", results, all_lanes)
        if batched is not None:
            self._signature("batched region", batched, types, results)


def _differ(given: Type, expected: Type) -> bool:
    """Whether types differ, but for the axes of a mesh: a value that is the same in all parts may
    take the place of one that is not."""
    if isinstance(given, ArrayType) and isinstance(expected, ArrayType):
        return given.invariant() != expected.invariant()
    return given != expected


# What the wiring of a node does not tell.
_OWN_RULES = {
    regions.cond: _Verifier._cond,
    regions.for_loop: _Verifier._for_loop,
    regions.call: _Verifier._call,
    regions.custom_vjp: _Verifier._custom_vjp,
    regions.custom_jvp: _Verifier._custom_jvp,
    regions.linear_call: _Verifier._linear_call,
    regions.lanes: _Verifier._lanes,
}

# What messages call regions, where that is not just their role.
_CALLED = {"then": "then branch", "else": "else branch"}

_CONTAINER_OPERANDS: dict[Op, list[Type]] = {
    regions.unpack: [PACK],
    regions.push: [STACK, PACK],
    regions.pop: [STACK],
}


def _are_lengths(value: Any) -> bool:
    """Whether a value is a tuple of lengths, known or not."""
    is_one = lambda n: is_length(n) or (type(n) is int and n >= 0)
    return isinstance(value, tuple) and all(map(is_one, value))


def _inexact(types: Iterable[Type]) -> list[Type]:
    return [type for type in types if type.inexact]


def _types(types: Iterable[Type]) -> str:
    return f"({', '.join(map(str, types))})"


def _listed(captures: Sequence[Value]) -> str:
    return ", ".join(map(repr, captures)) or "none"
