"""numba: explicit loops, those over large arrays in parallel. It has no derivatives."""

from __future__ import annotations

from collections.abc import Callable
from math import erf, exp, expm1, log, sqrt

import numpy as np
from numba import njit, prange

from benchmarks.kernels.programs import calls, loops

PACKAGE = "numba"
_NO_DERIVATIVES = "no derivatives"
REFUSES = dict.fromkeys(
    (
        *("cross_entropy", "layer_norm_gradient", "perceptron", "rnn", "transformer_gradient"),
        *("newton", "newton_lanes"),
    ),
    _NO_DERIVATIVES,
) | {
    "transformer": "no matrix products of more than two dimensions",
    "nested_call": "no dicts of unequal values as arguments",
    "convolution": "no convolution of several channels",
    "convolution_gradient": _NO_DERIVATIVES,
}
NOTES: dict[str, str] = {}

to_numpy = np.asarray
LIMIT = loops.LIMIT
# Sums in any order, products and sums in one rounding: without these no sum is vectorised.
RELAXED = {"reassoc", "nsz", "contract"}


def _maker(function: Callable, parallel: bool = True) -> Callable:
    def make(*args):
        compiled = njit(parallel=parallel, fastmath=RELAXED)(function)
        return lambda: compiled(*args)

    return make


def selu(x):
    y = np.empty_like(x)
    for i in prange(x.size):
        v = x[i]
        y[i] = np.float32(1.0507) * (v if v > 0.0 else np.float32(1.67326) * expm1(v))
    return y


def normalized_columns(x):
    rows, columns = x.shape
    mean, square = np.zeros(columns), np.zeros(columns)
    for i in range(rows):
        for j in range(columns):
            mean[j] += x[i, j]
    mean /= rows
    for i in range(rows):
        for j in range(columns):
            square[j] += (x[i, j] - mean[j]) ** 2
    scale = 1.0 / np.sqrt(square / rows)
    y = np.empty_like(x)
    for i in prange(rows):
        for j in range(columns):
            y[i, j] = (x[i, j] - mean[j]) * scale[j]
    return y


def black_scholes(price, strike, years, rate, volatility):
    call, put = np.empty_like(price), np.empty_like(price)
    for i in prange(price.size):
        spread = volatility * sqrt(years[i])
        d1 = (log(price[i] / strike[i]) + (rate + 0.5 * volatility**2) * years[i]) / spread
        d2 = d1 - spread
        discounted = strike[i] * exp(-rate * years[i])
        n1, n2 = 0.5 * (1.0 + erf(d1 / sqrt(2.0))), 0.5 * (1.0 + erf(d2 / sqrt(2.0)))
        m1, m2 = 0.5 * (1.0 + erf(-d1 / sqrt(2.0))), 0.5 * (1.0 + erf(-d2 / sqrt(2.0)))
        call[i] = price[i] * n1 - discounted * n2
        put[i] = discounted * m2 - price[i] * m1
    return call, put


def layer_norm(x, scale, shift):
    y = np.empty_like(x)
    width = np.float32(x.shape[1])
    for i in prange(x.shape[0]):
        mean = variance = np.float32(0.0)
        for j in range(x.shape[1]):
            mean += x[i, j]
        mean /= width
        for j in range(x.shape[1]):
            variance += (x[i, j] - mean) ** 2
        factor = np.float32(1.0) / np.sqrt(variance / width + np.float32(1e-5))
        for j in range(x.shape[1]):
            y[i, j] = (x[i, j] - mean) * factor * scale[j] + shift[j]
    return y


def mandelbrot(c_re, c_im):
    counts = np.empty(c_re.size, np.int64)
    for i in prange(c_re.size):
        re = im = np.float32(0.0)
        n = 0
        while n < LIMIT and re * re + im * im <= np.float32(4.0):
            re, im = re * re - im * im + c_re[i], np.float32(2.0) * re * im + c_im[i]
            n += 1
        counts[i] = n
    return counts


def leapfrog(q, v, masses, end, dt):
    q, v, a = q.copy(), v.copy(), np.empty_like(q)
    bodies, axes = q.shape
    t = 0.0
    first = True
    while first or t < end:
        if not first:
            for i in range(bodies):
                for k in range(axes):
                    v[i, k] += 0.5 * dt * a[i, k]
                    q[i, k] += dt * v[i, k]
        for i in range(bodies):
            for k in range(axes):
                a[i, k] = 0.0
            for j in range(bodies):
                if i != j:
                    squared = 0.0
                    for k in range(axes):
                        squared += (q[j, k] - q[i, k]) ** 2
                    factor = masses[j] / (squared * sqrt(squared))
                    for k in range(axes):
                        a[i, k] += factor * (q[j, k] - q[i, k])
        if not first:
            for i in range(bodies):
                for k in range(axes):
                    v[i, k] += 0.5 * dt * a[i, k]
            t += dt
        first = False
    return q, v


MAKERS = {
    "selu": _maker(selu),
    "columns": _maker(normalized_columns),
    "black_scholes": _maker(black_scholes),
    "layer_norm": _maker(layer_norm),
    "collatz": _maker(loops.collatz, parallel=False),
    "mandelbrot": _maker(mandelbrot),
    "three_bodies": _maker(leapfrog, parallel=False),
    "call": _maker(calls.sine, parallel=False),
}
