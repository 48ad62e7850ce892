"""Fields of dataclasses that are configuration: marked with ``metadata={"static": True}``.

What such a field holds is part of how an object is made, as its class is: numbers in it are neither
traced nor leaves of trees, and a function is compiled for them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ops.core.lazy import KnownWhileAlive

# Functions and the like are part of a signature wherever they are.
_CONSTANTS = (bool, int, float, complex, np.generic, str, bytes, type(None))


@KnownWhileAlive
def static_fields(kind: type) -> frozenset[str]:
    """The names of the static fields of a class; none, if it is no dataclass."""
    fields = getattr(kind, "__dataclass_fields__", {}).values()
    return frozenset(field.name for field in fields if field.metadata.get("static"))


class Fixed(tuple):
    """The names and contents of the static fields of an object. Equal ones hold the same constants
    of the same types: 1, 1.0 and True are not the same, nor are 0.0 and -0.0."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return type(other) is Fixed and repr(self) == repr(other) and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple.__hash__


def parted(kind: type, attributes: Iterable[tuple[str, Any]]) -> tuple[tuple, dict[str, Any]]:
    """The constants in static fields of an object of a class, and its other attributes."""
    static, others = static_fields(kind), dict(attributes)
    if not static:
        return (), others
    names = [name for name, value in others.items() if name in static and _is_constant(value)]
    return Fixed([(name, others.pop(name)) for name in names]), others


def _is_constant(value: Any) -> bool:
    if type(value) is tuple:
        return all(map(_is_constant, value))
    return isinstance(value, _CONSTANTS)
