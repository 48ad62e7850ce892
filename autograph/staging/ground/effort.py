"""How much is recorded, counted: what would take minutes to compile is refused within seconds.

Code that works on Python's own containers is recorded element by element, again for each trip of a
loop that runs as Python and for each pass over a loop of the graph. What a line of the user's adds
up to is counted in operations, so that the same programs are refused on any machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from autograph.errors import AutographError, Location, UnrollLimitError
from autograph.staging.ground.restarts import LongRecording

_VALUES = 16  # that are looked at in the time in which an operation is recorded
_HURRY = 16  # the part of the limit for what may be recorded in another way
_FREE = 40  # the part of the limit that a line may come to without counting towards it
_METHOD = 100  # lines of a method of this package's, all of which stand for one of the user's


class Effort:
    """What has been recorded so far for each line.

    Programs are not refused for being long: what counts is that lines are recorded over and over,
    and the first operations of each are free.

    Args:
        limit: how many operations may be recorded.
        may_be_packed: whether there are lists among the arguments whose elements are inputs, one by
            one, and that might be arrays as well: loops over them then may come to less.
        before: what a recording for these arguments alone came to, for one that is for others as
            well, and not worth much more; None if it has to be had.

    Attributes:
        recorded: how many operations were, also of those that are free.
        was_hurried: whether more was not recorded since it was not worth much; see `hurry_loop`.
    """

    def __init__(self, limit: int, may_be_packed: bool = False, before: float | None = None):
        self.limit = limit
        self._may_be_packed = may_be_packed
        self._before = before
        self._most = limit if before is None else min(limit, limit / _HURRY + 2 * before)
        self._free = limit / _FREE
        self._total = 0.0
        self.recorded = 0.0
        self._counts: dict[tuple[str, int] | None, float] = {}
        self._places: dict[tuple[str, int] | None, Location | None] = {}
        self._loops: list[Exception | None] = []
        self._weight = 1.0
        self._refusal: AutographError | None = None
        self._may_hurry, self._hurries = True, False
        self.was_hurried = False
        self._apart: AutographError | None = None

    def hurry(self, refusal: AutographError) -> None:
        """What is recorded from now on is so since something else was refused, which another
        recording may mend: it is not worth much."""
        self._refusal = self._refusal or refusal

    def hurry_loop(self) -> None:
        """A loop runs as Python, and might be one of the graph in another recording. If that is
        refused as well, another one is worth as much as any, see `in_no_hurry`."""
        if self._may_hurry and not self._hurries:
            self._most, self._hurries = min(self._most, self.limit / _HURRY), True

    def calls_apart(self, refusal: AutographError) -> None:
        """Calls of a function are recorded each by itself from now on, since this was refused."""
        self._apart = self._apart or refusal

    @contextmanager
    def of_method(self) -> Iterator[None]:
        """Inside, a method of this package's is recorded, whose lines are none of the user's."""
        weight, self._weight = self._weight, 1.0 / _METHOD
        try:
            yield
        finally:
            self._weight = weight

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
            UnrollLimitError: that is too many.
            AutographError: it is, since this was refused; see `hurry`.
            LongRecording: it is for lists that might be packed.
        """
        line = location and location[:2]
        count *= self._weight
        self.recorded += count
        before = self._counts.get(line, 0.0)
        after = self._counts[line] = before + count
        if after <= self._free:
            return
        if before <= self._free:
            self._places[line] = location
        self._total += after - max(before, self._free)
        if self._refusal is not None and self._total > self.limit / _HURRY:
            raise self._refusal
        if self._may_be_packed and None in self._loops and self._total > self.limit / _HURRY:
            raise LongRecording
        if self._total > self._most:
            self.was_hurried = self._hurries
            raise self._error()

    def anew(self) -> Effort:
        """That of another recording."""
        found = Effort(self.limit, self._may_be_packed, self._before)
        found._may_hurry = self._may_hurry
        return found

    def in_no_hurry(self) -> Effort:
        """That of another recording, for which `hurry_loop` does nothing."""
        self._may_hurry = False
        return self.anew()

    @property
    def total(self) -> float:
        """What counts of what was recorded."""
        return self._total

    def _error(self) -> UnrollLimitError:
        places = [line for line in self._places if line is not None]
        heaviest = max(places, key=self._counts.__getitem__, default=None)
        why = ""
        if self._loops:
            reason = next((r for r in reversed(self._loops) if r is not None), None)
            told = "it goes through Python's own containers" if reason is None else reason
            why = f"; a loop around it runs as Python, because:\n  {told}"
        elif self._apart is not None:
            why = f"; calls are recorded one by one, because:\n  {self._apart}"
        return UnrollLimitError(
            f"the function comes to more than {int(self._most)} operations, the most of them in "
            "this line, since it works on the elements of Python's containers one by one; "
            f"compiling them would take too long{why}",
            heaviest and self._places[heaviest],
            id="AG0375",
            fix="keep the numbers in an array, as in m = np.zeros((rows, columns)) with m[i, j], "
            "or raise to_graph(recording_limit=...)",
        )
