"""Random programs that change arrays under several names do what Python does, to the arguments as
well, or are refused; so do their gradients."""

import copy
import warnings
from collections import Counter
from random import Random

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError
from tests.fuzz.comparison import compare_outcomes, load
from tests.fuzz.view_programs import Writer, arguments
from tests.support.oracle import outcome

STEP = 1e-5


@pytest.mark.costly
@pytest.mark.parametrize("size", [2, pytest.param(5, marks=pytest.mark.slow)])
def test_random_programs(size):
    ends = compare_programs(range(14), size)
    assert ends["same"] > 18, ends
    assert ends["gradient same"] > 18, ends


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_more_random_programs(part):
    seeds = range(1000 + part * 100, 1100 + part * 100)
    ends = compare_programs(seeds, 4 + part % 4)
    assert ends["same"] > 80, ends


def compare_programs(seeds, size):
    """How many calls and gradients were the same, had a kink, or were refused with which error."""
    ends = Counter()
    for seed in seeds:
        text = Writer(Random(seed)).program(size)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ends.update(compare(text))
        except Exception as error:
            raise AssertionError(f"seed {seed}, size {size}: {error!r}\n\n{text}") from error
    return ends


def compare(text):
    namespace = load(text)
    program, loss = namespace["program"], namespace["loss"]
    compiled, gradient = ag.to_graph(program), ag.value_and_grad(loss, argnums=3)
    ends = Counter()
    for args in arguments():
        expected, found = outcome(program, args), outcome(compiled, args)
        refused = expected.error is None and isinstance(found.error, AutographError)
        ends[found.error.id if refused else "same"] += 1
        if not refused:
            compare_outcomes(found, expected)
        ends["gradient " + compare_slopes(loss, gradient, args)] += 1
    return ends


def compare_slopes(loss, gradient, args):
    """Compare the gradient by the float with differences, which are exact unless the step changes
    which way the program goes."""

    def value(step):
        s, t, w, g, n = copy.deepcopy(args)
        return float(loss(s, t, w, g + step, n))

    left, middle, right = map(value, (-STEP, 0.0, STEP))
    if not abs(left + right - 2 * middle) <= 1e-7 * (1.0 + abs(middle)):
        return "kink"
    try:
        result, slope = gradient(*copy.deepcopy(args))
    except AutographError as error:
        return error.id
    np.testing.assert_allclose(result, middle, rtol=1e-9, atol=1e-9, err_msg="value")
    expected = (right - left) / (2 * STEP)
    np.testing.assert_allclose(slope, expected, rtol=1e-4, atol=1e-4, err_msg="gradient")
    return "same"
