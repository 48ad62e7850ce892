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
import optree
from comparison import arguments, at_most, load
from oracle import known_type, outcome
from vocabulary import Particle

import autograph as ag
from autograph.errors import AutographError, VerificationError

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
        ends[compare_outcomes(ag.vmap(once), lanes, expected)] += 1
        fine = [i for i, e in enumerate(expected) if e.error is None]
        if not fine or ("same" not in ends and "error" not in ends):
            return ends
        lanes = [lanes[i] for i in fine]
        if len(fine) < len(expected):
            ends[compare_outcomes(ag.vmap(once), lanes, [expected[i] for i in fine])] += 1
        for name, transform in DERIVATIVES.items() if derivatives else ():
            ends[f"{name} {compare_derivative(namespace['loss'], transform, lanes)}"] += 1
    return ends


def compare_outcomes(batched: Callable, lanes: list[tuple], expected: list[Any]) -> str:
    """Compare a batched function with what Python does for each lane.

    Returns:
        "same", "error" if it raises as a lane does, or with which kind of error it is refused.
    """
    found = outcome(batched, stacked(lanes))
    errors = [e.error for e in expected if e.error is not None]
    if is_refusal(found.error, errors):
        return "refused: " + first_words(found.error)
    if errors:
        kinds = tuple({known_type(error) for error in errors})
        assert isinstance(found.error, kinds), (found.error, errors)
        return "error"
    if found.error is not None:
        raise found.error
    compare_stacked(found.result, [e.result for e in expected])
    printed = [words(e.printed) for e in expected]
    assert sum(printed, Counter()) == words(found.printed), (found.printed, printed)
    return "same"


def stacked(lanes: list[tuple]) -> tuple:
    return tuple(np.stack(column) for column in zip(*lanes))


def is_refusal(error: Exception | None, expected: list[Exception]) -> bool:
    if isinstance(error, VerificationError) or not isinstance(error, AutographError):
        return False
    return not any(isinstance(error, known_type(e)) for e in expected)


def first_words(error: Exception) -> str:
    return f"{type(error).__name__} {getattr(error, 'message', '')[:90]}"


# -- values ----------------------------------------------------------------------------------------


def compare_stacked(found: Any, lanes: list[Any]) -> None:
    """What was found has in each lane what Python gives there."""
    leaves, spec = optree.tree_flatten(as_tree(found), none_is_leaf=True)
    for number, lane in enumerate(lanes):
        expected, spec_expected = optree.tree_flatten(as_tree(lane), none_is_leaf=True)
        assert spec == spec_expected, (found, lane)
        for stacked, one in zip(leaves, expected):
            if one is None or isinstance(one, str):
                assert stacked == one
                continue
            one = np.asarray(one)
            assert isinstance(stacked, np.ndarray), (stacked, one)
            assert stacked.shape == (len(lanes), *one.shape), (stacked, one)
            assert np.result_type(stacked, one) == stacked.dtype, (stacked, one)
            np.testing.assert_allclose(stacked[number], one, rtol=1e-10, atol=1e-12)


def as_tree(value: Any) -> Any:
    if isinstance(value, Particle):
        return {name: as_tree(item) for name, item in vars(value).items()}
    if isinstance(value, (tuple, list)):
        return type(value)(map(as_tree, value))
    if isinstance(value, dict):
        return {name: as_tree(item) for name, item in value.items()}
    return value


def words(printed: str) -> Counter:
    """How often each word was printed, numbers rounded."""
    found: Counter = Counter()
    for word in printed.replace("[", " ").replace("]", " ").split():
        with contextlib.suppress(ValueError):
            word = f"{float(word) + 0.0:.4f}"
        found[word] += 1
    return found


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
