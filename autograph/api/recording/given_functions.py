"""Calls of functions that are given functions: ``newton(lambda x: x * x - a, 1.0)``.

A lambda, a function that another one makes, a method or a partial application is another object
each time that it is reached. The first call is compiled for the function that it is given, as it
is. From the second one of the same code on, *stand-ins* are given in place of the functions, whose
variables are inputs; see `autograph.api.recording.alike`. Which function it is may nobody tell: it
is only called, or passed to functions that do no more; see `autograph.source.passing`.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Hashable, Iterator, Mapping
from types import CellType, FunctionType, MethodType
from typing import Any

from autograph.api.calls.compiled import Compiled
from autograph.api.kept import RecentEntries
from autograph.api.recording.alike import Alike, Member, origin
from autograph.api.recording.bases import FUNCTIONS, Binding, Shareable, base_of
from autograph.api.recording.list_forms import Flat
from autograph.api.recording.recorded import RecordedFunction
from autograph.source.passing import OnlyCalled
from autograph.staging.border.delivery import Argument, GivenContainer
from autograph.staging.border.signature import root_paths
from autograph.staging.trace import Traced

_MOST = 16  # codes of functions that one function is given, of which something is kept

Place = int | str  # the position of an argument, or its keyword


class _Taking(Shareable):
    """A function, with those that it is given.

    Args:
        function: the function.
        given: those, by the places of the arguments.
    """

    def __init__(self, function: FunctionType, given: Mapping[Place, Shareable]):
        super().__init__()
        self._function = function
        self._given = given
        for place, part in given.items():
            for name, get in part.variables.items():
                own = self._name(place, name)
                self.variables[own] = get
                self.names[own] = part.names.get(name, name)
            self.fixed.update((self._name(place, k), v) for k, v in part.fixed.items())

    @staticmethod
    def _name(place: Place, name: str) -> str:
        return f"{name}_{place}"

    def key(self) -> Hashable:
        return tuple((place, part.key()) for place, part in self._given.items())

    def stand_in(self, cells: Mapping[str, CellType], make: Callable[..., Any]) -> Any:
        function = self._function
        made = FunctionType(
            function.__code__,
            function.__globals__,
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        made.__kwdefaults__ = function.__kwdefaults__
        return functools.update_wrapper(made, function, updated=())

    def stand_ins(
        self, cells: Mapping[str, CellType], make: Callable[..., Any]
    ) -> dict[Place, Any]:
        """What is given in place of the functions; see `stand_in`."""
        found = {}
        for place, part in self._given.items():
            names = *part.variables, *part.fixed
            inside = {name: cells[self._name(place, name)] for name in names}
            inside.update((name, CellType()) for name in part.own)
            found[place] = part.stand_in(inside, make)
            for name in part.own:
                inside[name].cell_contents = found[place]
        return found

    def bindings(self) -> list[Binding]:
        return [binding for part in self._given.values() for binding in part.bindings()]


class _Calls(Alike):
    """What is compiled for calls with functions of the same code."""

    def _put_up(
        self, base: Shareable, cells: Mapping[str, CellType], make: Callable[..., Any]
    ) -> Any:
        assert isinstance(base, _Taking)
        self._given = base.stand_ins(cells, make)
        return base.stand_in(cells, make)

    def _prepared(self, args: tuple, kwargs: dict[str, Any]) -> tuple[Compiled, Flat]:
        given = self._given
        args = tuple(given.get(place, value) for place, value in enumerate(args))
        kwargs = {name: given.get(name, value) for name, value in kwargs.items()}
        return self.shared._prepared(args, kwargs)

    def _may_change(self, traced: Traced, flat: Flat) -> bool:
        changed = *traced.changed, *(target for target, _ in traced.delivery.changed)
        if not changed:
            return True
        first = Argument(len(root_paths(flat.structure))), GivenContainer(traced.root_containers)
        targets = (Argument(target) if isinstance(target, int) else target for target in changed)
        return all(any(type(t) is type(f) and t >= f for f in first) for t in targets)

    def _stand_ins(self) -> list[Any]:
        return [*super()._stand_ins(), *self._given.values()]


class FunctionCalls:
    """The calls of a function that is given functions."""

    def __init__(self) -> None:
        # By what the functions have in common: None if calls with these share nothing.
        self._kept: RecentEntries[_Calls | None] = RecentEntries()
        self._seen: RecentEntries[tuple] = RecentEntries()  # which these were in the latest call

    def prepared(
        self, called: Any, args: tuple, kwargs: dict[str, Any]
    ) -> tuple[Member, Compiled, Flat] | None:
        """Whose variables are inputs, what is compiled for a call and the call; None if the call is
        to be compiled for the functions that it is given.

        Args:
            called: the compiled function.
        """
        steps, function = origin(called)
        if type(function) is not FunctionType:
            return None
        given = dict(_given(args, kwargs))
        bases = {place: base_of(value, value) for place, value in given.items()}
        parts = {place: base for place, base in bases.items() if base is not None}
        # A function that is given twice is one, which code may tell.
        if len(parts) < len(given) or len({*map(id, given.values())}) < len(given):
            return None
        base = _Taking(function, parts)
        key = base.key()
        found = self._kept.get(key)
        if found is None and key not in self._kept:
            now = tuple(map(_which, given.values()))
            before, self._seen[key] = self._seen.get(key), now
            self._seen.shrink(_MOST, lambda entry: entry is now)
            if before is None or all(one() is other() for one, other in zip(before, now)):
                return None
            if _are_only_called(function, given, args):
                found = _Calls(steps, base, type(called))
            self._kept[key] = found
            self._kept.shrink(_MOST, lambda entry: entry is found)
        if found is None or found.gave_up:
            return None
        prepared = found.prepared(base, args, kwargs)
        return None if prepared is None else (Member(base, found), *prepared)


def _given(args: tuple, kwargs: Mapping[str, Any]) -> Iterator[tuple[Place, Any]]:
    """The functions among the arguments."""
    every: list[tuple[Place, Any]] = [*enumerate(args), *kwargs.items()]
    for place, value in every:
        if type(value) in FUNCTIONS:
            yield place, value


def _which(function: Any) -> Callable[[], Any]:
    """Gives a function, or the object that it is a method of, for as long as it is there."""
    which = function.__self__ if type(function) is MethodType else function
    return weakref.ref(which) if type(which).__weakrefoffset__ else lambda: which


def _are_only_called(function: FunctionType, given: Mapping[Place, Any], args: tuple) -> bool:
    asked = OnlyCalled(_of_users, args[0] if args else None)
    return all(asked(function, place, is_method=bool(args)) for place in given)


def _of_users(function: Any) -> Any:
    return function._source if isinstance(function, RecordedFunction) else function
