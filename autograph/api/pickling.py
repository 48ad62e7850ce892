"""Compiled functions in other processes.

A function that its module has under its name is pickled by that name, as Python does it. Others are
pickled as what makes them: the function and what was asked for. They are compiled again where they
are loaded, when they are called. cloudpickle, and joblib's loky with it, takes functions of the
program itself and inner ones by value, which `pickle` cannot.
"""

from __future__ import annotations

import sys
import types
from typing import Any


def is_named(thing: Any) -> bool:
    """Whether the module that something says it is from has it under its name."""
    found: Any = sys.modules.get(getattr(thing, "__module__", None) or "")
    for part in getattr(thing, "__qualname__", "").split("."):
        found = getattr(found, part, None)
    return found is thing


def by_value() -> bool:
    """Whether who is pickling takes functions by value: cloudpickle, also joblib's copy of it, or
    dill. Nothing tells but who has called."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        module = frame.f_globals.get("__name__") or ""
        if "cloudpickle" in module or module.startswith("dill."):
            return True
        frame = frame.f_back
    return False


def goes_by_name(thing: Any, valued: bool) -> bool:
    """Whether something is pickled by its name.

    Args:
        valued: whether functions may be taken by value: then those of the program itself are, whose
            module is another one in other processes.
    """
    return is_named(thing) and not (valued and thing.__module__ == "__main__")
