"""The warning that float32 has become float64 because of one NumPy scalar.

``x - rate * g`` with arrays of float32 is float64 if ``rate`` is a NumPy scalar of float64, such as
``1e-3 * np.cos(i / 10)``: so NumPy has it, and so does the compiled function. What is fed back into
a loop, or into the next step, is then twice as large as it was, and hardly ever meant.
"""

from __future__ import annotations

from collections.abc import Iterable

from autograph.errors import WideningWarning, warn_once
from autograph.graph.graph import Node, Value, walk
from autograph.staging.ground.naming import unversioned
from ops.core.registry import Elementwise
from ops.core.symbolic_lengths import is_same
from ops.core.types import ArrayType, Type


def is_widened(narrow: object, wide: object) -> bool:
    """Whether one type is that of a wider floating-point array of the same shape."""
    if not (isinstance(narrow, ArrayType) and isinstance(wide, ArrayType)) or not wide.shape:
        return False
    same = wide.dtype.kind in "fc" and narrow.dtype.kind == wide.dtype.kind
    wider = same and narrow.dtype.itemsize < wide.dtype.itemsize
    return wider and is_same(narrow.shape, wide.shape)


def cause_of(value: Value) -> Node | None:
    """The operation because of which a value is as wide as it is: one that makes an array wide only
    because of a NumPy scalar. None if there is another reason."""
    pending: list[Value] = [value]
    seen: set[Value] = set()
    while pending:
        value = pending.pop()
        node = value.producer
        if node is None or value in seen:
            continue
        seen.add(value)
        inside = (n for region in node.regions for n in walk(region))
        cause = widening((node,), value.type) or widening(inside, value.type)
        if cause is not None:
            return cause
        pending += [v for v in node.uses() if _is_array_of(v.type, value.type)]
    return None


def widening(nodes: Iterable[Node], wide: Type) -> Node | None:
    """The first node that makes an array wide only because of a NumPy scalar."""
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


def warn(what: str, when: str, narrow: Type, wide: Type, node: Node) -> None:
    """Warn of what is fed back, in the user's line that makes it wide."""
    assert isinstance(narrow, ArrayType) and isinstance(wide, ArrayType)
    number = next(v for v in node.inputs if not v.type.shape and _has_dtype(v.type, wide))
    name = f"'{unversioned(number.name)}'" if number.name else "a number"
    message = (
        f"{what} is {narrow}, and {wide} {when}: {name} is a NumPy scalar of dtype {wide.dtype}, "
        f"which makes arrays of {narrow.dtype} {wide.dtype} here. If that is not meant, make it a "
        f"Python number with float(...), or an np.{narrow.dtype}(...)"
    )
    warn_once(message, WideningWarning, node.location)


def _is_array_of(type: Type, wide: Type) -> bool:
    return isinstance(type, ArrayType) and bool(type.shape) and _has_dtype(type, wide)


def _has_dtype(type: Type, wide: Type) -> bool:
    return isinstance(type, ArrayType) and isinstance(wide, ArrayType) and type.dtype == wide.dtype
