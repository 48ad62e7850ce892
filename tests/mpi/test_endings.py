"""Processes that differ, raise, leave, die or stop: all end, with one error that names both."""

import re

import pytest

from tests.mpi.launch import PROGRAMS, launch

PATH = PROGRAMS / "endings.py"
LINES = PATH.read_text().splitlines()
SECONDS = 5.0

# Its id, what it says of the others, of rank 1, and the line of rank 1 that is named.
WAIT = "psum of float64[3]"
ALL = "the line of the others"
LAST = "the last line of all"
ENDINGS = {
    "operator": ("AG0660", WAIT, "rank 1: all_gather of float64[3]", 'Call("all_gather"'),
    "line": ("AG0660", WAIT, f"rank 1: {WAIT}", "another line"),
    "shape": ("AG0661", WAIT, "rank 1: psum of float64[4]", ALL),
    "dtype": ("AG0661", WAIT, "rank 1: psum of float32[3]", ALL),
    "many": ("AG0661", f"{WAIT} and float64[3]", f"rank 1: {WAIT} and float64[4]", ALL),
    "exit": ("AG0662", WAIT, "rank 1: sys.exit(3)", "sys.exit(3)  #"),
    "exit in finally": ("AG0662", WAIT, "rank 1: came to the end of its program, after psum", LAST),
    "end": ("AG0662", WAIT, "rank 1: came to the end of its program, after psum", LAST),
    "_exit": ("AG0663", WAIT, f"rank 1: died after {WAIT}", LAST),
    "kill": ("AG0663", WAIT, f"rank 1: died after {WAIT}", LAST),
}


def number(text):
    """The number of the line with a text."""
    (found,) = [i for i, line in enumerate(LINES, 1) if text in line]
    return found


def errors_of(outcome):
    """The last lines of tracebacks, and that it is shown once."""
    return re.findall(r"^(?:\w+\.)*\w*(?:Error|Interrupt)(?:: .*)?$", outcome.errors, re.MULTILINE)


FEW_OR_MANY = [("operator", 4), ("kill", 4), ("exit", 2), ("kill", 2)]


@pytest.mark.parametrize("case, count", [*((case, 3) for case in ENDINGS), *FEW_OR_MANY])
def test_all_end_with_one_error_that_names_both_lines(case, count):
    id, others, one, line = ENDINGS[case]
    outcome = launch(count, PATH.name, case)
    assert outcome.since("ends") < SECONDS
    assert outcome.code != 0
    (error,) = errors_of(outcome)
    assert error.startswith(f"autograph.errors.CollectiveError: [{id}]")
    assert f"{others}, at {PATH}:{number(ALL)}\n" in outcome.errors
    assert f"{one}, at {PATH}:{number(line)}\n" in outcome.errors
    assert one in outcome.errors
    assert outcome.errors.count("Traceback") == 1
    assert outcome.errors.count("Fix:") == 1


RAISED = {
    "raise": "ValueError: only here",
    "all raise": "ValueError: everywhere",
    "interrupt": "KeyboardInterrupt",
    "thread": "KeyError: 'in a thread'",
}


@pytest.mark.parametrize("case, count", [*((case, 3) for case in RAISED), ("all raise", 4)])
def test_an_exception_ends_all_and_is_shown_once(case, count):
    outcome = launch(count, PATH.name, case)
    assert outcome.since("ends") < SECONDS
    assert outcome.code != 0
    assert errors_of(outcome) == [RAISED[case]]
    assert outcome.errors.count("Traceback") == 1


@pytest.mark.parametrize("case, says", [
    ("stop", f"rank 1 does not answer, after {WAIT}"),
    ("late", "rank 1 runs one"),
])  # fmt: skip
def test_one_that_does_not_come_is_waited_for_so_many_seconds(case, says):
    outcome = launch(3, PATH.name, case, AUTOGRAPH_COLLECTIVE_TIMEOUT="3")
    assert 3.0 < outcome.since("ends") < 3.0 + SECONDS
    assert outcome.code != 0
    (error,) = errors_of(outcome)
    assert error.endswith("[AG0664] 'psum' has waited for rank 1 for 3 seconds")
    line = number("time.sleep(60)  # the line of rank 1" if case == "late" else LAST)
    assert f"{says}, at {PATH}:{line}\n" in outcome.errors


def test_other_methods_of_one_name_are_different_collectives():
    outcome = launch(2, PATH.name, "method")
    assert outcome.since("ends") < SECONDS
    assert outcome.code != 0
    assert len(errors_of(outcome)) == 1


def test_one_that_leaves_before_mpi_starts():
    outcome = launch(3, PATH.name, "before", AUTOGRAPH_COLLECTIVE_TIMEOUT="3")
    assert outcome.since("ends") < 10.0 + SECONDS  # where the launcher does not find out before
    assert outcome.code != 0


def test_after_an_error_that_is_caught_no_collective_runs():
    outcome = launch(2, PATH.name, "caught")
    assert outcome.since("ends") < SECONDS
    assert "[AG0666] 'barrier' cannot run" in outcome.errors
    assert "[AG0666]" in errors_of(outcome)[-1]


def test_others_go_on_that_do_not_need_who_has_left():
    outcome = launch(3, PATH.name, "split")
    (error,) = errors_of(outcome)
    assert "[AG0662]" in error  # the last sum of all
    assert outcome.since("leaves") > 1.0  # 50 sums between ranks 0 and 2, and pauses


@pytest.mark.parametrize("case, code", [("slow end", 0), ("same exit", 4)])
def test_all_that_end_at_the_same_place_are_left_alone(case, code):
    outcome = launch(3, PATH.name, case)
    assert outcome.code == code
    assert "Traceback" not in outcome.errors
    assert "autograph" not in outcome.errors
