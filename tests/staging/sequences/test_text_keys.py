"""Dicts and sets of which only the run knows which texts are keys."""

from collections import Counter, defaultdict

import numpy as np
import pytest

from tests.support.oracle import check

XS = np.array([3, 1, 2, 3, 2, 5, 3])


def last_of_a_loop(xs):
    table = {}
    x = xs[0]
    while x > 0:
        table["last"] = x
        x = x - 1
    return table, len(table)


def counted_by_name(xs):
    table = {}
    if xs[0] > 2:
        table["a"] = 1
    return len(table), table


def passed_on(xs):
    def made():
        table = {}
        if xs[0] > 2:
            table["a"] = 1
        return table

    return made()


def a_member_by_name(xs):
    members = set()
    if xs[0] > 2:
        members.add("a")
    return "a" in members, "b" in members


def by_size(xs):
    counts = {"low": 0, "mid": 0, "high": 0}
    for x in xs:
        kind = "low" if x < 2 else "mid" if x < 5 else "high"
        counts[kind] += 1
    most = max(counts, key=counts.get)
    return counts, counts["low"], most, sorted(counts), counts.get("none"), "mid" in counts


def by_parity(xs):
    groups = {}
    for x in xs:
        groups.setdefault("even" if x % 2 == 0 else "odd", []).append(int(x))
    return groups


def known_groups(xs):
    groups = {"even": [], "odd": []}
    for x in xs:
        groups["even" if x % 2 == 0 else "odd"].append(int(x))
    return groups


def of_pairs(xs):
    found = {}
    for x in xs:
        key = ("odd" if x % 2 else "even", int(x) // 3)
        found[key] = found.get(key, 0) + int(x)
    return found, ("odd", 1) in found, found.get(("even", 0), -1)


def counters(xs):
    counts, more = Counter(), defaultdict(int)
    for x in xs:
        counts["even" if x % 2 == 0 else "odd"] += 1
        more["big" if x > 2 else "small"] += int(x)
    return counts, counts.most_common(), counts["none"], dict(more)


def states(xs):
    state, seen = "idle", {}
    for i, x in enumerate(xs):
        seen[state] = i
        state = "run" if x > 2 else "stop" if x > 1 else "idle"
    return seen, state


def removed(xs):
    table, names = {"a": 1, "b": 2}, {"a", "b"}
    name = "a" if xs[0] > 2 else "b"
    names.discard(name)
    return table.pop(name), table, names


def of_other_types(xs):
    """What stands for each name stays of its type."""
    table = {"count": 0, "share": 0.0}
    for x in xs:
        if x > 2:
            table["count"] = table["count"] + 1
            table["last"] = x * 0.5
    return table


PROGRAMS = [
    *(last_of_a_loop, counted_by_name, passed_on, a_member_by_name, by_size, by_parity),
    *(known_groups, of_pairs, counters, states, removed, of_other_types),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_python(program):
    for xs in (XS, np.array([4, 0]), np.array([1])):
        check(program, xs)


def test_a_missing_text():
    def f(xs):
        return {"a": 0, "c": 1}["a" if xs[0] > 2 else "b"]

    check(f, XS)
    check(f, XS - 5)


def test_a_dict_of_options_stays_one():
    """Its keys are known, and stand for anything, beside a dict whose keys only the run knows."""

    def f(xs):
        options = {"name": "mean", "scale": 2.0, "bounds": [1, 3]}
        counts = {}
        for x in xs:
            counts[int(x)] = counts.get(int(x), 0) + 1
        return counts, options["name"], options["scale"] * len(counts), options

    check(f, XS)
