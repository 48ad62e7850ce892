"""Functions that remember their results: what `functools.lru_cache` and `functools.cache` make.

What a call gives for known arguments is kept while the function is recorded. What a recursion gives
for arguments known only at run time is kept in a dict of the run, as in programs that keep it
themselves: without that, a recursion that branches takes exponentially long. The dict is made by
the outermost call, and forgotten with it; nobody sees which results are remembered how long, since
functions that change or print something are refused.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any

import numpy as np
import optree

import ops
from autograph.errors import OperandTypeError, UnsupportedFunctionError
from autograph.graph.builder import current_builder
from autograph.source.load import is_converted
from autograph.source.tree.libraries import is_library_file
from autograph.staging.arrays.array import GraphArray
from autograph.staging.border.arguments import OF_USER
from autograph.staging.calls.recursion import call_converted, forget_graphs
from autograph.staging.classes.managers import all_nodes
from autograph.staging.containers.containers import reachable
from autograph.staging.containers.watch import Watch
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.naming import unversioned
from autograph.staging.ground.recorder import recorder
from autograph.staging.python import aggregates
from autograph.staging.sequences.dicts import TrackedDict, decided
from ops.core.types import PYTHON_SCALARS


class _Results(dict[Callable, dict[Any, Any]]):
    """The results of calls with known arguments, by the function that remembers them."""


class _Running(dict[Any, tuple[Callable, TrackedDict]]):
    """What is called in the place of functions that are running and remember results of the run,
    and where these are: for the function, and what other objects it is given than are keys."""


def called(function: Any, instantiated: Callable, *args: Any, **kwargs: Any) -> Any:
    """Call a function that remembers its results.

    A call with the same known arguments as another one, and a known result, is not recorded again.

    Args:
        instantiated: gives a converted function.

    Raises:
        OperandTypeError: an argument is an array, which Python could not look up.
        UnsupportedFunctionError: it changes or prints something, which Python does once.
    """
    for argument in (*args, *kwargs.values()):
        if isinstance(argument, GraphArray) and (argument.ndim or argument.is_array):
            raise OperandTypeError(
                f"'{function.__wrapped__.__name__}' remembers its results, and is called with an "
                "array: unhashable type: 'numpy.ndarray'",
                user_location(),
                fix="call it with numbers, or take the cache away",
            )
    key = (args, tuple(kwargs.items()))
    again = lambda: ops.call(function.__wrapped__, *args, **kwargs)
    if aggregates.is_symbolic(key):
        if not kwargs and _calls_itself(function.__wrapped__) and recorder().queues.remember():
            return _looked_up(function, instantiated, args)
        return _unseen(function.__wrapped__, again)
    results = recorder().state(_Results).setdefault(function, {})
    if key not in results:
        result = _unseen(function.__wrapped__, again, unless=_is_plain)
        if not _is_plain(result):
            return result
        results[key] = result
    return results[key]


def _calls_itself(function: Any) -> bool:
    """Whether a function is likely to, also through others: some code reads its name."""
    name = unversioned(getattr(function, "__name__", ""))
    functions, seen = [function], {id(function)}
    while functions:
        names: set[str] = set()
        codes = [functions[-1].__code__]
        while codes:
            code = codes.pop()
            names.update(map(unversioned, (*code.co_names, *code.co_freevars)))
            codes += (part for part in code.co_consts if isinstance(part, CodeType))
        if name in names:
            return True
        for other in _read(functions.pop(), names):
            other = getattr(other, "__wrapped__", other)
            if isinstance(other, FunctionType) and id(other) not in seen:
                seen.add(id(other))
                if not is_library_file(other.__code__.co_filename):
                    functions.append(other)
    return False


def _read(function: FunctionType, names: set[str]) -> Iterator[Any]:
    """What a function finds under some names outside of it."""
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):  # nothing is in it yet
            yield cell.cell_contents
    yield from (function.__globals__[name] for name in names if name in function.__globals__)


def _looked_up(function: Any, instantiated: Callable, args: tuple) -> Any:
    """The result for arguments known only at run time, of a recursion that remembers its own."""
    running, wrapped = recorder().state(_Running), function.__wrapped__
    place = (function, *(None if _may_be_key(arg) else id(arg) for arg in args))
    if place in running:
        return call_converted(wrapped, running[place][0], args, {})
    results, given = TrackedDict(), recorder().given
    runnable = wrapped if is_converted(wrapped.__code__) else instantiated(wrapped)
    remembering = _remembering(wrapped, runnable, results)
    running[place] = remembering, results
    given.append(results)  # which whatever runs until then may change
    try:
        return call_converted(wrapped, remembering, args, {})
    finally:
        del running[place], given[next(i for i, one in enumerate(given) if one is results)]
        forget_graphs(remembering)  # of what has the dict, which the next call has another of


def _may_be_key(argument: Any) -> bool:
    """Whether what is remembered is looked up by an argument: others, such as the object whose
    method it is, have dicts of their own."""
    return isinstance(argument, (tuple, str, GraphArray, *PYTHON_SCALARS, np.generic))


def _remembering(function: FunctionType, runnable: Callable, results: TrackedDict) -> Callable:
    """A function that looks in ``results`` before it runs ``runnable``.

    It is what calls itself: named graphs are given the dicts that what is called can see.
    """

    def remembered(*args: Any) -> Any:
        keys = tuple(filter(_may_be_key, args))
        key = keys[0] if len(keys) == 1 else keys

        def computed() -> Any:
            result = _unseen(function, lambda: runnable(*args))
            results[key] = result
            return result

        return decided(ops.in_(key, results), lambda: results[key], computed)

    vars(remembered)[OF_USER] = runnable
    return remembered


def _unseen(
    function: Callable, call: Callable[[], Any], unless: Callable[[Any], bool] = lambda _: False
) -> Any:
    """What a call of a function gives; how often it is called must not be seen.

    Args:
        unless: says of a result that it is not called again.
    """
    watch, start = Watch((function,)), len(current_builder().nodes)
    try:
        result = call()
        own = reachable(results for _, results in recorder().state(_Running).values())
        changed = [container for container in watch.changed() if container not in own]
    finally:
        recorder().watches.remove(watch)
    nodes = all_nodes(current_builder().nodes[start:])
    if not unless(result) and (changed or any(node.op.effect == "shows" for node in nodes)):
        raise UnsupportedFunctionError(
            f"'{getattr(function, '__name__', function)}' remembers its results, and changes or "
            "prints something, which Python does once for the same arguments: whether they are is "
            "known only at run time",
            user_location(),
            fix="take the cache away, or call it with what is known",
        )
    return result


def _is_plain(result: Any) -> bool:
    """Whether a result is the same for all calls: numbers and texts, in tuples."""
    leaves = optree.tree_leaves(result, is_leaf=lambda x: not isinstance(x, tuple))
    return all(isinstance(leaf, (bool, int, float, complex, str, bytes)) for leaf in leaves)
