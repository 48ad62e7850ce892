"""Random programs handle what fails when they run as Python does, or are refused."""

from collections import Counter
from random import Random

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError
from tests.fuzz.comparison import load
from tests.fuzz.handler_programs import Writer, arguments
from tests.support.oracle import known_type, outcome


def test_random_programs():
    ends = compare_programs(range(12))
    assert ends["same"] > 18, ends


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_more_random_programs(part):
    ends = compare_programs(range(1000 + part * 150, 1150 + part * 150))
    assert ends["same"] > 200, ends


def compare_programs(seeds):
    """How many calls were the same, raised the same, or were refused with which error."""
    ends = Counter()
    for seed in seeds:
        text = Writer(Random(seed)).program()
        program = load(text)["program"]
        compiled = ag.to_graph(program)
        for args in arguments():
            expected, found = outcome(program, args), outcome(compiled, args)
            is_pythons = expected.error and isinstance(found.error, type(expected.error))
            if isinstance(found.error, AutographError) and not is_pythons:
                assert found.error.id in ("AG0334", "AG0357"), text
                ends[found.error.id] += 1
                continue
            if expected.error is not None or found.error is not None:
                kinds = [known_type(one.error) for one in (expected, found) if one.error]
                assert len(kinds) == 2 and kinds[0] is kinds[1], (text, args, kinds)
                ends["error"] += 1
                continue
            np.testing.assert_allclose(found.result, expected.result, rtol=1e-9, err_msg=text)
            ends["same"] += 1
    return ends
