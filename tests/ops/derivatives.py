"""Derivatives of functions of arrays, checked through the compiler against central differences."""

import warnings

import numpy as np
import optree

import autograph as ag
from tests.support.oracle import check_grad


def check_derivatives(function, *args, order=2):
    """Check the gradients, to second order, of a weighted sum of all floating-point results by all
    arguments that hold float64 numbers."""
    argnums = tuple(i for i, x in enumerate(args) if np.asarray(x).dtype == np.float64)
    check_grad(scalar_of(function), *args, argnums=argnums, order=order)


def scalar_of(function):
    """A smooth number that depends on each element of each result of ``function``."""

    def total(*args):
        result = 0.0
        for position, leaf in enumerate(optree.tree_leaves(function(*args))):
            leaf = np.asarray(leaf)
            if leaf.dtype.kind == "c":
                leaf = leaf.real + 0.3 * leaf.imag
            if leaf.dtype.kind == "f":
                flat = np.reshape(leaf, -1)
                weights = np.cos(position + np.cumsum(np.ones_like(flat)))
                result = result + np.sum(np.sin(0.3 * flat) * weights)
        return result

    return total


def check_complex_derivatives(function, *args, order=1):
    """Check forward and reverse mode, with float64 arguments made complex.

    Functions that NumPy does not have for complex numbers are left out.
    """
    rng = np.random.default_rng(0)
    args = [_made_complex(x, rng) for x in args]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function(*args)
    except (TypeError, ValueError, NotImplementedError):
        return
    ag.check_grads(function, args, order=order)


def _made_complex(x, rng):
    if np.asarray(x).dtype != np.float64:
        return x
    moved = x + 1j * rng.normal(size=np.shape(x))
    return moved if np.ndim(x) else complex(moved)
