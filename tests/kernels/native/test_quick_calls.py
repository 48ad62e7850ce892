"""Calls that are like the last ones run without a look-up; all others do not."""

import types

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.errors import SignatureError, UndefinedVariableError
from autograph.staging.border.delivery import Delivery
from tests.kernels.native.quick import is_quick, looked_up
from tests.support.threads import in_threads

__all__ = ["looked_up"]  # a fixture

X = np.arange(4.0)


# -- quick -----------------------------------------------------------------------------------------


def test_the_second_call_is_quick(looked_up):
    @ag.to_graph
    def f(x):
        return np.sin(x) * 2

    assert not is_quick(looked_up, f, X)
    for x in (X, X + 1, np.asfortranarray(X), np.arange(8.0)[::2]):
        assert is_quick(looked_up, f, x)
        assert np.array_equal(f(x), f(x.copy()))
    np.testing.assert_allclose(f(X + 1), np.sin(X + 1) * 2, rtol=1e-15)


def test_nested_arguments_and_results(looked_up):
    @ag.to_graph
    def f(p, *rest, scale, mode="plain"):
        a, b = p["ab"]
        total = a + b * scale if mode == "plain" else a - b
        return {"total": total, "parts": [a * 2, (b, rest[0] + 1)]}, mode

    p = {"ab": [X, X + 1]}
    assert not is_quick(looked_up, f, p, 1.5, scale=2.0)
    assert is_quick(looked_up, f, {"ab": [X + 5, X]}, 2.5, scale=3.0)
    result, mode = f({"ab": [X + 5, X]}, 2.5, scale=3.0)
    assert mode == "plain" and list(result) == ["total", "parts"]
    assert type(result["parts"]) is list and type(result["parts"][1]) is tuple
    np.testing.assert_array_equal(result["total"], X + 5 + X * 3.0)
    np.testing.assert_array_equal(result["parts"][0], (X + 5) * 2)
    assert result["parts"][1][1] == 3.5
    again, _ = f({"ab": [X + 5, X]}, 2.5, scale=3.0)
    assert again is not result and again["parts"] is not result["parts"]
    assert not is_quick(looked_up, f, p, 1.5, scale=2.0, mode="other")


def test_results_that_may_be_none_or_one_of_several(monkeypatch):
    """One such leaf, and all others were put together by the walk: four times as long as Python
    took for the run of an epidemic."""

    def f(xs):
        peak, kind, best, seen = None, "falling", None, []
        for i in range(len(xs)):
            seen.append(xs[i] * 2)
            if xs[i] > 1.0:
                kind = "high"
                peak = i if peak is None else peak
            if xs[i] > 2.0:
                best = i if xs[i] > 3.0 else xs[i]
        return {"peak": peak, "kind": kind, "seen": seen, "best": (best, [peak])}

    given = [np.array([0.5, 0.2, x]) for x in (0.1, 1.5, 2.5, 3.5)]
    compiled = ag.to_graph(f)
    for _ in range(3):
        compiled(given[0])
    monkeypatch.delattr(Delivery, "deliver")
    for x in given:
        assert repr(compiled(x)) == repr(f(x))


def test_derivatives(looked_up):
    gradient = ag.grad(lambda p: np.sum(p["w"] ** 3) * p["b"])
    p = {"w": X, "b": 2.0}
    gradient(p)
    assert is_quick(looked_up, gradient, p)
    np.testing.assert_allclose(gradient({"w": X + 1, "b": 3.0})["w"], 9 * (X + 1) ** 2)


def test_several_forms_take_turns(looked_up):
    @ag.to_graph
    def f(x):
        return x + 1

    arguments = [X, X.astype(np.float32), 1.5]
    for x in arguments:
        f(x)
    for x in arguments * 3:
        assert is_quick(looked_up, f, x)
        assert np.all(f(x) == x + 1)
    more = [np.ones(n) for n in range(1, 9)]
    for x in more * 3:
        assert np.all(f(x) == x + 1)


def test_numbers_that_became_static(looked_up):
    @ag.to_graph
    def f(n, x):
        return np.zeros(n) + x

    assert f(3, 1.0).shape == (3,)
    assert f(4, 1.0).shape == (4,)
    assert is_quick(looked_up, f, 3, 2.0)
    assert is_quick(looked_up, f, 4, 2.0)
    assert f(3, 2.0).shape == (3,) and f(4, 2.0).shape == (4,) and f(5, 2.0).shape == (5,)
    assert f(np.int64(3), 2.0).shape == (3,)


def test_static_arguments(looked_up):
    @ag.to_graph(static_argnames="power")
    def f(x, power):
        return x**power

    assert np.array_equal(f(X, 2), X**2) and np.array_equal(f(X, 3), X**3)
    assert is_quick(looked_up, f, X, 2) and is_quick(looked_up, f, X, 3)
    assert np.array_equal(f(X, 2), X**2)
    assert np.array_equal(f(X, power=2), X**2)


def test_functions_compiled_ahead_of_time(monkeypatch):
    from autograph.api.recording import ahead

    def f(x, *, scale, shift=1.0):
        return {"y": x * scale + shift}

    run = ag.to_graph(f).lower(X, scale=2.0, shift=1.5).compile()
    run(X, scale=2.0, shift=1.5)
    looked_up = []
    flatten = ahead.flatten_call
    monkeypatch.setattr(ahead, "flatten_call", lambda *a: looked_up.append(a) or flatten(*a))
    np.testing.assert_array_equal(run(X + 1, scale=3.0, shift=2.0)["y"], (X + 1) * 3 + 2)
    np.testing.assert_array_equal(run(X + 1, shift=2.0, scale=3.0)["y"], (X + 1) * 3 + 2)
    assert looked_up == []
    with pytest.raises(SignatureError):
        run(X, scale=2, shift=1.5)
    assert len(looked_up) == 1


# -- looked up because the arguments differ --------------------------------------------------------


def test_other_types_shapes_and_structures(looked_up):
    @ag.to_graph
    def f(x):
        return x * 2 if not isinstance(x, (dict, list)) else [*x]

    f(X)
    for x in (X.astype(int), np.ones(5), 2.0, 3, np.float32(2), True, [1.0], {"a": 1}, (), "ab"):
        assert not is_quick(looked_up, f, x)
        expected = x * 2 if not isinstance(x, (dict, list)) else [*x]
        assert type(f(x)) is type(expected) and np.all(f(x) == expected)


def test_a_bool_is_not_its_opposite():
    @ag.to_graph
    def f(x, flag):
        return x + 1 if flag else x - 1

    for flag in (True, False, True, False):
        assert f(1.0, flag) == (2.0 if flag else 0.0)


# -- looked up because something outside differs ---------------------------------------------------

SCALE = 2.0
TABLE = [1.0, 2.0]


def helper(x):
    return x * SCALE


def test_a_global_that_is_bound_again(looked_up, monkeypatch):
    @ag.to_graph
    def f(x):
        return x * SCALE

    assert f(3.0) == 6.0
    assert is_quick(looked_up, f, 3.0)
    monkeypatch.setitem(globals(), "SCALE", 5.0)
    assert f(3.0) == 15.0
    assert is_quick(looked_up, f, 3.0)
    monkeypatch.setitem(globals(), "SCALE", 2.0)
    assert f(3.0) == 6.0


def test_a_global_that_a_helper_reads(monkeypatch):
    @ag.to_graph
    def f(x):
        return helper(x) + 1

    assert f(3.0) == f(3.0) == 7.0
    monkeypatch.setitem(globals(), "SCALE", 5.0)
    assert f(3.0) == 16.0
    monkeypatch.setitem(globals(), "helper", lambda x: x)
    assert f(3.0) == 4.0


def test_a_list_that_changes(monkeypatch):
    @ag.to_graph
    def f(x):
        return x + sum(TABLE)

    assert f(1.0) == f(1.0) == 4.0
    TABLE.append(10.0)
    try:
        assert f(1.0) == f(1.0) == 14.0
    finally:
        TABLE.pop()
    assert f(1.0) == 4.0


def test_an_array_from_outside_that_changes(looked_up):
    table = np.ones(4)

    @ag.to_graph
    def f(x):
        return x + table

    f(X)
    assert is_quick(looked_up, f, X)
    table[0] = 7.0
    assert f(X)[0] == 7.0


def test_a_variable_of_a_closure_that_is_bound_again():
    def make():
        scale = 2.0

        def change(value):
            nonlocal scale
            scale = value

        return ag.to_graph(lambda x: x * scale), change

    f, change = make()
    assert f(3.0) == f(3.0) == 6.0
    change(4.0)
    assert f(3.0) == f(3.0) == 12.0
    change(2.0)
    assert f(3.0) == 6.0


def test_an_attribute_that_changes():
    class Settings:
        scale = 2.0

    @ag.to_graph
    def f(x):
        return x * Settings.scale

    assert f(3.0) == f(3.0) == 6.0
    Settings.scale = 4.0
    assert f(3.0) == f(3.0) == 12.0


def test_a_global_that_goes_and_comes(monkeypatch):
    @ag.to_graph
    def f(x):
        return x * SCALE

    assert f(3.0) == f(3.0) == 6.0
    monkeypatch.delitem(globals(), "SCALE")
    with pytest.raises(NameError):
        f(3.0)
    monkeypatch.setitem(globals(), "SCALE", 2.0)
    assert f(3.0) == 6.0


def test_methods_and_objects():
    class Model:
        def __init__(self, scale):
            self.scale = scale

        @ag.to_graph
        def forward(self, x):
            return x * self.scale

    model = Model(2.0)
    assert model.forward(3.0) == model.forward(3.0) == 6.0
    model.scale = 4.0
    assert model.forward(3.0) == 12.0
    assert Model(5.0).forward(3.0) == 15.0


def test_calls_while_recording():
    inner = ag.to_graph(lambda x: x * 2)
    assert inner(3.0) == inner(3.0) == 6.0
    outer = ag.to_graph(lambda x: inner(x) + 1)
    assert outer(3.0) == outer(3.0) == 7.0
    assert ag.grad(lambda x: inner(x) * x)(3.0) == 12.0


# -- errors ----------------------------------------------------------------------------------------


def test_exceptions_are_those_of_the_function(looked_up):
    class Mine(ValueError):
        pass

    @ag.to_graph
    def f(x):
        if x > 2.0:
            raise Mine("too big")
        if x < 0.0:
            y = x
        return x + (y if x < 1.0 else 0.0)

    assert f(1.5) == 1.5
    assert is_quick(looked_up, f, 1.5)
    for _ in range(2):
        with pytest.raises(Mine, match="too big"):
            f(3.0)
        with pytest.raises((UndefinedVariableError, UnboundLocalError)):
            f(0.5)


def test_floating_point_errors_that_raise(looked_up):
    @ag.to_graph
    def f(x):
        return np.sqrt(1.0 / x) + 1.0

    with np.errstate(all="ignore"):
        f(X + 1)
    f(X + 1)
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        f(X)
    with np.errstate(all="ignore"):
        assert f(X)[0] == np.inf


# -- threads, switches -----------------------------------------------------------------------------


def test_several_threads():
    @ag.to_graph
    def f(x):
        return x * 3 + 1

    wrong = []

    def work(kind):
        x = np.arange(10).astype(kind)
        for _ in range(500):
            result = f(x)
            if result.dtype != (x * 3 + 1).dtype or not np.array_equal(result, x * 3 + 1):
                wrong.append(kind)

    in_threads(work, ("f4", "f8", "i4", "i8"))
    assert wrong == []


def test_functions_from_one_source_do_not_mix():
    def make(scale):
        return ag.to_graph(lambda x: x * scale)

    functions = [make(scale) for scale in (1.0, 2.0, 3.0)]
    for _ in range(3):
        assert [f(2.0) for f in functions] == [2.0, 4.0, 6.0]


def test_results_of_other_kinds():
    pair = types.SimpleNamespace(kind="static")

    @ag.to_graph
    def f(x):
        return {"x": x + 1, 3: [], "s": pair, "n": None, "t": ((x * 2,),)}

    for x in (1.0, 2.0, 3.0):
        found = f(x)
        assert found == {"x": x + 1, 3: [], "s": pair, "n": None, "t": ((x * 2,),)}
        assert found["s"] is pair
        found[3].append(1)
