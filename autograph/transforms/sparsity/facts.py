"""What is known of a value: its elements, or on what they depend.

Facts are joined where control flow meets, and only grow: sets have more in them, elements that
differ are no longer known. Of packs and stacks, which hold what a forward pass leaves for its
backward pass, it is known what is in them; of such that are nested deeply, as recursion makes them,
only everything together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from autograph.transforms.sparsity.sets import Sets, is_larger, of_all, union
from ops.core.types import ArrayType, StackType, Type

_COMPARED = 1 << 16  # of known arrays that are larger it is not looked whether they are equal
_DEEPEST = 4  # packs in packs that are told apart


class KnownElements(NamedTuple):
    """Elements that are known before the run.

    Attributes:
        data: an array or number.
        origins: the arrays from outside that they were computed from, by identity.
    """

    data: Any
    origins: frozenset[int]


class Fact(NamedTuple):
    """Of an array or number.

    Attributes:
        known: its elements, if they are known.
        sets: on what each depends; None for nothing. For an array with lengths that only the run
            knows, one set for all of them.
    """

    known: KnownElements | None = None
    sets: Sets | None = None


class Packs(NamedTuple):
    """Of a pack: by the types of what is in it, since branches leave different ones, that."""

    contents: dict[tuple[Type, ...], tuple[Any, ...]]


class StackFacts(NamedTuple):
    """Of a stack: the packs on it, the last on top; None if only ``any`` is known, what each of
    them may be."""

    packs: tuple[Any, ...] | None
    any: Any = None


class Anything(NamedTuple):
    """Of a pack or stack: a set that all sets in it are part of."""

    sets: Sets | None


NOTHING = Fact()
EMPTY = Packs({})

AnyFact = Any  # of these four


def together(facts: Iterable[AnyFact]) -> Sets | None:
    """One set: all that is in those of some facts."""
    found: Sets | None = None
    for fact in facts:
        found = union(found, _everything_in(fact))
    return found


def _everything_in(fact: AnyFact) -> Sets | None:
    if isinstance(fact, Fact):
        return None if fact.sets is None else of_all(fact.sets)
    if isinstance(fact, Packs):
        return together(item for items in fact.contents.values() for item in items)
    if isinstance(fact, StackFacts):
        return together((fact.any or EMPTY, *(fact.packs or ())))
    sets: Sets | None = fact.sets
    return sets


def joined(a: AnyFact, b: AnyFact, depth: int = 0) -> AnyFact:
    """What is known of something that is either."""
    if isinstance(a, Fact) and isinstance(b, Fact):
        return Fact(_same(a.known, b.known), union(a.sets, b.sets))
    if isinstance(a, Anything) and a.sets is None:
        return unknown(b)
    if isinstance(b, Anything) and b.sets is None:
        return unknown(a)
    if isinstance(a, Anything) or isinstance(b, Anything) or depth > _DEEPEST:
        return Anything(together([a, b]))
    if isinstance(a, Packs) and isinstance(b, Packs):
        contents = dict(a.contents)
        for types, items in b.contents.items():
            own = contents.get(types)
            contents[types] = items if own is None else all_joined(own, items, depth + 1)
        return Packs(contents)
    if isinstance(a, StackFacts) and isinstance(b, StackFacts):
        if a.packs is not None and b.packs is not None and len(a.packs) == len(b.packs):
            return StackFacts(all_joined(a.packs, b.packs, depth + 1))
        return StackFacts(None, joined(_any_of(a), _any_of(b), depth + 1))
    return Anything(together([a, b]))


def all_joined(a: Sequence[AnyFact], b: Sequence[AnyFact], depth: int = 0) -> tuple[AnyFact, ...]:
    return tuple(joined(x, y, depth) for x, y in zip(a, b))


def _any_of(stack: StackFacts) -> AnyFact:
    found: AnyFact = stack.any or EMPTY
    for pack in stack.packs or ():
        found = joined(found, pack, 1)
    return found


def unknown(fact: AnyFact) -> AnyFact:
    """The same, but for elements that are known."""
    if isinstance(fact, Fact):
        return Fact(None, fact.sets)
    if isinstance(fact, Packs):
        items = fact.contents.items()
        return Packs({types: tuple(map(unknown, content)) for types, content in items})
    if isinstance(fact, StackFacts):
        packs = None if fact.packs is None else tuple(map(unknown, fact.packs))
        return StackFacts(packs, None if fact.any is None else unknown(fact.any))
    return fact


def _same(a: KnownElements | None, b: KnownElements | None) -> KnownElements | None:
    if a is None or b is None:
        return None
    if a.data is not b.data:
        if type(a.data) is not type(b.data) or np.size(a.data) > _COMPARED:
            return None
        if not np.array_equal(a.data, b.data):
            return None
    return KnownElements(a.data, a.origins | b.origins)


def has_grown(new: AnyFact, old: AnyFact) -> bool:
    """Whether ``new``, which ``old`` was joined into, says anything else."""
    if type(new) is not type(old):
        return True
    if isinstance(new, Fact):
        known = new.known is None and old.known is not None
        return known or is_larger(new.sets, old.sets)
    if isinstance(new, Packs):
        if len(new.contents) != len(old.contents):
            return True
        return any(have_grown(items, old.contents[t]) for t, items in new.contents.items())
    if isinstance(new, StackFacts):
        if (new.packs is None) != (old.packs is None):
            return True
        if new.packs is None:
            return has_grown(new.any, old.any)
        return have_grown(new.packs, old.packs)
    return is_larger(new.sets, old.sets)


def have_grown(new: Sequence[AnyFact], old: Sequence[AnyFact]) -> bool:
    return any(map(has_grown, new, old))


def nothing_of(type: Type) -> AnyFact:
    """Of a value that is not there yet, of zeros, and of the empty stack."""
    if isinstance(type, ArrayType):
        return NOTHING
    return StackFacts(()) if isinstance(type, StackType) else EMPTY


def rows(type: ArrayType) -> int:
    """How many sets there are for an array."""
    return type.size if type.is_static else 1
