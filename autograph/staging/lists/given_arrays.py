"""Arrays that attributes of the caller's objects are, where those are in heaps.

What is read of them is a copy, and so is what is put into them. Nobody sees that as long as the
program only computes with it: where it returns, stores or compares by ``is`` what in Python would
be the array itself, it is refused.
"""

from __future__ import annotations

from typing import Any

from autograph.errors import UnsupportedFunctionError
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.recorder import recorder
from autograph.staging.values.maybe import MaybeNone


class _GivenArrays:
    """Whether a recording has read or put such."""

    are_met = False


def meet_given_arrays() -> None:
    """Attributes of the caller's objects that are arrays are read, or put, from now on."""
    recorder().state(_GivenArrays).are_met = True


def is_copied(value: Any) -> bool:
    """Whether a value may stand for an array that an object of the caller's has."""
    if not recorder().state(_GivenArrays).are_met:
        return False
    value = value.content if isinstance(value, MaybeNone) else value
    is_array = isinstance(value, GraphArray) and (value.ndim or value.is_array)
    return bool(is_array and value.is_part_of_kept)


def refuse_copied(value: Any, doing: str) -> None:
    """Refuse what would show that a value is a copy."""
    if is_copied(value):
        raise _refused(doing)


def require_own(value: Any) -> None:
    """Refuse to put an array into an object of the caller's that others may have, too.

    Raises:
        UnsupportedFunctionError: the operation before has not made it, or it may be put twice.
    """
    meet_given_arrays()
    value = value.content if isinstance(value, MaybeNone) else value
    is_new = isinstance(value, GraphArray) and value.is_made and value.is_of_frame
    if not is_new or value.is_part_of_kept:
        raise _refused("put into another object")


def _refused(doing: str) -> UnsupportedFunctionError:
    return UnsupportedFunctionError(
        f"an array of an object, whose number is known only at run time, is {doing}: it is a copy",
        user_location(),
        id="AG0591",
        fix="use a copy: x.copy()",
    )
