"""A convolutional network by slices."""

from either import np, value_and_grad

rng = np.random.RandomState(0)
B = 32


def conv(x, w, b):
    kh, kw = w.shape[2], w.shape[3]
    oh, ow = x.shape[2] - kh + 1, x.shape[3] - kw + 1
    out = 0.0
    for i in range(kh):
        for j in range(kw):
            out = out + np.einsum("bchw,co->bohw", x[:, :, i : i + oh, j : j + ow], w[:, :, i, j])
    return out + b[None, :, None, None]


def pool(x):
    n, c, h, w = x.shape
    return np.max(np.max(np.reshape(x, (n, c, h // 2, 2, w // 2, 2)), axis=5), axis=3)


def predict(params, x):
    (w1, b1), (w2, b2), (w3, b3) = params
    x = np.tanh(pool(conv(x, w1, b1)))
    x = np.tanh(pool(conv(x, w2, b2)))
    x = np.reshape(x, (x.shape[0], -1))
    logits = np.dot(x, w3) + b3
    top = np.max(logits, axis=1, keepdims=True)
    return logits - top - np.log(np.sum(np.exp(logits - top), axis=1, keepdims=True))


def loss(params, x, y):
    return -np.sum(predict(params, x) * y) / B


x = rng.randn(128, 1, 14, 14)
labels = (x[:, 0, :7].sum((1, 2)) > 0) * 2 + (x[:, 0, :, :7].sum((1, 2)) > 0)
y = (labels[:, None] == np.arange(4)) * 1.0
params = [
    (0.3 * rng.randn(1, 4, 3, 3), np.zeros(4)),
    (0.2 * rng.randn(4, 8, 3, 3), np.zeros(8)),
    (0.2 * rng.randn(32, 4), np.zeros(4)),
]
vg = value_and_grad(loss)
for i in range(24):
    s = (i * B) % 128
    value, g = vg(params, x[s : s + B], y[s : s + B])
    params = [(w - 0.2 * dw, b - 0.2 * db) for (w, b), (dw, db) in zip(params, g)]
    if i % 6 == 0:
        print(i, f"{value:.6f}")
print(np.mean(np.argmax(predict(params, x), axis=1) == labels))
