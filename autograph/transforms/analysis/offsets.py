"""Whether what a graph computes is zero where some of its inputs are.

A rule of `custom_jvp` maps tangents to tangents, and so zeros to zero. One that adds something of
its own, as ``x_dot + 1`` does, is linear in each operator that it applies, and no derivative: its
transpose would leave out what it adds. Each value is found to be zero where the inputs are, or
*other*, a number that does not depend on them and is not known to be zero, plus what is zero; or
nothing is known of it, as of what leaves control flow.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterable

import numpy as np

from autograph.graph.graph import Constant, Graph, Node, Value
from autograph.transforms.analysis.activity import active_values
from ops.control.regions import Structured
from ops.core.registry import Elementwise, Linear


class _Kind(enum.Enum):
    ZERO = enum.auto()
    OTHER = enum.auto()
    UNKNOWN = enum.auto()


def offset(graph: Graph, zeros: Iterable[Value], outputs: Iterable[Value]) -> Value | None:
    """One of the ``outputs`` that is not zero where the inputs in ``zeros`` are; None where none is
    found."""
    zeros = list(zeros)
    kinds = dict.fromkeys(graph.inputs, _Kind.OTHER) | dict.fromkeys(zeros, _Kind.ZERO)
    moving = active_values(graph, zeros)
    for node in graph.nodes:
        kinds.update(dict.fromkeys(node.outputs, _kind(node, kinds, moving)))
    return next((v for v in outputs if _of(v, kinds) is _Kind.OTHER), None)


def _of(value: Value, kinds: dict[Value, _Kind]) -> _Kind:
    if isinstance(value, Constant):
        return _Kind.OTHER if np.any(np.asarray(value.data)) else _Kind.ZERO
    return kinds.get(value, _Kind.UNKNOWN)  # from outside: it may be zeros made there


def _kind(node: Node, kinds: dict[Value, _Kind], moving: Collection[Value]) -> _Kind:
    op = node.op
    if isinstance(op, Structured):
        return _Kind.UNKNOWN
    positions = [i for i in range(len(node.inputs)) if op.is_linear([i]) and i not in op.by_length]
    found = [_of(node.inputs[i], kinds) for i in positions]
    if any(v in moving for i, v in enumerate(node.inputs) if i not in positions):
        return _Kind.UNKNOWN  # it is not linear
    together = op.is_linear(positions) and not (isinstance(op, Linear) and not op.joint)
    if not found:
        others = all(_of(v, kinds) is _Kind.OTHER for v in node.inputs)
        return _Kind.OTHER if others and isinstance(op, Elementwise) else _Kind.UNKNOWN
    if all(kind is _Kind.ZERO for kind in found) or (not together and _Kind.ZERO in found):
        return _Kind.ZERO
    if _Kind.UNKNOWN in found:
        return _Kind.UNKNOWN
    # Two numbers may add up to zero.
    return _Kind.OTHER if not together or found.count(_Kind.OTHER) == 1 else _Kind.UNKNOWN
