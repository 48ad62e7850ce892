"""What can be reached from some things, step by step."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def closure(start: Iterable[T], steps: Callable[[T], Iterable[T]]) -> set[T]:
    """Some things, and those to which ``steps`` lead from one that is found."""
    found: set[T] = set()
    pending = list(start)
    while pending:
        one = pending.pop()
        if one not in found:
            found.add(one)
            pending.extend(steps(one))
    return found


def reached(start: Iterable[T], steps: Mapping[T, Iterable[T]]) -> set[T]:
    """The same, where a table says to which things one leads, if to any."""
    found = set(start)
    pending = found
    while pending:
        following = itertools.chain.from_iterable(map(steps.get, pending, _NOWHERE))
        pending = set(following).difference(found)
        found |= pending
    return found


_NOWHERE: Iterable[tuple] = itertools.repeat(())
