"""How deep recursion goes: as far as memory allows, and that without an end it ends."""

import math
import traceback

import numpy as np
import pytest

import autograph as ag
from autograph.codegen import trampoline
from tests.support.oracle import check, compiled


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def sum_below(x, n):
    return 0.0 if n == 0 else x * n + sum_below(x, n - 1)


def sines(x, n):
    return x if n == 0 else np.sin(sines(x, n - 1)) + x


def sines_by_loop(x, n):
    y = x
    for _ in range(n):
        y = np.sin(y) + x
    return y


DEEP = 100_000


def test_depth():
    assert compiled(sum_below)(0.5, DEEP) == 0.5 * DEEP * (DEEP + 1) / 2


def test_depth_of_functions_that_call_each_other():
    assert compiled(is_even)(DEEP) is True


def test_depth_of_gradients():
    f, g = sines, sines_by_loop
    for depth in (DEEP, DEEP // 10):
        f, g = ag.grad(f), ag.grad(g)
        assert f(0.3, depth) == pytest.approx(g(0.3, depth), rel=1e-12)


def test_cotangents_of_packs_are_added_at_any_depth():
    def f(x, n):
        return x if n == 0 else f(x, n - 1) * x

    def twice(x, n):
        return ag.grad(f)(x, n) * f(x, n) + f(x, n)

    n, x = 5_000, 1.0 + 1e-6
    found = ag.grad(ag.grad(twice))(x, n)
    k = n + 1  # twice is k x^(2k - 1) + x^k
    expected = k * (2 * k - 1) * (2 * k - 2) * x ** (2 * k - 3) + k * (k - 1) * x ** (k - 2)
    assert found == pytest.approx(expected, rel=1e-9)


def test_what_is_printed_is_printed_once_however_deep(capsys):
    def f(n):
        if n % 1000 == 0:
            print(n)
        return 0 if n == 0 else f(n - 1) + 1

    assert ag.to_graph(f)(5000) == 5000
    assert capsys.readouterr().out.split() == ["5000", "4000", "3000", "2000", "1000", "0"]


def without_end(n):
    if n == -1:
        return 0
    return 1 + without_end(n + 1)  # here


def test_recursion_without_an_end(monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_RECURSION_DEPTH", "50000")
    with pytest.raises(RecursionError) as caught:
        compiled(without_end)(1)
    assert isinstance(caught.value, ag.errors.RecursionDepthError)
    assert "'without_end' calls itself too deeply" in str(caught.value)
    assert "return 1 + without_end(n + 1)  # here" in str(caught.value)


def test_recursion_ends_when_the_memory_gets_short(monkeypatch):
    available = iter(range(10_000_000, 0, -1_000_000))
    monkeypatch.setattr(trampoline, "available_memory", lambda: next(available))
    with pytest.raises(
        ag.errors.RecursionDepthError,
        match=r"2142 of its calls .* fill the memory",
    ):
        compiled(without_end)(1)


def test_available_memory():
    available = trampoline.available_memory()
    assert available is None or available > 1_000_000


@pytest.mark.slow
def test_static_recursion_without_an_end():
    def f(x, n):
        return f(np.append(x, 1.0), n) + 1

    with pytest.raises(ag.errors.UnrollLimitError, match="recorded one by one"):
        ag.to_graph(f)(np.ones(4), 1)


def test_static_recursion_deeper_than_python_allows_the_recorder():
    def f(x, k):
        return x if k == 0 else f(x + np.ones(k)[0], k - 1)

    check(lambda x: f(x, 200), 1.0)


def test_an_error_deep_inside_names_its_line():
    def f(x, n):
        if n == 0:
            return math.sqrt(x)  # here
        return f(x, n - 1) + 1.0

    with pytest.raises(ValueError, match="math domain error") as caught:
        ag.to_graph(f)(-1.0, 5000)
    assert "return math.sqrt(x)  # here" in "".join(traceback.format_exception(caught.value))
