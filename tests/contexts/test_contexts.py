"""Programs of the other tests in other places, and with other arguments, do what Python does.

Every program is taken into two contexts, so that every context meets every file: some contexts are
met in `make test`, more in `make slow`, which also takes calls into two contexts at once, others
each day. `make exhaustive` takes all calls into all contexts, and into all pairs of a place with
another layout or a transform.
"""

import datetime
import os
import random
import time
import warnings
from collections import Counter
from zlib import crc32

import pytest

from tests.contexts.endings import (
    CALLS,
    NAMES,
    TRANSFORMS,
    differences_in_pairs,
    ending,
    list_them,
    listed,
)
from tests.support.contexts import LAYOUTS, PLACES
from tests.support.time_limit import TooLongError

FINE = ("same", "kink")
MOST_NOT_LISTED = 3  # in one test of the suite: a change elsewhere may have refused a program
SECONDS = 130  # for each of the slow tests
ARGUMENTS = (*map(str, LAYOUTS), *TRANSFORMS)


def compare(programs, *contexts):
    """Compare calls with Python in contexts.

    Returns:
        The endings by program, and the differences as text.
    """
    ends, differences = {}, []
    known = [listed(context) for context in contexts]
    in_pairs = differences_in_pairs()
    for program in programs:
        listed_ends = [of_one.get(program, "") for of_one in known]
        listed_ends.append(in_pairs.get((program, *contexts), ""))
        differs = [end for end in listed_ends if end.startswith("differs")]
        if differs:
            ends[program] = differs[0]
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                end = ending(CALLS[program], *contexts)
        except (Exception, TooLongError) as error:
            text = f"{type(error).__name__}: {error}"[:400]
            differences.append(f"{program} {' '.join(contexts)}: {text}")
        else:
            if end is not None:
                ends[program] = end
    return ends, differences


def summary(ends):
    counts = Counter(end.partition(":")[0] for end in ends)
    return ", ".join(f"{end} {count}" for end, count in counts.most_common())


def first_calls():
    """One call of each function."""
    return list({call.function: program for program, call in reversed(CALLS.items())}.values())


@pytest.mark.costly
@pytest.mark.parametrize("context", NAMES)
def test_context(context, record_property):
    number, half = NAMES.index(context), len(NAMES) // 2
    places = {program: crc32(program.encode()) for program in first_calls()}
    programs = [p for p, n in places.items() if number in {n % len(NAMES), (n + half) % len(NAMES)}]
    ends, differences = compare(programs, context)
    record_property("endings", f"{context}: {summary(ends.values())}")
    assert not differences, "\n".join(differences)
    new = not_listed(context, ends)
    assert len(new) <= MOST_NOT_LISTED, f"not in listed/{context}.txt: {new}"
    assert "same" in ends.values()


def not_listed(context, ends):
    """What is neither the same nor listed. What has become the same is found out by an update."""
    known = listed(context)
    return {p: end for p, end in ends.items() if end not in FINE and end != known.get(p)}


@pytest.mark.slow
@pytest.mark.parametrize("part", [0, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_two_contexts(part, record_property):
    """Another choice each day; ``CONTEXTS_SEED`` takes one again."""
    seed = int(os.environ.get("CONTEXTS_SEED", datetime.date.today().toordinal()))
    choose = random.Random(2 * seed + part)
    ends, found = Counter(), []
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        contexts = str(choose.choice(PLACES)), choose.choice(NAMES)
        endings, differences = compare([choose.choice(list(CALLS))], *contexts)
        ends.update(endings.values())
        found += differences
    record_property(
        "endings", f"two contexts, seed {seed}, part {part}: {summary(ends.elements())}"
    )
    assert not found, "\n".join([f"seed {seed}", *found])


@pytest.mark.exhaustive
@pytest.mark.parametrize("context", NAMES)
def test_all_programs(context, record_property):
    """With ``UPDATE_ENDINGS``, the list of the context is written."""
    ends, differences = compare(CALLS, context)
    record_property("endings", f"{context}: {summary(ends.values())}")
    if os.environ.get("UPDATE_ENDINGS"):
        list_them(context, {program: end for program, end in ends.items() if end not in FINE})
    assert not differences, "\n".join(differences)
    assert not not_listed(context, ends)


@pytest.mark.exhaustive
@pytest.mark.parametrize("second", ARGUMENTS)
@pytest.mark.parametrize("place", [str(place) for place in PLACES])
def test_all_programs_in_two_contexts(place, second, record_property):
    ends, differences = compare(CALLS, place, second)
    record_property("endings", f"{place} {second}: {summary(ends.values())}")
    assert not differences, "\n".join(differences)
