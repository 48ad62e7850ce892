"""Functions that are given others: calls with functions of the same code share what is compiled."""

import functools
import logging

import numpy as np
import pytest

import autograph as ag
from tests.support.logged import recordings


def newton(f, x):
    for _ in range(30):
        slope = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
        step = f(x) / slope
        x = x - step
        if abs(step) < 1e-10:
            break
    return x


class Square:
    def __init__(self, a):
        self.a = a

    def minus(self, x):
        return x * x - self.a


class Solver:
    def solve(self, f, x):
        return self.start(f, x=x)

    def start(self, f, *, x):
        return newton(f, x)


def minus(a, x):
    return x * x - a


def defined(a):
    def f(x):
        return square(x) - a

    def square(x):
        return x * x

    return f


GIVEN = {
    "lambda": lambda a: lambda x: x * x - a,
    "array": lambda a, b=1: (lambda values: lambda x: x * x - values.sum())(np.full(2, a / 2)),
    "default": lambda a: lambda x, a=a: x * x - a,
    "function": defined,
    "method": lambda a: Square(a).minus,
    "partial": lambda a: functools.partial(minus, a),
}


@pytest.fixture(autouse=True)
def logged(caplog):
    caplog.set_level(logging.DEBUG, logger="autograph")


@pytest.mark.parametrize("kind", GIVEN)
def test_a_new_function_in_each_call(kind, caplog):
    solve = ag.to_graph(newton)
    for i in range(7):
        if i == 3:
            caplog.clear()
        given = GIVEN[kind](2.0 + i)
        assert solve(given, 1.0) == newton(given, 1.0)
    assert not recordings(caplog)


def test_under_transforms_by_keyword_and_in_methods(caplog):
    derived = ag.grad(lambda x, f: f(x), argnums=0)
    solve = ag.to_graph(Solver.solve)
    lanes = ag.vmap(newton, in_axes=(None, 0))
    for i in range(6):
        if i == 3:
            caplog.clear()
        a = 2.0 + i
        f = lambda x: x**3 - a * x
        assert derived(2.0, f=f) == 12.0 - a
        assert solve(Solver(), lambda x: x * x - a, 1.0) == newton(lambda x: x * x - a, 1.0)
        found = lanes(lambda x: x * x - a, np.array([1.0, 3.0]))
        np.testing.assert_allclose(found, np.sqrt(a))
    assert not recordings(caplog)


def test_what_is_given_changes_with_the_arguments(caplog):
    def each(f, x, out, rng):
        for i in range(len(x)):
            x[i] = f(x[i])
        out.append(f(rng.normal()))
        return out

    compiled = ag.to_graph(each)
    for i in range(8):
        if i == 4:
            caplog.clear()
        results = []
        for run in (each, compiled):
            x, out = np.arange(3.0), [1.0]
            assert run(lambda v: v * i + 0.5 * i, x, out, np.random.default_rng(i)) is out
            results.append((x.tolist(), out))
        assert results[0] == results[1]
    assert not recordings(caplog)


def test_who_sees_which_function_it_is():
    known = None

    def same(f, x):
        return f, f(x) if f is known else -f(x)

    def named(f, x):
        return f"{f.__name__} {x}" if f else ""

    def shown(f, x):
        return repr(f), f(x)

    def passed(f, x):
        return [shown(f, x)]

    for use in (same, named, shown, passed):
        compiled = ag.to_graph(use)
        for i in range(5):
            f = lambda x: x + i
            assert compiled(f, 1.0) == use(f, 1.0)


def test_functions_that_change_something():
    def call(f, x):
        return f(x) + f(x + 1)

    compiled = ag.to_graph(call)
    for i in range(5):
        seen, values, n = [], np.zeros(2), 0

        def counted(x):
            nonlocal n
            n += 1
            return x * n

        def noted(x):
            seen.append(x)
            values[0] += x
            return x * values[0]

        for f in (counted, noted):
            before = n, list(seen), values.copy()
            found = compiled(f, 1.0 + i)
            after = n, list(seen), values.copy()
            n, seen[:], values[:] = before
            assert found == call(f, 1.0 + i)
            assert (n, seen, values.tolist()) == (after[0], after[1], after[2].tolist())


def test_functions_that_share_variables_or_are_the_same():
    def both(f, g, x):
        return f(x) * g(x + 1)

    compiled = ag.to_graph(both)
    for i in range(5):
        values = np.array([1.0, 2.0 + i])
        f, g = (lambda x: x * values), (lambda x: x - values * i)
        for pair in ((f, g), (g, f), (f, f), (g, g)):
            np.testing.assert_array_equal(compiled(*pair, 2.0), both(*pair, 2.0))


def test_a_function_that_raises():
    def checked(f, x):
        return f(x)

    compiled = ag.to_graph(checked)
    for limit in (3.0, 2.0, 1.0, 0.5, 4.0):

        def f(x):
            if x > limit:
                raise ValueError(f"more than {limit}")
            return x * limit

        if limit < 1.5:
            with pytest.raises(ValueError, match=rf"^more than {limit}(\n|$)"):
                compiled(f, 1.5)
        else:
            assert compiled(f, 1.5) == 1.5 * limit


def test_recursion_and_derivatives_of_what_is_given(caplog):
    def simpson(f, a, b, tol):
        m = (a + b) / 2
        whole = (b - a) / 6 * (f(a) + 4 * f(m) + f(b))
        left, right = (a + m) / 2, (m + b) / 2
        halves = (b - a) / 12 * (f(a) + 4 * f(left) + 2 * f(m) + 4 * f(right) + f(b))
        if abs(whole - halves) < tol:
            return halves
        return simpson(f, a, m, tol / 2) + simpson(f, m, b, tol / 2)

    def descend(f, x):
        slope = ag.grad(f)
        for _ in range(3):
            x = x - 0.1 * slope(x)
        return x

    integral, minimum = ag.to_graph(simpson), ag.to_graph(descend)
    for i in range(6):
        if i == 3:
            caplog.clear()
        a = 1.0 + i
        f = lambda x: np.exp(-a * x) * x
        assert integral(f, 0.0, 2.0, 1e-6) == pytest.approx(simpson(f, 0.0, 2.0, 1e-6), rel=1e-12)
        assert minimum(lambda x: (x - a) ** 2, 0.0) == pytest.approx(a * (1 - 0.8**3))
    assert not recordings(caplog)


def test_what_comes_out_and_calls_what_is_given():
    class Held:
        def __init__(self, f):
            self.f = f

    def derived(f, x):
        return ag.grad(f), f(x)

    def inner(f, x):
        return lambda y: f(y) + 1.0

    def held(f, x):
        return Held(lambda y: f(y))

    def of_a_class(f, x):
        class Own:
            def f(self, y):
                return f(y)

        return Own()

    calls = {
        derived: lambda found: found[0](3.0),
        inner: lambda found: found(3.0),
        held: lambda found: found.f(3.0),
        of_a_class: lambda found: found.f(3.0),
    }
    for use, call in calls.items():
        compiled = ag.to_graph(use)
        for i in range(5):
            f = lambda v: v * v * i
            assert call(compiled(f, 2.0)) == call(use(f, 2.0))
            alone = ag.to_graph(lambda x, f=f: use(f, x))
            assert call(alone(2.0)) == call(use(f, 2.0))


def test_methods_that_are_compiled_themselves(caplog):
    class Model:
        @ag.to_graph
        def use(self, x, f):
            return f(x)

        @ag.to_graph
        def show(self, x, f):
            return f, x(1.0)

        def run(self, f, x):
            return self.use(x, f)

        def shown(self, f, x):
            return self.show(lambda v: v * x, f)

    for name in ("run", "shown"):
        compiled = ag.to_graph(getattr(Model, name))
        for i in range(5):
            if i == 3 and name == "run":
                caplog.clear()
            f = lambda v: v * i
            found = compiled(Model(), f, 2.0)
            assert found == (2.0 * i if name == "run" else (f, 2.0))
        if name == "run":
            assert not recordings(caplog)


def test_a_method_that_an_object_has_for_itself():
    class Model:
        def use(self, f, x):
            return f(x)

    def run(model, f, x):
        return model.use(f, x)

    compiled, model = ag.to_graph(run), Model()
    model.use = lambda f, x: (f, f(x))
    for i in range(4):
        f = lambda v: v * i
        found, value = compiled(model, f, 2.0)
        assert found is f and value == 2.0 * i
