"""Branches: of a conditional the kernel runs one.

Scalars are results of the IR's branches. Arrays have one place, where each branch puts its result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from autograph.graph.aliasing import may_be_given
from autograph.graph.graph import Graph, Node, Value
from autograph.graph.wiring import branches_of
from autograph.kernels.ir.ir import BOOL, Operand
from autograph.kernels.lowering.analysis.changed import unchanged
from autograph.kernels.lowering.analysis.unknown_lengths import may_be_where
from autograph.kernels.lowering.arrays import demand, growing
from autograph.kernels.lowering.arrays.changes import may_change, take
from autograph.kernels.lowering.rules.captures import settle_captures
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import GrowingRows, Held, Memory, is_array, is_growing


def cond(state: State, node: Node) -> None:
    """A conditional."""
    settle_captures(state, node)
    predicate = state.b.cast(demand.scalar(state, node.inputs[0]), BOOL)
    changed: dict[int, Value] = {}
    targets: list[Memory | None] = []
    for position, value in enumerate(node.outputs):
        source = _changed_by_all(state, node, position)
        if source is None:
            source = _given_by_one(state, node, position, changed.values())
        if source is not None:
            changed[position] = source
            targets.append(demand.memory(state, source))
            take(state, source, demand.memory(state, source))
        else:
            has_place = is_array(value) and not is_growing(value)
            targets.append(state.places.give(value) if has_place else None)

    lent = [
        v
        for region in node.regions
        for v in region.captures
        if is_growing(v) and state.progress.is_used_later(v)
    ]
    if state.keeps and lent and any(map(is_growing, node.outputs)):
        growing.share_all(state, lent)  # a copy would be one more in each trip
        lent = []

    def branch(region: Graph) -> Callable[[], list[Operand]]:
        def run() -> list[Operand]:
            inner = state.inner(region)
            for value in changed.values():
                inner.env.take_over(value)
            growing.take_over(state, inner, region.captures)
            results = state.shared.lower_region(inner, region, targets)
            found = [x for x in results if isinstance(x, Operand)]
            found += [inner.env.is_given(region.outputs[i]) for i in uncertain]
            lists = _apart(inner, region, results, lent)
            are_alone.append([rows.is_alone for rows in lists])
            return found + [word for rows in lists for word in growing.words(inner, rows)]

        return run

    are_alone: list[list[bool]] = []
    _, then, orelse = branches_of(node)
    lists = [v for v in node.outputs if is_growing(v)]
    uncertain = [i for i, v in enumerate(node.outputs) if may_be_given(v) and not is_growing(v)]
    names = [v.name for v in node.outputs if not is_array(v)]
    names += [None] * len(uncertain)
    names += [name for v in lists for name in growing.names(state, v)]
    scalars = iter(state.b.if_(predicate, branch(then), branch(orelse), names))
    for value in changed.values():
        state.env.end(value)
    for value, target in zip(node.outputs, targets):
        if not is_growing(value):
            state.env[value] = next(scalars) if target is None else target
    for i in uncertain:
        state.env.given[node.outputs[i]] = next(scalars)
    for value, both in zip(lists, zip(*are_alone)):
        rows = growing.from_words(state, value, scalars)
        state.env[value] = rows._replace(is_alone=all(both))


def _apart(
    inner: State, region: Graph, results: Sequence[Held], lent: Sequence[Value]
) -> list[GrowingRows]:
    """The lists that a branch gives: copies of those that may be where a list is that the block
    around it has afterwards, with room in which it may write."""
    found: list[GrowingRows] = []
    for value, held in zip(region.outputs, results):
        if not isinstance(held, GrowingRows):
            continue
        if lent and may_be_where(value, region, lent):
            held = growing.copied(inner, value, held)
        found.append(held)
    return found


def _changed_by_all(state: State, node: Node, position: int) -> Value | None:
    """The array that all branches change elements of, or leave as it is, to get a result, if they
    may do it in its memory; None if there is none."""
    if not is_array(node.outputs[position]) or is_growing(node.outputs[position]):
        return None

    def before(region: Graph, place: int) -> Value:
        return unchanged(region, place, before_call=state.shared.before_call)

    sources = {before(region, position) for region in node.regions}
    value = sources.pop()
    inside = any(value is v for region in node.regions for v in region.captures)
    if sources or not inside or state.progress.is_used_later(value):
        return None
    others = [i for i in range(len(node.outputs)) if i != position]
    if any(before(region, i) is value for i in others for region in node.regions):
        return None
    return value if _may_be(state, value, node.outputs[position]) else None


def _given_by_one(state: State, node: Node, position: int, others: Iterable[Value]) -> Value | None:
    """The array that one branch gives as it is, and the other one does not read, if that one's
    result may be put in its memory, so that one branch has nothing to copy; None if there is none.

    Args:
        others: arrays in whose memory other results are put.
    """
    result = node.outputs[position]
    if not is_array(result) or is_growing(result):
        return None
    then, orelse = branches_of(node)[1:]
    taken = {*others}
    for giving, other in ((then, orelse), (orelse, then)):
        value = giving.outputs[position]
        if not any(value is v for v in giving.captures) or value in taken:
            continue
        if any(value is v for v in other.captures):
            continue
        if value.type != result.type or sum(v is value for v in giving.outputs) > 1:
            continue
        if not state.progress.is_used_later(value) and _may_be(state, value, result):
            return value
    return None


def _may_be(state: State, value: Value, result: Value) -> bool:
    """Whether a result may be where an array is, which is overwritten."""
    memory = demand.memory(state, value)
    if state.places.wanted(result) not in (None, memory):
        return False
    return may_change(state, value, memory)
