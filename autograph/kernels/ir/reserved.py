"""How much memory a kernel reserves, where that is known before it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from autograph.errors import UnsupportedFunctionError
from autograph.kernels.ir import ir

ALIGNMENT = 8  # bytes, of what is reserved


def bytes_reserved(kernel: ir.Kernel, memory: int) -> int:
    """How many bytes a kernel may reserve besides its variables.

    Args:
        memory: how many it may have, if it is known only at run time how many it needs.

    Raises:
        UnsupportedFunctionError: only the run knows, and nothing is said; or the kernel returns an
            array of which only the run knows how long it is.
    """
    for s in ir.walk(kernel.body):
        if isinstance(s, ir.Reserve) and s.for_caller:
            raise UnsupportedFunctionError(
                f"'{kernel.name}' returns an array whose length is known only at run time",
                kernel.location,
                id="AG0750",
                fix="write to an array that is made before the loop: out[i] = x",
            )
    needed = _reserved(kernel.body)
    if needed is None and not memory:
        raise UnsupportedFunctionError(
            f"'{kernel.name}' keeps what a loop computes: how much is known only at run time",
            kernel.location,
            id="AG0750",
            fix="say how many bytes there are: memory=65536",
        )
    return memory if needed is None else needed


def least_reserved(block: ir.Block) -> int:
    """How many bytes statements reserve at least until they have run, outside of loops of
    independent trips: what loops give back after each trip counts for nothing."""
    total = 0
    for s in block:
        match s:
            case ir.Reserve():
                total += 0 if s.for_caller else _reserved(ir.Block([s])) or 0
            case ir.For() if s.freed is None and isinstance(s.count, ir.Number):
                total += int(s.count.value) * least_reserved(s.body)
            case ir.If():
                total += min(least_reserved(s.then), least_reserved(s.orelse))
    return total


def reserved_in_trip(loop: ir.Each) -> int | None:
    """How many bytes a trip of a loop of independent trips reserves at most if lanes go different
    ways; None if known only at run time."""
    return _reserved(loop.body, sum)


def _reserved(block: ir.Block, either: Callable[[Iterable[int]], int] = max) -> int | None:
    """How many bytes statements reserve; None if known only at run time.

    Args:
        either: of what the two branches of a conditional reserve.
    """
    total = 0
    for s in block:
        if isinstance(s, ir.Compute | ir.Load | ir.Store):  # nearly all
            continue
        inside = [_reserved(inner, either) for inner in ir.blocks(s)]
        match s:
            case ir.Reserve():
                if not isinstance(s.size, ir.Number):
                    return None
                total += -(-int(s.size.value) // ALIGNMENT) * ALIGNMENT
            case ir.For() | ir.Each() if inside != [0]:
                if inside == [None] or not isinstance(s.count, ir.Number):
                    return None
                total += int(s.count.value) * (inside[0] or 0)
            case ir.While() if inside != [0, 0]:
                return None
            case ir.If():
                if None in inside:
                    return None
                total += either(x or 0 for x in inside)
    return total
