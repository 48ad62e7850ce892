"""What stands for cuBLASLt: a library of C functions that look at each call, and use NumPy.

Held to what "cuBLAS Library" and the comments of ``cublasLt.h`` say. The functions have the types
of the header and are called by their addresses, so that what calls them has to have them as well;
handles are numbers of more than 32 bits.

* Attributes have the sizes of the header; descriptors are used until they are destroyed.
* Leading dimensions are at least the rows; op(A), op(B), C and D fit each other; batches are the
  same; types are those that a compute type is for; C and D in one place have one layout, in two
  they share no memory, and D shares none with A and B.
* A vector that is added (the epilogue BIAS) has as many elements as D has rows, one beside the
  other, and the type of D. How it is aligned where an algorithm is asked for is promised, too: its
  address is read from the descriptor, and must not be null.
* An algorithm is for the descriptors that were asked about, needs the workspace that it told, and
  matrices aligned as was promised.
* A handle is created, and a kernel loaded by the first product that needs it, while no stream is
  captured. A workspace is memory of the device's; it is garbage afterwards.

What is refused is noted, and returned as a status.
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, c_int, c_int64, c_size_t, c_uint64, c_void_p
from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.kernels.cuda.streams import Cuda, CudaError

OK, INVALID, NOT_SUPPORTED, FAILED = 0, 7, 15, 13
_PLAIN, _WITH_VECTOR = 1, 4  # epilogues
_INT32, _UINT32, _INT64, _UINT64 = (np.dtype(x) for x in ("int32", "uint32", "int64", "uint64"))
_ATTRIBUTES = {
    "MatmulDesc": {
        **dict.fromkeys((2, 3, 4, 26), _INT32),
        **{7: _UINT32, 8: _UINT64, 10: _INT64},
    },
    "MatrixLayout": {
        **{0: _UINT32, 1: _INT32, 2: _UINT64, 3: _UINT64},
        **{4: _INT64, 5: _INT32, 6: _INT64},
    },
    "MatmulPreference": {1: _UINT64, 3: _UINT32, **dict.fromkeys((5, 6, 7, 8), _UINT32)},
}  # fmt: skip
_MATMUL_TYPES = {68: ((0, np.float32), (0, np.float32)), 70: ((1, np.float64), (1, np.float64))}
_numbers = itertools.count(0x7F12_0000_1000, 0x1000)


class Result(ctypes.Structure):
    """``cublasLtMatmulHeuristicResult_t``."""

    _fields_ = (
        ("algo", c_uint64 * 8),
        ("workspaceSize", c_size_t),
        ("state", c_int),
        ("wavesCount", ctypes.c_float),
        ("reserved", c_int * 4),
    )


class Refused(Exception):
    """A call is not right."""

    def __init__(self, why: str, status: int = INVALID):
        super().__init__(why)
        self.status = status


_PROTOTYPES: dict[str, tuple[Any, ...]] = {
    "Create": (POINTER(c_void_p),),
    "MatmulDescCreate": (POINTER(c_void_p), c_int, c_int),
    "MatmulDescSetAttribute": (c_void_p, c_int, c_void_p, c_size_t),
    "MatmulDescDestroy": (c_void_p,),
    "MatrixLayoutCreate": (POINTER(c_void_p), c_int, c_uint64, c_uint64, c_int64),
    "MatrixLayoutSetAttribute": (c_void_p, c_int, c_void_p, c_size_t),
    "MatrixLayoutDestroy": (c_void_p,),
    "MatmulPreferenceCreate": (POINTER(c_void_p),),
    "MatmulPreferenceSetAttribute": (c_void_p, c_int, c_void_p, c_size_t),
    "MatmulPreferenceDestroy": (c_void_p,),
    "MatmulAlgoGetHeuristic": (*[c_void_p] * 7, c_int, POINTER(Result), POINTER(c_int)),
    "Matmul": (*[c_void_p] * 12, POINTER(c_uint64 * 8), c_void_p, c_size_t, c_void_p),
}


class Library:
    """The library, as `ctypes.CDLL` has it.

    Args:
        cuda: the device.
        noted: called when a product is computed.
        workspace: bytes that each algorithm needs, or all that it may have, if that is less.

    Attributes:
        refused: why calls were, in order.
        called: the names of functions, in order.
        status: what `cublasLtMatmul` is to return, if not what it finds.
        knows: whether there are algorithms.
        adds: whether there are some that add a vector.
    """

    def __init__(self, cuda: Cuda, noted: Callable[[], None] = lambda: None, workspace: int = 5000):
        self._cuda, self._noted, self._workspace = cuda, noted, workspace
        self._things: dict[int, tuple[str, Any]] = {}
        self._algorithms: dict[int, Any] = {}
        self._loaded: set[int] = set()
        self.refused: list[str] = []
        self.called: list[str] = []
        self.status = OK
        self.knows = self.adds = True
        self._kept = []
        for name, types in _PROTOTYPES.items():
            callback = CFUNCTYPE(c_int, *types)(self._checked(name))
            self._kept.append(callback)
            address = ctypes.cast(callback, c_void_p).value
            setattr(self, f"cublasLt{name}", CFUNCTYPE(c_int)(address))

    def _checked(self, name: str) -> Callable[..., int]:
        what = next((x for x in _ATTRIBUTES if name.startswith(x)), None)
        if what:
            method: Any = getattr(self, name.replace(what, "_"))
            given: tuple[str, ...] = (what,)
        else:
            method, given = getattr(self, f"_{name}"), ()

        def call(*arguments: Any) -> int:
            self.called.append(name)
            try:
                return method(*given, *arguments) or OK
            except Refused as error:
                self.refused.append(str(error))
                return error.status
            except CudaError as error:
                self.refused.append(str(error))
                return FAILED
            except Exception as error:
                self.refused.append(repr(error))
                raise

        return call

    @property
    def alive(self) -> list[str]:
        """The kinds of descriptors that are not destroyed."""
        return [kind for kind, _ in self._things.values() if kind != "handle"]

    # -- handles and descriptors -------------------------------------------------------------------

    def _new(self, place: Any, kind: str, thing: Any) -> None:
        number = next(_numbers)
        self._things[number] = kind, thing
        place[0] = number

    def _get(self, number: int | None, kind: str) -> Any:
        known = self._things.get(number or 0)
        if known is None or known[0] != kind:
            raise Refused(f"{number} is no {kind}")
        return known[1]

    def _Create(self, place: Any, *given: Any) -> None:
        if place == "MatmulDesc":
            out, compute, scale = given
            if compute not in _MATMUL_TYPES or _MATMUL_TYPES[compute][0][0] != scale:
                raise Refused(f"numbers of type {scale} are not scaled in {compute}")
            first = {2: 0, 3: 0, 4: 0, 7: _PLAIN, 8: 0, 10: 0, 26: -1}
            self._new(out, place, {"compute": compute, **first})
        elif place == "MatrixLayout":
            out, kind, rows, columns, stride = given
            first = {0: kind, 1: 0, 2: rows, 3: columns, 4: stride, 5: 1, 6: 0}
            self._new(out, place, first)
        elif place == "MatmulPreference":
            self._new(*given, place, {1: 0, 3: 7, **dict.fromkeys((5, 6, 7, 8), 256)})
        else:
            self._cuda.forbid("cublasLtCreate")
            self._new(place, "handle", None)

    def _SetAttribute(self, kind: str, number: int, which: int, value: int, size: int) -> None:
        thing, types = self._get(number, kind), _ATTRIBUTES[kind]
        if which not in types or types[which].itemsize != size:
            raise Refused(f"{kind} has no attribute {which} of {size} bytes")
        thing[which] = int(
            np.frombuffer((ctypes.c_char * size).from_address(value), types[which])[0]
        )

    def _Destroy(self, kind: str, number: int) -> None:
        self._get(number, kind)
        del self._things[number]

    # -- products ----------------------------------------------------------------------------------

    def _problem(self, description: int, *layouts: int) -> tuple[Any, ...]:
        """What descriptors say, if they fit each other."""
        operation = self._get(description, "MatmulDesc")
        a, b, c, d = (self._get(x, "MatrixLayout") for x in layouts)
        _, (kind, dtype) = _MATMUL_TYPES[operation["compute"]]
        if operation[2] != 0 or operation[7] not in (_PLAIN, _WITH_VECTOR):
            raise Refused("numbers on the device, or another epilogue", NOT_SUPPORTED)
        if operation[7] == _WITH_VECTOR and operation[26] not in (-1, kind):
            raise Refused("a vector of another type", NOT_SUPPORTED)
        for x in (a, b, c, d):
            if x[0] != kind or x[1] != 0 or not (0 < x[2] < 2**31 and 0 < x[3] < 2**31):
                raise Refused(f"a layout of {x}")
            if x[4] < x[2]:
                raise Refused(f"a leading dimension of {x[4]} with {x[2]} rows")
            if x[5] != a[5] or x[5] < 1:
                raise Refused(f"batches of {x[5]} and {a[5]}")
            if x[5] > 1 and x[6] < 0:
                raise Refused("a negative step")
        if d[5] > 1 and d[6] < d[4] * (d[3] - 1) + d[2]:
            raise Refused("results of a batch share memory")
        if any(c[x] != d[x] for x in (0, 1, 2, 3, 5)):
            raise Refused("C and D have other shapes")
        if operation[3] not in (0, 1) or operation[4] not in (0, 1):
            raise Refused("an operation of neither", NOT_SUPPORTED)
        m, k = (a[3], a[2]) if operation[3] else (a[2], a[3])
        k2, n = (b[3], b[2]) if operation[4] else (b[2], b[3])
        if k != k2 or (m, n) != (d[2], d[3]):
            raise Refused(f"{(m, k)} times {(k2, n)} is not {(d[2], d[3])}")
        how = (operation[3], operation[4], operation[7])
        return (np.dtype(dtype), *how, *(tuple(x.items()) for x in (a, b, c, d)))

    def _MatmulAlgoGetHeuristic(self, handle, description, *given):
        *layouts, wishes, wanted, results, count = given
        self._get(handle, "handle")
        problem, wishes = (
            self._problem(description, *layouts),
            self._get(wishes, "MatmulPreference"),
        )
        if wanted < 1:
            raise Refused("no result is wanted")
        alignments = [wishes[x] for x in (5, 6, 7, 8)]
        if any(x < 1 or x & (x - 1) for x in alignments):
            raise Refused(f"alignments of {alignments}")
        if not self.knows:
            count[0] = 0
            raise Refused("there is no algorithm", NOT_SUPPORTED)
        alignments.append(self._vector_at(description))
        if alignments[-1] and not self.adds:
            count[0] = 0
            raise Refused("there is no algorithm that adds a vector", NOT_SUPPORTED)
        number = len(self._algorithms) + 1
        workspace = min(self._workspace, wishes[1])
        self._algorithms[number] = problem, alignments, workspace
        results[0].algo[0], results[0].algo[7] = number, number ^ 0xFFFF_FFFF_0000
        results[0].workspaceSize, results[0].state = workspace, OK
        count[0] = 1

    def _vector_at(self, description: int) -> int:
        """How the vector that is added is aligned; 0 if there is none."""
        operation = self._get(description, "MatmulDesc")
        if operation[7] != _WITH_VECTOR:
            return 0
        place = operation[8]
        if not place:
            raise Refused("a vector at no address")
        return min(place & -place, 256)

    def _Matmul(self, handle, description, alpha, a, a_layout, b, b_layout, beta, c, c_layout, d,
                d_layout, algorithm, workspace, nbytes, stream):  # fmt: skip
        self._get(handle, "handle")
        problem = self._problem(description, a_layout, b_layout, c_layout, d_layout)
        data = algorithm[0]
        number = data[0]
        if number not in self._algorithms or data[7] != number ^ 0xFFFF_FFFF_0000:
            raise Refused("an algorithm of nobody's")
        known, alignments, needed = self._algorithms[number]
        if known != problem:
            raise Refused("an algorithm for something else")
        for place, alignment in zip((a, b, c, d), alignments):
            if not place or place % alignment:
                raise Refused(f"{place:#x} is not aligned to {alignment}")
        if needed and (nbytes < needed or not workspace or workspace % 16):
            raise Refused(f"{nbytes} bytes at {workspace} for {needed}")
        if needed and not self._cuda.holds(workspace, nbytes):
            raise Refused("the workspace is no memory of the device's")
        if self._vector_at(description) < alignments[-1]:
            raise Refused(f"the vector is not aligned to {alignments[-1]}")
        if number not in self._loaded:
            self._cuda.forbid("a kernel is loaded")
            self._loaded.add(number)
        if self.status:
            return self.status
        dtype, a_turned, b_turned, epilogue, *layouts = problem
        layouts = [dict(x) for x in layouts]
        if c == d and layouts[2] != layouts[3]:
            raise Refused("C and D are laid out differently in one place")
        x, y, w, z = (_matrices(p, dtype, layout) for p, layout in zip((a, b, c, d), layouts))
        vector = np.zeros(1, dtype)
        if epilogue == _WITH_VECTOR:
            operation, rows, batch = self._get(description, "MatmulDesc"), z.shape[1], len(z)
            shape = {2: rows, 3: 1, 4: rows, 5: batch, 6: operation[10]}
            vector = _matrices(operation[8], dtype, shape)
        others = [x, y, vector] if c == d else [x, y, w, vector]
        if any(np.may_share_memory(other, z) for other in others):
            raise Refused("the result lies on an operand")
        scales = [np.frombuffer((ctypes.c_char * dtype.itemsize).from_address(p), dtype)[0].copy()
                  for p in (alpha, beta)]  # fmt: skip

        def compute() -> None:
            self._noted()
            left = x.swapaxes(1, 2) if a_turned else x
            right = y.swapaxes(1, 2) if b_turned else y
            if needed:
                ctypes.memset(workspace, 0xE7, nbytes)
            product = scales[0] * (left @ right)
            z[...] = (product + scales[1] * w if scales[1] else product) + vector

        self._cuda.by_number(_signed(stream)).submit(compute, "a product")


def _signed(stream: int | None) -> int:
    """Numbers of legacy streams are negative here."""
    return ctypes.c_int64(stream or 0).value


def _matrices(place: int, dtype: np.dtype, layout: dict[int, int]) -> np.ndarray:
    """Memory as matrices, one after the other."""
    rows, columns, stride, batch, step = (layout[x] for x in (2, 3, 4, 5, 6))
    item = dtype.itemsize
    count = (batch - 1) * step + (columns - 1) * stride + rows
    flat = np.frombuffer((ctypes.c_char * (count * item)).from_address(place), dtype)
    strides = (step * item, item, stride * item)
    return np.lib.stride_tricks.as_strided(flat, (batch, rows, columns), strides)


def loaded(library: Library) -> SimpleNamespace:
    """The library as code under test finds it: functions without types."""
    return SimpleNamespace(
        **{f"cublasLt{x}": getattr(library, f"cublasLt{x}") for x in _PROTOTYPES}
    )
