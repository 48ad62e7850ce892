"""From running code to places and names in the user's source."""

from __future__ import annotations

import dis
import functools
from types import CodeType, FrameType

from autograph.errors import Location


def location_of(frame: FrameType) -> Location:
    """Where a frame is."""
    return location_in(frame.f_code, frame.f_lineno, frame.f_lasti)


def location_in(code: CodeType, line: int, instruction: int) -> Location:
    """The place of an instruction; its column is known from Python 3.11 on."""
    column = None
    if hasattr(code, "co_positions"):
        _, _, column, _ = _positions(code)[instruction // 2]
    return Location(code.co_filename, line, column, code.co_name)


@functools.lru_cache(maxsize=1024)
def _positions(code: CodeType) -> list[tuple]:
    return list(code.co_positions())


_STORES = {"STORE_FAST", "STORE_DEREF", "STORE_NAME"}


@functools.lru_cache(maxsize=1024)
def bound_names(code: CodeType) -> dict[int, str]:
    """For each instruction whose result is stored into a variable right after: that variable.

    The names of converted source carry a version (``x_2``), which is dropped.
    """
    names = {}
    previous = None
    for instruction in dis.get_instructions(code):
        if instruction.opname == "CACHE":
            continue
        if instruction.opname in _STORES and previous is not None:
            names[previous] = unversioned(instruction.argval)
        elif instruction.opname.startswith("STORE_FAST_") and previous is not None:
            names[previous] = unversioned(instruction.argval[0])
        previous = instruction.offset
    return names


def unversioned(name: str) -> str:
    """``x`` for ``x_2``."""
    stem, _, version = name.rpartition("_")
    return stem if stem and version.isdigit() else name
