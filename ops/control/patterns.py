"""What the patterns of ``match`` take their subject apart into.

Each function returns a tuple of the parts, which the sub-patterns are matched against, or None if
the subject is not of that structure. The structure has to be a Python one; the parts may be
symbolic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ops.control.constructs import call

__all__ = [
    "match_class",
    "match_kind",
    "match_mapping",
    "match_sequence",
]

# The flag of built-in classes for which ``case int(x)`` binds ``x`` to the subject itself.
_MATCHES_ITSELF = 1 << 22
_MISSING = object()


def match_sequence(subject: Any, before: int, after: int | None = None) -> tuple | None:
    """The items of a sequence of ``before`` items; with ``after``, for ``case [a, *rest, b]``, the
    first ``before`` items, a list of those in the middle, and the last ``after``."""
    if isinstance(subject, (str, bytes, bytearray)) or not call(isinstance, subject, Sequence):
        return None
    n = len(subject)
    if n != before if after is None else n < before + after:
        return None
    items = tuple(subject)
    if after is None:
        return items
    return (*items[:before], list(items[before : n - after]), *items[n - after :])


def match_mapping(subject: Any, keys: tuple, rest: bool = False) -> tuple | None:
    """The values of the given keys of a mapping; with ``rest``, also a dict of all others.

    Raises:
        ValueError: a key is given twice.
    """
    if not isinstance(subject, Mapping):
        return None
    if len(set(keys)) != len(keys):
        raise ValueError(f"mapping pattern checks duplicate key ({keys!r})")
    values = tuple(subject.get(key, _MISSING) for key in keys)
    if any(value is _MISSING for value in values):
        return None
    if not rest:
        return values
    return (*values, {key: subject[key] for key in subject if key not in keys})


def match_kind(subject: Any, cls: Any) -> Any:
    """Whether the subject of a class pattern is an instance of the class, which only the run may
    know.

    Raises:
        TypeError: ``cls`` is not a class.
    """
    if not isinstance(cls, type):
        raise TypeError("called match pattern must be a class")
    return call(isinstance, subject, cls)


def match_class(subject: Any, cls: type, count: int, names: tuple[str, ...] = ()) -> tuple | None:
    """The attributes of an instance of a class: the first ``count`` that ``cls.__match_args__``
    lists, and those with the given names.

    Raises:
        TypeError: ``cls`` has not so many positional attributes.
    """
    listed = getattr(cls, "__match_args__", None)
    if listed is None and cls.__flags__ & _MATCHES_ITSELF:
        allowed, parts = 1, [subject] * count
    else:
        allowed, parts = len(listed or ()), []
        names = (*(listed or ())[:count], *names)
    if count > allowed:
        raise TypeError(
            f"{cls.__name__}() accepts {allowed} positional sub-pattern{'s' * (allowed != 1)} "
            f"({count} given)"
        )
    for name in names:
        value = getattr(subject, name, _MISSING)
        if value is _MISSING:
            return None
        parts.append(value)
    return tuple(parts)
