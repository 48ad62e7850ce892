"""What a kernel takes and returns, as Python sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from ops.core.records import NamedTuple, dataclass
from ops.core.symbolic_lengths import is_length

# The dtypes of elements, each with the Python type whose numbers are weak numbers of it.
PYTHON_TYPES = {
    np.dtype("float64"): float,
    np.dtype("int64"): int,
    np.dtype("uint64"): int,
    np.dtype("bool"): bool,
    np.dtype("complex128"): complex,
}

_GIVEN = ("python", "numpy")
FORMS = ("python", "bits", "numpy", "array")


def _length(n: Any) -> Any:
    return n if is_length(n) else int(n)


MOST_INPUTS = 63  # whose positions `LongFrom` tells


class LongFrom(NamedTuple):
    """Which calls of a kernel take so long that other threads of Python shall run meanwhile: those
    in which one of some inputs, int64s, is at least a number.

    Attributes:
        least: the number; 0: all calls do.
        inputs: the positions of the inputs.
    """

    least: int
    inputs: Sequence[int] = ()


ALWAYS, NEVER = LongFrom(0), LongFrom(1)


@dataclass(frozen=True)
class Array:
    """An array: of exactly this type, C-contiguous, aligned, in the byte order of the machine. The
    kernel gets the address of its elements. As a result, a new one. The shape may have symbolic
    lengths in it."""

    dtype: np.dtype
    shape: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "dtype", np.dtype(self.dtype))
        object.__setattr__(self, "shape", tuple(map(_length, self.shape)))


@dataclass(frozen=True)
class GrownArray:
    """A result of which the kernel tells lengths. It writes int64s: the address of the elements, in
    memory from ``ag_take``, and these lengths in the order of the axes. All are 0 before.

    Attributes:
        shape: the lengths, None of those that the kernel tells: all that are no numbers, also
            symbolic ones.
    """

    dtype: np.dtype
    shape: tuple[int | None, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "dtype", np.dtype(self.dtype))
        shape = tuple(None if n is None or is_length(n) else int(n) for n in self.shape)
        object.__setattr__(self, "shape", shape)

    @property
    def told(self) -> list[int]:
        """The axes whose lengths the kernel tells."""
        return [axis for axis, n in enumerate(self.shape) if n is None]


@dataclass(frozen=True)
class KernelScalar:
    """A number, which the kernel gets by its value; a complex one by the address of its parts.

    Attributes:
        dtype: of the number in the kernel.
        forms: what it may be in Python: ``"python"``, exactly a float (for float64), a complex (for
            complex128), an int that fits (for int64 and uint64) or a bool; ``"bits"``, any int, of
            which the kernel gets the lowest 64 bits (for uint64); ``"numpy"``, a NumPy scalar of
            exactly the dtype; ``"array"``, an array without dimensions. A result has one form, and
            is ``"python"`` or ``"numpy"``.
    """

    dtype: np.dtype
    forms: tuple[str, ...] = ("numpy",)

    def __post_init__(self) -> None:
        object.__setattr__(self, "dtype", np.dtype(self.dtype))
        forms = (self.forms,) if isinstance(self.forms, str) else tuple(self.forms)
        object.__setattr__(self, "forms", forms)
        if not forms or not set(forms) <= set(FORMS):
            raise ValueError(f"the forms of a scalar are among {FORMS}, not {forms}")
        if "python" in forms and self.dtype not in PYTHON_TYPES:
            raise ValueError(f"there are no Python numbers of dtype {self.dtype}")


@dataclass(frozen=True)
class Alias:
    """A result that is a parameter itself, by its position. The kernel does not see it."""

    parameter: int


@dataclass(frozen=True)
class Into:
    """What the kernel writes to the memory of a parameter, an `Array` that must be writable. It is
    an output of the kernel, and not a result in Python. The kernel must not be one that gives up,
    and the caller answers for other arguments that share the memory."""

    parameter: int


KernelResult = Array | GrownArray | KernelScalar | Alias | Into


@dataclass(frozen=True)
class KernelSignature:
    """What a kernel takes and returns.

    Attributes:
        parameters: in order. They are also the inputs of the kernel, in order.
        results: in order. Those other than `Alias` are the outputs of the kernel.
        single: the function returns its only result, rather than a tuple of results.
        symbols: of lengths, which the kernel takes after its parameters: for each the position of a
            parameter, an axis, and by how much that is longer.
    """

    parameters: tuple[Array | KernelScalar, ...]
    results: tuple[KernelResult, ...]
    single: bool = field(default=True)
    symbols: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", tuple(self.parameters))
        object.__setattr__(self, "results", tuple(self.results))
        for result in self.results:
            match result:
                case Alias(parameter) | Into(parameter):
                    if not 0 <= parameter < len(self.parameters):
                        raise ValueError(f"there is no parameter {parameter}")
                    if isinstance(result, Into) and not isinstance(
                        self.parameters[parameter], Array
                    ):
                        raise ValueError(f"parameter {parameter} is not an array to write to")
                case KernelScalar() if len(result.forms) != 1 or result.forms[0] not in _GIVEN:
                    raise ValueError("a scalar as a result has one form, 'python' or 'numpy'")
        if self.single and self.visible != 1:
            raise ValueError(f"a single result is expected, there are {self.visible}")

    @property
    def visible(self) -> int:
        """The number of results in Python."""
        return sum(not isinstance(result, Into) for result in self.results)
