"""A variable that only some of the paths through a function assign, and only the run can tell
which."""

from __future__ import annotations

from typing import Any


class MaybeUndefined:
    """The content of a variable that is defined if ``flag``, a symbolic boolean, is true.

    Where it is not, ``content`` is a placeholder of the right type.
    """

    __slots__ = ("content", "flag", "name")

    def __init__(self, name: str, content: Any, flag: Any):
        self.name = name
        self.content = content
        self.flag = flag

    def __repr__(self) -> str:
        return f"<maybe undefined {self.name}>"
