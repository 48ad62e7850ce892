"""Batching, graph to graph: from a graph for one lane to one for many lanes at once.

    y = f(x)            lanes are the first axis of y and x
    same in all lanes   computed once
    Elementwise         the operator itself, with axes of length 1 where lanes have fewer axes
    Linear, Custom      the operator's own rule, `Op.batch`; without one, a loop over the lanes
    cond, loops         see `autograph.transforms.batching.regions`
    calls               see `autograph.transforms.batching.calls`

The derivative of a function inside a batched one is batched like anything else, as long as all
lanes go the same way through the control flow in it. Where they don't, what the forward pass leaves
for the backward pass differs from lane to lane. Then the two transforms change places, see
`autograph.transforms.batching.calls`; that is why derivatives of functions with control flow are
recorded as calls there (`autograph.transforms.batching.outlining`). What cannot be batched even so,
like lists of another length in each lane, is computed for one lane after the other, with a warning.

Where a native kernel can do it, control flow that lanes go through in different ways is not batched
but kept for one lane, see `autograph.transforms.lanes.node`.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograph.graph.capabilities import Capabilities
from autograph.graph.graph import Graph, Value
from autograph.transforms.batching.batched import batched
from autograph.transforms.batching.engine import Size
from autograph.transforms.batching.outlining import outlined
from autograph.transforms.lanes.parts import divided
from autograph.transforms.lanes.recording import kept_for_one_lane


def vmap(
    graph: Graph,
    args: Sequence[Value],
    flags: Sequence[bool],
    size: Size,
    capabilities: Capabilities,
    axis_name: object = None,
    nested: bool = False,
    merges: bool = False,
) -> tuple[list[Value], list[bool]]:
    """Add ``graph`` applied to many lanes to the current builder.

    Args:
        graph: a graph for one lane.
        args: what it is applied to; those with ``flags`` have lanes as their first axis.
        size: how many lanes there are.
        capabilities: of the machine that is to run it.
        axis_name: what collective operators in the graph call the lanes.
        nested: whether all this is batched again: passes stay calls then.
        merges: whether lanes of lanes are to be more lanes of a named graph then.

    Returns:
        (outputs, which of them have lanes).

    Raises:
        UnsupportedFunctionError: the result of a lane has a shape known only at run time.
    """
    kept = kept_for_one_lane(graph, args, flags, size, capabilities, axis_name)
    if kept is not None:
        return kept
    if isinstance(size, int) and size > 0:
        graph = divided(graph, flags, capabilities, axis_name)
    if nested and merges:
        graph = outlined(graph)
    return batched(graph, args, flags, size, axis_name, nested)
