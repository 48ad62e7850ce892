"""Layouts of what loops and branches keep for their backward pass, where several come to one place.

A layout is ``("leaf", ...)``, ``("pack", parts)``, ``("either", packs)``, ``("nothing",)`` for what
is not known yet, or one of a stack, of which formats say themselves what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

Layout = tuple[Any, ...]
Term = TypeVar("Term")

NOTHING: Layout = ("nothing",)
_STACKS = {"stack", "growing"}


def united(
    a: Layout,
    b: Layout,
    of_stacks: Callable[[Layout, Layout], Layout],
    refuse: Callable[[str], Exception],
) -> Layout:
    """The layout of what may be of either.

    Args:
        of_stacks: the same of two stacks.
        refuse: the error of what cannot be.
    """
    if a == b or b == NOTHING:
        return a
    if a == NOTHING:
        return b
    kinds = {a[0], b[0]}
    if kinds <= _STACKS:
        return of_stacks(a, b)
    if kinds & {"leaf", *_STACKS}:
        raise refuse("what a loop keeps for its gradient differs from trip to trip")
    found = list(options(a))
    for option in options(b):
        for place, other in enumerate(found):
            if _alike(option, other):
                pairs = zip(other[1], option[1])
                parts = tuple(united(x, y, of_stacks, refuse) for x, y in pairs)
                found[place] = ("pack", parts)
                break
        else:
            found.append(option)
    return found[0] if len(found) == 1 else ("either", tuple(found))


def options(layout: Layout) -> Sequence[Layout]:
    """The packs that there may be."""
    return layout[1] if layout[0] == "either" else [layout]


def _alike(a: Layout, b: Layout) -> bool:
    """Whether packs hold values of the same types, so that nobody could tell them apart."""
    if len(a[1]) != len(b[1]):
        return False
    return all(x == y if "leaf" in (x[0], y[0]) else _same_kind(x, y) for x, y in zip(a[1], b[1]))


def _same_kind(x: Layout, y: Layout) -> bool:
    kinds = {"either": "pack", "growing": "stack", "nothing": None}
    a, b = (kinds.get(z[0], z[0]) for z in (x, y))
    return a == b or None in (a, b)


class Widening(Generic[Term]):
    """The terms of what is of one layout, as those of a wider one."""

    def count(self, layout: Layout) -> int:
        """How many terms a layout has."""
        raise NotImplementedError

    def nothing(self, layout: Layout) -> list[Term]:
        """What stands for a value that is not there."""
        raise NotImplementedError

    def stack(self, terms: list[Term], a: Layout, b: Layout) -> list[Term]:
        """`widened` of stacks."""
        raise NotImplementedError

    def widened(self, terms: list[Term], a: Layout, b: Layout) -> list[Term]:
        """The terms of the layout ``a`` as those of ``b``."""
        if a == b:
            return terms
        if a == NOTHING:
            return self.nothing(b)
        found: list[Term] = []
        if b[0] == "pack":
            for x, y in zip(a[1], b[1]):
                size = self.count(x)
                found += self.widened(terms[:size], x, y)
                terms = terms[size:]
            return found
        if b[0] == "either":
            given = []
            for option in options(a):
                size = self.count(option)
                given.append((option, terms[:size]))
                terms = terms[size:]
            for option in b[1]:
                own = next(((o, t) for o, t in given if _alike(o, option)), (NOTHING, []))
                found += self.widened(own[1], own[0], option)
            return found
        return self.stack(terms, a, b)
