"""Sorting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ops.creation import zeros_like
from ops.indexing import encode_index, index_add
from ops.rearrange import index_along_axis, take_along_axis
from ops.registry import Custom, shape_of
from ops.structural import reshape
from ops.types import ArrayType, Type


def _prepare(x: Any, axis: int | None = -1, kind: str | None = None) -> tuple:
    if axis is None:
        x, axis = reshape(x, -1), 0
    return (x,), {"axis": normalize_axis_index(axis, len(shape_of(x))), "kind": kind}


def _code(name: str) -> Callable[[Sequence[str], Sequence[Type], dict[str, Any]], str]:
    def code(args: Sequence[str], types: Sequence[Type], attrs: dict[str, Any]) -> str:
        kind = "" if attrs["kind"] is None else f", kind={attrs['kind']!r}"
        return f"np.{name}({args[0]}, axis={attrs['axis']}{kind})"

    return code


argsort = Custom(
    "argsort",
    lambda x, axis, kind: (ArrayType(np.dtype(np.intp), x.shape),),
    _code("argsort"),
    differentiable=False,
    prepare=_prepare,
    doc="""The indices that sort ``x`` along an axis, or its elements in C order if that is None.

    Args:
        x: an array.
        axis: the axis.
        kind: the algorithm, as for ``np.argsort``; equal elements keep their order if "stable".

    Raises:
        AxisError: the axis is out of range.
    """,
)


def _sort_vjp(cts: Sequence, args: Sequence, outs: Sequence, axis: int, kind: Any) -> tuple:
    (x,) = args
    places = index_along_axis(shape_of(x), argsort(x, axis), axis)
    operands, spec = encode_index(places, shape_of(x))
    return (index_add(zeros_like(cts[0]), cts[0], *operands, index=spec),)


def _sort_jvp(tangents: Sequence, args: Sequence, outs: Sequence, axis: int, kind: Any) -> tuple:
    return (take_along_axis(tangents[0], argsort(args[0], axis), axis),)


sort = Custom(
    "sort",
    lambda x, axis, kind: (x,),
    _code("sort"),
    vjp=_sort_vjp,
    jvp=_sort_jvp,
    prepare=_prepare,
    doc="""The elements in ascending order along an axis, or all of them if ``axis`` is None.

    Args:
        x: an array.
        axis: the axis.
        kind: the algorithm, as for ``np.sort``.

    Raises:
        AxisError: the axis is out of range.
    """,
)
