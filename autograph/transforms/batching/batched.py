"""A graph for one lane, applied to many lanes by operators on all of them.

See `autograph.transforms.vmap`. At once if that can be done; if lanes leave different things for
their backward passes, with derivatives and batching in the other order; otherwise for one lane
after the other, with a warning.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.errors import PerformanceWarning, UnsupportedFunctionError, warn_once
from autograph.graph.builder import Builder, current_builder, inline
from autograph.graph.graph import Graph, Value, callees, walk
from autograph.log import log
from autograph.transforms.analysis.divergence import varying_values
from autograph.transforms.batching import collectives
from autograph.transforms.batching.engine import NO_NAME, Batch, CannotBatch, Size
from autograph.transforms.batching.outlining import inlined


def batched(
    graph: Graph,
    args: Sequence[Value],
    flags: Sequence[bool],
    size: Size,
    axis_name: object = None,
    nested: bool = False,
) -> tuple[list[Value], list[bool]]:
    """Add ``graph`` applied to many lanes to the current builder, as operators on all lanes.

    Args:
        graph: a graph for one lane.
        args: what it is applied to; those with ``flags`` have lanes as their first axis.
        size: how many lanes there are.
        axis_name: what collective operators in the graph call the lanes.
        nested: whether all this is batched again: passes stay calls then.

    Returns:
        (outputs, which of them have lanes).

    Raises:
        UnsupportedFunctionError: the result of a lane has a shape known only at run time.
    """
    try:
        return at_once(graph, args, flags, size, axis_name, nested)
    except CannotBatch as found:
        problem = found
    results = _one_by_one(graph, args, flags, size, axis_name, problem)
    _warn(graph, problem)
    return results


def quietly(
    graph: Graph, args: Sequence[Value], flags: Sequence[bool], size: Size, *rest: Any
) -> tuple[list[Value], list[bool]]:
    """As `batched`, without a warning where one lane is computed after the other."""
    try:
        return at_once(graph, args, flags, size, *rest)
    except CannotBatch as found:
        problem = found
    return _one_by_one(graph, args, flags, size, None, problem)


def at_once(
    graph: Graph,
    args: Sequence[Value],
    flags: Sequence[bool],
    size: Size,
    axis_name: object = None,
    nested: bool = False,
) -> tuple[list[Value], list[bool]]:
    """As `batched`, but for all lanes at once.

    Raises:
        CannotBatch: that cannot be done.
    """
    graphs = current_builder().graphs
    before = dict(graphs)

    def attempt(used: Graph, commuting: bool) -> tuple[list[Value], list[bool]]:
        try:
            return _at_once(used, args, flags, size, axis_name, commuting)
        except CannotBatch:
            graphs.clear()
            graphs.update(before)
            raise

    try:
        return attempt(graph if nested else inlined(graph, graphs), commuting=False)
    except CannotBatch as found:
        message = "%s: lanes change places with its derivatives, because %s (%s)"
        log.debug(message, graph.name, found.why, found.location)
    return attempt(graph, commuting=True)


def _at_once(
    graph: Graph,
    args: Sequence[Value],
    flags: Sequence[bool],
    size: Size,
    axis_name: object,
    commuting: bool,
) -> tuple[list[Value], list[bool]]:
    roots = [v for v, flag in zip(graph.inputs, flags) if flag]
    varying = varying_values(graph, roots, axis_name, commuting)
    with Builder(graph.name) as builder:  # given up if it turns out that it cannot be done
        like = next((a for a, flag in zip(args, flags) if flag), None)
        like = None if isinstance(size, int) else like
        name = NO_NAME if axis_name is None else axis_name
        batch = Batch(size, varying, name, {}, commuting, like)
        for value, arg in zip(graph.inputs, args):
            batch.given(value, arg)
        collectives.number_lanes(batch, graph, name)
        batch.run(graph)
        whole = builder.finish([batch.read(v) for v in graph.outputs])
    return list(inline(whole, ())), [v in varying for v in graph.outputs]


def _one_by_one(
    graph: Graph,
    args: Sequence[Value],
    flags: Sequence[bool],
    size: Size,
    axis_name: object,
    problem: CannotBatch,
) -> tuple[list[Value], list[bool]]:
    """A loop over the lanes."""
    graphs = current_builder().graphs
    called = [graphs[name] for name in callees(graph, graphs)]
    nodes = (node for each in (graph, *called) if each is not None for node in walk(each))
    if any(node.attrs.get("axis_name") == axis_name is not None for node in nodes):
        problem = CannotBatch(f"{problem.why}, and lanes meet", problem.location)
        raise _unsupported(problem)
    roots = {v for v, flag in zip(graph.inputs, flags) if flag}
    env = dict(zip(graph.inputs, args))
    batch = Batch(size, roots, None, env)
    try:
        results = batch.each_lane(
            graph.outputs,
            graph.inputs,
            lambda lane: inline(graph, [lane.get(v, v) for v in graph.inputs]),
        )
    except CannotBatch as found:
        raise _unsupported(found) from None
    return list(results), [True] * len(results)


def _warn(graph: Graph, problem: CannotBatch) -> None:
    place = problem.location or graph.location
    message = f"'{graph.name}' is computed for one lane after the other, because {problem.why}"
    warn_once(message, PerformanceWarning, place)


def _unsupported(problem: CannotBatch) -> UnsupportedFunctionError:
    return UnsupportedFunctionError(
        f"the function cannot be batched: {problem.why}",
        problem.location,
        id="AG0545",
        fix="return arrays whose shapes do not depend on what is known only at run time",
    )
