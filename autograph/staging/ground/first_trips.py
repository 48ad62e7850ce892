"""Loops whose first trip is recorded apart from the others.

A loop that changes an array in place and then rebinds its variable, as ``a += k; a = a * 2``,
changes the array from before the loop in its first trip only. What that array contains after the
loop is known if the first trip stands before it. That makes programs larger, so it is done when the
array is used again, or has to be given back: the function is then recorded once more.
"""

from __future__ import annotations

from autograph.errors import Location

MOST = 3  # trips apart: more than one where a variable takes what another one held


class Apart(dict[Location, int]):
    """How many trips of the loops at some places are recorded apart."""

    def here(self, loop: Location | None) -> int:
        """Those of the loop at a place, if it is known."""
        return 0 if loop is None else self.get(loop, 0)

    def may_grow(self, loop: Location | None) -> bool:
        return loop is not None and self.get(loop, 0) < MOST

    def grow(self, loop: Location) -> None:
        self[loop] = self.get(loop, 0) + 1
