"""Counted loops over the same trips that compute the same, as one loop.

A sum and its gradient are two loops where the backward pass computes again what the forward pass
has computed (see `autograph.transforms.reverse.summing`)::

    total = for i: total + f(w, x[i])
    d_w   = for i: d_w + f'(w, x[i])

Where the second does not need the result of the first, as mostly where the sum is what is
differentiated, one loop does both, and computes once what they share. It stands where the first
one stood; what the second one needs besides comes before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence

from autograph.graph.builder import Builder, copy_node, copy_nodes, current_builder
from autograph.graph.graph import Constant, Graph, Module, Node, Value, walk
from autograph.graph.purity import is_speculatable
from autograph.graph.rewrite import Env, rewrite
from autograph.graph.wiring import loop_of
from autograph.transforms.analysis.congruence import exact
from autograph.transforms.simplify.simplify import simplified_after
from ops.control import regions

_MOST = 200  # nodes of a block that is looked through
_SHARED = 0.5  # of what a trip of the first loop computes, that of the second computes again


def joined(module: Module) -> Module:
    """The module with such loops as one."""
    return simplified_after(module, _joined)


def _joined(graph: Graph) -> Graph:
    while (pair := _pair(graph)) is not None:
        graph = _with_one(graph, *pair)
    return graph


def _pair(graph: Graph) -> tuple[Node, Node, list[Node]] | None:
    """Two loops that become one, and what has to come before them."""
    loops = [node for node in graph.nodes if node.op is regions.for_loop]
    if len(loops) < 2 or len(graph.nodes) > _MOST:
        return None
    numbers: dict[Hashable, int] = {}
    owners: dict[int, list[Node]] = {}  # the loops that compute something
    for second in loops:
        own = _computed(second, numbers)
        shared = Counter(first for number in own for first in owners.get(number, ()))
        for first, count in shared.items():
            if count >= _SHARED * len(loop_of(first).body.nodes) and _are_alike(first, second):
                before = _needed(graph, first, second)
                if before is not None:
                    return first, second, before
        for number in own:
            owners.setdefault(number, []).append(second)
    return None


def _computed(node: Node, numbers: dict[Hashable, int]) -> set[int]:
    """What a trip of a loop computes that is not made of its state, as numbers."""
    loop = loop_of(node)
    known: dict[Value, Hashable] = {loop.body.inputs[0]: ("index", _identity(loop.operands[0]))}
    own: set[int] = set()
    for inner in loop.body.nodes:
        if inner.regions:
            continue
        operands = tuple(known.get(v, _identity(v)) for v in inner.inputs)
        key = inner.op.name, operands, exact(tuple(sorted(inner.attrs.items())))
        number = numbers.setdefault(key, len(numbers))
        own.add(number)
        known.update((v, (number, i)) for i, v in enumerate(inner.outputs))
    return own


def _are_alike(first: Node, second: Node) -> bool:
    """Whether two loops may be one, as far as they themselves are concerned."""
    a, b = loop_of(first), loop_of(second)
    if _identity(a.operands[0]) != _identity(b.operands[0]) or first.attrs != second.attrs:
        return False
    inside = (node for loop in (a, b) for node in walk(loop.body))
    return not (first.required or second.required or any(node.op.effect for node in inside))


def _identity(value: Value) -> Hashable:
    if isinstance(value, Constant) and value.is_scalar:
        return exact(value.data)
    return id(value)


def _needed(graph: Graph, first: Node, second: Node) -> list[Node] | None:
    """The nodes between two loops that the second one needs; None if they have to stay there."""
    start, end = graph.nodes.index(first), graph.nodes.index(second)
    wanted = set(second.uses())
    found: list[Node] = []
    for node in reversed(graph.nodes[start:end]):
        if wanted.isdisjoint(node.outputs):
            continue
        if node is first or node.required or not is_speculatable(node):
            return None
        found.append(node)
        wanted.update(node.uses())
    return found[::-1]


def _with_one(graph: Graph, first: Node, second: Node, before: Collection[Node]) -> Graph:
    def change(node: Node, env: Env) -> Sequence[Value] | None:
        if node is second or node in before:
            return [env[v] for v in node.outputs]
        if node is not first:
            return None
        for needed in before:
            copy_node(current_builder(), needed, env)
        results = _one(first, second, env)
        env.update(zip(second.outputs, results[len(first.outputs) :]))
        return results[: len(first.outputs)]

    return rewrite(graph, change)


def _one(first: Node, second: Node, env: Mapping[Value, Value]) -> tuple[Value, ...]:
    """Add one loop in the place of two."""
    both = loop_of(first), loop_of(second)
    starts = [env.get(v, v) for loop in both for v in loop.start]
    states = [v for loop in both for v in loop.state]
    with Builder(both[0].body.name) as builder:
        index = builder.input(both[0].body.inputs[0].type, both[0].body.inputs[0].name)
        inside = dict(env)
        inside.update((loop.body.inputs[0], index) for loop in both)
        inside.update((v, builder.input(v.type, v.name)) for v in states)
        outputs = [
            v for loop in both for v in copy_nodes(loop.body.nodes, loop.body.outputs, inside)
        ]
        body = builder.finish(outputs, both[0].body.location)
    count = [env.get(v, v) for v in both[0].operands]
    outputs = [*first.outputs, *second.outputs]
    return current_builder().add(
        regions.for_loop,
        [*count, *starts],
        first.attrs,
        [v.type for v in outputs],
        [body],
        [v.name for v in outputs],
    )
