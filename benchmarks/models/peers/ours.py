"""Our own layers and optimisers, compiled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import autograph as ag
import ops
from autograph import nn, optim
from benchmarks.models.weights import BLOCKS, CHARACTERS, HEADS, LENGTH, VOCABULARY, Arrays

PACKAGE = "autograph-compiler"
REFUSES: dict[str, str] = {}
NOTES: dict[str, str] = {}


def to_numpy(value: Any) -> np.ndarray:
    return np.asarray(value)


class State(NamedTuple):
    """All that changes in training."""

    model: Any
    moments: Any


def training(
    model: Any, loss: Callable, rule: optim.GradientTransformation, batch: tuple, seen: Callable
) -> Callable:
    """A call that trains for a step. ``seen`` is what it gives of the model."""

    @ag.to_graph
    def step(state: State, *batch: Any) -> tuple[State, Any]:
        value, slope = ag.value_and_grad(loss)(state.model, *batch)
        updates, moments = rule.update(slope, state.moments, state.model)
        return State(optim.apply_updates(state.model, updates), moments), value

    state = State(model, rule.init(model))

    def call() -> tuple:
        nonlocal state
        state, value = step(state, *batch)
        return value, seen(state.model)

    return call


# -- convolutions ----------------------------------------------------------------------------------


def convolution(x: Any, kernel: Any) -> Any:
    return ops.nn.conv(x, kernel, padding="same")


def convolution_loss(x: Any, kernel: Any) -> Any:
    return np.sum(convolution(x, kernel) ** 2)


def make_convolution(x: Any, kernel: Any) -> Callable:
    compiled = ag.to_graph(convolution)
    return lambda: compiled(x, kernel)


def make_convolution_gradient(x: Any, kernel: Any) -> Callable:
    compiled = ag.to_graph(ag.grad(convolution_loss, argnums=(0, 1)))
    return lambda: compiled(x, kernel)


@dataclass
class Cnn:
    """Scores of ten classes."""

    first: nn.Conv
    second: nn.Conv
    out: nn.Dense

    def __call__(self, x: Any) -> Any:
        x = ops.nn.max_pool(ops.nn.relu(self.first(x)), 2)
        x = ops.nn.max_pool(ops.nn.relu(self.second(x)), 2)
        return self.out(nn.flatten(x))


def labelled(model: Any, x: Any, labels: Any) -> Any:
    return ops.nn.cross_entropy(model(x), labels)


def make_cnn(weights: Arrays, x: Any, labels: Any) -> Callable:
    model = Cnn(
        nn.Conv(weights["first"], weights["first_bias"], padding="same"),
        nn.Conv(weights["second"], weights["second_bias"], padding="same"),
        nn.Dense(weights["out"], weights["out_bias"]),
    )
    seen = lambda model: (model.first.bias, model.out.bias)
    return training(model, labelled, optim.adam(1e-3), (x, labels), seen)


# -- sequences -------------------------------------------------------------------------------------


@dataclass
class Lstm:
    """Scores of ten classes, of ``(steps, batch, inputs)``."""

    cell: nn.LSTMCell
    out: nn.Dense

    def __call__(self, xs: Any) -> Any:
        state = self.cell.initial(xs.shape[1:2])
        for x in xs:
            state = self.cell(x, state)
        return self.out(state.hidden)


def make_lstm(weights: Arrays, x: Any, labels: Any) -> Callable:
    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    model = Lstm(
        nn.LSTMCell(*(weights[name] for name in names)),
        nn.Dense(weights["out"], weights["out_bias"]),
    )
    return training(model, labelled, optim.adam(1e-3), (x, labels), lambda model: (model.out.bias,))


@dataclass
class Transformer:
    """Scores of the next character."""

    table: nn.Embedding
    places: Any
    blocks: list[nn.TransformerBlock]
    norm: nn.LayerNorm

    @classmethod
    def of(cls, weights: Arrays) -> Transformer:
        """A model with some weights."""

        def dense(name: str) -> nn.Dense:
            return nn.Dense(weights[name], weights[f"{name}_bias"])

        def norm(name: str) -> nn.LayerNorm:
            return nn.LayerNorm(weights[name], weights[f"{name}_bias"])

        blocks = [
            nn.TransformerBlock(
                nn.MultiHeadAttention(
                    *(dense(f"{k}.{name}") for name in ("query", "key", "value", "out")),
                    heads=HEADS,
                    key_heads=HEADS,
                ),
                nn.MLP([dense(f"{k}.wide"), dense(f"{k}.narrow")], ops.nn.gelu),
                [norm(f"{k}.norm_1"), norm(f"{k}.norm_2")],
            )
            for k in range(BLOCKS)
        ]
        return cls(nn.Embedding(weights["table"]), weights["places"], blocks, norm("norm"))

    def __call__(self, text: Any) -> Any:
        x = self.table(text) + self.places
        for block in self.blocks:
            x = block(x, causal=True)
        return self.table.attend(self.norm(x))

    def following(self, character: Any, place: Any, caches: Any) -> tuple[Any, Any]:
        """The scores after one character, and the caches with it."""
        x, after = (self.table(character) + self.places[place])[None], []
        for block, cache in zip(self.blocks, caches):
            x, cache = block(x, cache=cache)
            after.append(cache)
        return self.table.attend(self.norm(x))[0], after


def text_loss(model: Transformer, text: Any) -> Any:
    scores = model(text[:, :-1])
    return ops.nn.cross_entropy(np.reshape(scores, (-1, VOCABULARY)), np.ravel(text[:, 1:]))


def make_transformer(weights: Arrays, text: Any) -> Callable:
    model = Transformer.of(weights)
    return training(model, text_loss, optim.adamw(1e-3), (text,), lambda model: (model.norm.bias,))


@ag.to_graph
def written(model: Transformer, character: Any) -> Any:
    """The characters of the highest scores."""
    caches = [block.attention.cache((), LENGTH) for block in model.blocks]
    text = np.zeros(CHARACTERS, np.int64)
    for place in range(CHARACTERS):
        scores, caches = model.following(character, place, caches)
        character = np.argmax(scores)
        text[place] = character
    return text


def make_generation(weights: Arrays, character: int) -> Callable:
    model = Transformer.of(weights)
    return lambda: written(model, character)


MAKERS = {
    "convolution": make_convolution,
    "convolution_gradient": make_convolution_gradient,
    "cnn": make_cnn,
    "lstm": make_lstm,
    "transformer": make_transformer,
    "generation": make_generation,
}
