"""Convolution of stacks of signals, images and volumes.

Arrays are laid out channels first: ``(batch, channels, *lengths)``, in any number of dimensions.

Convolution is bilinear, and its transposes are convolutions (Dumoulin & Visin, "A guide to
convolution arithmetic for deep learning", 2016): what was the stride dilates the input, and the
other way round. So one operator, `grouped_convolution`, is closed under differentiation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ops.arrays.rearrange import flip
from ops.core import index_maps, kernels
from ops.core.batching import Size
from ops.core.lengths import lengths_of
from ops.core.operands import dims_of, index_of, shape_of
from ops.core.reads import EVERY, ElementReader
from ops.core.registry import Linear
from ops.core.types import ArrayType
from ops.structure.permuting import moveaxis, swapaxes
from ops.structure.reshaping import merged, reshape

__all__ = [
    "conv",
    "conv_transpose",
    "grouped_convolution",
]

PerAxis = tuple[int, ...]
Pairs = tuple[tuple[int, int], ...]

# -- the operator ----------------------------------------------------------------------------------


def extent(n: int, dilation: int) -> int:
    """The length of ``n`` elements with ``dilation - 1`` gaps between neighbours."""
    return (n - 1) * dilation + 1 if n else 0


def _convolution_infer(
    x: ArrayType,
    kernel: ArrayType,
    strides: PerAxis,
    padding: Pairs,
    x_dilation: PerAxis,
    kernel_dilation: PerAxis,
) -> tuple[ArrayType]:
    ndim = len(strides)
    if x.ndim != ndim + 3 or kernel.ndim != ndim + 3:
        raise ValueError(f"a convolution in {ndim} dimensions of shapes {x.shape}, {kernel.shape}")
    (groups, batch, channels), (kernel_groups, features, depth) = x.shape[:3], kernel.shape[:3]
    for operand in (x, kernel):
        operand.known(range(3, ndim + 3))
    if not (_may_be_equal(groups, kernel_groups) and _may_be_equal(channels, depth)):
        raise ValueError(
            f"a convolution of {groups} groups of {channels} channels with a kernel for "
            f"{kernel_groups} groups of {depth} channels"
        )
    lengths = []
    for n, m, stride, (low, high), dilated, kernel_dilated in zip(
        x.shape[3:], kernel.shape[3:], strides, padding, x_dilation, kernel_dilation
    ):
        room = extent(n, dilated) + low + high
        if room < 0:
            raise ValueError(f"the padding ({low}, {high}) takes away more than there is")
        lengths.append(max((room - extent(m, kernel_dilated)) // stride + 1, 0))
    *_, dtype = np.matmul.resolve_dtypes((x.dtype, kernel.dtype, None))
    groups = kernel_groups if groups is None else groups
    return (ArrayType(dtype, (groups, batch, features, *lengths)),)


def _may_be_equal(m: int | None, n: int | None) -> bool:
    return m == n or None in (m, n)


def spread(x, padding, dilation):
    """``x`` with zeros between and around the elements of its last axes; negative padding cuts."""
    lead = x.ndim - len(padding)
    lengths, target, source = [], [], []
    for n, (low, high), step in zip(x.shape[lead:], padding, dilation):
        length = ((n - 1) * step + 1 if n else 0) + low + high
        first = max(0, -(low // step))
        stop = max(first, min(n, -((low - length) // step)))
        start = low + step * first
        lengths.append(length)
        source.append(slice(first, stop))
        target.append(slice(start, start + step * (stop - first), step))
    if lengths == list(x.shape[lead:]) and all(low == 0 for low, _ in padding):
        return x
    result = np.zeros((*x.shape[:lead], *lengths), x.dtype)
    if all(s.stop > s.start for s in source):
        result[(..., *target)] = x[(..., *source)]
    return result


def convolved(x, kernel, strides, padding, x_dilation, kernel_dilation):
    """The sum of products of ``kernel``, (groups, features, channels, *lengths), with the windows
    of ``x``, (groups, batch, channels, *lengths): one matrix product per piece of the batch."""
    x = spread(x, padding, x_dilation)
    groups, batch, channels = x.shape[:3]
    features, sizes = kernel.shape[1], kernel.shape[3:]
    lengths = tuple(
        max((n - ((m - 1) * d + 1 if m else 0)) // s + 1, 0)
        for n, m, s, d in zip(x.shape[3:], sizes, strides, kernel_dilation)
    )
    size = count = 1
    for m, n in zip(sizes, lengths):
        size, count = size * m, count * n
    steps = tuple(s * d for s, d in zip(x.strides[3:], kernel_dilation))
    jumps = tuple(s * d for s, d in zip(x.strides[3:], strides))
    dtype = np.result_type(x.dtype, kernel.dtype)
    result = np.zeros((groups, batch, features, count), dtype)
    if result.size and channels * size:
        kernel = kernel.reshape(groups, features, channels * size).astype(dtype, copy=False)
        by_window = count < size  # what is copied in longer runs
        shape, moves = (groups, batch, channels), x.strides[:3]
        view = np.lib.stride_tricks.as_strided(
            x, (*shape, *sizes, *lengths), (*moves, *steps, *jumps)
        )
        ndim = len(sizes)
        inner, outer = range(3, 3 + ndim), range(3 + ndim, 3 + 2 * ndim)
        order = (0, 1, *outer, 2, *inner) if by_window else (0, 2, *inner, 1, *outer)
        piece = max(1, 2**21 // (groups * channels * size * count))
        for start in range(0, batch, piece):
            part = view[:, start : start + piece]
            n = part.shape[1]
            part = np.ascontiguousarray(part.transpose(order), dtype)
            if by_window:
                part = part.reshape(groups, n * count, channels * size)
                product = (part @ kernel.swapaxes(1, 2)).reshape(groups, n, count, features)
                result[:, start : start + n] = product.swapaxes(2, 3)
            else:
                part = part.reshape(groups, channels * size, n * count)
                product = (kernel @ part).reshape(groups, features, n, count)
                result[:, start : start + n] = product.swapaxes(1, 2)
    return result.reshape(groups, batch, features, *lengths)


def _by_axis(arrays: Sequence[Any], steps: tuple) -> Iterator[tuple]:
    """For each axis that windows move along, the lengths of some arrays and what is said of it."""
    return zip(*(dims_of(x)[3:] for x in arrays), *steps)


def _by_x(
    ct: Any,
    x: Any,
    kernel: Any,
    strides: PerAxis,
    padding: Pairs,
    x_dilation: PerAxis,
    kernel_dilation: PerAxis,
) -> Any:
    """Each element of ``ct`` goes back, times the kernel, to where its window was: the convolution
    of ``ct``, dilated by the strides, with the kernel reversed."""
    ndim = len(strides)
    pairs = []
    steps = strides, padding, x_dilation, kernel_dilation
    for n, m, out, stride, (low, _), dilated, kernel_dilated in _by_axis((x, kernel, ct), steps):
        size = extent(m, kernel_dilated)
        before = size - 1 - low
        pairs.append((before, (n - 1) * dilated + size - extent(out, stride) - before))
    reverse = flip(swapaxes(kernel, 1, 2), tuple(range(3, 3 + ndim)))
    return grouped_convolution(
        ct,
        reverse,
        strides=x_dilation,
        padding=tuple(pairs),
        x_dilation=strides,
        kernel_dilation=kernel_dilation,
    )


def _by_kernel(
    ct: Any,
    x: Any,
    kernel: Any,
    strides: PerAxis,
    padding: Pairs,
    x_dilation: PerAxis,
    kernel_dilation: PerAxis,
) -> Any:
    """The convolution of ``x`` with ``ct`` as its kernel, batch and channels exchanged."""
    pairs = []
    steps = strides, padding, x_dilation, kernel_dilation
    for n, m, out, stride, (low, _), dilated, kernel_dilated in _by_axis((x, kernel, ct), steps):
        pairs.append(
            (low, (m - 1) * kernel_dilated + extent(out, stride) - extent(n, dilated) - low)
        )
    change = grouped_convolution(
        swapaxes(x, 1, 2),
        swapaxes(ct, 1, 2),
        strides=kernel_dilation,
        padding=tuple(pairs),
        x_dilation=x_dilation,
        kernel_dilation=strides,
    )
    return swapaxes(change, 1, 2)


def _convolution_batch(
    size: Size, batched: Sequence[bool], args: Sequence[Any], **attrs: Any
) -> Any:
    """The lanes as more of the batch if there is one kernel, as more features of one array, else
    as more groups."""
    if all(batched):
        lanes, groups = lengths_of(args[0])[:2]
        args = [reshape(z, (merged((lanes, groups)), *lengths_of(z)[2:])) for z in args]
        result = grouped_convolution(*args, **attrs)
        return reshape(result, (lanes, groups, *lengths_of(result)[1:]))
    which = tuple(batched).index(True)
    groups, lanes, n, *rest = lengths_of(moveaxis(args[which], 0, 1))
    folded = reshape(moveaxis(args[which], 0, 1), (groups, merged((lanes, n)), *rest))
    result = grouped_convolution(*(args[0], folded) if which else (folded, args[1]), **attrs)
    lengths = lengths_of(result)
    apart = (*lengths[: which + 1], lanes, n, *lengths[which + 2 :])
    return moveaxis(reshape(result, apart), which + 1, 0)


def _convolution_reads(
    read: ElementReader, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    """The sum over the places of the kernel; of channels all."""
    group, batch, feature, *places = index
    lengths = types[1].known_shape[3:]

    def term(k: Any) -> Any:
        of_kernel: list[Any] = []
        of_x: list[Any] = []
        inside: Any = True
        for axis in reversed(range(len(lengths))):
            tap = index_maps.rest(k, lengths[axis])
            k = index_maps.quotient(k, lengths[axis])
            low, dilation = attrs["padding"][axis][0], attrs["x_dilation"][axis]
            spread = places[axis] * attrs["strides"][axis] + tap * attrs["kernel_dilation"][axis]
            spread = spread - low
            inside = inside & (spread >= 0) & (kernels.rest(spread, dilation) == 0)
            of_kernel.insert(0, tap)
            of_x.insert(0, kernels.quotient(spread, dilation))
        product = read(0, (group, batch, EVERY, *of_x))
        product = product * read(1, (group, feature, EVERY, *of_kernel))
        return kernels.select(inside, product, 0)

    return read.total(math.prod(lengths), term)


grouped_convolution = Linear(
    "grouped_convolution",
    _convolution_infer,
    "convolved({0}, {1}, {strides}, {padding}, {x_dilation}, {kernel_dilation})",
    transposes=[_by_x, _by_kernel],
    zeros="lost",
    joint=False,
    helpers=[spread, convolved],
    raises=lambda types, attrs: any(None in t.shape for t in types),
    unknown_lengths=True,
    batch=_convolution_batch,
    reads=_convolution_reads,
    doc="""The sum of products of a kernel with the windows of an array, group by group.

    Args:
        x: ``(groups, batch, channels, *lengths)``.
        kernel: ``(groups, features, channels, *lengths)``.
        strides: by how much the window moves along each of the last axes.
        padding: for each of them, how many zeros before and behind; a negative number cuts.
        x_dilation: 1 more than the number of zeros between neighbours of ``x``, before padding.
        kernel_dilation: the distance in ``x`` between what neighbours in the kernel multiply.

    Returns:
        ``(groups, batch, features, *lengths)``, of the dtype of a matrix product.

    Raises:
        ValueError: the shapes do not fit.
    """,
    product=True,
    slow=True,
)


# -- as it is used ---------------------------------------------------------------------------------


def per_axis(value: Any, ndim: int, name: str) -> PerAxis:
    """A positive number, or one for each axis, as a tuple.

    Raises:
        ValueError: there is another number of them, or one is not positive.
    """
    values = (value,) * ndim if np.ndim(value) == 0 else tuple(value)
    values = tuple(index_of(v) for v in values)
    if len(values) != ndim or any(v < 1 for v in values):
        raise ValueError(f"{name} has to be a positive number or {ndim} of them, not {value!r}")
    return values


def pairs_of(
    padding: Any, lengths: Sequence[int], sizes: Sequence[int], strides: Sequence[int]
) -> Pairs:
    """How much to add before and behind each axis; ``sizes`` are those of the windows.

    Raises:
        ValueError: ``padding`` says nothing of this kind.
    """
    ndim = len(lengths)
    if isinstance(padding, str):
        if padding.lower() == "valid":
            return ((0, 0),) * ndim
        if padding.lower() == "same":
            pairs = []
            for n, size, stride in zip(lengths, sizes, strides):
                total = max((-(-n // stride) - 1) * stride + size - n, 0)
                pairs.append((total // 2, total - total // 2))
            return tuple(pairs)
        raise ValueError(f"padding has to be 'same', 'valid' or numbers, not {padding!r}")
    if np.ndim(padding) == 0:
        padding = (padding,) * ndim
    pairs = [(p, p) if np.ndim(p) == 0 else tuple(p) for p in padding]
    if len(pairs) != ndim or any(len(pair) != 2 for pair in pairs):
        raise ValueError(f"padding has to be a number, {ndim} of them or {ndim} pairs")
    return tuple((index_of(low), index_of(high)) for low, high in pairs)


def _check_layout(x: Any, kernel: Any) -> tuple[int, PerAxis, PerAxis]:
    """The number of dimensions, and the two shapes."""
    x_shape, kernel_shape = shape_of(x), shape_of(kernel)
    if len(x_shape) < 3 or len(x_shape) != len(kernel_shape):
        raise ValueError(
            "a convolution takes an array (batch, channels, *lengths) and a kernel of as many "
            f"axes, not shapes {x_shape} and {kernel_shape}"
        )
    if 0 in kernel_shape[2:]:
        raise ValueError(f"a kernel of shape {kernel_shape} has no elements to multiply with")
    return len(x_shape) - 2, x_shape, kernel_shape


def _divided(n: int, groups: int, what: str) -> int:
    if groups < 1 or n % groups:
        raise ValueError(f"{n} {what} cannot be divided into {groups} groups")
    return n // groups


def _grouped(x: Any, groups: int) -> Any:
    """``(batch, groups * channels, ...)`` as ``(groups, batch, channels, ...)``."""
    batch, channels, *lengths = shape_of(x)
    return swapaxes(reshape(x, (batch, groups, channels // groups, *lengths)), 0, 1)


def _ungrouped(x: Any) -> Any:
    groups, batch, channels, *lengths = shape_of(x)
    return reshape(swapaxes(x, 0, 1), (batch, groups * channels, *lengths))


def conv(
    x: Any,
    kernel: Any,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Any:
    """The convolution of a neural network: for each window the sum of products with the kernel.

    The kernel is not reversed; mathematics calls this a correlation.

    Args:
        x: ``(batch, channels, *lengths)``, with 1, 2, 3 or more lengths.
        kernel: ``(features, channels / groups, *lengths)``.
        stride: by how much the window moves, a number or one for each length.
        padding: the zeros put around ``x``: a number, one or a pair for each length, ``"valid"``
            for none, or ``"same"`` for as many as make the result ``ceil(length / stride)`` long,
            the odd one behind.
        dilation: the distance between neighbours in a window, a number or one for each length.
        groups: the channels are divided into so many groups, each with its own features.

    Returns:
        ``(batch, features, *lengths)``, of the dtype of a matrix product.

    Raises:
        ValueError: the shapes do not fit.
    """
    ndim, x_shape, kernel_shape = _check_layout(x, kernel)
    channels = _divided(x_shape[1], groups, "channels")
    features = _divided(kernel_shape[0], groups, "features")
    if kernel_shape[1] != channels:
        raise ValueError(
            f"a kernel of shape {kernel_shape} for {channels} channels"
            f"{' in each group' if groups > 1 else ''}, of an array of shape {x_shape}"
        )
    strides = per_axis(stride, ndim, "stride")
    dilations = per_axis(dilation, ndim, "dilation")
    sizes = [extent(m, d) for m, d in zip(kernel_shape[2:], dilations)]
    result = grouped_convolution(
        _grouped(x, groups),
        reshape(kernel, (groups, features, *kernel_shape[1:])),
        strides=strides,
        padding=pairs_of(padding, x_shape[2:], sizes, strides),
        x_dilation=(1,) * ndim,
        kernel_dilation=dilations,
    )
    return _ungrouped(result)


def conv_transpose(
    x: Any,
    kernel: Any,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Any:
    """The transpose of `conv` with the same arguments, from its results to its arrays.

    Each element of ``x`` is multiplied with the kernel, and the products are added up ``stride``
    apart.

    Args:
        x: ``(batch, features, *lengths)``.
        kernel: ``(features, channels / groups, *lengths)``.
        stride: the distance of neighbours in the result.
        padding: how much is cut from the result: a number, one or a pair for each length.
        output_padding: how much longer the result is, at its end, than it has to be; less than the
            stride, or the dilation.
        dilation, groups: as for `conv`.

    Returns:
        ``(batch, channels, *lengths)``, each ``(length - 1) * stride + dilation * (size - 1) + 1``
        long, less the padding.

    Raises:
        ValueError: the shapes do not fit.
    """
    ndim, x_shape, kernel_shape = _check_layout(x, kernel)
    if kernel_shape[0] != x_shape[1]:
        raise ValueError(f"a kernel of shape {kernel_shape} for an array of shape {x_shape}")
    features = _divided(x_shape[1], groups, "features")
    strides = per_axis(stride, ndim, "stride")
    dilations = per_axis(dilation, ndim, "dilation")
    if isinstance(padding, str):
        raise ValueError("conv_transpose: padding has to be numbers; 'same' is ambiguous")
    extra = (output_padding,) * ndim if np.ndim(output_padding) == 0 else tuple(output_padding)
    pairs = []
    for (low, high), more, m, d in zip(
        pairs_of(padding, x_shape[2:], kernel_shape[2:], strides),
        extra,
        kernel_shape[2:],
        dilations,
    ):
        reach = extent(m, d) - 1
        pairs.append((reach - low, reach - high + index_of(more)))
    kernel = swapaxes(reshape(kernel, (groups, features, *kernel_shape[1:])), 1, 2)
    result = grouped_convolution(
        _grouped(x, groups),
        flip(kernel, tuple(range(3, 3 + ndim))),
        strides=(1,) * ndim,
        padding=tuple(pairs),
        x_dilation=strides,
        kernel_dilation=dilations,
    )
    return _ungrouped(result)
