"""A differential equation with a network on its right side, fitted to a spiral."""

from either import np, value_and_grad

rng = np.random.RandomState(0)
A = np.array([[-0.1, 2.0], [-2.0, -0.1]])
steps, dt = 30, 0.05


def true(y):
    return np.dot(y**3, A)


def rk4(f, y):
    k1 = f(y)
    k2 = f(y + 0.5 * dt * k1)
    k3 = f(y + 0.5 * dt * k2)
    k4 = f(y + dt * k3)
    return y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def network(params, y):
    (w1, b1), (w2, b2) = params
    return np.dot(np.tanh(np.dot(y**3, w1) + b1), w2) + b2


def loss(params, start, target):
    y, total = start, 0.0
    for t in range(steps):
        y = rk4(lambda u: network(params, u), y)
        total = total + np.mean(np.abs(y - target[t]))
    return total / steps


start = np.array([[2.0, 0.0], [0.0, 1.5], [1.0, 1.0]])
y, path = start, []
for _ in range(steps):
    y = rk4(true, y)
    path.append(y)
target = np.stack(path)
params = [(0.1 * rng.randn(2, 20), np.zeros(20)), (0.1 * rng.randn(20, 2), np.zeros(2))]
flat = lambda p: [leaf for layer in p for leaf in layer]
vg = value_and_grad(loss)
cache = [np.zeros_like(p) for p in flat(params)]
for i in range(40):
    value, g = vg(params, start, target)
    cache = [0.9 * c + 0.1 * d**2 for c, d in zip(cache, flat(g))]
    fresh = [p - 0.01 * d / (np.sqrt(c) + 1e-7) for p, d, c in zip(flat(params), flat(g), cache)]
    params = [(fresh[0], fresh[1]), (fresh[2], fresh[3])]
    if i % 10 == 0:
        print(i, f"{value:.6f}")
