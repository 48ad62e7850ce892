"""Arrays that are made before a loop in order, each trip of which reads a part of its own, as the
products of all time steps of a recurrent network: made for some trips at a time, in the memory of
so many.

The loop becomes two: one over chunks of trips, which makes what the next chunk reads, and in it
one over the trips of a chunk. Chunks of products have a number of rows that does not change how
these are rounded.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import BOOL, LONG, Block, Buffer, Number, Operand, Statement, Var
from autograph.kernels.passes.affine import Facts
from autograph.kernels.passes.dependence import BufferGroups, accesses, is_understood
from autograph.kernels.passes.forms import number, variable
from autograph.kernels.passes.rounds import Rounds
from ops.core.records import dataclass
from ops.core.symbolic_lengths import is_length

_LEAST_BYTES = 1 << 14  # of an array, for it to be worth it
_CHUNK_BYTES = 24 << 10  # at least, of what is made at a time: a part of the nearest cache
_LEAST_SAVED = 2  # times as large is an array as what is kept of it
_LEAST_ROWS = 96  # of a product, which take a tenth longer than in one product of all
_EQUAL_ROWS = 24  # of which parts of products are multiples, see `products.h`


def with_chunks(kernel: ir.Kernel) -> ir.Kernel:
    """A kernel with such arrays made chunk by chunk, one after the other. The given one's blocks
    are left as they are."""
    if not any(isinstance(s, ir.For) for s in kernel.body):
        return kernel
    own = list(kernel.body)
    if not any(_made(*found, own, kernel) for found in _arrays(kernel.body).items()):
        return kernel
    rounds = Rounds(kernel)
    body, facts = rounds.simplified(kernel.body)
    tried = set[Buffer]()
    while True:
        found = None
        for buffer, touching in _arrays(body).items():
            if buffer not in tried and found is None:
                tried.add(buffer)
                found = _in_chunks(buffer, touching, body, kernel, facts)
        if found is None:
            return replace(kernel, body=body)
        body, facts = rounds.simplified(found)


def _arrays(body: Block) -> dict[Buffer, list[int]]:
    """Large arrays that loads, stores and one product touch, of two of a kernel's own statements,
    the second of which is a loop in order, with the numbers of these."""
    places: dict[Buffer, dict[int, None]] = {}
    others: set[Buffer] = set()
    for place, own in enumerate(body):
        for s in ir.walk([own]):
            match s:
                case ir.Load() | ir.Store():
                    places.setdefault(s.buffer, {})[place] = None
                case ir.Multiply():
                    others.update((s.a, s.b))
                    places.setdefault(s.c, {})[place] = None
                case ir.Compute():
                    pass
                case _:
                    others.update(uses.buffers(s))
    statements = body.statements
    return {
        b: [*at]
        for b, at in places.items()
        if b not in others
        and len(at) == 2
        and isinstance(statements[max(at)], ir.For)
        and b.kind == "temporary"
        and not is_length(b.size)
        and b.nbytes >= _LEAST_BYTES
    }


def _in_chunks(
    buffer: Buffer, touching: Sequence[int], body: Block, kernel: ir.Kernel, facts: Facts
) -> Block | None:
    """The body with an array made for some trips at a time of the loop that reads it; None if that
    may not be."""
    own = list(body)
    first, last = touching
    loop, made = own[last], _made(buffer, touching, own, kernel)
    if made is None or not isinstance(loop, ir.For):
        return None
    if not _each_reads_its_own(loop, buffer, made.size, facts):
        return None
    maker, size = made.maker, made.size // made.rows
    if isinstance(maker, ir.Each) and not _writes_its_own(maker, buffer, size, facts):
        return None
    chunk = made.trips_at_once()
    if made.trips % chunk and any(isinstance(s, ir.Reserve) for s in ir.walk(loop.body)):
        return None  # how much a loop leaves is told by the numbers of trips, see `reserved`
    return Block(
        [*own[:first], *own[first + 1 : last], _chunked(loop, made, chunk), *own[last + 1 :]]
    )


@dataclass(frozen=True)
class _Made:
    """How an array is made.

    Attributes:
        maker: the statement that does.
        trips: of the loop that reads it.
        rows: of the array that each of these trips reads.
        size: the number of elements in them.
    """

    maker: ir.Multiply | ir.Each
    buffer: Buffer
    trips: int
    rows: int
    size: int

    def trips_at_once(self) -> int:
        """How many trips a chunk has."""
        chunk = -(-_CHUNK_BYTES // (self.size * self.buffer.dtype.itemsize))
        if isinstance(self.maker, ir.Multiply):
            equal = _EQUAL_ROWS // math.gcd(_EQUAL_ROWS, self.rows)
            chunk = -(-max(chunk, -(-_LEAST_ROWS // self.rows)) // equal) * equal
            while self.trips % chunk * self.rows == 1 and chunk < self.trips:
                chunk += equal  # one row is no product of matrices
        return chunk

    def of_chunk(self, first: Operand, trips: Operand, smaller: Buffer) -> Iterator[Statement]:
        """Make what some trips read.

        Args:
            first: the number of the first one.
        """
        start, rows = Var(LONG), Var(LONG)
        yield ir.Compute(start, "*", (first, Number(self.rows, LONG)))
        yield ir.Compute(rows, "*", (trips, Number(self.rows, LONG)))
        s = self.maker
        if isinstance(s, ir.Multiply):
            step, place = Var(LONG), Var(LONG)
            yield ir.Compute(step, "*", (start, _operand(1 if s.a_transposed else s.a_stride)))
            yield ir.Compute(place, "+", (s.a_start, step))
            share = s.multiplications * self.size // self.buffer.size
            known = int(trips.value) * self.rows if isinstance(trips, Number) else rows
            yield replace(s, c=smaller, rows=known, a_start=place, multiplications=share)
            return
        index, skipped = Var(LONG, s.index.name), Var(LONG)
        yield ir.Compute(skipped, "*", (first, Number(self.size, LONG)))
        begin = ir.Compute(s.index, "+", (start, index))
        inside = Block([begin, *_moved(s.body, self.buffer, smaller, skipped)])
        yield replace(s, index=index, count=rows, body=inside)


def _operand(x: int | Operand) -> Operand:
    return Number(x, LONG) if isinstance(x, int) else x


def _made(
    buffer: Buffer, touching: Sequence[int], own: Sequence[Statement], kernel: ir.Kernel
) -> _Made | None:
    """How an array may be made for some trips at a time of the loop that reads it, as is seen
    without what is known of integers, which takes long to find; None if it may not be."""
    first, last = touching
    maker, loop = own[first], own[last]
    if not isinstance(loop, ir.For) or not isinstance(loop.count, Number) or loop.freed is not None:
        return None
    trips = int(loop.count.value)
    match maker:
        case ir.Multiply(batch=1, beta=0.0, rows=int(rows), c_start=Number() as start):
            whole = start.value == 0 and maker.columns == maker.c_stride
            if not whole or maker.c is not buffer or buffer in (maker.a, maker.b):
                return None
        case ir.Each(count=Number() as count, reductions=()):
            rows = int(count.value)
        case _:
            return None
    if trips < 1 or rows % trips or not rows or buffer.size % rows:
        return None
    made = _Made(maker, buffer, trips, rows // trips, buffer.size // trips)
    if made.trips_at_once() * _LEAST_SAVED > trips:
        return None
    return made if _may_run_in(maker, own[first + 1 : last + 1], kernel) else None


def _writes_its_own(loop: ir.Each, buffer: Buffer, size: int, facts: Facts) -> bool:
    """Whether each trip writes an array, nothing else, in elements of its own."""
    if not is_understood([loop]) or uses.may_fail([loop]):
        return False
    return all(b is buffer for b in uses.all_written([loop])) and _are_own(
        loop, buffer, size, facts
    )


def _each_reads_its_own(loop: ir.For, buffer: Buffer, size: int, facts: Facts) -> bool:
    """Whether each trip reads an array in elements of its own, and does nothing else with it."""
    if any(b is buffer for b in uses.all_written([loop])):
        return False
    return _are_own(loop, buffer, size, facts)


def _are_own(loop: ir.For | ir.Each, buffer: Buffer, size: int, facts: Facts) -> bool:
    """Whether trip ``i`` touches the ``size`` elements from ``i * size`` on."""
    for access in accesses(loop.body, facts):
        if access.buffer is not buffer:
            continue
        if access.form is None or access.form.of(loop.index) != size:
            return False
        rest = access.form.plus(variable(loop.index), -size)
        if facts.least(rest) < 0 or facts.greatest(rest.plus(number(size), -1)) >= 0:
            return False
    return True


def _may_run_in(maker: Statement, others: Sequence[Statement], kernel: ir.Kernel) -> bool:
    """Whether a statement may run later, among others: they write nothing that it reads."""
    memory = BufferGroups(kernel)
    read = {memory.group(b) for b in uses.touched([maker])}
    if any(isinstance(s, _UNKNOWN) for s in ir.walk(others)):
        return False
    return read.isdisjoint(memory.group(b) for b in uses.all_written(others))


_UNKNOWN = (ir.RoutineCall, ir.PythonCall, ir.Draw, ir.While)


def _chunked(loop: ir.For, made: _Made, chunk: int) -> ir.For:
    """The loop over chunks."""
    smaller = Buffer(made.buffer.dtype, chunk * made.size, "temporary", made.buffer.name)
    number_, first, skipped, place = (Var(LONG) for _ in range(4))
    begin: list[Statement] = [ir.Compute(first, "*", (number_, Number(chunk, LONG)))]
    trips: Operand = Number(chunk, LONG)
    if made.trips % chunk:
        left, fewer, count = Var(LONG), Var(BOOL), Var(LONG)
        begin.append(ir.Compute(left, "-", (Number(made.trips, LONG), first)))
        begin.append(ir.Compute(fewer, "<", (left, trips)))
        begin.append(ir.Compute(count, "select", (fewer, left, trips)))
        trips = count
    begin += made.of_chunk(first, trips, smaller)
    begin.append(ir.Compute(skipped, "*", (first, Number(made.size, LONG))))
    of_trip = ir.Compute(loop.index, "+", (first, place))
    state = tuple(Var(v.dtype, v.name) for v in loop.state)
    inner = replace(
        loop,
        index=place,
        count=trips,
        body=Block([of_trip, *_moved(loop.body, made.buffer, smaller, skipped)]),
        init=state,
        results=tuple(Var(v.dtype, v.name) for v in loop.results),
    )
    chunks = Number(-(-made.trips // chunk), LONG)
    body = Block([*begin, inner])
    return ir.For(number_, chunks, body, state, loop.init, inner.results, loop.results)


def _moved(
    block: Iterable[Statement], buffer: Buffer, smaller: Buffer, skipped: Operand
) -> Iterator[Statement]:
    """Statements that touch a chunk of an array, from an element on, in the place of all of it."""
    for s in block:
        match s:
            case ir.Load() | ir.Store() if s.buffer is buffer:
                place = Var(LONG)
                yield ir.Compute(place, "-", (s.index, skipped))
                yield replace(s, buffer=smaller, index=place)
            case ir.For() | ir.Each():
                yield replace(s, body=Block([*_moved(s.body, buffer, smaller, skipped)]))
            case ir.If():
                then, orelse = ([*_moved(x, buffer, smaller, skipped)] for x in (s.then, s.orelse))
                yield replace(s, then=Block(then), orelse=Block(orelse))
            case _:
                yield s
