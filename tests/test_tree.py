"""`ag.tree`: nested parameters of any structure."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import optree
import pytest

import autograph as ag


@dataclass
class Layer:
    w: object
    count: object
    name: str = "layer"


PARAMS = {"layers": [Layer(np.ones(2), 3), Layer(np.zeros(2), 4)], "scale": 2.0, "note": None}


def test_leaves():
    assert ag.tree.leaves({"b": 1, "a": (2, [3, None])}) == [2, 3, 1]
    found = ag.tree.leaves(PARAMS)
    assert [type(leaf) for leaf in found] == [np.ndarray, int, np.ndarray, int, float]


def test_taken_apart_and_put_together():
    leaves, structure = ag.tree.flatten(PARAMS)
    assert structure.num_leaves == len(leaves) == 5
    made = ag.tree.unflatten(structure, [1, 2, 3, 4, 5])
    assert made == {"layers": [Layer(1, 2), Layer(3, 4)], "scale": 5, "note": None}
    with pytest.raises(ValueError, match="4 leaves, where there are 5 places"):
        ag.tree.unflatten(structure, [1, 2, 3, 4])
    assert str(structure) == (
        "Nesting({'layers': [Layer(w=*, count=*, name='layer'), Layer(w=*, count=*, "
        "name='layer')], 'scale': *, 'note': None})"
    )


def test_structures():
    one, other = Layer(np.ones(2), 3), Layer(np.zeros(5), 1.5, "another")
    assert ag.tree.structure(one) == ag.tree.structure(other)
    assert ag.tree.structure(one) != ag.tree.structure(Layer(None, 3))
    assert ag.tree.structure([1]) != ag.tree.structure((1,))
    assert ag.tree.structure({"a": 1}) == ag.tree.structure({"a": 2})


def test_paths():
    pairs, _ = ag.tree.flatten_with_path(PARAMS)
    assert [path for path, _ in pairs][1:3] == ["['layers'][0].count", "['layers'][1].w"]
    named = ag.tree.map_with_path(lambda path, leaf: path, [1, {"a": 2}])
    assert named == ["[0]", {"a": "[1]['a']"}]
    assert ag.tree.map_with_path(lambda path, leaf: (path, leaf), 3) == ("", 3)


def test_a_leaf_without_a_gradient_stays():
    def loss(params):
        return params["scale"] * np.sum(params["layers"][0].w * params["layers"][1].w)

    gradients = ag.grad(loss)(PARAMS)
    assert gradients["layers"][0].count is None and gradients["layers"][0].name == "layer"
    moved = ag.tree.map(lambda p, g: p - 0.5 * g, PARAMS, gradients)
    np.testing.assert_array_equal(moved["layers"][1].w, np.full(2, -1.0))
    assert (moved["layers"][1].count, moved["scale"], moved["note"]) == (4, 2.0, None)


def test_other_trees_may_be_deeper():
    assert ag.tree.map(lambda a, b: (a, b), [1, 2], [(3, 4), 5]) == [(1, (3, 4)), (2, 5)]
    with pytest.raises(ValueError):
        ag.tree.map(lambda a, b: a, {"a": 1}, {"b": 1})
    with pytest.raises(ValueError, match="expected a Layer"):
        ag.tree.map(lambda a, b: a, Layer(1.0, 2), SimpleNamespace(w=1.0, count=2, name=""))


def test_an_object_that_occurs_twice():
    shared = Layer(np.ones(2), 1)
    made = ag.tree.map(lambda x: x * 2, [shared, shared])
    assert made[0] is made[1] is not shared
    with pytest.raises(ValueError, match="two different ones"):
        ag.tree.map(lambda x, y: x, [shared, shared], [Layer(1, 2), Layer(1, 2)])


def test_an_object_that_holds_itself():
    node = SimpleNamespace(value=1.0)
    node.next = node
    made = ag.tree.map(lambda x: x + 1, node)
    assert made.next is made and made.value == 2.0


def test_what_is_registered_with_optree():
    class Pair:
        def __init__(self, a, b):
            self.a, self.b, self.total = a, b, a + b

    optree.register_pytree_node(
        Pair, lambda p: ((p.a, p.b), None), lambda _, parts: Pair(*parts), namespace="tests.tree"
    )
    made = ag.tree.map(lambda x: x * 10, [Pair(1, 2)])
    assert (made[0].a, made[0].total) == (10, 30)


def test_reduced():
    assert ag.tree.reduce(lambda a, b: a + b, [1, {"a": (2, 3)}], 10) == 16
    with pytest.raises(TypeError):
        ag.tree.reduce(lambda a, b: a + b, [])


def test_in_compiled_functions():
    def loss(params, x):
        h = x
        for layer in params["layers"]:
            h = np.tanh(h * layer.w)
        return params["scale"] * np.sum(h * h)

    def descend(params, x, steps):
        for _ in range(steps):
            gradients = ag.grad(loss)(params, x)
            size = np.sqrt(ag.tree.reduce(lambda a, b: a + np.sum(b * b), gradients, 0.0))
            rate = 0.1 if size > 0.5 else 0.05
            params = ag.tree.map(lambda p, g: p - rate * g if p is not g else p, params, gradients)
        return params, len(ag.tree.leaves(params))

    params = {"layers": [Layer(np.array([0.5, 1.5]), 2), Layer(np.ones(2), 1)], "scale": 2.0}
    x = np.array([0.3, -0.7])
    found, count = ag.to_graph(descend)(params, x, 4)
    expected, _ = descend(params, x, 4)
    assert count == 5
    np.testing.assert_allclose(found["layers"][0].w, expected["layers"][0].w, rtol=1e-12)
    assert found["layers"][0].count == 2 and found["layers"][0].name == "layer"
    np.testing.assert_allclose(found["scale"], expected["scale"], rtol=1e-12)
