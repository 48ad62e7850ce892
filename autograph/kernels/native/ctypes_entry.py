"""Kernels called through ctypes: the same as `autograph.kernels.native.entry`, written in Python.

It serves where that cannot, as on free-threaded builds of CPython, and as its reference in tests.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from autograph.kernels.native.loader import Code
from autograph.kernels.native.runtime import runtime
from autograph.kernels.native.signature import (
    PYTHON_TYPES,
    Alias,
    Array,
    GrownArray,
    Into,
    KernelResult,
    KernelScalar,
    KernelSignature,
)
from ops.core.symbolic_lengths import is_symbolic, shape_at

_Kernel = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)

GAVE_UP, NO_MEMORY = 1, 2


def call(code: Code, inputs: Sequence[Any], outputs: Sequence[np.ndarray]) -> int:
    """Run a kernel.

    Args:
        inputs: C-contiguous arrays, which the kernel gets by address, and NumPy scalars, which it
            gets by value, complex ones by address.
        outputs: C-contiguous arrays.

    Returns:
        The status: 0, or a sum of ``GAVE_UP`` and ``NO_MEMORY``.
    """
    slots = (ctypes.c_uint64 * max(len(inputs), 1))()
    kept = []
    for i, value in enumerate(inputs):
        if isinstance(value, np.ndarray):
            slots[i] = value.ctypes.data
        elif value.dtype.kind == "c":
            kept.append(np.array(value))
            slots[i] = kept[-1].ctypes.data
        else:
            slots[i] = int.from_bytes(value.tobytes().ljust(8, b"\0"), "little")
    places = (ctypes.c_void_p * max(len(outputs), 1))(*(array.ctypes.data for array in outputs))
    return _Kernel(code.address)(slots, places)


def make_with_ctypes(
    name: str, code: Code, signature: KernelSignature, slow: Callable[..., Any]
) -> Callable[..., Any]:
    """As `autograph.kernels.native.entry.make`; the GIL is always released."""

    def function(*arguments: Any) -> Any:
        if len(arguments) != len(signature.parameters):
            return slow(*arguments)
        inputs = [_input(p, a) for p, a in zip(signature.parameters, arguments)]
        if any(value is None for value in inputs):
            return slow(*arguments)
        known = {
            name: arguments[position].shape[axis] - less
            for name, (position, axis, less) in signature.symbols.items()
        }
        arrays = [(p, a) for p, a in zip(signature.parameters, arguments) if isinstance(p, Array)]
        if any(shape_at(p.shape, known) != a.shape for p, a in arrays):
            return slow(*arguments)
        inputs += map(np.int64, known.values())
        outputs = []
        for result in signature.results:
            match result:
                case Array(dtype, shape):
                    outputs.append(np.empty(shape_at(shape, known), dtype))
                case GrownArray():
                    outputs.append(np.zeros(1 + len(result.told), np.int64))
                case KernelScalar(dtype):
                    outputs.append(np.empty((), dtype))
                case Into(position):
                    if not arguments[position].flags.writeable:
                        return slow(*arguments)
                    outputs.append(arguments[position])
        try:
            status = call(code, inputs, outputs)
        except SystemError as error:  # the kernel returned, and an exception was there
            if error.__cause__ is None:
                raise
            raise error.__cause__ from None
        if status:
            for result, output in zip(_written(signature), outputs):
                if isinstance(result, GrownArray) and output[0]:
                    _taken(result, output)
            if status & GAVE_UP:
                return slow(*arguments)
            raise MemoryError
        return _delivered(signature, arguments, outputs)

    function.__name__ = function.__qualname__ = name
    return function


def _input(parameter: Array | KernelScalar, argument: Any) -> Any:
    """The array or NumPy scalar that the kernel gets; None if it is not what the parameter says."""
    dtype = parameter.dtype
    if type(argument) is np.ndarray:
        if isinstance(parameter, KernelScalar) and "array" not in parameter.forms:
            return None
        flags = argument.flags
        if argument.dtype.num != dtype.num or not argument.dtype.isnative:
            return None
        shape = parameter.shape if isinstance(parameter, Array) else ()
        fits = is_symbolic(shape) or argument.shape == shape
        if argument.ndim != len(shape) or not fits or not flags.aligned:
            return None
        if not flags.c_contiguous:
            return None
        return argument if isinstance(parameter, Array) else argument[()]
    if isinstance(parameter, Array):
        return None
    if type(argument) is dtype.type and "numpy" in parameter.forms:
        return argument
    if "bits" in parameter.forms and type(argument) is int:
        return dtype.type(argument % 2**64)
    if "python" in parameter.forms and type(argument) is PYTHON_TYPES[dtype]:
        if type(argument) is int:
            limits = np.iinfo(dtype)
            if not limits.min <= argument <= limits.max:
                return None
        return dtype.type(argument)
    return None


def _written(signature: KernelSignature) -> Iterator[KernelResult]:
    """What the outputs of the kernel are."""
    return (result for result in signature.results if not isinstance(result, Alias))


def _taken(result: GrownArray, place: np.ndarray) -> np.ndarray:
    """A copy of an array whose memory a kernel has taken, which is given back."""
    address, *lengths = place.tolist()
    following = iter(lengths)
    shape = tuple(next(following) if n is None else n for n in result.shape)
    nbytes = math.prod(shape) * result.dtype.itemsize
    found = np.frombuffer(ctypes.string_at(address, nbytes), result.dtype).reshape(shape).copy()
    give = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint64)
    give(runtime().symbols["ag_give"])(address, nbytes)
    return found


def _delivered(
    signature: KernelSignature, arguments: Sequence[Any], outputs: list[np.ndarray]
) -> Any:
    """The results in Python."""
    results, written = [], iter(outputs)
    for result in signature.results:
        match result:
            case Array():
                results.append(next(written))
            case GrownArray():
                results.append(_taken(result, next(written)))
            case KernelScalar(_, ("numpy",)):
                results.append(next(written)[()])
            case KernelScalar():
                results.append(next(written).item())
            case Alias(position):
                results.append(arguments[position])
            case Into():
                next(written)
    return results[0] if signature.single else tuple(results)
