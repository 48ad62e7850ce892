"""Exceptions as values: what a ``try`` statement becomes whose handlers the program has to find.

An exception is a number, its place among the `sites` of a statement, and 0 is none. See
`autograph.source.desugar.handlers`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from ops.control.constructs import Refusal
from ops.core.recording import active_recording

__all__ = [
    "attempted",
    "caught",
    "entered",
    "gone_through",
    "handles",
    "item",
    "left",
    "of_python",
    "passed",
    "raising",
    "refusals",
    "reraised",
    "sites",
    "stored",
    "stored_attribute",
    "swallows",
    "to_raise",
    "unpacked",
    "unwinding",
]

Kinds = Callable[[], Any]  # gives a class of exceptions, or a tuple of such


class Sites:
    """The exceptions that the body of a ``try`` statement may raise."""

    def __init__(self) -> None:
        self.exceptions: list[BaseException] = []

    def code(self, error: BaseException) -> int:
        """The number of an exception."""
        self.exceptions.append(error)
        return len(self.exceptions)


def sites() -> Sites:
    """New `Sites`."""
    recording = active_recording()
    return Sites() if recording is None else recording.sites()


def unwinding() -> Sites:
    """New `Sites`, for the body of a function: what follows an exception is not done."""
    recording = active_recording()
    return Sites() if recording is None else recording.unwinding()


def attempted(sites: Sites, kinds: Kinds, function: Callable[[], Any]) -> tuple[Any, Any, Any]:
    """``(succeeds, error, function())``: whether it raises none of ``kinds()``, and which."""
    recording = active_recording()
    if recording is not None:
        return recording.attempted(sites, kinds, function)
    try:
        return True, 0, function()
    except kinds() as error:
        return False, sites.code(error), None


def raising(sites: Sites, error: Any, *cause: Any) -> Any:
    """The number of an exception that a ``raise`` statement raises."""
    recording = active_recording()
    if recording is not None:
        return recording.raising(sites, error, *cause)
    return sites.code(exception_of(error, *cause))


def to_raise(error: Any, *cause: Any) -> BaseException:
    """What ``raise error from cause`` raises where variables hold these, which may be one of
    several as the run decides."""
    recording = active_recording()
    if recording is not None:
        return recording.to_raise(error, *cause)
    return exception_of(error, *cause)


def exception_of(error: Any, *cause: Any) -> BaseException:
    """What ``raise error from cause`` raises."""
    if isinstance(error, type) and issubclass(error, BaseException):
        error = error()
    if not isinstance(error, BaseException):
        return TypeError("exceptions must derive from BaseException")
    if cause:
        (one,) = cause
        error.__cause__ = one() if isinstance(one, type) else one
    return error


def handles(sites: Sites, error: Any, kinds: Kinds) -> Any:
    """Whether an exception is one of ``kinds()``."""
    recording = active_recording()
    if recording is not None:
        return recording.handles(sites, error, kinds)
    return isinstance(sites.exceptions[error - 1], kinds())


def caught(sites: Sites, error: Any) -> Any:
    """The exception itself."""
    recording = active_recording()
    return sites.exceptions[error - 1] if recording is None else recording.caught(sites, error)


def of_python(error: BaseException) -> None:
    """Refuse to let the user's code read an exception that is not Python's own."""
    recording = active_recording()
    if recording is not None:
        recording.of_python(error)


def refusals() -> type[BaseException]:
    """What handlers in converted code let pass; asked for an exception before they are.

    Raises:
        Refusal: the exception is none of the program's, as one that is raised by mistake.
    """
    recording = active_recording()
    error = sys.exc_info()[1]
    if recording is not None and error is not None:
        recording.let_pass(error)
    return Refusal


def reraised(sites: Sites, error: Any) -> Any:
    """The exception, which is raised again now."""
    recording = active_recording()
    return sites.exceptions[error - 1] if recording is None else recording.reraised(sites, error)


def passed(outer: Sites, sites: Sites, error: Any) -> Any:
    """The number that an exception has among others."""
    recording = active_recording()
    if recording is not None:
        return recording.passed(outer, sites, error)
    return outer.code(sites.exceptions[error - 1])


def stored(owner: Any, place: Any, value: Any) -> None:
    """``owner[place] = value``"""
    recording = active_recording()
    if recording is None:
        owner[place] = value
    else:
        recording.stored(owner, place, value)


def gone_through(kinds: Any, iterable: Any, puts_off: bool) -> Any:
    """What a loop goes through in which exceptions of some classes are handled.

    Args:
        kinds: gives the classes.
        puts_off: whether the loop takes what `item` gives for its items.
    """
    recording = active_recording()
    return iterable if recording is None else recording.gone_through(kinds, iterable, puts_off)


def item(given: Any) -> Any:
    """The item for which a loop gives ``given`` that goes through what `gone_through` gives."""
    recording = active_recording()
    return given if recording is None else recording.item(given)


def stored_attribute(owner: Any, name: str, value: Any) -> None:
    """``owner.name = value``"""
    recording = active_recording()
    if recording is None:
        setattr(owner, name, value)
    else:
        recording.stored_attribute(owner, name, value)


def entered(manager: Any) -> Any:
    """What a context manager gives to the block of a ``with`` statement."""
    recording = active_recording()
    return type(manager).__enter__(manager) if recording is None else recording.entered(manager)


def left(manager: Any) -> None:
    """Let a context manager do what it does after a block that raised nothing."""
    recording = active_recording()
    if recording is None:
        type(manager).__exit__(manager, None, None, None)
    else:
        recording.left(manager)


def swallows(sites: Sites, error: Any, manager: Any) -> Any:
    """Let a context manager do what it does about an exception; whether that ends there."""
    recording = active_recording()
    if recording is not None:
        return recording.swallows(sites, error, manager)
    raised = sites.exceptions[error - 1]
    return type(manager).__exit__(manager, type(raised), raised, raised.__traceback__)


def unpacked(count: int, value: Any) -> tuple:
    """``value`` as a tuple of so many items.

    Raises:
        ValueError: it has more or less.
    """
    recording = active_recording()
    items = tuple(value if recording is None else recording.unpacked(count, value))
    if len(items) < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {len(items)})")
    if len(items) > count:
        raise ValueError(f"too many values to unpack (expected {count})")
    return items
