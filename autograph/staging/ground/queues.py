"""Deques, dicts and sets, which are recorded as they are, or as lists of any length.

As it is, a deque has a length that is known while recording, and a dict or set keys that are: they
may hold anything, and are compared and shown as Python does. Where branches and loops leave a deque
with other lengths, as a search leaves its queue, or only the run knows a key, the function is
recorded once more with those that it makes as lists.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from autograph.errors import AutographError, Location
from autograph.staging.ground.errors import user_location
from ops.core.types import ArrayType

# What is said where the run decides which texts become keys.
OF_TEXTS = ("AG0314", "AG0315", "AG0328", "AG0344")
# What is said of dicts and sets as lists that tells more than why they are.
OF_KEYS = ("AG0581", "AG0582", "AG0583")


class NumberTypes:
    """Of which types the numbers are that come to one place of tables.

    A table that gets numbers of one type keeps them as they are. Where another type is met, the
    function is recorded once more, in which that is known from the start.

    Attributes:
        is_outgrown: whether it was met, so that what the tables hold by now is not of all types.
        location: where it was.
    """

    def __init__(self) -> None:
        self._met: dict[Hashable, set[ArrayType]] = {}
        self.is_outgrown = False
        self.location: Location | None = None

    def meet(self, place: Hashable, types: Iterable[ArrayType]) -> set[ArrayType]:
        """All types of the numbers there, also of these.

        Args:
            place: where the tables are made, and where in what they hold.
        """
        known = self._met.setdefault(place, set())
        before = len(known)
        known.update(types)
        if before < len(known) > 1:
            self.is_outgrown, self.location = True, user_location()
        return known


class Queues:
    """What is done with deques, dicts and sets.

    Attributes:
        met: whether one was made that could be made of lists.
        met_given: whether a dict was given that could be; keys of the run become static before.
        as_lists: whether they are.
        tried: whether they were.
        refusal: why they could not be.
        waived: whether a key was to become static, and did not, since they may be lists.
        met_texts: whether a display with texts as keys was.
        texts_chosen: whether it was refused that it is known only at run time which texts are keys.
        numbers: of which types the numbers in dicts and sets are that are lists.
        remembers: whether functions that remember their results do so as the program runs.
        remembered: whether one did.
    """

    def __init__(self) -> None:
        self.met = False
        self.met_given = False
        self.as_lists = False
        self.tried = False
        self.refusal: AutographError | None = None
        self.waived = False
        self.met_texts = False
        self.texts_chosen = False
        self.numbers = NumberTypes()
        self.remembers = True
        self.remembered = False

    def remember(self) -> bool:
        """Whether a function is to remember, in a dict of the run, what it gives there."""
        self.remembered |= self.remembers
        return self.remembers

    def make_lists(self) -> bool:
        """Whether one that is made now is to be made of lists."""
        self.met = True
        return self.as_lists

    def take_as_lists(self) -> bool:
        """Whether a dict that is given is to be one of lists."""
        self.met_given = True
        return self.as_lists

    def make_of_texts(self) -> bool:
        """The same of one that a display makes whose keys are texts. Those are known as a rule, and
        may stand for anything, as in a dict of options: so they are made of lists only where
        something was refused that may be mended by that."""
        self.met_texts = True
        return self.as_lists and self.texts_chosen

    def refuse(self, error: AutographError) -> None:
        """They can't be lists. What is said of keys tells most."""
        if error.id in OF_KEYS or self.of_keys is None:
            self.refusal = error

    @property
    def of_keys(self) -> AutographError | None:
        """Why they could not be lists, if that tells more than why they are to be."""
        return self.refusal if self.refusal is not None and self.refusal.id in OF_KEYS else None

    def told(self, error: AutographError) -> AutographError:
        """An error of a function in which they are no lists, which says also why they are not."""
        why = self.refusal
        if why is not None and error.id == "AG0304":
            kept = "as a list of keys and one of what they stand for it is refused, too"
            error.others = ((f"{kept}: {why.message}", why.location),)
        return error

    def waits(self) -> bool:
        """Whether a key need not become static, before it has been tried to make lists of them."""
        waits = self.met and not self.tried
        self.waived |= waits
        return waits
