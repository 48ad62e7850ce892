"""Choices between arrays, and the elements that fulfil a condition."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ops.arrays.creation import zeros_like
from ops.arrays.indexing import assigned, subscript
from ops.arrays.joining import as_arrays
from ops.arrays.rearrange import require_integers, take
from ops.control.constructs import call
from ops.core import kernels
from ops.core.index_maps import one_of, wrapped
from ops.core.lengths import lengths_of
from ops.core.numpy_table import covers
from ops.core.operands import (
    Symbolic,
    broadcast_shapes,
    dims_of,
    dtype_of,
    ndim_of,
    operand_type,
    shape_of,
)
from ops.core.registry import ALL_OPERANDS, Custom
from ops.core.texts import array_text
from ops.core.types import ArrayType
from ops.elementwise import equal, logical_not, logical_or, maximum, minimum, not_equal, remainder
from ops.elementwise.conversion import astype, cast, fitting, promote, where
from ops.order.selection import flatnonzero
from ops.structure.broadcasting import broadcast_to, sum_to
from ops.structure.lanes import with_same_attributes
from ops.structure.reshaping import ravel

__all__ = [
    "choose",
    "compress",
    "extract",
    "piecewise",
    "select",
]

# -- choose ----------------------------------------------------------------------------------------


def _choose_infer(index: ArrayType, *choices: ArrayType, mode: str) -> tuple[ArrayType]:
    shape = broadcast_shapes(index.shape, *(x.shape for x in choices))
    return (ArrayType(promote(*(x.strong() for x in choices)), shape),)


def _choose_prepare(a: Any, choices: Any, mode: str = "raise") -> tuple:
    if mode not in ("raise", "wrap", "clip"):
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got '{mode}')")
    if hasattr(choices, "shape"):
        choices = [subscript(choices, i) for i in range(shape_of(choices)[0])]
    (a,) = as_arrays((a,))
    require_integers(dtype_of(a))
    choices = as_arrays(choices)
    if choices:
        dtype = promote(*map(operand_type, choices))
        choices = [astype(cast(x), dtype) for x in choices]  # a Python int wraps around
    return (a, *choices), {"mode": mode}


def _choose_vjp(cts: Sequence, args: Sequence, outs: Sequence, mode: str) -> tuple:
    (ct,), (index, *choices) = cts, args
    n = len(choices)
    if mode == "wrap":
        index = remainder(index, n)
    elif mode == "clip":
        index = minimum(maximum(index, 0), n - 1)
    parts = [
        sum_to(where(equal(index, i), ct, dtype_of(ct).type(0)), lengths_of(x))
        for i, x in enumerate(choices)
    ]
    return (None, *parts)


def _choose_code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    mode = "" if attrs["mode"] == "raise" else f", mode='{attrs['mode']}'"
    choices = ", ".join(map(array_text, args[1:], types[1:]))
    return f"np.choose({array_text(args[0], types[0])}, [{choices}]{mode})"


def _choose_element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    n, dtype = len(types) - 1, promote(*(t.strong() for t in types[1:]))
    own = [kernels.aligned(index, t.shape) for t in types]
    which = fitting(read(0, own[0]), types[0], np.int64)
    if attrs["mode"] == "raise":
        kernels.require((which >= 0) & (which < n))
    elif attrs["mode"] == "wrap":
        which = wrapped(which, n)
    return one_of(which, range(n), lambda i: kernels.cast(read(i + 1, own[i + 1]), dtype))


choose: Custom = Custom(
    "choose",
    _choose_infer,
    _choose_code,
    vjp=_choose_vjp,
    jvp=lambda tangents, args, outs, mode: (
        broadcast_to(choose(args[0], list(tangents[1:]), mode=mode), lengths_of(outs[0])),
    ),
    linear=ALL_OPERANDS[1:],
    zeros="moved",
    raises=True,
    errors=(IndexError, ValueError),
    unknown_lengths=True,
    prepare=_choose_prepare,
    batch=with_same_attributes(core=0),
    native=kernels.Element(_choose_element, when=lambda types, attrs: len(types) > 1),
    doc="""For each element that of the choices which an index says.

    Args:
        a: integers.
        choices: arrays, or an array of them; all broadcast with ``a`` and are promoted together.
        mode: what an index out of range means: "raise", "wrap" around, or "clip".

    Raises:
        ValueError: an index is out of range.
    """,
    precision="exact",
)

covers(np.choose, "a choices out mode", method=True)(choose)


# -- by conditions ---------------------------------------------------------------------------------


@covers(np.compress, "condition a axis out")
def compress(condition: Any, x: Any, axis: int | None = None) -> Any:
    """The parts of ``x`` along an axis, or its elements in C order, where a condition is true.

    Args:
        condition: a vector, which may be shorter than the axis.
        x: an array.
        axis: the axis, or None for the elements.

    Raises:
        ValueError: the condition is not a vector.
        IndexError: it is true beyond the end of the axis.
    """
    if ndim_of(condition) != 1:
        raise ValueError("condition must be a 1-d array")
    return take(x, _true_places(condition), axis)


@covers("a condition axis out", method="compress")
def compress_method(a: Any, condition: Any, axis: int | None = None) -> Any:
    """``a.compress``."""
    return compress(condition, a, axis)


def _true_places(condition: Any) -> Any:
    if isinstance(condition, Symbolic):
        return flatnonzero(condition)
    return np.flatnonzero(condition)


@covers(np.extract, "condition arr")
def extract(condition: Any, x: Any) -> Any:
    """The elements of ``x``, in C order, for which an array of the same size is true."""
    return take(ravel(x), _true_places(ravel(condition)))


@covers(np.select)
def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> Any:
    """For each element the choice that goes with the first condition that is true.

    Args:
        condlist: boolean arrays.
        choicelist: as many arrays or numbers; all broadcast and are promoted together.
        default: what stands where no condition is true.

    Raises:
        ValueError: there is no condition, or another number of choices.
        TypeError: a condition is not boolean.
    """
    conditions, choices = _items(condlist), _items(choicelist)
    if len(conditions) != len(choices):
        raise ValueError("list of cases must be same length as list of conditions")
    if not conditions:
        raise ValueError("select with an empty condition list is not possible")
    for i, condition in enumerate(conditions):
        if dtype_of(condition).kind != "b":
            raise TypeError(f"invalid entry {i} in condlist: should be boolean ndarray")
    (default,) = as_arrays((default,))
    dtype = promote(*(operand_type(x) for x in (*choices, default)))
    result = astype(default, dtype)
    for condition, choice in zip(reversed(conditions), reversed(choices)):
        result = where(condition, astype(choice, dtype), result)
    return result


def _items(sequence: Any) -> list[Any]:
    """A sequence of arrays as a list; an array is the sequence of its rows."""
    if hasattr(sequence, "shape"):
        return [subscript(sequence, i) for i in range(shape_of(sequence)[0])]
    return as_arrays(sequence)


@covers(np.piecewise)
def piecewise(x: Any, condlist: Any, funclist: Sequence[Any], *args: Any, **kw: Any) -> Any:
    """A function made of pieces: each element of ``x`` is passed to the function that goes with the
    last condition that is true for it.

    Args:
        x: an array. The result has its dtype.
        condlist: boolean arrays of the shape of ``x``, or one of them.
        funclist: as many functions of a vector of elements, or numbers; one more than conditions
            for the elements for which none is true. Without one those become 0.
        args, kw: passed to the functions.

    Raises:
        ValueError: the number of functions does not fit.
    """
    (x,) = as_arrays((x,))
    conditions = _conditions(x, condlist)
    if len(conditions) == len(funclist) - 1:
        conditions.append(logical_not(functools.reduce(logical_or, conditions)))
    elif len(conditions) != len(funclist):
        n = len(conditions)
        raise ValueError(f"with {n} condition(s), either {n} or {n + 1} functions are expected")
    result = zeros_like(x)
    for condition, function in zip(conditions, funclist):
        if callable(function):
            part = call(function, subscript(x, condition), *args, **kw)
            result = assigned(result, condition, part)
        elif dims_of(condition) == dims_of(x):
            result = where(condition, astype(function, dtype_of(x)), result)
        else:
            result = assigned(result, condition, function)
    return result


def _conditions(x: Any, condlist: Any) -> list[Any]:
    if isinstance(condlist, (list, tuple)):
        single = ndim_of(x) > 0 and not _starts_with_array(condlist)
    else:
        single = ndim_of(condlist) == 0 or (ndim_of(condlist) == 1 and ndim_of(x) > 0)
    (conditions,) = [as_arrays([condlist])] if single else [_items(condlist)]
    return [c if dtype_of(c).kind == "b" else not_equal(c, 0) for c in conditions]


def _starts_with_array(items: Sequence[Any]) -> bool:
    """Whether the first of some items is an array or a list."""
    return bool(items) and (isinstance(items[0], (list, tuple)) or ndim_of(items[0]) > 0)
