"""NumPyro's sampler, which has loops in the place of the recursion."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
from numpyro.infer import MCMC, NUTS

from benchmarks.samplers.peers.densities import DENSITIES
from benchmarks.samplers.rows import ADAPTING, DRAWS, NAMES, worth
from samples.posteriors import POSTERIORS

PACKAGE = "numpyro"
REFUSES: dict[str, str] = {}
NOTES = dict.fromkeys(NAMES, "jax.jit around MCMC.run, which compiles anew at each call by itself")


def to_numpy(value: float) -> np.ndarray:
    return np.asarray(value)


def chain(name: str) -> Callable:
    density, start = DENSITIES[name], jnp.asarray(POSTERIORS[name].start)

    @jax.jit
    def sample(key):
        kernel = NUTS(potential_fn=lambda theta: -density(theta), adapt_mass_matrix=False)
        run = MCMC(kernel, num_warmup=ADAPTING, num_samples=DRAWS, progress_bar=False)
        run.run(key, init_params=start)
        return run.get_samples()

    key = jax.random.key(0)

    def call() -> tuple:
        nonlocal key
        key, own = jax.random.split(key)
        return worth(name, sample(own))

    return call


MAKERS = dict.fromkeys(NAMES, chain)
