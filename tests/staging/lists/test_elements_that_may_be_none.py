"""Elements of lists, and what dicts hold, that are None where the run says so."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import UnsupportedFunctionError
from tests.support.oracle import check, check_grad

SAMPLES = [
    np.array([0.5, -1.0, 2.0, 3.0, -0.2]),
    np.array([-0.5, -1.0]),
    np.array([1.5, 2.0, 3.0]),
]


def found(x):
    items = []
    for v in x:
        if v > -0.9:
            items.append(float(v) if v > 0 else None)
    return items


def returned(x):
    return found(x), found(x)[1:], found(x)[::-1], [v for v in found(x) if v is not None]


def added_up(x):
    total, last = 0.0, None
    for v in found(x):
        if v is not None:
            total += v if last is None else v * last
        last = v
    return total


def searched(x):
    items = found(x)
    value = 2.0 if x[0] > 0.7 else None
    place = items.index(None) if None in items else -1
    return items.count(None), value in items, items.count(value), place


def compared(x):
    items = found(x)
    numbers = [float(v) for v in x if v > -0.9]
    return items == found(x[::-1]), items == numbers, numbers == items, items == [None, 2.0]


def of_tuples(x):
    items = []
    for k, v in enumerate(x):
        if v > -0.9:
            items.append((k, float(v) if v > 0 else None))
    return items, (1, None) in items, sorted(items, key=lambda item: -item[0])


def tuples_or_none(x):
    items = []
    for k, v in enumerate(x):
        if v > -0.9:
            items.append((float(v), k) if v > 1 else None)
    return [item[1] for item in items if item is not None], str(items)


def of_several_types(x):
    items = []
    for v in x:
        if v > -0.9:
            items.append((1 if v > 1 else 2.5) if v > 0 else None)
    return items, [v is None for v in items]


def of_texts(x):
    items = []
    for v in x:
        if v > -0.9:
            items.append("a" if v > 1 else ("b" if v > 0 else None))
    return items, "a" in items, items.count(None)


def changed(x):
    items = found(x)
    items[0] = None
    items.append(1.0)
    items.insert(1, None)
    items.extend(found(x))
    while None in items:
        items.remove(None)
    return items


def first_numbers_then_none(x):
    items = []
    for v in x:
        if v > 0:
            items.append(float(v))
    items.append(None)
    place, total = 0, 0.0
    while items[place] is not None:
        total += items[place]
        place += 1
    return total


def places_of_none(x):
    memo = [None] * int(abs(x[-1]) + 3)
    for v in x:
        memo[int(abs(v)) % 3] = float(v)
    return memo


def lists_of_lists(x):
    rows = []
    for v in x:
        row = [None]
        if v > 0:
            row.append(float(v))
        rows.append(row)
    return rows


def in_arrays(x):
    return np.array(found(x), dtype=float), np.array([0.0 if v is None else v for v in found(x)])


def in_dicts(x):
    known = {}
    for v in x:
        known[int(v)] = None
    for k, v in enumerate(x):
        if v > 0:
            known[int(v)] = k
    return known, known.get(2), sum(1 for v in known.values() if v is None)


def as_keys(x):
    counts, pairs = {}, set()
    for v in x:
        key = int(v) if v > 0 else None
        counts[key] = counts.get(key, 0) + 1
        pairs.add((int(v), None if v > 0 else 1))
    return counts, len(pairs), None in counts, 3 in counts


def as_keys_among_numbers(x):
    counts = {1: 0}
    for v in x:
        key = int(v) if v > 0 else None
        if key is not None and key in counts:
            counts[key] += 1
        else:
            counts[int(v)] = 0
    return counts, None in counts


@pytest.mark.parametrize(
    "program",
    [
        returned,
        added_up,
        searched,
        compared,
        of_tuples,
        tuples_or_none,
        of_several_types,
        of_texts,
        changed,
        first_numbers_then_none,
        places_of_none,
        lists_of_lists,
        in_arrays,
        in_dicts,
        as_keys,
        as_keys_among_numbers,
    ],
)
def test_programs(program):
    for x in SAMPLES:
        check(program, x)


def test_derivatives_and_lanes():
    check_grad(added_up, SAMPLES[0])
    lanes = np.stack([SAMPLES[0], 0.5 - SAMPLES[0]])
    assert np.allclose(ag.vmap(added_up)(lanes), [added_up(x) for x in lanes])


def test_numbers_are_needed():
    with pytest.raises(TypeError):
        ag.to_graph(lambda x: sorted(found(x)))(SAMPLES[0])
    with pytest.raises(TypeError):
        ag.to_graph(lambda x: sum(found(x)))(SAMPLES[0])
    check(lambda x: sorted(found(x)), SAMPLES[2])
    with pytest.raises(UnsupportedFunctionError, match="AG0584"):
        ag.to_graph(lambda x: sorted(of_tuples(x)[0]))(SAMPLES[0])


def test_a_saved_graph(tmp_path):
    ag.to_graph(of_tuples).save(tmp_path / "f", SAMPLES[0])
    loaded = ag.load(tmp_path / "f")
    assert repr(loaded(SAMPLES[0])) == repr(of_tuples(SAMPLES[0]))


def test_a_number_of_another_type_is_looked_for():
    def program(x):
        items = [float(v) for v in x if v > 0]
        value = 2 if x[0] > 0.7 else 3.0
        return value in items, items.count(value)

    for x in SAMPLES:
        check(program, x)


def test_a_list_that_cannot_be_kept_as_arrays():
    def program(x):  # its length was asked for where the branches have ended
        rows = []
        for v in x:
            row = [2.0]
            if v > 0:
                row.append(float(v))
            rows.append(row)
        return rows

    check(program, SAMPLES[0])


def test_what_makes_arrays_of_none():
    def program(x):
        v = x[0] if x[0] > 0 else None
        return np.array([v, 1.0], float), np.full(2, v, float), np.full_like(x, v)

    for x in SAMPLES:
        check(program, x)


def remembered(x):
    memo = [None] * 10

    def solve(k):
        if k < 2:
            return 1.0
        if memo[k] is not None:
            return memo[k]
        memo[k] = solve(k - 1) + solve(k - 2) * x[1]
        return memo[k]

    return solve(int(x[0])), memo


def parents(x):
    parent, seen, stack = [None] * 6, [False] * 6, [0]
    while stack:
        u = stack.pop()
        if seen[u]:
            continue
        seen[u] = True
        for v in ((u * 2 + 1) % 6, (u + int(x[0])) % 6):
            if not seen[v] and parent[v] is None:
                parent[v] = u
                stack.append(v)
    path, node = [], 4
    while node is not None and len(path) < 10:
        path.append(node)
        node = parent[node]
    return parent, path


def slots(x):
    table = [None] * 4
    for v in (1.5, 2.5, x[1]):
        place = int(v * x[0]) % 4
        while table[place] is not None:
            place = (place + 1) % 4
        table[place] = (v, place)
    return table


@pytest.mark.parametrize("program", [remembered, parents, slots])
@pytest.mark.parametrize("x", [np.array([3.0, 0.5]), np.array([5.0, 1.5])])
def test_tables_of_none(program, x):
    check(program, x)


def test_tangents_of_a_list():
    result, tangent = ag.jvp(found, (SAMPLES[0],), (2.0 * SAMPLES[0],))
    assert result == [0.5, 2.0, 3.0, None] and tangent == [1.0, 4.0, 6.0, None]
