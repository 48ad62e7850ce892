"""What a kernel does with memory, for `explain`.

A *pass* is a loop nest outside of all others but those of control flow: once through some arrays.
The bytes that it moves are those of the elements that it reads and writes, an element that it comes
back to counted once; what lies in registers, or in memory of one trip, is not counted. Fewer bytes
than those of the arguments and results no kernel can move.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from autograph.errors import UnsupportedFunctionError
from autograph.kernels import cuda
from autograph.kernels.cuda.memory import alone_bytes
from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Block, Buffer
from autograph.kernels.ir.temporaries import TemporaryPlacement
from ops.core.symbolic_lengths import example_of

_COUNTED = ("input", "output", "temporary", "reserved", "record")


@dataclass(frozen=True)
class MemoryPass:
    """One loop nest, product of matrices, or call of a loop of NumPy's.

    Attributes:
        what: ``"loop"``, ``"product"``, or the name of a generalised ufunc, or of a function of the
            program that is called.
        trips: of its loops together; None if known only at run time.
        reads, writes: the arrays, as the program calls them.
        nbytes: moved.
        in_loop: whether it runs as often as a loop around it.
    """

    what: str
    trips: int | None
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    nbytes: int
    in_loop: bool

    def __str__(self) -> str:
        size = "" if self.trips is None else f" of {self.trips:,} trips"
        where = ", in each trip of a loop" if self.in_loop else ""
        text = f"{self.what}{size}{where}: reads {', '.join(self.reads) or 'nothing'}"
        return f"{text}; writes {', '.join(self.writes) or 'scalars'}"


@dataclass(frozen=True)
class Report:
    """About one kernel.

    Attributes:
        passes: in order.
        moved: bytes that the passes outside of loops move, but for arrays of unknown lengths.
        is_open: whether there are such.
        least: bytes of arguments and results.
        own: bytes of memory that the kernel takes for the time of a run.
        unshared: how many it would take on a GPU if no arrays shared memory; 0 for a CPU.
        keeps: whether it keeps residuals, of which only the run knows how many.
    """

    name: str
    passes: tuple[MemoryPass, ...]
    moved: int
    least: int
    own: int
    keeps: bool
    unshared: int = 0
    is_open: bool = False


def report_on_device(kernel: ir.Kernel) -> Report:
    """The same of a kernel for a GPU, where there can be one."""
    found = report(kernel)
    try:
        plan = cuda.print_cuda(kernel)
    except (NotImplementedError, UnsupportedFunctionError):
        return found
    return dataclasses.replace(found, own=plan.arena_bytes, unshared=alone_bytes(plan))


def report(kernel: ir.Kernel) -> Report:
    """What a kernel does with memory."""
    passes = tuple(_passes(kernel.body, False, kernel.routines))
    given = [x for x in kernel.inputs if isinstance(x, Buffer)]
    touched = uses.touched(kernel.body)
    return Report(
        kernel.name,
        passes,
        sum(p.nbytes for p in passes if not p.in_loop),
        sum(b.nbytes for b in (*given, *kernel.outputs)),
        sum(TemporaryPlacement(part).nbytes for part in (kernel, *kernel.routines.values())),
        any(isinstance(s, ir.Reserve) for s in ir.walk_all(kernel)),
        is_open=any(map(_is_open, touched)),
    )


def _is_open(buffer: Buffer) -> bool:
    return isinstance(buffer.size, int) and buffer.size == ir.UNKNOWN_SIZE


def _passes(block: Block, in_loop: bool, routines: Mapping[str, ir.Kernel]) -> Iterator[MemoryPass]:
    for statement in block:
        match statement:
            case ir.Each():
                yield _loop(statement, in_loop)
            case ir.For() if not any(isinstance(s, _PASSES) for s in ir.walk(statement.body)):
                if any(isinstance(s, (ir.Load, ir.Store)) for s in ir.walk(statement.body)):
                    yield _loop(statement, in_loop)
            case ir.Multiply():
                yield _product(statement, in_loop)
            case ir.InnerLoopCall():
                yield _inner_loop(statement, in_loop)
            case ir.SortCall():
                yield _sort(statement, in_loop)
            case ir.PythonCall():
                yield _python(statement, in_loop)
            case ir.Draw():
                yield _draw(statement, in_loop)
            case ir.RoutineCall():
                routine = routines.get(statement.routine)
                if routine is None:  # it is being gone through: a call in itself
                    continue
                others = {n: r for n, r in routines.items() if n != statement.routine}
                again = in_loop or routine.recursive
                yield from _passes(routine.body, again, others if again else routines)
            case _:
                inside = in_loop or isinstance(statement, (ir.For, ir.While))
                for inner in ir.blocks(statement):
                    yield from _passes(inner, inside, routines)


_PASSES = (
    *(ir.Each, ir.Multiply, ir.While),
    *(ir.RoutineCall, ir.InnerLoopCall, ir.SortCall, ir.PythonCall, ir.Draw),
)


def _loop(loop: ir.Each | ir.For, in_loop: bool) -> MemoryPass:
    reads: dict[Buffer, int] = {}
    writes: dict[Buffer, int] = {}
    total = _count(loop.count)
    _visit(loop.body, total, reads, writes)
    trips = _trips(loop)
    return MemoryPass("loop", trips, _names(reads), _names(writes), _moved(reads, writes), in_loop)


def _visit(block: Block, trips: float, reads: dict, writes: dict) -> None:
    """Collect how often buffers are read and written."""
    for statement in block:
        match statement:
            case ir.Load(_, buffer, _):
                reads[buffer] = reads.get(buffer, 0) + trips
            case ir.Store(buffer, _, _):
                writes[buffer] = writes.get(buffer, 0) + trips
            case ir.Each() | ir.For():
                _visit(statement.body, trips * _count(statement.count), reads, writes)
            case _:
                for inner in ir.blocks(statement):
                    _visit(inner, trips, reads, writes)


def _count(count: ir.Operand) -> float:
    return float(count.value) if isinstance(count, ir.Number) else math.inf


def _trips(loop: ir.Each | ir.For) -> int | None:
    """Of a loop and those inside of it, as far as these are nested one in another."""
    total = _count(loop.count)
    inner = [s for s in loop.body if isinstance(s, (ir.Each, ir.For))]
    if inner:
        total *= max(_count(s.count) for s in inner)
    return None if math.isinf(total) else int(total)


def _moved(reads: Mapping[Buffer, float], writes: Mapping[Buffer, float]) -> int:
    return sum(
        int(min(example_of(b.nbytes), times * b.dtype.itemsize))
        for counts in (reads, writes)
        for b, times in counts.items()
        if b.kind in _COUNTED and not (_is_open(b) and math.isinf(times))
    )


def _names(buffers: Iterable[Buffer]) -> tuple[str, ...]:
    counted = [b for b in buffers if b.kind in _COUNTED]
    return tuple(dict.fromkeys(b.name or _KINDS[b.kind] for b in counted))


_KINDS = {
    "input": "an argument",
    "output": "a result",
    "temporary": "a temporary",
    "reserved": "a temporary",
    "record": "a residual",
}


def _product(product: ir.Multiply, in_loop: bool) -> MemoryPass:
    reads, writes = dict.fromkeys((product.a, product.b), math.inf), {product.c: math.inf}
    size = product.known_batch * product.multiplications
    moved = _moved(reads, writes)
    return MemoryPass("product", size, _names(reads), _names(writes), moved, in_loop)


def _inner_loop(call: ir.InnerLoopCall, in_loop: bool) -> MemoryPass:
    reads = dict.fromkeys((buffer for buffer, _ in call.operands), math.inf)
    writes = dict.fromkeys(call.written, math.inf)
    times = call.lengths[0] if isinstance(call.lengths[0], int) and call.lengths[0] > 1 else None
    moved = _moved(reads, writes)
    return MemoryPass(call.ufunc, times, _names(reads), _names(writes), moved, in_loop)


def _python(call: ir.PythonCall, in_loop: bool) -> MemoryPass:
    reads = {x[0]: math.inf for x in call.given if isinstance(x, tuple)}
    writes = {buffer: math.inf for buffer, _ in call.results}
    moved = _moved(reads, writes)
    written = _names(writes) if call.results else ("nothing",)
    return MemoryPass(call.function, None, _names(reads), written, moved, in_loop)


def _draw(draw: ir.Draw, in_loop: bool) -> MemoryPass:
    writes = {draw.result[0]: math.inf}
    name = draw.function or "random_standard_uniform"
    return MemoryPass(name, None, ("a generator",), _names(writes), _moved({}, writes), in_loop)


def _sort(call: ir.SortCall, in_loop: bool) -> MemoryPass:
    reads, writes = ({buffer: math.inf} for buffer, _ in (call.starts[0], call.starts[-1]))
    size = call.count if isinstance(call.count, int) else None
    moved = _moved(reads, writes)
    return MemoryPass("sort", size, _names(reads), _names(writes), moved, in_loop)
