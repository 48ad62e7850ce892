"""Counting: how often each integer occurs, and histograms.

The derivative by the weights is the transpose of counting: the cotangent of its bin for each
element. By the elements it is 0, and by the edges of the bins there is none.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.arrays.creation import full_like, zeros_like
from ops.arrays.cumulative import cumulative_sum
from ops.arrays.differences import diff
from ops.arrays.indexing import index_add, subscript
from ops.arrays.joining import array, atleast_2d, concatenate, stack
from ops.arrays.reduction import all, max, max_from, min, min_from
from ops.control import effects
from ops.core import kernels
from ops.core.batching import Size, require_same
from ops.core.lengths import lengths_of
from ops.core.numpy_table import FUNCTIONS, covers
from ops.core.operands import (
    Symbolic,
    concrete,
    dims_of,
    dtype_of,
    index_of,
    literal,
    ndim_of,
    operand_type,
    shape_of,
)
from ops.core.reads import Scattered
from ops.core.registry import Linear
from ops.core.types import ArrayType, may_agree
from ops.elementwise import (
    add,
    divide,
    equal,
    greater_equal,
    isfinite,
    less,
    less_equal,
    logical_and,
    maximum,
    minimum,
    multiply,
    not_equal,
    subtract,
)
from ops.elementwise.conversion import astype, promote, where
from ops.numbers.complex_numbers import imag, real
from ops.order.searching import searchsorted, size_of
from ops.order.sorting import argsort
from ops.structure.broadcasting import sum
from ops.structure.permuting import transpose
from ops.structure.reshaping import ravel, reshape

__all__ = [
    "bincount",
    "histogram",
    "histogram2d",
    "histogram_bin_edges",
    "histogramdd",
]

# -- integers --------------------------------------------------------------------------------------


def _bincount_prepare(
    x: Any, weights: Any = None, minlength: int = 0, length: int | None = None
) -> tuple:
    if isinstance(x, (list, tuple)):
        x = astype(array(x), np.intp)  # of lists NumPy takes any numbers
    if isinstance(weights, (list, tuple)):
        weights = array(weights)
    x = concrete(x)
    if ndim_of(x) != 1:
        raise ValueError("object of too small depth, or too deep, for desired array")
    if dtype_of(x).kind not in "biu":
        raise TypeError(
            f"Cannot cast array data from {dtype_of(x)!r} to {np.dtype(np.intp)!r} according to "
            "the rule 'safe'"
        )
    minlength = index_of(minlength)
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    if not isinstance(x, Symbolic):
        if x.min(initial=0) < 0:
            raise ValueError("an argument of bincount must have no negative elements")
        length = builtins.max([minlength, *(x[:1] * 0 + x.max(initial=0) + 1).tolist()])
    attrs = {"minlength": minlength, "length": length}
    x = astype(x, np.intp)
    if weights is None:
        return (x,), attrs
    if ndim_of(weights) != 1:
        raise ValueError("object of too small depth, or too deep, for desired array")
    if dtype_of(weights).kind == "c":
        raise TypeError("Cannot cast array data from dtype('complex128') to dtype('float64')")
    m, n = dims_of(x)[0], dims_of(weights)[0]
    if m != n and None not in (m, n):
        raise ValueError("The weights and list don't have the same length.")
    return (x, astype(weights, np.float64)), attrs


def _bincount_infer(
    x: ArrayType, weights: ArrayType | None = None, *, minlength: int, length: int | None
) -> tuple[ArrayType]:
    counts = weights is None or x.shape == (0,)  # NumPy gives integers if there is nothing
    return (ArrayType(np.dtype(np.intp if counts else np.float64), (length,)),)


def _bincount_hoped(types: Sequence[ArrayType], attrs: dict[str, Any]) -> dict[str, Any] | None:
    """As many as are asked for: mostly it is said how many there are."""
    if attrs["length"] is not None or not attrs["minlength"]:
        return None
    return {"minlength": 0, "length": attrs["minlength"]}


def counts_of(counts, length):
    """What was counted, if it has a length."""
    if len(counts) != length:
        error = IndexError(f"there are {len(counts)} counts, not {length}")
        # No IndexError of the user's, see `autograph.api.calls.bets`.
        error.__autograph_slice__ = "more counts"
        raise error
    return counts


def _may_be_longer(attrs: dict[str, Any]) -> bool:
    return attrs["length"] is not None and attrs["minlength"] < attrs["length"]


def _bincount_code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    if _may_be_longer(attrs):
        length = attrs["length"]
        return f"counts_of(np.bincount({', '.join(args)}, minlength={length}), {length})"
    minlength = f", minlength={attrs['minlength']}" if attrs["minlength"] else ""
    counted = f"np.bincount({', '.join(args)}{minlength})"
    maybe_empty = len(args) > 1 and types[0].shape == (None,)
    return f"{counted}.astype('float64')" if maybe_empty else counted


def _bincount_batch(
    size: Size, batched: Sequence[bool], args: Sequence[Any], minlength: int, length: int | None
) -> Any:
    x, n = args[0], length
    if length is None:
        require_same(batched[:1], "the largest integer, and so how many are counted,")
        (n,) = lengths_of(bincount.apply((x,), {"minlength": minlength, "length": None}))
    else:
        x = where(less(x, 0), length, x)  # is out of range
    nothing = dims_of(x)[-1] == 0
    dtype = np.dtype(np.intp if len(args) == 1 or nothing else np.float64)
    counts = zeros_like(args[batched.index(True)], dtype, shape=(size, n))
    if nothing:
        return counts
    weights = args[1] if len(args) > 1 else np.intp(1)
    flags = (True, len(args) > 1 and batched[1], batched[0])
    return index_add.batch(size, flags, (counts, weights, x), index=(("arg", 0),))


def _bincount_expansion(x: Any, weights: Any = None, *, minlength: int, length: int | None) -> Any:
    """By adding at places. Where one is negative, which is an error, it is out of range."""
    dtype = np.dtype(np.intp if weights is None or dims_of(x) == (0,) else np.float64)
    n = length
    if length is None:
        n = maximum(add(max_from(x, initial=-1), 1), minlength)
    counts = full_like(x, 0, dtype, (n,))
    if dims_of(x) == (0,):
        return counts
    weights = np.intp(1) if weights is None else weights
    return index_add(counts, weights, where(less(x, 0), n, x), index=(("arg", 0),))


bincount = Linear(
    "bincount",
    _bincount_infer,
    _bincount_code,
    transposes=[None, lambda ct, x, weights, minlength, length: subscript(ct, x)],
    zeros="moved",
    raises=lambda types, attrs: attrs["length"] is None or _may_be_longer(attrs),
    unknown_lengths=True,
    hoped=_bincount_hoped,
    helpers=[counts_of],
    prepare=_bincount_prepare,
    batch=_bincount_batch,
    reads=Scattered(1, lambda types, attrs: types[1].shape, starts=False),
    native=kernels.Expansion(_bincount_expansion),
    doc="""How often each of the integers from 0 up occurs, or the sums of their weights.

    Args:
        x: a vector of integers from 0 up.
        weights: a weight for each of them.
        minlength: the least length of the result, which is one more than the largest element.
        length: the length of the result if it is known. Without, only the run knows it.

    Raises:
        TypeError: ``x`` are no integers, or the weights are complex.
        ValueError: they are no vectors of the same length; an integer is negative.
    """,
)


@covers(np.bincount)
def numpy_bincount(x: Any, /, weights: Any = None, minlength: int = 0) -> Any:
    """``np.bincount``; of a list it takes any numbers, which an array must not have."""
    return bincount(x, weights, minlength)


# -- edges -----------------------------------------------------------------------------------------


def _outer_edges(x: Any, range: Any) -> tuple[Any, Any]:
    """The first and the last edge."""
    if range is not None:
        first, last = range
        effects.check(
            less_equal(first, last),
            error="ValueError",
            message="max must be larger than min in range parameter.",
        )
        message = "supplied range is not finite"
    elif dims_of(x) == (0,):
        return 0, 1
    elif dims_of(x) == (None,):
        none, dtype = equal(size_of(x), 0), dtype_of(x)
        low, high = _limits(dtype)
        first = where(none, dtype.type(0), min_from(x, initial=high))
        last = where(none, dtype.type(1), max_from(x, initial=low))
        message = "autodetected range is not finite"
    else:
        first, last = min(x), max(x)
        message = "autodetected range is not finite"
    effects.check(logical_and(isfinite(first), isfinite(last)), error="ValueError", message=message)
    same = equal(first, last)
    if isinstance(same, Symbolic):
        return where(same, subtract(first, 0.5), first), where(same, add(last, 0.5), last)
    return (first - 0.5, last + 0.5) if same else (first, last)


def _limits(dtype: np.dtype) -> tuple[Any, Any]:
    if dtype.kind == "c":
        return complex(-np.inf, -np.inf), complex(np.inf, np.inf)
    return (-np.inf, np.inf) if dtype.kind == "f" else (np.iinfo(dtype).min, np.iinfo(dtype).max)


def _edges(x: Any, bins: Any, range: Any, weights: Any) -> tuple[Any, tuple | None]:
    """The edges of the bins, and (first, last, number) if all bins are equally wide.

    Raises:
        TypeError, ValueError: ``bins`` or ``range`` is not what NumPy takes.
        NotImplementedError: how many bins there are would depend on the data.
    """
    if isinstance(bins, str):
        if weights is not None:
            raise TypeError(
                "Automated estimation of the number of bins is not supported for weighted data"
            )
        raise NotImplementedError(
            f"bins={bins!r}: the number of bins would depend on data known only at run time; use "
            "a number of bins, or an array of edges"
        )
    bins = concrete(array(bins) if isinstance(bins, (list, tuple)) else bins)
    if ndim_of(bins) > 1:
        raise ValueError("`bins` must be 1d, when an array")
    if ndim_of(bins) == 1:
        _check_order(bins, less_equal, "`bins` must increase monotonically, when an array")
        return bins, None
    try:
        number = index_of(bins)
    except TypeError:
        raise TypeError("`bins` must be an integer, a string, or an array") from None
    if number < 1:
        raise ValueError("`bins` must be positive, when an integer")
    first, last = _outer_edges(x, range)
    dtype = promote(*map(operand_type, (first, last, x)))
    if dtype.kind in "iu":
        dtype = np.result_type(dtype, float)
    edges = FUNCTIONS[np.linspace](first, last, number + 1, dtype=dtype)
    _check_order(
        edges,
        less,
        f"Too many bins for data range. Cannot create {number} finite-sized bins.",
    )
    return edges, (first, last, number)


def _check_order(edges: Any, in_order: Any, message: str) -> None:
    pairs = in_order(subscript(edges, slice(None, -1)), subscript(edges, slice(1, None)))
    effects.check(all(pairs), error="ValueError", message=message)


def _vectors(x: Any, weights: Any) -> tuple[Any, Any]:
    x, weights = (array(z) if isinstance(z, (list, tuple)) else z for z in (x, weights))
    if dtype_of(x).kind == "b":
        x = astype(x, np.uint8)
    if weights is not None:
        if not may_agree(dims_of(weights), dims_of(x)):
            raise ValueError("weights should have the same shape as a.")
        weights = ravel(weights)
        if None in dims_of(x) or None in dims_of(weights):
            effects.check(
                equal(size_of(x), size_of(weights)),
                error="ValueError",
                message="weights should have the same shape as a.",
            )
    return ravel(x), weights


@covers(np.histogram_bin_edges, "a bins range weights")
def histogram_bin_edges(x: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    """The edges of the bins that `histogram` counts in; the arguments are the same."""
    x, weights = _vectors(x, weights)
    return _edges(x, bins, range, weights)[0]


# -- histograms ------------------------------------------------------------------------------------


@covers(np.histogram, "a bins range density weights")
def histogram(
    x: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> tuple[Any, Any]:
    """How many elements are in each of some bins, and the edges of the bins.

    A bin contains its left edge, the last one its right edge too.

    Args:
        x: an array of real numbers.
        bins: a number of bins, which must be known when the graph is built, or their edges.
        range: the first and the last edge, by default the smallest and the largest element.
        density: whether to divide by the total and by the widths of the bins.
        weights: what each element counts, an array of the same shape.

    Raises:
        ValueError: the edges are not in order or not finite, the shapes differ.
        NotImplementedError: ``bins`` is the name of a rule for their number.
    """
    x, weights = _vectors(x, weights)
    edges, uniform = _edges(x, bins, range, weights)
    are_flags = weights is not None and dtype_of(weights).kind == "b"
    if uniform is None and are_flags and dims_of(x) != (0,):
        raise TypeError("weights that are booleans cannot be added up")
    if None in dims_of(edges):
        counts = _counted_between(x, weights, edges)
    else:
        bin = _bin_of(x, edges) if uniform is None else _uniform_bin_of(x, edges, *uniform)
        counts = _counted(bin, weights, dims_of(edges)[0] - 1)
    if density:
        widths = astype(diff(edges), np.float64)
        counts = divide(divide(counts, widths), sum(counts))
    return counts, edges


def _bin_of(x: Any, edges: Any) -> Any:
    """The number of the bin that each element is in, as many as there are bins if in none."""
    n = shape_of(edges)[0] - 1
    bin = subtract(searchsorted(edges, x, "right"), 1)
    bin = where(equal(x, subscript(edges, -1)), np.intp(n - 1), bin)
    return where(logical_and(greater_equal(bin, 0), less(bin, n)), bin, np.intp(n))


def _uniform_bin_of(x: Any, edges: Any, first: Any, last: Any, n: int) -> Any:
    """The same by division, put right where rounding has led to a neighbour, as in NumPy."""
    inside = logical_and(greater_equal(x, first), less_equal(x, last))
    x = where(inside, astype(x, dtype_of(edges)), astype(first, dtype_of(edges)))
    place = multiply(divide(subtract(x, first), subtract(last, first)), n)
    bin = astype(place, np.intp)
    bin = subtract(bin, equal(bin, n))
    bin = subtract(bin, less(x, subscript(edges, bin)))
    too_low = greater_equal(x, subscript(edges, add(bin, 1)))
    bin = add(bin, logical_and(too_low, not_equal(bin, n - 1)))
    return where(inside, bin, np.intp(n))


def _counted(bin: Any, weights: Any, n: int) -> Any:
    """How many elements, or what weight, is in each bin."""
    if weights is None:
        return subscript(bincount(bin, None, n + 1, n + 1), slice(None, n))
    if dtype_of(weights).kind == "c":
        parts = [_counted(bin, part(weights), n) for part in (real, imag)]
        return astype(add(parts[0], multiply(1j, parts[1])), dtype_of(weights))
    counts = subscript(bincount(bin, weights, n + 1, n + 1), slice(None, n))
    return astype(counts, dtype_of(weights))


def _counted_between(x: Any, weights: Any, edges: Any) -> Any:
    """The same between edges of which only the run knows how many there are."""
    order = argsort(x, stable=False)
    x = subscript(x, order)
    before = searchsorted(x, subscript(edges, slice(None, -1)), "left")
    places = concatenate([before, searchsorted(x, subscript(edges, slice(-1, None)), "right")])
    if weights is None:
        return diff(places)
    total = cumulative_sum(subscript(weights, order), dtype=dtype_of(weights), include_initial=True)
    return diff(subscript(total, places))


@covers(np.histogramdd, "sample bins range density weights")
def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> tuple[Any, list[Any]]:
    """How many points are in each of the bins of a grid, as floats, and the edges along each axis.

    Args:
        sample: points as the rows of a matrix, or a sequence of vectors of coordinates.
        bins: a number of bins, or numbers or edges for each axis.
        range: for each axis None or the first and the last edge.
        density, weights: as for `histogram`.

    Raises:
        ValueError: the edges are not in order, or there are not as many of them as axes.
    """
    if isinstance(sample, (list, tuple)):
        sample = stack([array(z) if isinstance(z, (list, tuple)) else z for z in sample])
        sample = transpose(atleast_2d(sample))
    elif ndim_of(sample) != 2:
        sample = transpose(atleast_2d(sample))
    if ndim_of(sample) != 2:
        raise ValueError("the sample must be a matrix, or a sequence of vectors")
    axes = dims_of(sample)[1]
    if isinstance(bins, (list, tuple)) or ndim_of(bins):
        if len(bins) != axes:
            raise ValueError(
                "The dimension of bins must be equal to the dimension of the sample x."
            )
    else:
        bins = [bins] * axes
    if range is None:
        range = [None] * axes
    elif len(range) != axes:
        raise ValueError("range argument must have one entry per dimension")
    columns = [subscript(sample, (slice(None), i)) for i in builtins.range(axes)]
    edges = [_axis_edges(*given) for given in zip(columns, bins, range)]
    shape = tuple(shape_of(e)[0] - 1 for e in edges)
    size = math.prod(shape)
    place = np.intp(0)
    for x, along, n in zip(columns, edges, shape):
        bin = _bin_of(x, along)
        place = where(equal(bin, n), np.intp(size), add(multiply(place, n), bin))
    place = minimum(place, np.intp(size))
    if weights is not None and dtype_of(weights).kind == "c":
        raise TypeError("Cannot cast array data from dtype('complex128') to dtype('float64')")
    counts = reshape(astype(_counted(place, weights, size), np.float64), shape)
    if density:
        total = sum(counts)
        for i, along in enumerate(edges):
            width = reshape(diff(along), [-1 if j == i else 1 for j in builtins.range(axes)])
            counts = divide(counts, width)
        counts = divide(counts, total)
    return counts, edges


def _axis_edges(x: Any, bins: Any, range: Any) -> Any:
    """The edges along one axis of a grid."""
    if isinstance(bins, (list, tuple)) or ndim_of(bins):
        return _edges(x, bins, range, None)[0]
    known = literal(bins)
    if known is not None and known < 1:
        raise ValueError("`bins` must be positive, when an integer")
    if dtype_of(bins).kind not in "iu":
        raise TypeError("`bins` must be an integer, when a scalar")
    number = index_of(bins)
    if number < 1:
        raise ValueError("`bins` must be positive, when an integer")
    return FUNCTIONS[np.linspace](*_outer_edges(x, range), number + 1)


@covers(np.histogram2d, "x y bins range density weights")
def histogram2d(
    x: Any,
    y: Any,
    bins: Any = 10,
    range: Any = None,
    density: Any = None,
    weights: Any = None,
) -> tuple[Any, Any, Any]:
    """`histogramdd` of points in the plane.

    Args:
        x, y: the coordinates, vectors.
        bins: a number of bins or the edges along both axes, or one of these for each axis.
        range, density, weights: as for `histogramdd`.

    Raises:
        ValueError: ``x`` and ``y`` are of different lengths.
    """
    x, y = (array(z) if isinstance(z, (list, tuple)) else z for z in (x, y))
    if not ndim_of(x) or not ndim_of(y):
        raise TypeError("len() of unsized object")
    if not may_agree(dims_of(x)[:1], dims_of(y)[:1]):
        raise ValueError("x and y must have the same length.")
    is_list = isinstance(bins, (list, tuple))
    if is_list or ndim_of(bins):
        count = len(bins) if is_list else shape_of(bins)[0]
        if count not in (1, 2):
            edges = array(bins) if is_list else bins
            bins = [edges, edges]
    counts, edges = histogramdd([x, y], bins, range, density, weights)
    return counts, edges[0], edges[1]
