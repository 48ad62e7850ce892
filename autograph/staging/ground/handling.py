"""Which exceptions the user's code would handle, by the ``try`` statements that it is in."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from autograph.source.load import Handled, handled_at, handled_by_generators, may_handle_something
from autograph.staging.ground.recorder import recorder
from ops.core.op import Errors


def may_handle(frame: FrameType | None, errors: Errors, stop: FrameType | None = None) -> bool:
    """Whether an exception of one of some classes that is raised in a frame may be handled in it or
    in its callers.

    Args:
        stop: up to this frame, and then also if a context manager may do something.
    """
    while frame is not None and frame is not stop:
        if may_handle_something(frame.f_code):
            place = frame.f_code, frame.f_lineno
            for handled in (*handled_at(*place), *handled_by_generators(*place)):
                if handled.is_manager and stop is None:
                    continue
                if handles(handled, frame, errors):
                    return True
        frame = frame.f_back
    return False


def may_be_swallowed(frame: FrameType | None, errors: Errors) -> bool:
    """Whether an exception that is raised in a frame may be handled by a generator."""
    while frame is not None:
        if may_handle_something(frame.f_code):
            around = handled_by_generators(frame.f_code, frame.f_lineno)
            if any(handles(one, frame, errors) for one in around):
                return True
        frame = frame.f_back
    return False


def handles(handled: Handled, frame: FrameType, errors: Errors) -> bool:
    """Whether a ``try`` statement that a frame is in does something about one of the exceptions."""
    if handled.kinds is None:
        return True
    return any(catches(_value(kind, frame), errors) for kind in handled.kinds)


def catches(kinds: Any, errors: Errors) -> bool:
    """Whether a handler for ``kinds``, a class, a tuple of such or anything else, may be run."""
    if isinstance(kinds, tuple):
        return any(catches(kind, errors) for kind in kinds)
    if not isinstance(kinds, type):
        return True
    # An operator may raise a class that is derived from one of those that it declares.
    return any(issubclass(error, kinds) or issubclass(kinds, error) for error in errors)


def _value(node: Any, frame: FrameType) -> Any:
    """What an expression for classes of exceptions is; None if that is not seen without running
    code of the user's.

    Args:
        node: one of gast, which may not have been imported: then there are none.
    """
    match type(node).__name__:
        case "Name":
            for names in (frame.f_locals, frame.f_globals, vars(builtins)):
                if node.id in names:
                    return names[node.id]
        case "Attribute":
            owner = _value(node.value, frame)
            return None if owner is None else getattr(owner, node.attr, None)
        case "Tuple":
            return tuple(_value(part, frame) for part in node.elts)
    return None


def changing(change: Callable, otherwise: Callable) -> Any:
    """Change containers by something that raises nothing itself, unless something that is handled
    was raised before.

    Returns: what ``change`` gives, or ``otherwise`` then.
    """
    attempt = recorder().attempt
    return change() if attempt is None else attempt.changing(change, otherwise)


@contextmanager
def attempting(attempt: Any) -> Iterator[None]:
    """Inside, what is recorded is a part of an expression that is attempted, or of none: None."""
    before, recorder().attempt = recorder().attempt, attempt
    try:
        yield
    finally:
        recorder().attempt = before


@contextmanager
def never_failing() -> Iterator[None]:
    """Inside, what is recorded does not fail: nothing of it is for handlers."""
    attempt = recorder().attempt
    if attempt is None:
        yield
        return
    with attempt.aside():
        yield
