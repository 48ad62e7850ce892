"""Functions of the same code share what is compiled, and are what they are in Python."""

import functools
import gc
import linecache
import logging
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import autograph as ag
from tests.support.logged import recordings


def weighted(w, x):
    return np.sum(w * w * x)


@pytest.fixture(autouse=True)
def logged(caplog):
    caplog.set_level(logging.DEBUG, logger="autograph")


HELD = {
    "arrays": [np.arange(3.0) + i for i in range(5)],
    "shapes": [np.float64(2.0) * np.ones(s) for s in (3, (2, 3), 1, (4, 1, 3), ())],
    "dtypes": [np.arange(3).astype(t) for t in ("f8", "f4", "i4", "i8", "?")],
    "numbers": [1, 2.5, True, np.float32(0.5), 7],
    "mixed": [2, np.arange(3.0), 2.0, np.arange(3.0, dtype="f4"), np.arange(3)],
}


@pytest.mark.parametrize("kind", HELD)
@pytest.mark.parametrize("transform", [ag.to_graph, ag.grad, ag.value_and_grad, ag.hessian])
def test_lambdas_that_hold_other_values(kind, transform):
    w = np.array([1.0, -2.0, 3.0])
    for _ in range(2):
        for x in HELD[kind]:
            made = transform(lambda w: weighted(w, x))
            alone = transform(weighted)(w, x)
            for _ in range(2):
                found = made(w)
                assert type(found) is type(alone)
                both = (found, alone) if isinstance(found, tuple) else ((found,), (alone,))
                for a, b in zip(*both):
                    assert np.asarray(a).dtype == np.asarray(b).dtype
                    np.testing.assert_allclose(a, b, rtol=1e-6)


def test_each_further_lambda_is_found_again(caplog):
    def gradient(x):
        return ag.grad(lambda w: weighted(w, x))(np.ones(3))

    for i in range(2):
        gradient(np.full(3, 1.0 * i))
    caplog.clear()
    for i in range(5):
        assert np.array_equal(gradient(np.full(3, 1.0 * i)), np.full(3, 2.0 * i))
    assert not recordings(caplog)


def test_globals_that_are_bound_anew(caplog):
    namespace = {"np": np, "x": np.zeros(2)}
    code = "def f(w):\n    return np.sum(w * x)\n"
    linecache.cache["<made>.py"] = len(code), None, code.splitlines(True), "made.py"
    exec(compile(code, "<made>.py", "exec"), namespace)
    f = ag.to_graph(namespace["f"])
    for i in range(3):
        namespace["x"] = np.full(2, 1.0 * i)
        assert f(np.ones(2)) == 2.0 * i
    caplog.clear()
    for i in range(20):
        namespace["x"] = np.full(2, 1.0 * (i // 10))
        assert f(np.ones(2)) == 2.0 * (i // 10)
    assert not recordings(caplog)
    namespace["x"] = 3
    assert f(np.ones(2)) == 6.0
    namespace["x"] = 4
    assert f(np.ones(2)) == 8.0
    del namespace["x"]
    with pytest.raises(NameError):
        f(np.ones(2))


def test_two_that_are_called_in_turn():
    def made(x):
        return ag.to_graph(lambda w: np.sum(w * x))

    first, second, third = made(np.ones(2)), made(np.full(2, 2.0)), made(np.full(2, 3.0))
    for _ in range(12):
        assert [f(np.ones(2)) for f in (first, second, third)] == [2.0, 4.0, 6.0]


def test_a_variable_that_is_assigned_between_calls():
    found = []
    for scale in (1.0, 2.0, 3.0):
        x = np.ones(2)
        f = ag.to_graph(lambda w: np.sum(w * x) * scale)
        for _ in range(12):
            found.append(f(np.ones(2)))
        x = np.full(2, 5.0)
        found.append(f(np.ones(2)))
        scale = -scale
        found.append(f(np.ones(2)))
    assert found == [v for s in (1.0, 2.0, 3.0) for v in [2 * s] * 12 + [10 * s, -10 * s]]


def test_a_function_that_is_assigned_between_calls():
    found = []
    for _ in range(3):
        act = np.sin
        f = ag.to_graph(lambda w: act(w))
        for _ in range(12):
            found.append(f(0.5))
        act = np.cos
        found.append(f(0.5))
    np.testing.assert_allclose(found, ([np.sin(0.5)] * 12 + [np.cos(0.5)]) * 3)


def test_variables_that_functions_assign():
    def counter(start):
        count = start

        def step(w):
            nonlocal count
            count = count + w
            return count

        return ag.to_graph(step)

    for _ in range(3):
        one, other = counter(np.zeros(2)), counter(np.ones(2))
        assert np.array_equal(one(1.0), np.ones(2)) and np.array_equal(other(1.0), np.full(2, 2.0))
        assert np.array_equal(one(1.0), np.full(2, 2.0))


def test_lists_that_functions_change():
    for _ in range(4):
        losses, x = [], np.ones(2)

        def step(w):
            losses.append(np.sum(w * x))
            x[0] = 7.0
            return losses[-1]

        f = ag.to_graph(step)
        assert [f(np.ones(2)), f(np.ones(2))] == [2.0, 8.0] == losses
        assert x[0] == 7.0


def test_containers_and_objects():
    class Model:
        def __init__(self, w):
            self.w = w

        def __call__(self, x):
            return np.sum(self.w * x)

    for i in range(4):
        model, data = Model(np.full(2, 1.0 * i)), {"x": [np.ones(2)], "name": f"run {i}"}
        gradient = ag.grad(lambda x: model(x) + np.sum(data["x"][0]) * x[0])
        assert np.array_equal(gradient(np.ones(2)), [2.0 + i, i])


def test_functions_that_call_themselves():
    for base in (1.0, 2.0, 3.0):

        def power(n, x):
            return x * base if n == 0 else x * power(n - 1, x)

        assert ag.to_graph(power)(3, 2.0) == 16.0 * base
        assert ag.grad(power, 1)(3, 2.0) == 4 * 8.0 * base


def test_what_is_returned_is_what_the_variable_holds():
    for _ in range(4):
        x, names = np.ones(2), ["a"]
        out = ag.to_graph(lambda w: (w, x, names))(1.0)
        assert out[1] is x and out[2] is names


class Line:
    def __init__(self, slope, names=()):
        self.slope = slope
        self.names = names

    def loss(self, w):
        return np.sum(w * w * self.slope)

    def count(self, w):
        self.names = [*self.names, "call"]
        return np.sum(w) * len(self.names)

    def __call__(self, w):
        return np.sum(w * self.slope)


@pytest.mark.parametrize("kind", ["method", "object", "partial", "keyword"])
def test_methods_objects_and_partial_applications(kind, caplog):
    make = {
        "method": lambda x: Line(x).loss,
        "object": lambda x: Line(x),
        "partial": lambda x: functools.partial(lines, x),
        "keyword": lambda x: functools.partial(weighted, x=x),
    }[kind]

    def check(x):
        f, w = make(x), np.array([1.0, 2.0])
        gradient = ag.grad(f)
        for _ in range(3):
            np.testing.assert_allclose(
                gradient(w), x if kind in ("object", "partial") else 2 * x * w
            )
        np.testing.assert_allclose(ag.to_graph(f)(w), f(w))

    for i in range(3):
        check(np.array([1.0, 2.0]) * i)
    caplog.clear()
    for i in range(5):
        check(np.array([1.0, 2.0]) * i)
    assert not recordings(caplog)
    for x in (2.0, 3, np.float32(2.0), np.ones((2, 1))):
        f = make(x)
        np.testing.assert_allclose(ag.to_graph(f)(np.ones(2)), f(np.ones(2)))


def lines(x, w):
    return np.sum(w * x)


def test_methods_that_change_their_object():
    for i in range(4):
        line = Line(np.ones(2))
        f = ag.to_graph(line.count)
        assert [f(np.ones(2)) for _ in range(3)] == [2.0, 4.0, 6.0]
        assert line.names == ["call"] * 3


def test_a_class_that_derives_from_that_of_another_object():
    class Steep(Line):
        def __call__(self, w):
            return 10.0 * super().__call__(w)

        loss = Line.loss

    for _ in range(4):
        for kind in (Line, Steep):
            line = kind(np.ones(2))
            assert ag.to_graph(line)(np.ones(2)) == line(np.ones(2))
            assert ag.to_graph(line.loss)(np.ones(2)) == 2.0


def test_errors_are_those_of_each_function():
    for message in ("a", "b", "c", "d"):
        limit = np.ones(2)

        def checked(w):
            if np.sum(w * limit) > 1.0:
                raise ValueError(message)
            return np.sum(w)

        f = ag.to_graph(checked)
        assert f(np.zeros(2)) == 0.0
        with pytest.raises(ValueError, match=rf"^{message}\b"):
            f(np.ones(2))


def test_threads():
    def made(i):
        x = np.full(50, 1.0 * i)
        return ag.grad(lambda w: weighted(w, x))

    def run(i):
        return [made(i + k)(np.ones(50)) for k in range(20)]

    with ThreadPoolExecutor(4) as pool:
        for i, found in enumerate(pool.map(run, range(4))):
            for k, gradient in enumerate(found):
                assert np.array_equal(gradient, np.full(50, 2.0 * (i + k)))


def test_nested_transforms():
    def outer(x):
        def cube(w):
            return np.sum(ag.grad(lambda v: np.sum(v**3 * x))(w) * w)

        lanes = ag.vmap(ag.grad(lambda w: w * w * x[0]))
        return ag.grad(cube)(np.array([1.0, 2.0])), lanes(np.ones(3))

    for i in range(4):
        x = np.array([1.0, 2.0]) * i
        found = outer(x)
        np.testing.assert_allclose(found[0], 9 * np.array([1.0, 4.0]) * x)
        np.testing.assert_allclose(found[1], np.full(3, 2.0 * i))


@pytest.mark.costly
@pytest.mark.parametrize("kind", HELD)
@pytest.mark.parametrize("transform", [ag.to_graph, ag.grad])
def test_functions_that_call_others_that_are_made_anew(kind, transform):
    w = np.array([1.0, -2.0, 3.0])

    def of(x, call):
        y = np.float64(2.0)

        def inner(w):
            return call(weighted)(w, x)

        def outer(w, x=y):
            return call(inner)(w) * x + call(weighted)(w, y)

        return call(lambda w: call(inner)(w) + call(outer)(w) * y)

    for x in [*HELD[kind], *HELD[kind]]:
        compiled, plain = of(x, lambda f: f), of(x, lambda f: f)
        alone = transform(functools.partial(lambda f, w: f(w), plain))(w)
        made = transform(compiled)
        for _ in range(2):
            found = made(w)
            assert found.dtype == alone.dtype
            np.testing.assert_allclose(found, alone, rtol=1e-6)


def test_functions_that_others_call_are_found_again(caplog):
    def gradient(x, shift):
        inner = lambda w: weighted(w, x) + shift
        twice = lambda w: inner(w) * 2.0

        def power(n, w):
            return inner(w) if n == 0 else power(n - 1, w) * 1.0

        return ag.grad(lambda w: twice(w) + inner(w) * shift + power(2, w))(np.ones(3))

    for i in range(3):
        gradient(np.full(3, 1.0 * i), 1.0 + i)
    caplog.clear()
    for i in range(5):
        assert np.array_equal(gradient(np.full(3, 1.0 * i), 1.0 + i), np.full(3, 2.0 * i * (4 + i)))
    assert not recordings(caplog)


def test_functions_that_are_not_only_called():
    class Held:
        last = None

    for i in range(4):
        x = np.full(2, 1.0 * i)
        inner = lambda w: np.sum(w * x)
        other = inner if i % 2 else (lambda w: np.sum(w * x))
        Held.last = inner
        table = {inner: 1.0}

        def f(w):
            same = 10.0 if inner is Held.last else 20.0
            same += 1.0 if inner is other else 2.0
            return inner(w) * same + table.get(inner, 5.0), inner

        value, found = ag.to_graph(f)(np.ones(2))
        assert (value, found) == (2.0 * i * (11.0 if i % 2 else 12.0) + 1.0, inner)
        assert ag.to_graph(lambda w: list(map(inner, [w, w])))(np.ones(2)) == [2.0 * i] * 2
        through = lambda w: inner(w) + len([f for f in [inner] if f is inner])
        assert ag.to_graph(lambda w: inner(w) + through(w))(np.ones(2)) == 4.0 * i + 1


def test_functions_that_are_exchanged_between_calls():
    found = []
    for i in range(4):
        x = np.full(2, 1.0 * i)
        inner = lambda w: np.sum(w * x)
        compiled = ag.to_graph(lambda w: inner(w) * 2.0)
        found += [compiled(np.ones(2)) for _ in range(12)]
        x = np.full(2, 5.0)
        found.append(compiled(np.ones(2)))
        inner = lambda w: np.sum(w) - x[0]
        found.append(compiled(np.ones(2)))
        inner.__code__ = (lambda w: np.sum(w) + x[0]).__code__
        found.append(compiled(np.ones(2)))
    assert found == [v for i in range(4) for v in [4.0 * i] * 12 + [20.0, -6.0, 14.0]]


def test_functions_that_count_and_remember():
    for i in range(4):
        count, seen, x = 0, [], np.full(2, 1.0 * i)

        def counted(w):
            nonlocal count
            count = count + 1
            return np.sum(w * x) + count

        def remembered(w):
            seen.append(len(seen) + i)
            return np.sum(w * x) + seen[-1]

        f = ag.to_graph(lambda w: counted(w) * 2.0)
        g = ag.to_graph(lambda w: remembered(w) * 2.0)
        assert [f(np.ones(2)) for _ in range(3)] == [4.0 * i + 2.0 * k for k in (1, 2, 3)]
        assert [g(np.ones(2)) for _ in range(3)] == [4.0 * i + 2.0 * (k + i) for k in range(3)]
        assert (count, seen) == (3, [i, i + 1, i + 2])


def test_functions_that_give_functions_and_generators():
    for i in range(4):
        x = np.full(2, 1.0 * i)

        def maker(w):
            return lambda: (w, x)

        def parts(w):
            for k in range(3):
                yield np.sum(w * x) + k

        value, held = ag.to_graph(lambda w: maker(w * 2.0)())(1.0)
        assert value == 2.0 and held is x
        assert ag.to_graph(lambda w: [v * 2.0 for v in parts(w)])(np.ones(2)) == [
            2.0 * (2.0 * i + k) for k in range(3)
        ]


def test_functions_that_call_each_other():
    for i in range(4):
        step = 1.0 * i

        def even(n, w):
            return w * step if n == 0 else odd(n - 1, w) + 1.0

        def odd(n, w):
            return w + step if n == 0 else even(n - 1, w) * 2.0

        f = lambda w: even(3, w) + odd(2, w)
        assert ag.to_graph(f)(2.0) == f(2.0)
        assert ag.grad(lambda w: even(2, w) + odd(3, w))(2.0) == 6.0 * i


def test_objects_of_other_arrays_go_when_the_function_goes():
    alive = []

    def gradient(i):
        x = np.full(1000, 1.0 * i)
        alive.append(weakref.ref(x))
        inner = lambda w: weighted(w, x)
        kinds = inner, lambda w, x=x: weighted(w, x), lambda w: inner(w) * 2.0
        for f in map(ag.grad, kinds):
            for _ in range(12):
                f(np.ones(1000))

    for i in range(5):
        gradient(i)
    gc.collect()
    # The first one was compiled by itself, and went with the function.
    assert not any(each() is not None for each in alive)


def test_a_thousand_lambdas_keep_nothing():
    def gradient(i):
        x = np.full(3, 1.0 * i)
        return ag.grad(lambda w: weighted(w, x))(np.ones(3))

    for i in range(10):
        gradient(i)
    gc.collect()
    before = len(gc.get_objects())
    for i in range(1000):
        gradient(i)
    gc.collect()
    assert len(gc.get_objects()) - before < 200


def test_what_comes_out_and_calls_what_variables_hold():
    def made(k):
        h = lambda v: v * k
        return ag.to_graph(lambda x: [lambda y: h(y), h(x)])

    for k in (1.0, 2.0, 3.0, 4.0):
        inner, value = made(k)(2.0)
        assert (inner(3.0), value) == (3.0 * k, 2.0 * k)
