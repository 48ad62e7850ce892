"""Objects that keep in C, or in classes and functions, what code changes: in loops and branches."""

import contextlib
import datetime
import decimal
import functools
import hashlib
import io
import itertools

import numpy as np
import pytest

from autograph.errors import AutographError, UnsupportedFunctionError
from tests.support.oracle import Programs, check
from tests.support.refusals import refused

programs = Programs()


def counting():
    k = 0
    while True:
        k += yield k


def hashed(n):
    found = hashlib.sha1()
    i = 0
    while i < n:
        found.update(b"x")
        i += 1
    return found.hexdigest()


def sent(n):
    it, total, i = counting(), 0, 0
    it.send(None)
    while i < n:
        total += it.send(2)
        i += 1
    return total


def advanced_by_its_method(n):
    it, total, i = counting(), 0, 0
    it.__next__()
    while i < n:
        total += it.send(i)
        i += 1
    return total


def closed_in_a_branch(n):
    it = counting()
    it.send(None)
    if n > 2:
        total = it.send(2)
    else:
        it.close()
        total = 0
    return total


def thrown_into(n):
    def guarded():
        for i in itertools.count():
            with contextlib.suppress(KeyError):
                yield i
                i = -1
            yield i

    it, total, i = guarded(), 0, 0
    next(it)
    while i < n:
        total += it.throw(KeyError)
        next(it)
        i += 1
    return total


def divided(n):
    context, x, i = decimal.Context(prec=5), decimal.Decimal(1), 0
    while i < n:
        x = context.divide(x, 3)
        i += 1
    return str(x)


def on_a_stack(n):
    called, i = [], 0
    with contextlib.ExitStack() as stack:
        while i < n:
            stack.callback(called.append, 1)
            i += 1
    return len(called)


def remembered(n):
    called = []

    @functools.lru_cache
    def double(k):
        called.append(k)
        return k * 2

    total, i = 0, 0
    while i < n:
        total += double(i % 2)
        i += 1
    return total, len(called)


REFUSED = [
    *((hashed, "AG0379"), (thrown_into, "AG0585"), (divided, "AG0379")),
    (on_a_stack, "AG0379"),
]


@pytest.mark.parametrize(("function", "id"), REFUSED)
def test_what_happens_once_is_refused_unless_python_runs_the_loop(function, id):
    assert id in refused(AutographError, function, np.array(3))
    check(function, 3)


@pytest.mark.parametrize("function", [sent, advanced_by_its_method, closed_in_a_branch])
@pytest.mark.parametrize("n", [3, np.array(3), np.array(1)])
def test_generators_are_sent_values(function, n):
    check(function, n)


def test_a_cache_is_not_seen():
    assert "remembers its results" in refused(UnsupportedFunctionError, remembered, 3)


@programs(np.arange(4.0))
def sent_elements(xs):
    def statistics():
        count, mean = 0, 0.0
        while True:
            x = yield count, mean
            count += 1
            mean += (x - mean) / count

    it, last = statistics(), None
    next(it)
    for x in xs:
        last = it.send(x)
    it.close()
    return last


@programs(3)
@programs(np.array(3))
def attribute_of_a_class(n):
    class Counter:
        count = 0

        def __init__(self):
            type(self).count += 1

    i = 0
    while i < n:
        Counter()
        i += 1
    return Counter.count


@programs(np.array(3), 2.0)
@programs(np.array(0), 2.0)
def attribute_of_a_function(n, x):
    def step(y):
        step.calls += 1
        step.last = y
        return y * x

    step.calls, step.last = 0, 1.0
    i = 0
    while i < n:
        step(step.last)
        i += 1
    if x > 1.0:
        step.calls += 10
    return step.calls, step.last


@programs(np.array(3))
def attribute_set_on_some_path(n):
    class Seen:
        value = 0.0

    if n > 2:
        Seen.value = 5.0
    return Seen.value, Seen().value


@programs.smooth(1.5, np.array(3))
def smooth(x, n):
    class Total:
        value = 0.0

    i = 0
    while i < n:
        Total.value = Total.value * x + np.sin(x)
        i += 1
    return Total.value


@programs(2.0)
def used_where_it_is_made(x):
    total = 0.0
    for i in range(3):
        found = hashlib.sha1(b"a")
        found.update(b"b")
        total += len(found.hexdigest()) * x
    return total


@programs(2.0)
def text_in_memory(x):
    file = io.StringIO()
    file.write("a")
    for i in range(3):
        file.write(f"{i},")
    return file.getvalue(), x


@programs(2.0, 3)
def dates(x, n):
    day = datetime.date(2020, 1, 31) + datetime.timedelta(days=n)
    return day.isoformat(), day.year * x


@programs([1, 4, 9])
def differences(xs):
    a, b = itertools.tee(xs)
    next(b, None)
    return [y - x for x, y in zip(a, b)]


@programs(4)
def until(n):
    k = 0

    def read():
        nonlocal k
        k += 1
        return k

    return list(iter(read, n)), k


@programs(3)
@programs(0)
def one_instance(n):
    class Single:
        instance = None

        def __new__(cls):
            if cls.instance is None:
                cls.instance = super().__new__(cls)
                cls.instance.k = 0
            return cls.instance

    for _ in range(n):
        Single().k += 1
    return Single().k


@programs([1, -2, 3])
def derived_classes(xs):
    class Base:
        made = []  # noqa: RUF012

        def __init_subclass__(cls):
            Base.made.append(cls.__name__)

        def __init__(self, v):
            type(self).last = v

    class A(Base):
        pass

    class B(Base):
        pass

    for x in xs:
        (A if x > 0 else B)(x)
    return Base.made, A.last, B.last


@programs(2.0)
def managers_in_generators(x):
    log = []

    class Noted:
        def __enter__(self):
            log.append("in")

        def __exit__(self, *_):
            log.append("out")

    def items():
        with Noted():
            yield x
        with contextlib.suppress(KeyError):
            yield 3 * x
            raise KeyError
        yield x

    return sum(items()), log


@programs.test
def test_programs(call):
    call.run()
