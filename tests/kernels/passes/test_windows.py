"""Of arrays of which loops need a few neighbouring rows at a time, only these are kept."""

import random

import numpy as np
import pytest

pytest.importorskip("llvmlite")
from autograph.kernels.ir import ir
from autograph.kernels.passes import strips, windows
from tests.kernels.kernel_check import check, host_statements

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(2, 200, 150))
A, B = RNG.integers(0, 5, (2, 150))


def stencil_of_a_stencil(x, y, a, b):
    flux = x[1:] - x[:-1]
    flux = np.where(flux > 0.0, np.sqrt(np.abs(flux)), y[1:] * flux)
    return y[1:-1] + 0.1 * (flux[1:] - flux[:-1])


def both_axes(x, y, a, b):
    """Neighbours on all sides, of arrays of other lengths."""
    z = x[2:, 1:-1] + x[:-2, 1:-1] + x[1:-1, 2:] + x[1:-1, :-2] - 4.0 * x[1:-1, 1:-1]
    return z[2:, 1:-1] + z[:-2, 1:-1] + z[1:-1, 2:] + z[1:-1, :-2] - 4.0 * z[1:-1, 1:-1]


def three_axes(x, y, a, b):
    """Rows of planes, along the first of two axes that one loop goes over."""
    x = x.reshape(200, 15, 10)
    z = x[1:, 1:] * x[:-1, :-1] - np.abs(x[1:, :-1])
    return z[2:, 1:] * z[:-2, :-1] - z[1:-1, 1:] + z[1:-1, :-1] * z[2:, :-1]


def last_row_of_a_table(x, y, a, b):
    table = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    table[:, 0] = np.arange(len(a) + 1)
    table[0, :] = np.arange(len(b) + 1)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            if a[i - 1] == b[j - 1]:
                table[i, j] = table[i - 1, j - 1]
            else:
                table[i, j] = 1 + min(table[i - 1, j], table[i, j - 1], table[i - 1, j - 1])
    return table[-1, -1]


def table_of_floats(x, y, a, b):
    """Four rows run together."""
    table = np.full((121, 131), np.inf)
    table[0, 0] = 0.0
    for i in range(120):
        for j in range(130):
            least = min(table[i, j + 1], table[i + 1, j], table[i, j])
            table[i + 1, j + 1] = abs(x[0, i] - y[0, j]) + least
    return table[120, 130] + table[119, 2]


def means_of_products(x, y, a, b):
    """Three arrays that one loop makes, each of which is read along both axes."""

    def mean(z):
        z = z[:-2] + z[1:-1] + z[2:]
        return z[:, :-2] + z[:, 1:-1] + z[:, 2:]

    p, q = x[1:] - x[:-1], y[1:] * x[:-1]
    pp, pq, qq = mean(p * p), mean(p * q), mean(q * q)
    return pp * qq - pq * pq - 0.05 * (pp + qq) ** 2


SHRINK = [
    stencil_of_a_stencil,
    both_axes,
    three_axes,
    last_row_of_a_table,
    table_of_floats,
    means_of_products,
]


def backwards(x, y, a, b):
    """The first row that is needed is the last that is made."""
    z = np.tanh(x) * y
    return (z[1:] - z[:-1])[::-1] * y[1:]


def first_row_is_read(x, y, a, b):
    table = np.zeros((151, 151))
    for i in range(150):
        for j in range(150):
            table[i + 1, j + 1] = max(table[i, j + 1] + x[i, j], table[i + 1, j] + y[i, j])
    return table[-1, -1] + table[3, 4]


def returned(x, y, a, b):
    z = x[1:] - y[:-1]
    z = np.where(z > 0.0, np.sqrt(np.abs(z)), z)
    return z, z[1:] - z[:-1]


STAY = [backwards, first_row_is_read, returned]


def own_arrays(function):
    """The bytes of the arrays of kernels."""
    found = {}
    for s in host_statements(function, X, Y, A, B):
        for b in [s.buffer] if isinstance(s, ir.Load | ir.Store) else []:
            if b.kind in ("temporary", "local"):
                found[b] = b.nbytes
    return sum(found.values())


@pytest.mark.parametrize("function", [*SHRINK, *STAY], ids=lambda f: f.__name__)
def test_as_python(function):
    check(function, X, Y, A, B, kernels=None, ulps=64, scale=10.0)


@pytest.mark.parametrize("function", SHRINK, ids=lambda f: f.__name__)
def test_few_rows_are_kept(function):
    assert 0 < own_arrays(function) < 20_000


@pytest.mark.parametrize("function", [backwards, first_row_is_read], ids=lambda f: f.__name__)
def test_what_is_needed_later_is_kept(function):
    assert own_arrays(function) > 100_000


def random_stencils(draw, rows):
    """Stencils of each other, of arrays that become shorter."""
    lines, arrays = [], [("x", rows, 9), ("y", rows, 9)]
    for number in range(draw.randrange(2, 5)):
        name, n, m = arrays[-1] if draw.random() < 0.8 else draw.choice(arrays)
        down, across = draw.randrange(3), draw.randrange(2)
        if n - down < 3 or m - across < 2:
            continue

        def part(name=name, n=n, m=m, down=down, across=across):
            r, c = draw.randrange(down + 1), draw.randrange(across + 1)
            return f"{name}[{r}:{r + n - down}, {c}:{c + m - across}]"

        terms = [f"{draw.choice([0.5, -0.25, 1.0])} * {part()}" for _ in range(3)]
        made = " + ".join(terms)
        if draw.random() < 0.6:
            made = f"np.where({part()} > 0.0, np.tanh({made}), {part()})"
        lines.append(f"m{number} = {made}")
        arrays.append((f"m{number}", n - down, m - across))
    results = [arrays[-1][0], *(x for x, _, _ in arrays[2:-1] if draw.random() < 0.2)]
    return lines, f"({', '.join(results)},)"


def random_filters(draw, rows):
    """Several arrays of the same elements, of which neighbours are combined."""
    parts = ["x[1:]", "x[:-1]", "y[1:]", "y[:-1]"]
    count, n = draw.randrange(2, 4), rows - 1
    lines = []
    for k in range(count):
        one, two, three = (draw.choice(parts) for _ in range(3))
        lines.append(f"m{k} = np.where({one} > 0.0, np.tanh({two} * {three}), {one} - {two})")
    sums = []
    for k in range(count):
        down, across = draw.randrange(3), draw.randrange(3)
        rest = [draw.randrange(2 - down + 1) for _ in range(2)]
        terms = []
        for _ in range(3):
            r = draw.choice(rest) + draw.randrange(down + 1)
            terms.append(f"m{draw.randrange(count)}[{r}:{r + n - 2}]")
        lines.append(f"s{k} = {' + '.join(terms)}")
        c = draw.randrange(across + 1)
        sums.append(f"s{k}[:, {c}:{c + 7}] * s{draw.randrange(k + 1)}[:, :7]")
    return lines, " + ".join(sums)


def random_table(draw, rows):
    """A table that is made from the top to the bottom, of rows above."""
    columns, depth = draw.randrange(3, 8), draw.randrange(1, 3)
    kind = draw.choice(["np.int64", "np.float64"])
    fill = draw.choice(["zeros", "ones"])
    lines = [f"t = np.{fill}(({rows + depth}, {columns + 1}), dtype={kind})"]
    if draw.random() < 0.5:
        lines.append(f"t[{draw.randrange(depth)}, :] = np.arange({columns + 1})")
    if draw.random() < 0.5:
        lines.append(f"t[:, 0] = np.arange({rows + depth})")
    above = [f"t[i + {draw.randrange(depth)}, j + {draw.randrange(2)}]" for _ in range(2)]
    best = f"{draw.choice(['min', 'max'])}({above[0]}, t[i + {depth}, j]) + {above[1]} // 2"
    lines += [f"for i in range({rows}):", f"    for j in range({columns}):"]
    if draw.random() < 0.5:
        lines.append("        if a[i] == b[j]:")
        lines.append(f"            t[i + {depth}, j + 1] = {above[1]} + 1")
        lines.append("        else:")
        lines.append(f"            t[i + {depth}, j + 1] = {best}")
    else:
        lines.append(f"        t[i + {depth}, j + 1] = {best} + a[i] * b[j] % 3")
    row = draw.choice([rows + depth - 1, rows + depth - 1, rows + depth - 2, draw.randrange(rows)])
    return lines, draw.choice([f"t[{row}, {columns}]", f"t[{row}, 1] + t[-1, 2]", f"t[{row}]"])


PROGRAMS = (random_stencils, random_table, random_filters)


@pytest.mark.parametrize("seed", range(36))
def test_random_programs(seed, monkeypatch, tmp_path):
    """With rows that are kept wherever that may be."""
    monkeypatch.setattr(strips, "_LEAST_BYTES", 64)
    monkeypatch.setattr(strips, "_LONG_ROW", 2)
    changes = {"_LEAST_SAVED": 1, "_MOST_AGAIN": 1.0, "_LEAST_PIECES": 1, "_MOST_PIECES": 5}
    for name, value in changes.items():
        monkeypatch.setattr(windows, name, value)
    draw = random.Random(seed)
    rows = draw.randrange(8, 21)
    lines, result = PROGRAMS[seed % len(PROGRAMS)](draw, rows)
    body = "\n    ".join(lines)
    file = tmp_path / "program.py"
    file.write_text(f"def program(x, y, a, b):\n    {body}\n    return {result}\n")
    names = {"np": np}
    exec(compile(file.read_text(), str(file), "exec"), names)
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(2, rows, 9))
    check(names["program"], x, y, *rng.integers(0, 3, (2, 24)), kernels=None, ulps=64, scale=10.0)
