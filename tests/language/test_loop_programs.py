"""Programs with while loops, and with the else clauses of loops."""

import numpy as np

from tests.language.corpus import check_program
from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_program(call):
    check_program(call)


@programs.smooth(2.0)
@programs.smooth(0.3)
def heron(a):
    x = max(a, 1.0)
    while abs(x * x - a) > 1e-13 * a:
        x = 0.5 * (x + a / x)
    return x


@programs(27)
@programs(1)
@programs(6)
def collatz_length(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@programs(48, 36)
@programs(7, 13)
@programs(5, 0)
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


@programs(10)
@programs(0)
@programs(1)
def fibonacci(n):
    a, b = 0, 1
    while n > 0:
        a, b = b, a + b
        n -= 1
    return a


@programs.smooth(3.0, 0.0, 2.0)
@programs.smooth(1.3, 0.0, 2.0)
def bisection(target, low, high):
    while high - low > 1e-13:
        middle = 0.5 * (low + high)
        if middle * middle * middle < target:
            low = middle
        else:
            high = middle
    for _ in range(2):  # steps of Newton's method make the result differentiable, twice
        high = high - (high**3 - target) / (3 * high * high)
    return high


@programs(3, 200, 13)
@programs(2, 0, 5)
def power_modulo(base, exponent, modulus):
    result = 1
    base %= modulus
    while exponent > 0:
        if exponent & 1:
            result = result * base % modulus
        exponent >>= 1
        base = base * base % modulus
    return result


@programs.smooth(0.5, 1.0)
@programs.smooth(-0.2, 0.3)
def newton_with_fallback(a, x):
    steps = 0
    while True:
        f, slope = x**3 + x - a, 3 * x * x + 1
        if abs(f) < 1e-14 or steps > 50:
            break
        if abs(slope) > 1e-8:
            x = x - f / slope
        else:
            x = x + 0.1
        steps += 1
    return x


@programs(97)
@programs(91)
@programs(2)
@programs(1)
def is_prime(n):
    if n < 2:
        return False
    d = 2
    while d * d <= n:
        if n % d == 0:
            break
        d += 1
    else:
        return True
    return False


@programs(np.array([4, 8, 15, 16, 23]), 15)
@programs(np.array([4, 8, 15, 16, 23]), 5)
def linear_search(a, x):
    i = 0
    while i < len(a) and a[i] != x:
        i += 1
    else:
        print("searched")
    return i if i < len(a) else -1


@programs.smooth(np.array([1.0, 0.5]), 0.3)
@programs.smooth(np.array([-2.0, 1.5]), 0.05)
def gradient_descent(x, rate):
    a = np.array([[2.0, 0.5], [0.5, 1.0]])
    k = 0
    while k < 25:
        step = a @ x
        if np.sum(step * step) < 1e-12:
            break
        x = x - rate * step
        k += 1
    return np.sum(x * x) + np.sum(x)


@programs.smooth(np.array([2.0, -1.0]))
@programs.smooth(np.array([0.3, 0.1]))
def backtracking_line_search(x):
    def cost(z):
        return (1 - z[0]) ** 2 + 10 * (z[1] - z[0] ** 2) ** 2

    direction = -np.array([2 * (x[0] - 1), x[1]])
    t = 1.0
    while cost(x + t * direction) > cost(x) and t > 1e-6:
        t *= 0.5
    return cost(x + t * direction)


@programs.smooth(0.1, 1.0)
@programs.smooth(1.7, 0.5)
def adaptive_euler(y, end):
    t, h, rejected = 0.0, 0.1, 0
    while t < end:
        if t + h > end:
            h = end - t
        full = y + h * np.sin(y)
        half = y + 0.5 * h * np.sin(y)
        half = half + 0.5 * h * np.sin(half)
        error = abs(full - half)
        if error > 1e-3 and h > 1e-3:
            h *= 0.5
            rejected += 1
            continue
        y, t = half, t + h
        if error < 1e-4:
            h = h * 1.5
    return y


@programs(np.array([5, 3, 0, 2]))
@programs(np.array([0, 0, 0, 0]))
def digits_sum_repeatedly(digits):
    total = np.sum(digits)
    while total > 9:
        rest, total = total, 0
        while rest > 0:
            total += rest % 10
            rest //= 10
    return total


@programs.smooth(0.6, 0.5)
@programs.smooth(0.1, 0.9)
def kepler(mean, eccentricity):
    e = mean
    change = 1.0
    while abs(change) > 1e-14:
        change = (e - eccentricity * np.sin(e) - mean) / (1 - eccentricity * np.cos(e))
        e -= change
    return e


@programs(np.array([1.0, 2.0, 3.0]), 0)
@programs(np.array([1.0, 2.0, 3.0]), 3)
def loop_of_no_trips(x, n):
    last = -1.0
    while n > 0:
        n -= 1
        last = x[n]
    return last, n


@programs.smooth(np.array([0.2, 0.7, 0.1]))
def fixed_point_of_matrix(p):
    m = np.array([[0.9, 0.2, 0.1], [0.05, 0.7, 0.3], [0.05, 0.1, 0.6]])
    p = p / np.sum(p)
    old = p + 1.0
    while np.max(np.abs(p - old)) > 1e-3:
        old = p
        p = m @ p
    return p[0] + 2.0 * p[1]


@programs(100.0, 0.05, 150.0)
@programs(100.0, 0.05, 90.0)
def years_until(balance, interest, goal):
    years = 0
    while balance < goal:
        balance += balance * interest
        years += 1
        print("year", years)
    return years, balance


@programs(12, 30)
def nested_whiles(rows, columns):
    r = total = 0
    while r < rows:
        c = r
        while c < columns:
            c += r + 1
            total += c
            if total % 7 == 0:
                break
        else:
            total += 1000
        r += 1
    return total, r, c
