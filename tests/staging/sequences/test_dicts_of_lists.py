"""Dicts whose keys are known only at run time, and what they stand for is lists."""

import heapq
from collections import Counter, defaultdict

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import check, check_grad

KEYS = np.array([3, 1, 3, 2, 1, 3, 3])
VALUES = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])


def grouped(keys, values):
    groups = defaultdict(list)
    for i in range(len(keys)):
        groups[int(keys[i])].append(values[i])
    total = 0.0
    for k, vs in groups.items():
        total = total + k * sum(vs) + len(vs)
    return total, groups


def by_setdefault(keys, values):
    groups = {}
    for k, v in zip(keys, values):
        groups.setdefault(int(k), []).append(v)
    return groups


def by_question(keys, values):
    groups = {}
    for k, v in zip(keys, values):
        k = int(k)
        if k not in groups:
            groups[k] = []
        groups[k].append(v)
    return max(len(groups[k]) for k in groups), groups


def by_exception(keys, values):
    groups = {}
    for k, v in zip(keys, values):
        try:
            groups[int(k)].append(v)
        except KeyError:
            groups[int(k)] = [v]
    return groups


def by_new_lists(keys, values):
    groups = {}
    for k, v in zip(keys, values):
        groups[int(k)] = groups.get(int(k), []) + [v]
    return groups


def put_back(keys, values):
    groups = {}
    for k, v in zip(keys, values):
        row = groups.get(int(k), [])
        row.append(v)
        groups[int(k)] = row
        row.append(v + values[0])
    return groups


def may_be_missing(keys, values):
    groups = by_setdefault(keys, values)
    total, n = 0.0, 0
    for k in range(6):
        for v in groups.get(k, []):
            total += k * v
        row = groups.get(k)
        if row is not None:
            n += len(row)
    return total, n


def connected(us, vs):
    linked = {}
    for u, v in zip(us, vs):
        u, v = int(u), int(v)
        if u not in linked:
            linked[u] = []
        if v not in linked:
            linked[v] = []
        linked[u].append(v)
        linked[v].append(u)
    seen, order = set(), []

    def visit(u):
        seen.add(u)
        order.append(u)
        for v in linked[u]:
            if v not in seen:
                visit(v)

    visit(int(us[0]))
    return order


def shortest(us, vs):
    linked = defaultdict(list)
    for u, v in zip(us, vs):
        linked[int(u)].append((int(v), int(u) + 2 * int(v)))
        linked[int(v)].append((int(u), int(u) + 2 * int(v)))
    found = {int(us[0]): 0}
    heap = [(0, int(us[0]))]
    while heap:
        d, u = heapq.heappop(heap)
        if d > found.get(u, 10**9):
            continue
        for v, w in linked[u]:
            if d + w < found.get(v, 10**9):
                found[v] = d + w
                heapq.heappush(heap, (d + w, v))
    return found


def under_two_keys(keys, values):
    groups = by_setdefault(keys, values)
    groups[100] = groups[int(keys[0])]
    groups[100].append(values[1])
    again = dict(groups)
    again[int(keys[1])].append(values[2])
    same = again[100] is groups[int(keys[0])]
    return groups, again, same, groups[100] is groups[int(keys[1])]


def under_a_name(keys, values):
    groups = defaultdict(list)
    for k, v in zip(keys, values):
        row = groups[int(k)]
        groups[int(k) + 50].append(v)
        row.append(v)
        if v > 6.0:
            del groups[int(k)]
            row.append(v)
    return groups


def put_in_under_a_name(keys, values):
    groups = {}
    for k, v in zip(keys, values):
        row = [v]
        groups[int(k)] = row
        row.append(v)
    return groups


def taken_out(keys, values):
    groups = by_setdefault(keys, values)
    first, none = groups.pop(3), groups.pop(int(keys[0]), [])
    first.append(values[0])
    del groups[1]
    return first, none, groups.popitem(), groups


def as_a_list(keys, values):
    groups = by_setdefault(keys, values)
    pairs = sorted(groups.items())
    pairs[0][1].append(values[0])
    longest = sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    pairs.reverse()
    return pairs, longest[:2], list(groups.items())[-1], len(pairs), pairs.pop(), groups


def of_lists_alone(keys, values):
    groups = by_setdefault(keys, values)
    rows = sorted(groups.values(), key=len, reverse=True)
    rows[0].append(values[0])
    return rows, list(groups.values()), max(groups.values(), key=len), groups


def gone_through(keys, values):
    groups = by_setdefault(keys, values)
    largest, row = max(groups.items(), key=lambda pair: sum(pair[1]))
    for i, (k, vs) in enumerate(groups.items()):
        vs.sort(reverse=True)
        vs.append(i * values[0] + k)
    for k in list(groups):
        if len(groups[k]) < 3:
            del groups[k]
    means = {k: sum(vs) / len(vs) for k, vs in groups.items()}
    return largest, row, means, [(k, len(vs)) for k, vs in sorted(groups.items())], groups


def of_pairs(keys, values):
    groups = defaultdict(list)
    for k, v in zip(keys, values):
        groups[int(k), int(v) % 2].append((int(v), v))
    return groups


def made_known(keys, values):
    groups = {int(k): [] for k in keys}
    for k, v in zip(keys, values):
        groups[int(k)].append(v)
    return groups, groups == by_setdefault(keys, values), groups == {3: [1.0]}


def copied(keys, values):
    groups = defaultdict(list)
    other = groups.copy()
    other[int(keys[0])].append(values[0])
    groups.update(other)
    groups[int(keys[0])].append(values[1])
    return groups, other, groups.copy()


class Linked:
    def __init__(self):
        self.lists = defaultdict(list)

    def link(self, u, v):
        self.lists[u].append(v)
        self.lists[v].append(u)

    def reached(self, start):
        seen, waiting = {start}, [start]
        while waiting:
            for v in self.lists[waiting.pop()]:
                if v not in seen:
                    seen.add(v)
                    waiting.append(v)
        return len(seen)


def of_an_object(keys, values):
    graph = Linked()
    for k, v in zip(keys, values):
        graph.link(int(k), int(v))
    return graph.reached(int(keys[0])), graph.lists


def memorised(keys, values):
    memo = {}

    def halves(n):
        if n in memo:
            return memo[n]
        found = [n]
        if n > 1:
            found = found + halves(n // 2)
        memo[n] = found
        return found

    return halves(int(keys[0]) * 100), memo


def of_a_missing_key(keys, values):
    return by_setdefault(keys, values)[17]


PROGRAMS = [
    *(grouped, by_setdefault, by_question, by_exception, by_new_lists, put_back, may_be_missing),
    *(connected, shortest, under_two_keys, under_a_name, put_in_under_a_name, taken_out),
    *(as_a_list, of_lists_alone, gone_through, of_pairs, made_known, copied, of_an_object),
    *(memorised, of_a_missing_key),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_python(program):
    check(program, KEYS, VALUES)
    check(program, KEYS[::-1].copy(), VALUES * 2.0)
    check(program, KEYS[:4], VALUES[:4])


def spread(values, keys):
    groups = by_setdefault(keys, values)
    total = 0.0
    for k, vs in groups.items():
        mean = sum(vs) / len(vs)
        for v in vs:
            total = total + (v - mean) ** 2 * v * k
    return total


def test_derivatives_of_what_is_in_the_lists():
    check_grad(spread, VALUES, KEYS)
    jvp = ag.jvp(lambda values: spread(values, KEYS), (VALUES,), (VALUES,))[1]
    assert np.allclose(jvp, ag.grad(spread)(VALUES, KEYS) @ VALUES)


@pytest.mark.filterwarnings("ignore::autograph.errors.PerformanceWarning")
def test_lanes():
    keys = np.stack([KEYS, KEYS[::-1], KEYS * 0])
    expected = [spread(VALUES, k) for k in keys]
    assert np.allclose(ag.vmap(spread, (None, 0))(VALUES, keys), expected)
    gradients = ag.vmap(ag.grad(spread), (None, 0))(VALUES, keys)
    assert np.allclose(gradients, [ag.grad(spread)(VALUES, k) for k in keys])


def test_as_the_result_of_a_compiled_function():
    groups = ag.to_graph(by_setdefault)

    def program(keys, values):
        found = groups(keys, values)
        return sum(len(vs) for vs in found.values()), found[int(keys[0])]

    check(program, KEYS, VALUES)


def given_away_twice(keys, values):
    groups, row = by_setdefault(keys, values), [values[0]]
    groups.setdefault(int(values[3]), row)
    row.append(values[1])
    return groups


def given_away_or_not(keys, values):
    groups, row = by_setdefault(keys, values), [values[0]]
    other = row if values[1] > values[2] else [values[1]]
    groups[int(values[3])] = other
    row.append(values[1])
    return groups


def beside_numbers(keys, values):
    groups = {}
    for k, v in zip(keys, values):
        groups[int(k)] = [v]
        groups[int(k) + 1] = v
    return groups


@pytest.mark.parametrize(
    "program, said",
    [
        (given_away_twice, "may be the same as another one"),
        (given_away_or_not, "may be the same as another one"),
        (beside_numbers, "other things than"),
    ],
    ids=["given away twice", "given away or not", "beside numbers"],
)
def test_refused(program, said):
    with pytest.raises(ag.errors.AutographError) as raised:
        ag.to_graph(program)(KEYS, VALUES)
    assert any(said in why for why, _ in raised.value.others)


# -- sets and dicts --------------------------------------------------------------------------------


def of_sets(keys, values):
    linked = {}
    for u, v in zip(keys, values):
        linked.setdefault(int(u), set()).add(int(v))
        linked.setdefault(int(v), set()).add(int(u))
    seen, waiting, total = set(), [int(keys[0])], 0
    while waiting:
        u = waiting.pop()
        if u in seen:
            continue
        seen.add(u)
        total += u
        for v in sorted(linked[u]):
            if v not in seen:
                waiting.append(v)
    return total, linked


def of_sets_by_default(keys, values):
    members = defaultdict(set)
    for k, v in zip(keys, values):
        members[int(k)].add(int(v))
    here, nowhere = members.get(3, set()), members.get(99, set())
    sizes = len(here), len(nowhere), len(here | nowhere), 1 in here
    members[3].discard(1)
    for k in list(members):
        if not members[k]:
            del members[k]
    return sizes, len(here), sorted(members[3]), max(members, key=lambda k: len(members[k]))


def of_one_set_under_two_keys(keys, values):
    members = {}
    for k, v in zip(keys, values):
        if int(k) in members:
            members[int(k)].add(int(v))
        else:
            members[int(k)] = {int(v)}
    members[50] = members[3]
    members[50].add(77)
    same = members[50] is members[3], members[50] is members[int(keys[1])]
    return members, members[3], same, 77 in members[3], sorted(members[3] & {77, 1})


def put_in_as_a_set(keys, values):
    members, first = {}, set()
    members[int(keys[0])] = first
    for v in values:
        first.add(int(v))
        members[int(keys[0])].discard(int(v) + 1)
    return members, len(first)


def of_dicts(keys, values):
    weights = defaultdict(dict)
    for u, v in zip(keys, values):
        weights[int(u)][int(v) % 3] = v
    total = 0.0
    for u in weights:
        for v, w in weights[u].items():
            total += u * v * w
    return total, weights


def of_counts(keys, values):
    counts = defaultdict(lambda: defaultdict(int))
    for u, v in zip(keys, values):
        counts[int(u)][int(v) % 3] += 1
    return counts[3], {k: sum(found.values()) for k, found in counts.items()}


def of_sums(keys, values):
    sums = {}
    for u, v in zip(keys, values):
        sums.setdefault(int(u), defaultdict(int))[int(v) % 3] += int(v)
    return sums


def of_counters(keys, values):
    counters = defaultdict(Counter)
    for k, v in zip(keys, values):
        counters[int(k)][int(v) % 2] += 1
    return counters[3], sorted(counters.items(), key=lambda pair: pair[0])[0]


OF_TABLES = [
    *(of_sets, of_sets_by_default, of_one_set_under_two_keys, put_in_as_a_set, of_dicts),
    *(of_counts, of_sums, of_counters),
]


@pytest.mark.parametrize("program", OF_TABLES, ids=lambda program: program.__name__)
def test_sets_and_dicts_as_python(program):
    check(program, KEYS, VALUES)
    check(program, np.array([3, 3, 1, 1, 1, 2]), VALUES[:6] * 2.0)
    check(program, KEYS[:4], VALUES[:4])


def test_one_set_under_two_keys_is_one_set():
    members, third, *_ = ag.to_graph(of_one_set_under_two_keys)(KEYS, VALUES)
    assert members[50] is members[3] is third


def products_of_dicts(values, keys):
    weights = defaultdict(dict)
    for i, k in enumerate(keys):
        weights[int(k)][i % 2] = weights[int(k)].get(i % 2, 1.0) * values[i]
    return sum(k * w for k, found in weights.items() for w in found.values())


def test_derivatives_of_what_is_in_the_dicts():
    check_grad(products_of_dicts, VALUES, KEYS)
