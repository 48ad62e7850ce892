"""What stands for an object of the user's, whose attributes may have any names.

The recorder asks it for what it consists of by names of its own (`content`, `position`). Code of
the user's that asks for an attribute of such a name means that of the object.
"""

from __future__ import annotations

import sys
from typing import Any

from autograph.source.load import is_converted
from ops.core.recording import raises_as_python


class SeenByUsers:
    """Base of what has, for code of the user's, the attributes that `_seen` gives: those that it
    gives all that ask for what it has not, if it does not say otherwise."""

    __slots__ = ()

    @raises_as_python
    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("_") and is_converted(sys._getframe(1).f_code):
            return self._seen(name)
        return super().__getattribute__(name)

    def _seen(self, name: str) -> Any:
        return self.__getattr__(name)  # type: ignore[attr-defined]
