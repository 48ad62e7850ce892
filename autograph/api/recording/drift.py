"""The warning that float32 has become float64 because of one NumPy scalar.

``x - rate * g`` with arrays of float32 is float64 if ``rate`` is a NumPy scalar of float64, such as
``1e-3 * np.cos(i / 10)``: so NumPy has it, and so does the compiled function. What is fed back into
a loop, or into the next step, is then twice as large as it was, and hardly ever meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import ops
from autograph.api.calls.compiled import Compiled
from autograph.errors import WideningWarning, warn_once
from autograph.graph.graph import Graph, Module, Node, Value, walk
from autograph.staging.ground.naming import unversioned
from ops.control import regions
from ops.core.registry import Elementwise
from ops.core.types import ArrayType, Type


def warn_of_arguments(now: Compiled, earlier: Iterable[Compiled]) -> None:
    """Warn if arguments are wider than in an earlier call, whose results were as wide: those of a
    step that is fed its own results."""
    inputs = now.module.main.inputs
    for before in earlier:
        narrower = before.module.main.inputs
        if before is now or len(narrower) != len(inputs):
            continue
        for old, new in zip(narrower, inputs):
            if _is_widened(old.type, new.type) and _gives(before.module.main, new.type):
                node = _place(before.module, new.type)
                if node is not None:
                    name = unversioned(new.name) if new.name else "an argument"
                    _warn(f"argument '{name}'", "in the next call", old.type, new.type, node)
                    return


def warn_of_loops(module: Module) -> None:
    """Warn of variables that loops make wider than they are before the first trip."""
    for graph in (module.main, *module.graphs.values()):
        for node in walk(graph):
            if node.op in (regions.for_loop, regions.while_loop):
                for value in node.inputs:
                    _warn_of_start(value, node, module)


def _warn_of_start(value: Value, loop: Node, module: Module) -> None:
    """Warn if a loop had the value that a variable starts with converted."""
    start = value.producer
    if start is None or start.op is not ops.cast or start.location != loop.location:
        return
    narrow, wide = start.inputs[0].type, value.type
    if not _is_widened(narrow, wide):
        return
    for region in loop.regions:
        node = _widening(walk(region), wide)
        if node is not None:
            _warn("a variable of a loop", "from the first trip on", narrow, wide, node)
            return


def _is_widened(narrow: Type, wide: Type) -> bool:
    """Whether one type is that of a wider floating-point array of the same shape."""
    if not (isinstance(narrow, ArrayType) and isinstance(wide, ArrayType)) or not wide.shape:
        return False
    same = narrow.shape == wide.shape and narrow.dtype.kind == wide.dtype.kind
    return same and wide.dtype.kind in "fc" and narrow.dtype.itemsize < wide.dtype.itemsize


def _gives(graph: Graph, type: Type) -> bool:
    return any(value.type == type for value in graph.outputs)


def _place(module: Module, wide: Type) -> Node | None:
    graphs = (module.main, *module.graphs.values())
    return next((n for g in graphs if (n := _widening(walk(g), wide)) is not None), None)


def _widening(nodes: Iterator[Node], wide: Type) -> Node | None:
    """The first node that makes an array wide only because of a NumPy scalar."""
    assert isinstance(wide, ArrayType)
    for node in nodes:
        operands = [v.type for v in node.inputs if isinstance(v.type, ArrayType)]
        arrays = [type for type in operands if type.shape]
        numbers = [type for type in operands if not type.shape and not type.weak]
        if (
            node.outputs
            and isinstance(node.op, Elementwise)
            and _has_dtype(node.outputs[0].type, wide)
            and arrays
            and not any(_has_dtype(type, wide) for type in arrays)
            and any(_has_dtype(type, wide) for type in numbers)
        ):
            return node
    return None


def _has_dtype(type: Type, wide: ArrayType) -> bool:
    return isinstance(type, ArrayType) and type.dtype == wide.dtype


def _warn(what: str, when: str, narrow: Type, wide: Type, node: Node) -> None:
    assert isinstance(narrow, ArrayType) and isinstance(wide, ArrayType)
    number = next(v for v in node.inputs if not v.type.shape and _has_dtype(v.type, wide))
    name = f"'{unversioned(number.name)}'" if number.name else "a number"
    message = (
        f"{what} is {narrow}, and {wide} {when}: {name} is a NumPy scalar of dtype {wide.dtype}, "
        f"which makes arrays of {narrow.dtype} {wide.dtype} here. If that is not meant, make it a "
        f"Python number with float(...), or an np.{narrow.dtype}(...)"
    )
    warn_once(message, WideningWarning, node.location)
