"""Keys that are looked for in kernels: `autograph.kernels.lowering.arrays.lookups`."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.interpreter import interpret
from autograph.kernels.lowering.arrays.lookups import slots_of


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


def of_floats(xs):
    table, seen = {}, set()
    for i in range(len(xs)):
        x = xs[i] / 4.0
        table[x] = table.get(x, 0) + 1
        seen.add((x, i % 2))
    total = 0.0
    for key, count in table.items():
        total += key * count
    return len(table), len(seen), total


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_keys_that_are_floats(dtype):
    xs = KEYS["few"](np.random.default_rng(0)).astype(dtype)
    xs = np.concatenate([xs, -xs, np.array([0.0, -0.0, np.inf, 1e-30], dtype)])
    compiled = ag.to_graph(of_floats)
    assert repr(compiled(xs)) == repr(of_floats(xs))
    assert "find_row" not in str(compiled.program(xs))
    with pytest.raises(ValueError, match="NaN"):
        compiled(np.where(xs == 1, np.nan, xs))


@pytest.mark.costly
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_kernels_do_it(program):
    xs = KEYS["few"](np.random.default_rng(0))
    assert "no part of the function" not in str(ag.to_graph(program).kernels(xs))
    assert "find_row" not in str(ag.to_graph(program).program(xs))


def by_name(xs):
    counts, pairs = {}, set()
    for x in xs:
        kind = "odd" if x % 2 else "even" if x > 9 else "small"
        counts[kind] = counts.get(kind, 0) + int(x)
        pairs.add((kind, int(x) % 3))
    return counts, len(pairs), ("odd", 1) in pairs, counts.get("none", -1)


def of_several_types(xs):
    found, members = {0: 0}, set()
    for i in range(len(xs)):
        x = xs[i]
        found[int(x)] = i if x % 3 else i * 0.5
        found[x] = found[int(x)] + 1
        members.add(x)
        members.add(int(x) + 1)
    return found, len(members), sum(members)


@pytest.mark.parametrize("program", [by_name, of_several_types])
@pytest.mark.parametrize("keys", KEYS.values(), ids=KEYS)
def test_texts_and_numbers_of_several_types(program, keys):
    xs = keys(np.random.default_rng(0))
    compiled = ag.to_graph(program)
    assert repr(compiled(xs)) == repr(program(xs))
    assert "find_row" not in str(compiled.program(xs))


SPREAD = np.arange(1, 2001)
GRID = np.stack([SPREAD // 50, SPREAD % 50])


@pytest.mark.parametrize(
    "keys",
    [SPREAD, -SPREAD, SPREAD * 16, SPREAD * 1024, SPREAD << 40, SPREAD << 52, SPREAD * 0x1E3779B9]
    + [(SPREAD // 50 << 16) + SPREAD % 50, np.stack([(SPREAD / 8).view(np.int64), 0 * SPREAD])]
    + [GRID, GRID[::-1], GRID * 64, GRID << 40, GRID * [[100], [-100]]],
)
def test_keys_are_at_one_of_their_first_slots(keys):
    """Of 2000 keys, in a table of 4096 slots: numbers drawn from them would be at their 1.4th."""
    b = KernelBuilder("slots")
    parts = [np.ascontiguousarray(part) for part in np.atleast_2d(keys)]
    given = [b.input("int64", 2000) for _ in parts]
    begins, steps = b.output("int64", 2000), b.output("int64", 2000)
    with b.each(2000) as i:
        begin, step = slots_of(b, [b.load(part, i) for part in given])
        b.store(begins, i, begin)
        b.store(steps, i, step())
    found = [np.zeros(2000, dtype=np.int64), np.zeros(2000, dtype=np.int64)]
    interpret(b.finish(), parts, found)
    held, tried = set(), 0
    for slot, step in zip(*np.stack(found).tolist()):
        tried += 1
        while slot % 4096 in held:
            slot, tried = slot + step, tried + 1
        held.add(slot % 4096)
    assert tried < 4 * 2000
    assert np.all(found[1] % 2 == 1)
