"""A call of a checkpointed function, recorded.

Its nodes are recorded like those of any call: it may change arrays and containers, take any
arguments and return anything. In the end they are moved into the region of one node. Whatever
they compute may be used afterwards, as a result or through something that was changed, so all of it
becomes results of the node; who transforms it sees which of them have derivatives that matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from autograph.checkpoint_policies import Policy
from autograph.graph.builder import Builder, current_builder, graph_of
from autograph.graph.graph import Value, exchanged
from autograph.graph.wiring import sources_of
from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.transformed import Kept
from ops.control import regions


def call(
    function: Callable,
    args: tuple,
    kwargs: dict[str, Any],
    *,
    again: bool,
    policy: Policy,
    loops: str | int | None,
) -> Any:
    """What the function returns.

    Args:
        again: whether what it computes is to be computed again for its derivative.
        policy, loops: see `autograph.checkpoint`.
    """
    builder = current_builder()
    first = len(builder.nodes)
    with keeping(loops):
        result = recorder().call(recorder().outside.unbound(function), args, kwargs)
    if again and recorder().transformed.derivatives:
        _gather(builder, first, function, policy)
    return result


@contextmanager
def keeping(loops: Kept) -> Iterator[None]:
    """Loops recorded inside keep only some of their states; by default, as many as around."""
    before = recorder().transformed.checkpointed_loops
    recorder().transformed.checkpointed_loops = before if loops is None else loops
    try:
        yield
    finally:
        recorder().transformed.checkpointed_loops = before


def _gather(builder: Builder, first: int, function: Callable, policy: Policy) -> None:
    """Move the nodes from the one numbered ``first`` on into a node of their own."""
    nodes = builder.nodes[first:]
    results = [v for node in nodes for v in node.outputs]
    if not results:
        return
    del builder.nodes[first:]
    region = graph_of(getattr(function, "__name__", "checkpoint"), (), nodes, results)
    builder.nodes.append(
        exchanged(
            nodes[0],
            op=regions.checkpoint,
            inputs=(),
            attrs={"policy": policy},
            regions=(region,),
            outputs=tuple(results),
            required=False,
        )
    )


def inside(value: Value) -> Value:
    """What a result of a checkpointed call is where it is computed; ``value`` if it is none."""
    node = value.producer
    while node is not None and node.op is regions.checkpoint:
        (value,) = sources_of(node)[value]
        node = value.producer
    return value
