"""``functools``, ``itertools``, ``operator``, ``copy``, ``dataclasses`` and ``contextlib``."""

import contextlib
import copy
import dataclasses
import functools
import itertools
import logging
import operator
import random
import time
from collections import OrderedDict, deque, namedtuple

import numpy as np
import pytest

import autograph as ag
from autograph import errors
from tests.support.oracle import Programs, check

programs = Programs()
V = np.array([3.0, -1.0, 2.0])


@programs.test
def test_functional(call):
    call.run()


def doubled_above_one(a):
    if a > 1:
        return a * 2
    return a


# -- functools -------------------------------------------------------------------------------------


@programs.smooth(V)
def reduced(v):
    return (
        functools.reduce(lambda a, b: a * b, v)
        + functools.reduce(lambda a, b: a * 2 + doubled_above_one(b), v, 1.0)
        + functools.reduce(max, v)
    )


@programs(3)
def reduced_lists(x):
    reduce, add = functools.reduce, operator.add
    return reduce(add, [x, 1, 2]), reduce(add, [], x), reduce(add, [x])


@programs(3)
def reduced_from_nothing(x):
    return functools.reduce(operator.add, [][:x])


@functools.cache
def cached(a, k=2):
    if a > 1:
        return a * k
    return a


@functools.lru_cache
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@programs.smooth(3.0)
@programs(0.5)
def of_cached_functions(x):
    return cached(x) + cached(x, k=3) * cached(3, 4) + fibonacci(25)


@programs(10)
def a_cached_recursion(n):
    return fibonacci(n)


@functools.singledispatch
def kind(x):
    return "other"


@kind.register
def _(x: float):
    return x * 2


@kind.register(np.ndarray)
def _(x):
    return x * 3


@programs(3.0)
@programs(3)
@programs(V)
def dispatched_by_type(x):
    return kind(x), kind("a")


def plus_one(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs) + 1

    return wrapper


@plus_one
def decorated(x):
    return doubled_above_one(x)


@programs.smooth(3.0)
def partial_and_wrapped(x):
    return (
        decorated(x)
        + functools.partial(doubled_above_one, x)()
        + functools.partial(pow, x)(2)
        + functools.partial(max, key=abs)(x, -5.0)
    )


# -- itertools -------------------------------------------------------------------------------------


@programs(V)
def accumulated(v):
    return (
        list(itertools.accumulate(v)),
        list(itertools.accumulate(v, max)),
        list(itertools.accumulate(v, lambda a, b: a * doubled_above_one(b), initial=1.0)),
    )


@programs(V)
def combined(v):
    return (
        sum(a * b for a, b in itertools.product(v, v)),
        sum(a * b for a, b in itertools.combinations(v, 2)),
        list(itertools.permutations(v, 2)),
        list(itertools.combinations_with_replacement([v[0], 1], 2)),
    )


@programs(V, 2)
def chained_and_cut(v, n):
    return (
        list(itertools.chain(v, [1.0])),
        list(itertools.chain.from_iterable([v, v])),
        list(itertools.islice(v, 2)),
        list(itertools.islice(v, 0, None, 2)),
        list(itertools.islice(v, n)),
        list(itertools.repeat(v[0], 3)),
        list(itertools.compress(v, [1, 0, 1])),
    )


@programs(V)
def paired(v):
    return (
        list(zip(itertools.count(), v)),
        list(itertools.pairwise(v)),
        list(itertools.zip_longest(v, [1], fillvalue=0.0)),
        list(map(lambda a, b: doubled_above_one(a) + b, v, v)),
    )


@programs(1.0)
def chosen(x):
    return (
        list(itertools.takewhile(lambda a: a < 3, [1, 2, 3, 4])),
        list(itertools.dropwhile(lambda a: a < 3, [1, 2, 3, x])),
        list(itertools.filterfalse(lambda a: a % 2, range(5))),
        [(k, list(group)) for k, group in itertools.groupby([1, 1, 2], key=lambda a: a > 1)],
    )


# -- operator --------------------------------------------------------------------------------------


@dataclasses.dataclass
class Ball:
    height: object
    speed: object = 2.0

    def moved(self, time, gravity=1.0):
        if time > 0:
            return self.height + time * self.speed - gravity
        return self.height


@programs(V, 3.0)
def getters(v, x):
    return (
        operator.getitem(v, 1),
        operator.itemgetter(0)(v),
        operator.itemgetter(0, 2)([v, 1, 2])[1],
        operator.itemgetter("a")({"a": x}),
        operator.attrgetter("height")(Ball(x)),
        operator.methodcaller("moved", x, gravity=3.0)(Ball(x)),
        operator.methodcaller("moved", x)(Ball(x)),
        operator.contains(v, x),
        operator.concat([x], [2]),
    )


@programs(V)
def in_place(v):
    w = operator.iadd(v, 1.0)
    return w is v, operator.index(2), v


# -- copies ----------------------------------------------------------------------------------------

Pair = namedtuple("Pair", "a b")


@programs(V)
def copies_of_arrays(v):
    deep = copy.deepcopy([v, v])
    deep[0][0] = 9.0
    shallow = copy.copy(v)
    shallow[1] = 5.0
    return deep[1], shallow, v, copy.copy([v])[0] is v


@programs(2.0)
def copies_of_containers(x):
    ball = Ball([x])
    other, deep = copy.copy(ball), copy.deepcopy(ball)
    other.speed = 3.0
    ball.height.append(1.0)
    return other.height, deep.height, ball.speed, other.speed, copy.deepcopy({"a": (x, [x])})


@programs(3.0)
def records(x):
    ball = dataclasses.replace(Ball(x), speed=x)
    pair = Pair(x, 1)._replace(b=x)
    return (
        dataclasses.asdict(ball),
        dataclasses.astuple(ball),
        pair,
        pair._asdict(),
        list(OrderedDict(a=x).values()),
        list(deque([x, 1.0], maxlen=1)),
        [field.name for field in dataclasses.fields(ball)],
    )


# -- contextlib ------------------------------------------------------------------------------------


@contextlib.contextmanager
def doubled(x):
    yield x * 2


@programs(2.0)
def contexts(x):
    with contextlib.nullcontext(x) as y:
        z = y * 2
    with contextlib.suppress(ZeroDivisionError):
        z = z + 1
    with doubled(x) as y:
        z = z * y
    return z


# -- refused ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "function",
    [
        lambda x: list(itertools.takewhile(lambda a: a > x, [1.0, 2.0])),
        lambda x: logging.getLogger().exception("x"),
        lambda x: x + random.Random(3).random(),
        lambda x: x + np.random.rand(),
        lambda x: x + time.time(),
        lambda x: np.vectorize(lambda a: (a, a * 2))(np.ones(2) * x),
        lambda x: np.vectorize(np.sum, signature="(n)->()")(np.ones(2) * x),
    ],
)
def test_refused(function):
    with pytest.raises(errors.AutographError) as caught:
        ag.to_graph(function)(1.5)
    assert caught.value.fix


def test_results_of_cached_functions_are_kept_for_one_recording():
    calls = []

    @functools.lru_cache
    def slow(n):
        calls.append(n)
        return n * 2

    f = lambda x: x * slow(2) + slow(2) + slow(3)
    check(f, 1.5)


@pytest.mark.parametrize("x", [np.ones(2), np.array(2.0)])
def test_a_cached_function_takes_no_arrays(x):
    for function in (lambda x: cached(x), lambda x: cached(1.0, k=x)):
        with pytest.raises(TypeError, match="unhashable"):
            function(x)
        with pytest.raises(errors.OperandTypeError, match="unhashable"):
            ag.to_graph(function)(x)
