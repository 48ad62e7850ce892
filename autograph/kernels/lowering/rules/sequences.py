"""Convolutions of vectors, as `np.convolve` and `np.correlate` have them.

The longer vector is added to the result as often as the shorter one has elements, each time at
another place: in vectors, four of these at a time, piece by piece of a result that the cache holds.
Nothing is padded, since zeros times an infinite number are no zeros.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import ops
from autograph.graph.graph import Node, Value
from autograph.kernels.ir.ir import Number, Operand
from autograph.kernels.lowering.analysis.groups import root_of
from autograph.kernels.lowering.arrays import demand
from autograph.kernels.lowering.arrays.nest import settle_scalars
from autograph.kernels.lowering.arrays.totals import total
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import Memory, shape_of
from ops.core import kernels
from ops.core.symbolic_lengths import example_of, is_length

_PIECE = 2048  # elements of the result
_AT_ONCE = 4  # elements of the shorter vector
_FEW = 4  # elements of the result, each of which is a sum by itself
_NS = 0.15  # of a product


def convolve(state: State, node: Node) -> None:
    """All sums of ``x[k - j] * y[j]``, or those of which there is a use."""
    x, y = node.inputs
    first, end = _used(state, node)
    if example_of(shape_of(x)[0]) < example_of(shape_of(y)[0]):
        x, y = y, x
    one = not is_length(end - first) and end - first == 1 and not state.serial
    if one:  # whose factors are read once
        demand.flush(state)
        settle_scalars(state, [root_of(node.outputs[0], state.env.get, lambda v: False)])
    else:
        for v in (x, y):
            demand.memory(state, v)
    target = state.places.give(node.outputs[0])
    _Convolution(state, x, y, target, node.outputs[0].type.dtype).emit(first, end)
    state.b.written(target.buffer)
    state.env[node.outputs[0]] = target


def _used(state: State, node: Node) -> tuple[Any, Any]:
    """The first and the last place, exclusive, of the part of the result that something reads."""
    (result,) = node.outputs
    whole = 0, shape_of(result)[0]
    users = state.plan.uses.get(result, ())
    if len(users) != 1 or users[0].op is not ops.getitem or result in state.plan.outputs:
        return whole
    index = users[0].attrs["index"]
    match index:
        case (("slice", start, stop, None | 1),):
            bounds = [b for b in (start, stop) if b is not None]
            known = all((type(b) is int and b >= 0) or is_length(b) for b in bounds)
            fits = stop is None or is_length(stop) or is_length(whole[1]) or stop <= whole[1]
            if known and fits:
                return (0 if start is None else start), (whole[1] if stop is None else stop)
    return whole


class _Convolution:
    """The loops of one.

    Args:
        x, y: the longer vector, and the shorter one.
        target: where the result belongs.
        dtype: of the result.
    """

    def __init__(self, state: State, x: Value, y: Value, target: Memory, dtype: np.dtype):
        self.state, self.b, self.target, self.dtype = state, state.b, target, dtype
        self.x, self.y = x, y
        self.m, self.n = (self.b.long(shape_of(v)[0]) for v in (x, y))

    def emit(self, first: Any, end: Any) -> None:
        """The elements of the result from a place up to another."""
        b, count = self.b, end - first
        if not is_length(count) and count <= 0:
            return
        start, stop = b.long(first), b.long(end)
        if self.state.serial:
            b.for_(stop - start, (), lambda i: self._one(start + i))
            return
        if not is_length(count) and count <= _PIECE:
            if count > _FEW:
                self._piece(start, stop)
            else:
                b.for_(stop - start, (), lambda i: self._in_one_pass(start + i))
            return
        pieces = b.compute("quotient", stop - start + (_PIECE - 1), b.long(_PIECE))
        work = _NS * _PIECE * example_of(shape_of(self.y)[0])
        with b.each(pieces, "parallel", work=work) as i:
            begin = start + i * _PIECE
            self._piece(begin, self._least(begin + _PIECE, stop))

    # -- numbers -----------------------------------------------------------------------------------

    def _least(self, *numbers: Operand) -> Operand:
        least, *others = numbers
        for x in others:
            least = kernels.select(x < least, x, least)
        return least

    def _most(self, *numbers: Operand) -> Operand:
        most, *others = numbers
        for x in others:
            most = kernels.select(x > most, x, most)
        return most

    def _load(self, vector: Value, i: Operand) -> Operand:
        return self.b.cast(self.state.elements.at(vector, (i,)), self.dtype)

    def _added(self, total: Operand, x: Operand, y: Operand) -> Operand:
        if self.dtype.kind == "f":
            return self.b.compute("fma", y, x, total)
        return total | (x & y) if self.dtype.kind == "b" else total + x * y

    # -- one after the other -----------------------------------------------------------------------

    def _one(self, k: Operand) -> tuple:
        """An element of the result."""
        low, high = self._most(k - self.m + 1, self.b.long(0)), self._least(self.n, k + 1)

        def add(j: Operand, total: Operand) -> tuple[Operand]:
            at = low + j
            return (self._added(total, self._load(self.x, k - at), self._load(self.y, at)),)

        (total,) = self.b.for_(high - low, (Number(0, self.dtype),), add)
        self.b.store(self.target.buffer, self.target.start + k, total)
        return ()

    # -- in vectors --------------------------------------------------------------------------------

    def _in_one_pass(self, k: Operand) -> tuple:
        """An element of the result, the products of which are many."""
        low, high = self._most(k - self.m + 1, self.b.long(0)), self._least(self.n, k + 1)

        def product(index: tuple[Operand, ...]) -> Operand:
            j = high - 1 - index[0]  # as np.correlate reads both vectors
            x, y = self._load(self.x, k - j), self._load(self.y, j)
            return x & y if self.dtype.kind == "b" else x * y

        combine = "|" if self.dtype.kind == "b" else "+"
        found = total(self.state, high - low, combine, 0, product)
        self.b.store(self.target.buffer, self.target.start + k, found)
        return ()

    def _piece(self, begin: Operand, end: Operand) -> None:
        """The elements of the result from a place up to another."""
        b, target = self.b, self.target
        nothing = Number(0, self.dtype)
        with b.each(end - begin) as i:
            b.store(target.buffer, target.start + (begin + i), nothing)
        low = self._most(begin - self.m + 1, b.long(0))
        count = self._least(self.n, end) - low
        groups = b.compute("quotient", count, b.long(_AT_ONCE))
        done = low + groups * _AT_ONCE
        rest = count - groups * _AT_ONCE
        b.for_(groups, (), lambda i: self._group(low + i * _AT_ONCE, begin, end))
        b.for_(rest, (), lambda i: self._add([done + i], begin, end))

    def _group(self, j: Operand, begin: Operand, end: Operand) -> tuple:
        """What some neighbours in the shorter vector add: all of them in the middle, and at both
        ends those that reach as far."""
        b, last = self.b, _AT_ONCE - 1
        places = [j + r for r in range(_AT_ONCE)]
        first = self._most(begin, self._least(j + last, end))
        behind = self._most(first, self._least(end, self.m + j))

        def ends() -> tuple:
            for place in places:
                self._add([place], begin, first)
                self._add([place], behind, end)
            return ()

        b.if_((first > begin) | (behind < end), ends, lambda: ())
        self._add(places, first, behind)
        return ()

    def _add(self, places: list[Operand], begin: Operand, end: Operand) -> tuple:
        """Add products to the elements of the result in a range, as far as there are some."""
        b, target = self.b, self.target
        factors = [self._load(self.y, place) for place in places]
        if len(places) == 1:
            begin = self._most(begin, places[0])
            end = self._least(end, self.m + places[0])
        count = self._most(end - begin, b.long(0))
        with b.each(count) as i:
            k = begin + i
            total = b.load(target.buffer, target.start + k)
            for place, factor in zip(places, factors):
                total = self._added(total, self._load(self.x, k - place), factor)
            b.store(target.buffer, target.start + k, total)
        return ()
