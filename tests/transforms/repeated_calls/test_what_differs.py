"""What is not the same in calls, and what calls raise, print and change, where others are calls of
one named graph."""

import functools
import warnings

import numpy as np
import pytest

import autograph as ag
from autograph.transforms.repeated_calls import alike, forms
from tests.kernels import kernel_check
from tests.transforms.repeated_calls.test_programs import bends

check = functools.partial(kernel_check.check, kernels=None)


@pytest.fixture(autouse=True)
def every_call_is_worth_it(monkeypatch):
    monkeypatch.setattr(alike, "_MUCH", 1)


def powers(x, exponent):
    y = np.sin(x)
    for k in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0):
        y = abs(y + k) ** exponent + np.sin(y) * 0.1 + np.exp(-y * y) * k - x
    return y


def test_powers_stay_what_they_are():
    def several(x):
        y = powers(x, 0.5) + powers(x, 2.0)
        return y + powers(y, 3.0) * 1e-6 + powers(y, 0.7)

    x = np.linspace(0.1, 1.0, 5)
    assert not ag.to_graph(several).graph(x).graphs
    check(several, x)


def test_integers_that_differ():
    def several(v, d):
        s = bends(v, d, 1) + bends(v, d, 2)
        return s + bends(v, d, 3) + bends(v, d, True)

    check(several, 0.31, 0.05)


def test_infinities_zeros_and_nan():
    def several(v, d):
        s = bends(v, d, 0.0), bends(v, d, -0.0), bends(v, d, float("inf"))
        return *s, bends(v, d, float("nan")), bends(v, d, 1.0)

    check(several, 0.31, 0.05)


def test_an_argument_that_is_changed():
    def changed(x, scale):
        x[0] = x[0] + scale
        for k in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0):
            x[1] = np.sin(x[1]) / k + np.exp(-x[0] * x[0]) * scale
        return x

    def several(x):
        x = x.copy()
        y = changed(x, 0.1)
        z = changed(y, 0.2)
        changed(x, 0.3)
        z[2] = 5.0
        return x, y, changed(z, 0.4), changed(x.copy(), 0.5)

    check(several, np.array([0.3, -1.0, 2.5]))


def test_an_argument_that_is_given_back():
    def same(x, scale):
        for k in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0):
            if np.sum(np.sin(x * k) * scale + np.cos(x) * k - np.exp(-x * x)) > 1e6:
                k = k + np.sum(x)
        return x, k

    def several(x):
        (y, _), (z, k) = same(x, 0.1), same(x, 0.2)
        y[0] = 5.0
        w, n = same(z, 0.3)
        w[1] = 7.0
        return x, y, z, w, k + n

    check(several, np.array([0.3, -1.0, 2.5]))


def test_results_that_only_some_use():
    def inner(x, scales):
        y = np.sin(x)
        for k in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0):
            y = np.tanh(y / k) * scales[0] + np.exp(-y * y) / k - x
        return y, x * scales[0] + 1.0

    def outer(x, scales):
        y, z = inner(x, scales)
        return y * np.sin(y), z

    def several(x):
        a, _ = outer(x, [1.1])
        b, c = outer(x + a, [1.2])
        d, _ = inner(x + 1.0, [1.3])
        return a, b, c, d

    check(several, np.float64(0.31))
    assert sorted(ag.to_graph(several).graph(np.float64(0.31)).graphs) == ["inner", "outer"]


def test_numbers_given_to_calls_inside():
    def half(x, y, scale=0.5):
        return bends(x, y, scale) + y

    def twice(x, y, scale=0.5):
        return half(x, 0.3) + half(x + 1.0, y) * scale

    def several(x):
        s = twice(x, 0.4) + twice(x + 0.1, 0.5) + half(x, 0.3, 0.6)
        return s + twice(x + s, 0.6, 0.7) + half(x + 0.2, s) + half(x, s, 0.7)

    check(several, np.float64(0.31))


class Level:
    def __init__(self, inside, scale):
        self.inside = inside
        self.scale = scale


def levels(number):
    return None if number == 0 else Level(levels(number - 1), 1.5)


def through(level, x):
    if level is None:
        return x
    y = np.sin(through(level.inside, x)) * 0.9 + x * level.scale
    for k in (2.0, 3.0, 4.0):
        y = y / k - np.cos(y / k)
    return y


@pytest.fixture
def seen(monkeypatch):
    """The nodes that are compared with others."""
    nodes = []
    before = forms.NodesForm._of_node
    monkeypatch.setattr(
        forms.NodesForm, "_of_node", lambda form, node: nodes.append(node) or before(form, node)
    )
    return nodes


def test_calls_in_each_other_are_not_compared_level_by_level(seen):
    given = tuple(levels(40) for _ in range(4))

    def several(x):
        return x + sum([through(level, x + 1.0) for level in given])

    check(several, np.float64(0.3))
    assert 0 < len(seen) < 9_000  # it was 32,000


def test_a_graph_that_is_called_often_is_compared_once(seen):
    def several(v, d):
        s = v
        for _ in [None] * 60:
            s = bends(s, d) * 1e-3 + v
        return s

    assert [*ag.to_graph(several).graph(np.float64(0.31), 0.05).graphs] == ["bends"]
    assert len(seen) < 1_000  # not all of it for each call


def test_lengths_that_are_symbols():
    def rows(x, scale):
        y = np.sin(x) * scale
        for k in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0):
            y = np.where(y < scale, np.sin(y) * scale + k, np.exp(-y * y)) - x * scale + 0.1
        return np.sum(y)

    def of_a_length(a, n):
        y = a + np.sum(np.zeros(n) + a)
        for k in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0):
            y = np.sum(np.sin(np.arange(n) * y) * k) * 1e-3 + np.exp(-y * y) - a * k + 0.1
        return y

    def several(x):
        s = rows(x, 0.3) + rows(x + 1.0, 0.4)
        return s + of_a_length(s, len(x)) + of_a_length(s + 1.0, len(x))

    compiled = ag.to_graph(several)
    for n in (3, 4, 5, 1, 7):
        x = np.linspace(-1.0, 1.0, n)
        np.testing.assert_allclose(compiled(x), several(x), rtol=1e-12)


# -- what it raises and prints ---------------------------------------------------------------------


def guarded(v, d, scale):
    if v > 100.0:
        raise ValueError("too fast")
    return bends(v, d, scale)


def test_what_it_raises_is_raised():
    def several(v, d):
        s = guarded(v, d, 1.0)
        s = s + guarded(v * 10.0, d, 1.1)
        return s + guarded(v * 100.0, d, 1.2) + guarded(v * 1000.0, d, 1.3)

    for v in (0.05, 0.31, 5.0, 50.0, 500.0):
        check(several, v, 0.05)


def test_the_line_of_what_it_raises():
    def several(v, d):
        s = guarded(v, d, 1.0) + guarded(v * 10.0, d, 1.1)
        return s + guarded(v * 100.0, d, 1.2)

    with pytest.raises(ValueError, match="too fast") as raised:
        ag.to_graph(several)(5.0, 0.05)
    line = guarded.__code__.co_firstlineno + 2
    assert f"test_what_differs.py:{line}:9" in "".join(raised.value.__notes__)


def test_what_it_prints(capsys):
    def told(v, d, scale):
        if v > 0.3:
            print("fast", v)
        return bends(v, d, scale)

    def several(v, d):
        s = told(v, d, 1.0)
        print("then")
        s = s + told(v * 1.1, d, 1.1)
        return s + told(v * 1.2, d, 1.2)

    for v in (0.1, 0.26, 0.29, 0.5):
        expected = several(v, 0.05)
        printed = capsys.readouterr().out
        np.testing.assert_allclose(ag.to_graph(several)(v, 0.05), expected, rtol=1e-13)
        assert capsys.readouterr().out == printed


def told(v, d, scale):
    found = bends(v, d, scale)
    if found > 0.3:
        print("much at", scale)
    print("done")
    return found


def twice_told(v, d, scale):
    found = told(v, d, scale) * 0.5 + told(d, v, 0.3)
    print("twice")
    return found


def all_told(v, d):
    s = twice_told(v, d, 1.0) + twice_told(v * 1.1, d, 1.1)
    for n in range(3):
        if s > n:
            s = np.sin(s) + twice_told(v * 0.9, d, 1.2)
    return s + told(v, d, 0.7)


@pytest.mark.parametrize(
    "transformed",
    [
        lambda f: ag.grad(f),
        lambda f: ag.grad(ag.grad(f)),
        lambda f: ag.grad(ag.checkpoint(f)),
        lambda f: ag.vmap(f, (0, None)),
        lambda f: ag.vmap(ag.grad(f), (0, None)),
    ],
)
def test_what_it_prints_in_transforms(transformed, capsys, monkeypatch):
    of_lanes = "vmap" in transformed.__code__.co_names
    v = np.array([0.1, 0.5, 0.31]) if of_lanes else 0.5
    found = transformed(all_told)(v, 0.05)
    printed = capsys.readouterr().out
    monkeypatch.setattr(alike, "_MUCH", 10**9)

    @ag.to_graph
    def pasted(v, d):
        return all_told(v, d)

    np.testing.assert_allclose(transformed(pasted)(v, 0.05), found, rtol=1e-9)
    assert printed.count("twice") > 1 and capsys.readouterr().out == printed


def test_warnings_are_of_the_line_that_calls():
    def warned(v, d, scale):
        found = bends(v, d, scale)
        if found > 0.0:
            warnings.warn("careful", UserWarning, stacklevel=2)
        return found

    def several(v, d):
        s = warned(v, d, 0.5)
        return s + warned(d, v, 0.7)

    with pytest.warns(UserWarning, match="careful") as expected:
        several(0.31, 0.05)
    with pytest.warns(UserWarning, match="careful") as found:
        ag.to_graph(several)(0.31, 0.05)
    assert len(expected) == 2 and [w.lineno for w in found] == [w.lineno for w in expected]


def test_integers_of_numpy_and_lengths_stay_what_they_are():
    def shifted(x, n):
        y = np.cumsum(x + n)
        for k in (1, 2, 3, 4, 5, 6):
            y = np.where(y > n, (y - n) // k, y * 2 + n) % 251
        return y.astype(np.uint8) + n

    def several(x):
        return shifted(x, 3), shifted(x, 5), shifted(x, 100), shifted(x[1:], 5)

    check(several, np.array([1, 200, 7, 33], np.uint8))


def test_ints_that_leave_64_bits():
    def grown(x, n):
        total = 1
        for k in range(4):
            total = total * n + k
            if x > k:
                total = total - int(x) * n
        return total + bends(x, 0.1)

    def several(x):
        return grown(x, 7), grown(x, 11), grown(x, 10**5), grown(x, 13)

    check(several, 2.5)
