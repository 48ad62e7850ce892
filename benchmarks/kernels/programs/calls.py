"""Functions that do next to nothing: what is timed is the call."""

from __future__ import annotations

import numpy as np


def one_array():
    return (np.ones(1),)


def sine(x):
    return np.sin(x)


def nested_arrays():
    """Ten arrays in lists, tuples and dicts."""
    layers = [np.full(1, float(i)) for i in range(5)]
    rest = [np.full(1, 7.0), np.full(1, 8.0), np.full(1, 9.0)]
    return ({"layers": layers, "pair": (np.ones(1), np.ones(1)), "more": {"rest": rest}},)


def sine_of_first(tree):
    return np.sin(tree["layers"][0])
