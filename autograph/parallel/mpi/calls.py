"""What the processes call: a collective, what it is given, and how both are shown."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from autograph.errors import Location


class Collective(NamedTuple):
    """A collective as the user wrote it: ``Call("psum", "train.py:12")``."""

    operator: str
    location: str

    @property
    def place(self) -> Location | None:
        """The file and line of the location, if it has that form; a column may follow."""
        parts = self.location.split(":")
        numbers: list[int] = []
        while len(parts) > 1 and len(numbers) < 2 and parts[-1].isdecimal():
            numbers.insert(0, int(parts.pop()))
        if not numbers:
            return None
        column = numbers[1] - 1 if len(numbers) == 2 else None
        return Location(":".join(parts), numbers[0], column)


Call = Collective  # how most modules write it


class Rendezvous:
    """What all processes have to be at together: a call, with the types of its operands.

    Args:
        call: how the user called it.
        operands: their types, as ``float64[3, 2]``, and what else has to be the same.
        kind: the method of `Communicator`, which two calls of one name may differ in.

    Attributes:
        token: a checksum of all of it, with its inverse, which `guard` reduces: 16 bytes.
    """

    __slots__ = ("call", "operands", "token")

    def __init__(self, call: Call, operands: str, kind: str = ""):
        self.call = call
        self.operands = operands
        text = "\0".join((kind, call.operator, call.location, operands))
        digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
        self.token = digest + bytes(byte ^ 0xFF for byte in digest)

    def __str__(self) -> str:
        of = f" of {self.operands}" if self.operands else ""
        return f"{self.call.operator}{of}"
