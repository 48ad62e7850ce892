"""Generator functions of the user's, called from converted code.

They are not converted where their own control flow is static: what they capture is seen as the
recorder sees it, and their items may be symbolic. The functions that they call are converted. Where
their control flow depends on the run they go step by step, see `autograph.staging.ground.stepped`.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import types
from typing import Any

import ops
from autograph.errors import UndefinedVariableError
from autograph.source.load import Resumption, convert, is_inner
from autograph.source.method_calls import assigned_by_code, with_recorded_calls
from autograph.source.tree.build import OPS
from autograph.source.tree.free import Surroundings
from autograph.source.tree.libraries import is_library_file, package_of
from autograph.source.tree.parse import nested_codes
from autograph.source.unconverted import handled_in_source
from autograph.staging.border.guards import guards_of
from autograph.staging.classes.managers import of_generator
from autograph.staging.ground.recorder import recorder
from autograph.staging.sequences.steps import CutGenerator, Steps
from autograph.staging.values.maybe import MaybeUndefined
from ops.core.recording import raises_as_python


def called(function: types.FunctionType, args: tuple, kwargs: dict[str, Any]) -> Any:
    """A generator: what is called is its function."""
    stepped = recorder().stepped
    if stepped.by_steps and not _is_of_library(function):
        return _in_steps(function, args, kwargs)
    stepped.met = True
    return instantiated(function)(*args, **kwargs)


def made(function: Any, *args: Any) -> Any:
    """A generator that goes step by step, of a function of this package."""
    return _in_steps(function, args, {})


def _is_of_library(function: types.FunctionType) -> bool:
    if package_of(function) == "autograph":
        return False
    file = function.__code__.co_filename
    return is_library_file(file) or file.startswith("<frozen ")


class _CutFunctions:
    """The generator functions that are cut, with their steps: what is made of one is the same
    wherever it is called, so that its generators are of one kind."""

    def __init__(self) -> None:
        self.found: dict[int, tuple[types.FunctionType, Resumption, tuple]] = {}

    def steps_of(self, function: types.FunctionType) -> tuple[Resumption, tuple]:
        """How a function is cut, and the converted functions of its steps."""
        if id(function) not in self.found:
            resumption = convert(function, recorder().conversion, 0).resumption
            assert resumption is not None
            steps = tuple(_step(function, place) for place in range(len(resumption.needs) + 1))
            self.found[id(function)] = function, resumption, steps
        return self.found[id(function)][1:]


def _step(function: types.FunctionType, place: int) -> types.FunctionType:
    converted = convert(function, recorder().conversion, place)
    return recorder().outside.seen_by(function, converted)


@raises_as_python
def _in_steps(function: types.FunctionType, args: tuple, kwargs: dict[str, Any]) -> Steps:
    """A generator that goes step by step."""
    resumption, steps = recorder().state(_CutFunctions).steps_of(function)
    # Python itself says what its parameters are, and what is wrong with the arguments.
    first, code = steps[0], function.__code__
    binding = types.FunctionType(
        code, {}, function.__name__, first.__defaults__, function.__closure__
    )
    binding.__kwdefaults__ = first.__kwdefaults__
    binding.__qualname__ = function.__qualname__
    bound = binding(*args, **kwargs).gi_frame.f_locals
    return Steps(
        CutGenerator(steps, resumption.needs, tuple(bound[name] for name in resumption.params))
    )


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
    recorder().outside.need_cells(assigned_by_code(function), recorder().location())
    used = {name for code in nested_codes(function.__code__) for name in code.co_names}
    shared = used.intersection(recorder().conversion.shared)
    names = (used & function.__globals__.keys()) - shared
    outside = names if inside else {*names, *around.cells}
    bindings = [(name, around.variable(name).is_data, around.lookup(name)) for name in outside]
    mentioned = [path for name in used for path in ((name,), *((name, part) for part in used))]
    inputs = recorder().outside.outer.roots
    recorder().outside.guards.extend(guards_of(function, bindings, mentioned, inputs))
    recorder().outside.names |= used

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
    is_of_library = _is_of_library(function)
    code = function.__code__
    if not is_of_library:
        code = with_recorded_calls(function, frozenset(shared))
    cells = dict(around.cells if inside else ((name, cell(name)) for name in around.cells))
    cells |= {k: recorder().outside.global_cell(function.__globals__, k) for k in shared}
    cells[OPS] = types.CellType(ops)
    made = types.FunctionType(
        code,
        variables,
        function.__name__,
        function.__defaults__
        if inside
        else recorder().outside.capture("default", function.__defaults__),
        tuple(cells[name] for name in code.co_freevars),
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
