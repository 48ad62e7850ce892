"""The matrix products of the BLAS library that NumPy has loaded, for kernels to call.

NumPy's wheels bring OpenBLAS with 64-bit integers and its names changed; other builds use what the
system has. The library is a dependency of NumPy's extension module, where its functions are found
without a file name. How products are given to threads is in ``product.h``.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
from collections.abc import Mapping, Sequence
from typing import Any

from autograph.kernels.native.loader import Code
from autograph.kernels.native.parts import link_c
from ops.core.records import NamedTuple

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


FUNCTIONS = ("sgemm", "sgemv", "ssyrk", "dgemm", "dgemv", "dsyrk")

# The functions that kernels call, and the files that they are in.
FILES = {
    "ag_sgemm": "float_products",
    "ag_dgemm": "double_products",
    "ag_small_sgemm": "small_float_products",
    "ag_small_dgemm": "small_double_products",
}

# What large products of all dtypes share, and what is asked of them at forks.
SHARING = (
    *("ag_enter_products", "ag_leave_products"),
    *("ag_hold_products", "ag_let_products", "ag_forget_products"),
)


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


def blas_available() -> bool:
    """Whether kernels may call ``cblas_sgemm`` and ``cblas_dgemm``. The numbers of rows and columns
    must be less than 2**31."""
    return _blas() is not None


def link_products(name: str, runtime: Mapping[str, int]) -> Code:
    """The function that multiplies matrices of one dtype. There is a library.

    Args:
        name: one of `FILES`.
        runtime: if products may be large, the addresses of ``ag_threads`` and ``ag_parallel``, and
            of `SHARING`.
    """
    return _link(FILES[name], (name,), runtime)


def link_sharing() -> Code:
    """The functions `SHARING` of ``products.c``. There is a library."""
    return _link("products", SHARING, {})


def _link(file: str, names: Sequence[str], runtime: Mapping[str, int]) -> Code:
    found = _blas()
    assert found is not None, "there is no library"
    starts = ("library", "narrow")  # those of other integers are not called
    symbols = {f"{s}_{name}": address for name, address in found.functions.items() for s in starts}
    threads, set_threads = found.threads, found.set_threads
    if not threads:  # nor are these
        threads = set_threads = next(iter(found.functions.values()))
    symbols |= {"library_threads": threads, "library_set_threads": set_threads}
    constants = {"ag_library_bits": found.bits, "ag_library_threads": int(found.threads != 0)}
    return link_c((file,), names, symbols | dict(runtime), constants)


@functools.cache
def _blas() -> _Blas | None:
    """The library's functions; None if they are not found."""
    module: Any = importlib.import_module("numpy._core._multiarray_umath")
    try:
        library = ctypes.CDLL(module.__file__)  # loaded already
    except OSError:
        return None
    for start, end, bits in _NAMES:
        names = {name: f"{start}cblas_{name}{end}" for name in FUNCTIONS}
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
