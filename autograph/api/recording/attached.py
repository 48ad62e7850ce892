"""What is kept in a function, and goes when the function goes: it may hold large arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MOST = 256  # how many things made of a function are kept


class Attached:
    """What was made of a function, an attribute of that.

    Attributes:
        owner: the function.
        made: by what has made it, and the options of that.
        alike: what is compiled for functions that differ in what their variables hold, and refer
            to this one; see `autograph.api.recording.alike`.
    """

    __slots__ = ("alike", "made", "owner")

    def __init__(self, owner: Callable):
        self.owner = owner
        self.made: dict[tuple, Any] = {}
        self.alike: Any = None

    @classmethod
    def of(cls, function: Callable) -> Attached:
        """What was made of ``function``."""
        attributes = vars(function)
        found = attributes.get(ATTRIBUTE)
        if found is None or found.owner is not function:  # `functools.wraps` copies attributes
            found = attributes[ATTRIBUTE] = cls(function)
        return found

    def __reduce__(self) -> tuple:
        return type(None), ()  # a function may be pickled with its attributes

    def get(self, make: Callable, function: Callable, options: tuple) -> Any:
        found = self.made.get((make, *options))
        if found is None:
            if len(self.made) >= MOST:  # options that are made for each call, like functions
                self.made.clear()
            found = self.made.setdefault((make, *options), make(function, *options))
        return found


ATTRIBUTE = "__autograph__"
