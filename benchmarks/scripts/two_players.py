"""Two players: a generator and a discriminator of numbers."""

import numpy as onp
from either import grad, np

rng = onp.random.default_rng(5)


def net(params, x):
    for W, b in params[:-1]:
        x = np.tanh(np.dot(x, W) + b)
    W, b = params[-1]
    return np.dot(x, W) + b


def init(sizes):
    return [(0.3 * rng.normal(size=(m, n)), onp.zeros(n)) for m, n in zip(sizes, sizes[1:])]


def softplus(x):
    return np.logaddexp(0.0, x)


def d_loss(d, g, z, real):
    return np.mean(softplus(-net(d, real))) + np.mean(softplus(net(d, net(g, z))))


def g_loss(g, d, z):
    return np.mean(softplus(-net(d, net(g, z))))


d, g = init([1, 16, 16, 1]), init([2, 16, 1])
grad_d, grad_g = grad(d_loss), grad(g_loss)
for it in range(60):
    z, real = rng.normal(size=(64, 2)), 2.0 + 0.5 * rng.normal(size=(64, 1))
    d = [(W - 0.1 * a, b - 0.1 * c) for (W, b), (a, c) in zip(d, grad_d(d, g, z, real))]
    g = [(W - 0.1 * a, b - 0.1 * c) for (W, b), (a, c) in zip(g, grad_g(g, d, z))]
    if it % 20 == 0:
        print(it, round(float(d_loss(d, g, z, real)), 5), round(float(g_loss(g, d, z)), 5))
