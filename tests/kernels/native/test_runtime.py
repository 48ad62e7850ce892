"""Machine code from LLVM IR, and the memory and matrix products that it may call."""

import ctypes
import gc
import os
import textwrap

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from autograph.kernels import native
from autograph.kernels.native import blas, compiler, loader
from autograph.kernels.native.ctypes_entry import call
from autograph.kernels.native.runtime import runtime
from tests.support.processes import printed

BLOCK = 64  # what blocks are aligned to


def function(name, result, *arguments):
    return ctypes.CFUNCTYPE(result, *arguments)(runtime().symbols[name])


@pytest.fixture
def take():
    return function("ag_take", ctypes.c_void_p, ctypes.c_int64)


@pytest.fixture
def give():
    return function("ag_give", None, ctypes.c_void_p, ctypes.c_int64)


class Arena(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int64) for name in ("cursor", "end", "block", "size", "least")]


@pytest.fixture
def reserve():
    return function("ag_reserve", ctypes.c_int64, ctypes.POINTER(Arena), ctypes.c_int64)


@pytest.fixture
def release():
    return function("ag_release", None, ctypes.POINTER(Arena))


# -- code ------------------------------------------------------------------------------------------

ADD = """
define i32 @add(ptr %inputs, ptr %outputs) {
  %second = getelementptr i64, ptr %inputs, i64 1
  %a = load i64, ptr %inputs
  %b = load i64, ptr %second
  %sum = add i64 %a, %b
  %place = load ptr, ptr %outputs
  store i64 %sum, ptr %place
  ret i32 0
}
"""


def test_a_kernel_runs():
    code = native.compile_kernel(ADD, "add")
    out = np.zeros((), np.int64)
    assert call(code, [np.int64(40), np.int64(2)], [out]) == 0
    assert out == 42
    assert repr(code) == "<code of add>"


def test_tables_and_the_mathematical_library():
    text = """
    @table = private constant [2 x double] [double 0.5, double 2.0]
    declare double @expm1(double)
    define i32 @f(ptr %inputs, ptr %outputs) {
      %which = load i64, ptr %inputs
      %item = getelementptr [2 x double], ptr @table, i64 0, i64 %which
      %x = load double, ptr %item
      %y = call double @expm1(double %x)
      %place = load ptr, ptr %outputs
      store double %y, ptr %place
      ret i32 0
    }
    """
    code = native.compile_kernel(text, "f")
    out = np.zeros(())
    for i, x in enumerate((0.5, 2.0)):
        assert call(code, [np.int64(i)], [out]) == 0
        assert out == pytest.approx(np.expm1(x), rel=1e-15)


@pytest.mark.parametrize("text", ["nonsense", ADD.replace("ret i32 0", "ret i64 0"), ADD[:-3]])
def test_a_text_that_is_not_valid(text):
    with pytest.raises(ValueError, match="LLVM refuses"):
        native.compile_kernel(text, "add")


def test_a_function_that_does_not_exist(capfd):
    text = """
    declare i32 @there_is_no_such_function()
    define i32 @f(ptr %inputs, ptr %outputs) {
      %status = call i32 @there_is_no_such_function()
      ret i32 %status
    }
    """
    with pytest.raises(RuntimeError, match="f"):
        native.compile_kernel(text, "f")
    assert "there_is_no_such_function" in capfd.readouterr().err
    with pytest.raises(RuntimeError, match="other"):
        native.compile_kernel(ADD, "other")
    test_a_kernel_runs()


@pytest.mark.skipif(not os.path.exists("/proc/self/maps"), reason="there is no /proc")
def test_code_goes_with_its_object():
    def mapped(addresses):
        gc.collect()
        with open("/proc/self/maps") as file:
            ends = [line.split()[0].split("-") for line in file]
        spans = [(int(start, 16), int(end, 16)) for start, end in ends]
        return sum(any(start <= a < end for start, end in spans) for a in addresses)

    contents = compiler.object_code(ADD)
    kept = [loader.link((contents,), ("add",), {}) for _ in range(50)]
    addresses = [code.address for code in kept]
    assert mapped(addresses) == 50
    kept.clear()
    loader.free_unused()
    assert mapped(addresses) == 0
    code = loader.link((contents,), ("add",), {})
    code.keep()
    address = code.address
    del code
    gc.collect()
    out = np.zeros((), np.int64)
    kernel = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)(address)
    slots = (ctypes.c_int64 * 2)(1, 2)
    assert kernel(slots, (ctypes.c_void_p * 1)(out.ctypes.data)) == 0
    assert out == 3


# -- whether it is used ----------------------------------------------------------------------------


def run(program, **environment):
    return printed("-c", textwrap.dedent(program), **environment)


def test_available():
    program = """
    from autograph.kernels import native
    print(native.available())
    """
    assert run(program, AUTOGRAPH_KERNELS="") == "True\n"
    assert run(program, AUTOGRAPH_KERNELS="0") == "False\n"


def test_not_available_without_llvmlite():
    program = """
    import sys
    sys.modules["llvmlite"] = None
    from autograph.kernels import native
    import autograph.kernels.native.entry
    print(native.available())
    """
    assert run(program) == "False\n"


def test_not_available_where_the_system_forbids_it():
    program = """
    import llvmlite.binding as llvm

    def refuse():
        raise OSError(13, "no")

    llvm.check_jit_execution = refuse
    from autograph.kernels import native
    print(native.available())
    """
    assert run(program) == "False\n"


def test_llvmlite_is_not_imported_early():
    program = """
    import sys, autograph
    import autograph.kernels.native.entry
    print("llvmlite" in sys.modules)
    """
    assert run(program) == "False\n"


# -- scratch memory --------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, 1, 64, 1000, 1024, 1025, 4096, 100_000, 3 << 20])
def test_blocks_are_aligned_and_come_back(take, give, size):
    block = take(size)
    assert block % BLOCK == 0
    ctypes.memset(block, 255, size)
    give(block, size)
    again = take(size)
    assert again == block
    give(again, size)


def test_blocks_are_little_bigger_than_asked_for(take, give):
    runtime().trim()
    for size in [*range(0, 70_000, 37), 10**6, 10**7, 10**9]:
        give(take(size), size)
        assert max(size, 1024) <= runtime().memory_kept <= max(size + 63, 1024)
        runtime().trim()


def test_a_block_that_is_too_small_makes_place(take, give):
    runtime().trim()
    for size in (100_000, 100_100, 100_000, 100_064):  # of one class
        block = take(size)
        ctypes.memset(block, 255, size)
        give(block, size)
    assert 100_100 <= runtime().memory_kept < 100_100 + 64
    runtime().trim()


def test_blocks_in_use_do_not_overlap(take, give):
    rng = np.random.default_rng(0)
    live = []
    for step in range(3000):
        if live and rng.random() < 0.5:
            block, size, mark = live.pop(rng.integers(len(live)))
            assert ctypes.string_at(block, size) == bytes([mark]) * size
            give(block, size)
        else:
            size, mark = int(rng.integers(1, 5000)), step % 256
            block = take(size)
            assert all(block + size <= other or other + n <= block for other, n, _ in live)
            ctypes.memset(block, mark, size)
            live.append((block, size, mark))
    for block, size, _ in live:
        give(block, size)


def test_what_is_kept_is_counted_and_bounded(take, give):
    runtime().trim()
    assert runtime().memory_kept == 0
    blocks = [take(1 << 20) for _ in range(10)]
    assert runtime().memory_kept == 0
    for block in blocks:
        give(block, 1 << 20)
    assert runtime().memory_kept == 8 << 20  # there are eight slots for each size
    variable = ctypes.c_int64.from_address(runtime().address("ag_memory_limit"))
    limit, variable.value = variable.value, 9 << 20
    try:
        block = take(2 << 20)
        give(block, 2 << 20)
        assert runtime().memory_kept == 8 << 20
    finally:
        variable.value = limit
    runtime().trim()
    assert runtime().memory_kept == 0


@pytest.mark.parametrize("size", [-1, -(2**63), 2**63 - 1, 1 << 48])
def test_impossible_sizes(take, reserve, release, size):
    assert take(size) is None
    arena = Arena()
    assert reserve(arena, size) == 0
    assert reserve(arena, 8) != 0
    assert reserve(arena, size) == 0
    release(arena)


def test_nothing_is_given_back(give):
    give(None, 10)


def test_memory_from_several_threads(take, give):
    """Each thread finds in its blocks what it wrote."""
    from concurrent.futures import ThreadPoolExecutor

    def work(mark):
        for size in list(range(1, 2000, 7)) * 3:
            block = take(size)
            ctypes.memset(block, mark, size)
            if ctypes.string_at(block, size) != bytes([mark]) * size:
                return False
            give(block, size)
        return True

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(work, range(6)))


def test_pieces_of_an_arena_stay(reserve, release):
    arena = Arena()
    sizes = [8, 0, 0, 16, 64_000, 8, 1 << 20, 24, 200_000, *[4096] * 200, 100 << 20, 8]
    pieces = [reserve(arena, size) for size in sizes]
    for i, (piece, size) in enumerate(zip(pieces, sizes)):
        assert piece and piece % 8 == 0
        ctypes.memset(piece, i % 251, min(size, 5000))
    for i, (piece, size) in enumerate(zip(pieces, sizes)):
        size = min(size, 5000)
        assert ctypes.string_at(piece, size) == bytes([i % 251]) * size
    spans = sorted((piece, piece + size) for piece, size in zip(pieces, sizes) if size)
    assert all(end <= start for (_, end), (start, _) in zip(spans, spans[1:]))
    before = runtime().memory_kept
    release(arena)
    assert bytes(arena) == bytes(40)
    assert runtime().memory_kept > before
    assert reserve(arena, 8)
    release(arena)
    release(arena)  # nothing is left
    runtime().trim()


def test_an_arena_begins_with_what_it_is_known_to_need(reserve, release):
    runtime().trim()
    arena = Arena(least=200_000)
    for _ in range(200):
        assert reserve(arena, 1000)
    release(arena)
    assert arena.least == 200_000
    assert 200_000 <= runtime().memory_kept <= 200_200
    runtime().trim()


# -- matrix products -------------------------------------------------------------------------------

PRODUCT = """
declare void @cblas_dgemm(i32, i32, i32, i64, i64, i64, double, ptr, i64, ptr, i64, double, ptr,
                          i64)
define i32 @product(ptr %inputs, ptr %outputs) {
  %second = getelementptr ptr, ptr %inputs, i64 1
  %a = load ptr, ptr %inputs
  %b = load ptr, ptr %second
  %c = load ptr, ptr %outputs
  call void @cblas_dgemm(i32 101, i32 111, i32 112, i64 3, i64 4, i64 5, double 2.0, ptr %a, i64 5,
                         ptr %b, i64 5, double 1.0, ptr %c, i64 4)
  ret i32 0
}
"""


@pytest.mark.skipif(not blas.blas_available(), reason="NumPy has no BLAS library")
@pytest.mark.parametrize("kind", ["double", "float"])
def test_matrix_products(kind):
    letter, dtype = {"double": ("d", np.float64), "float": ("s", np.float32)}[kind]
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((3, 5)).astype(dtype), rng.standard_normal((4, 5)).astype(dtype)
    c = np.ones((3, 4), dtype)
    text = PRODUCT.replace("double", kind).replace("dgemm", f"{letter}gemm")
    assert call(native.compile_kernel(text, "product"), [a, b], [c]) == 0
    np.testing.assert_allclose(c, 2 * a @ b.T + 1, rtol=1e-5)


def test_matrix_products_with_integers_of_32_bits(monkeypatch):
    """Such a library gets its arguments where it expects them, with any bits beside them."""
    library = """
    define void @library(i32 %order, i32 %ta, i32 %tb, i32 %m, i32 %n, i32 %k, double %alpha,
                         ptr %a, i32 %lda, ptr %b, i32 %ldb, double %beta, ptr %c, i32 %ldc) {
    """
    names = [*("order", "ta", "tb", "m", "n", "k", "lda", "ldb", "ldc")]
    for i, name in enumerate(names):
        library += f"""
        %{name}_64 = sext i32 %{name} to i64
        %{name}_at = getelementptr i64, ptr %c, i64 {i}
        store i64 %{name}_64, ptr %{name}_at
        """
    code = loader.link((compiler.object_code(library + "ret void }"),), ("library",), {})
    functions = dict.fromkeys(blas.FUNCTIONS, code.address)
    monkeypatch.setattr(blas, "_blas", lambda: blas._Blas(functions, 32, 0, 0))
    used = ("ag_threads", "ag_parallel", *blas.SHARING)
    products = blas.link_products("ag_dgemm", dict.fromkeys(used, code.address))
    text = compiler.object_code(PRODUCT)
    kernel = loader.link((text,), ("product",), {"cblas_dgemm": products.address})
    seen = np.zeros(9, np.int64)
    assert call(kernel, [np.ones(1), np.ones(1)], [seen]) == 0
    assert seen.tolist() == [101, 111, 112, 3, 4, 5, 5, 5, 4]


@pytest.mark.parametrize("config, wide", [(b"OpenBLAS USE64BITINT", True), (b"OpenBLAS", False)])
def test_a_library_says_how_wide_its_integers_are(config, wide):
    class Library:
        openblas_get_config = staticmethod(lambda: config)

    assert blas._has_long_integers(Library, "") is wide
    assert not blas._has_long_integers(object(), "")


def test_kernels_without_a_library(monkeypatch):
    monkeypatch.setattr(blas, "_blas", lambda: None)
    assert not blas.blas_available()
    assert "cblas_dgemm" not in set(runtime().symbols)


# -- what is linked --------------------------------------------------------------------------------


def test_only_what_is_asked_for_is_linked():
    """A kernel without threads and products needs neither, and each takes long to compile."""
    program = """
    from autograph.kernels import native
    from autograph.kernels.native import runtime
    linked = []
    plain = runtime.link_c
    runtime.link_c = lambda files, *more: linked.extend(files) or plain(files, *more)
    native.compile_kernel("define i32 @f(ptr %i, ptr %o) { ret i32 1 }", "f")
    print(*linked)
    text = "declare i32 @ag_poll() define i32 @f(ptr %i, ptr %o) { "
    native.compile_kernel(text + "%x = call i32 @ag_poll() ret i32 %x }", "f")
    print(*linked)
    runtime.runtime().symbols["ag_take"]
    print(*linked)
    """
    lines = printed("-c", textwrap.dedent(program)).splitlines()
    assert lines == ["", "threads interrupts", "threads interrupts memory"]
