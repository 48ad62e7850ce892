"""The engine of batching: a graph's values for many lanes at once, and the rules by kind of
operator.

See `autograph.transforms.vmap`. A value that differs between lanes becomes an array with the lanes
as its first axis; one that is the same in all lanes stays as it is. A Python number that differs
becomes an array of the dtype that NumPy gives it.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

import ops
from autograph.errors import BatchingError, Location
from autograph.graph.builder import Builder, copy_node, current_builder
from autograph.graph.graph import Constant, Graph, Node, Value, label, walk
from autograph.graph.rewrite import Env
from autograph.transforms.analysis.divergence import does_more
from autograph.transforms.reverse.tape import fill_rules
from ops.control import callbacks, effects, regions
from ops.control.collectives import lane_number
from ops.core.lengths import RunLength, length, lengths_of
from ops.core.registry import Elementwise, Op, Same
from ops.core.types import ArrayType, Type, weak
from ops.numbers.overflow import exact

Size = int | RunLength

# The subscripts x[i] of one lane and x[lanes] of several, for `ops.getitem`, `ops.index_update`.
ONE, SEVERAL = (("arg", 0),), (("arg", 0, "distinct"),)

# The rules of structured operators: ``rule(batch, node)`` adds the node for all lanes to the
# current builder. `autograph.transforms.rules` has them all.
RULES: dict[Op, Callable[..., None]] = {}


class CannotBatch(Exception):
    """A graph that cannot be computed for all lanes at once, only for one lane after the other.

    Args:
        why: what is in the way.
        location: where.
    """

    def __init__(self, why: str, location: Location | None):
        super().__init__(why)
        self.why = why
        self.location = location


NO_NAME = object()  # of lanes that all take part


class Batch:
    """The lanes that take part at one place of a graph, and the values of the graph for them.

    Args:
        size: how many lanes there are.
        varying: the values of the original graph that differ between lanes; shared and extended.
        axis_name: what collective operators call the lanes; None where not all lanes take part.
        env: what became of the values of the original graph.
        like: an array with lanes, if it is known only at run time how many there are.
        commuting: whether a call of the forward or backward pass of a graph becomes one of that of
            the graph for all lanes.
        active: the lanes in which it counts what is computed, as flags; None for all.
    """

    def __init__(
        self,
        size: Size,
        varying: set[Value],
        axis_name: object,
        env: Any,
        commuting: bool = False,
        like: Value | None = None,
        active: Value | None = None,
    ):
        self.size = size
        self.like = like
        self.varying = varying
        self.axis_name = axis_name
        self.env = ChainMap(env)
        self.commuting = commuting
        self.active = active

    def some(self, lanes: Value, known: Mapping[Value, Value] | None = None) -> Batch:
        """Some of the lanes, by number; ``known`` says what values are for them."""
        size = RunLength(length(lanes))
        inner = Batch(size, self.varying, None, {}, self.commuting, lanes)
        inner.env = self.env.new_child()
        for value, copy in (known or {}).items():
            inner.env[value] = inner.counted(copy) if value in self.varying else copy
        return inner

    def within(self, known: Mapping[Value, Value], active: Value) -> Batch:
        """The same lanes, in a region that only those with a flag run; ``known`` says what some
        values are."""
        inner = Batch(
            self.size, self.varying, self.axis_name, {}, self.commuting, self.like, active
        )
        inner.env = self.env.new_child(dict(known))
        return inner

    def taken(self, values: Iterable[Value], lanes: Value) -> dict[Value, Value]:
        """What some of the lanes have of those of some values that vary."""
        varying = [v for v in values if v in self.varying]
        self.refuse_packs(varying, current_builder().location)
        return {v: taken(self.read(v), lanes) for v in varying}

    # -- values -----------------------------------------------------------------------------------

    def read(self, value: Value) -> Value:
        """What became of a value of the original graph."""
        return self.env.get(value, value)

    def type(self, value: Value) -> Type:
        """The type of what becomes of a value of the original graph."""
        return self.with_axis(value.type) if value in self.varying else value.type

    def with_axis(self, type: Type) -> Type:
        """The type of values of a type, one for each lane."""
        if not isinstance(type, ArrayType):
            return type
        count = self.size if isinstance(self.size, int) else None
        return type._replace(shape=(count, *type.shape), weak=False)

    def counted(self, copy: Value) -> Value:
        """A value with lanes, known to have as many as there are."""
        if self.like is None or copy is self.like or not isinstance(copy.type, ArrayType):
            return copy
        return ops.as_long_as(copy, self.like)

    def given(self, value: Value, copy: Value) -> None:
        """Say what an input of a region is."""
        self.env[value] = self.counted(copy) if value in self.varying else copy

    def define(self, value: Value, copy: Value) -> None:
        """Say what becomes of a value of the original graph."""
        wanted = self.type(value)
        copy = fit(copy, wanted)
        made_by = None if value.producer is None else value.producer.op
        if value in self.varying and not isinstance(made_by, Elementwise):
            copy = self.counted(copy)
        if copy.producer is not None:
            label(copy, value.name)
        self.env[value] = copy

    def with_lanes(self, value: Value) -> Value:
        """A value of the original graph, with an axis for the lanes."""
        copy = self.read(value)
        return copy if value in self.varying else self.spread(copy)

    def spread(self, copy: Value) -> Value:
        """A value that is the same in all lanes, repeated for each of them."""
        type = copy.type
        if not isinstance(type, ArrayType):
            if isinstance(copy, Constant):  # None, which stands for any number of zeros
                return copy
            raise CannotBatch("what control flow left is the same in all lanes", None)
        if type.weak:
            copy = strong(copy, type.dtype)
        return ops.broadcast_to(copy, (self.size, *lengths_of(copy)))

    def aligned(self, copy: Value, ndim: int) -> Value:
        """An array with lanes, with axes of length 1 behind these so that a lane has ``ndim``."""
        missing = ndim + 1 - copy.type.ndim
        if missing <= 0:
            return copy
        lanes, *others = lengths_of(copy)
        return self.counted(ops.reshape(copy, (lanes, *[1] * missing, *others)))

    def refuse_packs(self, values: Iterable[Value], location: Location | None) -> None:
        """Refuse what is left for a backward pass where not all lanes go the same way."""
        if not all(isinstance(v.type, ArrayType) for v in values):
            raise CannotBatch("lanes leave different things for their backward passes", location)

    # -- nodes ------------------------------------------------------------------------------------

    def run(self, graph: Graph) -> None:
        """Copy the nodes of ``graph`` to the current builder, for all lanes."""
        fill_rules()
        builder = current_builder()
        for node in graph.nodes:
            with builder.at(node.location):
                self._node(node)

    def _node(self, node: Node) -> None:
        if node.op in RULES:
            RULES[node.op](self, node)
        elif node.op is effects.check:
            self._check(node)
        elif node.op.effect:
            self._effect(node)
        elif not any(v in self.varying for v in (*node.inputs, *node.outputs)):
            copy_node(current_builder(), node, self.env)
        elif isinstance(node.op, Elementwise):
            self._elementwise(node.op, node)
        elif node.op.batch is not None:
            self._by_rule(node.op.batch, node)
        else:
            self._lane_by_lane(node)

    def copies(self, node: Node) -> bool:
        """Whether a node with regions, or a call, is the same for all lanes; it is then copied."""
        if any(v in self.varying for v in (*node.uses(), *node.outputs)):
            return False
        inside = (n for region in node.regions for n in walk(region))
        if any(_concerns_each_lane(n) for n in (node, *inside)):
            return False
        copy_node(current_builder(), node, self.env)
        return True

    def _by_rule(self, rule: Callable[..., Any], node: Node) -> None:
        """By the operator's own rule."""
        flags = tuple(v in self.varying for v in node.inputs)
        inputs = [self.read(v) for v in node.inputs]
        if node.op is ops.index_update and flags[1] and _writes_one(node):
            inputs[1] = _converted(inputs[1], node.inputs[0].type.dtype)
        builder = current_builder()
        before = len(builder.nodes)
        try:
            results = rule(self.size, flags, inputs, **node.attrs)
        except NotImplementedError as error:
            raise CannotBatch(str(error), node.location) from None
        for new in builder.nodes[before:] if node.required else ():
            required = new.op.may_raise([v.type for v in new.inputs], new.attrs)
            builder.exchange(new, required=required)
        results = [results] if len(node.outputs) == 1 else results
        for value, result in zip(node.outputs, results):
            if isinstance(result, Same):
                result = self.spread(result.value) if value in self.varying else result.value
            self.define(value, result)

    def _elementwise(self, op: Elementwise, node: Node) -> None:
        (output,) = node.outputs
        dtypes = _operand_dtypes(op, [v.type for v in node.inputs], output.type)
        operands = []
        for value, dtype in zip(node.inputs, dtypes):
            copy = self.read(value)
            if value in self.varying:
                if value.type.weak and copy.type.dtype != dtype:
                    if output.type.dtype.kind in "iu":
                        copy = _converted(copy, dtype)
                    copy = ops.cast(copy, dtype=dtype.name, weak=False)
                copy = self.aligned(copy, output.type.ndim)
            operands.append(copy)
        python = op.python if all(v.type.weak for v in node.inputs) else None
        if python is not None and python.of_zero is not None:
            self._refuse_zero_divisors(node, operands[1], *python.of_zero)
        result = op(*operands)
        if node.required:
            current_builder().exchange(result.producer, required=True)
        if python is not None and any(v.type.dtype.kind == "i" for v in (*node.inputs, output)):
            result = exact(op, operands, result, self.active)
        if python is not None and python.wrong is not None and output.type.dtype.kind == "f":
            self._refuse(python.wrong(*operands, result))
        self.define(output, result)

    def _refuse_zero_divisors(self, node: Node, divisor: Value, ints: str, floats: str) -> None:
        """Python's numbers cannot be divided by zero, where NumPy's become infinite."""
        if isinstance(node.inputs[1], Constant) and node.inputs[1].data != 0:
            return
        message = floats if node.outputs[0].type.dtype.kind == "f" else ints
        is_right = ops.all(ops.not_equal(divisor, 0))
        effects.check(is_right, error="ZeroDivisionError", message=message)

    def _refuse(self, wrong: Iterable[tuple[Value, str, str]]) -> None:
        """Raise where one of the lanes that count is wrong."""
        for flags, error, message in wrong:
            if self.active is not None:
                flags = ops.logical_and(flags, self.active)
            effects.check(ops.logical_not(ops.any(flags)), error=error, message=message)

    def _lane_by_lane(self, node: Node) -> None:
        """A loop over the lanes, for an operator without a rule."""
        results = self.each_lane(node.outputs, node.inputs, lambda env: _copied(node, env))
        for value, result in zip(node.outputs, results):
            self.define(value, result)

    # -- effects ----------------------------------------------------------------------------------

    def _check(self, node: Node) -> None:
        (flag,) = node.inputs
        copy = self.read(flag)
        if flag in self.varying:
            copy = ops.all(copy)
        elif not isinstance(self.size, int) or self.size == 0:
            copy = ops.logical_or(copy, ops.equal(_count(self.size), 0))
        effects.check(copy, **node.attrs)

    def _effect(self, node: Node) -> None:
        """What is printed, raised or called, for one lane after the other."""
        if node.op is callbacks.io_callback:
            self._lane_by_lane(node)
            return
        if node.op.effect == "draws":
            raise BatchingError(
                "each lane would draw numbers from a generator that all of them share",
                node.location,
                id="AG0543",
                fix="give each lane a key of its own, and draw with ops.random",
            )
        same = not any(v in self.varying for v in node.inputs)
        if node.op is effects.fail and same and isinstance(self.size, int) and self.size > 0:
            copy_node(current_builder(), node, self.env)
            return
        self.each_lane((), node.inputs, lambda env: _copied(node, env))

    def each_lane(
        self,
        outputs: Sequence[Value],
        inputs: Sequence[Value],
        one: Callable[[Env], Sequence[Value]],
    ) -> tuple[Value, ...]:
        """A loop over the lanes.

        Args:
            outputs: the original values that it computes.
            inputs: the original values that it uses.
            one: adds the computation for one lane to the current builder, given what became of the
                original values in that lane; returns the results.

        Returns:
            The results with the lanes first.
        """
        self.refuse_packs((*outputs, *inputs), current_builder().location)
        varying = [v for v in dict.fromkeys(inputs) if v in self.varying]
        arrays = [self.room(v) for v in outputs]
        with Builder("lane") as builder:
            index = builder.input(weak(int), "lane")
            state = [builder.input(a.type) for a in arrays]
            env = self.env.new_child()
            for value in varying:
                env[value] = one_lane(self.read(value), index, value.type)
            results = one(env)
            written = [
                fit(ops.index_update(a, r, index, index=ONE), a.type)
                for a, r in zip(state, results)
            ]
            body = builder.finish(written)
        types = [a.type for a in arrays]
        return current_builder().add(
            regions.for_loop, [_count(self.size), *arrays], {}, types, [body]
        )

    def room(self, value: Value) -> Value:
        """Zeros for the results of all lanes."""
        type = value.type
        if not isinstance(type, ArrayType) or not type.is_static:
            made_at = value.producer.location if value.producer else None
            raise CannotBatch(
                "lanes have results whose lengths are known only at run time",
                current_builder().location or made_at,
            )
        return room(self.size, type)


def outer_values(region: Graph) -> list[Value]:
    """The values that a region refers to and that are known outside: lanes have their numbers
    there, too."""
    numbers = (node.outputs[0] for node in walk(region) if node.op is lane_number)
    return [*region.captures, *numbers]


def _concerns_each_lane(node: Node) -> bool:
    if node.op is regions.call:
        return does_more(node.attrs["callee"])
    return node.op.effect is not None or node.op.collective is not None


def room(size: Size, type: ArrayType) -> Value:
    """Zeros for a value of a type in each lane."""
    return ops.full((size, *type.shape), Constant(type.dtype.type(0)))


def taken(copy: Value, lanes: Value) -> Value:
    """What some lanes, by number, have of an array with lanes."""
    return ops.getitem(copy, lanes, index=SEVERAL)


def one_lane(copy: Value, index: Value, type: ArrayType) -> Value:
    """What one lane has of an array with lanes: a value of the given type."""
    lane = ops.getitem(copy, index, index=ONE)
    if type.weak:
        return ops.cast(lane, dtype=type.dtype.name, weak=True)
    return fit(lane, type)


def strong(copy: Value, dtype: np.dtype) -> Value:
    """A Python number as an array of no dimensions."""
    if isinstance(copy, Constant):
        return Constant(dtype.type(copy.data))
    return ops.cast(copy, dtype=dtype.name, weak=False)


def fit(copy: Value, type: Type) -> Value:
    """A value with what is known of its type in the graph: dtype and lengths."""
    if copy.type == type or not isinstance(type, ArrayType):
        return copy
    if copy.type.dtype != type.dtype or copy.type.weak != type.weak:
        copy = ops.cast(copy, dtype=type.dtype.name, weak=type.weak)
    return copy if copy.type.shape == type.shape else ops.refine(copy, shape=type.shape)


def _writes_one(node: Node) -> bool:
    """Whether an `index_update` writes one number, which NumPy converts as it does by itself, not
    as an array of numbers."""
    array, value, *operands = (v.type for v in node.inputs)
    if value.shape:
        return False
    return value.weak or (array.dtype.kind == "i" and not any(type.shape for type in operands))


def _converted(numbers: Value, dtype: np.dtype) -> Value:
    """Numbers of lanes that become those of a dtype. One by one, NumPy refuses what a dtype of
    integers cannot hold; as an array, it would take them as they come.

    Raises:
        ValueError, OverflowError: one of them is such, when the program runs.
    """
    found = numbers.type.dtype
    if dtype.kind not in "iu" or found.kind not in "iuf" or np.can_cast(found, dtype):
        return numbers
    numbers = ops.integers(numbers) if found.kind == "f" else numbers
    if np.can_cast(numbers.type.dtype, dtype):
        return numbers
    info = np.iinfo(dtype)
    fits = ops.logical_and(ops.greater_equal(numbers, info.min), ops.less_equal(numbers, info.max))
    message = f"Python integer out of bounds for {dtype}"
    effects.check(ops.all(fits), error="OverflowError", message=message)
    return numbers


def _count(size: Size) -> Value:
    return Constant(size) if isinstance(size, int) else size.value


def _copied(node: Node, env: Env) -> tuple[Value, ...]:
    return copy_node(current_builder(), node, env)


def _operand_dtypes(
    op: Elementwise, types: Sequence[ArrayType], output: ArrayType
) -> Sequence[np.dtype]:
    """The dtypes in which an operator takes operands of these types, for Python numbers among
    them that become arrays."""
    if not any(t.weak for t in types):
        return [t.dtype for t in types]
    if all(t.weak for t in types):
        # True + True is 2 for Python, but True for NumPy.
        counts = output.dtype.kind != "b"
        integer = np.dtype(int)
        return [integer if counts and t.dtype.kind == "b" else t.dtype for t in types]
    scalars = [t.dtype if t.scalar is bool else t.scalar for t in types]
    return op.ufunc.resolve_dtypes((*scalars, *[None] * op.ufunc.nout))[: len(types)]
