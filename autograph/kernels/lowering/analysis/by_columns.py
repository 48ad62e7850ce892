"""Loops over the levels of an array, of which each column can be computed by itself.

A trip of ``for k in range(n): a[:, :, k] = f(a[:, :, k - 1], b[:, :, k])`` computes a level of all
columns, which lie far apart in memory where the levels are along the last axis. If a column needs
nothing that a trip changes in another one, all trips may be made for one column after the other:
the loop over columns becomes the outer one. What a trip does for one column is the same body, of
scalars. No number is computed otherwise than before.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

import ops
from autograph.graph.builder import Builder
from autograph.graph.graph import Constant, Graph, Node, Value, current_builder
from autograph.graph.wiring import loop_of, wiring
from autograph.kernels.lowering.analysis.nodes import is_elementwise, is_static
from autograph.kernels.lowering.analysis.parts import are_same, ranges
from autograph.kernels.lowering.values import is_array, shape_of
from ops.control import regions
from ops.core.kernels import aligned
from ops.core.records import NamedTuple
from ops.core.subscripts import arranged
from ops.core.symbolic_lengths import NeedsNumber, is_below, is_length, is_same
from ops.core.types import ArrayType

_FEWEST = 32  # columns, and ...
_FEWEST_LAST = 8  # ... of these, next to each other along the last axis that they have
_POSITION = ArrayType(np.dtype("int64"))


class ByColumns(NamedTuple):
    """The body of a loop for one column.

    Attributes:
        body: like that of the loop, with the place of the column as further inputs. State that has
            one element for each column is a scalar in it.
        columns: how many there are, along each axis of theirs.
        scalars: the variables of the loop that have one element for each column.
        cost: of a trip.
    """

    body: Graph
    columns: tuple[int, ...]
    scalars: frozenset[Value]
    cost: float


class _Refused(Exception):
    """Columns need each other, or it is not known that they do not."""


def by_columns(node: Node) -> ByColumns | None:
    """How a counted loop is computed column by column; None if that cannot be done, or the columns
    would be worse places in memory than the levels."""
    loop = loop_of(node)
    first = _first_change(loop.body, {v for v in loop.state if is_array(v)})
    if first is None or not all(is_array(v) and v.type.is_static for v in loop.state):
        return None
    found = ranges(first.inputs[0], first.inputs[2:], first.attrs["index"])
    last = first.inputs[0].type.ndim - 1
    if not found or any(axis == last for axis, *_ in found):
        return None
    columns = tuple(length for *_, length in found)
    if is_below(math.prod(columns), _FEWEST) or is_below(columns[-1], _FEWEST_LAST):
        return None
    try:
        return _OneColumn(node, columns).made()
    except (_Refused, NeedsNumber):
        return None


def _first_change(region: Graph, arrays: set[Value]) -> Node | None:
    """The first node that writes to a part of an array, in branches too."""
    for node in region.nodes:
        if node.op in (ops.index_update, ops.index_add) and node.inputs[0] in arrays:
            return node
        for inner in node.regions:
            found = _first_change(inner, arrays)
            if found is not None:
                return found
    return None


class _OneColumn:
    """Builds the body of a loop anew, for one column.

    Attributes:
        columns: how many there are, along each axis.
        env: what values of the old body become.
        root: of what variable of the loop an array is a version.
        newest: the version of each variable that has not been changed yet.
        ranges: where each variable's columns are; the same wherever it is read or changed.
        scalars: the variables that have one element for each column.
        place: the number of the column, along each axis.
        inside: numbers that are known to be in the range of the axis that they are for.
    """

    def __init__(self, node: Node, columns: tuple[int, ...]):
        self.node = node
        self.columns = columns
        self.env: dict[Value, Value] = {}
        self.root: dict[Value, Value] = {}
        self.newest: dict[Value, Value] = {}
        self.ranges: dict[Value, list[tuple]] = {}
        self.scalars: set[Value] = set()
        self.place: list[Value] = []
        self.inside: set[Value] = set()
        self.cost = 0.0

    def made(self) -> ByColumns:
        """The new body."""
        loop = loop_of(self.node)
        body = loop.body
        with Builder(body.name) as builder, builder.at(body.location):
            for value in loop.indices:
                self.env[value] = builder.input(value.type, value.name)
            for value in loop.state:
                if is_same(shape_of(value), self.columns):
                    self.env[value] = builder.input(_scalar(value), value.name)
                    self.scalars.add(value)
                else:
                    self.env[value] = builder.input(value.type, value.name)
                    self.root[value] = self.newest[value] = value
            self.place = [builder.input(_POSITION) for _ in self.columns]
            self.inside.update(self.place)
            self._nodes(body.nodes)
            outputs = []
            for variable in wiring(self.node).carried:
                entered, left = variable.entered, variable.left
                if entered in self.scalars:
                    outputs.append(self._element(left))
                elif self.root.get(left) is not entered or self.newest[entered] is not left:
                    raise _Refused
                else:
                    outputs.append(self.env[left])
            made = builder.finish(outputs, body.location)
        return ByColumns(made, self.columns, frozenset(self.scalars), self.cost)

    def _nodes(self, nodes: Sequence[Node]) -> None:
        builder = current_builder()
        for node in nodes:
            with builder.at(node.location):
                self._node(builder, node)

    def _node(self, builder: Builder, node: Node) -> None:
        if node.op.effect is not None or not is_static(node):
            raise _Refused
        self.cost += node.op.cost if not node.regions else 1
        if node.op is regions.cond:
            self._cond(builder, node)
        elif node.regions or len(node.outputs) != 1:
            raise _Refused
        elif node.op is ops.getitem and is_array(node.inputs[0]):
            self.env[node.outputs[0]] = self._read(builder, node)
        elif node.op in (ops.index_update, ops.index_add):
            self.env[node.outputs[0]] = self._write(builder, node)
        elif node.op is ops.full:
            if not isinstance(node.inputs[0], Constant):
                raise _Refused
            self._fits(node.outputs[0])
            (value,) = node.outputs
            self.env[value] = Constant(value.type.dtype.type(node.inputs[0].data))
        elif node.op is ops.broadcast_to:
            self._fits(node.outputs[0])
            self.env[node.outputs[0]] = self._element(node.inputs[0])
        elif node.op.aligned and is_elementwise(node):
            self._fits(node.outputs[0])
            operands = [self._element(v) for v in node.inputs]
            made = builder.apply(node.op, operands, node.attrs)
            if made.type.shape or made.type.dtype != node.outputs[0].type.dtype:
                raise _Refused
            self.env[node.outputs[0]] = made
        else:
            raise _Refused

    def _cond(self, builder: Builder, node: Node) -> None:
        before = dict(self.newest)
        made: list[Graph] = []
        roots: list[list[Value | None]] = []  # of what variables the results are versions
        for region in node.regions:
            self.newest = dict(before)
            with Builder(region.name) as inner, inner.at(region.location):
                self._nodes(region.nodes)
                made.append(inner.finish([self._left(v) for v in region.outputs], region.location))
            roots.append([self.root.get(v) for v in region.outputs])
            if any(before[r] is not v and r not in set(roots[-1]) for r, v in self.newest.items()):
                raise _Refused
        versions = [root for root in roots[0] if root is not None]
        same = all(one is other for one, other in zip(*roots))
        if not same or len(versions) != len(set(versions)):
            raise _Refused
        types = made[0].output_types
        if types != made[1].output_types:
            raise _Refused
        self.newest = before
        predicate = self._element(node.inputs[0])
        names = [v.name for v in node.outputs]
        outputs = builder.add(regions.cond, [predicate], node.attrs, types, made, names)
        for value, output, root in zip(node.outputs, outputs, roots[0]):
            self.env[value] = output
            if root is None:
                self._fits(value)
            else:
                self.root[value], self.newest[root] = root, value

    def _left(self, value: Value) -> Value:
        """What a branch leaves as a result."""
        root = self.root.get(value)
        if root is None:
            return self._element(value)
        if self.newest[root] is not value:
            raise _Refused
        return self.env[value]

    def _fits(self, value: Value) -> None:
        """Refuse what has other axes than the columns."""
        shape = shape_of(value)
        own = self.columns[len(self.columns) - len(shape) :]
        fits = [_is_one(n) or is_same((n,), (m,)) for n, m in zip(shape, own)]
        if len(shape) > len(self.columns) or not all(fits):
            raise _Refused

    def _element(self, value: Value) -> Value:
        """The element of an operand that belongs to the column."""
        if isinstance(value, Constant):
            if is_array(value):
                raise _Refused
            return value
        if value in self.root:
            raise _Refused
        if value in self.env:
            return self.env[value]
        if not is_array(value):
            return value
        self._fits(value)
        shape = shape_of(value)
        at = [0 if _is_one(n) else p for p, n in zip(self.place[-len(shape) :], shape)]
        return self._item(value, at)

    def _item(self, array: Value, at: Sequence[Any]) -> Value:
        """An element of an array, at known places."""
        return self._indexed(current_builder(), ops.getitem, array, [], at)

    def _read(self, builder: Builder, node: Node) -> Value:
        array, *operands = node.inputs
        (result,) = node.outputs
        spec = node.attrs["index"]
        self._fits(result)
        if array in self.root:
            self._same_columns(array, operands, spec)
            if not is_same(shape_of(result), self.columns):
                raise _Refused
        elif array in self.env:
            raise _Refused  # a part of a level
        return self._at(builder, ops.getitem, self.env.get(array, array), [], node, operands)

    def _write(self, builder: Builder, node: Node) -> Value:
        array, value, *operands = node.inputs
        if array not in self.root:
            raise _Refused
        self._same_columns(array, operands, node.attrs["index"])
        self._fits(value)
        element = self._element(value)
        root = self.root[array]
        made = self._at(builder, node.op, self.env[array], [element], node, operands)
        (result,) = node.outputs
        self.root[result], self.newest[root] = root, result
        return made

    def _same_columns(self, array: Value, operands: Sequence[Value], spec: Any) -> None:
        root = self.root[array]
        if self.newest[root] is not array:
            raise _Refused
        found = ranges(array, operands, spec)
        if found is None or not are_same(self.ranges.setdefault(root, found), found):
            raise _Refused
        if not is_same([length for *_, length in found], self.columns):
            raise _Refused

    def _at(
        self,
        builder: Builder,
        op: Any,
        array: Value,
        values: Sequence[Value],
        node: Node,
        operands: Sequence[Value],
    ) -> Value:
        """An operator on the element of an array that belongs to the column."""
        spec, types = node.attrs["index"], [v.type for v in operands]
        shape = shape_of(node.inputs[0])
        found = ranges(node.inputs[0], operands, spec)
        if found is None:
            raise _Refused
        places = aligned(self.place, [length for *_, length in found])
        at: dict[int, Any] = {}
        for (axis, start, step, _), place in zip(found, places):
            at[axis] = self._scaled(builder, place, step, start)
        kept = {position for position, _ in arranged(len(shape), types, spec)[0]}
        numbers = (entry for i, entry in enumerate(spec) if i not in kept)
        for axis in range(len(shape)):
            if axis not in at:
                entry = next(numbers)
                is_known = entry[0] == "int"
                at[axis] = entry[1] if is_known else self._element(operands[entry[1]])
        return self._indexed(builder, op, array, values, [at[axis] for axis in range(len(shape))])

    def _indexed(
        self, builder: Builder, op: Any, array: Value, values: Sequence[Value], at: Sequence[Any]
    ) -> Value:
        """An operator on one element of an array.

        Args:
            at: its place along each axis: an int, or a value.
        """
        index: list[tuple] = []
        given: list[Value] = []
        for place in at:
            if not isinstance(place, Value):
                index.append(("int", place))
                continue
            inside = ("distinct",) if place in self.inside else ()
            index.append(("arg", len(given), *inside))
            given.append(place)
        return builder.apply(op, [array, *values, *given], {"index": tuple(index)})

    def _scaled(self, builder: Builder, place: Any, step: int, start: int) -> Any:
        """Where the element of a slice is whose number is given."""
        if not isinstance(place, Value):
            return place * step + start
        if step != 1:
            place = builder.apply(ops.multiply, [place, np.int64(step)], {})
        if is_length(start) or start:
            first = start if is_length(start) else np.int64(start)
            place = builder.apply(ops.add, [place, first], {})
        self.inside.add(place)
        return place


def _is_one(length: Any) -> bool:
    return not is_length(length) and length == 1


def _scalar(value: Value) -> ArrayType:
    """The type of an element of an array."""
    return ArrayType(value.type.dtype)
