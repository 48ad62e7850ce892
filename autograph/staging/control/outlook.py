"""Whether a loop that is recorded again sees the same as before, as far as types go.

What is found out about the variables of a loop follows from what its functions can reach: the types
of arrays, what is known of other values, how containers are built, and what is assumed of recursive
functions. Where all that is the same, so is what is found out, and nobody has to find it again.
"""

from __future__ import annotations

import enum
import functools
import types
from collections.abc import Iterable
from typing import Any

import numpy as np

from autograph.graph.graph import Constant, Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.containers.containers import contents, is_container
from autograph.staging.ground.ownership import is_user_object
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.columns import Column, Lengths
from autograph.staging.sequences.items import Items
from autograph.staging.values.maybe import ArrayOrNone, MaybeUndefined, ObjectOrNone
from autograph.staging.values.promoted import PromotedNumber
from autograph.staging.values.text import TextKind
from ops.control.constructs import Undefined
from ops.core.records import NamedTuple
from ops.core.symbolic_lengths import is_length
from ops.core.types import PYTHON_SCALARS, ArrayType, Type, weak

_PLAIN = frozenset({*PYTHON_SCALARS, str, bytes, type(None)})
_INTEGERS = (weak(int), ArrayType(np.dtype(np.int64), ()))
_OF_INPUTS = "of inputs"
_MOST_NODES = 100  # as many as are computed to know a value


class Outlook(NamedTuple):
    """What functions reach.

    Attributes:
        seen: of each thing, in a certain order, what decides what is recorded.
        objects: what is compared by its identity is kept here, so that nothing else gets its id.
    """

    seen: list[Any]
    objects: list[Any]

    def same(self, other: Outlook) -> bool:
        """Whether it is the same that is seen."""
        return self.seen == other.seen


def outlook(roots: Iterable[Any]) -> Outlook | None:
    """What can be reached from functions, containers and values; None if that cannot be told."""
    recording = recorder()
    if recording.attempt is not None or len(recording.managers):
        return None
    found = Outlook([recording.situation()], [])
    numbers: dict[int, int] = {}
    pending = [*roots][::-1]
    while pending:
        item = pending.pop()
        kind = type(item)
        if kind in _PLAIN or is_length(item):
            found.seen.append((kind, repr(item)))
            continue
        if id(item) in numbers:
            found.seen.append(numbers[id(item)])
            continue
        numbers[id(item)] = len(numbers)
        found.objects.append(item)
        inside = _inside(item, found.seen)
        if inside is None:
            return None
        pending += inside
    return found


def _inside(item: Any, seen: list[Any]) -> Iterable[Any] | None:
    """What is in one thing, of which the rest is added to ``seen``; None if it cannot be told."""
    kind = type(item)
    if isinstance(item, GraphArray):
        return _in_array(item, seen)
    if isinstance(item, types.FunctionType):
        code = item.__code__
        seen.append((code, id(item.__globals__), set(vars(item)), recorder().assumed_of(code)))
        return (
            *(item.__closure__ or ()),
            *(item.__defaults__ or ()),
            *(item.__kwdefaults__ or {}).values(),
        )
    seen.append(kind)
    if isinstance(item, types.MethodType):
        return item.__self__, item.__func__
    if isinstance(item, functools.partial):
        return item.func, item.args, *item.keywords, *item.keywords.values()
    if isinstance(item, Column):
        return _in_column(item, seen)
    if isinstance(item, MaybeUndefined):
        return (item.content,)
    if isinstance(item, ObjectOrNone):
        return item.present, item.content
    if isinstance(item, Undefined):
        return (item.name,)
    if isinstance(item, Items):
        seen.append(tuple(vars(item)))
        return tuple(vars(item).values())
    if kind is tuple:
        seen.append(len(item))
        return item
    if is_container(item) and not isinstance(item, type):
        return _in_container(item, seen)
    seen.append(id(item))  # the same object
    return ()


def _in_container(item: Any, seen: list[Any]) -> Iterable[Any] | None:
    state, kind = contents(item), type(item)
    of_class = contents(kind) if is_user_object(item) else None
    if "<locals>" in kind.__qualname__ or not _is_told(state.keys):
        return None
    seen.append(state.keys)
    if of_class is None:
        return state.values
    seen.append(of_class.keys)
    return *state.values, *of_class.values


def _is_told(key: Any) -> bool:
    """Whether parts of keys can be compared, and are not symbolic."""
    if isinstance(key, ArrayType):
        return all(not is_length(length) for length in key.shape)
    if isinstance(key, (tuple, frozenset)):
        return all(map(_is_told, key))
    return type(key) in _PLAIN or isinstance(key, (type, enum.Enum, TextKind))


def _told(type: Type) -> Any:
    """A type as something that can be compared: to compare symbolic lengths would assume that they
    are the same."""
    return (type.dtype, repr(type.shape), *type[2:]) if isinstance(type, ArrayType) else type


def _in_array(item: GraphArray, seen: list[Any]) -> Iterable[Any] | None:
    if item._view is not None:
        return None
    parts: Iterable[Any] = ()
    if type(item) is ArrayOrNone:
        parts = item.present, item.content
    elif type(item) is PromotedNumber:
        seen.append(item.kinds)
    elif type(item) is not GraphArray:
        return None
    value = item._value
    seen.append((type(item), _told(value.type), item.is_array, item.is_made, item.is_kept))
    seen.append(_origin(value, _MOST_NODES))
    return parts


def _in_column(item: Column, seen: list[Any]) -> Iterable[Any]:
    seen.append((_told(item.value.type), _told(item.element)))
    return (recorder().state(Lengths).get(item.value),)


def _origin(value: Value, most: int) -> Any:
    """What recording may know of a value besides its type: what it is computed from, of an integer,
    which may be an index; else whether an input has a part in it."""
    if isinstance(value, Constant):
        return repr(value.data) if value.type.shape == () else id(value.data)
    if value.producer is None:
        trips = recorder().below.get(value)
        return _OF_INPUTS if trips is None else (type(trips), str(trips))
    if value.type in _INTEGERS and most > 0:
        node = value.producer
        used = list(node.uses())
        parts = [_origin(part, most // (1 + len(used))) for part in used]
        return node.op.name, repr(node.attrs), parts
    return id(value) if _is_of_constants(value) else _OF_INPUTS


def _is_of_constants(value: Value) -> bool:
    """Whether a value may be known, see `autograph.staging.arrays.known`."""
    pending, done = [value], set[int]()
    while pending:
        value = pending.pop()
        if id(value) in done or isinstance(value, Constant):
            continue
        done.add(id(value))
        if value.producer is None or len(done) > _MOST_NODES:
            return False
        pending += value.producer.uses()
    return True
