"""Functions that put a result together, written for it.

A `Delivery` walks the structure of a function's result at each call. Where that consists of plain
tuples, lists and dicts, an expression does the same much faster: ``{k0: [o[0], o[1]], k1: o[2]}``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from autograph.staging.containers.structure import ContainerOf
from autograph.staging.ground.nesting import Structure, TupleOf
from autograph.staging.lists.lists import TrackedList

_DEEPEST, _MOST = 40, 5000  # what Python's parser is asked for


class _NotPlain(Exception):
    """The structure has parts that expressions do not make."""


class Part(NamedTuple):
    """A leaf of the result.

    Attributes:
        count: how many of the program's results it is made of: none for the same ``value`` at each
            call, and one for that result.
        alternatives: where it is made of several, of which the first tells by a position what is
            made: the position of a result among them, and what it is given to if not None.
    """

    count: int  # type: ignore[assignment]  # it hides a method of tuples
    value: Any = None
    alternatives: tuple[tuple[int, Callable | None], ...] = ()


def assembler(
    structure: Structure, sources: Sequence[Part], single: bool
) -> Callable[[Any], Any] | None:
    """A function of the program's results that puts them together.

    Args:
        structure: of the result.
        sources: its leaves.
        single: the program returns its only result, not a tuple of results.

    Returns:
        The function, or None if there are other things than plain tuples, lists and dicts.
    """
    if len(sources) > _MOST:
        return None
    names: dict[str, Any] = {}
    outputs = iter(["o"]) if single else (f"o[{i}]" for i in itertools.count())
    leaves = (_leaf(part, outputs, names) for part in sources)
    try:
        text = _expression(structure, leaves, names, 0)
    except _NotPlain:
        return None
    return eval(f"lambda o: {text}", names)


def _leaf(part: Part, outputs: Iterator[str], names: dict[str, Any]) -> str:
    if part.count == 0:
        return _constant(part.value, names)
    taken = [next(outputs) for _ in range(part.count)]
    if part.count == 1:
        return taken[0]
    made = [
        taken[place] if make is None else f"{_constant(make, names)}({taken[place]})"
        for place, make in part.alternatives
    ]
    return f"({', '.join(made)})[{taken[0]}]"


def _constant(value: Any, names: dict[str, Any]) -> str:
    name = f"c{len(names)}"
    names[name] = value
    return name


def _expression(
    structure: Structure, leaves: Iterator[str], names: dict[str, Any], depth: int
) -> str:
    if depth > _DEEPEST:
        raise _NotPlain
    match structure:
        case None:
            return next(leaves)
        case TupleOf(kind, parts) if kind is tuple or hasattr(kind, "_fields"):
            inside = "".join(_expression(part, leaves, names, depth + 1) + ", " for part in parts)
            return f"({inside})" if kind is tuple else f"{_constant(kind, names)}({inside})"
        case ContainerOf(_, kind, (count, None), parts) if kind in (
            list,
            TrackedList,
        ) and count == len(parts):
            items = [_expression(part, leaves, names, depth + 1) for part in parts]
            return f"[{', '.join(items)}]"
        case ContainerOf(_, kind, keys, parts) if kind is dict and len(keys) == len(parts):
            items = [
                f"{_constant(key, names)}: {_expression(part, leaves, names, depth + 1)}"
                for key, part in zip(keys, parts)
            ]
            return f"{{{', '.join(items)}}}"
    raise _NotPlain
