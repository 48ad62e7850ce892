"""An array with zeros between and around the elements of its last axes, in phases."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import Number, Operand
from autograph.kernels.lowering.convolutions.geometry import SpreadAxis
from autograph.kernels.lowering.values import Memory
from ops.core.records import dataclass


@dataclass(frozen=True)
class Spread:
    """An array ``(planes, *axes)`` in memory, each plane with one block for each combination of the
    axes' phases.

    Attributes:
        memory: where it is.
        axes: how they are put down.
    """

    memory: Memory
    axes: tuple[SpreadAxis, ...]

    @property
    def steps(self) -> list[int]:
        """How far apart neighbours along each axis are, in a block."""
        return row_steps([axis.pitch for axis in self.axes])

    @property
    def block(self) -> int:
        """How many elements have the same phases."""
        return math.prod(axis.pitch for axis in self.axes)

    @property
    def plane(self) -> int:
        """How many elements a plane has."""
        return size_of(self.axes)

    def offset(self, phases: Sequence[int], places: Sequence[int]) -> int:
        """Where an element is in its plane."""
        block = 0
        for phase, axis in zip(phases, self.axes):
            block = block * len(axis.runs) + phase
        return block * self.block + sum(p * s for p, s in zip(places, self.steps))


def row_steps(lengths: Sequence[int]) -> list[int]:
    """How far apart neighbours along each axis are in a C-contiguous array."""
    return [math.prod(lengths[k + 1 :]) for k in range(len(lengths))]


def size_of(axes: Sequence[SpreadAxis]) -> int:
    """How many elements a plane has."""
    return math.prod(len(axis.runs) * axis.pitch for axis in axes)


def spread(b: KernelBuilder, x: Memory, planes: int, axes: tuple[SpreadAxis, ...]) -> Spread:
    """Put an array down; it stays where it is if that is how it lies in memory."""
    if all(axis.is_plain for axis in axes):
        return Spread(x, axes)
    dtype = x.buffer.dtype
    plane, given = size_of(axes), math.prod(axis.length for axis in axes)
    target = Spread(Memory(b.temporary(dtype, planes * plane, "spread"), b.long(0)), axes)
    buffer = target.memory.buffer
    lengths = [axis.length for axis in axes]
    with b.each(planes, "parallel", work=0.5 * plane) as number:
        first, source = number * plane, x.start + number * given
        if not all(axis.is_full for axis in axes):
            with b.each(plane) as i:
                b.store(buffer, first + i, Number(0, dtype))
        for phases in itertools.product(*(range(len(axis.runs)) for axis in axes)):
            runs = [axis.runs[phase] for axis, phase in zip(axes, phases)]
            begin = first + target.offset(phases, [0] * len(axes))

            def copy(index: Sequence[Operand], runs=runs, begin=begin) -> None:
                place, found = begin, source
                for i, run, step, n in zip(index, runs, target.steps, range(len(runs))):
                    place = place + (i * run.target_step + run.target) * step
                    stride = math.prod(lengths[n + 1 :])
                    found = found + (i * run.source_step + run.source) * stride
                b.store(buffer, place, b.load(x.buffer, found))

            if all(run.count for run in runs):
                over(b, [run.count for run in runs], copy)
    return target


def over(
    b: KernelBuilder, lengths: Sequence[int], body: Callable[[Sequence[Operand]], None]
) -> None:
    """A loop over each axis, that over the last one in lanes."""
    *outer, last = lengths

    def row(index: tuple[Operand, ...]) -> None:
        with b.each(last) as i:
            body((*index, i))

    in_order(b, outer, row)


def in_order(
    b: KernelBuilder, lengths: Sequence[int], body: Callable[[tuple[Operand, ...]], None]
) -> None:
    """A loop over each axis, one trip after the other."""

    def loops(index: tuple[Operand, ...]) -> None:
        axis = len(index)
        if axis == len(lengths):
            body(index)
        elif lengths[axis] == 1:
            loops((*index, b.long(0)))
        else:

            def trip(i: Operand) -> tuple:
                loops((*index, i))
                return ()

            b.for_(lengths[axis], (), trip)

    loops(())
