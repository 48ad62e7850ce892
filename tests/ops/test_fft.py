"""``np.fft`` in compiled functions: NumPy's results, and right derivatives."""

import numpy as np
import pytest

import autograph as ag
import ops
from tests.support.oracle import check

RNG = np.random.default_rng(0)
SINGLE = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
SEVERAL = ["fftn", "ifftn", "rfftn", "irfftn", "fft2", "ifft2", "rfft2", "irfft2"]
TAKES_REAL = {"rfft", "ihfft", "rfftn", "rfft2"}


def numbers(shape, dtype="float64"):
    x = RNG.normal(size=shape) * 3
    if np.dtype(dtype).kind == "c":
        x = x + 1j * RNG.normal(size=shape)
    return np.asarray(x).astype(dtype)


def total(x):
    rng = np.random.default_rng(x.size)
    w = rng.normal(size=x.shape) + 1j * rng.normal(size=x.shape)
    return np.sum(np.real(x**2 * w))


ARGUMENTS_OF_SINGLE = [
    {},
    {"n": 3},
    {"n": 8},
    {"n": 1},
    {"n": 0},
    {"axis": 0},
    {"axis": -2},
    {"axis": 3},
    {"norm": "ortho"},
    {"norm": "forward", "n": 5},
    {"norm": "backward"},
    {"norm": "other"},
]


@pytest.mark.parametrize("options", ARGUMENTS_OF_SINGLE, ids=str)
@pytest.mark.parametrize("name", SINGLE)
def test_along_one_axis(name, options):
    function = getattr(np.fft, name)
    for shape in [(4,), (5,), (1,), (3, 4), (2, 3, 5), (0, 4), (4, 0)]:
        check(lambda x: function(x, **options), numbers(shape))
    check(lambda x: function(x, **options), numbers((2, 5), "complex128"))


ARGUMENTS_OF_SEVERAL = [
    {},
    {"s": (3, 6), "axes": (0, 1)},
    {"s": (3, -1), "axes": (1, 0)},
    {"axes": (0,)},
    {"axes": (1, 0)},
    {"axes": (0, 0)},
    {"axes": (0, 1), "norm": "ortho"},
    {"norm": "forward"},
    {"axes": ()},
    {"s": (2,), "axes": (0, 1)},
    {"s": (0, 2), "axes": (0, 1)},
    {"axes": (0, 7)},
    {"s": (2, 3)},
]


@pytest.mark.parametrize("options", ARGUMENTS_OF_SEVERAL, ids=str)
@pytest.mark.parametrize("name", SEVERAL)
@pytest.mark.filterwarnings("ignore")
def test_along_several_axes(name, options):
    function = getattr(np.fft, name)
    for shape in [(4,), (3, 4), (2, 3, 5), (2, 1)]:
        check(lambda x: function(x, **options), numbers(shape))
    if name not in TAKES_REAL:
        check(lambda x: function(x, **options), numbers((2, 5), "complex128"))


@pytest.mark.parametrize("dtype", ["float16", "float32", "complex64", "int32", "bool"])
@pytest.mark.parametrize("name", SINGLE + SEVERAL)
def test_dtypes(name, dtype):
    """Single precision stays so; what takes real numbers refuses complex ones."""
    check(getattr(np.fft, name), numbers((3, 4), dtype))


@pytest.mark.parametrize("name", ["fftshift", "ifftshift"])
@pytest.mark.parametrize("axes", [None, 0, (0,), (1, 0), [-1], 5], ids=str)
def test_shifts(name, axes):
    for shape in [(4,), (3, 4), (2, 3, 5), (0, 4)]:
        check(lambda x: getattr(np.fft, name)(x, axes), numbers(shape))


def test_frequencies():
    check(lambda d: (np.fft.fftfreq(5, d), np.fft.rfftfreq(6, d=d), np.fft.fftfreq(4)), 0.1)
    check(lambda n, d: (np.fft.fftfreq(n, d), np.fft.rfftfreq(n, d)), 7, 0.1)
    check(lambda x: np.fft.fftfreq(x.shape[0], 1 / 8) * x, numbers(6))
    check(lambda n: np.fft.fftfreq(n), 5.0)
    assert ops.fft.fftfreq(4, dtype=np.float32).dtype == np.float32
    slope = ag.grad(lambda d: np.sum(np.fft.rfftfreq(6, d) ** 2))(0.5)
    frequencies = np.fft.rfftfreq(6, 0.5)
    np.testing.assert_allclose(slope, -2 * np.sum(frequencies**2) / 0.5)


def test_out():
    def function(x, out):
        result = np.fft.fft(x, out=out)
        return result, out

    check(function, numbers(4), np.zeros(4, complex))


@pytest.mark.costly
@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
@pytest.mark.parametrize("n", [None, 3, 8, 1])
@pytest.mark.parametrize("name", SINGLE)
def test_derivatives(name, n, norm):
    """To second order in both modes; with more, and fewer, elements than there are."""
    function = getattr(np.fft, name)
    for shape in [(5,), (2, 6)]:
        dtypes = ["float64"] if name in TAKES_REAL else ["float64", "complex128"]
        for dtype in dtypes:
            ag.check_grads(lambda x: total(function(x, n, norm=norm)), [numbers(shape, dtype)])


@pytest.mark.parametrize("options", [0, 1, 4, 5, 6], ids=lambda i: str(ARGUMENTS_OF_SEVERAL[i]))
@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn", "irfft2"])
def test_derivatives_along_several_axes(name, options):
    function, options = getattr(np.fft, name), ARGUMENTS_OF_SEVERAL[options]
    dtype = "float64" if name in TAKES_REAL else "complex128"
    ag.check_grads(lambda x: total(function(x, **options)), [numbers((2, 3, 4), dtype)])


def test_third_derivatives_and_shifts():
    ag.check_grads(lambda x: total(np.fft.fftshift(np.fft.rfft(x)) * x[:3]), [numbers(4)], order=3)


def test_single_precision_stays_so():
    x = numbers(6, "float32")
    for name in SINGLE:
        gradient = ag.grad(lambda x, name=name: np.sum(np.abs(getattr(np.fft, name)(x)) ** 2))
        assert gradient(x).dtype == np.float32
        assert "f64" not in str(gradient.graph(x)) and "c128" not in str(gradient.graph(x))


def test_the_gradient_of_a_real_transform_is_a_real_transform():
    program = str(ag.grad(lambda x: np.sum(np.abs(np.fft.rfft(x)))).program(numbers(6)))
    assert "np.fft.irfft" in program and "np.fft.fft" not in program
