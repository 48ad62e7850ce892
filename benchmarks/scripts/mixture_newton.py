"""A mixture of Gaussians by gradients and Hessian products (Newton-CG)."""

from either import grad, np, value_and_grad

rng = np.random.RandomState(0)
K, D = 5, 2
data = np.concatenate([rng.randn(60, D) * 0.4 + 3 * rng.randn(D) for _ in range(K)])


def logsumexp(x, axis):
    top = np.max(x, axis=axis, keepdims=True)
    return np.squeeze(top, axis) + np.log(np.sum(np.exp(x - top), axis=axis))


def unpack(flat):
    weights = flat[:K]
    means = np.reshape(flat[K : K + K * D], (K, D))
    roots = np.reshape(flat[K + K * D :], (K, D, D))
    return weights, means, roots


def log_likelihood(flat):
    weights, means, roots = unpack(flat)
    log_weights = weights - logsumexp(weights, 0)
    parts = []
    for k in range(K):
        z = np.dot(data - means[k], roots[k])
        parts.append(
            log_weights[k] - 0.5 * np.sum(z**2, axis=1) + np.log(np.abs(np.linalg.det(roots[k])))
        )
    return np.sum(logsumexp(np.stack(parts), 0)) - len(data) * D / 2 * np.log(2 * np.pi)


def objective(flat):
    return -log_likelihood(flat) / len(data)


vg = value_and_grad(objective)
product = grad(lambda flat, v: np.dot(grad(objective)(flat), v))
flat = np.concatenate([0.1 * rng.randn(K), rng.randn(K * D), np.tile(np.eye(D).ravel(), K)])
for i in range(25):
    value, g = vg(flat)
    p, r = np.zeros_like(flat), -g
    d = r
    for _ in range(8):
        h = product(flat, d)
        c = np.dot(d, h)
        if c <= 0:
            if not np.any(p):
                p = -g
            break
        a = np.dot(r, r) / c
        p, fresh = p + a * d, r - a * h
        d = fresh + np.dot(fresh, fresh) / np.dot(r, r) * d
        r = fresh
    t = 1.0
    while objective(flat + t * p) > value + 1e-4 * t * np.dot(g, p) and t > 1e-6:
        t *= 0.5
    flat = flat + t * p
    if i % 5 == 0:
        print(i, f"{value:.6f}")
print(f"{objective(flat):.6f}")
