"""The larger and the smaller of two elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ops.core import kernels
from ops.core.operands import dtype_of
from ops.core.registry import Elementwise
from ops.elementwise.arithmetic import multiply, subtract
from ops.elementwise.comparison import equal
from ops.elementwise.conversion import astype
from ops.elementwise.declaration import binary

__all__ = [
    "fmax",
    "fmin",
    "maximum",
    "minimum",
]


def selected(x: Any, y: Any, out: Any) -> Any:
    """The share of ``x`` in an extremum of ``x`` and ``y``: ties are split evenly."""
    is_x, is_y = (astype(equal(z, out), dtype_of(out)) for z in (x, y))
    return multiply(is_x, subtract(1, multiply(0.5, is_y)))


def _extremum(name: str, kernel: dict[str, Callable], doc: str, **options: Any) -> Elementwise:
    return binary(
        name,
        lambda x, y, out: selected(x, y, out),
        lambda x, y, out: selected(y, x, out),
        kernel=kernel,
        doc=doc
        + " Where the operands are equal, each has derivative 1/2; where the result is NaN, 0.",
        precision="exact",
        **options,
    )


def _larger(x: Any, y: Any) -> Any:
    return kernels.select(x > y, x, y)  # of two zeros the second, as NumPy on x86


def _smaller(x: Any, y: Any) -> Any:
    return kernels.select(x < y, x, y)


maximum = _extremum(
    "maximum",
    {"f": lambda x, y: kernels.select(x != x, x, _larger(x, y)), "biu": _larger},
    "The larger of two elements; NaN if one is NaN.",
    cheap=True,
)

minimum = _extremum(
    "minimum",
    {"f": lambda x, y: kernels.select(x != x, x, _smaller(x, y)), "biu": _smaller},
    "The smaller of two elements; NaN if one is NaN.",
    cheap=True,
)

fmax = _extremum(
    "fmax",
    {"f": lambda x, y: kernels.select(y != y, x, _larger(x, y)), "biu": _larger},
    "The larger of two elements, leaving NaN aside.",
)

fmin = _extremum(
    "fmin",
    {"f": lambda x, y: kernels.select(y != y, x, _smaller(x, y)), "biu": _smaller},
    "The smaller of two elements, leaving NaN aside.",
)
