"""Functions of C, compiled and called, give what Python does."""

import ctypes
import functools
import shutil
import subprocess

import numpy as np
import pytest

import autograph as ag
import ops
from autograph import nn
from autograph.errors import UnsupportedFunctionError

GCC = shutil.which("gcc")
needs_gcc = pytest.mark.skipif(GCC is None, reason="it needs a compiler of C")

KEY = ops.random.key(0)
RNG = np.random.default_rng(0)
X = RNG.normal(size=(3, 5))
MODEL = nn.MLP.make(KEY, [4, 6, 3], np.tanh)
BLOCK = nn.TransformerBlock.make(KEY, 8, 2, base=100.0)


def newton(a):
    x = a
    while abs(x * x - a) > 1e-12 * a:
        x = 0.5 * (x + a / x)
    return x


def height(v, steps):
    h = 1.0
    for _ in range(steps):
        v = v - 9.81e-3
        h = h + 1e-3 * v
        if h < 0.0:
            h, v = -h, -0.8 * v
    return h, v


def rnn(w, x):
    h = np.zeros(len(w))
    for row in x:
        h = np.tanh(w @ h + row)
    return h


def slope_of_height(v):
    return ag.value_and_grad(lambda v: height(v, 500)[0])(v)


def slope_of_rnn(w, x):
    return ag.grad(lambda w: np.sum(rnn(w, x) ** 2))(w)


def curvature(x):
    return ag.hessian(lambda x: np.sum(np.sin(x) * x[::-1]))(x)


def lanes(x):
    return ag.vmap(newton)(x)


def integers(x):
    return x // 3 + x % 5 + (x << 2) ^ (x >> 1), np.sum(x), x.astype(np.uint8), x > 2


def rounded(x):
    return np.floor(x), np.rint(x), x.astype(int), np.sign(x), np.abs(x)


def probabilities(x):
    return ops.nn.softmax(x, 1), np.argmax(x, 1), np.max(x, 0), np.prod(x)


def sieve(n):
    is_prime = np.ones(50, bool)
    is_prime[:2] = False
    for i in range(2, n):
        if is_prime[i]:
            for j in range(i * i, n, i):
                is_prime[j] = False
    return np.sum(is_prime[:n])


def special(x):
    return (
        np.exp(x),
        np.log(np.abs(x)),
        np.arctan2(x, 2.0),
        np.power(np.abs(x), 0.3),
        np.hypot(x, x),
    )


def network(x):
    return MODEL(x)


def given_network(model, x):
    return model(x)


def transformer(x):
    return BLOCK(x, causal=True)


def drawn(key):
    return ops.random.normal(key, (5,)), ops.random.randint(key, (3,), 0, 10)


def windows(x):
    return x[:, 1:] - x[:, :-1], np.concatenate([x[0], x[:, 0]]), x.T @ x


PROGRAMS = {
    newton: (2.0,),
    height: (0.5, 700),
    rnn: (0.5 * np.eye(4), RNG.normal(size=(6, 4))),
    slope_of_height: (0.5,),
    slope_of_rnn: (0.5 * np.eye(4), RNG.normal(size=(6, 4))),
    curvature: (RNG.normal(size=4),),
    lanes: (np.array([2.0, 3.0, 5.0]),),
    integers: (np.arange(-7, 8),),
    rounded: (np.array([-2.5, -0.5, 0.0, 0.5, 1.5, 2.7]),),
    probabilities: (X,),
    sieve: (50,),
    special: (X,),
    network: (RNG.normal(size=(2, 4)).astype(np.float32),),
    given_network: (MODEL, RNG.normal(size=(2, 4)).astype(np.float32)),
    transformer: (RNG.normal(size=(5, 8)).astype(np.float32),),
    drawn: (KEY,),
    windows: (X,),
}

NUMBERS = {float: ctypes.c_double, int: ctypes.c_int64, bool: ctypes.c_bool}


def called(made, args, results, folder):
    """Compile a function, and call it with arguments and room for results; what it returns."""
    assert GCC is not None
    (folder / "made.c").write_text(made.source)
    (folder / "made.h").write_text(made.header)
    (folder / "both.c").write_text('#include "made.h"\n#include "made.h"\n#include "made.c"\n')
    library = folder / "made.so"
    options = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=undefined"]
    options += ["-Wno-unused-but-set-variable"]
    options += ["-fno-sanitize-recover", "-shared", "-fPIC"]
    done = subprocess.run(
        [GCC, *options, "-o", library, folder / "both.c", "-lm"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    given = [
        NUMBERS[type(leaf)](leaf)
        if type(leaf) in NUMBERS
        else np.ascontiguousarray(leaf).ctypes.data_as(ctypes.c_void_p)
        for leaf in ag.tree.leaves(args)
    ]
    room = [each.ctypes.data_as(ctypes.c_void_p) for each in results]
    return getattr(ctypes.CDLL(str(library)), made.name)(*given, *room)


@needs_gcc
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_it_gives_what_python_does(function, tmp_path):
    args = PROGRAMS[function]
    expected = [np.asarray(leaf) for leaf in ag.tree.leaves(function(*args))]
    results = [np.full_like(leaf, 77) for leaf in expected]
    made = ag.export.c(function, *args)
    assert called(made, args, results, tmp_path) == 0
    for found, wanted in zip(results, expected):
        tolerance = 1e-5 if wanted.dtype.itemsize == 4 else 1e-12
        np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)


@needs_gcc
def test_errors_are_told(tmp_path):
    made = ag.export.c(lambda x, i: x[i] * 2.0, np.arange(5.0), 1, name="element")
    for i, code in ((4, 0), (-5, 0), (5, 1), (-6, 1)):
        assert called(made, (np.arange(5.0), i), [np.zeros(1)], tmp_path) == code


@needs_gcc
def test_memory_that_only_the_run_knows(tmp_path):
    def slope(a):
        return ag.grad(newton)(a)

    with pytest.raises(UnsupportedFunctionError, match=r"AG0750.*only the run knows how much"):
        ag.export.c(slope, 2.0)
    result = np.zeros(1)
    for memory, code in ((16, 2), (4096, 0)):
        made = ag.export.c(slope, 2.0, memory=memory)
        assert made.memory >= memory
        (tmp_path / str(code)).mkdir()
        assert called(made, (2.0,), [result], tmp_path / str(code)) == code
    assert result[0] == pytest.approx(0.5 / np.sqrt(2.0))


def test_known_memory_is_found():
    def slope(v, n):
        return ag.grad(lambda v: height(v, n)[0])(v)

    few, many = (ag.export.c(functools.partial(slope, n=n), 0.0).memory for n in (100, 200))
    assert 0 < few < many < 200 * 64


def recursive(n):
    return n if n < 2 else recursive(n - 1) + recursive(n - 2)


REFUSED = {
    "an operator": (lambda x: np.sort(x), np.ones(3), "no native form of the operator 'sort'"),
    "recursion": (recursive, 5, "calls itself"),
    "a length": (lambda x: x[x > 0], np.ones(3), "only the run"),
    "an argument": (lambda x: (x, x * 2), np.ones(3), "returns an argument"),
    "a change": (lambda x: x.sort(), np.ones(3), "changes its arguments"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name):
    function, arg, message = REFUSED[name]
    with pytest.raises(UnsupportedFunctionError, match=message) as caught:
        ag.export.c(function, arg)
    assert caught.value.id == "AG0750" and caught.value.fix
    assert "test_c.py" in str(caught.value)


def test_names():
    made = ag.export.c(lambda x: x * 2.0, 1.0)
    assert made.name.isidentifier() and f"int {made.name}(" in made.source
    texts = {ag.export.c(lambda x: x * 2.0, 1.0, name=n).name for n in ("f", "été", "a b")}
    assert all(map(str.isidentifier, texts)) and len(texts) == 3
