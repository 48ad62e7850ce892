"""Native programs raise what Python raises, also where nothing needs what would raise."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.errors import PerformanceWarning


def first_of_many(x, i):
    return np.exp(x[i])[:1] * 2 + 1


def through_others(x, i):
    y = np.exp(x[i])
    return np.sum(np.sin(y)[:1] * 2) + np.sum(x)


def unused(x, i):
    x[i]
    return np.sum(np.sin(x) * 2)


def unused_number(x, i):
    y = x * 2
    y[i[1]]
    return np.sum(np.sin(y) * 2)


def of_nothing(x, i):
    return x.reshape(0, 5)[:, i] + 1.0 if x.size == 0 else np.exp(x)[i]


@pytest.mark.parametrize("f", [first_of_many, through_others, unused, unused_number, of_nothing])
def test_a_place_out_of_range(f):
    x, good, bad = np.arange(5.0), np.array([1, 3]), np.array([1, 9])
    native = ag.to_graph(f)
    np.testing.assert_allclose(native(x, good), f(x, good))
    with pytest.raises(IndexError) as expected:
        f(x, bad)
    with pytest.raises(IndexError) as found:
        native(x, bad)
    assert str(found.value) == str(expected.value)
    np.testing.assert_allclose(native(x, good), f(x, good))


def with_item(x, value):
    x = x.copy()
    x[1] = value
    return x + x


def with_sum(x, value):
    x = x.copy()
    x[1:3] += value
    return x + x


@pytest.mark.parametrize(
    "f, x, value, error",
    [
        (with_item, np.zeros(4, "int8"), 300, OverflowError),
        (with_item, np.zeros(4, "int8"), np.int64(300), OverflowError),
        (with_item, np.zeros(4, "int64"), float("nan"), ValueError),
        (with_sum, np.zeros(4, "int8"), 300, OverflowError),
    ],
)
def test_a_number_that_does_not_fit(f, x, value, error):
    for function in (f, ag.to_graph(f)):
        with pytest.raises(error):
            function(x, value)
        np.testing.assert_array_equal(function(x, type(value)(5)), f(x, type(value)(5)))


def test_a_sum_is_computed_in_the_dtype_of_both_and_rounded_once():
    x, value = np.ones(4, "float32"), np.full(2, 2.0**-24 * (1 + 2.0**-26))
    expected = with_sum(x, value)
    assert expected[1] != 2
    np.testing.assert_array_equal(ag.to_graph(with_sum)(x, value), expected)


def test_a_mistake_of_a_pass_is_told_and_numpy_computes(monkeypatch):
    def wrong(*_):
        raise KeyError("a scalar")

    monkeypatch.setattr("autograph.kernels.making.expanded", wrong)
    monkeypatch.setattr("autograph.kernels.program.VERIFY", False)
    f = ag.to_graph(lambda x: np.sum(np.exp(x) * 3.25))
    with pytest.warns(PerformanceWarning, match="KeyError: 'a scalar'"):
        assert f(np.ones(3)) == pytest.approx(3 * 3.25 * np.e)
    monkeypatch.setattr("autograph.kernels.program.VERIFY", True)
    with pytest.raises(KeyError):
        ag.to_graph(lambda x: np.sum(np.exp(x) * 3.5))(np.ones(3))
