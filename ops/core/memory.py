"""How much memory there is, and how much what grows in a loop may take."""

from __future__ import annotations

import functools
import os
from pathlib import Path


@functools.cache
def machine_memory() -> int:
    """The bytes that the machine has, or this process's control group may have."""
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        memory = 1 << 32
    for file in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            memory = min(memory, int(Path(file).read_text()))
        except (ValueError, OSError):  # there is no such group, or its limit is "max"
            continue
    return memory


def growth_limit() -> int:
    """How many bytes one array of rows may have: ``AUTOGRAPH_ARENA_SIZE``, or half of the memory.
    The system would end the process where it has no more."""
    text = os.environ.get("AUTOGRAPH_ARENA_SIZE", "")
    return int(text) if text.isdecimal() else machine_memory() // 2
