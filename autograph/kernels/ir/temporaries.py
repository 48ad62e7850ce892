"""Where a kernel's temporaries are: in one block of memory, those that are not needed at the same
time in the same place, or in an array that the caller gets, before that is written."""

from __future__ import annotations

from collections.abc import Iterator

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import UNKNOWN_SIZE, Block, Buffer, Kernel
from autograph.kernels.ir.lives import Lives
from autograph.kernels.ir.overlays import overlays
from autograph.kernels.ir.placement import Placement
from ops.core.symbolic_lengths import is_length

_ALIGNMENT = 64
_LEAST_ROOM = 1024  # bytes of a result in which there may be temporaries
_LAPACK = "numpy.linalg._umath_linalg."
_LEAST_OVERLAID = 1 << 14  # bytes, for it to be worth that vectors have to end under a mask


class TemporaryPlacement(Placement):
    """The places of a kernel's temporaries.

    Args:
        in_results: whether they may be in arrays that the caller gets.
    """

    def __init__(self, kernel: Kernel, in_results: bool = True):
        given = {b for _, b in kernel.shared} | {kernel.outputs[k] for k in kernel.changed}
        rooms = {b for b in kernel.outputs if in_results and _has_room(b) and b not in given}

        arrays = {b for b in _made_once(kernel.body) if b.nbytes >= _LEAST_ROOM}

        def wanted(buffer: Buffer) -> bool:
            return buffer.kind == "temporary" or buffer in rooms or buffer in arrays

        lives = Lives(kernel.body, wanted)
        # The caller needs what is in a result: from the first statement on that writes it.
        begins = {b: lives.around[b][0] for b in kernel.outputs if b in rooms and b in lives.of}
        own = {b: life for b, life in lives.of.items() if b not in rooms}
        super().__init__(own, _ALIGNMENT, begins, list(_following(lives, own, begins)))


def _has_room(result: Buffer) -> bool:
    known = not is_length(result.size) and result.size != UNKNOWN_SIZE
    return known and result.nbytes >= _LEAST_ROOM


def _made_once(block: Block) -> Iterator[Buffer]:
    """The buffers of which there is one, though such are made for each trip of loops."""
    for s in block:
        if isinstance(s, ir.Local):
            yield s.buffer
        elif not isinstance(s, ir.Each):
            for inner in ir.blocks(s):
                yield from _made_once(inner)


def _following(
    lives: Lives, own: dict[Buffer, tuple[int, int]], begins: dict[Buffer, int]
) -> Iterator[tuple[Buffer, Buffer]]:
    """Pairs of buffers of which the second may be where the first is; see `Placement`."""
    yield from _following_calls(lives, own, begins)
    ending: dict[int, set[Buffer]] = {}
    for b, (_, until) in own.items():
        if b.nbytes >= _LEAST_OVERLAID:
            ending.setdefault(until, set()).add(b)
    beginning: dict[int, set[Buffer]] = {}
    starts = [*((b, since) for b, (since, _) in own.items()), *begins.items()]
    for b, since in starts:
        if b.nbytes >= _LEAST_OVERLAID:
            beginning.setdefault(since, set()).add(b)
    for time, loop in lives.loops:
        if time in ending and time in beginning:
            asked = ending[time] | beginning[time]
            for old, new in overlays(loop, asked.__contains__):
                if old in ending[time] and new in beginning[time]:
                    yield old, new


def _following_calls(
    lives: Lives, own: dict[Buffer, tuple[int, int]], begins: dict[Buffer, int]
) -> Iterator[tuple[Buffer, Buffer]]:
    """The same of calls of LAPACK for one matrix: NumPy's loops copy all of it to memory of their
    own first, and their results from there at the end."""
    since = {**{b: life[0] for b, life in own.items()}, **begins}
    for time, call in lives.calls:
        times = call.lengths[0]  # which the run may tell
        is_one = isinstance(times, int) and times == 1
        if not call.ufunc.startswith(_LAPACK) or not is_one or call.changed:
            continue
        read = {b for b, _ in call.operands if b in own and own[b][1] == time}
        for new, _ in call.results:
            if since.get(new) == time:
                yield from ((old, new) for old in read if old is not new)
