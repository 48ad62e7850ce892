"""What calls of a recursive function share: arrays that are parts of each other, and containers
that may be the same.

A call writes back what the function changes in place, each array and container once. So none of
these may be known to it by two names.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from autograph.errors import MutationError
from autograph.graph.graph import Constant, Graph, Value, walk
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.views import MaybeShared, View
from autograph.staging.calls.assumptions import is_array_leaf
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.twins import is_of_kind


def refuse_sharing(
    name: str, changed: Sequence[Any], others: Iterable[Any], is_given_state: bool
) -> None:
    """Refuse a call that changes what the function also knows under another name.

    Args:
        name: of the function.
        changed: the arrays that it changes.
        others: the leaves and arrays that it knows, these included.
        is_given_state: whether it is given a container whose contents belong to its state.
    """
    owners = [_owner(array) for array in others if is_array_leaf(array)]
    if is_given_state or any(
        not isinstance(array, GraphArray) or sum(o is _owner(array) for o in owners) > 1
        for array in changed
    ):
        raise MutationError(
            f"the recursive function '{name}' changes an array or a list in place that it also "
            "knows under another name",
            recorder().location(),
            id="AG0327",
            fix="pass a copy, and return it",
        )


def arrays_read(graph: Graph, captures: Iterable[Value], seen: Iterable[Any]) -> list[Any]:
    """Those of the arrays that a function sees around it that its graph reads.

    Args:
        captures: what the graph uses of the graphs around it.
    """
    used = {id(value) for value in (*captures, *graph.captures)}
    used.update(id(constant.data) for constant in _constants(graph))
    arrays = ByIdentity((item, None) for item in seen if is_array_leaf(item))
    return [
        array
        for array in arrays
        if any(id(part) in used for a in (array, _owner(array)) for part in _parts(a._value))
    ]


def may_be_same(containers: Iterable[Any], others: Iterable[Any]) -> None:
    """Note that some containers may be others of their kind."""
    for one, other in itertools.product(containers, others):
        twins = other.twins if isinstance(other, TrackedList) else ()
        for same in (other, *twins):
            if same is not one and is_of_kind(one, same):
                recorder().may_be_same(one, same)


def sources(array: Any) -> list[Any]:
    """The arrays that a new array shares memory with, or may."""
    view = array._view if isinstance(array, GraphArray) else None
    if isinstance(view, View):
        return [view.base, *sources(view.base)]
    if isinstance(view, MaybeShared):
        return [source for base, _ in view.bases for source in (base, *sources(base))]
    return []


def _owner(array: Any) -> Any:
    """The array that a view is, in the end, a part of."""
    while isinstance(array._view, View):
        array = array._view.base
    return array


def _parts(value: Value) -> tuple[Any, ...]:
    return (value, value.data) if isinstance(value, Constant) else (value,)


def _constants(graph: Graph) -> list[Constant]:
    return [v for node in walk(graph) for v in node.inputs if isinstance(v, Constant)]
