"""Numbers among the arguments that are lengths of what a function makes, such as the n of
``np.zeros(n)``, where what is compiled is for any of them.

The program takes each as an array of that length, whose elements nobody reads or writes: so a
symbol always stands for the length of an array that is given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.api.calls.sharing import Unlike
from ops.core.types import ArrayType

_DTYPE = np.dtype(np.int8)
_LARGE = 2**32
_NOTHING = bytes(1)
# Memory of zeros that no one has touched is none: the system gives it when it is.
_zeros = np.zeros(2**16, _DTYPE)


def type_of_count(length: Any) -> ArrayType:
    """With which type a program takes a number that is this length."""
    return ArrayType(_DTYPE, (length,))


def array_of_count(number: int) -> np.ndarray:
    """What stands for a number: an array of that length. All lie in the same memory, side by side,
    as native code takes arrays at once, but for those larger than any that there is memory for."""
    global _zeros
    zeros = _zeros  # another thread may bind it to fewer
    if number > len(zeros):
        if number > _LARGE:
            return np.ndarray((number,), _DTYPE, _NOTHING, strides=(0,))
        zeros = _zeros = np.zeros(1 << number.bit_length(), _DTYPE)
    return zeros[:number]


def counted(
    function: Callable[..., Any],
    bounds: Mapping[int, tuple[int, int]],
    same: Sequence[tuple[int, int, int]],
) -> Callable[..., Any]:
    """A function of what quick calls take, numbers in place of the arrays that stand for them, that
    raises `Unlike` where what is compiled is not for these.

    Args:
        function: of what the program takes.
        bounds: for each place of such a number, what it is at least and at most.
        same: places of such numbers, each with the place of an array and the axis of that which is
            as long; or of another such number, and -1.
    """

    def run(*given: Any) -> Any:
        arguments = list(given)
        for place, (least, most) in bounds.items():
            number = given[place]
            if not least <= number <= most:
                raise Unlike
            arguments[place] = array_of_count(number)
        for place, other, axis in same:
            if given[place] != (given[other] if axis < 0 else given[other].shape[axis]):
                raise Unlike
        return function(*arguments)

    def run_one(*given: Any) -> Any:
        number = given[place]
        if not least <= number <= most:
            raise Unlike
        return function(*given[:place], array_of_count(number), *given[place + 1 :])

    if len(bounds) > 1 or same:
        return run
    ((place, (least, most)),) = bounds.items()
    return run_one
