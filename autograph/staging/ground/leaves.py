"""The leaves of nested tuples, lists and dicts that a function meets, by optree.

Objects of the user's are leaves, also of classes that are registered with optree: the function that
takes one apart there is the user's, and an object may not be made yet that is looked at here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import optree

from autograph.staging.ground.ownership import is_user_class

_Entries = dict[type, Any]

# What `_entries` gave for a registry of some size with some class as the last.
_known: tuple[Any, _Entries] = (None, {})


def _entries() -> _Entries:
    """What is registered of the user's classes, and of others in a namespace."""
    global _known
    registry = getattr(optree.registry, "_NODETYPE_REGISTRY", {})
    key = len(registry), next(reversed(registry), None)
    if _known[0] != key:
        found: _Entries = {}
        for registered, entry in list(registry.items()):
            kind = registered[1] if isinstance(registered, tuple) else registered
            if kind is not registered or (isinstance(kind, type) and is_user_class(kind)):
                found.setdefault(kind, entry)
        _known = (key, found)
    return _known[1]


def entry_of(kind: type) -> Any:
    """What is registered with optree of a user's class, or in a namespace of another: an object
    with ``flatten_func`` and ``unflatten_func``; None if there is nothing."""
    return _entries().get(kind)


def of_registered_class() -> Callable[[Any], bool] | None:
    """Whether something is an object of such a class, as a function; None if there is none."""
    entries = _entries()
    return (lambda item: type(item) in entries) if entries else None


def leaves_of(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> list[Any]:
    """The leaves of a tree, None being one.

    Args:
        is_leaf: what else is one.
    """
    registered = of_registered_class()
    if is_leaf is None or registered is None:
        return optree.tree_leaves(tree, is_leaf or registered, none_is_leaf=True)
    either = lambda item: registered(item) or is_leaf(item)
    return optree.tree_leaves(tree, either, none_is_leaf=True)
