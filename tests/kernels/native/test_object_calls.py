"""Calls with objects, which machine code takes apart as the look-up does."""

import copy
import enum
import sys
import unittest.mock
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
import ops
from autograph import nn, optim


@dataclass
class Layer:
    weight: Any
    bias: Any = None
    steps: int = field(default=1, metadata={"static": True})
    rate: float = field(default=0.5, metadata={"static": True})
    shape: tuple = field(default=(1, 2), metadata={"static": True})
    function: Any = field(default=np.sin, metadata={"static": True})

    def __call__(self, x):
        for _ in range(self.steps):
            x = self.function(x * self.weight) * self.rate
        return x if self.bias is None else x + self.bias * self.shape[1]


@dataclass
class Model:
    layers: list
    scale: float = 1.0
    names: Any = ("a", "b")

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x * self.scale


class Moments(NamedTuple):
    mean: Any
    other: Any


class Others(NamedTuple):
    mean: Any
    other: Any


@dataclass(frozen=True)
class Frozen:
    weight: Any


@dataclass
class Slotted:
    __slots__ = ("weight",)
    weight: Any


class Kind(enum.Enum):
    ONE = 1
    TWO = 2


def model(count=2, **options):
    layers = [Layer(np.full(3, 0.5 + k), np.ones(3)) for k in range(count)]
    return Model(layers, **options)


def looked_up(function, *calls):
    """How many of some calls the look-up had."""
    with unittest.mock.patch.object(
        type(function), "_look_up", autospec=True, side_effect=type(function)._look_up
    ) as looked:
        for args in calls:
            function(*args)
    return looked.call_count


X = np.linspace(0.1, 1.0, 3)
ARGUMENTS = {
    "a model": lambda: (model(), X),
    "by name": lambda: (SimpleNamespace(a=X, b=[1.5, {"c": 2}]), X),
    "frozen": lambda: (Frozen(X), X),
    "in a tuple": lambda: ((Frozen(X), Frozen(2.0)), X),
    "in a tuple with names": lambda: (Moments(Frozen(X), 1.0), X),
    "of the library": lambda: (nn.Dense(np.eye(3), X), X),
    "state of an optimiser": lambda: (optim.adam(0.1).init(Frozen(X)), X),
    "constants of many kinds": lambda: (
        Layer(X, steps=2, rate=0.0, shape=(1, (2.5, "b", None)), function=np.tanh),
        X,
    ),
}


def read(value, x):
    """A sum of all numbers in a structure."""
    total = np.sum(x)
    for leaf in ag.tree.leaves(value):
        total = total + np.sum(leaf)
    return total


@pytest.mark.parametrize("name", ARGUMENTS)
def test_calls_that_are_alike_need_no_look_up(name):
    function = ag.to_graph(read)
    first, *others = (ARGUMENTS[name]() for _ in range(5))
    kept = tuple(copy.copy(a) for a in first)  # constants are those of the first
    function(*first)
    assert looked_up(function, first, kept) == 0
    assert function(*first) == read(*first)
    for args in others:
        assert function(*args) == read(*args)


CHANGES = {
    "nothing": lambda m: m,
    "a weight": lambda m: replace(m, layers=[Layer(np.full(3, 2.0), np.ones(3)), m.layers[1]]),
    "a shape": lambda m: replace(m, layers=[Layer(np.full((2, 3), 2.0))]),
    "a dtype": lambda m: replace(m, layers=[Layer(np.float32([1, 2, 3]))]),
    "no bias": lambda m: replace(m, layers=[replace(m.layers[0], bias=None), m.layers[1]]),
    "a number of steps": lambda m: replace(m, layers=[replace(m.layers[0], steps=3)] * 1),
    "a float that is configuration": lambda m: replace(m, layers=[replace(m.layers[0], rate=0.0)]),
    "its sign": lambda m: replace(m, layers=[replace(m.layers[0], rate=-0.0)]),
    "a tuple": lambda m: replace(m, layers=[replace(m.layers[0], shape=(1, 3))]),
    "the types in it": lambda m: replace(m, layers=[replace(m.layers[0], shape=(1, 2.0))]),
    "a function": lambda m: replace(m, layers=[replace(m.layers[0], function=np.cos)]),
    "an int": lambda m: replace(m, scale=2),
    "a NumPy number": lambda m: replace(m, scale=np.float32(2)),
    "fewer layers": lambda m: replace(m, layers=m.layers[:1]),
    "the same layer twice": lambda m: replace(m, layers=[m.layers[0]] * 2),
    "another class": lambda m: SimpleNamespace(**vars(m), __call__=None) and Other(**vars(m)),
}


@dataclass
class Other(Model):
    def __call__(self, x):
        return x - self.scale


@pytest.mark.parametrize("second", CHANGES)
@pytest.mark.parametrize(
    "first", ["nothing", "the same layer twice", "a float that is configuration"]
)
def test_what_is_called_with_something_else(first, second):
    def apply(m, x):
        return m(x)

    compiled = ag.to_graph(apply)
    a, b = CHANGES[first](model()), CHANGES[second](model())
    for m in (a, b, a, a, b, b):
        expected, found = apply(m, X), compiled(m, X)
        np.testing.assert_array_equal(np.signbit(found), np.signbit(expected))
        np.testing.assert_allclose(found, expected, rtol=1e-12)
        assert np.asarray(found).dtype == np.asarray(expected).dtype


def test_attributes_that_come_and_go():
    def total(m, x):
        return x * m.a + (m.b if hasattr(m, "b") else 100.0)

    compiled, m = ag.to_graph(total), SimpleNamespace(a=2.0)
    for change in (lambda: None, lambda: setattr(m, "b", 3.0), lambda: delattr(m, "b")):
        change()
        for _ in range(3):
            assert compiled(m, 1.5) == total(m, 1.5)


def test_attributes_in_another_order():
    def names(m):
        return [np.sum(x) for x in vars(m).values()]

    compiled = ag.to_graph(names)
    one, other = SimpleNamespace(a=1.0, b=2.0), SimpleNamespace(b=2.0, a=1.0)
    for m in (one, one, other, other, one):
        assert compiled(m) == names(m)


class Shared:
    factor = 2.0
    table: ClassVar = [1.0]

    def __init__(self, x):
        self.x = x

    def scaled(self):
        return self.x * self.factor + self.table[0]


def test_what_a_class_has_is_asked_for_as_well():
    def apply(m):
        return m.scaled()

    compiled, m = ag.to_graph(apply), Shared(3.0)
    try:
        for change in (
            lambda: None,
            lambda: setattr(Shared, "factor", 3.0),
            lambda: Shared.table.__setitem__(0, 5.0),
            lambda: setattr(Shared, "scaled", lambda self: self.x - 1.0),
            lambda: setattr(Shared, "x", property(lambda self: 7.0, lambda self, x: None)),
        ):
            change()
            for _ in range(3):
                assert compiled(m) == apply(m)
    finally:
        del Shared.x


def test_whether_two_arguments_are_one_object():
    def told(a, b):
        return 1.0 if a is b else a.weight + b.weight

    compiled, a, b = ag.to_graph(told), Frozen(2.0), Frozen(3.0)
    for args in ((a, b), (a, b), (a, a), (a, b), (b, b), (b, a)):
        assert compiled(*args) == told(*args)


def test_whether_two_lists_are_one():
    def told(a, b):
        return 1.0 if a is b else a[0] + b[0]

    compiled, a, b = ag.to_graph(told), [2.0], [3.0]
    for args in ((a, a), (a, b), (a, b), (a, a), (a, b), (b, b), (b, a)):
        assert compiled(*args) == told(*args)

    def in_dicts(d):
        return 1.0 if d["a"] is d["b"] else d["a"]["x"] + d["b"]["x"]

    compiled, a, b = ag.to_graph(in_dicts), {"x": 2.0}, {"x": 3.0}
    for one, other in ((a, b), (a, b), (a, a), (a, b)):
        d = {"a": one, "b": other}
        assert compiled(d) == in_dicts(d)


def test_tuples_with_names_of_different_classes():
    def told(m):
        return m.mean * (2.0 if isinstance(m, Others) else 1.0)

    compiled = ag.to_graph(told)
    for m in (Moments(1.0, 2.0), Moments(3.0, 2.0), Others(1.0, 2.0), Moments(1.0, 2.0)):
        assert compiled(m) == told(m)


def test_other_objects_are_looked_up():
    for value in (Slotted(2.0), {"kind": Kind.TWO, "m": Frozen(1.0)}):

        def told(m):
            if isinstance(m, Slotted):
                return m.weight * 2
            return m["m"].weight * m["kind"].value

        compiled = ag.to_graph(told)
        for _ in range(3):
            assert compiled(value) == told(value)


def test_an_object_that_changes_between_calls():
    def apply(m, x):
        return m(x)

    compiled, m = ag.to_graph(apply), model()
    for change in (
        lambda: None,
        lambda: setattr(m, "scale", 3.0),
        lambda: setattr(m.layers[0], "weight", np.full(3, 9.0)),
        lambda: m.layers.append(Layer(X)),
        lambda: setattr(m.layers[0], "steps", 4),
        lambda: m.layers.reverse(),
        lambda: setattr(m, "names", ("c",)),
        lambda: setattr(m, "scale", None) or setattr(m, "scale", np.ones(3)),
    ):
        change()
        for _ in range(3):
            np.testing.assert_allclose(compiled(m, X), apply(m, X), rtol=1e-12)


def test_steps_of_training_need_no_look_up():
    rule = optim.adam(0.1)

    @ag.to_graph
    def step(m, state, x):
        slope = ag.grad(lambda m: np.sum(m(x) ** 2))(m)
        updates, state = rule.update(slope, state, m)
        return optim.apply_updates(m, updates), state

    m = nn.MLP.make(ops.random.key(0), [3, 4, 2], np.tanh)
    state, x = rule.init(m), np.ones((5, 3), np.float32)
    for _ in range(3):
        m, state = step(m, state, x)
    assert looked_up(step, (m, state, x), (m, state, x)) == 0


def test_references_and_memory():

    function = ag.to_graph(lambda m, x: m.weight * x)
    m = Frozen(X)
    for _ in range(3):
        function(m, X)
    counts = sys.getrefcount(m), sys.getrefcount(vars(m)), sys.getrefcount(m.weight)
    for _ in range(1000):
        function(m, X)
    assert counts == (sys.getrefcount(m), sys.getrefcount(vars(m)), sys.getrefcount(m.weight))


def test_a_class_that_is_changed_where_it_is_nothing_to_the_function():
    class Body:
        gain = 2.0

        def __init__(self):
            self.x = 1.0

        def scaled(self, x):
            return self.x * self.gain * x

    body = Body()
    inside, given = ag.to_graph(lambda x: body.scaled(x)), ag.to_graph(lambda b, x: b.scaled(x))
    for _ in range(2):  # recording one changes the class for the other
        assert inside(1.0) == 2.0 == given(body, 1.0)
    assert looked_up(inside, (1.0,)) == 0 == looked_up(given, (body, 1.0))
    Body.other = 1
    for _ in range(2):
        assert inside(1.0) == 2.0 == given(body, 1.0)
    assert looked_up(inside, (1.0,)) == 0 == looked_up(given, (body, 1.0))
    Body.gain = 3.0
    assert inside(1.0) == 3.0 == given(body, 1.0)
    Body.scaled = lambda self, x: -x
    assert inside(1.0) == -1.0 == given(body, 1.0)


def test_a_base_and_a_metaclass_that_are_changed():
    class Meta(type):
        rate = 1.0

    class Base:
        gain = 2.0

    class Body(Base, metaclass=Meta):
        __slots__ = ("x",)

    class Plain(Base):
        pass

    for kind in (Body, Plain):
        body = kind()
        body.x = 1.0
        f = ag.to_graph(lambda x, b=body: b.x * b.gain * x)
        g = ag.to_graph(lambda b, x: b.x * type(b).gain * x)
        for gain in (2.0, 2.0, 3.0, 3.0):
            Base.gain = gain
            assert f(1.0) == gain == g(body, 1.0)
        Base.gain = 2.0


def test_what_an_object_outside_holds():
    class Part:
        def __init__(self):
            self.x = 1.0

    class Body:
        def __init__(self):
            self.part, self.items, self.table = Part(), [1.0, (2.0, "a")], {"n": 3, 4: 0.5}
            self.weights, self.function = np.ones(2), np.tanh

    body = Body()
    f = ag.to_graph(
        lambda x: (
            body.part.x * x
            + body.items[1][0]
            + body.table["n"]
            + body.table[4]
            + body.function(body.weights).sum()
        )
    )

    def check():
        expected = body.part.x + body.items[1][0] + body.table["n"] + body.table[4]
        np.testing.assert_allclose(f(1.0), expected + body.function(body.weights).sum())

    check()
    assert looked_up(f, (1.0,), (2.0,)) == 0
    body.weights[:] = 3.0
    check()
    assert looked_up(f, (1.0,)) == 0
    for change in (
        lambda: setattr(body, "function", np.sin),
        lambda: setattr(body, "part", Part()),
        lambda: setattr(body.part, "x", -0.0),
        lambda: setattr(body.part, "x", 0.0),
        lambda: body.items.__setitem__(1, (5.0, "a")),
        lambda: body.table.update(n=7),
        lambda: body.table.__setitem__(4, np.float64(1.5)),
        lambda: setattr(body, "weights", np.ones(3)),
        lambda: setattr(body, "items", [1.0, (2.5, "b")]),
    ):
        change()
        check()
        check()


def test_what_a_class_holds():
    class Settings:
        rates, scale, name = {"a": 1.0, "b": [2.0, 3]}, np.float64(0.5), "first"
        weights = np.ones(2)

    class Body:
        def __init__(self):
            self.x, self.limit = 1.0, np.float64(4.0)

        def scaled(self, x):
            return x * Settings.rates["a"] + Settings.rates["b"][1] * self.x * Settings.scale

    body = Body()
    f = ag.to_graph(lambda x: body.scaled(x) + Settings.weights.sum() + body.limit)

    def check():
        assert f(2.0) == body.scaled(2.0) + Settings.weights.sum() + body.limit

    check()
    check()
    assert looked_up(f, (1.0,)) == 0
    for change in (
        lambda: Settings.rates.update(a=3.0),
        lambda: Settings.rates["b"].__setitem__(1, 4),
        lambda: Settings.rates.__setitem__("b", [2.0, 4]),
        lambda: setattr(Settings, "scale", np.float64(0.25)),
        lambda: setattr(Settings, "weights", np.zeros(2)),
        lambda: Settings.weights.fill(2.0),
        lambda: setattr(body, "limit", np.float64(4.0)),
        lambda: setattr(body, "limit", np.float64(5.0)),
    ):
        change()
        check()
        check()
