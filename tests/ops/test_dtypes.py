"""Dtypes: results of compiled programs are NumPy's for all dtypes of operands and all operators."""

import operator
import random
import warnings

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.native import available
from tests.support.oracle import check

pytestmark = pytest.mark.filterwarnings("ignore")

DTYPES = "? i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8 c8 c16".split()
PYTHON = [True, 3, -2, 0, 2.5, -0.0, 1 + 2j]
UNARY = [operator.neg, operator.pos, operator.abs, operator.invert]
BINARY = [
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv),
    *(operator.mod, operator.pow, operator.and_, operator.or_, operator.xor, operator.lshift),
    *(operator.rshift, operator.lt, operator.le, operator.eq, operator.ne, divmod),
]
UFUNCS = [
    ufunc
    for name, ufunc in vars(np).items()
    if isinstance(ufunc, np.ufunc) and ufunc.__name__ == name and ufunc.signature is None
]

# What native code computes to two units in the last place, as NumPy does by other formulas.
TRANSCENDENTAL = {
    *(np.exp, np.exp2, np.expm1, np.log, np.log2, np.log10, np.log1p, np.cbrt, np.hypot),
    *(np.sin, np.cos, np.tan, np.sinh, np.cosh, np.tanh, np.logaddexp, np.logaddexp2),
    *(np.arcsin, np.arccos, np.arctan, np.arctan2, np.arcsinh, np.arccosh, np.arctanh),
}


def extremes(dtype):
    """Numbers at which something happens: overflow, signed zeros, infinities and NaN."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.array([0, 1, 1, 0, 1, 0, 1, 0], bool)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return np.array([0, 1, limits.max, limits.min, 2, 7, 3, limits.max - 1], dtype)
    if dtype.kind == "f":
        largest = np.finfo(dtype).max
        return np.array([0.0, -0.0, 1.5, -2.5, np.inf, -np.inf, np.nan, largest], dtype)
    infinite = [complex(np.inf, 1), complex(-1, -np.inf), complex(np.nan, 0)]
    return np.array([0, complex(-0.0, -1), 1.5 + 2j, -2.5, *infinite, 3 - 0.5j], dtype)


def operands(arity):
    """Arrays, arrays without dimensions, NumPy's numbers and Python's, of all dtypes."""
    first = {dtype: extremes(dtype) for dtype in DTYPES}
    second = {dtype: np.roll(x, 3) for dtype, x in first.items()}
    if arity == 1:
        for x in first.values():
            yield from ((x,), (x[2],), (np.asarray(x[3]),))
        yield from ((number,) for number in PYTHON)
        return
    for x in first.values():
        for y in second.values():
            yield from ((x, y), (x, y[2]), (x[4], y), (x[2], y[4]), (np.asarray(x[1]), y))
        for number in PYTHON:
            yield from ((x, number), (number, x), (x[2], number), (number, x[2]))
    yield from ((a, b) for a in PYTHON for b in PYTHON)


def outcome(function, args):
    try:
        return function(*args)
    except (TypeError, ValueError, ArithmeticError) as error:
        return error


def compare(function, calls):
    """Compile one function of all ``calls`` that NumPy can do."""
    expected = [outcome(function, args) for args in calls]
    done = [i for i, result in enumerate(expected) if not isinstance(result, Exception)]
    together = ag.to_graph(lambda calls: [function(*args) for args in calls])
    found = together([calls[i] for i in done])
    for i, result in zip(done, found):
        assert_same(result, expected[i], (function, calls[i]))
    refused = [i for i in range(len(calls)) if i not in set(done)]
    for i in refused[:: max(len(refused) // 5, 1)]:
        kind = next(t for t in type(expected[i]).__mro__ if t.__module__ == "builtins")
        with pytest.raises(kind):
            ag.to_graph(lambda args: function(*args))(calls[i])


def assert_same(found, expected, label):
    """Also of zeros the signs are compared, but for ``fmax`` and ``fmin`` in native code: NumPy's
    depend on the length. Powers may differ in the last digit: NumPy has two ways to compute them.
    So may the sizes and roots of complex numbers in native code.
    """
    assert type(found) is type(expected), label
    if isinstance(expected, tuple):
        for pair in zip(found, expected):
            assert_same(*pair, label)
        return
    a, b = np.asarray(found), np.asarray(expected)
    assert (a.dtype, a.shape) == (b.dtype, b.shape), label
    native = available()
    rounded = {operator.pow, np.power, np.float_power, *(TRANSCENDENTAL if native else ())}
    if native and any(np.iscomplexobj(x) for x in label[1]):
        rounded |= {np.absolute, operator.abs, np.sqrt}
    for x, y in ((a.real, b.real), (a.imag, b.imag)):
        exact = label[0] not in rounded or y.dtype.kind != "f"
        rtol = 0 if exact else 4 * np.finfo(y.dtype).eps
        np.testing.assert_allclose(x, y, rtol=rtol, atol=0, err_msg=str(label))
        if y.dtype.kind == "f":
            numbers = ~np.isnan(y)
            if native and label[0] in (np.fmax, np.fmin):
                numbers &= y != 0
            np.testing.assert_array_equal(np.signbit(x)[numbers], np.signbit(y)[numbers], label)


def python_decides(function, args):
    """Whether the type of the result depends on the value of a Python number, so that there is an
    error: powers of integers to negative ones, and of negative numbers to fractions."""
    powers = function in (operator.pow,) and all(isinstance(x, (int, float)) for x in args)
    return powers and not isinstance(args[0], np.generic) and (args[0] < 0 or args[1] < 0)


def check_all(function, share):
    arity = getattr(function, "nin", 1 if function in UNARY else 2)
    calls = [args for args in operands(arity) if not python_decides(function, args)]
    rng = random.Random(function.__name__)
    chosen = calls if share == 1 else rng.sample(calls, max(len(calls) // share, 20))
    for start in range(0, len(chosen), 150):
        compare(function, chosen[start : start + 150])


EACH = pytest.mark.parametrize("function", [*UFUNCS, *BINARY, *UNARY], ids=lambda f: f.__name__)


@EACH
def test_some_pairs_of_dtypes(function):
    check_all(function, 20)


@pytest.mark.slow
@EACH
def test_all_pairs_of_dtypes(function):
    check_all(function, 1)


def test_numbers_that_do_not_fit():
    for number in (300, -1, 2**70):
        check(lambda x: x + number, np.ones(2, np.uint8))
        check(lambda x: np.multiply(number, x), np.ones(2, np.uint8))
        check(lambda x: x == number, np.ones(2, np.uint8))
    check(lambda x, n: x + n, np.ones(2, np.uint8), 300)
    check(lambda x: x + 2**70, np.ones(2))


# -- dtypes that are not supported -----------------------------------------------------------------


@pytest.mark.parametrize(
    "array",
    [
        np.array(["2026-01-01"], "M8[D]"),
        np.array([5], "m8[s]"),
        np.zeros(2, [("x", float)]),
        np.ones(2, ">f8"),
        np.ones(2, np.longdouble),
        np.ones(2, np.clongdouble),
    ],
    ids=lambda x: str(x.dtype),
)
def test_arguments_of_other_dtypes(array):
    with pytest.raises(TypeError, match="is not supported"):
        ag.to_graph(lambda x: x)(array)
    with pytest.raises(TypeError, match="is not supported"):
        ag.to_graph(lambda xs: xs["x"])({"x": array})


@pytest.mark.parametrize(
    "array", [np.array([1, 2.5], object), np.array(["a", "b"]), np.array([b"a", b"b"])]
)
def test_arrays_of_objects_and_texts_are_static(array):
    """They may be read; a change of what is in them is noticed."""
    count = ag.to_graph(lambda names, x: x + len(names) + (names[0] == names[1]))
    array = array.copy()
    assert count(array, 1.0) == 3.0
    array[0] = array[1]
    assert count(array, 1.0) == 4.0


@pytest.mark.parametrize("dtype", [object, str, "S3", "M8[s]", ">f4", np.longdouble])
@pytest.mark.parametrize(
    "function",
    [
        lambda x, dtype: x.astype(dtype),
        lambda x, dtype: np.zeros(3, dtype),
        lambda x, dtype: np.ones_like(x, dtype),
        lambda x, dtype: np.full(2, 1, dtype),
        lambda x, dtype: np.add(x, x, dtype=dtype),
    ],
)
def test_results_of_other_dtypes(function, dtype):
    if dtype is object and "zeros" in function.__code__.co_names:
        pytest.skip("such arrays are NumPy's: tests/staging/arrays/test_object_arrays.py")
    with pytest.raises((NotImplementedError, TypeError)):
        ag.to_graph(lambda x: function(x, dtype))(np.ones(3))


# -- conversions and questions ---------------------------------------------------------------------


@pytest.mark.parametrize("casting", ["no", "equiv", "safe", "same_kind", "unsafe", "nonsense"])
def test_astype(casting):
    for dtype in ("f8", "f4", "i4", "c16", "?"):
        check(lambda x: x.astype(dtype, casting=casting), np.array([1.5, 2.0]))
    check(lambda x: x.astype("f4", "K", casting, True, False), np.array([1.5, 2.0]))


def test_astype_copies_or_not():
    def change(x):
        same = x.astype(float, copy=False)
        same[0] = 5.0
        other = x.astype(float)
        other[1] = 6.0
        return x, same, other, x.astype("f4", copy=False), same is x

    check(change, np.array([1.0, 2.0]))


def test_views():
    check(lambda x: x.view(np.int64), np.array([1.5, -0.0]))
    check(lambda x: x.view("u4") >> 23, np.array([1.5, 2.0], "f4"))
    check(lambda x: x[0].view(np.int64), np.array([1.5, -0.0]))

    def shares_memory(x):
        y = x.view()
        y[0] = 3.0
        return x

    check(shares_memory, np.array([1.5, 2.0]))
    with pytest.raises(NotImplementedError, match="another size"):
        ag.to_graph(lambda x: x.view("f4"))(np.ones(2))
    assert np.all(ag.grad(lambda x: np.sum(x * x.view("i8")))(np.array([0.0])) == 0.0)


def test_parts_can_be_assigned():
    def whole(z):
        z.real = 5
        z.imag = [np.inf, 2.0]
        return z

    def elements(z):
        z.real[0] = 5.0
        z.imag[:] += z.real * 2
        part = z.imag
        z[1] = 7.0
        return z, part

    check(whole, np.array([1 + 1j, 2 - 1j]))
    check(elements, np.array([1 + 1j, 2 - 1j], "c8"))

    def of_real(x):
        x.real = 7.0
        return x, x.imag

    check(of_real, np.ones(2))

    def has_none(x):
        x.imag = 7.0

    check(has_none, np.ones(2))

    def total(x):
        z = np.ones(2, complex)
        z.real = x
        z.imag[0] = 3.0 * x[1]
        return np.sum((z * z * z).imag)

    x = np.array([1.5, 0.5])
    found = ag.grad(total)(x)
    h = 1e-6
    ends = [(total(x + h * e) - total(x - h * e)) / (2 * h) for e in np.eye(2)]
    np.testing.assert_allclose(found, ends, rtol=1e-6, atol=1e-8)


def parts_in_a_loop(z):
    for i in range(3):
        z.real[i] = z.imag[i] * i
    return z


def parts_until(z):
    while np.sum(z.real) < 10:
        z.real += 1
        np.real(z)[0] += 0.5
    return z


def parts_in_branches(z):
    if z.real[0] > 0:
        z.imag = z.real
    else:
        z.real[1:] = 0
    return z.conj()


def parts_of_views(z):
    part = z[1:].imag
    part[0] = 7
    whole = z.view()
    whole.real *= 2
    return z, part, z.reshape(3, 1).real


def parts_seen_before(z):
    part = z.real
    z *= 2
    return part


def parts_exchanged(z):
    z.real, z.imag = z.imag, z.real.copy()
    return z


def parts_of_real_numbers(z):
    x = z.imag.copy()
    zeros, same = np.imag(x), np.real(x)
    same[0] = 9.0
    return x, zeros + 1


def parts_that_are_read_only(z):
    zeros = np.imag(z.imag.copy())
    zeros[0] = 3.0
    return zeros


@pytest.mark.parametrize(
    "function",
    [
        *(parts_in_a_loop, parts_until, parts_in_branches, parts_of_views, parts_seen_before),
        *(parts_exchanged, parts_of_real_numbers, parts_that_are_read_only),
    ],
)
def test_parts_share_memory(function):
    z = np.array([1 + 2j, -3 + 0.5j, 0.25j])
    check(function, z)
    check(function, -z.conj())


def test_questions_about_dtypes():
    def ask(x, y):
        return (
            np.can_cast(x, np.float32),
            np.can_cast(x.dtype, "c16"),
            np.promote_types(x.dtype, y.dtype) == np.float64,
            np.result_type(x, y) == np.float64,
            np.result_type(y, 2.5) == np.float32,
            np.issubdtype(x.dtype, np.floating),
            np.min_scalar_type(x) == np.float64,
            np.common_type(y, y) is np.float32,
            float(np.finfo(y.dtype).eps),
        )

    check(ask, np.ones(2), np.ones(2, "f4"))
    check(lambda n: np.can_cast(n, np.float32), 3)
    check(lambda x: (np.float32(x), np.int8(x), np.bool_(x), np.complex64(x)), 2.75)
    with pytest.raises(NotImplementedError, match="min_scalar_type"):
        ag.to_graph(lambda x: np.min_scalar_type(x))(3.0)
    check(lambda n: np.min_scalar_type(n), 3)


def test_powers_of_booleans():
    """The operator squares arrays as int8, the function gives int64."""
    check(
        lambda b: (b**2, b[0] ** 2, b**3, b**2.0, b**True, 2**b, np.power(b, 2), np.power(b[0], 2)),
        np.array([True, False]),
    )


# -- floating-point errors -------------------------------------------------------------------------


def test_settings_of_floating_point_errors():
    def quiet(x):
        with np.errstate(divide="ignore", invalid="ignore"):
            return 1.0 / x

    check(quiet, np.array([0.0, 2.0]))

    def strict(x):
        with np.errstate(divide="raise"):
            return 1.0 / x

    def lasting(x):
        np.seterr(all="ignore")
        return 1.0 / x

    for function in (strict, lasting):
        with pytest.raises(NotImplementedError, match=r"np\.(errstate|seterr)"):
            ag.to_graph(function)(np.array([1.0]))
    compiled = ag.to_graph(quiet)
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        compiled(np.array([0.0]))


# -- bfloat16 --------------------------------------------------------------------------------------


def bfloat16(values):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    return np.array(values, ml_dtypes.bfloat16)


BRAIN_FLOATS = [
    lambda x, y: (x + x, x + y, y - x, x * 2, 2.0 * x, x / 3, x**2, -x, abs(x), x // 2, x < 1),
    lambda x, y: (np.exp(x), np.sin(x), np.tanh(x), np.sqrt(abs(x)), np.maximum(x, 0.0)),
    lambda x, y: (np.sum(x), np.max(x), np.mean(x), np.sum(x, dtype="f4"), np.prod(x)),
    lambda x, y: (x @ x, np.matmul(x[None], x[:, None])),
    lambda x, y: (x.astype("f4"), x.astype(int), y.astype(x.dtype), x.astype(x.dtype)),
    lambda x, y: (np.where(x > 0, x, 2 * x), np.where(x > 0, x, y), np.where(x > 0, x, 0.5)),
    lambda x, y: (x + np.ones(3), x + np.float64(1.0), x + np.arange(3), x + np.float32(2.0)),
    lambda x, y: (x[1], x[1] * x, float(x[1]), x.tolist(), np.concatenate([x, x])),
    lambda x, y: (np.zeros_like(x), np.zeros(2, x.dtype), np.full(2, x[0]), np.isnan(x)),
    lambda x, y: (np.add(x, x, out=np.zeros(3, "f4")), np.cumsum(x), np.argmax(x)),
]


def test_the_type_bfloat16():
    kind = bfloat16([0.0]).dtype.type
    found = ag.to_graph(lambda x: kind(x) * x)(np.float32(1.00390625))
    assert found == kind(1.0) * np.float32(1.00390625) and found.dtype == np.float32
    with pytest.raises(NotImplementedError, match="datetime64"):
        ag.to_graph(lambda x: np.datetime64(x))(3.0)
    check(lambda n: np.datetime64(n), 3)  # which NumPy refuses, too


@pytest.mark.parametrize("function", BRAIN_FLOATS)
def test_bfloat16(function):
    x, y = bfloat16([0.5, 1.5, -2.5]), np.array([0.5, 1.0, 2.0], "f4")
    expected, found = function(x, y), ag.to_graph(function)(x, y)
    for a, b in zip(found, expected):
        assert type(a) is type(b)
        assert np.asarray(a).dtype == np.asarray(b).dtype
        wide = (np.asarray(a).astype(float), np.asarray(b).astype(float))
        np.testing.assert_array_equal(*wide)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.sum(np.tanh(x * 2.0) * x),
        lambda x: x @ x,
        lambda x: np.sum(np.where(x > 0, x * x, 0)),
        lambda x: np.max(x * x),
        lambda x: np.sum(x.astype("f4") ** 2),
        lambda x: np.sum(x / (1 + x * x)),
        lambda x: np.sum(np.exp(x) * np.array([1.0, 2.0, 3.0], "f4")),
    ],
)
def test_gradients_of_bfloat16(function):
    x = bfloat16([0.5, 1.5, -2.5])
    found = ag.grad(function)(x)
    assert found.dtype == x.dtype
    with warnings.catch_warnings():
        expected = ag.grad(lambda x: function(x.astype(float)) * 1.0)(x.astype(float))
    np.testing.assert_allclose(found.astype(float), expected, rtol=0.05, atol=0.05)
