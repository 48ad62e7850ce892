"""Arrays in as few messages as there are kinds of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from autograph.parallel.mpi.datatypes import Reduced


class _Part(NamedTuple):
    """Where an array is in a message."""

    place: int  # among the operands
    at: slice
    shape: tuple[int, ...]
    form: Reduced


class Packet:
    """Arrays of one kind, one after the other.

    Attributes:
        datatype: of MPI.
        operation: of MPI.
        count: of numbers.
    """

    def __init__(self, form: Reduced):
        self.datatype = form.datatype
        self.operation = form.operation
        self.count = 0
        self._carrier = form.carrier
        self._parts: list[_Part] = []
        self._plain = True  # whether numbers are sent as they are
        self._flat = True  # whether all arrays have one axis

    def add(self, index: int, x: np.ndarray, form: Reduced) -> None:
        """Let a message hold an array, given by its place among the operands, with its like."""
        start = self.count
        self.count += x.size * (2 if x.dtype.kind == "c" else 1)
        self._parts.append(_Part(index, slice(start, self.count), x.shape, form))
        self._plain = self._plain and form.same_bits and form.decode is None
        self._flat = self._flat and x.ndim == 1

    def pack(self, arrays: Sequence[Any], library: Any = np) -> Any:
        """The numbers of all, in memory of their own. The library is that of the arrays. On a GPU
        they are copied one by one: CuPy's concatenate sends it their addresses from memory of the
        host's that is soon another's, which no CUDA graph may have."""
        if self._plain:
            parts = arrays if self._is_of_all(arrays) else [arrays[p.place] for p in self._parts]
            parts = parts if self._flat else [x.reshape(-1) for x in parts]
        else:
            parts = [part.form.encode(arrays[part.place]) for part in self._parts]
        if library is np:
            return np.concatenate(parts, dtype=self._carrier)
        message = library.empty(self.count, self._carrier)
        for part, numbers in zip(self._parts, parts):
            message[part.at] = numbers
        return message

    def unpack(self, numbers: np.ndarray, results: list[Any]) -> None:
        """Put arrays of such numbers to their places among the results."""
        if self._plain and self._flat and self._is_of_all(results):
            results[:] = [numbers[part[1]] for part in self._parts]
            return
        for place, at, shape, form in self._parts:
            found = numbers[at]
            if form.decode is not None:
                found = form.decode(found)
            results[place] = found if len(shape) == 1 else found.reshape(shape)

    def _is_of_all(self, arrays: Sequence[Any]) -> bool:
        """Whether it is the only message, which holds the arrays in their order."""
        return len(self._parts) == len(arrays)


def messages(arrays: Sequence[np.ndarray], forms: Sequence[Reduced]) -> list[Packet]:
    """The messages for operands, of which each is reduced in its way."""
    found: dict[tuple[np.dtype, int], Packet] = {}
    for index, (x, form) in enumerate(zip(arrays, forms)):
        kind = (form.carrier, id(form.operation))
        message = found.setdefault(kind, Packet(form))
        message.add(index, x, form)
    return list(found.values())
