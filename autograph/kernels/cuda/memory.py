"""Where the arrays of a kernel's own are, in one block of the device's memory.

What the host does is numbered, in order. An array lives from the first to the last of these steps
that touch it; where one stands in a loop of the host's, throughout the loop, since a trip may find
there what the one before has left. Arrays that do not live at the same time share memory. Numbers
that pass from launch to launch have each a place for the whole run, and so has nothing that the
caller gives or gets: that is not in the block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autograph.kernels.cuda.plan import (
    ALIGNMENT,
    Branch,
    CudaKernel,
    HostStep,
    Launch,
    Product,
    Repeat,
    RepeatWhile,
)
from autograph.kernels.ir.ir import Buffer
from autograph.kernels.ir.placement import Placement

_SLOT_ALIGNMENT = 8


def places(steps: Sequence[HostStep], own: Sequence[Buffer]) -> tuple[dict[Buffer, int], int]:
    """Where buffers start, and where they end."""
    arrays = {x for x in own if x.size != 1}
    placement = Placement(_lives(steps, arrays), ALIGNMENT)
    offsets, end = dict(placement.offsets), placement.nbytes
    for buffer in own:
        if buffer not in arrays:
            offsets[buffer] = end = -(-end // _SLOT_ALIGNMENT) * _SLOT_ALIGNMENT
            end += buffer.dtype.itemsize
    return offsets, end


@dataclass(frozen=True)
class _Step:
    """A launch or a product.

    Attributes:
        loop: the steps, from which to which, of the outermost loop in which it stands.
    """

    step: Launch | Product
    loop: tuple[int, int] | None

    @property
    def buffers(self) -> list[Buffer]:
        if isinstance(self.step, Launch):
            return [x for x, _ in self.step.entry.parameters if isinstance(x, Buffer)]
        return self.step.buffers


def _numbered(steps: Sequence[HostStep]) -> list[_Step]:
    """The launches and products, in order."""
    found: list[_Step] = []
    for step in steps:
        match step:
            case Launch() | Product():
                found.append(_Step(step, None))
            case Branch():
                for side in (step.then, step.orelse):
                    found += _moved(_numbered(side), len(found))
            case Repeat() | RepeatWhile():
                tests = step.test if isinstance(step, RepeatWhile) else []
                inside = _numbered([*tests, *step.steps])
                loop = len(found), len(found) + len(inside) - 1
                found += [_Step(x.step, loop) for x in inside]
    return found


def _moved(steps: Sequence[_Step], by: int) -> Iterator[_Step]:
    for x in steps:
        yield _Step(x.step, None if x.loop is None else (x.loop[0] + by, x.loop[1] + by))


def _lives(steps: Sequence[HostStep], arrays: set[Buffer]) -> dict[Buffer, tuple[int, int]]:
    """The first and the last step of each."""
    lives: dict[Buffer, tuple[int, int]] = {}
    for number, step in enumerate(_numbered(steps)):
        first, last = step.loop or (number, number)
        for buffer in step.buffers:
            if buffer in arrays:
                before = lives.get(buffer, (first, last))
                lives[buffer] = min(first, before[0]), max(last, before[1])
    return lives


def alone_bytes(plan: CudaKernel) -> int:
    """How many bytes the arrays of a kernel's own would take if none shared memory."""
    return sum(-(-x.nbytes // ALIGNMENT) * ALIGNMENT for x in plan.arena if x.size != 1)


def described(plan: CudaKernel) -> str:
    """The plan of a kernel's memory, to be read; nothing if it has no arrays of its own."""
    arrays = {x for x in plan.arena if x.size != 1}
    if not arrays:
        return ""
    lives = _lives(plan.steps, arrays)
    lines = [
        f"memory of its own: {plan.arena_bytes:,} bytes; arrays that share none would take "
        f"{alone_bytes(plan):,}",
        f"{'at byte':>14} {'bytes':>14}  {'steps':9} array",
    ]
    for x in sorted(arrays, key=lambda x: (lives[x], plan.arena[x])):
        steps = "-".join(str(n + 1) for n in dict.fromkeys(lives[x]))
        name = x.name or "(without a name)"
        lines.append(f"{plan.arena[x]:14,} {x.nbytes:14,}  {steps:9} {name}: {x.dtype}[{x.size}]")
    lines.append("steps of the host:")
    lines += [
        f"{n + 1:14}  {_named(x.step)}"
        + (f", in a loop of the steps {x.loop[0] + 1}-{x.loop[1] + 1}" if x.loop else "")
        for n, x in enumerate(_numbered(plan.steps))
    ]
    return "\n".join(lines) + "\n"


def _named(step: Launch | Product) -> str:
    if isinstance(step, Launch):
        return step.entry.name
    return f"a product, with {step.sum.other.name or 'an array'} added" if step.sum else "a product"
