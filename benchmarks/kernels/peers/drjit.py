"""Dr.Jit on its LLVM backend, which needs libLLVM: set ``DRJIT_LIBLLVM_PATH`` if it is not found.

Functions are frozen: a frozen function is not traced again in each call.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import drjit as dr
import numpy as np
from drjit.llvm.ad import (
    Array2f64,
    Float32,
    Float64,
    Int64,
    TensorXf,
    TensorXf64,
    TensorXi64,
    UInt32,
)

from benchmarks.kernels.programs import loops, networks

PACKAGE = "drjit"
_FORWARD = "forward mode: its reverse mode wants a bound on the trips"
REFUSES = dict.fromkeys(("convolution", "convolution_gradient"), "no convolutions")
NOTES = {"newton": _FORWARD, "newton_lanes": _FORWARD}

_ARRAYS = {
    (1, "float32"): Float32,
    (1, "float64"): Float64,
    (1, "int64"): Int64,
    (2, "float32"): TensorXf,
    (2, "float64"): TensorXf64,
    (2, "int64"): TensorXi64,
}


def to_numpy(value) -> np.ndarray:
    return value.numpy()


def _array(leaf):
    if isinstance(leaf, np.ndarray):
        kind = _ARRAYS[min(leaf.ndim, 2), leaf.dtype.name]
        return kind(leaf)
    return leaf


def _maker(function: Callable, prepare: Callable | None = None) -> Callable:
    def make(*args):
        arrays = prepare(*args) if prepare else [_array(arg) for arg in args]
        compiled = dr.freeze(function)

        def call():
            result = compiled(*arrays)
            dr.eval(result)
            dr.sync_thread()
            return result

        return call

    return make


def _opaque(*variables):
    """Variables whose values are not known when a function is compiled."""
    dr.make_opaque(variables)
    return variables


def selu(x):
    return 1.0507 * dr.select(x > 0.0, x, 1.67326 * (dr.exp(x) - 1.0))


def _column(row):
    return dr.reshape(type(row), row, (row.shape[0], 1))


def normalized_columns(x):
    centered = x - dr.mean(x, axis=0)
    return centered / dr.sqrt(dr.mean(dr.square(centered), axis=0))


def _cross_entropy(scores, labels):
    n, classes = scores.shape
    scores = scores - _column(dr.max(dr.detach(scores), axis=1))
    log_normalizer = dr.log(dr.sum(dr.exp(scores), axis=1)).array
    picked = dr.gather(Float32, scores.array, dr.arange(UInt32, n) * classes + UInt32(labels))
    return dr.mean(log_normalizer - picked)


def cross_entropy_gradient(scores, labels):
    scores = TensorXf(scores)
    dr.enable_grad(scores)
    dr.backward(_cross_entropy(scores, labels))
    return dr.grad(scores)


def black_scholes(price, strike, years, rate, volatility):
    def normal_cdf(x):
        return 0.5 * (1.0 + dr.erf(x / math.sqrt(2.0)))

    spread = volatility * dr.sqrt(years)
    d1 = (dr.log(price / strike) + (rate + 0.5 * volatility**2) * years) / spread
    d2 = d1 - spread
    discounted = strike * dr.exp(-rate * years)
    call = price * normal_cdf(d1) - discounted * normal_cdf(d2)
    put = discounted * normal_cdf(-d2) - price * normal_cdf(-d1)
    return call, put


def layer_norm(x, scale, shift):
    centered = x - _column(dr.mean(x, axis=1))
    variance = _column(dr.mean(dr.square(centered), axis=1))
    return centered * dr.rsqrt(variance + 1e-5) * TensorXf(scale) + TensorXf(shift)


def layer_norm_gradient(x, scale, shift, ct):
    variables = TensorXf(x), Float32(scale), Float32(shift)
    dr.enable_grad(*variables)
    dr.backward(dr.sum(layer_norm(*variables) * ct, axis=None))
    return dr.grad(variables)


def training_step(params, x, labels):
    params = [(TensorXf(w), TensorXf(b)) for w, b in params]
    dr.enable_grad(params)
    for w, b in params[:-1]:
        x = dr.maximum(x @ w + b, 0.0)
    w, b = params[-1]
    value = _cross_entropy(x @ w + b, labels)
    dr.backward(value)
    rate = networks.RATE
    updated = [
        (dr.detach(w) - rate * dr.grad(w), dr.detach(b) - rate * dr.grad(b)) for w, b in params
    ]
    return updated, dr.detach(value)


def prepare_training(params, x, labels):
    tensors = [(TensorXf(w), TensorXf(b)) for w, b in params]
    return tensors, TensorXf(x), Int64(labels)


def rnn_gradient(params, h, xs):
    params = tuple(map(TensorXf, params))
    dr.enable_grad(params)
    w, u, b = params
    for x in xs:
        h = dr.tanh(x @ w + h @ u + b)
    dr.backward(dr.mean(dr.square(h), axis=None))
    return dr.grad(params)


def prepare_rnn(params, h, xs):
    return tuple(map(TensorXf, params)), TensorXf(h), [TensorXf(x) for x in xs]


def attention(x, qkv, out):
    batch, length, width = x.shape
    size = width // networks.HEADS
    heads = dr.reshape(TensorXf, x @ qkv, (batch, length, 3, networks.HEADS, size))
    # Dr.Jit 1.5 adds up gradients wrongly where an array and its changed axes both are used: no
    # slices before the change, and a product that transposes by itself.
    heads = dr.moveaxis(dr.moveaxis(heads, 2, 0), 3, 2)
    q, k, v = heads[0], heads[1], heads[2]
    scores = dr.matmul(q, k, Bt=True) * (1.0 / math.sqrt(size))
    rows = (batch, networks.HEADS, length, 1)
    weights = dr.exp(scores - dr.reshape(TensorXf, dr.max(dr.detach(scores), axis=3), rows))
    weights = weights / dr.reshape(TensorXf, dr.sum(weights, axis=3), rows)
    mixed = dr.moveaxis(weights @ v, 1, 2)
    return dr.reshape(TensorXf, mixed, (batch, length, width)) @ out


def gelu(x):
    return 0.5 * x * (1.0 + dr.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


def layer_norm_of_sequences(x, scale, shift):
    batch, length, width = x.shape
    flat = layer_norm(dr.reshape(TensorXf, x, (batch * length, width)), scale, shift)
    return dr.reshape(TensorXf, flat, x.shape)


def transformer(layers, x):
    for layer in layers:
        first, second = layer["norms"]
        x = x + attention(layer_norm_of_sequences(x, *first), *layer["attention"])
        w, b = layer["up"]
        hidden = gelu(layer_norm_of_sequences(x, *second) @ w + b)
        w, b = layer["down"]
        x = x + hidden @ w + b
    return x


def transformer_gradient(layers, x):
    layers = dr.copy(layers)
    dr.enable_grad(layers)
    value = dr.mean(dr.square(transformer(layers, x)), axis=None)
    dr.backward(value)
    return dr.detach(value), dr.grad(layers)


def prepare_transformer(layers, x):
    def tensors(tree):
        if isinstance(tree, dict):
            return {key: tensors(part) for key, part in tree.items()}
        if isinstance(tree, (list, tuple)):
            return [tensors(part) for part in tree]
        return TensorXf(tree)

    return tensors(layers), TensorXf(x)


def collatz(n):
    def step(n, steps):
        return dr.select((n & 1) == 0, n >> 1, 3 * n + 1), steps + 1

    return dr.while_loop((n, Int64(0)), lambda n, steps: n != 1, step)[1]


def mandelbrot(c_re, c_im):
    def inside(re, im, n):
        return (n < loops.LIMIT) & (re * re + im * im <= 4.0)

    def step(re, im, n):
        return re * re - im * im + c_re, 2.0 * re * im + c_im, n + 1

    zero = dr.zeros(Float32, dr.width(c_re))
    return dr.while_loop((zero, Float32(zero), dr.zeros(Int64, dr.width(c_re))), inside, step)[2]


def newton_gradient(a):
    a = Float64(a)
    dr.enable_grad(a)
    (x,) = dr.while_loop(
        (Float64(a),),
        lambda x: abs(x * x - a) > 1e-10 * a,
        lambda x: (0.5 * (x + a / x),),
    )
    dr.set_grad(a, 1.0)
    return dr.forward_to(x)


def prepare_scalar(a):
    return _opaque(Float64(a))


def leapfrog(q, v, masses, end, dt):
    """Each body is a vector of two numbers; ``q`` and ``v`` are lists of them."""
    bodies = range(len(q))

    def accelerations(q):
        found = []
        for i in bodies:
            total = 0.0
            for j in bodies:
                if i != j:
                    d = q[j] - q[i]
                    squared = dr.squared_norm(d)
                    total = total + d * (masses[j] / (squared * dr.sqrt(squared)))
            found.append(total)
        return found

    def step(t, q, v, a):
        v = [v[i] + 0.5 * dt * a[i] for i in bodies]
        q = [q[i] + dt * v[i] for i in bodies]
        a = accelerations(q)
        return t + dt, q, [v[i] + 0.5 * dt * a[i] for i in bodies], a

    start = Float64(0.0), q, v, accelerations(q)
    _, q, v, _ = dr.while_loop(start, lambda t, q, v, a: t < end, step)
    return q, v


def prepare_leapfrog(q, v, masses, end, dt):
    q, v = ([Array2f64(*map(float, row)) for row in rows] for rows in (q, v))
    return _opaque(q, v, list(map(Float64, masses)), Float64(end), Float64(dt))


def sine(x):
    return dr.sin(x)


def sine_of_first(tree):
    return dr.sin(tree["layers"][0])


def prepare_nested(tree):
    return (
        {
            "layers": list(map(Float64, tree["layers"])),
            "pair": tuple(map(Float64, tree["pair"])),
            "more": {"rest": list(map(Float64, tree["more"]["rest"]))},
        },
    )


MAKERS = {
    "selu": _maker(selu),
    "columns": _maker(normalized_columns),
    "cross_entropy": _maker(cross_entropy_gradient),
    "black_scholes": _maker(black_scholes),
    "layer_norm": _maker(layer_norm),
    "layer_norm_gradient": _maker(layer_norm_gradient),
    "perceptron": _maker(training_step, prepare_training),
    "rnn": _maker(rnn_gradient, prepare_rnn),
    "transformer": _maker(transformer, prepare_transformer),
    "transformer_gradient": _maker(transformer_gradient, prepare_transformer),
    "collatz": _maker(collatz, lambda n: _opaque(Int64(n))),
    "mandelbrot": _maker(mandelbrot),
    "newton": _maker(newton_gradient, prepare_scalar),
    "newton_lanes": _maker(newton_gradient),
    "three_bodies": _maker(leapfrog, prepare_leapfrog),
    "call": _maker(sine),
    "nested_call": _maker(sine_of_first, prepare_nested),
}
