"""Calls: other functions, closures, lambdas, methods, defaults, keywords, partial."""

import functools
import importlib
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

import autograph as ag
from tests.support.oracle import Programs, check

programs = Programs()


@programs.test
def test_calls(call):
    call.run()


def square(x):
    return x * x


def clipped(x, low=0.0, *, high=1.0):
    if x < low:
        return low
    return high if x > high else x


@programs.smooth(0.5)
@programs.smooth(-2.0)
@programs.smooth(7.0)
def calls_with_control_flow(x):
    return square(clipped(x, -1.0, high=3 * 1.0)) + x


@programs(0.5)
@programs(5.0)
def defaults_and_keywords(x):
    return (
        clipped(x),
        clipped(x, high=0.1),
        clipped(low=2.0, x=x),
        clipped(*[x, 1.0], **{"high": 4.0}),
    )


@programs(2.0)
def variadic(x):
    def f(*args, **kwargs):
        return len(args), sum(args), sorted(kwargs), kwargs["k"] * 2

    return f(x, 1.0, x * 2, k=x)


@programs(2.0)
def closure_over_a_traced_value(x):
    y = x * 3

    def f(v):
        return v + y

    y = x * 5
    return f(1.0)


@programs(2.0)
@programs(-2.0)
def closure_called_in_a_branch(x):
    scale = x * 10

    def f(v):
        return v * scale

    if x > 0:
        return f(x)
    return f(1.0)


@programs(2.0)
def function_returning_function(x):
    def make(k):
        return lambda v: v * k

    double, triple = make(2), make(3)
    return double(x) + triple(x)


@programs(2.0)
def function_as_argument(x):
    def twice(f, v):
        return f(f(v))

    return twice(lambda v: v * v, x), twice(square, x), twice(np.sin, x)


@programs(2.0)
def partial_application(x):
    f = functools.partial(clipped, low=1.0)
    return f(x), functools.partial(square, x)()


@programs(2.0)
def map_and_filter(x):
    return list(map(square, [x, 1.0])), [square(v) for v in (x, 2 * x)]


@programs(2.0)
def reduce_a_list(x):
    return functools.reduce(lambda a, b: a * b, [x, 2.0, x])


class Counter:
    def __init__(self, step):
        self.step = step

    def after(self, n):
        total = 0
        while n > 0:
            total += self.step
            n -= 1
        return total

    def __call__(self, x):
        return x * self.step

    @staticmethod
    def twice(x):
        return 2 * x

    @classmethod
    def name_length(cls, x):
        return x * len(cls.__name__)

    @property
    def double_step(self):
        return self.step * 2


COUNTER = Counter(1.5)


@programs(4)
def methods_of_a_global(n):
    return COUNTER.after(n), COUNTER(n), COUNTER.twice(n), COUNTER.name_length(n)


@programs(4)
def property_of_a_global(n):
    return COUNTER.double_step * n


@programs(3)
def object_made_inside(n):
    counter = Counter(n)
    return counter.after(4), counter.step


@programs(Counter(2.0), 3)
def object_as_argument(counter, n):
    return counter.after(n)


@dataclass
class Point:
    x: float
    y: float

    def norm(self):
        return (self.x * self.x + self.y * self.y) ** 0.5


@programs(3.0)
def dataclass_made_inside(x):
    p = Point(x, 4.0)
    p.x = p.x + 0.0
    return p.norm()


class Pair(NamedTuple):
    first: float
    second: float


@programs(3.0)
@programs(-3.0)
def named_tuple(x):
    p = Pair(x, 1.0)
    if x > 0:
        p = p._replace(second=x * 2)
    return p, p.second


@programs(Pair(1.0, np.ones(2)))
def named_tuple_argument(p):
    return p.first + p.second


@ag.to_graph
def already_compiled(x):
    if x > 0:
        return x * 2
    return x


@programs(2.0)
@programs(-2.0)
def calls_a_compiled_function(x):
    return already_compiled(x) + 1


@programs(2.0)
def string_methods(x):
    names = ["a", "b", "c"]
    return x * len(names), "-".join(reversed(names)).upper()


@programs(np.arange(3.0))
def methods_of_arrays(x):
    return x.sum(), x.reshape(3, 1).shape, x.astype(np.float32), x.mean()


@programs(np.arange(6.0).reshape(2, 3))
def many_numpy_functions(a):
    return (
        np.concatenate([a, a], axis=1),
        np.stack([a[0], a[1]]),
        np.where(a > 2, a, -a),
        np.clip(a, 1, 4),
        np.argsort(-a, axis=1),
        np.linalg.norm(a),
        np.einsum("ij,kj->ik", a, a),
        np.split(a, 3, axis=1),
        np.tile(a, 2),
        np.roll(a, 1, axis=1),
        np.diff(a),
        np.mean(a, axis=0, keepdims=True),
        np.expand_dims(a, 0).squeeze(),
        np.pad(a, 1),
        np.outer(a[0], a[1]),
        np.flip(a, 0),
        np.cumsum(a, axis=1),
        np.broadcast_to(a[0], (2, 3)),
        np.max(a, axis=1),
        np.argmax(a),
        np.repeat(a[0], 2),
        np.meshgrid(a[0], a[1]),
        np.isfinite(a),
        np.array_equal(a, a),
        np.allclose(a, a),
        np.trace(a[:, :2]),
        np.tril(a),
        np.linspace(0.0, 1.0, 3) * a,
        np.full(3, a[0, 1]),
        np.array([a[0, 0], 1.0, a[1, 2]]),
        np.vstack([a, a[0]]),
    )


def test_a_method_is_compiled():
    class Model:
        def __init__(self):
            self.weight = 3.0

        @ag.to_graph
        def apply(self, x):
            return x * self.weight if x > 0 else x

    model = Model()
    assert model.apply(2.0) == 6.0
    assert model.apply(-2.0) == -2.0
    model.weight = 4.0
    assert model.apply(2.0) == 8.0


def test_a_bound_method_is_compiled():
    check(Counter(2.5).after, 4)


def test_a_callable_object_is_compiled():
    check(Counter(2.5), 4)


def test_a_partial_is_compiled():
    check(functools.partial(clipped, high=5.0), 7.0)


def test_a_lambda_is_compiled():
    f = lambda x, y=2.0: x * y if x > y else x
    check(f, 3.0)
    check(f, 1.0)


def test_keyword_arguments_at_the_call():
    f = ag.to_graph(clipped)
    assert f(x=5.0, high=3.0) == 3.0
    assert f(5.0, high=9.0) == 5.0
    assert f(high=9.0, x=-1.0) == 0.0


def test_a_wrapped_function():
    def logged(function):
        @functools.wraps(function)
        def wrapper(*args):
            return function(*args) + 1.0

        return wrapper

    @logged
    def f(x):
        return x * 2 if x > 0 else x

    check(f, 3.0)
    check(f, -3.0)


@programs(2)
def integer_as_a_key(n):
    d = {1: 10.0, 2: 20.0}
    return d[n], d.get(n), d.get(n + 1), n in d, n in {2, 3}, {n: 1}


@programs(2)
def integer_repeats_a_sequence(n):
    return [1.0] * n, n * (2, 3), "ab" * n


@programs(2.0)
def comparison_with_other_things(x):
    return x == "a", x != "a", x is None, x == (1, 2), [x] == [2.0] if False else x in ("a", None)


@programs(2.0)
@programs(np.float64(2.0))
@programs(np.ones(2))
def what_a_value_is(x):
    return type(x) is float, hasattr(x, "shape"), isinstance(x, np.ndarray), hasattr(x, "hex")


@programs(np.arange(3.0))
@programs(np.arange(3.0) - 5)
def builtins_of_generators(x):
    return any(v > 1 for v in x), all(v > -1 for v in x), max(v * v for v in x), sum(v for v in x)


@programs(2)
@programs(11)
def membership_in_a_range(n):
    return n in range(3), n in range(1, 20, 5), n in range(20, 1, -3), n in range(0)


def test_a_module_whose_name_begins_like_one_that_is_refused(tmp_path, monkeypatch):
    (tmp_path / "timeseries.py").write_text("class Series:\n    scale = 3.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    timeseries = importlib.import_module("timeseries")
    assert ag.to_graph(lambda x: timeseries.Series().scale * x)(2.0) == 6.0
