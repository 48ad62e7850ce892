"""Attributes of classes and functions, which converted code may read but not change."""

from __future__ import annotations

import types
from collections.abc import Iterable
from typing import Any, Union

import numpy as np

from autograph.errors import Location, MutationError
from autograph.source.load import is_inner
from autograph.staging.classes import class_attributes, specials
from autograph.staging.containers.containers import Contents, contents, fill, reachable
from autograph.staging.ground.families import members_of
from autograph.staging.ground.ownership import is_user_class
from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.restarts import NeedsClassAttributes
from autograph.staging.ground.sparse_kinds import format_of

Owner = Union[type, types.FunctionType]


class Classes:
    """The user's classes that recorded code refers to, with the attributes that they have; and its
    functions, which may have some too.

    Attributes:
        owners: the classes and functions, without those that the classes derive from.
        of_arguments: those classes of which only arguments are instances. Their methods count with
            the arguments, but for special ones.
    """

    def __init__(self) -> None:
        self.owners: dict[Owner, None] = {}
        self.of_arguments: set[type] = set()
        self._before: dict[Owner, dict[str, Any]] = {}
        self._replaced: set[type] = set()
        self._made_here: set[type] = set()
        self._of_families: set[type] = set()  # with their members; no arguments, but in heaps
        self._containers: list[tuple[tuple[Owner, str], Any, Contents]] = []
        self._arrays: list[tuple[tuple[Owner, str], np.ndarray, np.ndarray]] = []

    def add_arguments(self, objects: Iterable[Any]) -> None:
        """Watch the classes of objects that are arguments; called before `add`."""
        for item in objects:
            self.add(item)
        kinds = (kind for kind in self.owners if isinstance(kind, type))
        self.of_arguments.update(kind for kind in kinds if kind not in self._of_families)

    def add(self, value: Any) -> None:
        """Watch a class, or that of an instance; or a function."""
        if isinstance(value, types.FunctionType):
            if value not in self._before:
                self.owners[value] = None
                self._before[value] = dict(vars(value))
                self._add_contents(value)
            return
        kind = value if isinstance(value, type) else type(value)
        self.of_arguments.discard(kind)
        if is_user_class(kind):
            self.owners[kind] = None
        if is_user_class(type(kind)) and type(kind) not in self._before:
            self.add(type(kind))
        members = members_of(kind)
        if members != (kind,) and kind not in self._of_families:
            self._of_families.update((kind, *members))
            for member in members:
                self.add(member)
        for owner in kind.__mro__:
            is_replaced = is_user_class(owner) or format_of(owner) is not None
            if owner not in self._before and is_replaced:
                if self._is_made_here(owner):
                    self._made_here.add(owner)
                self._before[owner] = specials.own(owner)
                specials.replace(owner)
                self._replaced.add(owner)
                if owner not in self._made_here:
                    self._add_cells(owner)
                    self._add_contents(owner)
                for attribute in self._before[owner].values():
                    if hasattr(type(attribute), "__get__"):  # a descriptor, perhaps the user's
                        self.add(type(attribute))

    def _is_made_here(self, kind: type) -> bool:
        """Whether a class is defined by what is recorded, as far as its methods tell. It goes with
        the recording, and its attributes are state like those of objects."""
        functions = [getattr(value, "__func__", value) for value in vars(kind).values()]
        codes = [f.__code__ for f in functions if isinstance(f, types.FunctionType)]
        if codes:
            return all(map(is_inner, codes))
        return any(base in self._made_here or self._is_made_here(base) for base in kind.__bases__)

    def _add_cells(self, kind: type) -> None:
        for name in recorder().conversion.of_classes:
            if name in self._before[kind] and class_attributes.is_plain(kind, name):
                class_attributes.stand_in(kind, name)

    def has_cells(self, kind: type) -> bool:
        """Whether what recorded code assigns to a class is in cells: it is the user's, and there
        before."""
        self.add(kind)
        return kind in self._before and kind not in self._made_here

    def _add_contents(self, owner: Owner) -> None:
        for name, value in self._before[owner].items():
            place = owner, name
            if name in _OWN or callable(value):
                continue
            for container in reachable([value]):
                state = contents(container)
                self._containers.append((place, container, state))
                self._add_arrays(place, state.values)
            self._add_arrays(place, [value])

    def _add_arrays(self, place: tuple[Owner, str], values: Any) -> None:
        arrays = (value for value in values if isinstance(value, np.ndarray))
        self._arrays.extend((place, array, array.copy()) for array in arrays)

    def values(self) -> list[Any]:
        """What their attributes are, as far as it can change."""
        arrays = [array for _, array, _ in self._arrays]
        return [*(container for _, container, _ in self._containers), *arrays]

    def restore(self, location: Location | None) -> None:
        """Undo what was set, which has to be in cells.

        Raises:
            NeedsClassAttributes: they can be.
            MutationError: an attribute was set that can't; ``location`` is the function's.
        """
        changed = self._restore_contents()
        for owner, before in self._before.items():
            if isinstance(owner, type):
                now = specials.own(owner)
                self._put_back(owner)
                if owner in self._made_here:
                    continue
            else:
                now = dict(vars(owner))
            for name in {*before, *now}:
                if now.get(name) is before.get(name) or name in _OWN:
                    continue
                changed.append((owner, name))
                if name in before:
                    setattr(owner, name, before[name])
                else:
                    delattr(owner, name)
        known = recorder().conversion.of_classes
        for owner, name in changed:
            if (
                not isinstance(owner, type)
                or name in known
                or not class_attributes.is_plain(owner, name)
            ):
                raise MutationError(
                    f"the function changes the {_label(owner, name)}, which can only be read",
                    location,
                    id="AG0341",
                    fix="keep the value in an object or a variable",
                )
        if changed:
            raise NeedsClassAttributes([name for _, name in changed], location)

    def close(self) -> None:
        """Put back what stands in for attributes of classes, also of those that were met before the
        function ran, which may not have come to that, and after it."""
        for kind in list(self._replaced):
            self._put_back(kind)

    def _put_back(self, kind: type) -> None:
        if kind in self._replaced:
            self._replaced.remove(kind)
            specials.put_back(kind)

    def _restore_contents(self) -> list[tuple[Owner, str]]:
        """Undo changes to what class attributes hold; returns which were changed."""
        changed = []
        for place, container, state in self._containers:
            if not contents(container).same(state):
                changed.append(place)
                fill(container, state)
        for place, array, before in self._arrays:
            if not np.array_equal(array, before, equal_nan=array.dtype.kind in "fc"):
                changed.append(place)
                array[...] = before
        return changed


def _label(owner: Owner, name: str) -> str:
    kind = "class" if isinstance(owner, type) else "function"
    return f"{kind} attribute '{owner.__name__}.{name}'"


# What Python itself changes.
_OWN = {
    "__annotations__",
    "__dict__",
    "__weakref__",
    "__doc__",
    "__abstractmethods__",
    "_abc_impl",
    "__slotnames__",
}
