"""Whole functions on another array library: the same programs, nothing read back but predicates.

The library is a stand-in for CuPy that refuses to be mixed with NumPy's arrays, so a hidden
transfer is an error.
"""

import types

import numpy as np
import pytest

import autograph as ag
from tests.support import strict_device

pytestmark = pytest.mark.usefixtures("device")


def newton(a):
    x = a
    while np.any(np.abs(x * x - a) > 1e-12):
        x = 0.5 * (x + a / x)
    return x


def rnn(w, xs):
    h = np.zeros(w.shape[0])
    for x in xs:
        h = np.tanh(w @ h + x)
        if np.max(np.abs(h)) > 2.0:
            break
    return np.sum(h * h)


def update(x):
    for i in range(1, len(x)):
        x[i] += x[i - 1]
    return np.sum(x)


TABLE = np.arange(4.0)


def with_table(x):
    return TABLE * x


def on_device(function, *args):
    return ag.to_graph(function, backend="strict_device")(*args)


def test_only_the_predicates_of_a_loop_are_read_back():
    a = np.array([1.0, 2.0, 3.0])
    result = on_device(newton, a)
    assert np.allclose(strict_device.to_host(result), np.sqrt(a))
    assert set(strict_device.reads) == {"bool"}


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (lambda a: np.sum(newton(a)), (np.array([2.0, 3.0]),)),
        (rnn, (0.5 * np.eye(3), np.ones((4, 3)))),
    ],
)
def test_gradients_run_there_as_well(function, args):
    expected = ag.grad(function)(*args)
    there = ag.grad(ag.to_graph(function, backend="strict_device"))(*args)
    assert np.allclose(strict_device.to_host(there), expected)
    assert set(strict_device.reads) <= {"bool"}


def test_results_stay_on_the_device_between_calls():
    f = ag.to_graph(lambda x: np.sin(x) + 1.0, backend="strict_device")
    once = f(np.ones(3))
    assert strict_device.is_array(once)
    twice = f(once)
    assert strict_device.is_array(twice)
    assert np.allclose(strict_device.to_host(twice), np.sin(np.sin(1.0) + 1.0) + 1.0)
    assert not strict_device.reads


def test_host_arguments_changed_in_place_are_written_back():
    x, y = np.ones(4), np.ones(4)
    total = on_device(update, x)
    assert strict_device.to_host(total) == update(y)
    assert np.array_equal(x, y)


def test_an_outside_array_of_the_host_is_read_at_each_call():
    f = ag.to_graph(with_table, backend="strict_device")
    before = TABLE.copy()
    assert np.array_equal(strict_device.to_host(f(2.0)), 2.0 * before)
    TABLE[0] = 5.0
    try:
        assert strict_device.to_host(f(2.0))[0] == 10.0
    finally:
        TABLE[:] = before


@pytest.mark.parametrize("function", [newton, with_table])
def test_explained_and_profiled(function):
    f = ag.to_graph(function, backend="strict_device")
    a = np.array([1.0, 2.0, 3.0, 4.0])
    found = f.profile(a, repeat=2)
    np.testing.assert_array_equal(strict_device.to_host(found.result), strict_device.to_host(f(a)))
    assert abs(sum(row.share for row in found.rows) - 1.0) < 1e-9
    assert {row.places[0].file for row in found.lines} == {__file__}
    (part,) = f.explain(a).plain
    assert part.reason == "unavailable" and "'strict_device' has none" in part.why


def test_a_profile_waits_for_the_device(monkeypatch):
    waits = []
    cuda = types.SimpleNamespace(
        Device=lambda: types.SimpleNamespace(synchronize=lambda: waits.append(1))
    )
    monkeypatch.setattr(strict_device.module(), "cuda", cuda, raising=False)
    found = ag.to_graph(newton, backend="strict_device").profile(np.ones(3) * 2.0)
    assert len(waits) >= sum(row.count for row in found.lines) > 3
