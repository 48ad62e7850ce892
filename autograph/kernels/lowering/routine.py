"""What a kernel that others call computes for a graph, and how it is called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from autograph.graph.graph import Graph, Value
from autograph.graph.wiring import is_loop, sources_of
from autograph.kernels.ir.ir import Kernel
from autograph.kernels.lowering.values import is_array
from ops.control import regions
from ops.core.records import NamedTuple, dataclass


@dataclass(frozen=True)
class Convention:
    """How a routine takes arguments and gives results.

    It takes the graph's inputs but for those that it changes, then the symbols of lengths. It gives
    the graph's outputs, then flags.

    Attributes:
        changed: the outputs that are arguments, changed where they are: by position, that of the
            input.
        uncertain: the outputs that may be arrays that the routine was given. There is a bool for
            each: whether it is one.
    """

    changed: Mapping[int, int] = field(default_factory=dict)
    uncertain: tuple[int, ...] = ()


class CalledKernel(NamedTuple):
    """A kernel for a named graph.

    Attributes:
        symbols: of lengths, which it takes.
    """

    kernel: Kernel
    convention: Convention = Convention()
    symbols: tuple[str, ...] = ()


def changed_arguments(graph: Graph) -> dict[int, int]:
    """Which arrays a graph gives are, as far as can be seen, ones that it takes, with elements
    changed. Whatever is said here, the results are right: it is where they are put."""
    position = {v: i for i, v in enumerate(graph.inputs)}
    found: dict[int, int] = {}
    for i, value in enumerate(graph.outputs):
        if not is_array(value):
            continue
        for source in _origins(value):
            j = position.get(source)
            if j is not None and j not in found.values() and source.type == value.type:
                found[i] = j
                break
    return found


def _origins(value: Value) -> list[Value]:
    """The arrays that one may have been before elements of it were changed."""
    found, pending, seen = [], [value], {value}
    while pending:
        value = pending.pop()
        node = value.producer
        sources: tuple[Value, ...] = ()
        if node is None:
            found.append(value)
        elif node.op.updates:
            sources = node.inputs[:1]
        elif node.op is regions.cond or is_loop(node):
            sources = tuple(sources_of(node)[value])
        pending += [v for v in sources if v not in seen]
        seen.update(sources)
    return found
