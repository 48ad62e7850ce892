"""Operations, written one after the other into the block in force.

A block of an operation's region may refer to all that is computed before it in the blocks around.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from autograph.errors import Location, UnsupportedFunctionError
from autograph.places import file_name
from ops.core.types import ArrayType

_FIX = "leave this part out of the exported function, or write it with other operators"
_ELEMENTS = {
    "float16": "f16",
    "float32": "f32",
    "float64": "f64",
    "bfloat16": "bf16",
    "bool": "i1",
    "complex64": "complex<f32>",
    "complex128": "complex<f64>",
}
_LINES = 16  # elements that a constant shows as numbers


def refuse(message: str, place: Location | None, fix: str = _FIX) -> UnsupportedFunctionError:
    """The error for what cannot be said in StableHLO."""
    return UnsupportedFunctionError(message, place, id="AG0753", fix=fix)


def element(dtype: Any) -> str:
    """What StableHLO calls a dtype."""
    dtype = np.dtype(dtype)
    if dtype.name in _ELEMENTS:
        return _ELEMENTS[dtype.name]
    return f"{'u' if dtype.kind == 'u' else ''}i{dtype.itemsize * 8}"


def tensor(dtype: Any, shape: Sequence[int]) -> str:
    """The type of an array."""
    return f"tensor<{''.join(f'{n}x' for n in shape)}{element(dtype)}>"


class HloBlock:
    """A block that is being written.

    Attributes:
        lines: its operations.
        guards: names of flags that are true, or the result is not what Python computes.
        constants: names of constants in it.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.guards: list[str] = []
        self.constants: dict[Any, str] = {}


class Text:
    """Writes operations."""

    def __init__(self) -> None:
        self.blocks = [HloBlock()]
        self.place: Location | None = None
        self._count = 0
        self._names: dict[str, int] = {}

    @property
    def block(self) -> HloBlock:
        """The one in force."""
        return self.blocks[-1]

    def new(self, stem: str | None = None) -> str:
        """A name that nothing has, with its ``%``."""
        if stem is None or not stem.isidentifier() or not stem.isascii():
            self._count += 1
            return f"%{self._count - 1}"
        count = self._names[stem] = self._names.get(stem, 0) + 1
        return f"%{stem}" if count == 1 else f"%{stem}_{count - 1}"

    def let(self, operation: str, stem: str | None = None) -> str:
        """Write an operation of one result; its name."""
        name = self.new(stem)
        self.block.lines.append(f"{name} = {operation}{self._location()}")
        return name

    def let_many(self, operation: str, count: int) -> list[str]:
        """Write an operation of several results; their names."""
        name = self.new()
        self.block.lines.append(f"{name}:{count} = {operation}{self._location()}")
        return [f"{name}#{i}" for i in range(count)] if count > 1 else [f"{name}#0"]

    def _location(self) -> str:
        if self.place is None:
            return ""
        file = file_name(self.place.file).replace("\\", "/").replace('"', "'")
        return f' loc("{file}":{self.place.line}:1)'

    @contextmanager
    def region(self) -> Iterator[HloBlock]:
        """Write into a block of its own."""
        self.blocks.append(HloBlock())
        try:
            yield self.block
        finally:
            self.blocks.pop()

    def constant(self, value: np.ndarray) -> str:
        """The name of a constant."""
        key = (value.dtype.str, value.shape, value.tobytes())
        for block in self.blocks:
            if key in block.constants:
                return block.constants[key]
        operation = f"stablehlo.constant dense<{_numbers(value)}> : "
        found = self.let(operation + tensor(value.dtype, value.shape))
        self.block.constants[key] = found
        return found


def indented(lines: Sequence[str]) -> list[str]:
    """Lines of a block in another one; lines may have lines in them."""
    return ["  " + part for line in lines for part in line.split("\n")]


def static(type: Any) -> bool:
    """Whether a value is an array of a known shape."""
    return isinstance(type, ArrayType) and type.is_static


def _numbers(value: np.ndarray) -> str:
    if value.size == 0:
        return ""
    first = value.ravel()[0]
    if value.ndim and value.tobytes() == first.tobytes() * value.size:
        return _number(first)
    if value.dtype.kind == "b" or value.size <= _LINES or value.dtype.kind == "c":
        return _nested(value)
    return f'"0x{np.ascontiguousarray(value).tobytes().hex().upper()}"'


def _nested(value: np.ndarray) -> str:
    if value.ndim == 0:
        return _number(value[()])
    return f"[{', '.join(map(_nested, value))}]"


def _number(x: Any) -> str:
    kind = x.dtype.kind
    if kind == "b":
        return "true" if x else "false"
    if kind == "c":
        return f"({_number(x.real)}, {_number(x.imag)})"
    if kind in "iu":
        return str(int(x))
    shown = repr(float(x)) if x.dtype.itemsize >= 4 else ""
    if np.isfinite(x) and shown and "." in shown:
        return shown
    if np.isfinite(x) and shown:
        mantissa, _, exponent = shown.partition("e")
        return f"{mantissa}.0e{exponent}"
    bits = np.asarray(x).view(f"u{x.dtype.itemsize}")[()]
    return f"0x{int(bits):0{2 * x.dtype.itemsize}X}"
