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
from collections.abc import Callable, Hashable, Mapping
from types import CellType, FunctionType, MethodType
from typing import Any

from autograph.api.calls.compiled import Compiled
from autograph.api.kept import RecentEntries
from autograph.api.recording.alike import Alike, Member, origin
from autograph.api.recording.bases import Shareable, Taking, functions_in
from autograph.api.recording.list_forms import Flat
from autograph.staging.border.delivery import Argument, GivenContainer
from autograph.staging.border.signature import CallParts, flatten_call, root_paths
from autograph.staging.trace import Traced

_MOST = 16  # codes of functions that one function is given, of which something is kept


class _Itself(Shareable):
    """A function that is called with others."""

    def __init__(self, function: FunctionType):
        super().__init__()
        self._function = function

    def key(self) -> Hashable:
        return ()

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


class _Calls(Alike):
    """What is compiled for calls with functions of the same code."""

    def _may_change(self, traced: Traced, flat: Flat) -> bool:
        changed = *traced.changed, *(target for target, _ in traced.delivery.changed)
        if not changed:
            return True
        first = Argument(len(root_paths(flat.structure))), GivenContainer(traced.root_containers)
        targets = (Argument(target) if isinstance(target, int) else target for target in changed)
        return all(any(type(t) is type(f) and t >= f for f in first) for t in targets)


class FunctionCalls:
    """The calls of a function that is given functions."""

    def __init__(self) -> None:
        # By what the functions have in common.
        self._kept: RecentEntries[_Calls] = RecentEntries()
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
        leaves, _ = flatten_call(CallParts(args, kwargs))
        base = Taking(_Itself(function), functions_in(leaves))
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
        prepared = found.prepared(base, args, kwargs)
        return None if prepared is None else (Member(base, found), *prepared)

    def _is_another(self, key: Hashable, base: Taking) -> bool:
        """Whether a call is of other functions than the latest one of which all else is alike."""
        now = tuple(_which(base.given[place]) for place in base.others)
        before, self._seen[key] = self._seen.get(key), now
        self._seen.shrink(_MOST, lambda entry: entry is now)
        return before is not None and any(one() is not new() for one, new in zip(before, now))


def _which(function: Any) -> Callable[[], Any]:
    """Gives a function, or the object that it is a method of, for as long as it is there."""
    which = function.__self__ if type(function) is MethodType else function
    return weakref.ref(which) if type(which).__weakrefoffset__ else lambda: which
