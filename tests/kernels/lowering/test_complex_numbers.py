"""Complex numbers in kernels are what Python and NumPy compute."""

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.lowering.complex_numbers import real_form
from autograph.kernels.native import python_api
from tests.support.oracle import Programs, check, check_grad

programs = Programs()

C, D = 0.3 + 0.4j, -1.25 - 0.5j


def array(*shape, seed=0, dtype=complex):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(dtype)


Z, W = array(5), array(5, seed=1)


# -- loops over numbers ----------------------------------------------------------------------------


@programs(C, 50)
@programs(0.1 + 0.1j, 50)
@programs(0j, 0)
@programs(np.complex128(C), 50)
@programs(np.complex64(C), 50)
def escapes(c, limit):
    z = 0j
    n = 0
    while n < limit and abs(z) <= 2.0:
        z = z * z + c
        n += 1
    return n, z


@programs(C, 9)
@programs(np.complex64(C), 9)
def orbit(c, count):
    z = 0j
    for i in range(count):
        z = (z * z - i) / (1.5 + z) - c / (i + 1) + z.conjugate() * 0.5 - z.imag
    return z, z.real, -z, z == c, z != 0


@programs(C)
@programs(np.complex128(D))
def powers(z):
    total = z
    for _ in range(3):
        total = total + z**2 - z**3 / 7 + z**-1 + z**5 + z**0 + z**1
    return total


@programs(7)
def contour(count):
    total = 0j
    for k in range(count):
        z = np.exp(2j * np.pi * k / count)
        total += np.log(z + 3) / (z - 0.5) * z + np.sqrt(z) + np.angle(z) * np.abs(z)
    return total / count


@programs(C, 3)
@programs(C, -3)
def branches(z, n):
    w = 1j
    for i in range(5):
        if z.real > i - n:
            w = w * z
        else:
            w = w / 2 + 1
    return w


@programs(C)
def calls(z):
    def inner(w, n):
        return w if n < 1 else w * w + z

    total = 0j
    for i in range(4):
        total = total + inner(total, i)
    return total


# -- arrays ----------------------------------------------------------------------------------------


def stages(a):
    """An FFT, as Stockham has it."""
    a, b = a.copy(), np.zeros_like(a)
    half, length = a.shape[0] // 2, 1
    while half >= 1:
        for j in range(length):
            w = np.exp(-1j * np.pi * j / length)
            for k in range(half):
                one, other = a[k + j * half], a[k + j * half + length * half]
                b[k + 2 * j * half] = one + other
                b[k + 2 * j * half + half] = (one - other) * w
        a, b = b, a
        half //= 2
        length *= 2
    return a


programs(array(16))(stages)
programs(array(16, dtype="complex64"))(stages)


@programs(array(2, 3, 3, 3), array(2, 2, 3, 3, seed=1))
def energies(G, D):
    sigma = np.zeros_like(G)
    for k in range(2):
        for q in range(2):
            for e in range(3):
                for w in range(2):
                    sigma[k, e] += G[k - q, e - w] @ D[q, w]
    return sigma


@programs(Z, W)
@programs(Z.astype("complex64"), W.astype("complex64"))
@programs(Z, W.real)
@programs(Z[:1], W)
@programs(Z.reshape(5, 1), W)
def elements(x, y):
    z = np.exp(x) * y / (x + 2) - np.conj(y) * abs(x)
    return z, np.where(z.real > 0, z, x), np.stack([x * y, z + 0]), np.isnan(z), z == x * 1


@programs(Z, 1.5, 2j)
@programs(Z.astype("complex64"), 1.5, 2j)
@programs(Z.real, 1.5, 2j)
@programs(np.arange(5), 1.5, 2j)
def scaled(x, factor, other):
    return (x * factor + 1j) * other - 1, 1 / (x + 2j), -x * 1j


@programs(array(3, 4), array(4, 2))
@programs(array(3, 4), array(4))
@programs(array(3, 4).real, array(4))
@programs(array(3, 4), array(4).real)
def products(x, y):
    total = np.sum(x @ y + 1j) * 2
    for i in range(3):
        total = total + np.sum(x[i] @ y) - np.sum(x.T[i] * x[0, i]) + np.mean(y)
    return total, np.sum(x * 2j, axis=0), np.cumsum(x * x, axis=1)


@programs(Z)
def moved(x):
    y = np.concatenate([x * 2, np.zeros(2)])
    y[1:3] = x[2:4] * 1j
    y[0] = 2.5
    y[-1] += 1j
    return np.roll(y, 2)[::-1].reshape(7, 1) + np.tile(x[:2] * 1, 2)


@programs(Z)
@programs(Z.reshape(1, 5))
def in_place(x):
    for i in range(3):
        x += x * x * 0.125j
        x[..., i] = 2j * i
    return np.sum(x)


@programs(Z, 0)
@programs(Z, 2)
def may_return_what_it_was_given(x, count):
    for _ in range(count):
        x = x * 2j
    return x


@programs(Z)
@programs(array(300))
def parts(z):
    w = z * 1j
    total = np.sum(w.real * w.imag) + 1j * np.sum(np.real(z))
    return total, w.real + 1, w.conj().imag - 1, (w.real + 0 + 1j * z.imag)


@programs.test
def test_as_python(call):
    call.run()
    assert ag.to_graph(call.function).kernels(*call.args)


def is_one_kernel(function, *args):
    check(function, *args)
    return list(ag.to_graph(function).kernels(*args)) == [function.__name__]


@pytest.mark.parametrize(
    "call",
    [(escapes, C, 50), (orbit, C, 9), (stages, Z[:4]), (contour, 5)],
    ids=lambda call: call[0].__name__,
)
def test_whole_functions_are_kernels(call):
    assert is_one_kernel(*call)


def test_an_argument_is_returned_itself():
    f = ag.to_graph(may_return_what_it_was_given)
    assert f(Z, 0) is Z
    assert f(Z, 1) is not Z


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_forms_of_numbers(dtype):
    """A number may be Python's, NumPy's, or an array without axes."""
    f = ag.to_graph(lambda z: z * z + 1)
    for z in (C, np.dtype(dtype).type(C), np.array(C, dtype), np.array([C], dtype)[0]):
        found, expected = f(z), z * z + 1
        assert type(found) is type(expected) and found == pytest.approx(complex(expected), 1e-6)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_without_the_entry_in_machine_code(dtype, monkeypatch):
    """Builds of Python that have none call kernels through ctypes."""
    monkeypatch.setattr(python_api, "usable", lambda: False)
    f = ag.to_graph(lambda z, x: (z * z + 1, x * z, x[0] * 2 - 1))
    for z in (C, np.dtype(dtype).type(C), np.array(C, dtype)):
        found, expected = f(z, Z), (z * z + 1, Z * z, Z[0] * 2 - 1)
        assert [type(v) for v in found] == [type(v) for v in expected]
        for one, other in zip(found, expected):
            np.testing.assert_allclose(one, other, rtol=1e-6)


OPERATORS = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
}


# -- exceptions ------------------------------------------------------------------------------------


@pytest.mark.parametrize("z", [0j, 1 + 1j, 1e200 + 0j, complex(1.5e308, 1.5e308), 1e-200j])
@pytest.mark.parametrize(
    "step",
    [
        lambda z: 1 / z,
        lambda z: (z + 1) / z,
        lambda z: abs(z) + z,
        lambda z: z**3,
        lambda z: z**-2,
        lambda z: z * z / (z - 1),
    ],
)
def test_exceptions_of_python(z, step):
    def function(z):
        total = 0j
        for _ in range(2):
            total = total + step(z)
        return total

    check(function, z)


def test_what_is_written_before_an_exception_stays():
    def function(x, z):
        for i in range(3):
            x[i] = 1 / (z - i)
        return x

    check(function, np.zeros(3, complex), 2 + 0j)
    check(function, np.zeros(3, complex), 2 + 1j)


def test_an_index_out_of_range():
    def function(x, n):
        total = 0j
        for i in range(n):
            total += x[i] * 2
        return total

    check(function, Z, 5)
    check(function, Z, 6)


# -- derivatives and lanes -------------------------------------------------------------------------


def test_gradients():
    def length(x):
        z = x + 0.5j
        total = 0.0
        for i in range(3):
            z = z * z / (1.5 + z) + np.exp(z * 0.25) - i
            total = total + abs(z) + (z * z.conjugate()).real
        return total

    check_grad(length, 0.7)
    assert ag.grad(length).kernels(0.7)


def test_gradients_of_arrays():
    def energy(x, y):
        z = x + 1j * y
        for i in range(2):
            z = z * z[::-1] / (2 + z) + np.sqrt(z + 3) * np.log(z + 2j)
        return np.sum(np.abs(z @ z) + z.real)

    check_grad(energy, Z.real, W.real, argnums=(0, 1))
    assert ag.grad(energy).kernels(Z.real, W.real)


def reflectance(indices, depths, length):
    """Of layers, by products of matrices with complex sines and tangents in them."""
    m = np.eye(2, dtype=complex)
    for n, d in zip(indices, depths):
        phase = 2.0 * np.pi * n * d / length
        c, s = np.cos(phase), np.sin(phase)
        m = m @ np.array([[c, 1j * s / n], [1j * n * s, c]]) * np.cosh(0.1 * phase)
    ends = np.tan(0.1 * m[0, 1]) + 2.0 + np.tanh(0.1 * m[1, 1]) * np.sinh(0.1 * n)
    r = (m[0, 0] - m[1, 0]) / (m[0, 0] + m[1, 0] + ends)
    return np.abs(r) ** 2


LAYERS = np.array([1.5 + 0.1j, 2.0 + 0.2j, 1.3]), np.array([0.2, 0.3, 0.25])


def test_layers_are_one_kernel():
    check(reflectance, *LAYERS, 0.6)
    assert len(ag.to_graph(reflectance).kernels(*LAYERS, 0.6)) == 1
    lengths = np.linspace(0.4, 0.8, 7)
    found = ag.vmap(lambda length: reflectance(*LAYERS, length))(lengths)
    np.testing.assert_allclose(found, [reflectance(*LAYERS, x) for x in lengths], rtol=1e-12)


def test_gradients_of_layers():
    indices, depths = LAYERS
    ag.check_grads(lambda d, x: reflectance(indices, d, x), (0.1 * depths, 0.6), order=2)
    check_grad(lambda x: np.abs(np.sin(x + 0.5j) * np.tanh(1j * x)), 0.7)


def test_lanes():
    def steps(c):
        z = c * 0
        n = 0
        while abs(z) <= 2.0 and n < 40:
            z = z * z + c
            n += 1
        return n, z

    c = array(200)
    f = ag.vmap(steps)
    counts, last = f(c)
    expected = [steps(x) for x in c]
    np.testing.assert_array_equal(counts, [n for n, _ in expected])
    np.testing.assert_allclose(last, [z for _, z in expected], rtol=1e-12)
    assert f.kernels(c)


def test_graphs_without_complex_numbers_stay():
    graph = ag.to_graph(lambda x: np.sin(x) * 2).lower(Z.real).graph.main
    assert real_form(graph).graph is graph


# -- what stays outside ----------------------------------------------------------------------------


def test_large_products_and_transforms_stay_calls():
    def function(x):
        return np.fft.fft(x @ x) * 2 + x

    check(function, array(64, 64))
    names = [node.op.name for node in ag.to_graph(function).lower(array(64, 64)).graph.main.nodes]
    assert "matmul" in names


# -- random programs -------------------------------------------------------------------------------


def random_program(rng):
    """The source of a function of complex numbers and arrays, with loops and branches."""
    numbers, arrays = ["c", "d"], ["x", "y"]

    def number(depth=0):
        pick = rng.integers(0, 10 if depth < 3 else 2)
        if pick < 2:
            return str(rng.choice(numbers))
        if pick < 6:
            sign = rng.choice(["+", "-", "*"])
            return f"({number(depth + 1)} {sign} {number(depth + 1)})"
        return [
            f"({number(depth + 1)} / (3.5 + {number(depth + 1)}.real ** 2))",
            f"{number(depth + 1)}.conjugate()",
            f"({number(depth + 1)} * 0.5j + {number(depth + 1)}.imag)",
            f"complex(abs({number(depth + 1)}), 1.0)",
        ][pick - 6]

    def vector(depth=0):
        pick = rng.integers(0, 9 if depth < 3 else 2)
        if pick < 2:
            return str(rng.choice(arrays))
        if pick < 5:
            sign = rng.choice(["+", "-", "*"])
            return f"({vector(depth + 1)} {sign} {vector(depth + 1)})"
        return [
            f"{vector(depth + 1)}[::-1]",
            f"np.where({vector(depth + 1)}.real > 0, {vector(depth + 1)}, 1j)",
            f"({vector(depth + 1)} * {number(2)} + np.conj({vector(depth + 1)}))",
            f"np.roll({vector(depth + 1)}, 1)",
        ][pick - 5]

    def shrunk(text):
        return f"{text} / (4.0 + abs({text}))"

    lines = ["def program(c, d, x, y, n):", "    y = y.copy()", "    for i in range(n):"]
    for _ in range(rng.integers(2, 5)):
        kind, test = rng.integers(0, 4), f"{number(2)}.real > 0"
        if kind == 0:
            body = [f"{rng.choice(numbers)} = {shrunk(number())}"]
        elif kind == 1:
            body = [f"{rng.choice(arrays)} = {shrunk(vector())}"]
        elif kind == 2:
            body = [f"if {test}:", f"    c = {shrunk(number())}"]
            body += ["else:", f"    x = {shrunk(vector())}"]
        else:
            body = [f"y[i % 4] = {shrunk(number())} + np.sum({vector(2)}) * 0.125"]
            body += [f"d = d * 0.5 + complex(y[{rng.integers(0, 4)}])"]
        lines += [f"        {line}" for line in body]
    lines += ["    return c, d, x * 1, y"]
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(8))
def test_random_programs(seed, tmp_path):
    rng = np.random.default_rng(seed)
    text = random_program(rng)
    path = tmp_path / f"program_{seed}.py"
    path.write_text(text)
    scope = {"np": np}
    import linecache

    linecache.getlines(str(path))
    exec(compile(text, str(path), "exec"), scope)
    args = (C, D, array(4, seed=seed), array(4, seed=seed + 1), 3)
    check(scope["program"], *args)


def test_several_results():
    def factored(a):
        sign, logarithm = np.linalg.slogdet(a + 1j)
        values, vectors = np.linalg.eigh(a + a.T.conj())
        return sign * logarithm + np.sum(values) * abs(vectors[0, 0])

    check(factored, np.random.default_rng(3).random((3, 3)) + 1j * np.eye(3))


def test_bools_beside_complex_numbers():
    assert ag.grad(lambda z: abs(z) ** 2)(1 + 2j) == 2 - 4j
    check(lambda z, flag: z * (flag > 0.5) + np.complex64(1j) * True, 1 + 2j, 0.75)


def butterflies(x):
    """The twiddles are arrays of which only the run knows how long they are."""
    y, half = x.copy(), 1
    while half < len(x):
        twiddle = np.exp(-1j * np.pi * np.arange(half) / half)
        pairs = y.reshape(len(x) // (2 * half), 2, half)
        even, odd = pairs[:, 0], pairs[:, 1] * twiddle
        y = np.stack((even + odd, even - odd), axis=1).reshape(len(x))
        half *= 2
    return y


def roots(x):
    """What is dear is computed from what is dear, and again from that."""
    total, n = 0j, 1
    while n < len(x):
        z = np.exp(np.sqrt(np.exp(1j * x[:n]) / (2.0 + x[:n])) + np.sin(x[:n]))
        total, n = total + np.sum(z * z - np.conj(z)), n + 3
    return total


programs(array(16))(butterflies)
programs(array(16), 3)(lambda x, n: butterflies(x * n))
programs(array(16))(roots)


def test_one_loop_computes_both_parts_of_arrays_of_unknown_length():
    (kernel,) = ag.to_graph(butterflies).kernels(array(16)).values()
    taken = [s for s in ir.walk(kernel.kernel.body) if isinstance(s, ir.Reserve)]
    assert len(taken) == 2  # what the exponentials are taken of is not kept
    filled = [
        loop
        for loop in ir.walk(kernel.kernel.body)
        if isinstance(loop, ir.Each)
        and {s.buffer.base for s in loop.body if isinstance(s, ir.Store)} == {s.out for s in taken}
    ]
    assert len(filled) == 1
