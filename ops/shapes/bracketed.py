"""NumPy's objects that make arrays of what stands between brackets: ``np.r_[x, 0, 1:5]``.

Converted code calls their ``__getitem__`` with the key that `s_` makes of a subscript.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ops.arrays.creation import arange
from ops.arrays.joining import as_arrays, concatenate, stack
from ops.core.lengths import lengths_of
from ops.core.numpy_table import covers
from ops.core.operands import Symbolic, ndim_of, operand_type
from ops.elementwise.conversion import astype, promote
from ops.shapes.grids import linspace, meshgrid
from ops.structure.permuting import swapaxes, transpose
from ops.structure.reshaping import reaxed

__all__ = [
    "s_",
]

s_ = np.s_


def _numbers(item: slice) -> Any:
    """The numbers that a slice stands for; an imaginary step tells how many."""
    start = 0 if item.start is None else item.start
    step: Any = 1 if item.step is None else item.step
    if isinstance(step, (complex, np.complexfloating)):
        return linspace(start, item.stop, int(abs(complex(step))))
    return arange(start, item.stop, step)


def _with_axes(x: Any, ndmin: int) -> Any:
    lengths = lengths_of(x)
    missing = ndmin - len(lengths)
    return reaxed(x, (1,) * missing + lengths) if missing > 0 else x


def _joined(key: Any, axis: int, ndmin: int, trans1d: int) -> Any:
    """``np.r_[key]`` and its like.

    Args:
        key: what stands between the brackets.
        axis: along which the parts are joined.
        ndmin: how many axes each has at least.
        trans1d: where the axes of a part with fewer are to begin; -1 for last.
    """
    parts: list[Any] = []
    for position, item in enumerate(key if isinstance(key, tuple) else (key,)):
        if isinstance(item, slice):
            part = _with_axes(_numbers(item), ndmin)
            if ndmin > 1 and trans1d != -1:
                part = swapaxes(part, -1, trans1d)
        elif isinstance(item, str):
            if position:
                raise ValueError("special directives must be the first entry.")
            axis, ndmin, trans1d = _directive(item, axis, ndmin, trans1d)
            continue
        else:
            (part,) = as_arrays((item,))
            missing = ndmin - ndim_of(part)
            if ndim_of(part) or trans1d != -1:
                part = _with_axes(part, ndmin)
            if trans1d != -1 and missing > 0 and ndim_of(part):
                first = trans1d + missing + 1 if trans1d < 0 else trans1d
                axes = list(range(ndmin))
                part = transpose(part, axes[:first] + axes[missing:] + axes[first:missing])
        parts.append(part)
    if not parts:
        raise ValueError("need at least one array to concatenate")
    dtype = promote(*(operand_type(part) for part in parts))
    return concatenate([_with_axes(astype(part, dtype), ndmin) for part in parts], axis)


def _directive(text: str, axis: int, ndmin: int, trans1d: int) -> tuple[int, int, int]:
    """The settings that a text as the first item changes: ``"axis,ndmin,trans1d"``."""
    if text in ("r", "c"):
        raise NotImplementedError("np.r_ and np.c_ of matrices; use arrays")
    try:
        given = [int(number) for number in text.split(",")]
        first, second, third = (given + [axis, ndmin, trans1d][len(given) :])[:3]
        return first, second, third
    except ValueError:
        raise ValueError(f"unknown special directive {text!r}") from None


def rows(key: Any) -> Any:
    """``np.r_[key]``: what is given, joined along the first axis."""
    return _joined(key, 0, 1, -1) if _is_symbolic(key) else np.r_[key]


def columns(key: Any) -> Any:
    """``np.c_[key]``: what is given, joined along the last axis; vectors are columns."""
    return _joined(key, -1, 2, 0) if _is_symbolic(key) else np.c_[key]


def grid(key: Any) -> Any:
    """``np.mgrid[key]``: the coordinates of a grid, each filled out."""
    if not _is_symbolic(key):
        return np.mgrid[key]
    if isinstance(key, slice):
        return _numbers(key)
    return stack(meshgrid(*_axes(key), indexing="ij"))


def open_grid(key: Any) -> Any:
    """``np.ogrid[key]``: the coordinates of a grid, each along its own axis."""
    if not _is_symbolic(key):
        return np.ogrid[key]
    if isinstance(key, slice):
        return _numbers(key)
    return tuple(meshgrid(*_axes(key), indexing="ij", sparse=True))


def _axes(key: tuple[slice, ...]) -> list[Any]:
    axes = [_numbers(item) for item in key]
    dtype = promote(*(operand_type(axis) for axis in axes))
    return [astype(axis, dtype) for axis in axes]


def _is_symbolic(key: Any) -> bool:
    if isinstance(key, slice):
        key = (key.start, key.stop, key.step)
    if isinstance(key, (tuple, list)):
        return any(map(_is_symbolic, key))
    return isinstance(key, Symbolic)


covers(np.r_.__getitem__, creates=True)(rows)
covers(np.c_.__getitem__, creates=True)(columns)
covers(np.mgrid.__getitem__, creates=True)(grid)
covers(np.ogrid.__getitem__, creates=True)(open_grid)
