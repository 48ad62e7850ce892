"""Functions of the same code that differ in the default values of their parameters share what is
compiled."""

import functools

import numpy as np
import pytest

import autograph as ag
from tests.api.recording.test_alike import HELD, logged, recordings, weighted

__all__ = ["logged"]  # a fixture


def test_defaults_and_names_are_part_of_a_function():
    def made(x, n):
        def f(w, x=x, *, n=n):
            return np.sum(w * x) * n

        return ag.to_graph(f)

    for i in range(4):
        f = made(np.full(2, 1.0 * i), i)
        assert f(np.ones(2)) == 2.0 * i * i
        assert f(np.ones(2), np.ones(2), n=3) == 6.0


def with_default(x):
    return lambda w, x=x: weighted(w, x)


def with_keyword(x):
    def f(w, *, scale=2.0, x=x):
        return weighted(w, x) * scale

    return f


def with_both(x):
    y = x

    def f(w, x=x, /, power=1, *, z=x):
        return weighted(w, y) + np.sum(x * w) ** power * np.sum(z)

    return f


@pytest.mark.parametrize("make", [with_default, with_keyword, with_both])
@pytest.mark.parametrize("kind", HELD)
@pytest.mark.parametrize("transform", [ag.to_graph, ag.grad, ag.hessian])
def test_functions_with_other_defaults(make, kind, transform):
    w = np.array([1.0, -2.0, 3.0])
    for x in [*HELD[kind], *HELD[kind]]:
        f = make(x)
        made = transform(f)
        alone = transform(functools.partial(lambda f, w: f(w), f))(w)
        for _ in range(2):
            found = made(w)
            assert found.dtype == alone.dtype
            np.testing.assert_allclose(found, alone, rtol=1e-6)


@pytest.mark.parametrize("make", [with_default, with_keyword])
def test_each_further_function_with_a_default_is_found_again(make, caplog):
    def gradient(x):
        return ag.grad(make(x))(np.ones(3))

    first = [gradient(np.full(3, 1.0 * i)) for i in range(2)]
    caplog.clear()
    for i in range(5):
        assert np.array_equal(gradient(np.full(3, 1.0 * i)), i * first[1])
    assert not recordings(caplog)


def test_arguments_in_the_place_of_defaults():
    def made(x, n):
        def f(w, x=x, *, n=n):
            return np.sum(w * x) * n, x

        return ag.to_graph(f)

    for i in range(4):
        x, f, one = np.full(2, 1.0 * i), None, np.ones(2)
        f = made(x, i)
        found = f(one)
        assert found[0] == 2.0 * i * i and found[1] is x
        assert f(one, one)[0] == f(one, x=one)[0] == 2.0 * i
        assert f(one, n=3)[0] == 6.0 * i
        with pytest.raises(TypeError, match="from 1 to 2 positional arguments but 3"):
            f(one, one, one)
        with pytest.raises(TypeError, match="missing 1 required positional argument: 'w'"):
            f(x=one)


def test_defaults_that_are_other_ones_between_calls():
    found = []
    for i in range(4):
        full = np.full(2, 1.0 * i)

        def f(w, x=full, *, n=2.0):
            return np.sum(w * x) * n

        compiled = ag.to_graph(f)
        found += [compiled(np.ones(2)) for _ in range(12)]
        f.__kwdefaults__["n"] = 3.0
        found.append(compiled(np.ones(2)))
        f.__defaults__ = (np.ones(2),)
        found.append(compiled(np.ones(2)))
        f.__defaults__[0][0] = 5.0
        found.append(compiled(np.ones(2)))
    assert found == [v for i in range(4) for v in [4.0 * i] * 12 + [6.0 * i, 6.0, 18.0]]


def test_defaults_that_functions_change():
    for i in range(4):
        known, full = [i], np.full(2, 1.0 * i)

        def f(w, seen=known, x=full):
            seen.append(np.sum(w))
            x[0] += 1.0
            return len(seen) * w, x

        compiled = ag.to_graph(f)
        found = [compiled(np.ones(2)) for _ in range(3)]
        assert [np.sum(v) for v, _ in found] == [4.0, 6.0, 8.0]
        assert f.__defaults__[0] == [i, 2.0, 2.0, 2.0]
        assert np.array_equal(f.__defaults__[1], [i + 3.0, i])
        assert all(x is f.__defaults__[1] for _, x in found)


def test_functions_with_defaults_that_call_themselves():
    for base in (1.0, 2.0, 3.0):

        def power(n, x, base=base):
            return x * base if n == 0 else x * power(n - 1, x)

        assert ag.to_graph(power)(3, 2.0) == 16.0 * base
        assert ag.to_graph(power)(0, 2.0, 7.0) == 14.0


def test_numbers_that_shapes_need_as_defaults():
    for i in range(1, 5):
        f = lambda w, n=i, name=f"axis {i}": (np.reshape(w, (n, -1)), np.zeros(n), name)
        rows, zeros, name = ag.to_graph(f)(np.ones(12))
        assert rows.shape == (i, 12 // i) and zeros.shape == (i,) and name == f"axis {i}"
