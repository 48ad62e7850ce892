"""Products of matrices by cuBLASLt: on a stream, and in memory, that are given to it.

CuPy's calls of cuBLAS cannot be part of a graph (`autograph.kernels.cuda.graphs`), since there
cuBLAS has memory of its own, which CuPy does not let be chosen. What cuBLASLt needs is told before:
for a product of given lengths, strides and alignments it is asked once for an algorithm, and how
much memory that takes ("cuBLAS Library", using the cuBLASLt API). float32 is computed in float32:
no TF32, as is the default of that API.

Its matrices lie column by column, so the product is that of the transposes. It adds a matrix, its
``C``, or a vector to each of our rows, which are its columns (``CUBLASLT_EPILOGUE_BIAS``), where
`autograph.kernels.cuda.sums` finds that this is all that is done. Activations stay with the kernel
that reads the product: what the functions that cuBLASLt has for them do with NaN, and which GELU is
meant, is not documented.

Where the library is not found, or has no algorithm, cuBLAS computes, through CuPy.
"""

from __future__ import annotations

import ctypes
import functools
import threading
import weakref
from collections.abc import Sequence
from ctypes import c_int, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any

import numpy as np

from autograph.kernels.cuda.plan import Added
from autograph.kernels.cuda.use import uses_cublaslt
from autograph.kernels.ir import ir
from autograph.log import log

_MOST_ALGORITHMS = 4096  # that are remembered for a device
_MOST_ALIGNMENT = 256  # bytes, more of which make no difference
_MOST = 2**31 - 1  # of a length, a batch
# What "cuBLAS Library" recommends for a workspace, from Hopper on, and before.
_WORKSPACE, _OLD_WORKSPACE, _HOPPER = 32 * 2**20, 4 * 2**20, 90

# "cublasLt.h", "cublas_api.h" and "library_types.h" of CUDA 11 to 13.
_TYPES = {ir.SINGLE: 0, ir.DOUBLE: 1}  # CUDA_R_32F, CUDA_R_64F
_COMPUTED_IN = {ir.SINGLE: 68, ir.DOUBLE: 70}  # CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_64F
_TURN_A, _TURN_B = 3, 4  # CUBLASLT_MATMUL_DESC_TRANSA, _TRANSB: int32
_EPILOGUE, _VECTOR_AT = 7, 8  # CUBLASLT_MATMUL_DESC_EPILOGUE: uint32, _BIAS_POINTER: an address
_WITH_VECTOR = 4  # CUBLASLT_EPILOGUE_BIAS
_PLAIN, _TURNED = 0, 1  # CUBLAS_OP_N, CUBLAS_OP_T
_BATCH, _STEP = 5, 6  # CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT: int32, _STRIDED_BATCH_OFFSET: int64
_MOST_WORKSPACE = 1  # CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES: uint64
_ALIGNMENTS = (5, 6, 7, 8)  # CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, B, C, D: uint32


class _Algorithm(ctypes.Structure):
    _fields_ = (("data", c_uint64 * 8),)


class _Found(ctypes.Structure):
    """``cublasLtMatmulHeuristicResult_t``."""

    _fields_ = (
        ("algorithm", _Algorithm),
        ("workspace", c_size_t),
        ("state", c_int),
        ("waves", ctypes.c_float),
        ("reserved", c_int * 4),
    )


_ATTRIBUTE = (c_void_p, c_int, c_void_p, c_size_t)
_FUNCTIONS: dict[str, Sequence[Any]] = {
    "cublasLtCreate": (c_void_p,),
    "cublasLtMatmulDescCreate": (c_void_p, c_int, c_int),
    "cublasLtMatmulDescSetAttribute": _ATTRIBUTE,
    "cublasLtMatmulDescDestroy": (c_void_p,),
    "cublasLtMatrixLayoutCreate": (c_void_p, c_int, c_uint64, c_uint64, c_int64),
    "cublasLtMatrixLayoutSetAttribute": _ATTRIBUTE,
    "cublasLtMatrixLayoutDestroy": (c_void_p,),
    "cublasLtMatmulPreferenceCreate": (c_void_p,),
    "cublasLtMatmulPreferenceSetAttribute": _ATTRIBUTE,
    "cublasLtMatmulPreferenceDestroy": (c_void_p,),
    "cublasLtMatmulAlgoGetHeuristic": (*[c_void_p] * 7, c_int, c_void_p, c_void_p),
    "cublasLtMatmul": (*[c_void_p] * 14, c_size_t, c_void_p),
}


class ProductError(RuntimeError):
    """cuBLASLt refuses a call, or reports an error of what ran before.

    Attributes:
        status: ``cublasStatus_t``.
    """

    def __init__(self, function: str, status: int):
        super().__init__(f"{function}: status {status} of cuBLAS")
        self.status = status


class CublasLt:
    """The library, with the types of its functions.

    Args:
        library: of `ctypes`.

    Raises:
        AttributeError: it has not all functions.
    """

    def __init__(self, library: Any):
        self._functions = {}
        for name, types in _FUNCTIONS.items():
            function = getattr(library, name)
            function.argtypes, function.restype = types, c_int
            self._functions[name] = function

    def __call__(self, name: str, *given: Any) -> None:
        """Call a function.

        Raises:
            ProductError: it returns an error.
        """
        status = self._functions[f"cublasLt{name}"](*given)
        if status:
            raise ProductError(f"cublasLt{name}", status)

    def made(self, what: str, *given: Any) -> c_void_p:
        """A descriptor."""
        place = c_void_p()
        self(f"{what}Create", ctypes.byref(place), *given)
        return place

    def set(self, what: str, place: c_void_p, attribute: int, value: Any) -> None:
        """Set an attribute of a descriptor to a number of `ctypes`."""
        size = ctypes.sizeof(value)
        self(f"{what}SetAttribute", place, attribute, ctypes.byref(value), size)

    def destroy(self, what: str, place: c_void_p) -> None:
        """End a descriptor, whatever the library says."""
        self._functions[f"cublasLt{what}Destroy"](place)


class Prepared:
    """A product whose algorithm is known.

    Args:
        added: what is added.

    Attributes:
        workspace: bytes that the algorithm needs.
        has_run: whether it has, so that all is loaded that it needs.
    """

    def __init__(self, library: CublasLt, s: ir.Multiply, added: Added | None = None):
        self._library = library
        kind, computed_in = _TYPES[s.c.dtype], _COMPUTED_IN[s.c.dtype]
        self.description = self._made("MatmulDesc", computed_in, kind)
        for attribute, turned in ((_TURN_A, s.b_transposed), (_TURN_B, s.a_transposed)):
            value = c_int32(_TURNED if turned else _PLAIN)
            library.set("MatmulDesc", self.description, attribute, value)
        b_shape = (s.inner, s.columns) if s.b_transposed else (s.columns, s.inner)
        a_shape = (s.rows, s.inner) if s.a_transposed else (s.inner, s.rows)
        batch = s.batch
        self.left = self._layout(kind, b_shape, s.b_stride, batch, s.b_step)
        self.right = self._layout(kind, a_shape, s.a_stride, batch, s.a_step)
        self.result = self._layout(kind, (s.columns, s.rows), s.c_stride, batch, s.c_step)
        self.added = self.result
        if added is not None and added.stride:
            shape = (s.columns, s.rows)
            self.added = self._layout(kind, shape, added.stride, batch, added.step)
        elif added is not None:
            library.set("MatmulDesc", self.description, _EPILOGUE, c_uint32(_WITH_VECTOR))
            self.place_vector(added)
        self.algorithm = _Algorithm()
        self.workspace = 0
        self.has_run = False

    def place_vector(self, added: Added) -> None:
        """Say where a vector is, on whose alignment the choice of an algorithm depends, too."""
        self._library.set("MatmulDesc", self.description, _VECTOR_AT, c_uint64(added.place))

    def _made(self, what: str, *given: Any) -> c_void_p:
        place = self._library.made(what, *given)
        finalizer = weakref.finalize(self, self._library.destroy, what, place)
        finalizer.atexit = False  # the process ends
        return place

    def _layout(self, kind: int, shape: Any, stride: Any, batch: Any, step: Any) -> c_void_p:
        rows, columns = shape
        if columns == 1:  # there is no next one, but the library looks
            stride = max(stride, rows)
        layout = self._made("MatrixLayout", kind, rows, columns, stride)
        if batch != 1:
            self._library.set("MatrixLayout", layout, _BATCH, c_int32(batch))
            self._library.set("MatrixLayout", layout, _STEP, c_int64(step))
        return layout


class Products:
    """cuBLASLt on one device, which is the current one where this is used.

    Args:
        most: bytes of memory that an algorithm may need.

    Raises:
        ProductError: it cannot be had on this device.
    """

    def __init__(self, library: CublasLt, most: int):
        self._library, self._most = library, most
        self._handle = library.made("")
        self._prepared: dict[Any, Prepared | None] = {}
        self._lock = threading.RLock()

    def prepared(
        self, s: ir.Multiply, a: int, b: int, c: int, added: Added | None = None
    ) -> Prepared | None:
        """The algorithm for a product, with what is added to it; None if there is none."""
        measures: Any = s.measures()
        if not s.inner or max(measures[:3]) > _MOST or s.batch > _MOST:
            return None
        before = added.place if added is not None and added.stride else c
        alignments = tuple(map(_alignment, (b, a, before, c)))
        also = added and (added.stride, added.step, _alignment(added.place))
        key = (s.c.dtype, s.a_transposed, s.b_transposed, measures, alignments, also)
        with self._lock:
            if key not in self._prepared:
                if len(self._prepared) >= _MOST_ALGORITHMS:
                    self._prepared.pop(next(iter(self._prepared)))
                self._prepared[key] = self._asked(s, alignments, added)
            return self._prepared[key]

    def _asked(
        self, s: ir.Multiply, alignments: tuple[int, ...], added: Added | None
    ) -> Prepared | None:
        library, found, count = self._library, _Found(), c_int(0)
        try:
            made = Prepared(library, s, added)
            wishes = library.made("MatmulPreference")
            try:
                most = c_uint64(self._most)
                library.set("MatmulPreference", wishes, _MOST_WORKSPACE, most)
                for attribute, nbytes in zip(_ALIGNMENTS, alignments):
                    library.set("MatmulPreference", wishes, attribute, c_uint32(nbytes))
                layouts = made.left, made.right, made.added, made.result
                places = ctypes.byref(found), ctypes.byref(count)
                given = (self._handle, made.description, *layouts, wishes, 1, *places)
                library("MatmulAlgoGetHeuristic", *given)
            finally:
                library.destroy("MatmulPreference", wishes)
        except ProductError as error:
            log.debug("a product is left to cuBLAS: %s", error)
            return None
        if count.value < 1 or found.state:
            log.debug("a product is left to cuBLAS: cuBLASLt has no algorithm for it")
            return None
        made.algorithm, made.workspace = found.algorithm, found.workspace
        return made

    def run(
        self,
        made: Prepared,
        s: ir.Multiply,
        places: tuple[int, int, int],
        workspace: int,
        stream: int,
        added: Added | None = None,
    ) -> None:
        """Launch a product.

        Args:
            made: what `prepared` has given for it.
            places: of the matrices.
            workspace: memory of as many bytes as ``made`` needs.
            added: what was given to `prepared`.

        Raises:
            ProductError: the library refuses, or the device has failed.
        """
        a, b, c = places
        number = np.ctypeslib.as_ctypes_type(s.c.dtype)
        matrix = added if added is not None and added.stride else None
        alpha, beta = number(s.alpha), number(1.0 if matrix else s.beta)  # read before it is back
        left, right = (b, made.left), (a, made.right)
        before, result = (matrix.place if matrix else c, made.added), (c, made.result)
        algorithm = ctypes.byref(made.algorithm)
        with self._lock:
            if added is not None and matrix is None:
                made.place_vector(added)
            self._library(
                "Matmul",
                self._handle,
                made.description,
                ctypes.byref(alpha),
                *(*left, *right),
                ctypes.byref(beta),
                *(*before, *result),
                algorithm,
                workspace or None,
                made.workspace,
                stream,
            )
        made.has_run = True


def _alignment(place: int) -> int:
    """The largest power of two, up to a limit, of which an address is a multiple."""
    return min(place & -place, _MOST_ALIGNMENT) or _MOST_ALIGNMENT


@functools.cache
def load() -> CublasLt | None:
    """The library that belongs to CuPy's cuBLAS; None if there is none."""
    try:
        import cupy
        from cupy_backends.cuda.libs import cublas  # noqa: F401 (it loads the library, too)

        major = cupy.cuda.runtime.runtimeGetVersion() // 1000
        return CublasLt(ctypes.CDLL(f"libcublasLt.so.{major}"))
    except (ImportError, OSError, AttributeError) as error:
        log.debug("products are cuBLAS's: cuBLASLt is not found: %s", error)
        return None


_by_device: dict[int, Products | None] = {}


def products_of(device: int, capability: str) -> Products | None:
    """cuBLASLt on the current device; None if cuBLAS is to multiply.

    Args:
        device: its number.
        capability: its compute capability, such as "90".
    """
    if not uses_cublaslt():
        return None
    if device not in _by_device:
        library, most = load(), _WORKSPACE if int(capability) >= _HOPPER else _OLD_WORKSPACE
        try:
            _by_device[device] = None if library is None else Products(library, most)
        except ProductError as error:
            log.debug("products are cuBLAS's: %s", error)
            _by_device[device] = None
    return _by_device[device]


def by_cublas(s: ir.Multiply, a: int, b: int, c: int) -> None:
    """A product by CuPy's cuBLAS, on the current stream, which is not captured.

    Args:
        a, b, c: where the matrices start.
    """
    from cupy.cuda.device import get_cublas_handle
    from cupy_backends.cuda.libs import cublas

    single = s.c.dtype == ir.SINGLE
    sides = (cublas.CUBLAS_OP_N, cublas.CUBLAS_OP_T)
    alpha, beta = np.array(s.alpha, s.c.dtype), np.array(s.beta, s.c.dtype)
    handle = get_cublas_handle()
    mode = cublas.getPointerMode(handle)
    cublas.setPointerMode(handle, cublas.CUBLAS_POINTER_MODE_HOST)
    try:
        shape = (sides[s.b_transposed], sides[s.a_transposed], s.columns, s.rows, s.inner)
        # A matrix without elements has a stride as well.
        left, right = (b, max(s.b_stride, 1)), (a, max(s.a_stride, 1))
        scales = (alpha.ctypes.data, beta.ctypes.data)
        if s.batch == 1:
            gemm = cublas.sgemm if single else cublas.dgemm
            gemm(handle, *shape, scales[0], *left, *right, scales[1], c, s.c_stride)
        else:
            gemm = cublas.sgemmStridedBatched if single else cublas.dgemmStridedBatched
            operands = (*left, s.b_step, *right, s.a_step)
            result = (c, s.c_stride, s.c_step, s.batch)
            gemm(handle, *shape, scales[0], *operands, scales[1], *result)
    finally:
        cublas.setPointerMode(handle, mode)
