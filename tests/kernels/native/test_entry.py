"""Kernels as functions that Python calls: their arguments, results and errors."""

import pickle
import sys

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from autograph.kernels.native.ctypes_entry import make_with_ctypes
from autograph.kernels.native.entry import make
from autograph.kernels.native.signature import (
    Alias,
    Array,
    GrownArray,
    Into,
    KernelScalar,
    KernelSignature,
)
from tests.kernels.native.copying_kernels import (
    B1,
    DTYPES,
    F4,
    F8,
    I8,
    PYTHON,
    Slow,
    copies,
    copy_function,
    growing_kernel,
    slow,
    some,
)

# -- arrays of any length -----------------------------------------------------------------------


GROWN = KernelSignature(
    (KernelScalar(I8, PYTHON),), (GrownArray(F8, (None, 2)), KernelScalar(I8, PYTHON)), single=False
)


@pytest.mark.parametrize("n", [0, 1, 3, 10_000])
def test_arrays_of_any_length(entry, n):
    rows, number = entry("grown", growing_kernel(), GROWN, slow)(n)
    assert number == n
    assert type(rows) is np.ndarray and rows.dtype == F8
    assert rows.flags.owndata and rows.flags.writeable and rows.flags.c_contiguous
    np.testing.assert_array_equal(rows, np.full((n, 2), 1.5))


@pytest.mark.parametrize("status, error", [(1, Slow), (2, MemoryError)])
def test_memory_of_arrays_that_nobody_gets(entry, status, error):
    """It is given back: a hundred blocks of 16 MB do not fit the memory that is kept."""
    f = entry("grown", growing_kernel(status), GROWN, slow)
    before = resident()
    for _ in range(100):
        with pytest.raises(error):
            f(1_000_000)
    assert resident() - before < 500e6


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


# -- arguments and results -------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 3), (0,), (2, 0, 3), (1,) * 32])
def test_arrays(entry, dtype, shape):
    f = copy_function(entry, Array(dtype, shape), Array(dtype, shape))
    x = some(dtype, shape)
    y = f(x)
    assert type(y) is np.ndarray and y is not x
    assert (y.dtype, y.shape) == (dtype, shape)
    assert np.array_equal(x, y)
    assert y.flags.owndata and y.flags.writeable and y.flags.c_contiguous


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_scalars(entry, dtype):
    forms = ("numpy", "array")
    f = copy_function(entry, KernelScalar(dtype, forms), KernelScalar(dtype, ("numpy",)))
    for x in (some(dtype), some(dtype)[()]):
        y = f(x)
        assert type(y) is dtype.type and y == x
    g = copy_function(entry, KernelScalar(dtype, forms), Array(dtype, ()))
    assert g(some(dtype)[()]) == some(dtype)


@pytest.mark.parametrize(
    "dtype, values",
    [
        (F8, [0.0, 1.5, -1e308, float("inf"), 5e-324]),
        (I8, [0, 1, -1, 5, 10**10, 2**63 - 1, -(2**63)]),
        (B1, [True, False]),
    ],
    ids=str,
)
def test_python_numbers(entry, dtype, values):
    f = copy_function(entry, KernelScalar(dtype, PYTHON), KernelScalar(dtype, PYTHON))
    for x in values:
        y = f(x)
        assert type(y) is type(x) and y == x
    zero = copy_function(entry, KernelScalar(F8, PYTHON), KernelScalar(F8, PYTHON))(-0.0)
    assert str(zero) == "-0.0"
    nan = copy_function(entry, KernelScalar(F8, PYTHON), KernelScalar(F8, PYTHON))(float("nan"))
    assert str(nan) == "nan"


class Number(float):
    pass


class Whole(int):
    pass


class Subclass(np.ndarray):
    pass


REFUSED = {
    "f8 Python": (
        KernelScalar(F8, PYTHON),
        [1, True, np.float64(1), Number(1), "1", None, np.ones(())],
    ),
    "i8 Python": (
        KernelScalar(I8, PYTHON),
        [1.0, True, np.int64(1), Whole(1), 2**63, -(2**63) - 1],
    ),
    "bool Python": (KernelScalar(B1, PYTHON), [1, 0, np.True_, 1.0, None]),
    "f8 NumPy": (
        KernelScalar(F8),
        [1.0, np.float32(1), np.ones(()), np.longdouble(1), 1, Number(1)],
    ),
    "f4 NumPy": (KernelScalar(F4), [1.0, np.float64(1), np.ones((), F4), np.int32(1)]),
    "i8 NumPy": (
        KernelScalar(I8),
        [1, np.int32(1), np.uint64(1), np.longlong(1), np.timedelta64(1, "s")],
    ),
    "bool NumPy": (KernelScalar(B1), [True, np.int8(1), np.array(True)]),
    "f8 0-d": (KernelScalar(F8, ("array",)), [1.0, np.float64(1), np.ones(1), np.ones((), F4)]),
    "f8 array": (
        Array(F8, (2, 3)),
        [
            np.ones((3, 2)),
            np.ones(6),
            np.ones((2, 3, 1)),
            np.ones((2, 3), F4),
            np.ones((2, 3), ">f8"),
            np.ones((2, 3), "i8"),
            np.ones((2, 3), "m8[s]"),
            np.ones((2, 3), object),
            np.ones((2, 3), order="F"),
            np.ones((2, 6))[:, ::2],
            np.ones((3, 3))[:2, ::-1],
            np.ones((2, 3)).view(Subclass),
            np.ma.ones((2, 3)),
            np.frombuffer(bytes(49), np.uint8)[1:].view(F8).reshape(2, 3),  # not aligned
            np.broadcast_to(1.0, (2, 3)),
            [[1.0] * 3] * 2,
            1.0,
            np.float64(1),
            None,
        ],
    ),
    "empty array": (Array(F8, (0,)), [np.ones((0, 0)), np.ones((0,), F4), np.ones(1)]),
    "i8 array": (Array(I8, (2,)), [np.ones(2, np.longlong), np.ones(2, np.uint64), np.ones(2)]),
    "complex": (Array(F8, (2,)), [np.ones(1, "c16"), np.ones(2, "c16"), np.ones(2, "f8,f8")]),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_exactly_right_goes_the_slow_way(entry, case):
    parameter, arguments = REFUSED[case]
    f = copy_function(entry, parameter, KernelScalar(F8))
    for argument in arguments:
        with pytest.raises(Slow) as caught:
            f(argument)
        assert caught.value.args[0] is argument, argument
    g = copy_function(entry, parameter, KernelScalar(F8), slow=lambda *arguments: arguments)
    assert g(arguments[0])[0] is arguments[0]


def test_any_call_at_all(entry):
    f = copy_function(entry, KernelScalar(F8, PYTHON), KernelScalar(F8, PYTHON), slow=lambda *a: a)
    assert f() == ()
    assert f(1.0, 2.0) == (1.0, 2.0)
    assert f(*range(1000)) == tuple(range(1000))
    with pytest.raises(TypeError, match="keyword"):
        f(1.0, x=3)
    with pytest.raises(TypeError, match="keyword"):
        f(x=1.0)


def test_another_object_for_the_same_dtype(entry):
    f = copy_function(entry, Array(F8, (3,)), Array(F8, (3,)))
    described = np.dtype("f8", metadata={"unit": "m"})
    x = np.arange(3.0).view(described)
    assert x.dtype is not F8
    y = f(x)
    assert np.array_equal(x, y) and y.dtype.metadata is None
    x = pickle.loads(pickle.dumps(np.arange(3.0)))
    assert np.array_equal(f(x), x)


def test_read_only_arguments(entry):
    x = np.arange(3.0)
    x.flags.writeable = False
    assert np.array_equal(copy_function(entry, Array(F8, (3,)), Array(F8, (3,)))(x), x)


def test_several_results(entry):
    parameters = (
        Array(F8, (2,)),
        KernelScalar(I8, PYTHON),
        KernelScalar(F4),
        KernelScalar(B1, PYTHON),
    )
    results = (
        KernelScalar(I8, PYTHON),
        Alias(0),
        Array(F8, (2,)),
        Alias(1),
        KernelScalar(F4),
        KernelScalar(B1, PYTHON),
        Alias(0),
    )
    code = copies([(1, 0, 8, False), (0, 1, 16, True), (2, 2, 4, False), (3, 3, 1, False)])
    f = entry("f", code, KernelSignature(parameters, results, single=False), slow)
    x, n, y = np.arange(2.0), 10**12, np.float32(0.1)
    found = f(x, n, y, True)
    assert type(found) is tuple and len(found) == 7
    assert found[0] == n and found[1] is x and found[3] is n and found[6] is x
    assert np.array_equal(found[2], x) and found[2] is not x
    assert type(found[4]) is np.float32 and found[4] == y
    assert found[5] is True


@pytest.mark.parametrize("single", [True, False])
def test_a_parameter_as_the_only_result(entry, single):
    f = entry(
        "f", copies([]), KernelSignature((Array(F8, (2,)),), (Alias(0),), single=single), slow
    )
    x = np.ones(2)
    found = f(x)
    assert (found if single else found[0]) is x
    count = sys.getrefcount(x)
    for _ in range(1000):
        f(x)
    del found
    assert sys.getrefcount(x) <= count


def test_no_parameters_and_no_results(entry):
    assert entry("f", copies([]), KernelSignature((), (), single=False), slow)() == ()


def test_results_into_a_parameter(entry):
    signature = KernelSignature((Array(F8, (2,)), Array(F8, (2,))), (Into(1), KernelScalar(F8)))
    f = entry("f", copies([(0, 0, 16, True), (0, 1, 8, True)]), signature, slow)
    x, y = np.array([3.0, 4.0]), np.zeros(2)
    assert f(x, y) == 3.0
    assert np.array_equal(x, y)
    y.flags.writeable = False
    with pytest.raises(Slow):
        f(x, y)


@pytest.mark.parametrize("count", [30, 999, 1000, 1001, 3000])
def test_many_parameters_and_results(count):
    signature = KernelSignature(
        [KernelScalar(I8, PYTHON)] * count, [KernelScalar(I8, PYTHON)] * count, single=False
    )
    code = copies([(i, i, 8, False) for i in (0, 7, count - 1)])
    f = make("f", code, signature, slow)
    found = f(*range(1000, 1000 + count))
    assert len(found) == count
    assert [found[i] for i in (0, 7, count - 1)] == [1000, 1007, 999 + count]


@pytest.mark.parametrize(
    "make_signature",
    [
        lambda: KernelSignature((), (Alias(0),)),
        lambda: KernelSignature((KernelScalar(F8),), (Into(0),), single=False),
        lambda: KernelSignature((KernelScalar(F8),), (Alias(-1),)),
        lambda: KernelSignature((), (KernelScalar(F8), KernelScalar(F8))),
        lambda: KernelSignature((), (KernelScalar(F8, ("array",)),)),
        lambda: KernelSignature((), (KernelScalar(F8, ("python", "numpy")),)),
        lambda: KernelScalar(F4, PYTHON),
        lambda: KernelScalar(F8, ("list",)),
        lambda: KernelScalar(F8, ()),
    ],
)
def test_signatures_that_make_no_sense(make_signature):
    with pytest.raises(ValueError):
        make_signature()


# -- when the kernel does not finish ---------------------------------------------------------------


@pytest.mark.parametrize("status, expected", [(1, Slow), (3, Slow), (2, MemoryError)])
def test_the_status(entry, status, expected):
    parameters = Array(F8, (2,)), KernelScalar(F8, PYTHON)
    results = Array(F8, (2,)), Alias(0), KernelScalar(F8, PYTHON)
    signature = KernelSignature(parameters, results, single=False)
    f = entry("f", copies([(0, 0, 16, True)], status), signature, slow)
    x = np.ones(2)
    count = sys.getrefcount(x)
    for _ in range(10):
        with pytest.raises(expected):
            f(x, 1.0)
    assert sys.getrefcount(x) == count


def test_results_that_are_too_big(entry):
    signature = KernelSignature((), (Array(F8, (2,)), Array("i1", (1 << 62,))), single=False)
    f = entry("f", copies([]), signature, slow)
    for _ in range(3):
        with pytest.raises(MemoryError):
            f()


def test_errors_of_the_slow_way(entry):
    def failing(x):
        raise ZeroDivisionError(x)

    f = copy_function(entry, KernelScalar(F8, PYTHON), KernelScalar(F8, PYTHON), slow=failing)
    with pytest.raises(ZeroDivisionError, match="7"):
        f(7)


# -- random calls ----------------------------------------------------------------------------------


def test_random_calls_do_what_the_reference_does():
    """Arguments that are right, nearly right and wrong, to both ways to call a kernel."""
    rng = np.random.default_rng(0)
    shapes = [(), (1,), (2,), (2, 2), (0,)]
    wrong = [None, "x", 1j, np.datetime64(1, "s"), [1.0], object(), 2**70, np.ones(2, object)]

    def described():
        dtype = DTYPES[rng.integers(len(DTYPES))]
        if rng.random() < 0.5:
            return Array(dtype, shapes[rng.integers(len(shapes))])
        forms = [form for form in ("numpy", "array") if rng.random() < 0.7]
        if dtype in (F8, I8, B1) and (rng.random() < 0.7 or not forms):
            forms.append("python")
        return KernelScalar(dtype, tuple(forms) or ("numpy",))

    def value(parameter):
        if rng.random() < 0.1:
            return wrong[rng.integers(len(wrong))]
        if rng.random() < 0.2:
            parameter = described()
        if isinstance(parameter, Array):
            return some(parameter.dtype, parameter.shape)
        number = some(parameter.dtype)
        form = parameter.forms[rng.integers(len(parameter.forms))]
        return {"python": number.item(), "numpy": number[()], "array": number}[form]

    fast = 0
    for _ in range(60):
        parameters = [described() for _ in range(rng.integers(1, 5))]
        pairs, results = [], []
        for i, p in enumerate(parameters):
            array = isinstance(p, Array)
            size = p.dtype.itemsize * (int(np.prod(p.shape)) if array else 1)
            pairs.append((i, i, size, array))
            form = "python" if not array and "python" in p.forms else "numpy"
            results.append(p if array else KernelScalar(p.dtype, (form,)))
        code, signature = copies(pairs), KernelSignature(parameters, results, single=False)
        functions = [maker("f", code, signature, slow) for maker in (make, make_with_ctypes)]
        for _ in range(50):
            arguments = [value(p) for p in parameters]
            found = []
            for f in functions:
                try:
                    found.append(f(*arguments))
                except Slow:
                    found.append(None)
            if found[1] is None:
                assert found[0] is None
                continue
            fast += 1
            for x, y in zip(*found):
                assert type(x) is type(y)
                assert np.array_equal(x, y) and np.asarray(x).dtype == np.asarray(y).dtype
    assert fast > 500
