"""What NVRTC makes of printed kernels, executed on the CPU, against the interpreter."""

import ctypes
import itertools
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from autograph.kernels.cuda.compile import available
from autograph.kernels.cuda.expressions import MATHEMATICS
from autograph.kernels.cuda.printer import print_cuda
from autograph.kernels.ir.builder import KernelBuilder
from benchmarks.gpu import cases
from tests.kernels.cuda import hand_built
from tests.kernels.cuda.compare import assert_same, run_both
from tests.kernels.cuda.programs import Program
from tests.kernels.cuda.ptx.instruction import UnknownInstruction
from tests.kernels.cuda.ptx.parse import operands, parse, statements, variable
from tests.kernels.cuda.ptx.translate import translate
from tests.kernels.cuda.ptx.unit import Unit
from tests.kernels.cuda.shim import _compile, _directory
from tests.support.tree import ROOT

needs_nvrtc = pytest.mark.skipif(not available(), reason="CuPy or NVRTC is not installed")


@pytest.fixture(scope="module")
def standard():
    """The kernels of `hand_built`, compiled."""
    printed = {name: print_cuda(make()) for name, make in hand_built.STANDARD.items()}
    return Unit(list(printed.values())), printed


@pytest.mark.costly
@needs_nvrtc
@pytest.mark.parametrize("name", hand_built.STANDARD)
def test_standard_kernel(standard, name):
    unit, printed = standard
    inputs = hand_built.arguments(printed[name].kernel)
    expected, found, _ = run_both(unit, printed[name], inputs)
    for x, y in zip(found, expected):
        single = x.dtype == np.float32
        np.testing.assert_allclose(x, y, rtol=1e-5 if single else 1e-13, atol=1e-6)


@needs_nvrtc
def test_random_kernels():
    made = [Program(seed, reserves=bool(seed % 2)) for seed in range(6)]
    printed = [print_cuda(x.kernel) for x in made]
    unit = Unit(printed)
    for program, each in zip(made, printed):
        for x, y in zip(*run_both(unit, each, program.inputs)[:2]):
            assert_same(y, x)


@needs_nvrtc
def test_a_race_is_found():
    b = KernelBuilder("neighbours")
    x, y = b.input("float32", 3000), b.output("float32", 3000)
    with b.each(3000) as i:
        b.store(y, i, b.load(x, i))
    printed = print_cuda(b.finish())
    assert "buffer2[i] = " in printed.text
    printed.text = printed.text.replace("buffer2[i] = ", "buffer2[i / 2] = ")
    with pytest.raises(AssertionError, match="race"):
        run_both(Unit([printed]), printed, [np.zeros(3000, "f4")])


# The functions of which C's and NVIDIA's have other last bits; in units of these, at most.
_ROUNDING = {"float32": 8, "float64": 4}


@pytest.mark.costly
@needs_nvrtc
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_functions_of_libdevice(dtype):
    """All mathematical functions, with the front end's own code for them."""
    some = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -3.75, 1e-3, 30.0, np.inf, -np.inf, np.nan, 1e5]
    x = np.array(some, dtype)
    b = KernelBuilder("functions")
    given, outputs = b.input(dtype, len(x)), {}
    one = sorted(
        MATHEMATICS - {"fma", "ldexp", "atan2", "copysign", "fmod", "hypot", "nextafter", "pow"}
    )
    with b.each(len(x)) as i:
        for name in one:
            value = b.compute(name, b.load(given, i))
            outputs[name] = b.output(value.dtype, len(x), name)
            b.store(outputs[name], i, value)
    printed = print_cuda(b.finish())
    with np.errstate(all="ignore"):
        expected, found, _ = run_both(Unit([printed]), printed, [x])
    for name, y, z in zip(one, expected, found):
        if y.dtype.kind != "f":
            np.testing.assert_array_equal(z, y, err_msg=name)
            continue
        eps = _ROUNDING[dtype] * np.finfo(dtype).eps
        np.testing.assert_allclose(z, y, rtol=eps, atol=eps, err_msg=name)


@needs_nvrtc
@pytest.mark.parametrize(
    "marked",
    [
        pytest.param("not (slow or variant)", marks=pytest.mark.slow),
        pytest.param("slow or variant", marks=pytest.mark.exhaustive),
    ],
)
def test_all_tests_of_kernels(marked):
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider"]
        + ["-n", "2", "-m", marked, *cases.files()],
        cwd=ROOT,
        env=dict(os.environ, AUTOGRAPH_TEST_CUDA="ptx", AUTOGRAPH_VERIFY="1"),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-6000:]


# -- instructions one by one -----------------------------------------------------------------------


def results(body, count, declarations=""):
    """What instructions leave in ``%rd1`` to ``%rd<count>``."""
    stores = "".join(f"st.global.u64 [%rd0+{8 * k}], %rd{k + 1};\n" for k in range(count))
    text = f"""
.version 8.0
.target sm_90
.address_size 64
.visible .entry f(.param .u64 f_param_0)
{{
.reg .pred %p<9>;
.reg .b16 %rs<9>;
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
.reg .f32 %f<9>;
.reg .f64 %fd<9>;
{declarations}
ld.param.u64 %rd0, [f_param_0];
{body}
{stores}
ret;
}}
"""
    base = f"{_directory().name}/instructions{next(_numbers)}"
    one = "const Place threadIdx = {}, blockIdx = {}, blockDim = {}, gridDim = {};\n"
    Path(f"{base}.cpp").write_text(f'#include "ptx/ptx.h"\n{one}{translate(parse(text))}')
    _compile([f"-I{ROOT / 'tests/kernels/cuda'}", "-shared", f"{base}.cpp", "-o", f"{base}.so"])
    out = np.zeros(count, "u8")
    place = ctypes.c_uint64(out.ctypes.data)
    ctypes.CDLL(f"{base}.so").call_f((ctypes.c_void_p * 1)(ctypes.addressof(place)))
    return [int(x) for x in out]


_numbers = itertools.count()


def test_carries():
    body = """
mov.u32 %r1, -1;
mov.u32 %r2, 3;
add.cc.u32 %r3, %r1, %r2;
addc.cc.u32 %r4, %r1, 0;
addc.u32 %r5, 0, 0;
sub.cc.u32 %r6, %r2, %r1;
subc.u32 %r7, %r1, 0;
mad.lo.cc.u32 %r1, %r1, %r1, %r1;
madc.hi.u32 %r2, %r2, %r2, 0;
cvt.u64.u32 %rd1, %r3;
cvt.u64.u32 %rd2, %r4;
cvt.u64.u32 %rd3, %r5;
cvt.u64.u32 %rd4, %r6;
cvt.u64.u32 %rd5, %r7;
cvt.u64.u32 %rd6, %r1;
cvt.u64.u32 %rd7, %r2;
"""
    # 1 + (2**32 - 1) = 0 with no carry.
    assert results(body, 7) == [2, 0, 1, 4, 2**32 - 2, 0, 1]


def test_shifts_by_more_than_the_width():
    body = """
mov.u32 %r1, 40;
mov.u32 %r2, -8;
shl.b32 %r3, %r2, %r1;
shr.s32 %r4, %r2, %r1;
shr.u32 %r5, %r2, 31;
cvt.u64.u32 %rd1, %r3;
cvt.u64.u32 %rd2, %r4;
cvt.u64.u32 %rd3, %r5;
"""
    assert results(body, 3) == [0, 2**32 - 1, 1]


@pytest.mark.parametrize(
    "value, single, double",
    [
        ("nan", (0, 2**63), (2**31, 2**63)),
        (3.99, (3, 3), (3, 3)),
        (-3.99, (2**32 - 3, 2**64 - 3), (2**32 - 3, 2**64 - 3)),
        (1e30, (2**31 - 1, 2**63 - 1), (2**31 - 1, 2**63 - 1)),
        (-1e30, (2**31, 2**63), (2**31, 2**63)),
    ],
)
def test_conversions_to_integers(value, single, double):
    """They saturate; NaN is 0 where neither has 64 bits."""
    f, d = np.float32(value).view("u4"), np.float64(value).view("u8")
    body = f"""
mov.f32 %f1, 0f{f:08X};
mov.f64 %fd1, 0d{d:016X};
cvt.rzi.s32.f32 %r1, %f1;
cvt.rzi.s64.f32 %rd2, %f1;
cvt.rzi.s32.f64 %r3, %fd1;
cvt.rzi.s64.f64 %rd4, %fd1;
cvt.u64.u32 %rd1, %r1;
cvt.u64.u32 %rd3, %r3;
"""
    assert results(body, 4) == [*single, *double]


def test_bits():
    body = """
mov.b64 %rd7, {1, 2};
mov.b64 {%r1, %r2}, %rd7;
cvt.u64.u32 %rd1, %r2;
bfi.b64 %rd2, 5, %rd7, 8, 4;
prmt.b32 %r3, 0x03020100, 0x87060504, 0xF471;
cvt.u64.u32 %rd3, %r3;
clz.b64 %r4, %rd7;
cvt.u64.u32 %rd4, %r4;
mov.u16 %rs1, 0xFF80;
cvt.s32.s8 %r5, %rs1;
cvt.u64.u32 %rd5, %r5;
"""
    assert results(body, 5) == [2, 2**33 + 1 + 5 * 256, 0xFF048701, 30, 2**32 - 128]


def test_products_of_bytes():
    body = """
mov.u32 %r1, 0xFF020304;
mov.u32 %r2, 0x05FF0001;
dp4a.s32.s32 %r3, %r1, %r2, 100;
dp4a.u32.u32 %r4, %r1, %r2, 100;
dp2a.lo.s32.s32 %r5, %r1, %r2, 0;
cvt.u64.u32 %rd1, %r3;
cvt.u64.u32 %rd2, %r4;
cvt.u64.u32 %rd3, %r5;
"""
    halves = 0x0304 * 1 + (0xFF02 - 2**16) * 0
    assert results(body, 3) == [100 + 4 - 2 - 5, 100 + 4 + 2 * 255 + 255 * 5, halves]


def test_roundings():
    body = """
mov.f32 %f1, 0f3F800000;
mov.f32 %f2, 0f33000000;
add.rn.f32 %f3, %f1, %f2;
add.rp.f32 %f4, %f1, %f2;
neg.f32 %f5, %f2;
add.rz.f32 %f6, %f1, %f5;
mov.b32 %r1, %f3;
mov.b32 %r2, %f4;
mov.b32 %r3, %f6;
cvt.u64.u32 %rd1, %r1;
cvt.u64.u32 %rd2, %r2;
cvt.u64.u32 %rd3, %r3;
"""
    assert results(body, 3) == [0x3F800000, 0x3F800001, 0x3F7FFFFF]


@pytest.mark.parametrize(
    "text",
    [
        "conjure.u32 %r1, %r2;",
        "add.sat.s32 %r1, %r2, %r3;",
        "shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;",
        "cvt.sat.s8.s32 %rs1, %r2;",
        "mov.u32 %r1, %clock;",
        "bar.sync 1;",
    ],
)
def test_what_is_not_known_fails_by_its_name(text):
    with pytest.raises(UnknownInstruction, match=re.escape(text[:-1].split()[0])):
        results(text, 1)


def test_parts_of_a_text():
    assert operands("%r1|%p2, {%a, %b}, [%rd1+-4], (x, y)") == [
        "%r1|%p2", "{%a, %b}", "[%rd1+-4]", "(x, y)"
    ]  # fmt: skip
    label, call, end = statements("$L_1:\n@!%p1 bra.uni $L_1;\n}")
    assert label.kind == "label" and end.kind == "}"
    assert (call.guard, call.opcode, call.operands) == ("!%p1", "bra.uni", ["$L_1"])
    found = variable(".const .align 8 .b8 table[4] = {1, 2, 0xff, 4}")
    assert (found.space, found.align, found.nbytes, found.values) == ("const", 8, 4, [1, 2, 255, 4])
    with pytest.raises(ValueError, match="declaration"):
        variable(".texref image")
