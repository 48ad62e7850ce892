"""A smoothing spline: its knots' values fitted with a penalty, by Newton's method."""

import numpy as onp
from either import grad, hessian, np

rng = onp.random.default_rng(11)
x = onp.sort(rng.uniform(0, 10, size=120))
y = onp.sin(x) + 0.2 * rng.normal(size=120)
knots = onp.linspace(-1, 11, 16)
d = (x[:, None] - knots[None, :]) / 0.8
basis = onp.where(
    abs(d) < 1, 2 / 3 - d**2 + 0.5 * abs(d) ** 3, onp.where(abs(d) < 2, (2 - abs(d)) ** 3 / 6, 0)
)


def loss(w):
    r = np.dot(basis, w) - y
    robust = np.sum(np.sqrt(1.0 + r**2) - 1.0)
    bend = w[2:] - 2 * w[1:-1] + w[:-2]
    return robust + 0.1 * np.sum(bend**2)


g, h = grad(loss), hessian(loss)
w = onp.zeros(16)
for it in range(6):
    w = w - onp.linalg.solve(h(w), g(w))
    print(it, round(float(loss(w)), 5))
print(w.round(4))
