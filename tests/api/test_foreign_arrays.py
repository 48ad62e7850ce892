"""Arrays of other libraries as arguments, tangents, cotangents and globals."""

import sys
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.errors import MissingLibraryError, OperandTypeError


class DLPack:
    """What libraries of the array API standard give."""

    def __init__(self, values, device=(1, 0)):
        self.memory = np.asarray(values)
        self.device = device

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **options):
        return self.memory.__dlpack__(**options)


class Interface:
    """What NumPy's older protocol asks for."""

    def __init__(self, values):
        self.memory = np.asarray(values)

    @property
    def __array_interface__(self):
        return self.memory.__array_interface__


class OnDevice:
    """What Numba and others give of arrays on a GPU."""

    @property
    def __cuda_array_interface__(self):
        return {"shape": (1,), "typestr": "<f8", "data": (16, False), "version": 3}


VALUES = np.array([1.0, 2.0, 3.0])
KINDS = pytest.mark.parametrize("kind", [DLPack, Interface])


def cubes(x):
    total = 0.0
    for value in x:
        if value > 1.5:
            total += value * value * value
    return total


def same(found, expected):
    assert type(found) is type(expected)
    assert np.asarray(found).dtype == np.asarray(expected).dtype
    np.testing.assert_allclose(found, expected)


@KINDS
@pytest.mark.parametrize("dtype", ["float64", "float32", "int32", "bool", "complex64"])
def test_an_argument_gives_what_numpys_array_gives(kind, dtype):
    values = VALUES.astype(dtype)
    doubled = ag.to_graph(lambda x: x + x)
    same(doubled(kind(values)), doubled(values))


@KINDS
def test_every_transform_takes_them(kind):
    x = kind(VALUES)
    for transform in (ag.grad, ag.value_and_grad, ag.hessian, ag.jacfwd, ag.jacrev):
        for found, expected in zip(transform(cubes)(x), transform(cubes)(VALUES)):
            np.testing.assert_allclose(found, expected)
    same(ag.vmap(lambda v: v * v)(x), VALUES**2)
    out, pull = ag.vjp(lambda v: v * v, x)
    same(out, VALUES**2)
    same(pull(x)[0], 2 * VALUES**2)
    same(ag.jvp(lambda v: v * v, (x,), (x,))[1], 2 * VALUES**2)
    same(ag.linearize(lambda v: v * v, x)[1](x), 2 * VALUES**2)
    ag.check_grads(lambda v: np.sum(v * v), (x,))
    with pytest.raises(ag.errors.AutographError, match="AG0506"):
        pull(kind(VALUES[:2]))


@dataclass
class Layer:
    weights: Any
    name: str


@KINDS
def test_in_lists_dicts_and_objects(kind):
    def loss(layers, extra):
        return sum(np.sum(layer.weights**2) for layer in layers) + np.sum(extra["b"] ** 3)

    layers = [Layer(kind(VALUES), "a"), Layer(kind(2 * VALUES), "b")]
    first, second = ag.grad(loss)(layers, {"b": kind(VALUES)})
    same(first.weights, 2 * VALUES)
    same(second.weights, 4 * VALUES)
    assert second.name == "b"
    _, pull = ag.vjp(lambda layer: layer.weights * 2.0, Layer(kind(VALUES), "a"))
    same(pull(kind(VALUES))[0].weights, 2 * VALUES)


@KINDS
def test_changes_reach_the_memory(kind):
    @ag.to_graph
    def clear(x, y):
        x[0] = 7.0
        return y[0]

    x = kind(VALUES.copy())
    assert clear(x, x) == 7.0  # it is one array under two names
    assert x.memory[0] == 7.0


@KINDS
def test_a_global_is_read_at_each_call(kind):
    held = kind(VALUES.copy())
    total = ag.to_graph(lambda y: np.sum(held * y))
    assert total(2.0) == 12.0
    held.memory[0] = 5.0
    assert total(2.0) == 20.0
    assert ag.grad(lambda y: np.sum(held * y))(2.0) == 10.0
    held = kind(np.ones(2))
    assert total(2.0) == 4.0


@KINDS
def test_no_copy_is_made(kind, monkeypatch):
    copied = []
    whole = np.zeros(1 << 20)
    first = ag.to_graph(lambda x: x[0])
    first(kind(whole))
    x = kind(whole)
    monkeypatch.setattr(np, "array", lambda *args, **options: copied.append(args))
    first(x)
    whole[0] = 3.0
    assert first(x) == 3.0 and not copied


def test_ahead_of_time():
    compiled = ag.to_graph(cubes).lower(DLPack(VALUES)).compile()
    same(compiled(DLPack(VALUES)), compiled(VALUES))


def test_refused_with_the_users_line():
    def total(x):
        return np.sum(x)

    x = DLPack(VALUES)
    x.requires_grad = True
    with pytest.raises(OperandTypeError, match="AG0376") as caught:
        ag.to_graph(total)(x)
    assert caught.value.location.line == total.__code__.co_firstlineno
    with pytest.raises(OperandTypeError, match=r"AG0377\].*neither the host"):
        ag.grad(total)(DLPack(VALUES, device=(8, 0)))


def test_refused_by_name():
    def total(params, scale):
        return scale * np.sum(params["layers"][1].bias)

    x = DLPack(VALUES)
    x.requires_grad = True
    layers = [SimpleNamespace(bias=VALUES), SimpleNamespace(bias=x)]
    for call in (ag.to_graph(total), ag.grad(total)):
        with pytest.raises(OperandTypeError, match=r"\[AG0376\] params\['layers'\]\[1\].bias: an"):
            call({"layers": layers}, 2.0)
        with pytest.raises(OperandTypeError, match=r"\[AG0376\] scale: an array"):
            call({"layers": layers[:1]}, scale=x)


@pytest.mark.parametrize("make", [lambda: DLPack(VALUES, device=(2, 0)), OnDevice])
def test_on_a_device_without_cupy(make, monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(MissingLibraryError, match="on a CUDA device"):
        ag.to_graph(np.sum)(make())
