"""What a function is as graphs, for formats: its inputs by name, where its results come from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.api.function import GraphFunction, to_graph
from autograph.api.pipeline import without_lanes
from autograph.api.recording.ahead import Lowered
from autograph.api.recording.forms_ahead import lowered_apart
from autograph.graph.graph import Graph, Module, walk
from autograph.graph.run_lengths import with_run_lengths
from autograph.staging.border.delivery import (
    AttributeOutput,
    ChoiceOutput,
    Copy,
    NumberOutput,
    OptionalOutput,
    Output,
    RowsOutput,
    Static,
)
from autograph.staging.border.signature import argument_paths
from autograph.staging.containers.structure import ContainerOf, NoneOrOf, SameAs
from autograph.staging.ground.nesting import TupleOf
from autograph.staging.lists.lists import TrackedList
from autograph.staging.values.leaves import Promoted
from autograph.transforms.simplify.erase import without_marks
from ops.core.symbolic_lengths import NeedsNumber
from ops.core.types import ArrayType, type_of

Refuse = Callable[..., Exception]


@dataclass(frozen=True)
class Place:
    """A position among the outputs of the main graph."""

    number: int


@dataclass(frozen=True)
class Exported:
    """A function as graphs.

    Attributes:
        module: the graphs.
        inputs: what the inputs of the main one are called, by their paths.
        results: what each result is called, and a `Place`, or what it always is.
        named: the main graph with the names of lengths that may be any.
    """

    module: Module
    inputs: Sequence[str]
    results: Sequence[tuple[str, Any]]
    named: Graph


def exported(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    refuse: Refuse,
    with_lanes: bool = False,
    any_length: bool = False,
) -> Exported:
    """A function, and what it calls, for arguments like some.

    Args:
        refuse: the error of a message, a place and a fix.
        with_lanes: whether functions of one lane stay that, if operators on all lanes would have
            shapes known only at run time.
        any_length: whether lengths may be symbols; the graphs find them when they run.

    Raises:
        UnsupportedFunctionError: it changes its arguments, or returns something that is neither an
            array nor a number.
    """
    compiled = function if isinstance(function, GraphFunction) else to_graph(function)
    lowered = lowered_apart(compiled, args, kwargs)
    if not any_length:
        lowered.require_numbers()
    main = lowered.traced.module.main
    if lowered.traced.changed or lowered.traced.delivery.changed:
        raise refuse(
            f"'{main.name}' changes its arguments",
            main.location,
            fix="return what has changed: x = x.copy(); x[0] = 1.0; return x",
        )
    module = without_lanes(lowered.graph)
    if with_lanes and not _is_static(module):
        module = lowered.graph
    module = without_marks(module)
    paths = argument_paths(lowered.source, lowered.signature.structure)
    inputs = [paths[i] for i in lowered.signature.inputs]
    results = list(_results(lowered, refuse))
    if not results:
        raise refuse(f"'{main.name}' returns nothing", main.location, fix="return an array")
    named = module.main
    if lowered.open_shapes is not None:
        try:
            module = with_run_lengths(module, lowered.open_shapes.symbols)
        except NeedsNumber as error:
            raise refuse(
                f"'{main.name}' is to be for arrays of any length, and {error}",
                main.location,
                fix="give each length as a number",
            ) from None
    return Exported(module, inputs, results, named)


def _is_static(module: Module) -> bool:
    graphs = (module.main, *module.graphs.values())
    types = [v.type for g in graphs for n in walk(g) for v in n.outputs]
    return all(t.is_static for t in types if isinstance(t, ArrayType))


def _results(lowered: Lowered, refuse: Refuse) -> Iterator[tuple[str, Any]]:
    """What the results are called, and where they come from."""
    main = lowered.traced.module.main
    delivery = lowered.traced.delivery
    _check_structure(main, delivery.structure.parts[0], refuse)
    sources = delivery.sources
    position = 0
    for source in sources:
        found: Any = None
        if isinstance(source, Output):
            found = Place(position)
            stem = main.outputs[position].name or "result"
            position += 1
        elif isinstance(source, NumberOutput):  # of several types: of the one that holds them all
            if Promoted(source.kinds).apart:
                raise _no_numbers(
                    refuse, main, f"a number of {' or '.join(map(str, source.kinds))}"
                )
            position += 1
            found = Place(position)
            stem = main.outputs[position].name or "result"
            position += 1
        elif isinstance(source, (Static, Copy)) and type_of(source.value) is not None:
            found, stem = np.asarray(source.value), "result"
        elif isinstance(source, Static) and source.value is None:
            continue
        else:
            raise _no_numbers(refuse, main, _described(source))
        yield stem, found


def _check_structure(main: Graph, structure: Any, refuse: Refuse) -> None:
    """Refuse results that are put together otherwise than of arrays and numbers side by side."""
    what = None
    if isinstance(structure, NoneOrOf):
        what = "a value that may be None"
    elif isinstance(structure, SameAs):
        what = "one list, dict or object in two places"
    elif isinstance(structure, TupleOf) and not isinstance(structure.kind, type):
        what = "a text"
    elif isinstance(structure, ContainerOf):
        kind = structure.kind
        own = kind.__module__.startswith("autograph.staging") and kind is not TrackedList
        if own or structure.is_rows or issubclass(kind, (set, frozenset)):
            what = "a text, a set, a generator or a list whose length is known only at run time"
    if what is not None:
        raise _no_numbers(refuse, main, what)
    for part in getattr(structure, "parts", ()):
        _check_structure(main, part, refuse)


def _no_numbers(refuse: Refuse, main: Graph, what: str) -> Exception:
    return refuse(
        f"'{main.name}' returns something that is neither an array nor a number: {what}",
        main.location,
        fix="return arrays and numbers only",
    )


def _described(source: Any) -> str:
    if isinstance(source, Static):
        return repr(source.value)
    return _KINDS.get(type(source), "an object that the function makes")


_KINDS: dict[type, str] = {
    OptionalOutput: "a value that may be None",
    AttributeOutput: "an attribute that may not be assigned",
    RowsOutput: "a list whose length is known only at run time; return an array of it",
    ChoiceOutput: "one of several objects, such as texts, chosen at run time",
}
