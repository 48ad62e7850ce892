"""How many lanes a vector loop has.

Several registers per step, so that the latency of one's instructions is hidden behind the others':
two, or four where lanes have loops of their own and each instruction waits for the one before. But
all that lives in an inner loop should have a register.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Number
from autograph.kernels.llvm.shapes import VARYING, Shapes
from autograph.kernels.llvm.target import Target

_INNER = 8  # how much more the statements of a loop count than those around it
_LONG = 1000  # statements, which are independent enough, and take long enough to compile
_FEW = 8  # trips, and statements, that LLVM unrolls and combines with what is around them
_LOCAL_BYTES = 1 << 16  # of all local buffers of all lanes


def lanes_of(each: ir.Each, shapes: Shapes, target: Target) -> int:
    """The lanes of a vector loop; 1 if it should not be one."""
    lanes = max(_registers(each, shapes) * target.vector_bytes // _width(each, shapes), 1)
    room = sum(b.nbytes for b in shapes.locals)
    while lanes > 1 and lanes * room > _LOCAL_BYTES:
        lanes //= 2
    if isinstance(each.count, Number):
        if each.count.value <= _FEW and len(each.body.statements) <= _FEW:
            return 1
        while lanes > max(int(each.count.value), 1):
            lanes //= 2
    return lanes


def _width(each: ir.Each, shapes: Shapes) -> int:
    """The bytes of the dtype that most vectors have. Floats decide, if there are any."""
    floats: Counter[int] = Counter()
    others: Counter[int] = Counter()
    for s, depth in _loops_around(each.body):
        weight = _INNER ** min(depth, 4)
        match s:
            case ir.Compute() | ir.Load() if shapes[s.out] is VARYING:
                dtype = s.out.dtype
            case ir.Store():
                dtype = s.buffer.dtype
            case _:
                continue
        if dtype.kind == "f":
            floats[dtype.itemsize] += weight
        elif dtype.kind != "b":
            others[dtype.itemsize] += weight
    for r in each.reductions:
        if r.out.dtype.kind == "f":
            floats[r.out.dtype.itemsize] += 1
    counter = floats or others
    return max(counter, key=lambda size: (counter[size], size)) if counter else 4


def _loops_around(block: ir.Block, depth: int = 0) -> Iterator[tuple[ir.Statement, int]]:
    """The statements of a block, also nested ones, and how many loops of the block are around
    each."""
    for s in block:
        yield s, depth
        inner = depth + isinstance(s, (ir.For, ir.While))
        for nested in ir.blocks(s):
            yield from _loops_around(nested, inner)


def _registers(each: ir.Each, shapes: Shapes) -> int:
    """How many registers hold the lanes of a value."""
    if sum(1 for _ in ir.walk(each.body)) > _LONG:
        return 1
    live = max(
        (
            sum(shapes[v] is VARYING for v in s.state)
            for s in ir.walk(each.body)
            if isinstance(s, (ir.For, ir.While))
        ),
        default=0,
    )
    if live > 12:
        return 1
    return 4 if live <= 6 and (shapes.diverges or (live <= 3 and _chained(each))) else 2


def _chained(each: ir.Each) -> bool:
    """Whether loops add up products, each of which waits for the one before."""
    return any(
        isinstance(s, ir.Compute) and s.function == "fma" and depth
        for s, depth in _loops_around(each.body)
    )
