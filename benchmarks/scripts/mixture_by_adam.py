"""A mixture of Gaussians by gradients: means, scales and weights."""

import numpy as onp
from either import adam, np, value_and_grad

rng = onp.random.default_rng(6)
data = onp.concatenate(
    [rng.normal(size=(80, 2)) * s + m for s, m in ((0.5, -2), (1.0, 1), (0.3, 3))]
)
K = 3


def unpack(theta):
    return theta[: 2 * K].reshape((K, 2)), theta[2 * K : 3 * K], theta[3 * K :]


def loss(theta, k):
    means, scales, weights = unpack(theta)
    d = data[:, None, :] - means[None, :, :]
    logp = -0.5 * np.sum(d**2, axis=2) * np.exp(-2 * scales) - 2 * scales
    logw = weights - np.log(np.sum(np.exp(weights)))
    a = logp + logw
    m = np.max(a, axis=1)
    return -np.mean(m + np.log(np.sum(np.exp(a - m[:, None]), axis=1)))


theta = 0.5 * rng.normal(size=4 * K)
theta = adam(value_and_grad(loss), theta, 100, 0.05, 25)
print(theta.round(4))
