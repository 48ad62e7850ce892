"""Layers compiled, and run by Python; `tests/peers/test_nn.py` has them beside those of PyTorch."""

from dataclasses import dataclass

import numpy as np
import pytest

import autograph as ag
import ops
from autograph import nn
from autograph.errors import AutographError, OperandShapeError, OptionError
from tests.nn.models import IMAGES, KEY, MODELS, STEPS, attention, block, call, causally, generated
from tests.support.oracle import check

X = np.ones((2, 3), np.float32)


@pytest.mark.parametrize("name", MODELS)
def test_a_compiled_layer_gives_what_python_does(name):
    check(*MODELS[name])


@pytest.mark.parametrize("name", MODELS)
def test_gradients_are_those_of_differences(name):
    function, layer, x = MODELS[name]
    weights = [np.cos(np.arange(y.size)).reshape(y.shape) for y in outcome(function, layer, x)]

    def total(layer, x):
        return sum(np.sum(w * y) for w, y in zip(weights, outcome(function, layer, x)))

    argnums = [i for i, arg in enumerate((layer, x)) if has_floats(arg)]
    for argnum in argnums:
        arg = (layer, x)[argnum]
        way = ag.tree.map(lambda leaf: np.sin(1.0 + np.arange(leaf.size)).reshape(leaf.shape), arg)
        gradient = ag.grad(total, argnum)(layer, x)
        slope = sum(np.sum(a * b) for a, b in zip(ag.tree.leaves(gradient), ag.tree.leaves(way)))
        ends = []
        for h in (1e-6, -1e-6):
            moved = ag.tree.map(lambda p, d: p + h * d, arg, way)
            ends.append(total(*[moved if i == argnum else a for i, a in enumerate((layer, x))]))
        assert slope == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-6, abs=1e-8)


def outcome(function, layer, x):
    return ag.tree.leaves(function(layer, x))


def has_floats(arg):
    return any(np.asarray(leaf).dtype.kind == "f" for leaf in ag.tree.leaves(arg))


def test_layers_are_made_in_compiled_code():
    made = ag.to_graph(lambda key: nn.TransformerBlock.make(key, 4, 2))(KEY)
    expected = nn.TransformerBlock.make(KEY, 4, 2)
    for ours, theirs in zip(ag.tree.leaves(made), ag.tree.leaves(expected)):
        np.testing.assert_array_equal(ours, theirs)
        assert ours.dtype == np.float32


def test_a_cache_gives_what_the_whole_sequence_does():
    layer = attention(key_heads=1, base=100.0)
    np.testing.assert_allclose(generated(layer, STEPS), causally(layer, STEPS), rtol=1e-12)


def test_several_steps_at_once_go_into_a_cache():
    layer = attention(base=100.0)
    first, cache = layer(STEPS[:, :2], cache=layer.cache((2,), 3))
    second, cache = layer(STEPS[:, 2:], cache=cache)
    both = np.concatenate([first, second], 1)
    np.testing.assert_allclose(both, causally(layer, STEPS), rtol=1e-12)
    with pytest.raises(IndexError):
        layer(STEPS[:, 2:], cache=cache)


def test_generation_is_one_loop():
    """A `while` that ends when the network says so."""
    model, table = block(base=100.0), nn.Embedding.make(KEY, 7, 4, dtype=float)

    def written(model, table, token, most):
        cache, count, total = model.attention.cache((), most), 0, 0
        while count < most and token != 3:
            x, cache = model(table(np.array([token])), cache=cache)
            token = int(np.argmax(table.attend(x[0])))
            total, count = total * 7 + token, count + 1
        return total, count

    for token in range(7):
        assert ag.to_graph(written)(model, table, token, 6) == written(model, table, token, 6)


def test_lanes_of_models():
    layers = [nn.MLP.make(key, [4, 5, 3], np.tanh, dtype=float) for key in ops.random.split(KEY, 3)]
    stacked = ag.tree.map(lambda *leaves: np.stack(leaves), *layers)
    found = ag.vmap(call, (0, None))(stacked, STEPS)
    np.testing.assert_allclose(found, [layer(STEPS) for layer in layers], rtol=1e-12)


def test_a_step_of_training_is_compiled():
    """A class of one's own, with layers in it and noise."""

    @dataclass
    class Network:
        conv: nn.Conv
        norm: nn.BatchNorm
        dense: nn.Dense
        dropout: nn.Dropout

        def __call__(self, x, seen, key=None):
            x, seen = self.norm(self.conv(x), seen, training=key is not None)
            x = self.dropout(nn.flatten(ops.nn.relu(x)), key)
            return self.dense(x)[:, 0], seen

    first, second = ops.random.split(KEY)
    conv = nn.Conv.make(first, 4, 2, (3, 3), padding="same", dtype=float)
    norm = nn.BatchNorm.make(2, dtype=float)
    dense = nn.Dense.make(second, 60, 1, dtype=float)
    model = Network(conv, norm, dense, nn.Dropout(0.2))

    def loss(model, seen, key, x, y):
        found, seen = model(x, seen, key)
        return np.mean((found - y) ** 2), seen

    def trained(model, seen, x, y):
        step = ag.value_and_grad(loss, has_aux=True)
        losses = []
        for key in ops.random.split(ops.random.key(1), 20):
            (value, seen), gradient = step(model, seen, key, x, y)
            model = ag.tree.map(lambda p, g: p - 0.05 * g, model, gradient)
            losses.append(value)
        return model, seen, np.array(losses)

    _, seen, losses = ag.to_graph(trained)(model, norm.statistics(), IMAGES, np.array([1.0, -1.0]))
    assert losses[-1] < 0.3 * losses[0]
    assert type(seen) is nn.Statistics and np.all(seen.var != 1.0)


@pytest.mark.parametrize(
    "name, expected",
    [("lecun", 1 / 12), ("he", 2 / 12), ("glorot", 2 / 112)],
)
def test_variances_of_first_weights(name, expected):
    for kind in ("normal", "uniform"):
        drawn = getattr(nn.init, f"{name}_{kind}")(KEY, (25, 3, 2, 2), float)
        many = [
            getattr(nn.init, f"{name}_{kind}")(k, (25, 3, 2, 2), float)
            for k in ops.random.split(KEY, 40)
        ]
        assert drawn.shape == (25, 3, 2, 2)
        assert np.var(many) == pytest.approx(expected, rel=0.03)


def test_orthogonal_weights():
    for shape in ((3, 5), (5, 3), (4, 2, 2)):
        w = nn.init.orthogonal(KEY, shape, float, scale=2.0).reshape(shape[0], -1)
        small = w @ w.T if w.shape[0] <= w.shape[1] else w.T @ w
        np.testing.assert_allclose(small, 4.0 * np.eye(len(small)), atol=1e-12)


# -- what is refused -------------------------------------------------------------------------------

REFUSED = {
    "Dense": lambda: nn.Dense.make(KEY, 4, 3)(X),
    "a number": lambda: nn.Dense.make(KEY, 4, 3)(np.float32(1.0)),
    "LayerNorm": lambda: nn.LayerNorm.make(4)(X),
    "BatchNorm": lambda: used_batch_norm(),
    "cell": lambda: nn.GRUCell.make(KEY, 4, 2)(X, nn.GRUState(X)),
    "groups": lambda: nn.Conv.make(KEY, 4, 3, (2,), groups=2),
    "heads": lambda: nn.MultiHeadAttention.make(KEY, 4, 3),
    "shared heads": lambda: nn.MultiHeadAttention.make(KEY, 4, 4, key_heads=3),
    "no context": lambda: block(cross=True)(STEPS),
    "sizes": lambda: nn.MLP.make(KEY, [4]),
    "rotary": lambda: nn.rotary(np.ones((2, 3)), np.arange(2)),
    "rank": lambda: nn.LoRA.make(KEY, nn.Dense.make(KEY, 4, 3), 4),
}


def used_batch_norm():
    layer = nn.BatchNorm.make(4)
    return layer(X, layer.statistics())


@pytest.mark.parametrize("name", REFUSED)
def test_shapes_that_do_not_fit(name):
    with pytest.raises(OperandShapeError) as caught:
        REFUSED[name]()
    assert caught.value.id == "AG0720" and caught.value.fix
    with pytest.raises(AutographError):
        ag.to_graph(REFUSED[name])()


def test_partition_and_merge():
    model = nn.Sequential([nn.MLP.make(KEY, [2, 3, 1]), {"scale": 2.0, "count": 3}, np.tanh])
    for where in (
        "layers[0]",
        ["layers[0].layers[0]", "layers[1]"],
        lambda path, leaf: "bias" in path,
    ):
        chosen, rest = nn.partition(model, where)
        assert 0 < len(ag.tree.leaves(chosen)) < len(ag.tree.leaves(model))
        for merged in (nn.merge(chosen, rest), nn.merge(rest, chosen)):
            assert ag.tree.structure(merged) == ag.tree.structure(model)
            pairs = zip(ag.tree.leaves(merged), ag.tree.leaves(model))
            assert all(ours is theirs for ours, theirs in pairs)
    with pytest.raises(OptionError, match="no leaf is chosen by 'layers'"):
        nn.partition({"a": 1.0}, "layers")
    with pytest.raises(OptionError, match="nested in different ways"):
        nn.merge({"a": 1.0}, {"b": 1.0})


def test_a_correction_is_trained_alone():
    first, second = ops.random.split(KEY)
    model = nn.MLP.make(first, [4, 6, 6, 1], np.tanh, dtype=float)
    adapted = nn.replace(model, nn.Dense, lambda path, layer: nn.LoRA.make(second, layer, 1))
    np.testing.assert_array_equal(adapted(STEPS), model(STEPS))
    chosen, rest = nn.partition(adapted, nn.LoRA.is_correction)
    assert len(ag.tree.leaves(chosen)) == 6

    @ag.to_graph
    def trained(chosen, rest):
        for _ in range(20):
            slope = ag.grad(lambda c: np.mean((nn.merge(c, rest)(STEPS) - 1.0) ** 2))(chosen)
            chosen = ag.tree.map(lambda p, g: p - 0.1 * g, chosen, slope)
        return nn.merge(chosen, rest)

    after = trained(chosen, rest)
    assert np.mean((after(STEPS) - 1) ** 2) < 0.5 * np.mean((model(STEPS) - 1) ** 2)
    for before, layer in zip(model.layers, after.layers):
        np.testing.assert_array_equal(layer.layer.weight, before.weight)
    plain = nn.replace(after, nn.LoRA, lambda path, layer: layer.merged())
    np.testing.assert_allclose(plain(STEPS), after(STEPS), rtol=1e-12)
    with pytest.raises(OptionError, match="no layer of class Conv"):
        nn.replace(model, nn.Conv, lambda path, layer: layer)


def test_summary():
    model = block(cross=True)
    rows = nn.summary(model, STEPS, STEPS[:, :2])
    by_path = {row.path: row for row in rows}
    assert by_path[""].shape == STEPS.shape
    assert by_path[""].parameters == sum(leaf.size for leaf in ag.tree.leaves(model))
    assert by_path["attention.query"] == ("attention.query", "Dense", (2, 3, 4), 20, 160)
    assert by_path["cross.key"].shape == (2, 2, 4)
    assert by_path["mlp.layers[0]"].shape == (2, 3, 5)
    assert all(row.shape is None for row in nn.summary(model))
    assert str(rows).splitlines()[1].startswith("the model")
