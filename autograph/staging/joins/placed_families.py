"""Objects of one class of a family where paths join: what they become may be of another one."""

from __future__ import annotations

from collections.abc import Collection

from autograph.staging.containers.structure import ContainerOf, NoneOrOf
from autograph.staging.ground.nesting import Structure, TupleOf
from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.restarts import JoinsClasses
from autograph.staging.lists.object_heap import is_given
from autograph.staging.lists.placed_objects import PlacedObject, kept_class, made_of


def of_families(structure: Structure) -> Structure:
    """A structure with families in place of the classes of objects in heaps."""
    families = recorder().nested.objects.families
    if not families:
        return structure
    if isinstance(structure, NoneOrOf):
        return NoneOrOf(of_families(structure.part))
    if isinstance(structure, TupleOf):
        return TupleOf(structure.kind, tuple(map(of_families, structure.parts)))
    if isinstance(structure, ContainerOf) and issubclass(structure.kind, PlacedObject):
        family = families.kind(structure.kind.made_of)
        return structure._replace(kind=kept_class(family))
    return structure


def join_classes(kinds: Collection[type]) -> None:
    """Objects of some classes are to be one variable.

    Raises:
        JoinsClasses: they are all in heaps, and the caller's.
    """
    if not all(issubclass(kind, PlacedObject) for kind in kinds):
        return
    own = set(map(made_of, kinds))
    if all(map(is_given, own)):
        raise JoinsClasses(own)
