"""Arrays in as few messages as there are kinds of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from autograph.parallel.mpi.datatypes import Reduced


class _Part(NamedTuple):
    """Where an array is in a message."""

    place: int  # among the operands
    start: int
    stop: int
    shape: tuple[int, ...]


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
        self._forms: list[Reduced] = []
        self._parts: list[_Part] = []

    def add(self, index: int, x: np.ndarray, form: Reduced) -> None:
        """Let a message hold an array, given by its place among the operands, with its like."""
        count = x.size * (2 if x.dtype.kind == "c" else 1)
        self._parts.append(_Part(index, self.count, self.count + count, x.shape))
        self._forms.append(form)
        self.count += count

    def pack(self, arrays: Sequence[np.ndarray]) -> np.ndarray:
        """The numbers of all, in memory of their own."""
        parts = [form.encode(arrays[part.place]) for form, part in zip(self._forms, self._parts)]
        return np.concatenate(parts, dtype=self._carrier)

    def unpack(self, numbers: np.ndarray, results: list[Any]) -> None:
        """Put arrays of such numbers to their places among the results."""
        for form, (place, start, stop, shape) in zip(self._forms, self._parts):
            found = numbers[start:stop]
            if form.decode is not None:
                found = form.decode(found)
            results[place] = found.reshape(shape)


def messages(arrays: Sequence[np.ndarray], forms: Sequence[Reduced]) -> list[Packet]:
    """The messages for operands, of which each is reduced in its way."""
    found: dict[tuple[np.dtype, int], Packet] = {}
    for index, (x, form) in enumerate(zip(arrays, forms)):
        kind = (form.carrier, id(form.operation))
        message = found.setdefault(kind, Packet(form))
        message.add(index, x, form)
    return list(found.values())
