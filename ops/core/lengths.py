"""Lengths known only at run time, as operands of the operators that take a shape.

``reshape``, ``broadcast_to`` and ``full`` have an attribute ``shape``, in which such a length is
None, and an operand for each of these: ``full(0.0, n, shape=(None, 3))`` is ``np.zeros((n, 3))``.
Rules and functions that pass the shape of one array on to another call `lengths_of` for it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ops.core.kernels import Element
from ops.core.operands import Symbolic, concrete, dims_of, index_of, literal
from ops.core.records import dataclass
from ops.core.registry import Custom, Same
from ops.core.special_methods import special_methods
from ops.core.symbolic_lengths import NeedsNumber, SymbolicLength, is_length
from ops.core.types import ArrayType, weak

__all__ = [
    "counting",
    "extent",
    "length",
    "lengths_of",
    "positions",
]


def _length_infer(x: ArrayType, axis: int) -> tuple[ArrayType]:
    if not x.shape:
        raise TypeError("len() of unsized object")
    return (weak(int),)


def _length_batch(size: Any, batched: Sequence[bool], args: Sequence[Any], axis: int) -> Same:
    return Same(length(args[0], axis=axis + 1))


length = Custom(
    "length",
    _length_infer,
    lambda args, types, attrs: (
        f"{args[0]}.shape[{attrs['axis']}]" if attrs["axis"] else f"len({args[0]})"
    ),
    differentiable=False,
    by_length=(0,),
    unknown_lengths=True,
    prepare=lambda x, axis=0: ((x,), {"axis": axis}),
    batch=_length_batch,
    doc="""The length of ``x`` along an axis, by default the first, as a Python int.

    Raises:
        TypeError: ``x`` is a scalar.
    """,
)


def _positions_batch(size: Any, batched: Sequence[bool], args: Sequence[Any]) -> None:
    raise NotImplementedError("the length of an array differs between lanes")


def _extent_infer(length: SymbolicLength) -> tuple[ArrayType]:
    return (weak(int),)


extent = Custom(
    "extent",
    _extent_infer,
    lambda args, types, attrs: repr(attrs["length"]),
    differentiable=False,
    native=Element(lambda read, index, types, attrs: attrs["length"]),
    creates=True,
    doc="A symbolic length, as a Python int.",
)


counting = Custom(
    "counting",
    lambda length: (ArrayType(np.dtype(np.intp), (length,)),),
    lambda args, types, attrs: f"np.arange({attrs['length']!r})",
    differentiable=False,
    native=Element(lambda read, index, types, attrs: index[0]),
    creates=True,
    doc="The integers 0, 1, 2 ... below a symbolic length.",
)


def made_beside(x: Any, op: Any, length: SymbolicLength) -> Any:
    """`extent` or `counting` of a symbolic length in the graph to which an operand belongs: rules
    of derivatives and expansions are called while no function is recorded."""
    attrs = {"length": length}
    return x.__apply__(op, (), attrs) if isinstance(x, Symbolic) else op.apply((), attrs)


def symbolic(value: Any) -> int | SymbolicLength | None:
    """The polynomial of symbols that an int is computed as; None if it is not known to be one.

    Args:
        value: of a graph.
    """
    found = literal(value)
    if found is not None:
        return found if type(found) is int else None
    node = getattr(value, "producer", None)
    if node is None:
        return None
    if node.op is extent:
        return node.attrs["length"]
    python: Any = getattr(node.op, "python", None)
    if python is None:
        return None
    operands = [symbolic(operand) for operand in node.inputs]
    if not operands or any(operand is None for operand in operands):
        return None
    try:
        computed = python.compute(*operands)
    except NeedsNumber:  # it is no polynomial
        return None
    return computed if type(computed) in (int, SymbolicLength) else None


positions = Custom(
    "positions",
    lambda n: (ArrayType(np.dtype(np.intp), (None,)),),
    "np.arange({0})",
    differentiable=False,
    batch=_positions_batch,
    doc="The integers 0, 1, 2 ... below ``n``, a Python int.",
)


_ARITHMETIC = ("add", "sub", "mul", "floordiv", "mod")


def _with_the_number(name: str) -> Callable:
    operate = getattr(operator, name)
    return lambda self, other: operate(operator.index(self.value), other)


def _reflected(name: str) -> Callable:
    operate = getattr(operator, name)
    return lambda self, other: operate(other, operator.index(self.value))


@special_methods((*_ARITHMETIC, "lt", "le", "gt", "ge"), _with_the_number)
@special_methods(_ARITHMETIC, _reflected, prefix="r")
@dataclass(frozen=True, eq=False)
class RunLength:
    """A length in a shape known only at run time: a symbolic int.

    What computes with it needs the number itself: recording is told so, or knows it after all.
    """

    value: Any


def lengths_of(x: Any) -> tuple[int | RunLength, ...]:
    """The shape of ``x``, with a symbolic int in it for each length known only at run time."""
    return tuple(
        RunLength(length(x, axis=axis)) if n is None else n for axis, n in enumerate(dims_of(x))
    )


def as_shape(shape: Any) -> tuple[int | RunLength, ...]:
    """A shape, or a single length, as a tuple."""
    shape = concrete(shape)
    if isinstance(shape, (tuple, list)) or getattr(shape, "ndim", None):
        return tuple(map(_as_length, shape))
    return (_as_length(shape),)


def _as_length(n: Any) -> int | RunLength:
    if isinstance(n, Symbolic):
        n = n.as_length()
    return RunLength(n) if isinstance(n, Symbolic) else _index(n)


def _index(n: Any) -> int | RunLength:
    return n if isinstance(n, RunLength) or is_length(n) else index_of(n)


def split_shape(shape: Iterable[int | RunLength]) -> tuple[tuple[int | None, ...], list[Any]]:
    """The attribute ``shape`` of an operator, and its operands for the lengths."""
    lengths = list(shape)
    dims = tuple(None if isinstance(n, RunLength) else n for n in lengths)
    return dims, [n.value for n in lengths if isinstance(n, RunLength)]


def joined_shape(
    dims: Sequence[int | None], operands: Sequence[Any]
) -> tuple[int | RunLength, ...]:
    """The shape that `split_shape` made an attribute and operands of."""
    lengths = iter(operands)
    return tuple(RunLength(next(lengths)) if n is None else n for n in dims)
