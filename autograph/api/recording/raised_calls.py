"""Calls that ended with an exception while they were recorded.

What is raised then is the user's, with the frames it came through, and nothing is compiled. A call
that does so again is recorded as a program that raises it, with what that depends on; see
`autograph.staging.border.failures.may_be_kept`.
"""

from __future__ import annotations

from typing import Any

from autograph.api.kept import RecentEntries, most_signatures
from autograph.api.recording.list_forms import Flat
from autograph.staging.border.signature import call_key


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
