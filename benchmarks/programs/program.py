"""What a program of this suite is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    """A function in plain NumPy, and what it is run on.

    Attributes:
        title: says what is computed, of what size.
        function: the program, which is compiled as it is.
        arguments: makes its arguments, of a size.
        size: of the rows in the table.
        small: of the tests.
    """

    title: str
    function: Callable
    arguments: Callable[[int], tuple]
    size: int
    small: int
