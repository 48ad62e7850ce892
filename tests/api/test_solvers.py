"""Whole programs as people write them: numerical methods and simulations."""

import numpy as np

from tests.support.oracle import Programs

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
