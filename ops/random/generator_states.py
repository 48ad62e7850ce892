"""The states of NumPy's default generator as arrays of words.

Programs that call these functions have their text.
"""

from __future__ import annotations

import numpy as np

__all__ = ["generator_of", "new_generator", "put_words", "words_of"]


def new_generator(seed=None):
    """A generator of NumPy's default kind."""
    return np.random.default_rng(seed)


def words_of(generator):
    """The state of a generator of NumPy's default kind, as an array."""
    state = generator.bit_generator.state
    a, b, low = state["state"]["state"], state["state"]["inc"], 2**64 - 1
    halves = (a >> 64, a & low, b >> 64, b & low)
    return np.array((*halves, state["has_uint32"], state["uinteger"]), "uint64")


def put_words(generator, words):
    """Put a generator of NumPy's default kind in a state."""
    a, b, c, d, has_uint32, uinteger = words.tolist()
    generator.bit_generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": a << 64 | b, "inc": c << 64 | d},
        "has_uint32": has_uint32,
        "uinteger": uinteger,
    }


def generator_of(words):
    """A generator of NumPy's default kind in a state."""
    generator = new_generator(0)
    put_words(generator, np.asarray(words))
    return generator
