"""Calls of Python's functions.

A kernel takes the GIL for a call, whether it runs with it or without, and makes Python's numbers of
its scalars; of the start of an array, and of where a result goes, it passes the address. An
exception stays where Python has it, and the kernel ends.
"""

from __future__ import annotations

from autograph.kernels.ir import ir
from autograph.kernels.llvm.frame import INTERRUPTED
from autograph.kernels.llvm.statements import Statements
from autograph.kernels.llvm.text import LlvmModule, scalar_type

_FROM_LONG, _FROM_BITS = "PyLong_FromLongLong", "PyLong_FromUnsignedLongLong"
_FROM_FLOAT, _FROM_BOOL = "PyFloat_FromDouble", "PyBool_FromLong"


def call(printer: Statements, s: ir.PythonCall) -> None:
    """Print a call, and leave the function if it raises."""
    function, module = printer.function, printer.module
    given = [_argument(printer, x) for x in (*s.given, *s.results)]  # before the GIL is taken
    state = function.let(f"call i32 {module.declare('i32', 'PyGILState_Ensure')}()")
    start = function.alloca("ptr", max(len(given), 1), 16, "arguments")
    for k, (maker, operand) in enumerate(given):
        type_ = operand.partition(" ")[0]
        made = function.let(f"call ptr {module.declare('ptr', maker, type_)}({operand})")
        at = function.let(f"getelementptr inbounds ptr, ptr {start}, i64 {k}")
        function.do(f"store ptr {made}, ptr {at}, align 8")
    called = module.outside(s.symbol)
    helper = module.helper("python_call", lambda name: _helper(module, name))
    status = f"call i32 {helper}(ptr {called}, ptr {start}, i64 {len(given)}, i32 {state})"
    printer.frame.stop_with(function.let(status, "status"))


def _argument(printer: Statements, x: ir.Operand | tuple[ir.Buffer, ir.Operand]) -> tuple[str, str]:
    """The function that makes a Python object of something, and what it is given."""
    let = printer.function.let
    if isinstance(x, tuple):
        address = printer.address(x[0], printer.scalar(x[1]))
        return _FROM_BITS, f"i64 {let(f'ptrtoint ptr {address} to i64')}"
    value, dtype = printer.scalar(x), x.dtype
    type_ = scalar_type(dtype)
    if dtype.kind == "f":
        wide = value if type_ == "double" else let(f"fpext {type_} {value} to double")
        return _FROM_FLOAT, f"double {wide}"
    if dtype.kind == "b":
        return _FROM_BOOL, f"i64 {let(f'zext i1 {value} to i64')}"
    is_signed = dtype.kind == "i"
    if dtype.itemsize < 8:
        value = let(f"{'sext' if is_signed else 'zext'} {type_} {value} to i64")
    return (_FROM_LONG if is_signed else _FROM_BITS), f"i64 {value}"


def _helper(module: LlvmModule, name: str) -> str:
    """A function that calls Python with the GIL, gives it back, and says how the kernel ends: 0 if
    it goes on. One of the arguments is null if there is no memory for it, and an exception then."""
    module.declare("ptr", "PyObject_VectorcallDict", "ptr", "ptr", "i64", "ptr")
    module.declare("void", "Py_DecRef", "ptr")
    module.declare("void", "PyGILState_Release", "i32")
    return f"""\
define internal i32 {name}(ptr %called, ptr %arguments, i64 %count, i32 %gil) noinline nounwind {{
  br label %look
look:
  %i = phi i64 [0, %0], [%next, %there]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %one, label %call
one:
  %at = getelementptr inbounds ptr, ptr %arguments, i64 %i
  %object = load ptr, ptr %at, align 8
  %is_null = icmp eq ptr %object, null
  br i1 %is_null, label %give, label %there
there:
  %next = add i64 %i, 1
  br label %look
call:
  %found = call ptr @PyObject_VectorcallDict(ptr %called, ptr %arguments, i64 %count, ptr null)
  call void @Py_DecRef(ptr %found)
  %failed = icmp eq ptr %found, null
  %status = select i1 %failed, i32 {INTERRUPTED}, i32 0
  br label %give
give:
  %result = phi i32 [{INTERRUPTED}, %one], [%status, %call]
  br label %drop
drop:
  %k = phi i64 [0, %give], [%following, %dropped]
  %rest = icmp slt i64 %k, %count
  br i1 %rest, label %dropped, label %end
dropped:
  %place = getelementptr inbounds ptr, ptr %arguments, i64 %k
  %argument = load ptr, ptr %place, align 8
  call void @Py_DecRef(ptr %argument)
  %following = add i64 %k, 1
  br label %drop
end:
  call void @PyGILState_Release(i32 %gil)
  ret i32 %result
}}"""
