"""What loops in the body of a ``try`` go through, where items are computed as they are asked for.

The statements of a trip are attempted, each by itself; see `autograph.source.desugar.handlers`.
What an iterator raises before a trip would pass the handlers by, so it is refused.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.staging.arrays.array import GraphArray
from autograph.staging.border.endings import is_of_program
from autograph.staging.control.catching import Barred
from autograph.staging.ground.handling import attempting
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.lists import TrackedList
from autograph.staging.sequences.comprehensions import Awaited
from autograph.staging.sequences.items import Filtered, Items
from autograph.staging.sequences.iteration import Iterators, consume

_MADE = (list, tuple, dict, set, frozenset, str, bytes, range, np.ndarray, GraphArray, TrackedList)


class GoneThrough:
    """An iterable that a loop goes through in the body of a ``try``.

    Args:
        iterable: the user's.
        kinds: the classes of exceptions that are handled.
    """

    def __init__(self, iterable: Any, kinds: tuple):
        self.iterable, self.kinds = iterable, kinds

    def loop(self, run: Callable, body: Callable, test: Callable | None) -> Any:
        """Run the loop.

        Args:
            run: takes the body and the test, and records it.
            body, test: as for `autograph.staging.control.loops.for_loop`.

        Raises:
            UnsupportedConstructError: what is gone through may raise what is handled.
        """
        around = recorder().attempt
        mark = recorder().state(_Mark)
        try:
            with attempting(Barred(self.kinds if around is None else self.kinds + around.kinds)):
                return run(_outside(body, around), test and _outside(test, around))
        except Exception as error:
            is_own = error is not mark.error and isinstance(error, self.kinds)
            if is_own and is_of_program(error):
                recorder().refuse("this exception is raised")
            raise


class _Mark:
    """The last exception of a body, of which a loop may end."""

    error: BaseException | None = None


def _outside(function: Callable, around: Any) -> Callable:
    def run(*args: Any) -> Any:
        with attempting(around):
            try:
                return function(*args)
            except Exception as error:
                recorder().state(_Mark).error = error
                raise

    return run


class _Item:
    """An item that the trip computes that is made for it."""

    def __init__(self, make: Callable, *args: Any):
        self.make, self.args = make, args


def _put_off(iterable: Any) -> Any:
    """What gives an `_Item` for each item that ``iterable`` computes; it, if it computes none."""
    kind: Any = type(iterable)  # of these themselves: a range has no items to compute
    if kind is Items:
        return iterable.each(functools.partial(_Item, iterable.item))
    if kind is Filtered:
        return Filtered(
            iterable.source, iterable.keeps, functools.partial(_Item, iterable.function)
        )
    if kind is Awaited:
        return map(_Item, iterable.thunks())
    if kind not in (map, enumerate, zip):
        return iterable
    _, parts, *is_strict = iterable.__reduce__()
    if kind is map:
        function, *iterators = parts
        return map(functools.partial(_Item, function), *iterators)
    if kind is enumerate:
        inner, start = parts
        return map(_together, itertools.count(start), _put_off(inner))
    return iterable if is_strict else map(_together, *map(_put_off, parts))


def _together(*items: Any) -> _Item:
    return _Item(lambda: tuple(map(item, items)))


def gone_through(kinds: tuple, iterable: Any, puts_off: bool) -> Any:
    """See `ops.gone_through`."""
    if isinstance(iterable, _MADE) or (isinstance(iterable, Items) and type(iterable) is not Items):
        return iterable  # ranges, rows of arrays and keys of dicts are there
    found = _put_off(iterable) if puts_off else iterable
    if found is not iterable:
        consume(iterable)
        recorder().state(Iterators).add(found, recorder().frame)
    return GoneThrough(found, kinds)


def item(given: Any) -> Any:
    """See `ops.item`."""
    return given.make(*given.args) if isinstance(given, _Item) else given
