"""A convolutional network by im2col."""

import numpy as onp
from either import np, value_and_grad

rng = onp.random.default_rng(9)
N, S, K, C = 32, 12, 3, 6
images = rng.normal(size=(N, S, S))
labels = (images[:, 3:6, 3:6].sum((1, 2)) > 0).astype(int)
out = S - K + 1
rows = (onp.arange(out)[:, None] + onp.arange(K)[None, :])[:, None, :, None]
cols = (onp.arange(out)[:, None] + onp.arange(K)[None, :])[None, :, None, :]
patches = images[:, rows, cols].reshape(N, out * out, K * K)
params = [
    0.3 * rng.normal(size=(K * K, C)),
    onp.zeros(C),
    0.1 * rng.normal(size=(C * 25, 2)),
    onp.zeros(2),
]


def loss(params):
    W, b, V, c = params
    h = np.maximum(np.matmul(patches, W) + b, 0.0)
    h = np.reshape(h, (N, 5, 2, 5, 2, C))
    h = np.max(np.max(h, axis=4), axis=2)
    z = np.dot(np.reshape(h, (N, -1)), V) + c
    z = z - np.max(z, axis=1, keepdims=True)
    logp = z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))
    return -np.mean(logp[onp.arange(N), labels])


both = value_and_grad(loss)
for it in range(30):
    value, g = both(params)
    params = [p - 0.1 * d for p, d in zip(params, g)]
    if it % 10 == 0:
        print(it, round(float(value), 5))
