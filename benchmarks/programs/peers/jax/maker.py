"""What compiles a program with JAX."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp

from benchmarks.beside.rotation import in_rotation

jax.config.update("jax_enable_x64", True)  # float64 stays float64


def maker(function: Callable, static: tuple[int, ...] = ()) -> Callable:
    """Compile a function; ``static`` are the positions of arguments that decide shapes."""

    def given(args):
        return [
            arg if position in static else jax.tree.map(jnp.asarray, arg)
            for position, arg in enumerate(args)
        ]

    def make(*args, others=()):
        compiled = jax.jit(function, static_argnums=static)
        call = lambda *arrays: jax.block_until_ready(compiled(*arrays))
        return in_rotation(call, [given(each) for each in (args, *others)])

    return make
