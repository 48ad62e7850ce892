"""The function for one part of a mesh, once for each part: every node for the parts one by one.

What is the same in several parts is computed once. Where parts meet, what each has is there, in
one graph. Where no parts meet inside of a branch, loop or callee, it is done once for each part,
which may go its own way; where some do, all go the same way, and one branch, loop or callee does it
for all of them. So nothing that parts can do is out of reach, unlike for lanes of `vmap`, which
cannot meet in a recursive function; but the graph grows with the number of parts.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any

import numpy as np

import ops
from autograph.closure import closure
from autograph.errors import UnsupportedFunctionError
from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Constant, Graph, Node, Value, called, walk
from autograph.graph.variance import axes_of, axes_of_type
from autograph.graph.wiring import loop_of, wiring
from autograph.transforms.meshes import added, plain, without_variance
from ops.control import collectives, regions
from ops.control.meshes import MeshAxis
from ops.core.registry import Op
from ops.core.types import ArrayType, Type

Copies = tuple[Value, ...]  # what a value is in each part


class UnrolledParts:
    """A graph for one part, added to the current builder for all parts.

    Args:
        shape: how many parts there are along each axis of the mesh.
    """

    def __init__(self, shape: Mapping[str, int]):
        self.shape = shape
        self.parts = [
            dict(zip(shape, numbers)) for numbers in itertools.product(*map(range, shape.values()))
        ]
        self._named: dict[str, str] = {}
        self._without: set[str] = set()  # named graphs that say nothing of variance any more

    def run(
        self, graph: Graph, values: Sequence[Value], along: Sequence[Sequence[str]]
    ) -> tuple[list[Value], list[list[str]]]:
        """Add the graph; returns its outputs, with those axes that are returned with them.

        Args:
            values: what it is applied to, with axes for those of the mesh along which they vary
                first.
            along: which axes these are, in the order of the mesh.
        """
        env: dict[Value, Copies] = {}
        for own, value, names in zip(graph.inputs, values, along):
            env[own] = tuple(_at(value, [part[name] for name in names]) for part in self.parts)
            env[own] = self._unified(own.type, env[own])
        self._run(graph.nodes, env)
        outputs, found = [], []
        for value in graph.outputs:
            axes = axes_of_type(value.type)
            names = [name for name in self.shape if name in axes]
            chosen = self._chosen(value, env)
            if names:
                whole = ops.stack(chosen, axis=0)
                sizes = [self.shape[name] for name in names]
                outputs.append(ops.reshape(whole, [*sizes, *ops.lengths_of(chosen[0])]))
            else:
                outputs.append(chosen[0])
            found.append(names)
        return outputs, found

    # -- what is the same in several parts ---------------------------------------------------------

    def _firsts(self, type: Type) -> list[int]:
        """For each part the first one that has the same value of a type."""
        if not isinstance(type, ArrayType):
            return [*range(len(self.parts))]
        places = [tuple(part[name] for name in sorted(type.varies)) for part in self.parts]
        return [places.index(place) for place in places]

    def _unified(self, type: Type, copies: Sequence[Value]) -> Copies:
        return tuple(copies[first] for first in self._firsts(type))

    def _chosen(self, value: Value, env: Mapping[Value, Copies]) -> list[Value]:
        """The different copies of a value."""
        copies = env.get(value, (value,) * len(self.parts))
        return [copies[i] for i in sorted(set(self._firsts(value.type)))]

    def _spread(self, type: Type, chosen: Sequence[Value]) -> Copies:
        """The copies for all parts, given the different ones."""
        firsts = self._firsts(type)
        by_first = dict(zip(sorted(set(firsts)), chosen))
        return tuple(by_first[first] for first in firsts)

    def _spread_all(self, values: Sequence[Value], chosen: Sequence[Value]) -> list[Copies]:
        remaining = iter(chosen)
        found = []
        for value in values:
            count = len(set(self._firsts(value.type)))
            found.append(self._spread(value.type, list(itertools.islice(remaining, count))))
        return found

    def _types(self, values: Sequence[Value]) -> list[Any]:
        return [plain(v.type) for v in values for _ in set(self._firsts(v.type))]

    def _names(self, values: Sequence[Value]) -> list[str | None]:
        return [v.name for v in values for _ in set(self._firsts(v.type))]

    # -- nodes ------------------------------------------------------------------------------------

    def _run(self, nodes: Sequence[Node], env: dict[Value, Copies]) -> None:
        builder = current_builder()
        for node in nodes:
            with builder.at(node.location):
                axis = node.attrs.get("axis_name")
                if node.op is collectives.lane_number and isinstance(axis, MeshAxis):
                    results = [self._numbers(node, axis.name)]
                elif isinstance(axis, MeshAxis):
                    results = [self._meet(node, axis.name, env)]
                elif self._meets(node):
                    results = self._in_groups(node, env)
                else:
                    results = self._apart(node, env)
                env.update(zip(node.outputs, results))

    def _meets(self, node: Node) -> bool:
        """Whether parts meet in a region of a node, or in what it calls."""
        graphs = current_builder().graphs
        inside = [n for region in node.regions for n in walk(region)]
        inside += [n for name in self._called(node) for n in walk(graphs[name])]
        return any(isinstance(n.attrs.get("axis_name"), MeshAxis) for n in inside)

    def _called(self, node: Node) -> set[str]:
        """The named graphs that are called by a node or in it, directly or through one another."""
        graphs = current_builder().graphs
        inside = [n for region in node.regions for n in walk(region)]
        names = {n.attrs["callee"] for n in (node, *inside) if n.op is regions.call}
        return closure(names, lambda name: called(graphs[name])) if names else names

    def _apart(self, node: Node, env: dict[Value, Copies]) -> list[Copies]:
        """A node for each part, once for those that have the same operands."""
        names = self._called(node) - self._without
        self._without |= names
        without_variance(names)
        used = [*node.inputs, *(v for region in node.regions for v in region.captures)]
        done: dict[tuple[int, ...], Sequence[Value]] = {}
        found = []
        for number in range(len(self.parts)):
            own = {v: env[v][number] for v in used if v in env}
            key = tuple(id(own.get(v, v)) for v in used)
            if key not in done:
                done[key] = added(node, own)
            found.append(done[key])
        copies = [tuple(results) for results in zip(*found)]
        return [self._unified(v.type, each) for v, each in zip(node.outputs, copies)]

    def _in_groups(self, node: Node, env: dict[Value, Copies]) -> list[Copies]:
        """A node in whose regions parts meet: one for all parts that go the same way, which are
        those that are at the same place along the axes along which the way differs."""
        axes = sorted(axes_of(*wiring(node).decides))
        groups: dict[tuple[int, ...], list[int]] = {}
        for number, part in enumerate(self.parts):
            groups.setdefault(tuple(part[axis] for axis in axes), []).append(number)
        if len(groups) == 1:
            return self._together(node, env)
        found: dict[int, list[Value]] = {}
        for numbers in groups.values():
            group = copy(self)
            group.parts, group._named = [self.parts[i] for i in numbers], {}
            own = {v: tuple(copies[i] for i in numbers) for v, copies in env.items()}
            found.update(zip(numbers, map(list, zip(*group._together(node, own)))))
        each = [found.get(i, []) for i in range(len(self.parts))]
        return [self._unified(v.type, own) for v, own in zip(node.outputs, zip(*each))]

    def _together(self, node: Node, env: dict[Value, Copies]) -> list[Copies]:
        """A node in whose regions parts meet, for parts that go the same way."""
        results: Sequence[Value] = node.outputs
        if node.op is regions.call:
            callee = current_builder().graphs[node.attrs["callee"]]
            operands = self._passed(node.inputs, callee.inputs, env)
            results = callee.outputs
            attrs, bodies = {**node.attrs, "callee": self._callee(node.attrs["callee"])}, []
        elif node.op in (regions.while_loop, regions.for_loop):
            loop = loop_of(node)
            operands = [self._one(v, env) for v in loop.operands]
            # What is the same before the first trip may differ later: the state's types tell.
            operands += self._passed(loop.start, loop.state, env)
            attrs = node.attrs
            bodies = [
                self._region(r, env, r.inputs, () if r in loop.tests else loop.state)
                for r in node.regions
            ]
        elif node.op in (regions.cond, regions.checkpoint):
            operands = [self._one(v, env) for v in node.inputs]
            attrs = node.attrs
            bodies = [self._region(region, env, (), node.outputs) for region in node.regions]
        else:
            raise UnsupportedFunctionError(
                f"parts of a mesh meet inside of '{node.op.name}'",
                node.location,
                id="AG0545",
                fix="let them meet before or after it",
            )
        added = current_builder().add(
            node.op,
            operands,
            plain(attrs),
            self._types(results),
            bodies,
            self._names(results),
            node.required,
        )
        return self._spread_all(results, added)

    def _passed(
        self, values: Sequence[Value], places: Sequence[Value], env: Mapping[Value, Copies]
    ) -> list[Value]:
        """The copies of values that there are of the places that they are passed to: what is the
        same in all parts may be passed where it may differ."""
        found = []
        for value, place in zip(values, places):
            copies = env.get(value, (value,) * len(self.parts))
            found += [copies[i] for i in sorted(set(self._firsts(place.type)))]
        return found

    def _one(self, value: Value, env: Mapping[Value, Copies]) -> Value:
        """What decides where all parts go: the same in all of them."""
        return env[value][0] if value in env else value

    def _region(
        self,
        region: Graph,
        env: Mapping[Value, Copies],
        inputs: Sequence[Value],
        results: Sequence[Value],
    ) -> Graph:
        """A region for all parts.

        Args:
            results: what its outputs become, which tells how many copies there are of each; none
                for a test, which is the same in all parts.
        """
        inner = dict(env)
        with Builder(region.name) as builder:
            for value in inputs:
                kept = [builder.input(t, n) for t, n in self._inputs(value)]
                inner[value] = self._spread(value.type, kept)
            self._run(region.nodes, inner)
            outputs = self._passed(region.outputs, results, inner)
            if inputs and not results:
                outputs = [self._one(region.outputs[0], inner)]
            return builder.finish(outputs, region.location)

    def _inputs(self, value: Value) -> list[tuple[Any, str | None]]:
        return [(plain(value.type), value.name) for _ in set(self._firsts(value.type))]

    def _callee(self, name: str) -> str:
        """The name of the graph that computes a named graph for all parts."""
        builder = current_builder()
        if name in self._named:
            return self._named[name]
        graph = builder.graphs[name]
        new = next(
            f"{name}_parts{n or ''}"
            for n in itertools.count()
            if f"{name}_parts{n or ''}" not in builder.graphs
        )
        self._named[name] = new
        builder.graphs[new] = graph  # its name is taken
        with Builder(new) as inner:
            env: dict[Value, Copies] = {}
            for value in graph.inputs:
                kept = [inner.input(t, n) for t, n in self._inputs(value)]
                env[value] = self._spread(value.type, kept)
            self._run(graph.nodes, env)
            outputs = [copy for v in graph.outputs for copy in self._chosen(v, env)]
            builder.graphs[new] = inner.finish(outputs, graph.location)
        return new

    # -- where parts meet -------------------------------------------------------------------------

    def _numbers(self, node: Node, axis: str) -> Copies:
        """Those of the parts that are here, which need not be all."""
        numbers = [Constant(np.intp(part[axis])) for part in self.parts]
        return self._unified(node.outputs[0].type, numbers)

    def _meet(self, node: Node, axis: str, env: Mapping[Value, Copies]) -> Copies:
        found: dict[int, Value] = {}
        places = [{k: v for k, v in part.items() if k != axis} for part in self.parts]
        for place in places:
            numbers = [i for i, other in enumerate(places) if other == place]
            if numbers[0] in found:
                continue
            own = [
                [env[v][i] if v in env else v for i in numbers] for v in node.inputs
            ]  # in the order of the axis
            results = _MEETINGS[node.op](len(numbers), *own, **node.attrs)
            found.update(zip(numbers, (_like(v, node.outputs[0].type) for v in results)))
        return self._unified(node.outputs[0].type, [found[i] for i in range(len(self.parts))])


# What each part along an axis gets, of what all of them have.


def _at(x: Value, numbers: Sequence[int]) -> Value:
    """What an array has at a place of its first axes."""
    for number in numbers:
        x = ops.take(x, Constant(number), axis=0)
    return x


def _like(value: Value, type: Type) -> Value:
    """A value with the dtype of a type: parts that meet make arrays of numbers."""
    assert isinstance(type, ArrayType)
    if value.type.weak == type.weak and value.type.dtype == type.dtype:
        return value
    found: Value = ops.cast(value, dtype=type.dtype.name, weak=type.weak)
    return found


def _total(xs: Sequence[Value]) -> Value:
    if all(x is xs[0] for x in xs):
        return ops.multiply(xs[0], len(xs))
    total = xs[0]
    for x in xs[1:]:
        total = ops.add(total, x)
    return total


def _extremum(function: Callable) -> Callable:
    def meet(count: int, xs: Sequence[Value], axis_name: Any) -> list[Value]:
        found = xs[0]
        for x in xs[1:]:
            found = function(found, x)
        return [found] * count

    return meet


def _summed(count: int, xs: Sequence[Value], axis_name: Any) -> list[Value]:
    return [_total(xs)] * count


def _gathered(count: int, xs: Sequence[Value], axis_name: Any, size: Any) -> list[Value]:
    return [ops.stack(xs, axis=0)] * count


def _scattered(count: int, xs: Sequence[Value], axis_name: Any) -> list[Value]:
    total = _total(xs)
    return [_at(total, [i]) for i in range(count)]


def _permuted(count: int, xs: Sequence[Value], axis_name: Any, pairs: Any) -> list[Value]:
    sources = {target: source for source, target in pairs}
    return [xs[sources[i]] if i in sources else ops.zeros_like(xs[i]) for i in range(count)]


def _broadcast(count: int, xs: Sequence[Value], axis_name: Any, lane: int) -> list[Value]:
    return [xs[lane]] * count


def _summed_to(count: int, xs: Sequence[Value], axis_name: Any, lane: int) -> list[Value]:
    return [_total(xs) if i == lane else ops.zeros_like(xs[i]) for i in range(count)]


def _exchanged(count: int, xs: Sequence[Value], axis_name: Any) -> list[Value]:
    return [ops.stack([_at(x, [i]) for x in xs], axis=0) for i in range(count)]


_MEETINGS: dict[Op, Callable[..., list[Value]]] = {
    collectives.lanes_summed: _summed,
    collectives.lanes_max: _extremum(ops.maximum),
    collectives.lanes_min: _extremum(ops.minimum),
    collectives.lanes_gathered: _gathered,
    collectives.parts_gathered: _gathered,
    collectives.lanes_scattered: _scattered,
    collectives.lanes_permuted: _permuted,
    collectives.lane_broadcast: _broadcast,
    collectives.lanes_summed_to: _summed_to,
    collectives.lanes_exchanged: _exchanged,
}
