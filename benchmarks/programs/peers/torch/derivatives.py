"""Derivatives in PyTorch, by `torch.func`."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch.func import grad, hessian

from benchmarks.programs.peers.torch.maker import maker

NOTES = {
    "lenet": "the library's convolution, channels first",
    "lstm": "the loop over time runs in Python, not compiled",
    "attention": "all heads at once",
    "log_likelihood": "all components at once",
    "logistic": "all rows at once",
}
NOTES |= {f"{name} forward": NOTES[name] for name in NOTES if name != "logistic"}


def lenet(kernels, bias, weights, shift, images, labels):
    hidden = F.conv2d(images.permute(0, 3, 1, 2), kernels.permute(3, 2, 0, 1), bias)
    hidden = F.max_pool2d(torch.relu(hidden), 2).permute(0, 2, 3, 1)
    return F.cross_entropy(hidden.reshape(len(images), -1) @ weights + shift, labels)


def mlp(w1, b1, w2, b2, w3, b3, x, targets):
    hidden = torch.tanh(torch.tanh(x @ w1 + b1) @ w2 + b2)
    return torch.mean((hidden @ w3 + b3 - targets) ** 2)


def attention(queries, keys, values, x):
    q, k, v = (x @ each for each in (queries, keys, values))
    scores = q @ k.transpose(1, 2) / queries.shape[2] ** 0.5
    mask = torch.tril(torch.ones(len(x), len(x), dtype=torch.bool))
    return torch.sum((torch.softmax(torch.where(mask, scores, -1e9), dim=2) @ v) ** 2)


def lstm(w, u, b, inputs):
    h = c = inputs.new_zeros(inputs.shape[1], u.shape[0])
    for x in inputs @ w + b:
        keep, new, show, cell = (x + h @ u).chunk(4, dim=1)
        c = torch.sigmoid(keep) * c + torch.sigmoid(new) * torch.tanh(cell)
        h = torch.sigmoid(show) * torch.tanh(c)
    return torch.mean(h**2)


def log_likelihood(weights, means, logs, lower, x):
    dimensions = means.shape[1]
    rows, columns = torch.tril_indices(dimensions, dimensions, -1)
    factors = torch.diag_embed(torch.exp(logs))
    factors = factors.index_put((torch.arange(len(means))[:, None], rows, columns), lower)
    scaled = torch.einsum("kij,nkj->nki", factors, x[:, None, :] - means)
    terms = weights + logs.sum(1) - 0.5 * torch.sum(scaled**2, dim=2)
    total = torch.logsumexp(terms, dim=1).sum()
    return total - len(x) * torch.log(torch.exp(weights).sum())


def logistic(weights, x, labels):
    scores = x @ weights
    total = torch.sum(torch.log(1.0 + torch.exp(scores)) - labels * scores)
    return total / len(x) + 0.01 * torch.sum(weights**2)


def _gradient(function: Callable, count: int) -> Callable:
    return grad(function, argnums=tuple(range(count)))


MAKERS = {
    "lenet": maker(_gradient(lenet, 4)),
    "mlp": maker(_gradient(mlp, 6)),
    "attention": maker(_gradient(attention, 3)),
    "lstm": maker(_gradient(lstm, 3), compiled=False),
    "log_likelihood": maker(_gradient(log_likelihood, 4)),
    "logistic": maker(hessian(logistic)),
    "lenet forward": maker(lenet),
    "mlp forward": maker(mlp),
    "attention forward": maker(attention),
    "lstm forward": maker(lstm, compiled=False),
    "log_likelihood forward": maker(log_likelihood),
}
