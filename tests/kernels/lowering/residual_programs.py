"""Functions with loops and branches whose derivatives leave residuals of all kinds."""

import numpy as np

import autograph as ag

X = np.array([0.5, -0.3, 0.8])
LONG = np.cos(np.arange(300.0)) * 0.3


def mixing(x):
    """A matrix."""
    return x[:, None] * np.cos(x + 0.5)


def fixed_point(c):
    x = np.zeros(3)
    w = mixing(c)
    d = 1.0
    while d > 1e-10:
        y = np.tanh(w @ x + c)
        d = np.max(np.abs(y - x))
        x = y
    return np.sum(x)


def recurrent_list(xs):
    h = np.zeros(3)
    for x in xs:
        h = np.tanh(mixing(x) @ h + x * h[0])
    return np.sum(h * h)


def nested(x):
    h = np.ones(3)
    for i in range(3):
        z = h
        while np.sum(z * z) > 0.5 + 0.1 * i:
            z = z * 0.7 * np.cos(x)
        h = h + np.sin(z) * x
    return np.sum(h)


def leaves_early(x):
    s = np.ones(3)
    for i in range(8):
        s = s + x * x * np.sin(s)
        if np.sum(s) > 6.0:
            break
        if i == 2:
            continue
        s = s * 1.1
        if s[0] > 3.0:
            return np.sum(s) * x[0]
    return np.sum(s * s)


def branches(x):
    """What the branches leave differs in type."""
    h = x
    s = 0.0
    for k in range(5):
        if np.sum(h) > 0.2 * k:
            h = np.tanh(mixing(x) @ h) * x
        else:
            z = np.sum(h * x)
            s = s + z * z
            h = h + np.cos(z) * x
    return np.sum(h) * s + np.sum(h * h)


def one_branch(x):
    if np.sum(x) > 0.4:
        y = x * np.exp(x)
    else:
        y = np.sin(x) * 0.3
    return np.sum(y * y)


def descent(x):
    def inner(w):
        h = x
        for _ in range(3):
            h = np.tanh(w * h + x)
        return np.sum(h * h)

    w = x * 0.3
    for _ in range(3):
        w = w - 0.1 * ag.grad(inner)(w)
    return np.sum(w * w)


def checkpointed(x):
    step = ag.checkpoint(lambda x: np.sin(x) * 0.9 + 0.1 * x * x)
    for _ in range(4):
        x = step(x)
    return np.sum(x * x)


def in_single(x):
    h = x.astype(np.float32)
    for _ in range(4):
        h = np.sin(h) * np.float32(1.5) + h * h
    return np.sum(h * x)


# -- residuals that are used twice: the cotangents are sums ----------------------------------------


def loop(x):
    h = x * 0 + 1.0
    for _ in range(3):
        h = np.sin(h * x) * 0.8 + x
    return h


def three_pulls(x):
    y, pull = ag.vjp(loop, x)
    (a,) = pull(np.cos(y))
    (b,) = pull(a * y)
    (c,) = pull(b * y)
    return np.sum(np.tanh(a * b * c))


def pulls_in_a_loop(x):
    y, pull = ag.vjp(loop, x)
    v = y * 1.0
    n = 0
    while np.sum(v * v) > 0.01 and n < 5:
        (v,) = pull(np.sin(v) * 0.6)
        n += 1
    return np.sum(v * y)


def pulls_of_branches(x):
    def f(x):
        y = x
        for _ in range(3):
            if np.sum(y) > 0.3:
                y = y * 0.8 * np.cos(x)
            elif np.max(y) > 0.1:
                y = np.sin(y) + x
            else:
                y = y * 0.3 * np.sum(y) + np.cos(x)
        return y

    y, pull = ag.vjp(f, x)
    (a,) = pull(y)
    if np.sum(a) > 0.3:
        (b,) = pull(a)
    else:
        (b,) = pull(y * y)
    return np.sum(a * b)


def pulls_of_nested_loops(x):
    def f(x):
        h = x
        for i in range(3):
            z = h
            for _ in range(i + 1):
                z = np.cos(z) * x
            h = h + 0.5 * z * h
        return h

    y, pull = ag.vjp(f, x)
    (a,) = pull(y)
    (b,) = pull(a)
    return np.sum(np.tanh(a * b * y))


def second_order(x):
    def first(x):
        return np.sum(np.sin(loop(x)))

    return np.sum(np.tanh(ag.grad(first)(x)))


PLAIN = [
    *(fixed_point, nested, leaves_early, branches, one_branch),
    *(descent, checkpointed, in_single),
]
SUMS = [three_pulls, pulls_in_a_loop, pulls_of_branches, pulls_of_nested_loops, second_order]
