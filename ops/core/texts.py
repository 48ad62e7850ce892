"""Operands as text, in the expressions that operators are computed by."""

from __future__ import annotations

from collections.abc import Sequence

from ops.core.types import ArrayType


def array_text(text: str, type: ArrayType) -> str:
    """An operand as text, made an array if it is a Python scalar: array libraries other than NumPy
    insist on arrays."""
    return f"np.asarray({text})" if type.weak else text


def shape_text(dims: Sequence[int | None], operands: Sequence[str]) -> str:
    """The shape as source text; -1 for a length without an operand."""
    texts = iter(operands)
    lengths = [(next(texts, "-1")) if n is None else repr(n) for n in dims]
    return f"({', '.join(lengths)}{',' if len(lengths) == 1 else ''})"
