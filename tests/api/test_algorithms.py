"""Whole programs as people write them: algorithms on arrays, and models of sequences."""

import numpy as np

from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_program(call):
    call.run()


# -- algorithms on arrays --------------------------------------------------------------------------


@programs(np.array([1, 3, 5, 7, 9]), 7)
@programs(np.array([1, 3, 5, 7, 9]), 4)
def binary_search(a, x):
    low, high = 0, len(a)
    while low < high:
        middle = (low + high) // 2
        if a[middle] < x:
            low = middle + 1
        elif a[middle] > x:
            high = middle
        else:
            return middle
    return -1


@programs(np.array([5.0, 2.0, 9.0, 1.0, 3.0]))
@programs(np.array([5, 2, 9, 1]))
def insertion_sort(a):
    a = a.copy()
    for i in range(1, len(a)):
        key = a[i]
        j = i - 1
        while j >= 0 and a[j] > key:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = key
    return a


@programs(np.array([5.0, 2.0, 9.0, 1.0, 3.0]))
def bubble_sort_in_place(a):
    n = len(a)
    swapped = True
    while swapped:
        swapped = False
        for i in range(n - 1):
            if a[i] > a[i + 1]:
                a[i], a[i + 1] = a[i + 1], a[i]
                swapped = True
        n -= 1


@programs(np.array([30, 35, 15, 5, 10]))
def matrix_chain(p):
    n = len(p) - 1
    cost = np.zeros((n, n), dtype=np.int64)
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            best = -1
            for k in range(i, j):
                c = cost[i, k] + cost[k + 1, j] + p[i] * p[k + 1] * p[j + 1]
                if best < 0 or c < best:
                    best = c
            cost[i, j] = best
    return cost[0, n - 1]


@programs.smooth(np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.5, 2.2, 4.0]))
def time_warping(a, b):
    n, m = len(a), len(b)
    d = np.full((n + 1, m + 1), np.inf)
    d[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = (a[i - 1] - b[j - 1]) ** 2
            d[i, j] = cost + min(d[i - 1, j], d[i, j - 1], d[i - 1, j - 1])
    return d[n, m]


@programs(np.array([0, 1, 0, 1]))
def viterbi(observed):
    transition = np.log(np.array([[0.7, 0.3], [0.4, 0.6]]))
    emission = np.log(np.array([[0.9, 0.1], [0.2, 0.8]]))
    score = np.log(np.array([0.6, 0.4])) + emission[:, observed[0]]
    back = np.zeros((len(observed), 2), dtype=int)
    for t in range(1, len(observed)):
        candidates = score[:, None] + transition
        back[t] = np.argmax(candidates, axis=0)
        score = np.max(candidates, axis=0) + emission[:, observed[t]]
    path = np.zeros(len(observed), dtype=int)
    path[-1] = np.argmax(score)
    for t in range(len(observed) - 2, -1, -1):
        path[t] = back[t + 1, path[t + 1]]
    return path


@programs(np.array([[0, 0, 0, 0], [0, 1, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]]), 3)
def game_of_life(grid, generations):
    for _ in range(generations):
        new = np.zeros_like(grid)
        for i in range(grid.shape[0]):
            for j in range(grid.shape[1]):
                neighbours = 0
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        if di == 0 and dj == 0:
                            continue
                        r, c = (i + di) % grid.shape[0], (j + dj) % grid.shape[1]
                        neighbours += grid[r, c]
                if (grid[i, j] == 1 and neighbours in (2, 3)) or (
                    grid[i, j] == 0 and neighbours == 3
                ):
                    new[i, j] = 1
        grid = new
    return grid


@programs(np.array([[0.0, 0.1], [0.2, 0.0], [5.0, 5.1], [4.9, 5.2]]), 2)
def k_means(points, k):
    centres = points[:k].copy()
    for _ in range(10):
        labels = np.zeros(len(points), dtype=int)
        for i in range(len(points)):
            labels[i] = np.argmin(np.sum((centres - points[i]) ** 2, axis=1))
        new = np.zeros_like(centres)
        for c in range(k):
            mask = labels == c
            size = np.sum(mask)
            if size > 0:
                new[c] = np.sum(np.where(mask[:, None], points, 0.0), axis=0) / size
            else:
                new[c] = centres[c]
        if np.allclose(new, centres):
            break
        centres = new
    return centres, labels


@programs(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), 3)
def moving_average(x, width):
    out = np.empty(len(x) - width + 1)
    for i in range(len(out)):
        out[i] = x[i : i + width].mean()
    return out


@programs.smooth(np.array([1.0, 2.0, 3.0]))
def cumulative_products(x):
    out = np.empty_like(x)
    product = 1.0
    for i in range(len(x)):
        product *= x[i]
        out[i] = product
    return np.sum(out)


@programs(np.array([1.0, 2.0, 3.0, 4.0, 0.5, -1.0, 0.0, 2.0]))
def fourier_by_recursion(x):
    def fft(x):
        n = len(x)
        if n == 1:
            return x.astype(complex)
        even, odd = fft(x[::2]), fft(x[1::2])
        twiddled = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
        return np.concatenate([even + twiddled, even - twiddled])

    return fft(x)


# -- models ----------------------------------------------------------------------------------------


@programs.smooth(
    {"w": np.full((4, 5), 0.1), "b": np.zeros(4)},
    np.array([[0.1, 0.2, 0.3], [0.0, -0.4, 0.2], [0.3, 0.3, 0.3]]),
)
def small_lstm(params, inputs):
    h, c = np.zeros(1), np.zeros(1)
    for x in inputs:
        joined = np.concatenate([x, h, np.ones(1)])
        z = params["w"] @ joined + params["b"]
        i, f, o = 1 / (1 + np.exp(-z[:1])), 1 / (1 + np.exp(-z[1:2])), 1 / (1 + np.exp(-z[2:3]))
        c = f * c + i * np.tanh(z[3:4])
        h = o * np.tanh(c)
    return np.sum(h)


@programs.smooth(np.array([0.1, 0.2]), np.array([1.0, 2.0, 2.9, 4.2]))
def kalman_filter(noise, measured):
    q, r = noise[0], noise[1]
    x = np.zeros(2)
    p = np.eye(2)
    f = np.array([[1.0, 1.0], [0.0, 1.0]])
    h = np.array([[1.0, 0.0]])
    cost = 0.0
    for z in measured:
        x = f @ x
        p = f @ p @ f.T + q * np.eye(2)
        y = z - h @ x
        s = h @ p @ h.T + r
        k = p @ h.T / s
        x = x + (k @ y[:, None])[:, 0]
        p = (np.eye(2) - k @ h) @ p
        cost = cost + (y @ y) / s[0, 0] + np.log(s[0, 0])
    return cost
