"""Calls of the loops of NumPy's generalised ufuncs."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from autograph.graph.graph import Node
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import split_index
from autograph.kernels.ir.ir import Operand
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.arrays import demand
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import CannotLower, Memory, is_array, shape_of
from ops.core.inner_loops import core_axes, ufunc_named
from ops.core.symbolic_lengths import example_of

_NS = 3.0  # of an element of what is read and written


class _Layout:
    """Where a C-contiguous array has its core axes, and the others.

    Args:
        shape: of the array, in elements of the loop's dtype.
        core: the core axes.
        dtype: of an element.
        ndim: how many other axes the result has.
    """

    def __init__(self, shape: Sequence[int], core: Sequence[int], dtype: np.dtype, ndim: int):
        self.words = 2 if dtype.kind == "c" else 1  # elements of the buffer in one
        self._bytes = dtype.itemsize
        self._after = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
        self.core = [self._after[axis] * self._bytes for axis in core]
        outer = [axis for axis in range(len(shape)) if axis not in core]
        # None: the array is the same along the axis of the result.
        self.outer: list[int | None] = [None] * (ndim - len(outer)) + [*outer]

    def step(self, position: int) -> int:
        """How many elements further it is along an axis besides the core axes."""
        axis = self.outer[position]
        return 0 if axis is None else self._after[axis]

    def step_in_bytes(self, position: int) -> int:
        """The same in bytes."""
        return self.step(position) * self._bytes

    def joins(self, position: int) -> bool:
        """Whether an axis and the next one are as good as one."""
        axis, following = self.outer[position : position + 2]
        return axis == following or (axis is not None and following == axis + 1)


def call(state: State, node: Node) -> None:
    """What `ops.core.inner_loops.call_inner_loop` says."""
    if state.serial:
        raise CannotLower(reasons.of_operator(node))
    b, attrs = state.b, node.attrs
    types = [np.dtype(t) for t in attrs["types"]]
    given = [demand.memory(state, v) for v in node.inputs]
    targets = [
        state.places.give(v) if is_array(v) else state.places.allocate(v.type.dtype, 1, v.name)
        for v in node.outputs
    ]
    changes = attrs["changes"]
    for k, target in zip(changes, targets):
        state.loops.copy(given[k], target, node.inputs[k].type.size)
        given[k] = target
    numbers = [
        Memory(ir.Buffer(dtype, 1, "constant", "factor", data=np.array([x], dtype)), b.long(0))
        for x, dtype in zip(attrs["numbers"], types[len(given) :])
    ]

    results, operands = targets[len(changes) :], len(given) + len(numbers)
    names = core_axes(ufunc_named(attrs["ufunc"]))
    own = [shape_of(v)[:-1] if t.kind == "c" else shape_of(v) for v, t in zip(node.inputs, types)]
    shapes = [*own, *((),) * len(numbers), *attrs["shapes"]]
    axes = [*attrs["axes"][: len(given)], *((),) * len(numbers), *attrs["axes"][len(given) :]]
    outer = [n for axis, n in enumerate(shapes[-1]) if axis not in axes[-1]]
    layouts = [
        _Layout(shape, core, dtype, len(outer)) for shape, core, dtype in zip(shapes, axes, types)
    ]
    lengths: dict[str, int] = {}
    for shape, core, lettered in zip(shapes, axes, names):
        lengths |= {name: shape[axis] for name, axis in zip(lettered, core)}
    # The last axes that are as good as one are the loop's own.
    first = max(len(outer) - 1, 0)
    while first and all(layout.joins(first - 1) for layout in layouts):
        first -= 1
    steps = [layout.step_in_bytes(len(outer) - 1) if outer else 0 for layout in layouts]
    along = [step for layout in layouts for step in layout.core]
    times = math.prod(outer[first:])
    size = sum(math.prod(shape) for shape in shapes)

    def one(flat: Operand) -> tuple:
        index = split_index(flat, outer[:first])
        places = []
        for memory, layout in zip((*given, *numbers, *results), layouts):
            start = memory.start
            for position, i in enumerate(index):
                if layout.step(position) != 0:
                    start = start + i * (layout.step(position) * layout.words)
            places.append((memory.buffer, start))
        measured = (b.measure(n) for n in (times, *lengths.values()))
        b.add(
            ir.InnerLoopCall(
                attrs["ufunc"],
                attrs["types"],
                tuple(places[:operands]),
                tuple(places[operands:]),
                tuple(measured),
                tuple(map(b.measure, (*steps, *along))),
                attrs["fails"],
                _NS * example_of(size) / example_of(math.prod(outer[:first])),
                changes,
            )
        )
        for target in targets:
            b.written(target.buffer)
        return ()

    if first:
        b.for_(math.prod(outer[:first]), (), one)
    else:
        one(b.long(0))
    for value, target in zip(node.outputs, targets):
        if is_array(value):
            state.env[value] = target
        else:
            state.env[value] = b.load(target.buffer, target.start, value.name)
