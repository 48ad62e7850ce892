"""Whether a function is recorded for lists of lists as rows in heaps; see
`autograph.staging.lists.given_rows`.

At first it is recorded for their elements, which then are numbers like any others: what is done for
each of few is written out, and nothing is refused of what lists do. Where they are many, once rows
have had other lengths, or where that is refused, the function is recorded for rows in heaps: that
is for any number and any lengths of rows. If that is refused, everything stays as it was.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from autograph.errors import AutographError
from autograph.log import log
from autograph.staging.lists.given_rows import GivenRows

# How many shapes rows have had, of different lengths, and all of one length, before they are in
# heaps. A call for whose shape the function is recorded takes less time.
_RAGGED, _RECTANGLES = 3, 8
_MANY = 200  # items of rows that are each an input, at most


class MoreGiven(Exception):
    """A call is to be taken apart with its lists of lists in heaps."""


class GivenLists:
    """How the lists of lists of calls are given.

    Args:
        name: of the function, for the log.
        may_be: whether they may be in heaps at all.
    """

    def __init__(self, name: str, may_be: bool):
        self._name = name
        self._may_be = may_be
        self._in_heaps = False
        self._with_others = False  # lists that are no rows yet are in heaps as well
        self._shapes: set[Hashable] = set()
        self._refused: AutographError | None = None  # what was, of their elements

    def of(self, args: tuple, kwargs: dict[str, Any]) -> GivenRows | None:
        """The lists of a call that are in heaps."""
        if not self._in_heaps:
            return None
        given = GivenRows((args, kwargs), self._with_others)
        return given if given.found else None

    def learn(self, args: tuple, kwargs: dict[str, Any]) -> None:
        """Called before the function is recorded for a call that is like none before.

        Raises:
            MoreGiven: its lists of lists are to be in heaps.
        """
        if self._in_heaps or not self._may_be:
            return
        given = GivenRows((args, kwargs))
        if not given.found:
            return
        if given.size > _MANY:
            self._turn_on("they have many items")
            raise MoreGiven
        self._shapes.add(given.shape)
        if len(self._shapes) >= (_RAGGED if given.is_ragged else _RECTANGLES):
            self._turn_on("rows have had other lengths")
            raise MoreGiven

    def may_give(self, args: tuple, kwargs: dict[str, Any]) -> bool:
        """Whether a call has lists of lists that might be in heaps."""
        is_open = self._may_be and not self._in_heaps
        return is_open and bool(GivenRows((args, kwargs)).found)

    def give(self, args: tuple, kwargs: dict[str, Any]) -> None:
        """Those of a call are to be in heaps if they may be."""
        if self.may_give(args, kwargs):
            self._turn_on("recording their elements takes long")

    def may_help(self, error: Exception, args: tuple, kwargs: dict[str, Any]) -> bool:
        """Whether a call that was refused is to be recorded with its lists in another form.

        Raises:
            AutographError: what was refused of their elements, if heaps do not help.
        """
        if self._in_heaps:
            given = GivenRows((args, kwargs), self._with_others)
            if not given.found:
                return False
            log.debug("%s: rows in heaps are refused: %s", self._name, error)
            more = GivenRows((args, kwargs), with_others=True)
            if not self._with_others and more.shape != given.shape:
                self._with_others = True
                return True
            self._in_heaps = self._may_be = False
            refused, self._refused = self._refused, None
            if refused is not None:
                raise refused
            return True
        if not self._may_be or not isinstance(error, AutographError):
            return False
        if not GivenRows((args, kwargs)).found:
            return False
        self._refused = error
        self._turn_on(f"their elements are refused: {error.message}")
        return True

    def _turn_on(self, why: str) -> None:
        log.debug("%s: lists of lists are rows in heaps, because %s", self._name, why)
        self._in_heaps, self._with_others = True, False
