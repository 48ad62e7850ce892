"""Functions that take functions: ``functools``, ``itertools``, ``operator``.

What they are given is converted when they call it. What they return is Python's own, so that lazy
ones stay lazy.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import operator
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import ops
from autograph.staging.ground.recorder import recorder
from autograph.staging.python import aggregates, comparison_sorts
from autograph.staging.sequences import items
from ops.core.recording import raises_as_python

_MISSING = object()


def converting(function: Callable) -> Callable:
    """A function for library code to call: it is converted then."""
    return functools.partial(ops.call, function)


def _with_function_first(native: Callable) -> Callable:
    def call(function: Callable | None, *iterables: Any) -> Any:
        return native(None if function is None else converting(function), *iterables)

    return call


def _accumulate(
    iterable: Iterable, function: Callable = operator.add, *, initial: Any = None
) -> Any:
    return itertools.accumulate(iterable, converting(function), initial=initial)


@raises_as_python
def _slice(iterable: Iterable, *bounds: Any) -> Any:
    """``itertools.islice``; its bounds have to be known."""
    known = (None if bound is None else operator.index(bound) for bound in bounds)
    return itertools.islice(iterable, *known)


@raises_as_python
def _group_by(iterable: Iterable, key: Callable | None = None) -> Iterator[tuple]:
    for value, group in itertools.groupby(iterable, None if key is None else converting(key)):
        elements = iter(list(group))
        recorder().made(elements)
        yield value, elements


def _callback(
    stack: contextlib.ExitStack, function: Callable, /, *args: Any, **kwargs: Any
) -> Callable:
    stack.callback(converting(function), *args, **kwargs)
    return function


def _reduce(function: Callable, iterable: Iterable, initial: Any = _MISSING) -> Any:
    given = () if initial is _MISSING else (initial,)
    return aggregates.folded(converting(function), iterable, *given)


HIGHER_ORDER: dict[Callable, Callable] = {
    map: items.traced_map,
    filter: items.traced_filter,
    itertools.filterfalse: items.traced_filter_false,
    functools.reduce: _reduce,
    functools.cmp_to_key: comparison_sorts.Comparison,
    contextlib.ExitStack.callback: _callback,
    itertools.accumulate: _accumulate,
    itertools.groupby: _group_by,
    **{
        native: _with_function_first(native)
        for native in (
            itertools.starmap,
            itertools.takewhile,
            itertools.dropwhile,
        )
    },
}

# Those that would ask symbolic values what they are.
OPERATORS: dict[Callable, Callable] = {
    itertools.islice: _slice,
    operator.truth: aggregates.to_bool,
    operator.not_: ops.not_,
    operator.length_hint: lambda items, default=0: ops.call(len, items),
    operator.contains: lambda container, item: ops.in_(item, container),
}


# -- objects that functools and operator make ------------------------------------------------------


def of_object(function: Any) -> Callable | None:
    """Our version of a function that a library has made of one of the user's."""
    if isinstance(function, operator.methodcaller):
        return functools.partial(_call_method, function)
    if (
        isinstance(function, types.FunctionType)
        and {"dispatch", "registry"} <= vars(function).keys()
    ):
        return functools.partial(_call_dispatched, function)
    return None


def _call_method(caller: operator.methodcaller, instance: Any) -> Any:
    state: Any = caller.__reduce__()
    made, args = state
    kwargs = {}
    if isinstance(made, functools.partial):  # of methodcaller, if there are keywords
        args, kwargs = (*made.args, *args), made.keywords
    return ops.call(getattr(instance, args[0]), *args[1:], **kwargs)


def _call_dispatched(function: Any, first: Any, *args: Any, **kwargs: Any) -> Any:
    """Call a function that `functools.singledispatch` has made."""
    chosen = function.dispatch(ops.call(type, first))
    return ops.call(chosen, first, *args, **kwargs)
