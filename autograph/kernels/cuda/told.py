"""What is told of a kernel beside its text: of each loop in order whether one block runs it, or the
host, and why; and where its memory is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from autograph.kernels.cuda import memory
from autograph.kernels.cuda.plan import CudaKernel
from autograph.kernels.cuda.split import is_coarse, is_small, most_trips, patience_with
from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Kernel, Number, Operand, Statement


def described(plan: CudaKernel) -> str:
    """What is told of a kernel; nothing if nothing is chosen."""
    return loops_told(plan.kernel, plan.together) + memory.described(plan)


def loops_told(kernel: Kernel, together: Collection[Operand] = ()) -> str:
    """A line for each loop that holds loops of independent trips, to be read; nothing if there are
    none.

    Args:
        together: see `autograph.kernels.cuda.plan.CudaKernel`.
    """
    lines = list(_told(kernel.body, "", together))
    return "".join(f"{line}\n" for line in ["loops in order:", *lines]) if lines else ""


def _told(
    statements: Iterable[Statement], indent: str, together: Collection[Operand]
) -> Iterator[str]:
    for s in statements:
        inside = list(ir.walk([s]))
        if isinstance(s, ir.Each) or not any(isinstance(x, ir.Each | ir.Multiply) for x in inside):
            continue
        if not isinstance(s, ir.For | ir.While):
            for block in ir.blocks(s):
                yield from _told(block, indent, together)
            continue
        title = "while" if isinstance(s, ir.While) else "for"
        if isinstance(s, ir.For) and isinstance(s.count, Number):
            title += f" of {int(s.count.value):,} trips"
        if not is_coarse(s):
            yield f"  {indent}{title}: one block runs all of it, in one launch"
            continue
        known_by = s.index if isinstance(s, ir.For) else s.condition
        if any(known_by is x for x in together):
            how = "all blocks run it, and wait for each other"
            yield f"  {indent}{title}: {how}, since {_reason(s)}"
            continue
        yield f"  {indent}{title}: each trip is launched, since {_reason(s)}"
        for block in ir.blocks(s):
            yield from _told(block, indent + "  ", together)


def _reason(s: ir.For | ir.While) -> str:
    """Why one block does not run a loop."""
    patience = patience_with(s)
    inside = list(ir.walk([s]))
    large = next((x for x in inside if isinstance(x, ir.Each) and not is_small(x, patience)), None)
    if large is None:
        product = next(x for x in inside if isinstance(x, ir.Multiply))
        lengths = (product.rows, product.inner, product.columns)
        r, k, c = (n if isinstance(n, int) else "n" for n in lengths)
        return f"a product of {r} x {k} and {k} x {c} is the library's"
    if not isinstance(large.count, Number):
        return "over how many elements a loop in it is, is known only at run time"
    count, most = int(large.count.value), most_trips(large, patience)
    if count > most:
        return f"a loop in it is over {count:,}, and one block takes {most:,} at most"
    return f"a loop in it, over {count:,}, takes one block too long"
