"""Which values of a graph differ from lane to lane when some of its inputs do.

The others are computed once for all lanes. The analysis goes through regions, and through loops to
a fixed point. Where lanes take different branches, or leave a loop after different numbers of
trips, all results differ; but a state that is the same in all lanes that are still in the loop,
like the number of the trip, stays one value inside.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence

from autograph.graph.builder import current_builder
from autograph.graph.graph import Graph, Node, Value, callees, walk
from autograph.graph.wiring import (
    CustomJVP,
    custom_jvp_of,
    custom_vjp_of,
    linear_call_of,
    spread,
    wiring,
)
from ops.control import regions
from ops.control.callbacks import io_callback
from ops.core.lengths import length
from ops.core.records import NamedTuple
from ops.core.registry import Op
from ops.core.types import ArrayType, Type


def varying_values(
    graph: Graph, roots: Iterable[Value], axis_name: object = None, commuting: bool = False
) -> set[Value]:
    """The values, those inside regions included, that may differ between lanes.

    Args:
        roots: the inputs, and captured values, that do.
        axis_name: what collective operators call the lanes.
        commuting: whether each result of a call counts as one that does if an argument does.
    """
    varying = set(roots)
    _propagate(graph, varying, _Lanes(axis_name, commuting, False, {}, []))
    return varying


class _Lanes(NamedTuple):
    """What an analysis knows besides what varies.

    Attributes:
        axis_name: what collective operators call the lanes.
        commuting: see `varying_values`.
        called: whether it is of a graph that is called. Functions of one lane call some, too, so
            that numbers of trips in packs differ there.
        results: which results of named graphs vary, by graph and by which arguments do.
        found: those of them that are not final yet, in the order in which they were found.
    """

    axis_name: object
    commuting: bool
    called: bool
    results: dict[tuple[Graph, tuple[bool, ...]], list[bool]]
    found: list[tuple[Graph, tuple[bool, ...]]]


def _propagate(graph: Graph, varying: set[Value], lanes: _Lanes) -> None:
    for node in graph.nodes:
        rule = _RULES.get(node.op) or _rule_for(node)
        rule(node, varying, lanes)


def _rule_for(node: Node) -> Callable:
    if node.regions:
        return _with_regions
    return _collective if node.op.collective else _primitive


def _primitive(node: Node, varying: set[Value], lanes: _Lanes) -> None:
    if any(v in varying for v in node.inputs):
        varying.update(node.outputs)


def _each_lane(node: Node, varying: set[Value], lanes: _Lanes) -> None:
    """What has effects is done for each lane, and may give something else each time."""
    varying.update(node.outputs)


def _length(node: Node, varying: set[Value], lanes: _Lanes) -> None:
    """Lengths are those of each lane."""


def is_count(type: Type) -> bool:
    """Whether it is the type of Python's ints. Those in packs, numbers of trips and lengths, are
    the same in all lanes: what a pack holds cannot be seen where it is taken apart."""
    return isinstance(type, ArrayType) and type.weak and type.dtype.kind == "i"


def _unpack(node: Node, varying: set[Value], lanes: _Lanes) -> None:
    if node.inputs[0] in varying:
        varying.update(v for v in node.outputs if lanes.called or not is_count(v.type))


def _collective(node: Node, varying: set[Value], lanes: _Lanes) -> None:
    if node.attrs["axis_name"] != lanes.axis_name:
        _primitive(node, varying, lanes)
    elif node.op.collective == "each":
        varying.update(node.outputs)


def _with_regions(node: Node, varying: set[Value], lanes: _Lanes) -> None:
    wires = wiring(node)

    def within(region: Graph) -> None:
        _propagate(region, varying, lanes)

    spread(node, varying, within)
    for variable in wires.carried:
        _join([variable.entered] * len(variable.tested), variable.tested, varying)
    for test in wires.tests:
        within(test)
    if any(v in varying for v in wires.decides):  # lanes go different ways
        varying.update(node.outputs)


def _call(node: Node, varying: set[Value], lanes: _Lanes) -> None:
    results = _results(node.attrs["callee"], [v in varying for v in node.inputs], lanes)
    varying.update(v for v, flag in zip(node.outputs, results) if flag)


def varying_results(callee: str, flags: Iterable[bool]) -> Iterable[bool]:
    """Which results of a named graph may differ between lanes if the arguments with flags do."""
    return _results(callee, list(flags), _Lanes(None, False, True, {}, []))


def _results(callee: str, flags: Sequence[bool], lanes: _Lanes) -> Iterable[bool]:
    graph = current_builder().graphs[callee]
    if does_more(callee):
        return itertools.repeat(True)
    if not any(flags):
        return itertools.repeat(False)
    if lanes.commuting or graph is None:
        return itertools.repeat(True)
    results, call = lanes.results, (graph, tuple(flags))
    if call not in results:
        results[call] = [False] * len(graph.outputs)  # until something makes one vary
        is_first = not lanes.found
        lanes.found.append(call)
        results[call] = _varying_outputs(*call, lanes)
        while is_first:  # they may call one another
            before = dict(results)
            results.update((each, _varying_outputs(*each, lanes)) for each in list(lanes.found))
            is_first = results != before
            if not is_first:
                lanes.found.clear()
    return results[call]


def _varying_outputs(graph: Graph, flags: Sequence[bool], lanes: _Lanes) -> list[bool]:
    varying = {v for v, flag in zip(graph.inputs, flags) if flag}
    _propagate(graph, varying, lanes._replace(axis_name=None, called=True))
    # A recursive one is for any number of lanes, of which one cannot be taken if there is none.
    graphs = current_builder().graphs
    arrays = any(graphs[name] is graph for name in callees(graph, graphs))
    return [v in varying or (arrays and isinstance(v.type, ArrayType)) for v in graph.outputs]


def does_more(name: str) -> bool:
    """Whether a named graph, or one that it calls, does for each lane more than to compute and to
    raise: it prints, calls back, draws, or lanes meet in it."""
    graphs = current_builder().graphs
    pending, seen = [name], set()
    while pending:
        name = pending.pop()
        if name in seen or name not in graphs:
            continue
        seen.add(name)
        for node in walk(graphs[name]):
            if node.op.effect not in (None, "raises") or node.op.collective is not None:
                return True
            if node.op is regions.call:
                pending.append(node.attrs["callee"])
    return False


def _custom_vjp(node: Node, varying: set[Value], lanes: _Lanes) -> None:
    custom = custom_vjp_of(node)
    _custom(node, custom.primal, custom.forward, custom.results, varying, lanes)
    _join(custom.residuals, custom.taken, varying)
    if any(v in varying for v in node.outputs):
        varying.update(custom.seeds)
    _propagate(custom.backward, varying, lanes)
    if custom.by_tangents is not None:
        _by_tangents(node, custom.by_tangents, varying, lanes)


def _custom_jvp(node: Node, varying: set[Value], lanes: _Lanes) -> None:
    custom = custom_jvp_of(node)
    _by_tangents(node, custom, varying, lanes)


def _linear_call(node: Node, varying: set[Value], lanes: _Lanes) -> None:
    """If something does that is given to it or captured, its results do, and those of the
    transpose."""
    function, transpose = linear_call_of(node)
    if any(v in varying for v in (*node.inputs, *function.captures, *transpose.captures)):
        varying.update((*node.outputs, *transpose.inputs))
    _join(node.inputs, function.inputs, varying)
    for region in (function, transpose):
        _propagate(region, varying, lanes)


def _by_tangents(node: Node, custom: CustomJVP, varying: set[Value], lanes: _Lanes) -> None:
    _join([v for v in node.inputs if v.type.inexact], custom.tangents, varying)
    results = custom.rule.outputs
    _custom(node, custom.primal, custom.rule, results, varying, lanes)


def _custom(
    node: Node,
    primal: Graph,
    rule: Graph,
    results: Sequence[Value],
    varying: set[Value],
    lanes: _Lanes,
) -> None:
    """If one of the results varies, by whichever region, all do; what a region computes of values
    that are the same in all lanes is still computed once."""
    for region in (primal, rule):
        _join(node.inputs, region.inputs, varying)
        _propagate(region, varying, lanes)
    if any(v in varying for v in (*primal.outputs, *results)):
        varying.update(node.outputs)


def _join(sources: Iterable[Value], targets: Iterable[Value], varying: set[Value]) -> None:
    varying.update(t for s, t in zip(sources, targets) if s in varying)


_RULES: dict[Op, Callable] = {
    length: _length,
    regions.unpack: _unpack,
    regions.call: _call,
    regions.lanes: _primitive,
    regions.custom_vjp: _custom_vjp,
    regions.custom_jvp: _custom_jvp,
    regions.linear_call: _linear_call,
    io_callback: _each_lane,
}
