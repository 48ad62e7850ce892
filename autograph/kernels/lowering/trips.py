"""What of the records that a loop makes is of no use any more at the end of a trip.

The records of a gradient inside a loop, as in a loop of training steps or of checkpointed parts,
serve the trip that made them. Without being freed they would add up. A trip passes on numbers,
arrays, which have memory of their own, and addresses of records, and a record refers to older ones
only. So nobody uses what is newer than the newest record that is passed on. If no address passed
on may be one that the loop made, that is all of it; a stack of snapshots keeps what is older than
its top.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from autograph.graph.graph import Graph, Node, Value, walk
from autograph.kernels.lowering.records import Records
from ops import regions
from ops.types import ArrayType

_RESERVING = ("pack", "unpack_ct", "add_ct", "call")


def freed(body: Graph, records: Callable[[], Records]) -> tuple[Value | None, int] | None:
    """What a loop may free at the end of each trip; see `autograph.kernels.ir.Freed`.

    Args:
        body: of the loop.
        records: gives the kinds of packs in the kernel.

    Returns:
        (the output that is the newest record, or None if none is of use; the most bytes it has).
        None if that is not known, or if nothing would be freed.
    """
    if not reserves(body.nodes):
        return None
    flags = _passed_on(body, (), [False] * len(body.outputs), records)
    kept = list(dict.fromkeys(v for v, flag in zip(body.outputs, flags) if flag))
    if not kept:
        return None, 0
    nodes = list(walk(body))
    if len(kept) > 1 or records().kind(kept[0]).sums:  # which is the newest is not known
        return None
    if not any(node.op is regions.pop for node in nodes):  # all stays
        return None
    if any(node.op is regions.call for node in nodes) or not _in_order(body):
        return None
    packs = [node for node in nodes if node.op is regions.pack]
    types = [[v.type for v in node.inputs] for node in packs]
    sizes = [records().kind(node.outputs[0]).fields(t)[1] for node, t in zip(packs, types)]
    return kept[0], max(sizes)


def reserves(nodes: Iterable[Node]) -> bool:
    """Whether nodes reserve memory for records."""
    return any(
        node.op.name in _RESERVING or any(reserves(region.nodes) for region in node.regions)
        for node in nodes
    )


def _addresses(values: Collection[Value]) -> list[Value]:
    return [v for v in values if not isinstance(v.type, ArrayType)]


def _in_order(graph: Graph) -> bool:
    """Whether a record that is pushed is newer than all that is below it on the stack: nothing is
    reserved between the pack and the push."""
    position = {node: i for i, node in enumerate(graph.nodes)}
    for i, node in enumerate(graph.nodes):
        if node.op is regions.push:
            start = position.get(node.inputs[1].producer)
            if start is None or reserves(graph.nodes[start + 1 : i]):
                return False
        if not all(map(_in_order, node.regions)):
            return False
    return True


def made_in(graph: Graph, given: Collection[Value], records: Callable[[], Records]) -> set[Value]:
    """The packs and stacks of a graph that may be, or contain, records that it makes.

    Args:
        given: those from outside that count as made in it.
    """
    made = set(given)
    for node in graph.nodes:
        if not _addresses(node.outputs):
            continue
        if node.op is regions.unpack:
            flags = [node.inputs[0] in made] * len(node.outputs)
        elif node.op is regions.pop:  # of a sum, new sums of what was on top and below
            flags = [node.inputs[0] in made or records().kind(node.inputs[0]).sums] * 2
        elif node.op is regions.cond:
            branches = [made_in(region, made, records) for region in node.regions]
            flags = [
                any(region.outputs[i] in branch for region, branch in zip(node.regions, branches))
                for i in range(len(node.outputs))
            ]
        elif node.op in (regions.while_loop, regions.for_loop):
            flags = [v in made for v in node.inputs[len(node.inputs) - len(node.outputs) :]]
            flags = _passed_on(node.regions[-1], made, flags, records)
        else:
            flags = [True] * len(node.outputs)
        made.update(v for v, flag in zip(node.outputs, flags) if flag)
    return made


def _passed_on(
    body: Graph, made: Collection[Value], flags: list[bool], records: Callable[[], Records]
) -> list[bool]:
    """Which of a loop's state may ever be among what is made, if those with flags are so first."""
    while True:
        state = [v for v, flag in zip(body.inputs[len(body.inputs) - len(flags) :], flags) if flag]
        inner = made_in(body, {*made, *state}, records)
        found = [flag or v in inner for v, flag in zip(body.outputs, flags)]
        if found == flags:
            return flags
        flags = found
