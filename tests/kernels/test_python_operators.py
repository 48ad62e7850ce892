"""Loops with operators that have no native form are kernels, which call Python for them."""

import math

import numpy as np
import pytest

import autograph as ag
from tests.kernels.kernel_check import SOME, calls_python, check, give_up_soon
from tests.support.processes import file_of, printed

X = np.linspace(0.1, 1.0, 7)


def rare(x, n):
    t = 0.0
    for i in range(n):
        t = 0.5 * t + x
        if i % 10 == 0:
            t = t + math.remainder(1.0 + x, 0.7) - math.remainder(t, 0.3)
    return t


def test_a_rare_operator_on_numbers():
    assert calls_python(check(rare, 0.3, 100), 0.3, 100)


def test_the_program_has_a_function_for_it():
    text = str(ag.to_graph(rare).program(0.3, 10))
    assert "def rare_ieee_remainder_1(" in text and "math.remainder" in text


def arrays(x, n):
    y, places, t = np.ones(5), np.zeros(7, np.int64), 0.0
    for i in range(n):
        places = np.argpartition(x, 3)
        t = t + x[places[2]]
        y = np.i0(y * 0.5 + x[:5]) * 0.2
        x[i % 7] = y[2] + t
    return x, y, places, t


def test_operators_on_arrays():
    assert calls_python(check(arrays, X, 9), X, 9)


def test_arrays_of_any_length():
    def f(x, y, n):
        t = 0.0
        for i in range(n):
            z = np.i0(x + y[1])
            x = x * 0.5 + z[i]
            t = t + np.sum(z)
        return x, t

    compiled = ag.to_graph(f)
    for size in (3, 4, 6, 9):
        x, y = np.linspace(0.0, 1.0, size), np.linspace(1.0, 2.0, size + 2)
        for found, expected in zip(compiled(x, y, 3), f(x, y, 3)):
            assert np.allclose(found, expected, rtol=1e-14)
        assert calls_python(compiled, x, y, 3)


@pytest.mark.parametrize("dtype", ["i2", "i8", "u8", "f4", "f8"])
def test_dtypes(dtype):
    def f(x, n):
        for i in range(n):
            x = x[::-1] + x.dtype.type(i)
            x = ag.pure_callback(doubled, x, x)
        return x

    def doubled(x):
        assert x.dtype == dtype
        return x + x

    x, y = np.array([5, 3, 4, 1], dtype), np.array([102, 70, 86, 38], dtype)
    compiled = ag.to_graph(f)
    found = compiled(x, 4)
    assert found.dtype == y.dtype and np.array_equal(found, y)
    assert calls_python(compiled, x, 4)


def test_several_results():
    def f(x, n):
        s = 0.0
        for i in range(n):
            place, value = np.argpartition(x, 1)[0], math.fsum([x[0], x[1], s])
            s = s + value * place
            x = np.roll(x, 1)
        return s

    check(f, X, 8)


def test_what_raises():
    def f(x, n):
        t = 1.0
        for i in range(n):
            t = math.remainder(x, 3.0 - i)
        return t

    compiled = check(f, 3.5, 3)
    check(f, 3.0, 5)
    with pytest.raises(ValueError) as raised:
        compiled(3.0, 5)
    assert f":{f.__code__.co_firstlineno + 3}" in raised.value.__notes__[0]


def test_recursion():
    def f(x, n):
        return x if n == 0 else np.i0(f(x, n - 1) * x) * 0.3

    assert calls_python(check(f, X, 4, kernels=SOME), X, 4)


def test_derivatives():
    def f(x):
        t = x
        for i in range(3):
            t = t * x + math.remainder(1.0 + x, 0.3)
        return t

    ag.check_grads(f, (0.4,), order=2)
    assert calls_python(ag.to_graph(f), 0.4)


def test_lanes():
    def f(x, n):
        t = x
        for i in range(n):
            t = 0.5 * t + math.remainder(1.0 + x, 0.3)
        return t

    xs = np.array([0.2, 0.5, 1.5])
    assert np.allclose(ag.vmap(f, in_axes=(0, None))(xs, 3), [f(x, 3) for x in xs])


def test_a_kernel_that_begins_again(monkeypatch):
    give_up_soon(monkeypatch)
    check(rare, 0.3, 100)
    check(arrays, X, 30)


def test_callbacks_without_effects():
    def doubled(x):
        return x * 2.0

    def f(x, n):
        for i in range(n):
            x = ag.pure_callback(doubled, x, x) * 0.5 + i
        return x

    compiled = ag.to_graph(f)
    assert np.array_equal(compiled(X, 3), X + 3.0)
    assert calls_python(compiled, X, 3)


def test_complex_numbers_around():
    def f(x, n):
        z = 1.0 + 0.5j
        t = 0.0
        for i in range(n):
            z = z * z * 0.3 + x
            t = t + math.remainder(abs(z) + 1.0, 0.3)
            print(f"{z.real:.6f}")
        return z, t

    check(f, 0.3, 5)


@pytest.mark.slow
def test_on_disk(tmp_path):
    program = file_of(
        tmp_path / "remainder.py",
        """
        import math
        import numpy as np
        import autograph as ag
        from autograph.kernels import partition

        asked, making = [], partition.making
        partition.making = lambda: asked.append(True) or making()

        @ag.to_graph
        def f(x, n):
            t = 0.0
            for i in range(n):
                t = 0.5 * t + np.convolve(x, x)[i] + math.remainder(1.0 + t, 0.3)
            return t

        print(f(np.linspace(0.1, 1.0, 5), 4))
        print("made" if asked else "found")
        """,
    )
    settings = {"AUTOGRAPH_CACHE_DIR": str(tmp_path / "cache"), "AUTOGRAPH_CACHE_PROGRAMS": ""}
    settings["AUTOGRAPH_VERIFY"] = ""
    first, second = [printed(program, **settings).splitlines() for _ in range(2)]
    assert first[0] == second[0] and [first[1], second[1]] == ["made", "found"]
