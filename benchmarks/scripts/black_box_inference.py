"""Black-box variational inference of a skewed density."""

import numpy as onp
from either import adam, np, value_and_grad

rng = onp.random.default_rng(8)


def log_density(z):
    mu, log_sigma = z[:, 0], z[:, 1]
    a = -0.5 * (log_sigma / 1.35) ** 2
    return a - 0.5 * (mu / np.exp(log_sigma)) ** 2 - log_sigma


def loss(theta, k):
    mean, log_std = theta[:2], theta[2:]
    samples = noise * np.exp(log_std) + mean
    return -(np.sum(log_std) + np.mean(log_density(samples)))


noise = rng.normal(size=(500, 2))
theta = adam(value_and_grad(loss), onp.array([-1.0, -1.0, -3.0, -3.0]), 120, 0.05, 40)
print(theta.round(4))
