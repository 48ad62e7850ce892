"""``np.vectorize``: a function of numbers, called for each element of arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import ops
from autograph.errors import UnsupportedFunctionError
from autograph.staging.arrays.array import GraphArray, located_error
from autograph.staging.ground.errors import located
from autograph.staging.sequences.items import traced_zip
from ops.core.operands import broadcast_shapes
from ops.elementwise.conversion import astype


def vectorized(function: np.vectorize, *args: Any, **kwargs: Any) -> GraphArray:
    """What a function made by ``np.vectorize`` returns: a loop over the elements.

    The function gets Python numbers, and returns a number.

    Raises:
        UnsupportedFunctionError: it has keyword arguments, or a signature, or excludes arguments.
        ValueError: there are no elements, and no dtype for the result.
    """
    if kwargs or function.excluded or function.signature is not None:
        raise _unsupported("with keyword arguments, excluded arguments or a signature")
    types = [np.dtype(kind) for kind in function.otypes or ()]
    if len(types) > 1:
        raise _unsupported("of several results")
    if not args:
        raise ValueError("args can not be empty")
    with located():
        given = [ops.call(np.asarray, arg) for arg in args]
        shape: Any = broadcast_shapes(*(x.type.known_shape for x in given))
        size = math.prod(shape)
        if not size and not types:
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        if not size:
            return ops.call(np.zeros, shape, types[0])
        vectors = [ops.reshape(ops.broadcast_to(x, shape), -1) for x in given]
    if not types and not function.cache:  # NumPy calls it once more, to see of what type they are
        ops.call(function.pyfunc, *(_number(x[0]) for x in vectors))
    elements = traced_zip(*vectors)
    results = ops.collect(lambda row: ops.call(function.pyfunc, *map(_number, row)), elements)
    found = ops.call(np.array, results)
    if found.ndim != 1:
        raise _unsupported("of a function that does not return a number")
    found = ops.reshape(found, shape)
    found = astype(found, types[0]) if types else found
    found.is_array = True
    return found


def _number(element: Any) -> Any:
    """An element as a Python number."""
    return ops.cast(element, weak=True)


def _unsupported(what: str) -> Exception:
    return located_error(
        UnsupportedFunctionError,
        f"np.vectorize {what}, of traced arrays",
        fix="write the function with NumPy's own, or loop over the elements",
    )
