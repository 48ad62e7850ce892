"""Functions of few bits beside the same numbers in NumPy."""

import numpy as np
import pytest

import autograph as ag
import ops
from autograph import nn
from autograph.errors import OptionError, UnsupportedFunctionError

RNG = np.random.default_rng(0)
W = RNG.normal(size=(12, 6)).astype(np.float32)
X = RNG.normal(size=(5, 12)).astype(np.float32)


def stored(weights, axis, bits=8):
    """Weights as integers times a step for each channel."""
    high = 2 ** (bits - 1) - 1
    step = (np.max(np.abs(weights), axis=axis, keepdims=True) / high).astype(weights.dtype)
    return np.rint(weights / step).astype(np.float32) * step


def grid(seen, bits=8, symmetric=False):
    """(step, middle, low, high) of what calibration has seen."""
    low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    least, largest = min(seen.min(), 0.0), max(seen.max(), 0.0)
    if symmetric:
        return np.float32(max(-least, largest) / high), 0, -high, high
    step = (float(largest) - float(least)) / (high - low)
    return np.float32(step), int(np.rint(low - float(least) / step)), low, high


def rounded(x, of):
    step, middle, low, high = of
    return ((np.clip(np.rint(x / step) + middle, low, high) - middle) * step).astype(x.dtype)


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("bits", [8, 4])
def test_a_product_is_that_of_numbers_of_few_bits(bits, symmetric):
    seen = np.abs(X)
    small = ag.quantize(
        lambda x: x @ W, [seen], weights=bits, activations=bits, symmetric=symmetric
    )
    other = RNG.normal(size=(7, 12)).astype(np.float32)  # with numbers out of the range
    expected = rounded(other, grid(seen, bits, symmetric)) @ stored(W, 0, bits)
    close(small(other), expected)
    assert small(other).dtype == np.float32


def test_weights_alone():
    small = ag.quantize(lambda x: x @ W, [X], activations=None)
    close(small(X), X @ stored(W, 0))
    left = ag.quantize(lambda x: W.T @ x.T, [X], activations=None)
    close(left(X), stored(W.T, 1) @ X.T)


def test_groups_of_weights():
    small = ag.quantize(lambda x: x @ W, [X], weights=4, activations=None, group=4)
    parts = W.reshape(3, 4, 6)
    close(small(X), X @ stored(parts, 1, 4).reshape(12, 6))
    odd = ag.quantize(lambda x: x @ W, [X], weights=4, activations=None, group=5)
    close(odd(X), X @ stored(W, 0, 4))


def test_an_odd_number_of_weights():
    w = W[:11, :5]
    small = ag.quantize(lambda x: x[:, :11] @ w, [X], weights=4, activations=None)
    close(small(X), X[:, :11] @ stored(w, 0, 4))


def test_weights_are_integers_in_the_program():
    for bits, shape in ((8, "i8[12,6]"), (4, "i8[6,6]")):
        text = str(ag.quantize(lambda x: x @ W, [X], weights=bits).lower(X).graph)
        assert f"const {shape}" in text
        assert "const f32[12,6]" not in text


@pytest.mark.parametrize("ndim", [1, 2])
def test_convolutions(ndim):
    kernel = RNG.normal(size=(4, 3, *(3,) * ndim)).astype(np.float32)
    x = RNG.normal(size=(2, 3, *(7,) * ndim)).astype(np.float32)
    small = ag.quantize(lambda x: ops.nn.conv(x, kernel), [x])
    axes = tuple(range(1, ndim + 2))
    close(small(x), ops.nn.conv(rounded(x, grid(x)), stored(kernel, axes)))


def test_the_range_is_that_of_all_samples():
    samples = [X[:2], 3.0 * X[2:], -X]
    small = ag.quantize(lambda x: x @ W, samples)
    both = np.concatenate([s.ravel() for s in samples])
    close(small(X), rounded(X, grid(both)) @ stored(W, 0))


def test_zeros_stay_zeros():
    small = ag.quantize(lambda x: x @ W, [np.abs(X) + 2.0])
    np.testing.assert_array_equal(small(np.zeros_like(X)), 0.0)
    nothing = ag.quantize(lambda x: x @ W, [np.zeros_like(X)])
    assert np.all(np.isfinite(nothing(X)))


def test_in_a_loop_one_range_is_of_all_trips():
    a = RNG.normal(size=(6, 6)).astype(np.float32)

    def states(x):
        h = np.zeros(6, np.float32)
        found = [h]
        for row in x:
            h = np.tanh(a @ h + row[:6])
            found.append(h)
        return h, found

    seen = np.stack(states(X)[1][:-1])
    small = ag.quantize(lambda x: states(x)[0], [X])
    h = np.zeros(6, np.float32)
    for row in X:
        h = np.tanh(stored(a, 1) @ rounded(h, grid(seen)) + row[:6])
    close(small(X), h)


def test_in_a_branch():
    def f(x):
        if np.sum(x) > 0:
            return x @ W
        return x @ (2.0 * W)

    up, down = np.abs(X), -np.abs(X)
    small = ag.quantize(f, [up, 3 * up, down])
    close(small(up), rounded(up, grid(3 * up)) @ stored(W, 0))
    close(small(down), rounded(down, grid(down)) @ stored(2.0 * W, 0))
    only = ag.quantize(f, [up])
    close(only(down), down @ stored(2.0 * W, 0))  # nothing is known of a branch that no sample took


def test_a_loop_of_unknown_length():
    def f(x):
        while np.sum(np.abs(x)) > 1.0:
            x = 0.5 * np.tanh(x @ (W @ W.T / 100.0))
        return x

    assert np.max(np.abs(ag.quantize(f, [X])(X) - f(X))) < 0.02


def test_layers_of_the_same_shape_have_ranges_of_their_own():
    model = nn.MLP.make(ops.random.key(0), [12, 8, 8, 8], np.tanh)
    hidden = [X]
    for layer in model.layers[:-1]:
        hidden.append(np.tanh(layer(hidden[-1])))
    found = X
    for seen, layer in zip(hidden, model.layers):
        found = rounded(found, grid(seen)) @ stored(layer.weight, 1).T + layer.bias
        found = np.tanh(found) if layer is not model.layers[-1] else found
    close(ag.quantize(model, [X])(X), found)


def test_lanes_and_derivatives():
    small = ag.quantize(lambda x: np.tanh(x @ W), [X])
    close(ag.vmap(small)(X), small(X))
    step, middle, low, high = grid(X)
    point = X[0] + 0.3 * step
    q = stored(W, 0)
    y = np.tanh(rounded(point, (step, middle, low, high)) @ q)
    close(ag.jacrev(small)(point), ((1 - y**2)[:, None] * q.T))
    close(ag.jacfwd(small)(point), ((1 - y**2)[:, None] * q.T))


def test_training_that_knows_of_it():
    def loss(w, x):
        return np.sum(np.tanh(x @ w) ** 2)

    small = ag.quantize(loss, [(W, X)], train="w")
    close(small(2.0 * W, X), loss(stored(2.0 * W, 0), rounded(X, grid(X))))
    # The slope is that of weights that are moved by a constant.
    moved, x = stored(W, 0) - W, rounded(X, grid(X))
    close(ag.grad(small)(W, X), ag.grad(lambda w: loss(w + moved, x))(W))
    close(ag.hessian(small)(W, X), ag.hessian(lambda w: loss(w + moved, x))(W))


def test_trained_models():
    model = nn.Dense.make(ops.random.key(0), 12, 6)
    small = ag.quantize(lambda model, x: model(x), [(model, X)], train="model.weight")
    close(small(model, X), rounded(X, grid(X)) @ stored(model.weight, 1).T + model.bias)


def recursive(x, n):
    return x if n == 0 else recursive(np.tanh(x @ W @ W.T), n - 1)


REFUSED = {
    "bits": (lambda: ag.quantize(np.tanh, [X], weights=9), OptionError, "AG0784"),
    "half a bit": (lambda: ag.quantize(np.tanh, [X], activations=2.5), OptionError, "AG0784"),
    "no group": (lambda: ag.quantize(np.tanh, [X], group=0), OptionError, "AG0784"),
    "no samples": (lambda: ag.quantize(lambda x: x @ W, []), OptionError, "AG0784"),
    "not finite": (lambda: ag.quantize(lambda x: x @ W, [X / 0.0]), OptionError, "AG0785"),
    "recursion": (
        lambda: ag.quantize(recursive, [(X, 2)]),
        UnsupportedFunctionError,
        "AG0786",
    ),
    "no such leaf": (
        lambda: ag.quantize(lambda w, x: x @ w, [(W, X)], train="v"),
        OptionError,
        "AG0781",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_refusals(name):
    call, error, number = REFUSED[name]
    with pytest.raises(error) as caught:
        call()
    assert caught.value.id == number and caught.value.fix
