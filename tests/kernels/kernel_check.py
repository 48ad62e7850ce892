"""Runs a function compiled, with native kernels, and as plain Python, and compares all that a
caller can see."""

from __future__ import annotations

import copy
import linecache
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.llvm import frame, polling, print_llvm
from autograph.kernels.native import compiler, tiers
from autograph.kernels.passes.host import for_host

ALL = "all"  # the whole function is one kernel
SOME = "some"  # parts of it are kernels


def check(
    function: Callable, *args: Any, kernels: str | int = ALL, ulps: float = 4, scale: float = 0.0
) -> Any:
    """Check that a compiled function does what Python does.

    Args:
        args: of which copies are passed, in the same memory layout.
        kernels: ``ALL`` if the whole function has to be a kernel, ``SOME`` if a part, else how many
            kernels there have to be; None if that is not asked.
        ulps: by which floats may differ, in units of the last place of the number, or of
            ``scale`` if that is more.

    Returns:
        The compiled function.
    """
    compiled = ag.to_graph(function)
    expected, found = run(function, args), run(compiled, args)
    same_outcome(found, expected, ulps, scale)
    same_outcome(run(compiled, args), expected, ulps, scale)  # from the cache
    assert_kernels(compiled, args, kernels)
    return compiled


def assert_kernels(compiled: Callable, args: tuple, kernels: str | int | None) -> None:
    """Check which parts of a function are kernels."""
    names = list(compiled.kernels(*copied(args)))
    if kernels is None:
        return
    if kernels == SOME:
        assert names
        return
    if kernels == ALL:
        name = getattr(compiled, "__name__", "")
        assert len(names) == 1 and "_kernel" not in names[0], (name, names)
    else:
        assert len(names) == kernels, names


def calls_python(compiled: Callable, *args: Any) -> bool:
    """Whether a kernel of a compiled function calls Python."""
    kernels = compiled.kernels(*copied(args)).values()  # type: ignore[attr-defined]
    return any("function_of." in kernel.llvm for kernel in kernels)


def give_up_soon(monkeypatch: Any) -> None:
    """Let each kernel be made quickly, and given up amid its first call."""
    monkeypatch.setenv("AUTOGRAPH_CACHE_DIR", "")
    monkeypatch.setenv("AUTOGRAPH_TIER", "automatic")
    monkeypatch.setattr(tiers, "_COST_OF_LINE", 1e-3)
    monkeypatch.setattr(tiers, "_SHARE_OF_CALL", 1e18)
    monkeypatch.setattr(frame, "_TRIPS", 4)
    monkeypatch.setattr(polling, "SPAN", 4)


class Outcome:
    """The result or the error of a call, and the arguments after it."""

    def __init__(self, result: Any, error: Exception | None, args: tuple):
        self.result = result
        self.error = error
        self.args = args


def run(function: Callable, args: tuple) -> Outcome:
    args = copied(args)
    result, error = None, None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = function(*args)
        except Exception as raised:
            error = raised
    return Outcome(result, error, args)


def copied(args: tuple) -> tuple:
    """Copies of arguments, arrays in the memory layout they have; the same for the same object."""
    made: dict[int, Any] = {}
    return tuple(made.setdefault(id(x), _copied(x)) for x in args)


def _copied(x: Any) -> Any:
    if not isinstance(x, np.ndarray):
        return copy.deepcopy(x)
    whole = x
    while isinstance(whole.base, np.ndarray):
        whole = whole.base
    if whole is x:
        made = x.copy(order="K")
    else:
        offset = x.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
        made = np.ndarray(x.shape, x.dtype, whole.copy(order="K"), offset, x.strides)
    made.flags.writeable = x.flags.writeable
    return made


def same_outcome(found: Outcome, expected: Outcome, ulps: float, scale: float) -> None:
    if expected.error is not None:
        assert found.error is not None, f"no {expected.error!r}, but {found.result!r}"
        assert type(found.error) is type(expected.error), (found.error, expected.error)
        assert str(found.error) == str(expected.error)
        return
    if found.error is not None:
        raise found.error
    assert_same(found.result, expected.result, ulps, scale)
    for x, y in zip(found.args, expected.args):
        assert_same(x, y, ulps, scale)
    assert identities(found) == identities(expected), "which arrays are the same"
    assert overlaps(found) == overlaps(expected), "which arrays share memory"


def arrays(outcome: Outcome) -> list[np.ndarray]:
    result = outcome.result if isinstance(outcome.result, tuple) else (outcome.result,)
    return [x for x in (*outcome.args, *result) if isinstance(x, np.ndarray)]


def identities(outcome: Outcome) -> list[int]:
    first: dict[int, int] = {}
    return [first.setdefault(id(x), i) for i, x in enumerate(arrays(outcome))]


def overlaps(outcome: Outcome) -> list[list[bool]]:
    found = arrays(outcome)
    return [[np.shares_memory(x, y) for x in found] for y in found]


def assert_same(found: Any, expected: Any, ulps: float = 4, scale: float = 0.0) -> None:
    """The same types, dtypes and shapes, and values to rounding."""
    assert type(found) is type(expected), (found, expected)
    if isinstance(expected, tuple):
        assert len(found) == len(expected)
        for x, y in zip(found, expected):
            assert_same(x, y, ulps, scale)
        return
    x, y = np.asarray(found), np.asarray(expected)
    assert (x.dtype, x.shape) == (y.dtype, y.shape), (x.dtype, x.shape, y.dtype, y.shape)
    if y.dtype.kind not in "fc":
        np.testing.assert_array_equal(x, y)
        return
    if y.dtype.kind == "c":
        x, y = (np.stack([z.real, z.imag]) for z in (x, y))
    np.testing.assert_array_equal(np.isnan(x), np.isnan(y))
    if scale == 0.0:
        zero = y == 0
        np.testing.assert_array_equal(np.signbit(x[zero]), np.signbit(y[zero]))
    infinite = np.isinf(y)
    np.testing.assert_array_equal(x[infinite], y[infinite])
    x, y = x[np.isfinite(y)], y[np.isfinite(y)]
    unit = np.spacing(np.maximum(np.abs(y), y.dtype.type(scale)))
    wrong = ~(np.abs(x - y) <= ulps * unit)
    assert not wrong.any(), (x[wrong], y[wrong], float(np.max(np.abs(x - y) / unit)))


def host_statements(function: Callable, *args: Any) -> Iterator[ir.Statement]:
    """All statements of the kernels of a function as they are for the host, of which there is
    native code."""
    for each in ag.to_graph(function).kernels(*args).values():
        kernel = for_host(each.kernel)
        print_llvm(kernel, compiler.target())
        yield from ir.walk(kernel.body)


def check_text(text: str, label: str, *args: Any, **names: Any) -> None:
    """Check that ``program``, which a text defines, has the same bits compiled as in Python.

    Args:
        label: of the text, another one for each.
        args: of which copies are passed, where they are arrays.
        names: the globals of the text.
    """
    file = f"<{label}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), names)
    function = names["program"]
    copies = lambda: [x.copy() if isinstance(x, np.ndarray) else x for x in args]
    with np.errstate(all="ignore"):
        expected = function(*copies())
        found = ag.to_graph(function)(*copies())
    for x, y in zip(found, expected):
        np.testing.assert_array_equal(x, y, err_msg=text)
