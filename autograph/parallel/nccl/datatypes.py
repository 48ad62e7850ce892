"""How CuPy arrays are reduced.

Sums are those of `autograph.parallel.mpi.datatypes`: of bools `or`, complex numbers as pairs,
float16 as float32, which is rounded once at the end, integers of 8 and 16 bits in 32.

What NCCL's maximum makes of NaN is not documented, so floats are compared as integers that are
ordered as they are, with 0.0 above -0.0 and NaN beyond all: NaN where one is, as for NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.errors import CollectiveError
from autograph.parallel.mpi.calls import Call
from autograph.parallel.mpi.datatypes import Reduced

_WIDE = {"i": np.dtype("int32"), "u": np.dtype("uint32"), "f": np.dtype("float32")}


class Datatypes:
    """The forms in which NCCL reduces arrays.

    Args:
        library: CuPy.
        nccl: its module of NCCL.
    """

    def __init__(self, library: Any, nccl: Any):
        self._library = library
        self._nccl = nccl
        self._names: dict[np.dtype, int] = {
            np.dtype("uint8"): nccl.NCCL_UINT8,
            np.dtype("int32"): nccl.NCCL_INT32,
            np.dtype("uint32"): nccl.NCCL_UINT32,
            np.dtype("int64"): nccl.NCCL_INT64,
            np.dtype("uint64"): nccl.NCCL_UINT64,
            np.dtype("float32"): nccl.NCCL_FLOAT32,
            np.dtype("float64"): nccl.NCCL_FLOAT64,
        }

    def summed(self, dtype: np.dtype, call: Call) -> Reduced:
        """How sums of a dtype are made.

        Raises:
            CollectiveError: NCCL cannot.
        """
        operation = self._nccl.NCCL_SUM
        if dtype == np.bool_:
            return self._seen(dtype, np.dtype("uint8"), self._nccl.NCCL_MAX)
        if dtype.kind in _WIDE and dtype.itemsize < 4:
            return self._widened(dtype, operation)
        if dtype.kind == "c" and dtype.itemsize <= 16:
            return self._seen(dtype, np.dtype(f"f{dtype.itemsize // 2}"), operation)
        if dtype in self._names:
            return self._seen(dtype, dtype, operation)
        raise _refused(call, dtype, "NCCL does not know how to add it up")

    def compared(self, dtype: np.dtype, call: Call, largest: bool) -> Reduced:
        """How the largest or smallest of a dtype is found.

        Raises:
            CollectiveError: there is none, or NCCL cannot.
        """
        operation = self._nccl.NCCL_MAX if largest else self._nccl.NCCL_MIN
        if dtype.kind == "c":
            raise _refused(call, dtype, "complex numbers have no order")
        if dtype == np.bool_:
            return self._seen(dtype, np.dtype("uint8"), operation)
        if dtype.kind in "iu" and dtype not in self._names:
            return self._widened(dtype, operation)
        if dtype.kind in "iu":
            return self._seen(dtype, dtype, operation)
        if dtype.kind != "f" or dtype.itemsize > 8:
            raise _refused(call, dtype, "NCCL does not know how to compare it")
        keys = np.dtype(f"int{8 * dtype.itemsize}")
        carrier = keys if keys in self._names else np.dtype("int32")
        encode = lambda x: self._ordered(x, keys, largest).astype(carrier, copy=False)
        decode = lambda x: self._disordered(x.astype(keys, copy=False), dtype)
        return self._reduced(carrier, operation, encode, decode, False)

    def _seen(self, dtype: np.dtype, carrier: np.dtype, operation: int) -> Reduced:
        """The same bits as numbers of another dtype."""
        if dtype == carrier:
            return self._reduced(carrier, operation, self._flat, None)
        encode = lambda x: self._flat(x).view(carrier)
        return self._reduced(carrier, operation, encode, lambda x: x.view(dtype))

    def _widened(self, dtype: np.dtype, operation: int) -> Reduced:
        wide = _WIDE[dtype.kind]
        encode = lambda x: self._flat(x).astype(wide)
        return self._reduced(wide, operation, encode, lambda x: x.astype(dtype), False)

    def _reduced(
        self,
        carrier: np.dtype,
        operation: int,
        encode: Callable[[Any], Any],
        decode: Callable[[Any], Any] | None,
        same_bits: bool = True,
    ) -> Reduced:
        return Reduced(carrier, self._names[carrier], operation, encode, decode, same_bits)

    def _flat(self, x: Any) -> Any:
        return self._library.ascontiguousarray(x).reshape(-1)

    def _ordered(self, x: Any, keys: np.dtype, largest: bool) -> Any:
        """Floats as integers that are ordered as they are; NaN is the largest, or the smallest."""
        limits, numbers = np.iinfo(keys), self._flat(x)
        found = numbers.view(keys)
        found = found ^ ((found >> (limits.bits - 1)) & int(limits.max))  # but for the sign
        found[self._library.isnan(numbers)] = int(limits.max if largest else limits.min)
        return found

    def _disordered(self, keys: Any, dtype: np.dtype) -> Any:
        limits = np.iinfo(keys.dtype)
        found = (keys ^ ((keys >> (limits.bits - 1)) & int(limits.max))).view(dtype)
        found[self._library.isnan(found)] = float("nan")  # the keys of NaN are bits of one
        return found


def _refused(call: Call, dtype: np.dtype, why: str) -> CollectiveError:
    return CollectiveError(
        f"'{call.operator}' of {dtype}: {why}",
        call.place,
        id="AG0667",
        fix="convert it first, to numbers that NCCL knows",
    )
