"""Calls of functions that are given functions: ``newton(lambda x: x * x - a, 1.0)``, also in lists,
dicts and attributes of objects, as in ``solve(Problem(lambda x: x * x - a))``.

A lambda, a function that another one makes, a method or a partial application is another object
each time that it is reached. The first call is compiled for the functions that it is given, as they
are. From the second one with functions of the same code on, *stand-ins* are given in their place,
whose variables are inputs; see `autograph.api.recording.alike`. Which function it is may nobody
tell: who looks at one while it is recorded has functions compiled for each; see
`autograph.staging.ground.bound`.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from types import CellType, FunctionType, MethodType
from typing import Any

from autograph.api.calls.compiled import Compiled
from autograph.api.kept import RecentEntries
from autograph.api.recording.alike import Alike, Member, origin
from autograph.api.recording.bases import FUNCTIONS, Binding, Shareable, base_of
from autograph.api.recording.list_forms import Flat
from autograph.errors import AutographError
from autograph.log import log
from autograph.staging.border.delivery import Argument, GivenContainer
from autograph.staging.border.signature import CallParts, flatten_call, root_paths
from autograph.staging.ground.bound import GivenFunction
from autograph.staging.ground.restarts import SeesFunction
from autograph.staging.trace import Traced

_MOST = 16  # codes of functions that one function is given, of which something is kept


class _Taking(Shareable):
    """A function, with those that it is given.

    Args:
        function: the function.
        given: those, each once, in the order in which they are met.

    Attributes:
        others: those of them that may be other ones of the same code in each call, by place.
    """

    def __init__(self, function: FunctionType, given: Sequence[Any]):
        super().__init__()
        self._function = function
        self.given = given
        found = {place: _part_of(value) for place, value in enumerate(given)}
        self.others = {place: part for place, part in found.items() if part is not None}
        for place, part in self.others.items():
            for name, get in part.variables.items():
                own = self._name(place, name)
                self.variables[own] = get
                self.names[own] = part.names.get(name, name)
            self.fixed.update((self._name(place, k), v) for k, v in part.fixed.items())

    @staticmethod
    def _name(place: int, name: str) -> str:
        return f"{name}_{place}"

    def key(self) -> Hashable:
        others = self.others
        places = enumerate(self.given)
        return tuple(others[i].key() if i in others else id(value) for i, value in places)

    def constants(self) -> list[Any]:
        """The functions that are the same in calls that are alike."""
        return [value for place, value in enumerate(self.given) if place not in self.others]

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
    ) -> dict[int, GivenFunction]:
        """What is given in place of the functions; see `stand_in`."""
        found = {}
        for place, part in self.others.items():
            names = *part.variables, *part.fixed
            inside = {name: cells[self._name(place, name)] for name in names}
            inside.update((name, CellType()) for name in part.own)
            made = part.stand_in(inside, make)
            for name in part.own:
                inside[name].cell_contents = made
            found[place] = GivenFunction(made)
        return found

    def bindings(self) -> list[Binding]:
        return [binding for part in self.others.values() for binding in part.bindings()]


class _Calls(Alike):
    """What is compiled for calls with functions of the same code."""

    def _put_up(
        self, base: Shareable, cells: Mapping[str, CellType], make: Callable[..., Any]
    ) -> Any:
        assert isinstance(base, _Taking)
        self._given = base.stand_ins(cells, make)
        self._constants = base.constants()  # which keep their identities
        return base.stand_in(cells, make)

    def _prepared(
        self, base: Shareable, args: tuple, kwargs: dict[str, Any]
    ) -> tuple[Compiled, Flat]:
        assert isinstance(base, _Taking)
        in_place = {id(base.given[place]): one for place, one in self._given.items()}
        return self.shared.prepared_with(in_place, args, kwargs)

    def _may_change(self, traced: Traced, flat: Flat) -> bool:
        changed = *traced.changed, *(target for target, _ in traced.delivery.changed)
        if not changed:
            return True
        first = Argument(len(root_paths(flat.structure))), GivenContainer(traced.root_containers)
        targets = (Argument(target) if isinstance(target, int) else target for target in changed)
        return all(any(type(t) is type(f) and t >= f for f in first) for t in targets)

    def _stand_ins(self) -> list[Any]:
        return [*super()._stand_ins(), *self._given.values()]

    def _own_cells(self) -> list[CellType]:
        return [*super()._own_cells(), *(one.cell for one in self._given.values())]


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
        base = _Taking(function, list(_given(args, kwargs)))
        if not base.others:
            return None
        key = base.key()
        found = self._kept.get(key)
        if found is None:
            if not self._is_another(key, base):
                return None
            found = self._kept[key] = _Calls(steps, base, type(called))
            self._kept.shrink(_MOST, lambda entry: entry is found)
        if found.gave_up:
            return None
        try:
            prepared = found.prepared(base, args, kwargs)
        except (SeesFunction, AutographError) as refused:
            if not isinstance(refused, SeesFunction) and found.shared.compiled_forms():
                raise
            found.gave_up = True
            log.debug("%s is compiled for each function that it is given", called.name)
            return None
        return None if prepared is None else (Member(base, found), *prepared)

    def _is_another(self, key: Hashable, base: _Taking) -> bool:
        """Whether a call is of other functions than the latest one of which all else is alike."""
        now = tuple(_which(base.given[place]) for place in base.others)
        before, self._seen[key] = self._seen.get(key), now
        self._seen.shrink(_MOST, lambda entry: entry is now)
        return before is not None and any(one() is not new() for one, new in zip(before, now))


def _given(args: tuple, kwargs: dict[str, Any]) -> Iterator[Any]:
    """The functions among the arguments, each once."""
    leaves, _ = flatten_call(CallParts(args, kwargs))
    yield from {id(leaf): leaf for leaf in leaves if type(leaf) in FUNCTIONS}.values()


def _part_of(function: Any) -> Shareable | None:
    """What a function that is given is; None if it is the same in calls that are alike."""
    is_function = type(function) is FunctionType
    if is_function and "<locals>" not in function.__qualname__ and function.__name__ != "<lambda>":
        return None  # of a module or class, which has it by its name
    return base_of(function, function)


def _which(function: Any) -> Callable[[], Any]:
    """Gives a function, or the object that it is a method of, for as long as it is there."""
    which = function.__self__ if type(function) is MethodType else function
    return weakref.ref(which) if type(which).__weakrefoffset__ else lambda: which
