"""Global numbers, and those in modules and classes, that others assign are read at each call."""

import logging
import sys
import types

import numpy as np
import pytest

import autograph as ag
from tests.support.logged import recordings

K = 1.0
N = 3
MODE = "sum"
MAYBE = None
module = types.ModuleType("settings_of_a_test")


class Settings:
    rate = 0.5


class Derived(Settings):
    pass


class Scaled:
    def __init__(self, a):
        self.a = a

    def times(self, x):
        return x * self.a * K


def inner(x):
    return x * K


def scaled(x):
    return inner(x) + inner(x + 1)


def trips(x):
    for i in range(N):
        x = x + i * K
    return x


def attributes(x):
    return x * module.k + Settings.rate * Derived.rate


def shaped(x):
    return np.zeros(N) + x.sum() if MODE == "sum" else x[:N] * K


def maybe(x):
    return x if MAYBE is None else x * MAYBE


def written(x):
    return f"{K} {N} {MODE}", K, N, MODE, isinstance(K, float)


def recursive(x, n=3):
    return x if n == 0 else recursive(x * K, n - 1)


@pytest.fixture(autouse=True)
def logged(caplog, monkeypatch):
    caplog.set_level(logging.DEBUG, logger="autograph")
    monkeypatch.setitem(sys.modules, "settings_of_a_test", module)


def settle(i):
    global K, N, MODE, MAYBE
    K, N, MODE = 1.0 + i / 4, 2 + i % 3, ("sum", "first")[i % 2]
    MAYBE = (None, 1.5, 2.5, None, 2)[i % 5]
    module.k, Settings.rate = K * 2, K / 2


@pytest.mark.parametrize(
    "function",
    [scaled, trips, attributes, shaped, maybe, written, recursive],
    ids=lambda f: f.__name__,
)
def test_values_as_in_python(function, caplog):
    compiled, x = ag.to_graph(function), np.arange(4.0)
    for i in (0, 1, 2, 3, 3, 4, 5, *range(30)):
        settle(i)
        if i == 10:
            caplog.clear()
        found, wanted = compiled(x), function(x)
        assert type(found) is type(wanted)
        assert repr(found) == repr(wanted)
    # What only needs the values, not to be shaped by them, is recorded for all.
    assert not recordings(caplog)


def test_under_transforms_with_functions_that_are_made_anew(caplog):
    w = np.ones(3)
    for i in range(20):
        settle(i // 3)
        if i == 12:
            caplog.clear()
        x = np.full(3, 1.0 + i // 5)
        np.testing.assert_allclose(ag.grad(lambda w: np.sum(w * x * K))(w), x * K)
        np.testing.assert_allclose(ag.to_graph(Scaled(2.0 + i).times)(x), x * (2.0 + i) * K)
        np.testing.assert_allclose(ag.vmap(inner)(x), x * K)
        slope = ag.jvp(lambda a: np.sum(a * a * Settings.rate), (x,), (w,))[1]
        np.testing.assert_allclose(slope, np.sum(2 * x) * Settings.rate)
    assert not recordings(caplog)


def test_calls_that_found_the_same_for_long():
    call = ag.grad(lambda w, x: np.sum(w * x * K * Settings.rate))
    for i in range(4):
        settle(i)
        for _ in range(12):
            np.testing.assert_allclose(call(np.ones(2), 3.0), 3.0 * K * Settings.rate)


def test_a_variable_that_goes_or_holds_something_else():
    global K
    compiled = ag.to_graph(inner)
    try:
        for value in (1.0, 2.0, np.float32(1.5), 3, np.arange(3.0), True, 2.5):
            K = value
            found, wanted = compiled(2.0), 2.0 * value
            assert type(found) is type(wanted)
            np.testing.assert_array_equal(found, wanted)
        del K
        with pytest.raises(NameError):
            compiled(2.0)
    finally:
        K = 1.0
    assert compiled(2.0) == 2.0


def test_lengths_and_counts_stay_symbols(caplog):
    def table(values, n):
        best = [0.0] * (n + 1)
        for v in values:
            for i in range(n, 0, -1):
                best[i] = max(best[i], best[i - 1] + v * K)
        return best[n]

    compiled, summed = ag.to_graph(table), ag.to_graph(lambda x: np.sum(x * K))
    for i in range(24):
        settle(i // 2)
        if i == 14:
            caplog.clear()
        assert compiled([3.0, 4.0, 5.0], 20 + i) == table([3.0, 4.0, 5.0], 20 + i)
        np.testing.assert_allclose(summed(np.ones(5 + i)), (5 + i) * K)
    assert not recordings(caplog)


class Base:
    scale = 1.0
    count = 2

    def __init__(self, v, following=None):
        self.v = v
        self.following = following

    def at(self, x):
        for _ in range(self.count):
            x = x * self.scale
        return x + self.v


class Special(Base):
    pass


def of_one(item, x):
    return item.at(x)


def of_all(items, x):
    total = 0.0
    for item in items:
        total += item.at(x)
    return total


def of_chain(item, x):
    while item is not None:
        x = item.v * item.scale + x
        item = item.following
    return x


@pytest.mark.parametrize(
    "function, made",
    [
        (of_one, lambda i: Base(1.0)),
        (of_one, lambda i: Special(1.0)),
        (of_all, lambda i: [Base(1.0), Special(2.0)]),
        (of_all, lambda i: [(Base, Special)[k % 2](float(k)) for k in range(3 + i % 3)]),
        (of_all, lambda i: [Base(float(k)) for k in range(3 + i % 3)]),
        (of_chain, lambda i: Special(1.0, Special(float(i), None if i % 2 else Special(3.0)))),
    ],
)
def test_attributes_of_the_classes_of_arguments(function, made, monkeypatch, caplog):
    compiled = ag.to_graph(function)
    scales = (1.0, 1.5, 3, np.float64(2.5), 0.5, 0.25, 4.0, 5.0, 0.75, 1.25, 6.0, 7.0, 8.0, 9.0)
    for i, scale in enumerate(scales):
        monkeypatch.setattr(Base, "scale", scale)
        monkeypatch.setattr(Base, "count", 1 + i // 3 % 2)
        if i == 6:
            monkeypatch.setattr(Special, "scale", 9.0, raising=False)
        if i == 8:
            monkeypatch.delattr(Special, "scale")
        if i == 12:
            caplog.clear()
        found, wanted = compiled(made(i), 2.0), function(made(i), 2.0)
        assert type(found) is type(wanted)
        assert found == pytest.approx(wanted, rel=1e-14)
    assert not recordings(caplog)
