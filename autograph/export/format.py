"""What the rules that export formats share know of a format.

A *term* stands for an array in the text or model that is written: an expression of the scalar
language of `ops.core.kernels`, applied to terms, writes what computes it. It has

==========================  ========================================================================
``dtype``                   of its elements
``value``                   what it is, if that is known while writing; else None
``cast(dtype)``             the same converted as NumPy converts
``flattened()``             the same with one axis
``gathered(places)``        of a flat one the elements at integers: a term, or known ones
``expanded(shape)``         the same broadcast
==========================  ========================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from ops.core import kernels


class KernelTerm:
    """What terms of all formats do in the protocol of `ops.core.kernels`: a choice whose test is
    known while writing is made then, and an index is counted in C order.

    Attributes:
        value: what the term is, if that is known.
    """

    value: Any

    def __choose__(self, then: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
        if self.value is not None and np.size(self.value):
            if np.all(self.value):
                return then()
            if not np.any(self.value):
                return orelse()
        return kernels.select(self, then(), orelse())

    def __flat_index__(self, index: Sequence[Any], shape: Sequence[int]) -> Any:
        number: Any = index[0]
        for i, n in zip(index[1:], shape[1:]):
            number = number * n + i
        return number


class ExportFormat(Protocol):
    """A format.

    Attributes:
        name: of the format, for messages.
    """

    name: str

    def known(self, value: Any, dtype: Any = None) -> Any:
        """What is known, as a term."""
        ...

    def require(self, flag: Any, message: str) -> None:
        """The run is wrong, as Python would say, unless a term without axes is true."""
        ...

    def refuse(self, message: str, fix: str | None = None) -> Exception:
        """The error of what has no form."""
        ...

    def remainder(self, x: Any, y: Any) -> Any:
        """Python's remainder of integers, of which none is divided by 0."""
        ...
