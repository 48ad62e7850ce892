"""How loops share a budget of memory, see `autograph.transforms.reverse.budget`.

The attribute ``checkpoint`` of a loop with a budget is ``("memory", M)`` when it is recorded, for
loops in it as well: the bytes that all loops of the function may have together. When a graph is
differentiated it becomes ``("share", S, M, nested)``. Loops side by side have equal shares, and
those in a loop, which are ``nested``, have a fourth of its share together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograph.graph.builder import current_builder
from autograph.graph.graph import Graph, Node, Value
from autograph.graph.rewrite import Env, rewrite
from autograph.graph.wiring import is_loop, loop_of


def shared_out(graph: Graph) -> Graph:
    """The graph with a share for each of its loops that have a budget together."""
    count = _count(graph)
    return _with_shares(graph, lambda whole: whole // count) if count else graph


def _has_budget(node: Node) -> bool:
    spec = node.attrs.get("checkpoint") if is_loop(node) else None
    return isinstance(spec, tuple) and spec[0] == "memory"


def _count(graph: Graph) -> int:
    """The loops that share a budget, those in loops aside."""
    return sum(1 if _has_budget(node) else sum(map(_count, node.regions)) for node in graph.nodes)


def _with_shares(
    graph: Graph, share: Callable[[int], int], env: Env | None = None, nested: bool = False
) -> Graph:
    """The loops of a graph get shares, those in them a fourth of it together."""

    def change(node: Node, env: Env) -> Sequence[Value] | None:
        if not _has_budget(node):
            return None
        whole = node.attrs["checkpoint"][1]
        own = share(whole)
        inside = 4 * max(_count(loop_of(node).body), 1)
        return current_builder().add(
            node.op,
            [env.get(v, v) for v in node.inputs],
            {**node.attrs, "checkpoint": ("share", own, whole, nested)},
            [v.type for v in node.outputs],
            [_with_shares(region, lambda _: own // inside, env, True) for region in node.regions],
            [v.name for v in node.outputs],
            node.required,
        )

    return rewrite(graph, change, env)
