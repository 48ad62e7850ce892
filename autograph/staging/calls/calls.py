"""Calls from converted code: what is converted when called, what is not, what is replaced.

* A function that makes arrays, or a built-in of Python's given symbolic values, is replaced by
ours.
* A function that belongs to a library runs as it is; NumPy's reach us through NumPy's protocols.
* Everything else written in Python is converted and runs as part of the recording. When it turns
  out to be calling itself, it becomes a graph of its own (see `autograph.staging.calls.recursion`).
"""

from __future__ import annotations

import decimal
import functools
import itertools
import os
import pathlib
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.errors import ConcreteValueError, OperandTypeError, UnsupportedFunctionError
from autograph.source.load import convert, is_converted
from autograph.source.tree.libraries import (
    is_library_file,
    module_of,
    package_of,
    python_function,
)
from autograph.source.tree.options import Handling
from autograph.staging.arrays import random_generators
from autograph.staging.arrays.array import GraphArray, located_error, symbolic_ints
from autograph.staging.border.endings import calling
from autograph.staging.border.failures import holds_symbolic_values
from autograph.staging.border.unknown import Unknown, refuse
from autograph.staging.calls import generators, hidden_state, recursion, remembered, reused
from autograph.staging.calls.foreign_functions import called_as_python, refuse_other_arrays
from autograph.staging.calls.passed_functions import passed_on
from autograph.staging.calls.replacements import replacement
from autograph.staging.calls.spread_arguments import call_spread
from autograph.staging.classes import class_attributes, specials
from autograph.staging.containers.shadows import refuse_changed_modules
from autograph.staging.ground.asked import as_numpy
from autograph.staging.ground.bound import GivenFunction
from autograph.staging.ground.examples import example
from autograph.staging.ground.object_kinds import may_be_pooled
from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.sparse_kinds import is_sparse
from autograph.staging.lists.joining import holds_rows, joining, takes_arrays
from autograph.staging.lists.lists import (
    TrackedList,
    as_array,
    is_rows,
    plain,
    without_rows,
)
from autograph.staging.lists.object_columns import made_in_heap
from autograph.staging.lists.placed_objects import PlacedObject
from autograph.staging.lists.pooled_arrays import PooledArrays
from autograph.staging.python.builtins import ABOUT_KINDS, type_of_object
from autograph.staging.python.methods_of_classes import refuse_memory
from autograph.staging.python.spreading import is_spread
from autograph.staging.sequences import grouping
from autograph.staging.sequences.items import as_items, one_after_another, traced_reversed
from autograph.staging.sequences.iterating import combined, goes_through_one
from autograph.staging.sequences.iteration import (
    ONE_SHOT,
    advanced,
    consume,
    has_open_end,
    is_generator_function,
    is_native_iterator,
    is_open,
    iterator,
    taken,
)
from autograph.staging.sequences.ranges import holds_range, without_ranges
from autograph.staging.sequences.sets import without_order
from autograph.staging.sequences.steps import Iteration
from autograph.staging.values.choice import Choice, as_number, with_choices
from autograph.staging.values.maybe import MaybeUndefined, ObjectOrNone
from autograph.staging.values.text import GraphText
from ops.core.recording import raises_as_python
from ops.core.types import PYTHON_SCALARS

_OWN_PACKAGES = ("autograph", "ops")
_PASS = "call it outside and pass the result as an argument"
_DRAW = "draw from a numpy.random.Generator or with ops.random, or pass the result as an argument"
_BY_CLASS = ("optree", "json")  # libraries that treat a list by its class, not as a sequence
_OF_THE_OBJECT = (sys.getsizeof, sys.getrefcount)  # which the values of the run have not yet
_IMPURE_MODULES = (
    *("random", "time", "datetime", "secrets", "numpy.random", "uuid"),
    *("os", "posix", "nt", "genericpath", "glob", "shutil", "tempfile", "getpass", "locale"),
    *("platform", "socket", "subprocess", "sys"),
)
# Functions by identity, which objects that say what they equal are not asked about.
_OF_NUMBERS = {*map(id, (range, *PYTHON_SCALARS))}  # which take members of enums that are integers
_CONVERSIONS = {*map(id, (str, *PYTHON_SCALARS))}
_SAY_WHAT = (*ABOUT_KINDS, str, repr, ascii, format, print, bool, getattr)
_TAKE_NONE = {*map(id, _SAY_WHAT)}  # as what it is
_CLOCKS = ("now", "today", "utcnow")  # the only ones of `datetime`
_CONTEXTS = (decimal.getcontext, decimal.localcontext, np.geterr, np.get_printoptions)
_IMPURE = {*map(id, (*_OF_THE_OBJECT, *_CONTEXTS))}
_ALL_ITEMS = (all, any, dict, frozenset, list, max, min, set, sorted, sum, tuple)
_GO_THROUGH = {*map(id, (*_ALL_ITEMS, enumerate, filter, map, zip, itertools.pairwise))}
_ONE_SHOT = {*map(id, ONE_SHOT)}
_MAKE_ARRAYS = (np.array, np.asarray, np.asanyarray, np.fromiter)  # of a dtype that is given next
_PURE = {*map(id, (os.fspath, os.fsencode, os.fsdecode, sys.intern))}  # all the same


@raises_as_python
def call(function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    function = recorder().defined(function)
    if type(function) is Unknown:
        refuse(function, "it is called")
    args = tuple([recorder().defined(a) if isinstance(a, MaybeUndefined) else a for a in args])
    if any(map(is_spread, args)):
        return call_spread(function, args, kwargs)
    function, args, kwargs = random_generators.stood_in(function, args, kwargs)
    if type(function) is GivenFunction:
        function = function.function
    if isinstance(function, Choice):
        return function.decide(lambda item: call(item, args, kwargs))
    if function is None:
        raise TypeError("'NoneType' object is not callable")
    args, kwargs = passed_on(function, args, kwargs)
    if id(function) in _OF_NUMBERS:
        args = tuple(map(as_number, args))
    is_known = isinstance(function, (types.FunctionType, types.MethodType, type))
    if not is_known or id(function) in _CONVERSIONS:
        chosen = with_choices(function, args, kwargs)
        if chosen is not None:
            return chosen[0]
        if id(function) not in _TAKE_NONE:
            args = tuple(arg.checked() if isinstance(arg, ObjectOrNone) else arg for arg in args)
    if isinstance(function, (GraphArray, GraphText)):
        raise _not_callable(function)
    if isinstance(function, PlacedObject):  # which has no hash
        method = getattr(type(function), "__call__", None)  # noqa: B004, of an instance's class
        if isinstance(method, types.FunctionType):
            return _call_python(method, (function, *args), kwargs)
    if isinstance(function, types.MethodType) and function.__func__ is Iteration.__next__:
        function, args = next, (function.__self__,)
    if function is iter or function is next:
        step = iterator if function is iter else advanced
        with calling(function, args, kwargs, replaced=True):
            return step(*args, **kwargs)
    if function is setattr and len(args) == 3 and isinstance(args[0], type):
        return class_attributes.stored_attribute(*args)
    if isinstance(function, type):
        recorder().outside.classes.add(function)
        if function is type and len(args) == 1 and isinstance(args[0], PlacedObject):
            return type_of_object(args[0])
    stepped = recorder().stepped
    by_steps = any(map(is_open, args)) or (
        stepped.by_steps and (stepped.resumed or function is itertools.count)
    )
    if not by_steps and goes_through_one(function) and any(map(has_open_end, args)):
        chained = one_after_another(function, args)
        if chained is not None:
            recorder().made(chained)
            return chained
        by_steps = True
    if function is itertools.groupby and grouping.is_of_the_run(*args, **kwargs):
        groups = grouping.grouped(*args, **kwargs)
        recorder().made(groups)
        return groups
    if by_steps:
        made = combined(generators.made, function, args, kwargs)
        if made is not None:
            return made
    if id(function) in _GO_THROUGH:
        args = tuple(map(taken, args))
    for arg in args:
        if is_native_iterator(arg):
            consume(arg)
    hidden_state.refuse_change(function)
    result = symbolic_ints(_called(function, args, kwargs))
    if isinstance(function, type) and may_be_pooled(function) and type(result) is function:
        return made_in_heap(result)
    if is_sparse(result):  # made by a library
        recorder().outside.classes.add(result)
    if type(result) is list and (function is list or function is sorted):
        result = TrackedList(result)
    if stepped.by_steps and stepped.resumed and function is reversed:
        items = as_items(args[0])
        result = result if items is None else iterator(traced_reversed(items))
    if id(function) in _ONE_SHOT:
        recorder().made(result)
    for made in result if function is itertools.tee else (result,):
        if is_native_iterator(made) or hidden_state.is_hidden(made):
            recorder().made(made)
    return result


def _not_callable(value: GraphArray | GraphText) -> Exception:
    kind = type(example(value)) if isinstance(value, GraphArray) else str
    shown = kind.__name__ if kind.__module__ == "builtins" else f"numpy.{kind.__name__}"
    fix = "x[i] takes an element, f(x) calls a function"
    return located_error(OperandTypeError, f"'{shown}' object is not callable", fix=fix)


@raises_as_python
def _called(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    if python_function(function) is not function:
        return called_as_python(function, lambda f: _called(f, args, kwargs))
    if args and isinstance(args[0], PooledArrays) and function in (np.concatenate, np.hstack):
        return args[0].concatenated(*args[1:], **kwargs)
    if any(map(is_rows, args)):
        joined = joining(function)
        if joined is not None:
            return joined(*args, **kwargs)
        if takes_arrays(function):
            dtype = kwargs.get("dtype", *args[1:2]) if function in _MAKE_ARRAYS else None
            args = tuple([as_array(arg, dtype) for arg in args])
    if takes_arrays(function) and any(map(holds_rows, (*args, *kwargs.values()))):
        args = tuple(map(without_rows, args))
        kwargs = {name: without_rows(value) for name, value in kwargs.items()}
    if any(map(holds_range, args)) and takes_arrays(function):
        args = tuple(map(without_ranges, args))
    if isinstance(function, functools._lru_cache_wrapper):
        ours: Any = functools.partial(remembered.called, function, instantiated)
    else:
        ours = replacement(function, args, kwargs)
    if ours is not None:
        with as_numpy(function, args, kwargs), calling(function, args, kwargs, replaced=True):
            return ours(*args, **kwargs)
    if package_of(function) in _BY_CLASS:
        args, kwargs = plain(args), plain(kwargs)
    if isinstance(function, functools.partial):
        merged = {**function.keywords, **kwargs}
        return call(function.func, (*function.args, *args), merged)
    if isinstance(function, types.MethodType):
        if isinstance(function.__self__, (type(os.environ), pathlib.Path)):
            _refuse_impure(function)
        return call(function.__func__, (function.__self__, *args), kwargs)
    if isinstance(function, types.FunctionType):
        return _call_python(function, args, kwargs)
    method = getattr(type(function), "__call__", None)  # noqa: B004, of an instance's class
    if isinstance(method, types.FunctionType) and not isinstance(function, type):
        return _call_python(method, (function, *args), kwargs)
    _refuse_impure(function)
    refuse_other_arrays(function, args, kwargs)
    recorder().outside.guard_unconverted(args, kwargs)
    refuse_memory(function, args)
    args = without_order(function, args, kwargs)
    with calling(function, args, kwargs):
        return _without_names(function(*args, **kwargs))


def _without_names(result: Any) -> Any:
    """What a library returns, if it is no text in which stand-ins show themselves."""
    if isinstance(result, str) and "GraphArray(" in result:
        raise _text_of_values()
    return result


def _text_of_values() -> Exception:
    return located_error(
        ConcreteValueError,
        "a library makes a text of values known only at run time",
        id="AG0306",
        fix="use str(x), repr(x), an f-string or print(x)",
    )


@raises_as_python
def _call_python(function: types.FunctionType, args: tuple, kwargs: dict[str, Any]) -> Any:
    function = specials.original(function)
    if is_generator_function(function):
        return generators.called(function, args, kwargs)
    if is_converted(function.__code__):
        return recursion.call_converted(function, function, args, kwargs)
    if belongs_to_library(function):
        _refuse_impure(function)
        refuse_other_arrays(function, args, kwargs)
        function = generators.context_manager(function) or function
        package = package_of(function)
        if package not in _OWN_PACKAGES:
            recorder().outside.guard_unconverted(args, kwargs)
        if package in (*_OWN_PACKAGES, "numpy"):
            with calling(function, args, kwargs):
                return function(*args, **kwargs)
        with (
            random_generators.untouched(function.__name__, args, kwargs),
            calling(function, args, kwargs),
        ):
            if function.__module__ == "pprint" and holds_symbolic_values((args, kwargs)):
                raise _text_of_values()  # which it may print at once
            return _without_names(function(*args, **kwargs))
    runnable = instantiated(function)
    return recursion.call_converted(function, runnable, args, kwargs, reused.run)


def instantiated(function: types.FunctionType) -> types.FunctionType:
    """The converted function, seeing what it captures as the recorder does."""
    refuse_changed_modules(function)
    options = recorder().conversion
    if options.handling is Handling.CALLEES and recorder().attempt is not None:
        options = options._replace(handling=Handling.CALLED)
    converted = convert(function, options)
    return recorder().outside.seen_by(function, converted)


def belongs_to_library(function: types.FunctionType) -> bool:
    """Whether a function is part of this package, the standard library or an installed package."""
    if package_of(function) in _OWN_PACKAGES:
        return True
    file = function.__code__.co_filename
    return is_library_file(file) or file.startswith("<frozen ")


def _refuse_impure(function: Any) -> None:
    """Refuse functions whose result differs from call to call: it would be recorded once."""
    owner = getattr(function, "__self__", None)
    if id(function) in _PURE:
        return
    module = module_of(function)
    if isinstance(owner, types.ModuleType):
        module = owner.__name__
    elif owner is not None and not isinstance(owner, type):
        module = module_of(type(owner))
    is_impure = f"{module}.".startswith(tuple(f"{name}." for name in _IMPURE_MODULES))
    is_impure = is_impure or id(function) in _IMPURE
    if isinstance(owner, type(os.environ)) or function is os.getenv:
        module, is_impure = "os.environ", True
    name = getattr(function, "__name__", str(function))
    if module == "datetime":
        is_impure = name in _CLOCKS
    is_impure |= isinstance(owner, pathlib.Path) and not hasattr(pathlib.PurePath, name)
    if is_impure or isinstance(owner, (np.random.Generator, np.random.RandomState)):
        raise UnsupportedFunctionError(
            f"{module}.{name} gives another result at each call, but code is recorded only once",
            recorder().location(),
            id="AG0405",
            fix=_DRAW if "random" in module else _PASS,
        )
