"""Whether the arguments of a call are like those of an earlier one, found out by machine code.

A compiled function is looked up by how its arguments are nested and typed, which takes Python
longer than most functions run. Most calls are like the last one; a *pattern* tells whether one is.
It may say that it is not where the look-up would say that it is, but never the other way round.

The patterns that ``match.h`` reads are written here.
"""

from __future__ import annotations

import struct
import types
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from autograph.kernels.native import python_api
from ops.core.records import NamedTuple
from ops.core.registry import Op
from ops.random.numpy_streams import is_generator

_DEEPEST, _MOST = 50, 1000  # nesting, and leaves: they are on the stack
_MOST_CONTAINERS = 300  # each is compared with those before

# The types of NumPy scalars of which there are no subtypes with units or sizes.
_SCALARS = frozenset(np.dtype(code).type for code in "?bhilqBHILQefdFD")

# Static arguments that count by what they are, not by what they hold.
_IDENTICAL = (
    *(type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType),
    *(np.ufunc, type(np.sum), Op),
)


# What a dict holds under a name that it does not have.
ABSENT = object()


class ObjectParts(NamedTuple):
    """What an object of a user's class is made of.

    Attributes:
        attributes: all that instances of its class have.
        constants: the names of those that are part of how the object is made, and no leaves.
        slots: where those lie in the object that are in slots, and what they are; None if its class
            has no slots.
        is_open: whether it has other attributes.
    """

    attributes: dict[str, Any]
    constants: Collection[str]
    slots: dict[int, Any] | None = None
    is_open: bool = True


def no_parts(value: Any) -> ObjectParts | None:
    """Where nothing is taken apart but tuples, lists and dicts."""


class OpenLengths(NamedTuple):
    """Lengths of arrays that may be others in each call.

    Attributes:
        shapes: of leaves, by position; a negative length is a symbol's number, from -1 on.
        bounds: what each symbol is at least and at most.
    """

    shapes: Mapping[int, tuple[int, ...]]
    bounds: Mapping[str, tuple[int, int]]


def never(value: Any) -> bool:
    """Where nothing is known of static values but their classes."""
    return False


class Inside(NamedTuple):
    """Objects from outside that have to hold what they do.

    Attributes:
        objects: the objects.
        guard: tells whether they do, where no pattern can.
        is_raw: whether the elements of arrays count, and what classes and modules hold.
    """

    objects: Sequence[Any]
    guard: Callable[[], bool]
    is_raw: bool = False


class _NoPattern(Exception):
    """There are arguments for which there is no pattern."""


class Pattern(NamedTuple):
    """What ``match.h`` reads.

    Attributes:
        data: the pattern.
        used: the objects to which it refers, which have to live as long.
        guards: what has to hold besides.
        versions: those of classes that have to be the same.
    """

    data: bytes
    used: list[Any]
    guards: list[Callable[[], bool]]
    versions: list[tuple[type, int]]


NONE_PACKED: Mapping[int, int] = MappingProxyType({})


def pattern(
    args: tuple,
    kwargs: dict[str, Any],
    leaves: Sequence[Any],
    traced: Sequence[int],
    outside: Iterable[tuple[Any, str, Any]] = (),
    parts_of: Callable[[Any], ObjectParts | None] = no_parts,
    roots: Sequence[Any] = (),
    stays: Callable[[Any], bool] = never,
    inside: Iterable[Inside] = (),
    versions: Callable[[], Iterable[tuple[type, int]]] = tuple,
    lengths: OpenLengths | None = None,
    unread: Collection[int] = (),
    packed: Mapping[int, int] = NONE_PACKED,
    whole: Collection[int] = (),
) -> Pattern | None:
    """The pattern of calls that are like one.

    Args:
        args, kwargs: of the call.
        leaves: of the arguments, as the look-up sees them.
        traced: the positions, in order, of those leaves of which only dtype and shape count. The
            values of the others do.
        outside: what else has to hold: a variable in a cell or a dict, or a field of a function,
            its name, and the object that it is bound to; `ABSENT` for a name that a dict does not
            have. Or a class, "", and its version.
        parts_of: gives what the look-up sees an object as; None for a leaf.
        roots: objects from outside that come before the arguments.
        stays: whether something outside is as it was as long as it is the same object.
        inside: what else has to be as it was.
        versions: gives classes with their versions, when all objects have been gone through.
        lengths: those that may be others.
        unread: the identities of lists whose elements do not count.
        packed: the identities of lists that are given as they are in place of some leaves, one
            after the other, with how many these are.
        whole: the identities of objects that are leaves.

    Returns:
        The pattern of calls whose arguments are nested and typed as these, the other leaves being
        the same, while everything outside is as it was. None, if there are arguments that no
        pattern can tell about.
    """
    shapes = {} if lengths is None else lengths.shapes
    writer = _Writer(leaves, traced, parts_of, stays, shapes, unread, packed, whole)
    guards = []
    try:
        writer.add(len(roots))
        writer.is_outside = True
        for root in roots:
            writer.add(writer.refer(root))
            writer.node(root)
        writer.is_outside = False
        writer.add(len(args))
        for value in args:
            writer.node(value)
        writer.add(len(kwargs))
        for name, value in kwargs.items():
            writer.key(name)
            writer.node(value)
        given = writer.take()
        for part in inside:
            if not writer.inside(part.objects, part.is_raw):
                guards.append(part.guard)
        held = writer.take()
        for place, name, value in outside:
            writer.outside(place, name, value)
        for kind, version in versions():
            writer.outside(kind, "", version)
    except _NoPattern:
        return None
    if writer.found != list(traced) or writer.count != len(leaves) or writer.count > _MOST:
        return None
    if writer.containers > _MOST_CONTAINERS:
        return None
    room = max(writer.containers, writer.room)
    bounds = [] if lengths is None else [n for each in lengths.bounds.values() for n in each]
    head = [len(writer.found) - writer.fewer, writer.containers, room, len(bounds) // 2, *bounds]
    words = [*head, *writer.words, *held, 0, *given]
    return Pattern(struct.pack(f"<{len(words)}q", *words), writer.used, guards, writer.versions)


class _Writer:
    """Writes a pattern.

    Attributes:
        words: of the pattern.
        used: the objects to which they refer.
        count: how many leaves there are.
        found: the positions of those that the matcher gives.
        fewer: how many fewer objects it gives, as a list may stand for several.
        containers: how many lists, dicts, objects and cells there are.
        room: for how many of them there has to be room outside.
        is_outside: whether what is written now is from outside.
        versions: of classes.
    """

    def __init__(
        self,
        leaves: Sequence[Any],
        traced: Collection[int],
        parts_of: Callable[[Any], ObjectParts | None],
        stays: Callable[[Any], bool],
        shapes: Mapping[int, tuple[int, ...]],
        unread: Collection[int],
        packed: Mapping[int, int],
        whole: Collection[int],
    ):
        self._shapes = shapes
        self._whole = whole
        self._unread = unread
        self._packed = packed
        self.fewer = 0
        self.words: list[int] = []
        self.used: list[Any] = []
        self.count = 0
        self.found: list[int] = []
        self._leaves = leaves
        self._traced = frozenset(traced)
        self.containers = 0
        self.room = 0
        self.versions: list[tuple[type, int]] = []
        self.is_outside = False
        self._is_inside = self._is_raw = False
        self._parts_of = parts_of
        self._stays = stays
        self._met: set[int] = set()
        self._depth = 0
        self._bound: set[tuple[int, str]] = set()

    def add(self, *words: int) -> None:
        self.words += words

    def take(self) -> list[int]:
        """The words that were written since the last time."""
        taken, self.words = self.words, []
        return taken

    def refer(self, value: Any) -> int:
        self.used.append(value)
        return id(value)

    def outside(self, place: Any, name: str, value: Any) -> None:
        """That a variable or a field of a function is bound to an object."""
        if (id(place), name) in self._bound:
            return
        self._bound.add((id(place), name))
        if isinstance(place, type):  # and its version
            self.refer(place)
            self.versions.append((place, value))
            self.add(4, python_api.version_place(place), value)
        elif isinstance(place, types.FunctionType):
            field = self.refer(place) + python_api.function_fields()[name]
            self.add(4, field, 0 if value is None else self.refer(value))
        elif value is ABSENT:
            self.add(3, self.refer(place), self.refer(name))
        elif isinstance(place, types.CellType):
            self.add(2, self.refer(place), self.refer(value))
        else:
            self.add(1, self.refer(place), self.refer(name), self.refer(value))

    def inside(self, objects: Sequence[Any], is_raw: bool) -> bool:
        """That objects hold what they do. Returns whether there is a pattern that tells."""
        before = len(self.words), len(self.used), self._met, self.containers, self._depth
        self._is_inside, self._is_raw = True, is_raw
        try:
            for value in objects:
                self._met, self.containers = set(), 0
                self.add(5, self.refer(value))
                self.node(value)
                self.room = max(self.room, self.containers)
                if self.containers > _MOST_CONTAINERS:
                    raise _NoPattern
        except _NoPattern:
            del self.words[before[0] :], self.used[before[1] :]
            return False
        finally:
            self._is_inside = self._is_raw = False
            self._met, self.containers, self._depth = before[2:]
        return True

    def node(self, value: Any) -> None:
        """The node of an argument, of an object from outside, or of a part of one."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _NoPattern
        kind = type(value)
        if kind is tuple or _is_named(kind):
            self.add(4, self.refer(kind), len(value))
            for item in value:
                self.node(item)
        elif kind is types.CellType and (self.is_outside or self._is_inside):
            self._container(value)
            self.add(9)
            try:
                self.node(value.cell_contents)
            except ValueError:
                raise _NoPattern from None
        elif kind is list:
            self._container(value)
            if id(value) in self._packed and not self._is_inside:
                self._packed_list(self._packed[id(value)])
                self._depth -= 1
                return
            is_unread = id(value) in self._unread and not self._is_inside
            self.add(5, -1 if is_unread else len(value))
            for item in () if is_unread else value:
                self.node(item)
        elif kind is dict:
            self._container(value)
            self.add(6)
            self._items(value)
        elif not self._is_whole(value) and (parts := self._parts_of(value)) is not None:
            self._container(value)
            self._object(kind, parts)
        else:
            self._leaf(value)
        self._depth -= 1

    def _is_whole(self, value: Any) -> bool:
        """Whether an object is a leaf."""
        return id(value) in self._whole and not self._is_inside

    @staticmethod
    def _is_number(value: Any) -> bool:
        """Whether something is a number, or a generator, of which the type alone counts."""
        kind = type(value)
        return kind in (int, float, complex) or kind in _SCALARS or is_generator(value)

    def _packed_list(self, count: int) -> None:
        """A list that stands for so many leaves."""
        positions = range(self.count, self.count + count)
        if not self._traced.issuperset(positions):
            raise _NoPattern
        self.found += positions
        self.count += count
        self.fewer += count - 1
        self.add(5, -2)

    def _container(self, value: Any) -> None:
        """A list, dict or object, which has to be another one than those before."""
        if id(value) in self._met:
            raise _NoPattern
        self._met.add(id(value))
        self.containers += 1
        if self._is_inside:
            self.add(10, self.refer(value))

    def _object(self, kind: type, parts: ObjectParts) -> None:
        """An object of a user's class."""
        if parts.slots is None:
            self.add(7, self.refer(kind))
        else:
            self.add(8, self.refer(kind), len(parts.slots))
            for offset, value in parts.slots.items():
                self.add(offset)
                self.node(value)
            if not parts.is_open:
                self.add(-1)
                return
        self._items(parts.attributes, parts.constants)

    def _items(self, items: dict[Any, Any], constants: Collection[str] = ()) -> None:
        self.add(len(items))
        for key, value in items.items():
            self.key(key)
            if key in constants:
                self._constant(value)
            else:
                self.node(value)

    def _constant(self, value: Any) -> None:
        """Something that cannot be changed, and is no leaf."""
        if type(value) is tuple:
            self.add(4, self.refer(tuple), len(value))
            for item in value:
                self._constant(item)
        elif _is_told_by_equality(value):
            self.add(3, self.refer(value))
        else:
            self.add(2, self.refer(value))

    def key(self, key: Any) -> None:
        """The key of an item of a dict, or the name of an argument."""
        if type(key) is not str and type(key) is not int:
            raise _NoPattern
        self.add(self.refer(key))

    def _leaf(self, value: Any) -> None:
        if self._is_inside:
            self._known(value)
            return
        position = self.count
        if position >= len(self._leaves) or value is not self._leaves[position]:
            raise _NoPattern  # something that is a leaf here only
        self.count += 1
        if position not in self._traced:
            (self._known if self.is_outside else self._static)(value)
            return
        self.found.append(position)
        kind = type(value)
        if _is_plain_array(value):
            self._array(1, value, self._shapes.get(position))
        elif self._is_whole(value) or self._is_number(value):
            self.add(0, self.refer(kind))
        else:
            raise _NoPattern

    def _array(self, node: int, array: np.ndarray, shape: tuple[int, ...] | None = None) -> None:
        """That something is an array of the same dtype, and of the same shape or another one."""
        shape = array.shape if shape is None else shape
        self.add(node, self.refer(array.dtype), array.dtype.num, array.ndim, *shape)

    def _known(self, value: Any) -> None:
        """A constant from outside: an array is the same if it is the same object, of the same dtype
        and shape."""
        kind = type(value)
        if self._is_raw and isinstance(value, (np.ndarray, type, types.ModuleType)):
            raise _NoPattern
        if _is_plain_array(value):
            self.add(10, self.refer(value))
            self._array(12, value)
        elif kind is float:
            (bits,) = struct.unpack("<q", struct.pack("<d", value))
            self.add(11, bits)
        elif kind is str or kind is int:
            self.add(3, self.refer(value))
        elif value is None or kind is bool or kind in _SCALARS or self._stays(value):
            self.add(2, self.refer(value))
        else:
            raise _NoPattern

    def _static(self, value: Any) -> None:
        kind = type(value)
        if value is None or kind is bool or isinstance(value, _IDENTICAL):
            self.add(2, self.refer(value))
        elif _is_told_by_equality(value):
            self.add(3, self.refer(value))
        else:
            raise _NoPattern


def _is_plain_array(value: Any) -> bool:
    """Whether a value is an array of numbers, of no other class."""
    if type(value) is not np.ndarray:
        return False
    return value.dtype.isbuiltin == 1 and value.dtype.kind in "biufc"


def _is_told_by_equality(value: Any) -> bool:
    """Whether equal values of its type are the same; not so zeros and NaN."""
    kind = type(value)
    return kind is str or kind is int or (kind is float and value * 0.0 == 0.0 and value != 0.0)


def _is_named(kind: type) -> bool:
    """Whether a class is one of tuples whose items have names, and have nothing else."""
    named = issubclass(kind, tuple) and hasattr(kind, "_fields")
    iterate = getattr(kind, "__iter__", None)
    return named and kind.__dictoffset__ == 0 and iterate is tuple.__iter__
