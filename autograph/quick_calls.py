"""Calls that are like earlier ones, without the look-up.

A call of a compiled function flattens its arguments and looks up what was compiled for their types
and structure. That takes some microseconds. What was compiled last has a *quick call* besides,
which is tried first: a matcher in machine code, see `autograph.kernels.native.matching`, tells
whether the arguments are alike and the guards hold, and gives the leaves to the program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograph.compiled import Compiled
    from autograph.kernels.native.matching import Matcher

QuickCall = Callable[[tuple, dict[str, Any]], Any]

# What a quick call gives if the look-up is needed.
MISSED = object()

# How many of them a function tries.
TRIED = 3


def quick_call(compiled: Compiled, match: Matcher, finish: Callable | None) -> QuickCall:
    """A quick call of what was compiled.

    Args:
        compiled: a form that changes nothing but makes results.
        match: gives the inputs of its program if the arguments are alike and its guards that have a
            ``binding`` hold.
        finish: makes the function's result of what the program returns; None if that is it.

    Returns:
        A function of ``args`` and ``kwargs`` that returns what the compiled form does, or `MISSED`.
        It raises what the form raises.
    """
    guards = tuple(guard for guard in compiled.traced.guards if guard.binding is None)
    function, translated = compiled.function, compiled.translated

    def call(args: tuple, kwargs: dict[str, Any]) -> Any:
        inputs = match(args, kwargs)
        if inputs is None:
            return MISSED
        for holds in guards:
            if not holds():
                return MISSED
        try:
            outputs = function()(*inputs)
        except Exception as error:
            seen = translated(error)
            if seen is error:
                raise
            raise seen from seen.__cause__
        return outputs if finish is None else finish(outputs)

    return call
