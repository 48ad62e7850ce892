"""Carrying out a plan on a device: memory, grids, what the host has to know.

A kernel for which there was not enough room for what its threads reserve is run again with twice
the room. The host waits for the device only where it needs a number from there: the condition of a
loop of its own, and at the end, whether the kernel gave up, or was told to end, if it may.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np

from autograph.kernels.cuda.conditional import ConditionalNodes, Rehearsal
from autograph.kernels.cuda.plan import (
    KEPT,
    KEPT_ROOM,
    LANES,
    MOST_PARTS,
    ROOM,
    ROOMS,
    STATUS,
    STOP,
    Added,
    Branch,
    Count,
    CudaKernel,
    Entry,
    HostStep,
    Launch,
    LaunchArgument,
    Product,
    Repeat,
    RepeatWhile,
    Scratch,
)
from autograph.kernels.cuda.sized import Sizes
from autograph.kernels.cuda.stopping import STATUS_AT
from autograph.kernels.ir import ir
from autograph.kernels.ir.interpreter import GaveUp, evaluate
from autograph.kernels.ir.ir import Buffer, Number, Operand, Var

# int32: gave up, ran out of room; int64: bytes that the kernel reserved; int32: was told to end.
STATUS_BYTES = 24
FIRST_ROOM = 2048  # bytes that each thread may reserve at first
MOST_ROOMS = 65536  # threads or teams that reserve memory at a time
MOST_ROOM_BYTES = 2**30  # of all of them, as long as there are several blocks
KERNEL_ROOMS = 512  # rooms of a thread, which a kernel has that reserves outside of loops


class Device(Protocol):
    """A place where entries run. Memory is what the device says it is."""

    def allocate(self, nbytes: int, what: Hashable) -> Any:
        """Memory, aligned to `ALIGNMENT`, with undefined contents.

        Args:
            what: it is for. A device may give the same memory when it is asked again for the same.
        """

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

    def multiply(self, s: ir.Multiply, a: Any, b: Any, c: Any, added: Added | None = None) -> bool:
        """A product, of known lengths, of the matrices that start at three places in memory.

        Returns:
            Whether it has been launched: it is not where nothing can be added to it.
        """

    def stop_flag(self) -> Any:
        """Memory of the host with an int32 that kernels read. It is 0."""

    def end(self) -> None:
        """Tell kernels that look at the flag to end, and wait until all have ended."""


def run(
    plan: CudaKernel,
    device: Device,
    inputs: Sequence[Any],
    outputs: Sequence[Any],
    room: int | None = None,
) -> int:
    """Run a kernel.

    Args:
        inputs: memory for buffers, numbers for scalars.
        outputs: memory. What shares it with an input is that input's memory, or, if the plan may
            fail, memory of its own, into which the input is copied.
        room: bytes for what each thread or team reserves, to begin with.

    Returns:
        The room that was enough.

    Raises:
        GaveUp: a check failed.
        MemoryError: no more room could be had for what threads reserve.
        KeyboardInterrupt: the user wants it to end. Nothing runs any more, and what was written
            has no meaning.
    """
    room = room or FIRST_ROOM
    while True:
        try:
            with ending(plan.may_stop, device):
                attempt = Attempt(plan, device, inputs, outputs, room)
                attempt.tell()
                attempt.launch_all()
                attempt.look()
            return room
        except Full:
            room *= 2


class Full(Exception):
    """More was reserved than there was room for."""


def decides(steps: Sequence[HostStep]) -> bool:
    """Whether the host, or in a graph the device, decides about a loop or branch."""
    return any(
        isinstance(s, RepeatWhile | Branch) or (isinstance(s, Repeat) and decides(s.steps))
        for s in steps
    )


@contextmanager
def ending(may_stop: bool, device: Device) -> Iterator[None]:
    """Where kernels run: if the host leaves, and does not know that they have ended, they are told
    to, if they listen."""
    try:
        yield
    except (GaveUp, Full):
        raise
    except BaseException:
        if may_stop:  # what runs may not end by itself
            device.end()
        raise


class Attempt:
    """What the host does for a run, with given room.

    Args:
        inputs, outputs, room: see `run`.
        is_captured: whether what is launched becomes a graph, in which the device decides about
            the host's loops and branches.
    """

    def __init__(
        self,
        plan: CudaKernel,
        device: Device,
        inputs: Sequence[Any],
        outputs: Sequence[Any],
        room: int,
        is_captured: bool = False,
    ):
        self.plan, self.device, self.room = plan, device, room
        self._nodes: ConditionalNodes | Rehearsal | None = None
        self._decides = is_captured and decides(plan.steps)
        self.inputs, self.outputs = list(inputs), list(outputs)
        kernel, sizes = plan.kernel, Sizes(plan.kernel, inputs)
        self._sizes = sizes
        places = dict(zip((*kernel.inputs, *kernel.outputs), (*inputs, *outputs)))
        self._copied = [
            (places[y], places[x], sizes.nbytes(y)) for x, y in kernel.shared if plan.may_fail
        ]
        self.values: dict[Operand, Any] = {}
        self.memory: dict[Buffer | Scratch, Any] = {}
        self.blocks: dict[Scratch, int] = {}
        self.sizes: dict[Scratch, int] = {}
        self.known: dict[Buffer, Any] = {}
        self.memory.update((x, y) for x, y in zip(kernel.inputs, inputs) if isinstance(x, Buffer))
        self._take(inputs)
        self.memory.update(zip(kernel.outputs, outputs))
        for given, written in kernel.shared:
            self.memory[given] = self.memory[written]
        arena = device.allocate(plan.arena_bytes, "arena") if plan.arena_bytes else None
        for buffer, offset in plan.arena.items():
            self.memory[buffer] = device.at(arena, offset)
        for buffer in plan.sized:
            self.memory[buffer] = device.allocate(sizes.nbytes(buffer), buffer)
        if self._has_status:
            self.memory[STATUS] = device.allocate(STATUS_BYTES, STATUS)

    def _take(self, inputs: Sequence[Any]) -> None:
        """Take the numbers among what the kernel is given."""
        for parameter, given in zip(self.plan.kernel.inputs, inputs):
            if isinstance(parameter, Var):
                self.values[parameter] = parameter.dtype.type(given)

    def tell(self, inputs: Sequence[Any] | None = None) -> None:
        """Leave numbers of the caller's in memory, where launches find them.

        Args:
            inputs: with other numbers than those that the others depend on; None: the same.
        """
        if inputs is not None:
            self._take(inputs)
        if self.plan.teller is not None:
            self.launch(self.plan.teller)

    def launch_all(
        self, nodes: Callable[[int], ConditionalNodes | Rehearsal] | None = None
    ) -> None:
        """Launch all but the teller, in order.

        Args:
            nodes: makes what adds loops and branches to a graph, of where the status is.

        Raises:
            GaveUp, Full, KeyboardInterrupt: see `look`.
        """
        for to, source, nbytes in self._copied:
            self.device.copy(to, source, nbytes)
        if self._has_status:
            self.device.clear(self.memory[STATUS], STATUS_BYTES)
        if self._decides and nodes is not None:
            self._nodes = nodes(self.memory[STATUS])
        self.steps(self.plan.steps)
        self._nodes = None

    @property
    def _has_status(self) -> bool:
        return self.plan.may_fail or self.plan.may_stop or self._decides

    @property
    def status(self) -> Any:
        """Where the kernel says how it ended, `STATUS_BYTES`; None if it ends well in any case."""
        return self.memory[STATUS] if self._has_status else None

    def look(self) -> None:
        """Look whether the kernel failed: then nothing on the device has a meaning any more.

        Raises:
            GaveUp: a check failed.
            Full: more was reserved than there was room for.
            KeyboardInterrupt: it was told to end.
        """
        if not self._has_status:
            return
        words = STATUS_AT + 1 if self.plan.may_stop or self._decides else 2
        gave_up, full, *more = self.device.read(self.memory[STATUS], ir.INT, words)
        if more and more[-1]:
            raise KeyboardInterrupt
        if gave_up:
            raise GaveUp(self.plan.kernel.name)
        if full:
            raise Full

    # -- scalars -----------------------------------------------------------------------------------

    def value(self, operand: Operand) -> Any:
        """A scalar, on the host."""
        if isinstance(operand, Number):
            return operand.value
        if operand in self.plan.values:
            return self.read(self.plan.values[operand])
        if operand in self.plan.host:
            s = self.plan.host[operand]
            return evaluate(s, [self.value(x) for x in s.operands])
        return self.values[operand]

    def read(self, slot: Buffer) -> Any:
        """The number in a buffer of one, which is kept until a launch may change it."""
        if slot not in self.known:
            self.look()
            self.known[slot] = self.device.read(self.memory[slot], slot.dtype, 1)[0]
        return self.known[slot]

    # -- steps -------------------------------------------------------------------------------------

    def steps(self, steps: Sequence[HostStep]) -> None:
        """Run steps."""
        for step in steps:
            match step:
                case Launch():
                    self.launch(step)
                case Product():
                    self.multiply(step)
                case Repeat():
                    count = int(self.value(step.count))
                    for i in range(0, count, step.at_once):
                        self.values[step.index] = np.int64(i)
                        if step.end is not None:
                            self.values[step.end] = np.int64(min(i + step.at_once, count))
                        self.steps(step.steps)
                case RepeatWhile() if self._nodes is not None:
                    self.steps(step.test)
                    trip = functools.partial(self.steps, [*step.steps, *step.test])
                    self._nodes.repeat_while(self.memory[step.condition], trip)
                case Branch() if self._nodes is not None:
                    sides = [functools.partial(self.steps, x) for x in (step.then, step.orelse)]
                    self._nodes.branch(self.memory[step.condition], *sides)
                case RepeatWhile():
                    self.steps(step.test)
                    while self.read(step.condition):
                        self.steps(step.steps)
                        self.steps(step.test)
                case Branch():
                    self.steps(step.then if self.read(step.condition) else step.orelse)

    def multiply(self, step: Product) -> None:
        """Run a product of matrices, and what adds to it."""
        if step.sum is None:
            self._multiplied(step.statement)
            return
        place = self.place(step.sum.other, int(self.value(step.sum.start)))
        added = Added(place, step.sum.stride, step.sum.step)
        if not self._multiplied(step.sum.statement, added):
            self._multiplied(step.statement)
            self.launch(step.sum.otherwise)

    def _multiplied(self, s: ir.Multiply, added: Added | None = None) -> bool:
        sides = ((s.a, s.a_start), (s.b, s.b_start), (s.c, s.c_start))
        known = s.with_measures([x if isinstance(x, int) else self.value(x) for x in s.measures()])
        a, b, c = (self.place(x, int(self.value(start))) for x, start in sides)
        return self.device.multiply(known, a, b, c, added)

    def place(self, buffer: Buffer, element: int) -> Any:
        """Where an element of a buffer is."""
        offset = element * buffer.dtype.itemsize
        if buffer.base is not None:
            return self.device.at(int(self.value(buffer.base)), offset + buffer.offset)
        return self.device.at(self.memory[buffer], offset)

    def launch(self, step: Launch) -> None:
        """Choose a grid, and run an entry."""
        blocks = 1
        if step.covers:
            blocks = MOST_PARTS if step.ordered else self.device.most_blocks(step.entry)
            if step.rooms:
                blocks = min(blocks, MOST_ROOMS // step.rooms)
                if not step.ordered:  # results must not depend on the room
                    blocks = min(blocks, MOST_ROOM_BYTES // (self.room * step.rooms))
            if step.trips is not None:
                blocks = min(blocks, -(-int(self.value(step.trips)) // step.per_block))
            blocks = max(blocks, 1)
        arguments = [self.argument(x, step, blocks) for x, _ in step.entry.parameters]
        if step.flags is not None:
            self.device.clear(self.memory[step.flags], self._sizes.nbytes(step.flags))
        self.device.launch(step.entry, blocks, arguments)
        for argument, kind in step.entry.parameters:
            if isinstance(argument, Buffer) and not kind.startswith("const"):
                self.known.pop(argument, None)

    def argument(self, argument: LaunchArgument, step: Launch, blocks: int) -> Any:
        """What to pass to an entry."""
        match argument:
            case Var():
                return argument.dtype.type(self.value(argument))
            case Count():
                return np.int32(self.blocks[argument.of])
            case Scratch() if argument is STOP:
                return self.device.stop_flag()
            case Scratch() if argument is ROOM:
                return np.int64(self.room)
            case Scratch() if argument is KEPT_ROOM:
                return np.int64(self.room * KERNEL_ROOMS)
            case Scratch() if argument is KEPT:
                return self.provided(argument, self.room * KERNEL_ROOMS)
            case Scratch() if argument is LANES:
                return self.provided(argument, self.room * blocks * step.entry.threads)
            case Scratch() if argument is ROOMS:
                return self.provided(argument, self.room * blocks * step.trips_at_once)
            case Scratch() if argument.per == "fixed":
                return self.provided(argument, argument.nbytes)
            case Scratch() if argument.per == "block":
                if step.covers:
                    self.blocks[argument] = blocks
                return self.provided(argument, argument.nbytes * blocks)
        return self.memory[argument]

    def provided(self, scratch: Scratch, nbytes: int) -> Any:
        """Scratch memory, which is allocated unless there is enough."""
        if self.sizes.get(scratch, -1) < nbytes:
            self.memory[scratch] = self.device.allocate(nbytes, scratch)
            self.sizes[scratch] = nbytes
        return self.memory[scratch]
