"""The symbols in the lengths of a graph's arrays; see `ops.core.symbolic_lengths`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from autograph.graph.graph import Graph, Module, Node, Value
from ops.core.symbolic_lengths import NeedsNumber, SymbolicLength, Symbols, is_length
from ops.core.types import ArrayType


def lengths_in(graph: Graph) -> Sequence[SymbolicLength]:
    """The symbolic lengths that a graph has to do with, in types and in attributes."""
    found = _LENGTHS.get(graph)
    if found is None:
        made = _of_values((*graph.inputs, *graph.outputs))
        for node in graph.nodes:
            made += lengths_of_node(node)
        found = _LENGTHS[graph] = tuple(made)
    return found


# Of graphs that were asked for them: passes ask again and again, and graphs do not change.
_LENGTHS: WeakKeyDictionary[Graph, tuple[SymbolicLength, ...]] = WeakKeyDictionary()


def lengths_of_node(node: Node) -> list[SymbolicLength]:
    """Those that a node has to do with, and the nodes in its regions."""
    found = list(_found(node.attrs.values())) if node.attrs else []
    found += _of_values((*node.inputs, *node.outputs))
    for region in node.regions:
        found += lengths_in(region)
    return found


def _of_values(values: Iterable[Value]) -> list[SymbolicLength]:
    types = [v.type for v in values]
    return [n for t in types if isinstance(t, ArrayType) for n in t.shape if is_length(n)]


def _found(parts: Iterable[Any]) -> Iterator[SymbolicLength]:
    for part in parts:
        if is_length(part):
            yield part
        elif isinstance(part, (tuple, list)):
            yield from _found(part)
        elif isinstance(part, dict):
            yield from _found(part.values())


def symbols_of(graph: Graph) -> set[str]:
    """The symbols in the lengths of a graph."""
    return {name for length in lengths_in(graph) for name in length.names}


def symbols_in(module: Module) -> Symbols | None:
    """The symbols that the lengths of a module's arrays are made of; None if they are numbers."""
    for graph in (module.main, *module.graphs.values()):
        for length in lengths_in(graph):
            return length.symbols
    return None


def inputs_with_symbols(
    operands: Sequence[Value], nodes: Sequence[Node], inputs: Sequence[Value]
) -> list[Value]:
    """Those of ``inputs`` at which symbols can be seen that are in the lengths of some nodes, but
    in none of their operands."""
    seen = seen_symbols(operands).keys()
    lengths = list(_found(t.shape for v in operands if isinstance(t := v.type, ArrayType)))
    for node in nodes:
        lengths += lengths_of_node(node)
    wanted = {name for length in lengths for name in length.names} - seen
    found = seen_symbols(inputs) if wanted else {}
    return list(dict.fromkeys(inputs[found[name][0]] for name in found if name in wanted))


def symbol_places(graph: Graph) -> dict[str, tuple[int, int, int]]:
    """Where the symbols of a graph's lengths can be seen at its inputs.

    Returns:
        For each symbol the position of an input, an axis, and by how much that is longer.

    Raises:
        NeedsNumber: a symbol can't be told from the inputs.
    """
    found = seen_symbols(graph.inputs)
    wanted: set[str] = set()
    for length in lengths_in(graph):
        if not length.names <= found.keys():
            raise NeedsNumber(length)
        wanted |= length.names
    return {name: place for name, place in found.items() if name in wanted}


def unseen_symbols(graph: Graph) -> list[SymbolicLength]:
    """The symbols in the lengths of a graph that can't be told from its inputs."""
    seen = seen_symbols(graph.inputs)
    found = {
        name: SymbolicLength({(name,): 1}, length.symbols)
        for length in lengths_in(graph)
        for name in length.names - seen.keys()
    }
    return [found[name] for name in sorted(found)]


def seen_symbols(values: Sequence[Value]) -> dict[str, tuple[int, int, int]]:
    """Where symbols are lengths, or that and a number, of some values; see `symbol_places`."""
    found: dict[str, tuple[int, int, int]] = {}
    for position, value in enumerate(values):
        if not isinstance(value.type, ArrayType):
            continue
        for axis, length in enumerate(value.type.shape):
            line = length.line if is_length(length) else None
            if line is not None and line[1] == 1:
                found.setdefault(line[0], (position, axis, line[2]))
    return found
