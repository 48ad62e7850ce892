"""Names of the graphs that a transform makes of named graphs.

A named graph is transformed once for each choice of arguments that it is differentiated by. The
name is taken before the graph is built, so that a recursive function finds it. A user's function
may have that very name, and a recursive function that is recorded again gives another graph of the
same name; so what tells derived graphs is what they were made of, not their names.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from autograph.errors import NonDifferentiableError
from autograph.graph.builder import Builder
from autograph.graph.graph import Graph, Value
from ops.core.records import NamedTuple

# Which inputs a graph is differentiated by, or has lanes in, as flags; of replays the policy, if
# there is one. The kind tells.
Choice = tuple[Any, ...]


class Origin(NamedTuple):
    """What a graph was derived from.

    Attributes:
        kind: of the transform.
        source: the name of the graph that it was made of.
        choice: which inputs it is differentiated by, or has lanes in.
        size: how many lanes there are; None where the graph is one for any number, or has none.
    """

    kind: str
    source: str
    choice: Choice
    size: int | None


# For each derived graph: its origin, with the graph it was made of in place of the name.
_MADE_OF: WeakKeyDictionary[Graph, tuple[str, Graph, Choice, int | None]] = WeakKeyDictionary()


def find(
    builder: Builder, callee: str, kind: str, active: Choice, size: int | None = None
) -> tuple[str, bool]:
    """The name of the graph derived from the named graph ``callee``.

    Args:
        kind: what the transform calls it.
        active: which inputs it is differentiated by.
        size: how many lanes it is for; None for any number, or none.

    Returns:
        (name, whether the graph has still to be built). It is then to be entered with `finish`;
        until that, a copy of the callee stands there.

    Raises:
        NonDifferentiableError: the callee is still being recorded.
    """
    source = builder.graphs[callee]
    if source is None or source.captures:
        raise NonDifferentiableError(
            f"the derivative of the recursive function '{callee}' is taken in the function itself",
            builder.location,
            id="AG0511",
            fix="let the function also compute and return its derivative",
        )
    wanted = kind, source, active, size
    suffix = "" if all(active) else "_" + "".join("d" if flag else "c" for flag in active)
    for number in itertools.count(1):
        name = f"{callee}_{kind}{suffix}" + (f"_{number}" if number > 1 else "")
        if name not in builder.graphs:
            _put(builder, name, dataclasses.replace(source), wanted)
            return name, True
        found = builder.graphs[name]
        if found is not None and _MADE_OF.get(found) == wanted:
            return name, False
    raise AssertionError


def finish(builder: Builder, name: str, inner: Builder, outputs: Sequence[Value]) -> None:
    """Enter a derived graph, now that it is built, under the name that was taken for it.

    Args:
        builder: of a graph of the module.
        inner, outputs: the builder and the outputs of the derived graph.
    """
    made_of = _MADE_OF[builder.graphs[name]]
    _, source, *_ = made_of
    _put(builder, name, inner.finish(outputs, source.location), made_of)


def kind(graph: Graph) -> str | None:
    """What kind of transform made a graph; None if it was recorded."""
    made_of = _MADE_OF.get(graph)
    return None if made_of is None else made_of[0]


def sources(graphs: Mapping[str, Graph | None]) -> set[Graph]:
    """The graphs that some of these were derived from."""
    made_of = (_MADE_OF.get(graph) for graph in graphs.values() if graph is not None)
    return {origin[1] for origin in made_of if origin is not None}


def origin(builder: Builder, name: str) -> Origin | None:
    """What the named graph ``name`` was derived from; None if it was recorded."""
    made_of = _MADE_OF.get(builder.graphs[name])
    if made_of is None:
        return None
    kind, source, active, size = made_of
    (found,) = (n for n, graph in builder.graphs.items() if graph is source)
    return Origin(kind, found, active, size)


def _put(builder: Builder, name: str, graph: Graph, made_of: tuple) -> None:
    builder.graphs[name] = graph
    _MADE_OF[graph] = made_of
