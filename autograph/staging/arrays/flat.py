"""``x.flat``: the elements of an array as a vector that can be written to."""

from __future__ import annotations

from typing import Any

import numpy as np

import ops
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.views import View
from autograph.staging.ground.recorder import recorder


class FlatArray(GraphArray):
    """The elements of an array in C order.

    It is a view of the array whatever its layout, but what it gives are copies, and what is written
    to a part of it is repeated as often as needed, as NumPy's iterator ``x.flat`` has it.
    """

    __slots__ = ()

    def __getitem__(self, index: Any) -> GraphArray:
        part = super().__getitem__(index)
        return ops.copy(part) if part.ndim else part

    def __setitem__(self, index: Any, value: Any) -> None:
        value = ops.array(value) if isinstance(value, (list, tuple)) else value
        if np.ndim(value):
            size = recorder().read(self, index).size
            value = ops.take(value, np.arange(size) % np.size(value))
        super().__setitem__(index, value)

    @property
    def base(self) -> GraphArray:
        """The array."""
        view = self._view
        assert isinstance(view, View) and isinstance(view.base, GraphArray)
        return view.base


def flat(array: GraphArray) -> FlatArray:
    """``array.flat``."""
    value = array.value
    view = View(array, value, _vector, lambda whole, part: ops.reshape(part, ops.lengths_of(whole)))
    return FlatArray(_vector(value), view)


def _vector(value: Any) -> Any:
    return ops.reshape(value, -1)
