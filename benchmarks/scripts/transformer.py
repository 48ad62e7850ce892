"""A small transformer that learns to copy a sequence backwards."""

import numpy as onp
from either import np, value_and_grad

T, D, V, H, B = 8, 16, 10, 2, 16
rng = onp.random.default_rng(2)
shapes = {"e": (V, D), "p": (T, D), "o": (D, V)}
for layer in range(2):
    for n in "qkvw":
        shapes[f"{n}{layer}"] = (D, D)
    shapes[f"a{layer}"], shapes[f"b{layer}"] = (D, 4 * D), (4 * D, D)
params = {k: 0.3 * rng.normal(size=s) for k, s in shapes.items()}


def norm(x):
    m = np.mean(x, axis=-1, keepdims=True)
    v = np.mean((x - m) ** 2, axis=-1, keepdims=True)
    return (x - m) / np.sqrt(v + 1e-5)


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def heads(x):
    return np.transpose(np.reshape(x, (B, T, H, D // H)), (0, 2, 1, 3))


def loss(params, tokens, targets):
    x = params["e"][tokens] + params["p"]
    for i in range(2):
        h = norm(x)
        q, k, v = (heads(np.matmul(h, params[f"{n}{i}"])) for n in "qkv")
        a = softmax(np.matmul(q, np.transpose(k, (0, 1, 3, 2))) / np.sqrt(D / H))
        o = np.reshape(np.transpose(np.matmul(a, v), (0, 2, 1, 3)), (B, T, D))
        x = x + np.matmul(o, params[f"w{i}"])
        h = norm(x)
        x = x + np.matmul(np.maximum(np.matmul(h, params[f"a{i}"]), 0.0), params[f"b{i}"])
    logits = np.matmul(norm(x), params["o"])
    logits = logits - np.max(logits, axis=-1, keepdims=True)
    logp = logits - np.log(np.sum(np.exp(logits), axis=-1, keepdims=True))
    hot = onp.eye(V)[targets]
    return -np.mean(np.sum(hot * logp, axis=-1))


step = value_and_grad(loss)
for it in range(30):
    tokens = rng.integers(0, V, size=(B, T))
    value, g = step(params, tokens, tokens[:, ::-1])
    params = {k: params[k] - 0.1 * g[k] for k in params}
    if it % 10 == 0:
        print(it, round(float(value), 5))
