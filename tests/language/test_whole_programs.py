"""Programs as people write them: optimisers, nets, simulations, searches, controllers."""

import numpy as np

from tests.support.oracle import Programs

programs = Programs()


class Adam:
    def __init__(self, lr, shape):
        self.lr = lr
        self.m = np.zeros(shape)
        self.v = np.zeros(shape)
        self.t = 0

    def step(self, w, g):
        self.t += 1
        self.m = 0.9 * self.m + 0.1 * g
        self.v = 0.999 * self.v + 0.001 * g * g
        mh = self.m / (1 - 0.9**self.t)
        vh = self.v / (1 - 0.999**self.t)
        return w - self.lr * mh / (np.sqrt(vh) + 1e-8)


@programs.smooth(np.array([1.0, -2.0, 0.5]))
def train(w):
    opt = Adam(0.1, 3)
    losses = []
    for i in range(20):
        g = 2 * w * (1 + i * 0.01)
        w = opt.step(w, g)
        losses.append(np.sum(w * w))
        if losses[-1] < 0.5:
            break
    return np.sum(np.array(losses)) + losses[-1]


class Cell:
    def __init__(self, W, U):
        self.W = W
        self.U = U
        self.h = None

    def reset(self):
        self.h = None

    def __call__(self, x):
        if self.h is None:
            self.h = np.zeros(2)
        self.h = np.tanh(self.W @ x + self.U @ self.h)
        return self.h


@programs.smooth(np.array([[0.1, 0.2], [0.3, -0.4]]), np.arange(8.0).reshape(4, 2) / 8)
def rnn_class(W, xs):
    c = Cell(W, W.T * 0.5)
    outs = []
    for x in xs:
        outs.append(c(x))
    return np.sum(np.stack(outs) ** 2) + np.sum(c.h)


class Ball:
    def __init__(self, y, v):
        self.y, self.v, self.bounces = y, v, 0

    def step(self, dt):
        self.v -= 9.81 * dt
        self.y += self.v * dt
        if self.y < 0:
            self.y = -self.y
            self.v *= -0.8
            self.bounces += 1


@programs.smooth(1.3)
def ball(y0):
    b = Ball(y0, 0.0)
    t = 0.0
    while b.bounces < 3 and t < 3.0:
        b.step(0.01)
        t += 0.01
    return b.y * b.v + t


@programs(np.array([[0.0, 1.0], [1.0, 0.0], [5.0, 5.0], [6.0, 5.0]]))
def kmeans(X):
    cents = [X[0].copy(), X[2].copy()]
    labels = np.zeros(len(X), dtype=int)
    for it in range(5):
        changed = False
        for i in range(len(X)):
            best, bd = 0, np.inf
            for k in range(2):
                d = np.sum((X[i] - cents[k]) ** 2)
                if d < bd:
                    best, bd = k, d
            if labels[i] != best:
                labels[i] = best
                changed = True
        for k in range(2):
            m = labels == k
            if np.any(m):
                cents[k] = np.sum(X * m[:, None], axis=0) / np.sum(m)
        if not changed:
            break
    return labels, np.array(cents), it


@programs.smooth(0.7)
def newton_fallback(a):
    x = 1.0
    trace = []
    for it in range(50):
        f = x**3 - a
        d = 3 * x * x
        if abs(d) < 1e-8:
            x = x + 0.1
            continue
        nx = x - f / d
        trace.append(abs(nx - x))
        if abs(nx - x) < 1e-12:
            x = nx
            break
        x = nx
    else:
        raise RuntimeError("no convergence")
    return x * len(trace)


@programs(np.array([1, 0, 2, 2, 1]))
def viterbi_like(obs):
    paths = [(0.0, 0), (0.1, 1)]
    for o in obs:
        new = []
        for s in range(2):
            best = None
            for c, p in paths:
                v = c + (o == s) * 1.0 - 0.1 * abs(p - s)
                if best is None or v > best:
                    best = v
            new.append((best, s))
        paths = new
    return max(paths), paths


@programs.smooth(np.array([0.5, 0.2]))
def line_search(x):
    def f(z):
        return np.sum((z - 1.0) ** 4) + z[0] * z[1]

    hist = {"n": 0, "f": f(x)}
    for _ in range(5):
        g = 4 * (x - 1.0) ** 3 + x[::-1]
        step = 1.0
        while f(x - step * g) > hist["f"] - 1e-4 * step * np.sum(g * g):
            step *= 0.5
            hist["n"] += 1
            if step < 1e-6:
                break
        x = x - step * g
        hist["f"] = f(x)
    return hist["f"] + 0.0 * hist["n"]


@programs(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]), 0)
def bfs(adj, start):
    dist = -np.ones(3, dtype=int)
    dist[start] = 0
    q = [start]
    while q:
        u = q.pop(0)
        for v in range(3):
            if adj[u, v] and dist[v] < 0:
                dist[v] = dist[u] + 1
                q.append(v)
    return dist


class PID:
    def __init__(self, kp, ki):
        self.kp, self.ki, self.i, self.prev = kp, ki, 0.0, None

    def __call__(self, e):
        self.i += e
        d = 0.0 if self.prev is None else e - self.prev
        self.prev = e
        return self.kp * e + self.ki * self.i + 0.1 * d


@programs.smooth(0.5)
def pid(kp):
    c = PID(kp, 0.1)
    x = 0.0
    err = 0.0
    for k in range(30):
        u = c(1.0 - x)
        if u > 2.0:
            u = 2.0
        elif u < -2.0:
            u = -2.0
        x += 0.1 * (u - x)
        err += (1.0 - x) ** 2
    return err


@programs([3, 1, 2])
def game(cfg):
    grid = np.zeros((5, 5), dtype=int)
    grid[2, 1:4] = 1
    n = cfg[0]
    for _ in range(n):
        new = grid.copy()
        for i in range(5):
            for j in range(5):
                s = 0
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        if (di or dj) and 0 <= i + di < 5 and 0 <= j + dj < 5:
                            s += grid[i + di, j + dj]
                if grid[i, j] == 1 and (s < 2 or s > 3):
                    new[i, j] = 0
                elif grid[i, j] == 0 and s == 3:
                    new[i, j] = 1
        grid = new
    return grid


@programs.test
def test_program(call):
    call.run()
