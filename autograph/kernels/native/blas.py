"""The matrix product of the BLAS library that NumPy has loaded, for kernels to call.

NumPy's wheels bring OpenBLAS with 64-bit integers and its names changed; other builds use what the
system has. The library is a dependency of NumPy's extension module, where its functions are found
without a file name.
"""

from __future__ import annotations

import ctypes
import functools
from typing import NamedTuple

from autograph.kernels.native import compiler
from autograph.kernels.native.loader import link

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


class _Blas(NamedTuple):
    """Where the products of matrices of float32 and float64 are, and the width of their
    integers."""

    sgemm: int
    dgemm: int
    bits: int


# The product with 64-bit integers by one with 32-bit integers. They fit: nobody has such matrices.
_NARROW = """
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


def blas_available() -> bool:
    """Whether kernels may call ``cblas_sgemm`` and ``cblas_dgemm``. The numbers of rows and columns
    must be less than 2**31."""
    return _blas() is not None


def blas_symbols() -> dict[str, int]:
    """The addresses of ``cblas_sgemm`` and ``cblas_dgemm`` with 64-bit integers; nothing if there
    is no library."""
    found = _blas()
    if found is None:
        return {}
    if found.bits == 64:
        return {"cblas_sgemm": found.sgemm, "cblas_dgemm": found.dgemm}
    return {
        "cblas_sgemm": narrow("cblas_sgemm", "float", found.sgemm),
        "cblas_dgemm": narrow("cblas_dgemm", "double", found.dgemm),
    }


def narrow(name: str, kind: str, library: int) -> int:
    """The address of a product with 64-bit integers that calls one with 32-bit integers.

    Args:
        kind: of the elements, in LLVM IR.
        library: the address of the one that is called.
    """
    text = _NARROW.replace("NAME", name).replace("TYPE", kind)
    code = link(compiler.object_code(text), (name,), {"library": library})
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
        names = [f"{start}cblas_{letter}gemm{end}" for letter in "sd"]
        if all(hasattr(library, name) for name in names):
            if _has_long_integers(library, start):
                bits = 64
            sgemm, dgemm = (ctypes.cast(library[name], ctypes.c_void_p).value for name in names)
            return _Blas(sgemm or 0, dgemm or 0, bits)
    return None


def _has_long_integers(library: ctypes.CDLL, start: str) -> bool:
    """Whether an OpenBLAS, perhaps one with plain names, was built with 64-bit integers."""
    config = getattr(library, f"{start}openblas_get_config", None)
    if config is None:
        return False
    config.restype = ctypes.c_char_p
    return b"USE64BITINT" in (config() or b"")
