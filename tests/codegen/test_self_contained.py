"""The printed program of a derivative runs where neither `autograph` nor `ops` can be imported."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import autograph as ag
import ops
from autograph.codegen.constants import MOST_NUMBERS, self_contained
from tests.support.processes import printed

RNG = np.random.default_rng(0)
WEIGHTS = RNG.normal(size=(3, 4))
TABLE = RNG.normal(size=(40, 3)).astype(np.float32)
PHASES = np.array([1.0 + 2.0j, complex(-0.0, np.inf), complex(np.nan, -1e-300)])
STREAM = np.random.default_rng(5)


def network(params, x):
    h = x
    for w, b in params:
        h = np.tanh(h @ w + b)
    return np.sum(h * h)


def newton(a):
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


def recurrence(w, xs):
    h = np.zeros(4)
    for x in xs:
        h = np.tanh(w @ h + x)
        if h[0] > 0.9:
            break
    return np.sum(h)


def visited(x):
    path = [x]
    while path[-1] < 20.0:
        path.append(path[-1] * x + 1.0)
    total = 0.0
    for value in path:
        total += np.sin(value)
    return total


def power(x, n):
    return 1.0 if n == 0 else x * power(x, n - 1)


def is_even(x, n):
    return np.sin(x) if n < 1 else is_odd(x * 1.1, n - 1)


def is_odd(x, n):
    return np.cos(x) if n < 1 else is_even(x * 0.9, n - 1)


def pieces(x):
    if x[0] > 1.0:
        y = np.sum(np.exp(x))
    elif x[1] > 0.0:
        y = x[0] * x[1]
    else:
        y = np.max(x)
    return y * y


def solved(a, b):
    x = np.linalg.solve(a @ a.T + np.eye(3), b)
    return x @ b + np.log(np.linalg.det(a @ a.T + np.eye(3)))


def spectrum(x):
    return np.sum(np.abs(np.fft.rfft(x)) ** 2 * np.arange(5.0))


def ordered(x):
    return np.sort(x) @ np.arange(1.0, 9.0) + np.max(x)


def written(x):
    y = np.zeros(8)
    for i in range(8):
        y[i] = x[i] * (y[i - 1] if i else 1.0)
    y[2:4] += x[:2]
    return np.sum(y * y)


def modulus(z):
    return np.real(np.sum(z * np.conj(z) * z)) + np.abs(z[0])


def told(x):
    if x > 0.0:
        print("x is", x)
    return x * x


def refused(x):
    if x < 0.0:
        raise ValueError(f"no root of {x}")
    return np.sqrt(x)


def with_arrays(x):
    return np.sum(np.tanh(WEIGHTS @ x)) + np.sum(TABLE @ x[:3]) * x[0]


def masked(x):
    return np.sum(np.where(x > 0.5, np.log(x), 0.0))


def gamma(x):
    return ops.special.gammaln(x) * ops.special.erf(x)


VECTOR = np.array([0.3, -1.2, 0.7, 2.0, 0.1, -0.4, 1.5, 0.9])
SQUARE = np.array([[2.0, 0.5, 0.1], [0.3, 1.5, 0.2], [0.0, 0.4, 1.1]])
LAYERS = [(RNG.normal(size=(4, 4)), RNG.normal(size=4)) for _ in range(3)]


def second(function):
    return ag.grad(ag.grad(function))


def along_ones(function):
    """The product of the Hessian and a vector of ones, forward over reverse."""

    def product(x, *rest):
        return ag.jvp(lambda x: ag.grad(function)(x, *rest), (x,), (np.ones_like(x),))[1]

    return ag.to_graph(product)


CASES = {
    "network": (ag.value_and_grad(network), (LAYERS, VECTOR[:4])),
    "while": (ag.grad(newton), (2.0,)),
    "while, twice": (second(newton), (2.0,)),
    "for and break": (ag.grad(recurrence, (0, 1)), (0.3 * np.eye(4), RNG.normal(size=(6, 4)))),
    "growing list": (ag.value_and_grad(visited), (1.3,)),
    "recursion": (ag.grad(power), (1.1, 6)),
    "recursion, twice": (second(power), (1.1, 6)),
    "mutual recursion": (ag.grad(is_even), (0.4, 5)),
    "conditional": (ag.grad(pieces), (VECTOR,)),
    "linear algebra": (ag.grad(solved, (0, 1)), (SQUARE, VECTOR[:3])),
    "transform of Fourier": (along_ones(spectrum), (VECTOR,)),
    "sort": (ag.grad(ordered), (VECTOR,)),
    "in place": (along_ones(written), (VECTOR,)),
    "complex": (ag.grad(modulus), (VECTOR[:3] + 1j,)),
    "print": (ag.grad(told), (1.5,)),
    "raise": (ag.grad(refused), (4.0,)),
    "constants": (ag.grad(with_arrays), (VECTOR[:4],)),
    "where": (ag.grad(masked), (VECTOR,)),
    "special": (second(gamma), (1.7,)),
}

# Runs the programs in a file each, and prints nothing but what they print.
RUNNER = """
import importlib.util, pickle, sys

sys.modules["autograph"] = sys.modules["ops"] = None
results = {}
for name, file, main, args in pickle.load(open(sys.argv[1], "rb")):
    spec = importlib.util.spec_from_file_location("pasted", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    results[name] = getattr(module, main)(*args)
pickle.dump(results, open(sys.argv[2], "wb"))
"""


def leaves(tree):
    """The arrays and numbers of nested tuples and lists."""
    if isinstance(tree, (tuple, list)):
        return [leaf for part in tree for leaf in leaves(part)]
    return [tree]


def alone(programs, folder: Path):
    """The results of programs, (name, program, flat arguments), in a Python of their own."""
    todo = []
    for number, (name, program, args) in enumerate(programs):
        file = folder / f"program_{number}.py"
        file.write_text(str(program))
        todo.append((name, str(file), program.name, args))
    given, results = folder / "given", folder / "results"
    given.write_bytes(pickle.dumps(todo))
    said = printed("-I", "-c", RUNNER, given, results, folder=folder)
    return pickle.loads(results.read_bytes()), said


def test_gradients_pasted_into_files(tmp_path, capsys):
    programs = [
        (name, function.program(*args), leaves(args)) for name, (function, args) in CASES.items()
    ]
    found, printed = alone(programs, tmp_path)
    for name, (function, args) in CASES.items():
        expected = leaves(function(*args))
        assert len(expected) == len(leaves(found[name])), name
        for mine, other in zip(leaves(found[name]), expected):
            assert type(mine) is type(other), name
            np.testing.assert_array_equal(mine, other, err_msg=name)
    assert printed == capsys.readouterr().out == "x is 1.5\n"


@pytest.mark.parametrize("name", CASES)
def test_nothing_but_numpy_is_imported(name):
    function, args = CASES[name]
    imported = re.findall(r"^\s*(?:from|import) (\w+)", str(function.program(*args)), re.M)
    assert set(imported) <= {"numpy", "builtins", "math", "base64", "zlib"}


def test_its_own_exception():
    namespace = {}
    exec(str(ag.grad(refused).program(4.0)), namespace)
    with pytest.raises(ValueError, match=r"no root of -1\.0"):
        namespace["grad_refused"](-1.0)


ARRAYS = [
    np.array(2.5),
    np.array([], np.float32),
    np.zeros((3, 0)),
    np.array([[True, False]]),
    np.array([2**64 - 1, 0], np.uint64),
    np.array([-128, 127], np.int8),
    np.array([0.1, -0.0, np.inf, -np.inf, 1e-45], np.float32),
    np.array([0.1, np.nan, 5e-324, -np.nan]),
    np.array([0x7FF8000000000001], np.uint64).view(np.float64),  # a NaN that no literal gives
    PHASES,
    PHASES.astype(np.complex64),
    np.array([1.0, 0.1, -3e38], ml_dtypes.bfloat16),
    RNG.normal(size=(3, 4, 5)),
    RNG.normal(size=(4, 16)).T,
    TABLE,
    np.broadcast_to(np.float16(0.1), (100, 7)),
    np.float32(0.1),
]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda a: f"{a.dtype.name}{list(a.shape)}")
def test_an_array_as_source(array):
    text = self_contained("import numpy as np\n", {"c_0": array}, [])
    assert max(map(len, text.splitlines())) <= 100
    assert array.size <= MOST_NUMBERS or "decoded(" in text
    namespace = {}
    exec(text, namespace)
    found = namespace["c_0"]
    assert type(found) is type(array)
    assert (found.dtype, found.shape) == (array.dtype, array.shape)
    assert found.tobytes() == array.tobytes()
    assert isinstance(found, np.generic) or found.flags.writeable


def test_few_numbers_are_legible():
    text = self_contained("", {"c_0": np.array([[0.1, 2.0], [-1.0, np.nan]], np.float32)}, [])
    assert "c_0 = np.array([[0.1, 2.0], [-1.0, float('nan')]], 'float32')" in text


def test_what_an_array_holds_when_the_program_is_printed():
    table = np.ones(3)

    def scaled(x):
        return np.sum(table * x)

    program = ag.grad(scaled).program(np.ones(3))
    table[1] = 7.0
    assert "np.array([1.0, 7.0, 1.0], 'float64')" in str(program)
    assert program.function(np.ones(3)).tolist() == [1.0, 7.0, 1.0]


def test_generators_as_they_are():
    def noisy(x):
        return np.sum(x * STREAM.normal(size=3))

    noisy_program = ag.grad(noisy).program(np.ones(3))
    namespace = {}
    exec(str(noisy_program), namespace)
    assert "ops" not in str(noisy_program)
    expected = ag.grad(noisy)(np.ones(3))
    np.testing.assert_array_equal(namespace["grad_noisy"](np.ones(3)), expected)


@pytest.mark.parametrize("bits", [np.random.MT19937, np.random.SFC64, np.random.Philox])
def test_other_bit_generators(bits):
    generator = np.random.Generator(bits(3))

    def noisy(x):
        return x * generator.normal()

    namespace = {}
    exec(str(ag.grad(noisy).program(1.0)), namespace)
    assert namespace["grad_noisy"](1.0) == ag.grad(noisy)(1.0)


def test_a_generator_given_per_call():
    def noisy(x, generator):
        return x * generator.normal()

    text = str(ag.to_graph(noisy).program(2.0, np.random.default_rng(3)))
    assert re.search(r"GENERATORS\[\d+\] = np.random.default_rng\(\)  # an argument", text)
    namespace = {}
    exec(re.sub(r"default_rng\(\)", "default_rng(3)", text), namespace)
    assert namespace["noisy"](2.0) == 2.0 * np.random.default_rng(3).normal()


def test_bfloat16_brings_its_package():
    ones = np.ones(3, ml_dtypes.bfloat16)
    text = str(ag.to_graph(lambda x: x * ones).program(ones))
    assert text.startswith("import ml_dtypes")
    code = f"{text}\nprint(lambda_1(c_0).dtype)"
    assert printed("-I", "-c", code) == "bfloat16\n"


def test_names_that_the_definitions_take():
    def decoded(x):
        return np.sum(TABLE * x)

    namespace = {}
    exec(str(ag.to_graph(decoded).program(1.0)), namespace)
    assert namespace["decoded_1"](2.0) == decoded(2.0)
