"""The parts of a mesh inside a recording: what each has of arguments, and the graph for all."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import ops
from autograph.errors import BatchingError, PerformanceWarning, UnsupportedFunctionError
from autograph.graph.builder import current_builder, inline
from autograph.graph.graph import Graph, Value
from autograph.graph.variance import varied
from autograph.log import log
from autograph.parallel.mesh import Mesh
from autograph.parallel.processes import axes_of_processes
from autograph.parallel.specs import P
from autograph.staging.ground.recorder import recorder
from autograph.transforms.meshes import over_lanes
from autograph.transforms.unrolled_parts import UnrolledParts
from autograph.transforms.vmap import vmap
from ops.control.collectives import lane_number, own_part
from ops.core.types import ArrayType

Outputs = tuple[list[Value], list[list[str]]]  # with the axes of lanes that each has


class GivenPart(NamedTuple):
    """What there is of an argument.

    Attributes:
        value: for lanes, of all of them, whose axes come first; for processes, of this one.
        type: of what one part has.
        along: which axes of lanes come first.
    """

    value: Value
    type: ArrayType
    along: Sequence[str]


class MeshParts(Protocol):
    """How all parts run a function for one."""

    def divided(self, whole: Value, shape: tuple[int | None, ...], spec: P) -> GivenPart:
        """What there is of a whole array, of which each part has one of some shape."""

    def own(self, part: Value, spec: P) -> GivenPart:
        """What there is of an array of which a process has a part."""

    def add(self, graph: Graph, arguments: Sequence[GivenPart]) -> Outputs:
        """Add the graph of one part for all: its outputs, with the axes of lanes that each has."""

    def joined(self, value: Value, along: Sequence[str], spec: P) -> Value:
        """The whole array of an output, or what this process has of it."""


class PartsAsLanes:
    """Parts that are lanes of one process."""

    def __init__(self, mesh: Mesh):
        self.mesh = mesh

    def own(self, part: Value, spec: P) -> GivenPart:
        raise AssertionError("all parts are in this process")

    def divided(self, whole: Value, shape: tuple[int | None, ...], spec: P) -> GivenPart:
        names = [name for name in self.mesh.shape if name in spec.names]
        type = whole.type._replace(shape=shape, varies=frozenset(names))
        if not names:
            return GivenPart(whole, type, names)
        lengths: list[Any] = []
        places = {}  # of the axes of the mesh
        own = []
        for axis, length in enumerate(ops.lengths_of(whole)):
            along = spec.axes[axis] if axis < len(spec.axes) else ()
            for name in along:
                places[name] = len(lengths)
                lengths.append(self.mesh.shape[name])
            own.append(len(lengths))
            lengths.append(shape[axis] if along else length)
        order = [places[name] for name in names] + own
        return GivenPart(ops.transpose(ops.reshape(whole, lengths), order), type, names)

    def add(self, graph: Graph, arguments: Sequence[GivenPart]) -> Outputs:
        values = [given.value for given in arguments]
        along = [given.along for given in arguments]
        nested = recorder().transformed.lanes > 0
        named = dict(current_builder().graphs)
        with recorder().builder(graph.name) as builder:
            inputs = [builder.input(value.type, value.name) for value in values]
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", PerformanceWarning)
                    outputs, found = self._over(
                        [*self.mesh.shape], over_lanes(graph), inputs, along, nested
                    )
            except (BatchingError, UnsupportedFunctionError) as error:
                log.debug("%s: its parts are no lanes, because %s", graph.name, error)
                lanes = None
            else:
                lanes = builder.finish(outputs, graph.location)
        if lanes is None:
            current_builder().graphs.clear()
            current_builder().graphs.update(named)
            return UnrolledParts(self.mesh.shape).run(graph, values, along)
        return list(inline(lanes, values)), found

    def _over(
        self,
        axes: Sequence[str],
        graph: Graph,
        values: Sequence[Value],
        along: Sequence[Sequence[str]],
        nested: bool,
    ) -> Outputs:
        """A graph over all lanes of some axes, one inside the other.

        Args:
            values: what it is applied to, with axes of lanes first.
            along: which axes these are.
        """
        axis, *others = axes
        inner: list[list[str]] = [[] for _ in graph.outputs]
        if others:
            rest = [[name for name in names if name != axis] for names in along]
            with recorder().builder(graph.name) as builder:
                inputs = []
                for value, names in zip(values, along):
                    shape = value.type.shape[1:] if axis in names else value.type.shape
                    inputs.append(builder.input(value.type._replace(shape=shape), value.name))
                outputs, inner = self._over(others, graph, inputs, rest, True)
                graph = builder.finish(outputs, graph.location)
        flags = [axis in names for names in along]
        size, able = self.mesh.shape[axis], recorder().capabilities
        outputs, found = vmap(graph, values, flags, size, able, axis, nested, merges=True)
        return outputs, [[axis] * flag + names for flag, names in zip(found, inner)]

    def joined(self, value: Value, along: Sequence[str], spec: P) -> Value:
        names = [name for name in self.mesh.shape if name in spec.names]
        for name in names:
            if name not in along:  # the same in all parts
                place = names.index(name)
                value = ops.expand_dims(value, place)
                lengths = list(ops.lengths_of(value))
                lengths[place] = self.mesh.shape[name]
                value = ops.broadcast_to(value, lengths)
        if not names:
            return value
        order: list[int] = []
        shape: list[Any] = []
        for axis, length in enumerate(ops.lengths_of(value)[len(names) :]):
            own = spec.axes[axis] if axis < len(spec.axes) else ()
            order += [*(names.index(name) for name in own), len(names) + axis]
            shape.append(length * math.prod(self.mesh.shape[name] for name in own))
        return ops.reshape(ops.transpose(value, order), shape)


class PartsAsProcesses:
    """Parts that are processes: this one runs what is for one part."""

    def __init__(self, mesh: Mesh):
        self.mesh = mesh
        self.axes = axes_of_processes(mesh)

    def own(self, part: Value, spec: P) -> GivenPart:
        names = tuple(self.axes[name] for name in sorted(spec.names))
        value = own_part(part, axes=names) if names else part
        return GivenPart(value, value.type, ())

    def divided(self, whole: Value, shape: tuple[int | None, ...], spec: P) -> GivenPart:
        value = whole
        for axis, names in enumerate(spec.axes):
            if not names:
                continue
            lengths = list(ops.lengths_of(value))
            lengths[axis : axis + 1] = [
                math.prod(self.mesh.shape[name] for name in names),
                shape[axis],
            ]
            number: Any = None
            for name in names:
                own = lane_number(self.axes[name]).value
                number = (
                    own
                    if number is None
                    else ops.add(ops.multiply(number, self.mesh.shape[name]), own)
                )
            value = ops.take(ops.reshape(value, lengths), number, axis=axis)
        return GivenPart(value, value.type, ())

    def add(self, graph: Graph, arguments: Sequence[GivenPart]) -> Outputs:
        outputs = inline(graph, [given.value for given in arguments])
        return list(outputs), [[] for _ in outputs]

    def joined(self, value: Value, along: Sequence[str], spec: P) -> Value:
        return varied(value, frozenset(spec.names))
