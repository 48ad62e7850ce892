"""Generator functions of the user's, called from converted code.

They are not converted: their own control flow has to be static. What they capture is seen as the
tracer sees it, and their items may be symbolic. The functions that they call are converted.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import types
from typing import TYPE_CHECKING, Any

import ops
from autograph.source.free import Surroundings
from autograph.source.load import is_inner
from autograph.source.parse import nested_codes
from autograph.staging.guards import same_contents

if TYPE_CHECKING:
    from autograph.staging.tracer import Tracer


def instantiated(tracer: Tracer, function: types.FunctionType) -> types.FunctionType:
    """The function with symbolic arrays in the place of those it captures."""
    around, inside = Surroundings(function, (), ops), is_inner(function.__code__)
    names = {name for code in nested_codes(function.__code__) for name in code.co_names}

    def captured(name: str) -> Any:
        if inside:
            return around.value(name)
        tracer.guards.append(same_contents(functools.partial(around.value, name)))
        return tracer.capture(name, around.value(name))

    variables = {**function.__globals__, "print": _recorded(tracer, print)}
    for name in names & function.__globals__.keys():
        value = function.__globals__[name]
        if around.variable(name).is_data:
            variables[name] = captured(name)
        elif isinstance(value, (types.FunctionType, types.BuiltinFunctionType)):
            variables[name] = _recorded(tracer, value)
    cells = tuple(
        types.CellType(captured(name)) if around.variable(name).is_data else cell
        for name, cell in around.cells.items()
    )
    made = types.FunctionType(
        function.__code__, variables, function.__name__, function.__defaults__, cells
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def _recorded(tracer: Tracer, function: Any) -> Any:
    """A function whose calls are part of the recording."""
    return functools.wraps(function)(lambda *args, **kwargs: tracer.call(function, args, kwargs))


def context_manager(tracer: Tracer, function: types.FunctionType) -> Any:
    """For a function decorated with `contextlib.contextmanager`, one that makes managers whose
    generator is instantiated so; None for other functions."""
    made_by = contextlib.contextmanager(_example).__code__
    inner = getattr(function, "__wrapped__", None)
    if function.__code__ is not made_by or not inspect.isgeneratorfunction(inner):
        return None
    return contextlib.contextmanager(instantiated(tracer, inner))


def _example() -> Any:
    yield
