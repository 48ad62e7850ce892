"""NumPy's older generators of random numbers, `np.random.RandomState`, while a function is
recorded: as those of `autograph.staging.arrays.random_generators`, with another stream and other
names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import ops
from autograph.graph.graph import Constant
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.random_generators import GraphGenerator
from autograph.staging.ground.errors import located
from autograph.staging.ground.recorder import recorder
from ops.core.operands import Symbolic, dtype_of, ndim_of
from ops.random import numpy_streams


class GraphRandomState(GraphGenerator):
    """Stands for a RandomState."""

    kind = np.random.RandomState
    prefix = numpy_streams.LEGACY
    choices = "'a'"
    generator_of = staticmethod(numpy_streams.random_state_of)

    def rand(self, *lengths: Any) -> Any:
        return self._draw("random_sample", {"size": lengths or None})

    def randn(self, *lengths: Any) -> Any:
        return self._draw("standard_normal", {"size": lengths or None})

    def random(self, size: Any = None) -> Any:
        return self._draw("random_sample", {"size": size})

    random_sample = random

    def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Any:
        given = {"low": low, "high": high, "size": size}
        if dtype is int:  # in which case NumPy gives a number of Python's
            return self._draw("randint", given)
        result = self._draw("randint", {**given, "dtype": dtype})
        if dtype is bool and not result.ndim and size is None:
            return ops.cast(result, dtype="bool", weak=True)
        return result

    def standard_normal(self, size: Any = None) -> Any:
        return self._draw("standard_normal", {"size": size})

    def standard_exponential(self, size: Any = None) -> Any:
        return self._draw("standard_exponential", {"size": size})

    def permutation(self, x: Any) -> Any:
        return super().permutation(x)

    def shuffle(self, x: Any) -> None:
        super().shuffle(x)

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> Any:
        if np.ndim(a) > 1:
            with located():
                raise ValueError("a must be 1-dimensional")
        return self._chosen(a, {"size": size, "replace": bool(replace), "p": p}, size, 0)


def _missing(name: str) -> property:
    """A method that a Generator has and a RandomState has not."""
    return property(lambda self: self.__getattr__(name))


for _name in vars(GraphGenerator):
    if hasattr(np.random.Generator, _name) and not hasattr(np.random.RandomState, _name):
        setattr(GraphRandomState, _name, _missing(_name))


def state_of(seed: Any = None) -> GraphRandomState:
    """``np.random.RandomState`` while recording."""
    legacy = {"legacy": True}
    if seed is None:
        words = recorder().record(numpy_streams.fresh, (), legacy)
    elif isinstance(seed, Symbolic) and dtype_of(seed).kind in "iu" and not ndim_of(seed):
        words = recorder().record(numpy_streams.seeded, (seed,), legacy)
    else:
        made = np.random.RandomState(seed)  # with NumPy's errors
        if isinstance(seed, np.random.BitGenerator):  # it goes on with its stream
            return GraphRandomState(numpy_streams.handle_of(made))
        words = GraphArray(Constant(numpy_streams.legacy_words_of(made)))
    return GraphRandomState(None, words)


def stand_in_for(
    generator: numpy_streams.AnyGenerator, handle: numpy_streams.GivenGenerator | None = None
) -> GraphGenerator:
    """What stands for a generator from outside the function.

    Args:
        handle: what the graph knows it by; by default that of this very generator.
    """
    legacy = isinstance(generator, np.random.RandomState)
    kind = GraphRandomState if legacy else GraphGenerator
    return kind(handle or numpy_streams.handle_of(generator))


CREATORS: dict[Callable, Callable] = {np.random.RandomState: state_of}
