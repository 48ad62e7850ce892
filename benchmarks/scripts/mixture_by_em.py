"""A mixture of Gaussians by expectation maximisation, forwards."""

from either import compiled, np


def log_gaussian(x, mean, cov):
    L = np.linalg.cholesky(cov)
    z = np.linalg.solve(L, (x - mean).T)
    return (
        -0.5 * np.sum(z**2, axis=0)
        - np.sum(np.log(np.diag(L)))
        - 0.5 * len(mean) * np.log(2 * np.pi)
    )


@compiled
def e_step(x, weights, means, covs):
    k = weights.shape[0]
    logs = np.zeros((x.shape[0], k))
    for j in range(k):
        logs[:, j] = np.log(weights[j]) + log_gaussian(x, means[j], covs[j])
    top = np.max(logs, axis=1, keepdims=True)
    total = top[:, 0] + np.log(np.sum(np.exp(logs - top), axis=1))
    return np.exp(logs - total[:, None]), np.sum(total)


@compiled
def m_step(x, r):
    n, d = x.shape
    k = r.shape[1]
    counts = np.sum(r, axis=0)
    means = (r.T @ x) / counts[:, None]
    covs = np.zeros((k, d, d))
    for j in range(k):
        c = x - means[j]
        covs[j] = (r[:, j][:, None] * c).T @ c / counts[j] + 1e-6 * np.eye(d)
    return counts / n, means, covs


rng = np.random.RandomState(0)
x = np.concatenate([rng.randn(700, 3) * (0.5 + i / 4) + 4 * rng.randn(3) for i in range(6)])
k = 6
weights, means = np.ones(k) / k, x[rng.choice(len(x), k, replace=False)]
covs = np.stack([np.eye(3)] * k)
for i in range(150):
    r, total = e_step(x, weights, means, covs)
    weights, means, covs = m_step(x, r)
    if i % 30 == 0:
        print(i, f"{total:.5f}")
print(np.round(means, 5))
