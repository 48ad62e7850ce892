"""The likelihood of a Kalman filter, maximised by BFGS."""

import numpy as onp
from either import np, value_and_grad

rng = onp.random.default_rng(1)
level = onp.cumsum(0.3 * rng.normal(size=60))
seen = level + 0.5 * rng.normal(size=60)
F = onp.array([[1.0, 1.0], [0.0, 1.0]])
H = onp.array([[1.0, 0.0]])


def loss(theta):
    Q = np.exp(theta[0]) * onp.array([[0.25, 0.5], [0.5, 1.0]])
    R = np.exp(theta[1])
    m, P = onp.zeros(2), onp.eye(2) * 10.0
    total = 0.0
    for t in range(60):
        m = np.dot(F, m)
        P = np.dot(np.dot(F, P), F.T) + Q
        S = np.dot(np.dot(H, P), H.T)[0, 0] + R
        r = seen[t] - m[0]
        total = total + 0.5 * (np.log(S) + r**2 / S)
        K = P[:, 0] / S
        m = m + K * r
        P = P - np.outer(K, P[0])
    return total


def bfgs(f, x, steps):
    value, g = f(x)
    B = onp.eye(len(x))
    for _ in range(steps):
        d = -B @ g
        a = 1.0
        while True:
            new, g1 = f(x + a * d)
            if new <= value + 1e-4 * a * (g @ d) or a < 1e-8:
                break
            a *= 0.5
        s, yk = a * d, g1 - g
        x, value, g = x + s, new, g1
        if s @ yk > 1e-12:
            rho = 1.0 / (s @ yk)
            V = onp.eye(len(x)) - rho * onp.outer(s, yk)
            B = V @ B @ V.T + rho * onp.outer(s, s)
    return x, value


x, value = bfgs(value_and_grad(loss), onp.array([0.0, 0.0]), 12)
print(x.round(4), round(float(value), 5))
