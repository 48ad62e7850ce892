"""The collector of cyclic garbage, which waits while the package is imported and while a function
is compiled.

Modules and graphs consist of many small objects that refer to each other and stay. Python would go
through all of them again each time their number has grown by some part, which takes a fifth of the
time of an import, and in the end longer than compiling. So afterwards they count as old, as they
would once Python had gone through them. Of what compiling makes, half is garbage in the end, some
of it in circles. So all objects are gone through once for so many new ones.
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


# After how many new objects all are gone through, at least: some 50 MB, not all of it garbage. The
# gradient of 800 lines makes that many.
_FEWEST = 1 << 19
_PART = 4  # if there are many, after new ones in this part of their number, as Python does

_somebody_freezes = False  # objects, which are to stay frozen
_new = 0  # objects that count as old, and that nobody has gone through
_most = _FEWEST


@contextlib.contextmanager
def collector_waits(all_stays: bool = False) -> Iterator[None]:
    """A context, and a decorator of functions, in which no cyclic garbage is collected. What is
    made there counts as old afterwards.

    Args:
        all_stays: whether there is no garbage in it to speak of.
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
        if not _are_frozen():
            _grow_old(0 if all_stays else gc.get_count()[0])
        gc.enable()


def _are_frozen() -> bool:
    """Whether somebody else has frozen objects, which are to stay so. Python counts them one by
    one, so that it is asked until there are some."""
    global _somebody_freezes
    _somebody_freezes = _somebody_freezes or gc.get_freeze_count() > 0
    return _somebody_freezes


def _grow_old(new: int) -> None:
    """Let young objects count as old, or go through all objects if it is time.

    Args:
        new: how many there are among which there may be garbage.
    """
    global _new, _most
    _new += new
    if _new < _most:
        gc.freeze()
        gc.unfreeze()
        return
    gc.collect()
    _new, _most = 0, max(_FEWEST, len(gc.get_objects()) // _PART)
