"""HIPS autograd: the programs with its NumPy. It traces every call, and has nothing to compile."""

from __future__ import annotations

from collections.abc import Callable

import autograd.numpy as anp
import numpy as np
from autograd import elementwise_grad, grad, value_and_grad

from benchmarks.beside.rebound import rebound
from benchmarks.kernels.programs import elementwise, loops, networks

PACKAGE = "autograd"
_NOT_A_COMPILER = "differentiates, does not compile: see NumPy"
REFUSES = dict.fromkeys(
    (
        *("selu", "columns", "black_scholes", "layer_norm", "transformer", "collatz"),
        *("mandelbrot", "three_bodies", "call", "nested_call"),
    ),
    _NOT_A_COMPILER,
) | dict.fromkeys(("convolution", "convolution_gradient"), "no convolution of several channels")
NOTES = {"newton_lanes": "whole arrays, with a mask"}

to_numpy = np.asarray


def _maker(transform: Callable, function: Callable) -> Callable:
    differentiated = transform(rebound(function, np=anp))
    return lambda *args: lambda: differentiated(*args)


def _by_all(function: Callable) -> Callable:
    by_tuple = grad(lambda variables, ct: function(*variables, ct))
    return lambda x, scale, shift, ct: by_tuple((x, scale, shift), ct)


def _training(loss: Callable) -> Callable:
    loss_and_gradient = value_and_grad(loss)

    def step(params, x, labels):
        value, gradient = loss_and_gradient(params, x, labels)
        rate = networks.RATE
        pairs = zip(params, gradient)
        return [(w - rate * gw, b - rate * gb) for (w, b), (gw, gb) in pairs], value

    return step


def newton_array(a):
    x = a
    while np.any(active := np.abs(x * x - a) > 1e-10 * a):
        x = np.where(active, 0.5 * (x + a / x), x)
    return x


MAKERS = {
    "cross_entropy": _maker(grad, elementwise.cross_entropy),
    "layer_norm_gradient": _maker(_by_all, elementwise.weighted_layer_norm),
    "perceptron": _maker(_training, networks.perceptron_loss),
    "rnn": _maker(grad, networks.rnn_loss),
    "transformer_gradient": _maker(value_and_grad, networks.transformer_loss),
    "newton": _maker(grad, loops.newton_sqrt),
    "newton_lanes": _maker(elementwise_grad, newton_array),
}
