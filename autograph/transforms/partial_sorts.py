"""Sorts of which only some known places are read, as of a median, as partitions, or the other way.

A partition puts the elements at these places where sorting would put them, in time that is
proportional to the number of elements. Equal floats may change places, zeros of both signs among
them: so this is done where NumPy does it, too, which a sort says by its ``kind``.

Functions with loops and branches become kernels, which do not partition: there few elements are
sorted. So are those that the program partitions, if it reads nothing else than those places.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

import ops
from autograph.graph.builder import current_builder
from autograph.graph.graph import Constant, Graph, Module, Node, Value, walk
from autograph.graph.rewrite import Env, rewrite
from ops.core.symbolic_lengths import is_below, is_length, is_same
from ops.order.sorting import SOME, partition

_FEW = 64  # elements, which are sorted as fast
_FEW_INSIDE = 1024  # the same where a kernel sorts them
_MOST = 8  # places

_ALL = (("ellipsis",), ("slice", None, None, None))


def with_partitions(module: Module) -> Module:
    """The module with partitions in the place of sorts of which some places are read, and sorts in
    the place of partitions where there are loops or branches."""
    graphs = {name: _partitioned(graph) for name, graph in module.graphs.items()}
    return Module(_partitioned(module.main), graphs)


def _partitioned(graph: Graph) -> Graph:
    has_regions = any(node.regions for node in graph.nodes)
    places = _found(graph, has_regions)
    if not places:
        return graph

    def change(node: Node, env: Env) -> Sequence[Value] | None:
        if node not in places:
            return None
        given = [env.get(v, v) for v in node.inputs]
        axis = node.attrs["axis"]
        if node.op is partition:
            attrs = {"axis": axis, "kind": SOME, "descending": False}
            return [current_builder().apply(ops.sort, given, attrs)]
        attrs = {"kth": places[node], "axis": axis}
        return [current_builder().apply(partition, given, attrs)]

    return rewrite(graph, change)


def _found(graph: Graph, has_regions: bool) -> dict[Node, tuple[Any, ...]]:
    """The nodes to exchange, with the places along their axis that are read: ints, or symbolic
    lengths.

    Args:
        has_regions: whether there are loops or branches: the whole graph may be a kernel.
    """
    nodes = [n for n in walk(graph) if _is_candidate(n, has_regions)]
    if not nodes:
        return {}
    read: dict[Value, list[Any] | None] = {node.outputs[0]: [] for node in nodes}

    def note(values: Iterable[Value], found: Sequence[Any] | None = None) -> None:
        for value in values:
            if value in read:
                before = read[value]
                new = None if found is None or before is None else list(before)
                for place in found or ():
                    if new is not None and not any(is_same((place,), (k,)) for k in new):
                        new.append(place)
                read[value] = new

    note(graph.outputs)
    for node in walk(graph):
        for region in node.regions:
            note(region.outputs)
        if node.op is ops.getitem:
            note(node.inputs[:1], _places(node))
            note(node.inputs[1:])
        else:
            note(node.inputs)
    found = {node: read[node.outputs[0]] for node in nodes}
    return {n: tuple(ks) for n, ks in found.items() if ks and _is_enough(n, ks)}


def _is_candidate(node: Node, has_regions: bool) -> bool:
    """Whether a node becomes another one if only some places of its result are read."""
    if node.op is partition:
        n = node.inputs[0].type.shape[node.attrs["axis"]]
        return n is not None and (not _is_long(n) if has_regions else is_below(n, _FEW))
    if node.op is not ops.sort or node.attrs["kind"] != SOME:
        return False
    n = node.inputs[0].type.shape[node.attrs["axis"]]
    if n is None or is_below(n, _FEW):
        return False
    return _is_long(n) or not has_regions


def _is_long(n: Any) -> bool:
    """Whether there are so many elements that kernels had better not sort them; of a symbolic
    length that is not known."""
    return not is_length(n) and n >= _FEW_INSIDE


def _is_enough(node: Node, places: Sequence[Any]) -> bool:
    """Whether the other node gives what is read of a node's result."""
    if node.op is not partition:
        return len(places) <= _MOST
    kth = node.attrs["kth"]
    n = node.inputs[0].type.shape[node.attrs["axis"]]
    own = [k if is_length(k) or is_length(n) else k % n for k in _listed(kth)]
    return all(any(is_same((place,), (k,)) for k in own) for place in places)


def _listed(kth: Any) -> Sequence[Any]:
    return kth if isinstance(kth, tuple) else (kth,)


def _places(node: Node) -> Sequence[Any] | None:
    """The places along the last axis that a node reads; None if these are not known."""
    array, index = node.inputs[0], node.attrs["index"]
    node_of = array.producer
    if node_of is None or node_of.op not in {ops.sort, partition}:
        return None
    n = array.type.shape[-1]
    to_last = len(index) == array.type.ndim or ("ellipsis",) in index[:-1]
    if node_of.attrs["axis"] != array.type.ndim - 1 or n is None or not to_last:
        return None
    if any(entry not in _ALL for entry in index[:-1]):
        return None
    if is_length(n):
        if node_of.op is partition and index[-1][0] == "int":
            return [index[-1][1]]
        return _of_any_length(index[-1], n)
    found: Sequence[int]
    match index[-1]:
        case ("int", int(k)):
            found = [k]
        case ("slice", *bounds) if all(b is None or type(b) is int for b in bounds):
            found = range(*slice(*bounds).indices(n))
        case ("arg", int(j)):
            places = node.inputs[j + 1]
            if not isinstance(places, Constant):
                return None
            found = np.asarray(places.data).reshape(-1).tolist()
        case _:
            return None
    known = all(-n <= k < n for k in found)
    return sorted({k % n for k in found}) if known and len(found) <= _MOST else None


def _of_any_length(entry: tuple[Any, ...], n: Any) -> Sequence[Any] | None:
    """The same for a symbolic length: one place counted from the end, or those in the middle."""
    match entry:
        case ("int", int(k)) if not is_length(k):
            return [k] if k < 0 else None
        case ("slice", start, stop, None) if is_length(start) and is_length(stop):
            middle = is_same((start, stop), ((n - 1) // 2, n // 2 + 1))
            return [start, stop - 1] if middle else None
    return None
