"""Iterators as values: what is left of one is another one.

The loops of a generator that goes step by step may begin anew in each trip of a loop around them.
An iterator that was an object would be another object each time, and changed; as a value it is like
any other variable of the generator. It is a tuple: the function that takes an item, what it goes
through, and where it is.
"""

from __future__ import annotations

import types
from typing import Any

import ops
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.exact_types import placeholder
from autograph.staging.ground.recorder import recorder
from autograph.staging.sequences.iterating import is_maker
from autograph.staging.sequences.iteration import (
    Cursor,
    consume,
    is_generator_function,
    is_native_iterator,
    iterator,
)
from autograph.staging.sequences.steps import CutGenerator, Iteration, Steps, content_of
from ops.control.constructs import Undefined
from ops.core.recording import raises_as_python

_END = object()
_NAME = "the next item"


def walk(function: Any, args: tuple, kwargs: dict[str, Any]) -> tuple:
    """See `ops.walk`."""
    found = recorder().call(function, args, kwargs)
    if isinstance(found, Steps) and _makes(function, args):
        return _of_generator, found.cut, ()
    if isinstance(found, Iteration) and not (function is iter and found is not args[0]):
        return _of_object, (found,), 0
    made = found if function is iter else iterator(found)
    if isinstance(made, Cursor):
        return _indexed, (made.count, made.item, made.source), made.position
    return _of_object, (made,), 0


def _makes(function: Any, args: tuple) -> bool:
    """Whether a call makes a generator, which nobody else has."""
    if function is iter:
        function = getattr(type(args[0]), "__iter__", None)
    if isinstance(function, types.MethodType):
        function = function.__func__
    return is_generator_function(function) or is_maker(function)


def walked(iterator: tuple) -> tuple:
    """See `ops.walked`."""
    take, source, place = iterator
    there, item, place = take(source, place)
    return there, item, (take, source, place)


def _indexed(source: tuple, position: Any) -> tuple:
    """Of something that can be indexed: it is at a position."""
    count, item, parts = source
    there = position < count(parts)
    taken = lambda: (item(parts, position),)
    (found,) = ops.cond(there, taken, lambda: (Undefined(_NAME),), (_NAME,))
    return there, content_of(found), position + 1


@raises_as_python
def _of_object(source: tuple, place: Any) -> tuple:
    """Of an iterator that others may have as well, which knows where it is."""
    (found,) = source
    if isinstance(found, Iteration):
        return (*found.following(), place)
    if is_native_iterator(found):
        consume(found)
    item = next(found, _END)
    return item is not _END, item, place


def _of_generator(source: tuple, state: tuple) -> tuple:
    """Of a generator that nobody else has: it is at a yield, with what is kept there."""
    cut = CutGenerator(*source)
    if state:
        place, *kept = state
        later = cut.later(place, kept, None)
        assert later is not None  # it has been somewhere
        place, item, *kept = later()
    else:
        place, item, *kept = cut.first()
        kept = _primed(cut, kept)
    place = content_of(place)
    return ops.ne_(place, 0), content_of(item), (place, *map(content_of, kept))


def _primed(cut: CutGenerator, kept: list[Any]) -> list[Any]:
    """What is kept after the first step, with something in the place of what only later steps
    assign, so that it is of the same kind throughout: nobody will read that."""
    missing = [isinstance(value, Undefined) for value in kept]
    while any(missing):
        for number, needed in enumerate(cut.needs, 1):
            held = dict(zip(cut.names, kept))
            if any(isinstance(held[name], Undefined) for name in needed):
                continue
            args = (*map(content_of, kept), None)
            step = cut.steps[number]
            _, _, *found = recorder().tried(lambda step=step, args=args: ops.call(step, *args))
            kept = [
                _stand_in(content_of(new)) if isinstance(old, Undefined) else old
                for old, new in zip(kept, found)
            ]
        before, missing = missing, [isinstance(value, Undefined) for value in kept]
        if missing == before:
            break
    return [0 if isinstance(value, Undefined) else value for value in kept]


def _stand_in(value: Any) -> Any:
    if type(value) is tuple:
        return tuple(map(_stand_in, value))
    return GraphArray(placeholder(value.type)) if type(value) is GraphArray else value
