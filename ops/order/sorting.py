"""Sorting, completely or in part.

In derivatives, equal elements count as if sorting had kept them in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ops.arrays.creation import zeros_like
from ops.arrays.indexing import index_add, subscript
from ops.arrays.joining import array
from ops.arrays.rearrange import index_along_axis, take_along_axis
from ops.core import kernels
from ops.core.batching import along_axes
from ops.core.numpy_table import covers
from ops.core.operands import Symbolic, concrete, dims_of, dtype_of, index_of, ndim_of
from ops.core.reads import along
from ops.core.registry import Custom
from ops.core.subscripts import encode_index
from ops.core.texts import array_text
from ops.core.types import ArrayType, UnknownLengthError, may_agree
from ops.elementwise.conversion import astype
from ops.structure.reshaping import reshape

__all__ = [
    "argpartition",
    "argsort",
    "lexsort",
    "partition",
    "sort",
    "sort_complex",
]

# The ``kind`` of a sort of which only some elements are read, any others in any order.
SOME = "some"

_KINDS = {"q": "quicksort", "h": "heapsort", "m": "stable", "s": "stable"}


def _checked_kind(kind: Any, order: Any, stable: Any) -> str | None:
    """The algorithm, from what ``np.sort`` takes for it."""
    if order is not None:
        raise ValueError("Cannot specify order when the array has no fields.")
    if stable is not None:
        if kind is not None:
            raise ValueError("`kind` and `stable` parameters can't be provided at the same time.")
        return "stable" if stable else None
    if kind is None:
        return None
    found = _KINDS.get(kind[:1].lower())
    if found is None:
        raise ValueError(f"sort kind must be one of 'quick', 'heap', or 'stable' (got {kind!r})")
    return None if found == "quicksort" else found


def _prepare(x: Any, axis: int | None = -1, descending: bool = False, stable: bool = True) -> tuple:
    if axis is None:
        x, axis = reshape(x, -1), 0
    axis = normalize_axis_index(axis, ndim_of(x))
    kind = "stable" if stable else None
    return (x,), {"axis": axis, "kind": kind, "descending": bool(descending)}


def _argsort_prepare(
    x: Any, axis: int | None = -1, descending: bool = False, stable: bool = True
) -> tuple:
    x = x if ndim_of(x) else reshape(x, 1)  # a scalar counts as a vector here, as in NumPy
    return _prepare(x, axis, descending, stable)


def _as_numpy(op: Custom) -> Callable:
    """``np.sort`` or ``np.argsort``, which take an algorithm."""

    def sorted_by(
        x: Any,
        axis: int | None = -1,
        kind: str | None = None,
        order: Any = None,
        stable: bool | None = None,
    ) -> Any:
        kind = _checked_kind(kind, order, stable)
        assert op.prepare is not None
        args, attrs = op.prepare(x, axis)
        return op.apply(args, {**attrs, "kind": kind})

    sorted_by.__name__ = sorted_by.__qualname__ = op.name
    sorted_by.__doc__ = f"""``np.{op.name}``: `{op.name}` in ascending order.

    Args:
        x: an array.
        axis: the axis, or None for all elements in C order.
        kind: the algorithm; equal elements keep their order if "stable".
        order: None.
        stable: in place of ``kind``, whether equal elements keep their order.

    Raises:
        ValueError: an unknown kind, kind and stable are both given, or an order is.
    """
    return sorted_by


def _sort_code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    code = _code("sort")(args, types, attrs)
    return f"np.flip({code}, {attrs['axis']})" if attrs["descending"] else code


def places_downwards(x, axis, kind):
    """The indices that sort in descending order, equal elements in their order if stable."""
    places = np.argsort(np.flip(x, axis), axis=axis, kind=kind)
    return np.flip(x.shape[axis] - 1 - places, axis)


def _argsort_code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    if attrs["descending"]:
        return f"places_downwards({args[0]}, {attrs['axis']}, {attrs['kind']!r})"
    return _code("argsort")(args, types, attrs)


def _code(name: str) -> Callable[[Sequence[str], Sequence[ArrayType], dict[str, Any]], str]:
    def code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
        first = f"{attrs['kth']}, " if "kth" in attrs else ""
        named = attrs.get("kind") not in (None, SOME)
        kind = f", kind={attrs['kind']!r}" if named else ""
        return f"np.{name}({array_text(args[0], types[0])}, {first}axis={attrs['axis']}{kind})"

    return code


argsort = Custom(
    "argsort",
    lambda x, axis, kind, descending: (ArrayType(np.dtype(np.intp), x.shape),),
    _argsort_code,
    differentiable=False,
    helpers=[places_downwards],
    unknown_lengths=True,
    prepare=_argsort_prepare,
    batch=along_axes("axis"),
    native=kernels.Ordering(places=True),
    doc="""The indices that sort ``x`` along an axis, or its elements in C order if that is None.

    Args:
        x: an array.
        axis: the axis.
        descending: from the largest element down.
        stable: keep equal elements in their order.

    Raises:
        AxisError: the axis is out of range.
    """,
    keeps_shape=True,
)

covers(np.argsort, "a axis kind order stable", method=True)(_as_numpy(argsort))


def partly_sorted(x: Any) -> Any:
    """``x`` sorted along its last axis, for who reads some of the elements, as of a median: NumPy
    sorts no others either."""
    return sort.apply((x,), {"axis": ndim_of(x) - 1, "kind": SOME, "descending": False})


def _sort_vjp(
    cts: Sequence, args: Sequence, outs: Sequence, axis: int, kind: Any, descending: bool
) -> tuple:
    return (_returned(cts[0], argsort(args[0], axis, descending), axis),)


def _sort_jvp(
    tangents: Sequence, args: Sequence, outs: Sequence, axis: int, kind: Any, descending: bool
) -> tuple:
    return (take_along_axis(tangents[0], argsort(args[0], axis, descending), axis),)


def _returned(ct: Any, places: Any, axis: int) -> Any:
    """The cotangent of what was taken from ``places``, a permutation."""
    operands, spec = encode_index(index_along_axis(ct, places, axis), dims_of(ct))
    return index_add(zeros_like(ct), ct, *operands, index=spec)


sort = Custom(
    "sort",
    lambda x, axis, kind, descending: (x,),
    _sort_code,
    vjp=_sort_vjp,
    jvp=_sort_jvp,
    linear=(),
    zeros="moved",
    unknown_lengths=True,
    prepare=_prepare,
    batch=along_axes("axis"),
    native=kernels.Ordering(),
    reads=along(lambda x, attrs: (attrs["axis"],)),
    doc="""The elements in order along an axis, or all of them if ``axis`` is None.

    NaN comes last, or first if the order is descending. Complex numbers are ordered by their real
    parts, then by their imaginary parts.

    Args:
        x, axis, descending, stable: as for `argsort`.

    Raises:
        AxisError: the axis is out of range.
    """,
    keeps_shape=True,
    precision="exact",
)

covers(np.sort, "a axis kind order stable")(_as_numpy(sort))


@covers(np.sort_complex, "a")
def sort_complex(x: Any) -> Any:
    """The elements of ``x`` in ascending order along its last axis, as complex numbers."""
    dtype = dtype_of(x)
    if dtype.kind != "c":
        small = dtype.kind in "iu" and dtype.itemsize <= 2 and dtype.name != "bool"
        x = astype(x, np.complex64 if small else np.complex128)
    return sort(x, stable=False)


@covers(np.lexsort)
def lexsort(keys: Any, axis: int = -1) -> Any:
    """The indices that sort by several keys, the last of which counts most.

    Args:
        keys: a sequence of arrays of one shape, or an array of them.
        axis: the axis of each key to sort along.

    Raises:
        TypeError: there is no key.
        ValueError: their shapes differ.
        AxisError: the axis is out of range.
    """
    if not isinstance(keys, (list, tuple)):
        if not ndim_of(keys):
            raise TypeError("need sequence of keys with len > 0 in lexsort")
        count = dims_of(keys)[0]
        if count is None:
            raise UnknownLengthError("the number of keys is known only at run time; use a tuple")
        keys = [subscript(keys, i) for i in range(count)]
    keys = [array(key) if isinstance(key, (list, tuple)) else key for key in keys]
    if not keys:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if not all(may_agree(dims_of(key), dims_of(keys[0])) for key in keys):
        raise ValueError("all keys need to be the same shape")
    if not ndim_of(keys[0]):
        normalize_axis_index(axis, 1)
        return np.intp(0)
    axis = normalize_axis_index(axis, ndim_of(keys[0]))
    order = argsort(keys[0], axis)
    for key in keys[1:]:
        order = take_along_axis(order, argsort(take_along_axis(key, order, axis), axis), axis)
    return order


# -- in part ---------------------------------------------------------------------------------------


def _part_prepare(
    x: Any, kth: Any, axis: int | None = -1, kind: str = "introselect", order: Any = None
) -> tuple:
    if order is not None:
        raise ValueError("Cannot specify order when the array has no fields.")
    if kind != "introselect":
        raise ValueError(f"select kind must be 'introselect' (got {kind!r})")
    if axis is None:
        x, axis = reshape(x, -1), 0
    axis = normalize_axis_index(axis, ndim_of(x))
    kth = _places(kth)
    n = dims_of(x)[axis]
    for k in kth if isinstance(kth, tuple) else (kth,):
        if n is not None and 0 not in dims_of(x) and not -n <= k < n:
            raise ValueError(f"kth(={k}) out of bounds ({n})")
    return (x,), {"kth": kth, "axis": axis}


def _part_places_prepare(x: Any, kth: Any, axis: int | None = -1, *args: Any, **options: Any):
    return _part_prepare(x if ndim_of(x) else reshape(x, 1), kth, axis, *args, **options)


def _places(kth: Any) -> int | tuple[int, ...]:
    """``kth`` as an integer or a tuple of them."""
    kth = concrete(kth)
    if isinstance(kth, Symbolic) and not ndim_of(kth):
        return index_of(kth)
    if isinstance(kth, (list, tuple)):
        kth = [index_of(k) if isinstance(k, Symbolic) else k for k in kth]
    kth = np.asarray(kth)
    if kth.dtype.kind not in "iu" and kth.size:
        raise TypeError("Partition index must be integer")
    if kth.ndim > 1:
        raise ValueError("object too deep for desired array")
    return int(kth) if kth.ndim == 0 else tuple(int(k) for k in kth)


def _part_raises(types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
    """Whether only the run knows if there are so many elements."""
    return types[0].shape[attrs["axis"]] is None


def _source(x: Any, out: Any, axis: int) -> Any:
    """From where in ``x`` each element of ``out`` comes, which has the same in another order."""
    ranks = argsort(argsort(out, axis), axis)
    return take_along_axis(argsort(x, axis), ranks, axis)


def _partition_vjp(cts: Sequence, args: Sequence, outs: Sequence, kth: Any, axis: int) -> tuple:
    return (_returned(cts[0], _source(args[0], outs[0], axis), axis),)


def _partition_jvp(tangents: Sequence, args: Sequence, outs: Sequence, kth: Any, axis: int):
    return (take_along_axis(tangents[0], _source(args[0], outs[0], axis), axis),)


partition = Custom(
    "partition",
    lambda x, kth, axis: (x,),
    _code("partition"),
    vjp=_partition_vjp,
    jvp=_partition_jvp,
    linear=(),
    zeros="moved",
    raises=_part_raises,
    unknown_lengths=True,
    prepare=_part_prepare,
    batch=along_axes("axis"),
    native=kernels.Ordering(),
    reads=along(lambda x, attrs: (attrs["axis"],)),
    doc="""The elements along an axis, with those at ``kth`` where sorting would put them.

    All smaller ones stand before them, all larger ones behind them.

    Args:
        x: an array.
        kth: an index or several, which must be known when the graph is built.
        axis: the axis, or None for all elements in C order.
        kind: "introselect".
        order: None.

    Raises:
        ValueError: an index is out of range.
        TypeError: an index is no integer.
        AxisError: the axis is out of range.
    """,
    precision="exact",
)

covers(np.partition, "a kth axis kind order")(partition)

argpartition = Custom(
    "argpartition",
    lambda x, kth, axis: (ArrayType(np.dtype(np.intp), x.shape),),
    _code("argpartition"),
    differentiable=False,
    raises=_part_raises,
    unknown_lengths=True,
    prepare=_part_places_prepare,
    batch=along_axes("axis"),
    native=kernels.Ordering(places=True),
    doc="The indices that do what `partition` does, with the same arguments.",
)

covers(np.argpartition, "a kth axis kind order", method=True)(argpartition)
