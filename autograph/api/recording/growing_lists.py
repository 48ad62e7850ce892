"""Which lists a function is recorded for without their elements; see
`autograph.staging.lists.growing`.

None at first. Once a function that has changed a list is called in a new way, it is recorded as one
that only adds to the list; if it does more, that is found out then.
"""

from __future__ import annotations

from collections.abc import Iterable

from autograph.api.calls.compiled import Compiled
from autograph.staging.border.delivery import GivenContainer, Static
from autograph.staging.border.signature import CallParts, call_containers


class MoreUnread(Exception):
    """A call is to be taken apart without the elements of more lists."""


class GrowingLists:
    """The lists that a function may only add to.

    Attributes:
        unread: their numbers among the containers of a call.
    """

    def __init__(self) -> None:
        self.unread: frozenset[int] = frozenset()
        self._refused: set[int] = set()

    def learn(self, forms: Iterable[Compiled], call: CallParts) -> None:
        """Find lists that the function has changed.

        Args:
            forms: what it is compiled as.
            call: one that is like none before.

        Raises:
            MoreUnread: there are some.
        """
        targets = [target for form in forms for target, _ in form.traced.delivery.changed]
        if not targets:
            return
        found = set()
        numbers = {}
        for number, container in enumerate(call_containers(call)):
            if type(container) is list:
                numbers[id(container)] = number
        for target in targets:
            if isinstance(target, GivenContainer) and target.number in numbers.values():
                found.add(target.number)
            elif isinstance(target, Static) and id(target.value) in numbers:
                found.add(numbers[id(target.value)])
        if not found <= self.unread | self._refused:
            self.unread |= found - self._refused
            raise MoreUnread

    def refuse(self, number: int) -> None:
        """The elements of a list are needed."""
        self._refused.add(number)
        self.unread -= {number}
