"""Element-wise functions and reductions."""

from __future__ import annotations

import numpy as np
from scipy.special import erf


def selu_arguments():
    return (_normal(np.random.default_rng(0), 1_000_000),)


def selu(x):
    """Scaled exponential linear units (Klambauer et al., arXiv:1706.02515)."""
    return 1.0507 * np.where(x > 0.0, x, 1.67326 * np.expm1(x))


def columns_arguments():
    return (np.random.default_rng(0).normal(3.0, 2.0, (10_000, 100)),)


def normalized_columns(x):
    return (x - np.mean(x, axis=0)) / np.std(x, axis=0)


def black_scholes_arguments():
    rng = np.random.default_rng(0)
    limits = ((5.0, 30.0), (1.0, 100.0), (0.25, 10.0))
    price, strike, years = (rng.uniform(low, high, 1_000_000) for low, high in limits)
    return price, strike, years, 0.02, 0.3


def normal_cdf(x):
    return 0.5 * (1.0 + erf(x / np.sqrt(2.0)))


def black_scholes(price, strike, years, rate, volatility):
    """The prices of European calls and puts."""
    spread = volatility * np.sqrt(years)
    d1 = (np.log(price / strike) + (rate + 0.5 * volatility**2) * years) / spread
    d2 = d1 - spread
    discounted = strike * np.exp(-rate * years)
    call = price * normal_cdf(d1) - discounted * normal_cdf(d2)
    put = discounted * normal_cdf(-d2) - price * normal_cdf(-d1)
    return call, put


def cross_entropy_arguments():
    rng = np.random.default_rng(0)
    return 3.0 * _normal(rng, 2048, 512), rng.integers(0, 512, 2048)


def cross_entropy(scores, labels):
    """The mean cross-entropy of scores, [n, classes], with labels, [n]."""
    scores = scores - np.max(scores, axis=1, keepdims=True)
    log_normalizer = np.log(np.sum(np.exp(scores), axis=1))
    return np.mean(log_normalizer - scores[np.arange(len(labels)), labels])


def layer_norm_arguments():
    rng = np.random.default_rng(0)
    return _normal(rng, 4096, 512), _normal(rng, 512), _normal(rng, 512)


def layer_norm(x, scale, shift):
    centered = x - np.mean(x, axis=-1, keepdims=True)
    variance = np.mean(centered * centered, axis=-1, keepdims=True)
    return centered / np.sqrt(variance + 1e-5) * scale + shift


def layer_norm_gradient_arguments():
    return *layer_norm_arguments(), _normal(np.random.default_rng(1), 4096, 512)


def weighted_layer_norm(x, scale, shift, weights):
    """Its gradient is the backward pass of `layer_norm` on the cotangent ``weights``."""
    return np.sum(layer_norm(x, scale, shift) * weights)


def _normal(rng, *shape):
    return rng.normal(0.0, 1.0, shape).astype(np.float32)
