"""Bayesian logistic regression by Hamiltonian Monte Carlo."""

import numpy as onp
from either import grad, np

rng = onp.random.default_rng(0)
X = rng.normal(size=(200, 5))
y = (X @ onp.array([1.0, -2.0, 0.5, 0.0, 1.5]) + 0.3 * rng.normal(size=200) > 0) * 1.0


def potential(w):
    z = np.dot(X, w)
    return -np.sum(y * z - np.log(1.0 + np.exp(z))) + 0.5 * np.sum(w**2)


def leapfrog(gradient, w, p, step, steps):
    p = p - 0.5 * step * gradient(w)
    for _ in range(steps - 1):
        w = w + step * p
        p = p - step * gradient(w)
    w = w + step * p
    return w, p - 0.5 * step * gradient(w)


gradient = grad(potential)
w, kept, accepted = onp.zeros(5), [], 0
for _ in range(100):
    p0 = rng.normal(size=5)
    w1, p1 = leapfrog(gradient, w, p0, 0.05, 10)
    change = potential(w1) + 0.5 * p1 @ p1 - potential(w) - 0.5 * p0 @ p0
    if onp.log(rng.uniform()) < -change:
        w, accepted = w1, accepted + 1
    kept.append(w)
print(accepted, onp.mean(kept, axis=0).round(5))
