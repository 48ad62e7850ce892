"""Which lists of numbers a function takes as arrays; see `autograph.staging.lists.packed`.

Those of many elements, and those that have had another length before. Where recording needs the
elements one by one after all, it gets them.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from autograph.log import log
from autograph.staging.containers.containers import attributes
from autograph.staging.ground.ownership import is_user_object
from autograph.staging.ground.restarts import PromotesNumbers
from autograph.staging.lists.given_rows import ATOMS
from autograph.staging.lists.packed import BEGIN, Packing


class MorePacked(Exception):
    """A call is to be taken apart with more lists packed."""


class PackedLists:
    """The lists that a function takes as arrays, by their numbers among the containers of a call.

    Args:
        name: of the function, for the log.
        may_be: whether there may be any. Transforms and options name leaves, which stay what they
            are for these.

    Attributes:
        were_apart: whether some are only packed since recording their elements takes long, or is
            refused.
    """

    def __init__(self, name: str, may_be: bool) -> None:
        self._name = name
        self._may_be = may_be
        self.were_apart = False
        self._always: set[int] = set()
        self._refused: set[int] = set()
        self._promoting: set[int] = set()  # which are refused for that alone
        self._is_exact = True
        self._lengths: dict[int, int] = {}  # of lists that were taken element by element

    def packing(self, arguments: Any, may_promote: bool = False) -> Packing | None:
        """What says which lists are packed of a call; None if there are none that might be.

        Args:
            may_promote: whether lists may get numbers of other types in any case.
        """
        if not self._may_be or not may_be_packed(arguments):
            return None
        return Packing(self._always, self._refused, self._is_exact and not may_promote)

    def learn(self, packing: Packing) -> None:
        """Note how long the lists of a call are that is like none before.

        Raises:
            MorePacked: some that could be packed have had another length before.
        """
        found = set()
        for number, length in packing.apart.items():
            before = self._lengths.setdefault(number, length)
            if before != length and number not in self._refused:
                found.add(number)
        if found - self._always:
            self._always |= found
            raise MorePacked

    def may_pack(self, packing: Packing) -> bool:
        """Whether more lists of a call might be packed."""
        return bool(packing.apart.keys() - self._always - self._refused)

    def pack(self, packing: Packing) -> None:
        """Those of a call are to be packed that may be, however few elements they have."""
        self._always.update(packing.apart)
        self.were_apart = True

    def refuse(self, numbers: Collection[int], why: BaseException) -> None:
        """The elements of some lists are needed one by one."""
        text = str(why).partition("\n")[0] or "their types are others"
        log.debug("%s: elements of lists are inputs, one by one: %s", self._name, text)
        self._refused.update(numbers)
        if isinstance(why, PromotesNumbers):
            self._promoting.update(numbers)

    def promotes(self) -> bool:
        """Pack lists although numbers are promoted then, as those of other lists that are kept as
        arrays. Returns whether there are any."""
        found, self._promoting = self._promoting, set()
        self._refused -= found
        self._is_exact &= not found
        return bool(found)


def may_be_packed(value: Any) -> bool:
    """Whether there is a list among nested containers, and attributes of objects, that begins with
    a number or a tuple."""
    met: dict[int, Any] = {}  # objects may refer to each other
    pending = [value]
    while pending:
        value = pending.pop()
        kind = type(value)
        if kind is list and value and type(value[0]) in BEGIN:
            return True
        if kind in ATOMS or id(value) in met:
            continue
        met[id(value)] = value
        if kind is list or kind is tuple:
            pending += value
        elif kind is dict:
            pending += value.values()
        elif is_user_object(value):
            pending += (part for _, part in attributes(value))
    return False
