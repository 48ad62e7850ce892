"""Lists that are extended by what reads them: ``xs.extend(xs[-1] + i for i in range(n))``.

A list of Python's gets each item as soon as it is there, and what gives the next one sees it. Here
the items are a list of their own first, which a loop of the graph makes in one piece. Where what
gives them reads the list that they are for, the function is recorded again, and puts them in one by
one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import ops
from autograph.errors import Location
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.learnt import Learnt
from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.restarts import Need
from autograph.staging.lists.inner_lists import InnerList


class OneByOne:
    """Where lists are extended that are read meanwhile.

    Attributes:
        places: these.
    """

    def __init__(self) -> None:
        self.places: set[Location | None] = set()


class NeedsItems(Need):
    """Recording needs a list to get its items one by one.

    Attributes:
        location: where it gets them.
    """

    def __init__(self, location: Location | None):
        super().__init__(location, location)

    def learn(self, learnt: Learnt) -> str:
        learnt.of(OneByOne).places.add(self.location)
        return f"what a list is extended by at {self.location} reads the list"


class Extended:
    """That a list is being extended, in the place of its being unread; see
    `autograph.staging.lists.growing`."""

    __slots__ = ("place",)

    def __init__(self, place: Location | None):
        self.place = place

    def refuse(self) -> Any:
        """The list is read.

        Raises:
            NeedsItems: always.
        """
        raise NeedsItems(self.place)


def listed(values: Iterable[Any]) -> Any:
    """A new list of what an iterable gives."""
    return ops.collect(lambda value: value, values)


def items_for(items: InnerList, values: Iterable[Any]) -> Any:
    """A list of what another one is extended by, of which that got nothing yet; an empty tuple if
    it has got everything."""
    place = user_location()
    if place in recorder().learnt.of(OneByOne).places:

        def put(value: Any) -> tuple:
            items.append(value)
            return ()

        ops.for_loop(values, put, ())
        return ()
    if items.unread is not None:
        return listed(values)
    items.unread = Extended(place)
    try:
        return listed(values)
    finally:
        items.unread = None
