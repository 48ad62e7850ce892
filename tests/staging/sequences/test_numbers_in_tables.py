"""Numbers that tables hold stay of the types that they are of in Python."""

from collections import OrderedDict, defaultdict

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import check, check_grad

XS = np.array([3, 1, 2, 3, 2, 5, 3])


def begun_with_an_int(xs):
    found = {0: 0}
    for x in xs:
        found[int(x)] = int(x) * 0.5
    return found


def of_numpys_and_pythons(xs):
    found = {}
    for x in xs:
        found[int(x)] = x
        found[int(x) + 1] = int(x)
    return found


def keys_of_both(xs):
    found = {}
    for x in xs:
        found[x] = 1
        found[int(x) + 1] = 2
    for key in found:
        print(key, repr(key))
    return len(list(found)), found


def members_of_both(xs):
    found = set()
    for x in xs:
        found.add(x)
        found.add(int(x) + 1)
    return found, len(found), sum(found), 3 in found


def by_branch(xs):
    found = {}
    for x in xs:
        if x > 2:
            found[int(x)] = int(x) / 2
        else:
            found[int(x)] = int(x)
    return found, sum(found.values()), max(found.values())


def before_it_is_added(xs):
    found, total = {}, 0
    for x in xs:
        found[int(x)] = total
        total += float(x)
    return found


def in_tuples(xs):
    found = {}
    for x in xs:
        count, total = found.get(int(x), (0, 0))
        found[int(x)] = (count + 1, total + 0.5 * int(x))
    found[100] = (1, 2)
    return found


def by_default(xs):
    found = defaultdict(int)
    for x in xs:
        found[int(x)] += 0.5
    return found[77], found


def copies(xs):
    found = {int(x): int(x) for x in xs}
    other = found.copy()
    other[5] = 0.5
    return found, other, found | {6: 1.5}, {**found, 7: True}


def truths(xs):
    found = {0: True}
    for x in xs:
        found[int(x)] = int(x)
    found[1] = False
    for key, value in found.items():
        print(key, value)
    return found


def taken_out(xs):
    found = {int(x): 1 for x in xs}
    found[3] = 0.5
    found.update({4: 2, 5: 2.5})
    found.setdefault(6, 7)
    return found.pop(3), found.pop(99, 0), found.popitem(), found


def distances(xs):
    found = {0: 0}
    for x in xs:
        found[int(x)] = found[0] + x * 0.5
        found[0] = found[int(x)] // 1
    return found, found[0] + 1, min(found, key=found.get)


def moved(xs):
    found = OrderedDict()
    found[5] = 1
    for x in xs:
        found[int(x)] = x / 2
    found.move_to_end(5)
    found[6] = 3
    found.move_to_end(6, last=False)
    return found.popitem(last=False), found


def large(xs):
    """An int that no float holds, beside a float."""
    found = {0: 0.5}
    for x in xs:
        found[int(x)] = int(x) + 2**60 + 1
    return found


PROGRAMS = [
    *(begun_with_an_int, of_numpys_and_pythons, keys_of_both, members_of_both, by_branch),
    *(before_it_is_added, in_tuples, by_default, copies, truths, taken_out, distances, moved),
    large,
]


def shown(result):
    """A text that tells numbers of several types apart; of a set in an order of its own."""
    if isinstance(result, tuple):
        return tuple(map(shown, result))
    return sorted(map(repr, result)) if isinstance(result, set) else repr(result)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_python(program):
    for xs in (XS, np.array([4, 0])):
        check(program, xs)
        assert shown(ag.to_graph(program)(xs)) == shown(program(xs))


def test_derivatives():
    def loss(weights):
        cost = {0: 0}
        for i in range(len(weights)):
            cost[i % 3] = cost.get(i % 3, 1) + weights[i] ** 2
            cost[7] = i
        return sum(v * v for v in cost.values())

    check_grad(loss, np.array([0.3, 0.7, -0.2, 0.5]))


def kept_members(numbers):
    found = {1, 2}
    for _ in range(2):
        kept = set()
        for number in numbers:
            if number in found:
                kept.add(number)
        found = kept
    return sorted(found)


def common_members(numbers):
    members, found = set(numbers), {1, 2}
    for number in numbers:
        found = members & found
        if number > 3:
            break
    return len(found), 1 in found, 3 in found


def kept_keys(numbers):
    table = {1: 1.0, 2: 2.0}
    for _ in range(2):
        kept = {}
        for number in numbers:
            if number in table:
                kept[number] = table[number] + 1.0
        table = kept
    return table


@pytest.mark.parametrize("program", [kept_members, common_members, kept_keys])
def test_keys_of_pythons_and_numpys_ints_that_loops_join(program):
    for numbers in ([3, 1, 4, 1, 5], np.array([3, 1, 4, 1, 5])):
        check(program, numbers)
