"""Whether a kernel of some nodes saves anything, beside NumPy's functions and the BLAS library."""

from __future__ import annotations

import math
from collections.abc import Sequence

import ops
from autograph.graph.graph import Node
from ops.core.registry import Elementwise
from ops.core.symbolic_lengths import is_below
from ops.core.types import ArrayType

_MANY = 4096  # elements, of which a kernel does what NumPy does one by one in much less time
_SHORT = 512  # elements of a row, whose extremum NumPy finds sooner than it begins to look for it
_DEAR = 10  # the cost of an element, see `ops.core.registry.Op`
_FEW = 2048  # elements, for which NumPy's calls take longer to begin than to end


def is_worth_it(nodes: Sequence[Node]) -> bool:
    """Whether a kernel saves anything: more than a call of NumPy, or of the BLAS library."""
    if any(node.regions or node.op.scan is not None for node in nodes):
        return True
    own = [n for n in nodes if not n.is_view and n.op is not ops.extent]
    return len(own) > 1 or any(map(_is_slow, own))


def _is_slow(node: Node) -> bool:
    """Whether a kernel does what a single node does in much less time than NumPy: functions of
    many elements, and reductions along axes of which NumPy takes the elements one by one."""
    types = [v.type for v in (*node.inputs, *node.outputs) if isinstance(v.type, ArrayType)]
    if not all(t.is_static for t in types) or all(is_below(t.size, _MANY) for t in types):
        return False
    fold = node.op.fold
    if fold is not None and fold.combine in ("max", "min"):
        given = node.inputs[0].type
        axes = sorted(fold.axes(given, node.attrs))
        if axes != list(range(len(given.shape)))[-len(axes) :]:
            return True
        return len(axes) < given.ndim and is_below(math.prod(given.known(axes)), _SHORT)
    if fold is not None:
        return fold.combine not in ("&", "|")
    slow = node.op.slow
    if callable(slow):
        slow = slow([v.type for v in node.inputs], node.attrs)
    return slow or node.op.cost >= _DEAR


def is_one_call(nodes: Sequence[Node]) -> bool:
    """Whether a function is one element-wise operator, or one of another kind of few elements:
    called as a whole, a kernel does less before it starts than NumPy."""
    others = [n for n in nodes if not n.is_view]
    return len(others) == 1 and (isinstance(others[0].op, Elementwise) or _is_small(others[0]))


def _is_small(node: Node) -> bool:
    types = [v.type for v in (*node.inputs, *node.outputs) if isinstance(v.type, ArrayType)]
    return all(t.is_static and is_below(t.size, _FEW) for t in types)
