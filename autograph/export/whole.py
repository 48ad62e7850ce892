"""What leaves Python: a function that is one kernel as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from autograph.api.function import GraphFunction, to_graph
from autograph.api.recording.forms_ahead import lowered_apart
from autograph.errors import UnsupportedFunctionError
from autograph.graph.builder import graph_of
from autograph.graph.graph import Constant, Graph, Module, walk
from autograph.kernels.cuda.names import identifier
from autograph.kernels.ir import ir
from autograph.kernels.lowering.kernel import lower
from autograph.kernels.lowering.values import CannotLower
from autograph.transforms.simplify.erase import without_marks
from ops.core.types import ArrayType

Made = TypeVar("Made")


@dataclass(frozen=True)
class WholeFunction:
    """A function that is one kernel.

    Attributes:
        kernel: what it computes.
        constants: inputs that have these values, by their positions; they are the last ones.
        main: what it was made from, without these.
    """

    kernel: ir.Kernel
    constants: Mapping[int, np.ndarray]
    main: Graph


def made_of(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    name: str | None,
    printed: Callable[[WholeFunction], Made],
) -> tuple[WholeFunction, Made]:
    """A function as one kernel, and what is made of that.

    Args:
        function, args, kwargs: see `autograph.export.c`.
        name: that it gets, by default its own.
        printed: makes something of the kernel.

    Raises:
        UnsupportedFunctionError: it is no such function.
    """
    compiled = function if isinstance(function, GraphFunction) else to_graph(function)
    lowered = lowered_apart(compiled, args, kwargs)
    lowered.require_numbers()
    own = lowered.traced.module.main.name
    if lowered.traced.changed or lowered.traced.delivery.changed:
        raise refused(
            f"'{own}' changes its arguments",
            lowered.traced.module.main.location,
            "return what has changed: x = x.copy(); x[0] = 1.0; return x",
        )
    module = without_marks(lowered.graph)
    constants = list(_array_constants(module))
    main = module.main
    _check_results(main)
    inputs = (*main.inputs, *constants)
    graph = graph_of(main.name, inputs, main.nodes, main.outputs, main.location)
    try:
        kernel = lower(graph, identifier(name or own, "function"), module.graphs)
        tables = {len(main.inputs) + i: np.asarray(v.data) for i, v in enumerate(constants)}
        whole = WholeFunction(kernel, tables, main)
        return whole, printed(whole)
    except CannotLower as refusal:
        why = refusal.why
        raise refused(
            f"'{own}' is no function of C: {why}",
            why.location or main.location,
            why.fix,
        ) from None
    except NotImplementedError as error:
        raise refused(
            f"'{own}' is no function of C: {error}",
            main.location,
            "write it with functions that C has",
        ) from None


def _array_constants(module: Module) -> Iterator[Constant]:
    found: dict[int, Constant] = {}
    for node in walk(module.main):
        for value in (*node.inputs, *(v for region in node.regions for v in region.outputs)):
            if isinstance(value, Constant) and value.is_array:
                found.setdefault(id(value), value)
    return iter(found.values())


def _check_results(main: Graph) -> None:
    for value in main.outputs:
        if not isinstance(value.type, ArrayType) or not value.type.is_static:
            raise refused(
                f"'{main.name}' returns something whose shape is known only at run time",
                main.location,
                "write to an array that is made before the loop: out[i] = x",
            )
        if value.producer is None:
            raise refused(
                f"'{main.name}' returns an argument, or what does not depend on any",
                main.location,
                "leave it out of the results, or return a copy: x.copy()",
            )


def refused(message: str, place: Any, fix: str) -> UnsupportedFunctionError:
    """The error of what does not leave Python."""
    return UnsupportedFunctionError(message, place, id="AG0750", fix=fix)
