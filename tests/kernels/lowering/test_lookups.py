"""Keys that are looked for in kernels: `autograph.kernels.lowering.arrays.lookups`."""

import numpy as np
import pytest

import autograph as ag


def counted(xs):
    counts = {}
    for x in xs:
        k = int(x)
        if k in counts:
            counts[k] += 1
        else:
            counts[k] = 1
    total = 0
    for k, n in counts.items():
        total += (k * n) % 1009 * (total % 7 + 1)
    return len(counts), total


def in_pairs(xs):
    table, seen = {}, set()
    for i in range(1, len(xs)):
        key = (int(xs[i - 1]), int(xs[i]) % 5)
        table[key] = table.get(key, 0.0) + 0.5 * i
        if (key[1], key[0]) in table:
            seen.add(key)
    total = 0.0
    for (a, b), v in table.items():
        total += v * (a - b)
    return total, len(table), len(seen)


def gone_and_come(xs):
    """Members are taken out of the middle, and may come again."""
    seen, total = set(), 0
    for x in xs:
        if x % 3 == 0 or x in seen:
            seen.discard(x // 2)
        else:
            seen.add(x)
        total = (total * 5 + len(seen)) % 10007
    return total, len(seen)


def deleted(xs):
    table, total = {}, 0
    for x in xs:
        k = int(x) % 50
        if k in table:
            total += table.pop(k)
        else:
            table[k] = int(x)
    return total, len(table)


def searched_inside(xs):
    """The innermost loop only looks for keys, and what it finds is made around it."""
    table, found = {0: 1}, 0
    for x in xs:
        for d in range(3):
            if int(x) + d in table:
                found += table[int(x) + d]
        table[int(x)] = found % 5
    return found, len(table)


def two_of_one(xs):
    """A dict and its copy go on apart."""
    table = {}
    for x in xs:
        table[int(x)] = 1
    other = dict(table)
    for x in xs:
        other[int(x) + 7] = 2
        if int(x) + 3 in table:
            table[-int(x)] = 3
    return len(table), len(other), sum(table.values()), sum(other.values())


def anew(xs):
    """A set for each trip."""
    cells, total = set(), 0
    for x in xs:
        cells.add(int(x))
    for _ in range(4):
        new = set()
        for c in sorted(cells):
            if c + 1 in cells or c % 2 == 0:
                new.add(c * 3 % 101)
                new.add(c + 1)
        cells = new
        total = total * 31 % 1009 + len(cells)
    return total, sorted(cells)


PROGRAMS = [counted, in_pairs, gone_and_come, deleted, searched_inside, two_of_one, anew]
KEYS = {
    "few": lambda rng: rng.integers(0, 9, 200),
    "many": lambda rng: rng.integers(-(10**6), 10**6, 400),
    "far apart": lambda rng: rng.integers(0, 60, 300) * 2**40 - 2**45,
    "none": lambda rng: np.zeros(0, int),
    "of 32 bits": lambda rng: rng.integers(-40, 40, 300).astype(np.int32),
}


@pytest.mark.costly
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("keys", KEYS.values(), ids=KEYS)
def test_as_python(program, keys):
    xs = keys(np.random.default_rng(0))
    assert ag.to_graph(program)(xs) == program(xs)


@pytest.mark.costly
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_kernels_do_it(program):
    xs = KEYS["few"](np.random.default_rng(0))
    assert "no part of the function" not in str(ag.to_graph(program).kernels(xs))
    assert "find_row" not in str(ag.to_graph(program).program(xs))
