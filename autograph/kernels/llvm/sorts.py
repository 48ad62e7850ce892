"""Calls of NumPy's functions that sort: ``int sort(void *values, npy_intp count, void *array)`` and
``int argsort(void *values, npy_intp *places, npy_intp count, void *array)``, where the array is one
of the dtype. They do not give 0 where they find no memory.

Partitions are those of NumPy's C API, of an array that stands for the memory while it is called."""

from __future__ import annotations

from autograph.kernels.ir import ir, partitions
from autograph.kernels.llvm.frame import INTERRUPTED, NO_MEMORY
from autograph.kernels.llvm.statements import Statements
from autograph.kernels.llvm.text import LlvmModule

_DATA = 16  # where an array has the address of its elements, in bytes
_FLAGS = 0x501  # contiguous, aligned, and writeable


def call(printer: Statements, s: ir.SortCall) -> None:
    """Print a call, and leave the function if there is no memory."""
    function, module = printer.function, printer.module
    places = [printer.address(buffer, printer.scalar(start)) for buffer, start in s.starts]
    count = printer.scalar(s.count) if isinstance(s.count, ir.Operand) else str(s.count)
    array = module.outside(f"{s.symbol}.array")
    if partitions.is_kind(s.kind):
        kth = module.outside(f"{s.symbol}.kth")
        hint = "partition" if s.places is None else "argpartition"
        called = module.helper(hint, lambda name: _partition(module, name, s.places is not None))
        outcome = places[-1] if s.places is not None else "null"
        given = f"ptr {places[0]}, ptr {outcome}, i64 {count}, ptr {array}, ptr {kth}"
        printer.frame.stop_with(function.let(f"call i32 {called}({given})", "status"))
        return
    name = module.declare("i32", s.symbol, *["ptr"] * len(places), "i64", "ptr")
    given = ", ".join((*(f"ptr {place}" for place in places), f"i64 {count}", f"ptr {array}"))
    failed = function.let(f"icmp ne i32 {function.let(f'call i32 {name}({given})')}, 0")
    printer.frame.stop_with(function.let(f"select i1 {failed}, i32 {NO_MEMORY}, i32 0", "status"))


def _partition(module: LlvmModule, name: str, with_places: bool) -> str:
    """A function that partitions elements, or the numbers of their places, and says how a kernel
    ends that Python has an exception in, or 0."""
    module.declare("i32", "PyGILState_Ensure")
    module.declare("void", "PyGILState_Release", "i32")
    module.declare("void", "Py_IncRef", "ptr")
    module.declare("void", "Py_DecRef", "ptr")
    types = ("ptr", "ptr", "i32", "ptr", "ptr", "ptr", "i32", "ptr")
    new = module.declare("ptr", "PyArray_NewFromDescr", *types)
    cls = module.outside("PyArray_Type")
    if with_places:
        called = module.declare("ptr", "PyArray_ArgPartition", "ptr", "ptr", "i32", "i32")
        work = f"""\
  %found = call ptr {called}(ptr %array, ptr %kth, i32 0, i32 0)
  %failed = icmp eq ptr %found, null
  br i1 %failed, label %done, label %copy
copy:
  %from = getelementptr i8, ptr %found, i64 {_DATA}
  %data = load ptr, ptr %from, align 8
  %bytes = mul i64 %count, 8
  call void @llvm.memcpy.p0.p0.i64(ptr %places, ptr %data, i64 %bytes, i1 false)
  call void @Py_DecRef(ptr %found)
  br label %done"""
        module.declare("void", "llvm.memcpy.p0.p0.i64", "ptr", "ptr", "i64", "i1")
    else:
        called = module.declare("i32", "PyArray_Partition", "ptr", "ptr", "i32", "i32")
        work = f"""\
  %found = call i32 {called}(ptr %array, ptr %kth, i32 0, i32 0)
  %failed = icmp ne i32 %found, 0
  br label %done"""
    from_work = "[%failed, %work], [false, %copy]" if with_places else "[%failed, %work]"
    return f"""\
define internal i32 {name}(ptr %values, ptr %places, i64 %count, ptr %dtype, ptr %kth) \
noinline nounwind {{
  %length = alloca i64, align 8
  store i64 %count, ptr %length, align 8
  %gil = call i32 @PyGILState_Ensure()
  call void @Py_IncRef(ptr %dtype)
  %array = call ptr {new}(ptr {cls}, ptr %dtype, i32 1, ptr %length, ptr null, ptr %values, \
i32 {_FLAGS}, ptr null)
  %none = icmp eq ptr %array, null
  br i1 %none, label %end, label %work
work:
{work}
done:
  %raised = phi i1 {from_work}
  call void @Py_DecRef(ptr %array)
  br label %end
end:
  %status = phi i1 [true, %0], [%raised, %done]
  call void @PyGILState_Release(i32 %gil)
  %ended = select i1 %status, i32 {INTERRUPTED}, i32 0
  ret i32 %ended
}}"""
