"""Running totals for the threads of a GPU.

Where elements may be combined in groups, what is long is cut.

* Along the last axis a part is a *tile*, for a block. It is read into memory of the block's, in the
  order in which it lies in memory, each thread adds some neighbours there, and it is written back
  in that order (Sengupta, Harris, Zhang, Owens, "Scan primitives for GPU computing", 2007). Threads
  that went along elements of the device's memory would each read somewhere else, at a fraction of
  its speed. One launch does all: a block announces the total of its tile as soon as it has that,
  and looks back for those of the tiles before (Merrill & Garland, "Single-pass parallel prefix scan
  with decoupled look-back", 2016). There a block takes whatever those before have announced by
  then, so floats depend on who was quicker. Here it takes always the same: the total of all *spans*
  of tiles before, which the last tile of each span announces, and the totals of the tiles of its
  own span before it. A block asks for all of them at once, so only spans wait for one another.
* Along another axis a part is a *chunk* of a column, for a thread. Neighbouring threads have
  neighbouring columns, and read neighbouring memory. The totals of the chunks are computed first,
  then these totals' running totals, the same way, then the running totals of each chunk, which go
  on from those of the chunks before (Blelloch, "Prefix sums and their applications", 1990). So are
  tiles whose elements a check, or a loop that may not end, computes: those that wait for a block
  that has given up would wait for ever.

What is short, and what may not be combined in groups, a thread computes for each row or column.
Which elements are combined in which order depends on the lengths alone; where a kernel is for any
lengths, on those of the call that it was made for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import split_index
from autograph.kernels.ir.ir import INT, LONG, Buffer, Number, Operand, Var
from autograph.kernels.ir.uses import may_fail
from autograph.kernels.lowering.state import State
from ops.core.kernels import Scan
from ops.core.symbolic_lengths import example_of, is_length

Added = tuple[Buffer, Buffer, Buffer]  # what `_Tile.added` gives
Given = Callable[[Operand, Operand, Operand], Sequence[Operand]]  # of a row, place and column
Store = Callable[[Operand, Operand, Operand, Operand], None]

_NS = 1.0  # of a step
# Chunks that keep all threads busy, elements of a chunk, elements of a column that one thread adds,
# and columns of which each has a thread.
_CHUNKS, _LEAST, _SHORT, _MANY = 1 << 18, 64, 512, 1 << 14
# Threads of a tile, those of a group, and the most elements that each adds: an odd number, so that
# all banks of a block's memory are read at once.
_LANES, _GROUP, _MOST = 256, 16, 15
_SHORT_ROW, _FEW_TILES = 128, 8  # elements of a row, and tiles, that one thread adds
_SPAN = 128  # tiles of a span: less than there are threads, one of which asks for the span before


class GpuScan:
    """The loops of one scan.

    Args:
        scan: how totals follow from each other.
        dtype: of the totals.
    """

    def __init__(self, state: State, scan: Scan, dtype: np.dtype):
        self.b, self.loops = state.b, state.loops
        self.following, self.associative = scan.following, scan.associative
        self.dtype = dtype
        self.zero = Number(0, dtype)

    def takes(self, length: int, columns: int) -> bool:
        """Whether it has threads for them: not along short rows, of which a thread has several."""
        along = not is_length(columns) and columns == 1
        return not along or self._has_tiles(length, _SHORT_ROW)

    def emit(
        self,
        rows: int,
        length: int,
        columns: int,
        given: Given,
        store: Store,
        short: int = _SHORT_ROW,
    ) -> None:
        """All running totals of the columns of some rows.

        Args:
            given: of what the next total follows; the last of these is the first total.
            store: puts a total where it belongs.
            short: elements of a row that one thread adds.
        """
        if not is_length(columns) and columns == 1 and self._has_tiles(length, short):
            self._in_tiles(rows, length, given, store)
        else:
            self._in_chunks(rows, length, columns, given, store)

    def _has_tiles(self, length: int, short: int) -> bool:
        return self.associative and example_of(length) > short

    def _parts(self, rows: int, parts: int, columns: int) -> tuple[Buffer, Buffer]:
        """Memory for the totals of parts, and their running totals."""
        count = rows * parts * columns
        return self.b.temporary(self.dtype, count), self.b.temporary(self.dtype, count)

    def _add_parts(
        self, rows: int, parts: int, columns: int, totals: Buffer, so_far: Buffer
    ) -> None:
        """The running totals of parts."""
        at = lambda row, j, column: (row * parts + j) * columns + column
        self.emit(
            rows,
            parts,
            columns,
            lambda *place: [self.b.load(totals, at(*place))],
            lambda row, j, column, total: self.b.store(so_far, at(row, j, column), total),
            _FEW_TILES,
        )

    # -- along the last axis -----------------------------------------------------------------------

    def _in_tiles(self, rows: int, length: int, given: Given, store: Store) -> None:
        """A block for each tile of each row."""
        each = min(-(-example_of(length) // _LANES), _MOST)
        tile = _Tile(self, length, each + 1 - each % 2, given, store)
        tiles = -(-length // tile.size)
        cut = is_length(tiles) or tiles > 1

        def run(body: Callable[[Operand, Operand, Operand], None]) -> None:
            def trip(flat: Operand) -> tuple:
                body(flat, *split_index(flat, (rows, tiles)))
                return ()

            self.loops.loop(rows * tiles, "parallel", trip, _NS * tile.size)

        if not cut:
            run(lambda flat, row, number: tile.totals(row, number, tile.added(row, number), None))
            return
        if self._never_fails(given):
            self._looking_back(rows, tiles, tile)
            return
        totals, so_far = self._parts(rows, tiles, 1)
        run(lambda flat, row, n: self.b.store(totals, flat, tile.total(tile.added(row, n))))
        self._add_parts(rows, tiles, 1, totals, so_far)
        before = lambda flat: lambda: (self.b.load(so_far, flat - 1),)
        run(lambda flat, row, n: tile.totals(row, n, tile.added(row, n), before(flat)))

    def _never_fails(self, given: Given) -> bool:
        """Whether a block that computes elements will have them, in a while."""
        zero = self.b.long(0)
        with self.b.block() as made:  # what it adds is forgotten
            given(zero, Var(LONG), zero)
        return not may_fail(made) and not any(
            isinstance(s, ir.While) or (isinstance(s, ir.For) and not isinstance(s.count, Number))
            for s in ir.walk(made)
        )

    def _looking_back(self, rows: int, tiles: int, tile: _Tile) -> None:
        """The tiles of all rows, in order, each of which goes on from the totals before it."""
        b, spans = self.b, -(-tiles // _SPAN)
        totals, whole = b.temporary(self.dtype, rows * tiles), b.temporary(self.dtype, rows * spans)
        flags = b.temporary(INT, 1 + rows * (tiles + spans), "flags")
        of_spans = b.long(1 + rows * tiles)
        with b.each(rows * tiles, "parallel", work=_NS * tile.size, flags=flags) as flat:
            row, number = split_index(flat, (rows, tiles))
            span, within = b.compute("quotient", number, _SPAN), b.compute("rest", number, _SPAN)
            spans_before = row * spans + span
            added = tile.added(row, number)
            total = tile.total(added)
            b.store(totals, flat, total)
            b.announce(flags, 1 + flat)

            found = b.local(self.dtype, _SPAN + 1, "before")
            with b.each(_SPAN + 1) as lane:

                def of_tile() -> tuple:
                    at = flat - within + lane
                    b.await_(flags, 1 + at)
                    b.store(found, lane, b.load(totals, at))
                    return ()

                def of_span() -> tuple:
                    b.await_(flags, of_spans + spans_before - 1)
                    b.store(found, lane, b.load(whole, spans_before - 1))
                    return ()

                nothing = lambda: ()
                b.if_(lane < within, of_tile, nothing)
                b.if_((lane == _SPAN) & (span > 0), of_span, nothing)
            before = tile.before(found, within, span > 0)

            def announce() -> tuple:
                all_ = tile.joined(number > 0, before, total)
                b.store(whole, spans_before, all_)
                b.announce(flags, of_spans + spans_before)
                return ()

            b.if_(within == _SPAN - 1, announce, lambda: ())
            tile.totals(row, number, added, lambda: (before,))

    # -- along another axis ------------------------------------------------------------------------

    def _in_chunks(self, rows: int, length: int, columns: int, given: Given, store: Store) -> None:
        """A thread for each chunk of each column."""
        few = self.associative and example_of(rows * columns) < _MANY
        cut, size = few and example_of(length) > _SHORT, length
        if cut:
            size = max(_LEAST, -(-example_of(rows * length * columns) // _CHUNKS))
        chunks = -(-length // size) if cut else 1
        whole = not cut or (not is_length(length) and length % size == 0)

        def each(body: Callable[[Operand, Operand, Operand, Operand], None]) -> None:
            def trip(flat: Operand) -> tuple:
                body(flat, *split_index(flat, (rows, chunks, columns)))
                return ()

            work = _NS * example_of(size)
            self.loops.loop(rows * chunks * columns, "vector", trip, work)

        def go_on(
            row: Operand, first: Operand, column: Operand, total: Operand, stores: bool
        ) -> Operand:
            """The total of a chunk's elements, of which the first has been taken."""

            def step(before: Operand, total: Operand) -> tuple[Operand]:
                j = first + before + 1

                def add() -> tuple[Operand]:
                    found = self.following(total, *given(row, j, column))
                    if stores:
                        store(row, j, column, found)
                    return (found,)

                (found,) = add() if whole else self.b.if_(j < length, add, lambda: (total,))
                return (found,)

            if not is_length(size) and size == 1:
                return total
            (result,) = self.b.for_(size - 1, (total,), step)
            return result

        def add_up(flat: Operand, row: Operand, chunk: Operand, column: Operand) -> None:
            first = chunk * size
            start = given(row, first, column)[-1]
            self.b.store(totals, flat, go_on(row, first, column, start, stores=False))

        def run(flat: Operand, row: Operand, chunk: Operand, column: Operand) -> None:
            first = chunk * size
            own = given(row, first, column)[-1]

            def after() -> tuple[Operand]:
                return (self.following(self.b.load(so_far, flat - columns), own),)

            (total,) = self.b.if_(chunk > 0, after, lambda: (own,)) if cut else (own,)
            store(row, first, column, total)
            go_on(row, first, column, total, stores=True)

        if cut:
            totals, so_far = self._parts(rows, chunks, columns)
            each(add_up)
            self._add_parts(rows, chunks, columns, totals, so_far)
        each(run)


class _Tile:
    """What a block does with a tile of a row.

    Args:
        each: the elements that each thread adds.
    """

    def __init__(self, scan: GpuScan, length: int, each: int, given: Given, store: Store):
        self.scan, self.b, self.following = scan, scan.b, scan.following
        self.length, self.each, self.size = length, each, each * _LANES
        self.given, self.store = given, store

    def joined(self, has: Operand, total: Operand, value: Operand) -> Operand:
        """A total and a value, if it has that total; else the value."""
        more = lambda: (self.following(total, value),)
        return self.b.if_(has, more, lambda: (value,))[0]

    def total(self, added: Added) -> Operand:
        """The total of a tile: of the last one of a row, which nobody asks for, any number."""
        _, _, groups = added
        add = lambda k, total: (self.following(total, self.b.load(groups, k + 1)),)
        (total,) = self.b.for_(_LANES // _GROUP - 1, (self.b.load(groups, 0),), add)
        return total

    def before(self, found: Buffer, within: Operand, has: Operand) -> Operand:
        """The total of what is before a tile: of the spans, if there are any, which is the last of
        what was found, and of the tiles in its own span, so many. Any number if there is
        nothing."""
        b, groups = self.b, self.b.local(self.scan.dtype, _SPAN // _GROUP, "groups_before")
        with b.each(_SPAN // _GROUP) as group:
            first = group * _GROUP

            def add(k: Operand, total: Operand) -> tuple[Operand]:
                at = first + k + 1
                more = lambda: (self.following(total, b.load(found, at)),)
                return b.if_(at < within, more, lambda: (total,))  # type: ignore[return-value]

            none = lambda: (self.scan.zero,)
            (start,) = b.if_(first < within, lambda: (b.load(found, first),), none)
            (total,) = b.for_(_GROUP - 1, (start,), add)
            b.store(groups, group, total)

        def join(k: Operand, total: Operand) -> tuple[Operand]:
            of_group = b.load(groups, k)
            more = lambda: (self.joined(has | (k > 0), total, of_group),)
            return b.if_(k * _GROUP < within, more, lambda: (total,))  # type: ignore[return-value]

        (start,) = b.if_(has, lambda: (b.load(found, _SPAN),), lambda: (self.scan.zero,))
        (total,) = b.for_(_SPAN // _GROUP, (start,), join)
        return total

    def totals(
        self,
        row: Operand,
        number: Operand,
        added: Added,
        before: Callable[[], tuple[Operand]] | None,
    ) -> None:
        """Store the running totals of a tile.

        Args:
            before: the total of all tiles before; not asked of the first one.
        """
        kept, sums, groups = added
        b, joined = self.b, self.joined
        dtype, none = self.scan.dtype, lambda: (self.scan.zero,)
        follows = number > 0 if before is not None else Number(False, "bool")
        until = b.local(dtype, _LANES // _GROUP, "until")  # the totals of all before a group
        (start,) = b.if_(follows, before, none) if before is not None else none()

        with b.each(_LANES // _GROUP) as group:

            def add(k: Operand, total: Operand) -> tuple[Operand]:
                more = lambda: (joined(follows | (k > 0), total, b.load(groups, k)),)
                return b.if_(k < group, more, lambda: (total,))  # type: ignore[return-value]

            (total,) = b.for_(_LANES // _GROUP - 1, (start,), add)
            b.store(until, group, total)
        with b.each(_LANES) as lane:
            number_of, within = b.compute("quotient", lane, _GROUP), b.compute("rest", lane, _GROUP)
            of_groups, has = b.load(until, number_of), follows | (number_of > 0)
            more = lambda: (joined(has, of_groups, b.load(sums, lane - 1)),)
            (before_lane,) = b.if_(within > 0, more, lambda: (of_groups,))
            first = lane * self.each
            start = joined(follows | (lane > 0), before_lane, b.load(kept, first))
            b.store(kept, first, start)

            def go_on(k: Operand, total: Operand) -> tuple[Operand]:
                found = self.following(total, b.load(kept, first + k + 1))
                b.store(kept, first + k + 1, found)
                return (found,)

            if self.each > 1:
                b.for_(self.each - 1, (start,), go_on)
        zero, begin = b.long(0), number * self.size
        self._all(number, lambda j: self.store(row, begin + j, zero, b.load(kept, j)))

    def added(self, row: Operand, number: Operand) -> Added:
        """A tile's elements, the running totals of those of threads in each group, and the groups'
        totals."""
        b, dtype = self.b, self.scan.dtype
        kept, sums = b.local(dtype, self.size, "tile"), b.local(dtype, _LANES, "sums")
        groups = b.local(dtype, _LANES // _GROUP, "groups")
        zero, start = b.long(0), number * self.size
        self._all(
            number,
            lambda j: b.store(kept, j, self.given(row, start + j, zero)[-1]),
            lambda j: b.store(kept, j, self.scan.zero),
        )
        with b.each(_LANES) as lane:
            first = lane * self.each
            add = lambda k, total: (self.following(total, b.load(kept, first + k + 1)),)
            total = b.load(kept, first)
            if self.each > 1:
                (total,) = b.for_(self.each - 1, (total,), add)
            b.store(sums, lane, total)
        with b.each(_LANES // _GROUP) as group:
            first = group * _GROUP

            def go_on(k: Operand, total: Operand) -> tuple[Operand]:
                found = self.following(total, b.load(sums, first + k + 1))
                b.store(sums, first + k + 1, found)
                return (found,)

            (total,) = b.for_(_GROUP - 1, (b.load(sums, first),), go_on)
            b.store(groups, group, total)
        return kept, sums, groups

    def _all(
        self,
        number: Operand,
        inside: Callable[[Operand], None],
        outside: Callable[[Operand], None] = lambda j: None,
    ) -> None:
        """Do something for all elements of a tile, and something else past the end of the row.
        Where all are there nothing looks, so that several are moved at once."""

        def done(body: Callable[[Operand], None], j: Operand) -> Callable[[], tuple]:
            def statements() -> tuple:
                body(j)
                return ()

            return statements

        def whole() -> tuple:
            with self.b.each(self.size) as j:
                inside(j)
            return ()

        def part() -> tuple:
            with self.b.each(self.size) as j:
                at = number * self.size + j
                self.b.if_(at < self.length, done(inside, j), done(outside, j))
            return ()

        if not is_length(self.length) and self.length % self.size == 0:
            whole()
        elif not is_length(self.length) and self.length < self.size:
            part()
        else:
            self.b.if_((number + 1) * self.size <= self.length, whole, part)
