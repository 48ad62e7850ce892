"""Functions that put a result together, written for it.

A `Delivery` walks the structure of a function's result at each call. Where that consists of plain
tuples, lists, dicts and objects, expressions do the same much faster: ``{k0: (o[0], o[1])}``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autograph.staging.containers.containers import Contents, empty_like, fill
from autograph.staging.containers.structure import ContainerOf, SameAs
from autograph.staging.ground.nesting import LEAF, Structure, TupleOf
from autograph.staging.ground.ownership import is_made_of_attributes, is_user_class
from autograph.staging.lists.elements import ROWS, SEAT
from autograph.staging.lists.lists import TrackedList
from autograph.staging.values.promoted import Promoted
from ops.core.records import NamedTuple

_DEEPEST, _MOST = 40, 5000  # what Python's parser is asked for


class NotPlainError(Exception):
    """There are parts that are not made so."""


class Part(NamedTuple):
    """A leaf of the result.

    Attributes:
        count: how many of the program's results it is made of: none for the same ``value`` at each
            call, and one for that result.
        alternatives: where it is made of several, of which the first tells by a position what is
            made: the position of a result among them, and what it is given to if not None.
        form: what it is made of that result, and of ``value``, by, as text.
        optional: it is None unless one more result says that it is not, which is the first one.
    """

    count: int  # type: ignore[assignment]  # it hides a method of tuples
    value: Any = None
    alternatives: tuple[tuple[int, Callable | None], ...] = ()
    form: str = "{0}"
    optional: bool = False


def assembler(
    structure: Structure, sources: Sequence[Part], single: bool
) -> Callable[[Any], Any] | None:
    """A function of the program's results that puts them together.

    Args:
        structure: of the result.
        sources: its leaves.
        single: the program returns its only result, not a tuple of results.

    Returns:
        The function, or None if there are other things than plain tuples, lists, dicts and objects.
    """
    if len(sources) > _MOST:
        return None
    made = Assembly(("o",))
    outputs = iter(["o"]) if single else (f"o[{i}]" for i in itertools.count())
    leaves = (made.leaf(part, outputs) for part in sources)
    try:
        result = made.expression(structure, leaves)
    except NotPlainError:
        return None
    return made.function(result)


class Assembly:
    """A function that is being written.

    Args:
        parameters: the names of its parameters.
    """

    def __init__(self, parameters: Sequence[str]):
        self._parameters = parameters
        self._lines: list[str] = []
        self._names: dict[str, Any] = {}
        self._containers: set[int] = set()
        self._depth = 0

    def constant(self, value: Any) -> str:
        """An expression for the same object at each call."""
        name = f"k{len(self._names)}"
        self._names[name] = value
        return name

    def add(self, statement: str) -> None:
        self._lines.append(statement)

    def function(self, result: str) -> Callable[..., Any]:
        """The function, which returns an expression."""
        if not self._lines:
            return eval(f"lambda {', '.join(self._parameters)}: {result}", self._names)
        body = "".join(f"    {line}\n" for line in (*self._lines, f"return {result}"))
        exec(f"def f({', '.join(self._parameters)}):\n{body}", self._names)
        return self._names["f"]

    def leaf(self, part: Part, outputs: Iterator[str]) -> str:
        """A leaf of the result, of which ``outputs`` are the expressions of the program's results
        that remain."""
        if part.count == 0:
            return self.constant(part.value)
        if part.optional:
            present = next(outputs)
            content = self.leaf(part._replace(count=part.count - 1, optional=False), outputs)
            return f"({content} if {present} else None)"
        taken = [next(outputs) for _ in range(part.count)]
        if part.count == 1:
            given = () if part.value is None else (self.constant(part.value),)
            return part.form.format(*taken, *given)
        made = [
            taken[place] if make is None else f"{self.constant(make)}({taken[place]})"
            for place, make in part.alternatives
        ]
        return f"({', '.join(made)})[{taken[0]}]"

    def expression(self, structure: Structure, leaves: Iterator[str]) -> str:
        """An expression for what has a structure, of its leaves.

        Raises:
            NotPlainError: there are parts that are not made so.
        """
        if structure is None:
            return next(leaves)
        if self._depth > _DEEPEST:
            raise NotPlainError
        self._depth += 1
        found = self._parts(structure, leaves)
        self._depth -= 1
        return found

    def _parts(self, structure: Structure, leaves: Iterator[str]) -> str:
        match structure:
            case TupleOf(kind, parts) if kind is tuple or hasattr(kind, "_fields"):
                inside = self._each(parts, leaves, "{}, ")
                return f"({inside})" if kind is tuple else f"{self.constant(kind)}({inside})"
            case SameAs(number) if number in self._containers:
                return f"n{number}"
            case ContainerOf(number, kind, keys, parts):
                made = self._container(kind, keys, parts, leaves)
                self._containers.add(number)  # from now on, and not in itself
                self.add(f"n{number} = {made}")
                return f"n{number}"
        raise NotPlainError

    def _container(
        self, kind: type, keys: tuple, parts: Sequence[Structure], leaves: Iterator[str]
    ) -> str:
        if kind in (list, TrackedList) and keys == (len(parts), None):
            return f"[{self._each(parts, leaves, '{}, ')}]"
        if kind in (list, TrackedList) and keys and keys[0] is ROWS:
            return self.rows(keys, parts, leaves)
        if kind is dict and len(keys) == len(parts):
            items = [
                f"{self.constant(key)}: {self.expression(part, leaves)}, "
                for key, part in zip(keys, parts)
            ]
            return f"{{{''.join(items)}}}"
        if not (is_user_class(kind) and is_made_of_attributes(kind)) or keys[:1] == (SEAT,):
            raise NotPlainError
        values = self._each(parts, leaves, "{}, ")
        return f"{self.constant(_made)}({self.constant(kind)}, {self.constant(keys)}, ({values}))"

    def rows(self, keys: tuple, parts: Sequence[Structure], leaves: Iterator[str]) -> str:
        """An expression for a new list of as many elements as there are rows, from its columns,
        which are new lists."""
        columns = [self.expression(part, leaves) for part in parts]
        if keys[1] is LEAF:
            return columns[0]
        if isinstance(keys[1], TupleOf) and isinstance(keys[1].kind, Promoted):
            return f"{self.constant(keys[1].kind.of_a_run)}({', '.join(columns)})"
        if keys[1] != TupleOf(tuple, (LEAF,) * len(columns)):
            raise NotPlainError
        return f"[*zip({', '.join(columns)})]"

    def _each(self, parts: Sequence[Structure], leaves: Iterator[str], form: str) -> str:
        return "".join([form.format(self.expression(part, leaves)) for part in parts])


def _made(kind: type, keys: tuple, values: tuple) -> Any:
    """A new object."""
    made = empty_like(kind, keys)
    fill(made, Contents(keys, values))
    return made
