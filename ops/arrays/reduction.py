"""Reductions: operators that combine the elements along some axes.

``axis`` is an axis, a tuple of axes, or None for all; ``keepdims`` keeps the reduced axes with
length 1. Result dtypes are NumPy's: sums and products of small integers and of booleans are int64.

The operators know no ``where`` and no ``initial``. The functions that stand for NumPy's put a
number that changes nothing in the place of what is left out, and add the initial value to the
result.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ops.arrays.indexing import getitem
from ops.arrays.joining import array, concatenate
from ops.core import kernels
from ops.core.batching import Size, along_axes
from ops.core.lengths import RunLength, lengths_of
from ops.core.numpy_table import covers
from ops.core.operands import Symbolic, dims_of, dtype_of, index_of, is_array, ndim_of, operand_type
from ops.core.registry import BatchRule, Custom, Op
from ops.core.symbolic_lengths import is_below
from ops.core.types import ArrayType
from ops.elementwise import (
    add,
    divide,
    equal,
    logical_or,
    maximum,
    minimum,
    multiply,
    not_equal,
    positive,
)
from ops.elementwise.conversion import astype
from ops.elementwise.conversion import where as choose
from ops.structure.broadcasting import broadcast_to, sum
from ops.structure.permuting import transpose
from ops.structure.reducing import (
    Axes,
    all_axes,
    combined_axes,
    keep,
    kept_moves,
    normalise,
    reduced_shape,
    reduction_code,
    reduction_prepare,
)
from ops.structure.reshaping import count, reaxed, spread

_SHORT = 32  # elements, among which NumPy takes longer to begin to look than to look

__all__ = [
    "all",
    "any",
    "argmax",
    "argmin",
    "count_nonzero",
    "max",
    "min",
    "sum",
]


def rows_along(x: Any, axis: Any) -> Any:
    """``x`` with the axes that are reduced together at the end, merged into one."""
    shape = lengths_of(x)
    axes = all_axes(normalise(x, axis), len(shape))
    kept = tuple(i for i in range(len(shape)) if i not in axes)
    size = group_size(x, axis)
    size = size if isinstance(size, int) else RunLength(size)
    order = (*kept, *axes)
    if order != tuple(range(len(shape))):
        x = transpose(x, order)
    return reaxed(x, (*(shape[i] for i in kept), size)) if len(axes) != 1 else x


def unwrapped(x: Any) -> Any:
    """``x``, but a number instead of an array of no axes, as from a reduction of NumPy's."""
    if ndim_of(x):
        return x
    return positive(x) if dtype_of(x).kind in "fc" else getitem(x, index=())


def as_mask(where: Any) -> Any:
    """What ``where=`` is, as booleans: arrays have to be of them, all else is converted.

    Raises:
        TypeError: it is an array of another dtype.
    """
    if isinstance(where, (list, tuple)):
        return astype(array(where), bool)
    if is_array(where) and dtype_of(where).kind != "b":
        raise TypeError(
            f"Cannot cast array data from {dtype_of(where)!r} to dtype('bool') according to the "
            "rule 'safe'"
        )
    return astype(where, bool)


def masked(x: Any, where: Any, neutral: Any) -> Any:
    """``x`` with ``neutral`` in the place of the elements that a reduction leaves out."""
    if where is True:
        return x
    where = as_mask(where)
    if ndim_of(where) > ndim_of(x):
        raise ValueError("where= has more dimensions than the array")
    shape, given = dims_of(x), dims_of(where)
    if builtins.any(
        n not in (1, m, None) and m is not None for n, m in zip(given[::-1], shape[::-1])
    ):
        raise ValueError(f"where= of shape {given} does not fit an array of shape {shape}")
    return choose(where, x, neutral)


def start_value(initial: Any, dtype: np.dtype) -> Any:
    """``initial`` as a scalar of the dtype of the result.

    Raises:
        ValueError: it is an array.
        TypeError: it is complex and the result is real.
    """
    if isinstance(initial, (list, tuple)) or ndim_of(initial):
        raise ValueError("setting an array element with a sequence.")
    if dtype_of(initial).kind == "c" and dtype.kind != "c":
        raise TypeError("float() argument must be a string or a real number, not 'complex'")
    return astype(initial, dtype) if isinstance(initial, Symbolic) else dtype.type(initial)


def _is_number(value: Any, number: int) -> bool:
    """Whether a value is known to be that number."""
    return not isinstance(value, Symbolic) and np.ndim(value) == 0 and value == number


def total_from(op: Op, combine: Op, neutral: int) -> Callable:
    """A sum or product with NumPy's arguments ``initial`` and ``where``."""

    def reduce(
        x: Any,
        axis: Any = None,
        dtype: Any = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
    ) -> Any:
        x = masked(x, where, dtype_of(x).type(neutral))
        result = op(x, axis, dtype, keepdims)
        if initial is None or _is_number(initial, neutral):
            return result
        return combine(result, start_value(initial, dtype_of(result)))

    reduce.__name__ = reduce.__qualname__ = op.name
    reduce.__doc__ = f"""``np.{op.name}``: also from an initial value, and of some elements only."""
    return reduce


# -- sums ------------------------------------------------------------------------------------------


sum_from = covers(np.sum, "a axis dtype out keepdims initial where", method=True)(
    total_from(sum, add, 0)
)


def group_size(x: Any, axis: Any) -> Any:
    """How many elements are combined into one: an int, symbolic if known only at run time."""
    lengths = lengths_of(x)
    return count(lengths[i] for i in all_axes(normalise(x, axis), len(lengths)))


def may_be_empty(types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
    """Whether only the run knows if there are elements to reduce."""
    return not types[0].is_static


def _is_of_nothing(x: ArrayType, axis: Axes) -> bool:
    """Whether no elements are combined into one, which is an error also where there is not one."""
    return x.is_static and 0 in [x.shape[i] for i in all_axes(axis, x.ndim)]


# -- extrema ---------------------------------------------------------------------------------------


def _extremum(name: str, doc: str) -> Custom:
    def start(dtype: np.dtype) -> Any:
        """The end of the dtype's range that is never chosen."""
        end, infinity = ("min", -math.inf) if name == "max" else ("max", math.inf)
        if dtype.kind == "b":
            return name == "min"
        return infinity if dtype.kind == "f" else getattr(np.iinfo(dtype), end)

    def infer(x: ArrayType, axis: Axes, keepdims: bool) -> tuple[ArrayType]:
        shape = reduced_shape(x.shape, axis, keepdims)
        if _is_of_nothing(x, axis):
            raise ValueError(f"{name} of an empty array, or along an empty axis, has no value")
        return (ArrayType(x.dtype, shape),)

    def shares(x: Any, out: Any, axis: Axes) -> Any:
        """What part each element has in the extremum: ties are split evenly."""
        chosen = astype(equal(x, keep(out, x, axis)), dtype_of(x))
        return divide(chosen, sum(chosen, axis, keepdims=True))

    def vjp(cts: Sequence, args: Sequence, outs: Sequence, axis: Axes, keepdims: bool) -> tuple:
        (x,) = args
        return (multiply(keep(cts[0], x, axis), shares(x, outs[0], axis)),)

    def jvp(tangents: Sequence, args: Sequence, outs: Sequence, axis: Axes, keepdims: bool):
        (x,) = args
        return (sum(multiply(tangents[0], shares(x, outs[0], axis)), axis, keepdims=keepdims),)

    return Custom(
        name,
        infer,
        reduction_code(name),
        vjp=vjp,
        jvp=jvp,
        linear=(),
        zeros="moved",
        moves=kept_moves,
        raises=may_be_empty,
        errors=(ValueError,),
        unknown_lengths=True,
        prepare=reduction_prepare,
        batch=along_axes("axis"),
        native=kernels.Fold(name, start, combined_axes),
        doc=doc,
    )


def _extremum_from(op: Op, combine: Op) -> Callable:
    """An extremum with NumPy's arguments ``initial`` and ``where``.

    The initial value shares ties as `combine` does.
    """

    def reduce(
        x: Any,
        axis: Any = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
    ) -> Any:
        if initial is None:
            if where is not True:
                raise ValueError(
                    f"reduction operation '{combine.name}' does not have an identity, so to use a "
                    "where mask one has to specify 'initial'"
                )
            return op(x, axis, keepdims)
        initial = start_value(initial, dtype_of(x))
        x = masked(x, where, initial)
        if operand_type(x).is_static and operand_type(x).size:
            return combine(op(x, axis, keepdims), initial)
        rows = rows_along(x, axis)
        first = broadcast_to(initial, (*lengths_of(rows)[:-1], 1))
        result = op(concatenate([first, rows], -1), -1)
        return keep(result, x, normalise(x, axis)) if keepdims else result

    reduce.__name__ = reduce.__qualname__ = op.name
    reduce.__doc__ = f"""``np.{op.name}``: also from an initial value, and of some elements only."""
    return reduce


max = _extremum(
    "max",
    """The largest element along ``axis``; NaN if there is one.

    Complex numbers are ordered by their real parts, then by their imaginary parts. In derivatives,
    elements that are equally large have equal shares.
    """,
)

max_from = covers(np.max, np.amax, "a axis out keepdims initial where", method=True)(
    _extremum_from(max, maximum)
)

min = _extremum("min", "The smallest element along ``axis``; the rest is as for `max`.")

min_from = covers(np.min, np.amin, "a axis out keepdims initial where", method=True)(
    _extremum_from(min, minimum)
)


def numbered(shape, axes):
    """For each element its number among those along some axes."""
    lengths = [n if axis in axes else 1 for axis, n in enumerate(shape)]
    return np.broadcast_to(np.arange(np.prod(lengths)).reshape(lengths), shape)


number_along = Custom(
    "number_along",
    lambda x, axes: (ArrayType(np.dtype(np.intp), x.shape),),
    "numbered({0}.shape, {axes})",
    differentiable=False,
    by_length=(0,),
    helpers=[numbered],
    unknown_lengths=True,
    batch=along_axes("axes"),
    native=kernels.Element(
        lambda read, index, types, attrs: kernels.flat_index(
            [index[axis] for axis in attrs["axes"]],
            [types[0].shape[axis] for axis in attrs["axes"]],
        )
    ),
    doc="For each element of ``x`` its number, in C order, among those along ``axes``.",
    aligned=True,
)


def _first_place(extremum: Op, x: Any, axis: Axes, keepdims: bool) -> Any:
    """The place of the first extremum, or of the first NaN."""
    found = equal(x, extremum(x, axis, keepdims=True))
    if dtype_of(x).kind == "f":
        found = logical_or(found, not_equal(x, x))
    axes = all_axes(axis, ndim_of(x))
    narrow: Any = np.dtype(np.int32 if operand_type(x).size < 2**31 else np.intp)
    places = astype(number_along(x, axes=axes), narrow)
    first = min(choose(found, places, np.iinfo(narrow).max), axis, keepdims=keepdims)
    return astype(first, np.dtype(np.intp))


def _position_batch(
    op: Op, size: Size, batched: Sequence[bool], args: Sequence[Any], axis: Axes, keepdims: bool
) -> Any:
    (x,) = args
    if axis is not None:
        return op.apply((x,), {"axis": (axis[0] + 1,), "keepdims": keepdims})
    ndim = ndim_of(x)
    rows = rows_along(x, tuple(range(1, ndim)))
    place = op.apply((rows,), {"axis": (1,), "keepdims": False})
    return spread(place, ndim - 1 if keepdims else 0)


def _are_short_rows(types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
    """Whether NumPy looks for many places, each among a few elements, or takes elements that are
    apart from each other."""
    (x,), axes = types, attrs["axis"]
    if axes is None or not x.is_static:
        return False
    last = axes[0] == x.ndim - 1
    return is_below(x.shape[-1], _SHORT) if last else axes[0] == 0 and x.ndim == 2


def _position(name: str, extremum: Op, doc: str) -> Custom:
    def infer(x: ArrayType, axis: Axes, keepdims: bool) -> tuple[ArrayType]:
        shape = reduced_shape(x.shape, axis, keepdims)
        if _is_of_nothing(x, axis):
            raise ValueError(f"attempt to get {name} of an empty sequence")
        return (ArrayType(np.dtype(np.intp), shape),)

    def prepare(x: Any, axis: int | None = None, keepdims: bool = False) -> tuple:
        axes: Axes = None
        if axis is not None and ndim_of(x):
            axes = (normalize_axis_index(axis, ndim_of(x)),)
        elif axis is not None:
            axes = normalise(x, index_of(axis))
        return (x,), {"axis": axes, "keepdims": bool(keepdims)}

    return Custom(
        name,
        infer,
        reduction_code(name),
        differentiable=False,
        raises=may_be_empty,
        errors=(ValueError,),
        unknown_lengths=True,
        prepare=prepare,
        batch=BatchRule(_position_batch),
        native=kernels.Expansion(
            lambda x, axis, keepdims: _first_place(extremum, x, axis, keepdims)
        ),
        slow=_are_short_rows,
        doc=doc,
    )


argmax = _position(
    "argmax", max, "The index of the first largest element along one axis, or of all."
)

covers(np.argmax, "a axis out keepdims", method=True)(argmax)

argmin = _position(
    "argmin", min, "The index of the first smallest element along one axis, or of all."
)

covers(np.argmin, "a axis out keepdims", method=True)(argmin)


# -- truth -----------------------------------------------------------------------------------------


def _quantifier(name: str, combine: str, doc: str) -> Custom:
    def infer(x: ArrayType, axis: Axes, keepdims: bool) -> tuple[ArrayType]:
        return (ArrayType(np.dtype(bool), reduced_shape(x.shape, axis, keepdims)),)

    return Custom(
        name,
        infer,
        reduction_code(name),
        differentiable=False,
        unknown_lengths=True,
        prepare=reduction_prepare,
        batch=along_axes("axis"),
        native=kernels.Fold(combine, lambda dtype: combine == "&", combined_axes),
        doc=doc,
    )


all = _quantifier("all", "&", "Whether all elements along ``axis`` are true.")

any = _quantifier("any", "|", "Whether some element along ``axis`` is true.")


@covers(np.all, "a axis out keepdims where", method=True)
def all_where(x: Any, axis: Any = None, keepdims: bool = False, where: Any = True) -> Any:
    """``np.all``: `all`, also of some elements only."""
    return all(x if where is True else masked(not_equal(x, 0), where, np.True_), axis, keepdims)


@covers(np.any, "a axis out keepdims where", method=True)
def any_where(x: Any, axis: Any = None, keepdims: bool = False, where: Any = True) -> Any:
    """``np.any``: `any`, also of some elements only."""
    return any(x if where is True else masked(not_equal(x, 0), where, np.False_), axis, keepdims)


@covers(np.count_nonzero, "a axis keepdims")
def count_nonzero(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """How many elements along ``axis`` are not zero."""
    return sum(not_equal(x, 0), axis, keepdims=keepdims)
