"""What statements of the kernel IR compute with: scalars, and buffers in memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import numpy as np

from ops.core.kernels import with_operators

BOOL, INT, LONG = np.dtype(bool), np.dtype("int32"), np.dtype("int64")
SINGLE, DOUBLE = np.dtype("float32"), np.dtype("float64")

# The dtypes of scalars. A bool is one byte, 0 or 1, in memory.
DTYPES = tuple(
    np.dtype(kind) for kind in ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8")
)

_LONG_END = 1 << 63


innermost = threading.local()  # its ``builder`` is that of the thread


class OperandBuilder(Protocol):
    """What operands ask of the builder of a kernel; see `autograph.kernels.ir.builder`."""

    def compute(self, function: str, *operands: Any) -> Operand: ...

    def check(self, condition: Operand) -> None: ...

    def flat_index(self, index: Sequence[Any], shape: Sequence[int]) -> Operand: ...

    def is_given(self, operand: Operand) -> bool: ...

    def at_beginning(self) -> AbstractContextManager[None]: ...

    def if_(
        self,
        condition: Operand,
        then: Callable[[], Sequence[Operand]],
        orelse: Callable[[], Sequence[Operand]],
    ) -> tuple[Operand, ...]: ...

    def while_(
        self,
        init: Sequence[Operand],
        test: Callable[..., Operand],
        body: Callable[..., Sequence[Operand]],
    ) -> tuple[Operand, ...]: ...


def current() -> OperandBuilder:
    """The innermost builder of this thread.

    Raises:
        RuntimeError: no kernel is being built.
    """
    builder = getattr(innermost, "builder", None)
    if builder is None:
        raise RuntimeError("a kernel's scalar was used while no kernel is being built")
    return builder


@with_operators
class Operand:
    """A scalar: a `Var` or a `Number`. Python's operators, and the functions of `ops.core.kernels`,
    add a `Compute` to the kernel that is being built; see `autograph.kernels.ir.builder`."""

    __slots__ = ()
    __hash__ = object.__hash__
    dtype: np.dtype

    # Of Python's operators, which `with_operators` defines, those that are used here.
    __add__: Callable[..., Any]
    __radd__: Callable[..., Any]
    __sub__: Callable[..., Any]
    __rsub__: Callable[..., Any]
    __mul__: Callable[..., Any]
    __rmul__: Callable[..., Any]
    __truediv__: Callable[..., Any]
    __rtruediv__: Callable[..., Any]
    __eq__: Callable[..., Any]
    __ne__: Callable[..., Any]
    __and__: Callable[..., Any]
    __rand__: Callable[..., Any]
    __or__: Callable[..., Any]
    __ror__: Callable[..., Any]
    __xor__: Callable[..., Any]
    __lt__: Callable[..., Any]
    __le__: Callable[..., Any]
    __gt__: Callable[..., Any]
    __ge__: Callable[..., Any]
    __neg__: Callable[..., Any]
    __invert__: Callable[..., Any]

    def __kernel__(self, function: str, operands: Sequence[Any]) -> Operand:
        return current().compute(function, *operands)

    def __choose__(self, then: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
        """See `ops.core.kernels.choose`."""

        def scalar(side: Callable[[], Any]) -> Operand:
            found = side()
            return found if isinstance(found, Operand) else Number(found, np.asarray(found).dtype)

        return current().if_(self, lambda: (scalar(then),), lambda: (scalar(orelse),))[0]

    def __iterate__(
        self, test: Callable[..., Any], body: Callable[..., Any], state: Sequence[Operand]
    ) -> tuple[Operand, ...]:
        """See `ops.core.kernels.iterate`. Trips that depend on numbers only are written out."""
        for _ in range(64):
            going = test(*state)
            if not isinstance(going, Number):
                break
            if not going.value:
                return tuple(state)
            state = body(*state)
        return current().while_(tuple(state), test, body)

    def __flat_index__(self, index: Sequence[Any], shape: Sequence[int]) -> Operand:
        """See `ops.core.kernels.flat_index`."""
        return current().flat_index(index, shape)

    def __require__(self) -> None:
        """See `ops.core.kernels.require`."""
        current().check(self)

    def __is_given__(self) -> bool:
        """See `ops.core.kernels.is_given`."""
        return current().is_given(self)

    def __of_given__(self, compute: Callable[[Any], Any]) -> Any:
        """See `ops.core.kernels.of_given`."""
        with current().at_beginning():
            return compute(self)

    def __bool__(self) -> bool:
        raise TypeError("a scalar of a kernel has no truth value while the kernel is being built")


class Var(Operand):
    """A scalar that a statement defines, or a parameter.

    Attributes:
        name: a hint for printers: the user's variable, or None.
    """

    __slots__ = ("dtype", "name")

    def __init__(self, dtype: np.dtype, name: str | None = None):
        self.dtype = np.dtype(dtype)
        self.name = name

    def __repr__(self) -> str:
        return f"<{self.name or 'var'} {self.dtype} {id(self) % 99991}>"


class Number(Operand):
    """A scalar written in the kernel. ``value`` is a NumPy scalar of the dtype."""

    __slots__ = ("dtype", "value")

    def __init__(self, value: Any, dtype: Any):
        self.value: Any
        if dtype is LONG and type(value) is int and -_LONG_END <= value < _LONG_END:
            self.dtype, self.value = LONG, np.int64(value)  # places and lengths, most of them
            return
        self.dtype = np.dtype(dtype)
        self.value = np.asarray(value).astype(self.dtype)[()]

    def __repr__(self) -> str:
        return f"{self.value!r}"


# Of a buffer: only the run knows how many elements it has.
UNKNOWN_SIZE = 1 << 40
MOST_BYTES = 2**57  # that no array has


class Buffer:
    """Elements in memory.

    Attributes:
        dtype: of the elements.
        size: how many there are; `UNKNOWN_SIZE` if known only at run time.
        kind: whose memory it is:

            * ``"input"`` the caller's, only read. Inputs and outputs may not overlap unless the
              kernel says so, see `Kernel.shared`;
            * ``"output"`` the caller's, written;
            * ``"temporary"`` the kernel's, for the whole run, one for all threads;
            * ``"reserved"`` the same, of a size known only at run time: it starts at ``base``;
            * ``"local"`` of each trip of the innermost `Each` around the statement `Local` that
              makes it (of the run of the kernel outside of all);
            * ``"constant"`` a table of the kernel's, ``data``, only read;
            * ``"record"`` part of what a `Reserve` gave: it starts at byte ``offset`` from
              ``base``.
        name: a hint for printers.
    """

    __slots__ = ("base", "data", "dtype", "kind", "name", "offset", "size")

    def __init__(
        self,
        dtype: Any,
        size: int,
        kind: str,
        name: str | None = None,
        base: Operand | None = None,
        offset: int = 0,
        data: np.ndarray | None = None,
    ):
        self.dtype = np.dtype(dtype)
        self.data = data
        self.size = size
        self.kind = kind
        self.name = name
        self.base = base
        self.offset = offset

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name or 'buffer'} {self.dtype}[{self.size}]>"
