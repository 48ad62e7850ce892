"""What the host does to run a kernel: launches in order, products of matrices, and the control flow
around them.

A plan does not know a device: `run` asks one (`Device`) for memory and launches. On a GPU that is
`autograph.kernels.cuda.launch`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from autograph.kernels import ir
from autograph.kernels.interpreter import GaveUp, evaluate
from autograph.kernels.ir import Buffer, Number, Operand, Var

ALIGNMENT = 256
STATUS_BYTES = 16  # int32: gave up, ran out of room; int64: bytes that the kernel reserved
FIRST_ROOM = 2048  # bytes that each thread may reserve at first
MOST_PARTS = 1024  # blocks whose results are combined
MOST_ROOMS = 65536  # threads or teams that reserve memory at a time
KERNEL_ROOMS = 512  # rooms of a thread, which a kernel has that reserves outside of loops


@dataclass(eq=False)
class Scratch:
    """Memory of a launch, for each of its blocks or teams; it lasts until the run ends.

    Attributes:
        per: whose it is: ``"block"``; ``"room"``, for the threads or teams that reserve memory,
            ``"kernel"``, for a kernel that does.
        nbytes: for each block.
    """

    name: str
    per: str
    nbytes: int = 0


@dataclass(eq=False)
class Count:
    """An argument: how many blocks the launch had that filled a `Scratch`."""

    of: Scratch


STATUS = Scratch("status", "kernel")
ROOM = Scratch("room", "room")  # the int64 that says how much each thread, or block, has

Argument = Buffer | Var | Scratch | Count


@dataclass(eq=False)
class Entry:
    """A ``__global__`` function.

    Attributes:
        parameters: what to pass, with its C type.
        threads: of a block.
        cooperative: whether threads wait for each other.
    """

    name: str
    parameters: list[tuple[Argument, str]]
    threads: int
    cooperative: bool = False


@dataclass(eq=False)
class Launch:
    """Run an entry.

    Attributes:
        covers: whether trips are shared out to as many blocks as is good; else there is one.
        trips: how many there are, if the host knows.
        per_block: how many trips a block has at a time.
        ordered: the grid may depend on the number of trips alone, since what blocks compute is
            combined in their order.
        rooms: how many rooms a block needs: one, or one for each thread. 0: nothing is reserved.
    """

    entry: Entry
    covers: bool = False
    trips: Operand | None = None
    per_block: int = 1
    ordered: bool = False
    rooms: int = 0


@dataclass(eq=False)
class Product:
    """A product of matrices, by the array library."""

    statement: ir.Multiply


@dataclass(eq=False)
class Repeat:
    """Steps for each value of an index."""

    index: Var
    count: Operand
    steps: list[Step]


@dataclass(eq=False)
class Loop:
    """Steps while others leave true in a buffer of one bool."""

    test: list[Step]
    condition: Buffer
    steps: list[Step]


@dataclass(eq=False)
class Branch:
    """One of two sequences of steps, by a buffer of one bool."""

    condition: Buffer
    then: list[Step]
    orelse: list[Step]


Step = Launch | Product | Repeat | Loop | Branch


@dataclass(eq=False)
class CudaKernel:
    """A kernel for CUDA.

    Attributes:
        kernel: what it computes.
        text: CUDA C of all entries.
        entries: the functions in the text.
        steps: what the host does.
        arena: where each buffer of the kernel's own starts in one allocation, in bytes.
        arena_bytes: the size of that.
        host: how scalars that the host computes follow from parameters and indices.
        values: buffers of one number that the host reads for a scalar.
        may_fail: whether the status has to be looked at.
    """

    kernel: ir.Kernel
    text: str
    entries: list[Entry]
    steps: list[Step]
    arena: dict[Buffer, int]
    arena_bytes: int
    host: dict[Var, ir.Compute]
    values: dict[Var, Buffer] = field(default_factory=dict)
    may_fail: bool = False


class Device(Protocol):
    """A place where entries run. Memory is what the device says it is."""

    def allocate(self, nbytes: int) -> Any:
        """Memory, aligned to `ALIGNMENT`, with undefined contents."""

    def clear(self, memory: Any, nbytes: int) -> None:
        """Fill memory with zeros."""

    def copy(self, to: Any, source: Any, nbytes: int) -> None:
        """Copy memory."""

    def at(self, memory: Any, offset: int) -> Any:
        """The memory that starts some bytes further."""

    def read(self, memory: Any, dtype: np.dtype, count: int) -> np.ndarray:
        """Elements of memory, on the host."""

    def most_blocks(self, entry: Entry) -> int:
        """How many blocks of an entry run at once."""

    def launch(self, entry: Entry, blocks: int, arguments: Sequence[Any]) -> None:
        """Run an entry, after all before. Arguments are memory and NumPy scalars."""

    def multiply(self, s: ir.Multiply, a: Any, b: Any, c: Any) -> None:
        """A product of the matrices that start at three places in memory."""


def run(plan: CudaKernel, device: Device, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
    """Run a kernel.

    Args:
        inputs: memory for buffers, numbers for scalars.
        outputs: memory. What shares it with an input is that input's memory, or, if the plan may
            fail, memory of its own, into which the input is copied.

    Raises:
        GaveUp: a check failed.
        MemoryError: no more room could be had for what threads reserve.
    """
    kernel, room = plan.kernel, FIRST_ROOM
    sources = {written: given for given, written in kernel.shared} if plan.may_fail else {}
    places = dict(zip(kernel.inputs, inputs))
    while True:
        for buffer, memory in zip(kernel.outputs, outputs):
            if buffer in sources:
                device.copy(memory, places[sources[buffer]], buffer.nbytes)
        if _Run(plan, device, inputs, outputs, room).succeeds():
            return
        room *= 2


class _Run:
    def __init__(self, plan, device, inputs, outputs, room):
        self.plan, self.device, self.room = plan, device, room
        kernel = plan.kernel
        self.values: dict[Var, Any] = {}
        self.memory: dict[Buffer | Scratch, Any] = {}
        self.blocks: dict[Scratch, int] = {}
        self.sizes: dict[Scratch, int] = {}
        for parameter, given in zip(kernel.inputs, inputs):
            if isinstance(parameter, Var):
                self.values[parameter] = parameter.dtype.type(given)
            else:
                self.memory[parameter] = given
        self.memory.update(zip(kernel.outputs, outputs))
        for given, written in kernel.shared:
            self.memory[given] = self.memory[written]
        arena = device.allocate(plan.arena_bytes) if plan.arena_bytes else None
        for buffer, offset in plan.arena.items():
            self.memory[buffer] = device.at(arena, offset)

    def succeeds(self) -> bool:
        """Whether all could be reserved."""
        if not self.plan.may_fail:
            self.steps(self.plan.steps)
            return True
        status = self.memory[STATUS] = self.device.allocate(STATUS_BYTES)
        self.device.clear(status, STATUS_BYTES)
        self.steps(self.plan.steps)
        return self.ended_well()

    def ended_well(self) -> bool:
        """Whether nothing failed so far, except for want of room.

        Raises:
            GaveUp: a check failed.
        """
        gave_up, full = self.device.read(self.memory[STATUS], ir.INT, 2)
        if gave_up:
            raise GaveUp(self.plan.kernel.name)
        return not full

    def value(self, operand: Operand) -> Any:
        """A scalar, on the host."""
        if isinstance(operand, Number):
            return operand.value
        if operand in self.plan.values:
            return self.device.read(self.memory[self.plan.values[operand]], operand.dtype, 1)[0]
        if operand in self.plan.host:
            return self.computed(self.plan.host[operand])
        return self.values[operand]

    def computed(self, s: ir.Compute) -> Any:
        """A scalar that the host computes."""
        return evaluate(s, [self.value(x) for x in s.operands])

    def steps(self, steps: Sequence[Step]) -> bool:
        """Run steps; False if the kernel has failed, which is known where the host has looked."""
        return all(self.step(step) for step in steps)

    def step(self, step: Step) -> bool:
        match step:
            case Launch():
                self.launch(step)
            case Product(s):
                starts = (s.a_start, s.b_start, s.c_start)
                operands = [
                    self.device.at(self.memory[x], int(self.value(start)) * x.dtype.itemsize)
                    for x, start in zip((s.a, s.b, s.c), starts)
                ]
                self.device.multiply(s, *operands)
            case Repeat():
                for i in range(int(self.value(step.count))):
                    self.values[step.index] = np.int64(i)
                    if not self.steps(step.steps):
                        return False
            case Loop():
                while True:
                    if not self.steps(step.test):
                        return False
                    condition = self.decided(step.condition)
                    if condition is None:
                        return False
                    if not condition:
                        break
                    if not self.steps(step.steps):
                        return False
            case Branch():
                condition = self.decided(step.condition)
                if condition is None:
                    return False
                return self.steps(step.then if condition else step.orelse)
        return True

    def decided(self, condition: Buffer) -> bool | None:
        """The value of a condition; None if the kernel has failed and it means nothing."""
        if self.plan.may_fail and not self.ended_well():
            return None
        return bool(self.device.read(self.memory[condition], ir.BOOL, 1)[0])

    def launch(self, step: Launch) -> None:
        """Choose a grid, and run an entry."""
        blocks = 1
        if step.covers:
            blocks = MOST_PARTS if step.ordered else self.device.most_blocks(step.entry)
            if step.rooms:
                blocks = min(blocks, MOST_ROOMS // step.rooms)
            if step.trips is not None:
                blocks = min(blocks, -(-int(self.value(step.trips)) // step.per_block))
            blocks = max(blocks, 1)
        arguments = [self.argument(x, step, blocks) for x, _ in step.entry.parameters]
        self.device.launch(step.entry, blocks, arguments)

    def argument(self, argument: Argument, step: Launch, blocks: int) -> Any:
        """What to pass to an entry."""
        match argument:
            case Var():
                return argument.dtype.type(self.value(argument))
            case Count():
                return np.int32(self.blocks[argument.of])
            case Scratch() if argument is ROOM:
                return np.int64(self.room * (1 if step.rooms else KERNEL_ROOMS))
            case Scratch():
                self.provide(argument, step, blocks)
        return self.memory[argument]

    def provide(self, scratch: Scratch, step: Launch, blocks: int) -> None:
        """Allocate scratch memory, unless it is there."""
        if scratch.per == "kernel":
            nbytes = self.room * KERNEL_ROOMS
        elif scratch.per == "room":
            nbytes = self.room * step.rooms * blocks
        else:
            nbytes = scratch.nbytes * blocks
        if scratch.per == "block" and step.covers:
            self.blocks[scratch] = blocks
        elif scratch in self.memory and scratch.per != "room":
            return  # the whole run's, or what blocks before have filled
        if self.sizes.get(scratch, -1) < nbytes:
            self.memory[scratch] = self.device.allocate(nbytes)
            self.sizes[scratch] = nbytes
