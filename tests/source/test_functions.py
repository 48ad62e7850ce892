"""All kinds of functions: closures, methods, lambdas, parameters, inner functions."""

# The programs under test are odd on purpose.
# ruff: noqa: F821, I001

import dataclasses
import functools
import math
import types

import numpy as np
import pytest
from tests.support.side_by_side import check, converted

import autograph as ag
import ops as operators
from autograph.source.load import convert, is_converted

SCALE = 3
TABLE = [1, 2, 3]


def reads_globals(x):
    """A docstring, which is not printed."""
    return math.floor(x * SCALE) + TABLE[0] + len(TABLE)


def test_globals_are_read_late(monkeypatch):
    f = converted(reads_globals)
    assert f(2) == 10
    monkeypatch.setitem(globals(), "SCALE", 5)
    assert f(2) == 14


def test_metadata_is_kept():
    f = converted(reads_globals)
    assert (f.__name__, f.__qualname__, f.__module__, f.__doc__) == (
        reads_globals.__name__,
        reads_globals.__qualname__,
        reads_globals.__module__,
        reads_globals.__doc__,
    )
    assert "docstring" not in convert(reads_globals).text


def test_data_goes_through_lookup():
    weights = np.ones(2)
    plain, name = 2.5, "a"

    def f(x):
        return weights * x * plain + TABLE[0], name, math.pi

    form = convert(f)
    seen = []

    def lookup(name, value):
        seen.append(name)
        return value * 10

    made = form.instantiate(f, lookup)
    assert sorted(seen) == ["TABLE", "weights"]
    assert np.array_equal(made(1.0)[0], 10 * weights * plain + 1)
    data = {variable.name: variable.is_data for variable in form.free.values()}
    assert data == {
        "weights": True,
        "plain": False,
        "TABLE": True,
        "name": False,
        "math": False,
    }
    assert form.free["weights"].is_cell and not form.free["TABLE"].is_cell


def test_other_closures_of_the_same_code():
    def make(n, values):
        def f(x):
            return x + n + values[0]

        return f

    one, two = make(1, [1]), make(2, [10])
    form = convert(one)
    assert form is convert(two)
    assert form.instantiate(one, lambda n, v: v)(0) == 2
    assert form.instantiate(two, lambda n, v: v)(0) == 12


def test_kinds_of_free_variables_are_part_of_the_cache():
    def make(value):
        def f(x):
            return value, x

        return f

    static, data = make(1), make([1])
    assert not convert(static).free["value"].is_data
    assert convert(data).free["value"].is_data
    assert converted(static)(2) == (1, 2) and converted(data)(2) == ([1], 2)


def test_cell_that_others_assign_stays_live():
    state = [0]

    def set_state(value):
        nonlocal state
        state = value

    def f(x):
        return state[0] + x

    g = converted(f)
    set_state([5])
    assert g(1) == 6


def test_unbound_names():
    def f(x):
        if x:
            return undefined_global
        return late

    check(f, 1)
    g = converted(f)
    with pytest.raises(NameError):
        g(0)
    late = 3
    assert g(0) == 3


def test_parameters():
    def f(a, /, b, c=TABLE[1], *rest, d, e: int = 5, **more) -> tuple:
        a = a + 1
        return a, b, c, rest, d, e, more

    check(f, 1, 2, d=4)
    check(f, 1, 2, 3, 4, 5, d=4, e=6, z=7)
    check(f, 1)
    default = []

    def g(x=default):
        x.append(1)
        return x

    assert converted(g)() is default


def test_decorators_are_stripped():
    def decorate(function):
        @functools.wraps(function)
        def wrapper(x):
            return -function(x)

        return wrapper

    @decorate
    def f(x):
        return x

    assert converted(f.__wrapped__)(3) == 3


class Base:
    def scaled(self, x):
        return 10 * x


class Model(Base):
    __hidden = 4

    def __init__(self, w):
        self.w = w

    def scaled(self, x):
        if x > 0:
            return super().scaled(x) + self.__secret(x) + self.__hidden
        return super().scaled(x) - __class__.__hidden

    def __secret(self, x):
        __local = x * self.w
        return __local


def test_methods():
    model = Model(7)
    f = converted(Model.scaled)
    for x in (-1, 0, 3):
        assert f(model, x) == model.scaled(x)
    secret = Model._Model__secret
    assert converted(secret)(model, 2) == 14
    assert "self._Model__hidden" in convert(Model.scaled).text


def test_lambdas():
    k = 3
    functions = [lambda x: x + k, lambda x: x - k, lambda x, y=2: x * y if x else k]
    for f in functions:
        for x in (0, 1, 2):
            assert converted(f)(x) == f(x)
    assert converted(functions[2]).__name__ == "<lambda>"


def test_lambda_over_several_lines():
    f = (
        lambda x:
        x + 1 if x
        else 2
    )  # fmt: skip
    check(f, 0)
    check(f, 1)


def test_inner_functions_and_recursion():
    def f(n):
        def factorial(k):
            if k < 2:
                return 1
            return k * factorial(k - 1)

        def even(k):
            return True if k == 0 else odd(k - 1)

        def odd(k):
            return False if k == 0 else even(k - 1)

        square = lambda x, *, p=2: x**p
        return factorial(n), even(n), square(n), factorial.__name__, odd.__name__

    for n in range(5):
        check(f, n)


def test_closures_read_variables_when_called():
    def f(n):
        functions = []
        x = 0
        for i in range(n):
            if i % 2:
                x = x + i
            functions.append(lambda: (i, x))
            x += 1
        before = [g() for g in functions]
        x = 50
        return before, [g() for g in functions]

    for n in range(4):
        check(f, n)


def test_walrus_on_a_variable_that_is_read_later():
    def f(n):
        g = lambda: n
        x = (g(), (n := n + 1), g())
        while (n := n + 1) < 8:
            x = (*x, g())
        return x, g()

    for n in range(4):
        check(f, n)


def test_closure_in_a_branch_sees_its_own_branch():
    def f(c, x):
        g = lambda: x
        if c:
            x = x + 1
            y = g()
        else:
            y = g()
        x = x * 10
        return y, g()

    check(f, 0, 3)
    check(f, 1, 3)


def test_default_argument_keeps_the_old_value():
    def f(n):
        return [g() for g in [lambda i=i: i for i in range(n)]]

    check(f, 3)


def test_imports():
    def f(x):
        import math as m
        import os.path
        from math import floor, sqrt as root

        if x > 1:
            import math as m
        return m.pi, os.path.sep, floor(root(x))

    check(f, 4.0)
    check(f, 1.0)


def test_inner_docstring_and_decorator():
    def f(x):
        @functools.lru_cache
        def g(y):
            """Documented."""
            x2 = x + y
            return x2

        x = x + 1
        return g(1), g.__doc__

    check(f, 1)


def test_name_ops_of_the_users():
    def f(ops):
        if ops:
            ops = ops + 1
        return ops

    check(f, 0)
    check(f, 1)
    assert "ag_ops.cond" in convert(f).text
    ops = types.SimpleNamespace(cond=5)

    def g(x):
        return ops.cond if x else 0

    check(g, 1)

    def h(x):
        return operators.cond(x, lambda: 1, lambda: 2)

    check(h, 1)


def test_names_that_look_like_versions():
    def f(x, x_0, then_0):
        x = x + x_0
        x_1 = 5
        if x > then_0:
            x = x_1
            exit_0 = 1
        else:
            exit_0 = x_0
        for result_0 in range(3):
            if result_0 > x:
                return result_0, exit_0
        return x, x_0, x_1, exit_0

    for x in range(-4, 4):
        check(f, x, 1, 2)


def test_is_converted_knows_inner_code():
    def f(n):
        def inner():
            return n

        return inner, lambda: n

    made = converted(f)
    assert is_converted(made.__code__) and not is_converted(f.__code__)
    assert all(is_converted(g.__code__) for g in made(1))
    assert not any(is_converted(g.__code__) for g in f(1))


def test_conversion_happens_once():
    assert convert(reads_globals) is convert(reads_globals)


def test_with_and_try(tmp_path):
    def f(path, x):
        result = 0
        with open(path, "w") as file, open(path) as other:
            if x > 1:
                file.write("many")
                result = 2
            else:
                return file.mode, other.mode
        try:
            result = result + 10 // (x - 2)
        except ZeroDivisionError as error:
            result = str(error)
        else:
            result = result + 1
        finally:
            last = x
        try:
            return [result, last][x - 2]
        except IndexError:
            return "index"

    for x in range(5):
        check(f, str(tmp_path / "file"), x)


def test_exits_from_try_and_with_in_a_loop(tmp_path):
    def f(xs, log):
        for x in xs:
            try:
                y = 10 // (x - 1)
                if x == 0:
                    continue
                if y > 5:
                    break
                if y < 0:
                    return y
            except ZeroDivisionError:
                log.append("zero")
                continue
            finally:
                log.append(x)
            log.append(y)
        else:
            log.append("else")
        return log

    for xs in ([0, 1, 2], [1, 3], [4, 5], [4, -3, 5], []):
        check(f, xs, [])


def test_handler_that_returns():
    def f(x):
        try:
            if x > 1:
                y = x
            else:
                y = 1 // x
        except ZeroDivisionError:
            return "zero"
        return y

    for x in range(3):
        check(f, x)


def test_values_from_control_flow_survive_exceptions():
    def f(xs):
        n, trace = 0, []
        try:
            for x in xs:
                n = n + x
                if x == 2:
                    m = n
                    n = 100 // (x - m)
                trace.append(n)
        except ZeroDivisionError:
            n = n + 1000
        finally:
            trace.append(n)
        return n, trace, m

    def g(xs):
        while True:
            try:
                if len(xs) == 3:
                    return n, xs
                n = len(xs)
                xs.append(10 // (n - 1))
            except ZeroDivisionError:
                xs.append(n)

    for xs in ([], [1, 2], [2], [2, 1], [2, 2, 1], [1, 2, 3]):
        check(f, xs)
        check(g, xs)


def test_exception_names_are_deleted():
    def f(x):
        try:
            x[0]
        except (TypeError, IndexError) as e:
            text = str(e)
        try:
            x[1]
        except (TypeError, IndexError) as e:
            return text, str(e)
        return text

    for x in ([], [1], [1, 2], 3):
        check(f, x)


def shows_class(x):
    @dataclasses.dataclass
    class Pair:
        first: int

    def inside():
        class Other:
            pass

        return Other.__qualname__

    return repr(Pair(1)), inside()


def test_classes_inside_of_functions_have_the_names_that_python_gives_them():
    assert ag.to_graph(shows_class)(1.0) == shows_class(1.0)
