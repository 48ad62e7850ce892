"""Runs random programs for many lanes at once, and compares them with Python, lane by lane.

No failures are: refusals with an error of ours; numbers of another type where paths with different
types meet, in one lane or in different ones; and the order in which lanes print.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

import autograph as ag
from autograph.errors import AutographError, VerificationError
from tests.fuzz.comparison import arguments, load
from tests.support.lane_outcomes import compare_outcomes, first_words
from tests.support.oracle import outcome
from tests.support.time_limit import at_most

SECONDS = 120


def compare_lanes(text: str, derivatives: bool = True) -> Counter:
    """Compare a program for all `arguments` at once with Python for each of them.

    Args:
        text: a module with ``program`` and ``loss``, functions of three arguments.
        derivatives: compare those of ``loss`` by the last argument as well.

    Returns:
        How many comparisons were the "same", and how many ended with which kind of refusal.

    Raises:
        AssertionError: they differ.
    """
    namespace = load(text)
    program = namespace["program"]
    lanes = [(x, np.int64(a), np.float64(f)) for x, a, f in arguments(program)]

    def once(x: Any, a: Any, f: Any) -> Any:
        return program(x.copy(), a, f)

    ends: Counter = Counter()
    silent = contextlib.redirect_stdout(io.StringIO())
    with warnings.catch_warnings(), silent, at_most(SECONDS):
        warnings.simplefilter("ignore")
        expected = [outcome(once, lane) for lane in lanes]
        ends[compare_outcomes(outcome(ag.vmap(once), stacked(lanes)), expected)] += 1
        fine = [i for i, e in enumerate(expected) if e.error is None]
        if not fine or ("same" not in ends and "error" not in ends):
            return ends
        lanes = [lanes[i] for i in fine]
        if len(fine) < len(expected):
            found = outcome(ag.vmap(once), stacked(lanes))
            ends[compare_outcomes(found, [expected[i] for i in fine])] += 1
        for name, transform in DERIVATIVES.items() if derivatives else ():
            ends[f"{name} {compare_derivative(namespace['loss'], transform, lanes)}"] += 1
    return ends


def stacked(lanes: list[tuple]) -> tuple:
    return tuple(np.stack(column) for column in zip(*lanes))


# -- derivatives -----------------------------------------------------------------------------------


def reverse(loss: Callable) -> Callable:
    return ag.grad(loss, argnums=2)


def forward(loss: Callable) -> Callable:
    def slope(x: Any, a: Any, f: Any) -> Any:
        return ag.jvp(lambda f: loss(x, a, f), (f,), (1.0,))[1]

    return slope


def second(loss: Callable) -> Callable:
    return ag.grad(ag.grad(loss, argnums=2), argnums=2)


DERIVATIVES = {"reverse": reverse, "forward": forward, "second": second}


def compare_derivative(loss: Callable, transform: Callable, lanes: list[tuple]) -> str:
    """Compare the derivative for all lanes with that of each, and with one taken around them.

    Returns:
        "same", or with which kind of error it is refused.
    """
    slope = transform(loss)
    args = stacked(lanes)
    try:
        expected = [slope(*lane) for lane in lanes]
    except AutographError as error:
        assert not isinstance(error, VerificationError), error
        return "not in a lane"

    def around(f: Any) -> Any:
        return np.sum(ag.vmap(loss)(args[0], args[1], f))

    try:
        found = ag.vmap(slope)(*args)
        outside = ag.grad(around)(args[2]) if transform is reverse else found
    except VerificationError:
        raise
    except AutographError as error:
        return first_words(error)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(outside, expected, rtol=1e-8, atol=1e-8)
    return "same"
