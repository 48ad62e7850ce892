"""Fourier transforms and linear algebra in kernels: the loops of NumPy's ufuncs, with its bits."""

import ctypes

import numpy as np
import pytest

import autograph as ag
import ops
from autograph.kernels.ir.interpreter import interpret
from autograph.kernels.native import inner_loops
from tests.kernels.kernel_check import ALL, check
from tests.support.oracle import check_grad

RNG = np.random.default_rng(0)


def array(*shape, dtype=np.complex128):
    made = 5 * RNG.normal(size=shape)
    if np.dtype(dtype).kind == "c":
        made = made + 1j * RNG.normal(size=shape)
    return made.astype(dtype)


def regular(*shape, dtype=np.float64):
    """Matrices that have an inverse, and are positive definite if they are symmetric."""
    return array(*shape, dtype=dtype) + (30 * np.eye(shape[-1])).astype(dtype)


def has_numpys_bits(function, *args):
    """Check that a function is one kernel, which gives what NumPy does to the last bit."""
    compiled = check(function, *args, kernels=ALL)
    with np.errstate(all="ignore"):
        found, expected = compiled(*args), function(*args)
    for one, other in zip(found, expected):
        assert type(one) is type(other) and one.dtype == other.dtype
        assert np.asarray(one).tobytes() == np.asarray(other).tobytes()
    return compiled


# -- transforms ------------------------------------------------------------------------------------


def complex_transforms(x):
    return (
        2 * np.fft.fft(x),
        2 * np.fft.ifft(x, axis=0),
        2 * np.fft.fft(x, 3, axis=1, norm="ortho"),
        2 * np.fft.ifft(x, 9, axis=-2, norm="forward"),
        2 * np.fft.irfft(x),
        2 * np.fft.irfft(x, 5, axis=1, norm="ortho"),
        2 * np.fft.hfft(x, axis=0),
    )


def real_transforms(x):
    return (
        2 * np.fft.rfft(x),
        2 * np.fft.rfft(x, 3, axis=1, norm="ortho"),
        2 * np.fft.rfft(x, 9, axis=0, norm="forward"),
        2 * np.fft.ihfft(x, axis=-2),
    )


def transforms_of_several_axes(x):
    return (
        2 * np.fft.fft2(x),
        2 * np.fft.ifftn(x),
        2 * np.fft.fftn(x, (2, 8), axes=(0, 2)),
        2 * np.fft.irfftn(x, (5, 3), axes=(0, 1), norm="ortho"),
        2 * np.fft.irfft2(x),
    )


@pytest.mark.parametrize("dtype", ["complex128", "complex64", "float64", "float32", "int64", "?"])
def test_transforms(dtype):
    x = array(4, 5, 6, dtype=dtype)
    has_numpys_bits(complex_transforms, x)
    if x.dtype.kind != "c":
        has_numpys_bits(real_transforms, x)


@pytest.mark.parametrize("dtype", ["complex128", "float32"])
def test_transforms_over_several_axes(dtype):
    has_numpys_bits(transforms_of_several_axes, array(3, 4, 6, dtype=dtype))
    has_numpys_bits(lambda x: (np.fft.fft(x.T, axis=0) * 2,), array(3, 4, dtype=dtype))


def test_what_is_not_finite():
    x = np.array([[1.0, np.nan, 2.0, 3.0], [np.inf, 1.0, -0.0, 0.0]])
    has_numpys_bits(lambda x: (np.fft.fft(x) * 2, np.fft.rfft(x) * 2), x)


def smoothed(u, count):
    kept = np.exp(-0.1 * np.arange(len(u))).astype(u.dtype)
    for _ in range(count):
        u = np.real(np.fft.ifft(np.fft.fft(u) * kept)) + 0.1 * u * u
    return u


def smoothed_by_halves(u, count):
    k = np.fft.rfftfreq(u.shape[-1]).astype(u.dtype)

    def step(u):
        return np.fft.irfft(np.fft.rfft(u) / (1 + k), u.shape[-1])

    done = 0
    while done < count and np.max(u) < 100.0:
        u = u + step(u)
        done += 1
    return u, done


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_transforms_in_loops(dtype):
    check(smoothed, array(16, dtype=dtype) / 10, 5, kernels=1, scale=10.0)
    check(smoothed_by_halves, array(2, 9, dtype=dtype), 4, kernels=1, scale=100.0)


def test_gradients_of_transforms_in_loops():
    def loss(u):
        return np.sum(smoothed(u, 3) ** 2)

    check_grad(loss, array(6, dtype=float) / 10)
    gradient = ag.grad(loss)
    assert len(gradient.kernels(np.ones(6))) == 1


def test_lanes_of_transforms():
    """Of all lanes it is one call."""
    many = ag.vmap(lambda u: smoothed(u, 3))
    u = array(4, 8, dtype=float) / 10
    np.testing.assert_allclose(many(u), [smoothed(row, 3) for row in u], rtol=1e-12)
    assert len(many.kernels(u)) == 1


def test_transforms_by_themselves():
    """Of many elements there is nothing that a kernel would do faster."""
    f = check(lambda x: np.fft.fft(x), array(8), scale=10.0)
    assert not f.kernels(array(1 << 14))


def bisected(x, depth):
    """Adds up spectra of halves, and halves of those."""
    if depth == 0:
        return np.abs(np.fft.fft(x))[0]
    turned = np.linalg.solve(np.eye(4) * (depth + 1.0), x)
    return bisected(turned, depth - 1) + np.sum(np.abs(np.fft.fft(turned)))


def test_functions_that_call_themselves():
    check(bisected, array(4, dtype=float), 3, kernels=None, scale=10.0)


def test_arrays_of_any_length():
    f = ag.to_graph(lambda x: (np.fft.fft(x) * 2, np.fft.fft(x, axis=0) / 2))
    for rows in range(2, 7):
        x = array(rows, 8)
        for one, other in zip(f(x), (np.fft.fft(x) * 2, np.fft.fft(x, axis=0) / 2)):
            np.testing.assert_array_equal(one, other)


# -- linear algebra --------------------------------------------------------------------------------


def decompositions(a):
    s = a + np.conj(np.swapaxes(a, -1, -2))
    return (
        *(2 * x for x in np.linalg.eigh(s)),
        *(2 * x for x in np.linalg.eigh(s, "U")),
        2 * np.linalg.eigvalsh(s),
        2 * np.linalg.cholesky(s),
    )


def singular(a):
    return (
        *(2 * x for x in np.linalg.svd(a)),
        *(2 * x for x in np.linalg.svd(a, full_matrices=False)),
        2 * np.linalg.svd(a, compute_uv=False),
    )


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 2, 5)])
def test_singular_values(dtype, shape):
    has_numpys_bits(singular, array(*shape, dtype=dtype))


def orthogonal(a):
    return (
        *(2 * x for x in np.linalg.qr(a)),
        *(2 * x for x in np.linalg.qr(a, "complete")),
        2 * np.linalg.qr(a, "r"),
        a + 1,
    )


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "complex64", "int64"])
@pytest.mark.parametrize("shape", [(3, 3), (5, 2), (2, 4), (2, 3, 4, 3)])
def test_orthogonal_matrices(dtype, shape):
    has_numpys_bits(orthogonal, array(*shape, dtype=dtype))


def turned(q, a):
    """The Lyapunov exponents of a linear map."""
    total = np.zeros(len(q))
    for _ in range(9):
        q, r = np.linalg.qr(a @ q)
        total += np.log(np.abs(np.diag(r)))
    return total, q


def test_orthogonal_matrices_in_loops():
    a = regular(3, 3)
    check(turned, np.eye(3), a, kernels=ALL, ulps=64)
    check_grad(lambda q, a: np.sum(turned(q, a / 30)[0] ** 2), np.eye(3), a, argnums=1)


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "complex64", "int64"])
@pytest.mark.parametrize("shape", [(3, 3), (5, 2), (2, 4), (2, 3, 4, 3)])
def test_pseudo_inverses(dtype, shape):
    a = array(*shape, dtype=dtype)
    a[..., 1] = a[..., 0]  # of lower rank
    check(lambda a: np.linalg.pinv(a) * 2, a, kernels=ALL, ulps=64, scale=0.1)
    check(lambda a: np.linalg.pinv(a, rcond=0.2) * 2, a, kernels=ALL, ulps=64, scale=0.1)


def systems(a, b):
    return (
        2 * np.linalg.solve(a, b),
        2 * np.linalg.inv(a),
        2 * np.linalg.det(a),
        *(2 * x for x in np.linalg.slogdet(a)),
    )


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "complex64", "int64"])
@pytest.mark.parametrize("shape", [(3, 3), (2, 4, 4)])
def test_linear_algebra(dtype, shape):
    a = regular(*shape, dtype=dtype)
    has_numpys_bits(decompositions, a)
    has_numpys_bits(systems, a, array(*shape[:-1], 2, dtype=dtype))
    has_numpys_bits(systems, a, array(shape[-1], 3, dtype="float32"))


def test_vectors_as_right_sides():
    has_numpys_bits(lambda a, b: (np.linalg.solve(a, b) * 2,), regular(3, 3), array(3))
    # that is a matrix in terms of all versions of NumPy
    check(lambda a, b: np.linalg.solve(a, b) * 2, regular(2, 3, 3), array(3), kernels=None)


def powers(a, b, count):
    for i in range(count):
        b = np.linalg.solve(a + i * np.eye(len(a)), b) / np.linalg.det(a)
    return b


@pytest.mark.parametrize("a", [np.zeros((3, 3)), np.full((3, 3), np.nan), np.diag([1.0, 1, 0])])
def test_singular_matrices(a):
    """NumPy raises, but not for what is no number."""
    check(lambda a: np.linalg.inv(a) * 2, a)
    check(lambda a: np.linalg.cholesky(a) * 2, a)
    check(lambda a: np.linalg.eigvalsh(a) * 2, a, ulps=16)
    check(powers, a, np.ones(3), 2, kernels=1)


def test_singular_matrices_in_loops():
    check(powers, np.diag([1.0, 2.0, -3.0]), np.ones(3), 9, kernels=1)
    check(powers, np.diag([1.0, 2.0, -30.0]), np.ones(3), 9, kernels=1)


def caught(a, b):
    total = 0.0
    for i in range(4):
        try:
            total += np.linalg.solve(a - i * np.eye(2), b)[0]
        except np.linalg.LinAlgError:
            total += 100.0
    return total


def test_singular_matrices_that_are_caught():
    check(caught, np.diag([1.0, 2.5]), np.ones(2), kernels=None)


def test_gradients_of_systems_in_loops():
    def loss(a, b):
        return np.sum(powers(a, b, 3) ** 2)

    check_grad(loss, 3 * np.eye(2) + array(2, 2, dtype=float) / 20, np.ones(2), argnums=(0, 1))
    gradient = ag.grad(loss)
    assert gradient.kernels(regular(2, 2), np.ones(2))


def of_determinants(a, r):
    total = 0.0
    for i in range(4):
        s = a * (i + 1) + r
        total += np.log(np.abs(np.linalg.det(s))).sum() + np.linalg.det(s / 4).sum()
    return total


@pytest.mark.costly
@pytest.mark.parametrize("shape", [(2, 2), (4, 4), (3, 3, 3)])
def test_gradients_of_determinants_in_loops(shape):
    a, r = regular(*shape) / 30, regular(*shape[-2:]) / 30
    check_grad(of_determinants, a, r, argnums=(0, 1))
    check(ag.grad(of_determinants, argnums=(0, 1)), a, r, ulps=64, kernels=ALL)


def test_gradients_of_determinants_of_singular_matrices():
    """The kernel leaves them to NumPy's program."""
    check_grad(lambda a: np.linalg.det(a @ a.T) + np.linalg.det(a + 1), np.diag([1.0, 0.0, 2.0]))
    gradient = ag.grad(np.linalg.det)
    for a in (np.diag([1.0, 1e-9, 2.0]), np.zeros((2, 2)), np.diag([1.0, 0.0, 2.0])):
        np.testing.assert_allclose(gradient(a), ops.linalg.adjugate(a).T, atol=1e-14)


def test_no_elements():
    check(lambda a: np.linalg.inv(a) * 2, np.zeros((0, 2, 2)), kernels=None)
    check(lambda a: np.linalg.det(a) * 2, np.zeros((3, 0, 0)), kernels=None)


# -- calls -----------------------------------------------------------------------------------------


def test_a_loop_that_finds_no_memory(monkeypatch):
    """It sets an exception, and writes nothing. The function in its place does just that."""
    no_memory = ctypes.cast(ctypes.pythonapi.PyErr_NoMemory, ctypes.c_void_p).value
    failing = inner_loops.InnerLoop(no_memory, 0)
    f = ag.to_graph(lambda x: np.fft.fft(x) * 2)
    monkeypatch.setattr(inner_loops, "inner_loop", lambda *loop: failing)
    with pytest.raises(MemoryError):
        f(array(8))


def test_where_no_loop_is_found(monkeypatch):
    monkeypatch.setattr(inner_loops, "inner_loop", lambda *loop: None)
    f = check(lambda x: np.fft.fft(x) * 2 + np.exp(x), array(8), kernels=None, scale=100.0)
    assert "loop_of" not in str(f.kernels(array(8)))
    assert "no native form of the operator 'dft'" in str(f.explain(array(8)))


@pytest.mark.parametrize("function", [complex_transforms, transforms_of_several_axes])
def test_the_interpreter_of_kernels(function):
    x = array(3, 4, 6)
    (native,) = ag.to_graph(function).kernels(x).values()
    outputs = [np.empty((*y.shape, 2) if y.dtype.kind == "c" else y.shape) for y in function(x)]
    interpret(native.kernel, [x.view(float)], outputs)
    for made, expected in zip(outputs, function(x)):
        np.testing.assert_array_equal(made.reshape(-1), expected.reshape(-1).view(float))


def test_functions_of_c_have_none():
    with pytest.raises(
        ag.errors.UnsupportedFunctionError, match="no native form of the operator 'inv'"
    ):
        ag.export.c(lambda a: np.linalg.inv(a) * 2, np.eye(3))
