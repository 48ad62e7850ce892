"""Functions that stand alone: no runtime beside them, no threads, no memory but what the module
itself has.

All memory is in the module, so that its need is known, and one call at a time may run. What is
reserved is never given back before the function ends. Nobody asks whether the user wants it to end.
"""

from __future__ import annotations

from autograph.kernels.ir.reserved import ALIGNMENT
from autograph.kernels.llvm import text
from autograph.kernels.llvm.frame import NO_MEMORY, FunctionFrame

_ON_STACK = 256  # bytes of a block: stacks are small where there is no system


class FreestandingFrame(FunctionFrame):
    """The frame of a function that stands alone."""

    hosted = False
    small = _ON_STACK

    @property
    def static_bytes(self) -> int:
        """How many bytes of the module's memory it has, besides what it reserves."""
        return self._scratch_bytes

    # -- memory ------------------------------------------------------------------------------------

    def memory(self, type_: str, itemsize: int, count: int, hint: str | None = None) -> str:
        if itemsize * count <= _ON_STACK:
            return self.function.alloca(type_, count, 16, hint)
        return self.scratch(itemsize * count, hint)

    def scratch(self, nbytes: int, hint: str | None = None) -> str:
        name = self.module.name(hint or "scratch")
        self._scratch_bytes += nbytes
        self.module.define(f"{name} = internal global [{nbytes} x i8] zeroinitializer, align 64")
        return name

    def begin(self, room: int) -> None:
        """Say how many bytes may be reserved, before the first statement."""
        self.module.define(
            f"@ag.reserved = internal global [{room} x i8] zeroinitializer, align 64"
        )
        self.module.define(f"@ag.room = internal constant i64 {room}")
        self.module.define("@ag.left = internal global i64 0")
        self.function.do(f"store i64 {room}, ptr @ag.left, align 8")

    def reserve(self, nbytes: str) -> str:
        let = self.function.let
        left = let("load i64, ptr @ag.left, align 8", "left")
        padded = let(f"add i64 {nbytes}, {ALIGNMENT - 1}")
        needed = let(f"and i64 {padded}, {-ALIGNMENT}", "needed")
        self.stop_unless(let(f"icmp ule i64 {needed}, {left}"), NO_MEMORY)
        self.function.do(f"store i64 {let(f'sub i64 {left}, {needed}')}, ptr @ag.left, align 8")
        room = let("load i64, ptr @ag.room, align 8")
        offset = let(f"sub i64 {room}, {left}")
        at = let(f"getelementptr i8, ptr @ag.reserved, i64 {offset}")
        return let(f"ptrtoint ptr {at} to i64", "reserved")

    def take(self, nbytes: str) -> str:
        raise NotImplementedError("memory that stays when the function ends")

    def arena_mark(self) -> tuple[str, str]:
        return "0", "null"

    def rewind_arena(self, mark: tuple[str, str], newest: str, nbytes: str) -> None:
        """What is reserved stays."""

    def end_trip(self) -> None:
        """What is reserved stays."""

    # -- ways out ----------------------------------------------------------------------------------

    def count_trip(self, weight: int = 1) -> str:
        return "true"

    def count_trips(self, number: str, work: int) -> None:
        """Nobody asks."""

    def ask(self) -> None:
        """Nobody asks."""


def product(type_: str, name: str) -> str:
    """The text of a function, of the type and with the name with its ``@``, that is CBLAS' product
    of matrices row by row, as loops."""
    return (
        _PRODUCT.replace("TYPE", type_)
        .replace("NAME", name)
        .replace("ZERO", text.float_constant(0.0))
    )


_PRODUCT = """\
define internal void NAME(i32 %order, i32 %a_turned, i32 %b_turned, i64 %rows, i64 %columns,
    i64 %inner, TYPE %alpha, ptr %a, i64 %a_stride, ptr %b, i64 %b_stride, TYPE %beta, ptr %c,
    i64 %c_stride) nounwind {
entry:
  %a_plain = icmp eq i32 %a_turned, 111
  %b_plain = icmp eq i32 %b_turned, 111
  %a_row = select i1 %a_plain, i64 %a_stride, i64 1
  %a_column = select i1 %a_plain, i64 1, i64 %a_stride
  %b_row = select i1 %b_plain, i64 %b_stride, i64 1
  %b_column = select i1 %b_plain, i64 1, i64 %b_stride
  %fresh = fcmp oeq TYPE %beta, ZERO
  br label %each_row
each_row:
  %i = phi i64 [ 0, %entry ], [ %i_next, %row_ends ]
  %in_rows = icmp slt i64 %i, %rows
  br i1 %in_rows, label %each_column, label %end
each_column:
  %j = phi i64 [ 0, %each_row ], [ %j_next, %store ]
  %in_columns = icmp slt i64 %j, %columns
  br i1 %in_columns, label %each_term, label %row_ends
each_term:
  %k = phi i64 [ 0, %each_column ], [ %k_next, %term ]
  %total = phi TYPE [ ZERO, %each_column ], [ %more, %term ]
  %in_inner = icmp slt i64 %k, %inner
  br i1 %in_inner, label %term, label %store
term:
  %a_i = mul i64 %i, %a_row
  %a_k = mul i64 %k, %a_column
  %a_at = add i64 %a_i, %a_k
  %a_pointer = getelementptr inbounds TYPE, ptr %a, i64 %a_at
  %x = load TYPE, ptr %a_pointer
  %b_k = mul i64 %k, %b_row
  %b_j = mul i64 %j, %b_column
  %b_at = add i64 %b_k, %b_j
  %b_pointer = getelementptr inbounds TYPE, ptr %b, i64 %b_at
  %y = load TYPE, ptr %b_pointer
  %xy = fmul TYPE %x, %y
  %more = fadd TYPE %total, %xy
  %k_next = add i64 %k, 1
  br label %each_term
store:
  %c_i = mul i64 %i, %c_stride
  %c_at = add i64 %c_i, %j
  %c_pointer = getelementptr inbounds TYPE, ptr %c, i64 %c_at
  %before = load TYPE, ptr %c_pointer
  %kept = fmul TYPE %beta, %before
  %added = select i1 %fresh, TYPE ZERO, TYPE %kept
  %scaled = fmul TYPE %alpha, %total
  %result = fadd TYPE %scaled, %added
  store TYPE %result, ptr %c_pointer
  %j_next = add i64 %j, 1
  br label %each_column
row_ends:
  %i_next = add i64 %i, 1
  br label %each_row
end:
  ret void
}"""
