"""The recording of a call of a function with a custom derivative: its regions, one by one.

Each region is the user's function or rule, recorded by itself as `grad` records a function, between
inputs and outputs of known types. What it returns is held to what it should: the nesting, and for
each array or number the shape and dtype.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

import ops
from autograph.api.derivatives.common import (
    aligned,
    described,
    is_zero_of_integers,
    name_of,
    symbolic,
)
from autograph.api.trees import flatten, is_inexact, leaf_type, nesting
from autograph.errors import (
    CustomRuleError,
    Location,
    MutationError,
    TangentError,
    UnsupportedFunctionError,
)
from autograph.graph.builder import Builder, copy_nodes, current_builder, graph_of
from autograph.graph.graph import Graph, Value
from autograph.graph.variance import control
from autograph.staging.arrays.array import GraphArray
from autograph.staging.border.delivery import Delivery
from autograph.staging.calls.recursion import Recursion
from autograph.staging.ground.errors import defined_at
from autograph.staging.ground.nesting import is_tuple, parts_of
from autograph.staging.ground.recorder import recorder
from autograph.staging.trace import subgraph
from autograph.staging.values.maybe import MaybeNone
from autograph.staging.values.promoted import PromotedNumber
from autograph.transforms.analysis.flow import root
from autograph.transforms.reverse.tape import zeros
from ops.core.operands import Symbolic
from ops.core.records import NamedTuple
from ops.core.registry import Op
from ops.core.types import ArrayType, may_agree


class Applied(NamedTuple):
    """A function applied in a region.

    Attributes:
        result: what it returned.
        values: the graph values that are in it.
        delivery: how it is made of them.
        env: what became of the values that were recorded, which functions that it returned, such as
            the pullback of a `vjp`, refer to.
    """

    result: Any
    values: Sequence[Value]
    delivery: Delivery
    env: dict[Value, Value]

    def deliver(self, values: Sequence[Value]) -> Any:
        """The result made of other values."""
        return self.delivery.deliver([GraphArray(value) for value in values])


class CustomCall:
    """A call of a function with a custom derivative.

    Args:
        function: the user's function.
        args: all arguments, by position.
        apart: the positions of those that derivatives are not taken by.

    Attributes:
        positions: those of the others.
        nondifferentiable: the arguments that derivatives are not taken by.
        arguments: the operands of the node.
    """

    def __init__(self, function: Callable, args: tuple, apart: Sequence[int]):
        self.function = function
        self.name = name_of(function)
        self.site = defined_at(function)
        self.positions = [i for i in range(len(args)) if i not in apart]
        self.nondifferentiable = [args[i] for i in apart]
        self._args = args
        self._flat = {i: _flattened(args[i]) for i in self.positions}
        leaves = [leaf for leaves, _ in self._flat.values() for leaf in leaves]
        self._boxes = [leaf for leaf in leaves if type(leaf) is GraphArray]
        self.arguments = [box.value for box in self._boxes]

    # -- regions ----------------------------------------------------------------------------------

    @contextmanager
    def region(self, name: str, derivatives: int | None = None) -> Iterator[Builder]:
        """Record a region; of a rule one derivative less is still to be taken.

        The functions running around it are not running in it: a rule in which the function is
        called, so that the rule is recorded in itself for the next derivative, is not recursive.
        """
        if derivatives is None:
            derivatives = recorder().transformed.derivatives - 1
        with (
            recorder().fresh(Recursion),
            recorder().transformed.expecting(derivatives),
            recorder().builder(name) as builder,
            recorder().new_frame(),
        ):
            yield builder

    def inputs(self, builder: Builder, values: Sequence[Value]) -> list[Value]:
        """New inputs of a region that stand for ``values``."""
        inputs = [builder.input(value.type, value.name) for value in values]
        recorder().inputs.aliases.update(zip(inputs, values))
        return inputs

    def enter(self, builder: Builder) -> tuple[list[Any], list[Value]]:
        """The arguments as a region sees them, and the inputs that are in them."""
        inputs = self.inputs(builder, self.arguments)
        remaining = zip(inputs, self._boxes)
        args = list(self._args)
        for position, (leaves, spec) in self._flat.items():
            seen = [_standing_in(*next(remaining)) if type(v) is GraphArray else v for v in leaves]
            args[position] = spec.unflatten(seen)
        return args, inputs

    def apply(self, function: Callable, args: Sequence[Any]) -> Applied:
        """Record a function in the region being recorded.

        Raises:
            MutationError: it changes a container that it has not made itself.
        """
        purpose = "part of a custom derivative"
        traced, arguments = subgraph(function, name_of(function), args, {}, purpose)
        if traced.delivery.changed:
            raise MutationError(
                "a function that is part of a custom derivative changes a list, dict or object "
                "from outside",
                defined_at(function),
                id="AG0321",
                fix="return what it should contain, and change it where the function is called",
            )
        graph = traced.module.main
        env = dict(zip(graph.inputs, (argument.value for argument in arguments)))
        outputs = copy_nodes(graph.nodes, graph.outputs, env)
        applied = Applied(None, outputs, traced.delivery, env)
        return applied._replace(result=applied.deliver(applied.values))

    # -- the node ---------------------------------------------------------------------------------

    def record(self, op: Op, rules: Callable[[], list[Graph]]) -> Any:
        """Add the node of the call.

        Args:
            op: its operator.
            rules: gives its regions, but for the first.

        Returns:
            The result of the call.
        """
        primal = self._primal()
        regions = [primal, *rules()]
        types = primal.output_types
        names = [v.name for v in primal.outputs] if len(types) > 1 else []
        values = current_builder().add(op, self.arguments, {}, types, regions, names)
        made = zip(values, primal.outputs)
        leaves = [
            self._delivered(leaf, primal, *next(made)) if _is_output(leaf) else leaf
            for leaf in self._leaves
        ]
        return self._spec.unflatten(leaves)

    def _primal(self) -> Graph:
        """The region of the function itself, which no transform looks into."""
        with self.region(self.name, derivatives=0) as builder:
            args, _ = self.enter(builder)
            result = self.apply(self.function, args).result
            self._leaves, self._spec = flatten(result)
            self._nesting = nesting(result)
            _refuse_uncertain(self._leaves, self.site)
            outputs = [symbolic(v).value for v in self._leaves if _is_output(v)]
            graph = builder.finish(outputs, self.site)
        self._types = [v.type for v in graph.outputs]
        return graph

    def _delivered(self, leaf: Any, primal: Graph, value: Value, inside: Value) -> GraphArray:
        """A leaf of the result. If the function returns an array that it is given, or a view of
        it, they share memory, which the node does not tell."""
        box = _standing_in(value, leaf)
        for source, argument in zip(primal.inputs, self._boxes):
            if root(inside) is source and value.type.shape != ():
                box.may_share([argument])
        return box

    # -- what rules are given, and what they return -----------------------------------------------

    def result_cotangents(self, builder: Builder) -> Any:
        """New inputs of a region for the cotangents of the result, nested as the result is."""
        types = iter(self._types)
        leaves = [
            _input_like(leaf, builder, next(types), "d_{}") if _is_output(leaf) else None
            for leaf in self._leaves
        ]
        return self._spec.unflatten(leaves)

    def argument_tangents(self, builder: Builder) -> tuple:
        """New inputs of a region for the tangents of the arguments, nested as these are."""
        trees = []
        for leaves, spec in self._flat.values():
            tangents = []
            for leaf in leaves:
                tangent = None
                if type(leaf) is GraphArray:
                    tangent = _input_like(leaf, builder, leaf.type, "{}_dot")
                elif is_inexact(leaf):
                    tangent = GraphArray(zeros(symbolic(leaf).value))
                tangents.append(tangent)
            trees.append(spec.unflatten(tangents))
        return tuple(trees)

    def outputs(self, out: Any, what: str, rule: Callable) -> list[Value]:
        """The values of the results of the node, from what a rule returns for the result."""
        types = iter(self._types)
        values = []
        given = self._aligned(out, self._nesting, f"{what} returns a result that is", rule)
        for leaf, expected in zip(given, self._leaves):
            type = next(types) if _is_output(expected) else leaf_type(expected)
            if type is not None or leaf_type(leaf) is not None:
                where = f"{what} returns {described(leaf)} where the function returns"
                value = self._fitted(leaf, type, where, rule)
                values += [value] if _is_output(expected) else []
        return values

    def result_tangents(self, tangent: Any, values: Sequence[Value], rule: Callable) -> list[Value]:
        """The tangents of the results of the node, which are ``values``."""
        remaining = iter(values)
        tangents = []
        given = self._aligned(tangent, self._nesting, "the rule returns a tangent that is", rule)
        for leaf, expected in zip(given, self._leaves):
            value = next(remaining) if _is_output(expected) else None
            where = f"the rule returns {described(leaf)} as the tangent of"
            fitted = self._derivative(leaf, value, leaf_type(expected), where, rule)
            tangents += [] if fitted is None else [fitted]
        return tangents

    def argument_cotangents(
        self, result: Any, inputs: Sequence[Value], rule: Callable
    ) -> list[Value]:
        """The cotangents of the arguments of the node, which the region has as ``inputs``."""
        count = len(self._flat)
        if not is_tuple(result) and not isinstance(result, list):
            wrong = f"the backward rule returns {described(result)}"
        elif len(result) != count:
            wrong = f"the backward rule returns {len(result)} cotangents"
        else:
            wrong = ""
        if wrong:
            whole = count == len(self._args)
            arguments = "argument" if whole else "argument that is not in nondiff_argnums"
            raise self._error(
                f"{wrong}, not a tuple with one for each {arguments}: {count}",
                rule,
                "return a tuple, with None for an argument without a derivative",
            )
        remaining = iter(inputs)
        cotangents = []
        for (position, (leaves, spec)), tree in zip(self._flat.items(), result):
            given = [None] * len(leaves)
            if tree is not None:
                what = f"the backward rule returns a cotangent of argument {position} that is"
                given = self._aligned(tree, nesting(spec.unflatten(leaves)), what, rule)
            for ct, leaf in zip(given, leaves):
                value = next(remaining) if type(leaf) is GraphArray else None
                where = f"the backward rule returns {described(ct)} as the cotangent of argument "
                where += f"{position}, which is" if len(leaves) == 1 else f"{position}, in it of"
                fitted = self._derivative(ct, value, leaf_type(leaf), where, rule)
                cotangents += [] if fitted is None else [fitted]
        return cotangents

    def _derivative(
        self, given: Any, value: Value | None, type: ArrayType | None, where: str, rule: Callable
    ) -> Value | None:
        """A tangent or cotangent of ``value`` as a value of its type; None if it has none.

        Args:
            value: None for what the node doesn't have, because it is known.
            type: that of ``value``, or of what is known.
        """
        if is_zero_of_integers(given):
            return zeros(value) if value is not None and value.type.inexact else None
        if type is None or not type.inexact:
            whose = "something that is no array or number" if type is None else str(type)
            raise self._error(
                f"{where} {whose}, which has no derivative", rule, "return None for it"
            )
        fitted = self._fitted(given, type, where, rule)
        return None if value is None else fitted

    def _fitted(self, given: Any, type: ArrayType | None, where: str, rule: Callable) -> Value:
        """An array or number as a value of exactly ``type``."""
        found = leaf_type(given)
        if found is None or type is None or not _fits(found, type):
            raise self._error(
                f"{where} {type or 'something else'}",
                rule,
                "return an array of the same shape and dtype, for example with "
                "astype, broadcast_to or sum",
            )
        if more := found.varies - type.varies - control():
            names = ", ".join(map(repr, sorted(more)))
            raise self._error(
                f"{where} {type}, which is the same in all parts of a mesh along {names}",
                rule,
                f"bring the parts together, like ops.psum(x, {names}), or let the argument differ "
                f"between them: ops.pvary(x, {names})",
            )
        value = symbolic(given).value
        if found.shape != type.shape:
            value = ops.refine(value, shape=type.shape)
        if found.dtype != type.dtype or found.weak != type.weak:
            value = ops.cast(value, dtype=type.dtype.name, weak=type.weak)
        return value

    def _aligned(self, tree: Any, like: Any, what: str, rule: Callable) -> list:
        try:
            return aligned(tree, like, "", None)
        except TangentError as error:
            reason = error.message.partition(": ")[2]
            raise self._error(
                f"{what} not nested as it has to be: {reason}",
                rule,
                "return the same tuples, lists and dicts",
            ) from None

    def _error(self, message: str, rule: Callable, fix: str) -> CustomRuleError:
        others = (("the function", self.site),)
        return CustomRuleError(message, defined_at(rule), id="AG0521", others=others, fix=fix)


def with_captures_as_residuals(
    forward: Graph, backward: Graph, env: dict[Value, Value], position: int
) -> tuple[Graph, Graph]:
    """The two regions with what the second takes from the first, by functions that this returned,
    as further residuals.

    Args:
        env: from `Applied`.
        position: of the first input of ``backward`` that is no residual.
    """
    taken = [v for v in backward.captures if v in env]
    if not taken:
        return forward, backward
    left = [env[v] for v in taken]
    inputs = (*backward.inputs[:position], *taken, *backward.inputs[position:])
    closed = graph_of(backward.name, inputs, backward.nodes, backward.outputs, backward.location)
    return replace(forward, outputs=(*forward.outputs, *left)), closed


def pair_of(result: Any, what: str, parts: str, rule: Callable) -> tuple:
    """The two things that a rule returns.

    Raises:
        CustomRuleError: they are not two.
    """
    if not is_tuple(result) or len(result) != 2:
        raise CustomRuleError(
            f"{what} returns {_counted(result)}, not a pair",
            defined_at(rule),
            id="AG0521",
            fix=f"return {parts}",
        )
    return parts_of(result)


def _counted(result: Any) -> str:
    return f"a tuple of {len(result)}" if is_tuple(result) else described(result)


def _is_output(leaf: Any) -> bool:
    """Whether a leaf of the result is one of the node; the others are known, and stay."""
    return isinstance(leaf, GraphArray) or is_inexact(leaf)


def _flattened(argument: Any) -> tuple[list[Any], Any]:
    """An argument's leaves and nesting. Numbers that are of another type on each path are promoted:
    a rule knows one type of each."""
    leaves, spec = flatten(argument)
    return [GraphArray(x.value) if isinstance(x, PromotedNumber) else x for x in leaves], spec


def _standing_in(value: Value, leaf: Any) -> GraphArray:
    """A symbolic array for ``value``, which stands for ``leaf``."""
    box = GraphArray(value)
    box.is_array = getattr(leaf, "is_array", False)
    return box


def _input_like(leaf: Any, builder: Builder, type: ArrayType, name: str) -> GraphArray | None:
    """A new input for the derivative of a leaf, named after it; None if that has none."""
    if not type.inexact:
        return None
    called = leaf.value.name if isinstance(leaf, GraphArray) else None
    return _standing_in(builder.input(type, called and name.format(called)), leaf)


def _refuse_uncertain(leaves: Sequence[Any], site: Location | None) -> None:
    """Refuse results that a node cannot have.

    Raises:
        UnsupportedFunctionError: only the run knows whether a part of the result is there, or which
            object it is.
    """
    for leaf in leaves:
        uncertain = isinstance(leaf, Symbolic) and not isinstance(leaf, GraphArray)
        if uncertain or isinstance(leaf, MaybeNone) or getattr(type(leaf), "is_text", False):
            raise UnsupportedFunctionError(
                "a function with a custom derivative returns something that is chosen at run "
                "time: an array or None, one of several objects, or a text of values",
                site,
                id="AG0526",
                fix="return arrays and numbers, the same on all paths",
            )


def _fits(found: ArrayType, type: ArrayType) -> bool:
    """Whether a value can be taken for one of the given type: a Python number for that of any array
    library, an array of a length known only at run time for one that has it."""
    if not may_agree(found.shape, type.shape):
        return False
    if found.dtype == type.dtype:
        return True
    return found.weak and np.can_cast(found.dtype, type.dtype, "same_kind")
