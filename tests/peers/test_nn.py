"""Layers beside those of PyTorch: the same weights give the same results and gradients."""

import numpy as np
import pytest

import autograph as ag
import ops
from autograph import nn

torch = pytest.importorskip("torch")

KEY = ops.random.key(0)
RNG = np.random.default_rng(0)
STEPS = RNG.normal(size=(3, 5, 8))
IMAGES = RNG.normal(size=(2, 4, 6, 7))
F = {"dtype": float}


def number(layer):
    """All weights and biases other than their first values."""
    return ag.tree.map(lambda leaf: RNG.normal(size=leaf.shape), layer)


def give(layer, theirs, ways=None):
    """Give a module of PyTorch's the parameters of a layer; those of other names by ``ways``."""
    own = {name.removeprefix("."): leaf for name, leaf in ag.tree.flatten_with_path(layer)[0]}
    own = own if ways is None else ways(own)
    with torch.no_grad():
        for name, parameter in theirs.named_parameters():
            parameter.copy_(torch.from_numpy(np.ascontiguousarray(own.pop(name))))
    assert not own
    return theirs.double()


def has_floats(arg):
    return any(np.asarray(leaf).dtype.kind == "f" for leaf in ag.tree.leaves(arg))


def compare(layer, theirs, x, call=lambda f, x: f(x), ways=None):
    """Results, and gradients by the parameters and by the array, of the sum of products with fixed
    numbers."""
    theirs = give(layer, theirs.double(), ways)
    given = torch.from_numpy(x).requires_grad_(x.dtype.kind == "f")
    expected = call(theirs, given)
    found = ag.to_graph(call)(layer, x)
    np.testing.assert_allclose(found, expected.detach(), rtol=1e-9, atol=1e-11)
    weights = RNG.normal(size=found.shape)
    argnums = [i for i, arg in enumerate((layer, x)) if has_floats(arg)]
    slopes = ag.grad(lambda layer, x: np.sum(weights * call(layer, x)), argnums)(layer, x)
    theirs.zero_grad()
    (expected * torch.from_numpy(weights)).sum().backward()
    if x.dtype.kind == "f":
        np.testing.assert_allclose(slopes[-1], given.grad, rtol=1e-8, atol=1e-10)
    own = {name.removeprefix("."): leaf for name, leaf in ag.tree.flatten_with_path(slopes[0])[0]}
    own = own if ways is None else ways(own)
    for name, parameter in theirs.named_parameters():
        np.testing.assert_allclose(own[name], parameter.grad, rtol=1e-8, atol=1e-10, err_msg=name)


def test_dense():
    compare(number(nn.Dense.make(KEY, 8, 4, **F)), torch.nn.Linear(8, 4), STEPS)
    plain = nn.Dense.make(KEY, 8, 4, bias=False, **F)
    compare(number(plain), torch.nn.Linear(8, 4, bias=False), STEPS)


def test_embedding():
    ids = np.array([[0, 3], [3, 5]])
    compare(number(nn.Embedding.make(KEY, 6, 4, **F)), torch.nn.Embedding(6, 4), ids)


CONVOLUTIONS = {
    "one axis": (STEPS, 5, 6, (3,), {"stride": 2, "padding": 1}),
    "groups": (IMAGES, 4, 6, (3, 2), {"groups": 2, "dilation": (1, 2)}),
    "same": (IMAGES, 4, 3, (3, 3), {"padding": "same"}),
    "by channel": (IMAGES, 4, 8, (2, 2), {"groups": 4, "bias": False}),
    "three axes": (IMAGES[None], 2, 3, (2, 2, 3), {"padding": (1, 0, 1)}),
}


@pytest.mark.parametrize("case", CONVOLUTIONS)
def test_convolutions(case):
    x, inputs, outputs, window, options = CONVOLUTIONS[case]
    theirs = (torch.nn.Conv1d, torch.nn.Conv2d, torch.nn.Conv3d)[len(window) - 1]
    layer = nn.Conv.make(KEY, inputs, outputs, window, **options, **F)
    compare(number(layer), theirs(inputs, outputs, window, **options), x)


TRANSPOSED = {
    "one axis": (STEPS, 5, 6, (3,), {"stride": 2, "padding": 1}),
    "groups": (IMAGES, 4, 6, (3, 2), {"groups": 2, "stride": 2, "output_padding": 1}),
    "dilation": (IMAGES, 4, 3, (2, 2), {"dilation": 2}),
}


@pytest.mark.parametrize("case", TRANSPOSED)
def test_transposed_convolutions(case):
    x, inputs, outputs, window, options = TRANSPOSED[case]
    theirs = (torch.nn.ConvTranspose1d, torch.nn.ConvTranspose2d)[len(window) - 1]
    layer = nn.ConvTranspose.make(KEY, inputs, outputs, window, **options, **F)
    compare(number(layer), theirs(inputs, outputs, window, **options), x)


def test_pooling():
    compare(nn.MaxPool(2), torch.nn.MaxPool2d(2), IMAGES)
    compare(nn.MaxPool(3, 2, 1), torch.nn.MaxPool2d(3, 2, 1), IMAGES)
    compare(nn.AvgPool(3, 2, 1), torch.nn.AvgPool2d(3, 2, 1), IMAGES)
    counted = torch.nn.AvgPool2d(3, 2, 1, count_include_pad=False)
    compare(nn.AvgPool(3, 2, 1, False), counted, IMAGES)


def test_norms():
    compare(number(nn.LayerNorm.make(8, **F)), torch.nn.LayerNorm(8), STEPS)
    compare(number(nn.RMSNorm.make(8, **F)), torch.nn.RMSNorm(8, eps=1e-6), STEPS)
    compare(number(nn.GroupNorm.make(4, 2, **F)), torch.nn.GroupNorm(2, 4), IMAGES)


def test_batches():
    layer, theirs = number(nn.BatchNorm.make(4, **F)), torch.nn.BatchNorm2d(4)
    seen = layer.statistics()
    call = lambda f, x: f(x) if isinstance(f, torch.nn.Module) else f(x, seen, training=True)[0]
    compare(layer, theirs, IMAGES, call)
    _, seen = layer(IMAGES, seen, training=True)
    np.testing.assert_allclose(seen.mean, theirs.running_mean, rtol=1e-9)
    np.testing.assert_allclose(seen.var, theirs.running_var, rtol=1e-9)
    compare(layer, theirs.eval(), IMAGES, lambda f, x: f(x) if theirs is f else f(x, seen)[0])


def in_layers(own):
    """The names of cells, one above the other, in PyTorch's networks."""
    return {f"{name.split('.')[1]}_l{name[6]}": leaf for name, leaf in own.items()}


@pytest.mark.parametrize("cell, theirs", [(nn.LSTMCell, torch.nn.LSTM), (nn.GRUCell, torch.nn.GRU)])
def test_recurrent_networks(cell, theirs):
    layer = number(nn.Recurrent.make(KEY, cell, [8, 6, 6], **F))
    compare(layer, theirs(8, 6, num_layers=2), STEPS, lambda f, x: f(x)[0], in_layers)


def together(own):
    """Queries, keys and values in one array, as PyTorch has them."""
    rows = ("query", "key", "value")
    return {
        "in_proj_weight": np.concatenate([own[f"{name}.weight"] for name in rows]),
        "in_proj_bias": np.concatenate([own[f"{name}.bias"] for name in rows]),
        "out_proj.weight": own["out.weight"],
        "out_proj.bias": own["out.bias"],
    }


@pytest.mark.parametrize("causal", [False, True])
def test_attention(causal):
    def call(f, x):
        if not isinstance(f, torch.nn.Module):
            return f(x, causal=causal)
        mask = torch.triu(torch.ones(5, 5, dtype=torch.bool), 1) if causal else None
        return f(x, x, x, attn_mask=mask, need_weights=False)[0]

    layer = number(nn.MultiHeadAttention.make(KEY, 8, 4, **F))
    theirs = torch.nn.MultiheadAttention(8, 4, batch_first=True)
    compare(layer, theirs, STEPS, call, together)


def test_heads_that_share_keys():
    class Shared(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.query, self.out = torch.nn.Linear(8, 8), torch.nn.Linear(8, 8)
            self.key, self.value = torch.nn.Linear(8, 4), torch.nn.Linear(8, 4)

        def forward(self, x):
            q, k, v = (
                f(x).reshape(3, 5, heads, 2).transpose(1, 2)
                for f, heads in ((self.query, 4), (self.key, 2), (self.value, 2))
            )
            found = torch.nn.functional.scaled_dot_product_attention(
                q, k, v, is_causal=True, enable_gqa=True
            )
            return self.out(found.transpose(1, 2).reshape(3, 5, 8))

    call = lambda f, x: f(x) if isinstance(f, torch.nn.Module) else f(x, causal=True)
    layer = number(nn.MultiHeadAttention.make(KEY, 8, 4, key_heads=2, **F))
    compare(layer, Shared(), STEPS, call)


def test_transformer_block():
    names = {
        "attention.out": "self_attn.out_proj",
        "mlp.layers[0]": "linear1",
        "mlp.layers[1]": "linear2",
        "norms[0]": "norm1",
        "norms[1]": "norm2",
    }

    def ways(own):
        attention = {n.split(".", 1)[1]: x for n, x in own.items() if n.startswith("attention")}
        found = {f"self_attn.{n}": x for n, x in together(attention).items()}
        for name, leaf in own.items():
            layer, _, last = name.rpartition(".")
            if layer in names and layer != "attention.out":
                found[f"{names[layer]}.{last}"] = leaf
        return found

    layer = number(nn.TransformerBlock.make(KEY, 8, 4, hidden=16, activation=ops.nn.relu, **F))
    theirs = torch.nn.TransformerEncoderLayer(
        8, 4, 16, dropout=0.0, batch_first=True, norm_first=True
    )
    compare(layer, theirs, STEPS, ways=ways)
