"""How much memory a derivative in reverse mode may take for what it keeps of loops.

What a budget means for a loop is in `autograph.transforms.reverse.budget`.
"""

from __future__ import annotations

import operator
import re
from contextlib import AbstractContextManager
from typing import Any

from autograph.errors import OptionError
from autograph.staging.ground.checkpointing import keeping
from ops.core.memory import growth_limit

_TEXT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([kKMGT]?)(i?)B\s*", re.ASCII)
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}


def as_bytes(memory: Any) -> int | None:
    """A budget in bytes; None if there is none.

    Args:
        memory: an int, or a text like "512MiB" (of 1024 times 1024 bytes) or "2GB" (of 10 to the
            power of 9).

    Raises:
        OptionError: it is something else, or not positive.
    """
    if memory is None:
        return None
    number: int | None = None
    if isinstance(memory, str):
        found = _TEXT.fullmatch(memory)
        if found is not None:
            digits, unit, binary = found.groups()
            number = int(float(digits) * (1024 if binary else 1000) ** _POWERS[unit.upper()])
    elif not isinstance(memory, bool):
        try:
            number = operator.index(memory)
        except TypeError:
            number = None
    if number is None or number <= 0:
        raise OptionError(
            f"memory={memory!r} is no number of bytes",
            id="AG0580",
            fix='pass a positive int, or a text like "512MiB" or "2GB"',
        )
    return number


def within(memory: int | None) -> AbstractContextManager[None]:
    """Loops recorded inside may keep so many bytes together for their derivatives, within the limit
    that there is anyway; None: as many as around."""
    return keeping(None if memory is None else ("memory", min(memory, growth_limit() // 2)))
