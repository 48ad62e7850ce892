"""Calls of the loops of NumPy's generalised ufuncs.

A loop returns nothing. Where it finds no memory it sets a Python exception, for which it takes the
GIL, and writes no result. So the first bytes of the result say before what no loop is likely to
write, and Python is asked only if they still do. Where the result is put in the place of an
operand, these are the operand's. A loop of linear algebra sets the flag of invalid operations where
a matrix is singular, and clears it otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograph.kernels.ir import ir
from autograph.kernels.llvm.frame import GAVE_UP, INTERRUPTED
from autograph.kernels.llvm.statements import Statements
from autograph.kernels.llvm.text import LlvmModule

_ALL_FLAGS, _INVALID = 0x3F, 1  # of <fenv.h>: those of x86, of which others have no more
_UNWRITTEN = 0x5EAF00D  # the first bytes of a result before it is there


def call(printer: Statements, s: ir.InnerLoopCall) -> None:
    """Print a call, and leave the function if the loop fails."""
    function, module = printer.function, printer.module

    def table(type_: str, items: Sequence[str], hint: str) -> str:
        start = function.alloca(type_, len(items), 16, hint)
        for k, item in enumerate(items):
            at = function.let(f"getelementptr inbounds {type_}, ptr {start}, i64 {k}")
            function.do(f"store {type_} {item}, ptr {at}, align 8")
        return start

    def measure(length: int | ir.Operand) -> str:
        return printer.scalar(length) if isinstance(length, ir.Operand) else str(length)

    places = [
        printer.address(buffer, printer.scalar(start))
        for buffer, start in (*s.operands, *s.results)
    ]
    tables = (
        table("ptr", places, "arguments"),
        table("i64", [measure(n) for n in s.lengths], "lengths"),
        table("i64", [measure(n) for n in s.steps], "steps"),
    )
    name = module.declare("void", s.symbol, "ptr", "ptr", "ptr", "ptr")
    data = module.outside(f"{s.symbol}.data")
    result, before = places[len(s.operands)], str(_UNWRITTEN)
    same = module.groups_at(s.results[0][0])
    if any(module.group(buffer) in same for buffer, _ in s.operands):
        before = function.let(f"load i32, ptr {result}, align 4", "before")
    else:
        function.do(f"store i32 {before}, ptr {result}, align 4")
    given = ", ".join(f"ptr {x}" for x in (name, *tables, data, result))
    checked = module.helper("inner_loop", lambda name: _checked(module, name))
    flag = "true" if s.fails else "false"
    given += f", i32 {before}, i1 {flag}"
    printer.frame.stop_with(function.let(f"call i32 {checked}({given})", "status"))


def _checked(module: LlvmModule, name: str) -> str:
    """A function that calls a loop, and says how a kernel ends that it fails in, or 0. It is one of
    its own, so that no operation whose flags count moves to where they are read."""
    module.declare("i32", "PyGILState_Ensure")
    module.declare("ptr", "PyErr_Occurred")
    module.declare("void", "PyGILState_Release", "i32")
    module.declare("i32", "feclearexcept", "i32")
    module.declare("i32", "fetestexcept", "i32")
    return f"""\
define internal i32 {name}(ptr %loop, ptr %arguments, ptr %lengths, ptr %steps, ptr %data, \
ptr %result, i32 %before, i1 %fails) noinline nounwind {{
  br i1 %fails, label %clear, label %compute
clear:
  %cleared = call i32 @feclearexcept(i32 {_ALL_FLAGS})
  br label %compute
compute:
  call void %loop(ptr %arguments, ptr %lengths, ptr %steps, ptr %data)
  %first = load i32, ptr %result, align 4
  %unwritten = icmp eq i32 %first, %before
  br i1 %unwritten, label %ask, label %computed
ask:
  %gil = call i32 @PyGILState_Ensure()
  %exception = call ptr @PyErr_Occurred()
  call void @PyGILState_Release(i32 %gil)
  %none = icmp eq ptr %exception, null
  br i1 %none, label %computed, label %raised
raised:
  ret i32 {INTERRUPTED}
computed:
  br i1 %fails, label %check, label %done
check:
  %flags = call i32 @fetestexcept(i32 {_INVALID})
  %invalid = icmp ne i32 %flags, 0
  br i1 %invalid, label %failed, label %done
failed:
  ret i32 {GAVE_UP}
done:
  ret i32 0
}}"""
