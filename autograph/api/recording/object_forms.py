"""Whether a function is recorded for objects among its arguments as ones in heaps; see
`autograph.staging.lists.given_objects`.

At first it is recorded for their attributes, each of which is an argument like any other: what is
done with each of few objects is written out, and nothing is refused of what objects do. Where that
is refused, as when data decide which object is used, where there are many objects in a list, or
once there have been other numbers of them, the function is recorded for objects in heaps: that is
for any number of them. If that is refused, everything stays as it was.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable
from types import FunctionType, MethodType
from typing import Any

from autograph.api.recording.given_lists import MoreGiven
from autograph.errors import AutographError
from autograph.log import log
from autograph.source.tree.libraries import is_library_file
from autograph.staging.ground.restarts import JoinsClasses, WidensAttribute
from autograph.staging.lists.given_objects import GivenObjects, KnownObjects, classes_to_keep

_SHAPES = 3  # how many numbers of objects there have been before they are in heaps
# Errors of an attribute that no heap has, and of what objects of several classes do not do there.
_TELLING = ("AG0586", "AG0590")
_MANY = 100  # how many objects of a class are taken apart
_MOST_FUNCTIONS = 100  # that are looked at for what they find outside
_FEW = 1  # how many are where that is refused


def found_outside(function: Callable) -> dict[str, Any]:
    """What a function is bound to, and the closure variables and globals hold of it and of the
    functions that these are, with names."""
    found: dict[str, Any] = {}
    pending, met = [function], list[Any]()
    while pending and len(met) < _MOST_FUNCTIONS:
        now: Any = pending.pop()
        if isinstance(now, MethodType):
            found["self"] = now.__self__
            now = now.__func__
        if isinstance(now, FunctionType) and now not in met:
            met.append(now)
            around = inspect.getclosurevars(now)
            values = {**around.globals, **around.nonlocals}
            found.update(values)
            pending += [value for value in values.values() if is_users(value)]
    return found


def is_users(value: Any) -> bool:
    """Whether something is a function that is no library's."""
    return isinstance(value, FunctionType) and not is_library_file(value.__code__.co_filename)


class ObjectForms:
    """How the objects of calls are given.

    Args:
        name: of the function, for the log.
        may_be: whether they may be in heaps at all.

    Attributes:
        are_in_heaps: whether they are.
        known: what is known of those that are.
    """

    def __init__(self, name: str, may_be: bool):
        self._name = name
        self._may_be = may_be
        self.are_in_heaps = False
        self._has_looked = False  # for objects outside
        self.known = KnownObjects()
        self._shapes: set[Hashable] = set()
        self._refused: Exception | None = None  # what was, of their attributes
        self._refused_in_heaps: Exception | None = None

    def ahead(self, as_calls: bool) -> ObjectForms:
        """How the objects of a function are given that is compiled ahead of time.

        Args:
            as_calls: whether they are in heaps at once if calls have them there.
        """
        made = ObjectForms(self._name, self._may_be)
        made.known = self.known.copy()
        made.are_in_heaps = as_calls and self.are_in_heaps
        return made

    def of(self, call: Any) -> GivenObjects | None:
        """The objects of a call that are in heaps.

        Args:
            call: the arguments, after the roots.
        """
        if not self.are_in_heaps:
            return None
        given = GivenObjects(call, self.known)
        return given if given.found else None

    def learn(self, call: Any) -> None:
        """Called before the function is recorded for a call that is like none before.

        Raises:
            MoreGiven: its objects are to be in heaps.
        """
        if not self._may_be:
            return
        if self._turn_on(call, _MANY, "there are many"):
            raise MoreGiven
        known = KnownObjects()
        known.classes = classes_to_keep(call, _FEW)
        if known.classes:
            self._shapes.add(GivenObjects(call, known).shape)
        if len(self._shapes) >= _SHAPES:
            self._turn_on(call, _FEW, "there have been other numbers of them")
            raise MoreGiven

    def may_help(self, error: Exception, call: Any) -> bool:
        """Whether a call that was refused is to be recorded with its objects in another form.

        Raises:
            Exception: what was refused of their attributes, if heaps do not help.
        """
        is_deep = isinstance(error, RecursionError)  # as in a list of nodes that is taken apart
        if self._refused_in_heaps is not None:  # which says more than that of their attributes
            raise self._refused_in_heaps
        if not self._may_be or not (is_deep or isinstance(error, AutographError)):
            return False
        if not self.are_in_heaps:
            self._refused = error
            return self._turn_on(call, _FEW, f"their attributes are refused: {error}")
        if not GivenObjects(call, self.known).found:
            return False
        log.debug("%s: objects in heaps are refused: %s", self._name, error)
        self._turn_off()
        refused, self._refused = self._refused, None
        if getattr(error, "id", None) in _TELLING:
            self._refused_in_heaps = error
        if refused is not None:
            raise self._refused_in_heaps or refused
        return True

    def to_be_found(self, function: Callable) -> dict[str, Any]:
        """What a function that was refused finds outside and has objects in it that may be in
        heaps, with names: they are, once it is an input. None is found twice."""
        if not self._may_be or self._has_looked:
            return {}
        self._has_looked = True
        found = {
            name: value
            for name, value in found_outside(function).items()
            if classes_to_keep((value,), _FEW)
        }
        self._turn_on(tuple(found.values()), _FEW, "what is done with objects outside is refused")
        return found

    def widen(self, needed: WidensAttribute | JoinsClasses) -> None:
        """The program makes an attribute of more kinds, or a variable of more classes: it is kept
        such that it may be, or, if it can't be, objects are no more in heaps."""
        if isinstance(needed, JoinsClasses):
            is_new = self.known.join(needed.kinds)
        else:
            known = self.known.kinds.setdefault((needed.kind, needed.name), set())
            is_new = not needed.more <= known
            known |= needed.more
        if not is_new:
            self._turn_off()

    def _turn_on(self, call: Any, most: int, why: str) -> bool:
        """Have objects be in heaps, if there are any that may be; whether there are.

        Args:
            most: see `classes_to_keep`.
        """
        classes = classes_to_keep(call, most)
        if not classes:
            return False
        log.debug("%s: objects are in heaps, because %s", self._name, why)
        self.known.classes |= classes
        self.are_in_heaps = True
        return True

    def _turn_off(self) -> None:
        """Have objects be in no heaps, for good."""
        self.are_in_heaps = self._may_be = False
