"""Dicts and sets whose keys are known only at run time."""

from collections import Counter, defaultdict, deque

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import check

XS = np.array([3, 1, 2, 3, 2, 5, 3])
YS = np.array([3, 9, 2])
PAIRS = np.array([[1, 2], [3, 4], [2, 3], [7, 8]])


def counted(xs):
    counts = {}
    for x in xs:
        k = int(x)
        if k in counts:
            counts[k] += 1
        else:
            counts[k] = 1
    return counts, len(counts)


def counted_with_get(xs):
    counts = {}
    for x in xs:
        counts[int(x)] = counts.get(int(x), 0) + 1
    return counts


def of_numpys_integers(xs):
    seen, again = set(), 0
    for x in xs:
        if x in seen:
            again += 1
        seen.add(x)
    return again, seen


def two_sum(xs):
    places = {}
    for i, x in enumerate(xs):
        if 8 - x in places:
            return places[8 - x], i
        places[x] = i
    return -1, -1


def by_pairs(xs):
    table = {}
    for i in range(len(xs)):
        for j in range(len(xs)):
            table[(int(xs[i]), int(xs[j]))] = xs[i] * 2.0
    total = 0.0
    for (i, j), v in table.items():
        total += v * i - j
    return total, table, (3, 1) in table, (3, 7) in table, 3 in table


def missing(xs):
    table = {0: 1}
    for x in xs:
        table[int(x)] = 2
    return table[7]


def missing_pair(xs):
    table = {}
    for x in xs:
        table[int(x), 1] = 2
    return table[int(xs[0]), 0]


def by_default(xs):
    found = defaultdict(int)
    for x in xs:
        found[int(x) % 3] += int(x)
    parts = max(found, key=found.get), sorted(found), sorted(found.items()), list(found.keys())
    return found, parts, sum(found.values())


def deleted(xs):
    table = {}
    for x in xs:
        k = int(x)
        if k in table:
            del table[k]
        else:
            table[k] = k * 0.5
    total = 0.0
    for k in table:
        total += table[k]
    return total, table


def popped(xs):
    table = {}
    for x in xs:
        table[int(x)] = int(x) + 1
    return table.pop(3), table.pop(3, -1), table.popitem(), table


def of_sets(xs):
    a, b = set(xs.tolist()), {int(y) for y in YS}
    common = a & b
    a.discard(3)
    return (
        *(a | b, common, a - b, a ^ b, len(common), a <= b, a == b, a != b, a.isdisjoint({77})),
        *(sorted(a), min(b), max(b), 3 in a, 3 not in b, sum(a)),
    )


def changed_sets(xs):
    a, b = set(), {4, 5}
    for x in xs:
        a.add(int(x))
    a |= b
    b &= a
    a -= {1}
    a ^= {2, 100}
    a.update([7, 8], (9,))
    a.remove(9)
    return a, b, a.issuperset(b), {5, 4} == b, len(a.union(b, [55]))


def removed(xs):
    members = set(xs.tolist())
    for x in xs:
        members.remove(int(x))
    return members


def memorised(xs):
    known = {}

    def fibonacci(k):
        if k in known:
            return known[k]
        known[k] = k if k < 2 else fibonacci(k - 1) + fibonacci(k - 2)
        return known[k]

    return fibonacci(int(xs[0]) * 9), len(known)


class Cache:
    def __init__(self):
        self.known = {}
        self.hits = 0

    def get(self, k):
        if k in self.known:
            self.hits += 1
            return self.known[k]
        self.known[k] = k * 2.5
        return self.known[k]


def of_an_object(xs):
    cache = Cache()
    total = 0.0
    for x in xs:
        total += cache.get(int(x))
    return total, cache.hits, len(cache.known)


def united(xs):
    parent = {}

    def root(v):
        while parent[v] != v:
            v = parent[v]
        return v

    for a, b in PAIRS + xs[0]:
        parent.setdefault(int(a), int(a))
        parent.setdefault(int(b), int(b))
        parent[root(int(a))] = root(int(b))
    return len({root(v) for v in parent}), parent


def searched(xs):
    """Breadth first."""
    came_from = {0: 0}
    waiting = deque([0])
    while waiting:
        node = waiting.popleft()
        for step in range(2):
            other = (node * 2 + step + int(xs[1])) % 23
            if other not in came_from:
                came_from[other] = node
                waiting.append(other)
    path, node = [], 17
    while node != 0:
        path.append(node)
        node = came_from[node]
    return path, came_from


def most_common(xs):
    counts = Counter(xs.tolist())
    counts.update([7, 7])
    return counts.most_common(2), counts[99], sum(counts.values()), counts


def of_a_comprehension(xs):
    table = {int(x) % 4: int(x) for x in xs}
    return table, {k: v + 1 for k, v in table.items()}, dict.fromkeys(xs.tolist(), 0), list(table)


def copied(xs):
    table = {}
    for x in xs:
        table[int(x)] = 1
    other = dict(table)
    other[77] = 2
    third = other | {78: 3}
    table.update(third)
    return table, other, third, table == third, table != other


def beside_texts(xs):
    weights, seen = {"a": 1.0, "b": 2.0}, set()
    for x in xs:
        seen.add(int(x))
    for name in weights:
        weights[name] = weights[name] * len(seen)
    return weights, {"n": len(seen), **weights}, bool(seen), not seen


def changed_on_the_way(xs):
    table = {}
    for x in xs:
        table[int(x)] = 1
    for k in table:
        table[k + 100] = 2
    return table


def written_on_the_way(xs):
    table = {abs(3 - int(xs[0])): 3}
    total = 1
    for k, v in table.items():
        total += v * 2
        table[k] = int(xs[0])
    return total, table


def of_tuples(xs):
    table = {}
    for i, x in enumerate(xs):
        table[int(x)] = (i, x * 0.5)
    total = 0.0
    for i, v in table.values():
        total += i * v
    return total, table


def seen_before(xs):
    table = {}
    keys, values, pairs = table.keys(), table.values(), table.items()
    for x in xs:
        table[int(x)] = int(x) + 1
    total = 0
    for k in keys:
        total = total * 3 + k
    for v in values:
        total = total * 5 + v
    return total, len(pairs), list(keys), 1 if values else 0


def compared_views(xs):
    a, b = counted(xs)[0], counted(xs[1:])[0]
    same = a.keys() == b.keys(), a.items() == b.items(), a.keys() != {4, 0}
    within = b.keys() <= a.keys(), a.keys() > b.keys(), a.keys().isdisjoint([7])
    return same, within, a.items() == {(4, 1), (0, 1)}, a.values() == a.values()


def combined_views(xs):
    a, b = counted(xs)[0], counted(xs[1:])[0]
    common, rest = sorted(a.keys() & b.keys()), sorted(a.keys() - b.keys())
    return common, rest, sorted({9} | a.keys()), sorted(a.keys() ^ [3])


def within_views(xs):
    table = counted(xs)[0]
    k = int(xs[0])
    return (
        k in table.keys(),
        9 in table.values(),
        (k, 3) in table.items(),
        (k, 3) not in table.items(),
    )


def known_views(xs):
    table, other = {1: 2}, {}
    keys, values = table.keys(), table.values()
    other[int(xs[0])] = 1
    table[3] = 4
    return list(keys), list(values), 4 in values, keys == {1, 3}, other


def negative_most_common(xs):
    counts = Counter(xs.tolist())
    return counts.most_common(-1), counts.most_common(len(xs) - 3)


def least_used(xs):
    counts, misses = {}, 0
    for x in xs:
        k = int(x)
        if k not in counts:
            misses += 1
            if len(counts) == 2 + int(xs[-1]) % 2:
                worst = min(counts, key=lambda key: (counts[key], -key))
                del counts[worst]
            counts[k] = 0
        counts[k] += 1
    return counts, misses


def that_stand_for_nothing(xs):
    seen = dict.fromkeys(xs.tolist())
    for x in xs:
        seen[int(x) + 10] = None
    first, last = seen[int(xs[0])], seen.popitem()
    return list(seen), seen, first is None, last, seen.get(99) is None


def changed_while_known(xs):
    table, other = {5: 5}, {}
    other[int(xs[0])] = 1
    for k in table:
        del table[k]
    return other


def as_truth(xs):
    waiting, steps = {int(xs[0])}, 0
    while waiting:
        n = max(waiting)
        waiting.discard(n)
        if n > 0:
            waiting.add(n // 2)
            waiting.add(n - 2)
        steps += 1
    return steps


PROGRAMS = [
    *(counted, counted_with_get, of_numpys_integers, two_sum, by_pairs, missing, missing_pair),
    *(by_default, deleted, popped, of_sets, changed_sets, removed, memorised, of_an_object),
    *(united, searched, most_common, of_a_comprehension, copied, beside_texts),
    *(changed_on_the_way, written_on_the_way, of_tuples, as_truth, changed_while_known),
    *(seen_before, compared_views, combined_views, within_views, known_views, negative_most_common),
    *(least_used, that_stand_for_nothing),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_python(program):
    check(program, XS)
    check(program, np.array([4, 0]))


@pytest.mark.parametrize(
    "program, line",
    [(missing, "    return table[7]"), (removed, "    members.remove(int(x))")],
    ids=["[]", "remove"],
)
def test_where_a_key_is_missing(program, line):
    with pytest.raises(KeyError) as raised:
        ag.to_graph(program)(XS)
    (note,) = getattr(raised.value, "__notes__", None) or [str(raised.value.__cause__)]
    assert __file__ in note and line in note


def test_an_integer_that_becomes_a_key_is_no_part_of_the_signature():
    def chain(n):
        seen = set()
        while n not in seen:
            seen.add(n)
            n = n // 2 if n % 2 == 0 else 3 * n + 1
        return len(seen)

    compiled = ag.to_graph(chain)
    for n in (1, 7, 27):
        assert compiled(n) == chain(n)
    assert "(n: int)" in str(compiled.program(27))


def test_another_length_is_no_other_program():
    compiled = ag.to_graph(counted)
    for n in (0, 1, 5, 40):
        xs = np.arange(n) % 7
        assert compiled(xs) == counted(xs)


def loss(weights, xs):
    table = {}
    for i in range(len(xs)):
        k = int(xs[i])
        table[k] = table.get(k, 1.0) * weights[i]
    total = 0.0
    for k, v in table.items():
        total += v * v * k
    return total


def test_derivatives_of_what_keys_stand_for():
    weights = XS * 1.5
    ag.check_grads(lambda weights: loss(weights, XS), (weights,), order=2)


@pytest.mark.filterwarnings("ignore::autograph.errors.PerformanceWarning")
def test_lanes():
    weights = np.stack([XS * 1.5, XS * 3.0])
    keys = np.stack([XS, XS[::-1] % 3])
    expected = [loss(w, k) for w, k in zip(weights, keys)]
    assert np.allclose(ag.vmap(loss)(weights, keys), expected)
    assert np.allclose(ag.vmap(loss, (0, None))(weights, XS), [loss(w, XS) for w in weights])
    gradients = ag.vmap(ag.grad(loss), (0, None))(weights, XS)
    assert np.allclose(gradients, [ag.grad(loss)(w, XS) for w in weights])


def of_both(xs):
    table = {1: 2}
    for x in xs:
        table[x * 0.5] = 1
    return table


def gone_through(xs):
    total = 0
    for member in set(xs.tolist()):
        total = total * 3 + member
    return total


def each_as_often(xs):
    return sum(Counter(xs.tolist()).elements())


@pytest.mark.parametrize(
    "program, id",
    [(of_both, "AG0581"), (gone_through, "AG0582"), (each_as_often, "AG0583")],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_refused(program, id):
    with pytest.raises(ag.errors.AutographError) as raised:
        ag.to_graph(program)(XS)
    assert raised.value.id == id
    assert raised.value.location.file == __file__


def put_in(xs):
    members = set([5, 8, 0, 16])
    members.add(24)
    written = 0
    for member in members:
        written = 100 * written + member
    return written * len(set(xs.tolist())), list(members), members.pop()


def any_order_of_those_left(xs):
    members, others = {5, 8, 0}, {8, 0} | {16}
    members.remove(5)
    one = {16} & others
    found = sorted(members), sum(members), max(others), len(others), 16 in others, list(one)
    return found, others - {0}, set(xs.tolist())


def one_left(xs):
    members = {5, 8}
    members.remove(5)
    return members.pop() * len(set(xs.tolist())), list(members)


@pytest.mark.parametrize("program", [put_in, any_order_of_those_left, one_left])
def test_known_members_beside_those_of_the_run(program):
    check(program, XS)


def gone_through_those_left(xs):
    members = {5, 8, 0}  # 8 came before 0, and is before it still
    members.remove(5)
    return list(members), set(xs.tolist())


def popped_of_joined(xs):
    members = {8, 0} | {16}
    return members.pop(), set(xs.tolist())


def gone_through_a_copy(xs):
    members = {32, 1, 2, 3, 4}.copy()
    return [member for member in members], set(xs.tolist())


@pytest.mark.parametrize(
    "program", [gone_through_those_left, popped_of_joined, gone_through_a_copy]
)
def test_an_order_of_members_that_were_not_only_put_in_is_refused(program):
    with pytest.raises(ag.errors.AutographError, match="sorted") as raised:
        ag.to_graph(program)(XS)
    assert raised.value.id == "AG0582"


def of_arrays(xs):
    table = {}
    for x in xs:
        if int(x) not in table:
            table[int(x)] = np.zeros(2)
        table[int(x)][0] += x
    return table


def test_why_they_are_no_lists_is_told():
    with pytest.raises(ag.errors.AutographError, match="an array is changed in place") as raised:
        ag.to_graph(of_arrays)(XS)
    assert raised.value.id == "AG0304"
    (site,) = raised.value.others
    assert site[1].file == __file__


def listed_selections(xs):
    chosen = xs[xs > 1].tolist()
    chosen.append(7)
    rows = np.stack([xs, xs], axis=1)[xs > 2].tolist()
    return chosen, list(xs[xs > 2]), rows, len(set(np.unique(xs).tolist()))


def test_lists_of_as_many_as_only_the_run_knows():
    check(listed_selections, XS)
    check(listed_selections, XS * 0)


def of_dicts(xs):
    found = {}
    for x in xs:
        found[int(x) % 2] = {"last": int(x), 5: [int(x)]}
    return found


def of_dicts_by_number(xs):
    found = {}
    for x in xs:
        found[int(x) % 2] = {5: int(x), 7: {1: x}}
    return found


@pytest.mark.parametrize("program", [of_dicts, of_dicts_by_number])
def test_dicts_in_a_dict_are_returned_as_dicts(program):
    check(program, XS)
    found = ag.to_graph(program)(XS)
    assert all(type(inner) is dict for inner in found.values())
