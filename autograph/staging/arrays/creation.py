"""Functions that make arrays from shapes, numbers and lists, called while recording.

NumPy has no protocol for them, so converted code calls them through `ops.call`, which comes here.
Their results are symbolic, whatever they are given: a new array is part of the computation and may
be written.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

import ops
from autograph.errors import UnsupportedFunctionError
from autograph.graph.graph import Constant
from autograph.staging.arrays.array import GraphArray, located_error
from autograph.staging.ground.errors import located
from autograph.staging.ground.leaves import leaves_of
from autograph.staging.ground.ownership import Recorded
from autograph.staging.ground.polynomial import bounds as span
from autograph.staging.ground.polynomial import constant, difference
from autograph.staging.ground.recorder import recorder
from ops.arrays.creation import bounds, numbered, progression, require_device
from ops.control import effects
from ops.core import numpy_table
from ops.core.recording import raises_as_python
from ops.core.symbolic_lengths import bounds_of, is_length, is_symbolic
from ops.core.types import is_supported
from ops.elementwise.conversion import astype
from ops.shapes.grids import meshgrid

_LEAST, _MOST = -(2**63), 2**63 - 1

# Called like functions, these give numbers, not arrays of no dimensions.
_NUMBERS = {ours for kind, ours in numpy_table.CREATORS.items() if isinstance(kind, type)}


def recorded(function: Callable) -> Callable:
    """A function whose results are symbolic, whatever it is given."""

    @functools.wraps(function)
    @raises_as_python
    def create(*args: Any, **kwargs: Any) -> Any:
        args = tuple([arg.as_array() if isinstance(arg, Recorded) else arg for arg in args])
        with located():
            result = function(*args, **kwargs)
            if function in _NUMBERS and args and _is_array_of_no_axes(args[0]):
                result = result[()]  # an array of no dimensions stays one when it is cast
        return _as_recorded(result, function not in _NUMBERS)

    return create


def _is_array_of_no_axes(value: Any) -> bool:
    return isinstance(value, GraphArray) and value.is_array


def _as_recorded(result: Any, is_array: bool) -> Any:
    if type(result) in (list, tuple):
        return type(result)(_as_recorded(part, False) for part in result)
    # Nothing in it is symbolic, so it is what it is now: a constant, of which nobody else knows.
    # Texts, dates and objects stay in an array of NumPy's, as libraries make such.
    if isinstance(result, np.ndarray) and is_supported(result.dtype):
        result = GraphArray(Constant(result))
        result.is_made = True
    if isinstance(result, GraphArray) and not result.ndim and not result.type.weak:
        result.is_array = is_array
    return result


def _of_known(function: Callable) -> Callable:
    """A function whose arguments set the length of its result, and so must be known."""

    def create(*args: Any, **kwargs: Any) -> Any:
        return function(*map(_known, args), **{k: _known(v) for k, v in kwargs.items()})

    return create


def _of_lengths(function: Callable) -> Callable:
    """As `_of_known`, but arguments may be lengths that are symbolic."""
    ours = numpy_table.CREATORS[function]

    def create(*args: Any, **kwargs: Any) -> Any:
        given = [_length_or_known(x) for x in args]
        return ours(*given, **{k: _length_or_known(v) for k, v in kwargs.items()})

    return create


def _length_or_known(argument: Any) -> Any:
    if _is_symbolic_integer(argument) and is_length(found := argument.as_length()):
        return found
    return _known(argument)


def _known(argument: Any) -> Any:
    if not isinstance(argument, GraphArray):
        return argument
    return argument.__index__() if argument.dtype.kind in "iu" else argument.__float__()


def _arange(
    start: Any = None,
    stop: Any = None,
    step: Any = None,
    dtype: Any = None,
    *,
    device: Any = None,
    like: Any = None,
) -> Any:
    """``np.arange``. Bounds that differ by a known number give a known length, whatever they are;
    else integer arguments that determine them become part of the signature."""
    if like is not None:
        raise NotImplementedError("arange(): the argument 'like' is not supported")
    require_device(device)
    start, stop, step = numbers = bounds(start, stop, step)
    if isinstance(step, int) and all(_is_integer(x) for x in numbers):
        ends = [x.value if isinstance(x, GraphArray) else x for x in (stop, start)]
        distance = constant(difference(*ends))
        if distance is not None:
            for x in (start, stop):
                _require_64_bits(x)
            places = np.arange(len(range(0, distance, step)))
            return progression(start, stop, step, places, dtype)
    first, last, by = (x.as_length() if _is_symbolic_integer(x) else x for x in numbers)
    if is_symbolic((first, last, by)):
        length = (last - first + by - 1) // by if by > 0 else (first - last - by - 1) // -by
        places = ops.counting(length=length) if length > 0 else np.zeros(0, np.intp)
        places = places if by == 1 else ops.multiply(places, by)
        places = places if type(first) is int and first == 0 else ops.add(places, first)
        return ops.astype(places, dtype or int)
    return ops.arange(first, last, by, dtype=dtype)


def _require_64_bits(bound: Any) -> None:
    """Let the program raise an error where a Python int is a bound that is beyond 64 bits, for
    which NumPy makes an array of another dtype."""
    if not isinstance(bound, GraphArray) or not bound.type.weak or bound.dtype.kind == "b":
        return
    found = span(bound.value, recorder().below)
    if found is not None:
        (least, _), (_, most) = map(bounds_of, found)
        if least >= _LEAST and most <= _MOST:
            return
    message = "a bound of np.arange() is beyond 64 bits, where the dtype depends on the values"
    inside = ops.and_(bound >= _LEAST, lambda: bound <= _MOST)
    effects.check(inside, error="OverflowError", message=message)


def _is_integer(x: Any) -> bool:
    return isinstance(x, int) or _is_symbolic_integer(x)


def _is_symbolic_integer(x: Any) -> bool:
    return isinstance(x, GraphArray) and not x.ndim and x.dtype.kind in "iu"


def _from_function(function: Callable, shape: Any, *, dtype: Any = float, **kwargs: Any) -> Any:
    """``np.fromfunction``: a function of the grid of indices."""
    grid = [_as_recorded(part, True) for part in _indices(shape, dtype)]
    return ops.call(function, *grid, **kwargs)


def _known_shape(shape: Any) -> Any:
    """A shape of known lengths, symbolic or not."""
    if isinstance(shape, (list, tuple)):
        return tuple(map(_length_or_known, shape))
    return _length_or_known(shape)


def _filled(function: Callable) -> Callable:
    """``np.empty`` or ``np.zeros``; of objects NumPy's, as libraries make such."""
    ours = numpy_table.CREATORS[function]

    def create(shape: Any, dtype: Any = float, *args: Any, **kwargs: Any) -> Any:
        if dtype in (object, "O"):
            return function(_known_shape(shape), dtype, *args, **kwargs)
        return ours(shape, dtype, *args, **kwargs)

    return functools.wraps(ours)(create)


def _ndarray(
    shape: Any,
    dtype: Any = float,
    buffer: Any = None,
    offset: int = 0,
    strides: Any = None,
    order: Any = None,
) -> Any:
    """``np.ndarray`` called: ``np.empty``, unless the elements are to be those of a buffer."""
    if buffer is not None or offset or strides is not None:
        raise NotImplementedError("ndarray(): elements that are in a buffer are not supported")
    return numpy_table.CREATORS[np.empty](shape, dtype, order or "C")


def _counted(function: Callable) -> Callable:
    """``np.linspace`` and its like, of as many numbers as their third argument says."""
    ours = recorded(numpy_table.CREATORS[function])

    def create(start: Any, stop: Any, num: Any = 50, *args: Any, **kwargs: Any) -> Any:
        if _is_known_to_run_only(num):
            ops.cond(ops.less(num, 0), lambda: _refuse_count(num), lambda: None)
        return ours(start, stop, num, *args, **kwargs)

    return functools.wraps(ours)(create)


def _linspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: Any = True,
    retstep: Any = False,
    dtype: Any = None,
    axis: Any = 0,
    *,
    device: Any = None,
) -> Any:
    """``np.linspace``, whose step is Python's NaN where there is none."""
    made = _spaced(start, stop, num, endpoint, retstep, dtype, axis, device)
    if retstep and _is_known_to_run_only(num):
        points, step = made
        several = ops.greater(num, 1 if endpoint else 0)
        return points, ops.cond(several, lambda: step, lambda: float("nan"))
    return made


def _is_known_to_run_only(num: Any) -> bool:
    """Whether a number of samples is no length, not even a symbolic one."""
    return isinstance(num, GraphArray) and isinstance(num.as_length(), GraphArray)


def _refuse_count(num: GraphArray) -> None:
    """Let the program raise what NumPy does for a negative number of samples."""
    message = effects.Slot("Number of samples, {}, must be non-negative.", (None,))
    effects.fail(num, error="ValueError", args=(message,), kind=None, names=())


def _from_iterable(iterable: Any, dtype: Any, count: Any = -1, *, like: Any = None) -> Any:
    """``np.fromiter``."""
    if like is not None:
        raise NotImplementedError("fromiter(): the argument 'like' is not supported")
    count = _known(count)
    found = list(iterable if count < 0 else itertools.islice(iterable, count))
    if len(found) < count:
        raise ValueError(f"iterator too short: Expected {count} but iterator had only {len(found)}")
    return ops.array(found, dtype=dtype)


def _nditer(op: Any, *args: Any, **kwargs: Any) -> Any:
    """``np.nditer``, which would go through the memory of arrays."""
    if any(isinstance(leaf, GraphArray) for leaf in leaves_of(op)):
        raise located_error(
            UnsupportedFunctionError,
            "np.nditer of traced arrays",
            fix="loop over x.flat or np.ndenumerate(x), or compute with whole arrays",
        )
    return np.nditer(op, *args, **kwargs)


def _indices(dimensions: Any, dtype: Any = int, sparse: bool = False) -> Any:
    """``np.indices``."""
    lengths = _known_shape(dimensions)
    if not is_symbolic(lengths):
        indices: Any = np.indices
        return indices(lengths, dtype, sparse)
    along = [astype(numbered(n), dtype) for n in lengths]
    grid = meshgrid(*along, sparse=sparse, indexing="ij")
    return tuple(grid) if sparse else ops.stack(grid)


_OF_LENGTHS = (np.eye, np.identity, np.bartlett, np.blackman, np.hamming, np.hanning)

# Their results are often written to, also where they are made of known numbers.
_DISPATCHED = (
    *(np.block, np.column_stack, np.concatenate, np.copy, np.diag, np.diagflat, np.dstack),
    *(np.hstack, np.meshgrid, np.pad, np.repeat, np.resize, np.stack, np.tile, np.vander),
    *(np.vstack, np.histogram, np.histogram_bin_edges, np.histogram2d, np.histogramdd),
    *(np.polynomial.legendre.leggauss, np.polynomial.chebyshev.chebgauss),
    *(np.polynomial.hermite.hermgauss, np.polynomial.hermite_e.hermegauss),
    np.polynomial.laguerre.laggauss,
)


def _dispatched(function: Callable) -> Callable:
    """A function with a protocol, which NumPy does not use for lists of symbolic values."""

    @raises_as_python
    def create(*args: Any, **kwargs: Any) -> Any:
        tree: Any = (args, kwargs)
        leaves = leaves_of(tree)
        if any(isinstance(leaf, GraphArray) for leaf in leaves):
            return recorder().apply_function(function, args, kwargs)
        return function(*args, **kwargs)

    return create


_spaced = _counted(np.linspace)
CREATORS: dict[Callable, Callable] = {
    **{function: recorded(ours) for function, ours in numpy_table.CREATORS.items()},
    **{function: recorded(_of_lengths(function)) for function in _OF_LENGTHS},
    **{function: recorded(_dispatched(function)) for function in _DISPATCHED},
    np.arange: recorded(_arange),
    np.tri: recorded(_of_known(np.tri)),
    np.linspace: _linspace,
    np.logspace: _counted(np.logspace),
    np.geomspace: _counted(np.geomspace),
    np.empty: recorded(_filled(np.empty)),
    np.zeros: recorded(_filled(np.zeros)),
    np.fromiter: recorded(_from_iterable),
    np.fromfunction: recorded(_from_function),
    np.indices: recorded(_indices),
    np.ndarray: recorded(_ndarray),
    np.nditer: _nditer,
}
for _name in ("zeros_like", "ones_like", "empty_like", "full_like"):
    _function = getattr(np, _name)
    CREATORS[_function] = recorded(numpy_table.FUNCTIONS[_function])
