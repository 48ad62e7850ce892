"""Why a function is recorded again, in words, for the debug log."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from types import BuiltinFunctionType, CellType, FunctionType, MappingProxyType
from typing import Any

import numpy as np

from autograph.backends.select import is_array
from autograph.source.tree.free import Lookup
from autograph.staging.border.constancy import static_key
from autograph.staging.border.signature import leaf_key, traced_type
from ops.core.records import NamedTuple
from ops.core.types import type_of
from ops.random.numpy_streams import bits_of, is_generator


class ArgumentFacts(NamedTuple):
    """What a graph depends on of one leaf of the arguments.

    Attributes:
        key: see `leaf_key`.
        value: the key of its value, if the graph depends on that as well.
        text: this in words.
    """

    key: Hashable
    value: Hashable | None
    text: str

    def differs(self, other: ArgumentFacts) -> bool:
        values = (self.value, other.value)
        return self.key != other.key or (None not in values and self.value != other.value)


Summary = Mapping[str, ArgumentFacts]  # by name


def summary(
    names: Sequence[str],
    leaves: Sequence[Any],
    static: Collection[int],
    open_types: Mapping[int, object] = MappingProxyType({}),
) -> Summary:
    """What a graph depends on of the arguments of a call; of those at the positions ``static``
    also the values.

    Args:
        open_types: the types, by position, of arrays some of whose lengths may be any.
    """
    found = {
        name: ArgumentFacts(leaf_key(leaf), static_key(leaf), _text(leaf))
        if position in static
        else ArgumentFacts(leaf_key(leaf), None, str(open_types.get(position) or in_words(leaf)))
        for position, (name, leaf) in enumerate(zip(names, leaves))
    }
    generators: dict[int, str] = {}
    for name, leaf in zip(names, leaves):
        if is_generator(leaf):
            first = generators.setdefault(id(leaf), name)
            if first != name:
                found[name] = ArgumentFacts(
                    ("same", first), found[name].value, f"the same as '{first}'"
                )
    return found


def differences(now: Summary, earlier: Sequence[Summary]) -> str:
    """What distinguishes a call from the earlier one most like it; "" if there was none."""
    if not earlier:
        return ""
    found = [_differences(now, before) for before in reversed(earlier)]
    fewest = min(found, key=len)
    return ", ".join(fewest)


def _differences(now: Summary, before: Summary) -> list[str]:
    changes = []
    for name in (*before, *(name for name in now if name not in before)):
        if name not in now:
            changes.append(f"there is no argument '{name}'")
        elif name not in before:
            changes.append(f"there is a new argument '{name}': {now[name].text}")
        elif now[name].differs(before[name]):
            changes.append(f"argument '{name}' {change(before[name].text, now[name].text)}")
    return changes or ["the arguments are nested in another way"]


def change(before: str, now: str) -> str:
    """That something was ``before`` and is ``now``."""
    return f"was {before}, is {now}" if before != now else f"is another {now}, or holds others"


def in_words(value: Any) -> str:
    """What a graph depends on of an argument or outside variable that is not changed."""
    return _text(value) if traced_type(value) is None else _type(value)


def _type(value: Any) -> str:
    text = str(type_of(value))
    return f"{text} (an array)" if is_array(value) and not value.shape else text


_ATOMS = (str, bytes, int, float, complex, type(None), range, slice)


def _text(value: Any) -> str:
    """A short text that does not call methods of the user's."""
    if isinstance(value, _ATOMS) and type(value).__module__ == "builtins":
        return reprlib.repr(value)
    if isinstance(value, np.generic):
        return str(value)
    if is_array(value):
        return _type(value)
    if isinstance(value, (FunctionType, BuiltinFunctionType, type)):
        return value.__qualname__
    if is_generator(value):
        return f"{type(value).__name__}({type(bits_of(value)).__name__})"
    return f"{type(value).__name__} object"


class Binding(NamedTuple):
    """That a variable or field is bound to an object.

    Attributes:
        place: the cell, dict or function that holds it.
        name: of the variable; of a function the field.
        value: the object; MISSING if a dict shall have none of that name.
    """

    place: CellType | FunctionType | dict[str, Any]
    name: str
    value: Any


class Guard:
    """Something outside of a function that its graph depends on; called, it tells whether that is
    as it was.

    Args:
        name: of the variable or attribute, as the user's source has it.
        get: gives what it is bound to.
        holds: whether that is as it was.
        binding: while a variable is bound like this, the guard holds.
        owner: while no attribute of this class and those that it derives from is assigned, the
            guard holds.

    Attributes:
        variable: the free variable of a function that it is on, if it is on one.
        value: what that was bound to.
    """

    __slots__ = ("_before", "_get", "_holds", "_name", "binding", "owner", "value", "variable")

    def __init__(
        self,
        name: str,
        get: Callable[[], Any],
        holds: Callable[[], bool],
        binding: Binding | None = None,
        owner: type | None = None,
    ):
        self.binding = binding
        self.owner = owner
        self._name = name
        self._get = get
        self._holds = holds
        self.value = get()
        self.variable: Lookup | None = None
        self._before = _text(self.value)

    def __call__(self) -> bool:
        return self._holds()

    def present(self) -> Any:
        """What it is bound to now."""
        return self._get()

    @property
    def lookup_of(self) -> Callable[[], Any]:
        """What gives it."""
        return self._get

    @property
    def name(self) -> str:
        """What the user's source calls it."""
        return self._name

    def bound(self) -> Binding | None:
        """What it asks besides what its value holds; None if that can't be told."""
        return self.binding

    def described(self) -> str:
        """What it was when the function was recorded."""
        return f"{self._name}: {self._before}"

    def __str__(self) -> str:
        """What has changed."""
        return f"'{self._name}' {change(self._before, _text(self._get()))}"


class Assumption(Guard):
    """A guard on something that hardly ever changes, and that reports leave out: what functions are
    made of, built-ins, and what libraries hold."""

    __slots__ = ()


def each_once(guards: Iterable[Guard], met: set[Any] | None = None) -> Iterator[Guard]:
    """Guards without those that ask what an earlier one asks: a function that is called in many
    places is looked up in each of them, and all that it is made of with it.

    Args:
        met: what earlier ones have asked, to which that of these is added.
    """
    met = set() if met is None else met
    for guard in guards:
        bound = guard.bound()
        if bound is not None:
            place, name, value = bound
            key = type(guard), guard.name, id(place), name, id(value)
            if key in met:
                continue
            met.add(key)
        yield guard
