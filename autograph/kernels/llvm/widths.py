"""How many lanes a vector loop has.

Several registers per step, so that the latency of one's instructions is hidden behind the others':
two, or four where lanes have loops of their own and each instruction waits for the one before. But
all that lives in an inner loop should have a register, and in a large kernel no loop is worth twice
the time of LLVM.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Number
from autograph.kernels.llvm.shapes import VARYING, Shapes
from autograph.kernels.llvm.target import Target

_INNER = 8  # how much more the statements of a loop count than those around it
_OVERLAPPING = range(16, 200)  # statements, for counting trips not to matter, and see `_overlaps`
_LONG = 1000  # statements, which are independent enough, and take long enough to compile
_FEW = 8  # trips, and statements, that LLVM unrolls and combines with what is around them
_FILLED = 8  # trips that fill a vector, or half of one, or two
_LOCAL_BYTES = 1 << 16  # of all local buffers of all lanes


def lanes_of(each: ir.Each, shapes: Shapes, target: Target, *, large: bool = False) -> int:
    """The lanes of a vector loop; 1 if it should not be one.

    Args:
        large: whether compiling takes so long that loops should not become more code.
    """
    registers, most = _registers(each, shapes)
    if large and _overlaps(each):
        registers = 1
    of_one = target.vector_bytes / _width(each, shapes)
    lanes, most = (max(int(n * of_one), 1) for n in (registers, most))
    room = sum(b.nbytes for b in shapes.locals)
    if not isinstance(each.count, Number):
        return _with_room(lanes, room)
    count = max(int(each.count.value), 1)
    is_long = any(isinstance(s, ir.For | ir.While) for s in each.body)
    if count <= _FEW and len(each.body.statements) <= _FEW and count != _FILLED and not is_long:
        return 1
    # If one register has room for all trips, or the step is long, it is better to leave lanes idle
    # than to have another step: what is the same for all lanes is computed once, and more of them
    # wait at the same time.
    together = 1 << (count - 1).bit_length()
    if target.masked_memory and together <= (most if is_long else of_one):
        return _with_room(together, room)
    while lanes > count:
        lanes //= 2
    return _with_room(lanes, room)


def _with_room(lanes: int, nbytes: int) -> int:
    """So many lanes, or fewer if their local buffers, of so many bytes each, take too much."""
    while lanes > 1 and lanes * nbytes > _LOCAL_BYTES:
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


def _registers(each: ir.Each, shapes: Shapes) -> tuple[int, int]:
    """How many registers hold the lanes of a value; how many may if there are few trips."""
    if sum(1 for _ in ir.walk(each.body)) > _LONG:
        return 1, 1
    live = max(
        (
            sum(shapes[v] is VARYING for v in s.state)
            for s in ir.walk(each.body)
            if isinstance(s, (ir.For, ir.While))
        ),
        default=0,
    )
    if live > 12:
        return 1, 1
    if live > 6:
        return 2, 2
    return (4 if shapes.diverges or (live <= 3 and _chained(each)) else 2), 4


def _overlaps(each: ir.Each) -> bool:
    """Whether processors begin trips before those before have ended: nothing waits for these, and
    they are short enough to be at work on several. Then more registers gain a tenth at most, and
    LLVM takes twice as long for them. Sums would have other roundings with fewer lanes."""
    count = len(each.body.statements)
    return count in _OVERLAPPING and not each.reductions and ir.is_straight(each.body)


def _chained(each: ir.Each) -> bool:
    """Whether loops add up products, each of which waits for the one before."""
    return any(
        isinstance(s, ir.Compute) and s.function == "fma" and depth
        for s, depth in _loops_around(each.body)
    )
