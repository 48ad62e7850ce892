"""Statements outside of vector loops: scalars, and loops of independent trips, as vectors, one by
one, or in chunks on threads.

If a loop is long, its body becomes a function of a range of trips, which the runtime calls for
chunks on several threads. Chunks depend on the count only; each leaves its part of a reduction in a
table, whose rows are combined in order.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import replace

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Number, Operand, Var
from autograph.kernels.ir.reserved import reserved_in_trip
from autograph.kernels.ir.work import WORTH_SHARING, in_lanes
from autograph.kernels.llvm import draws, inner_loops, python_calls, sorts, steps, text
from autograph.kernels.llvm import lanes as lane_printer
from autograph.kernels.llvm.brief_sums import LaneSums
from autograph.kernels.llvm.counting import (
    carried_scalars,
    carried_wide,
    combine,
    combine_wide,
    counted,
    rounded,
)
from autograph.kernels.llvm.frame import FunctionFrame
from autograph.kernels.llvm.freestanding import product
from autograph.kernels.llvm.shapes import Shapes
from autograph.kernels.llvm.statements import Statements
from autograph.kernels.llvm.widths import lanes_of

# How many nanoseconds of work, as far as is known, are worth waking threads, and a chunk; and how
# many are where threads are awake: in a loop that is in another one they mostly are.
_WORTH_WAKING, _WORTH_A_CHUNK = 200_000.0, 25_000.0
_WORTH_SHARING, _WORTH_A_SHORT_CHUNK = 20_000.0, 10_000.0
_WORTH_SHARING_IN_A_LOOP = 10_000.0
# And where another loop in the same one is shared: what one thread alone touches comes from the
# caches of the others, which takes longer than most loops.
_WORTH_JOINING = 4_000.0
_SMALL_ARENA = 1 << 15  # bytes: the runtime's blocks are no smaller if nothing is said
_CHUNKS = 128  # at most
_SHORT_CHUNKS = 8  # at most, of a loop that is not worth waking threads
_MOST_LANES = 256
_MOST_COUNTED = 1 << 16  # trips of small loops that a call counts as
_LETTERS = {4: "s", 8: "d"}  # of dtypes, in the names of BLAS
_SMALL = 200_000  # multiplications of a product that no library gives to threads, see `product.h`
_OF_ONE_THREAD = 1_000_000  # multiplications of a product of OpenBLAS that are not worth threads


class Loops(Statements):
    """Prints statements outside of vector loops."""

    _around = 0  # how many loops in order are around what is printed
    _joins = False  # whether one of the loops in them is shared

    def statement(self, statement: ir.Statement) -> None:
        match statement:
            case ir.For() | ir.While():
                if not self._around and self.frame.hosted and not self.frame.in_each:
                    self._joins = any(map(_is_shared, ir.walk([statement])))
                self._around += 1
                super().statement(statement)
                self._around -= 1
            case ir.Each():
                self.each(statement)
            case ir.Multiply():
                self.multiply(statement)
            case ir.RoutineCall() if not self.frame.in_each:
                self.call(statement)
            case ir.Keep() if not self.frame.in_each:
                pieces = [(self.scalar(x), self.scalar(n)) for x, n in statement.pieces]
                self.values.update(zip(statement.outs, self.frame.keep(pieces)))
            case ir.InnerLoopCall() if not self.frame.in_each and self.frame.hosted:
                inner_loops.call(self, statement)
            case ir.SortCall() if not self.frame.in_each and self.frame.hosted:
                sorts.call(self, statement)
            case ir.PythonCall() if not self.frame.in_each and self.frame.hosted:
                python_calls.call(self, statement)
            case ir.Draw() if not self.frame.in_each and self.frame.hosted:
                draws.draw(self, statement)
            case _:
                super().statement(statement)

    def each(self, each: ir.Each) -> None:
        """Print a loop."""
        outermost = not self.frame.in_each
        if outermost and self.frame.hosted and self._is_long(each):
            parts = self._on_threads(each)
        else:
            self.frame.in_each = True
            count = self.scalar(each.count)
            starts = [text.constant(r.start) for r in each.reductions]
            parts = self.trips(each, "0", count, starts, outermost)
            if outermost:
                self.frame.in_each = False
        for reduction, part in zip(each.reductions, parts):
            self.values[reduction.out] = part

    def _is_long(self, each: ir.Each) -> bool:
        if isinstance(each.count, Number):
            trips = int(each.count.value)
            return trips > 1 and trips * each.work > self._worth_sharing()
        if each.mode == "parallel" or each.work > 100 or not self._around:
            return True
        return self.module.examples.get(each.count, 0) >= WORTH_SHARING

    def _worth_sharing(self) -> float:
        if not self._around:
            return _WORTH_SHARING
        return _WORTH_JOINING if self._joins else _WORTH_SHARING_IN_A_LOOP

    # -- trips -------------------------------------------------------------------------------------

    def trips(
        self, each: ir.Each, begin: str, end: str, starts: Sequence[str], outermost: bool
    ) -> list[str]:
        """Print the loop over a range of trips.

        Args:
            begin: of the range; a multiple of the lanes, and of `BLOCK`, if there are reductions.
            end: where it ends, at most the count.
            starts: the reductions' values before.
            outermost: whether no other `Each` is around it.

        Returns:
            The reductions' values.
        """
        if each.mode == "vector":
            shapes = Shapes((), each.body, each.index)
            lanes, is_brief = 1, each in self.module.brief
            if not is_brief or each.reductions:
                lanes = lanes_of(each, shapes, self.frame.target, large=self.module.large)
            self._begin_arena_with(reserved_in_trip(each) or 0, 1 if is_brief else lanes)
            if lanes > 1 and is_brief:
                return self._summed_in_lanes(each, begin, end, outermost, starts, lanes)
            if lanes > 1:
                inner = lane_printer.LanePrinter(self.frame, shapes, lanes)
                rest = functools.partial(self.one_by_one, each, outermost=outermost)
                return steps.VectorLoop(self, each, inner, end, outermost, rest).print(
                    begin, starts
                )

        return self.one_by_one(each, begin, end, outermost, starts)

    def _begin_arena_with(self, nbytes: int, lanes: int) -> None:
        """Let memory for trips be no more than they take, where that is little."""
        first = self.frame.first_bytes
        if 0 < nbytes * lanes < _SMALL_ARENA:
            first["trip"] = max(first.get("trip", 0), nbytes * lanes)

    def one_by_one(
        self,
        each: ir.Each,
        begin: str,
        end: str,
        outermost: bool,
        starts: Sequence[str] | None = None,
    ) -> list[str]:
        """Print the loop over a range of trips on scalars; see `trips`."""
        starts = [text.constant(r.start) for r in each.reductions] if starts is None else starts
        known = len(self.values)

        def trip(index: str, carried: list[str]) -> list[str]:
            self.values[each.index] = index
            self.block(each.body)
            if outermost:
                self.frame.end_trip()
            return [
                combine(self.scalars, r, part, self.scalar(r.value))
                for r, part in zip(each.reductions, carried)
            ]

        initial = carried_scalars(each, starts)
        results = counted(self, begin, end, "1", trip, initial, each.index.name)
        self.frame.forget(known)
        return results

    def _summed_in_lanes(
        self,
        each: ir.Each,
        begin: str,
        end: str,
        outermost: bool,
        starts: Sequence[str],
        lanes: int,
    ) -> list[str]:
        """Print the loop over a range of trips on scalars, which are reduced as those of a vector;
        see `trips`."""
        sums = LaneSums(self, each, lanes)
        known = len(self.values)

        def trip(index: str, carried: list[str]) -> list[str]:
            self.values[each.index] = index
            self.block(each.body)
            sums.add(index)
            if outermost:
                self.frame.end_trip()
            return carried

        counted(self, begin, end, "1", trip, [], each.index.name)
        self.frame.forget(known)
        found = zip(each.reductions, starts, sums.combined())
        return [combine(self.scalars, r, start, part) for r, start, part in found]

    # -- threads -----------------------------------------------------------------------------------

    def _on_threads(self, each: ir.Each) -> list[str]:
        """Print the loop as a function, and a call that runs it in chunks."""
        captured = captures(each)
        unit = 1 if each.mode == "parallel" else steps.BLOCK if each.reductions else _MOST_LANES
        count = self.scalar(each.count)
        grain, many = self._grain(each, unit)
        let = self.function.let
        tables = [
            self.function.alloca(text.scalar_type(r.out.dtype), _CHUNKS, 64, "parts")
            for r in each.reductions
        ]
        passed = [*captured, *each.reductions]
        given = [
            ("ptr", self.start(x))
            if isinstance(x, ir.Buffer)
            else (text.scalar_type(x.dtype), self.scalar(x))
            for x in captured
        ]
        given += [("ptr", table) for table in tables]
        given.append(("i64", grain))
        context = self.function.alloca("i64", len(given), 16, "context")
        for k, (type_, value) in enumerate(given):
            at = let(f"getelementptr inbounds i64, ptr {context}, i64 {k}")
            self.function.do(f"store {type_} {value}, ptr {at}, align 8")
        name = self._outlined(each, passed)
        arguments = f"ptr {name}, ptr {context}, i64 {count}, i64 {grain}"
        shared = self._sharing(each, arguments, many)
        if isinstance(each.count, Number):
            status = let(shared, "status")
        else:
            alone = f"call i32 {name}(ptr {context}, i64 0, i64 {count})"
            few = let(f"icmp sle i64 {count}, {grain}")
            status = self._either(few, alone, shared)
        self.frame.stop_with(status)
        if not each.reductions:
            return []
        up = let(f"add i64 {count}, {grain}")
        chunks = let(f"sdiv i64 {let(f'sub i64 {up}, 1')}, {grain}", "chunks")

        def add(chunk: str, carried: list[str]) -> list[str]:
            results = []
            for r, table, total in zip(each.reductions, tables, carried):
                type_ = text.scalar_type(r.out.dtype)
                at = let(f"getelementptr inbounds {type_}, ptr {table}, i64 {chunk}")
                part = let(f"load {type_}, ptr {at}, align {r.out.dtype.itemsize}")
                results.append(combine_wide(self.scalars, r, total, part))
            return results

        starts = carried_wide(
            self.function, each, [text.constant(r.start) for r in each.reductions]
        )
        return rounded(self.function, each, counted(self, "0", chunks, "1", add, starts, "chunk"))

    def _either(self, condition: str, first: str, second: str) -> str:
        """Print that one of two calls is made, which give a status."""
        function = self.function
        yes, no, done = map(function.new_label, ("alone", "shared", "done"))
        function.branch(condition, yes, no)
        found = []
        for label, call in ((yes, first), (no, second)):
            function.start(label)
            found.append((function.let(call, "status"), label))
            function.jump(done)
        function.start(done)
        return function.phi("i32", found, "status")

    def _sharing(self, each: ir.Each, arguments: str, many: str) -> str:
        """A call that shares a loop, with threads that sleep if it has at least so many trips."""
        types = ["ptr", "ptr", "i64", "i64"]
        if isinstance(each.count, Number) and int(each.count.value) >= int(many):
            return f"call i32 {self.module.declare('i32', 'ag_parallel', *types)}({arguments})"
        share = self.module.declare("i32", "ag_parallel_awake", *types, "i64")
        return f"call i32 {share}({arguments}, i64 {many})"

    def _grain(self, each: ir.Each, unit: int) -> tuple[str, str]:
        """How many trips a chunk has, a multiple of ``unit``, and how many are worth waking
        threads."""
        if isinstance(each.count, Number):
            known, cost = int(each.count.value), max(each.work, 1e-3)
            trips = -(-known // _chunks(known * cost))
            return str(-(-trips // unit) * unit), str(math.ceil(_WORTH_WAKING / cost))
        let, count, work = self.function.let, self.scalar(each.count), self._picoseconds(each)

        def limited(comparison: str, value: str, limit: str) -> str:
            return self._selected(f"{comparison} i64 {value}, {limit}", value, limit)

        def parts(each_of: float, most: int) -> str:
            return limited("slt", let(f"sdiv i64 {total}, {_pico(each_of)}"), str(most))

        total = let(f"mul i64 {count}, {work}")
        few = let(f"and i64 {parts(_WORTH_A_SHORT_CHUNK, _SHORT_CHUNKS)}, -2")
        few = limited("sgt", few, "2")
        many = parts(_WORTH_A_CHUNK, _CHUNKS)
        chunks = self._selected(f"sgt i64 {total}, {_pico(_WORTH_WAKING)}", many, few)
        alone = f"slt i64 {total}, {_pico(self._worth_sharing())}"
        chunks = self._selected(alone, "1", chunks)
        up = let(f"sub i64 {let(f'add i64 {count}, {chunks}')}, 1")
        up = let(f"add i64 {let(f'sdiv i64 {up}, {chunks}')}, {unit - 1}")
        grain = let(f"mul i64 {let(f'sdiv i64 {up}, {unit}')}, {unit}")
        worth_waking = let(f"sdiv i64 {_pico(_WORTH_WAKING)}, {work}")
        return limited("sgt", grain, str(unit)), worth_waking

    def _selected(self, condition: str, first: str, second: str) -> str:
        chosen = self.function.let(f"icmp {condition}")
        return self.function.let(f"select i1 {chosen}, i64 {first}, i64 {second}")

    def _picoseconds(self, each: ir.Each) -> str:
        """About how long a trip of a loop takes. Where it is mostly that of a loop in it whose
        length only the run knows, the run tells."""
        inner = _inner_loop(each)
        if inner is None:
            return str(_pico(each.work))
        work = inner.work if isinstance(inner, ir.Each) else in_lanes(inner.body)
        loop = self.function.let(f"mul i64 {self.scalar(inner.count)}, {_pico(work)}")
        return self.function.let(f"add i64 {loop}, {_pico(1.0)}")

    def _outlined(self, each: ir.Each, passed: Sequence[Var | ir.Buffer | ir.Reduction]) -> str:
        """Print the loop as a function of a context and a range.

        Returns:
            Its name.
        """
        name = self.module.name(f"{self.frame.name}.trips")
        header = f"define internal i32 {name}(ptr noalias %context, i64 %from, i64 %to)"
        frame = FunctionFrame(
            self.module,
            self.frame.target,
            self.frame.name,
            f"{header} nounwind",
            self.frame.used,
            outlined=True,
        )
        inner = Loops(frame)
        function, let = frame.function, frame.function.let

        def field(k: int, type_: str, hint: str | None) -> str:
            at = let(f"getelementptr inbounds i64, ptr %context, i64 {k}")
            return let(f"load {type_}, ptr {at}, align 8", hint)

        tables = {}
        for k, x in enumerate(passed):
            if isinstance(x, ir.Reduction):
                tables[x] = field(k, "ptr", "parts")
            elif isinstance(x, Var):
                frame.values[x] = field(k, text.scalar_type(x.dtype), x.name)
            else:
                frame.pointers[x] = field(k, "ptr", x.name)
        starts = [text.constant(r.start) for r in each.reductions]
        parts = inner.trips(each, "%from", "%to", starts, outermost=True)
        if parts:
            grain = field(len(passed), "i64", "grain")
            chunk = let(f"sdiv i64 %from, {grain}", "chunk")
            for r, part in zip(each.reductions, parts):
                type_ = text.scalar_type(r.out.dtype)
                at = let(f"getelementptr inbounds {type_}, ptr {tables[r]}, i64 {chunk}")
                function.do(f"store {type_} {part}, ptr {at}, align {r.out.dtype.itemsize}")
        self.module.functions.append(frame.finish())
        return name

    # -- routines ----------------------------------------------------------------------------------

    def call(self, s: ir.RoutineCall) -> None:
        """Call the function of a routine, and leave this one if that one gives up. It counts its
        own trips: what they amount to counts here."""
        given = [
            f"ptr {self.address(x[0], self.scalar(x[1]))}"
            if isinstance(x, tuple)
            else f"{text.scalar_type(x.dtype)} {self.scalar(x)}"
            for x in s.given
        ]
        routine = self.module.routines[s.routine]
        given += [
            f"ptr {self.start(buffer)}"
            for k, buffer in enumerate(s.results)
            if k not in routine.returned
        ]
        if routine.leaves_records:
            self.frame.take_records()
        if routine.recursive:
            with self.frame.counted_elsewhere():
                given.insert(0, f"ptr {self.frame.activations}")
                self._call(routine, given, s.results)
            return
        self._call(routine, given, s.results)
        self.frame.count_trips("1", max(min(int(s.work), _MOST_COUNTED), 1))

    def _call(
        self, routine: text.RoutineFunction, given: Sequence[str], results: Sequence[ir.Buffer]
    ) -> None:
        let = self.function.let
        found = let(f"call {routine.type} {routine.name}({', '.join(given)})", "status")
        if not routine.returned:
            self.frame.stop_with(found)
            return
        self.frame.stop_with(let(f"extractvalue {routine.type} {found}, 0"))
        for k, position in enumerate(routine.returned, 1):
            value, buffer = let(f"extractvalue {routine.type} {found}, {k}"), results[position]
            type_ = text.memory_type(buffer.dtype)
            self.function.do(f"store {type_} {value}, ptr {self.start(buffer)}")

    # -- products of matrices ----------------------------------------------------------------------

    def multiply(self, s: ir.Multiply) -> None:
        """Call BLAS, for each product of a batch: from several threads if one product is so small
        that the library computes it on the thread that calls."""
        if isinstance(s.batch, int) and s.batch == 1:
            self._call_blas(s)
            return
        loop = _of_single_products(s)
        if s.multiplications <= _OF_ONE_THREAD:
            self.each(loop)
        else:
            self.statement(ir.For(loop.index, loop.count, loop.body))

    def _measure(self, length: int | Operand) -> str:
        """A length or stride, at least 1."""
        return self.scalar(length) if isinstance(length, Operand) else str(max(length, 1))

    def _call_blas(self, s: ir.Multiply) -> None:
        type_ = text.scalar_type(s.c.dtype)
        small = "small_" if self.frame.hosted and _is_small(s) else ""
        name = f"cblas_{small}{_LETTERS[s.c.dtype.itemsize]}gemm"
        a, b, c = (
            self.address(buffer, self.scalar(start))
            for buffer, start in ((s.a, s.a_start), (s.b, s.b_start), (s.c, s.c_start))
        )
        row_major, plain, transposed = 101, 111, 112
        arguments = [
            ("i32", row_major),
            ("i32", transposed if s.a_transposed else plain),
            ("i32", transposed if s.b_transposed else plain),
            ("i64", self._measure(s.rows)),
            ("i64", self._measure(s.columns)),
            ("i64", self._measure(s.inner)),
            (type_, text.float_constant(s.alpha)),
            ("ptr", a),
            ("i64", self._measure(s.a_stride)),
            ("ptr", b),
            ("i64", self._measure(s.b_stride)),
            (type_, text.float_constant(s.beta)),
            ("ptr", c),
            ("i64", self._measure(s.c_stride)),
        ]
        if self.frame.hosted:
            gemm = self.module.declare("void", name, *[t for t, _ in arguments])
        else:
            gemm = self.module.helper(name, functools.partial(product, type_))
        self.function.do(f"call void {gemm}({', '.join(f'{t} {x}' for t, x in arguments)})")


def _chunks(work: float) -> int:
    """In how many chunks a loop is shared. Short ones have few, an even number: two threads take
    half of them each, in each trip of a loop around the same ones, which are in their caches."""
    if work > _WORTH_WAKING:
        return min(int(work / _WORTH_A_CHUNK), _CHUNKS)
    return max(min(int(work / _WORTH_A_SHORT_CHUNK) & ~1, _SHORT_CHUNKS), 2)


def _is_shared(s: ir.Statement) -> bool:
    """Whether a loop in one in order is shared, as far as is known."""
    if not isinstance(s, ir.Each):
        return False
    if isinstance(s.count, Number):
        return int(s.count.value) * s.work > _WORTH_SHARING_IN_A_LOOP
    return s.mode == "parallel"


def _is_small(s: ir.Multiply) -> bool:
    """Whether a product of two matrices is known to be so small that threads are not worth it."""
    sizes = [n if isinstance(n, int) else None for n in (s.rows, s.columns, s.inner)]
    known = [n for n in sizes if n is not None]
    return len(known) == len(sizes) and math.prod(max(n, 1) for n in known) <= _SMALL


def _pico(nanoseconds: float) -> int:
    return max(int(1000 * nanoseconds), 1)


def _inner_loop(each: ir.Each) -> ir.For | ir.Each | None:
    """The only loop in the trips of another one, if what its length is is known before those."""
    loops = [s for s in each.body if isinstance(s, ir.For | ir.Each | ir.While)]
    if len(loops) != 1 or isinstance(loops[0], ir.While) or isinstance(loops[0].count, Number):
        return None
    made = {each.index, *(v for s in each.body for v in uses.defined(s))}
    return None if loops[0].count in made else loops[0]


def _of_single_products(s: ir.Multiply) -> ir.Each:
    """A batch of products as a loop."""
    index, body = Var(ir.LONG, "product"), ir.Block()

    def start(first: ir.Operand, step: int | Operand) -> ir.Operand:
        if isinstance(step, int) and not step:
            return first
        offset, place = Var(ir.LONG), Var(ir.LONG)
        body.statements += [
            ir.Compute(offset, "*", (index, _operand(step))),
            ir.Compute(place, "+", (first, offset)),
        ]
        return place

    places = [
        (s.a_start, s.a_step),
        (s.b_start, s.b_step),
        (s.c_start, s.c_step),
    ]
    a, b, c = (start(first, step) for first, step in places)
    body.statements.append(replace(s, a_start=a, b_start=b, c_start=c, batch=1))
    return ir.Each(index, _operand(s.batch), body, "parallel", (), s.work)


def _operand(length: int | Operand) -> Operand:
    return length if isinstance(length, Operand) else Number(length, ir.LONG)


def captures(each: ir.Each) -> list[Var | ir.Buffer]:
    """The variables and buffers from outside of a loop that its trips use."""
    made: set[Var | ir.Buffer] = {each.index}
    used: dict[Operand | ir.Buffer, None] = {}

    def use(buffer: ir.Buffer) -> None:
        if buffer.base is not None:
            used[buffer.base] = None
        elif buffer.kind != "constant":
            used[buffer] = None

    for s in ir.walk(each.body):
        made.update(uses.defined(s))
        if isinstance(s, ir.Local):
            made.add(s.buffer)
        used.update(dict.fromkeys(uses.operands(s)))
        for buffer in uses.buffers(s):
            use(buffer)
    used.update(dict.fromkeys(r.value for r in each.reductions))
    used.update({each.count: None})
    return [x for x in used if isinstance(x, Var | ir.Buffer) and x not in made]
