"""How a program ends in a context, next to Python; and the lists of those that do not end the same.

``listed/CONTEXT.txt`` has a line ``program ending`` for each program that is refused in a context,
or gives there what the documents allow to differ. Everything else is the same as in Python, but for
lines that say ``differs`` and why: those are to be mended. ``UPDATE_ENDINGS=1 make exhaustive``
writes the lists, without adding such lines. Of pairs of contexts only what differs is listed.
"""

from __future__ import annotations

import copy
from pathlib import Path

import autograph as ag
from autograph.errors import AutographError, VerificationError
from tests.contexts.programs_of_all import all_calls
from tests.support.contexts import CONTEXTS, lifted
from tests.support.lane_outcomes import is_refusal
from tests.support.oracle import Call, Outcome, as_found, assert_same_outcome, check_grad, outcome
from tests.support.time_limit import at_most
from tests.support.transformed import compare_lanes, compare_slopes

LISTS = Path(__file__).with_name("listed")
CALLS = all_calls()
TRANSFORMS = ("under_vmap", "under_grad_and_jvp")
NAMES = (*map(str, CONTEXTS), *TRANSFORMS)
BY_NAME = {context.name: context for context in CONTEXTS}

SECONDS = 60  # that a program may take in a context


def listed(context: str) -> dict[str, str]:
    """The listed endings in a context, by program."""
    file = LISTS / f"{context}.txt"
    return dict(line.split(maxsplit=1) for line in file.read_text().splitlines())


def differences_in_pairs() -> dict[tuple[str, ...], str]:
    """What ``listed/in_two_contexts.txt`` says of a program and the names of two contexts, in which
    it differs from Python though it does not in one of them."""
    lines = (LISTS / "in_two_contexts.txt").read_text().splitlines()
    return {tuple(words): end for *words, end in (line.split(maxsplit=3) for line in lines)}


def list_them(context: str, endings: dict[str, str]) -> None:
    lines = (f"{program} {end}\n" for program, end in sorted(endings.items()))
    (LISTS / f"{context}.txt").write_text("".join(lines))


def ending(call: Call, *names: str) -> str | None:
    """How a call ends when it is lifted into one context after the other.

    Returns:
        "same" as in Python; "promoted" if only types of numbers differ; "new
        array" if a result that is one of the arguments in Python is none here; the id of the error
        with which it is refused; None if a context does not apply.

    Raises:
        AssertionError: it is something else than in Python.
    """
    places = [BY_NAME[name] for name in names if name not in TRANSFORMS]
    moved = lifted(call, *places)
    if moved is None:
        return None
    try:
        with at_most(SECONDS):
            if names[-1] == "under_vmap":
                others = (c for c in CALLS.values() if c.function is call.function)
                return compare_lanes(moved, [c for o in others if (c := lifted(o, *places))])
            if names[-1] == "under_grad_and_jvp":
                return compare_slopes(moved)
            return compare(moved)
    except VerificationError:
        raise
    except AutographError as error:
        assert error.id, error
        return error.id


def compare(call: Call) -> str:
    """Compare a call and its gradient with Python, twice. Returns its ending."""
    expected = outcome(call.function, call.args, call.arrange)
    compiled = ag.to_graph(call.function)
    end = "same"
    for _ in range(2):  # the second call comes from the cache
        found = outcome(compiled, call.args, call.arrange)
        if is_refusal(found.error, [expected.error] if expected.error else []):
            raise found.error
        end = compare_outcomes(found, expected)
    if call.smooth:
        check_grad(call.function, *call.args, order=1)
    return end


def compare_outcomes(found: Outcome, expected: Outcome) -> str:
    """ "same", or what alone differs."""
    try:
        assert_same_outcome(found, expected)
        return "same"
    except AssertionError as difference:
        if found.error is not None or expected.error is not None:
            raise
        same_values = copy.copy(expected)
        given = (expected.result, expected.args)
        same_values.result, same_values.args = as_found(given, (found.result, found.args))
        try:
            assert_same_outcome(found, same_values, identities=False)
        except AssertionError:
            raise difference from None
        return "new array" if str(difference).startswith("arrays shared") else "promoted"
