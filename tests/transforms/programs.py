"""Programs with control flow of which several tests take derivatives."""

import numpy as np


def newton_sqrt(a):
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


def power(x, n):
    y = 1.0
    for _ in range(n):
        y = y * x
    return y


def factorial_like(x):
    if x <= 1.0:
        return x * x
    return x * factorial_like(x - 1.0)


def tree(x, depth):
    if depth == 0:
        return np.sin(x)
    return tree(x * 0.5, depth - 1) * tree(x + 1.0, depth - 1)


def in_a_while(x, sine):
    while np.abs(x) < 10.0:
        x = 2.0 * sine(x) + 3.0 * x
    return x


def in_a_for(x, sine):
    total = 0.0
    for i in range(4):
        total = total + sine(x) * i
        x = sine(total)
    return total + x


def in_a_branch(x, sine):
    y = x * x
    if y > 0.1:
        y = sine(y) + x
    else:
        y = sine(x * 0.5)
    return y


def recursive(x, sine):
    if x > 5.0:
        return sine(x)
    return x * recursive(0.1 * sine(x) + x + 1.0, sine)


def sine_with_slope(slope):
    """A function of complex numbers whose derivative, taken in complex steps, is such."""
    return lambda z: np.complex128(complex(np.sin(z.real), slope * np.cos(z.real) * z.imag))


def root(a):
    x = a
    while np.any(abs(x * x - a) > 1e-12):
        x = 0.5 * (x + a / x)
    return x


def branching(x):
    y = np.zeros(3)
    for i in range(3):
        if x[i] > 1:
            y[i] = np.log(x[i]) * x[0]
        else:
            y[i] = x[i] ** 3
    return y


def smooth_counted(x, n):
    for _ in range(n):
        x = x + 0.001 * np.sin(x)
    return np.sum(x)


def smooth_uncounted(x, n):
    i = 0
    while i < n:
        x = x + 0.001 * np.sin(x)
        i += 1
    return np.sum(x)
