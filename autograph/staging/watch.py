"""Noticing changes that converted code makes to lists, dicts, sets and objects inside a region.

A region is recorded once, but may run never or many times, so such a change must not simply happen.
Every container that the region's functions can reach is compared before and after.
"""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from autograph.errors import Location, MutationError
from autograph.staging.array import GraphArray
from autograph.staging.errors import user_location

_ATOMS = (str, bytes, int, float, complex, type(None), type, types.ModuleType, GraphArray)
_MAX_CONTAINERS = 10_000


@contextmanager
def unchanged(functions: Iterable[Callable], *contents: Any) -> Iterator[None]:
    """Undo and refuse changes made inside a region to what ``functions`` and ``contents`` reach.

    Raises:
        MutationError: a container was changed. It is back in its former state.
    """
    with _watched([*functions, *contents]) as changed:
        yield
    if changed:
        raise MutationError(
            f"a {type(changed[0]).__name__} from outside is changed inside control flow that "
            "depends on traced values",
            user_location(),
            fix="put the values into an array allocated before (x = np.zeros(n); x[i] = ...), or "
            "rebind a variable instead of changing an object",
        )


@contextmanager
def unchanged_arguments(*arguments: Any, location: Location | None = None) -> Iterator[None]:
    """Undo and refuse changes made inside to the containers among the arguments of a function.

    Raises:
        MutationError: a container was changed; ``location`` is the function's.
    """
    with _watched(arguments) as changed:
        yield
    if changed:
        raise MutationError(
            f"the function changes a {type(changed[0]).__name__} that it is given; only arrays "
            "that it is given can be changed",
            location or user_location(),
            fix="copy it first, as in d = dict(d), and return the copy",
        )


@contextmanager
def _watched(roots: Iterable[Any]) -> Iterator[list[Any]]:
    """Undo changes made inside to what ``roots`` can reach; the list is of what was changed."""
    before = [(c, _contents(c)) for c in _reachable(roots)]
    changed: list[Any] = []
    try:
        yield changed
    finally:
        changed += _restore(before)


def _reachable(roots: Iterable[Any]) -> list[Any]:
    """The containers and objects that can be reached through closures, containers and
    attributes."""
    found: dict[int, Any] = {}
    pending = list(roots)
    while pending and len(found) < _MAX_CONTAINERS:
        item = pending.pop()
        if isinstance(item, _ATOMS) or id(item) in found:
            continue
        if isinstance(item, types.FunctionType):
            found[id(item)] = item
            pending.extend(_cells(item))
        elif isinstance(item, types.MethodType):
            pending.extend((item.__self__, item.__func__))
        elif isinstance(item, (list, deque, tuple, set, frozenset)):
            found[id(item)] = item
            pending.extend(item)
        elif isinstance(item, dict):
            found[id(item)] = item
            pending.extend(item.values())
        elif _is_user_object(item):
            found[id(item)] = item
            pending.extend(vars(item).values())
    return [c for c in found.values() if not isinstance(c, (tuple, frozenset, types.FunctionType))]


def _cells(function: types.FunctionType) -> list[Any]:
    contents = []
    for cell in function.__closure__ or ():
        try:
            contents.append(cell.cell_contents)
        except ValueError:  # not assigned yet
            continue
    return contents


def _is_user_object(item: Any) -> bool:
    return hasattr(item, "__dict__") and type(item).__module__.partition(".")[0] not in (
        "numpy",
        "autograph",
        "ops",
        "builtins",
    )


def _contents(container: Any) -> Any:
    if isinstance(container, (list, deque, dict, set)):
        return container.copy()
    return dict(vars(container))


def _restore(before: list[tuple[Any, Any]]) -> list[Any]:
    """Put every container back into its former state; returns those that had changed."""
    changed = []
    for container, contents in before:
        if isinstance(container, (list, deque)):
            if _differ(container, contents):
                container.clear()
                container.extend(contents)
                changed.append(container)
            continue
        now = container if isinstance(container, (dict, set)) else vars(container)
        if isinstance(now, set):
            if now != contents:
                now.clear()
                now.update(contents)
                changed.append(container)
        elif list(now) != list(contents) or _differ(now.values(), contents.values()):
            now.clear()
            now.update(contents)
            changed.append(container)
    return changed


def _differ(a: Any, b: Any) -> bool:
    return len(a) != len(b) or any(x is not y for x, y in zip(a, b))
