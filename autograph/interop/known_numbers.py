"""Numbers that programs of imported models need before they run.

Models compute shapes by arrays: of what is known while a function is recorded, such as the lengths
of an array, these functions give plain numbers. They are not converted, and leave what only the run
knows as it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.known import known
from autograph.staging.ground.recorder import recorder


def integers(numbers: Any) -> list[Any]:
    """An array or tuple as a list of ints; of a number one."""
    if isinstance(numbers, (list, tuple)) or np.ndim(numbers):
        return [_known(n, int) for n in numbers]
    return [_known(numbers, int)]


def floats(numbers: Any) -> list[Any]:
    """An array or tuple as a list of floats."""
    return [_known(n, float) for n in numbers]


def truth(test: Any) -> Any:
    """A test, as a bool."""
    return _known(test, bool)


def _known(number: Any, kind: Any) -> Any:
    if not isinstance(number, GraphArray):
        return kind(number)
    found = known(number.value, recorder().outside.is_captured)
    return number if found is None else kind(found)
