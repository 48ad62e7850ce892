"""Attributes of the caller's objects that no array holds; see
`autograph.staging.lists.given_attributes`."""

from __future__ import annotations

from typing import NoReturn

from autograph.errors import UnsupportedFunctionError
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.ownership import Recorded


class UnreadAttribute(Recorded):
    """Stands for what an attribute is of all objects, where the program can't read it.

    Attributes:
        why: what is with it.
    """

    def __init__(self, why: str):
        self.why = why

    def refuse(self, kind: type, name: str) -> NoReturn:
        raise UnsupportedFunctionError(
            f"data decide which object of the class '{kind.__name__}' is used, of which the "
            f"attribute '{name}' {self.why}",
            user_location(),
            id="AG0586",
            fix=f"let '{name}' be of one kind in all of them: a number, an object or None, a list of "
            "objects or of numbers, or arrays of one shape",
        )
