"""Random programs, compiled: they do what Python does, or are refused with an error of ours.

`make fuzz` compares thousands more.
"""

import pytest

from tests.fuzz.programs import FEATURES
from tests.fuzz.run import PART, compare_programs, report

MOST_REFUSED = 0.4


@pytest.mark.costly
@pytest.mark.parametrize(
    "features",
    [
        (),
        pytest.param(("lists", "comprehensions"), marks=pytest.mark.slow),
        pytest.param(("dicts", "objects", "closures"), marks=pytest.mark.slow),
        pytest.param(("prints", "protection", "matches"), marks=pytest.mark.slow),
        tuple(FEATURES),
    ],
    ids=lambda features: "all" if len(features) == len(FEATURES) else " ".join(features),
)
def test_random_programs(features):
    ends = compare_programs(25, features)
    calls = sum(count for kind, count in ends.items() if not kind.startswith("gradient"))
    assert calls - ends["same"] <= MOST_REFUSED * calls, ends


@pytest.mark.slow
@pytest.mark.parametrize("part", range(2))
def test_more_random_programs(part):
    _, difference = report(part)
    assert not difference, f"of {PART} programs:\n{difference}"
