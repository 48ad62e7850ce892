"""Values of kernels are those of NumPy: dtypes, shapes, memory layouts, special values."""

import numpy as np
import pytest

from tests.kernels.kernel_check import ALL, check

pytest.importorskip("llvmlite")

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64"]
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, np.nan, np.inf, -np.inf, 1e-320, 3e38, -2.5, 1e300]


def sample(dtype, shape, seed=0):
    """Random numbers, the extremes of the dtype among them."""
    random = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    size = int(np.prod(shape))
    if dtype.kind == "b":
        values = random.integers(0, 2, size)
    elif dtype.kind in "iu":
        info = np.iinfo(dtype)
        ends = [info.min, info.max, 0, 1, info.max // 2]
        values = random.integers(info.min, info.max, size, dtype=dtype, endpoint=True)
        values[: len(ends)] = np.array(ends, dtype)[:size]
    else:
        values = random.normal(size=size) * 3
    return values.astype(dtype).reshape(shape)


def special(dtype, shape=(12,)):
    with np.errstate(over="ignore"):
        return np.resize(np.array(SPECIAL).astype(dtype), shape)


# -- element-wise ----------------------------------------------------------------------------------


def arithmetic(x, y):
    return x + y, x - y, x * y, (x + y) * (x - y)


def comparisons(x, y):
    return x < y, x <= y, x == y, x != y, (x > y) & (x >= y), ~(x < y) | (x == y)


def division(x, y):
    return x / y, x // y, x % y, (x + y) // (x * y)


def bits(x, y):
    return x & y, x | y, x ^ y, ~x, x << (y & 3), x >> (y & 3)


def chosen(x, y):
    return np.where(x > y, x, y), np.sign(x) * 2


def extrema(x, y):
    # NumPy does not say which of 0.0 and -0.0 is more.
    return np.maximum(x, y) + 0, np.minimum(x, y) + 0, np.clip(x, 0, 1) + 0


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
@pytest.mark.parametrize("function", [arithmetic, comparisons, chosen, extrema])
def test_dtypes(function, dtype):
    check(function, sample(dtype, (3, 7)), sample(dtype, (3, 7), 1), ulps=0)


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
def test_division(dtype):
    x, y = sample(dtype, (40,)), sample(dtype, (40,), 1)
    y[::7] = 0
    check(division, x, y, ulps=0)


@pytest.mark.parametrize("dtype", [*INTEGERS, "bool"])
def test_bits(dtype):
    function = bits if dtype != "bool" else lambda x, y: (x & y, x | y, x ^ y, ~x)
    check(function, sample(dtype, (30,)), sample(dtype, (30,), 1))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("function", [arithmetic, comparisons, chosen, extrema, division])
def test_special_values(function, dtype):
    x = special(dtype)
    check(function, np.repeat(x, 12), np.tile(x, 12), ulps=0)


def mathematics(x):
    return (
        np.exp(x),
        np.log(np.abs(x)),
        np.sqrt(x),
        np.tanh(x),
        np.sin(x),
        np.arctan(x),
        np.abs(x),
        -x,
        np.floor(x),
        np.rint(x),
        np.isnan(x),
        np.isfinite(x),
        np.signbit(x),
        np.expm1(x),
        np.cbrt(x),
        x**2,
        x**0.5,
        1.0 / x,
    )


@pytest.mark.parametrize("dtype", FLOATS)
def test_mathematics(dtype):
    check(mathematics, special(dtype))
    check(mathematics, sample(dtype, (37,)))


KINDS = ["bool", "int8", "uint8", "int32", "int64", "uint64", *FLOATS]


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "uint64", *FLOATS])
def test_promotion(dtype):
    def function(x, *others):
        results = ()
        for y in others:
            z = x + y
            results = (*results, z, x * y, z > x, np.where(y > 0, x, y))
        return results

    check(function, sample(dtype, (9,)), *(sample(d, (9,), 1) for d in KINDS), ulps=0)


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
def test_numbers(dtype):
    def function(x, *numbers):
        results = ()
        for y in numbers:
            results = (*results, x + y, x * y - 1, y - x)
        return results

    numbers = (3, 2.5, True, np.float32(1.5), np.int8(-3), np.uint64(7))
    check(function, sample(dtype, (5,)), *numbers, ulps=0)


@pytest.mark.parametrize("dtype", [*KINDS])
def test_casts(dtype):
    def function(x):
        return tuple(x.astype(to) + x.astype(to) for to in KINDS)

    x = sample(dtype, (19,))
    if dtype in FLOATS:
        x = np.abs(x)  # what a negative float is as an unsigned integer depends on the machine
    check(function, x, ulps=0)


def test_integers_wrap():
    def function(x):
        y = x
        for _ in range(20):
            y = y * x + 1
        return y, -y, abs(y)

    check(function, np.array([3, -7, 2**62, -(2**63)]))
    check(function, np.array([3, -7, 100, -128], np.int8))


# -- shapes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "shapes",
    [
        ((3, 4), (4,)),
        ((3, 1), (4,)),
        ((1, 4), (3, 1)),
        ((2, 1, 4), (3, 1)),
        ((1,), (5, 5)),
        ((1, 1), (1, 1)),
        ((0,), (1,)),
        ((0, 4), (4,)),
        ((3, 0), (3, 1)),
        ((2, 3, 0), (3, 1)),
        ((1,), (1,)),
        ((64, 3), (64, 1)),
        ((3, 100), (100,)),
        ((2, 2, 2, 2, 2), (2, 1, 2)),
        ((1000,), (1000,)),
        ((33, 33), (33,)),
    ],
    ids=str,
)
def test_broadcasting(shapes):
    def function(x, y):
        z = x * y + np.tanh(y)
        return z, z - x, np.sum(z), np.sum(z * 2.0, axis=0)

    x, y = (sample("float64", shape, i) for i, shape in enumerate(shapes))
    check(function, x, y, ulps=50, scale=30.0)


@pytest.mark.parametrize("x", [np.float64(2.0), np.float32(2.0), 2.0, 2, np.int8(2)])
def test_numbers_and_arrays_without_axes(x):
    def function(x):
        y = x * 2 + 1
        return y, y - x, y > 3

    check(function, x)


def test_arrays_without_axes():
    def function(x, y):
        z = x * 2.0 + 1.0
        return z, z - x, y * x + z

    check(function, np.array(2.0), np.ones(3))
    check(function, np.array(2.0), np.array(3.0, np.float32))


def converted(z, x):
    return (z * 2.0).astype(np.float32), z.astype(np.float32), x + 1.0


def picked(z, x):
    y = x * 2.0
    if z > 1.0:
        s = y[..., 0]
    else:
        s = y[..., 1]
    return y + 1.0, s


def exchanged(z, x):
    s = x[0]
    for i in range(3):
        if x[i] > 2.0:
            s, z = z, s
    return s, x + 1.0


def selected(z, x):
    s = x[0]
    if z > 5.0:
        s = np.where(z > 0.0, z, 1.0)
    return np.where(z > 1.0, z, z * 2.0), s, x * z


def copied(z, x):
    return z.copy(), np.copy(z * 2.0), np.array(z * 2.0), z.reshape(()), x * z


def elements(z, x):
    y = x * 2.0
    return y[1], y[..., 1], y.sum(), y.max(axis=0), np.squeeze(y[:1]), y @ x, z**2


def largest(z, x):
    best, at = -np.inf, -1
    for i in range(len(x)):
        if x[i] > best:
            best, at = x[i], i
    return best, at


@pytest.mark.parametrize(
    "function", [converted, picked, exchanged, selected, copied, elements, largest]
)
def test_scalars_are_no_arrays_without_axes(function):
    x = np.array([1.0, 2.0, 3.0])
    for z in (np.array(2.0), np.float64(2.0), np.array(0.5)):
        check(function, z, x, kernels=ALL if function is largest else None)


# -- memory layouts --------------------------------------------------------------------------------


def misaligned(x):
    memory = np.zeros(x.nbytes + 1, np.uint8)
    made = memory[1:].view(x.dtype).reshape(x.shape)
    made[...] = x
    return made


def read_only(x):
    x = x.copy()
    x.flags.writeable = False
    return x


LAYOUTS = {
    "fortran": np.asfortranarray,
    "steps": lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
    "negative": lambda x: x[::-1, ::-1].copy()[::-1, ::-1],
    "transposed": lambda x: np.ascontiguousarray(x.T).T,
    "broadcast": lambda x: np.broadcast_to(x[:1], x.shape),
    "read only": read_only,
    "misaligned": misaligned,
    "part": lambda x: np.pad(x, 1)[1:-1, 1:-1],
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["float64", "int16"])
def test_memory_layouts(layout, dtype):
    def function(x, y):
        z = x * 2 - y
        return z, np.max(z, axis=1), z.T + 1, x[0] + x[-1]

    x, y = sample(dtype, (4, 6)), sample(dtype, (4, 6), 1)
    check(function, LAYOUTS[layout](x), y, ulps=0)
    check(function, x, LAYOUTS[layout](y), ulps=0)


def test_other_dtypes_stay_outside():
    def function(x):
        y = x * 2
        return y + x, y - x

    check(function, np.ones(3, np.float16), kernels=0)
