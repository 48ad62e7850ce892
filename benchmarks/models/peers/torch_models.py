"""The models as PyTorch's users write them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from benchmarks.models.weights import BLOCKS, CHARACTERS, HEADS, HIDDEN, INPUTS, WIDTH, Arrays


def to_numpy(value) -> np.ndarray:
    return value.detach().numpy() if isinstance(value, Tensor) else np.asarray(value)


def tensors(weights: Arrays) -> dict[str, Tensor]:
    return {name: torch.from_numpy(array.copy()) for name, array in weights.items()}


def convolution(x, kernel):
    return F.conv2d(x, kernel, padding="same")


def convolution_loss(x, kernel):
    return torch.sum(convolution(x, kernel) ** 2)


class Cnn(nn.Module):
    def __init__(self, w: dict[str, Tensor]):
        super().__init__()
        self.first = nn.Conv2d(1, 16, 5, padding="same")
        self.second = nn.Conv2d(16, 32, 5, padding="same")
        self.out = nn.Linear(32 * 7 * 7, 10)
        for name in ("first", "second", "out"):
            getattr(self, name).weight = nn.Parameter(w[name])
            getattr(self, name).bias = nn.Parameter(w[f"{name}_bias"])

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.first(x)), 2)
        x = F.max_pool2d(F.relu(self.second(x)), 2)
        return self.out(torch.flatten(x, 1))

    def seen(self):
        return self.first.bias, self.out.bias


class Lstm(nn.Module):
    def __init__(self, w: dict[str, Tensor]):
        super().__init__()
        self.cell = nn.LSTM(INPUTS, HIDDEN)
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
            getattr(self.cell, f"{name}_l0").data.copy_(w[name])
        self.out = nn.Linear(HIDDEN, 10)
        self.out.weight, self.out.bias = nn.Parameter(w["out"]), nn.Parameter(w["out_bias"])

    def forward(self, xs):
        _, (hidden, _) = self.cell(xs)
        return self.out(hidden[0])

    def seen(self):
        return (self.out.bias,)


class Block(nn.Module):
    def __init__(self, w: dict[str, Tensor], number: int):
        super().__init__()

        def filled(layer, name):
            layer.weight = nn.Parameter(w[f"{number}.{name}"])
            layer.bias = nn.Parameter(w[f"{number}.{name}_bias"])
            return layer

        self.query, self.key, self.value, self.out = (
            filled(nn.Linear(WIDTH, WIDTH), name) for name in ("query", "key", "value", "out")
        )
        self.wide = filled(nn.Linear(WIDTH, 4 * WIDTH), "wide")
        self.narrow = filled(nn.Linear(4 * WIDTH, WIDTH), "narrow")
        self.norm_1 = filled(nn.LayerNorm(WIDTH), "norm_1")
        self.norm_2 = filled(nn.LayerNorm(WIDTH), "norm_2")

    def heads(self, x):
        return x.unflatten(-1, (HEADS, -1)).transpose(-2, -3)

    def forward(self, x, cache=None, place=None):
        y = self.norm_1(x)
        q, k, v = self.heads(self.query(y)), self.heads(self.key(y)), self.heads(self.value(y))
        mask = None
        if cache is not None:
            keys, values = cache
            keys.index_copy_(1, place, k)
            values.index_copy_(1, place, v)
            k, v, mask = keys, values, (torch.arange(CHARACTERS) <= place)[None]
        found = F.scaled_dot_product_attention(q, k, v, mask, is_causal=cache is None)
        x = x + self.out(found.transpose(-2, -3).flatten(-2))
        return x + self.narrow(F.gelu(self.wide(self.norm_2(x)), approximate="tanh"))


class Transformer(nn.Module):
    def __init__(self, w: dict[str, Tensor]):
        super().__init__()
        self.table, self.places = nn.Parameter(w["table"]), nn.Parameter(w["places"])
        self.blocks = nn.ModuleList(Block(w, number) for number in range(BLOCKS))
        self.norm = nn.LayerNorm(WIDTH)
        self.norm.weight = nn.Parameter(w["norm"])
        self.norm.bias = nn.Parameter(w["norm_bias"])

    def forward(self, text):
        x = self.table[text] + self.places
        for block in self.blocks:
            x = block(x)
        return self.norm(x) @ self.table.T

    def following(self, character, place, caches):
        x = self.table[character][None] + self.places[place]
        for block, cache in zip(self.blocks, caches):
            x = block(x, cache, place)
        return (self.norm(x) @ self.table.T)[0]

    def seen(self):
        return (self.norm.bias,)


def labelled(model, x, labels):
    return F.cross_entropy(model(x), labels)


def text_loss(model, text):
    return F.cross_entropy(model(text[:, :-1]).flatten(0, 1), text[:, 1:].flatten())


def training(
    model: nn.Module, loss: Callable, optimiser: torch.optim.Optimizer, batch: tuple, compiled: bool
) -> Callable:
    """A call that trains for a step."""
    batch = tuple(map(torch.from_numpy, batch))

    def forward(*batch):
        return loss(model, *batch)

    update = optimiser.step
    if compiled:
        forward, update = torch.compile(forward), torch.compile(update)

    def call():
        optimiser.zero_grad()
        value = forward(*batch)
        value.backward()
        update()
        return value.detach(), tuple(x.detach().clone() for x in model.seen())

    return call


def makers(compiled: bool) -> dict[str, Callable]:
    """The calls of the rows."""
    compile_ = torch.compile if compiled else lambda function: function

    def make_convolution(x, kernel):
        x, kernel = torch.from_numpy(x), torch.from_numpy(kernel)
        function = compile_(convolution)

        def call():
            with torch.no_grad():
                return function(x, kernel)

        return call

    def make_convolution_gradient(x, kernel):
        x, kernel = (torch.from_numpy(a).requires_grad_() for a in (x, kernel))
        function = compile_(convolution_loss)
        return lambda: torch.autograd.grad(function(x, kernel), (x, kernel))

    def make_cnn(weights, x, labels):
        model = Cnn(tensors(weights))
        adam = torch.optim.Adam(model.parameters(), 1e-3)
        return training(model, labelled, adam, (x, labels), compiled)

    def make_lstm(weights, x, labels):
        model = Lstm(tensors(weights))
        adam = torch.optim.Adam(model.parameters(), 1e-3)
        return training(model, labelled, adam, (x, labels), compiled)

    def make_transformer(weights, text):
        model = Transformer(tensors(weights))
        adam = torch.optim.AdamW(model.parameters(), 1e-3, weight_decay=1e-4)
        return training(model, text_loss, adam, (text,), compiled)

    def make_generation(weights, character):
        model = Transformer(tensors(weights))
        following = compile_(model.following)

        def call():
            shape = (HEADS, CHARACTERS, WIDTH // HEADS)
            caches = [(torch.zeros(shape), torch.zeros(shape)) for _ in range(BLOCKS)]
            text = np.zeros(CHARACTERS, np.int64)
            last = torch.tensor(character)
            with torch.no_grad():
                for place in range(CHARACTERS):
                    last = torch.argmax(following(last, torch.tensor([place]), caches))
                    text[place] = last
            return text

        return call

    return {
        "convolution": make_convolution,
        "convolution_gradient": make_convolution_gradient,
        "cnn": make_cnn,
        "lstm": make_lstm,
        "transformer": make_transformer,
        "generation": make_generation,
    }
