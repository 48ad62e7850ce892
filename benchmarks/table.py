"""Tables as Markdown, which is also readable in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass
class Table:
    """What one benchmark found: a title, a sentence on how, the columns' heads and the rows."""

    title: str
    note: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def __str__(self) -> str:
        widths = [max(map(len, column)) for column in zip(self.head, *self.rows)]
        rule = ["-" * width for width in widths]
        lines = [self._line(cells, widths) for cells in (self.head, rule, *self.rows)]
        return "\n".join([f"## {self.title}", "", self.note, "", *lines, ""])

    @staticmethod
    def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
        padded = (cell.ljust(width) for cell, width in zip(cells, widths))
        return f"| {' | '.join(padded)} |"


def duration(seconds: float) -> str:
    """Seconds in the unit that fits."""
    if seconds >= 1.0:
        return f"{seconds:.3g} s"
    if seconds >= 1e-3:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds * 1e6:.3g} us"
