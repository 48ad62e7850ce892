"""Which operator stands for which of NumPy's ufuncs, and what for their methods.

===============  ===================================================================================
`UFUNCS`         ufunc -> operator
`UFUNC_METHODS`  (ufunc, name of the method) -> function, for ``np.add.reduce`` and the like
===============  ===================================================================================
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ops import reduction
from ops.contraction import matmul
from ops.conversion import astype, conjugate
from ops.cumulative import cumprod, cumsum, prod
from ops.elementwise import negative
from ops.indexing import encode_index, index_add
from ops.numpy_table import adapt
from ops.registry import REGISTRY, Elementwise, Op, dtype_of, ndim_of, shape_of
from ops.structural import reshape


def add_at(a: Any, indices: Any, b: Any) -> None:
    """``np.add.at``: places that occur several times are added to several times."""
    operands, spec = encode_index(indices, shape_of(a))
    a[...] = index_add(a, astype(b, dtype_of(a)), *operands, index=spec)


def subtract_at(a: Any, indices: Any, b: Any) -> None:
    """``np.subtract.at``."""
    add_at(a, indices, negative(b))


# An operator of another name only has the ufunc's promotion.
UFUNCS: dict[np.ufunc, Op] = {
    op.ufunc: op
    for op in REGISTRY.values()
    if isinstance(op, Elementwise) and op.name == op.ufunc.__name__
}
UFUNCS |= {np.conjugate: conjugate, np.matmul: matmul}

_REDUCTIONS = {
    np.add: reduction.sum,
    np.multiply: prod,
    np.maximum: reduction.max,
    np.minimum: reduction.min,
    np.logical_and: reduction.all,
    np.logical_or: reduction.any,
}


def _reduce(reduction: Op) -> Callable:
    """``np.add.reduce`` and the like, which reduce the first axis if not told otherwise."""
    adapted = adapt(reduction, "array axis dtype out keepdims initial where=True")

    def reduce(array: Any, axis: Any = 0, *args: Any, **kwargs: Any) -> Any:
        return adapted(array, axis, *args, **kwargs)

    return reduce


def _outer(op: Op) -> Callable:
    def outer(x: Any, y: Any) -> Any:
        return op(reshape(x, shape_of(x) + (1,) * ndim_of(y)), y)

    return outer


def _accumulate(running: Op) -> Callable:
    def accumulate(array: Any, axis: int = 0, dtype: Any = None) -> Any:
        return running(array, axis, dtype)

    return adapt(accumulate, "array axis dtype out")


UFUNC_METHODS: dict[tuple[np.ufunc, str], Callable] = {
    **{(ufunc, "reduce"): _reduce(op) for ufunc, op in _REDUCTIONS.items()},
    **{(ufunc, "outer"): _outer(op) for ufunc, op in UFUNCS.items() if ufunc.nin == 2},
    (np.add, "accumulate"): _accumulate(cumsum),
    (np.multiply, "accumulate"): _accumulate(cumprod),
    (np.add, "at"): add_at,
    (np.subtract, "at"): subtract_at,
}
del UFUNC_METHODS[np.matmul, "outer"]
