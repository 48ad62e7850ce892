"""What compiles a program with JAX."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)  # float64 stays float64


def maker(function: Callable, static: tuple[int, ...] = ()) -> Callable:
    """Compile a function; ``static`` are the positions of arguments that decide shapes."""

    def make(*args):
        arrays = [
            arg if position in static else jax.tree.map(jnp.asarray, arg)
            for position, arg in enumerate(args)
        ]
        compiled = jax.jit(function, static_argnums=static)
        return lambda: jax.block_until_ready(compiled(*arrays))

    return make
