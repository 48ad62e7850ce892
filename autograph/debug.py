"""Stopping at the first NaN or infinity: `with ag.debug.nans():`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import numpy as np

from autograph.nonfinite import INFINITY, NAN, wanted

__all__ = ["infinities", "nans"]


@contextlib.contextmanager
def nans() -> Iterator[None]:
    """Let compiled functions that are called in this block stop at the first NaN.

    They run without native kernels then, one operation of NumPy after the other, and look at what
    each line of the program gives, also at what no later line uses. It is for finding out where a
    NaN comes from, and takes many times as long.

    Raises:
        NonFiniteError: (by the functions) a `FloatingPointError`: a result of a line is NaN, or has
            elements that are. It names the line of the user's function.

    Examples:
        >>> f = ag.to_graph(lambda x: np.exp(x) - np.exp(x))
        >>> with np.errstate(all="ignore"), ag.debug.nans():
        ...     f(np.array([1.0, 1000.0]))
        Traceback (most recent call last):
            ...
        autograph.errors.NonFiniteError: [AG0622] what this line gives has NaN ...
    """
    with _stopping_at(NAN):
        yield


@contextlib.contextmanager
def infinities() -> Iterator[None]:
    """As `nans`, at the first infinity.

    Examples:
        >>> f = ag.to_graph(lambda x: np.sum(1.0 / x))
        >>> with np.errstate(all="ignore"), ag.debug.infinities():
        ...     f(np.array([1.0, 0.0]))
        Traceback (most recent call last):
            ...
        autograph.errors.NonFiniteError: [AG0622] what this line gives is infinity
    """
    with _stopping_at(INFINITY):
        yield


@contextlib.contextmanager
def _stopping_at(kind: str) -> Iterator[None]:
    token = wanted.set(wanted.get() | {kind})
    try:
        with np.errstate():  # machine code that takes quick calls looks at this alone
            yield
    finally:
        wanted.reset(token)
