"""TensorFlow: `tf.function` compiled by XLA; its own autograph converts the loops."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import tensorflow as tf

from benchmarks.kernels.programs import loops, networks

PACKAGE = "tensorflow-cpu"
REFUSES = dict.fromkeys(("convolution", "convolution_gradient"), "not written")
_REVERSE = "without XLA, which needs a bound on the trips in reverse mode"
NOTES = {
    "mandelbrot": "whole arrays, with a mask",
    "newton": _REVERSE,
    "newton_lanes": f"whole arrays, with a mask; {_REVERSE}",
}


def to_numpy(value) -> np.ndarray:
    return value.numpy() if isinstance(value, tf.Tensor) else np.asarray(value)


def _maker(function: Callable, xla: bool = True) -> Callable:
    def make(*args):
        # A Python number would be part of the signature.
        tensors = tf.nest.map_structure(tf.constant, args)
        tensors = [
            tf.constant(arg, tf.float64) if isinstance(arg, float) else tensor
            for arg, tensor in zip(args, tensors)
        ]
        compiled = tf.function(function, jit_compile=xla)
        return lambda: compiled(*tensors)

    return make


def _gradient(function: Callable, variables: int = 1, value: bool = False) -> Callable:
    """A function that gives the gradient by the first arguments."""

    def differentiated(*args):
        chosen = args[0] if variables == 1 else args[:variables]
        with tf.GradientTape() as tape:
            tape.watch(tf.nest.flatten(chosen))
            result = function(*args)
        flat = tape.gradient(result, tf.nest.flatten(chosen))
        gradient = tf.nest.pack_sequence_as(chosen, flat)
        return (result, gradient) if value else gradient

    return differentiated


def selu(x):
    return 1.0507 * tf.where(x > 0.0, x, 1.67326 * tf.math.expm1(x))


def normalized_columns(x):
    return (x - tf.reduce_mean(x, 0)) / tf.math.reduce_std(x, 0)


def cross_entropy(scores, labels):
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=scores)
    return tf.reduce_mean(losses)


def black_scholes(price, strike, years, rate, volatility):
    def normal_cdf(x):
        return 0.5 * (1.0 + tf.math.erf(x / math.sqrt(2.0)))

    spread = volatility * tf.sqrt(years)
    d1 = (tf.math.log(price / strike) + (rate + 0.5 * volatility**2) * years) / spread
    d2 = d1 - spread
    discounted = strike * tf.exp(-rate * years)
    call = price * normal_cdf(d1) - discounted * normal_cdf(d2)
    put = discounted * normal_cdf(-d2) - price * normal_cdf(-d1)
    return call, put


def layer_norm(x, scale, shift):
    mean, variance = tf.nn.moments(x, axes=-1, keepdims=True)
    return tf.nn.batch_normalization(x, mean, variance, shift, scale, 1e-5)


def weighted_layer_norm(x, scale, shift, weights):
    return tf.reduce_sum(layer_norm(x, scale, shift) * weights)


def perceptron_loss(params, x, labels):
    for w, b in params[:-1]:
        x = tf.nn.relu(x @ w + b)
    w, b = params[-1]
    return cross_entropy(x @ w + b, labels)


def training_step(params, x, labels):
    value, gradient = _gradient(perceptron_loss, value=True)(params, x, labels)
    rate = networks.RATE
    params = [(w - rate * gw, b - rate * gb) for (w, b), (gw, gb) in zip(params, gradient)]
    return params, value


def rnn_loss(params, h, xs):
    w, u, b = params
    for i in tf.range(xs.shape[0]):
        h = tf.tanh(xs[i] @ w + h @ u + b)
    return tf.reduce_mean(h * h)


def attention(x, qkv, out):
    batch, length, width = x.shape
    size = width // networks.HEADS
    heads = tf.reshape(x @ qkv, (batch, length, 3, networks.HEADS, size))
    q, k, v = tf.unstack(tf.transpose(heads, (2, 0, 3, 1, 4)))
    weights = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / math.sqrt(size))
    mixed = tf.transpose(weights @ v, (0, 2, 1, 3))
    return tf.reshape(mixed, (batch, length, width)) @ out


def transformer(layers, x):
    for layer in layers:
        first, second = layer["norms"]
        x = x + attention(layer_norm(x, *first), *layer["attention"])
        w, b = layer["up"]
        hidden = tf.nn.gelu(layer_norm(x, *second) @ w + b, approximate=True)
        w, b = layer["down"]
        x = x + hidden @ w + b
    return x


def transformer_loss(layers, x):
    y = transformer(layers, x)
    return tf.reduce_mean(y * y)


def collatz(n):
    n = tf.cast(n, tf.int64)
    steps = tf.constant(0, tf.int64)
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def mandelbrot(c_re, c_im):
    re, im = tf.zeros_like(c_re), tf.zeros_like(c_re)
    counts = tf.zeros(c_re.shape, tf.int64)
    inside = tf.ones(c_re.shape, tf.bool)
    n = 0
    while n < loops.LIMIT and tf.reduce_any(inside):
        counts += tf.cast(inside, tf.int64)
        moved_re = re * re - im * im + c_re
        moved_im = 2.0 * re * im + c_im
        re = tf.where(inside, moved_re, re)
        im = tf.where(inside, moved_im, im)
        inside = re * re + im * im <= 4.0
        n += 1
    return counts


def newton_sqrt(a):
    x = a
    while tf.abs(x * x - a) > 1e-10 * a:
        x = 0.5 * (x + a / x)
    return x


def newton_array(a):
    x = a
    active = tf.abs(x * x - a) > 1e-10 * a
    while tf.reduce_any(active):
        x = tf.where(active, 0.5 * (x + a / x), x)
        active = tf.abs(x * x - a) > 1e-10 * a
    return x


def leapfrog(q, v, masses, end, dt):
    def accelerations(q):
        d = q[None, :, :] - q[:, None, :]
        squared = tf.reduce_sum(d * d, 2) + tf.eye(3, dtype=q.dtype)
        return tf.reduce_sum((masses / (squared * tf.sqrt(squared)))[:, :, None] * d, 1)

    t = tf.zeros_like(end)
    a = accelerations(q)
    while t < end:
        v = v + 0.5 * dt * a
        q = q + dt * v
        a = accelerations(q)
        v = v + 0.5 * dt * a
        t += dt
    return q, v


def sine_of_first(tree):
    return tf.sin(tree["layers"][0])


MAKERS = {
    "selu": _maker(selu),
    "columns": _maker(normalized_columns),
    "cross_entropy": _maker(_gradient(cross_entropy)),
    "black_scholes": _maker(black_scholes),
    "layer_norm": _maker(layer_norm),
    "layer_norm_gradient": _maker(_gradient(weighted_layer_norm, variables=3)),
    "perceptron": _maker(training_step),
    "rnn": _maker(_gradient(rnn_loss)),
    "transformer": _maker(transformer),
    "transformer_gradient": _maker(_gradient(transformer_loss, value=True)),
    "collatz": _maker(collatz),
    "mandelbrot": _maker(mandelbrot),
    "newton": _maker(_gradient(newton_sqrt), xla=False),
    "newton_lanes": _maker(_gradient(newton_array), xla=False),
    "three_bodies": _maker(leapfrog),
    "call": _maker(tf.sin),
    "nested_call": _maker(sine_of_first),
}
