"""Branches that give arrays made by a few cheap operations, as the choice of an element of one or
the other where it is read: no array is kept for their result (if-conversion: Allen, Kennedy,
Porterfield & Warren, "Conversion of control dependence to data dependence", 1983).

As ``mask = x < a if last else x <= a``, of which each element is used once, and as the array in
which a loop that exchanges two of them has left the result. What a branch computes of numbers stays
in the branch: it may raise.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import ops
from autograph.graph.builder import copy_node, current_builder
from autograph.graph.control import cond
from autograph.graph.graph import Constant, Graph, Node, Value
from autograph.graph.rewrite import Change, Env, rewrite, rewrite_nodes
from autograph.graph.wiring import branches_of
from autograph.kernels.lowering.analysis.nodes import (
    is_elementwise,
    is_reduction,
    is_static,
    may_raise,
)
from autograph.kernels.lowering.values import is_array
from ops.control import regions
from ops.core.registry import Elementwise
from ops.core.symbolic_lengths import is_same
from ops.core.types import ArrayType

_MOST_COST = 9  # of an element in both branches, in units of an addition
_MOST_USES = 2  # each of which computes it


def with_choices(graph: Graph) -> Graph:
    """A graph in which, regions included, such branches are choices of elements."""
    found = dict(_choices(graph))
    if not found:
        return graph

    def change(node: Node, env: Env) -> Sequence[Value] | None:
        apart = found.get(node)
        return None if apart is None else _chosen(node, apart, change, env)

    return rewrite(graph, change)


def _choices(graph: Graph) -> Iterator[tuple[Node, list[list[Node]]]]:
    """The conditionals that are choices of elements, each with the nodes of its branches that
    compute arrays."""
    possible = list[tuple[Node, list[list[Node]]]]()
    for node in graph.nodes:
        for region in node.regions:
            yield from _choices(region)
        if node.op is regions.cond and any(map(is_array, node.outputs)):
            apart = [_arrays(region) for region in node.regions]
            if _is_cheap(node, apart):
                possible.append((node, apart))
    if not possible:
        return
    results: set[Value] = {v for node, _ in possible for v in node.outputs if is_array(v)}
    users: dict[Value, list[Node]] = {v: [] for v in results}
    for node in graph.nodes:
        for value in results.intersection(node.uses()):
            users[value].append(node)
    kept = results.intersection(graph.outputs)
    for node, apart in possible:
        arrays = [v for v in node.outputs if is_array(v)]
        if not kept.isdisjoint(arrays) or not all(_are_readers(users[v]) for v in arrays):
            continue
        if any(apart) or not any(_is_last(v, node, graph) for v in _given(node)):
            yield node, apart


def _given(node: Node) -> Iterator[Value]:
    """The arrays that branches give."""
    return (v for region in node.regions for v in region.outputs if is_array(v))


def _is_last(value: Value, node: Node, graph: Graph) -> bool:
    """Whether a node is the last one of a block that uses an array which the block has made, so
    that its result may be where that is."""
    if value.producer not in graph.nodes or any(value is v for v in graph.outputs):
        return False
    after = graph.nodes[graph.nodes.index(node) + 1 :]
    return not any(value is v for n in after for v in n.uses())


def _arrays(region: Graph) -> list[Node]:
    """The nodes of a branch that compute arrays."""
    return [n for n in region.nodes if any(map(is_array, n.outputs))]


def _is_cheap(node: Node, apart: Sequence[Sequence[Node]]) -> bool:
    """Whether an element of each array that branches give can be computed by itself, at little
    cost, and nothing else in them needs arrays that they compute."""
    nodes = [n for found in apart for n in found]
    if sum(n.op.cost for n in nodes) > _MOST_COST or not all(map(_is_of_elements, nodes)):
        return False
    made = {v for n in nodes for v in n.outputs}
    for region, found in zip(node.regions, apart):
        others = (n for n in region.nodes if n not in found)
        if any(not made.isdisjoint(n.uses()) for n in others):
            return False
        if not all(isinstance(v.type, ArrayType) for v in _numbers(region, found)):
            return False
    return all(
        _is_like(value, region.outputs[i])
        for i, value in enumerate(node.outputs)
        for region in node.regions
    )


def _is_of_elements(node: Node) -> bool:
    known = isinstance(node.op, Elementwise) or node.op is ops.full
    return known and is_elementwise(node) and is_static(node) and not may_raise(node)


def _is_like(value: Value, given: Value) -> bool:
    """Whether a result of a conditional has the type of what a branch gives for it, and its lengths
    are known before the run, if it is an array."""
    if not is_array(value):
        return isinstance(value.type, ArrayType)
    mine, other = value.type, given.type
    return (
        isinstance(other, ArrayType)
        and mine.is_static
        and other.is_static
        and mine.dtype == other.dtype
        and is_same(mine.shape, other.shape)
        and not isinstance(given, Constant)
    )


def _are_readers(users: Sequence[Node]) -> bool:
    """Whether nodes read elements of an array, and do no more with it."""
    return len(users) <= _MOST_USES and all(
        not n.regions and not n.op.updates and (is_elementwise(n) or is_reduction(n)) for n in users
    )


def _numbers(region: Graph, arrays: Sequence[Node]) -> list[Value]:
    """What a branch computes that is no array, and is needed outside of it for its arrays."""
    inside = {v for n in region.nodes if n not in arrays for v in n.outputs}
    return [v for v in dict.fromkeys(v for n in arrays for v in n.inputs) if v in inside]


def _chosen(
    node: Node, apart: Sequence[Sequence[Node]], change: Change, env: Env
) -> Sequence[Value]:
    """What a conditional becomes."""
    predicate = env.get(node.inputs[0], node.inputs[0])
    branches = branches_of(node)[1:]
    needed = [_numbers(region, arrays) for region, arrays in zip(branches, apart)]
    numbers = _of_numbers(node, apart, needed, predicate, change, env)
    inner: list[Mapping[Value, Value]] = []
    for arrays, values in zip(apart, needed):
        inside = ChainMap[Value, Value]({}, env)
        inside.update(zip(values, numbers))
        numbers = numbers[len(values) :]
        for n in arrays:
            copy_node(current_builder(), n, inside)
        inner.append(inside)
    rest = iter(numbers)
    then, orelse = branches
    results: list[Value] = []
    condition: Any = ops.cast(predicate, "bool", weak=False)  # ``if number``
    for i, value in enumerate(node.outputs):
        if not is_array(value):
            results.append(next(rest))
            continue
        x, y = inner[0].get(then.outputs[i]), inner[1].get(orelse.outputs[i])
        x, y = then.outputs[i] if x is None else x, orelse.outputs[i] if y is None else y
        results.append(x if x is y else ops.where(condition, x, y))
    return results


def _of_numbers(
    node: Node,
    apart: Sequence[Sequence[Node]],
    needed: Sequence[Sequence[Value]],
    predicate: Value,
    change: Change,
    env: Env,
) -> tuple[Value, ...]:
    """What is left of a conditional without the arrays.

    Returns:
        what the first branch computes for its arrays, the second for its own, and the results of
        the conditional that are numbers.
    """
    if not any(len(r.nodes) > len(found) for r, found in zip(node.regions, apart)) and all(
        map(is_array, node.outputs)
    ):
        return ()

    def run(own: int) -> list[Value]:
        region, inside = node.regions[own], ChainMap[Value, Value]({}, env)
        rewrite_nodes([n for n in region.nodes if n not in apart[own]], change, inside)
        found: list[Value] = []
        for position, values in enumerate(needed):
            found += [inside[v] if position == own else _zero(v) for v in values]
        given = (v for v in region.outputs if not is_array(v))
        return found + [inside.get(v, v) for v in given]

    return cond(predicate, lambda: run(0), lambda: run(1))


def _zero(value: Value) -> Value:
    """A number of the type of another one, in the branch that has none."""
    zero = value.type.dtype.type(0)
    return Constant(zero.item() if value.type.weak else zero)
