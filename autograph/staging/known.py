"""What is known while recording of a value that no input has a part in.

A library function may make arrays of numbers and then test values it computes from them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.graph.graph import Constant, Node, Value
from autograph.signals import raised_by_handler
from autograph.staging.checkpointing import inside

# How many operations are done again for it.
_NODES = 100


def known(value: Value, is_captured: Callable[[Constant], bool]) -> Any:
    """The contents of ``value``, computed now; None if they are not known.

    Args:
        is_captured: whether a constant is an array from outside, which may change between calls.
    """
    nodes: dict[int, Node] = {}
    if not _collect(value, is_captured, nodes, _NODES):
        return None
    found: dict[Value, Any] = {}
    try:
        with np.errstate(all="ignore"):  # the program will do it again, and warn
            for node in nodes.values():
                results = node.op.evaluate(np, [_of(v, found) for v in node.inputs], node.attrs)
                several = len(node.outputs) > 1
                found.update(zip(node.outputs, results if several else (results,)))
    except Exception as error:  # so will the program raise
        if raised_by_handler(error):
            raise
        return None
    return _of(value, found)


def _of(value: Value, found: dict[Value, Any]) -> Any:
    value = inside(value)
    return value.data if isinstance(value, Constant) else found[value]


def _collect(
    value: Value, is_captured: Callable[[Constant], bool], nodes: dict[int, Node], depth: int
) -> bool:
    """Add the nodes that compute a value, in their order; False if it depends on more than
    constants, or on too many of them."""
    value = inside(value)
    if isinstance(value, Constant):
        return not is_captured(value)
    node = value.producer
    if node is None or node.regions or node.op.effect or not depth or len(nodes) >= _NODES:
        return False
    if id(node) not in nodes:
        if not all(_collect(v, is_captured, nodes, depth - 1) for v in node.inputs):
            return False
        nodes[id(node)] = node
    return True
