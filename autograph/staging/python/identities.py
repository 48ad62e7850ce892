"""``is`` on values of which only the run can tell what they are."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

import ops
from autograph.errors import ConcreteValueError
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.views import Base, MaybeShared, View
from autograph.staging.ground import factories
from autograph.staging.ground.bound import GivenFunction
from autograph.staging.ground.object_kinds import may_be_pooled
from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.restarts import SeesFunction
from autograph.staging.lists.elements import class_of
from autograph.staging.lists.given_arrays import is_copied
from autograph.staging.lists.heap import PooledRow
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.object_heap import learn_always
from autograph.staging.lists.placed_objects import PlacedObject, is_same_kept
from autograph.staging.lists.pooled import PooledList
from autograph.staging.lists.pooled_tuples import PooledTuples
from autograph.staging.lists.tables import KeyTable
from autograph.staging.lists.twins import is_of_kind, twins_of
from autograph.staging.values.choice import Choice
from autograph.staging.values.maybe import ArrayOrNone, MaybeNone, ObjectOrNone, OnlyTruth
from autograph.staging.values.promoted import by_kind, types_of
from ops.core.symbolic_lengths import NeedsNumber, is_length


def is_same(left: Any, right: Any) -> Any:
    """``left is right``.

    Raises:
        ConcreteValueError: it depends on control flow whether they are the same array or container.
    """
    left, right = recorder().defined(left), recorder().defined(right)
    for value in (left, right):
        if isinstance(value, OnlyTruth):
            raise value.error
    for value, other in ((left, right), (right, left)):
        if isinstance(value, MaybeNone) and other is None:
            return ops.not_(value.present)
        if isinstance(other, bool) and isinstance(value, ArrayOrNone):
            return ops.and_(value.present, functools.partial(is_same, value.content, other))
        if isinstance(other, bool) and types_of(value):
            return by_kind(value, functools.partial(is_same, other))
        if isinstance(other, bool) and isinstance(value, GraphArray) and _is_bool(value):
            return value if other else ops.not_(value)  # there is one True and one False
    if isinstance(left, Choice):
        return left.each(lambda item: is_same(item, right))
    if isinstance(right, Choice):
        return is_same(right, left)
    left, right = _as_given(left), _as_given(right)
    if left is right:
        return True
    for value, other in ((left, right), (right, left)):
        if type(value) is GivenFunction and type(other) is not GivenFunction and callable(other):
            raise SeesFunction
    if isinstance(left, KeyTable) and type(left) is type(right) and left is not right:
        left, right = left.order, right.order  # which tell
    if isinstance(left, PooledList) and type(left) is type(right) is not PooledTuples:
        left, right = left.counted, right.counted  # which tell
    if left is right:
        return True
    if isinstance(left, PooledRow) and isinstance(right, PooledRow) and left.is_beside(right):
        return ops.cast(ops.equal(left.seat.place, right.seat.place), dtype="bool", weak=True)
    if isinstance(left, PlacedObject) and isinstance(right, PlacedObject):
        return is_same_kept(left, right)
    both = isinstance(left, GraphArray) and isinstance(right, GraphArray)
    copies = _are_of_a_kind(left, right) and any(map(_is_copied, (left, right)))
    arrays = (isinstance(value, (GraphArray, np.ndarray)) for value in (left, right))
    copies |= all(arrays) and (is_copied(left) or is_copied(right))
    if copies or _may_be_same(left, right) or (both and _may_be_one_array(left, right)):
        for kind in {class_of(left), class_of(right)} if not both else ():
            if may_be_pooled(kind):
                learn_always(kind)  # in a heap it is known
        raise _uncertain("array" if both else "object")
    for value, other in ((left, right), (right, left)):
        if isinstance(value, ObjectOrNone):
            if isinstance(other, MaybeNone):  # both may be None
                if isinstance(value.content, PlacedObject):
                    return _are_same_or_none(value, other)
                raise _uncertain("object")
            content = value.content
            if isinstance(content, tuple) and type(content) is type(other):
                raise _uncertain("object")
            return _is_content(value, is_same(content, other), other)
    if _is_int(left) and _is_int(right):
        for value in (left, right):
            if isinstance(value, GraphArray) and is_length(length := value.as_length()):
                raise NeedsNumber(length)  # small ints that are equal are one object
    recorder().tells_apart |= both
    if both:
        for value, other in ((left, right), (right, left)):
            if _is_argument(value):
                recorder().outside.compare(other)
    return recorder().outside.original(left) is recorder().outside.original(right)


def _as_given(value: Any) -> Any:
    """What the caller of the outermost transform gave where ``value`` stands, or the function a
    ``defaultdict`` has been given."""
    given = recorder().inputs.given
    while isinstance(value, GraphArray) and value in given:
        value = given[value]
    return factories.as_given(value)


def _is_argument(array: GraphArray) -> bool:
    inputs = recorder().inputs
    return inputs.outermost(array.value) in inputs.positions


def _are_same_or_none(left: ObjectOrNone, right: MaybeNone) -> Any:
    """Whether two objects in heaps that may be None are one."""
    same = is_same(left.content, right.content)
    both = ops.and_(left.present, lambda: ops.and_(right.present, lambda: same))
    return ops.or_(both, lambda: ops.not_(ops.or_(left.present, lambda: right.present)))


def _is_content(value: ObjectOrNone, same: Any, other: Any) -> Any:
    """Whether an object that may be None is another one, of whether it is, if it is none."""
    if isinstance(same, bool):
        return value.present if same else False
    if isinstance(other, ObjectOrNone):
        raise _uncertain("object")
    return ops.and_(value.present, lambda: same)


def _are_of_a_kind(left: Any, right: Any) -> bool:
    """Whether one may stand for the other: a dict may be made of lists, and a list be tracked."""
    return type(left) is type(right) or any(
        isinstance(one, KeyTable) and type(other) is one.kind
        for one, other in ((left, right), (right, left))
    )


def _is_copied(value: Any) -> bool:
    return isinstance(value, PooledRow) or recorder().frozen.is_element(value)


def _uncertain(what: str) -> ConcreteValueError:
    return ConcreteValueError(
        f"whether these are the same {what} depends on control flow",
        recorder().location(),
        id="AG0310",
        fix="compare their contents, or keep a flag",
    )


def _may_be_same(left: Any, right: Any) -> bool:
    """Whether two containers may be one, depending on control flow."""
    if not is_of_kind(left, right):
        return False
    entered, other = map(recorder().frozen.stands, (left, right))
    if entered is not other:
        return True
    if isinstance(left, TrackedList) and isinstance(right, TrackedList):
        return any(twin is right for twin in twins_of(left))
    return all(map(recorder().frozen.is_joined, (left, right)))


def _is_bool(value: GraphArray) -> bool:
    return value.type.weak and value.dtype.kind == "b" and not isinstance(value, MaybeNone)


def _is_int(value: Any) -> bool:
    if isinstance(value, GraphArray):
        return value.type.weak and value.dtype.kind == "i" and not isinstance(value, MaybeNone)
    return type(value) is int


def _may_be_one_array(left: GraphArray, right: GraphArray) -> bool:
    """Whether two arrays that are not known to be the same object may be."""
    uncertain = [
        isinstance(x, MaybeNone) or isinstance(x._view, MaybeShared) for x in (left, right)
    ]
    carried = (left.is_carried or right.is_carried) and left.type == right.type
    if any(uncertain) or carried or _ordered(left) is right or _ordered(right) is left:
        return True
    return _ordered(left) is _ordered(right) is not None


def _ordered(array: GraphArray) -> Base | None:
    """The array that an array is if its elements lie in memory in the order that was asked for."""
    producer = getattr(array._value, "producer", None)
    if producer is None or producer.op is not ops.contiguous or not isinstance(array._view, View):
        return None
    return array._view.base
