"""Calls of NumPy's functions that sort: ``int sort(void *values, npy_intp count, void *array)`` and
``int argsort(void *values, npy_intp *places, npy_intp count, void *array)``, where the array is one
of the dtype. They do not give 0 where they find no memory."""

from __future__ import annotations

from autograph.kernels.ir import ir
from autograph.kernels.llvm.frame import NO_MEMORY
from autograph.kernels.llvm.statements import Statements


def call(printer: Statements, s: ir.SortCall) -> None:
    """Print a call, and leave the function if there is no memory."""
    function, module = printer.function, printer.module
    places = [printer.address(buffer, printer.scalar(start)) for buffer, start in s.starts]
    count = printer.scalar(s.count) if isinstance(s.count, ir.Operand) else str(s.count)
    name = module.declare("i32", s.symbol, *["ptr"] * len(places), "i64", "ptr")
    array = module.outside(f"{s.symbol}.array")
    given = ", ".join((*(f"ptr {place}" for place in places), f"i64 {count}", f"ptr {array}"))
    failed = function.let(f"icmp ne i32 {function.let(f'call i32 {name}({given})')}, 0")
    printer.frame.stop_with(function.let(f"select i1 {failed}, i32 {NO_MEMORY}, i32 0", "status"))
