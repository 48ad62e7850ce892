"""Errors that occur while converted code runs on symbolic arrays, with the user's line put to
them; and mistakes of ours, told from them.

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
import inspect
import re
from collections.abc import Callable
from contextlib import ContextDecorator
from types import FrameType
from typing import Any

import numpy as np

from autograph.errors import (
    AutographError,
    CompilerError,
    Location,
    OperandAttributeError,
    OperandAxisError,
    OperandIndexError,
    OperandLinAlgError,
    OperandShapeError,
    OperandTypeError,
    OperandValueError,
    UnsupportedFunctionError,
)
from autograph.graph.graph import building
from autograph.signals import raised_by_handler
from autograph.source.load import converted_frame, is_converted
from autograph.source.tree.libraries import OWN_PACKAGES, is_plain_of_ours
from autograph.staging.ground.foreign_names import instead_of_keyword
from autograph.staging.ground.naming import location_in, location_of
from ops.core.recording import active_recording, is_declared

# The operators raise what NumPy raises; a user's `except IndexError` catches ours as well.
# Of each: what it is, what we raise, and what helps if the operator does not say it.
_KINDS = (
    (np.linalg.LinAlgError, OperandLinAlgError, "pass matrices: arrays of two or more axes"),
    (np.exceptions.AxisError, OperandAxisError, "compare the axis with the shape of the array"),
    (IndexError, OperandIndexError, "compare the index, or the axis, with the shape of the array"),
    (NotImplementedError, UnsupportedFunctionError, "write it with other functions"),
    (ValueError, OperandValueError, "pass one of the values that NumPy's documentation names"),
    (TypeError, OperandTypeError, "convert the operands, for example with x.astype(float)"),
    (AttributeError, OperandAttributeError, "use an attribute that it has"),
)
# What mends a change of what the run picks (AG0328).
IN_BRANCHES = (
    "change each in a branch of its own, as in `if c: a.append(x)` and `else: b.append(x)`, or "
    "change a copy"
)
ENDLESS = "AG0596"  # the id of recursion that is recorded call by call, and does not end

# What says that operands are none of those that an operation takes. In a branch that is not taken
# it says nothing; NumPy would not have come there.
OPERANDS_DO_NOT_FIT = (
    OperandAttributeError,
    OperandIndexError,
    OperandShapeError,
    OperandTypeError,
    OperandValueError,
)
_SHAPES = OperandShapeError, "make the shapes fit, for example with x[:, None] or x.T"
_OF_SHAPES = re.compile("shape|broadcast|dimension|ax[ei]s|size|column|length|element|empty|einsum")


_RAISE = dis.opmap["RAISE_VARARGS"]


def user_location() -> Location | None:
    """The line of the user's that is being executed."""
    recording = active_recording()
    return recording.location() if recording is not None else None


class located(ContextDecorator):
    """Give errors that operators raise inside a place in the user's source.

    It is around each operation that is recorded: a generator would take twice as many calls.
    """

    __slots__ = ()

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if not isinstance(error, Exception) or isinstance(error, AutographError):
            return
        if is_mistake(error):
            raise as_mistake(error, user_location()) from error
        if isinstance(error, (IndexError, NotImplementedError, ValueError, TypeError)):
            ours = as_located(error, user_location())
            assert ours is not None
            raise ours from error


def as_located(error: Exception, location: Location | None) -> AutographError | None:
    """Our error for what an operator raises; None if operators raise nothing of that class."""
    found = next(((ours, fix) for theirs, ours, fix in _KINDS if isinstance(error, theirs)), None)
    if found is None:
        return None
    kind: type[AutographError]
    kind, help = found
    message, use, fix = str(error).partition("; use ")
    if kind is OperandValueError and _OF_SHAPES.search(message):
        kind, help = _SHAPES
    fix = f"use {fix}" if use else instead_of_keyword(message) or help
    return kind(message, location, fix=fix)


def defined_at(function: Callable) -> Location | None:
    """Where a function of the user's begins, or the one behind a wrapper or partial application."""
    function = inspect.unwrap(getattr(function, "func", function))
    code = getattr(function, "__code__", None)
    if code is None:
        return None
    return Location(code.co_filename, code.co_firstlineno, None, code.co_name)


def _is_of_method(frame: FrameType) -> bool:
    return is_plain_of_ours(frame.f_globals.get("__name__", ""))


def _site_of_builder() -> Location | None:
    """Where the graph that is being built is; None where none is any more."""
    site: Location | None = None if building.builder is None else building.builder.location
    return site


def raise_site(error: BaseException) -> Location:
    """Where in converted code an exception was raised, if it was there: in the user's, which calls
    a method of ours, or of which a transform does. What a method of ours raises in a branch of its
    own is raised where converted code called it."""
    trace, found = error.__traceback__, None
    while trace is not None:
        if is_converted(trace.tb_frame.f_code):
            found = trace
        trace = trace.tb_next
    if found is None:
        site = user_location()
        if site is not None:
            return site
        found = error.__traceback__
    assert found is not None  # it was raised
    caller = converted_frame(found.tb_frame)
    if caller is not None and _is_of_method(found.tb_frame):
        site = _site_of_builder() if _is_of_method(caller) else location_of(caller)
        if site is not None:
            return site
    return location_in(found.tb_frame.f_code, found.tb_lineno, found.tb_lasti)


def is_too_deep(error: BaseException) -> bool:
    """Whether Python says that calls are nested too deeply; users raise such exceptions, too."""
    return isinstance(error, RecursionError) and str(error).startswith("maximum recursion depth")


# -- mistakes of ours ---------------------------------------------------------------------------


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
