"""Locks that a fork waits for."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any


def lock_over_forks() -> Any:
    """A reentrant lock that no other thread holds when the process is forked: in the child there is
    nobody who could release it."""
    lock = threading.RLock()
    around_forks(lock.acquire, lock.release, lock.release)
    return lock


def around_forks(
    before: Callable[[], object], in_parent: Callable[[], object], in_child: Callable[[], object]
) -> None:
    """Call functions before and after forks. Of a fork that has begun when this is called none is:
    while it waits for one lock, another thread makes the next, and Python looks anew for what comes
    after the fork."""
    if not hasattr(os, "register_at_fork"):
        return
    begun: list[None] = []

    def begin() -> None:
        before()
        begun.append(None)

    def end(after: Callable[[], object]) -> None:
        if begun:
            begun.pop()
            after()

    os.register_at_fork(
        before=begin,
        after_in_parent=lambda: end(in_parent),
        after_in_child=lambda: end(in_child),
    )
