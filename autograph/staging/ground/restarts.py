"""Why a function is recorded once more, in another way."""

from __future__ import annotations

from autograph.errors import AutographError, Location
from autograph.source.tree.options import Handling
from ops.control.constructs import Refusal


class SpecializeArguments(Refusal):
    """Recording needs the values of some arguments, leaves by position; they have to become part
    of the signature.

    Not an `Exception`, so that a user's ``except Exception`` does not swallow it.
    """

    def __init__(self, positions: list[int], location: Location | None):
        super().__init__(positions)
        self.positions = positions
        self.location = location


class NeedsElements(Refusal):
    """Recording needs the elements of a list of which it was to see only what is added.

    Attributes:
        number: of the list; see `autograph.staging.lists.growing`.
    """

    def __init__(self, number: int):
        super().__init__(number)
        self.number = number


class PromotesNumbers(Refusal):
    """Numbers of several types come into one list, as numbers of one type: while arguments are
    packed, see `autograph.staging.lists.packed`, which they need not be."""


class NeedsHandlers(Refusal):
    """Recording needs functions that are converted such that the program handles exceptions.

    Attributes:
        refusal: what is raised if that does not help.
        handling: how they are.
    """

    def __init__(self, refusal: AutographError, handling: Handling):
        super().__init__(refusal)
        self.refusal = refusal
        self.handling = handling


class NeedsComparisons(Refusal):
    """Recording needs functions that are converted such that comparisons are those of `ops`.

    Attributes:
        location: of a comparison of tuples or lists that asks for the truth of a symbolic one.
    """

    def __init__(self, location: Location | None):
        super().__init__(location)
        self.location = location


class NeedsNumberTypes(Refusal):
    """Recording needs to know that numbers of one more type come to some table; see
    `autograph.staging.ground.queues.NumberTypes`.

    Attributes:
        location: where they do.
    """

    def __init__(self, location: Location | None):
        super().__init__(location)
        self.location = location


class NeedsObjects(Refusal):
    """Recording needs to know more of the objects in lists, before the first is made; see
    `autograph.staging.ground.object_kinds`, where it is noted.

    Attributes:
        location: where it is known.
    """

    def __init__(self, location: Location | None):
        super().__init__(location)
        self.location = location


class NeedsDeques(Refusal):
    """Recording needs deques as they are, which were lists; see `autograph.staging.ground`."""
