"""How a call tells the lengths that are not known before: what ``entry.c`` calls lengths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ops.core.symbolic_lengths import Factor, Quotient, SymbolicLength, is_length

_OF_AXIS, _POLYNOMIAL, _QUOTIENT = range(3)


class LengthTable:
    """Lengths by their numbers: first symbols, then what is computed of lengths before.

    Args:
        symbols: where each is seen: the position of a parameter, an axis, and by how much that is
            longer.

    Attributes:
        count: how many there are.
        words: the table.
    """

    def __init__(self, symbols: Mapping[str, tuple[int, int, int]]):
        self._numbers: dict[Factor | SymbolicLength, int] = {}
        self.words: list[int] = []
        for name, place in symbols.items():
            self._add(name, [_OF_AXIS, *place])

    @property
    def count(self) -> int:
        return len(self._numbers)

    def size(self, length: Any) -> int:
        """How a plan has a length."""
        return -1 - self._number(length) if is_length(length) else length

    def _add(self, key: Factor | SymbolicLength, words: list[int]) -> int:
        self.words += words
        self._numbers[key] = len(self._numbers)
        return self._numbers[key]

    def _number(self, key: Factor | SymbolicLength) -> int:
        if key in self._numbers:
            return self._numbers[key]
        if isinstance(key, Quotient):
            return self._add(key, [_QUOTIENT, self._number(key.of), key.by])
        assert is_length(key)  # symbols are there from the beginning
        words = [_POLYNOMIAL, len(key.terms)]
        for factors, count in key.terms.items():
            words += [count, len(factors), *map(self._number, factors)]
        return self._add(key, words)
