"""Lists of lists of any lengths in native code."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from tests.kernels.kernel_check import SOME, assert_same, check

N = 70  # more than what is decided by conditionals
RANDOM = np.random.default_rng(0)


def distances(us, vs, n):
    adj = [[] for _ in range(n)]
    for k in range(len(us)):
        adj[us[k]].append(vs[k])
        adj[vs[k]].append(us[k])
    found = np.full(n, -1)
    found[0] = 0
    queue = [0]
    k = 0
    while k < len(queue):
        u = queue[k]
        k += 1
        for v in adj[u]:
            if found[v] < 0:
                found[v] = found[u] + 1
                queue.append(v)
    return found


def near(x, n):
    cells = [[] for _ in range(n)]
    for i in range(len(x)):
        cells[int(x[i] * n)].append(i)
    count = 0
    for cell in cells:
        for i in cell:
            for j in cell:
                if i < j and abs(x[i] - x[j]) < 0.01:
                    count += 1
    return count


def machine(codes, x, n):
    """Lists, changed as a program says."""
    rows = [[] for _ in range(n)]
    total = 0.0
    for k in range(len(codes)):
        code, v = codes[k], x[k]
        row = rows[int(v * n)]
        if code < 5:
            row.append(v)
        elif code == 5:
            if len(row) > 0:
                total += row.pop() * v
        elif code == 6:
            if len(row) > 1:
                row[1] = v
        elif code == 7:
            row.append(1.0)
            row.append(total * 0.5)
        elif code == 8:
            for other in row:
                total += other * v
        elif code == 9:
            rows.append([v, total])
        else:
            row.clear()
    for row in rows:
        for place, v in enumerate(row):
            total += v * (place + 1)
    return total, len(rows)


def test_breadth_first():
    us, vs = RANDOM.integers(0, N, (2, 120))
    check(distances, us, vs, N, kernels=SOME)


def test_cells():
    check(near, RANDOM.uniform(size=200), N)


@pytest.fixture(scope="module")
def compiled_machine():
    return ag.to_graph(machine)


@pytest.mark.parametrize("seed", range(12))
def test_random_changes(compiled_machine, seed):
    random = np.random.default_rng(seed)
    share = random.random(11) ** 2
    codes = random.choice(11, 300, p=share / share.sum())
    x = random.uniform(size=300) ** 4  # most of them in few lists
    assert_same(compiled_machine(codes, x, N), machine(codes, x, N))
    assert "machine" in compiled_machine.kernels(codes, x, N)
