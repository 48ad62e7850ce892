"""What a call is refused with, of whose lists the elements were inputs first, and which then were
arrays.

Most of what is refused does not come of the form of lists, so the other one is refused as well.
What the user is told is of the first form, which needs not be recorded once more for that.
"""

from __future__ import annotations

from typing import Any

from autograph.api.recording.list_forms import Flat, ListForms
from autograph.errors import AutographError, UnrollLimitError


class Refusals:
    """What a call has been refused with.

    Args:
        lists: of the function.
    """

    def __init__(self, lists: ListForms):
        self._lists = lists
        self._of_elements: dict[bool, AutographError] = {}  # by whether there are heaps beside
        self._of_arrays: AutographError | None = None  # which lists were from the start

    def noted_in(self, flat: Flat) -> Flat:
        """The call, which is to be recorded, with what it has been refused with."""
        return flat._replace(refused=self._of_elements.get(flat.has_heaps))

    def told(
        self, error: Exception, flat: Flat | None, args: tuple, kwargs: dict[str, Any]
    ) -> Exception | None:
        """What the call is refused with; None if it is to be recorded with its lists in another
        form.

        Raises:
            AutographError: what it is refused with, whatever is an input from outside.
        """
        told = self._lists.in_other_form(error, flat, args, kwargs)
        if told is None:
            if flat is not None and flat.packing is not None and isinstance(error, AutographError):
                if flat.call.packing is not None:
                    self._of_arrays = None if self._lists.were_apart(flat) else error
                elif not isinstance(error, UnrollLimitError):  # which there may be other ways round
                    self._of_elements[flat.has_heaps] = error
        elif isinstance(told, UnrollLimitError) and self._of_arrays is not None:
            raise self._of_arrays from None
        return told
