"""Python's module `random` while a function is recorded.

What its functions draw is drawn when the program runs, from Python's own random numbers; see
`ops.random.python_draws`. Distributions that have only a location and a scale are written with
their standard forms, as Python itself does, so that they can be differentiated by both.
"""

from __future__ import annotations

import bisect
import itertools
import math
import random
from collections.abc import Callable, Sequence
from typing import Any

import ops
from autograph.errors import UnsupportedFunctionError
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.errors import located, user_location
from autograph.staging.ground.recorder import recorder
from ops.control import effects
from ops.core.operands import Symbolic
from ops.core.recording import raises_as_python
from ops.random.python_draws import SAMPLE, python_draw

_SEEDS = (int, float, str, bytes, bytearray, type(None))


def _draw(method: str, *given: Any) -> GraphArray:
    operands = [value for value in given if isinstance(value, Symbolic)]
    known = tuple(None if isinstance(value, Symbolic) else (value,) for value in given)
    with located():
        return recorder().record(python_draw, operands, {"method": method, "given": known})


def uniform() -> GraphArray:
    """``random.random``."""
    return _draw("random")


def seed(a: Any = None, version: int = 2) -> None:
    """``random.seed``."""
    if version != 2 or not isinstance(a, (*_SEEDS, Symbolic)):
        _refuse("seed", "give it an integer")
    _draw("seed", a)


def between(a: Any, b: Any) -> Any:
    """``random.uniform``."""
    return a + (b - a) * uniform()


def triangular(low: Any = 0.0, high: Any = 1.0, mode: Any = None) -> Any:
    """``random.triangular``."""
    u = uniform()
    if any(isinstance(x, Symbolic) for x in (low, high, mode)):
        _refuse("triangular", "give it numbers that are known, or write it with random.random()")
    if low == high:
        return low
    c = 0.5 if mode is None else (mode - low) / (high - low)

    def turned() -> Any:
        return high + (low - high) * ops.sqrt((1.0 - u) * (1.0 - c))

    found = ops.cond(u > c, turned, lambda: low + (high - low) * ops.sqrt(u * c))
    return ops.cast(found, dtype="float64", weak=True)


def gauss(mu: Any = 0.0, sigma: Any = 1.0) -> Any:
    """``random.gauss``."""
    return mu + _draw("gauss", 0.0, 1.0) * sigma


def normalvariate(mu: Any = 0.0, sigma: Any = 1.0) -> Any:
    """``random.normalvariate``."""
    return mu + _draw("normalvariate", 0.0, 1.0) * sigma


def expovariate(lambd: Any = 1.0) -> Any:
    """``random.expovariate``."""
    return _draw("expovariate", 1.0) / lambd


@raises_as_python
def choice(seq: Sequence[Any]) -> Any:
    """``random.choice``."""
    count = ops.call(len, seq)
    message = "Cannot choose from an empty sequence"
    if isinstance(count, int) and not count:
        raise IndexError(message)
    if not isinstance(count, int):
        effects.check(ops.greater(count, 0), error="IndexError", message=message)
    return ops.item_of(seq, _draw("randrange", count))


@raises_as_python
def choices(
    population: Sequence[Any], weights: Any = None, *, cum_weights: Any = None, k: Any = 1
) -> Any:
    """``random.choices``: as Python does it."""
    count = ops.call(len, population)
    if weights is None and cum_weights is None:
        place = lambda: ops.call(int, uniform() * (count + 0.0))
    elif weights is not None and cum_weights is not None:
        raise TypeError("Cannot specify both weights and cumulative weights")
    else:
        sums = cum_weights
        if sums is None:
            sums = ops.call(list, ops.call(itertools.accumulate, weights))
        _require(ops.eq_(ops.call(len, sums), count), _OTHER_WEIGHTS)
        total = ops.item_of(sums, -1) + 0.0
        _require(ops.gt_(total, 0.0), "Total of weights must be greater than zero")
        _require(ops.call(math.isfinite, total), "Total of weights must be finite")
        place = lambda: ops.call(bisect.bisect, sums, uniform() * total, 0, count - 1)
    return ops.collect(lambda _: ops.item_of(population, place()), ops.call(range, k))


_OTHER_WEIGHTS = "The number of weights does not match the population"


def _require(flag: Any, message: str) -> None:
    """Have Python's ValueError raised where a flag is false."""
    if isinstance(flag, Symbolic):
        effects.check(flag, error="ValueError", message=message)
    elif not flag:
        raise ValueError(message)


@raises_as_python
def sample(population: Sequence[Any], k: Any, *, counts: Any = None) -> Any:
    """``random.sample``."""
    if counts is not None:
        _refuse("sample", "give it each thing as often as it may be drawn")
    if not isinstance(population, Sequence):
        random.sample(population, 0)  # Python's own error
    count, many = ops.call(len, population), k.__index__()
    places = _draw(SAMPLE, count, many)
    place = lambda i: ops.cast(places[i], dtype="int64", weak=True)
    return ops.tracked([ops.item_of(population, place(i)) for i in range(many)])


def shuffle(x: Any) -> None:
    """``random.shuffle``: as Python does it (Fisher and Yates; Durstenfeld, 1964)."""
    count = ops.call(len, x)

    def swap(i: Any) -> tuple:
        j = _draw("randrange", i + 1)
        first, second = x[i], x[j]
        x[i], x[j] = second, first
        return ()

    ops.for_loop(ops.call(reversed, ops.call(range, 1, count)), swap, ())


def _generic(name: str) -> Callable:
    def draw(*given: Any) -> Any:
        return _draw(name, *given)

    draw.__name__ = draw.__qualname__ = name
    return draw


def _refuse(name: str, fix: str) -> None:
    raise UnsupportedFunctionError(
        f"random.{name} is not supported for these arguments", user_location(), fix=fix
    )


_SAME = ("randrange", "randint", "getrandbits", "betavariate", "gammavariate")
FUNCTIONS: dict[Any, Callable] = {
    random.random: uniform,
    random.seed: seed,
    random.uniform: between,
    random.triangular: triangular,
    random.gauss: gauss,
    random.normalvariate: normalvariate,
    random.expovariate: expovariate,
    random.choice: choice,
    random.shuffle: shuffle,
    random.choices: choices,
    random.sample: sample,
    **{
        getattr(random, name): _generic(name)
        for name in (*_SAME, "vonmisesvariate", "paretovariate", "weibullvariate")
    },
}
