"""NVRTC, which needs no GPU, compiles what is printed, to code that stays in registers."""

import re

import numpy as np
import pytest

from autograph.kernels.cuda import compile as nvrtc
from autograph.kernels.cuda.expressions import MATHEMATICS
from autograph.kernels.cuda.printer import print_cuda
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from ops.core import kernels
from tests.kernels.cuda import hand_built as cuda_kernels

pytestmark = pytest.mark.skipif(not nvrtc.available(), reason="CuPy or NVRTC is not installed")

ARCHITECTURES = [f"sm_{number}" for number in (75, 80, 86, 89, 90, 100, 120)]


@pytest.mark.costly
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_standard_kernels_use_no_local_memory(architecture):
    if architecture not in nvrtc.architectures():
        pytest.skip(f"this NVRTC does not know {architecture}")
    for name, make in cuda_kernels.STANDARD.items():
        printed = print_cuda(make())
        binary = nvrtc.compile_cuda(printed.text, architecture)
        assert binary.cubin.startswith(b"\x7fELF")
        assert set(binary.resources) == {entry.name for entry in printed.entries}
        for entry in printed.entries:
            used = binary.resources[entry.name]
            assert used.spilled == used.stack == 0, (name, used)
            # So that two blocks at least are on a multiprocessor.
            assert used.registers * entry.threads <= 2**15, (name, used)


def test_all_functions_compile():
    for dtype in (ir.SINGLE, ir.DOUBLE):
        b = KernelBuilder("functions")
        x, y, z = (b.input(dtype, 100) for _ in range(3))
        names = sorted(MATHEMATICS | {"mantissa", "exponent", "signbit", "bits"})
        outputs = {}
        with b.each(100) as i:
            v, w, u = (b.load(a, i) for a in (x, y, z))
            for name in names:
                two = name in ("atan2", "copysign", "fmod", "hypot", "nextafter", "pow")
                given = (v, w, u) if name == "fma" else (v, w) if two else (v,)
                if name == "ldexp":
                    given = (v, b.cast(i, "int32"))
                value = b.compute(name, *given)
                outputs[name] = b.output(value.dtype, 100, name)
                b.store(outputs[name], i, value)
        nvrtc.compile_cuda(print_cuda(b.finish()).text, "sm_90")


def test_arithmetic_is_not_contracted_and_keeps_denormals():
    b = KernelBuilder("strict")
    x, y = b.input("float32", 1000, "x"), b.output("float32", 1000, "y")
    with b.each(1000) as i:
        v = b.load(x, i)
        b.store(y, i, kernels.sqrt((v * v + v) / (v - 3.0)))
    code = nvrtc.ptx(print_cuda(b.finish()).text, "sm_90")
    operations = set(re.findall(r"\t((?:add|sub|mul|fma|mad|div|sqrt)\.[\w.]*f32)", code))
    assert operations <= {"mul.rn.f32", "add.rn.f32", "div.rn.f32", "sqrt.rn.f32", "sub.rn.f32",
                          "mul.f32", "add.f32", "sub.f32"}  # fmt: skip
    assert ".ftz" not in code and "fma" not in code


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_numbers_are_read_as_they_were_written(dtype):
    bits = 32 if dtype == "float32" else 64
    generator = np.random.default_rng(0)
    some = generator.integers(0, 2**bits, 300, dtype=f"u{bits // 8}").view(dtype)
    some = np.concatenate([some[np.isfinite(some)], np.array([0.1, 1e-45, 1 / 3], dtype)])
    b = KernelBuilder("numbers")
    out = b.output(dtype, len(some))
    for k, value in enumerate(some):
        b.store(out, k, ir.Number(value, dtype))
    code = nvrtc.ptx(print_cuda(b.finish()).text, "sm_90")
    view = some.view(f"u{bits // 8}")
    written = {int(x, 16) for x in re.findall(rf"0[fFdD]([0-9A-Fa-f]{{{bits // 4}}})\b", code)}
    written |= {int(x) % 2**bits for x in re.findall(r"(?<![\w.])(-?\d+)\b", code)}
    assert {int(x) for x in view} <= written


@pytest.mark.parametrize("name", ["norm", "exp", "max", "printf", "memcpy", "f"])
def test_kernels_may_be_called_like_functions_of_cuda(name):
    b = KernelBuilder(name)
    y = b.output("float32", 2000, "exp")
    with b.each(2000) as i:
        value = kernels.exp(b.cast(i, "float32"))
        value.name = "add_int64"
        b.store(y, i, value + b.cast(i * i + 2**62, "float32"))
    nvrtc.compile_cuda(print_cuda(b.finish()).text, "sm_90")


def test_errors_of_the_compiler_are_reported():
    with pytest.raises(nvrtc.CompilationError, match="undefined"):
        nvrtc.compile_cuda("__global__ void f() { nothing(); }", "sm_90")


def test_a_gpu_newer_than_nvrtc_gets_ptx():
    """Which its driver compiles."""
    printed = print_cuda(cuda_kernels.mean())
    found = nvrtc.compile_cuda(printed.text, "sm_990")
    newest = max(int(x.removeprefix("sm_")) for x in nvrtc.architectures())
    assert f".target sm_{newest}".encode() in found.cubin
    assert set(found.resources) == {entry.name for entry in printed.entries}


def test_a_gpu_older_than_nvrtc_is_refused():
    with pytest.raises(nvrtc.CompilationError, match="architecture"):
        nvrtc.compile_cuda(print_cuda(cuda_kernels.mean()).text, "sm_20")


def test_tables_of_what_is_not_finite():
    """Where a table is, no function of the device may be called."""
    b = KernelBuilder("tables")
    numbers = [np.inf, -np.inf, np.nan, 1.5]
    for dtype in ("float32", "float64"):
        table, y = b.constant(np.array(numbers, dtype), "numbers"), b.output(dtype, 1000)
        with b.each(1000) as i:
            b.store(y, i, b.load(table, b.compute("rest", i, len(numbers))))
    text = print_cuda(b.finish()).text
    assert nvrtc.compile_cuda(text, "sm_90").cubin.startswith(b"\x7fELF")
