"""Fields of dataclasses that are configuration."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest

import autograph as ag
from autograph import nn
from autograph.errors import BranchMismatchError


@dataclass
class Scaled:
    weight: np.ndarray
    bias: float
    shape: tuple = nn.static(default=(2, 3))
    scale: float = nn.static(default=0.5)
    twice: bool = nn.static(default=False)
    activation: Callable = nn.static(default=np.tanh)

    def __call__(self, x):
        if self.twice:
            x = x * 2
        x = x.reshape(self.shape) @ self.weight + self.bias
        return self.activation(x) * self.scale


def model(**kwargs):
    return Scaled(np.array([0.1, -0.2, 0.3]), 0.25, **kwargs)


def apply(model, x):
    return model(x)


X = np.linspace(-1.0, 1.0, 6)


@pytest.mark.parametrize(
    "settings",
    [{}, {"scale": 3.0, "twice": True}, {"shape": (1, 2, 3)}, {"activation": lambda x: x**2}],
)
def test_a_function_is_compiled_for_what_is_static(settings):
    given = model(**settings)
    np.testing.assert_array_equal(ag.to_graph(apply)(given, X), given(X))


def test_numbers_of_static_fields_are_no_inputs():
    compiled = ag.to_graph(apply)
    assert len(compiled.graph(model(), X).main.inputs) == 3


def test_another_number_is_another_signature_and_an_equal_one_is_not():
    compiled, counts = ag.to_graph(apply), []
    for scale in (1, 1.0, True, 1.0, 0.0, -0.0, 0.0):
        assert compiled(model(scale=scale), X).dtype == float
        counts.append(len(compiled._cache))
    assert counts == [1, 2, 3, 3, 4, 5, 5]


def test_they_are_no_leaves_and_stay_what_they_are():
    given = model(scale=2.0)
    assert len(ag.tree.leaves(given)) == 2
    assert repr(ag.tree.structure(given)).startswith("Nesting(Scaled(weight=*, bias=*, activation=")
    gradient = ag.grad(lambda model: np.sum(model(X)))(given)
    assert (gradient.shape, gradient.scale, gradient.twice) == ((2, 3), 2.0, False)
    assert gradient.activation is np.tanh
    step = ag.tree.map(lambda p, g: p - g, given, gradient)
    assert (step.scale, step.bias) == (2.0, given.bias - gradient.bias)


def test_structures_of_trees_that_differ_in_them_differ():
    assert ag.tree.structure(model()) == ag.tree.structure(model())
    assert ag.tree.structure(model()) != ag.tree.structure(model(scale=1.0))


@pytest.mark.parametrize("slots, frozen", [(False, False), (True, False), (False, True)])
def test_objects_made_by_compiled_code_have_them(slots, frozen):
    @dataclass(slots=slots, frozen=frozen)
    class Pair:
        a: np.ndarray
        n: int = nn.static(default=2)

    def made(x):
        pair = Pair(x, n=3)
        for _ in range(pair.n):
            pair = Pair(pair.a + 1, pair.n + 1)
        return pair

    found = ag.to_graph(made)(X)
    assert type(found.n) is int and found.n == 6
    np.testing.assert_array_equal(found.a, X + 3)


def test_a_change_reaches_the_caller():
    def change(model, x):
        model.twice = True
        model.bias = model.bias + 1
        return model(x)

    ours, theirs = model(), model()
    np.testing.assert_array_equal(ag.to_graph(change)(ours, X), change(theirs, X))
    assert (ours.twice, ours.bias) == (theirs.twice, theirs.bias) == (True, 1.25)


def test_branches_that_leave_other_numbers_are_refused():
    def change(model, x):
        if x[0] > 0:
            model.scale = 2.0
        return model(x)

    with pytest.raises(BranchMismatchError, match=r"scale=2.0.* and .*scale=0.5"):
        ag.to_graph(change)(model(), X)


def test_a_value_that_is_computed_is_an_attribute_like_others():
    def made(x):
        return Scaled(x[:3], x[0], scale=x[1])(x)

    np.testing.assert_allclose(ag.to_graph(made)(X), made(X), rtol=1e-15)
    np.testing.assert_allclose(
        ag.grad(lambda x: np.sum(made(x)))(X),
        [(np.sum(made(X + h)) - np.sum(made(X - h))) / 2e-6 for h in 1e-6 * np.eye(6)],
        rtol=1e-7,
    )


def test_objects_inherit_them_and_hold_others():
    @dataclass
    class Both(Scaled):
        inner: list = field(default_factory=list)
        power: int = nn.static(default=2)

        def __call__(self, x):
            y = super().__call__(x)
            for layer in self.inner:
                y = y + layer(x) ** self.power
            return y

    given = Both(np.ones(3), 0.5, inner=[model(), model(scale=2.0)], power=3)
    np.testing.assert_array_equal(ag.to_graph(apply)(given, X), given(X))
    gradient = ag.grad(lambda m: np.sum(m(X)))(given)
    assert [layer.scale for layer in gradient.inner] == [0.5, 2.0]
    assert len(ag.tree.leaves(gradient)) == 6
    lanes = ag.vmap(given)(np.stack([X, 2 * X]))
    np.testing.assert_allclose(lanes, [given(X), given(2 * X)], rtol=1e-14)


def test_an_object_of_configuration_alone_has_no_leaves():
    layers = [nn.MaxPool(2), nn.Dropout(0.5), np.ones(2)]
    assert len(ag.tree.leaves(layers)) == 1
    doubled = ag.tree.map(lambda leaf: 2 * leaf, layers)
    assert doubled[:2] == layers[:2] and doubled[2][0] == 2.0
    assert ag.tree.leaves(nn.MaxPool(2)) == []

    def total(layers):
        return np.sum(layers[0](np.ones((1, 1, 2, 2)))) * np.sum(layers[2])

    assert ag.grad(total)(layers)[:2] == layers[:2]
