"""Functions of Python's that a program calls when it runs."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ops.core.registry import Custom
from ops.core.types import ArrayType

_serial = itertools.count(1)
_callbacks: weakref.WeakValueDictionary[int, Callback] = weakref.WeakValueDictionary()


class Callback:
    """What a graph knows a function by. A program knows its number.

    Args:
        call: takes arrays, and gives a list of arrays of these types.
        name: of the function.
        types: of the results.
    """

    def __init__(self, call: Callable[..., list[Any]], name: str, types: Sequence[ArrayType]):
        self.call = call
        self.name = name
        self.types = tuple(types)
        self.number = next(_serial)
        _callbacks[self.number] = self

    def __call__(self, *args: Any) -> Any:
        """What a program takes: a tuple of the results, or the single one."""
        found = self.call(*[np.array(arg) for arg in args])  # their memory may be used again
        return found[0] if len(found) == 1 else tuple(found)

    def __repr__(self) -> str:
        return f"callback {self.name}"


def callback_numbered(number: int) -> Callback:
    """The callback of that number."""
    return _callbacks[number]


def known_callback(number, name):
    """A function from outside the program."""
    from ops.control.callbacks import callback_numbered

    return callback_numbered(number)


def _code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    callback = attrs["callback"]
    return f"known_callback({callback.number}, {callback.name!r})({', '.join(args)})"


def _no_derivative(*args: Any, callback: Callback, **attrs: Any) -> Any:
    raise NotImplementedError(
        f"the derivative of '{callback.name}', a callback; give one with custom_vjp or custom_jvp "
        "around the call, or stop_gradient its arguments"
    )


_INSTEAD = "call it outside the function"

pure_callback = Custom(
    "pure_callback",
    lambda *types, callback: callback.types,
    _code,
    vjp=_no_derivative,
    jvp=_no_derivative,
    linear=(),
    zeros="lost",
    helpers=(known_callback,),
    backends=("numpy",),
    instead=_INSTEAD,
    raises=True,
    doc="""The results of a function without effects, called when the program runs.

    Args:
        callback: its `Callback`.
    """,
)

io_callback = Custom(
    "io_callback",
    lambda *types, callback: callback.types,
    _code,
    vjp=_no_derivative,
    jvp=_no_derivative,
    linear=(),
    zeros="lost",
    helpers=(known_callback,),
    backends=("numpy",),
    instead=_INSTEAD,
    effect="draws",
    raises=True,
    doc="""The results of a function with effects, called when the program runs, in its order.

    Args:
        callback: its `Callback`.
    """,
)
