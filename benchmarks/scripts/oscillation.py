"""A neural differential equation by Euler steps, fitted to a damped oscillation."""

import numpy as onp
from either import np, value_and_grad

rng = onp.random.default_rng(3)
ts = onp.linspace(0, 3, 31)
target = onp.stack([onp.exp(-0.3 * ts) * onp.cos(2 * ts), onp.exp(-0.3 * ts) * onp.sin(2 * ts)], 1)
params = [0.5 * rng.normal(size=s) for s in ((2, 16), (16,), (16, 2), (2,))]


def field(params, y):
    W, b, V, c = params
    return np.dot(np.tanh(np.dot(y, W) + b), V) + c


def loss(params):
    y, total = target[0], 0.0
    for t in range(30):
        y = y + 0.1 * field(params, y)
        total = total + np.sum((y - target[t + 1]) ** 2)
    return total / 30


both = value_and_grad(loss)
for it in range(60):
    value, g = both(params)
    params = [p - 0.05 * d for p, d in zip(params, g)]
    if it % 20 == 0:
        print(it, round(float(value), 5))
