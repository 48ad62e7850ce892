"""The warning that a step which is fed its own results turns float32 into float64.

See `autograph.staging.control.widening`, which does the same for loops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from autograph.api.calls.compiled import Compiled
from autograph.graph.graph import Graph, Module, Node, walk
from autograph.staging.control.widening import is_widened, warn, widening
from ops.core.symbolic_lengths import is_same
from ops.core.types import ArrayType, Type


def warn_of_arguments(
    now: Compiled, paths: Callable[[], Sequence[str]], earlier: Iterable[Compiled]
) -> None:
    """Warn if arguments are wider than in an earlier call, whose results were as wide: those of a
    step that is fed its own results.

    Args:
        paths: gives what messages call the leaves of the arguments.
    """
    inputs = now.module.main.inputs
    for before in earlier:
        narrower = before.module.main.inputs
        if before is now or len(narrower) != len(inputs):
            continue
        for position, old, new in zip(now.positions, narrower, inputs):
            if is_widened(old.type, new.type) and _gives(before.module.main, new.type):
                node = _place(before.module, new.type)
                if node is not None:
                    name = paths()[position]
                    warn(f"argument '{name}'", "in the next call", old.type, new.type, node)
                    return


def _gives(graph: Graph, wide: Type) -> bool:
    """Whether a graph gives arrays of a type. Nothing is assumed of lengths: others would not be
    arguments of what was compiled any more."""
    types = [value.type for value in graph.outputs]
    arrays = [type for type in types if isinstance(type, ArrayType)]
    assert isinstance(wide, ArrayType)
    return any(t.dtype == wide.dtype and is_same(t.shape, wide.shape) for t in arrays)


def _place(module: Module, wide: Type) -> Node | None:
    graphs = (module.main, *module.graphs.values())
    return next((n for g in graphs if (n := widening(walk(g), wide)) is not None), None)
