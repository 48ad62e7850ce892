"""One of several values, at a position known only at run time.

Numbers are looked up in a table; of those of different types it is known which it is of, see
`autograph.staging.values.promoted`. Tuples are picked item by item. Texts, functions and objects
become a `Choice`. Between other things, such as arrays, conditionals decide.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np

import ops
from autograph.backends.select import is_array
from autograph.errors import BranchMismatchError, LoopStateError
from autograph.graph.graph import Constant, Value
from autograph.staging.arrays.array import GraphArray, located_error
from autograph.staging.arrays.exact_types import converted, placeholder
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.examples import example
from autograph.staging.ground.nesting import is_tuple, kind_of, make_tuple, parts_of
from autograph.staging.ground.ownership import is_user_object
from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.restarts import ChoosesTexts
from autograph.staging.lists.columns import existing, strong
from autograph.staging.lists.elements import PlacedObject
from autograph.staging.values.choice import (
    Choice,
    is_called,
    is_choosable,
    is_same_object,
    looked_up,
)
from autograph.staging.values.maybe import MaybeNone
from autograph.staging.values.promoted import PromotedNumber, holds, in_order, joined, types_of
from ops.control import effects
from ops.core.operands import Symbolic
from ops.core.recording import raises_as_python
from ops.core.types import PYTHON_SCALARS, ArrayType, type_of, weak

# Of things between which conditionals decide, or that are called: each is recorded.
_MOST_DECIDED = 64
_MOST_TEXTS = 1024
_SOON = 300  # operations that are recorded until it is said that trips are many
_OUT_OF_RANGE = {
    tuple: "tuple index out of range",
    list: "list index out of range",
    deque: "deque index out of range",
    str: "string index out of range",
    bytes: "index out of range",
}


@raises_as_python
def at_place(container: Sequence[Any], index: GraphArray) -> Any:
    """``container[index]`` of a tuple, a text, bytes or a list of a known length.

    Raises:
        IndexError: there is no such element, when the program runs.
        TypeError: the index is no integer.
    """
    place = _place(container, index, len(container))
    return picked(tuple(container), place)


@raises_as_python
def at_place_in_one(texts: Choice, index: GraphArray) -> Any:
    """``text[index]`` of one of several texts, or of bytes: all of them lie one after the other.

    Raises:
        IndexError, TypeError: as `at_place` does.
    """
    first, *_ = texts.objects
    every = first[:0].join(texts.objects)
    lengths = [len(text) for text in texts.objects]
    starts = [end - length for end, length in zip(itertools.accumulate(lengths), lengths)]
    place = _place(every, index, looked_up(texts.position, lengths))
    return picked(tuple(every), place + looked_up(texts.position, starts))


def _place(container: Sequence[Any], index: GraphArray, length: Any) -> GraphArray:
    """An index of a container of so many elements, or of a part of one, as that of an element."""
    message = _OUT_OF_RANGE[next(kind for kind in _OUT_OF_RANGE if isinstance(container, kind))]
    with contextlib.suppress(IndexError):
        container[example(index)]  # Python's own error, if it can't be an index
    if not container:
        raise IndexError(message)
    if index.dtype.kind == "u":
        fits = ops.less_equal(index, np.uint64(2**63 - 1))
        text = f"cannot fit 'numpy.{index.dtype}' into an index-sized integer"
        effects.check(fits, error="IndexError", message=text)
    place = existing(GraphArray(converted(index, weak(int))), length, message)
    return GraphArray(converted(place, weak(int)))


def are_chosen_texts(container: Sequence[Any]) -> bool:
    """Whether the elements are texts, and one of several is what is at a place, though the loops
    around it could run as Python: not if few trips tell which one it is.

    Raises:
        ChoosesTexts: they are to be, as trips are many.
    """
    known, effort = recorder().known_loops, recorder().effort
    if known.texts_chosen is False or not (recorder().attempts and container):
        return False
    if not isinstance(container, (str, bytes)) and not {str}.issuperset(map(type, container)):
        return False
    if known.texts_chosen is None and effort.recorded > _SOON:
        raise ChoosesTexts("texts", user_location())
    return bool(known.texts_chosen)


def is_of_numbers(element: Any) -> bool:
    """Whether an element is a number, of whichever type, or a tuple of such."""
    if isinstance(element, tuple):
        return all(map(is_of_numbers, element))
    return _number_type(element) is not None or (
        isinstance(element, PromotedNumber) and bool(types_of(element))
    )


def with_element(elements: Sequence[Any], index: GraphArray, value: Any, outside: str) -> list[Any]:
    """Elements of different types with a value in place of the one at a position, which is of
    either type then; ``outside`` is said if there is none.

    Raises:
        IndexError: there is no such position, when the program runs.
    """
    place = existing(index, len(elements), outside)
    written = lambda: value
    return [
        ops.cond(ops.equal(place, position), written, functools.partial(_itself, element))
        for position, element in enumerate(elements)
    ]


def _itself(element: Any) -> Any:
    return element


def picked(elements: Sequence[Any], position: GraphArray) -> Any:
    """The element at a position, one of those that there are.

    Raises:
        BranchMismatchError: there is nothing that could be either of them.
    """
    if _all_same(elements):
        return elements[0]
    number = picked_number(elements, position)
    if number is not None:
        return number
    first = elements[0]
    if _are_alike_tuples(elements):
        columns = zip(*map(parts_of, elements))
        return make_tuple(kind_of(first), [picked(column, position) for column in columns])
    if all(isinstance(item, PlacedObject) for item in elements):
        placed = first.__picked__(elements, position)
        if placed is not None:
            return placed
    if all(map(_is_object, elements)):
        return _picked_object(elements, position)
    if len(elements) > _MOST_DECIDED:
        raise _refused(f"there are more than {_MOST_DECIDED} of them, which are no numbers")
    capture = recorder().outside.capture
    captured = [capture("", item) if is_array(item) else item for item in elements]
    try:
        return _decided(captured, position, 0)
    except (BranchMismatchError, LoopStateError) as error:
        if error.id != "AG0311":
            raise
        raise _refused(error.message.rpartition("do not fit: ")[2]) from error


def _all_same(elements: Sequence[Any]) -> bool:
    return all(is_same_object(elements[0], item) for item in elements)


def _are_alike_tuples(elements: Sequence[Any]) -> bool:
    first = elements[0]
    return all(
        is_tuple(item)
        and kind_of(item) == kind_of(first)
        and len(parts_of(item)) == len(parts_of(first))
        for item in elements
    )


def _refused(why: str) -> BranchMismatchError:
    return located_error(
        BranchMismatchError,
        f"one of several elements is read, chosen at run time, and they do not fit: {why}",
        id="AG0367",
        fix="make an array of them, or decide with 'if' and use the element in each branch",
    )


# -- numbers ---------------------------------------------------------------------------------------


def number_types(elements: Sequence[Any]) -> list[ArrayType] | None:
    """The types of some numbers; None if not all are numbers of one type."""
    found = []
    for item in elements:
        kind = _number_type(item)
        if kind is None:
            return None
        found.append(kind)
    return found


def _number_type(item: Any) -> ArrayType | None:
    if isinstance(item, GraphArray):
        if isinstance(item, MaybeNone) or types_of(item) or item.is_array or item.ndim:
            return None
        return item.type
    if type(item) is int and not -(2**63) <= item < 2**63:
        return None
    is_number = type(item) in PYTHON_SCALARS or isinstance(item, np.generic)
    return type_of(item) if is_number else None


def picked_number(elements: Sequence[Any], position: GraphArray) -> GraphArray | None:
    """The number at a position; None if some of the elements are no numbers."""
    types_ = number_types(elements)
    if not types_:
        return None
    kinds = in_order(types_)
    if len(kinds) == 1:
        return GraphArray(_looked_up(elements, kinds[0], position))
    wide = joined(kinds)
    which = _looked_up([kinds.index(kind) for kind in types_], weak(int), position)

    def exact(kind: ArrayType) -> GraphArray | None:
        if holds(wide, kind):
            return None
        own = [
            item if other == kind else placeholder(kind) for item, other in zip(elements, types_)
        ]
        return GraphArray(_looked_up(own, kind, position))

    value = _looked_up(elements, wide, position)
    return PromotedNumber(value, kinds, GraphArray(which), [exact(kind) for kind in kinds])


def _looked_up(numbers: Sequence[Any], kind: ArrayType, position: GraphArray) -> Value:
    """The number at a position as one of a type."""
    known = [item.data if isinstance(item, Constant) else item for item in numbers]
    if any(isinstance(item, (Symbolic, Value)) for item in known):
        strongly = kind._replace(weak=False)
        table = ops.stack([GraphArray(strong(item, strongly)) for item in numbers], axis=0)
    else:
        table = GraphArray(Constant(np.array(known, kind.dtype)))
    return converted(table[position], kind)


# -- objects ---------------------------------------------------------------------------------------


def _is_object(item: Any) -> bool:
    """Whether something is what it is, wherever it is used in the region that it is picked in."""
    return is_choosable(item) or is_called(item) or is_user_object(item)


def _picked_object(elements: Sequence[Any], position: GraphArray) -> Choice:
    objects: list[Any] = []
    places: list[int] = []
    texts: dict[tuple[type, Any], int] = {}
    for item in elements:
        if isinstance(item, (str, bytes)):
            place = texts.setdefault((type(item), item), len(objects))
        else:
            same = (i for i, other in enumerate(objects) if is_same_object(other, item))
            place = next(same, len(objects))
        if place == len(objects):
            objects.append(item)
        places.append(place)
    most = _MOST_TEXTS if all(isinstance(item, (str, bytes)) for item in objects) else _MOST_DECIDED
    if len(objects) > most:
        raise _refused(f"there are more than {most} of them, which are no numbers")
    return Choice(GraphArray(_looked_up(places, weak(int), position)), tuple(objects))


def _decided(elements: Sequence[Any], position: GraphArray, first: int) -> Any:
    """By conditionals, each of which leaves half of the elements, which begin at ``first``."""
    if len(elements) == 1:
        return elements[0]
    half = len(elements) // 2
    return ops.cond(
        ops.less(position, first + half),
        lambda: _decided(elements[:half], position, first),
        lambda: _decided(elements[half:], position, first + half),
    )
