"""Derivatives by objects: dataclasses, named tuples, namespaces, models that hold models."""

from collections import namedtuple
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import optree
import pytest

import autograph as ag
from autograph.errors import BatchingError, NonDifferentiableError, TangentError
from tests.support.oracle import assert_near

X = np.array([[0.3, -0.7], [1.1, 0.2], [0.5, 0.4]])
Y = np.array([0.1, 0.4, -0.3])


@dataclass
class Layer:
    w: Any
    b: Any
    act: Any = np.tanh
    name: str = "layer"
    size: int = 2

    def __post_init__(self):
        assert self.w is not None, "a gradient is made without it"

    def __call__(self, x):
        return self.act(x @ self.w + self.b)


@dataclass(frozen=True)
class Frozen:
    layers: list
    scale: float
    tags: tuple = ("a", 1)

    def loss(self, x, y):
        for layer in self.layers:
            x = layer(x)
        return self.scale * np.mean((np.sum(x, axis=1) - y) ** 2)


@dataclass(frozen=True, slots=True)
class Slots:
    layers: list
    scale: float

    loss = Frozen.loss


class Plain:
    def __init__(self, layers, scale, options=None):
        self.layers = layers
        self.scale = scale
        self.options = {"verbose": False, "rate": 0.5}
        if options is not None:
            raise AssertionError("not called for a gradient")

    loss = Frozen.loss


def layers():
    rng = np.random.default_rng(0)
    return [Layer(rng.normal(size=(2, 2)), rng.normal(size=2)) for _ in range(2)]


def of_leaves(leaves):
    """The loss as a function of an array of each parameter: the oracle."""
    first, second, scale = leaves

    def loss(x, y):
        for w, b in (first, second):
            x = np.tanh(x @ w + b)
        return scale * np.mean((np.sum(x, axis=1) - y) ** 2)

    return loss


def oracle(model):
    leaves = ([(layer.w, layer.b) for layer in model.layers], model.scale)
    return ag.grad(lambda p: of_leaves((*p[0], p[1]))(X, Y))(leaves)


MODELS = [
    lambda: Frozen(layers(), 1.5),
    lambda: Slots(layers(), 1.5),
    lambda: Plain(layers(), 1.5),
    lambda: SimpleNamespace(layers=layers(), scale=1.5),
]


def loss(model, x, y):
    return Frozen.loss(model, x, y)


@pytest.mark.parametrize("model", MODELS)
def test_the_gradient_is_an_object_of_the_class(model):
    model = model()
    found = ag.grad(loss)(model, X, Y)
    expected = oracle(model)
    assert type(found) is type(model)
    for layer, (w, b) in zip(found.layers, expected[0]):
        assert type(layer) is Layer
        assert_near(layer.w, w, 1e-12)
        assert_near(layer.b, b, 1e-12)
        assert layer.act is np.tanh and layer.name == "layer" and layer.size is None
    assert_near(found.scale, expected[1], 1e-12)


@pytest.mark.costly
@pytest.mark.parametrize("model", MODELS)
def test_both_modes_to_second_order(model):
    ag.check_grads(loss, (model(), X, Y))


def test_methods():
    model = Frozen(layers(), 1.5)
    found = ag.grad(Frozen.loss)(model, X, Y)
    assert_near(found.scale, oracle(model)[1], 1e-12)
    by_x = ag.grad(model.loss)(X, Y)
    assert by_x.shape == X.shape
    assert_near(by_x, ag.grad(Frozen.loss, argnums=1)(model, X, Y), 1e-12)
    value, found = ag.value_and_grad(Frozen.loss, argnums=(0, 2))(model, X, Y)
    assert_near(value, model.loss(X, Y), 1e-12)
    assert found[0].tags == ("a", None) and found[1].shape == Y.shape


def test_products_and_pullbacks():
    model = Plain(layers(), 1.5)
    gradient = ag.grad(loss)(model, X, Y)
    value, pull = ag.vjp(loss, model, X, Y)
    assert_near(pull(2.0)[0].layers[1].b, 2 * gradient.layers[1].b, 1e-12)
    out, slope = ag.jvp(loss, (model, X, Y), (gradient, None, None))
    square = ag.tree.reduce(lambda a, b: a + np.sum(b * b), gradient, 0.0)
    assert_near(slope, square, 1e-12)
    value, push = ag.linearize(loss, model, X, Y)
    assert_near(push(gradient, None, None), square, 1e-12)
    product = ag.hvp(loss)(model, X, Y, gradient)
    step = 1e-6
    ends = [
        ag.grad(loss)(ag.tree.map(lambda p, g, s=s: p + s * g, model, gradient), X, Y)
        for s in (step, -step)
    ]
    assert_near(product.layers[0].w, (ends[0].layers[0].w - ends[1].layers[0].w) / 2e-6, 1e-6)


def test_hessian_and_jacobians():
    model = Frozen(layers(), 1.5)
    hessian = ag.hessian(loss)(model, X, Y)
    assert type(hessian) is Frozen and type(hessian.layers[0].w) is Frozen
    assert hessian.layers[0].w.layers[1].b.shape == (2, 2, 2)
    gradient = ag.grad(loss)(model, X, Y)
    assert_near(hessian.scale.layers[1].w, gradient.layers[1].w / 1.5, 1e-12)
    for jacobian in (ag.jacfwd, ag.jacrev):
        found = jacobian(lambda layer: layer(X))(model.layers[0])
        assert type(found) is Layer and found.w.shape == (3, 2, 2, 2)


def test_results_that_are_objects():
    def doubled(layer):
        return replace(layer, w=2 * layer.w, b=layer.b**2)

    layer = layers()[0]
    out, pull = ag.vjp(doubled, layer)
    assert type(out) is Layer and out.name == "layer"
    (found,) = pull(replace(out, w=np.ones((2, 2)), b=np.ones(2), size=None))
    assert_near(found.w, np.full((2, 2), 2.0), 1e-12)
    assert_near(found.b, 2 * layer.b, 1e-12)
    nothing = ag.tree.map(lambda leaf: None, out)
    assert_near(pull(nothing)[0].b, 0 * layer.b, 1e-12)
    _, tangent = ag.jvp(doubled, (layer,), (found,))
    assert_near(tangent.w, 2 * found.w, 1e-12)


def test_lanes():
    models = [Frozen(layers(), scale) for scale in (1.0, 2.0, 3.0)]
    stacked = replace(models[0], scale=np.array([1.0, 2.0, 3.0]))
    axes = ag.tree.map(lambda leaf: None, stacked)
    found = ag.vmap(loss, in_axes=(replace(axes, scale=0), None, None))(stacked, X, Y)
    assert_near(found, np.array([model.loss(X, Y) for model in models]), 1e-12)
    scaled = ag.vmap(lambda layer: replace(layer, b=2 * layer.b), in_axes=0)
    layer = Layer(np.ones((3, 2, 2)), np.ones((3, 2)), size=np.arange(3))
    out = scaled(layer)
    assert type(out) is Layer and out.act is np.tanh
    assert_near(out.b, np.full((3, 2), 2.0), 1e-12)
    each = ag.vmap(ag.grad(loss), in_axes=(None, 0, 0))(models[0], X[:, None], Y[:, None])
    assert each.layers[0].w.shape == (3, 2, 2)


def test_a_text_of_a_lane():
    def named(layer):
        return replace(layer, name=f"{np.sum(layer.b):.1f}")

    layer = Layer(np.ones((3, 2, 2)), np.ones((3, 2)), size=np.arange(3))
    with pytest.raises(BatchingError, match="AG0545"):
        ag.vmap(named)(layer)


def test_an_object_in_two_places_is_one():
    shared = layers()[0]
    model = Frozen([shared, shared], 1.0)
    found = ag.grad(loss)(model, X, Y)
    assert found.layers[0] is found.layers[1]
    apart = ag.grad(loss)(Frozen([shared, replace(shared)], 1.0), X, Y)
    assert_near(found.layers[0].w, apart.layers[0].w + apart.layers[1].w, 1e-12)


Point = namedtuple("Point", "x y")


class Registered:
    """Of which the second attribute is no leaf."""

    def __init__(self, value, power):
        self.value = value
        self.power = power
        self.made = True

    def __call__(self, x):
        return np.sum(self.value**self.power * x)


@pytest.fixture(params=["everywhere", "a namespace"])
def registered(request):
    space = "tests.objects"
    if request.param == "everywhere":
        space = getattr(optree.registry, "__GLOBAL_NAMESPACE")
    optree.register_pytree_node(
        Registered,
        lambda item: ((item.value,), item.power),
        lambda power, leaves: Registered(*leaves, power),
        namespace=space,
    )
    yield
    optree.unregister_pytree_node(Registered, namespace=space)


def test_what_is_registered_with_optree(registered):
    x = np.array([2.0, 3.0])
    model = Registered(np.array([1.0, 2.0]), 3.0)
    found = ag.grad(Registered.__call__)(model, x)
    assert_near(found.value, 3 * model.value**2 * x, 1e-12)
    assert found.power == 3.0 and found.made
    _, slope = ag.jvp(lambda m: m(x), (model,), (found,))
    assert_near(slope, np.sum(found.value**2), 1e-12)
    lanes = ag.vmap(lambda m: Registered(m.value * 2, 5))(model)
    assert_near(lanes.value, 2 * model.value, 1e-12)
    with pytest.raises(BatchingError, match="AG0545"):
        ag.vmap(lambda m: Registered(m.value * 2, m.power))(model)

    def step(model, x):
        gradient = ag.grad(Registered.__call__)(model, x)
        moved = ag.tree.map(lambda p, g: p - 0.1 * g, model, gradient)
        return moved, Registered(moved.value * 2, 1.0)

    made, other = ag.to_graph(step)(model, x)
    assert_near(made.value, model.value - 0.1 * found.value, 1e-12)
    assert_near(other.value, 2 * made.value, 1e-12)
    assert type(made) is type(other) is Registered and made.power == 3.0


def test_leaves_that_are_no_floats():
    def area(p):
        return p["at"].x * p["at"].y * p["times"]

    found = ag.grad(area)({"at": Point(2.0, 3.0), "times": 4, "name": "area", "flag": True})
    assert found == {"at": Point(12.0, 8.0), "times": None, "name": None, "flag": None}


def test_in_compiled_functions():
    @dataclass
    class Optimiser:
        rate: float
        steps: int = 0

        def update(self, params, gradients):
            self.steps += 1
            return ag.tree.map(lambda p, g: p - self.rate * g, params, gradients)

    def fit(model, x, y, optimiser, n):
        for _ in range(n):
            model = optimiser.update(model, ag.grad(Frozen.loss)(model, x, y))
        return model

    given = Frozen(layers(), 1.5), X, Y
    compiled, plain = Optimiser(0.1), Optimiser(0.1)
    found, expected = ag.to_graph(fit)(*given, compiled, 5), fit(*given, plain, 5)
    assert type(found) is Frozen and (compiled.steps, plain.steps) == (5, 5)
    assert_near(found.layers[0].w, expected.layers[0].w, 1e-12)
    assert found.layers[0].size == 2 and found.tags == ("a", 1)


def test_recursion():
    @dataclass
    class Tree:
        value: float
        children: list = field(default_factory=list)

    def total(node):
        return node.value**2 + sum(total(child) for child in node.children)

    tree = Tree(1.0, [Tree(2.0), Tree(3.0, [Tree(4.0)])])
    found = ag.grad(total)(tree)
    assert found == Tree(2.0, [Tree(4.0), Tree(6.0, [Tree(8.0)])])


def test_errors_name_the_leaf():
    params = {"layers": layers()}

    def model(params, x):
        return params["layers"][0](x)

    with pytest.raises(NonDifferentiableError, match=r"holds no floats: p\['n'\] is int, p\['t'\]"):
        ag.grad(lambda p: 1.0)({"n": 2, "t": "x"})
    wrong = {"layers": [replace(params["layers"][0], b=np.ones(3)), params["layers"][1]]}
    wrong = ag.tree.map(lambda leaf: None if isinstance(leaf, int) else leaf, wrong)
    with pytest.raises(TangentError, match=r"belongs to params\['layers'\]\[0\]\.b, f64\[2\]"):
        ag.jvp(model, (params, X), (wrong, X))
    with pytest.raises(TangentError, match="expected a Layer"):
        ag.jvp(model, (params, X), ({"layers": [1.0, 2.0]}, X))
    with pytest.raises(BatchingError, match=r"argument params\['layers'\]\[0\]\.size is int"):
        ag.vmap(model)(params, X)
