"""What of the records that a loop makes is of no use any more at the end of a trip.

The records of a gradient inside a loop, as in a loop of training steps or of checkpointed parts,
serve the trip that made them. Without being freed they would add up. A trip passes on numbers,
arrays, which have memory of their own, and addresses of records, and a record refers to older ones
only. So nobody uses what is newer than the newest record that is passed on. If no address passed
on may be one that the loop made, that is all of it; a stack of snapshots keeps what is older than
its top.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from autograph.closure import closure
from autograph.graph.graph import Graph, Node, Value, walk
from autograph.graph.wiring import Carried, Loop, is_loop, loop_of, sources_of, wiring
from autograph.kernels.by_python import is_python_call
from autograph.kernels.lowering.analysis.records import Records
from autograph.kernels.lowering.analysis.unknown_lengths import changes_list
from autograph.kernels.lowering.values import is_growing
from ops.control import regions
from ops.core.symbolic_lengths import is_length
from ops.core.types import ArrayType

_RECORDS = (regions.pack, regions.unpack_ct, regions.add_ct)


def freed(loop: Loop, records: Callable[[], Records]) -> tuple[Value | None, Any] | None:
    """What a loop may free at the end of each trip; see `autograph.kernels.ir.ir.Freed`.

    Args:
        loop: whose trips they are.
        records: gives the kinds of packs in the kernel.

    Returns:
        (the output that is the newest record, or None if none is of use; no fewer bytes than it
        has, which may be a symbolic length). None if that is not known, or if nothing would be
        freed.
    """
    body = loop.body
    if not reserves(body.nodes):
        return None
    flags = _passed_on(loop, records)
    kept = list(dict.fromkeys(v for v, flag in zip(body.outputs, flags) if flag))
    if not kept:
        return None, 0
    nodes = list(walk(body))
    if len(kept) > 1 or records().kind(kept[0]).sums:  # which is the newest is not known
        return None
    if not any(node.op is regions.pop for node in nodes):  # all stays
        return None
    if any(map(_calls, nodes)) or not _in_order(body):
        return None
    packs = [node for node in nodes if node.op is regions.pack]
    types = [[v.type for v in node.inputs] for node in packs]
    sizes = [records().kind(node.outputs[0]).fields(t)[1] for node, t in zip(packs, types)]
    # Which of symbolic lengths is the largest only the run knows.
    return kept[0], sum(sizes) if any(map(is_length, sizes)) else max(sizes)


def _calls(node: Node) -> bool:
    """Whether a node calls a function that may reserve memory."""
    return node.op is regions.call and not is_python_call(node)


def reserves(nodes: Iterable[Node]) -> bool:
    """Whether nodes reserve memory: for records, or for arrays of unknown length."""
    return leaves_records(nodes) or any(
        any(map(is_growing, node.outputs)) or any(reserves(region.nodes) for region in node.regions)
        for node in nodes
    )


BeforeCall = Callable[[Node, int], Value | None]


def may_free_beside_lists(body: Graph, lists: Collection[Carried], before_call: BeforeCall) -> bool:
    """Whether a trip of a loop that passes lists on reserves memory for other arrays of unknown
    length as well, and nothing refers to it afterwards, but for these lists. They only gain and
    lose rows: others may be somewhere else after each trip, and what is older would stay.

    Args:
        before_call: gives the list that a call changes rows of to get a result.
    """
    if not lists or leaves_records(body.nodes) or not _makes_arrays(body.nodes, before_call):
        return False
    return all(_has_rows_changed(body, variable, before_call) for variable in lists)


def _has_rows_changed(body: Graph, variable: Carried, before_call: BeforeCall) -> bool:
    """Whether a trip leaves a list with more or fewer rows, or other elements, whatever it does."""
    sources: dict[Value, Sequence[Value]] = {}
    for node in walk(body):
        if node.regions:
            sources.update(sources_of(node))

    def before(value: Value) -> Sequence[Value]:
        if value is variable.entered or value in sources:
            return sources.get(value, ())
        node = value.producer
        if node is not None and _calls(node):
            given = before_call(node, node.place(value))
            return () if given is None else (given,)
        return () if node is None or not changes_list(node) else node.inputs[:1]

    found = closure([variable.left], before)
    return all(value is variable.entered or before(value) for value in found)


def _makes_arrays(nodes: Iterable[Node], before_call: BeforeCall) -> bool:
    """Whether nodes make other arrays of unknown length than lists with more or fewer rows."""
    for node in nodes:
        if any(_makes_arrays(region.nodes, before_call) for region in node.regions):
            return True
        if node.regions or changes_list(node):
            continue
        lists = [i for i, v in enumerate(node.outputs) if is_growing(v)]
        if not _calls(node) and lists:
            return True
        if _calls(node) and any(before_call(node, i) is None for i in lists):
            return True
    return False


def leaves_records(nodes: Iterable[Node]) -> bool:
    """Whether nodes reserve memory for records."""
    return any(
        node.op in _RECORDS
        or (_calls(node) and bool(_addresses(node.outputs)))
        or any(leaves_records(region.nodes) for region in node.regions)
        for node in nodes
    )


def _addresses(values: Collection[Value]) -> list[Value]:
    return [v for v in values if not isinstance(v.type, ArrayType)]


def _in_order(graph: Graph) -> bool:
    """Whether a record that is pushed is newer than all that is below it on the stack: nothing is
    reserved between the pack and the push."""
    position: dict[Node | None, int] = {node: i for i, node in enumerate(graph.nodes)}
    for i, node in enumerate(graph.nodes):
        if node.op is regions.push:
            start = position.get(node.inputs[1].producer)
            if start is None or reserves(graph.nodes[start + 1 : i]):
                return False
        if not all(map(_in_order, node.regions)):
            return False
    return True


def _passed_on(loop: Loop, records: Callable[[], Records]) -> list[bool]:
    """Which outputs of a loop's body may be, or contain, records that one of its trips made."""
    made: set[Value] = set()
    before = -1
    body = loop.body
    while len(made) > before:
        before = len(made)
        made.update(v for v, result in zip(loop.state, body.outputs) if result in made)
        _spread(body, made, records)
    return [v in made for v in body.outputs]


def _spread(graph: Graph, made: set[Value], records: Callable[[], Records]) -> None:
    """Add what follows, by one look at each node, from what is known to be made. Loops need
    several: all of them are gone through together, since one by one, each until nothing changes,
    takes time that doubles with every loop inside another."""
    for node in graph.nodes:
        if not _addresses(node.outputs):
            continue
        if node.op is regions.unpack:
            flags = [node.inputs[0] in made] * len(node.outputs)
        elif node.op is regions.pop:  # of a sum, new sums of what was on top and below
            flags = [node.inputs[0] in made or records().kind(node.inputs[0]).sums] * 2
        elif node.op is regions.cond:
            for region in node.regions:
                _spread(region, made, records)
            sources = sources_of(node)
            flags = [any(v in made for v in sources[result]) for result in node.outputs]
        elif is_loop(node):
            carried = wiring(node).carried
            made.update(v.entered for v in carried if v.start in made or v.left in made)
            _spread(loop_of(node).body, made, records)
            flags = [v.start in made or v.left in made for v in carried]
        else:
            flags = [True] * len(node.outputs)
        found = [v for v, flag in zip(node.outputs, flags) if flag]
        made.update(_addresses(found))  # arrays are elsewhere
