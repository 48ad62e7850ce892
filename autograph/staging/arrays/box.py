"""What holds the value that a symbolic array stands for now, and knows whose part it is.

Arrays are mutable: ``x[i] = v`` records a functional update and puts the new value into the box, so
every other name of the same array sees it. A view knows its base and how to read itself from it and
write itself back to it; it is refreshed when the base has changed.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograph.errors import Location, MutationError
from autograph.graph.graph import Value
from autograph.staging.arrays.views import (
    UNCERTAIN,
    Base,
    MaybeShared,
    UncertainArray,
    View,
    reshaped_view,
)
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.recorder import Changes, recorder


class Box:
    """The graph value of an array, which changes with the array."""

    __slots__ = ("__weakref__", "_frame", "_kept", "_value", "_view")

    def __init__(self, value: Value, view: View | MaybeShared | UncertainArray | None = None):
        self._value = value
        self._view = view
        self._frame: Changes | None = recorder().frame
        self._kept: Location | bool = False

    def belongs_outside(self) -> None:
        """The array is older than every region, also than the one that meets it first."""
        self._frame = None

    @property
    def value(self) -> Value:
        """The graph value that the array stands for now."""
        view = self._view
        if view is not None:
            frame = recorder().frame
            frame.read(self)
            if view.is_stale():
                frame.touch(self)
                self._value, self._view = view.refreshed()
        return self._value

    def write(self, value: Value) -> None:
        """Make the array stand for ``value``, and its base accordingly if it is a view."""
        self._refuse_kept()
        recording = recorder()
        recording.frame.touch(self)
        if recording.attempt is not None:
            recording.attempt.wrote(self, value)
        if self._view is not None:
            value = self._view.write_back(value, self)
            assert not isinstance(self._view, UncertainArray)  # that has raised
            self._view = self._view.up_to_date()
        self._value = value

    def may_share(self, bases: Sequence[Box]) -> None:
        """From now on the array may share memory with ``bases``; nobody knows whether it does."""
        recorder().frame.touch(self)
        self._view = MaybeShared(tuple((base, base.value) for base in bases))

    def forget(
        self,
        count: Value | None = None,
        why: str | None = None,
        once: bool = False,
        other: Base | None = None,
    ) -> None:
        """From now on nobody knows what the array contains; see `UncertainArray`."""
        self._refuse_kept()
        bases = self._bases()
        self.lose(UncertainArray(user_location(), count, why, once, other))
        for base in bases:
            base.forget(count, why, once)

    def separate(self) -> None:
        """From now on the array shares no memory: nobody may use the one that it may be part of,
        or that is a view of it now."""
        view = self._view
        if isinstance(view, View) and view.is_whole and not view.is_just_read():
            # What it was before the region would have to be read now.
            self.lose(UncertainArray(user_location(), None, UNCERTAIN))
            return
        recorder().frame.touch(self)
        self._view = None

    def keep(self) -> None:
        """Refuse changes to the array from now on: a list that is kept as rows holds a copy."""
        if self._kept:
            return
        recorder().frame.touch(self)
        self._kept = user_location() or True
        for base in self._bases():
            base.keep()

    def _refuse_kept(self) -> None:
        if self._kept:
            raise MutationError(
                "an array is changed in place that is an element of a list whose length depends "
                "on traced values",
                user_location(),
                others=(("put into the list", self._kept),)
                if isinstance(self._kept, Location)
                else (),
                id="AG0320",
                fix="put a copy into the list: xs.append(x.copy())",
            )

    def _bases(self) -> list[Base]:
        """The arrays that it is a part of, or may share memory with."""
        view = self._view
        if isinstance(view, View):
            return [view.base]
        return [base for base, _ in view.bases] if isinstance(view, MaybeShared) else []

    @property
    def is_kept(self) -> bool:
        return bool(self._kept)

    @property
    def is_part_of_kept(self) -> bool:
        """Whether it is such an array, or may share memory with one."""
        return self.is_kept or any(base.is_part_of_kept for base in self._bases())

    @property
    def is_of_frame(self) -> bool:
        """Whether it is no older than the region that is recorded."""
        return self._frame is recorder().frame

    def lose(self, reason: UncertainArray) -> None:
        """Refuse all use of the array from now on; or, outside of the regions that changed the
        other array that has the same elements, let it be a view of that."""
        frame, other = recorder().frame, reason.other
        frame.touch(self)
        is_near = self._frame is frame and isinstance(other, Box) and other._frame is frame
        if is_near and self._view is None and other is not None:
            self._view = reshaped_view(other, self._value)
        else:
            self._view = reason

    @property
    def lost(self) -> UncertainArray | None:
        """Why the array can't be used any more, if so."""
        return self._view if isinstance(self._view, UncertainArray) else None

    @property
    def state(self) -> tuple:
        """What `restore` takes, to undo changes made since."""
        return self._value, self._view, self._kept

    def restore(self, state: tuple) -> None:
        self._value, self._view, self._kept = state
