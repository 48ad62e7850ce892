"""The latest call of a function that it takes long to take apart: those that are like it are found
without that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograph.api.calls.compiled import Compiled
from autograph.api.recording.list_forms import Flat, ListForms
from autograph.api.recording.outer_state import OuterState

if TYPE_CHECKING:
    from autograph.api.recording.object_calls import ObjectCalls
    from autograph.api.recording.place_calls import PlaceCalls
    from autograph.api.recording.row_calls import RowCalls


class LatestCalls:
    """Those of a function: with rows or objects in heaps, and with variables outside that it
    assigns."""

    def __init__(self, lists: ListForms, outer: OuterState):
        self._lists = lists
        self._outer = outer
        self.forget()

    def forget(self) -> None:
        """Something else will be compiled for such calls."""
        self._in_heaps: RowCalls | ObjectCalls | None = None
        self._of_places: PlaceCalls | None = None

    def found(self, args: tuple, kwargs: dict[str, Any]) -> tuple[Compiled, Flat] | None:
        """What is compiled for a call, and the call; None if it is like none of them."""
        like = None if self._in_heaps is None else self._in_heaps.found(args, kwargs)
        if like is None and self._of_places is not None and not self._outer.variables:
            like = self._of_places.found(args, kwargs, self._outer.objects)
        return like

    def note(self, compiled: Compiled, flat: Flat) -> None:
        """Something was found for a call."""
        # Few functions have such calls.
        if flat.has_heaps:
            from autograph.api.recording.object_calls import ObjectCalls
            from autograph.api.recording.row_calls import RowCalls

            given = self._lists, compiled, flat
            self._in_heaps = RowCalls.of(*given) or ObjectCalls.of(*given)
        elif flat.roots is self._outer.objects and flat.roots:
            from autograph.api.recording.place_calls import PlaceCalls

            self._of_places = PlaceCalls.of(compiled, flat)
