"""Sets of numbers in vectors.

Only the run knows how many elements a result has. Derivatives go to the elements that are taken, of
equal ones to the first. All results are sorted, also where NumPy promises no order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.exceptions import AxisError
from numpy.lib.array_utils import normalize_axis_index

from ops.arrays.creation import numbered
from ops.arrays.cumulative import cumsum
from ops.arrays.differences import diff
from ops.arrays.indexing import subscript
from ops.arrays.joining import array, concatenate
from ops.arrays.reduction import any
from ops.core.lengths import length, lengths_of, positions
from ops.core.numpy_table import covers
from ops.core.operands import dims_of, dtype_of, known_length, ndim_of
from ops.core.symbolic_lengths import is_length
from ops.elementwise import equal, isnan, logical_and, logical_not, logical_or, not_equal, subtract
from ops.elementwise.conversion import astype
from ops.order.searching import searchsorted
from ops.order.selection import flatnonzero
from ops.order.sorting import argsort, lexsort, sort
from ops.structure.permuting import moveaxis
from ops.structure.reshaping import ravel, reshape

__all__ = [
    "intersect1d",
    "isin",
    "setdiff1d",
    "setxor1d",
    "union1d",
    "unique",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
]

# -- different elements ----------------------------------------------------------------------------


@covers(np.unique, "ar return_index return_inverse return_counts axis equal_nan sorted=*")
def unique(
    x: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    equal_nan: bool = True,
) -> Any:
    """The different elements of ``x`` in ascending order.

    Args:
        x: an array.
        return_index: also give where each of them is first.
        return_inverse: also give which of them each element of ``x`` is.
        return_counts: also give how often each of them occurs.
        axis: an axis, to take what there is at each position along it for an element; None to
            look at the elements one by one.
        equal_nan: whether all NaN count as one element; not with an axis.

    Returns:
        An array, or a tuple of that and of what else is asked for, in the order of the arguments.

    Raises:
        AxisError: the axis is out of range.
    """
    x = array(x) if isinstance(x, (list, tuple)) else x
    if axis is None or ndim_of(x) == 1:
        if axis is not None:
            normalize_axis_index(axis, 1)
        rows, shape = ravel(x), lengths_of(x)
    else:
        if not -ndim_of(x) <= axis < ndim_of(x):
            raise AxisError(axis, ndim_of(x))
        rows = moveaxis(x, axis, 0)
        shape, equal_nan = lengths_of(rows)[:1], False
    order = None
    if ndim_of(rows) > 1:
        order = _order_of_rows(rows)
    elif return_index or return_inverse:
        order = argsort(rows)
    ordered = sort(rows, stable=False) if order is None else subscript(rows, order)
    new = _is_new(ordered, equal_nan)
    values = subscript(ordered, new)
    results = [values if ndim_of(rows) == 1 else moveaxis(values, 0, axis)]
    if return_index:
        results.append(subscript(order, new))
    if return_inverse:
        number = subtract(cumsum(new), 1)
        results.append(reshape(subscript(number, argsort(order)), shape))
    if return_counts:
        n = dims_of(new)[0]
        is_known = n is not None and not is_length(n)
        size = np.asarray([n]) if is_known else reshape(astype(length(new), np.intp), 1)
        results.append(diff(concatenate([flatnonzero(new), size])))
    return results[0] if len(results) == 1 else tuple(results)


def _order_of_rows(rows: Any) -> Any:
    """The indices that sort rows, the first element of which counts most."""
    flat = reshape(rows, (lengths_of(rows)[0], -1)) if 0 not in dims_of(rows) else None
    if flat is None:
        return np.arange(known_length(rows, 0))
    count = known_length(flat, 1)
    return lexsort([subscript(flat, (slice(None), i)) for i in reversed(range(count))])


def _is_new(ordered: Any, equal_nan: bool) -> Any:
    """Whether each element, or row, differs from the one before it."""
    before = subscript(concatenate([subscript(ordered, slice(0, 1)), ordered]), slice(None, -1))
    new = not_equal(ordered, before)
    if equal_nan and dtype_of(ordered).kind in "fc":
        new = logical_and(new, logical_not(logical_and(isnan(ordered), isnan(before))))
    if ndim_of(new) > 1:
        new = any(new, tuple(range(1, ndim_of(new))))
    n = dims_of(new)[0]
    numbers = positions(length(new)) if n is None else numbered(n, new)
    return logical_or(new, equal(numbers, 0))


@covers(np.unique_values, "x")
def unique_values(x: Any) -> Any:
    """The different elements of ``x`` in ascending order; each NaN is one."""
    return unique(x, equal_nan=False)


# NumPy's types of the results, which have names for their parts.
_All, _Counts, _Inverse = (
    type(function(np.zeros(0))) for function in (np.unique_all, np.unique_counts, np.unique_inverse)
)


@covers(np.unique_all, "x")
def unique_all(x: Any) -> Any:
    """The ``values``, ``indices``, ``inverse_indices`` and ``counts`` of `unique`."""
    return _All(*unique(x, True, True, True, equal_nan=False))


@covers(np.unique_counts, "x")
def unique_counts(x: Any) -> Any:
    """The ``values`` and ``counts`` of `unique`."""
    return _Counts(*unique(x, return_counts=True, equal_nan=False))


@covers(np.unique_inverse, "x")
def unique_inverse(x: Any) -> Any:
    """The ``values`` and ``inverse_indices`` of `unique`."""
    return _Inverse(*unique(x, return_inverse=True, equal_nan=False))


# -- membership ------------------------------------------------------------------------------------


@covers(np.isin, "element test_elements assume_unique=* invert kind")
def isin(element: Any, test_elements: Any, invert: bool = False, kind: str | None = None) -> Any:
    """Whether each element is one of others.

    Args:
        element: an array.
        test_elements: the others, in an array of any shape.
        invert: tell whether it is not.
        kind: None, "sort" or "table", which are the same here.

    Raises:
        ValueError: another kind.
    """
    if kind not in (None, "sort", "table"):
        raise ValueError(f"Invalid kind: '{kind}'. Please use None, 'sort' or 'table'.")
    element, others = (
        array(z) if isinstance(z, (list, tuple)) else z for z in (element, test_elements)
    )
    others, values = sort(ravel(others), stable=False), ravel(element)
    left, right = (searchsorted(others, values, side) for side in ("left", "right"))
    found = not_equal(left, right)
    if dtype_of(values).kind in "fc":
        found = logical_and(found, equal(values, values))
    return reshape(logical_not(found) if invert else found, lengths_of(element))


# -- of two sets -----------------------------------------------------------------------------------


def _vectors(x: Any, y: Any) -> tuple[Any, Any]:
    return tuple(ravel(array(z) if isinstance(z, (list, tuple)) else z) for z in (x, y))


@covers(np.intersect1d, "ar1 ar2 assume_unique return_indices")
def intersect1d(x: Any, y: Any, assume_unique: bool = False, return_indices: bool = False) -> Any:
    """The elements that are in both arrays, in ascending order.

    Args:
        x, y: arrays.
        assume_unique: the elements of each are known to be different.
        return_indices: also give where they are first in ``x`` and in ``y``.
    """
    x, y = _vectors(x, y)
    first = second = None
    if not assume_unique and return_indices:
        (x, first), (y, second) = unique(x, return_index=True), unique(y, return_index=True)
    elif not assume_unique:
        x, y = unique(x), unique(y)
    both = concatenate([x, y])
    order = argsort(both) if return_indices else None
    both = sort(both, stable=False) if order is None else subscript(both, order)
    earlier = subscript(both, slice(None, -1))
    twice = equal(subscript(both, slice(1, None)), earlier)
    common = subscript(earlier, twice)
    if not return_indices:
        return common
    in_x = subscript(subscript(order, slice(None, -1)), twice)
    n = dims_of(x)[0]
    in_y = subtract(
        subscript(subscript(order, slice(1, None)), twice), length(x) if n is None else n
    )
    if first is not None:
        in_x, in_y = subscript(first, in_x), subscript(second, in_y)
    return common, in_x, in_y


@covers(np.setxor1d, "ar1 ar2 assume_unique")
def setxor1d(x: Any, y: Any, assume_unique: bool = False) -> Any:
    """The elements that are in one array only, in ascending order."""
    x, y = _vectors(x, y)
    if not assume_unique:
        x, y = unique(x), unique(y)
    both = sort(concatenate([x, y]), stable=False)
    n = lengths_of(both)[0]
    along = np.arange(n) if isinstance(n, int) else positions(n.value)
    last = n - 1 if isinstance(n, int) else subtract(n.value, 1)
    ends = concatenate([subscript(both, slice(0, 1)), both, subscript(both, slice(-1, None))])
    differs_before = not_equal(both, subscript(ends, slice(None, -2)))
    differs_behind = not_equal(both, subscript(ends, slice(2, None)))
    single = logical_and(
        logical_or(differs_before, equal(along, 0)), logical_or(differs_behind, equal(along, last))
    )
    return subscript(both, single)


@covers(np.union1d, "ar1 ar2")
def union1d(x: Any, y: Any) -> Any:
    """The elements that are in at least one array, in ascending order."""
    return unique(concatenate(_vectors(x, y)))


@covers(np.setdiff1d, "ar1 ar2 assume_unique")
def setdiff1d(x: Any, y: Any, assume_unique: bool = False) -> Any:
    """The elements of ``x`` that are not in ``y``, in ascending order."""
    x, y = _vectors(x, y)
    x = x if assume_unique else unique(x)
    return subscript(x, isin(x, y, invert=True))
