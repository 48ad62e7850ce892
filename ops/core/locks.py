"""Locks that a fork waits for."""

from __future__ import annotations

import os
import threading
from typing import Any


def lock_over_forks() -> Any:
    """A reentrant lock that no other thread holds when the process is forked: in the child there is
    nobody who could release it."""
    lock = threading.RLock()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release
        )
    return lock
