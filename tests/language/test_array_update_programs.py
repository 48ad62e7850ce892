"""Programs that change arrays in place."""

import numpy as np

from tests.language.corpus import check_program
from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_program(call):
    check_program(call)


@programs.smooth(np.array([1.0, 2.0, 3.0, 4.0]))
def prefix_sums(x):
    out = np.zeros(len(x))
    out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = out[i - 1] + x[i]
    return np.sum(out * out)


@programs(np.array([5, 3, 8, 1]))
def selection_sort_in_place(a):
    for i in range(len(a)):
        low = i
        for j in range(i + 1, len(a)):
            if a[j] < a[low]:
                low = j
        if low != i:
            a[i], a[low] = a[low], a[i]


@programs(np.array([[2.0, 1.0, 1.0], [4.0, 3.0, 3.0], [8.0, 7.0, 9.0]]))
def gaussian_elimination(a):
    a = a.copy()
    n = len(a)
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :]
    return a


@programs.smooth(np.array([[4.0, 1.0], [1.0, 3.0]]), np.array([1.0, 2.0]))
def jacobi_sweeps(a, b):
    x = np.zeros(2)
    for _ in range(4):
        new = np.empty(2)
        for i in range(2):
            rest = 0.0
            for j in range(2):
                if j != i:
                    rest += a[i, j] * x[j]
            new[i] = (b[i] - rest) / a[i, i]
        x = new
    return np.sum(x)


@programs.smooth(np.array([0.0, 1.0, 0.0, 0.0, 2.0]), 0.1)
def heat_equation(u, r):
    u = u.copy()
    for _ in range(5):
        u[1:-1] += r * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u**3)


@programs(np.arange(6.0))
def view_of_the_argument(x):
    half = x[::2]
    half += 10.0
    half[0] = -1.0
    return np.sum(x)


@programs(np.arange(6.0).reshape(2, 3))
def rows_are_views(m):
    for row in m:
        row *= 2.0
        row[0] = 0.0


@programs(np.arange(6.0).reshape(2, 3))
def transposed_view(m):
    t = m.T
    t[0, 1] = 100.0
    t[2] += 0.5
    return m[1, 0]


@programs(np.arange(4.0))
def alias_in_a_branch(x):
    y = x
    if x[1] > 0:
        y[0] = 5.0
    return x[0] + y[0]


@programs(np.array([1.0, -2.0, 3.0, -4.0]))
def boolean_index(x):
    x[x < 0] = 0.0
    x[x > 2] *= 10.0
    return x


@programs(np.zeros(5), np.array([0, 2, 2, 4]))
def integer_array_index(x, where):
    x[where] = 1.0
    x[where] += 1.0
    np.add.at(x, where, 0.5)
    return x


@programs(np.array([3, 1, 3, 0, 3]))
def histogram(values):
    counts = np.zeros(4, dtype=int)
    for v in values:
        counts[v] += 1
    return counts


@programs.smooth(np.ones(3), np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
def outer_update(w, data):
    m = np.zeros((3, 3))
    for row in data:
        m[:, :] += row[:, None] * (w * row)[None, :]
    m[0, :] = 0.0
    m[:, -1] *= 2.0
    return np.sum(m)


@programs(np.arange(12.0).reshape(3, 4), 1)
@programs(np.arange(12.0).reshape(3, 4), -1)
def traced_row_index(m, i):
    m[i] = 0.0
    m[i, 1] = 7.0
    m[:, i] += 1.0
    return m


@programs(np.arange(5.0), 2.0)
@programs(np.arange(5.0), -2.0)
def changed_on_one_path(x, t):
    if t > 0:
        x[1:3] = t
    else:
        x -= 1.0
        x[0] = t
    return x.sum()


@programs(np.arange(4), np.arange(4.0) + 0.75)
def dtype_is_kept(x, y):
    x[1] = 7.9
    x[2:] = y[2:]
    x += 2
    return x


@programs(np.zeros((4, 4)), np.array([[1, 2], [3, 0], [1, 2]]))
def paint(grid, cells):
    def mark(g, r, c):
        g[r, c] += 1.0
        if g[r, c] > 1:
            g[r, (c + 1) % 4] = -1.0

    for r, c in cells:
        mark(grid, r, c)


@programs.smooth(np.array([0.3, -0.2, 0.8]))
def swap_and_scale(x):
    y = np.array(x)
    y[0], y[2] = y[2], y[0]
    y[1:] *= y[:2].copy()
    y[...] = np.sin(y)
    return np.sum(y * np.arange(3.0))


@programs(np.zeros(3))
def augmented_expression(x):
    i = 0
    while i < 3:
        x[i] -= i
        x[i] **= 2
        x[i] //= 1
        i += 1
    return x


@programs(np.array([[0, 1, 0], [0, 1, 0], [0, 1, 0]]))
def game_of_life_step(cells):
    new = cells.copy()
    n, m = cells.shape
    for i in range(n):
        for j in range(m):
            alive = 0
            for di in (-1, 0, 1):
                for dj in (-1, 0, 1):
                    if (di or dj) and 0 <= i + di < n and 0 <= j + dj < m:
                        alive += cells[i + di, j + dj]
            if alive == 3 or (alive == 2 and cells[i, j]):
                new[i, j] = 1
            else:
                new[i, j] = 0
    cells[:] = new


@programs("kitten", "sitting")
@programs("", "ab")
def edit_distance(a, b):
    d = np.zeros((len(a) + 1, len(b) + 1), dtype=int)
    d[:, 0] = np.arange(len(a) + 1)
    d[0] = np.arange(len(b) + 1)
    for i, s in enumerate(a):
        for j, t in enumerate(b):
            d[i + 1, j + 1] = min(d[i, j] + (s != t), d[i, j + 1] + 1, d[i + 1, j] + 1)
    return d[-1, -1]


@programs(np.array([1, 3, 4]), 6)
def coin_change(coins, amount):
    fewest = np.full(7, 99)
    fewest[0] = 0
    for total in range(1, amount + 1):
        for c in coins:
            if c <= total and fewest[total - c] + 1 < fewest[total]:
                fewest[total] = fewest[total - c] + 1
    return fewest[amount]


@programs(np.arange(5.0))
def filled_and_flattened(x):
    m = np.empty((2, 5))
    m.fill(3.0)
    m[0] = x
    m[1, 2:] = m[0, :3]
    return m, m.reshape(-1)[7], m.ravel()[6]


@programs(np.array([4.0, 5.0]))
def out_argument(x):
    np.multiply(x, 2.0, out=x)
    return x
