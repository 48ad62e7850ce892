"""Kernels that copy what they are given, as functions that Python calls."""

import numpy as np

from autograph.kernels import native
from autograph.kernels.native.signature import Array, KernelSignature

NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64".split()
DTYPES = [np.dtype(name) for name in NAMES]
F8, F4, I8, B1 = np.dtype("f8"), np.dtype("f4"), np.dtype("i8"), np.dtype(bool)
PYTHON = ("python",)


class Slow(Exception):
    """Raised by the function that is called where a kernel cannot be."""


def slow(*arguments):
    raise Slow(*arguments)


def copies(pairs, status=0):
    """A kernel that copies ``(input, output, bytes, by address)`` and returns a status."""
    lines = []
    for k, (i, o, size, by_address) in enumerate(pairs):
        lines += [
            f"%in{k} = getelementptr i64, ptr %inputs, i64 {i}",
            f"%address{k} = load ptr, ptr %in{k}",
            f"%out{k} = getelementptr ptr, ptr %outputs, i64 {o}",
            f"%to{k} = load ptr, ptr %out{k}",
            f"call void @llvm.memcpy.p0.p0.i64(ptr %to{k}, ptr "
            f"{f'%address{k}' if by_address else f'%in{k}'}, i64 {size}, i1 false)",
        ]
    return native.compile_kernel(
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
        "define i32 @copies(ptr %inputs, ptr %outputs) {\n"
        + "\n".join(lines)
        + f"\nret i32 {status}\n}}\n",
        "copies",
    )


def copy_function(entry, parameter, result, slow=slow):
    by_address = isinstance(parameter, Array)
    size = parameter.dtype.itemsize * (int(np.prod(parameter.shape)) if by_address else 1)
    code = copies([(0, 0, size, by_address)])
    return entry("copy", code, KernelSignature((parameter,), (result,)), slow)


def growing_kernel(status=0):
    """A kernel that returns as many rows of two float64 as it is told, all 1.5, and a number."""
    return native.compile_kernel(
        f"""
        declare ptr @ag_take(i64)
        define i32 @grown(ptr %inputs, ptr %outputs) {{
            %n = load i64, ptr %inputs
            %count = mul i64 %n, 2
            %bytes = mul i64 %count, 8
            %block = call ptr @ag_take(i64 %bytes)
            br label %test
        test:
            %i = phi i64 [0, %0], [%next, %body]
            %more = icmp ult i64 %i, %count
            br i1 %more, label %body, label %end
        body:
            %at = getelementptr double, ptr %block, i64 %i
            store double 1.5, ptr %at
            %next = add i64 %i, 1
            br label %test
        end:
            %place = load ptr, ptr %outputs
            %address = ptrtoint ptr %block to i64
            store i64 %address, ptr %place
            %length = getelementptr i64, ptr %place, i64 1
            store i64 %n, ptr %length
            %second = getelementptr ptr, ptr %outputs, i64 1
            %number = load ptr, ptr %second
            store i64 %n, ptr %number
            ret i32 {status}
        }}
        """,
        "grown",
    )


def some(dtype, shape=()):
    rng = np.random.default_rng(0)
    return np.asarray(rng.integers(0, 2 if dtype == B1 else 100, shape)).astype(dtype)
