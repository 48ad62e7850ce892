"""Dynamic time warping of signals, and the nearest of some."""

from either import compiled, np


@compiled
def distance(a, b):
    n, m = len(a), len(b)
    table = np.full((n + 1, m + 1), np.inf)
    table[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = abs(a[i - 1] - b[j - 1])
            table[i, j] = cost + min(table[i - 1, j], table[i, j - 1], table[i - 1, j - 1])
    return table[n, m]


rng = np.random.RandomState(0)
signals = [
    np.sin(np.linspace(0, 6, 100 + 7 * k) * (1 + 0.1 * k)) + 0.1 * rng.randn(100 + 7 * k)
    for k in range(8)
]
query = np.sin(np.linspace(0, 6, 110))
for k, signal in enumerate(signals):
    print(k, f"{distance(query, signal):.8f}")
