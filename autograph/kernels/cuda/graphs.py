"""A kernel's launches as a graph of CUDA's, which the host starts as one.

A kernel of several launches is captured when a call comes again with the same memory: its launches
are noted on a stream of their own, and from then on a call with that memory starts them together,
and neither counts blocks nor passes arguments. The same memory comes again where a program calls in
a loop, since CuPy's pool gives a result the place of one that is gone. Nothing is copied for that,
and nothing has to be kept alive but the kernel's own memory: a graph is started only when the
caller has arrays at those very addresses. What the host decides in between becomes a node of the
graph (`autograph.kernels.cuda.conditional`).

Which calls come again says `autograph.kernels.cuda.repeats`: where arguments are elsewhere in each,
they are copied to memory of the graph's, and results from there. Where that would cost more than it
saves, the kernel runs as before.

Numbers that only launches need, such as a learning rate, may be others in each call: a launch
before the graph leaves them in memory, where those in the graph find them. They are its arguments;
memory of the host's, copied from later, would have to stay as it is until then.

What keeps a kernel from being captured is told to the log, once; then it is never tried again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from autograph.kernels.cuda.plan import (
    Branch,
    CudaKernel,
    HostStep,
    Launch,
    Product,
    Repeat,
    RepeatWhile,
)
from autograph.kernels.cuda.repeats import MOST_CAPTURES, Key, NotYet, Repeated, Repeats
from autograph.kernels.cuda.run import Attempt, Device, Full, decides, ending
from autograph.kernels.cuda.sized import Sizes
from autograph.kernels.cuda.workspace import NotFixed, Workspace
from autograph.kernels.ir.ir import Number, Var
from autograph.log import log

# Not measured yet. A launch through CuPy takes some 5 microseconds, a copy 2 and 1 for each MiB.
_COPIES_PER_LAUNCH = 0.5
_BYTES_PER_LAUNCH = 2**20


class CapturingDevice(Device, Protocol):
    """A device that can note what is launched, and start it as one."""

    workspace: Workspace

    def capture(self, launch: Any, decides: bool) -> Any:
        """A graph of what a function launches.

        Args:
            decides: whether there are nodes that decide about loops or branches.

        Raises:
            NotFixed: something in it cannot be part of a graph.
            RuntimeError: CUDA refuses.
        """

    def start(self, graph: Any) -> None:
        """Start a graph, after all before."""


def why_not(plan: CudaKernel, conditional: str = "") -> str:
    """Why a kernel is not captured; nothing if it may be tried.

    Args:
        conditional: why the device cannot decide about loops and branches.
    """
    found = why_not_noted(plan, conditional)
    alone = not decides(plan.steps) and launches(plan.steps) <= 1
    return found or ("it is one launch" if alone else "")


def why_not_noted(plan: CudaKernel, conditional: str) -> str:
    """Why a kernel cannot be a part of a graph; nothing if it may be tried.

    Args:
        conditional: see `why_not`.
    """
    if plan.values:
        return "the host reads numbers of the device's"
    return conditional if decides(plan.steps) else ""


def _inner(step: HostStep) -> list[HostStep]:
    match step:
        case Repeat():
            return step.steps
        case RepeatWhile():
            return [*step.test, *step.steps]
        case Branch():
            return [*step.then, *step.orelse]
    return []


def launches(steps: Sequence[HostStep]) -> int:
    """How many launches there are, where the host knows, and at least two of loops otherwise."""
    found = 0
    for s in steps:
        match s:
            case Launch() | Product():
                found += 1
            case Repeat():
                trips = int(s.count.value) if isinstance(s.count, Number) else 2
                found += -(-trips // s.at_once) * launches(s.steps)
            case _:
                found += launches(_inner(s))
    return found


@dataclass
class _Captured(Repeated):
    """A graph.

    Attributes:
        graph: CUDA's.
        attempt: that was noted, which knows where the status is.
    """

    graph: Any
    attempt: Attempt


class Graphs:
    """The graphs of a kernel on a stream of a device.

    Attributes:
        off: why there are none.
    """

    def __init__(self, plan: CudaKernel, off: str, conditional: str):
        self.plan = plan
        self.off = off or why_not(plan, conditional)
        self._may_stop = plan.may_stop or decides(plan.steps)
        self._told = plan.told
        if self.off:
            log.debug("%s: is not captured as a graph: %s", plan.kernel.name, self.off)
        self._repeats: Repeats[_Captured] = Repeats()

    def run(
        self, device: CapturingDevice, inputs: Sequence[Any], outputs: Sequence[Any], room: int
    ) -> bool:
        """Run the kernel as a graph, if there is one for this memory, or there can be.

        Args:
            inputs, outputs, room: see `autograph.kernels.cuda.run.run`.

        Raises:
            GaveUp, KeyboardInterrupt: see there.
            Full: there was not enough room.
        """
        if self.off:
            return False
        if device.workspace.moved:
            self._forget(device)
            self._repeats.forget(calls=True)  # so that all memory is there when one is captured
        key = self._key(device, inputs, outputs, room)
        found = self._repeats.find(key)
        if found is None:
            found = self._captured(device, inputs, outputs, room, key)
        if found is None:
            return False
        self._start(found, device, inputs, outputs)
        return True

    def _key(self, device: Device, inputs: Any, outputs: Any, room: int) -> Key:
        """Whatever the launches depend on: equal numbers may differ in their bits, and those that
        are left in memory make no difference."""
        told = self._told
        given = [
            (None if p in told else p.dtype.type(x).tobytes()) if isinstance(p, Var) else x
            for p, x in zip(self.plan.kernel.inputs, inputs)
        ]
        flag = device.stop_flag() if self._may_stop else 0
        return (*given, *outputs, room, flag)

    def _captured(
        self, device: CapturingDevice, inputs: Any, outputs: Any, room: int, key: Key
    ) -> _Captured | None:
        """A new graph for a call, if it is worth it."""
        try:
            copied = self._repeats.copied(key, lambda moved: self._moves_little(inputs, moved))
        except NotYet:
            return None
        self._repeats.captures += 1
        try:
            if self._repeats.captures > MOST_CAPTURES:
                raise NotFixed("its arguments are elsewhere too often")
            made = self._capture(device, inputs, outputs, room, key, copied)
        except (NotFixed, RuntimeError, MemoryError) as error:
            self.off = str(error)
            log.debug("%s: is not captured as a graph: %s", self.plan.kernel.name, error)
            return None
        self._repeats.add(made)
        log.debug(
            "%s: captured as a graph%s",
            self.plan.kernel.name,
            f", for which {len(copied)} arrays are copied" if copied else "",
        )
        return made

    def _capture(self, device, inputs, outputs, room, key, copied) -> _Captured:
        places, sizes = [*inputs, *outputs], self._nbytes(inputs)
        for position in copied:
            what = (*self.plan.kernel.inputs, *self.plan.kernel.outputs)[position]
            places[position] = device.workspace.memory(sizes[position], what)
        count = len(inputs)
        attempt = Attempt(self.plan, device, places[:count], places[count:], room, True)
        graph = device.capture(attempt.launch_all, decides(self.plan.steps))
        if device.workspace.moved:  # that other graphs refer to
            self._forget(device)
        known = tuple(None if i in copied else x for i, x in enumerate(key))
        return _Captured(known, copied, graph, attempt)

    def _start(self, found: _Captured, device: CapturingDevice, inputs: Any, outputs: Any) -> None:
        """Start a graph, and look at what it says."""
        count, sizes = len(inputs), self._nbytes(inputs) if found.copied else []
        own = [*found.attempt.inputs, *found.attempt.outputs]
        given = [*inputs, *outputs]
        with ending(self._may_stop, device):
            for i in found.copied:
                if i < count:
                    device.copy(own[i], given[i], sizes[i])
            found.attempt.tell(inputs)
            device.start(found.graph)
            for i in found.copied:
                if i >= count:
                    device.copy(given[i], own[i], sizes[i])
            try:
                found.attempt.look()
            except Full:
                self._repeats.forget()
                raise

    def _forget(self, device: CapturingDevice) -> None:
        self._repeats.forget()
        device.workspace.moved = False

    # -- what is copied ----------------------------------------------------------------------------

    def _moves_little(self, inputs: Any, moved: Sequence[int]) -> bool:
        """Whether to copy what moved costs less than what a graph saves."""
        sizes = self._nbytes(inputs)
        if self.plan.kernel.shared or any(i >= len(sizes) or sizes[i] < 0 for i in moved):
            return False  # a result in an argument's memory; a number, the room or the flag
        saved = launches(self.plan.steps)
        few = len(moved) <= saved * _COPIES_PER_LAUNCH
        return few and sum(sizes[i] for i in moved) <= saved * _BYTES_PER_LAUNCH

    def _nbytes(self, inputs: Any) -> list[int]:
        """The bytes of arguments and results; -1 for numbers."""
        kernel, sizes = self.plan.kernel, Sizes(self.plan.kernel, inputs)
        every = (*kernel.inputs, *kernel.outputs)
        return [-1 if isinstance(x, Var) else sizes.nbytes(x) for x in every]
