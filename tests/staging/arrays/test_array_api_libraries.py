"""Libraries that take arrays of any library which follows the Python array API standard, called in
compiled functions. Their code is not converted: what it does to arrays is recorded."""

import json
import pathlib

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import assert_same
from tests.support.processes import printed

X = np.array([1.0, 2.0, 4.0, 3.0])

PROGRAM = pathlib.Path(__file__).parents[2] / "support" / "scipy_array_api.py"

# The functions of that program that look at the elements, or run compiled code.
REFUSED = {
    "hmean": "AG0301",
    "chisquare": "AG0301",
    "convolve": "AG0302",
    "dct": "AG0305",
    "gaussian_filter": "AG0305",
    "mean_squared_error": "AG0303",
    "r2_score": "AG0303",
    "cosine_similarity": "AG0404",
}


@pytest.mark.slow
def test_scipy_and_scikit_learn():
    """Values and gradients, or an error that says where and why."""
    # Before, more functions look at elements.
    scipy = pytest.importorskip("scipy", minversion="1.16")
    # Later, functions of statistics look for NaN in all arrays but those of JAX.
    looks = tuple(map(int, scipy.__version__.split(".")[:2])) >= (1, 18)
    outcomes = json.loads(printed(PROGRAM).splitlines()[-1])
    assert len(outcomes) > 40
    for name, outcome in outcomes.items():
        looked = looks and "AG0301" in outcome and "by scipy.stats." in outcome
        if name in REFUSED or looked:
            refused = REFUSED.get(name, "AG0301")
            assert refused in outcome and PROGRAM.name in outcome and "Fix: " in outcome
        else:
            assert outcome == "same", name


# -- what is known while recording -----------------------------------------------------------------

OUTSIDE = np.asarray(0.5)

# A function that takes the truth of its argument, and is not converted.
truth = np.testing.assert_


def test_what_is_computed_of_constants_only_is_known():
    def function(x):
        xp = x.__array_namespace__()
        half = xp.asarray(0.5)
        truth(xp.any(half + xp.arange(3) > 2))
        return x + half

    assert_same(ag.to_graph(function)(X), function(X), "result")


def test_what_an_argument_or_an_array_from_outside_is_part_of_is_not_known():
    for function in (
        lambda x: truth(np.sum(x) > 0),
        lambda x: truth(OUTSIDE + np.zeros(()) > 0),
        lambda x: truth(np.asarray(1.0) * x[0] > 0),
    ):
        with pytest.raises(ag.errors.ConcreteValueError):
            ag.to_graph(function)(X)


def test_an_array_from_outside_without_dimensions_is_an_array():
    function = lambda x: (isinstance(OUTSIDE, np.ndarray), type(OUTSIDE), type(OUTSIDE + x))
    assert ag.to_graph(function)(1.0) == function(1.0)
