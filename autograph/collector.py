"""The collector of cyclic garbage, which waits while the package is imported and while a function
is compiled.

Modules and graphs consist of many small objects that refer to each other and stay. Python would go
through all of them again each time their number has grown by some part, which takes a fifth of the
time of an import, and in the end longer than compiling. So afterwards they count as old, as they
would once Python had gone through them. Of what compiling makes, half is garbage in the end, some
of it in circles. So all objects are gone through once for so many new ones.

Some of these circles hold large arrays: what is made of a function is kept in the function, which
it refers to, and graphs hold constants. So that is also done once the process has more memory than
it ever had, by so much that arrays may be the reason.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import threading
from collections.abc import Callable, Iterator

try:
    import resource
except ImportError:  # as on Windows, which does not tell in this way
    resource = None  # type: ignore[assignment]

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

_LEAST_GROWTH = 1 << 28  # bytes of memory after which they are as well, or such a part of all

_somebody_freezes = False  # objects, which are to stay frozen
_new = 0  # objects that count as old, and that nobody has gone through
_most = _FEWEST
_most_memory = 0  # that the process may have had before all are gone through

# What forgets things that can be made again, before that is done: they may hold large arrays.
forgetting: list[Callable[[], object]] = []


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
        look_at_memory()


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


def look_at_memory() -> None:
    """Go through all objects if the process has come to have much more memory than it had."""
    global _most_memory
    peak = peak_memory()
    if peak <= _most_memory or not gc.isenabled():
        return
    if _most_memory:  # else it is the first time
        for forget in forgetting:
            forget()
        gc.collect()
    _most_memory = peak + max(_LEAST_GROWTH, peak // _PART)


def peak_memory() -> int:
    """The most bytes of memory that the process has had; 0 where the system does not tell."""
    if resource is None:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak << 10
