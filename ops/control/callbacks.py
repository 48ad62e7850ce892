"""Functions of Python's that a program calls when it runs."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ops.core.batching import Flags, Size
from ops.core.registry import Custom
from ops.core.types import ArrayType
from ops.structure.lanes import all_with_lanes

_serial = itertools.count(1)
_callbacks: weakref.WeakValueDictionary[int, Callback] = weakref.WeakValueDictionary()


class Callback:
    """What a graph knows a function by. A program knows its number.

    Args:
        call: takes the types of the results and arrays, and gives a list of arrays of these types.
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
        arrays = [np.array(arg) for arg in args]  # their memory may be used again
        found = self.call([_of_run(type, arrays) for type in self.types], *arrays)
        return found[0] if len(found) == 1 else tuple(found)

    def of_lanes(self, count: int | None) -> Callback:
        """The same function, given many lanes at once; None if how many is not known."""
        types = [type._replace(shape=(count, *type.shape), weak=False) for type in self.types]
        return Callback(self.call, self.name, types)

    def __repr__(self) -> str:
        return f"callback {self.name}"


def _of_run(type: ArrayType, arrays: Sequence[np.ndarray]) -> ArrayType:
    """A type with the numbers of lanes that the run has: those of the operands."""
    lengths = enumerate(type.shape)
    shape = tuple(arrays[0].shape[axis] if n is None else n for axis, n in lengths)
    return type._replace(shape=shape)


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


def _of_lanes(size: Size, batched: Flags, args: Sequence[Any], callback: Callback) -> Any:
    lanes = all_with_lanes(size, batched, args)
    count = size if isinstance(size, int) else None
    return vectorized_callback(*lanes, callback=callback.of_lanes(count))


vectorized_callback: Custom = Custom(
    "vectorized_callback",
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
    unknown_lengths=True,
    batch=_of_lanes,
    doc="""As `pure_callback`, of a function that takes many lanes at once.

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
