"""NumPy alone: the programs run by Python, gradients written by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.kernels.programs import calls, elementwise, loops, networks

PACKAGE = "numpy"
_NOT_WRITTEN = "not written by hand"
REFUSES = {
    "transformer_gradient": f"{_NOT_WRITTEN}; see autograd",
    "convolution_gradient": _NOT_WRITTEN,
}
NOTES = {
    "mandelbrot": "whole arrays, of the points that are still inside",
    "newton_lanes": "whole arrays, with a mask",
    "convolution": "a matrix product with the windows, which NumPy copies",
}

to_numpy = np.asarray


def _maker(function: Callable) -> Callable:
    return lambda *args: lambda: function(*args)


def convolution(x, kernel):
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    return np.moveaxis(np.tensordot(windows, kernel, ((1, 4, 5), (1, 2, 3))), -1, 1)


def cross_entropy_gradient(scores, labels):
    """The gradient by the scores."""
    ct = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    ct /= np.sum(ct, axis=1, keepdims=True)
    ct[np.arange(len(labels)), labels] -= 1.0
    ct /= len(labels)
    return ct


def layer_norm_gradient(x, scale, shift, ct):
    centered = x - np.mean(x, axis=-1, keepdims=True)
    deviation = np.sqrt(np.mean(centered * centered, axis=-1, keepdims=True) + 1e-5)
    normal = centered / deviation
    ct_scale, ct_shift = np.sum(ct * normal, axis=0), np.sum(ct, axis=0)
    ct = ct * scale
    shared = np.mean(ct, axis=-1, keepdims=True)
    along = normal * np.mean(ct * normal, axis=-1, keepdims=True)
    return (ct - shared - along) / deviation, ct_scale, ct_shift


def training_step(params, x, labels):
    activations = [x]
    for w, b in params[:-1]:
        activations.append(np.maximum(activations[-1] @ w + b, 0.0))
    w, b = params[-1]
    scores = activations[-1] @ w + b
    scores -= np.max(scores, axis=1, keepdims=True)
    ct = np.exp(scores)
    normalizer = np.sum(ct, axis=1, keepdims=True)
    rows = np.arange(len(labels))
    value = np.mean(np.log(normalizer[:, 0]) - scores[rows, labels])
    ct /= normalizer
    ct[rows, labels] -= 1.0
    ct /= len(labels)
    updated = []
    for (w, b), activation in zip(reversed(params), reversed(activations)):
        step = w - networks.RATE * (activation.T @ ct), b - networks.RATE * np.sum(ct, axis=0)
        updated.append(step)
        if activation is not x:
            ct = (ct @ w.T) * (activation > 0.0)
    return updated[::-1], value


def rnn_gradient(params, h, xs):
    w, u, b = params
    states = [h]
    for x in xs:
        states.append(np.tanh(x @ w + states[-1] @ u + b))
    ct_w, ct_u, ct_b = np.zeros_like(w), np.zeros_like(u), np.zeros_like(b)
    ct = states[-1] * np.float32(2.0 / states[-1].size)
    for x, before, after in zip(reversed(xs), states[-2::-1], states[:0:-1]):
        ct = ct * (1.0 - after * after)
        ct_w += x.T @ ct
        ct_u += before.T @ ct
        ct_b += np.sum(ct, axis=0)
        ct = ct @ u.T
    return ct_w, ct_u, ct_b


def mandelbrot(c_re, c_im):
    counts = np.full(c_re.shape, loops.LIMIT)
    inside = np.arange(c_re.size)
    re = im = np.zeros_like(c_re)
    for n in range(loops.LIMIT):
        squared_re, squared_im = re * re, im * im
        left = squared_re + squared_im > 4.0
        if np.any(left):
            counts[inside[left]] = n
            stay = ~left
            inside, re, im, c_re, c_im = inside[stay], re[stay], im[stay], c_re[stay], c_im[stay]
            squared_re, squared_im = squared_re[stay], squared_im[stay]
        re, im = squared_re - squared_im + c_re, 2.0 * re * im + c_im
    return counts


def newton_gradient(a):
    """Forwards, keeping the iterates, then backwards."""
    x = a
    iterates = []
    while abs(x * x - a) > 1e-10 * a:
        iterates.append(x)
        x = 0.5 * (x + a / x)
    ct_x, ct_a = 1.0, 0.0
    for x in reversed(iterates):
        ct_x *= 0.5
        ct_a += ct_x / x
        ct_x -= ct_x * a / (x * x)
    return ct_a + ct_x


def newton_gradients(a):
    """The same for an array."""
    x = a
    iterates = []
    while np.any(active := np.abs(x * x - a) > 1e-10 * a):
        iterates.append((x, active))
        x = np.where(active, 0.5 * (x + a / x), x)
    ct_x, ct_a = np.ones_like(a), np.zeros_like(a)
    for x, active in reversed(iterates):
        half = 0.5 * ct_x
        ct_a += np.where(active, half / x, 0.0)
        ct_x = np.where(active, half - half * a / (x * x), ct_x)
    return ct_a + ct_x


MAKERS = {
    "selu": _maker(elementwise.selu),
    "columns": _maker(elementwise.normalized_columns),
    "cross_entropy": _maker(cross_entropy_gradient),
    "black_scholes": _maker(elementwise.black_scholes),
    "layer_norm": _maker(elementwise.layer_norm),
    "layer_norm_gradient": _maker(layer_norm_gradient),
    "perceptron": _maker(training_step),
    "rnn": _maker(rnn_gradient),
    "convolution": _maker(convolution),
    "transformer": _maker(networks.transformer),
    "collatz": _maker(loops.collatz),
    "mandelbrot": _maker(mandelbrot),
    "newton": _maker(newton_gradient),
    "newton_lanes": _maker(newton_gradients),
    "three_bodies": _maker(loops.leapfrog),
    "call": _maker(calls.sine),
    "nested_call": _maker(calls.sine_of_first),
}
