"""Rounding to narrow formats, held bit by bit to `ml_dtypes`, NumPy and exact arithmetic."""

from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

import autograph as ag
import ops
from ops.elementwise.precision import FORMATS

DTYPES = {"bfloat16": np.dtype(ml_dtypes.bfloat16), "float16": np.dtype(np.float16)}
BOTH = pytest.mark.parametrize("name", DTYPES)

SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, 3.4e38, -3.4e38, 65504.0, 65519.996, 65520.0]


def all_of(name):
    """All numbers of a format, in its dtype."""
    return np.arange(65536, dtype=np.uint16).view(DTYPES[name])


def float32s(name):
    """Numbers of all magnitudes, those of the format, what lies half way between them and next to
    that."""
    rng = np.random.default_rng(0)
    with np.errstate(all="ignore"):
        own = np.sort(all_of(name).astype(np.float32))
        middle = own[:-1] + (own[1:] - own[:-1]) / 2
        beside = [np.nextafter(middle, np.float32(s) * np.inf) for s in (-1, 1)]
    random = rng.integers(0, 2**32, size=100_000, dtype=np.uint32).view(np.float32)
    small = rng.normal(size=20_000).astype(np.float32) * np.float32(1e-6)
    return np.concatenate([np.float32(SPECIAL), own, middle, *beside, random, small])


def assert_same_bits(found, wanted):
    assert found.dtype == wanted.dtype
    same = (found == wanted) & (np.signbit(found) == np.signbit(wanted))
    assert np.all(same | (np.isnan(found) & np.isnan(wanted)))


@BOTH
@pytest.mark.usefixtures("with_and_without_kernels")
def test_float32_as_it_is_converted(name):
    x = float32s(name)
    with np.errstate(all="ignore"):
        wanted = x.astype(DTYPES[name]).astype(np.float32)
    assert_same_bits(ops.round_to(x, name), wanted)
    assert_same_bits(ops.round_to(x, DTYPES[name]), wanted)
    compiled = ag.to_graph(lambda x: ops.round_to(x, name))
    assert_same_bits(compiled(x), wanted)
    assert f"round_to(x, dtype='{name}')" in str(compiled.graph(x))
    assert f"rounded_to(x, '{name}')" in str(compiled.program(x))


def exactly(x, name):
    """A float64 rounded by exact arithmetic."""
    digits, least, most = FORMATS[name]
    if x == 0 or not np.isfinite(x):
        return x
    exponent = max(int(np.frexp(x)[1]) - 1, least)
    step = Fraction(2) ** (exponent - digits)
    found = round(Fraction(x) / step) * step  # of two the even one, as in IEEE 754
    return np.copysign(np.inf if abs(found) > most else float(found), x)


@BOTH
@pytest.mark.usefixtures("with_and_without_kernels")
def test_float64_is_rounded_once(name):
    rng = np.random.default_rng(1)
    own = all_of(name)[rng.integers(0, 65536, size=3000)]
    own = own[np.isfinite(own)].astype(np.float64)
    with np.errstate(all="ignore"):
        middle = own * (1 + 2.0 ** -(FORMATS[name].digits + 1))
        beside = [middle * (1 + sign * 2.0**-40) for sign in (-1, 1)]  # lost in float32
    x = np.concatenate([SPECIAL, own, middle, *beside, [1e300, -1e-300]])
    wanted = np.array([exactly(float(v), name) for v in x])
    assert_same_bits(ops.round_to(x, name), wanted)
    assert_same_bits(ag.to_graph(lambda x: ops.round_to(x, name))(x), wanted)


def test_numbers_and_shapes():
    assert ops.round_to(0.1, "bfloat16") == 0.10009765625
    assert type(ops.round_to(0.1, "bfloat16")) is float
    assert type(ag.to_graph(lambda x: ops.round_to(x, "bfloat16"))(0.1)) is float
    assert type(ops.round_to(np.float32(0.1), "float16")) is np.float32
    assert ops.round_to(np.ones((2, 0), np.float32), "float16").shape == (2, 0)
    assert np.array_equal(ops.round_to(np.ones((3, 4))[:, ::2].T, "float16"), np.ones((2, 3)))


def test_what_is_no_format_and_no_float():
    with pytest.raises(ValueError, match="bfloat16 or float16, not to float32"):
        ops.round_to(1.0, "float32")
    for x in (np.arange(3), np.ones(2, complex), np.ones(2, np.float16), True):
        with pytest.raises(TypeError, match="float32 and float64 are rounded to float16, not"):
            ops.round_to(x, "float16")
    with pytest.raises(ag.errors.OperandTypeError):
        ag.to_graph(lambda x: ops.round_to(x, "float16"))(np.arange(3))


# -- derivatives -----------------------------------------------------------------------------------


def test_the_derivative_is_that_of_the_identity_and_is_rounded():
    x = np.float32([0.3, 1.001, -70000.0])
    weights = np.float32([0.1, 1.001, 2.0])
    total = lambda x: np.sum(weights * ops.round_to(x, "bfloat16"))
    rounded = ops.round_to(weights, "bfloat16")
    assert_same_bits(ag.grad(total)(x), rounded)
    out, tangent = ag.jvp(lambda x: ops.round_to(x, "bfloat16"), (x,), (weights,))
    assert_same_bits(out, ops.round_to(x, "bfloat16"))
    assert_same_bits(tangent, rounded)
    assert_same_bits(ag.vmap(lambda x: ops.round_to(x, "bfloat16"))(x), out)
    assert_same_bits(
        ag.vmap(ag.grad(lambda x: 0.1 * ops.round_to(x, "float16")))(x),
        ops.round_to(np.full(3, 0.1, np.float32), "float16"),
    )


def test_second_derivatives():
    cube = lambda x: ops.round_to(x, "bfloat16") ** 3
    x = 1.001
    first = 3.0 * ops.round_to(x, "bfloat16") ** 2
    assert ag.grad(cube)(x) == ops.round_to(first, "bfloat16")
    assert ag.grad(ag.grad(cube))(x) == ops.round_to(6.0 * ops.round_to(x, "bfloat16"), "bfloat16")
    assert ag.jacfwd(ag.grad(cube))(x) == 6.0


@pytest.mark.usefixtures("with_and_without_kernels")
def test_in_a_loop_per_lane():
    def halvings(x):
        count = 0
        while x > 1e-3:
            x, count = ops.round_to(x * np.float32(0.7), "bfloat16"), count + 1
        return x, count

    xs = np.float32([0.0, 0.5, 3.0, 100.0])
    last, counts = ag.vmap(halvings)(xs)
    for x, found, count in zip(xs, last, counts):
        assert (found, count) == halvings(x)
