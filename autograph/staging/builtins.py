"""Python's built-in functions on symbolic values."""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import optree

import ops
from autograph.errors import ConcreteValueError, OperandTypeError
from autograph.graph.builder import current_builder
from autograph.graph.graph import Value
from autograph.staging import items
from autograph.staging.array import GraphArray, located_error
from autograph.staging.control import truth
from ops import effects
from ops.registry import active_tracer


def _to_number(kind: type) -> Callable:
    def convert(value: Any = 0) -> Any:
        if not isinstance(value, GraphArray):
            return kind(value)
        if value.size != 1:
            raise located_error(
                OperandTypeError, "only arrays of one element can be converted to Python numbers"
            )
        if value.dtype.kind == "c" and kind is not complex:
            raise located_error(OperandTypeError, f"{kind.__name__}() of a complex number")
        return ops.cast(ops.reshape(value, ()), dtype=np.dtype(kind).name, weak=True)

    return convert


to_float = _to_number(float)


def to_bool(value: Any = False) -> Any:
    flag = truth(value)
    if not isinstance(flag, Value):
        return flag
    return GraphArray(ops.cast(flag, dtype="bool", weak=True))


def _extreme(name: str, better: str) -> Callable:
    """``min`` or ``max``: of the arguments, or of the elements of the only one."""

    def extreme(*args: Any, **kwargs: Any) -> Any:
        candidates = args if len(args) > 1 else list(args[0])
        if not any(isinstance(candidate, GraphArray) for candidate in candidates):
            return getattr(builtins, name)(candidates, **kwargs)
        if kwargs:
            raise located_error(
                OperandTypeError, f"{name}() of symbolic values takes no {', '.join(kwargs)}"
            )
        result = candidates[0]
        for candidate in candidates[1:]:
            keep = getattr(ops, better)(candidate, result)
            result = ops.cond(keep, lambda c=candidate: c, lambda r=result: r)
        return result

    return extreme


def total(iterable: Any, start: Any = 0) -> Any:
    """``sum``: from left to right, as Python does it."""
    found = items.as_items(iterable)
    if found is None:
        return builtins.sum(iterable, start)
    (result,) = ops.for_loop(found, lambda item, so_far: (so_far + item,), (start,), ("total",))
    return result


def _fold(combine: Callable, empty: bool) -> Callable:
    """``any`` or ``all``: one element after the other until the answer is known."""

    def fold(iterable: Any) -> Any:
        if isinstance(iterable, GraphArray) and iterable.ndim == 1:
            return to_bool(ops.any(iterable) if not empty else ops.all(iterable))
        result: Any = empty
        for element in iterable:
            result = combine(result, lambda e=element: to_bool(e))
            if result is not empty and not isinstance(result, GraphArray):
                break
        return result

    return fold


def rounded(number: Any, ndigits: Any = None) -> Any:
    """``round``: to even; of a scalar, an int if no digits are asked for."""
    if ndigits is not None:
        if number.type.weak:
            return ops.elementwise.round_number(number, ndigits=operator.index(ndigits))
        return np.round(number, ndigits)
    if number.shape:
        raise located_error(OperandTypeError, "type numpy.ndarray doesn't define __round__ method")
    return ops.cast(ops.rint(number), dtype="int64", weak=True)


def is_instance(value: Any, kinds: Any) -> bool:
    """``isinstance`` by what the symbolic value stands for."""
    return isinstance(_example(value), kinds)


def type_of_object(value: Any, *more: Any) -> type:
    """``type`` of what the symbolic value stands for."""
    return type(_example(value), *more)


def has_attribute(value: Any, name: str) -> bool:
    """``hasattr`` of what the symbolic value stands for."""
    return hasattr(_example(value), name)


def _example(value: Any) -> Any:
    """A value of the Python type that a symbolic value stands for; others are their own example."""
    if not isinstance(value, GraphArray):
        return value
    if value.type.weak:
        return value.type.scalar()
    return np.empty(value.shape, value.dtype) if value.shape else value.dtype.type()


def contains(container: Any, item: Any) -> Any:
    """``item in container``: equality with the elements, one after the other."""
    if isinstance(container, GraphArray):
        return to_bool(ops.any(ops.equal(container, item)))
    leaves = optree.tree_leaves((container, item), none_is_leaf=True)
    if not isinstance(container, (list, tuple, range)) or not any(
        isinstance(leaf, GraphArray) for leaf in leaves
    ):
        return item in container
    if isinstance(container, range):
        return _in_range(container, item)
    return _fold(ops.or_, False)(item is element or item == element for element in container)


def _in_range(numbers: range, item: Any) -> Any:
    if len(numbers) == 0:
        return False
    low, high = sorted((numbers[0], numbers[-1]))
    return ops.and_(
        ops.and_(item >= low, lambda: item <= high),
        lambda: (item - low) % abs(numbers.step) == 0,
    )


def text(*args: Any, **kwargs: Any) -> str:
    """``str``: of containers too, which would write their elements' internal form."""
    _refuse_text(*args)
    return str(*args, **kwargs)


def _refuse_text(*args: Any) -> None:
    if any(isinstance(leaf, GraphArray) for leaf in optree.tree_leaves(args, none_is_leaf=True)):
        raise located_error(
            ConcreteValueError,
            "a symbolic value cannot be formatted into text",
            fix="print it with print(value), which runs when the program runs",
        )


def divided(a: Any, b: Any) -> tuple:
    return a // b, a % b


def power(base: Any, exponent: Any, modulus: Any = None) -> Any:
    if modulus is not None:
        raise located_error(OperandTypeError, "pow() of symbolic values takes two arguments")
    return base**exponent


BUILTINS: dict[Callable, Callable] = {
    range: items.traced_range,
    enumerate: items.traced_enumerate,
    zip: items.traced_zip,
    reversed: items.traced_reversed,
    bool: to_bool,
    int: _to_number(int),
    float: to_float,
    complex: _to_number(complex),
    min: _extreme("min", "less"),
    max: _extreme("max", "greater"),
    sum: total,
    any: _fold(ops.or_, False),
    all: _fold(ops.and_, True),
    round: rounded,
    isinstance: is_instance,
    type: type_of_object,
    str: text,
    repr: text,
    hasattr: has_attribute,
    divmod: divided,
    pow: power,
}


def _math(name: str) -> Callable:
    """A function of the module ``math``: NumPy's, but a Python float, and an error where ``math``
    has one.

    ``math`` raises where NumPy gives NaN without a NaN among the arguments, or an infinity without
    one among them.
    """
    function = getattr(np, name)

    def compute(*args: Any) -> Any:
        floats = [ops.cast(x, dtype="float64") for x in args]
        result = function(*floats)
        proper = np.isfinite(result)
        for x in floats:
            accounted = np.where(np.isnan(result), np.isnan(x), np.isinf(x))
            proper = np.logical_or(proper, accounted)
        overflows = name in ("exp", "expm1", "cosh", "sinh")
        effects.check(
            proper,
            error="OverflowError" if overflows else "ValueError",
            message="math range error" if overflows else "math domain error",
        )
        return ops.cast(result, dtype="float64", weak=True)

    return compute


_LOG = _math("log")
_SAME_NAME = (
    *("sqrt", "exp", "expm1", "log2", "log10", "log1p", "fmod", "hypot", "copysign"),
    *("sin", "cos", "tan", "sinh", "cosh", "tanh"),
)
_MATH = {
    **dict(zip(_SAME_NAME, _SAME_NAME)),
    **{f"a{name}": f"arc{name}" for name in ("sin", "cos", "tan", "tan2", "sinh", "cosh", "tanh")},
    "fabs": "absolute",
}
BUILTINS.update((getattr(math, theirs), _math(ours)) for theirs, ours in _MATH.items())
BUILTINS[math.isnan] = lambda x: to_bool(np.isnan(x))
BUILTINS[math.isinf] = lambda x: to_bool(np.isinf(x))
BUILTINS[math.isfinite] = lambda x: to_bool(np.isfinite(x))
BUILTINS[math.log] = lambda x, *base: _LOG(x) / _LOG(*base) if base else _LOG(x)
BUILTINS[math.floor] = lambda x: ops.cast(np.floor(x), dtype="int64", weak=True)
BUILTINS[math.ceil] = lambda x: ops.cast(np.ceil(x), dtype="int64", weak=True)


def printed(*args: Any, sep: Any = " ", end: Any = "\n", **options: Any) -> None:
    """``print``, when the program runs and in order with its other effects."""
    if options:
        raise located_error(
            OperandTypeError, f"print() in converted code takes no {', '.join(options)}"
        )
    tracer = active_tracer()
    for arg in args:
        if not isinstance(arg, GraphArray):
            _refuse_text(arg)
    symbolic = [arg for arg in args if isinstance(arg, GraphArray)]
    texts = tuple(None if isinstance(arg, GraphArray) else str(arg) for arg in args)
    attrs = {"texts": texts, "sep": str(sep), "end": str(end)}
    current_builder().apply(effects.print_, [tracer.value_of(x) for x in symbolic], attrs)


# These are recorded even when none of their arguments is symbolic.
EFFECTS: dict[Callable, Callable] = {print: printed}

# These may be given an iterator, which does not show whether it gives symbolic values.
OF_ITERATORS = {min, max, any, all}
