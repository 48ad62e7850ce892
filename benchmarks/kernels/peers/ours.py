"""autograph: the programs as they are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import autograph as ag
import ops
from benchmarks.kernels.programs import calls, elementwise, loops, networks

PACKAGE = "autograph-compiler"
REFUSES: dict[str, str] = {}
NOTES: dict[str, str] = {}

to_numpy = np.asarray


def training_step(params, x, labels):
    value, gradient = ag.value_and_grad(networks.perceptron_loss)(params, x, labels)
    rate = networks.RATE
    params = [(w - rate * gw, b - rate * gb) for (w, b), (gw, gb) in zip(params, gradient)]
    return params, value


def convolution(x, kernel):
    return ops.conv(x, kernel, padding=1)


def convolution_loss(x, kernel):
    return np.mean(convolution(x, kernel) ** 2)


def _maker(transform: Callable, function: Callable) -> Callable:
    def make(*args):
        compiled = transform(function)
        return lambda: compiled(*args)

    make.compiled = lambda: transform(function)
    return make


def _by_all(function: Callable) -> Callable:
    return ag.grad(function, argnums=(0, 1, 2))


MAKERS = {
    "selu": _maker(ag.to_graph, elementwise.selu),
    "columns": _maker(ag.to_graph, elementwise.normalized_columns),
    "cross_entropy": _maker(ag.grad, elementwise.cross_entropy),
    "black_scholes": _maker(ag.to_graph, elementwise.black_scholes),
    "layer_norm": _maker(ag.to_graph, elementwise.layer_norm),
    "layer_norm_gradient": _maker(_by_all, elementwise.weighted_layer_norm),
    "perceptron": _maker(ag.to_graph, training_step),
    "convolution": _maker(ag.to_graph, convolution),
    "convolution_gradient": _maker(lambda f: ag.grad(f, argnums=(0, 1)), convolution_loss),
    "rnn": _maker(ag.grad, networks.rnn_loss),
    "transformer": _maker(ag.to_graph, networks.transformer),
    "transformer_gradient": _maker(ag.value_and_grad, networks.transformer_loss),
    "collatz": _maker(ag.to_graph, loops.collatz),
    "mandelbrot": _maker(ag.vmap, loops.escape_time),
    "newton": _maker(ag.grad, loops.newton_sqrt),
    "newton_lanes": _maker(lambda f: ag.vmap(ag.grad(f)), loops.newton_sqrt),
    "three_bodies": _maker(ag.to_graph, loops.leapfrog),
    "call": _maker(ag.to_graph, calls.sine),
    "nested_call": _maker(ag.to_graph, calls.sine_of_first),
}
