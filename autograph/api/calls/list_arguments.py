"""Quick calls of functions that take lists of numbers as arrays; see
`autograph.staging.lists.packed`. Few functions do: this is imported where it is used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from autograph.api.calls.sharing import Unlike
from autograph.kernels.native import number_lists
from autograph.staging.ground.nesting import LEAF
from autograph.staging.lists.elements import ElementType
from autograph.staging.lists.packed import packed as as_arrays
from ops.core.types import ArrayType


def of_lists(
    function: Callable[..., Any],
    elements: Iterable[ElementType],
    fits: Callable[[Sequence[Any]], bool],
) -> Callable[..., Any]:
    """A function of what quick calls take, lists in place of the arrays that they are packed into,
    that raises `Unlike` where what is compiled is not for these.

    Args:
        function: of what the program takes.
        elements: what is known of those of each list, in the order in which they are met.
        fits: whether the lengths are right, given all that the program takes.
    """
    made = [_converter(element) for element in elements]

    def run(*given: Any) -> Any:
        arguments: list[Any] = []
        converters = iter(made)
        for item in given:
            if type(item) is list:
                arrays = next(converters)(item)
                if arrays is None:
                    raise Unlike
                arguments += arrays
            else:
                arguments.append(item)
        if not fits(arguments):
            raise Unlike
        return function(*arguments)

    return run


def _converter(element: ElementType) -> Callable[[list], list[np.ndarray] | None]:
    """What makes arrays of a list with such elements, or gives None if it has other ones."""
    classes = [_class_of(type) for type in element.types]
    dtypes = [type.dtype for type in element.types]
    found = number_lists.converter(classes, dtypes, element.structure is not LEAF)

    def convert(items: list) -> list[np.ndarray] | None:
        made = as_arrays(items) if items else None
        return made[1] if made is not None and made[0].element == element else None

    return found or convert


def _class_of(type: ArrayType) -> type:
    """Of which class a number of a type is, in a packed list."""
    if not type.weak:
        return np.float64
    return int if type.dtype.kind == "i" else float
