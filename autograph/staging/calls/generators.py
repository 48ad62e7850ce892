"""Generator functions of the user's, called from converted code.

They are not converted: their own control flow has to be static. What they capture is seen as the
recorder sees it, and their items may be symbolic. The functions that they call are converted.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import types
from typing import Any

import ops
from autograph.errors import UndefinedVariableError
from autograph.source.load import is_inner
from autograph.source.tree.free import Surroundings
from autograph.source.tree.parse import nested_codes
from autograph.source.unconverted import handled_in_source
from autograph.staging.border.guards import guards_of
from autograph.staging.classes.managers import of_generator
from autograph.staging.ground.recorder import recorder
from autograph.staging.values.maybe import MaybeUndefined


def instantiated(function: types.FunctionType) -> types.FunctionType:
    """The function with symbolic arrays in the place of those it captures."""
    handled_in_source(function)  # what fails in it, or in what it calls, may be handled there
    around, inside = Surroundings(function, (), ops), is_inner(function.__code__)
    for name in around.cells if inside else ():
        if isinstance(around.value(name), MaybeUndefined):
            raise UndefinedVariableError(
                f"a generator reads '{name}', a variable around it that only some paths assign",
                recorder().location(),
                id="AG0346",
                fix=f"assign '{name}' on every path before the generator is called",
            )
    used = {name for code in nested_codes(function.__code__) for name in code.co_names}
    names = used & function.__globals__.keys()
    outside = names if inside else {*names, *around.cells}
    bindings = [(name, around.variable(name).is_data, around.lookup(name)) for name in outside]
    mentioned = [path for name in used for path in ((name,), *((name, part) for part in used))]
    inputs = recorder().outside.outer.roots
    recorder().outside.guards.extend(guards_of(function, bindings, mentioned, inputs))

    def seen(name: str, value: Any) -> Any:
        if isinstance(value, (types.FunctionType, types.BuiltinFunctionType)):
            return _recorded(value)
        return recorder().outside.capture(name, value)

    def cell(name: str) -> types.CellType:
        if isinstance(around.value(name), types.FunctionType):
            return types.CellType(seen(name, around.value(name)))
        return recorder().outside.capture(name, around.cells[name])

    variables = {**function.__globals__, "print": _recorded(print)}
    variables.update((name, seen(name, function.__globals__[name])) for name in names)
    made = types.FunctionType(
        function.__code__,
        variables,
        function.__name__,
        function.__defaults__
        if inside
        else recorder().outside.capture("default", function.__defaults__),
        function.__closure__ if inside else tuple(map(cell, around.cells)),
    )
    made.__kwdefaults__ = function.__kwdefaults__
    if function.__kwdefaults__ and not inside:
        defaults = function.__kwdefaults__.items()
        made.__kwdefaults__ = {
            name: recorder().outside.capture(name, value) for name, value in defaults
        }
    return made


def _recorded(function: Any) -> Any:
    """A function whose calls are part of the recording."""
    return functools.wraps(function)(
        lambda *args, **kwargs: recorder().call(function, args, kwargs)
    )


def context_manager(function: types.FunctionType) -> Any:
    """For a function decorated with `contextlib.contextmanager`, one that makes managers whose
    generator is instantiated so; None for other functions."""
    made_by = contextlib.contextmanager(_example).__code__
    inner = getattr(function, "__wrapped__", None)
    if function.__code__ is not made_by or not isinstance(inner, types.FunctionType):
        return None
    if not inspect.isgeneratorfunction(inner):
        return None
    return of_generator(instantiated(inner), inner)


def _example() -> Any:
    yield
