"""``f(*items)`` where only the run knows how many items there are.

A function of the user's takes as many arguments as it has parameters, which is checked when the
program runs; `print`, `max` and `min` take any number.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

import ops
from autograph.errors import ConcreteValueError
from autograph.staging.arrays.array import GraphArray, located_error
from autograph.staging.ground.examples import example
from autograph.staging.ground.recorder import recorder
from autograph.staging.python.spreading import is_spread, spliced
from ops.control import effects
from ops.core.conditions import raised_by


def call_spread(function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """``function(*args, **kwargs)`` with `StarredItems` among the arguments.

    Raises:
        ConcreteValueError: it may take any number of arguments, and is none of those above.
    """
    if function is print:
        return _printed(args, **kwargs)
    places = [place for place, arg in enumerate(args) if is_spread(arg)]
    if (function is max or function is min) and "default" not in kwargs:
        return _extreme(function, args, kwargs)
    parameters = None if kwargs else _parameters(function)
    if parameters is None or len(places) > 1:
        raise _refused(function)
    (place,) = places
    items, needed = args[place].items, parameters - len(args) + 1
    given: Sequence[Any] = ()
    if needed >= 0:
        _require_count(function, len(args) - 1, items, needed)
        given = [items[i] for i in range(needed)]
    return recorder().call(function, (*args[:place], *given, *args[place + 1 :]), {})


def _refused(function: Any) -> ConcreteValueError:
    of_parts = "take the parts one by one, as in [row[0] for row in rows]"
    return located_error(
        ConcreteValueError,
        "a function is called with arguments whose number is known only at run time",
        id="AG0309",
        fix=of_parts if function is zip else "give it the list itself, as in f(xs)",
    )


def _parameters(function: Any) -> int | None:
    """How many arguments a function of the user's takes; None if that may vary."""
    is_method = isinstance(function, types.MethodType)
    if not isinstance(function.__func__ if is_method else function, types.FunctionType):
        return None
    parameters = inspect.signature(function, follow_wrapped=False).parameters.values()
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    alike = all(p.kind in kinds and p.default is p.empty for p in parameters)
    return len(parameters) if alike else None


def _require_count(function: Any, others: int, items: Any, needed: int) -> None:
    """Let the program raise what Python does if there are not as many items as are needed.

    Args:
        others: how many arguments there are besides.
    """

    def error_of(count: int) -> Exception:
        return raised_by(function, *[None] * (others + count))

    for fewer in range(needed):
        _require_other(items, fewer, error_of(fewer))
    count = items.length
    shown = others + needed + isinstance(function, types.MethodType)
    start, _, end = str(error_of(needed + 1)).rpartition(f" {shown + 1} ")

    def too_many() -> NoReturn:
        raise TypeError(ops.text(start + " {} " + end, count + (shown - needed)))

    ops.cond(ops.greater(count, needed), too_many, lambda: None)


def _extreme(function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """``max(*items)`` and ``min``: of two or more arguments it is that of a list of them."""
    items: Any = spliced(list(args))
    known = [arg for arg in args if not is_spread(arg)]
    if not known:
        _require_other(items, 0, raised_by(function))
    if len(known) < 2:
        alone = known[0] if known else items[0]
        shown = example(alone) if isinstance(alone, GraphArray) else alone
        if not isinstance(shown, (int, float, np.number)):
            raise _refused(function)  # a tuple or array may be the only argument
        _require_other(items, 1, raised_by(function, shown))
    return recorder().call(function, (items,), kwargs)


def _require_other(items: Any, count: int, error: Exception) -> None:
    """Let the program raise an error if there are so many items."""
    is_other = ops.not_equal(items.length, count)
    effects.check(is_other, error=type(error).__name__, message=str(error))


def _has_some(items: Any) -> Any:
    return ops.greater(items.length, 0)


def _printed(args: tuple, sep: Any = None, end: Any = None, flush: Any = False, **to: Any) -> None:
    """``print``: one after the other, each but the first one behind the separator."""
    follows: Any = False

    def show(item: Any, follows: Any) -> None:
        ops.cond(follows, lambda: write("", item), lambda: write(item))

    def write(*items: Any) -> None:
        recorder().call(print, items, {"sep": sep, "end": "", **to})

    def show_one(numbered: Any) -> tuple:
        place, item = numbered
        show(item, ops.or_(follows, lambda: ops.greater(place, 0)))
        return ()

    for arg in args:
        if is_spread(arg):
            ops.for_loop(recorder().call(enumerate, (arg.items,), {}), show_one, ())
            follows = ops.or_(follows, functools.partial(_has_some, arg.items))
        else:
            show(arg, follows)
            follows = True
    recorder().call(print, (), {"end": end, "flush": flush, **to})
