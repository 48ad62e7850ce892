"""A compiled function as a model of ONNX."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph.api.function import GraphFunction, to_graph
from autograph.api.pipeline import without_lanes
from autograph.api.recording.ahead import Lowered
from autograph.errors import MissingLibraryError
from autograph.export.onnx_model.model import Place, model
from autograph.export.onnx_model.refusals import refuse
from autograph.graph.graph import Graph
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
from ops.core.types import type_of

if TYPE_CHECKING:
    from onnx import ModelProto


def onnx(
    function: Callable[..., Any], *args: Any, name: str | None = None, **kwargs: Any
) -> ModelProto:
    """A function, and what it calls, as a model of ONNX (opset 21).

    Its inputs are the arrays and numbers in the arguments, named by their paths, such as
    ``model.layers[0].kernel``; Python's numbers are arrays without axes. Its outputs are the arrays
    and numbers in the result, in their order. Arrays that the function finds outside are
    initializers, as they are now.

    An ``if`` that the run decides is an ``If``, a ``while`` a ``Loop``; a counted loop that stacks
    a row of each trip is a ``Scan``. Gradients of functions with loops are functions, too: what a
    loop keeps for the way back is stacked. Where Python raises, the run ends with an error whose
    node is named after the exception and the line.

    Args:
        function: any whose operators have a form in ONNX.
        args, kwargs: arguments like those that it will have, see `GraphFunction.lower`.
        name: of the graph, by default that of the function.

    Returns:
        An ``onnx.ModelProto``: ``onnx.save(made, "f.onnx")`` writes it, and
        ``onnxruntime.InferenceSession(made.SerializeToString())`` runs it.

    Raises:
        UnsupportedFunctionError: an operator, a dtype or a result has no form in ONNX; it names the
            line.
        MissingLibraryError: the package onnx is not installed.

    Examples:
        >>> def newton_sqrt(a):
        ...     x = a
        ...     while abs(x * x - a) > 1e-12:
        ...         x = 0.5 * (x + a / x)
        ...     return x
        >>> made = ag.export.onnx(newton_sqrt, 2.0)
        >>> "Loop" in [node.op_type for node in made.graph.node]
        True
        >>> [given.name for given in made.graph.input]
        ['a']
    """
    library = _library()
    compiled = function if isinstance(function, GraphFunction) else to_graph(function)
    lowered = compiled.lower(*args, **kwargs)
    main = lowered.traced.module.main
    if lowered.traced.changed or lowered.traced.delivery.changed:
        raise refuse(
            f"'{main.name}' changes its arguments",
            main.location,
            fix="return what has changed: x = x.copy(); x[0] = 1.0; return x",
        )
    module = without_marks(without_lanes(lowered.graph))
    paths = argument_paths(lowered.source, lowered.signature.structure)
    inputs = [paths[i] for i in lowered.signature.inputs]
    results = list(_results(lowered))
    if not results:
        raise refuse(f"'{main.name}' returns nothing", main.location, fix="return an array")
    return model(library, module, inputs, results, name or main.name)


def _library() -> ModuleType:
    try:
        import onnx as library
        import onnx.helper
        import onnx.numpy_helper
    except ImportError:
        raise MissingLibraryError(
            "'ag.export.onnx' needs the package onnx, which is not installed",
            fix="pip install 'autograph-compiler[onnx]', or pip install onnx",
        ) from None
    return library


def _results(lowered: Lowered) -> Iterator[tuple[str, Any]]:
    """What the results are called, and where they come from."""
    main = lowered.traced.module.main
    delivery = lowered.traced.delivery
    _check_structure(main, delivery.structure.parts[0])
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
                raise _no_numbers(main, f"a number of {' or '.join(map(str, source.kinds))}")
            position += 1
            found = Place(position)
            stem = main.outputs[position].name or "result"
            position += 1
        elif isinstance(source, (Static, Copy)) and type_of(source.value) is not None:
            found, stem = np.asarray(source.value), "result"
        elif isinstance(source, Static) and source.value is None:
            continue
        else:
            raise _no_numbers(main, _described(source))
        yield stem, found


def _check_structure(main: Graph, structure: Any) -> None:
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
            what = "a text, a set, a generator or a list whose length only the run knows"
    if what is not None:
        raise _no_numbers(main, what)
    for part in getattr(structure, "parts", ()):
        _check_structure(main, part)


def _no_numbers(main: Graph, what: str) -> Exception:
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
    RowsOutput: "a list whose length only the run knows; return an array of it",
    ChoiceOutput: "one of several objects, such as texts, that the run chooses",
}
