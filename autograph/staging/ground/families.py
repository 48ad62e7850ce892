"""Several classes whose objects are together in one list, or what one attribute is: a `Family`.

Where objects are kept in heaps, see `autograph.staging.lists.object_heap`, those of all classes of
a family are in one heap, which knows of each object of which of them it is. A class that derives
from `Family` stands for them wherever one class would: it is nobody's, and has no methods.
"""

from __future__ import annotations

from collections.abc import Iterable

from autograph.source.tree.libraries import full_name


class Family:
    """Base of what stands for several classes.

    Attributes:
        members: these.
    """

    __slots__ = ()

    members: tuple[type, ...] = ()


def members_of(kind: type) -> tuple[type, ...]:
    """The classes that a class stands for, which may be itself."""
    return kind.members if issubclass(kind, Family) else (kind,)


def family_of(kinds: Iterable[type]) -> type:
    """What stands for some classes."""
    members = tuple(sorted(kinds, key=full_name))
    name = " or ".join(kind.__name__ for kind in members)
    return type(name, (Family,), {"members": members, "__module__": members[0].__module__})


class Families(dict[type, type]):
    """The family of each class that is in one."""

    def kind(self, kind: type) -> type:
        """The family of a class, or the class itself; of a family the one that it has become."""
        return self.get(members_of(kind)[0], kind)

    def join(self, kinds: Iterable[type]) -> None:
        """Objects of some classes meet."""
        found = {self.kind(kind) for kind in kinds}
        if len(found) > 1:
            joined = [one for kind in found for one in members_of(kind)]
            self.update(dict.fromkeys(joined, family_of(joined)))
