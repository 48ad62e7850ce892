"""``a, b = xs`` where only the run knows how many items there are: that there are two is checked.

Python asks a list for an iterator, and says nothing of how many items it will take: the instruction
that asks says it.
"""

from __future__ import annotations

import dis
from types import FrameType
from typing import Any

import ops
from ops.control import effects

_UNPACK = dis.opmap["UNPACK_SEQUENCE"]


def count_of_targets(frame: FrameType) -> int | None:
    """How many items the instruction that a frame is at takes from what it unpacks; None if it is
    another one."""
    content, place = frame.f_code.co_code, frame.f_lasti
    return content[place + 1] if content[place] == _UNPACK else None


def unpacked(items: Any, count: int) -> list[Any]:
    """So many items of a list, which the program checks to be all.

    Args:
        items: the list, with its ``length``.
    """

    def require(fits: Any, message: str) -> None:
        effects.check(fits, error="ValueError", message=message)

    for fewer in range(count):
        message = f"not enough values to unpack (expected {count}, got {fewer})"
        require(ops.not_equal(items.length, fewer), message)
    require(ops.less_equal(items.length, count), f"too many values to unpack (expected {count})")
    return [items[place] for place in range(count)]
