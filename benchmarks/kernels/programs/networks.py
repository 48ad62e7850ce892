"""Neural networks."""

from __future__ import annotations

import numpy as np

from benchmarks.kernels.programs.elementwise import cross_entropy, layer_norm

RATE = 0.1  # of the perceptron's training step
HEADS = 8  # of the transformer's attention


def perceptron_arguments():
    rng = np.random.default_rng(0)
    widths = (784, 256, 256, 10)
    params = [(_weights(rng, n, m), np.zeros(m, np.float32)) for n, m in zip(widths, widths[1:])]
    x = rng.normal(0.0, 1.0, (128, 784)).astype(np.float32)
    return params, x, rng.integers(0, 10, 128)


def perceptron_loss(params, x, labels):
    for w, b in params[:-1]:
        x = np.maximum(x @ w + b, 0.0)
    w, b = params[-1]
    return cross_entropy(x @ w + b, labels)


def convolution_arguments():
    """Images, [batch, channels, height, width], and a kernel, [features, channels, 3, 3]."""
    rng = np.random.default_rng(0)
    x = rng.normal(0.0, 1.0, (16, 32, 32, 32)).astype(np.float32)
    return x, rng.normal(0.0, 0.1, (64, 32, 3, 3)).astype(np.float32)


def rnn_arguments():
    rng = np.random.default_rng(0)
    params = _weights(rng, 32, 64), _weights(rng, 64, 64), np.zeros(64, np.float32)
    h = np.zeros((32, 64), np.float32)
    return params, h, rng.normal(0.0, 1.0, (100, 32, 32)).astype(np.float32)


def rnn_loss(params, h, xs):
    """The mean square of the state after reading xs, [steps, batch, inputs]."""
    w, u, b = params
    for x in xs:
        h = np.tanh(x @ w + h @ u + b)
    return np.mean(h * h)


def transformer_arguments():
    rng = np.random.default_rng(0)
    width, hidden = 256, 1024
    zeros = np.zeros(width, np.float32)
    layers = [
        {
            "norms": [(zeros + 1.0, zeros), (zeros + 1.0, zeros)],
            "attention": (_weights(rng, width, 3 * width), _weights(rng, width, width)),
            "up": (_weights(rng, width, hidden), np.zeros(hidden, np.float32)),
            "down": (_weights(rng, hidden, width), zeros),
        }
        for _ in range(4)
    ]
    return layers, rng.normal(0.0, 1.0, (8, 128, width)).astype(np.float32)


def attention(x, qkv, out):
    """Self-attention of x, [batch, length, width], with `HEADS` heads (arXiv:1706.03762)."""
    batch, length, width = x.shape
    heads = (x @ qkv).reshape(batch, length, 3, HEADS, width // HEADS)
    q, k, v = np.transpose(heads, (2, 0, 3, 1, 4))
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(np.float32(width // HEADS))
    weights = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    weights = weights / np.sum(weights, axis=-1, keepdims=True)
    return np.swapaxes(weights @ v, 1, 2).reshape(batch, length, width) @ out


def gelu(x):
    """Gaussian error linear units, the approximation by tanh (arXiv:1606.08415)."""
    return 0.5 * x * (1.0 + np.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


def transformer(layers, x):
    """A stack of blocks that normalise first; x, [batch, length, width], to the same shape."""
    for layer in layers:
        first, second = layer["norms"]
        x = x + attention(layer_norm(x, *first), *layer["attention"])
        w, b = layer["up"]
        hidden = gelu(layer_norm(x, *second) @ w + b)
        w, b = layer["down"]
        x = x + hidden @ w + b
    return x


def transformer_loss(layers, x):
    y = transformer(layers, x)
    return np.mean(y * y)


def _weights(rng, n, m):
    return rng.normal(0.0, (2.0 / (n + m)) ** 0.5, (n, m)).astype(np.float32)
