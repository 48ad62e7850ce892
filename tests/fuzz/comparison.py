"""Runs random programs compiled and uncompiled, and compares all that a caller can see.

No failures are: refusals with an error of ours while a program is being recorded, which are
counted; numbers of another type where paths with different types meet (see `oracle.Call`); and a
new array as the result where one path returns an argument and another a new array.
"""

from __future__ import annotations

import contextlib
import copy
import io
import itertools
import linecache
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

import autograph as ag
from autograph.errors import AutographError, UnsupportedConstructError, VerificationError
from tests.fuzz.vocabulary import Particle
from tests.support.contexts import CONTEXTS, lifted
from tests.support.oracle import Call, as_found, assert_same, known_type, outcome
from tests.support.time_limit import at_most

STEP = 1e-6
READ_ONLY = "AG0370"  # the error for an array that the program may change, found before it runs
SECONDS = 60  # a program takes a fraction of one
_numbers = itertools.count()


def arguments(function: Callable) -> list[tuple]:
    """Those a program is called with: they make it take different paths.

    Args:
        function: has three parameters, or three more for containers.
    """
    given = [
        (np.array([0.31, -1.27, 0.74]), 2, 0.83),
        (np.array([-0.42, 0.18, 1.91]), 3, -1.37),
        (np.array([1.13, 0.57, -0.29]), -1, 0.21),
        (np.array([0.05, 0.64, -1.7]), 0, 1.46),
    ]
    if function.__code__.co_argcount == 3:
        return given
    return [
        (x, a, f, [f * 0.5, 0.25], {"u": 0.5, "v": x * 2.0, "w": 0}, Particle(f, np.sin(x)))
        for x, a, f in given
    ]


def load(text: str) -> dict[str, Any]:
    """The globals of the module with this text; its functions have source to read."""
    name = f"<random program {next(_numbers)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"__name__": "random_program"}
    exec(compile(text, name, "exec"), namespace)
    return namespace


def compare(text: str) -> Counter:
    """Compare a program with its compiled form for all `arguments`.

    Returns:
        How many calls and gradients were the "same"; and for what was refused, the ids of errors.

    Raises:
        AssertionError: they differ.
    """
    namespace = load(text)
    program, loss, name = namespace["program"], namespace["loss"], namespace["CONTEXT"]
    given = arguments(program)
    moved, moved_loss = (in_context(Call(f, given[0], smooth=True), name) for f in (program, loss))
    try:
        compiled = ag.to_graph(moved.function)
    except UnsupportedConstructError as error:
        return Counter({error.id: 1})
    gradient = ag.value_and_grad(moved_loss.function, argnums=2)
    exact = "single precision" not in namespace["FEATURES"]
    ends: Counter = Counter()
    silent = contextlib.redirect_stdout(io.StringIO())
    with warnings.catch_warnings(), silent, at_most(SECONDS):
        warnings.simplefilter("ignore")
        for own in given:
            args = (*own, *moved.args[len(own) :])
            expected = outcome(moved.function, args, moved.arrange)
            refusal = refused(lambda: compiled.graph(*moved.arrange(args)), expected.error)
            ends[refusal or "same"] += 1
            if refusal is not None:
                continue
            found = outcome(compiled, args, moved.arrange)
            if getattr(found.error, "id", "") == READ_ONLY:
                ends["read-only"] += 1
                continue
            compare_outcomes(found, expected)
            if expected.error is None and moved_loss.smooth and exact:
                slope = compare_slopes(moved_loss.function, gradient, args)
                ends[f"gradient {slope}"] += 1
    return ends


def in_context(call: Call, name: str) -> Call:
    """The call in the context of that name, or as it is if there is none or it does not apply."""
    return next((lifted(call, c) for c in CONTEXTS if c.name == name), None) or call


def refused(record: Callable[[], Any], expected: Exception | None) -> str | None:
    """The id of the error with which recording is refused.

    Args:
        expected: what Python raises; that is no refusal. What recording finds out to be that error
            is "error": it does not run the program up to there.
    """
    try:
        record()
    except VerificationError:
        raise
    except AutographError as error:
        if expected is None or not isinstance(error, known_type(expected)):
            return error.id
        return "error"
    except Exception as error:
        if expected is None or not isinstance(error, known_type(expected)):
            raise
    return None


def compare_outcomes(found: Any, expected: Any) -> None:
    """The same error; or the same result and arguments, numbers promoted; and the same output."""
    if expected.error is not None:
        assert isinstance(found.error, known_type(expected.error)), (found.error, expected.error)
        if str(expected.error).startswith("at "):  # a message of the program's own
            assert_same_output(str(found.error), str(expected.error))
    elif found.error is not None:
        raise found.error
    else:
        assert_same(found.result, as_found(expected.result, found.result), "result")
        assert_same(found.args, as_found(expected.args, found.args), "arguments")
    assert_same_output(found.printed, expected.printed)


def assert_same_output(found: str, expected: str) -> None:
    """The same words in the same order; numbers to rounding, as ints may have become floats."""
    words, others = (text.replace("[", " ").replace("]", " ").split() for text in (found, expected))
    assert len(words) == len(others), f"printed: {found!r} is not {expected!r}"
    for word, other in zip(words, others):
        if word != other:
            a, b = as_number(word), as_number(other)
            assert abs(a - b) <= 1e-6 * (1.0 + abs(b)), f"printed: {found!r} is not {expected!r}"


def as_number(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        return float("nan")


def compare_slopes(loss: Callable, gradient: Callable, args: tuple) -> str:
    """Compare the value, and the gradient by the float with differences, where those of both sides
    agree.

    Returns:
        "same", "kink" where those differ, or the id of the error with which it is refused.
    """

    def value(step: float) -> float:
        x, a, f, *containers = copy.deepcopy(args)
        return float(loss(x, a, f + step, *containers))

    try:
        left, middle, right = value(-STEP), value(0.0), value(STEP)
    except Exception:
        return "kink"  # it fails only nearby
    slopes = (middle - left) / STEP, (right - middle) / STEP
    expected = (right - left) / (2 * STEP)
    tolerance = 1e-3 * max(1.0, abs(expected))
    if not abs(slopes[0] - slopes[1]) <= tolerance:
        return "kink"
    try:
        result, found = gradient(*copy.deepcopy(args))
    except VerificationError:
        raise
    except AutographError as error:
        return error.id
    np.testing.assert_allclose(result, middle, rtol=1e-9, atol=1e-9, err_msg="value")
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance, err_msg="gradient")
    return "same"
