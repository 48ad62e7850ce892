"""Classes whose objects meet in one variable or list: they are to be in one heap, as a family; see
`autograph.staging.ground.families`."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from autograph.staging.ground.errors import user_location
from autograph.staging.ground.families import members_of
from autograph.staging.ground.nesting import Structure, TupleOf
from autograph.staging.ground.object_kinds import may_be_pooled
from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.restarts import JoinsClasses, NeedsObjects
from autograph.staging.lists.elements import PlacedObject, RecordOf


class _GivenClasses(set[type]):
    """The classes of the objects in heaps that the caller has."""


def note_given(kinds: Iterable[type]) -> None:
    """The caller has objects of classes, or families, that are in heaps."""
    recorder().state(_GivenClasses).update(kinds)


def is_given(kind: type) -> bool:
    """Whether objects of a class, or a family, are in a heap in which the caller's are."""
    return kind in recorder().state(_GivenClasses)


def join_classes(kinds: Collection[type]) -> None:
    """Objects of some classes meet. Those that the function makes are in one heap in another
    recording.

    Raises:
        JoinsClasses: they are all in heaps, and the caller's.
        NeedsObjects: in this recording lists and objects are in heaps already.
    """
    own = {kind.made_of if issubclass(kind, PlacedObject) else kind for kind in kinds}
    if any(map(is_given, own)):
        if all(issubclass(kind, PlacedObject) for kind in kinds) and all(map(is_given, own)):
            raise JoinsClasses(own)
        return
    nested = recorder().nested
    if all(may_be_pooled(member) for kind in own for member in members_of(kind)):
        is_new = nested.objects.join(own)
        if is_new and nested.in_pools:
            raise NeedsObjects(user_location())


def meet_in_list(a: Structure, b: Structure) -> None:
    """Elements with two structures are in one list: they may be objects of two classes.

    Raises:
        NeedsObjects: see `join_classes`.
    """
    if isinstance(a, RecordOf) and isinstance(b, RecordOf):
        join_classes((a.kind, b.kind))
    elif isinstance(a, TupleOf) and isinstance(b, TupleOf):
        for part, other in zip(a.parts, b.parts):
            meet_in_list(part, other)
