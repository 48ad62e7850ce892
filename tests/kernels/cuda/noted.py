"""CuPy on the CPU, as `cupy_stand_in` has it, whose functions a stream that is captured notes, too.

What a function computes is put to memory of the pool, as CuPy does, by work of the current stream.
Noted work refers to memory by its address, as a kernel's arguments do: nothing holds it, and what
it finds there when a graph is started is what is there then.

While a stream is captured these are refused: to read a number, which waits; sorts, which wait in
Thrust; cuBLAS and cuSOLVER, which CuPy refuses; arrays of the host's, whose memory is another's by
the time that a graph is started.
"""

from __future__ import annotations

import contextlib
import functools
from typing import Any

import numpy as np

from tests.kernels.cuda.cupy_stand_in import StandIn, StandInArray, installed

WAIT = {"sort", "argsort", "partition", "nonzero", "unique", "array_equal", "allclose"}
LIBRARIES = {"matmul", "dot", "tensordot", "einsum", "inner", "vdot"}


class _At:
    """Memory of somebody's, as an array."""

    def __init__(self, x: np.ndarray):
        self.__array_interface__ = {
            "data": (x.ctypes.data, False), "shape": x.shape, "strides": x.strides,
            "typestr": x.dtype.str, "version": 3,
        }  # fmt: skip


def _by_address(x: Any) -> Any:
    """What a launch is given for an argument."""
    if isinstance(x, NotedArray):
        return np.asarray(_At(x))
    if isinstance(x, (tuple, list)):
        return type(x)(map(_by_address, x))
    return x


def _arrays(x: Any) -> list[NotedArray]:
    if isinstance(x, NotedArray):
        return [x]
    return [y for each in x for y in _arrays(each)] if isinstance(x, (tuple, list)) else []


class NotedArray(StandInArray):
    """What stands for ``cupy.ndarray``."""

    made: NotingStandIn  # the last one

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **kwargs):
        return self.made.call(ufunc.__name__, getattr(ufunc, method), inputs, kwargs, out)

    def __array_function__(self, function, types, args, kwargs):
        return self.made.call(function.__name__, function, args, kwargs)

    def __setitem__(self, key, value):
        key, value, own = _by_address(key), _by_address(value), _by_address(self)
        self.made.submit(lambda: own.__setitem__(key, value), "an assignment")

    def __getitem__(self, key):
        if not _arrays(key):
            found = super().__getitem__(key)
            return found if isinstance(found, NotedArray) else self._part(key)
        return self.made.call("take", lambda x, key: x[key], (self, key), {})

    def _part(self, key):
        """An element is an array without axes, in the same memory."""
        key = key if isinstance(key, tuple) else (key,)
        return super().__getitem__((*key, ...))

    def copy(self, order="C"):
        return self.made.call("copy", lambda x: x.copy(order), (self,), {})

    def reshape(self, *shape, **kwargs):
        """A view, or what a launch copies."""
        return self.made.call("reshape", lambda x: x.reshape(*shape, **kwargs), (self,), {})

    def astype(self, dtype, copy=True):
        return self.made.call("astype", lambda x: x.astype(dtype), (self,), {})

    def _waits(self):
        self.made.cuda.forbid("cudaStreamSynchronize, to read a number,")
        if self.made.cuda.asynchronous or self.made.cuda.failed:
            self.made.cuda.current.synchronize()
        return np.asarray(self)

    def get(self):
        return np.array(self._waits())

    def __bool__(self):
        return bool(self._waits())

    def __float__(self):
        return float(self._waits())

    def __int__(self):
        return int(self._waits())

    def __index__(self):
        return self._waits().__index__()

    def item(self, *given):
        return self._waits().item(*given)


class NotingStandIn(StandIn):
    """See the first lines of this file."""

    array = NotedArray

    def __init__(self, asynchronous: bool = False) -> None:
        super().__init__(asynchronous)
        NotedArray.made = self

    def submit(self, work: Any, name: str) -> None:
        """Let the current stream do something."""
        self.cuda.current.submit(work, name)

    def call(self, name: str, function: Any, args: Any, kwargs: Any, out: Any = None) -> Any:
        """Let the current stream call a function, whose result has memory of the pool."""
        if name in WAIT:
            self.cuda.forbid(name)
        if name in LIBRARIES and self.cuda.capturing:
            raise NotImplementedError("calling cuBLAS API during stream capture is unsupported")
        if self.cuda.asynchronous and (name in WAIT or name == "take"):
            self.cuda.current.synchronize()  # its result has a length that depends on numbers
        given, more = _by_address(tuple(args)), {k: _by_address(x) for k, x in kwargs.items()}
        with np.errstate(all="ignore"):
            if out is not None:
                targets = _by_address(out)
                self.submit(lambda: function(*given, out=targets, **more), name)
                return out[0]
            found = function(*given, **more)
        if isinstance(found, tuple):
            pick = lambda i: lambda *a, **k: function(*a, **k)[i]
            return tuple(self.call(name, pick(i), args, kwargs) for i in range(len(found)))
        if not isinstance(found, (np.ndarray, np.generic)):
            return found
        found = np.asarray(found)
        for x in _arrays([*args, *kwargs.values()]):
            if found.size and np.shares_memory(found, np.asarray(x)):
                return self._view(x, found)
        place = self.empty(found.shape, found.dtype, order=found)
        at = _by_address(place)
        self.submit(lambda: np.copyto(at, function(*given, **more)), name)
        return place

    @staticmethod
    def _view(x: NotedArray, found: np.ndarray) -> NotedArray:
        """An array in the memory of another one."""
        made = np.lib.stride_tricks.as_strided(x, found.shape, found.strides, subok=True)
        if made.ctypes.data == found.ctypes.data and made.dtype == found.dtype:
            return made
        root = x
        while isinstance(root.base, NotedArray):
            root = root.base
        flat = np.ndarray.__getitem__(root.reshape(-1), slice(None)).view(np.uint8)
        start = found.ctypes.data - flat.ctypes.data
        holder = np.ndarray(found.shape, found.dtype, flat, start, found.strides)
        return holder.view(NotedArray)

    def empty(self, shape, dtype=float, order: Any = "C"):
        """See `StandIn.empty`; in the order of an array, if there is one."""
        made = super().empty(shape, dtype)
        if isinstance(order, np.ndarray) and order.flags.fnc:
            return made.reshape(order.shape[::-1]).T
        return made

    def asarray(self, x, dtype=None, order=None):
        """See `StandIn.asarray`."""
        if isinstance(x, NotedArray):
            return x if dtype in (None, x.dtype) else x.astype(dtype)
        self.cuda.forbid("an array of the host's")
        host = np.array(x, dtype, order=order or "K")
        made = self.empty(host.shape, host.dtype)
        place = np.asarray(made)
        self.cuda.current.do(lambda: np.copyto(place, host))
        return made

    def function_of_numpy(self, name: str) -> Any:
        """A function of NumPy's as CuPy has it."""
        found = getattr(super().function_of_numpy(name), "__wrapped__", None)
        if found is None:
            return super().function_of_numpy(name)

        @functools.wraps(found, updated=())
        def call(*args, out=None, **kwargs):
            if name == "array":
                return self.asarray(*args, **kwargs).copy()
            return self.call(name, found, args, kwargs, None if out is None else (out,))

        if isinstance(found, np.ufunc):
            call.at = lambda *args: self.submit(
                functools.partial(found.at, *map(_by_address, args)), f"{name}.at"
            )
        return call


@contextlib.contextmanager
def stand_in(monkeypatch, asynchronous=False):
    """CuPy's stand-in, installed, with kernels turned on."""
    yield installed(monkeypatch, asynchronous, NotingStandIn)
