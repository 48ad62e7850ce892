"""The tape of reverse mode: a graph's forward pass, recorded so that it can be run backwards.

Also the rules that follow from the kind of an operator (see `ops.core.registry`), and the
arithmetic on cotangents. A cotangent has the type of its value; the cotangent of a Python float is
a Python float.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import ops
from autograph.errors import (
    AutographError,
    MissingDerivativeError,
    NonDifferentiableError,
    VerificationError,
)
from autograph.graph.builder import copy_node, current_builder
from autograph.graph.graph import Constant, Graph, Node, Value
from autograph.graph.rewrite import Env
from autograph.graph.variance import like
from autograph.transforms.analysis.extents import Extents
from autograph.transforms.reverse.masks import Masks, is_finite_number
from ops.control import regions
from ops.core.locks import lock_over_forks
from ops.core.operands import broadcast_shapes
from ops.core.records import dataclass
from ops.core.registry import Custom, Elementwise, Linear, Op
from ops.core.symbolic_lengths import are_equal
from ops.core.types import ArrayType, Type, is_type
from ops.elementwise.conversion import astype

Cotangents = Sequence["Value | None"]


_AVOID = "differentiate by arguments that do not reach it"


def no_derivative(node: Node, which: str = "derivative") -> NonDifferentiableError:
    """The error for an operator without a derivative."""
    return NonDifferentiableError(
        f"operator '{node.op.name}' has no {which}", node.location, id="AG0505", fix=_AVOID
    )


@contextmanager
def derivative_of(node: Node) -> Iterator[None]:
    """Around the rule of an operator, which may say that it knows no derivative in this case."""
    try:
        yield
    except AutographError:
        raise
    except NotImplementedError as error:
        message, use, fix = str(error).partition("; use ")
        raise MissingDerivativeError(
            f"not known for operator '{node.op.name}': {message}",
            node.location,
            fix=f"use {fix}" if use else _AVOID,
        ) from error


# The rules of structured operators: ``rule(tape, node, env) -> Step`` adds the node's
# forward version to the current builder. `autograph.transforms.rules` has them all.
RULES: dict[Op, Callable[..., Step]] = {}


_lock = lock_over_forks()  # a process that is forked meanwhile could never import them


@functools.cache
def fill_rules() -> None:
    """Fill this table and those of the other engines, which do so before they look there. Rules
    need all transforms, and many programs none."""
    with _lock:
        importlib.import_module("autograph.transforms.rules")


@dataclass
class Step:
    """What one node leaves for the backward pass.

    ``pull`` takes the cotangents of the node's outputs and yields pairs (value, cotangent) for the
    values of the original graph that the node used. One that ``continues`` also takes a function
    from such a value to the cotangent that it has so far, or None, to which the node's part may
    be added where it is computed: what is taken so has to be in the pair. One that is ``masked``
    takes cotangents that may be dirty, see `autograph.transforms.reverse.masks`.
    """

    node: Node
    pull: Callable[..., Iterable[tuple[Value, Value | None]]]
    continues: bool = False
    masked: bool = False


class Tape:
    """The forward pass of one graph or region, recorded so that it can be run backwards.

    Cotangents are kept by the value of the *original* graph, which is unique, where two inputs of F
    may be the same value.

    Args:
        active: the values of the original graph that have cotangents, from `active_values`.
        nested: whether it is a region, which has to pack what its backward pass needs of it.
    """

    def __init__(self, active: set[Value], *, nested: bool = False):
        self.active = active
        self.nested = nested
        self.steps: list[Step] = []
        self.masks = Masks()
        self.extents = Extents()

    # -- forward ----------------------------------------------------------------------------------

    def forward(self, graph: Graph, env: Env) -> None:
        """Copy the nodes of ``graph`` to the current builder. ``env`` maps its values to F's."""
        fill_rules()
        builder = current_builder()
        for node in graph.nodes:
            if not self._has_derivative(node):
                copy_node(builder, node, env)
                continue
            with builder.at(node.location):
                if node.op in RULES:
                    self.steps.append(RULES[node.op](self, node, env))
                else:
                    inputs = [env.get(v, v) for v in node.inputs]
                    outputs = copy_node(builder, node, env)
                    pull, op = self._pull(node, inputs, outputs), node.op
                    masked = isinstance(op, Elementwise) or _chooses(op)
                    self.steps.append(Step(node, pull, masked=masked))

    def _has_derivative(self, node: Node) -> bool:
        return any(v in self.active for v in node.outputs)

    def _pull(self, node: Node, inputs: Sequence[Value], outputs: Sequence[Value]) -> Callable:
        wanted = [v in self.active for v in node.inputs]
        repeated = [
            flag and self.extents.may_be_broadcast(inputs, i) for i, flag in enumerate(wanted)
        ]

        def results_of(cotangents: Cotangents) -> Sequence[Value | None]:
            # Of the two kinds with one result alone, that has a cotangent.
            op, ct = node.op, cotangents[0]
            if isinstance(op, Elementwise) and ct is not None:
                return self._elementwise(op, inputs, outputs[0], ct, wanted, repeated)
            if isinstance(op, Linear) and ct is not None:
                return self._linear(op, node, inputs, outputs, ct, wanted, repeated)
            rule = op.vjp if isinstance(op, Custom) else None
            if rule is None:
                raise no_derivative(node)
            results = rule(cotangents, inputs, outputs, **node.attrs)
            if len(cotangents) == 1 and ct is not None:
                self.masks.follow(node, inputs, outputs, ct, results)
            return results

        def pull(cotangents: Cotangents) -> Iterable[tuple[Value, Value | None]]:
            with derivative_of(node):
                results = results_of(cotangents)
            for value, ct, flag in zip(node.inputs, results, wanted):
                if flag and ct is not None:
                    yield value, ct

        return pull

    # -- backward ---------------------------------------------------------------------------------

    def backward(
        self, seeds: Iterable[tuple[Value, Value | None]], wanted: Sequence[Value | None]
    ) -> list[Value | None]:
        """Add the backward pass to the current builder.

        Args:
            seeds: pairs (value of the original graph, its cotangent).
            wanted: values of the original graph.

        Returns:
            The cotangent of each wanted value, or None where it is zero.
        """
        cotangents: dict[Value, Value] = {}
        residuals: dict[Value, Value] = {}  # the parts that come out of packs

        def take(value: Value) -> Value | None:
            parts = cotangents.pop(value, None), residuals.pop(value, None)
            return self.masks.with_residual(*parts, add_cotangents)

        def so_far(value: Value) -> Value | None:
            return self.masks.clean(cotangents.pop(value, None))

        for value, ct in seeds:
            self._accumulate(cotangents, value, ct)
        builder = current_builder()
        for step in reversed(self.steps):
            node = step.node
            out_cts = [take(v) for v in node.outputs]
            if any(ct is not None for ct in out_cts):
                with builder.at(node.location):
                    if not step.masked:
                        out_cts = [self.masks.clean(ct) for ct in out_cts]
                    packs = node.op is regions.pack and not node.attrs.get("cotangents")
                    target = residuals if packs else cotangents
                    more = [so_far] if step.continues else []
                    for value, ct in step.pull(out_cts, *more):
                        self._accumulate(target, value, ct)
        found = {v: self.masks.clean(take(v)) for v in dict.fromkeys(wanted) if v is not None}
        return [None if v is None else found.get(v) for v in wanted]

    def _accumulate(self, cotangents: dict[Value, Value], value: Value, ct: Value | None) -> None:
        if ct is None or value not in self.active:
            return
        masks = self.masks
        if isinstance(value.type, ArrayType) and not are_equal(ct.type.shape, value.type.shape):
            ct = masks.reduced(masks.clean(ct), lambda x: _sum_to(x, value.type.shape))
        fitted = fit(ct, value.type)
        masks.give(fitted, masks.of(ct))
        before = cotangents.get(value)
        if before is not None:
            fitted = masks.sum(before, fitted, add_cotangents)
        cotangents[value] = fitted

    # -- rules by kind ----------------------------------------------------------------------------

    def _elementwise(
        self,
        op: Elementwise,
        inputs: Sequence[Value],
        output: Value,
        ct: Value,
        wanted: Sequence[bool],
        repeated: Sequence[bool],
    ) -> list[Value | None]:
        originals = inputs
        mask = self.masks.of(ct)
        if mask is not None and op.safe is not None:
            inputs, output = _where_the_mask_is(mask.value, op, inputs)
        results: list[Value | None] = []
        for i, (partial, flag) in enumerate(zip(op.partials, wanted)):
            result = None
            if flag and partial is not None:
                factor = partial(*inputs, output) if callable(partial) else partial
                result = scale(ct, factor)
                if mask is not None and result is not ct:
                    finite = op.safe is not None or is_finite_number(factor)
                    self.masks.give(result, mask.of(mask.dirty or not finite))
                if repeated[i]:
                    result = self._sum_to_lengths(result, originals[i])
            results.append(result)
        return results

    def _fills(self, op: Op, inputs: Sequence[Value], index: tuple) -> bool:
        """Whether a value is written once to each element of a part of an array that only the run
        knows how long it is, and is itself as long."""
        once = op is ops.index_add or (bool(index) and index[0][0] == "mask")
        return once and self.extents.fills(inputs[1], inputs[2:], index)

    def _sum_to_lengths(self, ct: Value, value: Value) -> Value:
        return self.masks.reduced(
            self.masks.clean(ct), lambda x: ops.sum_to(x, ops.lengths_of(value))
        )

    def _linear(
        self,
        op: Linear,
        node: Node,
        inputs: Sequence[Value],
        outputs: Sequence[Value],
        ct: Value,
        wanted: Sequence[bool],
        repeated: Sequence[bool],
    ) -> Sequence[Value | None]:
        transposes = op.transposes
        if callable(transposes):
            results = transposes(ct, *inputs, **node.attrs)
            self.masks.follow(node, inputs, outputs, ct, results)
            return results
        # Last to first: the part of `ct` that belongs to a value written into an array is read
        # before the array's own part is made of `ct`, which can then happen in place.
        pairs = [*zip(transposes, wanted)]
        if op.updates and self._fills(op, inputs, node.attrs["index"]):
            pairs[1] = (_written_part, wanted[1])
        results = [
            transpose(ct, *inputs, **node.attrs) if flag and transpose is not None else None
            for transpose, flag in reversed(pairs)
        ][::-1]
        if not _chooses(op):
            self.masks.follow(node, inputs, outputs, ct, results)
            return results
        for position, test in ((1, lambda c: c), (2, ops.logical_not)):
            result = results[position]
            if result is not None:
                self.masks.choose(ct, inputs[0], result, test)
                if repeated[position]:
                    results[position] = self._sum_to_lengths(result, inputs[position])
        return results


def _written_part(ct: Value, x: Value, value: Value, *operands: Value, index: tuple) -> Value:
    """The cotangent of what is written to, or added to, all of a part of an array, from that of the
    array; nothing in it is repeated, or written twice."""
    return ops.getitem(ct, *operands, index=index)


def _chooses(op: Op) -> bool:
    """Whether the first operand tells to which of the two others each part of a cotangent goes."""
    return isinstance(op, Linear) and op.zeros == "chosen"


def _where_the_mask_is(mask: Value, op: Elementwise, inputs: Sequence[Value]) -> tuple:
    """Operands and result with harmless values put in where the result is not used.

    ``where(x > 0, log(x), 0)`` sends a zero cotangent to ``log(x)`` where x is 0, and 0 / 0 is not
    zero. Evaluating the derivative at a safe point there keeps it finite, and right to any order,
    since the choice is itself a ``where``. See `autograph.transforms.reverse.masks`.
    """
    dtypes = [v.type.dtype for v in inputs if v.type.inexact and not v.type.weak]

    def safe(v: Value) -> Value:
        if not v.type.inexact or _is_harmless(v):
            return v
        return ops.where(mask, astype(v, dtypes[0]) if v.type.weak and dtypes else v, op.safe)

    operands = [safe(v) for v in inputs]
    return operands, op(*operands)


def _is_harmless(value: Value) -> bool:
    """Whether it is a number at which no operator has a pole."""
    if not isinstance(value, Constant) or not isinstance(value.data, (int, float)):
        return False
    return value.type.weak and 0 < value.data < float("inf")


# -- arithmetic on cotangents ----------------------------------------------------------------------


def scale(ct: Value, factor: Value | float) -> Value:
    """``ct * factor`` without multiplying by one."""
    if isinstance(factor, (int, float)):
        if factor == 1:
            return ct
        if factor == -1:
            return ops.negative(ct)
    return ops.multiply(ct, factor)


def add_cotangents(x: Value, y: Value) -> Value:
    """The sum of two cotangents of the same value."""
    if not isinstance(x.type, ArrayType):
        return regions.add_ct(x, y)
    return ops.add(x, y) if x.type.is_static else ops.add_same(x, y)


def fit(ct: Value, type: Type) -> Value:
    """``ct`` as a cotangent of a value of the given type: broadcast axes summed, dtype restored."""
    if not isinstance(type, ArrayType) or is_type(ct.type, type):
        return ct
    if not ct.type.varies <= type.varies:
        raise VerificationError(
            f"a cotangent of type {ct.type} for a value of type {type}",
            fix="report the program that led to it",
        )
    if not are_equal(ct.type.shape, type.shape):
        ct = _sum_to(ct, type.shape)
    if ct.type.dtype.kind == "c" and type.dtype.kind != "c":
        ct = ops.real(ct)
    if ct.type.invariant() != type.invariant():
        ct = ops.cast(ct, dtype=type.dtype.name, weak=type.weak)
    return like(ct, type)


def _sum_to(ct: Value, shape: tuple[int | None, ...]) -> Value:
    """The transpose of broadcasting from ``shape``.

    Lengths known only at run time are taken to be what they have to be.
    """
    found = ct.type.shape
    known = None not in (*found, *shape)
    if known and broadcast_shapes(found, shape) != found:
        return ops.broadcast_to(ct, shape)
    leading = len(found) - len(shape)
    repeated = tuple(i for i, n in enumerate(shape) if n == 1 != found[i + leading])
    if known:
        axes = (*range(leading), *(i + leading for i in repeated))
        return ops.reshape(ops.sum(ct, axis=axes), shape)
    if leading:
        ct = ops.sum(ct, axis=tuple(range(leading)))
    if repeated:
        ct = ops.sum(ct, axis=repeated, keepdims=True)
    return ct if are_equal(ct.type.shape, shape) else ops.refine(ct, shape=shape)


def zeros(value: Value) -> Value:
    """The zero cotangent of a value."""
    type = value.type
    if not isinstance(type, ArrayType):
        return Constant(None, type)
    if not type.is_static:
        return ops.zeros_like(value)
    zero = type.dtype.type(0)
    if type.weak:
        return Constant(zero.item())
    return Constant(zero) if type.shape == () else ops.full(type.shape, Constant(zero))


def instantiate(cotangents: Iterable[Value | None], values: Iterable[Value]) -> list[Value]:
    """The cotangents with zeros in place of None. The values are those of F."""
    found = ((zeros(v) if ct is None else ct, v.type) for ct, v in zip(cotangents, values))
    return [like(ct, type) for ct, type in found]
