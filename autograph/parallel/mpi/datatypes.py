"""How arrays are reduced and sent.

Sums are those of NumPy, of bools `or`. Complex numbers are summed as pairs of numbers, float16 as
float32, which is rounded once at the end. Integers of 8 and 16 bits are summed in 32, for Open MPI
does not wrap them where it has vector instructions (https://github.com/open-mpi/ompi/issues/8045).

MPI's own maximum knows nothing of NaN, and that of NumPy depends on the order of its operands where
these are -0.0 and 0.0; so floats are compared as integers that are ordered as they are, with 0.0
above -0.0 and NaN beyond all: all processes get the same bits. Unsigned integers are compared as
signed ones, which no MPI gets wrong (https://github.com/open-mpi/ompi/issues/10648).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from autograph.errors import CollectiveError
from autograph.parallel.mpi.calls import Call

Change = Callable[[np.ndarray], np.ndarray]


class Reduced(NamedTuple):
    """How numbers of a dtype are reduced.

    Attributes:
        carrier: the dtype that MPI sees.
        datatype: what MPI calls it.
        operation: of MPI.
        encode: an array as a vector of the carrier, in any order of bytes, which may share its
            memory.
        decode: such a vector as one of the dtype; None if it is one.
        same_bits: whether that changes no bit.
    """

    carrier: np.dtype
    datatype: Any
    operation: Any
    encode: Change
    decode: Change | None
    same_bits: bool = True


def refused(call: Call, dtype: np.dtype, why: str) -> CollectiveError:
    """The error for a dtype that an operator does not take."""
    return CollectiveError(
        f"'{call.operator}' of {dtype}: {why}",
        call.place,
        id="AG0667",
        fix="convert it first, to numbers that MPI knows",
    )


@functools.cache
def _names(mpi: Any) -> dict[np.dtype, Any]:
    """MPI's datatypes of the real numbers that it computes with."""
    found = {
        "int8": mpi.INT8_T,
        "int16": mpi.INT16_T,
        "int32": mpi.INT32_T,
        "int64": mpi.INT64_T,
        "uint8": mpi.UINT8_T,
        "uint16": mpi.UINT16_T,
        "uint32": mpi.UINT32_T,
        "uint64": mpi.UINT64_T,
        "float32": mpi.FLOAT,
        "float64": mpi.DOUBLE,
        "longdouble": mpi.LONG_DOUBLE,
    }
    return {np.dtype(name): datatype for name, datatype in found.items()}


def summed(mpi: Any, dtype: np.dtype, call: Call) -> Reduced:
    """How sums of a dtype are made.

    Raises:
        CollectiveError: MPI cannot.
    """
    native = dtype.newbyteorder("=")
    if native == np.bool_:
        return _bits(mpi, native, np.dtype("int8"), mpi.MAX)
    if native.kind in "iuf" and native.itemsize < 4:
        wide = np.dtype(f"{native.kind}4")
        widen: Change = lambda x: x.reshape(-1).astype(wide)
        narrow: Change = lambda x: x.astype(native)
        return Reduced(wide, _names(mpi)[wide], mpi.SUM, widen, narrow, False)
    if native.kind == "c":
        return _bits(mpi, native, np.empty(0, native).real.dtype, mpi.SUM)
    if native in _names(mpi):
        return _bits(mpi, native, native, mpi.SUM)
    raise refused(call, dtype, "MPI does not know how to add it up")


def compared(mpi: Any, dtype: np.dtype, call: Call, largest: bool) -> Reduced | None:
    """How the largest or smallest of a dtype is found; None if MPI cannot, but NumPy can.

    Raises:
        CollectiveError: there is none.
    """
    native = dtype.newbyteorder("=")
    operation = mpi.MAX if largest else mpi.MIN
    if native.kind == "c":
        raise refused(call, dtype, "complex numbers have no order")
    if native == np.bool_:
        return _bits(mpi, native, np.dtype("int8"), operation)
    if native.kind == "i":
        return _bits(mpi, native, native, operation)
    if native.kind == "u":
        signed, top = np.dtype(f"i{native.itemsize}"), 1 << (8 * native.itemsize - 1)
        flip: Change = lambda x: (x.reshape(-1).astype(native) ^ native.type(top)).view(signed)
        back: Change = lambda x: x.view(native) ^ native.type(top)
        return Reduced(signed, _names(mpi)[signed], operation, flip, back, False)
    if native.kind != "f":
        raise refused(call, dtype, "MPI does not know how to compare it")
    if native.itemsize > 8:
        return None
    keys = np.dtype(f"int{8 * native.itemsize}")
    encode: Change = lambda x: _ordered(x.reshape(-1).astype(native), keys, largest)
    decode: Change = lambda x: _disordered(x, native)
    return Reduced(keys, _names(mpi)[keys], operation, encode, decode, False)


def _bits(mpi: Any, native: np.dtype, carrier: np.dtype, operation: Any) -> Reduced:
    if native == carrier:
        flat: Change = lambda x: x.reshape(-1)  # packing converts other orders of bytes
        return Reduced(carrier, _names(mpi)[carrier], operation, flat, None)
    encode: Change = lambda x: x.astype(native, copy=False).reshape(-1).view(carrier)
    return Reduced(carrier, _names(mpi)[carrier], operation, encode, lambda x: x.view(native))


def _ordered(x: np.ndarray, keys: np.dtype, largest: bool) -> np.ndarray:
    """Floats as integers that are ordered as they are; NaN is the largest, or the smallest."""
    limits, missing = np.iinfo(keys), np.isnan(x)
    found = x.view(keys)
    found ^= (found >> (limits.bits - 1)) & limits.max  # of negative ones all bits but the sign
    found[missing] = limits.max if largest else limits.min
    return found


def _disordered(keys: np.ndarray, dtype: np.dtype) -> np.ndarray:
    limits = np.iinfo(keys.dtype)
    found = (keys ^ ((keys >> (limits.bits - 1)) & limits.max)).view(dtype)
    found[np.isnan(found)] = np.nan  # the keys of NaN are bits of one, of either sign
    return found


def bytes_of(x: np.ndarray, call: Call) -> np.ndarray:
    """The memory of an array, or of a contiguous copy.

    Raises:
        CollectiveError: it holds Python's objects.
    """
    if x.dtype.hasobject:
        raise refused(call, x.dtype, "Python's objects cannot be sent")
    return np.ascontiguousarray(x).reshape(-1).view(np.uint8)


def described(arrays: Sequence[np.ndarray]) -> str:
    """Types of operands, as ``float64[3, 2] and int64[]``."""
    return " and ".join(f"{x.dtype}[{', '.join(map(str, x.shape))}]" for x in arrays)
