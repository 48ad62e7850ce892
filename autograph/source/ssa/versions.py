"""Variables, their versions, and the names that those get."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import gast

from autograph.source.tree.build import base_name
from autograph.source.tree.scopes import walk
from ops.core.records import NamedTuple


class Version(NamedTuple):
    """What a variable is called at some point of the code.

    Attributes:
        name: the variable of the converted function that holds the value.
        maybe: whether some path to this point leaves the variable undefined.
    """

    name: str
    maybe: bool = False


class Environment:
    """The versions of all variables at a point of the code; those not in it are undefined.

    Attributes:
        versions: by variable.
        pinned: variables that keep one name for all assignments, because an exception may be
            caught after any of them. Regions are functions of their own and do not inherit pins.
        bound: the names that statements of this region have assigned.
    """

    def __init__(
        self,
        versions: dict[str, Version],
        pinned: dict[str, str] | None = None,
        bound: set[str] | None = None,
    ):
        self.versions = versions
        self.pinned = pinned or {}
        self.bound = set() if bound is None else bound

    def copy(self) -> Environment:
        return Environment(dict(self.versions), dict(self.pinned), set(self.bound))

    def can_drop(self, variable: str) -> bool:
        """Whether Python can delete the variable that holds the value of one here."""
        version = self.versions.get(variable)
        is_own = version is not None and not version.maybe and version.name in self.bound
        return is_own and variable not in self.pinned

    def region(self) -> Environment:
        """The environment at the beginning of a region."""
        return Environment(dict(self.versions))

    def maybe(self, variable: str) -> bool:
        """Whether a variable may be undefined."""
        version = self.versions.get(variable)
        return version is None or version.maybe


class Namer:
    """Gives out names that are not taken.

    Args:
        taken: all names that occur in the user's function.
    """

    def __init__(self, taken: Iterable[str]):
        self.taken = set(taken)
        self._next: Counter[str] = Counter()

    def version(self, variable: str) -> str:
        """A name for the next version of a variable: ``x_0``, ``x_1`` ..."""
        return self.numbered(base_name(variable))[0]

    def numbered(self, *bases: str) -> tuple[str, ...]:
        """Names with one number in common: ``then_0``, ``else_0``."""
        number = max(self._next[base] for base in bases)
        while self.taken.intersection(f"{base}_{number}" for base in bases):
            number += 1
        for base in bases:
            self._next[base] = number + 1
        return tuple(f"{base}_{number}" for base in bases)

    def unused(self, *candidates: str) -> str:
        """The first of some names that is free, or one with a number."""
        for name in candidates:
            if name not in self.taken:
                return name
        return self.numbered(candidates[-1])[0]


def names_in(tree: gast.AST) -> set[str]:
    """All names of variables in a tree, whatever their scope."""
    found: set[str] = set()
    for node in walk(tree):
        match node:
            case gast.Name():
                found.add(node.id)
            case gast.FunctionDef() | gast.ClassDef():
                found.add(node.name)
            case gast.alias():
                found.update((node.asname or node.name).split("."))
            case gast.MatchAs() | gast.MatchStar():
                found.add(node.name or "")
            case gast.MatchMapping():
                found.add(node.rest or "")
    return found
