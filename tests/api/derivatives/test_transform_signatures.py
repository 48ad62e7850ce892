"""How the transforms take functions, and functions take arguments through them."""

from __future__ import annotations

import collections
import copy
import functools
import gc
import inspect
import pickle
import types
import weakref
from typing import Any, NamedTuple

import numpy as np
import optree
import pytest

import autograph as ag
from autograph import errors
from tests.support.oracle import assert_same
from tests.support.threads import in_threads

X = np.array([1.0, 2.0])


def weighted(x, y=2.0, *rest, scale=1.0, **more):
    """A function with every kind of parameter."""
    total = np.sum(x * x * y) * scale
    for r in rest:
        total = total + np.sum(r * x)
    for name in more:
        total = total + more[name] * np.sum(x)
    return total


# What each transform of the gradient's kind gives, made of value and gradient.
OF_GRADIENT = {
    "grad": lambda value, gradient: gradient,
    "value_and_grad": lambda value, gradient: (value, gradient),
    "jacfwd": lambda value, gradient: gradient,
    "jacrev": lambda value, gradient: gradient,
}
TRANSFORMS = [*OF_GRADIENT, "hessian", "hvp", "vmap", "to_graph", "checkpoint"]
TRANSFORMS += ["custom_vjp", "custom_jvp"]


# -- what a transform says of itself ---------------------------------------------------------------


@pytest.mark.parametrize("name", TRANSFORMS)
def test_metadata(name):
    made = getattr(ag, name)(weighted)
    assert (made.__name__, made.__qualname__, made.__module__) == ("weighted", "weighted", __name__)
    assert made.__doc__ == weighted.__doc__
    assert made.__wrapped__ is weighted
    assert inspect.signature(made) == inspect.signature(weighted)


# The parameters of JAX's functions of the same names; its first one is called `fun`. What it does
# not have, `memory`, is given by keyword.
SIGNATURES = {
    "grad": "function, argnums=0, has_aux=False, holomorphic=False, *, memory=None",
    "value_and_grad": "function, argnums=0, has_aux=False, holomorphic=False, *, memory=None",
    "jacfwd": "function, argnums=0, has_aux=False, holomorphic=False",
    "jacrev": "function, argnums=0, has_aux=False, holomorphic=False, *, memory=None",
    "hessian": "function, argnums=0, has_aux=False, holomorphic=False, *, memory=None",
    "jvp": "function, primals, tangents, has_aux=False",
    "vjp": "function, *args, has_aux=False, memory=None",
    "linearize": "function, *primals, has_aux=False",
    "vmap": "function, in_axes=0, out_axes=0, axis_name=None, axis_size=None",
    "custom_vjp": "function, nondiff_argnums=()",
    "custom_jvp": "function, nondiff_argnums=()",
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures(name):
    signature = inspect.signature(getattr(ag, name))
    plain = [p.replace(annotation=inspect.Parameter.empty) for p in signature.parameters.values()]
    assert str(inspect.Signature(plain)) == f"({SIGNATURES[name]})"


@pytest.mark.parametrize("name", [name for name in ag.__all__ if name[0].islower()])
def test_docstrings(name):
    assert len(inspect.getdoc(getattr(ag, name)).splitlines()[0]) > 20


# -- arguments -------------------------------------------------------------------------------------

CALLS = {
    "by position": ((X, 3.0), {}, 15.0, 6.0 * X),
    "a default": ((X,), {}, 10.0, 4.0 * X),
    "by keyword": ((X,), {"y": 3.0}, 15.0, 6.0 * X),
    "keyword only": ((X,), {"scale": 3.0}, 30.0, 12.0 * X),
    "all kinds": ((X, 1.0, X, X), {"scale": 2.0, "extra": 1.0}, 23.0, 8.0 * X - 1.0),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("name", OF_GRADIENT)
def test_kinds_of_arguments(name, call):
    args, kwargs, value, gradient = CALLS[call]
    if call == "all kinds":
        gradient = 4.0 * X + 2.0 * X + 1.0
    found = getattr(ag, name)(weighted)(*args, **kwargs)
    assert_same(found, OF_GRADIENT[name](np.float64(value), gradient), name)
    inside = ag.to_graph(lambda *args, **kwargs: getattr(ag, name)(weighted)(*args, **kwargs))
    assert_same(inside(*args, **kwargs), found, name)


@pytest.mark.parametrize("call", CALLS)
def test_kinds_of_arguments_of_second_derivatives(call):
    args, kwargs, _, _ = CALLS[call]
    factor = 2.0 * (args[1] if len(args) > 1 else kwargs.get("y", 2.0)) * kwargs.get("scale", 1.0)
    np.testing.assert_allclose(ag.hessian(weighted)(*args, **kwargs), factor * np.eye(2))
    np.testing.assert_allclose(ag.hvp(weighted)(*args, X, **kwargs), factor * X)


def test_kinds_of_arguments_of_lanes():
    rows = np.stack([X, 3.0 * X])
    for args, kwargs in [
        ((rows,), {}),
        ((rows, X), {}),
        ((rows,), {"y": X}),
        ((rows,), {"scale": X}),
        ((rows, X, rows), {"scale": X, "extra": X}),
    ]:
        found = ag.vmap(weighted)(*args, **kwargs)
        one = lambda i, args=args, kwargs=kwargs: weighted(
            *[a[i] for a in args], **{k: v[i] for k, v in kwargs.items()}
        )
        np.testing.assert_allclose(found, [one(0), one(1)])


@pytest.mark.parametrize("argnums", [0, 2, -1, (0, 2), [2, 0], np.int64(0), range(0, 3, 2), ()])
def test_argnums(argnums):
    gradients = {0: 3.0 * X, 2: X}
    several = not isinstance(argnums, (int, np.integer))
    positions = [n % 3 for n in (argnums if several else [argnums])]
    wanted = tuple(gradients[n] for n in positions)
    for transform in (ag.grad, ag.jacrev, ag.jacfwd):
        found = transform(weighted, argnums)(X, 1.0, X)
        assert_same(found, wanted if several else wanted[0], "gradient")


class Pair(NamedTuple):
    w: Any
    b: Any


def assert_near(found, wanted):
    """Nested alike, None included, and the same numbers."""
    leaves, spec = optree.tree_flatten(found, none_is_leaf=True)
    others, wanted_spec = optree.tree_flatten(wanted, none_is_leaf=True)
    assert spec == wanted_spec
    for x, y in zip(leaves, others):
        assert (x is None) == (y is None)
        if y is not None:
            np.testing.assert_allclose(x, y)


CONTAINERS = {
    "tuple": (X, 2.0),
    "list": [X, 2.0],
    "dict": {"w": X, "b": 2.0},
    "named tuple": Pair(X, 2.0),
    "ordered dict": collections.OrderedDict(w=X, b=2.0),
    "default dict": collections.defaultdict(float, w=X, b=2.0),
    "with None": {"w": X, "b": 2.0, "none": None},
    "nested": {"w": X, "b": 2.0, "more": [(), {}, (None, [])]},
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_containers(name):
    def loss(p):
        w, b = p if isinstance(p, (tuple, list)) else (p["w"], p["b"])
        return np.sum(w * w) * b

    given = CONTAINERS[name]
    gradient = ag.grad(loss)(given)
    assert type(gradient) is type(given)
    for found in (ag.jacrev(loss)(given), ag.jacfwd(loss)(given), ag.vjp(loss, given)[1](1.0)[0]):
        assert_near(found, gradient)
    assert_near(ag.hvp(loss)(given, given), ag.jvp(ag.grad(loss), (given,), (given,))[1])
    value, slope = ag.jvp(loss, (given,), (given,))
    assert (value, slope) == (10.0, 30.0)
    assert ag.linearize(loss, given)[1](given) == 30.0


def test_lanes_of_containers_with_none():
    loss = lambda p: np.sum(p["w"] ** 3)
    rows = {"w": np.stack([X, X + 1.0]), "b": None}
    found = ag.vmap(ag.grad(loss))(rows)
    assert found["b"] is None
    np.testing.assert_allclose(found["w"], 3.0 * rows["w"] ** 2)


# -- kinds of functions ----------------------------------------------------------------------------


class Model:
    def __init__(self, w):
        self.w = w

    def loss(self, x):
        return np.sum(self.w * x * x)

    def __call__(self, x):
        return self.loss(x)

    @staticmethod
    def fixed(x):
        return 3.0 * np.sum(x * x)

    @classmethod
    def of_class(cls, x):
        return cls(3.0).loss(x)

    @functools.partial(ag.grad, argnums=1)
    def gradient(self, x):
        return self.loss(x)

    @functools.partial(ag.vmap, in_axes=(None, 0))
    def lanes(self, x):
        return self.w * x


MODEL = Model(3.0)
FUNCTIONS = {
    "method": MODEL.loss,
    "callable object": MODEL,
    "static method": MODEL.fixed,
    "class method": MODEL.of_class,
    "lambda": lambda x: np.sum(3.0 * x * x),
    "partial": functools.partial(weighted, y=3.0),
    "partial of a partial": functools.partial(functools.partial(weighted, scale=3.0), y=1.0),
    "partial by position": functools.partial(lambda w, x: np.sum(w * x * x), 3.0),
    "compiled": ag.to_graph(MODEL.fixed),
    "compiled twice": ag.to_graph(ag.to_graph(MODEL.fixed)),
    "checkpointed": ag.checkpoint(MODEL.loss),
    "gradient of a function": lambda x: ag.grad(lambda c: c * MODEL.loss(x))(1.0),
    "lanes": lambda x: np.sum(ag.vmap(ag.to_graph(lambda z: 3.0 * z * z))(x)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_kinds_of_functions(name):
    f = FUNCTIONS[name]
    for transform in (ag.grad, ag.jacfwd, ag.jacrev, lambda f: ag.to_graph(ag.grad(f))):
        np.testing.assert_allclose(transform(f)(X), 6.0 * X)
    np.testing.assert_allclose(ag.hessian(f)(X), 6.0 * np.eye(2))
    assert ag.jvp(f, (X,), (X,)) == (15.0, 30.0)
    np.testing.assert_allclose(ag.vjp(f, X)[1](1.0)[0], 6.0 * X)
    assert ag.linearize(f, X)[1](X) == 30.0
    rows = np.stack([X, X + 1.0])
    np.testing.assert_allclose(ag.vmap(f)(rows), 3.0 * np.sum(rows**2, axis=1))
    np.testing.assert_allclose(ag.vmap(ag.grad(f))(rows), 6.0 * rows)


def test_transforms_as_decorators_of_methods():
    np.testing.assert_allclose(MODEL.gradient(X), 6.0 * X)
    np.testing.assert_allclose(MODEL.lanes(X), 3.0 * X)


def test_compiled_functions_of_compiled_functions():
    cube = ag.to_graph(lambda z: z**3)
    made = ag.to_graph(ag.grad(ag.to_graph(ag.vmap(ag.to_graph(ag.grad(cube))), static_argnums=())))
    with pytest.raises(errors.NonScalarOutputError):
        made(X)
    np.testing.assert_allclose(ag.jacrev(ag.vmap(ag.grad(cube)))(X), np.diag(6.0 * X))
    np.testing.assert_allclose(ag.vmap(ag.grad(ag.checkpoint(ag.grad(cube))))(X), 6.0 * X)


def outward(x):
    y = x * np.sum(x)
    while np.sum(y) < 20.0:
        y = 1.5 * y + x
    return y


@pytest.mark.parametrize("f", [lambda x: np.sin(x) * np.sum(x), outward])
def test_jacobians_made_by_hand(f):
    """What vjp and linearize return, for all unit vectors at once."""
    wanted = ag.jacfwd(f)(X)
    np.testing.assert_allclose(ag.jacrev(f)(X), wanted)
    _, push = ag.linearize(f, X)
    np.testing.assert_allclose(ag.vmap(push, out_axes=1)(np.eye(2)), wanted)
    np.testing.assert_allclose(ag.jacfwd(push)(X), wanted)
    np.testing.assert_allclose(ag.to_graph(lambda v: 2.0 * push(v))(X), 2.0 * wanted @ X)
    row = lambda ct: ag.vjp(f, X)[1](ct)[0]
    np.testing.assert_allclose(ag.vmap(row)(np.eye(2)), wanted)
    rows = ag.to_graph(lambda x: ag.vmap(ag.vjp(f, x)[1])(np.eye(2))[0])
    np.testing.assert_allclose(rows(X), wanted)
    columns = ag.to_graph(lambda x: ag.vmap(ag.linearize(f, x)[1], out_axes=1)(np.eye(2)))
    np.testing.assert_allclose(columns(X), wanted)


# -- what is kept ----------------------------------------------------------------------------------

ANEW = {
    "grad": lambda f: ag.grad(f)(X),
    "value_and_grad": lambda f: ag.value_and_grad(f)(X),
    "argnums": lambda f: ag.grad(f, (0,))(X),
    "jacfwd": lambda f: ag.jacfwd(f)(X),
    "jacrev": lambda f: ag.jacrev(f)(X),
    "hessian": lambda f: ag.hessian(f)(X),
    "hvp": lambda f: ag.hvp(f)(X, X),
    "vmap": lambda f: ag.vmap(f)(X[None]),
    "vmap of grad": lambda f: ag.vmap(ag.grad(f), in_axes=(0,))(X[None]),
    "jvp": lambda f: ag.jvp(f, (X,), (X,)),
    "vjp": lambda f: ag.vjp(f, X)[1](1.0),
    "linearize": lambda f: ag.linearize(f, X)[1](X),
    "grad of checkpoint": lambda f: ag.grad(ag.checkpoint(f, loops="sqrt"))(X),
}


@pytest.mark.parametrize("name", ANEW)
def test_a_transform_made_anew_is_compiled_once(name, caplog):
    f = lambda x: np.sum(x**3)
    with caplog.at_level("INFO", logger="autograph"):
        ANEW[name](f)
        once = len(caplog.records)
        for _ in range(3):
            ANEW[name](f)
    assert len(caplog.records) == once > 0


@pytest.mark.parametrize("name", ANEW)
def test_what_is_compiled_goes_with_its_function(name):
    class Data(np.ndarray):
        pass

    def used():
        data = np.ones(2)
        f = lambda x: np.sum(x**3 * data)
        ANEW[name](f)
        return weakref.ref(f)

    held = [used() for _ in range(3)]
    gc.collect()
    assert [ref() for ref in held] == [None] * 3


def test_functions_that_wrap_others_are_others():
    def f(x):
        return x * x

    assert ag.grad(f)(3.0) == 6.0

    @functools.wraps(f)
    def doubled(x):
        return 2.0 * f(x)

    assert ag.grad(doubled)(3.0) == 12.0
    assert ag.grad(f)(3.0) == 6.0


def test_options_make_others():
    f = lambda x, y: (x * y, x + y)
    assert ag.grad(f, has_aux=True)(2.0, 3.0) == (3.0, 5.0)
    assert ag.grad(f, 1, has_aux=True)(2.0, 3.0) == (2.0, 5.0)
    assert ag.value_and_grad(f, (0, 1), True)(2.0, 3.0) == ((6.0, 5.0), (3.0, 2.0))
    np.testing.assert_allclose(ag.vmap(f, (0, None))(X, 3.0)[0], 3.0 * X)
    np.testing.assert_allclose(ag.vmap(f, (None, 0))(3.0, X)[1], 3.0 + X)


def test_what_changes_outside_is_seen():
    def factory():
        factor = 2.0

        def f(x):
            return factor * x

        def change():
            nonlocal factor
            factor = 5.0

        return f, change

    f, change = factory()
    assert ag.grad(f)(1.0) == 2.0
    change()
    assert ag.grad(f)(1.0) == 5.0


# -- copies, files, threads ------------------------------------------------------------------------


@ag.to_graph
def compiled(x):
    return x * x


def test_a_compiled_function_is_pickled_by_its_name():
    assert pickle.loads(pickle.dumps(compiled)) is compiled
    assert pickle.loads(pickle.dumps(Model.lanes)) is Model.lanes


def test_what_is_kept_in_a_function_is_not_pickled():
    f = lambda x: x * x
    assert ag.grad(f)(3.0) == 6.0
    attributes = pickle.loads(pickle.dumps(vars(f)))
    other = types.FunctionType(f.__code__, globals())
    vars(other).update(attributes)
    assert ag.grad(other)(3.0) == 6.0


def test_copies_are_the_same():
    made = ag.grad(weighted)
    assert copy.copy(made) is copy.deepcopy(made) is made


def test_threads():
    def loss(x, k):
        total = 0.0
        for v in x:
            total = total + (np.sin(v * k) if v > 0.5 else v * v)
        return total

    def work(i):
        for j in range(3):
            x = np.linspace(0.1, 0.9, 5 + (i + j) % 3)
            found.append((x, ag.grad(loss)(x, 2.0), ag.vmap(ag.grad(loss, 1), (None, 0))(x, X)))

    found = []
    in_threads(work, range(6))
    assert len(found) == 18
    for x, by_x, by_k in found:
        np.testing.assert_allclose(by_x, np.where(x > 0.5, 2.0 * np.cos(2.0 * x), 2.0 * x))
        up = np.where(x > 0.5, x, 0.0)
        np.testing.assert_allclose(by_k, [np.sum(up * np.cos(k * x)) for k in X])
