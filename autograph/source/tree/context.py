"""What the passes share while one function is converted."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator
from typing import NoReturn

import gast

from autograph.errors import Location, UnsupportedConstructError
from autograph.source.tree.options import PLAIN, ConversionOptions


class Context:
    """The place of the function being converted, and the supply of internal variables.

    Args:
        location: where the function's definition begins.
        options: how it is converted.
    """

    def __init__(self, location: Location, options: ConversionOptions = PLAIN):
        self.location = location
        self.handling, self.compares, _, self.of_classes, self.takes_tuples = options
        self._counts: defaultdict[str, Iterator[int]] = defaultdict(itertools.count)

    def variable(self, base: str) -> str:
        """A new variable of the compiler's own, called ``base`` in printed source."""
        return f"{base}.{next(self._counts[base])}"

    def refuse(self, node: gast.AST, message: str, fix: str, id: str = "AG0200") -> NoReturn:
        """Raise the error for a construct that cannot be converted.

        Args:
            id: of the cause, see `autograph.errors`.
        """
        line = getattr(node, "lineno", self.location.line)
        column = getattr(node, "col_offset", self.location.column)
        place = self.location._replace(line=line, column=column)
        raise UnsupportedConstructError(message, place, id=id, fix=fix)
