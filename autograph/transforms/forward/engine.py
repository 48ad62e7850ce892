"""The engine of forward mode: tangents next to values, and the rules by kind of operator.

See `autograph.transforms.jvp`. A tangent has the type of its value; None stands for zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import ops
from autograph.graph.builder import copy_node, current_builder
from autograph.graph.graph import Graph, Node, Value, label
from autograph.graph.rewrite import Env
from autograph.graph.variance import like
from autograph.transforms.analysis.extents import Extents
from autograph.transforms.reverse.tape import derivative_of, fill_rules, no_derivative, scale, zeros
from ops.core.registry import Custom, Elementwise, Linear, Op
from ops.core.symbolic_lengths import are_equal
from ops.core.types import ArrayType, is_type

Tangents = Sequence["Value | None"]

# The rules of structured operators: ``rule(forward, node, env)`` adds the node with the tangents of
# its results to the current builder. `autograph.transforms.rules` has them all.
RULES: dict[Op, Callable[..., None]] = {}


class Forward:
    """The tangents of one graph with its regions, by the values of the *original* graph.

    Args:
        active: the values of the original graph that may have tangents, from `active_values`.
    """

    def __init__(self, active: set[Value]):
        self.active = active
        self.extents = Extents()
        self._tangents: dict[Value, Value] = {}

    def tangent(self, value: Value) -> Value | None:
        """The tangent of a value of the original graph; None if it is zero."""
        return self._tangents.get(value)

    def move(self, values: Sequence[Value], tangents: Tangents) -> None:
        """Say what the tangents of some values of the original graph are."""
        self._tangents.update((v, t) for v, t in zip(values, tangents) if t is not None)

    def moves(self, values: Sequence[Value]) -> bool:
        """Whether one of some values of the original graph has a tangent."""
        return any(v in self._tangents for v in values)

    def run(self, graph: Graph, env: Env) -> None:
        """Copy the nodes of ``graph`` to the current builder, with tangents. ``env`` maps original
        values to the copies."""
        fill_rules()
        builder = current_builder()
        for node in graph.nodes:
            if not any(v in self.active for v in node.outputs):
                copy_node(builder, node, env)
                continue
            with builder.at(node.location):
                if node.op in RULES:
                    RULES[node.op](self, node, env)
                else:
                    self._primitive(node, env)

    def _primitive(self, node: Node, env: Env) -> None:
        inputs = [env.get(v, v) for v in node.inputs]
        outputs = copy_node(current_builder(), node, env)
        tangents = [self.tangent(v) for v in node.inputs]
        if not self.moves(node.inputs):
            return
        with derivative_of(node):
            results = self._results(node, inputs, outputs, tangents)
        for value, output, tangent in zip(node.outputs, outputs, results):
            if tangent is not None and output.type.inexact:
                tangent = fit(tangent, output)
                if tangent.producer is not None:
                    label(tangent, dotted(output))
                self.move([value], [tangent])

    # -- rules by kind ----------------------------------------------------------------------------

    def _results(
        self, node: Node, inputs: Sequence[Value], outputs: Sequence[Value], tangents: Tangents
    ) -> Tangents:
        op = node.op
        if isinstance(op, Elementwise):
            return [self._elementwise(op, inputs, outputs[0], tangents)]
        if isinstance(op, Linear):
            return [self._linear(op, node, inputs, outputs[0], tangents)]
        return self._custom(node, inputs, outputs, tangents)

    def _elementwise(
        self, op: Elementwise, inputs: Sequence[Value], output: Value, tangents: Tangents
    ) -> Value | None:
        terms = []
        for i, (tangent, partial) in enumerate(zip(tangents, op.partials)):
            if tangent is not None and partial is not None:
                factor = partial(*inputs, output) if callable(partial) else partial
                term = scale(tangent, factor)
                terms.append(self._spread(term, inputs, i, output))
        return _total(terms)

    def _spread(self, term: Value, inputs: Sequence[Value], i: int, output: Value) -> Value:
        """``term`` with the lengths of the result, if only the run knows whether it has them."""
        if self.extents.may_be_broadcast(inputs, i):
            return ops.broadcast_to(term, ops.lengths_of(output))
        return term

    def _linear(
        self, op: Linear, node: Node, inputs: Sequence[Value], output: Value, tangents: Tangents
    ) -> Value | None:
        transposes = op.transposes
        linear = [
            callable(transposes) or (i < len(transposes) and transposes[i] is not None)
            for i in range(len(inputs))
        ]
        moving = {i: t for i, t in enumerate(tangents) if t is not None and linear[i]}
        if not moving:
            return None
        if op.joint:
            operands = [
                v if not flag else like(zeros(v) if t is None else t, v.type)
                for v, t, flag in zip(inputs, tangents, linear)
            ]
            return _apply(op, operands, node, output)
        terms = []
        for i, tangent in moving.items():
            operands = [*inputs]
            operands[i] = tangent
            terms.append(_apply(op, operands, node, output))
        return _total(terms)

    def _custom(
        self, node: Node, inputs: Sequence[Value], outputs: Sequence[Value], tangents: Tangents
    ) -> Tangents:
        rule = node.op.jvp if isinstance(node.op, Custom) else None
        if rule is None:
            reverse = isinstance(node.op, Custom) and node.op.vjp is not None
            without = "derivative in forward mode" if reverse else "derivative"
            raise no_derivative(node, without)
        given = [like(zeros(v) if t is None else t, v.type) for v, t in zip(inputs, tangents)]
        return rule(given, inputs, outputs, **node.attrs)


def _apply(op: Linear, operands: Sequence[Value], node: Node, output: Value) -> Value:
    """``op`` on tangents, which have the types of the values, so the result's type is known."""
    (tangent,) = current_builder().add(op, operands, node.attrs, [output.type])
    return tangent


def _total(terms: Sequence[Value]) -> Value | None:
    total = None
    for term in terms:
        total = term if total is None else ops.add(total, term)
    return total


# -- arithmetic on tangents ------------------------------------------------------------------------


def fit(tangent: Value, value: Value) -> Value:
    """``tangent`` as a tangent of ``value``: real if that is real, broadcast, of its dtype."""
    type = value.type
    if not isinstance(type, ArrayType) or is_type(tangent.type, type):
        return tangent
    if tangent.type.dtype.kind == "c" and type.dtype.kind != "c":
        tangent = ops.real(tangent)
    if tangent.type.dtype != type.dtype or tangent.type.weak != type.weak:
        tangent = ops.cast(tangent, dtype=type.dtype.name, weak=type.weak)
    if not are_equal(tangent.type.shape, type.shape):
        tangent = ops.broadcast_to(tangent, ops.lengths_of(value))
    return like(tangent, type)


def dotted(value: Value) -> str | None:
    """The name of the tangent of ``value``, for printing."""
    return None if value.name is None else f"{value.name}_dot"
