"""Mistakes of ours, told from the exceptions of the program that is recorded.

The user's handlers are in place while their code is recorded, and so find what code of ours raises
amid it. What that means to raise for the user's program, as NumPy or Python would, is raised by a
``raise`` statement, or by Python in a function that says so, `raises_as_python`, or is of a class
of NumPy's own. Any other exception of our code, such as a TypeError for a None where an operator
expects a type, is a mistake: it becomes a `CompilerError`, which no handler in converted code
takes.
"""

from __future__ import annotations

import dis
import functools
from types import FrameType
from typing import Any

from autograph.errors import AutographError, CompilerError, Location
from autograph.signals import raised_by_handler
from autograph.source.load import is_converted
from autograph.source.tree.libraries import OWN_PACKAGES
from ops.core.python_errors import is_declared

_RAISE = dis.opmap["RAISE_VARARGS"]


def is_mistake(error: BaseException) -> bool:
    """Whether an exception comes from code of ours that did not mean to raise it."""
    elsewhere = AutographError, RecursionError, MemoryError
    if not isinstance(error, Exception) or isinstance(error, elsewhere):
        return False
    trace = error.__traceback__
    if trace is None or raised_by_handler(error):
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    frame = trace.tb_frame
    if not is_own(frame) or is_declared(frame.f_code) or _is_of_numpy(error):
        return False
    return isinstance(error, AssertionError) or not is_raise(frame, trace.tb_lasti)


def _is_of_numpy(error: Exception) -> bool:
    """Whether NumPy alone raises exceptions of this class, as that an axis is out of bounds."""
    return type(error).__module__.partition(".")[0] == "numpy"


def is_own(frame: FrameType) -> bool:
    """Whether a frame runs code of this package."""
    name = frame.f_globals.get("__name__") or ""
    return name.partition(".")[0] in OWN_PACKAGES and not is_converted(frame.f_code)


def is_raise(frame: FrameType, instruction: int) -> bool:
    """Whether an instruction is a ``raise``."""
    return frame.f_code.co_code[instruction] == _RAISE


def as_mistake(error: Exception, site: Location | None, text: str | None = None) -> CompilerError:
    """Our error for a mistake of ours, which is to be reported.

    Args:
        text: of the exception, if that is not its own.
    """
    made: CompilerError = of_kind(
        CompilerError,
        type(error),
        f"the compiler failed at this line, with {type(error).__name__}: "
        f"{error if text is None else text}",
        site,
        fix="write the line in another way, and report the program that led to it",
    )
    return made


def of_kind(base: type[AutographError], kind: type, *args: Any, **details: Any) -> Any:
    """An error of ours that is one of another class as well, or of the nearest of its bases that it
    can be one of."""
    ours: type = base
    for other in kind.__mro__:
        try:
            return _both(ours, other)(*args, **details)
        except TypeError:  # another layout, or another `__init__`
            continue
    raise AssertionError  # `object` fits


@functools.lru_cache(maxsize=256)
def _both(base: type, other: type) -> type:
    if issubclass(base, other):
        return base
    namespace = {"__module__": base.__module__, "__qualname__": base.__qualname__}
    return type(base.__name__, (base, other), namespace)
