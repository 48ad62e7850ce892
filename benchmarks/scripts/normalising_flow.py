"""A normalising flow of coupling layers, fitted to two moons."""

import numpy as onp
from either import np, value_and_grad

rng = onp.random.default_rng(4)
a = onp.pi * rng.uniform(size=300)
flip = rng.integers(0, 2, size=300)
data = onp.stack([onp.cos(a) * (1 - 2 * flip) + flip, onp.sin(a) * (1 - 2 * flip) + 0.5 * flip], 1)
data = data + 0.1 * rng.normal(size=data.shape)
params = [
    [0.1 * rng.normal(size=(1, 16)), onp.zeros(16), 0.1 * rng.normal(size=(16, 2)), onp.zeros(2)]
    for _ in range(4)
]


def nll(params):
    x, logdet = data, 0.0
    for i, (W, b, V, c) in enumerate(params):
        keep, move = x[:, i % 2 : i % 2 + 1], x[:, 1 - i % 2 : 2 - i % 2]
        out = np.dot(np.tanh(np.dot(keep, W) + b), V) + c
        s, t = np.tanh(out[:, :1]), out[:, 1:]
        move = move * np.exp(s) + t
        logdet = logdet + s[:, 0]
        x = np.concatenate([keep, move] if i % 2 == 0 else [move, keep], axis=1)
    return np.mean(0.5 * np.sum(x**2, axis=1) + np.log(2 * np.pi) - logdet)


both = value_and_grad(nll)
for it in range(60):
    value, g = both(params)
    params = [[p - 0.05 * d for p, d in zip(ps, ds)] for ps, ds in zip(params, g)]
    if it % 20 == 0:
        print(it, round(float(value), 5))
