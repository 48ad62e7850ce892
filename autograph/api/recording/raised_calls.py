"""Calls that ended with an exception while they were recorded.

What is raised then is the user's, with the frames it came through, and nothing is compiled. A call
that does so again is recorded as a program that raises it, with what that depends on; see
`autograph.staging.border.failures.may_be_kept`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Sequence
from contextvars import ContextVar
from typing import Any

from autograph.api.kept import RecentEntries, most_signatures
from autograph.api.recording.list_forms import Flat
from autograph.staging.border.signature import call_key
from autograph.staging.ground.learnt import Learnt
from ops.core.records import NamedTuple


class RefusedRecording(NamedTuple):
    """A recording of a call that was refused.

    Attributes:
        leaves: of the arguments.
        fixed: the positions of those whose values were known in some recording.
        learnt: what was found out.
    """

    leaves: Sequence[Any]
    fixed: Collection[int]
    learnt: Learnt


# For each recording of the call that is prepared what it was if it was refused, else None.
Recordings = list[RefusedRecording | None]
_noted: ContextVar[Recordings | None] = ContextVar("recordings of a call", default=None)


@contextlib.contextmanager
def noting_recordings() -> Iterator[Recordings]:
    """Give what the recordings inside were."""
    found: Recordings = []
    token = _noted.set(found)
    try:
        yield found
    finally:
        _noted.reset(token)


def note_recording(refused: RefusedRecording | None) -> None:
    """A function was recorded: what that was, if it was refused."""
    found = _noted.get()
    if found is not None:
        found.append(refused)


class RaisedCalls:
    """Those of a function."""

    def __init__(self) -> None:
        # By what calls share, whether the next one may be recorded as a program that raises.
        self._calls: RecentEntries[bool] = RecentEntries()

    def note(self, flat: Flat | None) -> None:
        """A call has raised while it was recorded: once, or again, as no program can raise that."""
        if flat is not None and not flat.has_heaps:
            key = _key(flat)
            self._calls[key] = key not in self._calls
            self._calls.shrink(most_signatures(), lambda _: False)

    def may_be_kept(self, flat: Flat) -> bool:
        """Whether what the call raises while it is recorded may be raised by a program."""
        return bool(len(self._calls)) and bool(self._calls.get(_key(flat)))


def _key(flat: Flat) -> Any:
    return call_key(flat.leaves, flat.structure)
