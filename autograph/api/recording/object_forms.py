"""Whether a function is recorded for objects among its arguments as ones in heaps; see
`autograph.staging.lists.given_objects`.

At first it is recorded for their attributes, each of which is an argument like any other: what is
done with each of few objects is written out, and nothing is refused of what objects do. Where that
is refused, as when data decide which object is used, where there are many objects in a list, or
once there have been other numbers of them, the function is recorded for objects in heaps: that is
for any number of them. If that is refused, everything stays as it was; a call that is refused in
each form leaves it as it was for the calls before.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Mapping
from types import FunctionType, MethodType
from typing import Any

from autograph.api.recording.given_lists import MoreGiven
from autograph.errors import AutographError, ConcreteValueError, Location
from autograph.log import log
from autograph.source.tree.libraries import is_library_file
from autograph.staging.ground.object_kinds import KnownObjects
from autograph.staging.ground.ownership import is_user_class
from autograph.staging.ground.restarts import CopiesObjects, JoinsClasses, WidensAttribute
from autograph.staging.lists import objects_in_calls
from autograph.staging.lists.given_objects import GivenObjects

_SHAPES = 3  # how many numbers of objects there have been before they are in heaps
# Errors of an attribute that no heap has, and of what objects of several classes do not do there.
# They say more than that one of several objects can't be taken apart, and less than others.
_TELLING = ("AG0586", "AG0590")
_OF_NESTING = "AG0596"  # so is an error of objects that refer to others, and these to others
_OF_ONE_OF_SEVERAL = ("AG0310", "AG0311", "AG0312", "AG0328", "AG0344", "AG0368")
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


def _is_deep(error: Exception) -> bool:
    """Whether something was nested too deep, such as linked nodes that are taken apart."""
    return isinstance(error, RecursionError) or _id_of(error) == _OF_NESTING


def _id_of(error: Exception | None) -> str:
    return error.id if isinstance(error, AutographError) else ""


def _is_of_objects(error: Exception) -> bool:
    """Whether something was refused, or is nested too deep, that heaps may help."""
    return _is_deep(error) or (isinstance(error, AutographError) and error.of_objects)


class ObjectForms:
    """How the objects of calls are given.

    Args:
        name: of the function, for the log.
        may_be: whether they may be in heaps at all.

    Attributes:
        may_be: see above.
        are_in_heaps: whether they are.
        known: what is known of those that are.
    """

    def __init__(self, name: str, may_be: bool):
        self._name = name
        self.may_be = may_be
        self.are_in_heaps = False
        self._looked_for: set[type] | None = None  # the classes known when it looked outside
        self._worked: KnownObjects | None = None  # of those of the last call that was not refused
        self.known = KnownObjects()
        self._shapes: set[Hashable] = set()
        self._refused: Exception | None = None  # what was, of their attributes
        self._refused_in_heaps: Exception | None = None  # what was then

    def ahead(self, as_calls: bool) -> ObjectForms:
        """How the objects of a function are given that is compiled ahead of time.

        Args:
            as_calls: whether they are in heaps at once if calls have them there.
        """
        made = ObjectForms(self._name, self.may_be)
        made.known = self.known.copy()
        made.are_in_heaps = as_calls and self.are_in_heaps
        made._refused_in_heaps = self._refused_in_heaps
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
        if not self.may_be:
            return
        if self._turn_on(call, _MANY, "there are many"):
            raise MoreGiven
        known = KnownObjects()
        known.classes = objects_in_calls.classes_to_keep(call, _FEW)
        if known.classes:
            self._shapes.add(GivenObjects(call, known).shape)
        if len(self._shapes) >= _SHAPES:
            self._turn_on(call, _FEW, "there have been other numbers of them")
            raise MoreGiven

    def note_compiled(self) -> None:
        """Called when something is compiled for objects in heaps."""
        if self.are_in_heaps:
            self._worked = self.known.copy()

    def _as_it_was(self) -> bool:
        """Have objects be in heaps as in the last call that was not refused there; whether there
        was one."""
        if self._worked is None:
            return False
        self.known = self._worked.copy()
        self.are_in_heaps = self.may_be = True
        return True

    def may_help(self, error: Exception, call: Any) -> bool:
        """Whether a call that was refused is to be recorded with its objects in another form. What
        has worked for other calls is kept for these if a call is refused in each form.

        Raises:
            Exception: what was refused of their attributes, if heaps do not help.
        """
        if self.are_in_heaps:
            return self._does_without(error, call)
        if self._as_it_was():
            self._refuse(error)
            return False
        self._refuse(error)
        if not self.may_be or not _is_of_objects(error):
            return False
        self._refused = error
        why = f"their attributes are refused: {error}"
        return self._turn_on(call, _FEW, why) or self._turn_on(call, _FEW, why, alone=True)

    def _does_without(self, error: Exception, call: Any) -> bool:
        """Whether a call that was refused with its objects in heaps is to be recorded without."""
        if not isinstance(error, (AutographError, RecursionError)):
            return False
        if not GivenObjects(call, self.known).found:
            return False
        log.debug("%s: objects in heaps are refused: %s", self._name, error)
        refused, self._refused_in_heaps = self._refused, error
        if refused is not None and self._as_it_was():  # what was refused is of another call
            raise error
        self._turn_off()
        self._refused = None
        if refused is not None:
            self._refuse(refused)
            raise refused
        return True

    def _refuse(self, error: Exception) -> None:
        """Refuse a call for what was refused with its objects in heaps, if that says more than what
        is refused of their attributes."""
        other = self._refused_in_heaps
        tells = _id_of(other) in _TELLING and _id_of(error) in _OF_ONE_OF_SEVERAL
        if other is not None and (tells or _is_deep(error)):
            raise other

    def to_be_found(self, function: Callable) -> dict[str, Any]:
        """What a function that was refused finds outside and has objects in it that may be in
        heaps, with names: they are, once it is an input. None is found twice."""
        if not self.may_be or self._looked_for == self.known.classes:
            return {}
        known = self._looked_for = set(self.known.classes)
        outside = found_outside(function)
        found = {
            name: value
            for name, value in outside.items()
            if type(value) in known or objects_in_calls.classes_to_keep((value,), _FEW)
        }
        for name, owner in outside.items():  # and what attributes of classes are
            own = vars(owner) if isinstance(owner, type) and is_user_class(owner) else {}
            found |= {f"{name}_{key}": value for key, value in own.items() if type(value) in known}
        self._turn_on(tuple(found.values()), _FEW, "what is done with objects outside is refused")
        return found

    def refuse_copies(self, copied: Mapping[type, Location | None]) -> None:
        """Called when the function is recorded for a call, and copies of objects come out of it.

        Args:
            copied: their classes, with where one became the same as another of the caller's; None
                if it may only be what the function has made in the place of one.

        Raises:
            CopiesObjects: these objects may be in heaps, where they are no copies.
            ConcreteValueError: heaps were refused.
        """
        if self.may_be and not copied.keys() <= self.known.classes:
            raise CopiesObjects(copied.keys())
        other = self._refused_in_heaps
        mixed = {kind: site for kind, site in copied.items() if site is not None}
        for kind, site in mixed.items() if other is not None else ():
            raise ConcreteValueError(
                f"which {kind.__name__} of the caller's is returned or stored is known only at run "
                "time, and it would be a copy",
                site,
                id="AG0349",
                others=((f"refused otherwise: {str(other).partition(chr(10))[0]}", None),),
                fix="return which one it is, such as its index",
            ) from other

    def widen(self, needed: WidensAttribute | JoinsClasses | CopiesObjects) -> None:
        """The program makes an attribute of more kinds, or a variable of more classes: it is kept
        such that it may be, or, if it can't be, objects are no more in heaps. Those that are copied
        elsewhere are from now on."""
        if isinstance(needed, CopiesObjects):
            log.debug("%s: objects are in heaps, because copies of them come out", self._name)
            self.known.classes |= needed.kinds
            self.are_in_heaps = is_new = True
        elif isinstance(needed, JoinsClasses):
            is_new = self.known.join(needed.kinds)
        else:
            is_new = self.known.widen(needed.kind, needed.name, needed.more)
        if not is_new:
            self._turn_off()

    def _turn_on(self, call: Any, most: int, why: str, alone: bool = False) -> bool:
        """Have objects be in heaps, if there are any that may be; whether there are.

        Args:
            most, alone: see `classes_to_keep`.
        """
        classes = objects_in_calls.classes_to_keep(call, most, alone)
        if not classes:
            return False
        log.debug("%s: objects are in heaps, because %s", self._name, why)
        self.known.classes |= classes
        self.are_in_heaps = True
        return True

    def _turn_off(self) -> None:
        """Have objects be in no heaps, for good."""
        self.are_in_heaps = self.may_be = False
