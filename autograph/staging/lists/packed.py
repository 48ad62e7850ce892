"""Lists of numbers among the arguments that a function takes as arrays, one for each part of an
element.

Were the elements of ``samples`` inputs of the graph, one by one, a loop over them would be recorded
as often as there are elements, and a list of another length would be another signature. A *packed*
list is kept as rows from the start (see `autograph.staging.lists.columns`): its length is that of
arrays, of which symbols may be the lengths.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.nesting import LEAF
from autograph.staging.lists.columns import Column
from autograph.staging.lists.elements import PACKED, ROWS, ElementType, kind_of_numbers
from ops.core.records import NamedTuple

MOST_APART = 16  # elements of a list that are taken one by one until it has had another length
BEGIN = frozenset({*PACKED, tuple})  # the classes of elements of a list that may be packed


class Packed(NamedTuple):
    """Comes last in the keys of a packed list, after `ROWS` and the structure of its elements.

    Attributes:
        element: what is known of an element.
        is_exact: whether lists may get no numbers of other types; see
            `autograph.staging.ground.exactness`.
    """

    element: ElementType
    is_exact: bool = True

    @property
    def keys(self) -> tuple:
        return ROWS, self.element.structure, self

    def columns(self, parts: Sequence[Any]) -> tuple[Any, ...]:
        """What a list of the function's is made of."""
        return tuple(
            Column(part.value, type) if isinstance(part, GraphArray) else part
            for part, type in zip(parts, self.element.types)
        )


def packed(items: list) -> tuple[Packed, list[np.ndarray]] | None:
    """How the elements of a list can be kept in arrays, and the arrays; None if they can't: they
    must all be floats, all be ints of 64 bits, or tuples of such, of one length."""
    element = kind_of_numbers(items, PACKED)
    if element is None:
        return None
    columns = [items] if element.structure is LEAF else zip(*items)
    try:
        arrays = [np.array(column, t.dtype) for column, t in zip(columns, element.types)]
    except OverflowError:
        return None
    return Packed(element), arrays


class Packing:
    """Says which lists of a call are packed, each time that it is asked the same: the arrays are
    known by their identities, and a list may be another one when the program has run.

    Attributes:
        done: those that were, by number: how, and what they have become.
        apart: how long the others are, by number, that might be.
    """

    def __init__(
        self,
        always: Collection[int],
        refused: Collection[int],
        is_exact: bool,
    ):
        self._always, self._refused, self._is_exact = always, refused, is_exact
        self.done: dict[int, tuple[Packed, list[np.ndarray]]] = {}
        self.apart: dict[int, int] = {}
        self._told: dict[int, tuple[Packed, list[np.ndarray]] | None] = {}

    def again(self) -> Callable[[], Packing]:
        """Gives what packs the same lists of other calls."""
        return functools.partial(Packing, {*self.done}, self._refused, self._is_exact)

    def positions(self, leaves: Sequence[Any]) -> list[int]:
        """Those of the arrays among the leaves of the call."""
        found = {id(array) for _, arrays in self.done.values() for array in arrays}
        return [position for position, leaf in enumerate(leaves) if id(leaf) in found]

    def counts(self, containers: Sequence[Any]) -> dict[int, int]:
        """How many arrays each list has become, by the identities of the lists.

        Args:
            containers: of the call.
        """
        return {id(containers[number]): len(arrays) for number, (_, arrays) in self.done.items()}

    def elements(self) -> list[ElementType]:
        """What is known of the elements of the lists, in the order in which they are met."""
        return [how.element for _, (how, _) in sorted(self.done.items())]

    def __call__(self, number: int, items: list) -> tuple[Packed, list[np.ndarray]] | None:
        if number not in self._told:
            self._told[number] = self._packed(number, items)
        return self._told[number]

    def _packed(self, number: int, items: list) -> tuple[Packed, list[np.ndarray]] | None:
        if number in self._refused or not items:
            return None
        if number not in self._always and len(items) <= MOST_APART:
            if type(items[0]) in BEGIN:
                self.apart[number] = len(items)
            return None
        found = packed(items)
        if found is None:
            return None
        how, arrays = found
        self.done[number] = found = how._replace(is_exact=self._is_exact), arrays
        return found
