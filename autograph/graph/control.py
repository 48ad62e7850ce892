"""Loops and conditionals added to the current builder, their regions given as Python functions.

For passes that make control flow of their own. The functions take and return graph values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.graph.builder import Builder
from autograph.graph.graph import Graph, Value, current_builder
from ops.control import regions
from ops.core.types import Type, weak
from ops.elementwise.conversion import cast

INT = weak(int)

Values = Sequence[Value]
VariableNames = Sequence["str | None"]


def cond(
    predicate: Value, then: Callable[[], Values], orelse: Callable[[], Values]
) -> tuple[Value, ...]:
    """``then()`` or ``orelse()``, which give values of the same types."""
    branches = [_region("then", (), (), then), _region("else", (), (), orelse)]
    types = branches[0].output_types
    return current_builder().add(regions.cond, [predicate], {}, types, branches)


def while_loop(
    test: Callable[..., Value],
    body: Callable[..., Values],
    init: Sequence[Any],
    names: VariableNames = (),
    attrs: dict[str, Any] | None = None,
) -> tuple[Value, ...]:
    """The last state, from ``init`` on by ``body(*state)`` while ``test(*state)``.

    Args:
        names: of the state, for printing.
        attrs: of the node.
    """
    init, types, names = _state(init, names)
    graphs = [
        _region("test", types, names, lambda *state: [test(*state)]),
        _region("body", types, names, body),
    ]
    return current_builder().add(regions.while_loop, init, attrs or {}, types, graphs, names)


def for_loop(
    count: Any,
    body: Callable[..., Values],
    init: Sequence[Any],
    names: VariableNames = (),
    index: str | None = "i",
    attrs: dict[str, Any] | None = None,
) -> tuple[Value, ...]:
    """The last state, from ``init`` on by ``body(i, *state)`` for i = 0 ... count - 1.

    Args:
        names, index: of the state and of i, for printing.
        attrs: of the node.
    """
    init, types, names = _state(init, names)
    graph = _region("body", [INT, *types], [index, *names], body)
    builder = current_builder()
    return builder.add(
        regions.for_loop, [builder.lift(count), *init], attrs or {}, types, [graph], names
    )


def as_number(count: Value) -> Value:
    """A number of trips, which may be an array's element, as one of Python's numbers: these are
    what a loop counts with."""
    return count if count.type.weak else cast(count, dtype=INT.dtype.name, weak=True)


def _state(
    init: Sequence[Any], names: VariableNames
) -> tuple[list[Value], list[Type], list[str | None]]:
    values = [current_builder().lift(value) for value in init]
    return values, [value.type for value in values], [*names] or [None] * len(values)


def _region(
    name: str, types: Sequence[Type], names: VariableNames, function: Callable[..., Values]
) -> Graph:
    with Builder(name) as builder:
        inputs = [builder.input(type, label) for type, label in zip(types, names)]
        return builder.finish(function(*inputs))
