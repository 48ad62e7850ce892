"""What stands for a library function when it is called from converted code.

Functions that make arrays, those that call functions, and those with an effect, are always
replaced; Python's others where they are given symbolic values. What is not replaced runs as it is.
"""

from __future__ import annotations

import enum
import functools
import io
import operator
import sys
import types
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, ItemsView, Iterator, ValuesView
from typing import Any

import numpy as np
from numpy.polynomial._polybase import ABCPolyBase

import ops
from autograph.errors import UnsupportedFunctionError
from autograph.staging.arrays import python_random, random_generators, random_states
from autograph.staging.arrays.array import GraphArray, located_error
from autograph.staging.arrays.creation import CREATORS
from autograph.staging.arrays.protocols import refusal
from autograph.staging.arrays.sparse_formats import constructor
from autograph.staging.classes import managers
from autograph.staging.ground.errors import located
from autograph.staging.ground.leaves import leaves_of
from autograph.staging.ground.ownership import is_user_class
from autograph.staging.ground.recorder import active_recorder, recorder
from autograph.staging.ground.refusals import is_class_of_arrays, reason
from autograph.staging.ground.sparse_kinds import format_of
from autograph.staging.lists import queues
from autograph.staging.lists.dict_views import DictView
from autograph.staging.lists.lists import is_unread
from autograph.staging.lists.pooled import PooledList
from autograph.staging.python import (
    bisections,
    builtins,
    floating_errors,
    functional,
    heaps,
    logs,
    settings,
    warning_filters,
)
from autograph.staging.python.aggregates import method_of_tuple
from autograph.staging.python.methods_of_classes import method_of_stand_in
from autograph.staging.python.spreading import joined_texts
from autograph.staging.sequences import counters, dicts, lookups, sets
from autograph.staging.sequences.elementwise import vectorized
from autograph.staging.sequences.items import Filtered, Items
from autograph.staging.sequences.iteration import Iterators
from autograph.staging.values import text
from autograph.staging.values.choice import Choice
from autograph.staging.values.maybe import ObjectOrNone, with_none
from autograph.staging.values.promoted import apart, differ
from autograph.staging.values.text import GraphText
from ops.core.numpy_table import FUNCTIONS
from ops.core.recording import raises_as_python
from ops.polynomials.polynomials import value_of_series
from ops.special.scipy_names import of_scipy

# By the place of what they make arrays of, after which the dtype comes.
_OF_DTYPES = {0: (np.array, np.asarray, np.asanyarray), 1: (np.full, np.full_like)}

_ALWAYS = {
    **{function: apart(ours, differ) for function, ours in CREATORS.items()},
    **{
        function: with_none(apart(CREATORS[function], differ), place, function is np.full_like)
        for place, functions in _OF_DTYPES.items()
        for function in functions
    },
    **functional.HIGHER_ORDER,
    **builtins.EFFECTS,
    **floating_errors.FUNCTIONS,
    **warning_filters.FUNCTIONS,
    **managers.FUNCTIONS,
    **settings.FUNCTIONS,
    **random_generators.CREATORS,
    **random_states.CREATORS,
    **python_random.FUNCTIONS,
    deque: queues.made,
    dict: dicts.made,
    dict.fromkeys: dicts.from_keys,
    OrderedDict.fromkeys: dicts.ordered_from_keys,
    Counter: counters.made_counter,
    defaultdict: dicts.made_default,
    OrderedDict: dicts.made_ordered,
    set: sets.made,
    **{
        function: builtins.BUILTINS[function]
        for function in (bool, type, getattr, vars, issubclass)
    },
    **{function: builtins.BUILTINS[function] for function in builtins.ABOUT_KINDS},
}
_OF_SYMBOLIC = {
    **builtins.BUILTINS,
    **functional.OPERATORS,
    **heaps.FUNCTIONS,
    **bisections.FUNCTIONS,
    operator.getitem: lookups.item_of,
}


def replacement(function: Any, args: tuple, kwargs: dict[str, Any]) -> Callable | None:
    """Our version of a library function, where it is needed."""
    try:
        always, symbolic = _ALWAYS.get(function), _OF_SYMBOLIC.get(function)
    except TypeError:  # a callable object that can't be hashed
        if isinstance(function, ABCPolyBase) and has_symbolic(args):
            return functools.partial(value_of_series, function)
        return None
    if isinstance(function, type) and type(function).__eq__ is not type.__eq__:
        return None  # one that says it equals another, as jax.numpy.float32 does
    if always is not None:
        return always
    if isinstance(function, type) and format_of(function) is not None:
        return constructor(function)
    given = (args, kwargs, _frozen_parameters(function))
    if symbolic is None and has_symbolic(given) and not isinstance(function, np.ufunc):
        symbolic = _of_scipy(function)
    if symbolic is not None:
        needed = has_symbolic(given) or _may_hold_symbolic(function, args, kwargs)
        return symbolic if needed else None
    if function in FUNCTIONS or isinstance(function, np.ufunc):
        return _of_lists(function) if has_symbolic((args, kwargs)) else None
    is_refused = reason(function) is not None or is_class_of_arrays(function)
    if is_refused and has_symbolic((args, kwargs)):
        raise refusal(function)
    method = method_of_stand_in(function, args, has_symbolic)
    if method is not None:
        return method
    if isinstance(function, (types.BuiltinMethodType, np.vectorize)):
        return _of_method(function, args, kwargs)
    if isinstance(function, enum.EnumMeta) and lookups.is_of_the_run(function, args, kwargs):
        return functools.partial(lookups.member, function)
    if isinstance(function, type) and issubclass(function, np.generic) and has_symbolic(args):
        return _conversion(function)
    return logs.logged(function) or functional.of_object(function)


def _frozen_parameters(function: Any) -> Any:
    """What a distribution of SciPy's holds that a function is a method of; see
    `ops.statistics.distributions`."""
    if "scipy" not in sys.modules:
        return ()
    from ops.statistics.distributions import frozen_parameters

    return frozen_parameters(function)


def _of_scipy(function: Any) -> Callable | None:
    """Our version of one of SciPy's functions that have no protocol, if it is one of those."""
    if "scipy" not in sys.modules:  # which many programs do without, as without what follows
        return None
    from ops.linalg.scipy_names import of_scipy_linalg
    from ops.statistics.distributions import of_scipy_stats

    ours = of_scipy(function) or of_scipy_linalg(function) or of_scipy_stats(function)
    if ours is None:
        return None

    @raises_as_python
    def call(*args: Any, **kwargs: Any) -> Any:
        with located():
            return ours(*args, **kwargs)

    return call


# What gives values that are not among the leaves of arguments.
_HIDING = (Iterator, ValuesView, ItemsView)


def _is_ordered(kind: type) -> bool:
    """Whether a class of the user's says which of its objects is less."""
    own = kind.__lt__ is not object.__lt__ or kind.__gt__ is not object.__gt__
    return own and is_user_class(kind)


def _may_hold_symbolic(function: Any, args: tuple, kwargs: dict[str, Any]) -> bool:
    """Whether something is given that may give symbolic values without showing it."""
    if any(isinstance(arg, PooledList) for arg in args):
        return True
    if function in builtins.OF_OBJECTS or function in builtins.OF_ORDERED:
        given = leaves_of(args[:1])
        if any(isinstance(leaf, BaseException) and has_symbolic(leaf.args) for leaf in given):
            return True
        classes = set(map(type, given))
        asks = _is_ordered if function in builtins.OF_ORDERED else is_user_class
        if any(map(asks, classes)):
            return True
    if function not in builtins.OF_ITERATORS:
        return False
    if any(isinstance(leaf, Choice) for leaf in leaves_of(args)):
        return True
    return kwargs.get("key") is not None or any(isinstance(arg, _HIDING) for arg in args)


_KNOWN_BY_THE_RUN = (GraphArray, GraphText, Items, Filtered, DictView, ObjectOrNone)


def has_symbolic(arguments: Any) -> bool:
    """Whether there are symbolic values in nested containers, but for lists that are not seen."""
    some_unread = active_recorder() is not None and recorder().outside.outer.unread
    leaves = leaves_of(arguments, is_unread if some_unread else None)
    return any([isinstance(leaf, _KNOWN_BY_THE_RUN) for leaf in leaves])  # noqa: C419, one call


def _of_lists(function: Any) -> Callable:
    """A function of NumPy's on symbolic values. Lists of them do not reach us by its protocols."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if isinstance(function, np.ufunc):
            arrays = tuple(ops.array(x) if isinstance(x, (list, tuple)) else x for x in args)
            return _apply(function, arrays, kwargs)
        return recorder().apply_function(function, args, kwargs)

    return call


@raises_as_python
def _apply(function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """A ufunc, or a method of one, on symbolic values, as NumPy hands it to us. It does not tell of
    ``out=...``, which asks for arrays also where there are no axes."""
    if kwargs.get("out") is Ellipsis:
        results = _apply(function, args, {k: v for k, v in kwargs.items() if k != "out"})
        if isinstance(results, tuple):
            return tuple(map(CREATORS[np.array], results))
        return CREATORS[np.array](results)
    if any(isinstance(arg, GraphArray) for arg in (*args, kwargs.get("out"))):
        return function(*args, **kwargs)
    if isinstance(function, np.ufunc):
        return recorder().apply_ufunc(function, "__call__", args, kwargs)
    return recorder().apply_ufunc(function.__self__, function.__name__, args, kwargs)


def _conversion(kind: type) -> Callable:
    """A scalar type that is not among NumPy's usual ones, such as bfloat16."""

    def convert(value: Any) -> Any:
        with located():
            return ops.cast(value, kind)

    return convert


def _of_ufunc(method: Any) -> Callable:
    """A method of a ufunc, whose operands may be lists; those of places stay lists."""
    operands = {"outer": (0, 1), "at": (2,)}.get(method.__name__, (0,))

    def call(*args: Any, **kwargs: Any) -> Any:
        lists = [i for i in operands if i < len(args) and isinstance(args[i], (list, tuple))]
        args = tuple(ops.array(x) if i in lists else x for i, x in enumerate(args))
        return _apply(method, args, kwargs)

    return call


def _is_made_here(file: io.IOBase, args: tuple, kwargs: dict[str, Any]) -> bool:
    """Whether a file is memory that is made in this region, and takes what is known."""
    frame = recorder().state(Iterators).frame_of(file)
    in_memory = isinstance(file, (io.StringIO, io.BytesIO))
    return in_memory and frame is recorder().frame and not has_symbolic((args, kwargs))


def _of_method(function: Any, args: tuple, kwargs: dict[str, Any]) -> Callable | None:
    owner = getattr(function, "__self__", None)
    if isinstance(owner, io.IOBase) and not _is_made_here(owner, args, kwargs):
        raise located_error(
            UnsupportedFunctionError,
            f"the method '{function.__name__}' of a file would be called only once, when the code "
            "is recorded",
            fix="use print, which runs when the program runs",
        )
    chosen = isinstance(owner, str) and any(isinstance(x, Choice) for x in leaves_of(args))
    is_tuple = isinstance(owner, tuple)
    is_given = chosen or has_symbolic((args, kwargs, owner if is_tuple else None))
    if not is_given and not any(isinstance(arg, Iterator) for arg in args):
        return None
    if isinstance(owner, np.ufunc):
        return _of_ufunc(function)
    if isinstance(function, np.vectorize):
        return functools.partial(vectorized, function)
    if isinstance(owner, dict) and function.__name__ == "get":
        return lookups.get(owner)
    if isinstance(owner, str) and function.__name__ == "join":
        return functools.partial(joined_texts, owner)
    if is_tuple:
        return method_of_tuple(owner, function.__name__)
    return text.method(owner, function.__name__) if isinstance(owner, str) else None
