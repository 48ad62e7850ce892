"""What control flow changes in containers, as further variables of its regions.

A list, dict, object or closure cell that a branch or the body of a loop changes becomes state: each
of its values is a variable, called ``xs[0]`` or ``self.h``, that enters and leaves the region.
"""

from __future__ import annotations

import array
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.source.tree.free import MISSING
from autograph.staging.classes.presence import can_be_missing, with_present, with_undefined
from autograph.staging.containers.containers import Contents, contents, fill, slot_names
from autograph.staging.containers.structure import ElementType, elements_of, state_as_rows
from autograph.staging.ground.fixed import Fixed
from autograph.staging.ground.ownership import is_user_object
from autograph.staging.ground.recorder import Frozen
from autograph.staging.lists import class_families
from autograph.staging.lists.elements import (
    ROWS,
    SEAT,
    class_of,
    element_type,
    flatten_element,
    is_too_large,
    unlike,
)
from autograph.staging.lists.heap import learn_place
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.object_heap import learn_always
from autograph.staging.lists.text_elements import united
from autograph.staging.values.leaves import Mismatch
from ops.control.constructs import Undefined
from ops.core.records import NamedTuple

_HALF_PLACED = "a list that is, or is not, in a list of lists"
_TOO_LARGE = "a list with an int of more than 64 bits"

# What instances of a class may share until they assign it.
CLASS_DEFAULTS = (bool, int, float, complex, str, tuple, type(None), np.generic)


class Slots(NamedTuple):
    """The values of one container as variables.

    Attributes:
        container: whose they are.
        keys: of its `Contents`.
        names: of the variables.
    """

    container: Any
    keys: tuple
    names: list[str]

    @property
    def is_rows(self) -> bool:
        return self.keys[:1] == (ROWS,)

    @classmethod
    def of(cls, container: Any, name: str, state: Contents) -> Slots:
        return cls(container, state.keys, slot_names(name, container, state))

    def variables(self, state: Contents) -> list[tuple[str, Any]]:
        return list(zip(self.names, state.values))

    def nothing(self) -> Contents:
        """The state in which none of the values is there."""
        return Contents(self.keys, tuple(map(Undefined, self.names)))

    def fill(self, values: Sequence[Any], frozen: Frozen) -> None:
        """Put the values that the variables have after the region into the container."""
        state = Contents(self.keys, tuple(values))
        if is_user_object(self.container) and self.keys[:1] != (SEAT,):
            state = with_present(self.container, state)
        fill(self.container, state)
        frozen.refresh(self.container)


def fill_all(slots: Sequence[Slots], values: Sequence[Any], frozen: Frozen) -> None:
    """`Slots.fill` for several containers, whose values follow each other."""
    start = 0
    for slot in slots:
        stop = start + len(slot.names)
        slot.fill(values[start:stop], frozen)
        start = stop


def common_element(
    states: Sequence[Contents], views: Sequence[Callable[[Any], Contents]] = ()
) -> ElementType:
    """The type of the elements of a list that is in one of several states.

    Args:
        views: for each of them what gives the state of containers there.

    Raises:
        Mismatch: the elements do not have one type, or are not made of arrays and numbers.
    """
    kind = None
    for state, contents_of in zip(states, views or [contents] * len(states)):
        found = _kinds_of_elements(state, contents_of)
        for element in found:
            before = element if kind is None else kind
            kind = element if kind is None else united(before, element, elements=len(found))
            if kind is None:
                class_families.meet_in_list(before.structure, element.structure)
                raise Mismatch("a list with elements of different types or shapes")
    if kind is None:
        raise Mismatch("a list of elements that are not known")
    if not kind.types:
        raise Mismatch("a list of elements that contain nothing")
    return kind


def _kinds_of_elements(
    state: Contents, contents_of: Callable[[Any], Contents]
) -> list[ElementType]:
    if state.keys[:1] == (SEAT,):
        raise Mismatch(_HALF_PLACED)
    if state.is_rows:
        return [elements_of(state)]
    if any(map(is_too_large, state.values)):
        raise Mismatch(_TOO_LARGE)
    found = []
    for item in unlike(state.values):
        leaves, structure = flatten_element(item, contents_of, texts=True, nones=True)
        types = tuple(map(element_type, leaves))
        if any(map(is_too_large, leaves)):
            raise Mismatch(_TOO_LARGE)
        if None in types:
            raise Mismatch("a list of other things than numbers and arrays of known lengths")
        found.append(ElementType(structure, tuple(type for type in types if type is not None)))
    return found


def is_like(state: Contents, other: Contents) -> bool:
    """Whether another state has the same keys, and in a list that is kept as rows numbers of the
    same types."""
    if state.keys != other.keys or not state.is_rows:
        return state.keys == other.keys
    mine, others = elements_of(state), elements_of(other)
    kind = mine if mine == others else united(mine, others)
    return kind is None or kind.structure == mine.structure


def aligned(
    container: Any, states: Sequence[Contents], views: Sequence[Callable[[Any], Contents]] = ()
) -> list[Contents]:
    """States of a container that is in one of them, with the same keys in all.

    Lists of different lengths are seen as rows; see `common_element` for ``views``.

    Raises:
        Mismatch: the keys differ otherwise.
    """
    if all(is_like(states[0], state) for state in states):
        return list(states)
    if isinstance(container, np.ndarray):
        raise Mismatch(
            "it holds objects or texts, or a library made it; use an array of numbers made with "
            "np.array(...), or a list"
        )
    if isinstance(container, (bytearray, array.array)):
        raise Mismatch("its bytes are known while the code is recorded; use np.zeros(n, np.uint8)")
    seat = next((state.values for state in states if state.keys[:1] == (SEAT,)), None)
    if seat is not None and isinstance(container, TrackedList):
        learn_place(container, seat[0])
        raise Mismatch(_HALF_PLACED)
    if seat is not None:
        learn_always(class_of(container))
        raise Mismatch("an object that is in a list of unknown length on some paths only")
    if is_user_object(container):
        states = _with_class_attributes(container, states)
        if all(state.keys == states[0].keys for state in states):
            return states
        names = {name for state in states for name in state.keys[1:]}
        some = [name for name in names if not all(name in state.keys[1:] for state in states)]
        alike = all(state.keys[0] == states[0].keys[0] for state in states)
        if alike and all(can_be_missing(container, name) for name in some):
            return with_undefined(states)
    if isinstance(container, deque):
        raise Mismatch(" and ".join(dict.fromkeys(f"{state.keys[0]} elements" for state in states)))
    if not isinstance(container, list):
        texts = dict.fromkeys(_keys_text(container, state) for state in states)
        raise Mismatch(" and ".join(texts))
    views = views or [contents] * len(states)
    element = element_of(container, states, views)
    return [as_rows(state, element, view) for state, view in zip(states, views)]


def element_of(
    container: list, states: Sequence[Contents], views: Sequence[Callable[[Any], Contents]]
) -> ElementType:
    """`common_element` for a list that has to be kept as rows."""
    if not isinstance(container, TrackedList):
        raise Mismatch("a list that was not made by a statement of the function")
    return common_element(states, views)


def _with_class_attributes(item: Any, states: Sequence[Contents]) -> list[Contents]:
    """States of an object in which attributes that only some have are those of its class."""
    names = dict.fromkeys(name for state in states for name in state.keys[1:])
    filled = []
    for state in states:
        items, own = state.keys[0], state.keys[1:]
        values = dict(zip(own, state.values[len(state.values) - len(own) :]))
        for name in names:
            default = getattr(type(item), name, MISSING)
            if name not in values and isinstance(default, CLASS_DEFAULTS):
                values[name] = default
        present = [name for name in names if name in values]
        first = state.values[: len(state.values) - len(own)]
        attributes = tuple(values[name] for name in present)
        filled.append(Contents((items, *present), (*first, *attributes)))
    return filled


def as_rows(
    state: Contents, element: ElementType, contents_of: Callable[[Any], Contents] = contents
) -> Contents:
    return state_as_rows(state, element, contents_of)


def _keys_text(container: Any, state: Contents) -> str:
    """What messages say of the keys of a container in a state."""
    if isinstance(container, (set, dict)) or not is_user_object(container):
        keys = [key for key in state.keys if key is not None]
        if isinstance(container, set) and keys:
            keys = sorted(keys[0], key=repr)
        return f"{{{', '.join(map(repr, keys))}}}" if keys else "nothing"
    names = [key for key in state.keys if isinstance(key, str)]
    fixed = state.keys[0] if type(state.keys[0]) is Fixed else ()
    names += [f"{name}={value!r}" for name, value in fixed]
    return f"attributes {', '.join(names)}" if names else "no attributes"
