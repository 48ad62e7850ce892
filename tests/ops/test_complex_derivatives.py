"""Derivatives by complex numbers: of a real function of z = x + iy it is df/dx - i df/dy."""

import numpy as np
import pytest

import autograph as ag

Z = np.array([0.6 + 0.7j, -0.6 + 0.8j, -1.3 - 0.45j, 0.55 - 1.2j, 2.6 + 0.3j, -2.2 + 0.55j])
W = np.array([0.3 - 0.4j, 1.2 + 0.1j, -0.7 + 0.2j, 0.4 + 0.9j, -0.5 - 0.3j, 0.8 + 0.6j])
R = np.array([0.5, 1.5, 2.0, 3.0, -0.5, 2.0])
WEIGHTS = np.array([0.3 + 1.1j, -0.8 + 0.2j, 1.5 - 0.6j, -0.2 - 0.9j, 0.7 + 0.4j, -1.1 + 0.5j])


def is_complex(ufunc):
    """Whether it takes complex numbers and gives numbers."""
    if ufunc.signature is not None or ufunc.nout != 1:
        return False
    try:
        return ufunc(*[Z, W][: ufunc.nin]).dtype.kind in "fc"
    except TypeError:
        return False


UFUNCS = [
    ufunc
    for name, ufunc in vars(np).items()
    if isinstance(ufunc, np.ufunc) and ufunc.__name__ == name and is_complex(ufunc)
]


def with_name(name, function):
    return pytest.param(function, id=name)


CASES = [
    *(with_name(u.__name__, lambda z, w, r, u=u: u(z)) for u in UFUNCS if u.nin == 1),
    *(with_name(u.__name__, lambda z, w, r, u=u: u(z, w)) for u in UFUNCS if u.nin == 2),
    *(with_name(f"{u.__name__} real", lambda z, w, r, u=u: u(z, r)) for u in UFUNCS if u.nin == 2),
    *(
        with_name(f"real {u.__name__}", lambda z, w, r, u=u: u(abs(r), z))
        for u in UFUNCS
        if u.nin == 2
    ),
    with_name("angle", lambda z, w, r: np.angle(z)),
    with_name("degrees", lambda z, w, r: np.angle(z, deg=True) / 60),
    with_name("parts", lambda z, w, r: z.real * w.real + 1j * (z.imag * z.real)),
    with_name("conj", lambda z, w, r: z * z.conj() * w),
    with_name("of parts", lambda z, w, r: (z.real + 1j * r) ** 2),
    with_name("z**2", lambda z, w, r: z**2),
    with_name("z**0.5", lambda z, w, r: z**0.5),
    with_name("z**-1", lambda z, w, r: z**-1),
    with_name("2**z", lambda z, w, r: 2**z),
    with_name("sinc", lambda z, w, r: np.sinc(z)),
]


def differences(function, args, position):
    """``df/dx - i df/dy`` by each element of an argument."""
    step, slopes = 1e-6, np.zeros_like(args[position])

    def slope(place, direction):
        ends = []
        for sign in (1, -1):
            moved = [x.copy() for x in args]
            moved[position][place] += sign * step * direction
            ends.append(function(*moved))
        return (ends[0] - ends[1]) / (2 * step)

    for place in range(len(slopes)):
        slopes[place] = slope(place, 1)
        if slopes.dtype.kind == "c":
            slopes[place] -= 1j * slope(place, 1j)
    return slopes


@pytest.mark.parametrize("function", CASES)
@pytest.mark.filterwarnings("ignore")
def test_first_and_second_derivatives(function):
    args = (Z, W, R)

    def total(z, w, r):
        return np.sum((function(z, w, r) * WEIGHTS).real)

    gradient = ag.grad(total, argnums=(0, 1, 2))

    def total_slope(z, w, r):
        slopes = gradient(z, w, r)
        return sum(np.sum((slope * WEIGHTS.conj()).real) for slope in slopes)

    second = ag.grad(total_slope, argnums=(0, 1, 2))(*args)
    for position, (one, two) in enumerate(zip(gradient(*args), second)):
        assert one.dtype == two.dtype == args[position].dtype
        expected = differences(total, args, position)
        np.testing.assert_allclose(one, expected, rtol=1e-5, atol=1e-6)
        expected = differences(total_slope, args, position)
        np.testing.assert_allclose(two, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("function", CASES)
@pytest.mark.filterwarnings("ignore")
def test_small_complex_numbers_stay_small(function):
    """The gradients of complex64 and float32 numbers never pass through larger ones."""
    args = (Z.astype("c8"), W.astype("c8"), R.astype("f4"))
    if function(*args).dtype.itemsize > 8:
        return  # np.float_power

    weights = WEIGHTS.astype("c8")

    def total(z, w, r):
        return np.sum((function(z, w, r) * weights).real)

    program = ag.grad(total, argnums=(0, 1, 2)).graph(*args)
    assert "f64[" not in str(program) and "c128[" not in str(program)


def gradient_at(function, *args):
    return ag.grad(lambda *args: np.sum(function(*args)), argnums=tuple(range(len(args))))(
        *(np.array([x]) for x in args)
    )


@pytest.mark.filterwarnings("ignore")
def test_zero():
    for function in (np.abs, lambda z: np.sign(z).real, lambda z: (z**2).real, np.square):
        real = lambda z: function(z).real
        (found,) = gradient_at(real, 0j)
        assert found == [0]
        assert np.isfinite(gradient_at(lambda z: ag.grad(lambda z: np.sum(real(z)))(z).real, 0j))
    assert np.isnan(gradient_at(np.angle, 0j)[0])
    found = gradient_at(lambda z, w: (z**w).real, 0j, 2 + 0j)
    np.testing.assert_array_equal(found, [[0], [0]])


def test_branch_cuts_agree_with_the_values():
    """On a cut, the sign of a part that is zero tells on which side of it a number is."""
    left = (np.array([complex(-2, 0.0)]), 1j), (np.array([complex(-2, -0.0)]), -1j)
    right = (np.array([complex(2, 0.0)]), 1j), (np.array([complex(2, -0.0)]), -1j)
    up = (np.array([complex(0.0, 2)]), 1), (np.array([complex(-0.0, 2)]), -1)
    cuts = {np.sqrt: left, np.log: left, np.arccosh: left, np.arcsinh: up}
    cuts |= {np.arcsin: (*left, *right), np.arccos: right, np.arctanh: right, np.log1p: left}
    for function, sides in cuts.items():
        for z, side in sides:
            total = lambda z: np.sum(function(z).real + 2 * function(z).imag)
            found = ag.grad(total)(z)
            ends = [total(z + side * h) for h in (1e-6, 2e-6)]
            along = (ends[1] - ends[0]) / 1e-6
            np.testing.assert_allclose((found * side).real, along, rtol=1e-4, atol=1e-6)
