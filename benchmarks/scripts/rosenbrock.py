"""Newton's method with conjugate gradients on Rosenbrock's function."""

from either import grad, np


def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


gradient = grad(rosenbrock)
product = grad(lambda x, v: np.dot(gradient(x), v))


def direction(x, g):
    p = np.zeros_like(x)
    r = -g
    d = r
    for _ in range(60):
        if np.sqrt(np.dot(r, r)) < 1e-10:
            break
        h = product(x, d)
        curvature = np.dot(d, h)
        if curvature <= 0:
            return p if np.any(p) else -g
        a = np.dot(r, r) / curvature
        p = p + a * d
        fresh = r - a * h
        d = fresh + np.dot(fresh, fresh) / np.dot(r, r) * d
        r = fresh
    return p


x = np.linspace(-1.2, 1.0, 12)
for i in range(40):
    g = gradient(x)
    if np.max(np.abs(g)) < 1e-9:
        break
    p = direction(x, g)
    t = 1.0
    while rosenbrock(x + t * p) > rosenbrock(x) + 1e-4 * t * np.dot(g, p):
        t *= 0.5
    x = x + t * p
    if i % 5 == 0:
        print(i, f"{rosenbrock(x):.8f}")
print(np.round(x, 6))
