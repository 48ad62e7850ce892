"""The recording of a graph that is under way in a thread, and what `ops` asks of it.

While a function is recorded, its operators add nodes to a graph in place of computing, and the
functions of `ops.control.constructs` and `ops.control.exceptions`, of which converted source is
made, become nodes with regions. Each of them asks here whether its thread records, and gives the
recording what it was called with. Without one they do what Python does.

A rule that asks NumPy for a type, or a method that stands for one of Python's, lets Python raise
what the user's program gets: `raises_as_python` says so. In all other code of ours an exception
that no ``raise`` statement raises is a mistake; see `autograph.staging.ground.errors`.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any, Protocol, TypeVar

from ops.core.locks import lock_over_forks


class Recording(Protocol):
    """What `ops` asks of the recording of a graph. A method that is named as a function of `ops`
    does what that one says."""

    def record(self, op: Any, args: Sequence[Any], attrs: dict[str, Any]) -> Any:
        """Add an application of an operator to the graph; the results are symbolic."""

    def axis(self, name: Any, meets: bool) -> Any:
        """What operators have for the axis that the user calls so, in which lanes may meet here;
        see `ops.control.meshes`."""

    def axis_size(self, name: Any) -> Any:
        """How many lanes there are in the axis of that name."""

    def located(self, error: Exception) -> Exception:
        """An error of an operator, at the user's line."""
        ...

    def refused(self, error: BaseException) -> None:
        """Called with each error that says that something cannot be recorded, when it is made."""

    def location(self) -> Any:
        """The line of the user's that is being executed, or None."""

    def tried(self, function: Callable, changes: bool = True) -> Any:
        """What a function returns, of which only the types matter: nothing of it is recorded.

        Args:
            changes: whether it may change lists and other containers; None is returned if it does,
                and may not.
        """

    # -- what is recorded in place of expressions and statements ---------------------------------

    def call(self, function: Callable, args: tuple, kwargs: dict) -> Any: ...

    def cond(self, predicate: Any, then: Callable, orelse: Callable, names: tuple) -> Any: ...

    def while_loop(self, test: Callable, body: Callable, init: tuple, names: tuple) -> tuple: ...

    def for_loop(
        self, iterable: Any, body: Callable, init: tuple, names: tuple, test: Any
    ) -> tuple: ...

    def collect(
        self, function: Callable, iterable: Any, where: Any, flat: bool, only_read: bool
    ) -> list: ...

    def generate(self, function: Callable, iterable: Any, where: Any, flat: bool) -> Any: ...

    def walk(self, function: Callable, args: tuple, kwargs: dict) -> Any: ...

    def walked(self, iterator: Any) -> tuple: ...

    def and_(self, left: Any, right: Callable) -> Any: ...

    def or_(self, left: Any, right: Callable) -> Any: ...

    def not_(self, operand: Any) -> Any: ...

    def in_(self, item: Any, container: Any) -> Any: ...

    def eq_(self, left: Any, right: Any) -> Any: ...

    def ne_(self, left: Any, right: Any) -> Any: ...

    def compared(self, better: Callable, left: Any, right: Any) -> Any: ...

    def is_(self, left: Any, right: Any) -> Any: ...

    def item_of(self, container: Any, index: Any) -> Any: ...

    def text(self, template: str, values: tuple) -> Any: ...

    def percent(self, template: str, values: Any) -> Any: ...

    def tracked(self, value: Any) -> Any: ...

    def dict_of(self, pairs: Any) -> Any: ...

    def entries(self, mapping: Any) -> Any: ...

    def set_of(self, members: Any) -> Any: ...

    def arguments(self, iterable: Any) -> Any: ...

    def spliced(self, display: Any) -> Any: ...

    def parted(self, iterable: Any, before: int, after: int) -> tuple: ...

    def defined(self, value: Any) -> Any: ...

    def returned(self, value: Any) -> Any: ...

    def imported(self, value: Any, module: str, name: str | None) -> Any: ...

    # -- what is recorded in place of ``try`` statements -----------------------------------------

    def sites(self) -> Any: ...

    def unwinding(self) -> Any: ...

    def attempted(self, sites: Any, kinds: Callable, function: Callable) -> tuple: ...

    def raising(self, sites: Any, error: Any, *cause: Any) -> Any: ...

    def handles(self, sites: Any, error: Any, kinds: Callable) -> Any: ...

    def caught(self, sites: Any, error: Any) -> Any: ...

    def of_python(self, error: BaseException) -> None: ...

    def let_pass(self, error: BaseException) -> None:
        """Called with each exception before handlers see it: raises another one, which they let
        pass, if it is none of the program's."""

    def reraised(self, sites: Any, error: Any) -> BaseException: ...

    def own_class(self, made: Any) -> None: ...

    def to_raise(self, error: Any, *cause: Any) -> BaseException: ...

    def passed(self, outer: Any, sites: Any, error: Any) -> Any: ...

    def gone_through(self, kinds: Any, iterable: Any, puts_off: bool) -> Any: ...

    def item(self, given: Any) -> Any: ...

    def stored(self, owner: Any, place: Any, value: Any) -> None: ...

    def stored_attribute(self, owner: Any, name: str, value: Any) -> None: ...

    def unpacked(self, count: int, value: Any) -> Any: ...

    def entered(self, manager: Any) -> Any: ...

    def left(self, manager: Any) -> None: ...

    def swallows(self, sites: Any, error: Any, manager: Any) -> Any: ...


_state = threading.local()
_changing = lock_over_forks()

# How many threads record, in memory that machine code looks at before it calls what was compiled.
threads_recording = ctypes.c_int64()


def active_recording() -> Recording | None:
    """What records the calls of this thread, or None when code runs eagerly."""
    return getattr(_state, "recording", None)


def set_recording(recording: Recording | None) -> Recording | None:
    """Make a recording (or None) the active one; returns the one it replaces."""
    previous = active_recording()
    _state.recording = recording
    with _changing:
        threads_recording.value += (recording is not None) - (previous is not None)
    return previous


def _forked() -> None:
    """In a forked process no other thread records."""
    threads_recording.value = int(active_recording() is not None)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


# -- functions whose errors are Python's -----------------------------------------------------------

F = TypeVar("F", bound=Callable)

_declared: set[CodeType] = set()


def raises_as_python(function: F) -> F:
    """Say that what Python raises in a function, not in those that it calls, is meant to be raised
    in the user's program, too."""
    _declare(function.__code__)
    return function


def _declare(code: CodeType) -> None:
    _declared.add(code)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            _declare(inner)


def is_declared(code: CodeType) -> bool:
    """Whether `raises_as_python` was said of the function that has this code."""
    return code in _declared


@raises_as_python
def of_numpy(function: Callable, *args: Any, **kwargs: Any) -> Any:
    """What a function of NumPy's or Python's returns, whose errors are the user's."""
    return function(*args, **kwargs)
