"""Attributes of objects that only some paths assign.

Such an attribute is kept in the object as a variable that may be undefined. While a function is
recorded, its class has a descriptor that checks, where it is read, that it was assigned.
"""

from __future__ import annotations

from typing import Any

from autograph.errors import BranchMismatchError
from autograph.staging.arrays.array import located_error
from autograph.staging.classes import specials
from autograph.staging.containers.containers import Contents, attributes
from autograph.staging.ground.ownership import slots_of
from autograph.staging.ground.recorder import active_recorder, recorder
from autograph.staging.values.maybe import MaybeUndefined
from ops.control import effects
from ops.control.constructs import Undefined


class _Checked:
    """An attribute of instances."""

    def __init__(self, name: str):
        self._name = name

    def __get__(self, item: Any, owner: type) -> Any:
        found = None if item is None else vars(item).get(self._name, self)
        if item is None or found is self:
            what = (
                f"type object '{owner.__name__}'" if item is None else f"'{owner.__name__}' object"
            )
            raise AttributeError(f"{what} has no attribute '{self._name}'")
        if not isinstance(found, MaybeUndefined) or active_recorder() is None:
            return found
        message = f"{_object(item)} has no attribute '{self._name}'"
        effects.check(found.flag, error="AttributeError", message=message)
        return found.content

    def __set__(self, item: Any, value: Any) -> None:
        vars(item)[self._name] = value

    def __delete__(self, item: Any) -> None:
        self.__get__(item, type(item))
        del vars(item)[self._name]


def _object(item: Any) -> str:
    return f"'{type(item).__name__}' object"


def can_be_missing(item: Any, name: str) -> bool:
    """Whether reading the attribute of an object can be made to check that it was assigned."""
    kind: type = type(item)
    own = {method for owner in kind.__mro__[:-1] for method in vars(owner)}
    if own & {"__getattr__", "__getattribute__"} or not hasattr(item, "__dict__"):
        return False
    recorder().outside.classes.add(item)
    return name not in slots_of(kind) and not hasattr(kind, name) and specials.is_replaced(kind)


def with_undefined(states: list[Contents]) -> list[Contents]:
    """States of an object, in which attributes that only others have are undefined."""
    names = dict.fromkeys(name for state in states for name in state.keys[1:])
    filled = []
    for state in states:
        count = len(state.values) - len(state.keys[1:])
        own = dict(zip(state.keys[1:], state.values[count:]))
        values = tuple(own.get(name, Undefined(name)) for name in names)
        filled.append(Contents((state.keys[0], *names), (*state.values[:count], *values)))
    return filled


def with_present(item: Any, state: Contents) -> Contents:
    """The state of an object without attributes that are undefined; reading those that may be is
    checked from now on."""
    names = state.keys[1:]
    count = len(state.values) - len(names)
    found = {}
    for name, value in zip(names, state.values[count:]):
        if isinstance(value, MaybeUndefined):
            specials.stand_in(type(item), name, _Checked(name))
        if not isinstance(value, Undefined):
            found[name] = value
    return Contents((state.keys[0], *found), (*state.values[:count], *found.values()))


def uncertain(item: Any, name: str) -> MaybeUndefined | None:
    """The attribute of an object as a variable, if only the run can tell whether it has it."""
    found = next((value for own, value in attributes(item) if own == name), None)
    return found if isinstance(found, MaybeUndefined) else None


def refused_attribute(name: str, doing: str) -> BranchMismatchError:
    """The error for an object with an attribute that only some paths assign; ``doing`` says what is
    done with the object."""
    name = name.rpartition(".")[2]
    return located_error(
        BranchMismatchError,
        f"an object whose attribute '{name}' only some paths assign {doing}",
        id="AG0369",
        fix=f"give '{name}' its first value before, for example None",
    )
