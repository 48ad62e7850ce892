"""Stopping at the first NaN or infinity: `with ag.debug.nans():`; and keys that are used twice."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from autograph.api.function import GraphFunction, to_graph
from autograph.errors import OperandValueError
from autograph.nonfinite import INFINITY, NAN, wanted
from autograph.transforms.analysis.key_reuse import reused_draw

__all__ = ["check_keys", "infinities", "nans"]


def check_keys(function: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Raise if a function draws random numbers twice from the same key.

    Two draws by one key of `ops.random` are the same numbers, or parts of the same, which is hardly
    ever meant. The function is recorded for arguments like these, and its draws are compared, also
    those of the trips of a loop; nothing is run.

    Args:
        function: any that can be compiled; what a checkpoint computes anew is not drawn twice.
        args, kwargs: as for a call.

    Raises:
        OperandValueError: a draw is made twice.

    Examples:
        >>> def noise(key):
        ...     first, second = ops.random.split(key)
        ...     return ops.random.normal(first) + ops.random.normal(second)
        >>> ag.debug.check_keys(noise, ops.random.key(0))
    """
    compiled = function if isinstance(function, GraphFunction) else to_graph(function)
    found = reused_draw(compiled.stages(*args, **kwargs)["record"].after)
    if found is None:
        return
    before = "in each trip of a loop" if found.in_loop else f"first at {found.first}"
    raise OperandValueError(
        f"random numbers are drawn again from a key that was used: {before}",
        found.second,
        id="AG0741",
        fix="draw from keys of your own: key, own = ops.random.split(key)",
    )


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
