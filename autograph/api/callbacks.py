"""`pure_callback` and `io_callback`: functions that stay Python, called when the program runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import optree

from autograph.api.recording.ahead import is_spec
from autograph.errors import CallbackError, Location, OptionError
from autograph.staging.arrays.array import GraphArray
from autograph.staging.border.at_run import NotOutsideError, at_run
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.recorder import active_recorder, recorder
from ops.control import callbacks
from ops.core.registry import Op
from ops.core.types import ArrayType, is_supported, type_of


def pure_callback(function: Callable, result: Any, *args: Any, vectorized: bool = False) -> Any:
    """Call a Python function from a compiled one, with arrays, when the program runs.

    It has no effects: the program may call it more than once, or not at all if nobody needs what
    it returns. Under `vmap` it is called for each lane, or once for all. It has no derivative of
    its own: give one with `custom_vjp` or `custom_jvp` around the call.

    Args:
        function: any callable. It is given NumPy arrays that are its own, and returns arrays or
            numbers, nested as ``result`` is. What it raises arrives as it was raised. It cannot
            change variables, containers and objects of the compiled function.
        result: what it returns: nested tuples, lists and dicts of `ShapeDtypeStruct`, or of
            anything with a ``shape`` and a ``dtype``.
        args: nested tuples, lists and dicts of arrays and numbers.
        vectorized: whether the function takes many lanes at once under `vmap`: all its arguments
            then have the lanes as their first axis, and so must all that it returns. It may be
            given lanes that do not need what it returns, as of the branch that they do not take.

    Returns:
        What the function returns, as arrays of these shapes and dtypes.

    Raises:
        CallbackError: it returns something else; or an argument, or what the function refers to,
            is no array or number that the program could give it.
        OptionError: ``vectorized`` is no bool.

    Examples:
        >>> def look_up(x):  # runs as Python, whatever it is
        ...     return np.float64({0: 2.5, 1: 4.0}[int(x)])
        >>> f = ag.to_graph(lambda i: 2 * ag.pure_callback(look_up, np.float64(0), i))
        >>> f(1)
        np.float64(8.0)
    """
    if not isinstance(vectorized, bool):
        raise OptionError(
            f"pure_callback is told vectorized={vectorized!r}",
            id="AG0551",
            fix="say vectorized=True for a function that takes many lanes at once",
        )
    op = callbacks.vectorized_callback if vectorized else callbacks.pure_callback
    return _call(op, function, result, args)


def io_callback(function: Callable, result: Any, *args: Any) -> Any:
    """As `pure_callback`, for a function with effects: called once each time that the program comes
    to it, in the order of the program, whether or not what it returns is needed. Under `vmap` it is
    called at each place for one lane after the other, as `print` prints, for the lanes that come
    there, also if all give it the same arguments.

    Args:
        function, result, args: as for `pure_callback`; ``result`` is None for a function that
            returns None.

    Examples:
        >>> def report(i, x):  # runs as Python, in the order of the program
        ...     print("trip", i, "x", x)
        >>> @ag.to_graph
        ... def f(x):
        ...     for i in range(3):
        ...         ag.io_callback(report, None, i, x)
        ...         x = 2.0 * x
        ...     return x
        >>> f(1.0)
        trip 0 x 1.0
        trip 1 x 2.0
        trip 2 x 4.0
        8.0
    """
    return _call(callbacks.io_callback, function, result, args)


def _call(op: Op, function: Callable, result: Any, args: tuple) -> Any:
    location = user_location() if active_recorder() is not None else None
    name = getattr(function, "__name__", type(function).__name__)
    specs, nesting = optree.tree_flatten(result)
    wanted = [_type(spec, name, location) for spec in specs]
    tree: Any = args
    leaves, given = optree.tree_flatten(tree)
    if active_recorder() is not None:
        function = _outside(function, name, location)

    def call(types: Sequence[ArrayType], *arrays: Any) -> list[Any]:
        returned = function(*optree.tree_unflatten(given, arrays))
        return _checked(returned, nesting, types, name, location)

    for leaf in leaves:
        if not isinstance(leaf, GraphArray) and type_of(leaf) is None:
            raise CallbackError(
                f"'{name}', a callback, is given a {type(leaf).__name__}, which is no array or "
                "number",
                location,
                fix="let the function find it outside",
            )
    if active_recorder() is None:
        return optree.tree_unflatten(nesting, call(wanted, *[np.array(leaf) for leaf in leaves]))
    values = [recorder().value_of(leaf) for leaf in leaves]
    made = recorder().record(op, values, {"callback": callbacks.Callback(call, name, wanted)})
    found = [] if not wanted else [made] if len(wanted) == 1 else list(made)
    return optree.tree_unflatten(nesting, found)


def _type(spec: Any, name: str, location: Location | None) -> ArrayType:
    if is_spec(spec) or type_of(spec) is not None:
        dtype, shape = np.dtype(getattr(spec, "dtype", type(spec))), tuple(np.shape(spec))
        if is_spec(spec):
            shape = tuple(spec.shape)
        if is_supported(dtype):
            return ArrayType(dtype, shape)
    raise CallbackError(
        f"the result of '{name}', a callback, is described by {spec!r}",
        location,
        fix="say ag.ShapeDtypeStruct(shape, dtype) for each array that it returns",
    )


def _outside(function: Callable, name: str, location: Location | None) -> Callable:
    """A callback that refers to things themselves, not to what stands for them in a recording."""
    try:
        return at_run(function)
    except NotOutsideError as error:
        raise CallbackError(
            f"'{name}', a callback, refers to {error}",
            location,
            fix="give it as an argument; what it changes has to be outside, such as a global",
        ) from None


def _checked(
    returned: Any, nesting: Any, wanted: Sequence[ArrayType], name: str, location: Location | None
) -> list[Any]:
    """The arrays that a callback returned.

    Raises:
        CallbackError: they are not what was said.
    """
    try:
        leaves = nesting.flatten_up_to(returned)
    except ValueError as error:
        raise CallbackError(
            f"'{name}', a callback, returns something that is not nested as its result is "
            f"described: {error}",
            location,
            fix="change what it returns, or the description",
        ) from None
    found = []
    for leaf, type in zip(leaves, wanted):
        array = np.asarray(leaf)
        if array.dtype != type.dtype or array.shape != type.shape:
            actual = type_of(array) or array.dtype
            raise CallbackError(
                f"'{name}', a callback, returns {actual}, where its result is described as {type}",
                location,
                fix="change what it returns, or the description",
            )
        found.append(array[()])
    return found
