"""Reductions of loops that are vectors once they are optimised, and go one by one in code that is
made quickly: each trip reduces its value to the lane that it has in a vector (see `steps`), and the
lanes, which lie in memory, are combined in the same order. So the bits are the same."""

from __future__ import annotations

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Number
from autograph.kernels.llvm import text
from autograph.kernels.llvm.counting import WORDS, combine
from autograph.kernels.llvm.instructions import Instructions
from autograph.kernels.llvm.statements import Statements


class LaneSums:
    """The lanes of a loop's reductions, in memory.

    Args:
        printer: prints the loop, whose count is a number.
        lanes: a power of two.
    """

    def __init__(self, printer: Statements, each: ir.Each, lanes: int):
        assert isinstance(each.count, Number)
        self._printer = printer
        self._each = each
        self._lanes = lanes
        self._count = int(each.count.value)
        self._memory = [self._begun(r) for r in each.reductions]

    def add(self, index: str) -> None:
        """Print what a trip reduces, after its body."""
        let, scalars = self._printer.function.let, self._printer.scalars
        lane = self._lane(index)
        for r, memory in zip(self._each.reductions, self._memory):
            type_, nbytes = text.scalar_type(r.out.dtype), r.out.dtype.itemsize
            at = let(f"getelementptr inbounds {type_}, ptr {memory}, i64 {lane}")
            total = let(f"load {type_}, ptr {at}, align {nbytes}")
            total = combine(scalars, r, total, self._printer.scalar(r.value))
            self._printer.function.do(f"store {type_} {total}, ptr {at}, align {nbytes}")

    def combined(self) -> list[str]:
        """The results, after the last trip."""
        let, found = self._printer.function.let, []
        for r, memory in zip(self._each.reductions, self._memory):
            call = f"call {text.scalar_type(r.out.dtype)} {self._combining(r)}(ptr {memory})"
            found.append(let(call, r.out.name))
        return found

    def _begun(self, r: ir.Reduction) -> str:
        """Memory in which no trip has been yet."""
        function, type_ = self._printer.function, text.scalar_type(r.out.dtype)
        memory = function.alloca(type_, self._lanes, 64, "lanes")
        for lane in range(self._lanes):
            at = function.let(f"getelementptr inbounds {type_}, ptr {memory}, i64 {lane}")
            start = text.constant(r.start)
            function.do(f"store {type_} {start}, ptr {at}, align {r.out.dtype.itemsize}")
        return memory

    def _lane(self, index: str) -> str:
        """The lane of a trip: that of the last step begins earlier, and ends with the last trip."""
        let, last = self._printer.function.let, self._count - self._lanes
        if last <= 0:
            return index
        lane = let(f"and i64 {index}, {self._lanes - 1}")
        rest = self._count % self._lanes
        if not rest:
            return lane
        is_whole = let(f"icmp slt i64 {index}, {self._count - rest}")
        return let(f"select i1 {is_whole}, i64 {lane}, i64 {let(f'sub i64 {index}, {last}')}")

    def _combining(self, r: ir.Reduction) -> str:
        """A function that combines halves of the lanes, until one is left."""
        module, target = self._printer.frame.module, self._printer.frame.target
        type_, nbytes = text.scalar_type(r.out.dtype), r.out.dtype.itemsize

        def define(name: str) -> str:
            function = text.LlvmFunction(f"define internal {type_} {name}(ptr %x)")
            scalars = Instructions(module, target, function, None)
            places = [
                function.let(f"getelementptr inbounds {type_}, ptr %x, i64 {lane}")
                for lane in range(self._lanes)
            ]
            left = [function.let(f"load {type_}, ptr {at}, align {nbytes}") for at in places]
            while len(left) > 1:
                half = len(left) // 2
                left = [combine(scalars, r, *pair) for pair in zip(left[:half], left[half:])]
            function.do(f"ret {type_} {left[0]}")
            return str(function)

        word = WORDS.get(r.combine, r.combine)
        return module.helper(f"{word}.{r.out.dtype.kind}{nbytes}.of.{self._lanes}", define)
