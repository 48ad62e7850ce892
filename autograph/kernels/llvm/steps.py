"""Loops of independent trips as vectors: a step runs one trip in each lane.

If the count is not a multiple of the lanes, the last step begins earlier, so that it ends with the
last trip. What it repeats does not count in reductions, and is harmless unless the loop loads what
it stores; then the last step is masked instead, or done one by one on machines that cannot load and
store under a mask. Floats are reduced by the same lanes either way: what a loop loads and stores
besides may change when its kernel is optimised, and bits may not.

Reductions have one accumulator per lane, which are combined pairwise. Sums and products of floats
do so after each block of 4096 trips, so that rounding errors stay close to those of pairwise
summation. The sums of blocks of float32, which are shorter, are added up as doubles. The order
depends on the count (and the machine's vectors), not on threads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Number
from autograph.kernels.llvm import text
from autograph.kernels.llvm.counting import (
    WORDS,
    Trip,
    carried_wide,
    combine,
    combine_wide,
    counted,
    is_wide,
    rounded,
    smaller,
)
from autograph.kernels.llvm.instructions import Instructions
from autograph.kernels.llvm.lanes import LanePrinter
from autograph.kernels.llvm.statements import Statements

BLOCK = 4096  # trips whose sum or product is taken by itself
SHORT_BLOCK = 1024  # where only float32 is summed

_LONG = 100  # statements of a loop that are not printed twice
_FEW = 8  # steps that LLVM may unroll
_UNROLLED = 128  # statements of all these steps


class VectorLoop:
    """A vector loop over a range of trips."""

    def __init__(
        self,
        outer: Statements,
        each: ir.Each,
        inner: LanePrinter,
        end: str,
        outermost: bool,
        one_by_one: Callable[[str, str], list[str]],
    ):
        """Prepare to print a loop.

        Args:
            outer: prints what is around it.
            inner: prints a step.
            end: where the range ends.
            outermost: whether no other `Each` is around it.
            one_by_one: prints the trips of a range on scalars, and returns what they reduce to.
        """
        self.outer = outer
        self.one_by_one = one_by_one
        self.each = each
        self.end = end
        self.outermost = outermost
        self.inner = inner
        self.lanes = inner.lanes
        self.function = outer.function
        self.statements = sum(1 for _ in ir.walk(each.body))
        count = each.count
        self.count = int(count.value) if isinstance(count, Number) else None

    def print(self, begin: str, starts: Sequence[str]) -> list[str]:
        """Print the loop. Returns the reductions' values."""
        if not any(_rounds(r) for r in self.each.reductions) or (self.count or BLOCK + 1) <= BLOCK:
            return self._block(begin, self.end, starts)

        reductions = self.each.reductions
        wide = [is_wide(r) for r in reductions]
        neutral = [text.constant(r.start) for r in reductions]
        length = SHORT_BLOCK if all(wide) else BLOCK

        def block(index: str, carried: list[str]) -> list[str]:
            end = smaller(self.function, f"add i64 {index}, {length}", self.end)
            own = [n if w else c for n, w, c in zip(neutral, wide, carried)]
            parts = self._block(index, end, own)
            return [
                combine_wide(self.outer.scalars, r, c, p) if w else p
                for r, c, p, w in zip(reductions, carried, parts, wide)
            ]

        initial = carried_wide(self.function, self.each, starts)
        found = counted(self.outer, begin, self.end, str(length), block, initial, "block")
        return rounded(self.function, self.each, found)

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
        rest = None

        def steps(until: str, body: Trip) -> list[str]:
            step, plain = str(self.lanes), not self._may_unroll()
            return counted(self.outer, begin, until, step, body, accumulators, "i", plain)

        def combined(totals: Sequence[str], parts: Sequence[str]) -> list[str]:
            scalars = self.outer.scalars
            return [combine(scalars, *three) for three in zip(each.reductions, totals, parts)]

        count = self.count
        if count is not None and count % self.lanes == 0:
            accumulated = steps(end, self._whole)
        elif count is not None and count >= self.lanes and not repeats_harm(each, self):
            accumulated = steps(end, self._ending(count))
        elif lanes.shapes.diverges or self._is_long() or (count or self.lanes) < self.lanes:
            accumulated = steps(end, self._under_mask(end))
        else:
            until = self._whole_until(begin, end)
            accumulated = steps(until, self._whole)
            if self.outer.frame.target.masked_memory or self._ends_with_last_trip():
                accumulated = self._masked_rest(until, end, accumulators, accumulated)
            else:
                rest = self.one_by_one(until, end)
        parts = [self._together(r, x) for r, x in zip(each.reductions, accumulated)]
        totals = combined(totals, parts)
        return totals if rest is None else combined(totals, rest)

    def _is_long(self) -> bool:
        """Whether the body should not be printed twice."""
        return self.outer.module.large or self.statements > _LONG

    def _may_unroll(self) -> bool:
        """Whether LLVM may unroll the loop: if there are few steps. What they accumulate in memory
        can stay in registers then, in a loop around this one."""
        if self.outer.module.large or self.count is None or self.count // self.lanes > _FEW:
            return False
        return self.count // self.lanes * self.statements <= _UNROLLED

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
        more = self._under_mask(end)(until, values)
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

    def _ends_with_last_trip(self) -> bool:
        """Whether the last step begins earlier also where it may not repeat trips."""
        rounds = any(r.out.dtype.kind == "f" for r in self.each.reductions)
        return rounds and self.count is not None and self.count >= self.lanes

    def _under_mask(self, end: str) -> Trip:
        """A step whose lanes are active that have trips of their own."""
        if self.count is not None and self._ends_with_last_trip():
            return self._ending(self.count, repeats=False)
        return self._masked(end)

    def _ending(self, count: int, repeats: bool = True) -> Trip:
        """A step that does not go beyond the last trip, and may repeat some instead, or, where that
        would do harm, has lanes that are not active."""
        let = self.function.let

        def step(index: str, carried: list[str]) -> list[str]:
            first = smaller(self.function, index, str(count - self.lanes))
            fresh = None
            if self.each.reductions:
                repeated = let(f"trunc i64 {let(f'sub i64 {index}, {first}')} to i32", "repeated")
                fresh = self._compared("sge", repeated)
            self.inner.mask = None if repeats else fresh
            results = self._step(first, carried, fresh)
            self.inner.mask = None
            return results

        return step

    def _masked(self, end: str) -> Trip:
        """A step whose lanes beyond the last trip are not active."""

        def step(index: str, carried: list[str]) -> list[str]:
            remaining = smaller(self.function, f"sub i64 {end}, {index}", str(self.lanes))
            here = self.function.let(f"trunc i64 {remaining} to i32", "remaining")
            self.inner.mask = mask = self._compared("slt", here)
            if self.count is not None and self.count < self.lanes:
                self.inner.first = mask, self.count
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
        known = len(values)
        values[each.index] = first
        lanes.restore(({}, {}))
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
            function = text.LlvmFunction(f"define internal {element} {at}({type_} %x) alwaysinline")
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

        word = WORDS.get(reduction.combine, reduction.combine)
        helper = frame.module.helper(f"{word}.{dtype.kind}{dtype.itemsize}.{self.lanes}", define)
        return self.function.let(f"call {element} {helper}({type_} {vector})", reduction.out.name)


def repeats_harm(each: ir.Each, loop: VectorLoop) -> bool:
    """Whether running a trip again may store something else, since it loads what is stored."""
    shapes, module = loop.inner.shapes, loop.outer.module
    statements = list(ir.walk(each.body))
    stored: set[int] = set()
    loaded: set[int] = set()
    for s in statements:
        if isinstance(s, ir.Store) and not shapes.is_private(s.buffer):
            stored.add(module.group(s.buffer))
        elif isinstance(s, ir.Load):
            loaded |= module.groups_at(s.buffer)
    return not stored.isdisjoint(loaded)


def _sequence(first: int, last: int) -> str:
    return ", ".join(f"i32 {k}" for k in range(first, last))


def _rounds(reduction: ir.Reduction) -> bool:
    return reduction.out.dtype.kind == "f" and reduction.combine in "+*"
