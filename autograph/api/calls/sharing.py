"""Arrays of a call that share memory, where the program changes some in place: which calls that
refuses, which are looked up, and which arrays are copied."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from autograph.backends.select import is_array
from autograph.errors import ConcreteValueError, Location, MutationError, OperandValueError
from autograph.staging.trace import Traced
from ops.core.types import type_of


class Unlike(Exception):
    """A quick call is not like those before it: the look-up shall make it."""


def unlike_refused(
    function: Callable[..., Any], traced: Traced, positions: Sequence[int]
) -> Callable[..., Any]:
    """A function of the traced leaves that raises `Unlike` where arrays that are changed in place
    can't be, or share memory, or two are the same where the function asks for that; or does what
    another one does.

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
            if sum(_are_close(array, other) for other in arrays) > 1:  # with itself, once
                raise Unlike
        return function(*leaves)

    return run


def refuse_changes(changed: Sequence[Any], others: Sequence[Any], place: Location | None) -> None:
    """Refuse a call whose arrays can't be changed in place as Python changes them.

    Args:
        changed: those that the function may change.
        others: all that it is given and finds outside, these among them.
        place: of the function.

    Raises:
        OperandValueError: one is read-only. Changes reach an array when the program has ended, too
            late to fail as Python does.
        MutationError: one shares memory with another: the recorded function does not know that a
            change to one array is one to another.
    """
    for array in changed:
        if isinstance(array, np.ndarray) and not array.flags.writeable:
            raise OperandValueError(
                "assignment destination is read-only: the function may change this array, "
                f"{type_of(array)}, in place",
                place,
                id="AG0370",
                fix="pass a copy, or make one before changing it: x = x.copy()",
            )
    for array in changed:
        if sum(_overlap(array, other) for other in others) > 1:  # with itself, once
            raise MutationError(
                "the function changes an array in place that shares memory with another one "
                "that it is given",
                place,
                id="AG0602",
                fix="pass a copy of one of them",
            )


def refuse_met(traced: Traced, arrays: Iterable[Any], place: Location | None) -> None:
    """The recorded function does not know that an array it is given is one that it finds outside.

    Args:
        arrays: the traced leaves.
        place: of the function.

    Raises:
        ConcreteValueError: one is.
    """
    if any(id(array) in traced.compared for array in arrays):
        raise ConcreteValueError(
            "the function compares arrays by 'is', and an argument is an array that it also "
            "finds outside",
            place,
            id="AG0374",
            fix="pass a copy, or a flag that says which array it is",
        )


def is_alone(array: Any, others: Iterable[Any]) -> bool:
    """Whether an array can be written to, each element by itself, and shares no memory with the
    others."""
    flags = array.flags
    if not getattr(flags, "writeable", True) or not (flags.forc or flags.owndata):
        return False
    return not any(is_array(other) and may_share(array, other) for other in others)


def may_share(a: Any, b: Any) -> bool:
    """Whether two arrays, of the host or a device, may share memory."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        both = isinstance(a, np.ndarray) and isinstance(b, np.ndarray)
        return both and np.may_share_memory(a, b)
    return _base(a) is _base(b)


def _base(array: Any) -> Any:
    """The array, in the memory of a device, that owns the memory of another one."""
    while getattr(array, "base", None) is not None:
        array = array.base
    return array


def _are_close(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays may share memory, in less time: two that own theirs do not."""
    if a.base is None and b.base is None:
        return a is b
    return np.may_share_memory(a, b)


def _overlap(a: Any, b: Any) -> bool:
    """Whether two arrays share an element."""
    on_host = isinstance(a, np.ndarray) and isinstance(b, np.ndarray)
    return a is b or (on_host and np.shares_memory(a, b))
