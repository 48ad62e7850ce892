"""A hidden Markov model: a gradient per sequence, all of different lengths."""

from either import np, value_and_grad

rng = np.random.RandomState(0)
K, V = 4, 12
sequences = [rng.randint(0, V, length) for length in rng.randint(10, 40, 20)]


def logsumexp(x, axis):
    top = np.max(x, axis=axis, keepdims=True)
    return np.squeeze(top, axis) + np.log(np.sum(np.exp(x - top), axis=axis))


def normalised(x):
    return x - logsumexp(x, -1)[..., None]


def loss(params, sequence):
    start, move, emit = (normalised(p) for p in params)
    alpha = start + emit[:, sequence[0]]
    for symbol in sequence[1:]:
        alpha = logsumexp(alpha[:, None] + move, 0) + emit[:, symbol]
    return -logsumexp(alpha, 0)


vg = value_and_grad(loss)
params = (0.1 * rng.randn(K), 0.1 * rng.randn(K, K), 0.1 * rng.randn(K, V))
for i in range(6):
    total = 0.0
    for sequence in sequences:
        value, g = vg(params, sequence)
        params = tuple(p - 0.03 * d for p, d in zip(params, g))
        total += value
    print(i, f"{total:.6f}")
