"""Calls that are like earlier ones, without the look-up.

A call of a compiled function flattens its arguments and looks up what was compiled for their types
and structure. That takes some microseconds. For what was compiled last there is a *quick call*
besides, which is tried first: a matcher in machine code, see `autograph.kernels.native.matching`,
tells whether the arguments are alike and the guards hold, and gives the leaves to the program.

There is none for functions that change their arguments or what is outside, for those that draw from
generators of random numbers among the arguments, nor if there are objects of the user's among them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from autograph.kernels.native.matching import matcher

if TYPE_CHECKING:
    from autograph.compiled import Compiled

# What a quick call gives if the look-up is needed.
MISSED = object()

QuickCall = Callable[[tuple, dict[str, Any]], Any]

# How many quick calls a function tries.
TRIED = 3


def quick_call(
    compiled: Compiled, leaves: Sequence[Any], args: tuple, kwargs: dict[str, Any]
) -> QuickCall | None:
    """A quick call of a compiled form, made for arguments like these; None if there is none.

    Args:
        compiled: what the look-up found for the arguments.
        leaves: of the arguments.

    Returns:
        A function of ``args`` and ``kwargs`` that returns what the compiled function does, or
        `MISSED`. It raises what the function raises.
    """
    if not compiled.is_simple:
        return None
    guards = compiled.traced.guards
    bindings = [guard.binding for guard in guards if guard.binding is not None]
    match = matcher(args, kwargs, leaves, compiled.positions, bindings)
    if match is None:
        return None
    others = tuple(guard for guard in guards if guard.binding is None)
    function, finished = compiled.function_now, compiled.finished

    def call(args: tuple, kwargs: dict[str, Any]) -> Any:
        inputs = match(args, kwargs)
        if inputs is None:
            return MISSED
        for holds in others:
            if not holds():
                return MISSED
        try:
            outputs = function()(*inputs)
        except Exception as error:
            translated = compiled.translated(error)
            if translated is error:
                raise
            raise translated from translated.__cause__
        return outputs if finished is None else finished(outputs)

    return call
