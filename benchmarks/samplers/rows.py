"""The rows: posteriors of `samples.posteriors`. A result is the mean of a statistic, the standard
error of that, and how many independent draws would have such an error."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.beside.suite import Row
from samples.nuts import mean_and_error
from samples.posteriors import POSTERIORS

DRAWS, ADAPTING = 1000, 500
NAMES = ("scales", "correlated", "eight schools", "logistic regression", "linear regression")


def worth(name: str, draws: np.ndarray) -> tuple[float, float, float]:
    """The result of a row."""
    values = POSTERIORS[name].statistic(np.asarray(draws))
    mean, error = mean_and_error(values)
    return mean, error, float(np.var(values) / error**2)


def agree(results: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> bool:
    """Whether the means of two chains agree, to five standard errors."""
    (mean, error, _), (other, other_error, _) = results, expected
    return bool(abs(mean - other) <= 5.0 * np.hypot(error, other_error))


def independent(results: Sequence[np.ndarray]) -> str:
    """What a chain is worth, in words."""
    return f"the chain that was compared is worth {float(results[2]):.0f} independent draws"


ROWS = {
    name: Row(
        name,
        f"{name}, {DRAWS} draws after {ADAPTING}",
        lambda name=name: (name,),
        agree,
        independent,
    )
    for name in NAMES
}
