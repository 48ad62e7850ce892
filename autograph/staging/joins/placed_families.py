"""Objects of one class of a family where paths join: what they become may be of another one."""

from __future__ import annotations

from autograph.staging.containers.structure import ContainerOf, NoneOrOf
from autograph.staging.ground.nesting import Structure, TupleOf
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.placed_objects import PlacedObject, kept_class


def of_families(structure: Structure) -> Structure:
    """A structure with families in place of the classes of objects in heaps."""
    if isinstance(structure, NoneOrOf):
        return NoneOrOf(of_families(structure.part))
    if isinstance(structure, TupleOf):
        return TupleOf(structure.kind, tuple(map(of_families, structure.parts)))
    if isinstance(structure, ContainerOf) and issubclass(structure.kind, PlacedObject):
        families = recorder().nested.objects.families
        return structure._replace(kind=kept_class(families.kind(structure.kind.made_of)))
    return structure
