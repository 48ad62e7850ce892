"""What a batched function did, compared with what Python does in each lane.

No failures are: refusals with an error of ours; numbers of another type where paths with different
types meet, in one lane or in different ones; and the order in which lanes print.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from typing import Any

import numpy as np
import optree

from autograph.errors import AutographError, VerificationError
from tests.support.oracle import Outcome, is_record, known_type


def compare_outcomes(found: Outcome, expected: list[Outcome]) -> str:
    """Compare what a batched function did with what Python does for each lane.

    Returns:
        "same", "error" if it raises as a lane does, or with which kind of error it is refused.
    """
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


def is_refusal(error: Exception | None, expected: list[Exception]) -> bool:
    if isinstance(error, VerificationError) or not isinstance(error, AutographError):
        return False
    return not any(isinstance(error, known_type(e)) for e in expected)


def first_words(error: Exception) -> str:
    return f"{type(error).__name__} {getattr(error, 'message', '')[:90]}"


def compare_stacked(found: Any, lanes: list[Any]) -> None:
    """What was found has in each lane what Python gives there."""
    leaves, spec = optree.tree_flatten(as_tree(found), none_is_leaf=True)
    for number, lane in enumerate(lanes):
        expected, spec_expected = optree.tree_flatten(as_tree(lane), none_is_leaf=True)
        assert spec == spec_expected, (found, lane)
        for stacked, one in zip(leaves, expected):
            if np.asarray(one).dtype.kind not in "biufc":
                assert stacked == one
                continue
            assert isinstance(stacked, np.ndarray), (stacked, one)
            assert stacked.shape == (len(lanes), *np.shape(one)), (stacked, one)
            assert np.result_type(stacked, one) == stacked.dtype, (stacked, one)
            np.testing.assert_allclose(stacked[number], one, rtol=1e-10, atol=1e-12)


def as_tree(value: Any) -> Any:
    """Objects as dicts of their attributes."""
    if isinstance(value, (tuple, list)):
        items = [as_tree(item) for item in value]
        return items if isinstance(value, list) else tuple(items)
    if isinstance(value, dict):
        return {name: as_tree(item) for name, item in value.items()}
    if is_record(value):
        return {name: as_tree(item) for name, item in vars(value).items()}
    return value


def words(printed: str) -> Counter:
    """How often each word was printed, numbers rounded."""
    found: Counter = Counter()
    for word in printed.replace("[", " ").replace("]", " ").split():
        with contextlib.suppress(ValueError):
            word = f"{float(word) + 0.0:.4f}"
        found[word] += 1
    return found
