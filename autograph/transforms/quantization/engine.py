"""A graph rebuilt with other operands of its products.

Called graphs are put in place of their calls: each place has ranges and weights of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import ops
from autograph.errors import Location, UnsupportedFunctionError
from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Constant, Graph, Node, Value
from autograph.graph.purity import is_speculatable
from autograph.transforms.quantization.grids import Grid, grid_of_range, on_grid
from autograph.transforms.quantization.weights import rounded, stored
from ops.control import regions
from ops.control.callbacks import Callback, io_callback
from ops.core.types import ArrayType


@dataclass
class Ranges:
    """What calibration has seen of the operands of products, in the order of the program.

    Attributes:
        least, largest: of each operand.
        places: the line of each.
    """

    least: dict[int, float] = field(default_factory=dict)
    largest: dict[int, float] = field(default_factory=dict)
    places: dict[int, Location | None] = field(default_factory=dict)

    def see(self, number: int, x: np.ndarray) -> None:
        """Note the numbers of an operand."""
        if x.size:
            self.least[number] = min(self.least.get(number, np.inf), float(np.min(x)))
            self.largest[number] = max(self.largest.get(number, -np.inf), float(np.max(x)))


@dataclass(frozen=True)
class Precision:
    """How many bits there are.

    Attributes:
        weights: for a weight.
        activations: for what is computed; None for all that it has.
        symmetric: whether 0 is in the middle of activations' integers.
        group: how many weights in a row share a step; None for all of a channel.
    """

    weights: int = 8
    activations: int | None = 8
    symmetric: bool = False
    group: int | None = None


class Rebuilding:
    """A graph added to the current builder, with something in place of what products take.

    Args:
        trained: values of the graph that are trained weights.
    """

    def __init__(self, trained: Iterable[Value] = ()):
        self._env: dict[Value, Value] = {}
        self._known: dict[Value, np.ndarray] = {}
        self._trained = set(trained)
        self._calls: list[str] = []
        self.count = 0

    def run(self, graph: Graph, args: Sequence[Value]) -> list[Value]:
        """Add the graph.

        Args:
            args: what takes the place of its inputs.

        Returns:
            What its outputs became.
        """
        self._env.update(zip(graph.inputs, args))
        self._nodes(graph.nodes)
        return [self._read(v) for v in graph.outputs]

    def activation(self, value: Value, number: int, place: Location | None) -> Value:
        """What takes the place of an operand that is computed."""
        return value

    def weight(self, value: Value, known: np.ndarray | None, axes: tuple[int, ...]) -> Value:
        """What takes the place of a weight.

        Args:
            known: its numbers; None if it is trained.
            axes: those along which products are added up.
        """
        return value

    # -- values ------------------------------------------------------------------------------------

    def _read(self, value: Value) -> Value:
        return self._env.get(value, value)

    def _numbers(self, value: Value) -> np.ndarray | None:
        """The numbers of a value that is known before the program runs."""
        if isinstance(value, Constant):
            return np.asarray(value.data)
        return self._known.get(value)

    def _note(self, node: Node) -> None:
        """What is computed of known arrays alone is known, and what is moved of weights that are
        trained is weights."""
        if len(node.outputs) != 1 or not is_speculatable(node):
            return
        (result,) = node.outputs
        arrays = [self._numbers(v) for v in node.inputs]
        if any(a is not None and a.ndim for a in arrays) and all(a is not None for a in arrays):
            given = [_as_given(v, a) for v, a in zip(node.inputs, arrays)]
            found = np.asarray(node.op.evaluate(np, given, node.attrs))
            self._known[result] = found.astype(result.type.dtype)
        elif node.op.precision == "exact" and any(v in self._trained for v in node.inputs):
            others = [v for v in node.inputs if v not in self._trained]
            if all(self._numbers(v) is not None for v in others):
                self._trained.add(result)

    # -- nodes -------------------------------------------------------------------------------------

    def _nodes(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            for value in node.outputs:  # of a graph that was called before with other weights
                self._known.pop(value, None)
                self._trained.discard(value)
            with current_builder().at(node.location):
                if node.op is regions.call:
                    self._call(node)
                elif node.op.product and not all(self._numbers(v) is not None for v in node.inputs):
                    self._product(node)
                else:
                    bodies = [self._region(region) for region in node.regions]
                    self._copy(node, [self._read(v) for v in node.inputs], bodies)
                    if not node.regions:
                        self._note(node)

    def _copy(self, node: Node, inputs: Sequence[Value], bodies: Sequence[Graph]) -> None:
        results = current_builder().copy(node, inputs, bodies)
        self._env.update(zip(node.outputs, results))

    def _region(self, region: Graph) -> Graph:
        with Builder(region.name) as builder:
            for value in region.inputs:
                self._env[value] = builder.input(value.type, value.name)
            self._nodes(region.nodes)
            return builder.finish([self._read(v) for v in region.outputs], region.location)

    def _call(self, node: Node) -> None:
        callee = node.attrs["callee"]
        graph = current_builder().graphs[callee]
        if graph is None or callee in self._calls:
            raise UnsupportedFunctionError(
                f"'{callee}' calls itself, and numbers of few bits have a range at each place",
                node.location,
                id="AG0786",
                fix="write the recursion as a loop, or quantize what it calls",
            )
        self._calls.append(callee)
        for inner, outer in zip(graph.inputs, node.inputs):
            numbers = self._numbers(outer)
            if numbers is not None:
                self._known[inner] = numbers
            else:
                self._known.pop(inner, None)
            (self._trained.add if outer in self._trained else self._trained.discard)(inner)
        found = self.run(graph, [self._read(v) for v in node.inputs])
        self._env.update(zip(node.outputs, found))
        for inner, outer in zip(graph.outputs, node.outputs):
            if inner in self._trained:
                self._trained.add(outer)
        self._calls.pop()

    def _product(self, node: Node) -> None:
        inputs = []
        for position, value in enumerate(node.inputs):
            copy = self._read(value)
            if _is_float(value):
                numbers = self._numbers(value)
                if value in self._trained or (numbers is not None and numbers.ndim):
                    copy = self.weight(copy, numbers, _summed(node, position))
                elif value.type.shape:
                    copy = self.activation(copy, self.count, node.location)
                    self.count += 1
            inputs.append(copy)
        self._copy(node, inputs, [])


class Calibrating(Rebuilding):
    """A graph that tells the ranges of the operands of its products.

    Args:
        ranges: what they are told to.
    """

    def __init__(self, ranges: Ranges, trained: Iterable[Value]):
        super().__init__(trained)
        self._ranges = ranges

    def activation(self, value: Value, number: int, place: Location | None) -> Value:
        self._ranges.places[number] = place

        def see(types: Sequence[ArrayType], x: np.ndarray) -> list[np.ndarray]:
            self._ranges.see(number, x)
            return []

        attrs = {"callback": Callback(see, "calibration", ())}
        current_builder().add(io_callback, [value], attrs, [], (), [])
        return value


class Quantizing(Rebuilding):
    """A graph whose products take numbers of few bits.

    Args:
        ranges: what calibration has seen.
        precision: how many bits there are.
    """

    def __init__(self, ranges: Ranges, precision: Precision, trained: Iterable[Value]):
        super().__init__(trained)
        self._ranges = ranges
        self._precision = precision

    def activation(self, value: Value, number: int, place: Location | None) -> Value:
        bits = self._precision.activations
        if bits is None or number not in self._ranges.least:  # a place that no sample came to
            return value
        grid = grid_of_range(
            self._ranges.least[number],
            self._ranges.largest[number],
            bits,
            self._precision.symmetric,
        )
        dtype = value.type.dtype.type
        return on_grid(value, Grid(dtype(grid.step), grid.middle, grid.low, grid.high))

    def weight(self, value: Value, known: np.ndarray | None, axes: tuple[int, ...]) -> Value:
        bits, group = self._precision.weights, self._precision.group
        if known is None:
            return rounded(value, axes, bits)
        length = known.shape[axes[-1]]
        fits = group is not None and group < length and length % group == 0
        return stored(known, axes, bits, group if fits else None)


def _as_given(value: Value, numbers: np.ndarray | None) -> Any:
    """What is known of a value: a number of Python's is one, which takes the dtype of others."""
    assert numbers is not None
    return numbers.item() if value.type.weak else numbers


def _is_float(value: Value) -> bool:
    return isinstance(value.type, ArrayType) and value.type.dtype in (np.float32, np.float64)


def _summed(node: Node, position: int) -> tuple[int, ...]:
    """The axes of an operand along which a product adds up."""
    ndim = node.inputs[position].type.ndim
    if node.op is ops.matmul:
        return (-1,) if position == 0 or ndim == 1 else (-2,)
    if node.op is ops.grouped_convolution and position == 1:
        return (*range(3, ndim), 2)
    return tuple(range(ndim))
