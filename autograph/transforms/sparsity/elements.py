"""The scalar language of `ops.core.kernels` on numbers that remember which elements were read.

A formula for one element of a result is run once, for all elements together: its indices are
`TrackedNumber`s that hold an array, and what it reads of an operand is one that knows from which
elements it comes. So the same declaration that kernels are generated from tells what an element
depends on. What is known before the run decides: an index picks one element, and where it is not
known, all along its axis; a choice takes one side, or both; a product with a zero has no derivative
by the other factor.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np

from autograph.transforms.sparsity.sets import Sets, relation
from ops.core.kernels import meaning, with_operators
from ops.core.reads import EVERY
from ops.core.types import ArrayType


class Undecided(Exception):
    """A formula asks Python for the value of something that is not known."""


class TooMany(Exception):
    """More elements are read than are worth to be told apart."""


class ReadElements(NamedTuple):
    """Elements of an operand that were read.

    Attributes:
        position: of the operand.
        rows: the elements of the result that they were read for.
        terms: the number of the term of a sum, where it is one.
        places: of the elements, in C order.
    """

    position: int
    rows: np.ndarray
    terms: np.ndarray
    places: np.ndarray

    def where(self, mask: np.ndarray) -> ReadElements:
        """Those for which a mask, of an element and a term, is true."""
        rows = self.rows if mask.shape[0] > 1 else 0
        terms = self.terms if mask.shape[1] > 1 else 0
        kept = mask[rows, terms]
        if np.ndim(kept) == 0:
            kept = np.full(len(self.rows), bool(kept))
        return ReadElements(self.position, self.rows[kept], self.terms[kept], self.places[kept])


_LARGEST = 30_000_000  # elements that are read in a formula

# Functions of the language whose derivative is zero wherever there is one.
_STEPS = {"==", "!=", "<", "<=", ">", ">=", "floor", "ceil", "rint", "trunc", "signbit"}


@with_operators
class TrackedNumber:
    """A number for each element of a result, and each term of a sum.

    Args:
        data: an array with these two axes, of which either may have length 1; None if unknown.
        reads: the elements that it is made of.
    """

    def __init__(self, data: np.ndarray | None, reads: Iterable[ReadElements] = ()):
        self.data = data
        self.reads = tuple(reads)

    def __bool__(self) -> NoReturn:
        raise Undecided

    __index__ = __int__ = __float__ = __bool__

    def __kernel__(self, function: str, operands: Sequence[Any]) -> TrackedNumber:
        numbers = [as_number(x) for x in operands] if function != "cast" else [operands[0]]
        if function == "select":
            return _selected(*numbers)
        reads = [read for number in numbers for read in number.reads]
        if function in _STEPS or (function == "cast" and np.dtype(operands[1]).kind in "biu"):
            reads = []
        elif function == "*":
            reads = [*_without(numbers[0], numbers[1]), *_without(numbers[1], numbers[0])]
        return TrackedNumber(_computed(function, operands, numbers), reads)

    def __choose__(self, then: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
        if self.data is not None:
            if self.data.all():
                return then()
            if not self.data.any():
                return orelse()
        return _selected(self, as_number(then()), as_number(orelse()))

    def __iterate__(self, test: Callable, body: Callable, state: Sequence[Any]) -> tuple:
        reads = [read for x in state if isinstance(x, TrackedNumber) for read in x.reads]
        return tuple(TrackedNumber(None, reads) for _ in state)

    def __require__(self) -> None:
        """What is required is so, or there is no result."""

    def __flat_index__(self, index: Sequence[Any], shape: Sequence[int]) -> Any:
        number = index[0]
        for i, n in zip(index[1:], shape[1:]):
            number = number * n + i
        return number


def as_number(x: Any) -> TrackedNumber:
    return x if isinstance(x, TrackedNumber) else TrackedNumber(np.asarray(x).reshape(1, 1))


def _computed(function: str, operands: Sequence[Any], numbers: Sequence[TrackedNumber]) -> Any:
    if any(number.data is None for number in numbers):
        return None
    arrays: list[Any] = [number.data for number in numbers]
    compute: Any = meaning(function, len(arrays))
    try:
        with np.errstate(all="ignore"):
            return np.asarray(
                compute(*arrays, *operands[1:]) if function == "cast" else compute(*arrays)
            )
    except ArithmeticError:  # where the formula would not get to
        return None


def _without(factor: TrackedNumber, other: TrackedNumber) -> Iterable[ReadElements]:
    """What a factor of a product is made of, where the other one is not known to be zero."""
    if other.data is None or other.data.all():
        return factor.reads
    return [read.where(other.data != 0) for read in factor.reads]


def _selected(
    condition: TrackedNumber, then: TrackedNumber, orelse: TrackedNumber
) -> TrackedNumber:
    if condition.data is None:
        return TrackedNumber(None, (*then.reads, *orelse.reads))
    chosen = condition.data.astype(bool)
    data = None
    if then.data is not None and orelse.data is not None:
        data = np.where(chosen, then.data, orelse.data)
    reads = [read.where(chosen) for read in then.reads]
    return TrackedNumber(data, [*reads, *(read.where(~chosen) for read in orelse.reads)])


class OperandFacts(NamedTuple):
    """An operand as a formula sees it.

    Attributes:
        type: its type, of known shape.
        data: its elements, in any shape; None if they are not known.
        varies: whether what is read of it counts.
    """

    type: ArrayType
    data: Any
    varies: bool


class Reading:
    """What a formula for the elements of a result is given to read with.

    Args:
        operands: those of the operator.
        count: how many elements the result has.

    Attributes:
        consulted: the positions of operands whose elements were asked for.
    """

    def __init__(self, operands: Sequence[OperandFacts], count: int):
        self._operands = operands
        self._count = count
        self._terms = 1
        self.consulted: set[int] = set()

    def __call__(self, position: int, index: tuple) -> TrackedNumber:
        operand = self._operands[position]
        shape = operand.type.known_shape
        known, inside = np.zeros((1, 1), np.int64), np.ones((1, 1), bool)
        open_axes = np.zeros(1, np.int64)
        for i, n in zip(index, shape, strict=True):
            known, open_axes = known * n, open_axes * n
            place = _place(i, n)
            if place is None:
                open_axes = (open_axes[:, None] + np.arange(n)).reshape(-1)
            else:
                known = known + place
                inside = inside & (place >= 0) & (place < n)
        data = None
        if operand.data is not None and len(open_axes) == 1 and 0 not in shape:
            self.consulted.add(position)
            data = np.asarray(operand.data).reshape(-1)[np.where(inside, known, 0)]
        reads = [self._read(position, known, inside, open_axes)] if operand.varies else []
        return TrackedNumber(data, reads)

    def _read(
        self, position: int, known: np.ndarray, inside: np.ndarray, open_axes: np.ndarray
    ) -> ReadElements:
        grid = (self._count, self._terms)
        if self._count * self._terms * len(open_axes) > _LARGEST:
            raise TooMany
        rows, terms = (axis.reshape(-1) for axis in np.indices(grid))
        places = np.broadcast_to(known, grid).reshape(-1)
        inside = np.broadcast_to(inside, grid).reshape(-1)
        rows, terms, places = rows[inside], terms[inside], places[inside]
        if len(open_axes) != 1:
            places = (places[:, None] + open_axes).reshape(-1)
            rows, terms = np.repeat(rows, len(open_axes)), np.repeat(terms, len(open_axes))
        return ReadElements(position, rows, terms, places)

    def total(self, count: int, term: Callable[[Any], Any]) -> TrackedNumber:
        """See `ops.core.reads.ElementReader`."""
        if count == 0:
            return as_number(0)
        self._terms = count
        number = as_number(term(TrackedNumber(np.arange(count).reshape(1, -1))))
        self._terms = 1
        return TrackedNumber(None, (read._replace(terms=0 * read.terms) for read in number.reads))

    def relations(self, result: Any) -> dict[int, Sets]:
        """For each operand by which the result of the formula has a derivative the relation."""
        found: dict[int, list[ReadElements]] = {}
        for read in as_number(result).reads:
            found.setdefault(read.position, []).append(read)
        return {
            position: relation(
                np.concatenate([read.rows for read in reads]),
                np.concatenate([read.places for read in reads]),
                (self._count, self._operands[position].type.size),
            )
            for position, reads in found.items()
        }


def _place(i: Any, length: int) -> np.ndarray | None:
    """An index along an axis, of numbers; None for any."""
    if isinstance(i, slice):
        assert i == EVERY
        return np.zeros((1, 1), np.int64) if length == 1 else None
    data = as_number(i).data
    if data is None:
        return np.zeros((1, 1), np.int64) if length == 1 else None
    return data.astype(np.int64)


def indices(shape: Sequence[int]) -> tuple[TrackedNumber, ...]:
    """The index of each element of a result."""
    places = np.indices(tuple(shape)).reshape(len(shape), math.prod(shape), 1)
    return tuple(TrackedNumber(axis) for axis in places)
