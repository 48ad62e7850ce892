"""Which elements of its operands an element of a result may depend on.

Where a kernel can compute an operator element by element, its `ops.core.kernels.Element`, `Fold` or
`Scan` says it already. Others may say it by ``reads``: ``reads(read, index, types, attrs)`` is
written like the function of an `Element`, as a formula for one element of each result, of which
only counts what it reads. In an index ``EVERY`` stands for all places along an axis, and
``read.total(n, term)`` for the sum of ``term(k)`` over k below n. What an operator does not say is
taken for the worst: each element of a result depends on all of all operands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from ops.core.kernels import aligned
from ops.core.records import dataclass
from ops.core.types import ArrayType

EVERY = slice(None)

Index = tuple[Any, ...]


class ElementReader(Protocol):
    """Gives the elements of operands, or what stands for them."""

    def __call__(self, position: int, index: Index) -> Any:
        """The element of an operand at an index, which may have EVERY in it."""

    def total(self, count: int, term: Callable[[Any], Any]) -> Any:
        """The sum of ``term(k)`` for k from 0 to below ``count``."""


Reads = Callable[[ElementReader, Index, Sequence[ArrayType], dict[str, Any]], Any]


def everything(read: ElementReader, positions: Sequence[tuple[int, Index]]) -> Any:
    """Something of all elements at these places: pairs of an operand's position and an index."""
    first, *others = (read(position, index) for position, index in positions)
    for other in others:
        first = first + other
    return first


def along(axes_of: Callable[[ArrayType, dict[str, Any]], Sequence[int]]) -> Reads:
    """That of an operator on its first operand whose elements meet along some axes, and whose
    results have as many axes.

    Args:
        axes_of: gives the axes, from the operand's type and the attributes.
    """

    def reads(read: ElementReader, index: Index, types: Sequence[ArrayType], attrs: dict) -> Any:
        own = types[0]
        mixed = {axis % own.ndim for axis in axes_of(own, attrs)}
        return read(0, tuple(EVERY if axis in mixed else i for axis, i in enumerate(index)))

    return reads


def of_matrices(*positions: int) -> Reads:
    """That of an operator on stacks of matrices: those of its results depend on all of the matrices
    at the same place of the operands' stacks, which broadcast."""

    def reads(read: ElementReader, index: Index, types: Sequence[ArrayType], attrs: dict) -> Any:
        depth = max(types[position].ndim for position in positions) - 2
        places: list[tuple[int, Index]] = []
        for position in positions:
            stack = types[position].shape[:-2]
            places.append((position, (*aligned(index[:depth], stack), EVERY, EVERY)))
        return everything(read, places)

    return reads


@dataclass(frozen=True)
class Scattered:
    """That of an operator which starts from its first operand, or from zeros, and puts each element
    of another one somewhere: where its transpose takes it from.

    Attributes:
        position: of the operand that is put somewhere.
        shape: that to which it is broadcast before, given the types and the attributes.
        starts: whether the first operand is what it starts from.
    """

    position: int
    shape: Callable[[Sequence[ArrayType], dict[str, Any]], tuple[int | None, ...]]
    starts: bool
