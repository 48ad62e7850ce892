"""Filters of warnings, which are set when the code is recorded, not when the program warns.

``with warnings.catch_warnings(): warnings.simplefilter("ignore")`` is heard: what `warnings.warn`
says there is left out of the program. All else is refused.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from autograph.source.load import in_generators, is_converted
from autograph.source.tree.libraries import is_plain_of_ours
from autograph.staging.ground.naming import function_at, location_of
from autograph.staging.ground.recorder import Changes, recorder
from autograph.staging.python.settings import refuse_setting


class _Ignored(list[tuple[Changes, list[type[Warning]]]]):
    """The classes of warnings that each ``warnings.catch_warnings()`` which is entered ignores,
    with what tells the region it is in."""


class _Catching:
    """``warnings.catch_warnings()``."""

    def __init__(self, ignored: tuple[type[Warning], ...]):
        self._ignored = ignored

    def __enter__(self) -> None:
        recorder().state(_Ignored).append((recorder().frame, list(self._ignored)))

    def __exit__(self, *error: Any) -> None:
        recorder().state(_Ignored).pop()


def is_ignored(category: type[Warning]) -> bool:
    """Whether warnings of a class are not given here."""
    return any(issubclass(category, tuple(kinds)) for _, kinds in recorder().state(_Ignored))


def place_of_warning(level: int) -> tuple[tuple[str, int, str], int]:
    """Where a warning is said to come from: file, line and module, and how many functions further
    out, which only the run knows.

    Args:
        level: ``stacklevel`` of `warnings.warn`.
    """
    place, function, is_left = ("", 0, ""), None, True
    for frame in _users_frames(sys._getframe(1)):
        location = location_of(frame)
        name, first = function_at(location)
        entered = (location.file, name, first)
        if is_left or entered != function:
            function, level = entered, level - 1
            place = location.file, location.line, frame.f_globals.get("__name__", "")
            if level < 1:
                return place, 0
        is_left = location.function == name  # no branch or loop in it
    return place, level


def _users_frames(frame: FrameType | None) -> Iterator[FrameType]:
    """Those that run code of the user's, and of context managers that are generators, in which
    Python runs them, too; several where branches and loops have functions of their own."""
    while frame is not None:
        code, module = frame.f_code, frame.f_globals.get("__name__", "")
        is_manager = module == "contextlib" and code.co_name in ("__enter__", "__exit__")
        is_users = is_converted(code) or id(code) in in_generators
        if is_manager or (is_users and not is_plain_of_ours(module)):
            yield frame
        frame = frame.f_back


def _catch_warnings(
    *, record: bool = False, module: Any = None, action: Any = None, category: Any = Warning, **more
) -> _Catching:
    if record or module is not None or action not in (None, "ignore") or more:
        refuse_setting("warnings.catch_warnings with options other than the action 'ignore'")
    return _Catching(() if action is None else (category,))


def _simplefilter(action: Any, category: Any = Warning, *more: Any, **options: Any) -> None:
    _ignore("simplefilter", action, category, more or options)


def _filterwarnings(
    action: Any, message: Any = "", category: Any = Warning, *more: Any, **options: Any
) -> None:
    _ignore("filterwarnings", action, category, message or more or options)


def _resetwarnings() -> None:
    refuse_setting("warnings.resetwarnings")


def _ignore(name: str, action: Any, category: Any, options: Any) -> None:
    """Leave out warnings of a class from here to the end of the ``with`` statement."""
    entered = recorder().state(_Ignored)
    if not entered:
        refuse_setting(f"warnings.{name} outside of 'with warnings.catch_warnings()'")
    frame, ignored = entered[-1]
    if action != "ignore" or options:
        refuse_setting(f"warnings.{name} with other options than the action 'ignore' and a class")
    if frame is not recorder().frame:
        refuse_setting(
            f"warnings.{name} in a branch or loop inside of 'with warnings.catch_warnings()'"
        )
    ignored.append(category)


FUNCTIONS: dict[Callable, Callable] = {
    warnings.catch_warnings: _catch_warnings,
    warnings.simplefilter: _simplefilter,
    warnings.filterwarnings: _filterwarnings,
    warnings.resetwarnings: _resetwarnings,
}
