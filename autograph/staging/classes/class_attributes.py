"""Attributes of the user's classes that functions assign: ``Node.made += 1``.

What recorded code assigns is in a cell, and while a function is recorded that does so, what stands
for the attribute gives what is in that: in the class itself other threads would find it.
"""

from __future__ import annotations

from types import CellType
from typing import Any

from autograph.source.tree.places import NamedPlace, place_of
from autograph.staging.classes import specials
from autograph.staging.ground.recorder import Recorder, active_recorder, recorder
from ops.core.recording import raises_as_python


class ClassAttribute(NamedPlace):
    """An attribute of a class, which is the owner."""

    __slots__ = ()

    @property
    def cell_contents(self) -> Any:
        try:
            return specials.own(self.owner)[self.name]
        except KeyError:
            raise ValueError(self.name) from None

    @cell_contents.setter
    def cell_contents(self, value: Any) -> None:
        specials.assign(self.owner, self.name, value)

    @cell_contents.deleter
    def cell_contents(self) -> None:
        specials.assign(self.owner, self.name, specials.MISSING)


def place_in(kind: type, name: str) -> ClassAttribute | None:
    """The place of what a class has by a name, which may be in one that it derives from; None if
    that can't be in a cell."""
    for owner in kind.__mro__:
        if name in specials.own(owner):
            return place_of(ClassAttribute, owner, name) if is_plain(owner, name) else None
    return None


class _StandIn:
    """What a class has in the place of an attribute that is in a cell."""

    __slots__ = ("_name", "_owner")

    def __init__(self, owner: type, name: str):
        self._owner = owner
        self._name = name

    @raises_as_python
    def __get__(self, instance: Any, kind: type | None = None) -> Any:
        kind = type(instance) if kind is None else kind
        place: Any = place_of(ClassAttribute, self._owner, self._name)
        tracer = active_recorder()
        if tracer is not None and self._name in tracer.conversion.of_classes:
            place = _cell(tracer, place)
        try:
            return _bound(place.cell_contents, instance, kind)
        except ValueError:
            return self._inherited(instance, kind)

    def _inherited(self, instance: Any, kind: type) -> Any:
        order = kind.__mro__
        for base in order[order.index(self._owner) + 1 :]:
            if self._name in vars(base):
                return _bound(vars(base)[self._name], instance, kind)
        what = f"type object '{kind.__name__}'" if instance is None else f"'{kind.__name__}' object"
        raise AttributeError(f"{what} has no attribute '{self._name}'")


def _cell(tracer: Recorder, place: ClassAttribute) -> CellType:
    """What stands for an attribute of a class in what is recorded."""
    return tracer.outside.place_cell(place, f"{place.owner.__name__}.{place.name}")


def _bound(found: Any, instance: Any, kind: type) -> Any:
    """What an attribute of a class is where it is read."""
    get = getattr(type(found), "__get__", None)
    return found if get is None else get(found, instance, kind)


def is_plain(kind: Any, name: str) -> bool:
    """Whether what a class has by a name can be in a cell: it is assigned as Python does it, and
    neither a method nor anything else that does something where it is read."""
    assign: Any = type(kind).__setattr__
    if assign is not type.__setattr__ or name.startswith("__"):
        return False
    own = specials.own(kind)
    return name not in own or not hasattr(type(own[name]), "__get__")


def stand_in(kind: type, name: str) -> None:
    """Let what recorded code reads as an attribute of a class be what is in a cell."""
    specials.stand_in(kind, name, _StandIn(kind, name))


@raises_as_python
def stored_attribute(owner: Any, name: str, value: Any) -> None:
    """``owner.name = value``"""
    tracer = recorder()
    known = isinstance(owner, type) and name in tracer.conversion.of_classes
    if known and tracer.outside.classes.has_cells(owner) and is_plain(owner, name):
        stand_in(owner, name)
        _cell(tracer, place_of(ClassAttribute, owner, name)).cell_contents = value
    else:
        setattr(owner, name, value)
