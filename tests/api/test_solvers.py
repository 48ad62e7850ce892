"""Whole programs as people write them: numerical methods, simulations, algorithms on arrays."""

import numpy as np
from oracle import Programs

programs = Programs()


@programs.test
def test_program(call):
    call.run()


# -- roots and optimisation ------------------------------------------------------------------------


@programs.smooth(2.0)
@programs.smooth(np.float64(9.0))
def newton_sqrt(a):
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


@programs(2.0)
@programs(7.5)
def bisection(a):
    low, high = 0.0, a
    while high - low > 1e-10:
        middle = (low + high) / 2
        if middle**3 < a:
            low = middle
        else:
            high = middle
    return (low + high) / 2


@programs.smooth(2.0)
def secant(a):
    x0, x1 = 1.0, 2.0
    f0 = x0 * x0 - a
    for _ in range(20):
        f1 = x1 * x1 - a
        if abs(f1) < 1e-13:
            break
        x0, x1 = x1, x1 - f1 * (x1 - x0) / (f1 - f0)
        f0 = f1
    return x1


@programs(np.array([3.0, -2.0]))
def descent_with_early_stop(x):
    best = np.inf
    patience = 0
    for step in range(200):
        gradient = 2 * (x - np.array([1.0, 2.0]))
        x = x - 0.1 * gradient
        loss = np.sum((x - np.array([1.0, 2.0])) ** 2)
        if loss < best - 1e-9:
            best = loss
            patience = 0
        else:
            patience += 1
            if patience == 3:
                break
    return x, step, best


@programs(np.array([3.0, -2.0]))
def line_search(x):
    def f(z):
        return np.sum(z**4) + np.sum(z**2)

    for _ in range(10):
        g = 4 * x**3 + 2 * x
        t = 1.0
        while f(x - t * g) > f(x) - 0.5 * t * np.sum(g * g):
            t *= 0.5
        x = x - t * g
    return x


@programs(np.array([1.0, 0.5, -0.3]), np.linspace(0.01, 0.99, 40))
def annealing(x, randoms):
    def energy(z):
        return np.sum(z**2) + np.sum(np.cos(3 * z))

    best, best_energy = x.copy(), energy(x)
    temperature = 1.0
    for k, u in enumerate(randoms):
        i = k % len(x)
        candidate = x.copy()
        candidate[i] += u - 0.5
        delta = energy(candidate) - energy(x)
        if delta < 0 or u < np.exp(-delta / temperature):
            x = candidate
            if energy(x) < best_energy:
                best = x.copy()
                best_energy = energy(x)
        temperature *= 0.95
    return best, best_energy


# -- linear algebra --------------------------------------------------------------------------------

A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, -0.2], [0.5, -0.2, 5.0]])
B = np.array([1.0, 2.0, -1.0])


@programs(A, B)
def conjugate_gradient(a, b):
    x = np.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    rs = r @ r
    for _ in range(len(b) * 3):
        ap = a @ p
        alpha = rs / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        new = r @ r
        if np.sqrt(new) < 1e-12:
            break
        p = r + (new / rs) * p
        rs = new
    return x


@programs.smooth(A)
def power_iteration(a):
    v = np.ones(a.shape[0])
    for _ in range(30):
        w = a @ v
        v = w / np.sqrt(np.sum(w * w))
    return v @ a @ v


@programs(A)
def lu_by_loops(a):
    n = a.shape[0]
    upper = a.copy()
    lower = np.eye(n)
    for k in range(n):
        for i in range(k + 1, n):
            lower[i, k] = upper[i, k] / upper[k, k]
            for j in range(k, n):
                upper[i, j] -= lower[i, k] * upper[k, j]
    return lower, upper


@programs.smooth(A)
def log_determinant_by_elimination(a):
    u = a.copy()
    n = len(u)
    total = 0.0
    for k in range(n):
        for i in range(k + 1, n):
            u[i] = u[i] - u[k] * (u[i, k] / u[k, k])
        total += np.log(u[k, k])
    return total


@programs(A, B)
def gauss_seidel(a, b):
    n = len(b)
    x = np.zeros(n)
    change = 1.0
    count = 0
    while change > 1e-10 and count < 100:
        change = 0.0
        for i in range(n):
            s = b[i]
            for j in range(n):
                if j != i:
                    s -= a[i, j] * x[j]
            new = s / a[i, i]
            change = max(change, abs(new - x[i]))
            x[i] = new
        count += 1
    return x, count


@programs(A, B)
def pivoted_solve(a, b):
    a = a.copy()
    b = b.copy()
    n = len(b)
    for k in range(n):
        p = k
        for i in range(k, n):
            if abs(a[i, k]) > abs(a[p, k]):
                p = i
        if p != k:
            row = a[k].copy()
            a[k] = a[p]
            a[p] = row
            b[k], b[p] = b[p], b[k]
        for i in range(k + 1, n):
            m = a[i, k] / a[k, k]
            a[i] -= m * a[k]
            b[i] -= m * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - a[i] @ x) / a[i, i]
    return x


@programs(np.array([[0.0, 1, 1], [1, 0, 0], [0, 1, 0]]))
def pagerank(links):
    n = len(links)
    out = links.sum(axis=0)
    m = links / np.where(out == 0, 1, out)
    r = np.ones(n) / n
    for _ in range(100):
        new = 0.15 / n + 0.85 * (m @ r)
        if np.abs(new - r).sum() < 1e-9:
            r = new
            break
        r = new
    return r


# -- differential equations ------------------------------------------------------------------------


@programs.smooth(np.array([1.0, 0.0]))
def runge_kutta(y):
    def f(t, y):
        return np.array([y[1], -y[0] + 0.1 * t])

    t, h = 0.0, 0.1
    for _ in range(20):
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h / 2 * k1)
        k3 = f(t + h / 2, y + h / 2 * k2)
        k4 = f(t + h, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += h
    return y[0] * y[0] + y[1]


@programs(1.5)
@programs(np.float64(0.2))
def adaptive_step(rate):
    t, y, h = 0.0, 1.0, 0.5
    steps, rejected = 0, 0
    while t < 2.0:
        h = min(h, 2.0 - t)
        euler = y + h * (-rate * y)
        middle = y + h / 2 * (-rate * y)
        better = middle + h / 2 * (-rate * middle)
        error = abs(better - euler)
        if error > 1e-3:
            h = h / 2
            rejected += 1
            continue
        t = t + h
        y = better
        steps += 1
        if error < 1e-4:
            h *= 2
    return y, steps, rejected


@programs(np.array([0.0, 0.0, 1.0, 0.0, 0.0]), 50)
@programs(np.array([0.0, 0.0, 1.0, 0.0, 0.0]), 0)
def heat_with_buffer_swap(u, steps):
    old, new = u.copy(), np.empty_like(u)
    for _ in range(steps):
        for i in range(1, len(u) - 1):
            new[i] = old[i] + 0.1 * (old[i - 1] - 2 * old[i] + old[i + 1])
        new[0] = old[0]
        new[-1] = old[-1]
        old, new = new, old
    return old


@programs.smooth(np.array([0.0, 0.3, 1.0, 0.2, 0.0]))
def heat_by_slices(u):
    u = u.copy()
    for _ in range(10):
        u[1:-1] += 0.1 * (u[:-2] - 2 * u[1:-1] + u[2:])
    return np.sum(u**2)


@programs.smooth(np.array([[0.0, 0.0], [1.0, 0.1], [0.2, 1.5]]), np.zeros((3, 2)))
def n_body(x, v):
    n = len(x)
    for _ in range(5):
        a = np.zeros_like(x)
        for i in range(n):
            for j in range(n):
                if i != j:
                    d = x[j] - x[i]
                    a[i] += d / (np.sum(d * d) + 0.1) ** 1.5
        v = v + 0.01 * a
        x = x + 0.01 * v
    return np.sum(x * x)


# -- fractals and numbers --------------------------------------------------------------------------


@programs(np.linspace(-2, 1, 7), np.linspace(-1, 1, 5))
def mandelbrot(xs, ys):
    counts = np.zeros((len(ys), len(xs)), dtype=int)
    for i, y in enumerate(ys):
        for j, x in enumerate(xs):
            zr, zi, n = 0.0, 0.0, 0
            while zr * zr + zi * zi <= 4.0 and n < 30:
                zr, zi = zr * zr - zi * zi + x, 2 * zr * zi + y
                n += 1
            counts[i, j] = n
    return counts


@programs(complex(0.3, 0.5))
@programs(complex(0.0, 0.0))
def escape_time(c):
    z = 0j
    for n in range(50):
        if abs(z) > 2:
            return n
        z = z * z + c
    return 50


@programs(27)
@programs(1)
def collatz(n):
    steps, top = 0, n
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        top = max(top, n)
        steps += 1
    return steps, top


@programs(50)
def sieve(n):
    prime = np.ones(n + 1, dtype=bool)
    prime[:2] = False
    i = 2
    while i * i <= n:
        if prime[i]:
            for j in range(i * i, n + 1, i):
                prime[j] = False
        i += 1
    return prime


@programs(30)
@programs(1)
def trial_division(limit):
    found = np.zeros(20, dtype=np.int64)
    count = 0
    candidate = 2
    while candidate <= limit:
        is_prime = True
        for k in range(count):
            p = found[k]
            if p * p > candidate:
                break
            if candidate % p == 0:
                is_prime = False
                break
        if is_prime:
            found[count] = candidate
            count += 1
        candidate += 1
    return found, count


@programs(48, 36)
@programs(7, 0)
@programs(-48, 36)
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


@programs(10)
@programs(0)
def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@programs.smooth(0.7)
def continued_fraction(x):
    value = x
    for k in range(10, 0, -1):
        value = k + x / value
    return value


@programs.smooth(np.array([1.0, -2.0, 0.5]), 0.3)
def horner(coefficients, x):
    result = 0.0
    for c in coefficients:
        result = result * x + c
    return result


@programs(np.pi)
@programs(0.25)
def rational_approximation(x):
    a, b, c, d = 0, 1, 1, 1
    while b + d <= 50:
        m = (a + c) / (b + d)
        if x == m:
            return a + c, b + d
        elif x > m:
            a, b = a + c, b + d
        else:
            c, d = a + c, b + d
        if c > 4 * d:
            break
    else:
        return a, b
    return c, d


@programs.smooth(0.8)
def sine_series(x):
    term, total, k = x, 0.0, 1
    while abs(term) > 1e-16:
        total += term
        term = -term * x * x / ((k + 1) * (k + 2))
        k += 2
    return total


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
