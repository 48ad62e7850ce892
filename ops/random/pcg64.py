"""NumPy's default generator in kernels: the numbers of `numpy.random.Generator` on a PCG64.

The state of PCG64 is a number of 128 bits that is multiplied and added to; what it gives is a
hash of the new one: M. E. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
Algorithms for Random Number Generation" (Harvey Mudd College, HMC-CS-2014-0905). Integers below a
bound are found by D. Lemire, "Fast Random Integer Generation in an Interval" (ACM TOMACS 29, 2019),
normal and exponential numbers by G. Marsaglia, W. W. Tsang, "The Ziggurat Method for Generating
Random Variables" (J. Stat. Software 5, 2000).

All of it is written in the language of `ops.core.kernels`, so that it also runs on NumPy's arrays:
before something is drawn in a kernel, it is compared with what NumPy draws, whose streams may
differ from version to version.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ops.core import kernels
from ops.core.types import ArrayType
from ops.random.generator_states import words_of

_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
_LOW = 2**64 - 1

Words = tuple[Any, ...]  # of the state: 128 bits, the increment, and half a draw that is left over
Drawn = tuple[Words, Any]
Lookup = Callable[[np.ndarray, Any], Any]


# -- bits ------------------------------------------------------------------------------------------


def next64(words: Words) -> Drawn:
    """64 random bits."""
    high, low, step_high, step_low, *left_over = words
    factor_high, factor_low = _MULTIPLIER >> 64, _MULTIPLIER & _LOW
    upper = high * factor_low + low * factor_high + kernels.multiply_high(low, _as(low, factor_low))
    lower = low * factor_low
    new_low = lower + step_low
    new_high = upper + step_high + kernels.cast(new_low < lower, np.uint64)
    mixed, turned = new_high ^ new_low, new_high >> 58
    bits = (mixed >> turned) | (mixed << ((64 - turned) & 63))
    return (new_high, new_low, step_high, step_low, *left_over), bits


def _as(like: Any, number: int) -> Any:
    """A number as a word."""
    return like * 0 + number


def next32(words: Words) -> Drawn:
    """32 random bits, in a word: half of a draw, of which the other half is left for the next."""
    *_, has_half, half = words
    drawn, bits = next64(words)
    is_left = has_half != 0
    state = [kernels.select(is_left, old, new) for old, new in zip(words[:4], drawn)]
    found = kernels.select(is_left, half, bits & 0xFFFFFFFF)
    return (*state, 1 - has_half, kernels.select(is_left, half, bits >> 32)), found


def next_double(words: Words) -> Drawn:
    """A float from 0 to below 1."""
    words, bits = next64(words)
    return words, kernels.cast(bits >> 11, np.float64) * 2.0**-53


def only_if(condition: Any, words: Words, draw: Callable[[Words], Drawn]) -> Drawn:
    """A draw that is made only where a condition holds; elsewhere the number is any."""
    drawn, number = draw(words)
    return tuple(kernels.select(condition, new, old) for new, old in zip(drawn, words)), number


# -- integers --------------------------------------------------------------------------------------


def below(words: Words, span: Any) -> Drawn:
    """An integer from 0 to below ``span``, a word that is not 0."""
    known = kernels.known_number(span)
    if known is not None and known == 1:
        return words, span * 0
    if known is not None:
        return (_below_small if known <= 2**32 else _below_large)(words, span)
    state, small = only_if(span <= 2**32, words, lambda w: _below_small(w, span))
    state, large = only_if(span > 2**32, state, lambda w: _below_large(w, span))
    is_one, is_small = span == 1, span <= 2**32
    state = tuple(kernels.select(is_one, old, new) for old, new in zip(words, state))
    return state, kernels.select(is_one, span * 0, kernels.select(is_small, small, large))


def _below_small(words: Words, span: Any) -> Drawn:
    words, bits = next32(words)
    is_all = span == 2**32
    bound = kernels.select(is_all, span * 0 + 1, span)
    bound = kernels.select(bound > 2**32, span * 0 + 1, bound)
    product = bits * bound
    limit = kernels.rest((2**32 - bound), bound)

    def is_rejected(product: Any, *words: Any) -> Any:
        return (product & 0xFFFFFFFF) < limit

    def again(product: Any, *words: Any) -> Words:
        drawn, bits = next32(words)
        return (bits * bound, *drawn)

    product, *rest = kernels.iterate(is_rejected, again, product, *words)
    return tuple(rest), kernels.select(is_all, bits, product >> 32)


def _below_large(words: Words, span: Any) -> Drawn:
    words, bits = next64(words)
    limit = kernels.rest(0 - span, span)

    def is_rejected(bits: Any, *words: Any) -> Any:
        return bits * span < limit

    def again(bits: Any, *words: Any) -> Words:
        drawn, bits = next64(words)
        return (bits, *drawn)

    bits, *rest = kernels.iterate(is_rejected, again, bits, *words)
    return tuple(rest), kernels.multiply_high(bits, span)


# -- normal and exponential numbers ----------------------------------------------------------------


class _Ziggurat(NamedTuple):
    """A stack of strips of one area under a density.

    Attributes:
        scales: of each strip: what an integer is multiplied with to be a place in it.
        accepted: of each strip: the integers below are under the density.
        densities: at the right ends of the strips.
    """

    scales: np.ndarray
    accepted: np.ndarray
    densities: np.ndarray


def _after_drawing(method: str, bits: int) -> tuple[float, bool]:
    """What NumPy's method gives that draws some bits first, and whether it draws no more."""
    state = {"state": {"inc": 1}, "bit_generator": "PCG64", "has_uint32": 0, "uinteger": 0}
    before = (bits - 1) * pow(_MULTIPLIER, -1, 2**128) % 2**128
    generator = np.random.Generator(np.random.PCG64(0))
    generator.bit_generator.state = {**state, "state": {"state": before, "inc": 1}}
    number = getattr(generator, method)()
    return number, generator.bit_generator.state["state"]["state"] == bits


@functools.cache
def _ziggurat(method: str) -> _Ziggurat:
    """The strips by which NumPy draws, which it is asked for: the first bits that it draws are
    chosen, those of a strip and of an integer."""
    is_normal = method == "standard_normal"
    most = 2.0 ** (52 if is_normal else 53)

    def drawn(strip: int, integer: int) -> tuple[float, bool]:
        bits = strip | integer << 9 if is_normal else (strip | integer << 8) << 3
        return _after_drawing(method, bits)

    scales = np.array([drawn(strip, 1)[0] for strip in range(256)])
    ends = scales * most
    densities = np.exp(-0.5 * ends * ends if is_normal else -ends)
    densities[0] = 1.0
    near = np.concatenate(([scales[255] / scales[0], 0.0], scales[1:255] / scales[2:])) * most
    accepted = []
    for strip, about in enumerate(near):
        first, last = max(int(about) - 64, 0), int(about) + 64 if about else 0
        while first < last:  # the first integer that is not accepted at once
            middle = (first + last) // 2
            if drawn(strip, middle)[1]:
                first = middle + 1
            else:
                last = middle
        accepted.append(first)
    return _Ziggurat(scales, np.array(accepted, np.uint64), densities)


def standard_normal(words: Words, lookup: Lookup) -> Drawn:
    """A number of the standard normal distribution."""
    scales, accepted, densities = _ziggurat("standard_normal")
    start = float(scales[255] * 2.0**52)  # of the tail

    def candidate(words: Words) -> tuple[Words, tuple[Any, ...]]:
        words, bits = next64(words)
        strip, integer = bits & 0xFF, bits >> 9 & 0x000FFFFFFFFFFFFF
        x = kernels.cast(integer, np.float64) * lookup(scales, strip)
        x = kernels.select((bits >> 8 & 1) != 0, -x, x)
        waits = kernels.cast(integer >= lookup(accepted, strip), np.uint64)
        return words, (waits, strip, integer, x)

    def is_open(waits: Any, *_: Any) -> Any:
        return waits != 0

    def decided(waits: Any, strip: Any, integer: Any, x: Any, *words: Any) -> tuple[Any, ...]:
        in_tail = strip == 0
        words, far = _tail(words, kernels.cast(in_tail, np.uint64), 1.0 / start)
        words, u = only_if(strip != 0, words, next_double)
        far = start + far
        far = kernels.select((integer >> 8 & 1) != 0, -far, far)
        inside = _is_under(densities, lookup, strip, u, kernels.exp(-0.5 * x * x))
        words, following = only_if(~(in_tail | inside), words, candidate)
        done = (waits * 0, strip, integer, kernels.select(in_tail, far, x))
        pairs = zip(done, following)
        return (*(kernels.select(in_tail | inside, old, new) for old, new in pairs), *words)

    words, first = candidate(words)
    _, _, _, x, *rest = kernels.iterate(is_open, decided, *first, *words)
    return tuple(rest), x


def _is_under(densities: np.ndarray, lookup: Lookup, strip: Any, u: Any, density: Any) -> Any:
    """Whether a place in the upper part of a strip, by a number ``u``, is under the density."""
    right = lookup(densities, strip)
    left = lookup(densities, kernels.select(strip == 0, strip, strip - 1))
    return (left - right) * u + right < density


def _tail(words: Words, going: Any, scale: float) -> Drawn:
    """How far a normal number of the last strip is from where its tail starts, if ``going``."""

    def is_going(going: Any, *_: Any) -> Any:
        return going != 0

    def again(going: Any, x: Any, *words: Any) -> tuple[Any, ...]:
        words, u = next_double(words)
        words, v = next_double(words)
        x, y = -scale * kernels.log1p(-u), -kernels.log1p(-v)
        return (kernels.cast(y + y <= x * x, np.uint64), x, *words)

    zero = kernels.cast(going * 0, np.float64)
    _, x, *rest = kernels.iterate(is_going, again, going, zero, *words)
    return tuple(rest), x


def standard_exponential(words: Words, lookup: Lookup) -> Drawn:
    """A number of the standard exponential distribution."""
    scales, accepted, densities = _ziggurat("standard_exponential")
    start = float(scales[255] * 2.0**53)  # of the tail

    def candidate(words: Words) -> tuple[Words, tuple[Any, ...]]:
        words, bits = next64(words)
        strip, integer = bits >> 3 & 0xFF, bits >> 11
        x = kernels.cast(integer, np.float64) * lookup(scales, strip)
        return words, (kernels.cast(integer >= lookup(accepted, strip), np.uint64), strip, x)

    def is_open(waits: Any, *_: Any) -> Any:
        return waits != 0

    def decided(waits: Any, strip: Any, x: Any, *words: Any) -> tuple[Any, ...]:
        words, u = next_double(words)
        in_tail = strip == 0
        far = start - kernels.log1p(-u)
        inside = _is_under(densities, lookup, strip, u, kernels.exp(-x))
        words, following = only_if(~(in_tail | inside), words, candidate)
        done = (waits * 0, strip, kernels.select(in_tail, far, x))
        pairs = zip(done, following)
        return (*(kernels.select(in_tail | inside, old, new) for old, new in pairs), *words)

    words, first = candidate(words)
    _, _, x, *rest = kernels.iterate(is_open, decided, *first, *words)
    return tuple(rest), x


# -- the methods of a generator --------------------------------------------------------------------


def _integer(words: Words, low: Any, high: Any, endpoint: bool) -> Drawn:
    """An integer from ``low`` to below ``high``, int64, or to ``high`` itself."""
    last = high if endpoint else high - 1
    kernels.require(last >= low)
    span = kernels.cast(last, np.uint64) - kernels.cast(low, np.uint64) + 1
    kernels.require(span != 0)  # all of 64 bits are left to NumPy
    words, number = below(words, span)
    return words, low + kernels.cast(number, np.int64)


def one(words: Words, operands: Sequence[Any], lookup: Lookup, attrs: dict[str, Any]) -> Drawn:
    """A draw by a method of a generator; see `ops.core.kernels.Draws`."""
    given = {**dict(attrs["static"]), **dict(zip(attrs["names"], operands))}
    match attrs["method"]:
        case "random":
            return next_double(words)
        case "uniform":
            low, high = (float(given[name]) for name in ("low", "high"))
            words, number = next_double(words)
            return words, low + (high - low) * number
        case "standard_normal":
            return standard_normal(words, lookup)
        case "normal":
            words, number = standard_normal(words, lookup)
            return words, float(given["loc"]) + float(given["scale"]) * number
        case "standard_exponential":
            return standard_exponential(words, lookup)
        case "exponential":
            words, number = standard_exponential(words, lookup)
            return words, float(given["scale"]) * number
        case _:
            none = kernels.cast(words[0] * 0, np.int64)
            low, high = (none + given[name] if name in given else none for name in ("low", "high"))
            low, high = (low, high) if "high" in given else (none, low)
            return _integer(words, low, high, given["endpoint"])


# Of each method: the parameters that may be operands, and values that others have to have.
_METHODS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "random": ((), {"dtype": "float64"}),
    "uniform": ((), {}),
    "standard_normal": ((), {"dtype": "float64"}),
    "normal": ((), {}),
    "standard_exponential": ((), {"dtype": "float64", "method": "zig"}),
    "exponential": ((), {}),
    "integers": (("low", "high"), {"dtype": "int64"}),
}


def is_native(types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
    """Whether `one` draws as NumPy does by a method, from operands of some types."""
    if attrs["method"] not in _METHODS:
        return False
    parameters, wanted = _METHODS[attrs["method"]]
    static = dict(attrs["static"])
    if not set(attrs["names"]) <= set(parameters):
        return False
    if any(static.get(name) != value for name, value in wanted.items()):
        return False
    if any(t.shape or t.dtype.kind not in "iu" or t.dtype == np.uint64 for t in types[1:]):
        return False
    return _is_as_in_numpy(attrs["method"])


@functools.cache
def _is_as_in_numpy(method: str) -> bool:
    """Whether what `one` draws is what this version of NumPy draws."""
    samples: list[dict[str, Any]] = {
        "uniform": [{"low": -1.0, "high": 3.0}],
        "normal": [{"loc": 1.0, "scale": 3.0}],
        "exponential": [{"scale": 3.0}],
        "integers": [
            {"low": -3, "high": high, "endpoint": endpoint}
            for high in (5, 2**31 + 2**30, 2**62 + 2**61)
            for endpoint in (False, True)
        ],
    }.get(method, [{}])
    generators = [np.random.default_rng(seed) for seed in range(64)]
    words = tuple(np.array([words_of(generator) for generator in generators]).T)
    for given in samples * (1 if method == "integers" else 6):
        attrs = {"method": method, "names": (), "static": tuple(given.items())}
        with np.errstate(all="ignore"):
            words, found = one(words, (), lambda table, i: table[i], attrs)
        expected = [getattr(generator, method)(**given) for generator in generators]
        after = np.array([words_of(generator) for generator in generators]).T
        after[5] *= after[4]  # what is no longer left over does not matter
        left_over = (*words[:5], words[5] * words[4])
        if not np.allclose(found, expected, 1e-14, 1e-14) or not np.array_equal(left_over, after):
            return False
    return True
