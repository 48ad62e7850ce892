"""The forward algorithm of a hidden Markov model, and its gradient."""

import numpy as onp
from either import np, value_and_grad

rng = onp.random.default_rng(7)
S, M, T = 4, 6, 100
seen = rng.integers(0, M, size=T)


def logsumexp(a, axis):
    m = np.max(a, axis=axis, keepdims=True)
    return np.log(np.sum(np.exp(a - m), axis=axis)) + np.squeeze(m, axis)


def loss(trans, emit):
    A = trans - np.reshape(logsumexp(trans, 1), (S, 1))
    E = emit - np.reshape(logsumexp(emit, 1), (S, 1))
    alpha = E[:, seen[0]] - np.log(S)
    for t in range(1, T):
        alpha = logsumexp(np.reshape(alpha, (S, 1)) + A, 0) + E[:, seen[t]]
    return -logsumexp(alpha, 0)


both = value_and_grad(loss, 0), value_and_grad(loss, 1)
trans, emit = rng.normal(size=(S, S)), rng.normal(size=(S, M))
for it in range(10):
    value, g = both[0](trans, emit)
    _, h = both[1](trans, emit)
    trans, emit = trans - 0.05 * g, emit - 0.05 * h
    print(it, round(float(value), 5))
