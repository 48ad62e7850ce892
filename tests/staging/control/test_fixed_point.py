"""What is recorded again and again until it settles."""

import pytest

from autograph.staging.control.fixed_point import FixedPoint


class Ladder(FixedPoint):
    """One that has to be widened some times."""

    def __init__(self, steps):
        super().__init__(0)
        self.steps = steps
        self.passes = 0

    def record(self):
        self.passes += 1
        self.steps -= 1
        return self.steps < 0


@pytest.mark.parametrize("steps", [0, 1, 5])
def test_until_nothing_is_widened(steps):
    ladder, discarded = Ladder(steps), []
    assert ladder.settles(lambda: discarded.append(ladder.passes))
    assert ladder.passes == steps + 1
    assert discarded == list(range(1, steps + 1))  # every pass but the last


def test_it_gives_up():
    ladder = Ladder(FixedPoint.most_passes)
    assert not ladder.settles()
    assert ladder.passes == FixedPoint.most_passes
