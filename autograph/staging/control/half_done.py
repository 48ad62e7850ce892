"""What an expression that is attempted has changed, where an exception may leave it half done.

Statements after an exception are not done, and so is the rest of an expression. What it changes by
then stays changed in Python. While it is recorded, all of it is, also what comes after something
that may be raised: what is changed there has to be undone, or refused.
"""

from __future__ import annotations

from collections.abc import Callable

from autograph.staging.containers.watch import Watch


class HalfDone:
    """The changes of one attempt.

    Args:
        function: computes what is attempted.

    Attributes:
        is_spoiled: whether an array was changed after something may have been raised.
        is_store: whether all that it does is to store something if that does not raise anything.
    """

    def __init__(self, function: Callable):
        self._function = function
        self._has_kept = self.is_spoiled = self.is_store = False
        self._watch = Watch([function])

    @property
    def may_be_half(self) -> bool:
        """Whether containers were changed that would not be if something was raised before."""
        return bool(self._watch.changed())

    @property
    def are_any(self) -> bool:
        """Whether containers were changed."""
        return self._has_kept or self.may_be_half

    def keep(self, has_changed: bool = False) -> None:
        """The containers that are changed by now are so whatever is raised from here on: they were
        changed before, or only if nothing was raised.

        Args:
            has_changed: whether it is known that some are.
        """
        self._has_kept = has_changed or self.are_any
        self._watch = Watch([self._function])

    def spoil(self) -> None:
        """Something changes after something may have been raised, which nobody can undo."""
        self.is_spoiled = True

    def allow(self, is_possible: bool, is_sure: bool) -> bool:
        """Whether the program can do what was recorded.

        Args:
            is_possible: whether something may have been raised.
            is_sure: whether it was, at the end of what was recorded.
        """
        return not self.is_spoiled and (
            not is_possible or is_sure or self.is_store or not self.may_be_half
        )
