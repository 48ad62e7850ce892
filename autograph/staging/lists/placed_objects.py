"""What an object is while it is in a heap; see `autograph.staging.lists.object_heap`.

It has a class that derives from the user's, and reads and writes attributes at its place there.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, Protocol

import ops
from autograph.errors import UnsupportedFunctionError
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.families import Family, members_of
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.ground.ownership import slots_of
from autograph.staging.ground.recorder import is_argument, recorder
from autograph.staging.lists import family_operators
from autograph.staging.lists.elements import PlacedObject, class_of
from autograph.staging.lists.picked import picked_number
from autograph.staging.values.choice import Choice
from ops.control import effects
from ops.core.recording import raises_as_python
from ops.core.records import NamedTuple

_DICT, _CLASS = "__dict__", "__class__"


class HeapOfObjects(Protocol):
    """What `autograph.staging.lists.object_heap.ObjectHeap` is for the objects in it."""

    made_of: type
    columns: dict[str, Any]

    def lacks(self, kind: type, name: str) -> bool: ...

    def class_number(self, place: Any) -> Any: ...

    def at(self, place: Any) -> Any: ...

    def read(self, name: str, place: Any) -> Any: ...

    def write(self, name: str, place: Any, value: Any) -> None: ...


class ObjectSeat(NamedTuple):
    """Where an object is kept.

    Attributes:
        owner: the heap.
        place: its number there, from 0 on.
    """

    owner: HeapOfObjects
    place: Any


class _Seats(ByIdentity):
    """Where objects are kept."""


def seat_of(item: Any) -> ObjectSeat:
    """Where an object that is in a heap is kept."""
    return recorder().state(_Seats)[item]


class _Attribute:
    """An attribute of objects in a heap."""

    def __init__(self, name: str):
        self._name = name

    def __get__(self, item: Any, owner: type) -> Any:
        if item is None:
            return getattr(owner.__mro__[1], self._name)
        heap, place = seat_of(item)
        kind = class_of(item)
        if heap.lacks(kind, self._name):
            if hasattr(kind, self._name):  # the class has it, and no object of these
                return getattr(super(type(item), item), self._name)
            raise AttributeError(
                f"'{kind.__name__}' object has no attribute '{self._name}'",
                name=self._name,
                obj=item,
            )
        return heap.read(self._name, place)

    def __set__(self, item: Any, value: Any) -> None:
        heap, place = seat_of(item)
        _require_attribute(heap, class_of(item), self._name)
        heap.write(self._name, place, value)

    def __delete__(self, item: Any) -> None:
        refuse("deleting an attribute of", class_of(item))


def _set_attribute(item: Any, name: str, value: Any) -> None:
    """``item.name = value`` of an attribute that is no property."""
    kind = type(item)
    own: Any = next((vars(owner)[name] for owner in kind.__mro__ if name in vars(owner)), None)
    if hasattr(type(own), "__set__"):
        own.__set__(item, value)
        return
    heap, place = seat_of(item)
    _require_attribute(heap, class_of(item), name)
    heap.write(name, place, value)


def _require_attribute(heap: HeapOfObjects, kind: type, name: str) -> None:
    """Refuse an attribute that objects of another class have, which are in the same heap."""
    if name in heap.columns and heap.lacks(kind, name):
        refuse_mixed(f"a new attribute '{name}' of one of", kind)


@raises_as_python
def _refuse_frozen(item: Any, name: str, value: Any) -> NoReturn:
    """The same of objects of a frozen dataclass."""
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _is_same(item: Any, other: Any) -> Any:
    """``==`` of objects whose class does not say when they are equal."""
    return is_same_kept(item, other) if isinstance(other, PlacedObject) else NotImplemented


def is_same_kept(item: Any, other: Any) -> Any:
    """Whether two objects in heaps are one."""
    mine, theirs = seat_of(item), seat_of(other)
    if mine.owner is not theirs.owner:
        return False
    return ops.cast(ops.equal(mine.place, theirs.place), dtype="bool", weak=True)


def _is_other(item: Any, other: Any) -> Any:
    same = _is_same(item, other)
    return same if same is NotImplemented else ops.not_(same)


def _refused(doing: str) -> Callable:
    def refuse_it(item: Any, *_: Any) -> NoReturn:
        refuse(doing, class_of(item))

    return refuse_it


def _picked(items: Sequence[Any], position: Any) -> Any:
    """The object at a position, of objects in one heap."""
    seats = [seat_of(item) for item in items]
    if any(seat.owner is not seats[0].owner for seat in seats):
        return None
    return seats[0].owner.at(picked_number([seat.place for seat in seats], position))


class _Classes(dict[type, type]):
    """The classes that objects have while they are in a heap. They go with the recording: they hold
    the user's classes, which may be made again and again."""


def kept_class(kind: type) -> type:
    """The class that objects of a class have while they are in a heap."""
    known = recorder().state(_Classes)
    if kind not in known:
        known[kind] = (_kept_family if issubclass(kind, Family) else _kept_class)(kind)
    return known[kind]


_BY_IDENTITY = {"__eq__": _is_same, "__ne__": _is_other}


def _in_heap(kind: type) -> dict[str, Any]:
    """What a class has whose objects are in a heap."""
    copied = ("__copy__", "__deepcopy__", "__reduce_ex__")
    return {
        "__slots__": (),
        "made_of": kind,
        "__picked__": staticmethod(_picked),
        "__module__": kind.__module__,
        _CLASS: property(class_of),
        "__hash__": _refused("the hash of"),
        **dict.fromkeys(copied, _refused("a copy of")),
    }


def _kept_family(kind: type) -> type:
    """The class of what is an object of one of several classes, of which the run knows which."""
    operators = {
        name
        for member in members_of(kind)
        for owner in member.__mro__
        if owner is not object
        for name, value in vars(owner).items()
        if name.startswith("__") and isinstance(value, types.FunctionType)
    }
    operators -= {"__init__", "__post_init__"}
    if "__len__" in operators:
        operators.add("__bool__")
    methods = {
        name: family_operators.dispatched(name, each_class) or _refused_mixed(name)
        for name in operators
    }
    own = {"__getattr__": _read_of_each, "__setattr__": _write_of_each, **_BY_IDENTITY}
    return type(kind)(kind.__name__, (kind, PlacedObject), {**_in_heap(kind), **own, **methods})


def _refused_mixed(name: str) -> Callable:
    def refuse_it(item: Any, *_: Any) -> NoReturn:
        refuse_mixed(f"{name} of", class_of(item))

    return refuse_it


def each_class(item: Any) -> Any:
    """An object of a family, as a `Choice` among objects of each of its classes, or of the one that
    it is of."""
    heap, place = seat_of(item)
    members = members_of(class_of(item))
    seat = ObjectSeat(heap, place)
    number = heap.class_number(place)
    if isinstance(number, int):
        return object_at(seat, members[number])
    return Choice(number, tuple(object_at(seat, kind) for kind in members))


def _read_of_each(item: Any, name: str) -> Any:
    """An attribute of an object of a family, or a method of its class."""
    members = members_of(class_of(item))
    if name.startswith("__"):
        if any(hasattr(kind, name) for kind in members):
            refuse_mixed(f"{name} of", class_of(item))
        raise AttributeError(name)
    heap, place = seat_of(item)
    lacking = [kind for kind in members if heap.lacks(kind, name)]
    if len(lacking) == len(members) or any(hasattr(kind, name) for kind in members):
        return getattr(each_class(item), name)
    for kind in lacking:
        message = f"'{kind.__name__}' object has no attribute '{name}'"
        _check_class(item, kind, "AttributeError", message)
    return heap.read(name, place)


def _check_class(item: Any, kind: type, error: str, message: str) -> None:
    """Let the program raise an error if an object of a family is of a class."""
    heap, place = seat_of(item)
    number = members_of(class_of(item)).index(kind)
    effects.check(ops.not_equal(heap.class_number(place), number), error=error, message=message)


def _write_of_each(item: Any, name: str, value: Any) -> None:
    heap, place = seat_of(item)
    members = members_of(class_of(item))
    if any(hasattr(type(getattr(kind, name, None)), "__set__") for kind in members):
        setattr(each_class(item), name, value)
        return
    for kind in members:
        if heap.lacks(kind, name):
            message = (
                f"[AG0590] an attribute '{name}' of a '{kind.__name__}' object, which has none"
            )
            _check_class(item, kind, "NotImplementedError", message)
    heap.write(name, place, value)


def _kept_class(kind: type) -> type:
    set_attribute: Any = kind.__setattr__  # of a frozen dataclass another one
    is_plain = set_attribute is object.__setattr__
    made: dict[str, Any] = {
        **_in_heap(kind),
        "__qualname__": kind.__qualname__,
        "__setattr__": _set_attribute if is_plain else _refuse_frozen,
        _DICT: property(_refused("the attribute __dict__ of")),
    }
    method: Any = kind.__eq__
    if method is object.__eq__:
        made.update(_BY_IDENTITY)
    for name in slots_of(kind):
        made[name] = _Attribute(name)
    return type(kind)(kind.__name__, (kind, PlacedObject), made)


def with_attributes(kind: type, names: Any) -> type:
    """The same, which knows of some attributes."""
    kept = kept_class(kind)
    for name in names:
        if name not in vars(kept):
            type.__setattr__(kept, name, _Attribute(name))
    return kept


def object_at(seat: ObjectSeat, kind: type | None = None) -> Any:
    """The object at a place that there is.

    Args:
        kind: its class, where that is known.
    """
    made: Any = object.__new__(kept_class(seat.owner.made_of if kind is None else kind))
    recorder().state(_Seats)[made] = seat
    return made


_put_class = vars(object)[_CLASS].__set__


def put_at(item: Any, seat: ObjectSeat) -> None:
    """Let an object be kept in a heap from now on."""
    if not isinstance(item, PlacedObject):
        _put_class(item, kept_class(type(item)))
    recorder().state(_Seats)[item] = seat


def sit(item: Any, seat: tuple | None) -> None:
    """Let an object be kept in a heap, or as Python does."""
    if seat is not None:
        put_at(item, ObjectSeat(*seat))
    elif isinstance(item, PlacedObject):
        _put_class(item, class_of(item))
        del recorder().state(_Seats)[item]


def plain_attributes(item: Any) -> dict[str, Any]:
    """The attributes of an object that is in no heap."""
    found = {}
    for name in slots_of(type(item)):
        try:
            found[name] = object.__getattribute__(item, name)
        except AttributeError:  # not assigned
            continue
    return {**getattr(item, _DICT, {}), **found}


def is_callers(item: Any) -> bool:
    """Whether an object that is in no heap stands for one that is an argument or from outside."""
    return is_argument(item) or recorder().outside.original(item) is not item


def refuse_mixed(doing: str, kind: type) -> NoReturn:
    raise UnsupportedFunctionError(
        f"{doing} objects of several classes, '{kind.__name__}', of which only the run knows which "
        "is of which class, is not supported",
        user_location(),
        id="AG0590",
        fix="call a method of a plain name that each of the classes has, or test with "
        "isinstance(...) and read attributes that __init__ assigns",
    )


def refuse(doing: str, kind: type) -> NoReturn:
    raise UnsupportedFunctionError(
        f"{doing} objects of the class '{kind.__name__}', whose number is known only at run "
        "time, is not supported",
        user_location(),
        id="AG0591",
        fix="keep what is needed of the objects in lists of numbers",
    )
