"""Python's ints without a sign, before anything is lowered.

A graph becomes one in which the ints that `autograph.graph.unsigned` finds are NumPy's uint64,
which wraps. They meet other ints where those are as well made of the lowest 64 bits: an int64 has
the same ones. Whatever has to know such an int itself gets it as an int64, and the kernel gives up
if it is none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

import ops
from autograph.graph.builder import Builder
from autograph.graph.graph import (
    Constant,
    Graph,
    Node,
    Value,
    current_builder,
    label,
    new_node,
    producer_of,
)
from autograph.graph.python_ints import is_int, operator_of
from autograph.graph.rewrite import rewrite
from autograph.graph.unsigned import (
    UnsignedInts,
    bounds_of,
    is_signed,
    is_unsigned,
    mask_of,
    unsigned_ints,
)
from autograph.graph.wiring import is_loop, loop_of
from ops.control import regions
from ops.core.integer_bounds import Bounds
from ops.core.python_numbers import PythonOperator
from ops.core.registry import Elementwise
from ops.core.types import ArrayType, Type
from ops.numbers.mathematics import bit_count
from ops.numbers.overflow import TOO_LARGE, in_64_bits

_BITS = ArrayType(np.dtype("uint64"))
_WRAP = 1 << 64


def unsigned_form(graph: Graph) -> Graph:
    """The graph of a kernel with uint64 for ints without a sign, also where it takes and gives
    them; the given one if there are none."""
    ints = unsigned_ints(graph)
    if ints is None:
        return graph
    writer = _Writer(ints)
    return writer.region(graph, graph.outputs)


class _Writer:
    """Writes nodes.

    Attributes:
        env: what values of the old graph have become.
    """

    def __init__(self, ints: UnsignedInts):
        self.ints = ints
        self.env: dict[Value, Value] = {}

    def bounds(self, value: Value) -> Bounds:
        return bounds_of(self.ints.bounds, value)

    def type(self, value: Value) -> Type:
        return _BITS if self.ints.are_bits(value) else value.type

    # -- values ------------------------------------------------------------------------------------

    def same(self, value: Value) -> Value:
        """What a value has become that has the same type; an int without a sign as an int64."""
        given = self.given(value)
        if given is not value:  # made where it is needed
            reshape = producer_of(value)
            return current_builder().apply(reshape.op, [self.same(given)], reshape.attrs)
        found = self.env.get(value, value)
        if self.ints.are_bits(value):
            return ops.cast(found, "int64", weak=True)
        return found

    def bits(self, value: Value) -> Value:
        """The lowest 64 bits of an int."""
        if isinstance(value, Constant):
            return _number(int(value.data))
        found = self.env.get(value, value)
        if self.ints.are_bits(value):
            return found
        return _bits_of(found)

    def like(self, value: Value, other: Value) -> Value:
        """What a value has become, as another one is kept."""
        return self.bits(value) if self.ints.are_bits(other) else self.same(value)

    def truth(self, value: Value) -> Value:
        """What a condition has become."""
        if not self.ints.are_bits(value):
            return self.same(value)
        return _weak(ops.not_equal(self.bits(value), _number(0)), "bool")

    def of_bits(self, result: Value, value: Value) -> Value:
        """What takes the place of an int, of its lowest 64 bits."""
        if self.ints.are_bits(value):
            return result
        return ops.cast(ops.cast(result, "int64"), "int64", weak=True)

    def as_float(self, value: Value) -> Value:
        """An int as NumPy's float64, rounded as Python does."""
        found = self.env.get(value, value)
        return ops.cast(found, "float64")

    # -- graphs ------------------------------------------------------------------------------------

    def region(self, graph: Graph, likes: Sequence[Value] | None) -> Graph:
        """A graph with such ints.

        Args:
            likes: for each result a value, as which it is kept; None if the result is a condition.
        """
        with Builder(graph.name) as builder:
            for value in graph.inputs:
                self.env[value] = builder.input(self.type(value), value.name)
            for node in graph.nodes:
                with builder.at(node.location):
                    self.node(builder, node)
            if likes is None:
                outputs = [self.truth(value) for value in graph.outputs]
            else:
                outputs = [self.like(value, like) for value, like in zip(graph.outputs, likes)]
            return builder.finish(outputs, graph.location)

    def node(self, builder: Builder, node: Node) -> None:
        """Add what stands in the place of a node."""
        if node.op is regions.cond or is_loop(node):
            self.structured(builder, node)
            return
        if any(self.given(v) is not v for v in node.outputs):
            return
        found = self.computed(node) if len(node.outputs) == 1 and not node.regions else None
        if found is not None:
            label(found, node.outputs[0].name)
            self.env[node.outputs[0]] = found
            return
        inner = {v: self.same(v) for region in node.regions for v in region.captures}
        bodies = [rewrite(r, lambda node, env: None, {**self.env, **inner}) for r in node.regions]
        copies = builder.copy(node, [self.same(v) for v in node.inputs], bodies)
        for value, copy in zip(node.outputs, copies):
            self.env[value] = _bits_of(copy) if self.ints.are_bits(value) else copy

    def structured(self, builder: Builder, node: Node) -> None:
        """A loop or a branch."""
        if node.op is regions.cond:
            inputs = [self.truth(v) for v in node.inputs]
            bodies = [self.region(region, node.outputs) for region in node.regions]
        else:
            loop = loop_of(node)
            starts = zip(loop.start, node.outputs)
            inputs = [
                *map(self.same, loop.operands),
                *(self.like(value, like) for value, like in starts),
            ]
            bodies = [self.region(test, None) for test in loop.tests]
            bodies.append(self.region(loop.body, node.outputs))
        copy = new_node(
            node.op,
            tuple(inputs),
            node.attrs,
            tuple(bodies),
            [self.type(v) for v in node.outputs],
            [v.name for v in node.outputs],
            node.location,
            node.required,
        )
        builder.nodes.append(copy)
        self.env.update(zip(node.outputs, copy.outputs))

    # -- nodes that have no regions ----------------------------------------------------------------

    def computed(self, node: Node) -> Value | None:
        """What computes the result of a node otherwise than the node itself does with int64; None
        if nothing has to."""
        (result,) = node.outputs
        literals = [v.literal() for v in node.inputs if is_int(v)]
        is_large = any(x is not None and not is_signed((x, x)) for x in literals)
        concerned = (*map(self.given, node.inputs), result)
        if not is_large and not any(map(self.ints.are_bits, concerned)):
            return None
        if node.op is ops.cast:
            return self.cast(node)
        if node.op is bit_count:
            count = ops.bitwise_count(self.bits(node.inputs[0]))
            return _weak(ops.cast(count, "int64"), "int64")
        if node.op is ops.index_update:
            return self.update(node)
        if not isinstance(node.op, Elementwise) or node.op.python is None:
            return None
        python = operator_of(node)
        if python is not None:
            return self.of_ints(node, python)
        if result.type.weak and result.type.dtype.kind == "f" and not node.op.python.exact:
            operands = [
                _weak(self.as_float(v), "float64") if self.ints.are_bits(v) else self.same(v)
                for v in node.inputs
            ]
            return current_builder().apply(node.op, operands, node.attrs, node.required)
        return None

    def cast(self, node: Node) -> Value | None:
        """An int as another number, or another number as an int."""
        (value,), (result,) = node.inputs, node.outputs
        value = self.given(value)
        dtype, is_weak = np.dtype(node.attrs["dtype"]), node.attrs["weak"]
        if self.ints.are_bits(result):
            found = self.env.get(value, value)
            return found if found.type == _BITS else self.bits(value)
        if dtype == _BITS.dtype and not is_weak:
            return self.bits(value) if is_unsigned(self.bounds(value)) else None
        if dtype == np.float64:
            return _weak(self.as_float(value), "float64") if is_weak else self.as_float(value)
        if dtype.kind == "b" and is_weak:
            return self.truth(value)
        return None

    def given(self, value: Value) -> Value:
        """The int that an array without axes is made of, of which ``float`` makes a number; others
        as they are."""
        node = value.producer
        if node is not None and node.op is ops.reshape and value.type.shape == ():
            (given,) = node.inputs
            return given if self.ints.are_bits(given) else value
        return value

    def update(self, node: Node) -> Value | None:
        """An array with an int written to it."""
        array, value, *places = node.inputs
        dtype = array.type.dtype
        if any(map(self.ints.are_bits, places)) or dtype not in (_BITS.dtype, np.float64):
            return None
        written = self.bits(value) if dtype == _BITS.dtype else self.as_float(value)
        operands = [self.same(array), written, *map(self.same, places)]
        return current_builder().apply(node.op, operands, node.attrs, node.required)

    def of_ints(self, node: Node, python: PythonOperator) -> Value | None:
        """What an operator of Python's gives of ints."""
        (result,) = node.outputs
        masked = mask_of(node)
        if masked is not None:
            value, mask = masked
            return self.of_bits(ops.bitwise_and(self.bits(value), _number(mask)), result)
        if node.op is ops.divide:
            return self.divided(node)
        if python.low_bits and result not in self.ints.leaving:
            operands = [
                self.bits(v) if i in python.low_bits else self.positive(node, v)
                for i, v in enumerate(node.inputs)
            ]
            return self.of_bits(node.op(*operands), result)
        if not python.unsigned or result in self.ints.leaving:
            return None
        operands = [self.positive(node, v) for v in node.inputs]
        if python.of_zero is not None and self.bounds(node.inputs[1])[0] < 1:
            operands[1] = _required(node, operands[1], ops.not_equal(operands[1], _number(0)))
        found = node.op(*operands)
        return self.of_bits(found, result) if is_int(result) else _weak(found, "bool")

    def positive(self, node: Node, value: Value) -> Value:
        """An operand of a node without a sign; the kernel gives up if it is negative."""
        bits = self.bits(value)
        if is_unsigned(self.bounds(value)):
            return bits
        found = self.env.get(value, value)
        return _required(node, bits, ops.greater_equal(found, 0))

    def divided(self, node: Node) -> Value | None:
        """A quotient by a power of two, which is as exact as the int as a float."""
        value, by = node.inputs[0], node.inputs[1].literal()
        if by is None or by < 1 or math.frexp(by)[0] != 0.5 or by >= 2.0**1000:
            return None
        if isinstance(value, Constant) or not is_int(value):
            return None
        return _weak(ops.divide(self.as_float(value), Constant(np.float64(by))), "float64")


def _bits_of(value: Value) -> Value:
    return ops.cast(ops.cast(value, "int64"), "uint64")


def _number(number: int) -> Constant:
    return Constant(np.uint64(number % _WRAP))


def _required(node: Node, value: Value, holds: Value) -> Value:
    """A value; the kernel gives up if a flag that is made for a node is false."""
    attrs = {"message": TOO_LARGE}
    return current_builder().apply(in_64_bits, [value, holds], attrs, node.required)


def _weak(value: Value, dtype: str) -> Value:
    return ops.cast(value, dtype, weak=True)
