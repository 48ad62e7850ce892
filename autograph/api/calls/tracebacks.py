"""Tracebacks show the frames of the user's code, without those of the compiler.

Between the line that calls a compiled function and the line in it that fails there are 20 to 40
frames of the compiler. They are taken out of the exception's ``__traceback__`` where it leaves the
compiler, and out of those of the exceptions that it was raised from, so that whatever shows it (the
interpreter, a notebook, a debugger) shows the user's. ``AUTOGRAPH_TRACEBACK=full`` leaves all of
them.

A branch or the body of a loop is a function of the converted source, which is called amid frames of
the compiler. Its frame and that of the function around it become one, as they are in Python.
"""

from __future__ import annotations

import functools
import os
import re
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FrameType, TracebackType

from autograph.api.type_parameters import P, R
from autograph.errors import AutographError
from autograph.source.load import is_converted
from autograph.source.tree.libraries import OWN_PACKAGES, is_library_file
from ops.core.recording import active_recording
from ops.core.records import NamedTuple

_CALLS = "autograph.staging.calls.calls"  # which calls functions of libraries for the user
_PART = re.compile(r"(.*_\d+|<lambda>|<listcomp>|<genexpr>)$")  # of a function, when converted


def leaves_compiler(function: Callable[P, R]) -> Callable[P, R]:
    """The function, which users call, with tracebacks that show their frames."""

    @functools.wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except BaseException as error:
            shorten(error)
            raise  # as it is, which adds no frame

    return called


def shorten(error: BaseException) -> None:
    """Take the frames of the compiler out of the traceback of an exception that leaves it.

    While a function is recorded nothing leaves the compiler, and it needs the frames itself.
    """
    if active_recording() is not None or os.environ.get("AUTOGRAPH_TRACEBACK") == "full":
        return
    seen: set[int] = set()
    pending: list[BaseException | None] = [error]
    while pending:
        one = pending.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        trace, one.__traceback__ = one.__traceback__, _linked(_shown(one.__traceback__))
        if one is error and trace is not None and sys.version_info < (3, 11):
            trace.tb_next = one.__traceback__  # a bare raise brings back what there was
        if isinstance(one, AutographError) and (
            _says_the_same(one, one.__cause__) or _came_twice(one, one.__context__)
        ):
            one.__cause__, one.__suppress_context__ = None, True
        pending += [one.__cause__, one.__context__]


def _says_the_same(error: AutographError, cause: BaseException | None) -> bool:
    """Whether an error of ours only gave a place to what an operator raised, or to what has no
    text, since there are values in it known only at run time."""
    try:
        return cause is not None and str(cause).startswith(error.message)
    except AutographError:
        return True


def _came_twice(error: AutographError, before: BaseException | None) -> bool:
    """Whether an error of ours came once more when a call was recorded in another way."""
    return type(before) is type(error) and str(before) == str(error)


class _Entry(NamedTuple):
    """What a traceback shows of one frame."""

    frame: FrameType
    instruction: int
    line: int


def _shown(trace: TracebackType | None) -> list[_Entry]:
    """The entries that the user is to see, outermost first."""
    shown: list[_Entry] = []
    before = True  # whether the frame before is to be seen, or calls functions for the user
    for entry in _entries(trace):
        is_seen = _is_users(entry.frame) or (before and not _is_compilers(entry.frame))
        before = is_seen or entry.frame.f_globals.get("__name__") == _CALLS
        if not is_seen:
            continue
        if shown and _is_part_of(entry.frame.f_code, shown[-1].frame.f_code):
            # Without an instruction, which would have to be one of the function's own code.
            shown[-1] = _Entry(shown[-1].frame, -1, entry.line)
        else:
            shown.append(entry)
    return shown


def _entries(trace: TracebackType | None) -> Iterator[_Entry]:
    while trace is not None:
        yield _Entry(trace.tb_frame, trace.tb_lasti, trace.tb_lineno)
        trace = trace.tb_next


def _linked(entries: list[_Entry]) -> TracebackType | None:
    """A traceback of entries."""
    trace = None
    for entry in reversed(entries):
        trace = TracebackType(trace, *entry)
    return trace


def _is_users(frame: FrameType) -> bool:
    """Whether a frame runs code of the user's, converted or not."""
    if is_converted(frame.f_code):
        return True
    file = frame.f_code.co_filename
    return not (_is_compilers(frame) or is_library_file(file) or file.startswith("<frozen "))


def _is_compilers(frame: FrameType) -> bool:
    """Whether a frame runs code of this package, or a program that it has generated."""
    name = str(frame.f_globals.get("__name__"))
    own = name.partition(".")[0] in OWN_PACKAGES or name.startswith("<autograph ")
    return own and not is_converted(frame.f_code)


def _is_part_of(code: CodeType, function: CodeType) -> bool:
    """Whether the code of a branch, a loop's body or the like is inside that of a function."""
    if not (is_converted(code) and is_converted(function) and _PART.match(code.co_name)):
        return False
    pending = [function]
    while pending:
        inner = [c for c in pending.pop().co_consts if isinstance(c, CodeType)]
        if any(c is code for c in inner):
            return True
        pending += inner
    return False
