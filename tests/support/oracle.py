"""Python is the oracle: a function and its compiled form, run side by side.

`check` runs both on copies of the same arguments and compares everything a caller can see: the
result with its types, dtypes, shapes and nesting, what became of the arguments, which of them the
result is, the text printed, and the exception raised. `check_grad` compares gradients, also those
of gradients, with central differences.

A test file collects its programs with `Programs`:

    programs = Programs()

    @programs(2.0)
    @programs(-1.0)
    def absolute(x): ...

    @programs.test
    def test_branches(call):
        call.run()
"""

from __future__ import annotations

import contextlib
import copy
import functools
import io
import types
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import optree
import pytest

import autograph as ag

_TOLERANCE = {2: 1e-2, 4: 2e-5, 8: 1e-11}  # by bytes per real number


@dataclass
class Call:
    """A function and the arguments to call it with.

    Attributes:
        smooth: whether it has gradients; its result is a float.
        arrange: gives the arguments of one run, as new as those of a deep copy.
    """

    function: Callable
    args: tuple
    smooth: bool = False
    arrange: Callable = copy.deepcopy

    def run(self) -> None:
        check(self.function, *self.args)
        if self.smooth:
            check_grad(self.function, *self.args)


class Programs:
    """The functions of a test file, each with arguments to call it with."""

    def __init__(self) -> None:
        self._calls: list = []

    def __call__(self, *args: Any, **options: bool) -> Callable:
        """A decorator that adds a `Call` with ``args``."""

        def add(function: Callable) -> Callable:
            label = f"{function.__name__}-{len(self._calls)}"
            self._calls.append(pytest.param(Call(function, args, **options), id=label))
            return function

        return add

    def smooth(self, *args: Any, **options: bool) -> Callable:
        return self(*args, smooth=True, **options)

    def calls(self) -> list[Call]:
        return [param.values[0] for param in self._calls]

    def test(self, function: Callable) -> Callable:
        """The decorator of the test function, whose parameter is ``call``.

        The list may still grow: pytest reads it when the whole file has been imported.
        """
        return pytest.mark.parametrize("call", self._calls)(function)


@functools.cache
def compiled(function: Callable) -> ag.GraphFunction:
    """One compiled form for all calls, so that later calls meet the graphs of earlier ones."""
    return ag.to_graph(function)


# -- values ----------------------------------------------------------------------------------------


def check(function: Callable, *args: Any) -> Any:
    """Check that the compiled function does what Python does, twice. Returns Python's result."""
    expected = outcome(function, args)
    for _ in range(2):  # the second call comes from the cache
        found = outcome(compiled(function), args)
        assert_same_outcome(found, expected)
    return expected.result


def as_found(expected: Any, found: Any) -> Any:
    """``expected`` with its numbers in the types of those found, where those can hold them."""
    if type(expected) is type(found) and isinstance(expected, (tuple, list)):
        items = list(map(as_found, expected, found))
        if len(expected) != len(found):
            return expected
        return type(expected)(*items) if hasattr(expected, "_fields") else type(expected)(items)
    if type(expected) is type(found) and isinstance(expected, dict):
        items = {key: as_found(value, found.get(key)) for key, value in expected.items()}
        return type(expected)(items) if type(expected) is dict else expected | items
    if type(expected) is type(found) and is_record(expected):
        other = copy.copy(expected)
        other.__dict__.update(as_found(vars(expected), vars(found)))
        return other
    is_number = isinstance(expected, (bool, int, float, complex, np.generic, np.ndarray))
    return as_promoted(expected, found) if is_number else expected


def as_promoted(expected: Any, found: Any) -> Any:
    """The expected number in the type of the one found, if that can hold it."""
    if type(expected) is type(found):
        return expected
    assert np.result_type(expected, found) == np.result_type(found), (expected, found)
    return np.asarray(expected, found.dtype) if is_array(found) else type(found)(expected)


class Outcome:
    """What a call did: its result or error, its arguments after it, and what it printed."""

    def __init__(self, result: Any, error: Exception | None, args: tuple, printed: str):
        self.result = result
        self.error = error
        self.args = args
        self.printed = printed

    def identities(self) -> list[int | None]:
        """For each array in the result, which array of the arguments or the result it is first."""
        arrays = [x for x in optree.tree_leaves((self.args, self.result)) if is_array(x)]
        first: dict[int, int] = {}
        return [first.setdefault(id(x), position) for position, x in enumerate(arrays)]


def outcome(function: Callable, args: tuple, arrange: Callable = copy.deepcopy) -> Outcome:
    """What a call does; ``arrange`` gives it arguments of its own."""
    args = arrange(args)
    result, error = None, None
    printed = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(printed):
        warnings.simplefilter("ignore")
        try:
            result = function(*args)
        except Exception as raised:
            error = raised
    return Outcome(result, error, args, printed.getvalue())


def assert_same_outcome(found: Outcome, expected: Outcome, identities: bool = True) -> None:
    """They did the same; with ``identities``, the same arrays are arguments and results."""
    if expected.error is not None:
        assert isinstance(found.error, known_type(expected.error)), (found.error, expected.error)
    elif found.error is not None:
        raise found.error
    else:
        assert_same(found.result, expected.result, "result")
        if identities:
            assert found.identities() == expected.identities(), "arrays shared with the arguments"
        assert_same(found.args, expected.args, "arguments")
    assert found.printed == expected.printed


def known_type(error: Exception) -> type:
    """The built-in exception that a user would catch it by; NumPy derives its own from those."""
    return next(kind for kind in type(error).__mro__ if kind.__module__ == "builtins")


def assert_same(found: Any, expected: Any, where: str) -> None:
    """The same values to rounding, and exactly the same types and structure."""
    assert type(found) is type(expected), f"{where}: {found!r} is not {expected!r}"
    if isinstance(expected, (tuple, list)):
        assert len(found) == len(expected), f"{where}: {found!r} is not {expected!r}"
        for i, (a, b) in enumerate(zip(found, expected)):
            assert_same(a, b, f"{where}[{i}]")
    elif isinstance(expected, dict):
        assert list(found) == list(expected), f"{where}: {found!r} is not {expected!r}"
        for key, value in expected.items():
            assert_same(found[key], value, f"{where}[{key!r}]")
    elif isinstance(expected, (np.ndarray, np.generic, float, complex)):
        assert_close(found, expected, where)
    elif is_record(expected):
        assert_same(vars(found), vars(expected), where)
    else:
        assert found == expected, f"{where}: {found!r} is not {expected!r}"


def assert_close(found: Any, expected: Any, where: str) -> None:
    a, b = np.asarray(found), np.asarray(expected)
    assert (a.dtype, a.shape) == (b.dtype, b.shape), f"{where}: {found!r} is not {expected!r}"
    rtol = 0.0
    if b.dtype.kind in "fc":
        rtol = _TOLERANCE[b.real.dtype.itemsize]
    np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol * 1e-2, err_msg=where)


def is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray)


def is_record(value: Any) -> bool:
    """An object whose attributes are its value; also one whose ``==`` can't compare arrays."""
    functions = (types.FunctionType, types.MethodType, type, ag.GraphFunction)
    return hasattr(value, "__dict__") and not isinstance(value, functions)


# -- gradients -------------------------------------------------------------------------------------


def check_grad(
    function: Callable, *args: Any, argnums: int | tuple = 0, order: int = 2, rtol: float = 1e-5
) -> Any:
    """Check gradients against central differences. Returns the gradient.

    Args:
        function: has a float result; the arguments at ``argnums`` hold float64 values.
        order: 2 to check the gradient of the gradient as well.
        rtol: relative to the largest gradient.
    """
    gradient = ag.grad(function, argnums=argnums)
    found = gradient(*copy.deepcopy(args))
    wanted = args[argnums] if isinstance(argnums, int) else tuple(args[i] for i in argnums)
    assert_same_form(found, wanted)
    expected = differences(function, args, argnums)
    assert_near(found, expected, rtol)
    assert_near(gradient(*copy.deepcopy(args)), found, 0.0)
    if order == 1:
        return found

    def weighted(*arguments):
        leaves = optree.tree_leaves(gradient(*arguments))
        return sum(np.sum(leaf * w) for leaf, w in zip(leaves, weights))

    weights = [np.cos(1.0 + np.arange(np.size(x))).reshape(np.shape(x)) for x in flat(found)]
    second = ag.grad(weighted, argnums=argnums)(*copy.deepcopy(args))
    assert_near(second, differences(weighted, args, argnums), rtol)
    return found


def differences(function: Callable, args: tuple, argnums: int | tuple) -> list:
    """Central differences of ``function``, one array for each leaf of the arguments at argnums."""
    wanted = (argnums,) if isinstance(argnums, int) else argnums
    gradients = []
    for position in wanted:
        leaves, structure = optree.tree_flatten(args[position])
        for i, leaf in enumerate(leaves):
            slopes = np.zeros(np.shape(leaf))
            for index in np.ndindex(slopes.shape):
                step = 1e-5 * max(1.0, abs(np.asarray(leaf)[index]))
                ends = []
                for sign in (1, -1):
                    moved = np.array(leaf, dtype=float)
                    moved[index] += sign * step
                    changed = list(leaves)
                    changed[i] = moved if is_array(leaf) else type(leaf)(moved)
                    new = list(copy.deepcopy(args))
                    new[position] = copy.deepcopy(optree.tree_unflatten(structure, changed))
                    ends.append(np.longdouble(function(*new)))
                slopes[index] = (ends[0] - ends[1]) / (2 * step)
            gradients.append(slopes)
    return gradients


def assert_same_form(found: Any, wanted: Any) -> None:
    """A gradient has the structure, types, dtypes and shapes of what it is the gradient by."""
    a, b = optree.tree_structure(found), optree.tree_structure(wanted)
    assert a == b, (a, b)
    for x, y in zip(flat(found), flat(wanted)):
        assert type(x) is type(y), (x, y)
        assert np.asarray(x).dtype == np.asarray(y).dtype
        assert np.shape(x) == np.shape(y)


def assert_near(found: Any, expected: Any, rtol: float) -> None:
    for a, b in zip(flat(found), flat(expected)):
        scale = max(1.0, float(np.max(np.abs(b), initial=0.0)))
        np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol * scale)


def flat(tree: Any) -> list:
    return optree.tree_leaves(tree)
