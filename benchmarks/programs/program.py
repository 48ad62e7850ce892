"""What a program of this suite is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

FEW, MANY = 4, 8  # draws of large arguments, and of small ones


@dataclass(frozen=True)
class Program:
    """A function in plain NumPy, and what it is run on.

    Attributes:
        title: says what is computed, of what size.
        function: the program, which is compiled as it is.
        arguments: makes its arguments, of a size, and if there are several draws, of one of them.
        size: of the rows in the table.
        small: of the tests.
        draws: on how many arguments it is called in turn: several, if it branches on the data, and
            not so often that no processor learns that by heart.
    """

    title: str
    function: Callable
    arguments: Callable[..., tuple]
    size: int
    small: int
    draws: int = 1

    def others(self, size: int) -> list[tuple]:
        """What it is called on in turn with its arguments."""
        return [self.arguments(size, draw) for draw in range(1, self.draws)]
