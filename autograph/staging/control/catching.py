"""Exceptions that the program has to handle, while it is recorded; see
`autograph.source.desugar.handlers`.

While an expression is attempted, operators that may raise what is handled do not raise it: they set
a number, the *error*, and give anything for a result. What follows in the expression is computed
with that, in vain but for nobody to see: operators that may raise, or do something besides
computing, run only as long as the error is 0, and functions whose changes would last are refused.
The error is an array of no axes that is written in place, so that branches and loops of functions
that are called carry it as they do the user's arrays.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from copy import copy
from typing import Any, NoReturn

import ops
from autograph.errors import AutographError, UnsupportedConstructError
from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Constant, Value
from autograph.source.tree.options import Handling
from autograph.staging.arrays.array import GraphArray
from autograph.staging.border.endings import is_of_program, raised_by_user
from autograph.staging.border.failures import holds_symbolic
from autograph.staging.control.half_done import HalfDone
from autograph.staging.control.region import record_failure
from autograph.staging.control.sites import BroughtOut, RecordedSites
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.handling import attempting, catches, may_handle
from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.restarts import NeedsHandlers
from autograph.staging.lists.lists import TrackedList
from autograph.staging.values.choice import Choice, looked_up
from autograph.staging.values.text import GraphText
from ops.control import effects
from ops.control.exceptions import exception_of
from ops.core.conditions import Message
from ops.core.op import Errors
from ops.core.registry import Op
from ops.core.types import ArrayType


class Catching:
    """An expression that is attempted.

    Args:
        sites: what it may raise is added there.
        kinds: the classes of exceptions that are handled.
        function: computes it.

    Attributes:
        error: the number of the exception that was raised, 0 if there was none.
        changes: what it has changed by now.
        sure: what was noted already where it was raised, in one of two branches that both raise.
        is_barred: whether what would be handled is refused, as in `Barred`.
        unwinds: whether the function that is called now leaves undone what follows an exception.
    """

    is_barred = False

    def __init__(self, sites: RecordedSites, kinds: tuple, function: Callable):
        self.sites, self.around = sites, recorder().attempt
        self.kinds = (*kinds, *self.around.kinds) if self.around is not None else kinds
        self.error = GraphArray(Constant(0))
        self._frame = sys._getframe(1)
        self._managers = len(recorder().managers)
        self.unwinds = False
        self.sure: BaseException | None = None
        self._kept: list[Value] = []
        self.changes = HalfDone(function)

    @property
    def has_raised(self) -> bool:
        """Whether something may have been raised by now, in the expression itself."""
        value = self.error.value
        return not (isinstance(value, Constant) and value.data == 0)

    @property
    def is_possible(self) -> bool:
        """Whether something may have been raised by now."""
        return self.has_raised or (self.around is not None and self.around.is_possible)

    def clear(self) -> Any:
        """Whether nothing was raised."""
        before = True if self.around is None else self.around.clear()
        if not self.has_raised:
            return before
        with self.aside():
            now = ops.equal(self.error, 0)
            return now if before is True else ops.logical_and(before, now)

    def aside(self) -> AbstractContextManager[None]:
        """What is recorded inside is no part of the expression."""
        return attempting(None)

    def handles(self, errors: Errors) -> bool:
        return catches(self.kinds, errors)

    def catches(self, error: BaseException) -> bool:
        """Whether an exception is one that is handled."""
        return isinstance(error, self.kinds)

    def refuse(self, what: str) -> NoReturn:
        recorder().refuse(what)

    def refuse_changes(self) -> NoReturn:
        """Refuse changes in an expression that may be left half way.

        Raises:
            NeedsHandlers, UnsupportedConstructError: always.
        """
        refusal = UnsupportedConstructError(
            "a function that is called here may raise an exception that is handled, and changes a "
            "list, an object or an array: how far it comes is known only at run time",
            recorder().location(),
            id="AG0363",
            fix="call it in a statement of its own, not in a comprehension, or let it return the "
            "new values",
        )
        if recorder().handling < Handling.CALLEES:
            raise NeedsHandlers(refusal, Handling.CALLEES)
        raise refusal

    @contextmanager
    def calling(self) -> Iterator[None]:
        """Around a call of a function. What it changes by statements that are not done after an
        exception stays changed."""
        before, self.unwinds = self.unwinds, False
        has_raised = self.is_possible
        try:
            yield
        finally:
            if self.unwinds and not has_raised:
                self.changes.keep()
            self.unwinds = before

    def changing(self, change: Callable, otherwise: Callable) -> Any:
        """See `autograph.staging.ground.handling.changing`."""
        is_half, clear = self.changes.may_be_half, self.clear()
        with self.aside():
            value = change() if clear is True else ops.cond(clear, change, otherwise)
        if clear is not True and not is_half:
            self.changes.keep(has_changed=True)
        return value

    def result(self, op: Op, values: Sequence[Value], attrs: dict[str, Any]) -> Any:
        """What stands for the result of an operator that may raise, or has an effect. None if it
        may be applied as it is."""
        with self.aside():
            return self._result(op, values, attrs)

    def _result(self, op: Op, values: Sequence[Value], attrs: dict[str, Any]) -> Any:
        types = [value.type for value in values]
        if not (op.may_raise(types, attrs) and self.handles(op.errors_of(types, attrs))):
            return self._guarded(op, values, attrs) if self.is_possible else None
        self._check_around(op.errors_of(types, attrs), "this operation fails")
        found = op.conditions and op.conditions(*map(GraphArray, values), **attrs)
        if found is None:
            self.refuse("this operation fails")
        place = current_builder().location
        if place is not None and place.outside is not None:
            found = [(IndexError(place.outside), flag) for _, flag in found]
        before = [error for error, _ in found if not isinstance(error, self.kinds)]
        for error, flag in found:
            if isinstance(error, self.kinds):
                self.note(_with_text(error), flag)
        if op is effects.check and not before:
            return ()
        return self._guarded(op, values, attrs)

    def note(self, error: BaseException, flag: Any = True) -> None:
        """An exception is raised if ``flag``, and if there was none before."""
        if error is self.sure:
            return
        with self.aside():
            if self.is_possible:
                clear = self.clear()
                flag = clear if flag is True else ops.logical_and(flag, clear)
            self._set(self.sites.code(error, flag), flag)

    def _set(self, code: Any, flag: Any) -> None:
        if flag is True:
            self.error.write(Constant(code))
            return
        new = ops.where(flag, code, GraphArray(self.error.value))
        self.error.write(ops.cast(new, dtype="int64", weak=True).value)

    def raised(self, error: Exception) -> bool:
        """The user's code raises an exception; whether that is handled, or another one was raised
        before it that is."""
        if error is self.sure:
            return True
        self._check_around((type(error),), "this exception is raised")
        if self.catches(error):
            self.note(error)
            return True
        if not self.is_possible:
            return False
        clear = self.clear()
        with self.aside():
            ops.cond(clear, lambda: record_failure(error), lambda: None)
        return True

    def _check_around(self, errors: Errors, what: str) -> None:
        """Refuse what is raised, within the expression, in a ``try`` or ``with`` that stays as it
        is and does something about it."""
        entered = len(recorder().managers) > self._managers
        if entered or may_handle(sys._getframe(2), errors, self._frame):
            self.refuse(what)

    def going_on(self, sites: RecordedSites, call: Callable, otherwise: Callable | None) -> Any:
        """What a function gives that gives the number of an exception as well, which is raised.

        Args:
            sites: the exceptions that it may raise.
            call: calls it.
            otherwise: gives what stands for that if something was raised before.
        """
        is_half, clear = self.changes.may_be_half, self.clear()
        with self.aside():
            if otherwise is None:
                error, value = call()
            else:
                error, value = ops.cond(clear, call, otherwise, ("error", "result"))
        if not is_half:  # what it has changed is so whatever it raises
            self.changes.keep()
        with self.aside():
            found: Any = 0
            for number in range(1, len(sites.exceptions) + 1):
                code = self.sites.passed(sites, number)
                found = ops.where(ops.equal(error, number), code, found)
            if sites.exceptions:
                self._set(found, ops.not_equal(error, 0))
        return value

    def calls(self) -> None:
        """A function is called by name."""
        if self.is_possible:
            recorder().refuse("this exception is raised")

    def wrote(self, array: GraphArray, value: Value) -> None:
        """An array is changed."""
        is_slot = array in recorder().state(BroughtOut).arrays
        if is_slot or array is self.error or any(value is kept for kept in self._kept):
            return
        if self.is_possible:
            self.changes.spoil()
        if self.around is not None:
            self.around.wrote(array, value)

    def _guarded(self, op: Op, values: Sequence[Value], attrs: dict[str, Any]) -> Any:
        """The results of an operator that is applied if nothing was raised."""
        shown = op.infer(*(value.type for value in values), **attrs)

        def applied() -> Any:
            found = current_builder().apply(op, list(values), attrs, required=True)
            return _results(found) if shown else None

        def skipped() -> Any:
            if op.updates:
                return (GraphArray(values[0]),)
            return tuple(map(self.anything, shown)) if shown else None

        names = tuple("result" for _ in shown)
        result = ops.cond(self.clear(), applied, skipped, names)
        if not shown:
            return ()
        parts = tuple(part.value for part in result)
        if op.updates:
            self._kept += parts
        return parts if len(parts) != 1 else parts[0]

    def anything(self, type: Any) -> Any:
        """A number or array of a type."""
        if not isinstance(type, ArrayType) or not type.is_static:
            self.refuse("this operation fails")
        return type.scalar(0) if type.weak else GraphArray(ops.zeros(type.shape, type.dtype).value)


class Barred:
    """In the graph of a function that is called by name, or transformed, which cannot tell those
    around it that something was raised.

    Args:
        kinds: the classes of exceptions that are handled around it.
    """

    is_possible = False
    is_barred = True
    sure: BaseException | None = None

    def __init__(self, kinds: tuple):
        self.kinds = kinds

    def clear(self) -> bool:
        return True

    def catches(self, error: BaseException) -> bool:
        return False

    def handles(self, errors: Errors) -> bool:
        return catches(self.kinds, errors)

    def result(self, op: Op, values: Sequence[Value], attrs: dict[str, Any]) -> None:
        types = [value.type for value in values]
        if op.may_raise(types, attrs) and self.handles(op.errors_of(types, attrs)):
            recorder().refuse("this operation fails")

    def raised(self, error: Exception) -> bool:
        if isinstance(error, self.kinds):
            recorder().refuse("this exception is raised")
        return False

    def calls(self) -> None:
        pass

    def changing(self, change: Callable, otherwise: Callable) -> Any:
        return change()

    def calling(self) -> AbstractContextManager[None]:
        return nullcontext()

    def wrote(self, array: GraphArray, value: Value) -> None:
        pass


@contextmanager
def barred() -> Iterator[None]:
    """Around the recording of a graph of its own."""
    before = recorder().attempt
    if before is not None:
        if before.is_possible:
            recorder().refuse("this exception is raised")
        recorder().attempt = Barred(before.kinds)
    try:
        yield
    finally:
        recorder().attempt = before


def unwinding() -> RecordedSites:
    """See `ops.unwinding`."""
    attempt = recorder().attempt
    if isinstance(attempt, Catching):
        attempt.unwinds = True
    return RecordedSites()


def attempted(sites: RecordedSites, kinds: Callable, function: Callable) -> tuple:
    """See `ops.attempted`."""
    attempt = Catching(sites, classes_of(kinds()), function)
    before, recorder().attempt = recorder().attempt, attempt
    value, certain = None, False
    try:
        value = function()
    except Exception as error:
        if error is attempt.sure:
            pass
        elif not is_of_program(error):
            raise
        elif not attempt.catches(error):
            if attempt.is_possible:
                attempt.refuse("this exception is raised")
            raise
        elif not (isinstance(error, AutographError) or raised_by_user(error)):
            raise
        if isinstance(error, AttributeError) and error.obj is not None:
            recorder().outside.looked_for(error.obj, error.name)
        attempt.note(error)
        certain = True
    finally:
        recorder().attempt = before
    is_possible = attempt.has_raised
    sure = certain and isinstance(attempt.error.value, Constant)
    if not attempt.changes.allow(is_possible, sure):
        attempt.refuse_changes()
    if before is not None and before.is_possible and attempt.changes.are_any:
        before.changes.spoil()
    if not is_possible:
        return True, 0, value
    found = attempt.error.value
    if isinstance(found, Constant):
        return False, int(found.data), None
    error = GraphArray(found)
    if certain:
        return False, error, None
    ok = ops.equal(error, 0)
    return ok, error, _masked(ok, value)


def _masked(ok: Any, value: Any) -> Any:
    """A number that is computed in vain if it fails: its derivative is zero then, not NaN."""
    if type(value) is tuple:
        return tuple(_masked(ok, part) for part in value)
    if type(value) is not GraphArray or value.is_array or not value.type.weak:
        return value
    if not value.type.inexact:
        return value
    return ops.cast(ops.where(ok, value, 0.0), dtype=value.type.dtype.name, weak=True)


def stored(owner: Any, place: Any, value: Any) -> None:
    """See `ops.stored`: all there is in what is attempted."""
    attempt = recorder().attempt
    error = IndexError("list assignment index out of range")
    known = not (isinstance(owner, TrackedList) and isinstance(place, GraphArray))
    if known or not attempt.catches(error) or place.type.shape:
        owner[place] = value
        return
    with attempt.aside():
        outside = ops.logical_or(place < -owner.length, place >= owner.length)
    attempt.note(error, outside)
    clear = attempt.clear()
    with attempt.aside():
        ops.cond(clear, lambda: owner.__setitem__(place, value), lambda: None)
    attempt.changes.is_store = True


def classes_of(kinds: Any) -> tuple:
    """The classes in what stands behind ``except``.

    Raises:
        TypeError: it is something else.
    """
    if isinstance(kinds, tuple):
        return tuple(kind for part in kinds for kind in classes_of(part))
    if not (isinstance(kinds, type) and issubclass(kinds, BaseException)):
        raise TypeError("catching classes that do not inherit from BaseException is not allowed")
    return (kinds,)


def raising(sites: RecordedSites, error: Any, *cause: Any) -> Any:
    """See `ops.raising`."""
    if cause and isinstance(cause[0], Choice):  # a handler may read it
        raise undecided([one for one in cause[0].objects if isinstance(one, BaseException)])
    position, found = _one_of(error, *cause)
    codes = [sites.code(one) for one in found]
    return codes[0] if position is None else looked_up(position, codes)


def to_raise(error: Any, *cause: Any) -> BaseException:
    """See `ops.to_raise`: of several, all but the last fail here, where they are the one."""
    position, (*others, last) = _one_of(error, *cause)
    for place, one in enumerate(others):
        is_it = ops.equal(position, place)
        ops.cond(is_it, lambda one=one: record_failure(one, user_location()), lambda: None)
    return last


def _one_of(error: Any, *cause: Any) -> tuple[Any, list[Any]]:
    """What a ``raise`` statement raises: of several exceptions, which it is; None of one."""
    if isinstance(error, Choice):
        if cause and isinstance(cause[0], Choice):
            raise undecided([one for one in cause[0].objects if isinstance(one, BaseException)])
        return error.position, [exception_of(_again(one), *cause) for one in error.objects]
    if cause and isinstance(cause[0], Choice):
        (chosen,) = cause
        kept = [error if i == 0 else _again(error) for i in range(len(chosen.objects))]
        return chosen.position, [exception_of(e, c) for e, c in zip(kept, chosen.objects)]
    return None, [exception_of(error, *cause)]


def _again(error: Any) -> Any:
    """Another exception that is the same: it gets a cause, or a traceback, of its own."""
    return copy(error) if isinstance(error, BaseException) else error


def handles(sites: RecordedSites, error: Any, kinds: Callable) -> Any:
    """See `ops.handles`."""
    classes = classes_of(kinds())
    numbers = [error] if isinstance(error, int) else range(1, len(sites.exceptions) + 1)
    left = [number for number in numbers if number not in sites.handled]
    fitting = [number for number in left if isinstance(sites.exceptions[number - 1], classes)]
    sites.handled.update(fitting)
    sites.present = fitting
    if fitting == left:
        return True
    test: Any = False
    for number in fitting:
        is_it = ops.equal(error, number)
        test = is_it if test is False else ops.logical_or(test, is_it)
    return test


def passed(outer: RecordedSites, sites: RecordedSites, error: Any) -> Any:
    """See `ops.passed`."""
    codes = {}
    for number in sites.present:
        codes[number] = outer.passed(sites, number)
    if len(codes) == 1:
        return next(iter(codes.values()))
    found: Any = 0
    for number, code in codes.items():
        found = ops.where(ops.equal(error, number), code, found)
    return ops.cast(found, dtype="int64", weak=True)


def reraised(sites: RecordedSites, error: Any) -> BaseException:
    """See `ops.reraised`: what is raised is one of those that are left."""
    attempt, numbers = recorder().attempt, sites.present
    if not numbers:  # the number was carried by a loop, which nobody has set
        return AssertionError("nothing was raised")
    if attempt is not None:  # what ends like one that is handled goes on after it
        numbers = sorted(numbers, key=lambda n: attempt.catches(sites.exceptions[n - 1]))
    *others, last = numbers
    for number in others:
        one, place = usable(sites, number, True), sites.places[number - 1]
        ops.cond(
            ops.equal(error, number),
            lambda one=one, place=place: record_failure(one, place),
            lambda: None,
        )
    return usable(sites, last, True)


def undecided(found: Sequence[BaseException]) -> UnsupportedConstructError:
    """What says that nobody knows which exception it is."""
    return UnsupportedConstructError(
        "which exception is handled here is known only at run time: "
        + ", ".join(dict.fromkeys(_shown(one) for one in found)),
        user_location(),
        id="AG0357",
        fix="handle each class of exceptions by an 'except' of its own, or do without what "
        "the exception holds",
    )


def usable(sites: RecordedSites, number: int, is_raised: bool = False) -> Any:
    """An exception, whose values are known here; ``is_raised``: it is only raised again."""
    error = sites.exceptions[number - 1]
    made = sites.builders[number - 1]
    if not is_raised:
        of_python(error)
    if made is not None and not _is_around(made):
        raise _unknown(
            "it holds values that are only known in the branch or loop that raises it", error
        )
    return error


def of_python(error: BaseException) -> None:
    """Refuse an exception of ours that takes the place of one of Python's or NumPy's.

    Raises:
        UnsupportedConstructError: it is one.
    """
    if isinstance(error, AutographError):
        raise _unknown("what Python or NumPy would say in it is not known", error)


def _unknown(why: str, error: BaseException) -> UnsupportedConstructError:
    return UnsupportedConstructError(
        f"the exception that is handled here cannot be read: {why} ({_shown(error)})",
        user_location(),
        id="AG0357",
        fix="do without what the exception holds, or keep it in variables before it is raised",
    )


def _shown(error: BaseException) -> str:
    if isinstance(error, AutographError) or holds_symbolic(error):
        return type(error).__name__
    return repr(error)


def _is_around(made: Builder) -> bool:
    """Whether what is recorded now can read what is recorded there."""
    builder: Builder | None = current_builder()
    while builder is not None:
        if builder is made:
            return True
        builder = builder.parent
    return False


def _with_text(error: Exception) -> Exception:
    """An exception of an operator, with its message as a text."""
    if not any(isinstance(arg, Message) for arg in error.args):
        return error
    return type(error)(*(GraphText(arg.template, arg.operands) for arg in error.args))


def _results(found: Any) -> tuple[GraphArray, ...]:
    parts = found if isinstance(found, tuple) else (found,)
    return tuple(GraphArray(part) for part in parts)
