"""The densities in JAX's words, and chains of samplers that JAX compiles."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.samplers.rows import worth
from samples import posteriors

jax.config.update("jax_enable_x64", True)


def normal(x, mean, deviation):
    return -0.5 * ((x - mean) / deviation) ** 2 - jnp.log(deviation)


def scales(theta):
    return jnp.sum(normal(theta, 0.0, posteriors.SCALES))


def correlated(theta):
    x, y = theta
    return normal(x, 0.0, 1.0) + normal(y, 0.95 * x, np.sqrt(1.0 - 0.95**2))


def eight_schools(theta):
    mu, tau = theta[0], jnp.exp(theta[1])
    effects = mu + tau * theta[2:]
    prior = normal(mu, 0.0, 5.0) - jnp.log(1.0 + (tau / 5.0) ** 2) + theta[1]
    effects_prior = jnp.sum(normal(theta[2:], 0.0, 1.0))
    return prior + effects_prior + jnp.sum(normal(posteriors.EFFECTS, effects, posteriors.ERRORS))


def logistic_regression(theta):
    score = theta[0] + theta[1] * posteriors.DOSES
    fit = jnp.sum(posteriors.CAME * score - jnp.logaddexp(0.0, score))
    return fit + jnp.sum(normal(theta, 0.0, 3.0))


def linear_regression(theta):
    fit = jnp.sum(normal(posteriors.Y, posteriors.X @ theta, 0.5))
    return fit + jnp.sum(normal(theta, 0.0, 10.0))


DENSITIES = {
    "scales": scales,
    "correlated": correlated,
    "eight schools": eight_schools,
    "logistic regression": logistic_regression,
    "linear regression": linear_regression,
}


def to_numpy(value: float) -> np.ndarray:
    return np.asarray(value)


def chains(name: str, sample: Callable) -> Callable:
    """A call that makes a chain by a function of a key, each with another key."""
    key = jax.random.key(0)

    def call() -> tuple:
        nonlocal key
        key, own = jax.random.split(key)
        return worth(name, sample(own))

    return call
