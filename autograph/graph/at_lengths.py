"""Graphs whose lengths are symbols, for other lengths in their place: numbers, or those of another
recording."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from autograph.graph.builder import Builder
from autograph.graph.graph import Constant, Graph, Module, Node, Value
from autograph.graph.lengths import seen_symbols
from ops.control.regions import call
from ops.core.lengths import extent
from ops.core.symbolic_lengths import is_length
from ops.core.types import ArrayType


def lengths_at(graph: Graph, values: Sequence[Value]) -> dict[str, Any]:
    """What the symbols that can be told from a graph's inputs are where it is applied to values."""
    found: dict[str, Any] = {}
    for name, (position, axis, more) in seen_symbols(graph.inputs).items():
        shape = cast("Sequence[Any]", values[position].type.shape)  # inputs' lengths are known
        found[name] = shape[axis] - more
    return found


def at_lengths(module: Module, lengths: Mapping[str, Any]) -> Module:
    """A module with other lengths in the place of symbols.

    Args:
        lengths: by the names of the symbols: numbers, or lengths with symbols of another recording.
            Graphs that are called have these in their names.
    """
    ending = "".join(f"_{name}{length!r}" for name, length in sorted(lengths.items()))
    names = {name: f"{name}{ending}" for name in module.graphs}
    exchange = _Exchange(lengths, names)
    graphs = {names[name]: exchange.graph(graph, {}) for name, graph in module.graphs.items()}
    return Module(exchange.graph(module.main, {}), graphs)


class _Exchange:
    def __init__(self, lengths: Mapping[str, Any], names: Mapping[str, str]):
        self._lengths = lengths
        self._names = names

    def graph(self, graph: Graph, env: dict[Value, Value]) -> Graph:
        with Builder(graph.name) as builder:
            for value in graph.inputs:
                env[value] = builder.input(self._placed(value.type), value.name)
            for node in graph.nodes:
                env.update(zip(node.outputs, self._node(node, builder, env)))
            return builder.finish([env.get(v, v) for v in graph.outputs], graph.location)

    def _node(self, node: Node, builder: Builder, env: dict[Value, Value]) -> Sequence[Value]:
        attrs = {key: self._placed(part) for key, part in node.attrs.items()}
        if node.op is extent and not is_length(attrs["length"]):
            return [Constant(attrs["length"])]
        if node.op is call:
            attrs["callee"] = self._names[attrs["callee"]]
        with builder.at(node.location):
            return builder.add(
                node.op,
                [env.get(v, v) for v in node.inputs],
                attrs,
                [self._placed(v.type) for v in node.outputs],
                [self.graph(region, env) for region in node.regions],
                [v.name for v in node.outputs],
                node.required,
            )

    def _placed(self, part: Any) -> Any:
        return mapped_lengths(part, self._length)

    def _length(self, length: Any) -> Any:
        return length.evaluated(lambda name: self._lengths[name], lambda of, by: of // by)


def mapped_lengths(part: Any, change: Callable[[Any], Any]) -> Any:
    """A type, or a part of an attribute, with something in the place of each symbolic length."""
    if is_length(part):
        return change(part)
    if isinstance(part, ArrayType):
        return part._replace(shape=mapped_lengths(part.shape, change))
    if type(part) is tuple or type(part) is list:
        return type(part)(mapped_lengths(item, change) for item in part)
    if type(part) is dict:
        return {key: mapped_lengths(item, change) for key, item in part.items()}
    return part
