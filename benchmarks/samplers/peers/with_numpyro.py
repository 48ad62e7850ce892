"""NumPyro's sampler, which has loops in the place of the recursion."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
from numpyro.infer import MCMC, NUTS

from benchmarks.samplers.peers.densities import DENSITIES, chains, to_numpy
from benchmarks.samplers.rows import ADAPTING, DRAWS, NAMES
from samples.posteriors import POSTERIORS

__all__ = ["MAKERS", "NOTES", "PACKAGE", "REFUSES", "to_numpy"]

PACKAGE = "numpyro"
REFUSES: dict[str, str] = {}
NOTES = dict.fromkeys(NAMES, "jax.jit around MCMC.run, which compiles anew at each call by itself")


def chain(name: str) -> Callable:
    density, start = DENSITIES[name], jnp.asarray(POSTERIORS[name].start)

    @jax.jit
    def sample(key):
        kernel = NUTS(potential_fn=lambda theta: -density(theta), adapt_mass_matrix=False)
        run = MCMC(kernel, num_warmup=ADAPTING, num_samples=DRAWS, progress_bar=False)
        run.run(key, init_params=start)
        return run.get_samples()

    return chains(name, sample)


MAKERS = dict.fromkeys(NAMES, chain)
