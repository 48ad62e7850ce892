"""Comparing lists, and looking for elements in them, where only the run knows what they contain."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any, NoReturn

import ops
from autograph.errors import UnsupportedFunctionError
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.leaves import leaves_of
from autograph.staging.ground.nesting import LEAF, TupleOf
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.columns import Column, Rows, at_most, bounds_of, positions
from autograph.staging.lists.elements import list_depths
from autograph.staging.lists.list_state import ListState
from autograph.staging.lists.none_elements import holds_none, may_be_none
from autograph.staging.lists.searched_objects import (
    are_told_by_identity,
    count_among,
    holds_objects,
    is_equal,
    is_or_has_object,
    place_among,
    place_in,
)
from autograph.staging.lists.text_elements import holds_text, refused_texts, united
from autograph.staging.values.text import to_repr
from ops.control import effects
from ops.core.conditions import raised_by
from ops.core.recording import raises_as_python

_BOTH_NAN = "lists are compared that both have NaN at a place: is it the same object?"


def equal_lists(mine: ListState, other: ListState) -> Any:
    """``mine == other``, which may be symbolic."""
    if mine.rows is None and other.rows is None:
        return ops.eq_(tuple(list.__iter__(mine)), tuple(list.__iter__(other)))
    same = ops.equal(mine.length, other.length)
    a, b = mine.as_rows(), other.as_rows()
    if any(rows is not None and holds_text(rows.structure) for rows in (a, b)):
        raise refused_texts("lists of texts are compared")
    if any(rows is not None and holds_objects(rows.structure) for rows in (a, b)):
        refuse("comparing the objects in", "compare what they hold in a loop")
    a, b = a and a.promoted, b and b.promoted
    if a is not None and b is not None and (holds_none(a.structure) or holds_none(b.structure)):
        return _equal_or_none(a, b)
    if a is None or b is None or a.structure != b.structure:
        return _as_bool(ops.logical_and(same, ops.equal(mine.length, 0)))
    for column, depth in zip(a.columns, list_depths(a.structure)):
        if len(column.element.shape) > depth:
            _refuse_arrays(column)
    return ops.cond(same, lambda: _same_elements(a, b), lambda: False)


def _equal_or_none(a: Rows, b: Rows) -> Any:
    """``a == b`` of lists in which elements may be None."""
    kind = united(a.kind, b.kind)
    if kind is None:
        return _as_bool(ops.equal(a.length, 0) & ops.equal(b.length, 0))
    a, b = a.as_kind(kind), b.as_kind(kind)
    for column in a.columns:
        _refuse_arrays(column)
    of_all = lambda: _as_bool(ops.all(_alike(a, b)))
    return ops.cond(ops.equal(a.length, b.length), of_all, lambda: False)


def _alike(a: Rows, b: Rows) -> GraphArray:
    """At which places elements are equal, of lists of one length and kind."""
    if a.structure is LEAF:
        places = positions(a.length)
        mine, others = (GraphArray(rows.columns[0].value)[places] for rows in (a, b))
        return mine == others
    if not isinstance(a.structure, TupleOf):
        refuse("comparing the lists in")
    found = list(map(_alike, a.items, b.items))
    if may_be_none(a.structure) and len(found) > 1:
        is_there = GraphArray(a.columns[0].value)[positions(a.length)]
        return found[0] & (found[1] | ~is_there)
    return functools.reduce(operator.and_, found)


def _same_elements(a: Rows, b: Rows) -> Any:
    same: Any = True
    for mine, others in zip(a.columns, b.columns):
        count = mine.length
        places = positions(count)
        equal = GraphArray(mine.value)[places] == GraphArray(others.value)[places]
        same = ops.logical_and(same, ops.all(equal))
    return _as_bool(same)


def ordered_lists(compare: Callable, mine: ListState, other: ListState) -> Any:
    """``mine < other`` or another comparison, such as `ops.lt_`: that of the first numbers that
    differ, or of the lengths if one list is the beginning of the other.

    Raises:
        ValueError: these are NaN in both, which are equal if they are one object; when the program
            runs.
    """
    a, b = mine.as_rows(), other.as_rows()
    if a is None or b is None:
        return compare(mine.length, other.length)
    if not (a.promoted.structure is b.promoted.structure is LEAF):
        refuse("ordering")
    for rows in (a, b):
        _refuse_arrays(rows.columns[0])
    shorter = at_most(mine.length, other.length)
    differs = lambda place: ops.not_equal(a.item(place), b.item(place))
    (place,) = ops.while_loop(
        lambda place: ops.and_(place < shorter, lambda: ops.not_(differs(place))),
        lambda place: (place + 1,),
        (0,),
        ("place",),
    )

    def items() -> Any:
        x, y = a.item(place), b.item(place)
        if x.dtype.kind == y.dtype.kind == "f":
            known = ops.not_(ops.logical_and(ops.isnan(x), ops.isnan(y)))
            effects.check(known, error="ValueError", message=_BOTH_NAN)
        return compare(x, y)

    lengths = lambda: _as_bool(compare(mine.length, other.length))
    return ops.cond(ops.less(place, shorter), items, lengths)


def _as_bool(found: Any) -> Any:
    return found if isinstance(found, bool) else ops.cast(found, dtype="bool", weak=True)


def contains(items: ListState, value: Any) -> Any:
    """``value in items``, which may be symbolic."""
    if _asks_objects(items, value):
        return _as_bool(ops.less(_first(items, value, 0, items.length), items.length))
    mask = _equals(items, value)
    return False if mask is None else ops.cast(ops.any(mask), dtype="bool", weak=True)


@raises_as_python
def place_of(items: ListState, value: Any, start: Any, stop: Any, search: Callable) -> Any:
    """The place of the first equal element. If there is none, that is said as this version of
    Python does in ``search``, a method of a list or deque without elements."""
    said = str(raised_by(search, 1.5))
    missing = lambda: error_of_missing(value, search)
    if not is_searched(items, value):
        bounds = (start,) if stop is None else (start, stop)
        try:
            return list.index(items, value, *bounds)
        except ValueError as error:
            if str(error) != str(raised_by([].index, value)):  # of a comparison
                raise
            raise missing() from None
    of_objects = _asks_objects(items, value)
    mask = None if of_objects else _equals(items, value)
    if mask is None and not of_objects:
        raise missing()
    start, stop = bounds_of(slice(start, stop), items.length)
    if mask is None:
        found = _first(items, value, start, stop)
    elif recorder().attempt is None:
        goes_on = lambda place: ops.and_(place < stop, lambda: ops.not_(mask[place]))
        (found,) = ops.while_loop(goes_on, lambda place: (place + 1,), (start,), ("place",))
    else:  # a test that may raise, as a wrong index does, notes that, which tests may not
        places = ops.cumsum(ops.ones_like(mask, dtype="int64")) - 1
        looked_at = (places >= start) & (places < stop)
        found = start + ops.sum(looked_at & (ops.cumsum(mask & looked_at) == 0))
    if said.startswith("1.5"):
        require_found(found, stop, value, search)
    else:
        effects.check(found < stop, error="ValueError", message=said)
    return ops.cast(found, dtype="int64", weak=True)


def error_of_missing(value: Any, search: Callable) -> ValueError:
    """What Python raises where a list does not have a value that is looked for.

    Args:
        search: a method of a list or deque without elements.
    """
    said = str(raised_by(search, 1.5))
    return ValueError(to_repr(value) + said[3:] if said.startswith("1.5") else said)


def require_found(place: Any, stop: Any, value: Any, search: Callable) -> None:
    """Raise what Python raises if a value is at no place before ``stop``."""
    missing = lambda: _raise(error_of_missing(value, search))
    ops.cond(ops.less(place, stop), lambda: None, missing)


@raises_as_python
def count_of(items: ListState, value: Any) -> Any:
    """How often a list contains a value."""
    if not is_searched(items, value):
        return list.count(items, value)
    if _asks_objects(items, value):
        if items.rows is not None:
            return count_among(items, value)
        found = [is_equal(item, value) for item in list.__iter__(items)]
        return functools.reduce(operator.add, found, 0)
    mask = _equals(items, value)
    return 0 if mask is None else ops.cast(ops.sum(mask), dtype="int64", weak=True)


def is_searched(items: ListState, value: Any) -> bool:
    """Whether only the run can tell if the list contains ``value``."""
    if items.rows is not None:
        return True
    contents: Any = (list(list.__iter__(items)), value)
    leaves = leaves_of(contents)
    return any(isinstance(leaf, GraphArray) for leaf in leaves)


def _asks_objects(items: ListState, value: Any) -> bool:
    """Whether elements are asked one by one whether they are equal to a value.

    Raises:
        UnsupportedFunctionError: they can't be, since only their identity tells.
    """
    if items.rows is None:
        return any(map(is_or_has_object, (*list.__iter__(items), value)))
    if are_told_by_identity(items.rows.structure):
        refuse("searching for objects in", "look for a number that they have, in a loop")
    return holds_objects(items.rows.structure) or is_or_has_object(value)


def _first(items: ListState, value: Any, start: Any, stop: Any) -> Any:
    """The first place of an object that is equal to a value; ``stop`` if there is none."""
    if items.rows is None:
        return place_in(list(list.__iter__(items)), value, start, stop)
    return place_among(items, value, start, stop)


def _equals(items: ListState, value: Any) -> GraphArray | None:
    """Which elements are equal to a value; None if there are none."""
    rows = items.as_rows()
    if rows is None:
        if not list.__len__(items):
            return None
        refuse("searching", "give all elements the same type, or loop over them")
    for column in rows.columns:
        _refuse_arrays(column)
    return rows.equals(value)


def _refuse_arrays(column: Column) -> None:
    if column.element.shape:
        refuse("comparing the arrays in")


def refuse(doing: str, fix: str = "") -> NoReturn:
    """Refuse what cannot be done with such a list."""
    raise UnsupportedFunctionError(
        f"{doing} a list whose length depends on traced values is not supported",
        user_location(),
        id="AG0337",
        fix=fix or "make an array of it with np.array and work on that",
    )


@raises_as_python
def _raise(error: Exception) -> NoReturn:
    raise error
