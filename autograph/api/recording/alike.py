"""Functions of the same code, such as a lambda in a loop: what is compiled for one serves them all.

``ag.grad(lambda w: loss(w, x))`` makes a new function each time it is reached. They have the same
code and globals, and differ in what their closure variables hold, or in defaults. The first one is
compiled by itself, as most functions are the only ones of their code. From the second one on, what
is compiled is that of a *stand-in*, a function of the same code with cells of its own. What these
hold are inputs of its graph (see `autograph.api.recording.outer_state`), and are what the variables
of the called function hold, for as long as that is looked up.

What the variables hold may be arrays, numbers and texts, nested in lists, tuples, dicts and
objects. Functions, classes and modules in them have to be the same, but for functions that nothing
is done with but to call them: these may be other ones of the same code again. Functions that assign
closure variables, or change what is outside, and those that refer to anything else are compiled
each by itself.
"""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable, Iterator
from types import CellType, FunctionType
from typing import Any

from autograph.api.kept import RecentEntries
from autograph.api.recording.attached import Attached
from autograph.api.recording.bases import Shareable, Taking, base_of, functions_in
from autograph.api.recording.outer_state import may_be_input
from autograph.api.recording.recorded import RecordedFunction
from autograph.errors import AutographError
from autograph.log import log
from autograph.source.tree.free import MISSING, Lookup
from autograph.staging.border.delivery import ChoiceOutput, Made, Static
from autograph.staging.containers.containers import reachable
from autograph.staging.containers.structure import container_kinds
from autograph.staging.ground.restarts import SeesFunction
from ops.core.locks import lock_over_forks
from ops.core.records import NamedTuple

_MOST = 64  # stand-ins that are kept, in one place
_MOST_SEEN = 1000
_OPTIONS = (str, int, float, bool, type(None))

# Whether a stand-in holds what variables of one function hold. A fork waits for it.
_lock = lock_over_forks()


class Making(NamedTuple):
    """How a compiled function is made of another one.

    Attributes:
        make: makes it, given the other one and options.
        options: those.
    """

    make: Callable[..., Any]
    options: tuple[Any, ...]


class Alike:
    """What is compiled for functions of the same code.

    Args:
        steps: how what is called is made of the function, the first one last.
        base: the function, one of them.
        make: makes a compiled function of what runs while recording, and of its source.

    Attributes:
        shared: is recorded in place of what is called.
        gave_up: whether each is to be compiled by itself.
    """

    def __init__(self, steps: list[Making], base: Shareable, make: Callable[..., Any]):
        cells = {name: CellType() for name in (*base.variables, *base.fixed, *base.own)}
        for name, value in base.fixed.items():
            cells[name].cell_contents = value
        self._given = base.stand_ins(cells, make)
        self._constants = base.constants()  # which keep their identities
        self._stand_in = found = base.stand_in(cells, make)
        for step in reversed(steps):
            found = step.make(found, *step.options)
        for name in base.own:
            cells[name].cell_contents = self._stand_in if base.own[name] else found
        self._variables = {name: cells[name] for name in base.variables}
        self.shared: Any = found
        self.gave_up = False
        variables = self._variables.items()
        self.shared.share({k: Lookup(cell, base.names.get(k, k)) for k, cell in variables})

    def _stand_ins(self) -> list[Any]:
        """What nobody may be given."""
        return [self._stand_in, self.shared, *self._given.values()]

    def _own_cells(self) -> list[CellType]:
        """What nobody may reach."""
        return [*self._variables.values(), *(one.cell for one in self._given.values())]

    @contextlib.contextmanager
    def holding(self, base: Shareable) -> Iterator[bool]:
        """Let the variables of the stand-in hold what those of a function do. Gives whether they
        can."""
        besides = base.in_place(self._given)
        with _lock:
            try:
                for name, cell in self._variables.items():
                    value = base.variables[name]()
                    lookup = Lookup(cell, name)
                    if value is MISSING or not may_be_input(lookup, value, besides):
                        yield False
                        return
                    cell.cell_contents = value
                yield True
            finally:
                for cell in self._variables.values():
                    del cell.cell_contents

    def prepared(
        self, base: Shareable, args: tuple, kwargs: dict[str, Any]
    ) -> tuple[Any, Any] | None:
        """What is compiled for a call of a function, and the call; None if that is to be compiled
        by itself."""
        try:
            with self.holding(base) as can:
                if not can:
                    return None
                in_place = base.in_place(self._given)
                compiled, flat = self.shared.prepared_with(in_place, args, kwargs)
                if self._is_allowed(compiled, flat):
                    return compiled, flat
        except SeesFunction:
            pass
        except AutographError:  # maybe since others are recorded in place of functions
            if not self._given or self.shared.compiled_forms():
                raise
        log.debug("%s: functions of its code do not share what is compiled", self.shared.name)
        self.gave_up = True
        return None

    def _is_allowed(self, compiled: Any, flat: Any) -> bool:
        """Whether what is compiled changes nothing of the variables, gives nothing of the stand-in
        away, and has the variables as inputs."""
        traced = compiled.traced
        if not self._may_change(traced, flat):
            return False
        return not self._gives_away(traced, flat) and self.shared.shares(self._variables)

    def _gives_away(self, traced: Any, flat: Any) -> bool:
        """Whether callers get the stand-in, or something that finds its variables."""
        delivery = traced.delivery
        given = [value for source in delivery.sources for value in _kept_by(source)]
        kinds = container_kinds(delivery.structure)
        given += [kind for kind in kinds if "<locals>" in kind.__qualname__]  # with their methods
        if not given:
            return False
        if any(value is one for one in self._stand_ins() for value in given):
            return True
        reached = reachable(given)
        return any(cell in reached for cell in self._own_cells())

    def _may_change(self, traced: Any, flat: Any) -> bool:
        """Whether what the function changes is nothing that its variables hold."""
        return not (traced.knows_repeated or traced.delivery.changed or traced.generators)


def _kept_by(source: Any) -> list[Any]:
    """The objects that callers get, or of which they get copies, where a leaf of the result is one
    of these at each call."""
    match source:
        case Static(value):
            return [value]
        case Made(group, _):
            return [*group.templates, *group.functions]
        case ChoiceOutput(objects):
            return [part for one in objects for part in (_kept_by(one) or [one])]
    return []


class Member:
    """A function among those of the same code.

    Attributes:
        base: the function.
        alike: what is compiled for all of them.
        bindings: what must not have changed: the places that hold something, the names there, and
            what they hold.
    """

    __slots__ = ("alike", "base", "bindings")

    def __init__(self, base: Shareable, alike: Alike):
        self.base = base
        self.alike = alike
        self.bindings = base.bindings()

    def is_valid(self) -> bool:
        """Whether the function is what it was, but for what its variables hold."""
        if self.alike.gave_up or not self.base.holds_the_same():
            return False
        for place, name, value in self.bindings:
            is_field = type(place) is FunctionType
            if (getattr(place, name) if is_field else Lookup(place, name)()) is not value:
                return False
        return True

    def prepared(self, args: tuple, kwargs: dict[str, Any]) -> tuple[Any, Any] | None:
        """See `Alike.prepared`."""
        return self.alike.prepared(self.base, args, kwargs)

    def bound(self) -> dict[str, Callable[[], Any]]:
        """The variables that are inputs, by their names; globals among them."""
        return {**self.alike.shared.variables(), **self.base.variables}


_kept: RecentEntries[Alike] = RecentEntries()
# Those that are the only ones so far, with what they refer to: keys are of identities, which others
# have once these are gone.
_seen: RecentEntries[list[weakref.ref[Any]]] = RecentEntries()


def member(called: Any) -> Member | None:
    """What is called, as one of several of the same code that share what is compiled; None if it
    is to be compiled by itself: it is the first one, or can't be told from its code.

    Args:
        called: a compiled function, or a transform of one.
    """
    steps, function = origin(called)
    base = base_of(function, called)
    if base is None:
        return None
    given = functions_in(get() for get in base.variables.values())
    if given:
        base = Taking(base, given)
    key = tuple(steps), base.key()
    kept = _home(base.fixed)
    found = kept.get(key)
    if found is None:
        seen = _seen.get(key)
        if seen is None or any(known() is None for known in seen):
            _seen[key] = [weakref.ref(v) for v in base.fixed.values() if _is_watched(v)]
            _seen.shrink(_MOST_SEEN, lambda entry: False)
            return None
        found = kept[key] = Alike(steps, base, type(called))
        kept.shrink(_MOST, lambda entry: entry is found)
    return None if found.gave_up else Member(base, found)


def _is_watched(value: Any) -> bool:
    """Whether something can be seen to go."""
    return type(value).__weakrefoffset__ != 0


def origin(called: Any) -> tuple[list[Making], Any]:
    """How what is called is made of a function of the user's, the last step first, and that; None
    if nobody can tell."""
    steps: list[Making] = []
    while isinstance(called, RecordedFunction):
        step = called.made_of()
        if step is None or not _are_plain(step[1][1:]):
            return steps, None
        make, (called, *options) = step
        steps.append(Making(make, tuple(options)))
    return steps, called


def _are_plain(options: Any) -> bool:
    return all(_are_plain(o) if type(o) is tuple else isinstance(o, _OPTIONS) for o in options)


def _home(fixed: dict[str, Any]) -> RecentEntries[Alike]:
    """Where what is compiled is kept: in a function that it refers to, if that is a closure, which
    may hold large arrays, so that it goes with it."""
    for value in fixed.values():
        source = value._source if isinstance(value, RecordedFunction) else value
        if isinstance(source, FunctionType) and source.__closure__:
            attached = Attached.of(value)
            if attached.alike is None:
                attached.alike = RecentEntries()
            return attached.alike
    return _kept
