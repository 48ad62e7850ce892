"""The types of values in a graph: arrays, Python scalars, and the two containers for residuals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np

from ops.core.recording import raises_as_python
from ops.core.records import NamedTuple, dataclass

PYTHON_SCALARS = (bool, int, float, complex)
_WEAK_DTYPES: dict[type, np.dtype] = {t: np.dtype(t) for t in PYTHON_SCALARS}
# The dtypes of the arrays that there are graphs of, for messages.
SUPPORTED = (
    "booleans, integers, floats of up to 64 bits or complex numbers of up to 128 bits, in the byte "
    "order of the machine"
)
_SHORT_NAMES = {"float": "f", "int": "i", "uint": "u", "complex": "c", "bfloat": "bf"}


def dtype_name(dtype: np.dtype) -> str:
    """``float64`` as ``f64``, ``int32`` as ``i32``, ``bool`` as ``bool``."""
    stem = dtype.name.rstrip("0123456789")
    return _SHORT_NAMES[stem] + dtype.name[len(stem) :] if stem in _SHORT_NAMES else dtype.name


class UnknownLengthError(NotImplementedError):
    """Something has to know a length that only the run knows."""


class ArrayType(NamedTuple):
    """An array of ``dtype`` and ``shape``; with ``weak`` a Python scalar (NEP 50 calls it weakly
    typed).

    A length in the shape is None if only the run knows it.

    ``varies`` names the axes of a mesh along which the value may differ; see
    `autograph.graph.variance`. Only while the function for a mesh is recorded are there any.

    A weak value obeys Python's arithmetic, not NumPy's, as long as it meets other weak values only,
    and takes the dtype of the array it meets otherwise. Its dtype is the one NumPy would give it by
    itself.
    """

    dtype: np.dtype
    shape: tuple[int | None, ...] = ()
    weak: bool = False
    varies: frozenset = frozenset()

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def is_static(self) -> bool:
        """Whether all lengths are known."""
        return None not in self.shape

    @property
    def known_shape(self) -> tuple[int, ...]:
        """The shape.

        Raises:
            UnknownLengthError: only the run knows it.
        """
        if not self.is_static:
            raise UnknownLengthError(
                f"the length of an array of type {self} is needed, known only at run time; "
                "use a loop with a known number of trips, or an array of known shape"
            )
        shape: Any = self.shape
        return shape  # there is no None in it

    def known(self, axes: Iterable[int]) -> tuple[int, ...]:
        """The lengths along some axes.

        Raises:
            UnknownLengthError: only the run knows one of them.
        """
        lengths: tuple[Any, ...] = tuple(self.shape[axis] for axis in axes)
        if None in lengths:
            return self.known_shape
        return lengths  # there is no None in them

    @property
    def size(self) -> int:
        """The number of elements.

        Raises:
            UnknownLengthError: only the run knows it.
        """
        return math.prod(self.known_shape)

    @property
    def scalar(self) -> type | np.dtype:
        """What NumPy's promotion functions take: the Python type of a weak value, else the
        dtype."""
        return python_type(self.dtype) if self.weak else self.dtype

    @property
    def inexact(self) -> bool:
        return self.dtype.kind in "fc" or self.dtype.name == "bfloat16"

    def strong(self) -> ArrayType:
        return self._replace(weak=False)

    def along(self, axes: frozenset) -> ArrayType:
        """The same type of a value that varies along some axes, too."""
        return self if axes <= self.varies else self._replace(varies=self.varies | axes)

    def with_length(self, axis: int, length: int | None) -> ArrayType:
        """The same type with another length along an axis."""
        return self._replace(shape=(*self.shape[:axis], length, *self.shape[axis + 1 :]))

    def invariant(self) -> ArrayType:
        """The same type of a value that varies along no axis."""
        return self._replace(varies=frozenset()) if self.varies else self

    def __repr__(self) -> str:
        along = f", varies={self.varies}" if self.varies else ""
        return f"ArrayType(dtype={self.dtype!r}, shape={self.shape}, weak={self.weak}{along})"

    def __str__(self) -> str:
        along = f"~{'~'.join(sorted(self.varies))}" if self.varies else ""
        if self.weak:
            return python_type(self.dtype).__name__ + along
        lengths = ",".join("?" if n is None else repr(n) for n in self.shape)
        return f"{dtype_name(self.dtype)}[{lengths}]{along}"


@dataclass(frozen=True)
class PackType:
    """An opaque product of values: what one execution of a region leaves for its backward pass.

    The contents are not part of the type, because the branches of a conditional leave different
    ones.
    """

    def __str__(self) -> str:
        return "Pack"

    inexact = True


@dataclass(frozen=True)
class StackType:
    """A stack of packs, pushed once per trip of a loop and popped by its backward pass."""

    def __str__(self) -> str:
        return "Stack"

    inexact = True


Type = ArrayType | PackType | StackType


def is_type(type: Type, other: Type) -> bool:
    """Whether two types are the same. Of shapes with symbols it assumes no more than it has to: see
    `ops.core.symbolic_lengths.are_equal`."""
    if isinstance(type, ArrayType) and isinstance(other, ArrayType):
        return len(type.shape) == len(other.shape) and type == other
    return type == other


Casting = Literal["no", "equiv", "safe", "same_kind", "unsafe"]  # as NumPy has it


def may_agree(shape: Sequence[int | None], other: Sequence[int | None]) -> bool:
    """Whether two shapes are the same, or may be when the program runs: None is a length that only
    the run knows."""
    return len(shape) == len(other) and all(m == n or None in (m, n) for m, n in zip(shape, other))


@raises_as_python
def numpy_dtype(dtype: Any) -> np.dtype:
    """What NumPy takes for a dtype, as one.

    Raises:
        TypeError: it takes it for none.
    """
    return np.dtype(dtype)


def as_dtype(dtype: Any) -> np.dtype:
    """A dtype that arrays can have, as `numpy_dtype` gives it.

    Raises:
        NotImplementedError: arrays of it are not supported.
    """
    found = numpy_dtype(dtype)
    if found.kind == "O":
        raise NotImplementedError("an array of objects; use a list or a tuple of them")
    if not is_supported(found):
        raise NotImplementedError(f"dtype {found} is not supported; use {SUPPORTED}")
    return found


def is_supported(dtype: np.dtype) -> bool:
    """Whether there are graphs of arrays of this dtype.

    There are none of ``longdouble``, which Python's numbers and most devices can't hold.
    """
    numbers = dtype.kind in "biufc" or dtype.name == "bfloat16"
    return numbers and dtype.isnative and dtype.itemsize <= (16 if dtype.kind == "c" else 8)


def python_type(dtype: np.dtype) -> type:
    """The type of Python numbers of the kind of ``dtype``."""
    # NumPy files bfloat16, which comes from a package of its own, under "V".
    return {"b": bool, "i": int, "u": int, "f": float, "c": complex, "V": float}[dtype.kind]


def weak(python_type: type) -> ArrayType:
    """The type of a Python scalar of the given Python type."""
    return ArrayType(_WEAK_DTYPES[python_type], (), True)


def array(dtype: Any, shape: tuple[int | None, ...] = ()) -> ArrayType:
    return ArrayType(np.dtype(dtype), tuple(shape))


def type_of(value: Any) -> ArrayType | None:
    """The type of a concrete array or number, or None if the value is neither."""
    kind = type(value)
    if kind in _WEAK_DTYPES:
        return ArrayType(_WEAK_DTYPES[kind], (), True)
    # Looks at the class alone: what a user's object has may be computed when it is asked for.
    if issubclass(kind, np.generic) or (
        hasattr(kind, "__array_ufunc__") and hasattr(kind, "dtype")
    ):
        dtype = value.dtype
        if isinstance(dtype, np.dtype) and is_supported(dtype):
            return ArrayType(dtype, tuple(value.shape))
        return None
    for python_type in PYTHON_SCALARS:  # subclasses such as IntEnum
        if isinstance(value, python_type):
            return ArrayType(_WEAK_DTYPES[python_type], (), True)
    return None
