"""The programs of the tests of the language, and uses of operators, on the GPU beside the CPU.

There are more than the time allows in all ways. Each program runs in one, and the ways go by turns,
with periods that share no factor, so that any two settings meet in some program. It runs twice, in
memory that is full of another byte each time: a race, or memory that is read before it is written,
is a difference.
"""

from __future__ import annotations

import contextlib
import copy
import io
import os
import random
import subprocess
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import optree

import autograph as ag
from autograph.errors import AutographError, UnsupportedFunctionError
from benchmarks.gpu import device, watchdog
from benchmarks.gpu.records import ABSENT, FAILED, RIGHT, WRONG, Records
from benchmarks.gpu.stages import end_of
from ops.core.registry import REGISTRY
from tests.contexts.programs_of_all import all_calls
from tests.ops.array_cases import CASES
from tests.ops.samples import SAMPLES, drawn
from tests.support.oracle import Call

_SPARE = 6  # seconds of the stage that are left for the last checks
_REHEARSED = 40  # checks in a rehearsal
_POISONS = (0xAB, 0x5C)
_NUMBERS = (bool, int, float, complex, np.generic, np.ndarray)
_WHOLE = ("value", "gradient", "lanes")
_TERMS = ("kernels", "CuPy's terms")


class NothingToCompare(Exception):
    """A program has no arrays or no lanes, or does not run on CuPy, which it says."""


def main(path: str) -> None:
    """Compare as many as there is time for, in several processes."""
    processes = 1 if device.rehearsing() else device.processes()
    command = [sys.executable, "-m", "benchmarks.gpu.corpus", path]
    running = [
        subprocess.Popen([*command, str(k), str(processes)], stderr=subprocess.PIPE, text=True)
        for k in range(processes)
    ]
    said = [process.communicate()[1] for process in running]
    failed = [errors for process, errors in zip(running, said) if process.returncode]
    if failed:
        sys.exit("\n".join(failed))


def part(path: str, which: int, of: int, first: int = 0) -> None:
    """Compare one of some parts of all, in a random order that is always the same.

    Args:
        first: how many of them are done.
    """
    end = end_of("corpus") - _SPARE
    records = Records(path, "corpus")
    cupy = device.cupy()
    checks = [*_operators(cupy), *_uses(), *_programs()]
    random.Random(0).shuffle(checks)
    if device.rehearsing():
        checks = checks[:_REHEARSED]
    for number, (name, check) in enumerate(checks[which::of]):
        if number < first:
            continue
        if time.time() > end:
            break
        records.begin(name)
        rest = [path, *map(str, (which, of, number + 1))]

        def give_up(problem: str, name: str = name, rest: list[str] = rest) -> None:
            records.add(name, FAILED, error=problem)
            _begin_anew(rest)

        try:
            with watchdog.watched(give_up):
                problem = check()
        except NothingToCompare:
            problem = ""
            records.end(name, ABSENT)
        except Exception:
            problem = traceback.format_exc()
            records.add(name, FAILED, error=problem)
        else:
            if problem:
                records.add(name, WRONG, error=problem)
            else:
                records.end(name, RIGHT)
        if problem and device.is_lost(problem):
            _begin_anew(rest)


def _begin_anew(arguments: list[str]) -> None:
    """Go on in a process with the same number, which has the device anew."""
    os.execv(sys.executable, [sys.executable, "-m", "benchmarks.gpu.corpus", *arguments])


# -- what there is to compare ----------------------------------------------------------------------


def _operators(cupy: Any) -> Iterator[tuple[str, Callable[[], str]]]:
    """What each operator says in the library's terms."""
    rng = np.random.default_rng(0)
    for number, (name, operands, attrs) in enumerate(SAMPLES):
        args, op = drawn(operands, rng), REGISTRY[name]
        if "cupy" not in op.backends:
            continue

        def check(op=op, args=args, attrs=attrs):
            expected = op.evaluate(np, args, attrs)
            return _twice(
                lambda: difference(
                    device.on_host(op.evaluate(cupy, device.on_device(args), attrs)), expected
                )
            )

        yield f"operator {name}, {number}", check


def _uses() -> Iterator[tuple[str, Callable[[], str]]]:
    """Functions of NumPy's, compiled."""
    rng = np.random.default_rng(0)
    for number, case in enumerate(CASES):
        args = tuple(rng.normal(size=x) if isinstance(x, tuple) else x for x in case.shapes)
        name = f"{case.name}, {number}, {_TERMS[number % 2]}"
        yield name, lambda case=case, args=args, k=number: compared(case.ours, args, k % 2 == 0)


def _programs() -> Iterator[tuple[str, Callable[[], str]]]:
    """Programs, their gradients, and in lanes."""
    for number, (name, call) in enumerate(all_calls().items()):
        whole, terms = _WHOLE[number % 3], _TERMS[number % 2]
        check = lambda call=call, whole=whole, k=number: _in_a_way(call, whole, k % 2 == 0)
        yield f"{name}, {whole}, {terms}", check


def _in_a_way(call: Call, whole: str, kernels: bool) -> str:
    function, args = call.function, call.args
    if whole == "gradient" and call.smooth:
        function = ag.value_and_grad(function)
    if whole == "lanes" and args and all(type(x) in (float, np.ndarray) for x in args):
        function = ag.vmap(function)
        args = tuple(np.stack([x, x]) for x in map(np.asarray, args))
    arrays = [x for x in optree.tree_leaves(args) if isinstance(x, np.ndarray)]
    if any(x.dtype.kind not in "biufc" for x in arrays):
        raise NothingToCompare
    return compared(function, args, kernels)


# -- comparing -------------------------------------------------------------------------------------


def compared(function: Callable, args: tuple, kernels: bool) -> str:
    """What a compiled function does differently on the GPU, or nothing. It runs there even where
    its arguments are numbers alone.

    Args:
        kernels: whether with kernels, or in CuPy's terms.

    Raises:
        NothingToCompare: the compiler refuses it.
    """
    expected, error = _outcome(ag.to_graph(function), copy.deepcopy(args))
    if isinstance(error, AutographError):
        raise NothingToCompare
    os.environ["AUTOGRAPH_CUDA_KERNELS"] = str(int(kernels))
    compiled = ag.to_graph(function, backend="cupy")

    def once() -> str:
        found, other = _outcome(compiled, device.on_device(copy.deepcopy(args)))
        if isinstance(other, UnsupportedFunctionError):
            raise NothingToCompare  # an operator that is NumPy's alone
        if isinstance(error, IndexError) and other is None:
            raise NothingToCompare  # CuPy wraps places around that are outside
        if error is not None or other is not None:
            if type(error) is type(other):
                return ""
            return f"{_shown(other)} in the place of {_shown(error)}"
        return difference(device.on_host(found), expected)

    return _twice(once)


def _twice(check: Callable[[], str]) -> str:
    """What is different in one of two runs, in memory with other contents."""
    for byte in _POISONS:
        with device.poisoned(byte):
            problem = check()
        if problem:
            return f"in memory full of {byte:#x}: {problem}"
    return ""


def _outcome(function: Callable, args: tuple) -> tuple[Any, Exception | None]:
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            return function(*args), None
        except Exception as error:
            return None, error


def _shown(error: Exception | None) -> str:
    return "a result" if error is None else "".join(traceback.format_exception(error))


def difference(found: Any, expected: Any) -> str:
    """What is different between two results: nesting, dtypes, shapes, values to rounding."""
    first, one = optree.tree_flatten(found)
    second, other = optree.tree_flatten(expected)
    if one != other:
        return f"{one} in the place of {other}"
    for x, y in zip(first, second):
        if not isinstance(y, _NUMBERS):
            continue
        a, b = np.asarray(x), np.asarray(y)
        if (a.dtype, a.shape) != (b.dtype, b.shape):
            return f"{a.dtype}{a.shape} in the place of {b.dtype}{b.shape}"
        single = b.dtype.kind in "fc" and b.real.dtype.itemsize < 8
        tolerance = 0.0 if b.dtype.kind not in "fc" else 1e-4 if single else 1e-9
        if b.dtype.kind not in "biufc":
            continue
        if not np.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True):
            return f"{x!r} in the place of {y!r}"
    return ""


if __name__ == "__main__":
    if len(sys.argv) == 2:
        main(sys.argv[1])
    else:
        path, *numbers = sys.argv[1:]
        part(path, *map(int, numbers))
