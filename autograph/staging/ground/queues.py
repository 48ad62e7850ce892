"""Deques, dicts and sets, which are recorded as they are, or as lists of any length.

As it is, a deque has a length that is known while recording, and a dict or set keys that are: they
may hold anything, and are compared and shown as Python does. Where branches and loops leave a deque
with other lengths, as a search leaves its queue, or only the run knows a key, the function is
recorded once more with those that it makes as lists.
"""

from __future__ import annotations

from autograph.errors import AutographError

# What is said of dicts and sets as lists that tells more than why they are.
OF_KEYS = ("AG0581", "AG0582", "AG0583")


class Queues:
    """What is done with deques, dicts and sets.

    Attributes:
        met: whether one was made that could be made of lists.
        as_lists: whether they are.
        tried: whether they were.
        refusal: why they could not be.
        waived: whether a key was to become static, and did not, since they may be lists.
    """

    def __init__(self) -> None:
        self.met = False
        self.as_lists = False
        self.tried = False
        self.refusal: AutographError | None = None
        self.waived = False

    def make_lists(self) -> bool:
        """Whether one that is made now is to be made of lists."""
        self.met = True
        return self.as_lists

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
