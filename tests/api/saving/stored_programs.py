"""The functions that were saved into `stored/`, and arguments to call them with."""

import numpy as np

WEIGHTS = np.array([[0.5, -1.0], [2.0, 0.25]])


def newton(a):
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


def running(x, steps):
    """Changes its argument, and gives a dict with a list of unknown length."""
    kept = []
    for i in range(steps):
        x[i % 3] += i
        if x[i % 3] > 2.0:
            kept.append(x[i % 3] * 2.0)
        else:
            x[0] = x[0] - 1.0
    return {"kept": kept, "x": x}


def power(x, n):
    if n == 0:
        return 1.0
    half = power(x, n // 2)
    return half * half * x if n % 2 else half * half


def layers(x, scale):
    """Constants, a product, a text in the result and an error."""
    y = np.tanh(x @ WEIGHTS) * scale
    if np.sum(y) > 100.0:
        raise ValueError("too large")
    return y, "tanh", (y > 0.0).sum(axis=0)


PROGRAMS = {
    "newton": (newton, (2.0,)),
    "running": (running, (np.array([0.0, 1.0, 2.0]), 5)),
    "power": (power, (1.5, 10)),
    "layers": (layers, (np.array([[1.0, 2.0], [3.0, -4.0]]), 0.5)),
}
