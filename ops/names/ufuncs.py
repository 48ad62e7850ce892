"""Which operator stands for which of NumPy's ufuncs, and what for their methods.

===============  ===================================================================================
`UFUNCS`         ufunc -> operator, or function of operators
`UFUNC_METHODS`  (ufunc, name of the method) -> function, for ``np.add.reduce`` and the like
===============  ===================================================================================

`call` applies a ufunc with the options that all of them have; the methods are in
`ops.names.ufunc_methods`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ops.arrays.contraction import core_axes, matmul
from ops.arrays.indexing import subscript
from ops.arrays.joining import array as array_of
from ops.arrays.reduction import as_mask
from ops.core.lengths import lengths_of
from ops.core.numpy_table import FUNCTIONS, deliver
from ops.core.operands import Symbolic, dims_of, dtype_of, ndim_of, operand_type
from ops.core.registry import REGISTRY, Elementwise, Op
from ops.core.types import array, numpy_dtype, type_of, weak
from ops.elementwise import divmod, frexp, modf
from ops.elementwise.conversion import astype, conjugate
from ops.elementwise.conversion import where as where_
from ops.names import ufunc_methods
from ops.numbers.complex_numbers import sign_or_direction
from ops.special.scipy_names import of_scipy
from ops.structure.identity import contiguous
from ops.structure.permuting import moveaxis
from ops.structure.reshaping import reshape

_COMPLEX, _FLOAT64 = weak(complex), array(np.float64)


def isnat(x: Any) -> Any:
    """``np.isnat``, which is not defined for numbers."""
    raise TypeError("ufunc 'isnat' is only defined for np.datetime64 and np.timedelta64.")


def matmul_along(
    x: Any, y: Any, axes: Sequence | None = None, axis: Any = None, keepdims: bool = False
) -> Any:
    """``np.matmul``.

    Args:
        x, y: the arrays.
        axes: for each of the two and for the result the axes that make up the vectors or matrices.
    """
    if axis is not None or keepdims:
        raise TypeError("matmul: axis= and keepdims= need a single, shared core dimension")
    if axes is None:
        return matmul(x, y)
    cores = [min(ndim_of(operand), 2) for operand in (x, y)]
    left = max(sum(cores) - 2, 0)
    entries = core_axes("matmul", axes, (*cores, left))
    x, y = (moveaxis(z, at, range(-len(at), 0)) for z, at in zip((x, y), entries))
    return moveaxis(matmul(x, y), range(-left, 0), entries[2])


# An operator of another name only has the ufunc's promotion.
UFUNCS: dict[np.ufunc, Op | Callable] = {
    op.ufunc: op
    for op in REGISTRY.values()
    if isinstance(op, Elementwise) and op.name == op.ufunc.__name__
}
UFUNCS |= {
    np.conjugate: conjugate,
    np.divmod: divmod,
    np.frexp: frexp,
    np.isnat: isnat,
    np.matmul: matmul_along,
    np.modf: modf,
    np.sign: sign_or_direction,
}

UFUNC_METHODS: dict[tuple[np.ufunc, str], Callable] = {
    (ufunc, name): method
    for ufunc, op in UFUNCS.items()
    for name, method in ufunc_methods.of(ufunc, op).items()
}


def _of_complex_scalars(op: Op) -> Callable:
    """A comparison that looks for NaN in both parts of complex scalars, as ufuncs do; Python's
    operator, which ``op`` is of scalars, does not."""

    @functools.wraps(op)
    def compare(x: Any, y: Any) -> Any:
        operands = x, y
        if "c" in [dtype_of(z).kind for z in operands] and not any(map(ndim_of, operands)):
            return subscript(op(*(reshape(z, (1,)) for z in operands)), 0)
        return op(x, y)

    return compare


_ORDERS = {
    ufunc: _of_complex_scalars(UFUNCS[ufunc])
    for ufunc in (np.greater, np.greater_equal, np.less, np.less_equal)
}


def outer(ufunc: np.ufunc, x: Any, y: Any, **options: Any) -> Any:
    """``ufunc.outer``: the ufunc of each element of ``x`` with each of ``y``."""
    x, y = (array_of(z) if isinstance(z, (list, tuple)) else z for z in (x, y))
    x, y = (astype(z, dtype_of(z)) for z in (x, y))  # numbers are arrays here
    return call(ufunc, (reshape(x, lengths_of(x) + (1,) * ndim_of(y)), y), **options)


UFUNC_METHODS |= {
    (ufunc, "outer"): functools.partial(outer, ufunc)
    for ufunc in UFUNCS
    if ufunc.nin == 2 and ufunc.signature is None
}


def operator_of(ufunc: np.ufunc) -> Callable | None:
    """What stands for a ufunc, if anything."""
    return _ORDERS.get(ufunc) or UFUNCS.get(ufunc) or FUNCTIONS.get(ufunc) or of_scipy(ufunc)


def call(
    ufunc: np.ufunc,
    inputs: Sequence[Any],
    out: Any = None,
    where: Any = True,
    dtype: Any = None,
    casting: str = "same_kind",
    signature: Any = None,
    order: str = "K",
    subok: bool = True,
    **options: Any,
) -> Any:
    """A call of a ufunc that `operator_of` knows.

    Args:
        ufunc: the ufunc.
        inputs: its operands.
        out: an array for the result, or for several results a tuple of arrays or None.
        where: a boolean array: only its elements are computed, the others keep what ``out`` holds.
        dtype: of the results.
        casting: which conversions are allowed.
        signature: of the operands and results, as text or a tuple.
        order: "F" for results whose elements lie in Fortran's order.
        subok: is accepted and means nothing here.
        options: ``axes`` and the like, of ufuncs on vectors and matrices.

    Raises:
        NotImplementedError: ``where`` is given, ``out`` is not.
        TypeError: a conversion that ``casting`` does not allow.
    """
    ours = operator_of(ufunc)
    where = True if isinstance(where, np.bool_) and where else where
    if where is not True and all(array is None for array in _as_tuple(out)):
        raise NotImplementedError(
            f"np.{ufunc.__name__} with where= and without out=, which leaves elements undefined; "
            "use out=np.zeros(...), or np.where"
        )
    operands = _converted(ufunc, inputs, dtype, signature, casting)
    if where is not True:
        where = as_mask(where)
        if isinstance(ours, Op) and ours.may_raise([*map(operand_type, operands)], {}):
            operands = [where_(where, x, dtype_of(x).type(1)) for x in operands]
    results = ours(*operands, **options)
    if out is None:
        return _in_order_of_fortran(results) if order == "F" else results
    outs = _as_tuple(out)
    results = _as_tuple(results)
    given = {dims_of(array) for array in outs if array is not None}
    if len(given) > 1:
        raise ValueError(f"non-broadcastable output operands with shapes {sorted(given)}")
    stored = tuple(_stored(*pair, where, casting) for pair in zip(results, outs))
    return stored if len(stored) > 1 else stored[0]


def _in_order_of_fortran(results: Any) -> Any:
    made = [contiguous(x, order="F") if ndim_of(x) > 1 else x for x in _as_tuple(results)]
    return tuple(made) if isinstance(results, tuple) else made[0]


def _stored(result: Any, out: Any, where: Any, casting: str) -> Any:
    if out is None:
        return result
    if where is not True:
        kept = out if isinstance(out, Symbolic) else np.asarray(out)
        if not np.can_cast(dtype_of(result), dtype_of(out), casting):
            return deliver(result, out, casting, repeat=True)  # which raises
        result = where_(where, astype(result, dtype_of(out)), kept)
    return deliver(result, out, casting, repeat=True)


def _converted(
    ufunc: np.ufunc, inputs: Sequence[Any], dtype: Any, signature: Any, casting: str
) -> Sequence[Any]:
    """The operands in the dtypes in which the ufunc is to compute."""
    types = [x.type if isinstance(x, Symbolic) else type_of(x) for x in inputs]
    if all(t is not None and t.weak for t in types):
        # Called on numbers only, a ufunc takes them as arrays of their default dtypes.
        inputs, types = (
            [astype(x, t.dtype) for x, t in zip(inputs, types)],
            [t.strong() for t in types],
        )
    elif ufunc is np.power and types[1] == weak(int):
        if types[0] is not None and types[0].dtype.kind == "b":
            inputs = inputs[0], astype(inputs[1], np.int64)  # not `np.square`, as the operator
    elif _COMPLEX in types and _FLOAT64 in types:
        # Their operator in Python is Python's own: see `ops.names.operators`.
        inputs = [astype(x, complex) if t == _COMPLEX else x for x, t in zip(inputs, types)]
    if dtype is not None and signature is not None:
        raise TypeError("cannot specify both 'signature' and 'dtype'")
    if dtype is None and signature is None and casting == "same_kind":
        return inputs
    if None in types:
        raise NotImplementedError(
            f"np.{ufunc.__name__} of lists with dtype=, signature= or casting=; use np.array first"
        )
    scalars = [t.dtype if t.scalar is bool else t.scalar for t in types]
    wanted = _signature(ufunc, dtype, signature)
    chosen = {} if wanted is None else {"signature": wanted}
    loop = ufunc.resolve_dtypes((*scalars, *[None] * ufunc.nout), casting=casting, **chosen)
    return [astype(x, found) for x, found in zip(inputs, loop)]


def _signature(ufunc: np.ufunc, dtype: Any, signature: Any) -> tuple | None:
    """What is asked for, as `resolve_dtypes` takes it."""
    if signature is None:
        if dtype is None:
            return None
        return (None,) * ufunc.nin + (numpy_dtype(dtype),) * ufunc.nout
    entries = signature
    if isinstance(signature, str):
        ins, arrow, outs = signature.partition("->")
        entries = (*ins, *outs) if arrow or len(signature) == 1 else ()
    if len(entries) == 1 != ufunc.nargs:
        raise TypeError("a signature of one dtype; use dtype=")
    if len(entries) != ufunc.nargs:
        raise ValueError(f"a signature of {ufunc.__name__} has {ufunc.nargs} dtypes")
    return tuple(None if entry is None else np.dtype(entry) for entry in entries)


def _as_tuple(results: Any) -> tuple:
    return results if isinstance(results, tuple) else (results,)
