"""Calls that may not be made as earlier ones: arrays that are changed in place can't be, or share
memory, or two are the same where the function asks for that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from autograph.errors import ConcreteValueError, Location
from autograph.staging.trace import Traced


class Unlike(Exception):
    """The look-up shall make the call."""


def unlike_refused(
    function: Callable[..., Any], traced: Traced, positions: Sequence[int]
) -> Callable[..., Any]:
    """A function of the traced leaves that raises `Unlike`, or does what another one does.

    Args:
        function: the other one.
        positions: of the leaves.
    """
    if not traced.knows_repeated:
        return function
    places = [positions.index(t) for t in traced.changed if isinstance(t, int)]
    outside = [array for array in traced.outside.values() if isinstance(array, np.ndarray)]
    fixed = [target for target in traced.changed if not isinstance(target, int)]

    def run(*leaves: Any) -> Any:
        changed = [*(leaves[place] for place in places), *fixed]
        arrays = [*(leaf for leaf in leaves if isinstance(leaf, np.ndarray)), *outside]
        if traced.tells_apart and len({*map(id, arrays)}) < len(arrays):
            raise Unlike
        for array in changed:
            if not array.flags.writeable:
                raise Unlike
            if sum(_may_share(array, other) for other in arrays) > 1:  # with itself, once
                raise Unlike
        return function(*leaves)

    return run


def refuse_met(traced: Traced, arrays: Iterable[Any], location: Location | None) -> None:
    """The recorded function does not know that an array it is given is one that it finds outside.

    Args:
        arrays: the traced leaves.
        location: of the function.

    Raises:
        ConcreteValueError: one is.
    """
    if any(id(array) in traced.compared for array in arrays):
        raise ConcreteValueError(
            "the function compares arrays by 'is', and an argument is an array that it also "
            "finds outside",
            location,
            id="AG0374",
            fix="pass a copy, or a flag that says which array it is",
        )


def _may_share(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays may share memory: two that own theirs do not."""
    if a.base is None and b.base is None:
        return a is b
    return np.may_share_memory(a, b)
