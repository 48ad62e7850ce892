"""BlackJAX's sampler, whose warm-up and chain are one compiled function."""

from __future__ import annotations

from collections.abc import Callable

import blackjax
import jax
import jax.numpy as jnp

from benchmarks.samplers.peers.densities import DENSITIES, chains, to_numpy
from benchmarks.samplers.rows import ADAPTING, DRAWS, NAMES
from samples.posteriors import POSTERIORS

__all__ = ["MAKERS", "NOTES", "PACKAGE", "REFUSES", "to_numpy"]

PACKAGE = "blackjax"
REFUSES: dict[str, str] = {}
NOTES = dict.fromkeys(NAMES, "adapts a diagonal mass as well")


def chain(name: str) -> Callable:
    density, start = DENSITIES[name], jnp.asarray(POSTERIORS[name].start)
    warm_up = blackjax.window_adaptation(blackjax.nuts, density)

    @jax.jit
    def sample(key):
        first, second = jax.random.split(key)
        (state, parameters), _ = warm_up.run(first, start, num_steps=ADAPTING)
        kernel = blackjax.nuts(density, **parameters)

        def step(state, key):
            state, _ = kernel.step(key, state)
            return state, state.position

        _, draws = jax.lax.scan(step, state, jax.random.split(second, DRAWS))
        return draws

    return chains(name, sample)


MAKERS = dict.fromkeys(NAMES, chain)
