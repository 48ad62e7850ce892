"""Elements of arrays, one by one, wherever the arrays are."""

from __future__ import annotations

from collections.abc import Sequence

from autograph.graph.graph import Constant, Node, Value
from autograph.kernels.ir.builder import KernelBuilder, flat_index
from autograph.kernels.ir.ir import Number, Operand, Var
from autograph.kernels.lowering import reasons, scalars
from autograph.kernels.lowering.state.bindings import Bindings
from autograph.kernels.lowering.state.places import Places
from autograph.kernels.lowering.values import CannotLower, Deferred, Memory, number, shape_of
from ops.core.kernels import aligned
from ops.core.registry import Elementwise
from ops.core.symbolic_lengths import is_length

_DEEP = 50  # elements that are computed by calls in each other


class Elements:
    """Adds to a kernel what gives an element of an array, by its index.

    An element of an array in memory is loaded. One of an array that waits is computed from elements
    of the operands of its node; what has been computed in a block is not computed again.

    Attributes:
        call: distinguishes the values of a graph that is called twice, which are different ones.
        in_row: while a group of rows is computed, what is known of its arrays: of a reduction its
            result for the row, and None if the row is in the place of the array.
    """

    def __init__(self, b: KernelBuilder, env: Bindings, places: Places, call: object):
        self.b = b
        self.env = env
        self.places = places
        self.call = call
        self.in_row: dict[Value, Operand | None] = {}
        self._nested = 0  # elements that are being computed, each for the one before

    def at(self, value: Value, index: tuple[Operand | int, ...]) -> Operand:
        """One element of an array, or a scalar."""
        if isinstance(value, Constant):
            return number(value)
        held = self.env.get(value)
        if isinstance(held, Operand):
            return held
        if isinstance(held, Memory):
            place = held.start + flat_index(index, shape_of(value))
            return self.b.load(held.buffer, place, value.name)
        if held is None:
            raise CannotLower(reasons.KEPT.of(what="comes from outside"))
        if value in self.in_row:
            known = self.in_row[value]
            return self.places.load(value, index) if known is None else known
        assert isinstance(held, Deferred)
        at = tuple([i if isinstance(i, Operand) else self.b.long(i) for i in index])
        key = (self.call, value, *[i.value if isinstance(i, Number) else i for i in at])
        known = self.b.recall(key)
        if known is None:
            self._nested += 1
            if self._nested == _DEEP:
                self._compute_chain(held.node, at)
                known = self.b.recall(key)
            if known is None:
                known = self.b.remember(key, self._computed(held.node, at))
            self._nested -= 1
            if isinstance(known, Var) and known.name is None:
                known.name = value.name
        return known

    def _compute_chain(self, node: Node, index: tuple[Operand, ...]) -> None:
        """Compute what elementwise operators below a node compute for an element of its result,
        operands first. They may be more than Python allows calls in each other."""
        pending, seen = [(node, index, False)], set()
        while pending:
            node, index, ready = pending.pop()
            if ready:
                self.at(node.outputs[0], index)
            elif (node, index) not in seen:
                seen.add((node, index))
                pending.append((node, index, True))
                for value in node.inputs if isinstance(node.op, Elementwise) else ():
                    held = self.env.get(value)
                    if isinstance(held, Deferred):
                        pending.append((held.node, aligned(index, shape_of(value)), False))

    def _computed(self, node: Node, index: tuple[Operand, ...]) -> Operand:
        """An element of a node's result."""
        types = [v.type for v in node.inputs]
        (result,) = node.outputs
        place, self.b.place = self.b.place, node.location
        if isinstance(node.op, Elementwise):
            operands = [self.at(v, aligned(index, shape_of(v))) for v in node.inputs]
            found = scalars.apply(node.op, types, result.type, operands, node.location)
        elif node.op.element is not None:

            def read(operand: int, at: Sequence[Operand | int]) -> Operand:
                return self.at(node.inputs[operand], tuple(self.b.long(i) for i in at))

            found = node.op.element(read, index, types, node.attrs)
            if is_length(found):
                found = self.b.long(found)
            if not isinstance(found, Operand):
                found = Number(found, result.type.dtype)
            found = self.b.cast(found, result.type.dtype)
        else:
            raise CannotLower(reasons.of_operator(node))
        self.b.place = place
        return found
