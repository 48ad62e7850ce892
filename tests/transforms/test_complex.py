"""Derivatives by complex numbers: JAX's convention, in both modes, of first and second order."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import NonDifferentiableError, NonScalarOutputError

Z = np.array([0.3 + 0.4j, 0.8 - 0.7j, -0.6 + 0.9j])
W = np.array([0.7 - 0.2j, -0.4 + 0.5j, 0.9 + 1.1j])
X = np.array([0.35, 0.8, -0.6])

UNARY = [
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "square", "reciprocal"),
    *("sin", "cos", "tan", "arcsin", "arccos", "arctan"),
    *("sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh"),
    *("negative", "positive", "absolute", "conjugate", "real", "imag", "sign"),
]


@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_operand(name):
    function = getattr(np, name)
    ag.check_grads(lambda z: function(z), (Z,), order=2)


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "power"])
@pytest.mark.parametrize("args", [(Z, W), (np.abs(X), W), (Z, X), (Z, 0.7), (0.7, W), (0.3j, Z)])
def test_functions_of_two_operands(name, args):
    """A real operand has a real tangent and a real cotangent, though the other is complex."""
    function = getattr(np, name)
    f = lambda x, y: function(x, y)
    ag.check_grads(f, args, order=2)
    _, pull = ag.vjp(f, *args)
    for cotangent, argument in zip(pull(Z), args):
        assert np.asarray(cotangent).dtype == np.asarray(argument).dtype


def norm(z):
    return np.sqrt(np.sum(np.real(z * np.conj(z))))


def of_parts(z):
    return np.sum(np.sin(z.real) * np.exp(z.imag))


def choice(z):
    return np.sum(np.where(np.abs(z) > 0.8, np.abs(z) ** 3, np.real(z)))


def loop(z):
    total = 0.0
    for _ in range(3):
        z = z * z * 0.5 + 0.3j
        if np.abs(z[0]) < 1:
            total = total + np.sum(np.abs(z))
    return total


def newton_root(z):
    """A square root of each element, by a loop whose trips depend on all of them."""
    w = np.ones(3) + z
    while np.max(np.abs(w * w - z)) > 1e-13:
        w = 0.5 * (w + z / w)
    return w


def recursive(z):
    return np.abs(z) ** 2 if np.abs(z) > 4.0 else recursive(z * (1.5 + 0.2j)) * np.real(z)


@pytest.mark.parametrize("function", [norm, of_parts, choice, loop])
def test_the_gradient_of_a_real_function(function):
    """It is df/dx - i df/dy."""
    gradient = ag.grad(function)(Z)
    assert gradient.dtype == complex
    step = 1e-6
    for i in range(3):
        e = np.eye(3)[i] * step
        by_x = (function(Z + e) - function(Z - e)) / (2 * step)
        by_y = (function(Z + 1j * e) - function(Z - 1j * e)) / (2 * step)
        assert gradient[i] == pytest.approx(by_x - 1j * by_y, rel=1e-6, abs=1e-8)
    ag.check_grads(function, (Z,), order=2)


def test_control_flow():
    ag.check_grads(newton_root, (Z + 2.0,), order=2)
    ag.check_grads(recursive, (0.4 + 0.3j,), order=2)


def test_a_step_against_the_conjugate_goes_downhill():
    z = Z
    gradient = ag.grad(norm)
    for _ in range(20):
        z = z - 0.05 * np.conj(gradient(z))
    assert norm(z) == pytest.approx(norm(Z) - 1.0)


def test_python_complex_numbers():
    assert ag.grad(lambda z: abs(z) ** 2)(1 + 2j) == 2 - 4j
    assert type(ag.grad(lambda z: abs(z) ** 2)(1 + 2j)) is complex
    assert ag.grad(lambda z: (z * z).real)(1 + 2j) == 2 + 4j
    assert ag.grad(lambda x: abs(x * (1 + 1j)))(2.0) == pytest.approx(np.sqrt(2))
    assert type(ag.grad(lambda x: abs(x * 1j))(2.0)) is float


def test_at_the_origin():
    """abs has no derivative at 0; it is taken to be 0."""
    gradient = ag.grad(lambda z: np.sum(np.abs(z)))
    np.testing.assert_array_equal(gradient(np.zeros(2, complex)), 0.0)


def test_holomorphic_functions():
    derivative = ag.grad(lambda z: np.sum(np.exp(z) * z), holomorphic=True)
    np.testing.assert_allclose(derivative(Z), np.exp(Z) * (Z + 1))
    second = ag.grad(lambda z: np.sum(derivative(z)), holomorphic=True)
    np.testing.assert_allclose(second(Z), np.exp(Z) * (Z + 2))
    assert ag.grad(lambda z: z**3, holomorphic=True)(1 + 1j) == pytest.approx(3 * (1 + 1j) ** 2)
    value, slope = ag.value_and_grad(lambda z: z * z, holomorphic=True)(2j)
    assert (value, slope) == (-4, 4j)


def test_complex_results_and_real_arguments_are_refused():
    square = lambda z: z * z
    with pytest.raises(NonScalarOutputError, match="AG0501"):
        ag.grad(square)(1 + 2j)
    with pytest.raises(NonDifferentiableError, match="AG0509"):
        ag.grad(square, holomorphic=True)(1.0)
    modulus = lambda z: abs(z)
    with pytest.raises(NonScalarOutputError, match="AG0509"):
        ag.grad(modulus, holomorphic=True)(1j)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_dtypes(dtype):
    z = Z.astype(dtype)
    real = z.real.dtype
    gradient = ag.grad(lambda z, x: np.sum(np.abs(z * x)), argnums=(0, 1))(z, X.astype(real))
    assert gradient[0].dtype == dtype and gradient[1].dtype == real
    out, tangent = ag.jvp(lambda z: (z * z, np.abs(z), z.imag), (z,), (z,))
    assert [t.dtype for t in tangent] == [t.dtype for t in out] == [dtype, real, real]


def test_forward_and_reverse_agree_on_functions_that_are_not_holomorphic():
    f = lambda z: np.conj(z) * z.real + np.abs(z) * 1j + z**2
    out, tangent = ag.jvp(f, (Z,), (W,))
    (cotangent,) = ag.vjp(f, Z)[1](Z)
    assert np.sum(Z * tangent).real == pytest.approx(np.sum(cotangent * W).real)
