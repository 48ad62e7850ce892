"""Control flow as functions: what the converted source calls.

Each function does plain Python control flow when the value it depends on is an ordinary one. When
that value is symbolic, the active recording records a graph region instead. This module is the only
place at which the two meet.
"""

from __future__ import annotations

import functools
import importlib.util
import operator
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ops.core.operands import Symbolic
from ops.core.recording import active_recording, raises_as_python

__all__ = [
    "BREAK",
    "CONTINUE",
    "FALL",
    "RETURN",
    "Refusal",
    "and_",
    "arguments",
    "call",
    "collect",
    "cond",
    "decorator",
    "defined",
    "dict_of",
    "entries",
    "eq_",
    "for_loop",
    "ge_",
    "generate",
    "gt_",
    "imported",
    "in_",
    "is_",
    "item_of",
    "le_",
    "lt_",
    "ne_",
    "not_",
    "or_",
    "own_class",
    "parted",
    "percent",
    "returned",
    "set_of",
    "spliced",
    "spread",
    "text",
    "tracked",
    "undefined",
    "unread",
    "walk",
    "walked",
    "while_loop",
]

# How a region was left. A loop or function body that may leave early carries one of these.
FALL, BREAK, CONTINUE, RETURN = range(4)


class Refusal(BaseException):
    """What converted code cannot do while it is recorded. No exception that the user's program
    raises in Python: handlers in converted code let it pass."""


class Undefined:
    """The value of a variable on a path that does not assign it; reading it is the error, not
    having it."""

    __slots__ = ("name",)

    def __init__(self, name: str):
        self.name = name

    def __repr__(self) -> str:
        return f"<undefined {self.name}>"


class NeverRead(Undefined):
    """The same before a loop no trip of which reads the variable."""

    __slots__ = ()


def undefined(name: str) -> Undefined:
    """A variable that has no value yet."""
    return Undefined(name)


def unread(name: str) -> NeverRead:
    """A variable that has no value yet, before a loop no trip of which reads it: what the function
    returns amid the loop."""
    return NeverRead(name)


def defined(value: Any) -> Any:
    """Read a variable that some path leaves undefined.

    Raises:
        UnboundLocalError: the path taken did not assign it.
    """
    recording = active_recording()
    if recording is not None:
        return recording.defined(value)
    if isinstance(value, Undefined):
        raise UnboundLocalError(
            f"cannot access local variable '{value.name}' where it is not associated with a value"
        )
    return value


def returned(value: Any) -> Any:
    """What a function returns that is left from inside a loop or another block: a variable that
    every path to the place of this call has assigned, so that nothing is left to check."""
    recording = active_recording()
    return value if recording is None else recording.returned(value)


def imported(value: Any, module: str, name: str | None = None) -> Any:
    """What an ``import`` in a function binds.

    Args:
        value: what it has bound.
        module: the module that it names; with dots before it, as in the source.
        name: what it takes of that module, if it does.
    """
    recording = active_recording()
    if recording is None:
        return value
    return recording.imported(value, _full_name(module, sys._getframe(1).f_globals), name)


def _full_name(module: str, names: dict[str, Any]) -> str:
    """The name of a module that code with these globals imports."""
    if not module.startswith("."):
        return module
    package = names.get("__package__") or names["__name__"].rpartition(".")[0]
    return importlib.util.resolve_name(module, package)


def cond(
    predicate: Any,
    then: Callable[[], Any],
    orelse: Callable[[], Any],
    names: tuple[str, ...] = (),
) -> Any:
    """``then()`` if ``predicate`` is true, otherwise ``orelse()``.

    Args:
        predicate: a scalar of any dtype, or anything Python can take the truth of.
        then, orelse: functions without arguments; both return the same structure, with the same
            shapes. Differing dtypes are promoted as NumPy would.
        names: the variables that the results are bound to, for messages and printing. If given, the
            functions return tuples with an item for each.

    Raises:
        TypeError: ``names`` is no tuple: operands are not passed on, unlike in JAX.
    """
    if not isinstance(names, tuple):
        message = "cond: the fourth argument is no operand, but names; use lambda: f(x) for then"
        raise error_of(TypeError(message))
    recording = active_recording()
    if recording is not None:
        return recording.cond(predicate, then, orelse, names)
    return then() if predicate else orelse()


def while_loop(
    test: Callable[..., Any],
    body: Callable[..., tuple],
    init: tuple,
    names: tuple[str, ...] = (),
) -> tuple:
    """Run ``state = body(*state)`` as long as ``test(*state)`` is true and return the last state.

    Args:
        test: takes the state, returns a scalar.
        body: takes the state, returns the next state, a tuple of the same length.
        init: the first state. Shapes and structures stay as they are from trip to trip; dtypes are
            promoted to the one that holds all of them.
        names: the variables that the state consists of.

    Raises:
        TypeError: ``init`` is no tuple or list.
    """
    _require_state(init, "while_loop")
    recording = active_recording()
    if recording is not None:
        return recording.while_loop(test, body, init, names)
    state = tuple(init)
    while test(*state):
        state = body(*state)
    return state


def for_loop(
    iterable: Iterable,
    body: Callable[..., tuple],
    init: tuple,
    names: tuple[str, ...] = (),
    test: Callable[..., Any] | None = None,
) -> tuple:
    """Run ``state = body(item, *state)`` for each item of ``iterable`` and return the last state.

    Args:
        iterable: an array (its rows), a range, or any iterable.
        body: takes an item and the state, returns the next state.
        init: the first state, as in `while_loop`.
        names: the variables that the state consists of.
        test: if given, takes the state before each item is drawn; the loop ends when it is false.

    Raises:
        TypeError: ``init`` is no tuple or list.
    """
    _require_state(init, "for_loop")
    recording = active_recording()
    if recording is not None:
        return recording.for_loop(iterable, body, init, names, test)
    state = tuple(init)
    items = iter(iterable)
    while test is None or test(*state):
        try:
            item = next(items)
        except StopIteration:
            break
        state = body(item, *state)
    return state


def _require_state(init: Any, name: str) -> None:
    if not isinstance(init, (tuple, list)):
        message = f"{name}: the state is a tuple, of which test and body take the items; use (x,)"
        raise error_of(TypeError(message))


def error_of(error: Exception) -> Exception:
    """An error of a function like these: in a recorded function, one with the user's line."""
    recording = active_recording()
    return error if recording is None else recording.located(error)


def and_(left: Any, right: Callable[[], Any]) -> Any:
    """``left and right()``: the right side is evaluated only when the left one is true."""
    recording = active_recording()
    if recording is not None:
        return recording.and_(left, right)
    return left and right()


def or_(left: Any, right: Callable[[], Any]) -> Any:
    """``left or right()``: the right side is evaluated only when the left one is false."""
    recording = active_recording()
    if recording is not None:
        return recording.or_(left, right)
    return left or right()


def not_(operand: Any) -> Any:
    """``not operand``."""
    recording = active_recording()
    if recording is not None:
        return recording.not_(operand)
    return not operand


def in_(item: Any, container: Any) -> Any:
    """``item in container``."""
    recording = active_recording()
    if recording is not None:
        return recording.in_(item, container)
    return item in container


def eq_(left: Any, right: Any) -> Any:
    """``left == right``, of which one is a tuple or a list."""
    recording = active_recording()
    if recording is not None:
        return recording.eq_(left, right)
    return left == right


def ne_(left: Any, right: Any) -> Any:
    """``left != right``, of which one is a tuple or a list."""
    recording = active_recording()
    if recording is not None:
        return recording.ne_(left, right)
    return left != right


def lt_(left: Any, right: Any) -> Any:
    """``left < right``, which may be tuples or lists."""
    return _compared(operator.lt, left, right)


def le_(left: Any, right: Any) -> Any:
    """``left <= right``, which may be tuples or lists."""
    return _compared(operator.le, left, right)


def gt_(left: Any, right: Any) -> Any:
    """``left > right``, which may be tuples or lists."""
    return _compared(operator.gt, left, right)


def ge_(left: Any, right: Any) -> Any:
    """``left >= right``, which may be tuples or lists."""
    return _compared(operator.ge, left, right)


def _compared(better: Callable, left: Any, right: Any) -> Any:
    recording = active_recording()
    if recording is not None:
        return recording.compared(better, left, right)
    return better(left, right)


def is_(left: Any, right: Any) -> Any:
    """``left is right``."""
    recording = active_recording()
    if recording is not None:
        return recording.is_(left, right)
    return left is right


@raises_as_python
def item_of(container: Any, index: Any) -> Any:
    """``container[index]``."""
    if isinstance(index, Symbolic) or type(index) is tuple:
        recording = active_recording()
        if recording is not None:
            return recording.item_of(container, index)
    return container[index]


def text(template: str, *values: Any) -> str:
    """An f-string: ``template.format(*values)``."""
    recording = active_recording()
    if recording is not None:
        return recording.text(template, values)
    return template.format(*values)


def percent(template: str, values: Any) -> str:
    """``template % values``."""
    recording = active_recording()
    if recording is not None:
        return recording.percent(template, values)
    return template % values


def tracked(value: list) -> list:
    """A new list that may be changed later, also in loops and branches of a graph."""
    recording = active_recording()
    if recording is not None:
        return recording.tracked(value)
    return value


def dict_of(pairs: Iterable) -> dict:
    """A dict display: of keys with what they stand for, and of `entries`."""
    recording = active_recording()
    if recording is not None:
        return recording.dict_of(pairs)
    made: dict = {}
    for pair in pairs:
        if len(pair) == 1:
            made.update(*pair)
        else:
            made[pair[0]] = pair[1]
    return made


def entries(mapping: Any) -> dict:
    """What ``**`` spreads in a dict display: the keys with what they stand for."""
    recording = active_recording()
    if recording is not None:
        return recording.entries(mapping)
    return {**mapping}


def set_of(members: Iterable) -> set:
    """A set display."""
    recording = active_recording()
    if recording is not None:
        return recording.set_of(members)
    return set(members)


def spread(iterable: Any) -> Any:
    """What ``*`` spreads in a list display.

    Raises:
        TypeError: it is nothing that can be gone through, in Python's words.
    """
    kind = type(iterable)
    if hasattr(kind, "__iter__") or hasattr(kind, "__getitem__"):
        return iterable
    raise TypeError(f"Value after * must be an iterable, not {kind.__name__}")


def arguments(iterable: Any) -> Any:
    """What ``*`` spreads in a call, and among others in a display."""
    recording = active_recording()
    return iterable if recording is None else recording.arguments(iterable)


def spliced(display: Any) -> Any:
    """A display, of which `arguments` gave some."""
    recording = active_recording()
    return display if recording is None else recording.spliced(display)


def parted(iterable: Any, before: int, after: int) -> tuple:
    """What an assignment to ``a, *b, c`` takes: the first items, a list of those between, and the
    last ones.

    Args:
        before, after: how many targets there are before and after that with a star.

    Raises:
        ValueError, TypeError: there are fewer items, or it is no iterable, in Python's words.
    """
    recording = active_recording()
    if recording is not None:
        return recording.parted(iterable, before, after)
    return parted_by_python(iterable, before, after)


def parted_by_python(iterable: Any, before: int, after: int) -> tuple:
    """`parted` as Python does it."""
    (*items,) = iterable
    if len(items) < before + after:
        raise ValueError(
            f"not enough values to unpack (expected at least {before + after}, got {len(items)})"
        )
    stop = len(items) - after
    return (*items[:before], items[before:stop], *items[stop:])


def collect(
    function: Callable[[Any], Any],
    iterable: Iterable,
    where: Callable[[Any], Any] | None = None,
    flat: bool = False,
    only_read: bool = False,
) -> list:
    """``[function(item) for item in iterable if where(item)]``.

    Args:
        function: takes an item, returns an element of the list; a list of elements if ``flat``.
        iterable: as in `for_loop`.
        where: takes an item; those for which it is false are left out.
        flat: whether the results are lists to be joined, as in a comprehension with several
            ``for``.
        only_read: whether the list is read once, as a whole, and nobody has it afterwards.
    """
    recording = active_recording()
    if recording is not None:
        return recording.collect(function, iterable, where, flat, only_read)
    return collected(function, iterable, where, flat)


def generate(
    function: Callable[[Any], Any],
    iterable: Iterable,
    where: Callable[[Any], Any] | None = None,
    flat: bool = False,
) -> Iterator:
    """``(function(item) for item in iterable if where(item))``: as `collect`, when it is asked."""
    recording = active_recording()
    if recording is not None:
        return recording.generate(function, iterable, where, flat)
    return generated(function, iter(iterable), where, flat)


def collected(function: Callable, iterable: Iterable, where: Callable | None, flat: bool) -> list:
    """`collect` as Python does it."""
    found: list = []
    for item in iterable:
        if where is None or where(item):
            if flat:
                found += function(item)
            else:
                found.append(function(item))
    return found


def generated(function: Callable, items: Iterator, where: Callable | None, flat: bool) -> Iterator:
    """`generate` as Python does it."""
    for item in items:
        if where is None or where(item):
            if flat:
                yield from function(item)
            else:
                yield function(item)


def walk(function: Callable, /, *args: Any, **kwargs: Any) -> Any:
    """An iterator over what ``function(*args, **kwargs)`` is, as a value for `walked`."""
    recording = active_recording()
    if recording is not None:
        return recording.walk(function, args, kwargs)
    return iter(function(*args, **kwargs))


def walked(iterator: Any) -> tuple:
    """Take an item of an iterator that `walk` has made.

    Returns:
        (whether there is one, the item, the iterator from there on).
    """
    recording = active_recording()
    if recording is not None:
        return recording.walked(iterator)
    for item in iterator:
        return True, item, iterator
    return False, Undefined("the next item"), iterator


def call(function: Callable, /, *args: Any, **kwargs: Any) -> Any:
    """Call a function from converted code: the callee is converted too, unless it belongs to a
    library."""
    recording = active_recording()
    if recording is not None:
        return recording.call(function, args, kwargs)
    return function(*args, **kwargs)


def own_class(made: Any) -> None:
    """What a class statement inside of converted code has made: each recording makes another."""
    recording = active_recording()
    if recording is not None:
        recording.own_class(made)


def decorator(function: Callable) -> Callable:
    """A decorator of a function inside of converted code, which calls it as all functions are."""
    if active_recording() is None:
        return function
    return functools.partial(call, function)
