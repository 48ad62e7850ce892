"""Containers: what code can change in place, other than arrays, seen in one uniform way.

Lists, deques, dicts, sets, instances of classes written in Python, and closure cells. The state of
one is its `Contents`: *keys*, which say how it is built, and *values*, which are what it holds.
"""

from __future__ import annotations

import array
import contextlib
import functools
import operator
import types
from collections import OrderedDict, defaultdict, deque
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from autograph.source.tree.libraries import package_of
from autograph.source.tree.places import CELLS, NamedPlace
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground import sparse_kinds
from autograph.staging.ground.bound import GivenFunction
from autograph.staging.ground.factories import as_given, recorded
from autograph.staging.ground.fixed import Fixed, parted
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.ground.naming import unversioned
from autograph.staging.ground.ownership import Recorded, is_user_object, slots_of
from autograph.staging.ground.sparse_kinds import is_sparse
from autograph.staging.lists import placed_objects as objects
from autograph.staging.lists.elements import ROWS, SEAT, ListOf, RecordOf, made_of
from autograph.staging.lists.given_rows import GivenColumns, rows_given
from autograph.staging.lists.growing import Unread
from autograph.staging.lists.heap import PooledRow, Seat, sit
from autograph.staging.lists.lists import Rows, TrackedList
from autograph.staging.lists.placed_objects import PlacedObject, seat_of
from autograph.staging.lists.queues import TrackedDeque
from autograph.staging.sequences.items import Filtered, Items
from autograph.staging.sequences.steps import Iteration
from autograph.staging.values.choice import Choice
from autograph.staging.values.maybe import MaybeUndefined, ObjectOrNone
from ops.core.operands import Symbolic
from ops.core.records import NamedTuple

_ATOMS = (str, bytes, int, float, complex, type(None), type, types.ModuleType, Symbolic)
# Of what there is most: nothing is reached from these, and their classes capture nothing.
_LEAVES = frozenset({str, bytes, bool, int, float, complex, type(None), GraphArray})
_OWN_PACKAGES = ("numpy", "autograph", "ops", "builtins", "optree")
_REBUILT: tuple[Any, ...] = (
    *(
        list,
        TrackedList,
        GivenColumns,
        TrackedDeque,
        PooledRow,
        dict,
        OrderedDict,
        defaultdict,
        deque,
        set,
    ),
    *(types.SimpleNamespace, types.CellType),
)


class Keys(tuple):
    """The keys of a dict or the items of a set, which equal others only if they are alike as well:
    1, 1.0 and True are not, nor are 0.0 and -0.0."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, tuple) and tuple.__eq__(self, other) and _are_alike(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple.__hash__


def _are_alike(a: Any, b: Any) -> bool:
    """Whether code cannot tell apart two equal keys."""
    if a is b:
        return True
    if isinstance(a, Keys) or type(a) is tuple is type(b):
        return all(map(_are_alike, a, b))
    if type(a) is not type(b):
        return False
    if isinstance(a, (set, frozenset)):
        items = {item: item for item in b}
        return all(_are_alike(item, items[item]) for item in a)
    return repr(a) == repr(b) if isinstance(a, (float, complex)) else True


class _Element:
    """What an array of objects holds: another one if it is not the same object, or has changed."""

    __slots__ = ("_inside", "_state", "item")

    def __init__(self, item: Any):
        self.item = item
        is_container = isinstance(item, (list, deque, dict, set, np.ndarray)) or _is_instance(item)
        self._state = contents(item) if is_container else None
        self._inside = tuple(map(_Element, self._state.values)) if self._state else ()

    def restore(self) -> None:
        """Put what it holds into the state it was in."""
        for element in self._inside:
            element.restore()
        if self._state is not None and _Element(self.item) != self:
            fill(self.item, self._state)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Element) or other.item is not self.item:
            return False
        keys = [one._state and one._state.keys for one in (self, other)]
        return keys[0] == keys[1] and self._inside == other._inside

    __hash__ = None  # type: ignore[assignment]  # as Python has it


class Contents(NamedTuple):
    """The state of a container.

    Attributes:
        keys: how it is built: its length, the keys of a dict, the names of attributes. Where
            control flow joins, it must be the same on all paths.
        values: what it holds, in the order of its keys.
    """

    keys: tuple
    values: tuple

    @property
    def is_rows(self) -> bool:
        """Whether this is a list kept as rows."""
        return self.keys[:1] == (ROWS,)

    def same(self, other: Contents) -> bool:
        return self.keys == other.keys and all(map(operator.is_, self.values, other.values))


# The state of an element of a list of lists, see `autograph.staging.lists.inner_lists`: that of the
# list.
_ELSEWHERE = Contents((0, "elsewhere"), ())


def is_container(item: Any) -> bool:
    """Whether an object can be changed in place, in a way that can be seen and undone."""
    if isinstance(item, _ATOMS):
        return False
    kinds = (list, deque, dict, set, *CELLS, np.ndarray, bytearray, array.array)
    return isinstance(item, kinds) or _is_instance(item)


def is_rebuilt(item: Any) -> bool:
    """Whether an equal container can be made from its keys and values."""
    return type(item) in _REBUILT or isinstance(item, NamedPlace) or is_user_object(item)


def contents(container: Any) -> Contents:
    """The present state of a container."""
    if type(container) is TrackedList and container._rows is None:  # of what there is most, quickly
        return Contents((list.__len__(container), None), tuple(list.__iter__(container)))
    if isinstance(container, CELLS):
        try:
            return Contents((True,), (container.cell_contents,))
        except ValueError:  # not assigned yet
            return Contents((False,), ())
    if isinstance(container, PlacedObject):
        return Contents((SEAT,), tuple(seat_of(container)))
    if is_sparse(container):
        parts = sparse_kinds.parts_of(container)
        return Contents((sparse_kinds.shape_of(container), *parts), tuple(parts.values()))
    match container:
        case GivenColumns():
            return Contents(container.keys, container.values)
        case np.ndarray():  # one that is not symbolic, but made by a library while recording
            if container.dtype == object:
                return Contents((container.shape, *map(_Element, container.flat)), ())
            return Contents((container.tobytes(),), ())
        case TrackedList() if container.seat is not None:
            return Contents((SEAT,), tuple(container.seat))
        case TrackedList() if container.home is not None:
            return _ELSEWHERE
        case TrackedList() if container._rows is not None:
            return Contents((ROWS, container._rows.structure), container._rows.columns)
        case list() | deque():
            values = tuple(list.__iter__(container) if isinstance(container, list) else container)
            items = Contents((len(values), getattr(container, "maxlen", None)), values)
        case defaultdict():
            keys = Keys((as_given(container.default_factory), *container))
            items = Contents(keys, tuple(dict.values(container)))
        case OrderedDict():
            keys = Keys(OrderedDict.__iter__(container))
            items = Contents(keys, tuple(dict.__getitem__(container, key) for key in keys))
        case dict():
            items = Contents(Keys(dict.keys(container)), tuple(dict.values(container)))
        case set():
            items = Contents(Keys((frozenset(container),)), ())
        case type():
            own = {k: v for k, v in vars(container).items() if _is_data(k, v)}
            return Contents(tuple(own), tuple(own.values()))
        case bytearray() | array.array():  # what code does with it happens at once
            items = Contents((bytes(container),), ())
        case _:
            items = Contents((), ())
    if not _is_instance(container):
        return items
    fixed, own = parted(type(container), attributes(container))
    return Contents((items.keys or fixed, *own), (*items.values, *own.values()))


def fill(container: Any, state: Contents) -> None:
    """Put a container into a state."""
    keys, values = state
    if state is _ELSEWHERE:
        return
    if isinstance(container, PlacedObject) or (
        keys[:1] == (SEAT,) and not isinstance(container, list)
    ):
        objects.sit(container, values if keys[:1] == (SEAT,) else None)
        if keys[:1] == (SEAT,):
            return
    if isinstance(container, np.ndarray) and container.dtype == object:
        for index, element in zip(np.ndindex(container.shape), keys[1:]):
            element.restore()
            if container[index] is not element.item:
                container[index] = element.item
        return
    if isinstance(container, np.ndarray):
        container[...] = np.frombuffer(keys[0], container.dtype).reshape(container.shape)
        return
    if isinstance(container, CELLS):
        if keys[0]:
            container.cell_contents = values[0]
        else:
            del container.cell_contents
        return
    if isinstance(container, TrackedList):
        sit(container, Seat(*values) if keys[:1] == (SEAT,) else None)
        if container.seat is not None:
            return
    if isinstance(container, TrackedList) and state.is_rows:
        container.become(Rows(keys[1], values) if len(keys) == 2 else rows_given(keys, values))
        return
    if is_sparse(container):
        sparse_kinds.fill(container, keys[0], values)
        return
    if isinstance(container, type):
        for name in set(contents(container).keys) - set(keys):
            type.__delattr__(container, name)
        for name, value in zip(keys, values):
            type.__setattr__(container, name, value)
        return
    if _is_instance(container):
        keys, names = keys[0], keys[1:]
        values, attributes = values[: len(values) - len(names)], values[len(values) - len(names) :]
        fixed = dict(keys) if type(keys) is Fixed else {}
        _set_attributes(container, {**fixed, **dict(zip(names, attributes))})
    if isinstance(container, TrackedList):
        container.become(None)
    if isinstance(container, list):
        list.__setitem__(container, slice(None), values)
    elif isinstance(container, deque):
        if len(container) != len(values):
            container.clear()
            container.extend(values)
        for place, value in enumerate(values):  # a loop may go through it
            container[place] = value
    elif isinstance(container, dict):
        # Not a subclass's own methods; but an ordered one keeps an order besides that of the dict.
        kind = OrderedDict if isinstance(container, OrderedDict) else dict
        keys = keys[1:] if isinstance(container, defaultdict) else keys
        known = tuple(kind.__iter__(container))
        if len(known) != len(keys) or not all(map(operator.is_, known, keys)):
            kind.clear(container)  # else a loop that goes through it is where it was
        for key, value in zip(keys, values):
            kind.__setitem__(container, key, value)
    elif isinstance(container, set):
        container.clear()
        container.update(keys[0])
    elif isinstance(container, bytearray):
        container[:] = keys[0]
    elif isinstance(container, array.array):
        del container[:]
        container.frombytes(keys[0])


def empty_like(kind: type, keys: tuple) -> Any:
    """A new container, to be filled, for `Contents` with these keys."""
    if kind is list:
        return TrackedList()
    if kind is TrackedList:
        made = TrackedList()
        if keys and isinstance(keys[0], Unread):
            made.unread = keys[0]
        return made
    if kind is deque:
        return deque(maxlen=keys[1])
    if kind is defaultdict:
        return defaultdict(recorded(keys[0]))
    if issubclass(kind, NamedPlace):
        return types.CellType()
    if kind in _REBUILT:
        return kind()
    is_placed = keys == (SEAT,) and not issubclass(kind, list)  # in a heap of the caller's objects
    return object.__new__(objects.kept_class(made_of(kind)) if is_placed else kind)


def slot_names(name: str, container: Any, state: Contents) -> list[str]:
    """What to call each of the values of a container that is called ``name``."""
    keys = state.keys
    if isinstance(container, CELLS) or state.is_rows or keys[:1] == (SEAT,):
        return [name] * len(state.values)
    names: list[str] = []
    attributes: tuple = ()
    if _is_instance(container):
        keys, attributes = keys[0], keys[1:]
    if isinstance(container, type):
        return [f"{name}.{key}" for key in keys]
    if isinstance(container, (list, deque)):
        names = [f"{name}[{position}]" for position in range(keys[0])]
    elif isinstance(container, dict):
        keys = keys[1:] if isinstance(container, defaultdict) else keys
        names = [f"{name}[{key!r}]" for key in keys]
    return [*names, *(f"{name}.{attribute}" for attribute in attributes)]


def reachable(roots: Iterable[Any], errors: list[BaseException] | None = None) -> ByIdentity:
    """The containers that can be reached from functions, containers and other objects: for each,
    what the user may call it.

    Args:
        errors: is given the exceptions that can be.
    """
    found = ByIdentity()
    seen: dict[int, Any] = {}
    # The last first: what comes from functions has the user's names.
    pending: list[tuple[str, Any]] = [("", root) for root in roots][::-1]
    while pending:
        name, item = pending.pop()
        if type(item) in _LEAVES or id(item) in seen:
            continue
        kind = item if isinstance(item, type) else type(item)
        if "<locals>" in kind.__qualname__ and id(kind) not in seen:
            seen[id(kind)] = kind
            pending.extend(("", function) for function in _local_functions(kind))
            found[kind] = kind.__name__
            pending.extend(("", value) for value in contents(kind).values)
        if isinstance(item, _ATOMS) and not isinstance(item, (Choice, ObjectOrNone)):
            continue
        seen[id(item)] = item
        if isinstance(item, types.FunctionType):
            cells = zip(item.__code__.co_freevars, item.__closure__ or ())
            pending.extend((unversioned(variable), cell) for variable, cell in cells)
            pending.extend(("", value) for value in item.__defaults__ or ())
            pending.extend(("", value) for value in (item.__kwdefaults__ or {}).values())
            if "<locals>" in item.__qualname__:
                pending.append((name, item.__dict__))
        elif isinstance(item, types.MethodType):
            pending += [(name, item.__self__), (name, item.__func__)]
        elif type(item) is GivenFunction:
            pending.append((name, item.cell))
        elif isinstance(item, (types.BuiltinMethodType, types.MethodWrapperType)):
            pending.append((name, item.__self__))  # as ``d.pop`` and ``d.__setitem__`` of a dict
        elif isinstance(item, functools.partial):
            pending += [(name, part) for part in (item.func, item.args, item.keywords)]
        elif isinstance(item, (MaybeUndefined, ObjectOrNone)):
            pending.append((name, item.content))
        elif isinstance(item, Choice):
            pending.extend((name, part) for part in item.objects)
        elif isinstance(item, Items):  # of which functions make the elements, as in ``map``
            pending.append((name, item.item))
        elif isinstance(item, Filtered):
            pending += [(name, part) for part in (item.source, item.keeps, item.function)]
        elif isinstance(item, (tuple, frozenset)):
            pending.extend((f"{name}[{i}]", part) for i, part in enumerate(item))
        elif isinstance(item, BaseException):
            if errors is not None:
                errors.append(item)
        elif _wrapped(item) is not None:  # what a decorator made of a function
            pending.append((name, _wrapped(item)))
        elif is_container(item):
            found[item] = name or f"a {type(item).__name__}"
            state = contents(item)
            if state is _ELSEWHERE:
                pending.append(("", item.home.root))
            elif state.is_rows:
                pending.extend(("", kind) for kind in _classes_in(state.keys[1]))
            if not _LEAVES.issuperset(map(type, state.values)):
                pending.extend(zip(slot_names(name, item, state), state.values))
    return found


def _is_data(name: str, attribute: Any) -> bool:
    """Whether an attribute of a class is neither a method nor one that Python has made."""
    is_special = name.startswith("__") and name.endswith("__")
    return not is_special and not hasattr(type(attribute), "__get__")


def _local_functions(kind: type) -> Iterator[Any]:
    """The functions of a class that is defined in a function, and may change what they capture."""
    for owner in kind.__mro__:
        for value in vars(owner).values() if "<locals>" in owner.__qualname__ else ():
            if isinstance(value, property):
                yield from (value.fget, value.fset, value.fdel)
            elif isinstance(value, (staticmethod, classmethod)):
                yield value.__func__
            elif isinstance(value, types.FunctionType):
                yield value


def _classes_in(structure: Any) -> Iterator[type]:
    """The classes of the objects in a list that is kept as rows."""
    if isinstance(structure, RecordOf):
        yield made_of(structure.kind)
    parts = (structure.part,) if isinstance(structure, ListOf) else getattr(structure, "parts", ())
    for part in parts:
        yield from _classes_in(part)


def _wrapped(item: Any) -> Any:
    """The function that a callable object was made of, if it says so."""
    if isinstance(item, PlacedObject):
        return None
    try:
        return object.__getattribute__(item, "__dict__").get("__wrapped__")
    except AttributeError:  # it has no attributes of its own
        return None


def _is_instance(item: Any) -> bool:
    kind = type(item)
    if kind in (types.SimpleNamespace, np.poly1d) or issubclass(
        kind, (Iteration, Recorded, PlacedObject)
    ):
        return True
    if package_of(kind) in _OWN_PACKAGES or isinstance(
        item, (types.FunctionType, types.ModuleType, type, BaseException)
    ):
        return False
    return hasattr(item, "__dict__") or bool(slots_of(kind))


def attributes(item: Any) -> Iterator[tuple[str, Any]]:
    """The attributes of an instance, without those of its class."""
    if isinstance(item, PlacedObject):  # which are elsewhere
        return
    slots = slots_of(type(item))
    for name in slots:
        with contextlib.suppress(AttributeError):  # not assigned
            yield name, object.__getattribute__(item, name)
    held = getattr(item, "__dict__", {})
    if slots:  # which come before what the dict has under their names
        held = {name: value for name, value in held.items() if name not in slots}
    yield from held.items()


def _set_attributes(item: Any, values: dict[str, Any]) -> None:
    slots = slots_of(type(item))
    for name in slots:
        if name in values:
            object.__setattr__(item, name, values[name])
        elif any(name == present for present, _ in attributes(item)):
            object.__delattr__(item, name)
    if hasattr(item, "__dict__"):
        rest = {name: value for name, value in vars(item).items() if name in slots}
        rest.update((name, value) for name, value in values.items() if name not in slots)
        vars(item).clear()
        vars(item).update(rest)
