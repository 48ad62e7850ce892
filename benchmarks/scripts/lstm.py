"""An LSTM that learns characters of a text."""

from either import np, value_and_grad

text = ("the quick brown fox jumps over the lazy dog and runs away from it. " * 12).lower()
letters = sorted(set(text))
V, H, T, B = len(letters), 24, 20, 16
codes = np.array([letters.index(c) for c in text])
rng = np.random.RandomState(0)


def sigmoid(x):
    return 0.5 * (np.tanh(x / 2.0) + 1.0)


def init():
    size = V + H + 1
    return {
        "cell": 0.1 * rng.randn(H),
        "hidden": 0.1 * rng.randn(H),
        "change": 0.1 * rng.randn(size, H),
        "forget": 0.1 * rng.randn(size, H),
        "ingate": 0.1 * rng.randn(size, H),
        "outgate": 0.1 * rng.randn(size, H),
        "predict": 0.1 * rng.randn(H + 1, V),
    }


def concat_and_multiply(weights, *args):
    both = np.hstack(args + (np.ones((args[0].shape[0], 1)),))
    return np.dot(both, weights)


def update(params, x, hidden, cells):
    change = np.tanh(concat_and_multiply(params["change"], x, hidden))
    forget = sigmoid(concat_and_multiply(params["forget"], x, hidden))
    ingate = sigmoid(concat_and_multiply(params["ingate"], x, hidden))
    outgate = sigmoid(concat_and_multiply(params["outgate"], x, hidden))
    cells = cells * forget + ingate * change
    return outgate * np.tanh(cells), cells


def log_softmax(x):
    x = x - np.max(x, axis=1, keepdims=True)
    return x - np.log(np.sum(np.exp(x), axis=1, keepdims=True))


def loss(params, inputs, targets):
    steps, sequences, _ = inputs.shape
    hidden = np.repeat(params["hidden"][None, :], sequences, axis=0)
    cells = np.repeat(params["cell"][None, :], sequences, axis=0)
    total = 0.0
    for t in range(steps):
        hidden, cells = update(params, inputs[t], hidden, cells)
        out = log_softmax(concat_and_multiply(params["predict"], hidden))
        total = total - np.sum(out * targets[t])
    return total / (steps * sequences)


def one_hot(seq):
    return (seq[..., None] == np.arange(V)) * 1.0


vg = value_and_grad(loss)
params = init()
ms = {k: np.zeros_like(v) for k, v in params.items()}
vs = {k: np.zeros_like(v) for k, v in params.items()}
for i in range(40):
    starts = rng.randint(0, len(codes) - T - 1, B)
    window = np.stack([codes[s : s + T + 1] for s in starts], axis=1)
    value, g = vg(params, one_hot(window[:-1]), one_hot(window[1:]))
    for k in params:
        ms[k] = 0.9 * ms[k] + 0.1 * g[k]
        vs[k] = 0.999 * vs[k] + 0.001 * g[k] ** 2
        params[k] = params[k] - 0.03 * (ms[k] / (1 - 0.9 ** (i + 1))) / (
            np.sqrt(vs[k] / (1 - 0.999 ** (i + 1))) + 1e-8
        )
    if i % 10 == 0:
        print(i, f"{value:.6f}")
