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
from ops import derived, linalg
from ops.registry import REGISTRY, Elementwise, Op, Symbolic, dtype_of, shape_of

# Parameters, by NumPy's names, in whose place a list stands for an array.
_ARRAY_LIKE = {"a", "b", "x", "y", "m", "v", "arr", "ary", "array", "condition", "A", "object"}


def adapt(function: Callable, signature: str) -> Callable:
    """``function`` with NumPy's signature.

    Args:
        function: an operator, or a function of operators. The parameters it requires are the first
            of NumPy's; its others have the names that they have in NumPy.
        signature: NumPy's parameters in order, ``name=value`` for those that have a default other
            than None. Those that ``function`` lacks are accepted with their defaults only.
    """
    target = (function.prepare or function.infer) if isinstance(function, Op) else function
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
            elif not (value is None or value is np._NoValue or str(value) == defaults[name]):
                raise NotImplementedError(
                    f"{adapted.__name__}(): the argument '{name}' is not supported"
                )
        return function(*operands, **options)

    adapted.__name__ = adapted.__qualname__ = function.__name__
    adapted.__doc__ = function.__doc__
    return adapted


def _as_operand(name: str, value: Any) -> Any:
    return ops.array(value) if name in _ARRAY_LIKE and isinstance(value, (list, tuple)) else value


# -- ufuncs ----------------------------------------------------------------------------------------

UFUNCS: dict[np.ufunc, Op] = {
    op.ufunc: op for op in REGISTRY.values() if isinstance(op, Elementwise)
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
    def reduce(array: Any, axis: Any = 0, **options: Any) -> Any:
        return reduction(array, axis=axis, **options)

    reduce.__name__ = f"{reduction.name}.reduce"
    return reduce


def _outer(op: Op) -> Callable:
    def outer(x: Any, y: Any) -> Any:
        new_axes = (1,) * len(shape_of(y))
        return op(ops.reshape(x, shape_of(x) + new_axes), y)

    return outer


def _reduce_adapted(reduction: Op) -> Callable:
    parameters = inspect.signature(reduction.prepare).parameters
    options = [name for name in ("dtype", "keepdims") if name in parameters]
    del options
    return _reduce(reduction)


UFUNC_METHODS: dict[tuple[np.ufunc, str], Callable] = {
    **{(ufunc, "reduce"): _reduce(op) for ufunc, op in _REDUCTIONS.items()},
    **{(ufunc, "outer"): _outer(op) for ufunc, op in UFUNCS.items() if ufunc.signature is None},
    (np.add, "accumulate"): adapt(lambda array, axis=0, dtype=None: ops.cumsum(array, axis, dtype), "array axis dtype out"),
}
