"""The matrix products of the BLAS library that NumPy has loaded, for kernels to call.

NumPy's wheels bring OpenBLAS with 64-bit integers and its names changed; other builds use what the
system has. The library is a dependency of NumPy's extension module, where its functions are found
without a file name. How products are given to threads is in ``products.ll``.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from autograph.kernels.native import compiler
from autograph.kernels.native.loader import Code, link

# How the names of functions begin and end, and the width of their integers.
_NAMES = (
    ("scipy_", "64_", 64),  # NumPy's wheels
    ("", "64_", 64),  # OpenBLAS with 64-bit integers
    ("", "_64", 64),  # MKL
    ("", "$NEWLAPACK$ILP64", 64),  # Accelerate
    ("scipy_", "", 32),
    ("", "$NEWLAPACK", 32),
    ("", "", 32),
)


_FUNCTIONS = ("sgemm", "sgemv", "dgemm", "dgemv")
_TYPES = {"sge": "float", "dge": "double"}


class _Blas(NamedTuple):
    """A library.

    Attributes:
        functions: the addresses of its products, by their names in BLAS.
        bits: the width of their integers.
        threads, set_threads: the addresses of functions that tell and set how many threads it uses;
            0 if these are not its own, or if it has none.
    """

    functions: Mapping[str, int]
    bits: int
    threads: int
    set_threads: int


# Functions with 64-bit integers that call those with 32-bit integers. They fit: nobody has such
# matrices.
_NARROW_MATRIX = """
declare void @library(i32, i32, i32, i32, i32, i32, TYPE, ptr, i32, ptr, i32, TYPE, ptr, i32)

define void @NAME(i32 %order, i32 %transposed_a, i32 %transposed_b, i64 %m, i64 %n, i64 %k,
    TYPE %alpha, ptr %a, i64 %lda, ptr %b, i64 %ldb, TYPE %beta, ptr %c, i64 %ldc) {
  %m_32 = trunc i64 %m to i32
  %n_32 = trunc i64 %n to i32
  %k_32 = trunc i64 %k to i32
  %lda_32 = trunc i64 %lda to i32
  %ldb_32 = trunc i64 %ldb to i32
  %ldc_32 = trunc i64 %ldc to i32
  call void @library(i32 %order, i32 %transposed_a, i32 %transposed_b, i32 %m_32, i32 %n_32,
    i32 %k_32, TYPE %alpha, ptr %a, i32 %lda_32, ptr %b, i32 %ldb_32, TYPE %beta, ptr %c,
    i32 %ldc_32)
  ret void
}
"""
_NARROW_VECTOR = """
declare void @library(i32, i32, i32, i32, TYPE, ptr, i32, ptr, i32, TYPE, ptr, i32)

define void @NAME(i32 %order, i32 %transposed, i64 %m, i64 %n, TYPE %alpha, ptr %a, i64 %lda,
    ptr %x, i64 %incx, TYPE %beta, ptr %y, i64 %incy) {
  %m_32 = trunc i64 %m to i32
  %n_32 = trunc i64 %n to i32
  %lda_32 = trunc i64 %lda to i32
  %incx_32 = trunc i64 %incx to i32
  %incy_32 = trunc i64 %incy to i32
  call void @library(i32 %order, i32 %transposed, i32 %m_32, i32 %n_32, TYPE %alpha, ptr %a,
    i32 %lda_32, ptr %x, i32 %incx_32, TYPE %beta, ptr %y, i32 %incy_32)
  ret void
}
"""
_NO_THREADS = """
define i32 @library_threads() {
  ret i32 0
}
define void @library_set_threads(i32 %count) {
  ret void
}
"""


def blas_available() -> bool:
    """Whether kernels may call ``cblas_sgemm`` and ``cblas_dgemm``. The numbers of rows and columns
    must be less than 2**31."""
    return _blas() is not None


def link_products(runtime: Mapping[str, int]) -> Code | None:
    """The functions of ``products.ll``; None if there is no library.

    Args:
        runtime: the addresses of ``ag_threads`` and ``ag_parallel``.
    """
    found = _blas()
    if found is None:
        return None
    symbols = dict(runtime)
    for name, address in found.functions.items():
        symbols[f"library_{name}"] = address if found.bits == 64 else narrow(name, address)
    here = Path(__file__).parent
    one = (here / "product.ll").read_text(encoding="utf-8")
    parts = [(here / "products.ll").read_text(encoding="utf-8")]
    parts += [one.replace("NAME", name).replace("TYPE", type_) for name, type_ in _TYPES.items()]
    if found.threads:
        symbols |= {"library_threads": found.threads, "library_set_threads": found.set_threads}
    else:
        declared = [line for line in parts[0].splitlines() if line.startswith("declare")]
        for line in declared:
            if "@library_" in line:
                parts[0] = parts[0].replace(line, "")
        parts.append(_NO_THREADS)
    names = ("ag_sgemm", "ag_dgemm", "ag_forget_products")
    return link(compiler.object_code("\n".join(parts)), names, symbols)


def narrow(name: str, library: int) -> int:
    """The address of a function with 64-bit integers that calls one with 32-bit integers.

    Args:
        name: in BLAS.
        library: the address of the one that is called.
    """
    text = _NARROW_MATRIX if name.endswith("mm") else _NARROW_VECTOR
    text = text.replace("NAME", f"cblas_{name}").replace("TYPE", _TYPES[name[:3]])
    code = link(compiler.object_code(text), (f"cblas_{name}",), {"library": library})
    code.keep()
    return code.address


@functools.cache
def _blas() -> _Blas | None:
    """The library's functions; None if they are not found."""
    from numpy._core import _multiarray_umath

    try:
        library = ctypes.CDLL(_multiarray_umath.__file__)  # loaded already
    except OSError:
        return None
    for start, end, bits in _NAMES:
        names = {name: f"{start}cblas_{name}{end}" for name in _FUNCTIONS}
        if all(hasattr(library, name) for name in names.values()):
            if _has_long_integers(library, start):
                bits = 64
            functions = {name: _address(library, full) for name, full in names.items()}
            return _Blas(functions, bits, *_thread_functions(library, start, end))
    return None


def _address(library: ctypes.CDLL, name: str) -> int:
    return ctypes.cast(library[name], ctypes.c_void_p).value or 0


def _thread_functions(library: ctypes.CDLL, start: str, end: str) -> tuple[int, int]:
    """See `_Blas`. Only of an OpenBLAS with threads of its own: where these are OpenMP's, a setting
    counts for the thread that makes it."""
    names = [f"{start}openblas_{what}{end}" for what in ("get_num_threads", "set_num_threads")]
    kind = getattr(library, f"{start}openblas_get_parallel{end}", None)
    own_threads = 1
    if kind is None or kind() != own_threads or not all(hasattr(library, n) for n in names):
        return 0, 0
    return _address(library, names[0]), _address(library, names[1])


def _has_long_integers(library: ctypes.CDLL, start: str) -> bool:
    """Whether an OpenBLAS, perhaps one with plain names, was built with 64-bit integers."""
    config = getattr(library, f"{start}openblas_get_config", None)
    if config is None:
        return False
    config.restype = ctypes.c_char_p
    return b"USE64BITINT" in (config() or b"")
