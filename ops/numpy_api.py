"""NumPy's functions and methods in terms of the operators: the one table between the two.

==============  ====================================================================================
`UFUNCS`        ufunc -> operator, for ``__array_ufunc__``
`UFUNC_METHODS` (ufunc, method name) -> function, for ``np.add.reduce`` and the like
`FUNCTIONS`     function -> ours, for ``__array_function__``
`CREATORS`      function -> ours, for functions without a protocol: ``np.zeros``, ``np.array`` ...
`METHODS`       name -> function of the array and the arguments, for methods of arrays
==============  ====================================================================================

Ours take NumPy's arguments. One that is not supported is a NotImplementedError naming it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

import ops
from ops import linalg
from ops.indexing import encode_index
from ops.lengths import count
from ops.registry import (
    REGISTRY,
    Elementwise,
    Op,
    Symbolic,
    dtype_of,
    ndim_of,
    operand_type,
    shape_of,
)
from ops.types import UnknownLengthError

# Parameters, by NumPy's names, in whose place a list stands for an array.
_ARRAY_LIKE = {"a", "b", "x", "y", "m", "v", "arr", "ary", "array", "condition", "A", "object"}


def _is_default(value: Any, default: str) -> bool:
    """Whether an argument has its default value, given as in `adapt`."""
    if value is None or value is np._NoValue or default == "*":
        return True
    return not isinstance(value, Symbolic) and str(value) == default


def adapt(function: Callable, signature: str) -> Callable:
    """``function`` with NumPy's signature.

    Args:
        function: an operator, or a function of operators. The parameters it requires are the first
            of NumPy's; its others have the names that they have in NumPy.
        signature: NumPy's parameters in order, ``name=value`` for those that have a default other
            than None. Those that ``function`` lacks are accepted with their defaults only, but
            ``name=*`` with any value, because it does not matter.
    """
    target = (function.prepare or function.rule) if isinstance(function, Op) else function
    parameters = inspect.signature(target).parameters.values()
    required = [p.name for p in parameters if p.default is p.empty]
    optional = {p.name for p in parameters} - set(required)
    tokens = [token.partition("=") for token in signature.split()]
    names = [name for name, _, _ in tokens]
    defaults = {name: default for name, _, default in tokens}

    def adapted(*args: Any, **kwargs: Any) -> Any:
        if len(args) > len(names):
            raise TypeError(f"{adapted.__name__}() takes at most {len(names)} arguments")
        given = dict(zip(names, args))
        for name, value in kwargs.items():
            if name in given or name not in defaults:
                problem = "multiple values for" if name in given else "an unexpected"
                raise TypeError(f"{adapted.__name__}() got {problem} argument '{name}'")
            given[name] = value
        operands, options = [], {}
        for name in names[: len(required)]:
            if name not in given:
                raise TypeError(f"{adapted.__name__}() misses the argument '{name}'")
            operands.append(_as_operand(name, given.pop(name)))
        for name, value in given.items():
            if name in optional:
                if value is not np._NoValue:
                    options[name] = value
            elif not _is_default(value, defaults[name]):
                raise NotImplementedError(
                    f"{adapted.__name__}(): the argument '{name}' is not supported"
                )
        try:
            return function(*operands, **options)
        except UnknownLengthError as error:
            raise UnknownLengthError(f"{adapted.__name__}(): {error}") from None

    adapted.__name__ = adapted.__qualname__ = function.__name__
    adapted.__doc__ = function.__doc__
    return adapted


def _as_operand(name: str, value: Any) -> Any:
    return ops.array(value) if name in _ARRAY_LIKE and isinstance(value, (list, tuple)) else value


# -- ufuncs ----------------------------------------------------------------------------------------

# An operator of another name only has the ufunc's promotion.
UFUNCS: dict[np.ufunc, Op] = {
    op.ufunc: op
    for op in REGISTRY.values()
    if isinstance(op, Elementwise) and op.name == op.ufunc.__name__
}
UFUNCS |= {np.conjugate: ops.conjugate, np.matmul: ops.matmul}

_REDUCTIONS = {
    np.add: ops.sum,
    np.multiply: ops.prod,
    np.maximum: ops.max,
    np.minimum: ops.min,
    np.logical_and: ops.all,
    np.logical_or: ops.any,
}


def _reduce(reduction: Op) -> Callable:
    """``np.add.reduce`` and the like, which reduce the first axis if not told otherwise."""
    adapted = adapt(reduction, "array axis dtype out keepdims initial where=True")

    def reduce(array: Any, axis: Any = 0, *args: Any, **kwargs: Any) -> Any:
        return adapted(array, axis, *args, **kwargs)

    return reduce


def _outer(op: Op) -> Callable:
    def outer(x: Any, y: Any) -> Any:
        return op(ops.reshape(x, shape_of(x) + (1,) * ndim_of(y)), y)

    return outer


def _accumulate(running: Op) -> Callable:
    def accumulate(array: Any, axis: int = 0, dtype: Any = None) -> Any:
        return running(array, axis, dtype)

    return adapt(accumulate, "array axis dtype out")


UFUNC_METHODS: dict[tuple[np.ufunc, str], Callable] = {
    **{(ufunc, "reduce"): _reduce(op) for ufunc, op in _REDUCTIONS.items()},
    **{(ufunc, "outer"): _outer(op) for ufunc, op in UFUNCS.items() if ufunc.nin == 2},
    (np.add, "accumulate"): _accumulate(ops.cumsum),
    (np.multiply, "accumulate"): _accumulate(ops.cumprod),
    (np.add, "at"): lambda a, indices, b: add_at(a, indices, b),
    (np.subtract, "at"): lambda a, indices, b: subtract_at(a, indices, b),
}
del UFUNC_METHODS[np.matmul, "outer"]

# -- functions whose arguments need more than a table ----------------------------------------------


def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """``np.where``: a choice, or with one argument where it is true."""
    if x is None and y is None:
        return ops.nonzero(condition)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    return ops.where(condition, x, y)


def clip(
    a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, min: Any = None, max: Any = None
) -> Any:
    """``np.clip``, whose bounds have two names each."""
    if out is not None:
        raise NotImplementedError("clip(): the argument 'out' is not supported")
    bounds = [a_min if min is None else min, a_max if max is None else max]
    return ops.clip(a, *(None if bound is np._NoValue else bound for bound in bounds))


def full(shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    """``np.full``, whose fill value may be an array that broadcasts."""
    if shape_of(fill_value) == ():
        return ops.full(shape, fill_value, dtype)
    value = fill_value if dtype is None else ops.astype(fill_value, dtype)
    return ops.copy(ops.broadcast_to(value, shape))


def arange(*args: Any, dtype: Any = None, **kwargs: Any) -> Any:
    """``np.arange`` of numbers that are known when the graph is built."""
    if any(isinstance(bound, Symbolic) for bound in (*args, *kwargs.values())):
        raise TypeError("np.arange: the number of elements depends on data that is not known yet")
    return np.arange(*args, dtype=dtype, **kwargs)


def asarray(a: Any, dtype: Any = None) -> Any:
    """``np.asarray``: a symbolic array as it is, unless its dtype is to change."""
    if isinstance(a, (list, tuple)):
        return ops.array(a, dtype)
    return ops.astype(a, dtype_of(a) if dtype is None else dtype)


def einsum(subscripts: Any, *operands: Any, out: Any = None, optimize: Any = False) -> Any:
    """``np.einsum`` with its subscripts in a string. The order of contraction is left to right."""
    if not isinstance(subscripts, str):
        raise NotImplementedError("einsum(): subscripts as lists are not supported")
    if out is not None:
        raise NotImplementedError("einsum(): the argument 'out' is not supported")
    return ops.einsum(subscripts, *operands)


def copyto(dst: Any, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    """``np.copyto``."""
    if not np.can_cast(result_type(src), dtype_of(dst), casting):
        raise TypeError(
            f"Cannot cast array data from {dtype_of(src)!r} to {dtype_of(dst)!r} according to the "
            f"rule '{casting}'"
        )
    dst[...] = src if where is True else ops.where(where, src, dst)


def putmask(a: Any, mask: Any, values: Any) -> None:
    """``np.putmask`` of values that need not be repeated."""
    if shape_of(values) not in ((), shape_of(a)):
        raise NotImplementedError("putmask(): values of another shape are not supported")
    a[...] = ops.where(mask, values, a)


def put(a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    """``np.put``: assignment to places counted in C order."""
    if mode != "raise":
        raise NotImplementedError("put(): the argument 'mode' is not supported")
    if len(shape_of(a)) == 1:
        a[ind] = v
    elif isinstance(ind, Symbolic):
        raise NotImplementedError("put() into several dimensions by symbolic places")
    else:
        a[np.unravel_index(ind, shape_of(a))] = v


def fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    """``np.fill_diagonal``."""
    shape = shape_of(a)
    if len(shape) < 2:
        raise ValueError("array must be at least 2-d")
    if len(shape) > 2 and len(set(shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    if wrap or shape_of(val) != ():
        raise NotImplementedError("fill_diagonal() with an array, or with wrap")
    a[(np.arange(min(shape)),) * len(shape)] = val


def add_at(a: Any, indices: Any, b: Any) -> None:
    """``np.add.at``: places that occur several times are added to several times."""
    operands, spec = encode_index(indices, shape_of(a))
    a[...] = ops.index_add(a, ops.astype(b, dtype_of(a)), *operands, index=spec)


def subtract_at(a: Any, indices: Any, b: Any) -> None:
    """``np.subtract.at``."""
    add_at(a, indices, ops.negative(b))


def result_type(*arrays_and_dtypes: Any) -> np.dtype:
    """``np.result_type``, to which a symbolic array counts as its dtype."""
    stand_ins = []
    for x in arrays_and_dtypes:
        if isinstance(x, Symbolic):
            x = x.type.scalar(0) if x.type.weak else x.type.dtype
        stand_ins.append(x)
    return np.result_type(*stand_ins)


def shape(a: Any) -> tuple[Any, ...]:
    """``np.shape``, with symbolic ints for lengths that only the run knows."""
    return a.shape if isinstance(a, Symbolic) else np.shape(a)


def size(a: Any, axis: int | None = None) -> Any:
    """``np.size``: the number of elements, all of them or along an axis."""
    lengths = ops.lengths_of(a)
    return count(lengths if axis is None else [lengths[axis]])


def item(a: Any) -> Any:
    """``a.item()``: the only element, as a Python number."""
    if operand_type(a).is_static and size(a) != 1:
        raise ValueError("can only convert an array of size 1 to a Python scalar")
    return ops.cast(ops.reshape(a, ()), dtype_of(a), weak=True)


def _reshape(a: Any, *shape: Any, order: str = "C", copy: bool | None = None) -> Any:
    """``a.reshape``, which takes the lengths one by one or as a tuple."""
    shape = shape[0] if len(shape) == 1 else shape
    return FUNCTIONS[np.reshape](a, shape, order, copy=copy)


def _transpose(a: Any, *axes: Any) -> Any:
    """``a.transpose``, which takes the axes one by one or as a tuple."""
    return ops.transpose(a, axes[0] if len(axes) == 1 else axes or None)


def _flatten(a: Any) -> Any:
    return ops.copy(ops.ravel(a))


# -- functions -------------------------------------------------------------------------------------

_REDUCTION = "a axis out keepdims initial where"
_TOTAL = "a axis dtype out keepdims initial where"
_VARIANCE = "a axis dtype out ddof keepdims where mean correction"
_SORT = "a axis kind order stable"

FUNCTIONS: dict[Callable, Callable] = {
    np.sum: adapt(ops.sum, _TOTAL),
    np.prod: adapt(ops.prod, _TOTAL),
    np.mean: adapt(ops.mean, "a axis dtype out keepdims where"),
    np.var: adapt(ops.var, _VARIANCE),
    np.std: adapt(ops.std, _VARIANCE),
    **{f: adapt(ops.max, _REDUCTION) for f in (np.max, np.amax)},
    **{f: adapt(ops.min, _REDUCTION) for f in (np.min, np.amin)},
    np.all: adapt(ops.all, "a axis out keepdims where"),
    np.any: adapt(ops.any, "a axis out keepdims where"),
    np.argmax: adapt(ops.argmax, "a axis out keepdims"),
    np.argmin: adapt(ops.argmin, "a axis out keepdims"),
    np.nonzero: adapt(ops.nonzero, "a"),
    np.flatnonzero: adapt(ops.flatnonzero, "a"),
    np.argwhere: adapt(ops.argwhere, "a"),
    np.count_nonzero: adapt(ops.count_nonzero, "a axis keepdims"),
    np.cumsum: adapt(ops.cumsum, "a axis dtype out"),
    np.cumprod: adapt(ops.cumprod, "a axis dtype out"),
    np.median: adapt(ops.median, "a axis out overwrite_input=False keepdims"),
    np.trapezoid: adapt(ops.trapezoid, "y x dx axis"),
    np.interp: adapt(ops.interp, "x xp fp left right period"),
    np.searchsorted: adapt(ops.searchsorted, "a v side sorter"),
    np.select: adapt(ops.select, "condlist choicelist default"),
    np.sinc: adapt(ops.sinc, "x"),
    np.ptp: adapt(ops.ptp, "a axis out keepdims"),
    np.average: adapt(ops.average, "a axis weights returned=False keepdims"),
    np.where: where,
    np.clip: clip,
    **{f: adapt(ops.round, "a decimals out") for f in (np.round, np.around)},
    np.real: adapt(ops.real, "val"),
    np.imag: adapt(ops.imag, "val"),
    np.nan_to_num: adapt(ops.nan_to_num, "x copy=True nan posinf neginf"),
    np.isclose: adapt(ops.isclose, "a b rtol atol equal_nan"),
    np.allclose: adapt(ops.allclose, "a b rtol atol equal_nan"),
    np.array_equal: adapt(ops.array_equal, "a b equal_nan=False"),
    np.diff: adapt(ops.diff, "a n axis prepend append"),
    np.sort: adapt(ops.sort, _SORT),
    np.argsort: adapt(ops.argsort, _SORT),
    np.reshape: adapt(ops.reshape, "a shape order=C copy"),
    np.transpose: adapt(ops.transpose, "a axes"),
    np.ravel: adapt(ops.ravel, "a order=C"),
    np.squeeze: adapt(ops.squeeze, "a axis"),
    np.expand_dims: adapt(ops.expand_dims, "a axis"),
    np.matrix_transpose: adapt(ops.matrix_transpose, "x"),
    np.swapaxes: adapt(ops.swapaxes, "a axis1 axis2"),
    np.moveaxis: adapt(ops.moveaxis, "a source destination"),
    np.broadcast_to: adapt(ops.broadcast_to, "array shape subok=False"),
    np.broadcast_arrays: ops.broadcast_arrays,
    np.concatenate: adapt(ops.concatenate, "arrays axis out dtype casting=same_kind"),
    np.stack: adapt(ops.stack, "arrays axis out dtype casting=same_kind"),
    np.vstack: adapt(ops.vstack, "tup dtype casting=same_kind"),
    np.hstack: adapt(ops.hstack, "tup dtype casting=same_kind"),
    np.dstack: adapt(ops.dstack, "tup"),
    np.column_stack: adapt(ops.column_stack, "tup"),
    np.split: adapt(ops.split, "ary indices_or_sections axis"),
    np.array_split: adapt(ops.array_split, "ary indices_or_sections axis"),
    np.atleast_1d: ops.atleast_1d,
    np.atleast_2d: ops.atleast_2d,
    np.atleast_3d: ops.atleast_3d,
    np.pad: adapt(ops.pad, "array pad_width mode constant_values"),
    np.flip: adapt(ops.flip, "m axis"),
    np.flipud: adapt(ops.flipud, "m"),
    np.fliplr: adapt(ops.fliplr, "m"),
    np.roll: adapt(ops.roll, "a shift axis"),
    np.repeat: adapt(ops.repeat, "a repeats axis"),
    np.tile: adapt(ops.tile, "A reps"),
    np.take: adapt(ops.take, "a indices axis out mode=raise"),
    np.take_along_axis: adapt(ops.take_along_axis, "arr indices axis"),
    np.diag: adapt(ops.diag, "v k"),
    np.diagonal: adapt(ops.diagonal, "a offset axis1 axis2"),
    np.trace: adapt(ops.trace, "a offset axis1 axis2 dtype out"),
    np.tril: adapt(ops.tril, "m k"),
    np.triu: adapt(ops.triu, "m k"),
    np.meshgrid: ops.meshgrid,
    np.copy: adapt(ops.copy, "a order=* subok=*"),
    np.zeros_like: adapt(ops.zeros_like, "a dtype order=* subok=True shape device"),
    np.ones_like: adapt(ops.ones_like, "a dtype order=* subok=True shape device"),
    np.empty_like: adapt(ops.empty_like, "a dtype order=* subok=True shape device"),
    np.full_like: adapt(ops.full_like, "a fill_value dtype order=* subok=True shape device"),
    np.linspace: adapt(ops.linspace, "start stop num endpoint retstep=False dtype axis=0 device"),
    np.dot: adapt(ops.dot, "a b out"),
    np.inner: adapt(ops.inner, "a b"),
    np.outer: adapt(ops.outer, "a b out"),
    np.vdot: adapt(ops.vdot, "a b"),
    np.tensordot: adapt(ops.tensordot, "a b axes"),
    np.kron: adapt(ops.kron, "a b"),
    np.cross: adapt(ops.cross, "a b axisa=-1 axisb=-1 axisc=-1 axis"),
    np.einsum: einsum,
    np.linalg.cholesky: adapt(linalg.cholesky, "a upper=False"),
    np.linalg.solve: adapt(linalg.solve, "a b"),
    np.linalg.inv: adapt(linalg.inv, "a"),
    np.linalg.det: adapt(linalg.det, "a"),
    np.linalg.slogdet: adapt(linalg.slogdet, "a"),
    np.linalg.norm: adapt(linalg.norm, "x ord axis keepdims"),
    np.copyto: copyto,
    np.putmask: putmask,
    np.put: put,
    np.fill_diagonal: fill_diagonal,
    np.result_type: result_type,
    np.shape: shape,
    np.ndim: lambda a: ndim_of(a),
    np.size: size,
    np.iscomplexobj: lambda x: dtype_of(x).kind == "c",
    np.isrealobj: lambda x: dtype_of(x).kind != "c",
}

# -- functions without a protocol ------------------------------------------------------------------


def _scalar_type(dtype: type) -> Callable:
    def convert(value: Any = 0) -> Any:
        return ops.cast(value, dtype)

    convert.__name__ = dtype.__name__
    return convert


_SCALAR_TYPES = [
    *(np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64),
    *(np.float16, np.float32, np.float64, np.complex64, np.complex128),
]

CREATORS: dict[Callable, Callable] = {
    np.array: adapt(ops.array, "object dtype copy=True order=* subok=False ndmin ndmax=0 like"),
    np.asarray: adapt(asarray, "a dtype order=* device copy like"),
    np.asanyarray: adapt(asarray, "a dtype order=* device copy like"),
    np.ascontiguousarray: adapt(asarray, "a dtype like"),
    np.zeros: adapt(ops.zeros, "shape dtype order=* device like"),
    np.ones: adapt(ops.ones, "shape dtype order=* device like"),
    np.empty: adapt(ops.empty, "shape dtype order=* device like"),
    np.full: adapt(full, "shape fill_value dtype order=* device like"),
    np.arange: arange,
    np.eye: adapt(ops.eye, "N M k dtype order=* device like"),
    np.identity: adapt(lambda n, dtype=float: ops.eye(n, dtype=dtype), "n dtype like"),
    **{dtype: _scalar_type(dtype) for dtype in _SCALAR_TYPES},
}

# -- methods ---------------------------------------------------------------------------------------

METHODS: dict[str, Callable] = {
    **{
        name: FUNCTIONS[getattr(np, name)]
        for name in (
            *("sum", "prod", "mean", "var", "std", "max", "min", "all", "any", "argmax", "argmin"),
            *(
                "cumsum",
                "cumprod",
                "argsort",
                "ravel",
                "squeeze",
                "swapaxes",
                "repeat",
                "take",
                "diagonal",
            ),
            *("trace", "dot", "round", "searchsorted"),
        )
    },
    "reshape": _reshape,
    "transpose": _transpose,
    "astype": adapt(ops.cast, "a dtype order=* casting=unsafe subok=* copy=*"),
    "clip": lambda a, min=None, max=None, out=None: clip(a, min, max, out),
    "copy": adapt(ops.copy, "a order=*"),
    "flatten": adapt(_flatten, "a order=C"),
    "conj": ops.conjugate,
    "conjugate": ops.conjugate,
    "item": item,
}
