"""When a compiled graph is reused, and when what it depends on has changed."""

import functools
import logging

import numpy as np
import pytest

import autograph as ag

scale = 2.0
table = np.array([1.0, 2.0, 3.0])
settings = {"power": 2, "names": ["a", "b"]}
choose = max


@pytest.fixture
def compilations(caplog):
    """A function that gives the number of compilations so far."""
    caplog.set_level(logging.DEBUG, logger="autograph")
    return lambda: sum("compiled for" in record.getMessage() for record in caplog.records)


def test_one_compilation_per_signature(compilations):
    f = ag.to_graph(lambda x: x * 2)
    for x in (1.0, 2.0, -5.0, float("nan")):
        f(x)
    assert compilations() == 1
    for x in (1, np.float64(1), np.float32(1), np.ones(2), np.ones(3), np.ones((2, 1)), 1j):
        f(x)
        f(x)
    assert compilations() == 8
    f(np.zeros(3))
    assert compilations() == 8


def test_signatures_do_not_mix():
    f = ag.to_graph(lambda x: x / 2)
    for x in (3, 3.0, np.int32(3), np.float32(3), np.array([3]), np.array(3), 3, np.float32(3)):
        found, expected = f(x), x / 2
        assert type(found) is type(expected) and np.all(found == expected)


def test_statics_are_part_of_the_signature():
    @ag.to_graph
    def f(x, mode, flag=True):
        if mode == "double":
            x = x * 2
        return x if flag else -x

    assert f(1.0, "double") == 2.0
    assert f(1.0, "single") == 1.0
    assert f(1.0, "double", False) == -2.0
    assert f(1.0, mode="double", flag=True) == 2.0
    assert f(1.0, None) == 1.0


def test_functions_as_arguments():
    f = ag.to_graph(lambda g, x: g(x))
    assert f(lambda v: v + 1, 1.0) == 2.0
    assert f(lambda v: v + 5, 1.0) == 6.0
    assert f(np.negative, 1.0) == -1.0


def test_a_closure_passed_as_an_argument_changes():
    k = 1.0

    def g(v):
        return v + k

    f = ag.to_graph(lambda g, x: g(x))
    assert f(g, 1.0) == 2.0
    k = 10.0
    assert f(g, 1.0) == 11.0


def test_a_global_number_is_rebound(monkeypatch):
    f = ag.to_graph(lambda x: x * scale)
    assert f(3.0) == 6.0
    monkeypatch.setitem(globals(), "scale", 5.0)
    assert f(3.0) == 15.0
    monkeypatch.setitem(globals(), "scale", 5)
    assert f(3) == 15 and isinstance(f(3), int)


def test_a_global_function_is_rebound(monkeypatch):
    f = ag.to_graph(lambda x: choose(x, 2.0))
    assert f(3.0) == 3.0
    monkeypatch.setitem(globals(), "choose", min)
    assert f(3.0) == 2.0


def helper(x):
    return x + 1


def test_a_callee_is_rebound(monkeypatch):
    f = ag.to_graph(lambda x: helper(x))
    assert f(1.0) == 2.0
    monkeypatch.setitem(globals(), "helper", lambda x: x + 100)
    assert f(1.0) == 101.0


def uses_scale(x):
    return x * scale


def test_a_global_of_a_callee_is_rebound(monkeypatch):
    f = ag.to_graph(lambda x: uses_scale(x))
    assert f(3.0) == 6.0
    monkeypatch.setitem(globals(), "scale", 7.0)
    assert f(3.0) == 21.0


def test_a_global_array_is_changed_in_place_or_rebound(monkeypatch):
    f = ag.to_graph(lambda x: np.sum(x * table))
    x = np.ones(3)
    assert f(x) == 6.0
    monkeypatch.setitem(globals(), "table", table.copy())
    assert f(x) == 6.0
    table[0] = 11.0
    assert f(x) == 16.0
    monkeypatch.setitem(globals(), "table", np.zeros(3))
    assert f(x) == 0.0
    monkeypatch.setitem(globals(), "table", 2.0)
    assert f(x) == 6.0


def test_a_global_dict_is_changed(monkeypatch):
    f = ag.to_graph(lambda x: x ** settings["power"])
    assert f(3.0) == 9.0
    monkeypatch.setitem(settings, "power", 3)
    assert f(3.0) == 27.0
    f = ag.to_graph(lambda x: x * len(settings["names"]))
    assert f(3.0) == 6.0
    monkeypatch.setitem(settings, "names", ["a"])
    assert f(3.0) == 3.0


def test_a_closure_variable_is_rebound():
    k = 2.0

    def f(x):
        return x * k

    compiled = ag.to_graph(f)
    assert compiled(3.0) == 6.0
    k = np.array([1.0, 2.0])
    np.testing.assert_array_equal(compiled(3.0), [3.0, 6.0])
    k[0] = 5.0
    np.testing.assert_array_equal(compiled(3.0), [15.0, 6.0])


def test_two_closures_of_one_function():
    def make(k):
        return ag.to_graph(lambda x: x * k)

    double, triple = make(2.0), make(3.0)
    assert (double(1.0), triple(1.0), double(1.0)) == (2.0, 3.0, 2.0)


class Model:
    bias = 1.0

    def __init__(self, weights):
        self.weights = weights
        self.active = True
        self.parts = [1.0, 2.0]

    def predict(self, x):
        total = np.sum(self.weights * x) + self.bias
        for part in self.parts:
            total = total + part
        return total if self.active else 0.0


def test_attributes_are_changed():
    model = Model(np.array([1.0, 2.0]))
    f = ag.to_graph(model.predict)
    x = np.ones(2)
    for change in (
        lambda: None,
        lambda: model.weights.__setitem__(0, 10.0),
        lambda: setattr(model, "weights", np.array([5.0, 5.0])),
        lambda: setattr(model, "weights", 3.0),
        lambda: setattr(model, "active", False),
        lambda: setattr(model, "active", True),
        lambda: model.parts.append(7.0),
        lambda: model.parts.__setitem__(0, 0.5),
        lambda: setattr(model, "bias", -1.0),
    ):
        change()
        assert f(x) == model.predict(x)


def test_a_class_attribute_is_changed(monkeypatch):
    model = Model(np.array([1.0, 2.0]))
    f = ag.to_graph(model.predict)
    x = np.ones(2)
    assert f(x) == model.predict(x)
    monkeypatch.setattr(Model, "bias", 50.0)
    assert f(x) == model.predict(x)


def test_a_method_is_replaced(monkeypatch):
    model = Model(np.array([1.0, 2.0]))
    f = ag.to_graph(lambda x: model.predict(x) * 2)
    x = np.ones(2)
    assert f(x) == model.predict(x) * 2
    monkeypatch.setattr(Model, "predict", lambda self, x: 4.0)
    assert f(x) == 8.0


def test_an_object_as_an_argument_is_changed():
    f = ag.to_graph(lambda m, x: m.predict(x))
    model, x = Model(np.array([1.0, 2.0])), np.ones(2)
    assert f(model, x) == model.predict(x)
    model.weights[0] = 7.0
    assert f(model, x) == model.predict(x)
    model.weights = np.array([0.0, 1.0])
    assert f(model, x) == model.predict(x)
    other = Model(np.array([9.0, 9.0]))
    assert f(other, x) == other.predict(x)


def test_integers_as_shapes_are_specialised(compilations):
    f = ag.to_graph(lambda n, x: np.full(n, x))
    for n in (2, 3, 2):
        np.testing.assert_array_equal(f(n, 1.5), np.full(n, 1.5))
    np.testing.assert_array_equal(f(3, 2.5), np.full(3, 2.5))
    assert compilations() == 2


@pytest.mark.parametrize(
    "function",
    [
        lambda x, n: x.reshape(n, -1),
        lambda x, n: np.sum(x.reshape(2, 3), axis=n - 1),
        lambda x, n: x[:n],
        lambda x, n: [1.0, 2.0, 3.0][n] * x,
        lambda x, n: [x] * n,
        lambda x, n: np.arange(n) * x[0],
        lambda x, n: np.eye(n),
        lambda x, n: "ab" * n,
        lambda x, n: x * len(range(n)),
        lambda x, n: np.split(x, n),
        lambda x, n: np.zeros((n, n + 1)),
        lambda x, n: {1: x, 2: -x}[n],
        lambda x, n: x.astype(["f4", "f8", "i4"][n]),
    ],
)
def test_uses_of_an_integer_that_must_be_known(function):
    f = ag.to_graph(function)
    x = np.arange(6.0)
    for n in (1, 2, 1):
        found, expected = f(x, n), function(x, n)
        np.testing.assert_equal(found, expected)


def test_float_arguments_are_not_specialised(compilations):
    f = ag.to_graph(lambda x: x if x > 0 else -x)
    for x in (1.0, -1.0, 2.0):
        assert f(x) == abs(x)
    assert compilations() == 1


def test_structure_of_arguments():
    f = ag.to_graph(lambda tree: sum(tree.values()) if isinstance(tree, dict) else sum(tree))
    assert f([1.0, 2.0]) == 3.0
    assert f((1.0, 2.0, 3.0)) == 6.0
    assert f({"a": 1.0}) == 1.0
    assert f({"a": 1.0, "b": 5.0}) == 6.0


def test_order_of_keys_in_a_dict():
    f = ag.to_graph(lambda d: [k for k in d])
    assert f({"a": 1.0, "b": 2.0}) == ["a", "b"]
    assert f({"b": 1.0, "a": 2.0}) == ["b", "a"]


def test_results_are_independent():
    f = ag.to_graph(lambda x: (np.arange(3.0), x * 2))
    first, _ = f(1.0)
    first[0] = 100.0
    np.testing.assert_array_equal(f(1.0)[0], [0.0, 1.0, 2.0])


def test_a_constant_list_is_new_in_each_call():
    f = ag.to_graph(lambda x: ([1, 2], {"x": x}))
    f(1.0)[0].append(3)
    assert f(1.0)[0] == [1, 2]


def test_an_array_from_outside_is_changed_by_the_function():
    counts = np.zeros(3)

    def f(i):
        counts[i] += 1
        return counts.sum()

    compiled = ag.to_graph(f)
    assert [compiled(0), compiled(2), compiled(2)] == [1.0, 2.0, 3.0]
    np.testing.assert_array_equal(counts, [1, 0, 2])


def test_an_array_from_outside_is_returned():
    buffer = np.zeros(3)
    f = ag.to_graph(lambda x: buffer)
    assert f(1.0) is buffer

    def g(x):
        buffer[0] = x
        return buffer

    assert ag.to_graph(g)(4.0) is buffer
    assert buffer[0] == 4.0


def test_errors_are_not_cached():
    f = ag.to_graph(lambda x, y: x + y)
    with pytest.raises(ValueError):
        f(np.ones(2), np.ones(3))
    with pytest.raises(ValueError):
        f(np.ones(2), np.ones(3))
    np.testing.assert_array_equal(f(np.ones(2), np.ones(2)), [2.0, 2.0])


def test_wrong_arguments_raise_type_errors():
    f = ag.to_graph(lambda x, y: x + y)
    for args in ((1.0,), (1.0, 2.0, 3.0)):
        with pytest.raises(TypeError):
            f(*args)
    assert f(1.0, 2.0) == 3.0


def test_a_mutable_default_array():
    def f(x, cache=np.zeros(2)):  # noqa: B008
        cache[0] += x
        return cache[0]

    plain = f(1.0)
    assert plain == 1.0
    assert ag.to_graph(f)(1.0) == 2.0
    assert f.__defaults__[0][0] == 2.0


class Config:
    rate = 0.5


def test_an_attribute_of_a_class_that_is_a_namespace(monkeypatch):
    f = ag.to_graph(lambda x: x * Config.rate)
    assert f(2.0) == 1.0
    monkeypatch.setattr(Config, "rate", 3.0)
    assert f(2.0) == 6.0


def test_an_attribute_of_a_module(monkeypatch, tmp_path):
    (tmp_path / "some_settings.py").write_text("rate = 0.5\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import some_settings

    f = ag.to_graph(lambda x: x * some_settings.rate)
    assert f(2.0) == 1.0
    some_settings.rate = 3.0
    assert f(2.0) == 6.0


def test_what_a_partial_is_bound_to():
    weights, options = np.array([1.0, 2.0]), {"power": 2}
    f = ag.to_graph(
        functools.partial(lambda w, o, x: np.sum(w * x) ** o["power"], weights, options)
    )
    assert f(1.0) == 9.0
    weights[0] = 3.0
    assert f(1.0) == 25.0
    options["power"] = 1
    assert f(1.0) == 5.0


def test_a_bound_object_is_changed():
    class Counter:
        count = 0

        def step(self, x):
            self.count += 1
            return x + self.count

    counter = Counter()
    step = ag.to_graph(counter.step)
    assert [step(1.0), step(1.0), step(3.0)] == [2.0, 3.0, 6.0]
    assert (counter.count, Counter.count) == (3, 0)


def test_the_oldest_graphs_are_forgotten(monkeypatch, compilations):
    """Functions made for each call count by identity: there is no end of them."""
    monkeypatch.setenv("AUTOGRAPH_SIGNATURES", "5")
    f = ag.to_graph(lambda g, x: g(x))
    for i in range(12):
        assert f(lambda v, i=i: v + i, 1.0) == 1.0 + i
    assert len(f._cache) <= 5
    again = ag.to_graph(lambda x, n: x * len([None] * n))  # the value of n is needed
    for n in (*range(8), 0):
        assert again(2.0, n) == 2.0 * n
    assert len(again._cache) <= 5
