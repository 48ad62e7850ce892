"""What a list of converted code consists of: Python's elements, or rows; and what else it may be.

It is an ordinary list until a loop or branch is recorded in which its length depends on the way
taken. From then on it is kept as *rows*: one array for each part of its elements, whose first axis
runs over the elements and whose length may be known only when the program runs. All elements then
have the same structure, shapes and dtypes.
"""

from __future__ import annotations

from typing import Any

from autograph.errors import Location, MutationError
from autograph.staging.ground.errors import IN_BRANCHES, user_location
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.columns import Rows, rows_of_elements
from autograph.staging.lists.inner_lists import InnerList, list_elements
from ops.core.recording import raises_as_python
from ops.core.records import NamedTuple


class Lost(NamedTuple):
    """Why a list may not be used any more: one that may be the same was changed there."""

    site: Location | None

    def error(self) -> MutationError:
        return MutationError(
            "a list is used that may be the same as another one that was changed, depending on "
            "control flow",
            user_location(),
            id="AG0328",
            others=(("changed there", self.site),),
            fix=IN_BRANCHES,
        )


class ListState(InnerList):
    """What a list consists of; see the module's text.

    Attributes:
        rows: its elements, if they are kept as rows; the list is then empty for Python.
        twins: lists that may be the same as this one.
        lost: set if one of its twins was changed: any use of the list raises an error.
        unread: set if its elements are not seen, only what is added to them; see
            `autograph.staging.lists.growing`.
    """

    __slots__ = ()

    kind: type = list
    outside = "list index out of range"
    no_place = "list assignment index out of range"
    moves = (0, 0)  # of lists; see `autograph.staging.lists.following`

    @property
    def rows(self) -> Rows | None:
        if self.unread is not None:
            self.unread.refuse()
        if self.lost is not None:  # as in `seen`: what is asked for most often takes one call
            raise self.lost.error()
        return self.followed() if self.home is not None or self.holders else self._rows

    @property
    def seen(self) -> Rows | None:
        """The same, of what is seen of an unread list."""
        if self.lost is not None:
            raise self.lost.error()
        return self.followed() if self.home is not None or self.holders else self._rows

    def become(self, rows: Rows | None) -> None:
        """Keep the elements as rows from now on, or as Python objects with None."""
        self._rows = rows
        if rows is not None:
            list.clear(self)

    def link(self, other: ListState) -> None:
        """The two may be the same list, depending on control flow: if one of them changes, nobody
        knows any more what the other contains."""
        if other is not self and all(twin is not other for twin in self.twins):
            self.twins.append(other)
            other.twins.append(self)

    def _changes(self) -> None:
        """Called before the list changes."""
        recorder().frozen.refuse(self)
        self.version += 1
        self.owns = False
        self.members = ()
        self.lose_twins()

    def elements_change(self) -> None:
        super().elements_change()
        self.lose_twins()

    def lose_twins(self) -> None:
        """Called where nobody knows any more what lists contain that may be this one."""
        for twin in self.twins:
            twin.lose()

    def lose(self) -> None:
        """Called where nobody knows any more what this one contains."""
        if self.lost is None:
            self.lost = Lost(user_location())
            recorder().lost.append(self)

    @property
    def length(self) -> Any:
        """The number of elements, a symbolic int if only the run can tell."""
        rows = self.rows
        return list.__len__(self) if rows is None else rows.length

    @property
    def size(self) -> Any:
        """See `autograph.staging.lists.following`."""
        rows = self.rows
        if rows is None or isinstance(rows.length, int):
            return self.length
        return rows.columns[0].value

    @raises_as_python
    def item(self, index: Any) -> Any:
        """One element, by a plain or symbolic index."""
        rows = self.rows
        if rows is None:
            return list.__getitem__(self, index)
        return self._element(rows, index)

    def _element(self, rows: Rows, index: Any) -> Any:
        element = rows.item(index, self.outside)
        if isinstance(element, ListState) and element._rows is not None:
            element.read_at(self, index)
        return element

    def as_rows(self, others: bool = False) -> Rows | None:
        """The elements as rows, if there are any and `rows_of_elements` can.

        Args:
            others: whether some may be None, or texts.
        """
        if self.rows is not None:
            return self.rows
        frozen = recorder().frozen
        inner = list_elements(self)
        own = [item for item in inner if item.only is self or not frozen.is_element(item)]
        rows = rows_of_elements(list.__iter__(self), others, others, exactly=True)
        for item in own:
            item.only = self
        return rows

    def _becomes_rows(self) -> bool:
        """Keep the elements as rows, if that is possible."""
        if self.rows is None:
            self.become(self.as_rows())
        return self.rows is not None
