"""Variables that are deleted where they are no longer needed.

A local variable of Python's holds its array until the function returns, or until it is assigned
again. Programs are easier to read without ``del``; but one that computes something again, in order
not to keep it, has to let it go in between.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from autograph.codegen.function import Line

_ASSIGNED = re.compile(r"([A-Za-z_]\w*(?:, [A-Za-z_]\w*)*) = ")
_WORD = re.compile(r"[A-Za-z_]\w*")
_CONTINUED = ("else:", "elif ")


def freeing(lines: Sequence[Line], names: Collection[str]) -> list[Line]:
    """The lines of a function's body with ``del`` after the last use of some variables.

    Args:
        lines: their depth is 1 outside of loops and branches, which are left as they are.
        names: of the variables. Those that may be unassigned where they could be deleted stay.
    """
    statements = list(_statements(lines))
    assigned: set[str] = set()
    last: dict[str, int] = {}
    for position, statement in enumerate(statements):
        for line in statement:
            last.update((word, position) for word in _WORD.findall(line.text) if word in names)
    result: list[Line] = []
    for position, statement in enumerate(statements):
        result += statement
        match = _ASSIGNED.match(statement[0].text)
        if match is not None:
            assigned.update(match[1].split(", "))
        free = sorted(name for name in assigned if last.get(name) == position)
        if free and position < len(statements) - 1:
            result.append(Line(1, f"del {', '.join(free)}"))
            assigned.difference_update(free)
    return result


def _statements(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines of each statement that is not inside another one."""
    statement: list[Line] = []
    for line in lines:
        if line.depth == 1 and not line.text.startswith(_CONTINUED) and statement:
            yield statement
            statement = []
        statement.append(line)
    if statement:
        yield statement
