"""Whether the arguments of a call are like those of an earlier one, found out by machine code.

A compiled function is looked up by how its arguments are nested and typed, which takes Python
longer than most functions run. Most calls are like the last one; a *pattern* tells whether one is.
It may say that it is not where the look-up would say that it is, but never the other way round.

The patterns that ``match.h`` reads are written here.
"""

from __future__ import annotations

import struct
import types
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from autograph.kernels.native import python_api
from ops.core.registry import Op

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
    """

    attributes: dict[str, Any]
    constants: Collection[str]


def no_parts(value: Any) -> ObjectParts | None:
    """Where nothing is taken apart but tuples, lists and dicts."""


class _NoPattern(Exception):
    """There are arguments for which there is no pattern."""


class Pattern(NamedTuple):
    """What ``match.h`` reads, and the objects to which it refers, which have to live as long."""

    data: bytes
    used: list[Any]


def pattern(
    args: tuple,
    kwargs: dict[str, Any],
    leaves: Sequence[Any],
    traced: Sequence[int],
    outside: Iterable[tuple[Any, str, Any]] = (),
    parts_of: Callable[[Any], ObjectParts | None] = no_parts,
) -> Pattern | None:
    """The pattern of calls that are like one.

    Args:
        args, kwargs: of the call.
        leaves: of the arguments, as the look-up sees them.
        traced: the positions, in order, of those leaves of which only dtype and shape count. The
            values of the others do.
        outside: what else has to hold: a variable in a cell or a dict, or a field of a function,
            its name, and the object that it is bound to; `ABSENT` for a name that a dict does not
            have.
        parts_of: gives what the look-up sees an object as; None for a leaf.

    Returns:
        The pattern of calls whose arguments are nested and typed as these, the other leaves being
        the same, while everything outside is as it was. None, if there are arguments that no
        pattern can tell about.
    """
    writer = _Writer(leaves, traced, parts_of)
    try:
        for place, name, value in outside:
            writer.outside(place, name, value)
        writer.add(0, len(args))
        for value in args:
            writer.node(value)
        writer.add(len(kwargs))
        for name, value in kwargs.items():
            writer.key(name)
            writer.node(value)
    except _NoPattern:
        return None
    if writer.found != list(traced) or writer.count != len(leaves) or writer.count > _MOST:
        return None
    if writer.containers > _MOST_CONTAINERS:
        return None
    words = [len(writer.found), writer.containers, *writer.words]
    return Pattern(struct.pack(f"<{len(words)}q", *words), writer.used)


class _Writer:
    """Writes a pattern.

    Attributes:
        words: of the pattern.
        used: the objects to which they refer.
        count: how many leaves there are.
        found: the positions of those that the matcher gives.
        containers: how many lists, dicts and objects there are.
    """

    def __init__(
        self,
        leaves: Sequence[Any],
        traced: Collection[int],
        parts_of: Callable[[Any], ObjectParts | None],
    ):
        self.words: list[int] = []
        self.used: list[Any] = []
        self.count = 0
        self.found: list[int] = []
        self._leaves = leaves
        self._traced = frozenset(traced)
        self.containers = 0
        self._parts_of = parts_of
        self._met: set[int] = set()
        self._depth = 0
        self._bound: set[tuple[int, str]] = set()

    def add(self, *words: int) -> None:
        self.words += words

    def _refer(self, value: Any) -> int:
        self.used.append(value)
        return id(value)

    def outside(self, place: Any, name: str, value: Any) -> None:
        """That a variable or a field of a function is bound to an object."""
        if (id(place), name) in self._bound:
            return
        self._bound.add((id(place), name))
        if isinstance(place, types.FunctionType):
            field = self._refer(place) + python_api.function_fields()[name]
            self.add(4, field, 0 if value is None else self._refer(value))
        elif value is ABSENT:
            self.add(3, self._refer(place), self._refer(name))
        elif isinstance(place, types.CellType):
            self.add(2, self._refer(place), self._refer(value))
        else:
            self.add(1, self._refer(place), self._refer(name), self._refer(value))

    def node(self, value: Any) -> None:
        """The node of an argument or of a part of one."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _NoPattern
        kind = type(value)
        if kind is tuple or _is_named(kind):
            self.add(4, self._refer(kind), len(value))
            for item in value:
                self.node(item)
        elif kind is list:
            self._container(value)
            self.add(5, len(value))
            for item in value:
                self.node(item)
        elif kind is dict:
            self._container(value)
            self.add(6)
            self._items(value)
        elif (parts := self._parts_of(value)) is not None:
            self._container(value)
            self.add(7, self._refer(kind))
            self._items(*parts)
        else:
            self._leaf(value)
        self._depth -= 1

    def _container(self, value: Any) -> None:
        """A list, dict or object, which has to be another one than those before."""
        if id(value) in self._met:
            raise _NoPattern
        self._met.add(id(value))
        self.containers += 1

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
            self.add(4, self._refer(tuple), len(value))
            for item in value:
                self._constant(item)
        elif _is_told_by_equality(value):
            self.add(3, self._refer(value))
        else:
            self.add(2, self._refer(value))

    def key(self, key: Any) -> None:
        """The key of an item of a dict, or the name of an argument."""
        if type(key) is not str and type(key) is not int:
            raise _NoPattern
        self.add(self._refer(key))

    def _leaf(self, value: Any) -> None:
        position = self.count
        if position >= len(self._leaves) or value is not self._leaves[position]:
            raise _NoPattern  # something that is a leaf here only
        self.count += 1
        if position not in self._traced:
            self._static(value)
            return
        self.found.append(position)
        kind = type(value)
        if kind is np.ndarray and value.dtype.isbuiltin == 1 and value.dtype.kind in "biufc":
            self.add(1, self._refer(value.dtype), value.dtype.num, value.ndim, *value.shape)
        elif kind in (int, float, complex) or (kind in _SCALARS):
            self.add(0, self._refer(kind))
        else:
            raise _NoPattern

    def _static(self, value: Any) -> None:
        kind = type(value)
        if value is None or kind is bool or isinstance(value, _IDENTICAL):
            self.add(2, self._refer(value))
        elif _is_told_by_equality(value):
            self.add(3, self._refer(value))
        else:
            raise _NoPattern


def _is_told_by_equality(value: Any) -> bool:
    """Whether equal values of its type are the same; not so zeros and NaN."""
    kind = type(value)
    return kind is str or kind is int or (kind is float and value * 0.0 == 0.0 and value != 0.0)


def _is_named(kind: type) -> bool:
    """Whether a class is one of tuples whose items have names, and have nothing else."""
    named = issubclass(kind, tuple) and hasattr(kind, "_fields")
    iterate = getattr(kind, "__iter__", None)
    return named and kind.__dictoffset__ == 0 and iterate is tuple.__iter__
