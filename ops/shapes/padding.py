"""Arrays with elements added at the ends of their axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ops.arrays.creation import numbered
from ops.arrays.indexing import getitem, subscript
from ops.arrays.joining import as_arrays, axis_slice, concatenate
from ops.arrays.reduction import max, min
from ops.control import effects
from ops.core import kernels
from ops.core.index_maps import scaled, within
from ops.core.lengths import length as length_of
from ops.core.lengths import lengths_of, positions
from ops.core.numpy_table import FUNCTIONS, covers
from ops.core.operands import Symbolic, dims_of, dtype_of, index_of, known_length, literal, ndim_of
from ops.core.registry import Linear
from ops.core.symbolic_lengths import is_length
from ops.core.texts import array_text
from ops.core.types import ArrayType
from ops.elementwise import (
    add,
    divide,
    floor,
    greater,
    less,
    maximum,
    minimum,
    multiply,
    remainder,
    rint,
    subtract,
)
from ops.elementwise.conversion import astype, where
from ops.structure.broadcasting import broadcast_to
from ops.structure.identity import copy
from ops.structure.reshaping import count

__all__ = [
    "pad",
    "pad_zeros",
]

Widths = tuple[tuple[int, int], ...]


def _pad_infer(x: ArrayType, widths: Widths) -> tuple[ArrayType]:
    if any(n < 0 for pair in widths for n in pair):
        raise ValueError("index can't contain negative values")
    shape = (n if n is None else a + n + b for n, (a, b) in zip(x.shape, widths))
    return (ArrayType(x.dtype, tuple(shape)),)


def _pad_transpose(ct: Any, x: Any, widths: Widths) -> Any:
    spec = tuple(("slice", before, -after or None, None) for before, after in widths)
    return getitem(ct, index=spec)


def _pad_element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    (x,), widths = types, attrs["widths"]
    inside: Any = True
    for i, n, (before, after) in zip(index, x.shape, widths):
        inside = inside & within(i, before, before + n, before + n + after)
    own = tuple(scaled(i, 1, -before) for i, (before, _) in zip(index, widths))
    return kernels.choose(inside, lambda: read(0, own), lambda: x.dtype.type(0))


pad_zeros: Linear = Linear(
    "pad_zeros",
    _pad_infer,
    lambda args, types, attrs: f"np.pad({array_text(args[0], types[0])}, {attrs['widths']})",
    transposes=[_pad_transpose],
    zeros="moved",
    unknown_lengths=True,
    batch=lambda size, batched, args, widths: pad_zeros(args[0], widths=((0, 0), *widths)),
    native=kernels.Element(_pad_element),
    doc="""``x`` with zeros around it.

    Args:
        x: an array.
        widths: for each axis how many before and how many behind.
    """,
    precision="exact",
)

# The arguments that each mode has, as in NumPy.
_OPTIONS: dict[str, dict[str, Any]] = {
    "constant": {"constant_values": 0},
    "edge": {},
    "empty": {},
    "linear_ramp": {"end_values": 0},
    "maximum": {"stat_length": None},
    "mean": {"stat_length": None},
    "median": {"stat_length": None},
    "minimum": {"stat_length": None},
    "reflect": {"reflect_type": "even"},
    "symmetric": {"reflect_type": "even"},
    "wrap": {},
}


@covers(np.pad)
def pad(array: Any, pad_width: Any, mode: str = "constant", **kwargs: Any) -> Any:
    """``array`` with elements added at both ends of each axis.

    Args:
        array: an array.
        pad_width: how many before and behind each axis: a number, a pair, one pair for each axis,
            or a dictionary of those by axis.
        mode: what the new elements are, see ``np.pad``. Those of ``empty`` are zeros here.
        kwargs: ``constant_values``, ``end_values``, ``stat_length`` and ``reflect_type``, as the
            mode has them in ``np.pad``.

    Raises:
        NotImplementedError: ``mode`` is a function.
        ValueError: the mode does not exist, or has no such argument.
    """
    if callable(mode):
        raise NotImplementedError("np.pad with a function as mode; use one of NumPy's modes")
    if mode not in _OPTIONS:
        raise ValueError(f"mode '{mode}' is not supported")
    unknown = kwargs.keys() - _OPTIONS[mode].keys()
    if unknown:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {unknown}")
    (option,) = {**_OPTIONS[mode], **kwargs}.values() or (None,)
    (x,) = as_arrays((array,))
    widths = _as_widths(pad_width, ndim_of(x))
    if not widths:
        return copy(x)
    if mode == "empty" or (mode == "constant" and _is_zero(option)):
        return pad_zeros(x, widths=widths)
    if mode != "constant":
        for axis, (n, width) in enumerate(zip(dims_of(x), widths)):
            message = f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'"
            if n == 0 and width != (0, 0):
                raise ValueError(message)
            if n is None and width != (0, 0):
                is_there = greater(length_of(x, axis=axis), 0)
                effects.check(is_there, error="ValueError", message=message)
    if mode in ("constant", "linear_ramp"):
        values = _as_pairs(option, ndim_of(x))
        extend = _constant if mode == "constant" else _ramp
        extended = lambda x, axis: extend(x, axis, widths[axis], values[axis])
    elif mode in ("edge", "reflect", "symmetric", "wrap"):
        odd = mode in ("reflect", "symmetric") and option == "odd"
        extended = lambda x, axis: _reflected(x, axis, widths[axis], mode, odd)
    else:
        lengths = _stat_lengths(option, ndim_of(x))
        if mode in ("maximum", "minimum") and any(0 in pair for pair in lengths):
            raise ValueError("stat_length of 0 yields no value for padding")
        extended = lambda x, axis: _statistic(x, axis, widths[axis], mode, lengths[axis])
    result = x
    for axis, width in enumerate(widths):
        if width != (0, 0) or mode == "constant":
            result = extended(result, axis)
    return copy(result) if result is x else result


def _as_widths(pad_width: Any, ndim: int) -> Widths:
    if isinstance(pad_width, dict):
        pairs = [(0, 0)] * ndim
        for axis, width in pad_width.items():
            pairs[axis] = (width, width) if np.ndim(width) == 0 else tuple(width)
        pad_width = pairs
    given = _known(pad_width)
    if isinstance(given, Symbolic):
        raise NotImplementedError("np.pad with an array of widths; use a tuple of integers")
    given = np.asarray(given)
    if given.dtype.kind not in "iu":
        raise TypeError("`pad_width` must be of integral type.")
    if np.any(given < 0):
        raise ValueError("index can't contain negative values")
    return tuple((int(a), int(b)) for a, b in np.broadcast_to(given, (ndim, 2)))


def _known(widths: Any) -> Any:
    if isinstance(widths, (list, tuple)):
        return [_known(width) for width in widths]
    return index_of(widths) if isinstance(widths, Symbolic) and not ndim_of(widths) else widths


def _is_zero(value: Any) -> bool:
    return not isinstance(value, (list, tuple, np.ndarray)) and literal(value) == 0


def _as_pairs(values: Any, ndim: int) -> list[tuple[Any, Any]]:
    """The values for before and behind each axis, of which any may be symbolic."""
    (values,) = as_arrays((values,))
    whole = broadcast_to(values, (ndim, 2))
    return [(subscript(whole, (i, 0)), subscript(whole, (i, 1))) for i in range(ndim)]


def _edge(x: Any, axis: int, width: int, value: Any) -> Any:
    """``width`` times the same along an axis: a number, or what has length 1 along that axis."""
    lengths = list(lengths_of(x))
    lengths[axis] = width
    return broadcast_to(astype(value, dtype_of(x)), tuple(lengths))


def _constant(x: Any, axis: int, width: tuple[int, int], values: tuple) -> Any:
    before, after = (_edge(x, axis, n, v) for n, v in zip(width, values))
    return concatenate([before, x, after], axis)


def _part(x: Any, axis: int, start: int | None, stop: int | None) -> Any:
    return getitem(x, index=axis_slice(ndim_of(x), axis, start, stop))


def _ramp(x: Any, axis: int, width: tuple[int, int], values: tuple) -> Any:
    """Between the edge and a value in equal steps."""
    parts = []
    ends = [_part(x, axis, None, 1), _part(x, axis, -1, None)]
    dtype = dtype_of(x)
    for n, edge, value in zip(width, ends, values):
        wide = np.result_type(dtype, np.float64 if dtype.kind in "biu" else dtype)
        edge, end = astype(edge, wide), astype(value, wide)
        steps = np.arange(n).reshape([-1 if i == axis else 1 for i in range(ndim_of(x))])
        step = divide(subtract(edge, end), n or 1)
        ramp = add(multiply(steps.astype(wide), step), end)
        parts.append(astype(floor(ramp) if dtype.kind in "iu" else ramp, dtype))
    before, after = parts
    flipped = getitem(after, index=axis_slice(ndim_of(x), axis, None, None, -1))
    return concatenate([before, x, flipped], axis)


def _stat_lengths(stat_length: Any, ndim: int) -> list[tuple[int | None, int | None]]:
    if stat_length is None:
        return [(None, None)] * ndim
    pairs = np.broadcast_to(np.asarray(stat_length), (ndim, 2))
    if np.any(pairs < 0):
        raise ValueError("index can't contain negative values")
    return [(int(a), int(b)) for a, b in pairs]


def _statistic(
    x: Any, axis: int, width: tuple[int, int], mode: str, lengths: tuple[int | None, int | None]
) -> Any:
    """A statistic of the elements that are nearest to the edge."""
    n = dims_of(x)[axis]
    parts = []
    for side, length in enumerate(lengths):
        if length is None or (n is not None and length > n):
            length = n
        if length == 0 and mode in ("maximum", "minimum"):
            raise ValueError("stat_length of 0 yields no value for padding")
        if length is None:
            near = x
        elif side == 0:
            near = _part(x, axis, None, length)
        else:
            near = _part(x, axis, known_length(x, axis) - length, None)
        parts.append(_edge(x, axis, width[side], _reduced(near, axis, mode)))
    return concatenate([parts[0], x, parts[1]], axis)


def _reduced(x: Any, axis: int, mode: str) -> Any:
    if mode in ("maximum", "minimum"):
        return (max if mode == "maximum" else min)(x, axis=axis, keepdims=True)
    function = np.mean if mode == "mean" else np.median
    value = FUNCTIONS[function](x, axis=axis, keepdims=True)
    return rint(value) if dtype_of(x).kind in "iu" else value


def _reflected(x: Any, axis: int, width: tuple[int, int], mode: Any, odd: bool) -> Any:
    """Elements of ``x`` itself, at places that continue those that there are."""
    n = dims_of(x)[axis]
    if odd:
        return _reflected_odd(x, axis, width, mode)
    if is_length(n):
        places = _continued(subtract(numbered(n + width[0] + width[1]), width[0]), n, mode)
    elif n is not None:
        places = np.pad(np.arange(n), width, mode)
    else:
        (size,) = [count(lengths_of(x)[axis : axis + 1])]
        places = subtract(positions(add(size, width[0] + width[1])), width[0])
        places = _continued(places, size, mode)
    return subscript(x, (*[slice(None)] * axis, places))


def _continued(places: Any, n: Any, mode: str) -> Any:
    """The places from 0 to ``n`` that any integers stand for."""
    if mode == "edge":
        return minimum(maximum(places, 0), subtract(n, 1))
    if mode == "wrap":
        return remainder(places, n)
    turn = multiply(n, 2) if mode == "symmetric" else maximum(subtract(multiply(n, 2), 2), 1)
    along = remainder(places, turn)
    back = subtract(subtract(turn, along), 1 if mode == "symmetric" else 0)
    return where(less(along, n), along, back)


def _reflected_odd(x: Any, axis: int, width: tuple[int, int], mode: str) -> Any:
    """What `_reflected` gives, point-reflected at the edge, in as many steps as it takes."""
    before, after = width
    if dims_of(x)[axis] == 1 and mode == "reflect":
        return _reflected(x, axis, width, "edge", False)
    own = 1 if mode == "reflect" else 0
    while before or after:
        n = dims_of(x)[axis]
        if n is None:
            raise NotImplementedError("np.pad with reflect_type='odd' of an axis of unknown length")
        parts = [x]
        step = _steps(before, n - own)
        if step:
            near = _part(x, axis, own, own + step)
            parts.insert(0, _mirrored(near, _part(x, axis, None, 1), axis))
        back = _steps(after, n - own)
        if back:
            near = _part(x, axis, n - own - back, n - own)
            parts.append(_mirrored(near, _part(x, axis, -1, None), axis))
        x, before, after = concatenate(parts, axis), before - step, after - back
    return x


def _steps(wanted: int, available: int) -> int:
    return wanted if wanted < available else available


def _mirrored(part: Any, edge: Any, axis: int) -> Any:
    flipped = getitem(part, index=axis_slice(ndim_of(part), axis, None, None, -1))
    return astype(subtract(multiply(edge, 2), flipped), dtype_of(part))
