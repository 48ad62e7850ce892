"""How much is recorded, counted: what would take minutes to compile is refused within seconds.

Code that works on Python's own containers is recorded element by element, again for each trip of a
loop that runs as Python and for each pass over a loop of the graph. What a line of the user's adds
up to is counted in operations, so that the same programs are refused on any machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from autograph.errors import Location, UnrollLimitError

_VALUES = 32  # that are looked at in the time in which an operation is recorded


class Effort:
    """What has been recorded so far for each line.

    Args:
        limit: how many operations may be recorded for one line.
    """

    def __init__(self, limit: int):
        self.limit = limit
        self._counts: dict[tuple[str, int], float] = {}
        self._loops: list[Exception | None] = []

    @contextmanager
    def unrolled(self, reason: Exception | None) -> Iterator[None]:
        """Inside, a loop runs as Python, for this reason or since it goes through a container."""
        self._loops.append(reason)
        try:
            yield
        finally:
            self._loops.pop()

    def look(self, values: int, location: Location | None) -> None:
        """So many values in containers are looked at, or arguments, or items."""
        self.add(location, values / _VALUES)

    def add(self, location: Location | None, count: float = 1) -> None:
        """So many operations more are recorded.

        Raises:
            UnrollLimitError: that is too many for one line.
        """
        if location is None:
            return
        line = location[:2]
        count = self._counts[line] = self._counts.get(line, 0) + count
        if count > self.limit:
            raise self._error(location)

    def _error(self, location: Location) -> UnrollLimitError:
        why = ""
        if self._loops:
            reason = next((r for r in reversed(self._loops) if r is not None), None)
            told = "it goes through Python's own containers" if reason is None else reason
            why = f"; a loop around it runs as Python, because:\n  {told}"
        return UnrollLimitError(
            f"this line comes to more than {self.limit} operations, since it works on the elements "
            f"of Python's containers one by one; compiling them would take too long{why}",
            location,
            id="AG0375",
            fix="keep the numbers in an array, as in m = np.zeros((rows, columns)) with m[i, j], "
            "or raise to_graph(recording_limit=...)",
        )
