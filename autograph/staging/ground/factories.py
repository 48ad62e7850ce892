"""What a ``defaultdict`` makes a missing value by: calls of it are part of the recording.

Python calls the factory itself, and would call a function of the user's as it is: what that prints
or changes would be done once, while code is recorded.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from autograph.staging.ground.recorder import active_recorder, recorder


class RecordedFactory:
    """A function of the user's in the place of which a ``defaultdict`` has this one.

    Attributes:
        function: that function.
    """

    __slots__ = ("function",)

    def __init__(self, function: types.FunctionType):
        self.function = function

    def __call__(self) -> Any:
        return recorder().call(self.function, (), {})


def recorded(factory: Any) -> Any:
    """What stands for a factory while code is recorded."""
    if isinstance(factory, types.FunctionType) and active_recorder() is not None:
        return RecordedFactory(factory)
    return factory


def as_given(factory: Callable | None) -> Callable | None:
    """The factory that the user gave."""
    return factory.function if isinstance(factory, RecordedFactory) else factory
