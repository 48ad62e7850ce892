"""Random programs for many lanes at once do what Python does for each lane, with derivatives."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.fuzz.batched import compare_lanes
from tests.fuzz.programs import FEATURES, Writer


@st.composite
def programs(draw, features):
    """Programs that use few of the features: what a lane returns can then be stacked."""
    chosen = [name for name in features if draw(st.integers(0, 2)) == 2]
    return Writer(draw, chosen, outside=False).text()


def compare_programs(count, features, first=None):
    """How the comparisons of ``count`` programs ended; ``first`` is the seed, if there is one."""
    ends = Counter()

    @settings(
        max_examples=count,
        deadline=None,
        derandomize=first is None,
        phases=[Phase.generate],
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(programs(features))
    def check(text):
        try:
            ends.update(compare_lanes(text))
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error}\n\n{text}") from error

    (check if first is None else seed(first)(check))()
    return ends


@pytest.mark.parametrize(
    "features",
    [
        (),
        pytest.param(("lists", "comprehensions", "closures"), marks=pytest.mark.slow),
        pytest.param(("prints", "protection", "matches"), marks=pytest.mark.slow),
    ],
    ids=" ".join,
)
def test_random_programs(features):
    ends = compare_programs(7, features)
    assert ends["same"] >= 4, ends
    assert ends["reverse same"] == ends["same"], ends


@pytest.mark.slow
@pytest.mark.parametrize(
    "first", [0, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in (1, 2))]
)
def test_more_random_programs(first):
    ends = compare_programs(150, tuple(FEATURES), first)
    assert ends["same"] >= 75, ends
