"""Which arrays a region changes, noticed while it is recorded."""

from __future__ import annotations

from typing import Any

from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.views import MaybeShared, View
from autograph.staging.ground.identity import ByIdentity


class Frame:
    """What happened to arrays while one region was recorded.

    Attributes:
        before: the state, on entry, of each array that is older than the region and was changed in
            it.
        viewed: the views older than the region that were read in it.
    """

    def __init__(self) -> None:
        self.before = ByIdentity()
        self.viewed = ByIdentity()

    def read(self, view: GraphArray) -> None:
        """Called before the value of a view is read."""
        if view._frame is not self:
            self.viewed[view] = None

    def touch(self, array: GraphArray) -> None:
        """Called before ``array`` changes."""
        if array._frame is not self and array not in self.before:
            self.before[array] = array.state

    def written(self) -> list[GraphArray]:
        """The older arrays that now stand for another value than on entry.

        Without views, which change with their bases, and arrays that nobody may use.
        """
        return [
            array
            for array, (value, view, _) in self.before.items()
            if (not isinstance(view, View) or _on_its_own(array, view))
            and array._value is not value
            and array.lost is None
        ]

    def separated(self) -> list[GraphArray]:
        """The older arrays that were uncertain views on entry and are on their own now."""
        return [array for array, (_, view, _) in self.before.items() if _on_its_own(array, view)]

    def undo(self) -> None:
        """Put every older array back into the state it had on entry."""
        for array, state in self.before.items():
            array.restore(state)


def _on_its_own(array: GraphArray, before: Any) -> bool:
    """Whether an array that may have shared memory was written, so that nobody may use the
    other."""
    uncertain = isinstance(before, MaybeShared) or (isinstance(before, View) and before.put is None)
    return uncertain and array._view is None
