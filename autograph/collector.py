"""The collector of cyclic garbage, which waits while the package is imported and while a function
is compiled.

Modules and graphs consist of many small objects that refer to each other and stay. Python would go
through all of them again each time their number has grown by some part, which takes a fifth of the
time of an import, and in the end longer than compiling. What an import makes stays, so afterwards
it counts as old, as it would once Python had gone through it.
"""

from __future__ import annotations

import contextlib
import gc
import os
import threading
from collections.abc import Iterator

_waits_for: list[int] = []  # the thread for which it waits


def _forked() -> None:
    """In a forked process nothing is compiled but by the thread that forked it."""
    if _waits_for and _waits_for[0] != threading.get_ident():
        _waits_for.clear()
        gc.enable()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


@contextlib.contextmanager
def collector_waits(all_stays: bool = False) -> Iterator[None]:
    """A context, and a decorator of functions, in which no cyclic garbage is collected.

    Args:
        all_stays: whether what is made there counts as old at once. Garbage among it then stays
            until Python goes through all objects.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    _waits_for[:] = [threading.get_ident()]
    try:
        yield
    finally:
        _waits_for.clear()
        if all_stays and not gc.get_freeze_count():  # what somebody has frozen stays frozen
            gc.freeze()
            gc.unfreeze()
        gc.enable()
