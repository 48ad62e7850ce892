"""How much is recorded: what counts, and what is refused."""

import pytest

from autograph.errors import Location, UnrollLimitError
from autograph.staging.ground.effort import Effort

LIMIT = 400  # of which each line may come to a fortieth for free: 10
HERE, THERE = Location("f.py", 3), Location("f.py", 8)


def spent(effort, location, count):
    for _ in range(count):
        effort.add(location)


def test_each_line_has_some_for_free():
    effort = Effort(LIMIT)
    for line in range(1000):
        effort.add(Location("f.py", line), 10)


def test_what_is_free_does_not_count():
    effort = Effort(LIMIT)
    spent(effort, HERE, 10 + LIMIT)
    with pytest.raises(UnrollLimitError):
        effort.add(HERE)


def test_columns_of_a_line_are_one_line():
    effort = Effort(LIMIT)
    effort.add(HERE._replace(column=2), 10 + LIMIT / 2)
    effort.add(HERE._replace(column=7), LIMIT / 2)
    with pytest.raises(UnrollLimitError):
        effort.add(HERE._replace(column=9))


def test_a_step_past_what_is_free_counts_in_part():
    effort = Effort(LIMIT)
    effort.add(HERE, 9)
    effort.add(HERE, LIMIT + 1)  # the first of these is free
    with pytest.raises(UnrollLimitError):
        effort.add(HERE)


def test_values_that_are_looked_at_count_less():
    effort = Effort(LIMIT)
    effort.look(16 * (10 + LIMIT), HERE)
    with pytest.raises(UnrollLimitError):
        effort.look(1, HERE)


def test_the_error_names_the_heaviest_line():
    effort = Effort(LIMIT)
    effort.add(THERE, 60)
    with pytest.raises(UnrollLimitError) as caught:
        effort.add(HERE, 400)
    error = caught.value
    assert (error.id, error.location) == ("AG0375", HERE)
    assert "more than 400 operations" in error.message
    assert "recording_limit" in error.fix
    assert "a loop around it" not in error.message


def test_without_a_place():
    effort = Effort(LIMIT)
    with pytest.raises(UnrollLimitError) as caught:
        effort.add(None, 1000)
    assert caught.value.location is None


def test_the_error_says_why_a_loop_runs_as_python():
    effort = Effort(LIMIT)
    with (
        effort.unrolled(ValueError("it has no items")),
        effort.unrolled(None),
        pytest.raises(UnrollLimitError, match="runs as Python, because:\n  it has no items"),
    ):
        effort.add(HERE, 1000)


def test_a_loop_through_a_container_says_so():
    effort = Effort(LIMIT)
    with (
        effort.unrolled(None),
        pytest.raises(UnrollLimitError, match="goes through Python's own containers"),
    ):
        effort.add(HERE, 1000)


def test_a_loop_that_has_ended_is_no_reason():
    effort = Effort(LIMIT)
    with pytest.raises(KeyError), effort.unrolled(ValueError("why")):
        raise KeyError
    with pytest.raises(UnrollLimitError) as caught:
        effort.add(HERE, 1000)
    assert "why" not in caught.value.message


def test_what_is_recorded_for_other_arguments_as_well_may_take_little_more():
    effort = Effort(LIMIT, before=20)
    spent(effort, HERE, 10 + LIMIT // 16 + 2 * 20)
    assert effort.total == LIMIT // 16 + 2 * 20
    with pytest.raises(UnrollLimitError, match="more than 65 operations"):
        effort.add(HERE)
    with pytest.raises(UnrollLimitError):
        spent(effort.anew(), HERE, 80)
    spent(Effort(LIMIT, before=LIMIT), HERE, 10 + LIMIT)


def test_loops_in_a_hurry_are_not_worth_much():
    effort = Effort(LIMIT)
    effort.hurry_loop()
    with pytest.raises(UnrollLimitError):
        effort.add(HERE, LIMIT / 8)
    assert effort.was_hurried
    patient = effort.in_no_hurry().anew()
    patient.hurry_loop()
    patient.add(HERE, LIMIT / 2)
    assert not patient.was_hurried
