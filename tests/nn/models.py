"""A model of each class of layers, with what it is called with, in float64."""

import numpy as np

import ops
from autograph import nn

KEY = ops.random.key(0)
RNG = np.random.default_rng(0)
STEPS = RNG.normal(size=(2, 3, 4))  # batch, steps, features; or steps, batch, features
IMAGES = RNG.normal(size=(2, 4, 5, 6))
F = {"dtype": float}


def norm(layer, x):
    return layer(x, layer.statistics(), training=True)[0]


def used(layer, x):
    return layer(x, nn.Statistics(np.full(4, 0.5), np.full(4, 2.0)))[0]


def call(layer, *args):
    return layer(*args)


def causally(layer, x):
    return layer(x, causal=True)


def masked(layer, x):
    mask = np.arange(3)[:, None] <= np.array([0, 1, 1])
    return layer(x, mask=mask) + layer(x, mask=np.where(mask, 0.5, -np.inf)[None])


def generated(layer, x):
    """Step by step, with a cache."""
    cache = layer.cache(x.shape[:1], 4)
    found = []
    for t in range(x.shape[1]):
        y, cache = layer(x[:, t : t + 1], cache=cache)
        found.append(y[:, 0])
    return np.stack(found, 1)


def noisy(layer, x):
    return layer(x, KEY)


def outputs(layer, x):
    found, states = layer(x)
    return found, states


def crossed(layer, x):
    return layer(x, x[:, :2] * 2.0)


def attention(**options):
    return nn.MultiHeadAttention.make(KEY, 4, 2, **options, **F)


def block(**options):
    return nn.TransformerBlock.make(KEY, 4, 2, hidden=5, **options, **F)


MODELS = {
    "Dense": (call, nn.Dense.make(KEY, 4, 3, **F), STEPS),
    "Dense without bias": (call, nn.Dense.make(KEY, 4, 3, bias=False, **F), STEPS),
    "Embedding": (call, nn.Embedding.make(KEY, 5, 3, **F), np.array([[0, 4], [2, 2]])),
    "Embedding.attend": (
        lambda layer, x: layer.attend(x),
        nn.Embedding.make(KEY, 5, 4, **F),
        STEPS,
    ),
    "Conv of one axis": (call, nn.Conv.make(KEY, 3, 2, (2,), stride=2, **F), STEPS),
    "Conv of two axes": (
        call,
        nn.Conv.make(KEY, 4, 6, (3, 2), groups=2, dilation=(1, 2), padding="same", **F),
        IMAGES,
    ),
    "Conv of three axes": (
        call,
        nn.Conv.make(KEY, 2, 3, (2, 2, 2), padding=1, **F),
        IMAGES[None],
    ),
    "ConvTranspose": (
        call,
        nn.ConvTranspose.make(KEY, 4, 6, (3, 2), stride=2, output_padding=1, groups=2, **F),
        IMAGES,
    ),
    "MaxPool": (call, nn.MaxPool(2), IMAGES),
    "AvgPool": (call, nn.AvgPool((2, 3), stride=1, padding=1), IMAGES),
    "LayerNorm": (call, nn.LayerNorm.make(4, **F), STEPS),
    "RMSNorm": (call, nn.RMSNorm.make(4, **F), STEPS),
    "GroupNorm": (call, nn.GroupNorm.make(4, 2, **F), IMAGES),
    "BatchNorm in training": (norm, nn.BatchNorm.make(4, **F), IMAGES),
    "BatchNorm": (used, nn.BatchNorm.make(4, **F), IMAGES),
    "Dropout": (noisy, nn.Dropout(0.3), STEPS),
    "LSTM": (outputs, nn.Recurrent.make(KEY, nn.LSTMCell, [4, 3, 2], **F), STEPS),
    "GRU": (outputs, nn.Recurrent.make(KEY, nn.GRUCell, [4, 3], **F), STEPS),
    "MultiHeadAttention": (call, attention(), STEPS),
    "causal attention with shared keys": (causally, attention(key_heads=1, base=100.0), STEPS),
    "masks": (masked, attention(key_heads=1), STEPS),
    "attention with a cache": (generated, attention(key_heads=1, base=100.0), STEPS),
    "Sequential": (
        call,
        nn.Sequential([nn.flatten, nn.Dense.make(KEY, 12, 3, **F), np.tanh]),
        STEPS,
    ),
    "Residual": (call, nn.Residual(nn.MLP.make(KEY, [4, 5, 4], np.tanh, **F)), STEPS),
    "TransformerBlock": (causally, block(), STEPS),
    "TransformerBlock with a context": (crossed, block(cross=True, norm=nn.RMSNorm), STEPS),
    "LoRA": (call, nn.LoRA.make(KEY, nn.Dense.make(KEY, 4, 3, **F), 2), STEPS),
}
