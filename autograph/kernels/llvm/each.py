"""Loops of independent trips, outside of vector loops: as vectors, in chunks on threads, or one by
one.

*Steps.* A vector loop runs several trips at once, its *lanes*. If the count is not a multiple of
the lanes, the last step begins earlier, so that it ends with the last trip. What it repeats does
not count in reductions, and is harmless unless the loop loads what it stores; then the last step
is masked instead, or done one by one on machines that cannot load and store under a mask.

*Reductions* have one accumulator per lane, which are combined pairwise. Sums and products of floats
do so after each block of 4096 trips, so that rounding errors stay close to those of pairwise
summation. The order depends on the count (and the machine's vectors), not on threads.

*Threads.* If a loop is long, its body becomes a function of a range of trips, which the runtime
calls for chunks on several threads. Chunks depend on the count only; each leaves its part of a
reduction in a table, whose rows are combined in order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from autograph.kernels import ir
from autograph.kernels.ir import Number, Var
from autograph.kernels.llvm import text, uses
from autograph.kernels.llvm.frame import Frame
from autograph.kernels.llvm.instructions import Instructions
from autograph.kernels.llvm.lanes import Lanes
from autograph.kernels.llvm.shapes import Shapes
from autograph.kernels.llvm.statements import Statements
from autograph.kernels.llvm.widths import lanes_of

BLOCK = 4096  # trips whose sum or product is taken by itself
_WORTH_THREADS = 200_000.0  # nanoseconds of work of a loop
_WORTH_A_CHUNK = 25_000.0
_CHUNKS = 128  # at most
_MOST_LANES = 256
_LONG = 100  # statements of a loop that are not printed twice

_WORDS = {"+": "sum", "*": "product", "&": "and", "|": "or", "^": "xor"}


class Loops(Statements):
    """Prints statements outside of vector loops."""

    def statement(self, statement: ir.Statement) -> None:
        match statement:
            case ir.Each():
                self.each(statement)
            case ir.Multiply():
                self.multiply(statement)
            case _:
                super().statement(statement)

    def each(self, each: ir.Each) -> None:
        """Print a loop."""
        outermost = not self.frame.in_each
        if outermost and self._is_long(each):
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

    @staticmethod
    def _is_long(each: ir.Each) -> bool:
        if isinstance(each.count, Number):
            return int(each.count.value) > 1 and each.count.value * each.work > _WORTH_THREADS
        return each.mode == "parallel" or each.work > 100

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
            shapes = Shapes(each)
            lanes = lanes_of(each, shapes, self.frame.target)
            if lanes > 1:
                inner = Lanes(self.frame, shapes, lanes)
                return _VectorLoop(self, each, inner, end, outermost).print(begin, starts)

        return self.one_by_one(each, begin, end, outermost, starts)

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
        known = set(self.values)

        def trip(index: str, carried: list[str]) -> list[str]:
            self.values[each.index] = index
            self.block(each.body)
            if outermost:
                self.frame.end_trip()
            return [
                combine(self.scalars, r, part, self.scalar(r.value))
                for r, part in zip(each.reductions, carried)
            ]

        initial = _scalars(each, starts)
        results = counted(self, begin, end, "1", trip, initial, each.index.name)
        self.frame.forget(known)
        return results

    # -- threads -----------------------------------------------------------------------------------

    def _on_threads(self, each: ir.Each) -> list[str]:
        """Print the loop as a function, and a call that runs it in chunks."""
        captured = captures(each)
        unit = 1 if each.mode == "parallel" else BLOCK if each.reductions else _MOST_LANES
        count, grain = self.scalar(each.count), self._grain(each, unit)
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
        parallel = self.module.declare("i32", "ag_parallel", "ptr", "ptr", "i64", "i64")
        status = let(
            f"call i32 {parallel}(ptr {name}, ptr {context}, i64 {count}, i64 {grain})", "status"
        )
        self.frame.stop_with(status)
        if not each.reductions:
            return []
        rounded = let(f"add i64 {count}, {grain}")
        chunks = let(f"sdiv i64 {let(f'sub i64 {rounded}, 1')}, {grain}", "chunks")

        def add(chunk: str, carried: list[str]) -> list[str]:
            results = []
            for r, table, total in zip(each.reductions, tables, carried):
                type_ = text.scalar_type(r.out.dtype)
                at = let(f"getelementptr inbounds {type_}, ptr {table}, i64 {chunk}")
                part = let(f"load {type_}, ptr {at}, align {r.out.dtype.itemsize}")
                results.append(combine(self.scalars, r, total, part))
            return results

        starts = [text.constant(r.start) for r in each.reductions]
        return counted(self, "0", chunks, "1", add, _scalars(each, starts), "chunk")

    def _grain(self, each: ir.Each, unit: int) -> str:
        """How many trips a chunk has, a multiple of ``unit``."""
        least = max(math.ceil(_WORTH_A_CHUNK / max(each.work, 1e-3)), 1)
        if isinstance(each.count, Number):
            trips = max(least, -(-int(each.count.value) // _CHUNKS))
            return str(-(-trips // unit) * unit)
        let = self.function.let
        chunk = let(f"sdiv i64 {self.scalar(each.count)}, {_CHUNKS}")
        trips = let(f"add i64 {chunk}, 1")
        more = let(f"icmp sgt i64 {trips}, {least}")
        trips = let(f"select i1 {more}, i64 {trips}, i64 {least}")
        up = let(f"add i64 {trips}, {unit - 1}")
        return let(f"mul i64 {let(f'sdiv i64 {up}, {unit}')}, {unit}", "grain")

    def _outlined(self, each: ir.Each, passed: Sequence[Var | ir.Buffer | ir.Reduction]) -> str:
        """Print the loop as a function of a context and a range.

        Returns:
            Its name.
        """
        name = self.module.name(f"{self.frame.name}.trips")
        header = f"define internal i32 {name}(ptr noalias %context, i64 %from, i64 %to)"
        frame = Frame(
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

    # -- products of matrices ----------------------------------------------------------------------

    def multiply(self, s: ir.Multiply) -> None:
        """Call BLAS."""
        type_ = text.scalar_type(s.c.dtype)
        name = "cblas_sgemm" if s.c.dtype.itemsize == 4 else "cblas_dgemm"
        a, b, c = (
            self.address(buffer, self.scalar(start))
            for buffer, start in ((s.a, s.a_start), (s.b, s.b_start), (s.c, s.c_start))
        )
        row_major, plain, transposed = 101, 111, 112
        arguments = [
            ("i32", row_major),
            ("i32", transposed if s.a_transposed else plain),
            ("i32", transposed if s.b_transposed else plain),
            ("i64", s.rows),
            ("i64", s.columns),
            ("i64", s.inner),
            (type_, text.float_constant(s.alpha)),
            ("ptr", a),
            ("i64", max(s.a_stride, 1)),
            ("ptr", b),
            ("i64", max(s.b_stride, 1)),
            (type_, text.float_constant(s.beta)),
            ("ptr", c),
            ("i64", max(s.c_stride, 1)),
        ]
        gemm = self.module.declare("void", name, *[t for t, _ in arguments])
        self.function.do(f"call void {gemm}({', '.join(f'{t} {x}' for t, x in arguments)})")


class _VectorLoop:
    """A vector loop over a range of trips."""

    def __init__(
        self,
        outer: Loops,
        each: ir.Each,
        inner: Lanes,
        end: str,
        outermost: bool,
    ):
        self.outer = outer
        self.each = each
        self.end = end
        self.outermost = outermost
        self.inner = inner
        self.lanes = inner.lanes
        self.function = outer.function
        count = each.count
        self.count = int(count.value) if isinstance(count, Number) else None

    def print(self, begin: str, starts: Sequence[str]) -> list[str]:
        """Print the loop. Returns the reductions' values."""
        if not any(_rounds(r) for r in self.each.reductions) or (self.count or BLOCK + 1) <= BLOCK:
            return self._block(begin, self.end, starts)

        def block(index: str, carried: list[str]) -> list[str]:
            end = smaller(self.function, f"add i64 {index}, {BLOCK}", self.end)
            return self._block(index, end, carried)

        initial = _scalars(self.each, starts)
        return counted(self.outer, begin, self.end, str(BLOCK), block, initial, "block")

    def _block(self, begin: str, end: str, totals: Sequence[str]) -> list[str]:
        """Print the steps over a range, and combine the lanes."""
        each, lanes = self.each, self.inner
        accumulators = [
            (
                lanes.vectors.type(r.out.dtype),
                text.splat(self.lanes, text.scalar_type(r.out.dtype), text.constant(r.start)),
            )
            for r in each.reductions
        ]
        step, rest = str(self.lanes), None

        def combined(totals: Sequence[str], parts: Sequence[str]) -> list[str]:
            scalars = self.outer.scalars
            return [combine(scalars, *three) for three in zip(each.reductions, totals, parts)]

        if self.count is not None and self.count % self.lanes == 0:
            accumulated = counted(self.outer, begin, end, step, self._whole, accumulators, "i")
        elif self.count is not None and self.count >= self.lanes and not repeats_harm(each, self):
            accumulated = counted(self.outer, begin, end, step, self._ending, accumulators, "i")
        elif lanes.shapes.diverges or len(list(ir.walk(each.body))) > _LONG:
            body = self._masked(end)
            accumulated = counted(self.outer, begin, end, step, body, accumulators, "i")
        else:
            until = self._whole_until(begin, end)
            accumulated = counted(self.outer, begin, until, step, self._whole, accumulators, "i")
            if self.outer.frame.target.masked_memory:
                accumulated = self._masked_rest(until, end, accumulators, accumulated)
            else:
                rest = self.outer.one_by_one(each, until, end, self.outermost)
        parts = [self._together(r, x) for r, x in zip(each.reductions, accumulated)]
        totals = combined(totals, parts)
        return totals if rest is None else combined(totals, rest)

    def _whole_until(self, begin: str, end: str) -> str:
        """Where steps end that are whole."""
        let = self.function.let
        whole = let(f"and i64 {let(f'sub i64 {end}, {begin}')}, {-self.lanes}")
        return let(f"add i64 {begin}, {whole}", "whole")

    def _masked_rest(
        self, until: str, end: str, accumulators: list[tuple[str, str]], values: list[str]
    ) -> list[str]:
        """A step with a mask if trips remain."""
        function = self.function
        rest, after = function.new_label("rest"), function.new_label("after")
        before = function.label
        function.branch(function.let(f"icmp slt i64 {until}, {end}"), rest, after)
        function.start(rest)
        more = self._masked(end)(until, values)
        last = function.label
        function.start(after)
        return [
            function.phi(type_, [(a, before), (b, last)])
            for (type_, _), a, b in zip(accumulators, values, more)
        ]

    # -- steps -------------------------------------------------------------------------------------

    def _whole(self, index: str, carried: list[str]) -> list[str]:
        """A step in which all lanes are trips of their own."""
        return self._step(index, carried, None)

    def _ending(self, index: str, carried: list[str]) -> list[str]:
        """A step that does not go beyond the last trip, and may repeat some instead."""
        let = self.function.let
        first = smaller(self.function, index, str(self.count - self.lanes))
        fresh = None
        if self.each.reductions:
            repeated = let(f"trunc i64 {let(f'sub i64 {index}, {first}')} to i32", "repeated")
            fresh = self._compared("sge", repeated)
        return self._step(first, carried, fresh)

    def _masked(self, end: str) -> Callable[[str, list[str]], list[str]]:
        """A step whose lanes beyond the last trip are not active."""

        def step(index: str, carried: list[str]) -> list[str]:
            remaining = smaller(self.function, f"sub i64 {end}, {index}", str(self.lanes))
            here = self.function.let(f"trunc i64 {remaining} to i32", "remaining")
            self.inner.mask = self._compared("slt", here)
            results = self._step(index, carried, self.inner.mask)
            self.inner.mask = None
            return results

        return step

    def _compared(self, how: str, limit: str) -> str:
        """The lanes whose number compares to a limit, an i32, in a way."""
        lanes = self.inner
        limits = lanes.spread(ir.INT, limit)
        return self.function.let(
            f"icmp {how} {lanes.vectors.type(ir.INT)} {lanes.iota(ir.INT)}, {limits}", "mask"
        )

    def _step(self, first: str, carried: list[str], counting: str | None) -> list[str]:
        """One step: the trips from ``first`` on. Those of the mask ``counting`` are reduced."""
        lanes, each, values = self.inner, self.each, self.outer.values
        known = set(values)
        values[each.index] = first
        lanes._spread = {}
        lanes.block(each.body)
        results = []
        for r, part in zip(each.reductions, carried):
            combined = combine(lanes.vectors, r, part, lanes.vector(r.value))
            if counting is not None:
                combined = lanes.blend(counting, lanes.vectors.type(r.out.dtype), combined, part)
            results.append(combined)
        if self.outermost:
            self.outer.frame.end_trip()
        self.outer.frame.forget(known)
        return results

    def _together(self, reduction: ir.Reduction, vector: str) -> str:
        """The lanes of an accumulator combined."""
        frame, dtype = self.outer.frame, reduction.out.dtype
        element, type_ = text.scalar_type(dtype), self.inner.vectors.type(dtype)

        def define(at: str) -> str:
            """A function that combines halves with each other, until one lane is left."""
            function = text.Function(f"define internal {element} {at}({type_} %x) alwaysinline")
            width, x = self.lanes, "%x"
            while width > 1:
                width //= 2
                halves = [
                    function.let(
                        f"shufflevector <{2 * width} x {element}> {x}, <{2 * width} x {element}> "
                        f"poison, <{width} x i32> <{numbers}>"
                    )
                    for numbers in (_sequence(0, width), _sequence(width, 2 * width))
                ]
                instructions = Instructions(frame.module, frame.target, function, width)
                x = combine(instructions, reduction, *halves)
            function.do(
                f"ret {element} {function.let(f'extractelement <1 x {element}> {x}, i64 0')}"
            )
            return str(function)

        word = _WORDS.get(reduction.combine, reduction.combine)
        helper = frame.module.helper(f"{word}.{dtype.kind}{dtype.itemsize}.{self.lanes}", define)
        return self.function.let(f"call {element} {helper}({type_} {vector})", reduction.out.name)


def repeats_harm(each: ir.Each, loop: _VectorLoop) -> bool:
    """Whether running a trip again may store something else, since it loads what is stored."""
    shapes, module = loop.inner.shapes, loop.outer.module
    statements = list(ir.walk(each.body))
    stored = {
        module.group(s.buffer)
        for s in statements
        if isinstance(s, ir.Store) and not shapes.is_private(s.buffer)
    }
    loaded = {module.group(s.buffer) for s in statements if isinstance(s, ir.Load)}
    return bool(stored & loaded)


def combine(instructions: Instructions, reduction: ir.Reduction, total: str, value: str) -> str:
    """Two values of a reduction combined."""
    dtype = reduction.out.dtype
    return instructions.compute(reduction.combine, dtype, dtype, [total, value])


def counted(
    printer: Statements,
    begin: str,
    end: str,
    step: str,
    body: Callable[[str, list[str]], list[str]],
    carried: Sequence[tuple[str, str]],
    hint: str | None,
) -> list[str]:
    """Print a loop over ``range(begin, end, step)``.

    Args:
        body: prints a trip: from the index and what is carried, what is carried on.
        carried: types and initial values.

    Returns:
        What the last trip carried on.
    """
    function = printer.function
    before = function.label
    head, inside, after = map(function.new_label, ("each", "trip", "after"))
    function.start(head)
    index = function.open_phi("i64", hint)
    index.add(begin, before)
    phis = [function.open_phi(type_) for type_, _ in carried]
    for phi, (_, initial) in zip(phis, carried):
        phi.add(initial, before)
    function.branch(function.let(f"icmp slt i64 {index.name}, {end}"), inside, after)
    function.start(inside)
    following = body(index.name, [phi.name for phi in phis])
    advanced = function.let(f"add nuw nsw i64 {index.name}, {step}")
    index.add(advanced, function.label)
    for phi, value in zip(phis, following):
        phi.add(value, function.label)
    function.jump(head)
    function.start(after)
    return [phi.name for phi in phis]


def smaller(function: text.Function, value: str, limit: str) -> str:
    """The smaller one of two i64. ``value`` may be an instruction."""
    if " " in value:
        value = function.let(value)
    fits = function.let(f"icmp slt i64 {value}, {limit}")
    return function.let(f"select i1 {fits}, i64 {value}, i64 {limit}")


def captures(each: ir.Each) -> list[Var | ir.Buffer]:
    """The variables and buffers from outside of a loop that its trips use."""
    made: set[Var | ir.Buffer] = {each.index}
    used: dict[Var | ir.Buffer, None] = {}

    def use(buffer: ir.Buffer) -> None:
        if buffer.kind == "record":
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
    return [x for x in used if not isinstance(x, Number) and x not in made]


def _scalars(each: ir.Each, starts: Sequence[str]) -> list[tuple[str, str]]:
    return [(text.scalar_type(r.out.dtype), start) for r, start in zip(each.reductions, starts)]


def _sequence(first: int, last: int) -> str:
    return ", ".join(f"i32 {k}" for k in range(first, last))


def _rounds(reduction: ir.Reduction) -> bool:
    return reduction.out.dtype.kind == "f" and reduction.combine in "+*"
