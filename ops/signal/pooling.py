"""Sliding windows of arrays, and the reductions of such windows that neural networks use.

Arrays to pool are laid out channels first: ``(batch, channels, *lengths)``, in any number of
dimensions. `strided_windows` makes the windows without copying; its transpose `overlap_add` adds
windows up where they were.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ops.core import kernels
from ops.core.index_maps import quotient, rest, scaled, within
from ops.core.lengths import lengths_of
from ops.core.operands import dims_of, dtype_of, shape_of
from ops.core.registry import Custom, Linear
from ops.core.types import ArrayType
from ops.elementwise import divide, maximum
from ops.elementwise.conversion import astype
from ops.shapes.padding import pad
from ops.signal.convolution import Pairs, PerAxis, extent, pairs_of, per_axis
from ops.structure.broadcasting import broadcast_to
from ops.structure.lanes import with_same_attributes
from ops.structure.reshaping import expand_dims

__all__ = [
    "avg_pool",
    "max_chosen",
    "max_pool",
    "max_shared",
    "overlap_add",
    "strided_windows",
    "window_max",
    "window_sum",
]

# -- windows ---------------------------------------------------------------------------------------


def _windows_infer(
    x: ArrayType, window: PerAxis, strides: PerAxis, dilation: PerAxis
) -> tuple[ArrayType]:
    lead = x.ndim - len(window)
    if lead < 0:
        raise ValueError(f"windows of shape {window} of an array of shape {x.shape}")
    lengths = []
    known = x.known(range(lead, x.ndim))
    for n, m, stride, step in zip(known, window, strides, dilation):
        if extent(m, step) > n:
            raise ValueError(f"window shape {window} is larger than that of the array, {x.shape}")
        lengths.append((n - extent(m, step)) // stride + 1)
    return (ArrayType(x.dtype, (*x.shape[:lead], *lengths, *window)),)


def window_view(x, window, strides, dilation):
    """The windows of the last axes of ``x``, without copying."""
    lead = x.ndim - len(window)
    moves = x.strides[lead:]
    lengths = [
        (n - ((m - 1) * d + 1 if m else 0)) // s + 1
        for n, m, s, d in zip(x.shape[lead:], window, strides, dilation)
    ]
    return np.lib.stride_tricks.as_strided(
        x,
        (*x.shape[:lead], *lengths, *window),
        (
            *x.strides[:lead],
            *(m * s for m, s in zip(moves, strides)),
            *(m * d for m, d in zip(moves, dilation)),
        ),
    )


def added_up(x, lengths, strides, dilation):
    """The transpose of ``window_view``: windows added up in an array of the given lengths."""
    ndim = len(lengths)
    lead = x.ndim - 2 * ndim
    result = np.zeros((*x.shape[:lead], *lengths), x.dtype)
    counts, sizes = x.shape[lead : lead + ndim], x.shape[lead + ndim :]
    for position in np.ndindex(*sizes):
        target = tuple(
            slice(p * d, p * d + (n - 1) * s + 1, s)
            for p, d, n, s in zip(position, dilation, counts, strides)
        )
        result[(..., *target)] += x[(..., *position)]
    return result


def _windows_element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    ndim = types[0].ndim
    return read(0, _in_window(index[:ndim], index[ndim:], attrs["strides"], attrs["dilation"]))


def _in_window(position: tuple, place: tuple, strides: PerAxis, dilation: PerAxis) -> tuple:
    """The index into an array of a place in the window at a position."""
    lead = len(position) - len(place)
    moves = zip(position[lead:], place, strides, dilation)
    return (*position[:lead], *(scaled(i, s, scaled(p, d)) for i, p, s, d in moves))


strided_windows = Linear(
    "strided_windows",
    _windows_infer,
    "window_view({0}, {window}, {strides}, {dilation})",
    transposes=[
        lambda ct, x, window, strides, dilation: overlap_add(
            ct, lengths=dims_of(x)[-len(window) :], strides=strides, dilation=dilation
        )
    ],
    zeros="moved",
    view=True,
    helpers=[window_view],
    unknown_lengths=True,
    batch=with_same_attributes(),
    native=kernels.Element(_windows_element),
    doc="""The windows of the last axes of ``x``: one axis for each of their positions, then one for
    each of their lengths.

    Args:
        x: an array.
        window: the lengths of a window, one for each of the last axes.
        strides: by how much it moves along them.
        dilation: the distance of neighbours in it.

    Raises:
        ValueError: a window is longer than the array.
    """,
    precision="exact",
)


def _overlap_infer(
    x: ArrayType, lengths: PerAxis, strides: PerAxis, dilation: PerAxis
) -> tuple[ArrayType]:
    return (ArrayType(x.dtype, (*x.shape[: x.ndim - 2 * len(lengths)], *lengths)),)


def _overlap_element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    ndim, shape = len(attrs["lengths"]), types[0].known_shape
    lead = len(index) - ndim
    total: Any = types[0].dtype.type(0)
    for place in np.ndindex(*shape[lead + ndim :]):
        inside, position = True, []
        for i, n, count, p, s, d in zip(
            index[lead:], attrs["lengths"], shape[lead:], place, attrs["strides"], attrs["dilation"]
        ):
            start = p * d
            inside = inside & within(i, start, start + (count - 1) * s + 1, n)
            if s > 1:
                inside = inside & (rest(scaled(i, 1, -start), s) == 0)
            position.append(quotient(scaled(i, 1, -start), s))
        part = kernels.choose(
            inside,
            functools.partial(read, 0, (*index[:lead], *position, *place)),
            lambda: types[0].dtype.type(0),
        )
        total = part + total
    return total


overlap_add: Linear = Linear(
    "overlap_add",
    _overlap_infer,
    "added_up({0}, {lengths}, {strides}, {dilation})",
    transposes=[
        lambda ct, x, lengths, strides, dilation: strided_windows(
            ct, window=dims_of(x)[-len(lengths) :], strides=strides, dilation=dilation
        )
    ],
    zeros="moved",
    helpers=[added_up],
    unknown_lengths=True,
    batch=with_same_attributes(),
    native=kernels.Element(
        _overlap_element,
        when=lambda types, attrs: math.prod(types[0].shape[-len(attrs["lengths"]) :]) <= 32,
    ),
    doc="""The transpose of `strided_windows`: the array of the given lengths in which each element
    is the sum of those that stand in its place in some window.""",
)


# -- reductions of windows -------------------------------------------------------------------------


def window_parts(x, window, strides, dilation):
    """For each place in a window, the elements of ``x`` that stand there in all windows."""
    lead = x.ndim - len(window)
    for place in np.ndindex(*window):
        part = [slice(None)] * lead
        for n, p, m, s, d in zip(x.shape[lead:], place, window, strides, dilation):
            count = (n - (m - 1) * d - 1) // s + 1
            part.append(slice(p * d, p * d + (count - 1) * s + 1, s))
        yield x[tuple(part)]


def window_totals(x, window, strides, dilation):
    """The sums of windows of the last axes of ``x``."""
    parts = window_parts(x, window, strides, dilation)
    total = next(parts).copy()
    for part in parts:
        total += part
    return total


def window_maxima(x, window, strides, dilation):
    """The maxima of windows of the last axes of ``x``."""
    parts = window_parts(x, window, strides, dilation)
    largest = next(parts).copy()
    for part in parts:
        largest = np.maximum(largest, part)
    return largest


def _reduced_infer(
    x: ArrayType, window: PerAxis, strides: PerAxis, dilation: PerAxis
) -> tuple[ArrayType]:
    (result,) = _windows_infer(x, window, strides, dilation)
    if 0 in window:
        raise ValueError(f"windows of shape {window} have no elements")
    return (ArrayType(x.dtype, result.shape[: x.ndim]),)


def _is_small(types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
    """Whether the windows are so small that each element is named in a kernel."""
    return math.prod(attrs["window"]) <= 32


def _window_elements(read: Callable, index: tuple, attrs: dict[str, Any]) -> Iterator[Any]:
    for place in np.ndindex(*attrs["window"]):
        yield read(0, _in_window(index, place, attrs["strides"], attrs["dilation"]))


def _in_windows(x: Any, window: PerAxis) -> Any:
    """One number for each window as one for each of its elements."""
    last = tuple(range(-len(window), 0))
    return broadcast_to(expand_dims(x, last), (*lengths_of(x), *window))


def _total_transpose(ct: Any, x: Any, window: PerAxis, strides: PerAxis, dilation: PerAxis) -> Any:
    lengths = dims_of(x)[-len(window) :]
    parts = _in_windows(ct, window)
    return overlap_add(parts, lengths=lengths, strides=strides, dilation=dilation)


window_sum = Linear(
    "window_sum",
    _reduced_infer,
    "window_totals({0}, {window}, {strides}, {dilation})",
    transposes=[_total_transpose],
    zeros="moved",
    helpers=[window_parts, window_totals],
    unknown_lengths=True,
    batch=with_same_attributes(),
    native=kernels.Element(
        lambda read, index, types, attrs: functools.reduce(
            operator.or_ if types[0].dtype.kind == "b" else operator.add,
            _window_elements(read, index, attrs),
        ),
        when=_is_small,
    ),
    doc="""The sums of the windows that `strided_windows` makes, in the dtype of ``x``.""",
)


def window_shared(ct, x, largest, window, strides, dilation):
    """For each window a number of ``ct``, evenly among the elements that are its maximum."""
    count = sum((part == largest) * 1 for part in window_parts(x, window, strides, dilation))
    ct = ct / count.astype(ct.dtype)
    result = np.zeros(x.shape, ct.dtype)
    parts = window_parts(x, window, strides, dilation)
    targets = window_parts(result, window, strides, dilation)
    for part, target in zip(parts, targets):
        target[...] = target + np.where(part == largest, ct, 0)
    return result


def window_chosen(change, x, largest, window, strides, dilation):
    """For each window the mean of ``change`` at the elements of ``x`` that are its maximum."""
    count = total = 0
    parts = window_parts(x, window, strides, dilation)
    for part, moved in zip(parts, window_parts(change, window, strides, dilation)):
        chosen = part == largest
        count = count + chosen * 1
        total = total + np.where(chosen, moved, 0)
    return total / count.astype(total.dtype)


def _chosen_element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    number = types[0].dtype.type
    largest, count, total = read(2, index), number(0), number(0)
    for place in np.ndindex(*attrs["window"]):
        at = _in_window(index, place, attrs["strides"], attrs["dilation"])
        chosen = read(1, at) == largest
        count = count + kernels.select(chosen, number(1), number(0))
        total = total + kernels.select(chosen, read(0, at), number(0))
    return total / count


def _are_apart(types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
    """Whether each element stands in one small window at most."""
    apart = attrs["window"] == attrs["strides"] and set(attrs["dilation"]) <= {1}
    return apart and _is_small(types, attrs)


def _shared_element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    number, window = types[0].dtype.type, attrs["window"]
    lead = len(index) - len(window)
    inside: Any = True
    for i, m, n, length in zip(
        *(index[lead:], window, types[2].known_shape[lead:], types[1].known_shape[lead:])
    ):
        inside = inside & within(i, 0, n * m, length)
    at = (*index[:lead], *(quotient(i, m) for i, m in zip(index[lead:], window)))

    def share() -> Any:
        largest, count = read(2, at), number(0)
        for place in np.ndindex(*window):
            part = read(1, _in_window(at, place, window, attrs["dilation"]))
            count = count + kernels.select(part == largest, number(1), number(0))
        return kernels.select(read(1, index) == largest, read(0, at) / count, number(0))

    return kernels.choose(inside, share, lambda: number(0)) + number(0)


max_shared = Linear(
    "max_shared",
    lambda ct, x, largest, **attrs: (ArrayType(ct.dtype, x.shape),),
    "window_shared({0}, {1}, {2}, {window}, {strides}, {dilation})",
    transposes=[lambda ct, _, x, largest, **attrs: max_chosen(ct, x, largest, **attrs), None, None],
    zeros="moved",
    helpers=[window_parts, window_shared],
    unknown_lengths=True,
    batch=with_same_attributes(),
    cost=30.0,
    native=kernels.Element(_shared_element, when=_are_apart),
    doc="""The transpose of the derivative of `window_max`: one number for each window goes to the
    element of ``x`` that is its maximum, or evenly to those that are.""",
)

max_chosen: Linear = Linear(
    "max_chosen",
    lambda change, x, largest, **attrs: (ArrayType(change.dtype, largest.shape),),
    "window_chosen({0}, {1}, {2}, {window}, {strides}, {dilation})",
    transposes=[lambda ct, _, x, largest, **attrs: max_shared(ct, x, largest, **attrs), None, None],
    zeros="moved",
    helpers=[window_parts, window_chosen],
    unknown_lengths=True,
    batch=with_same_attributes(),
    cost=30.0,
    native=kernels.Element(_chosen_element, when=_is_small),
    doc="""The derivative of `window_max`: how its elements change with those of ``x`` that they
    are.""",
)


window_max = Custom(
    "window_max",
    _reduced_infer,
    "window_maxima({0}, {window}, {strides}, {dilation})",
    vjp=lambda cts, args, outs, **attrs: (max_shared(cts[0], args[0], outs[0], **attrs),),
    jvp=lambda tangents, args, outs, **attrs: (max_chosen(tangents[0], args[0], outs[0], **attrs),),
    linear=(),
    zeros="moved",
    helpers=[window_parts, window_maxima],
    unknown_lengths=True,
    batch=with_same_attributes(),
    native=kernels.Element(
        lambda read, index, types, attrs: functools.reduce(
            maximum.kernels[types[0].dtype.kind], _window_elements(read, index, attrs)
        ),
        when=_is_small,
    ),
    doc="""The largest elements of the windows that `strided_windows` makes; NaN if there is one.

    In the derivative several that are the largest share it evenly.
    """,
    precision="exact",
)

# -- pooling ---------------------------------------------------------------------------------------


def _pooled(
    x: Any, window: Any, stride: Any, padding: Any, dilation: Any, fill: Any
) -> tuple[Any, dict[str, PerAxis], Pairs]:
    """``x`` with ``fill`` around it, how to make windows of it, and how much was put around."""
    lengths = shape_of(x)[2:]
    if not lengths:
        raise ValueError(f"pooling takes arrays (batch, channels, *lengths), not {shape_of(x)}")
    sizes = per_axis(window, len(lengths), "window")
    strides = sizes if stride is None else per_axis(stride, len(lengths), "stride")
    dilations = per_axis(dilation, len(lengths), "dilation")
    reach = [extent(m, d) for m, d in zip(sizes, dilations)]
    pairs = pairs_of(padding, lengths, reach, strides)
    if any(not 0 <= p < size for pair, size in zip(pairs, reach) for p in pair):
        raise ValueError(f"padding {pairs} that does not fit the windows, {sizes}")
    if any(n + low + high < size for n, (low, high), size in zip(lengths, pairs, reach)):
        raise ValueError(f"windows of shape {sizes} are larger than the array, {shape_of(x)}")
    if any(p for pair in pairs for p in pair):
        x = pad(x, ((0, 0), (0, 0), *pairs), constant_values=fill)
    return x, {"window": sizes, "strides": strides, "dilation": dilations}, pairs


def _lowest(dtype: np.dtype) -> Any:
    if dtype.kind == "f":
        return dtype.type(-np.inf)
    if dtype.kind == "b":
        return np.False_
    if dtype.kind in "iu":
        return dtype.type(np.iinfo(dtype).min)
    raise TypeError(f"the largest of numbers of type {dtype.name}")


def max_pool(x: Any, window: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1) -> Any:
    """The largest element of each window.

    The derivative is that of ``np.max``: if several elements of a window are the largest, they
    share it evenly.

    Args:
        x: ``(batch, channels, *lengths)``.
        window: the lengths of a window, or one number for all.
        stride: by how much it moves; by default by its length.
        padding: how much is put around ``x``, as for `conv`; none of it is ever the largest.
        dilation: the distance of neighbours in a window.

    Raises:
        ValueError: a window is longer than the array, or lies in the padding as a whole.
        TypeError: the numbers are complex.
    """
    lowest = _lowest(dtype_of(x))
    x, attrs, _ = _pooled(x, window, stride, padding, dilation, lowest)
    return window_max(x, **attrs)


def avg_pool(
    x: Any,
    window: Any,
    stride: Any = None,
    padding: Any = 0,
    count_padding: bool = True,
) -> Any:
    """The mean of the elements of each window.

    Args:
        x: ``(batch, channels, *lengths)``; integers are taken as float64.
        window: the lengths of a window, or one number for all.
        stride: by how much it moves; by default by its length.
        padding: the zeros put around ``x``, as for `conv`.
        count_padding: they count as elements; else only what is of ``x`` does.

    Raises:
        ValueError: a window is longer than the array, or lies in the padding as a whole.
    """
    dtype = dtype_of(x)
    if dtype.kind not in "fc":
        x, dtype = astype(x, np.float64), np.dtype(np.float64)
    shape = shape_of(x)[2:]
    x, attrs, pairs = _pooled(x, window, stride, padding, 1, 0)
    count: Any = math.prod(attrs["window"])
    if not count_padding and any(p for pair in pairs for p in pair):
        inside = np.pad(np.ones(shape, np.zeros(0, dtype).real.dtype), pairs)
        count = window_totals(inside, **attrs)
    return divide(window_sum(x, **attrs), count)
