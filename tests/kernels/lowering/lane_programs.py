"""Functions of one lane, and where to find them in a graph."""

import numpy as np

from autograph.graph.graph import walk

X = np.array([0.3, 4.0, 2.5, 0.01, 9.0])


def nodes_of(function, *args):
    """The nodes that hold functions of one lane, in the graph of ``function``."""
    module = function.graph(*args)
    return [n for g in (module.main, *module.graphs.values()) for n in walk(g) if is_lanes(n)]


def is_lanes(node):
    return node.op.name == "lanes"


def loops(node):
    return [n.op.name for n in walk(node.regions[0]) if n.op.name in ("while_loop", "for_loop")]


def newton(a):
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


def nested(x):
    """Loops in branches in loops."""
    n = 0
    while x > 0.5 and n < 20:
        if x > 2.0:
            y = x
            while y > 1.0:
                y = y / 3
                n += 1
            x = x - y
        else:
            x = x * 0.7
            n += 1
    return x, n


def with_breaks(x):
    total = 0.0
    for i in range(10):
        if total > x:
            break
        if i % 3 == 1:
            continue
        total = total + x / (i + 1)
    else:
        total = -total
    return total


def small_state(x):
    """A state of small arrays."""
    v = np.array([1.0, 0.0])
    while v[0] * v[0] + v[1] < x:
        v = np.array([v[0] + 0.5, v[1] * 0.5 + 1.0])
    return v


def counted(n):
    """Python's ints inside."""
    steps = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def per_lane_count(x, n):
    for _ in range(n):
        x = np.sin(x) + 0.5
    return x


def uniform_loop(x):
    for _ in range(7):
        x = x * 0.9 + 0.01 * np.cos(x)
    return x


FUNCTIONS = {f.__name__: f for f in (newton, nested, with_breaks, small_state, uniform_loop)}
