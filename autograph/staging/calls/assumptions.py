"""What is assumed of a recursive function while it is recorded: facts about its result and state,
of which each leaf may be a certain object that it was given, and when they are the same ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from autograph.staging.arrays.array import GraphArray
from autograph.staging.border.arguments import Call, changing
from autograph.staging.joins.sides import Side
from autograph.staging.joins.variables import NEVER, NeedRows, Variable, join
from autograph.staging.values.leaves import Known, Leaf


class Given:
    """Stands for an array or container that a function is given, where that very object is a result
    of it.

    Attributes:
        find: gives the object, for the leaves and the containers of the arguments of a call.
    """

    def __init__(self, find: Callable[[Sequence[Any], Sequence[Any]], Any]):
        self.find = find


def is_same(before: tuple, after: tuple, assumed: bool) -> bool:
    """Whether two assumptions are the same; of the results only if one was made use of."""
    result, state, arrays, sharing = before
    now, now_state, now_arrays, now_sharing = after
    same_result = not assumed or (
        result is not None and is_same_fact(result, now) and sharing == now_sharing
    )
    return same_result and is_same_state(state, now_state) and arrays == now_arrays


def is_same_state(state: Sequence[Variable], now: Sequence[Variable]) -> bool:
    """Whether what is known of the state is the same."""
    return len(state) == len(now) and all(map(is_same_fact, state, now))


def is_same_fact(a: Variable, b: Variable) -> bool:
    return (
        a.structure == b.structure
        and a.defined == b.defined
        and all(map(_is_same_leaf, a.leaves, b.leaves))
    )


def _is_same_leaf(x: Leaf, y: Leaf) -> bool:
    if isinstance(x, Known) or isinstance(y, Known):
        return isinstance(x, Known) and isinstance(y, Known) and x.same(y)
    return x == y


def joined_facts(a: Variable, b: Variable, leaves: Sequence[Any], share: Any) -> Variable:
    """What is known of a variable that is either, where one may be a certain array and the other a
    new one, which then may share its memory. ``leaves`` are those of ``b``."""
    if NEVER not in (a.defined, b.defined) and a.structure == b.structure:
        pairs = [
            (x, y) if _is_same_leaf(x, y) else (_as_new(x, leaf, share), _as_new(y, leaf, share))
            for x, y, leaf in zip(a.leaves, b.leaves, leaves)
        ]
        a = replace(a, leaves=tuple(x for x, _ in pairs))
        b = replace(b, leaves=tuple(y for _, y in pairs))
    return join(a, b)


def _as_new(fact: Leaf, leaf: Any, share: Any) -> Leaf:
    content = fact.content if isinstance(fact, Known) else None
    if isinstance(content, Given):
        content = leaf
    if not (isinstance(content, GraphArray) and is_array_leaf(content)):
        return fact
    share(content)
    return content.type


def as_rows_of(need: NeedRows, side: Side, before: Variable) -> Variable | None:
    """Let a list be rows in the second of two facts; returns what is left of the first.

    That is nothing if only the list in it is not rows: the next pass shows whether the second is
    all there is to know.
    """
    _, number = need.numbers
    if number is None:
        return None
    side.keep_as_rows(number, need.element)
    return before


def all_changing(variable: Variable) -> Variable:
    """The facts about a variable with its numbers, not its arrays, known by their types."""
    leaves = tuple(
        leaf if isinstance(leaf, Known) and is_array_leaf(leaf.content) else changing(leaf)
        for leaf in variable.leaves
    )
    return replace(variable, leaves=leaves)


def resolved(leaves: list[list[Any]], call: Call) -> list[list[Any]]:
    """Leaves with what `Given` stands for in a call."""
    return [
        [
            leaf.find(call.leaves, call.containers) if isinstance(leaf, Given) else leaf
            for leaf in parts
        ]
        for parts in leaves
    ]


def is_array_leaf(leaf: Any) -> bool:
    """Whether a leaf is an array, not a number, that a graph value stands for."""
    return isinstance(leaf, GraphArray) and bool(leaf.ndim)
