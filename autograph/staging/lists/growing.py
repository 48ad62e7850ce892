"""Lists of the caller's that a function adds to, and does nothing else with.

``self.history.append(loss)`` makes a list longer at each call. Were its elements inputs of the
graph, as those of other lists are, each length would be another signature. While a function is
recorded for a list that has grown before, the list is *unread*: it contains only what the function
adds, and whatever asks for more ends the recording, see
`autograph.staging.ground.restarts.NeedsElements`. A call then adds to the list of the caller what
the program gives.
"""

from __future__ import annotations

from typing import Any

from autograph.staging.ground.restarts import NeedsElements


class Unread:
    """That the elements of a list are not seen: the only key of its `Contents`.

    Attributes:
        number: of the list among the containers of a call.
    """

    __slots__ = ("number",)

    def __init__(self, number: int):
        self.number = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unread) and other.number == self.number

    def __hash__(self) -> int:
        return hash((Unread, self.number))

    def __repr__(self) -> str:
        return f"Unread({self.number})"

    def refuse(self) -> Any:
        """Its elements are needed.

        Raises:
            NeedsElements: always.
        """
        raise NeedsElements(self.number)


ADDED = "added to what there is"  # before the keys of what a call adds to a list
