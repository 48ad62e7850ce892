"""Graphs whose lengths are symbols, as graphs that find these lengths when they run.

What is compiled here knows symbols. Formats that do not know them have arrays whose lengths only
the run tells: there a length is None in types, and an operand of operators that take a shape (see
`ops.core.lengths`). That the assumptions hold under which a graph was recorded is checked first.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any

import ops
from autograph.graph import at_lengths
from autograph.graph.builder import Builder
from autograph.graph.graph import Graph, Module, Node, Value, walk
from autograph.graph.lengths import seen_symbols
from ops.control import effects
from ops.core.lengths import counting, extent, length, positions
from ops.core.symbolic_lengths import (
    LEAST,
    NeedsNumber,
    Quotient,
    SymbolicLength,
    Symbols,
    is_length,
    mentions_length,
)

_RELATIONS = {">": ops.greater, "==": ops.equal, "!=": ops.not_equal}


def with_run_lengths(module: Module, symbols: Symbols) -> Module:
    """A module that computes its lengths when it runs, and first checks what was assumed of them.

    Raises:
        NeedsNumber: an operator needs a length to be known.
    """
    graphs = {name: _graph(graph) for name, graph in module.graphs.items()}
    return Module(_graph(module.main, symbols), graphs)


def _graph(graph: Graph, symbols: Symbols | None = None) -> Graph:
    with Builder(graph.name) as builder, builder.at(graph.location):
        env = {v: builder.input(_at_run(v.type), v.name) for v in graph.inputs}
        numbers = _Numbers(graph, env)
        if symbols is not None:
            _check(builder, symbols, numbers)
        for node in walk(graph):
            for found in _lengths_in(list(node.attrs.values())):
                numbers.of(found)  # here, where all regions see it
        builder.location = None
        _add_nodes(builder, graph, env, numbers)
        return builder.finish([env.get(v, v) for v in graph.outputs], graph.location)


def _at_run(part: Any) -> Any:
    return at_lengths.mapped_lengths(part, lambda found: None)


def _lengths_in(part: Any) -> Iterator[SymbolicLength]:
    if is_length(part):
        yield part
    elif isinstance(part, dict):
        yield from _lengths_in(list(part.values()))
    elif isinstance(part, (tuple, list)):
        for item in part:
            yield from _lengths_in(item)


class _Numbers:
    """What symbolic lengths are when a graph runs, as values of the graph."""

    def __init__(self, graph: Graph, env: dict[Value, Value]):
        self._inputs = [env[v] for v in graph.inputs]
        self._places = seen_symbols(graph.inputs)
        self._known: dict[str, Value] = {}  # by what is printed of a length

    def of(self, found: SymbolicLength) -> Value:
        """The value that is a length.

        Raises:
            NeedsNumber: a symbol in it can't be told from the inputs.
        """
        if repr(found) not in self._known:
            terms = [self._term(found, factors, n) for factors, n in found.terms.items() if factors]
            total = functools.reduce(ops.add, terms)
            more = found.terms.get((), 0)
            self._known[repr(found)] = ops.add(total, more) if more else total
        return self._known[repr(found)]

    def _term(self, found: SymbolicLength, factors: Sequence[str | Quotient], count: int) -> Value:
        values = [
            ops.floor_divide(self.of(factor.of), factor.by)
            if isinstance(factor, Quotient)
            else self._symbol(factor, found)
            for factor in factors
        ]
        product = functools.reduce(ops.multiply, values)
        return product if count == 1 else ops.multiply(product, count)

    def _symbol(self, name: str, found: SymbolicLength) -> Value:
        if name not in self._places:
            raise NeedsNumber(found)
        if name not in self._known:
            position, axis, more = self._places[name]
            seen = length(self._inputs[position], axis=axis)
            self._known[name] = ops.subtract(seen, more) if more else seen
        return self._known[name]


def _check(builder: Builder, symbols: Symbols, numbers: _Numbers) -> None:
    """Let the program raise an error where what was recorded does not hold."""
    for name in symbols.numbers:
        symbol = numbers.of(SymbolicLength({(name,): 1}, symbols))
        flag = ops.greater_equal(symbol, LEAST)
        _require(builder, flag, f"{name} is at least {LEAST}")
    for assumption in symbols.assumptions:
        flag = _RELATIONS[assumption.relation](numbers.of(assumption.length), 0)
        _require(builder, flag, str(assumption))


def _require(builder: Builder, flag: Value, what: str) -> None:
    message = f"it was compiled for arrays of other lengths: {what}"
    attrs = {"error": "ValueError", "message": message}
    builder.apply(effects.check, [flag], attrs, required=True)


def _add_nodes(builder: Builder, graph: Graph, env: dict[Value, Value], numbers: _Numbers) -> None:
    for node in graph.nodes:
        with builder.at(node.location):
            env.update(zip(node.outputs, _node(builder, node, env, numbers)))


def _node(
    builder: Builder, node: Node, env: dict[Value, Value], numbers: _Numbers
) -> Sequence[Value]:
    if node.op is extent:
        return [numbers.of(node.attrs["length"])]
    if node.op is counting:
        return [positions(numbers.of(node.attrs["length"]))]
    inputs = [env.get(v, v) for v in node.inputs]
    attrs = dict(node.attrs)
    shape = attrs.get("shape")
    if isinstance(shape, tuple) and mentions_length(shape):
        attrs["shape"] = _at_run(shape)
        inputs = _with_lengths(inputs, shape, numbers)
    if mentions_length(attrs):
        raise NeedsNumber(next(_lengths_in(attrs)))
    types = [_at_run(v.type) for v in node.outputs]
    regions = [_region(region, env, numbers) for region in node.regions]
    names = [v.name for v in node.outputs]
    return builder.add(node.op, inputs, attrs, types, regions, names, node.required)


def _with_lengths(inputs: Sequence[Value], shape: Sequence[Any], numbers: _Numbers) -> list[Value]:
    """The operands of an operator that takes a shape: one for each length that is not known."""
    count = len(inputs) - sum(n is None for n in shape)
    given = iter(inputs[count:])
    lengths = [next(given) if n is None else numbers.of(n) for n in shape if not _is_known(n)]
    return [*inputs[:count], *lengths]


def _is_known(n: Any) -> bool:
    return not (n is None or is_length(n))


def _region(region: Graph, env: dict[Value, Value], numbers: _Numbers) -> Graph:
    with Builder(region.name) as builder:
        env.update((v, builder.input(_at_run(v.type), v.name)) for v in region.inputs)
        _add_nodes(builder, region, env, numbers)
        return builder.finish([env.get(v, v) for v in region.outputs], region.location)
