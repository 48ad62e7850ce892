"""Optimisers and parameters that several tests take."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

import autograph as ag
from autograph import optim

OPTIMISERS = {
    "sgd": lambda rate: optim.sgd(rate),
    "momentum": lambda rate: optim.sgd(rate, momentum=0.9),
    "nesterov": lambda rate: optim.sgd(rate, momentum=0.9, nesterov=True),
    "adam": lambda rate: optim.adam(rate),
    "adamw": lambda rate: optim.adamw(rate, weight_decay=0.1),
    "adamax": lambda rate: optim.adamax(rate),
    "amsgrad": lambda rate: optim.amsgrad(rate),
    "nadam": lambda rate: optim.nadam(rate),
    "nadamw": lambda rate: optim.nadamw(rate, weight_decay=0.1),
    "lamb": lambda rate: optim.lamb(rate, weight_decay=0.1),
    "lion": lambda rate: optim.lion(rate),
    "adagrad": lambda rate: optim.adagrad(rate),
    "rmsprop": lambda rate: optim.rmsprop(rate, momentum=0.5),
    "centered": lambda rate: optim.rmsprop(rate, centered=True, bias_correction=True),
    "adafactor": lambda rate: optim.adafactor(rate, min_dim_size_to_factor=2),
    "muon": lambda rate: optim.muon(rate),
    "clipped": lambda rate: optim.chain(
        optim.clip(0.9),
        optim.clip_by_block_rms(0.8),
        optim.adaptive_grad_clip(0.5),
        optim.clip_by_global_norm(0.7),
        optim.sgd(rate),
    ),
    "averaged": lambda rate: optim.chain(optim.ema(0.5), optim.scale_by_learning_rate(rate)),
    "gathered": lambda rate: optim.MultiSteps(optim.adam(rate), 2).gradient_transformation(),
    "every": lambda rate: optim.chain(optim.sgd(rate), optim.apply_every(2)),
    "finite": lambda rate: optim.apply_if_finite(optim.adam(rate), 2),
    "lbfgs": lambda rate: optim.lbfgs(rate, linesearch=None),
    "masked": lambda rate: optim.chain(
        optim.masked(optim.scale(0.5), optim.by_path(lambda path: "bias" in path)),
        optim.adam(rate),
    ),
    "divided": lambda rate: optim.partition(
        {"a": optim.adam(rate), "b": optim.sgd(rate), "c": optim.set_to_zero()},
        optim.by_path(lambda path: "c" if "gain" in path else "ab"["bias" in path]),
    ),
}


@dataclass
class Dense:
    weight: Any
    bias: Any
    count: int = 3
    name: str = "dense"
    power: int = field(default=2, metadata={"static": True})

    def __call__(self, x):
        return np.tanh(x @ self.weight + self.bias) ** self.power


class Gain(NamedTuple):
    gain: Any
    unused: Any = None


def model(dtype=float):
    rng = np.random.default_rng(0)
    draw = lambda *shape: rng.normal(size=shape).astype(dtype)
    layers = [Dense(draw(3, 4), draw(4)), Dense(draw(4, 2), draw(2), count=5, power=1)]
    return {"layers": layers, "gain": (Gain(dtype(1.5)),)}


X = np.random.default_rng(1).normal(size=(5, 3))


def loss(params, x=X):
    for layer in params["layers"]:
        x = layer(x.astype(layer.weight.dtype))
    return np.sum((params["gain"][0].gain * x - 0.3) ** 2)


def step_of(optimiser, loss=loss):
    """A step of training: parameters and state to parameters and state."""

    def step(params, state):
        gradient = ag.grad(loss)(params)
        updates, state = optimiser.update(gradient, state, params)
        return optim.apply_updates(params, updates), state

    return step


def numbers(tree):
    """All leaves as one vector."""
    return np.concatenate([np.ravel(leaf) for leaf in ag.tree.leaves(tree)]).astype(float)
