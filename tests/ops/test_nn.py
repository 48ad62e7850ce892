"""Functions of neural networks: written-out formulas, large arguments, masks, derivatives."""

import math

import numpy as np
import pytest

import autograph as ag
import ops
from ops import nn
from tests.support.oracle import assert_same, check_grad

RNG = np.random.default_rng(0)
X = np.array([-3.7, -1.2, -0.4, 0.3, 0.9, 2.8, 4.1, 7.3])
HUGE = np.array([-1e4, -800.0, -90.0, 0.0, 90.0, 800.0, 1e4])
erf = np.vectorize(math.erf)


def sigmoid(x):
    return np.where(x > 0, 1 / (1 + np.exp(-np.abs(x))), np.exp(-np.abs(x)) / (1 + np.exp(-abs(x))))


def softplus(x):
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


def relu6(x):
    return np.clip(x, 0, 6)


ACTIVATIONS = {
    "relu": (nn.relu, lambda x: np.maximum(x, 0)),
    "relu6": (nn.relu6, relu6),
    "leaky_relu": (lambda x: nn.leaky_relu(x, 0.2), lambda x: np.where(x > 0, x, 0.2 * x)),
    "elu": (
        lambda x: nn.elu(x, 0.7),
        lambda x: np.where(x > 0, x, 0.7 * np.expm1(np.minimum(x, 0))),
    ),
    "celu": (
        lambda x: nn.celu(x, 2.0),
        lambda x: np.where(x > 0, x, 2 * np.expm1(np.minimum(x, 0) / 2)),
    ),
    "selu": (
        nn.selu,
        lambda x: (
            1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(np.minimum(x, 0)))
        ),
    ),
    "gelu": (
        nn.gelu,
        lambda x: x * 0.5 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))),
    ),
    "gelu exact": (
        lambda x: nn.gelu(x, approximate=False),
        lambda x: x * 0.5 * (1 + erf(x / np.sqrt(2))),
    ),
    "silu": (nn.silu, lambda x: x * sigmoid(x)),
    "mish": (nn.mish, lambda x: x * np.tanh(softplus(x))),
    "softplus": (nn.softplus, softplus),
    "soft_sign": (nn.soft_sign, lambda x: x / (1 + np.abs(x))),
    "hard_tanh": (nn.hard_tanh, lambda x: np.clip(x, -1, 1)),
    "hard_sigmoid": (nn.hard_sigmoid, lambda x: relu6(x + 3) / 6),
    "hard_swish": (nn.hard_swish, lambda x: x * relu6(x + 3) / 6),
    "sigmoid": (nn.sigmoid, sigmoid),
    "log_sigmoid": (nn.log_sigmoid, lambda x: -softplus(-x)),
    "glu": (nn.glu, lambda x: x[:4] * sigmoid(x[4:])),
    "softmax": (nn.softmax, lambda x: np.exp(x) / np.sum(np.exp(x))),
    "log_softmax": (nn.log_softmax, lambda x: x - np.log(np.sum(np.exp(x)))),
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations(name):
    ours, formula = ACTIVATIONS[name]
    compiled = ag.to_graph(lambda x: ours(x))
    np.testing.assert_allclose(ours(X), formula(X), rtol=1e-13, atol=1e-15)
    assert_same(compiled(X), ours(X), "result")
    for dtype, rtol in ((np.float32, 1e-5), (np.float16, 1e-2)):
        found = ours(X.astype(dtype))
        assert found.dtype == dtype
        np.testing.assert_allclose(found, formula(X), rtol=rtol, atol=rtol)
    weights = np.cos(np.arange(ours(X).size))
    check_grad(lambda x: np.sum(ours(x) * weights), X)
    gradient = ag.grad(lambda x: np.sum(ours(x)))
    assert gradient(X.astype(np.float32)).dtype == np.float32


@pytest.mark.parametrize("name", [n for n in ACTIVATIONS if n != "glu"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_activations_of_large_numbers(name, dtype):
    x = HUGE.astype(dtype)
    ours, _ = ACTIVATIONS[name]
    gradient = ag.grad(lambda x: np.sum(ours(x)))
    second = ag.grad(lambda x: np.sum(gradient(x)))
    with np.errstate(under="ignore", over="ignore"):
        for values in (ours(x), gradient(x), second(x)):
            assert np.all(np.isfinite(values)), values


def test_activations_keep_nan_and_take_numbers():
    for name in ACTIVATIONS:
        if name not in ("glu", "softmax", "log_softmax"):
            assert np.isnan(ACTIVATIONS[name][0](np.array([np.nan])))[0], name
            assert np.ndim(ACTIVATIONS[name][0](0.5)) == 0, name
    assert nn.sigmoid(np.arange(3)).dtype == np.float64


def test_kinks():
    for function, kinks in [(nn.relu, {0.0: 0.0}), (nn.relu6, {0.0: 0.0, 6.0: 0.5})]:
        for x, slope in kinks.items():
            assert ag.grad(lambda x: function(x))(x) == slope


def test_softmax_of_some_elements():
    x, mask = RNG.normal(size=(3, 4)), np.array([[1, 0, 1, 1], [0, 0, 0, 0], [1, 1, 1, 1]], bool)
    found = nn.softmax(x, axis=1, where=mask)
    raised = np.exp(x) * mask
    np.testing.assert_allclose(found, raised / np.maximum(raised.sum(1, keepdims=True), 1e-300))
    check_grad(lambda x: np.sum(nn.softmax(x, axis=1, where=mask) * x), x)


def test_one_hot():
    x = np.array([[0, 2], [1, 5]])
    expected = (x[..., None] == np.arange(3)).astype(float)
    np.testing.assert_array_equal(nn.one_hot(x, 3), expected)
    moved = nn.one_hot(x, 3, dtype=np.float32, axis=0)
    np.testing.assert_array_equal(moved, np.moveaxis(expected, -1, 0))
    assert moved.dtype == np.float32
    with pytest.raises(TypeError):
        nn.one_hot(X, 3)
    with pytest.raises(np.exceptions.AxisError):
        nn.one_hot(x, 3, axis=4)


# -- layers ----------------------------------------------------------------------------------------


def test_linear_and_embedding():
    x, w, b = RNG.normal(size=(2, 5, 3)), RNG.normal(size=(4, 3)), RNG.normal(size=4)
    np.testing.assert_allclose(nn.linear(x, w, b), np.einsum("bti,oi->bto", x, w) + b)
    np.testing.assert_allclose(nn.linear(x, w[0]), x @ w[0])
    ids = np.array([[0, 2, 2], [3, 0, 2]])
    np.testing.assert_array_equal(nn.embedding(ids, w), w[ids])
    check_grad(lambda w: np.sum(nn.embedding(ids, w) ** 3), w)
    check_grad(lambda x, w, b: np.sum(nn.linear(x, w, b) ** 2), x, w, b, argnums=(0, 1, 2))
    with pytest.raises(IndexError):
        nn.embedding(np.array([4]), w)


def standardised(x, axes, eps):
    mean, var = x.mean(axes, keepdims=True), x.var(axes, keepdims=True)
    return (x - mean) / np.sqrt(var + eps)


def test_layer_and_rms_norm():
    x, w, b = RNG.normal(size=(2, 3, 4)), RNG.normal(size=4), RNG.normal(size=4)
    np.testing.assert_allclose(nn.layer_norm(x, w, b), standardised(x, -1, 1e-5) * w + b)
    both = nn.layer_norm(x, axis=(1, 2), eps=0.1)
    np.testing.assert_allclose(both, standardised(x, (1, 2), 0.1))
    expected = x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-6) * w
    np.testing.assert_allclose(nn.rms_norm(x, w), expected)
    check_grad(lambda x, w, b: np.sum(nn.layer_norm(x, w, b) ** 3), x, w, b, argnums=(0, 1, 2))
    check_grad(lambda x, w: np.sum(nn.rms_norm(x, w) ** 3), x, w, argnums=(0, 1))
    for function in (nn.layer_norm, nn.rms_norm):
        for dtype in (np.float32, np.float16):
            assert function(x.astype(dtype)).dtype == dtype
    zeros = ag.grad(lambda x: np.sum(nn.layer_norm(x) ** 2))(np.zeros((2, 3)))
    np.testing.assert_array_equal(zeros, 0)


def test_group_norm():
    x, w, b = RNG.normal(size=(2, 6, 3, 2)), RNG.normal(size=6), RNG.normal(size=6)
    grouped = standardised(x.reshape(2, 3, -1), -1, 1e-5).reshape(x.shape)
    expected = grouped * w[:, None, None] + b[:, None, None]
    np.testing.assert_allclose(nn.group_norm(x, 3, w, b), expected)
    check_grad(lambda w, b: np.sum(nn.group_norm(x, 3, w, b) ** 3), w, b, argnums=(0, 1))
    check_grad(lambda x: np.sum(nn.group_norm(x, 3, w, b) ** 3), x)
    with pytest.raises(ValueError, match="groups"):
        nn.group_norm(x, 4)


def test_batch_norm():
    x, w, b = RNG.normal(size=(4, 3, 2)), RNG.normal(size=3), RNG.normal(size=3)
    mean, var = RNG.normal(size=3), RNG.uniform(1, 2, 3)
    column = lambda v: v[:, None]
    found, same_mean, same_var = nn.batch_norm(x, mean, var, w, b)
    expected = (x - column(mean)) / np.sqrt(column(var) + 1e-5) * column(w) + column(b)
    np.testing.assert_allclose(found, expected)
    assert same_mean is mean and same_var is var
    found, new_mean, new_var = nn.batch_norm(x, mean, var, w, b, training=True, momentum=0.3)
    np.testing.assert_allclose(found, standardised(x, (0, 2), 1e-5) * column(w) + column(b))
    np.testing.assert_allclose(new_mean, 0.7 * mean + 0.3 * x.mean((0, 2)))
    np.testing.assert_allclose(new_var, 0.7 * var + 0.3 * x.var((0, 2), ddof=1))
    trained = lambda x: np.sum(nn.batch_norm(x, mean, var, w, b, True)[0] ** 3)
    check_grad(trained, x)
    with pytest.raises(ValueError, match="more than 1"):
        nn.batch_norm(x[:1, :, :1], mean, var, training=True)


def test_dropout():
    key = ops.random.key(0)
    x = np.ones((100, 100))
    found = nn.dropout(key, x, 0.25)
    assert set(np.unique(found)) == {0.0, 1 / 0.75}
    assert abs(found.mean() - 1) < 0.02
    assert_same(ag.to_graph(lambda key, x: nn.dropout(key, x, 0.25))(key, x), found, "result")
    assert nn.dropout(key, x, 0.25, training=False) is x
    np.testing.assert_array_equal(nn.dropout(key, x, 1.0), 0)
    assert nn.dropout(key, x.astype(np.float32), 0.25).dtype == np.float32
    gradient = ag.grad(lambda x: np.sum(nn.dropout(key, x, 0.25)))(x)
    np.testing.assert_array_equal(gradient, found)
    with pytest.raises(ValueError, match="probability"):
        nn.dropout(key, x, 1.5)


def attention(q, k, v, allowed, scale):
    scores = np.where(allowed, q @ np.swapaxes(k, -1, -2) * scale, -np.inf)
    raised = np.exp(scores - scores.max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True) @ v


def test_attention():
    q, k, v = (RNG.normal(size=(2, n, d)) for n, d in ((3, 4), (5, 4), (5, 2)))
    call, everything = nn.scaled_dot_product_attention, np.ones((3, 5), bool)
    np.testing.assert_allclose(call(q, k, v), attention(q, k, v, everything, 0.5))
    np.testing.assert_allclose(call(q, k, v, scale=0.1), attention(q, k, v, everything, 0.1))
    causal = np.tri(3, 5, dtype=bool)
    np.testing.assert_allclose(call(q, k, v, is_causal=True), attention(q, k, v, causal, 0.5))
    mask = RNG.random((2, 3, 5)) < 0.7
    mask[..., 0] = True
    np.testing.assert_allclose(call(q, k, v, mask), attention(q, k, v, mask, 0.5))
    added = np.where(mask, 0, -np.inf)
    np.testing.assert_allclose(call(q, k, v, added), attention(q, k, v, mask, 0.5))
    both = call(q, k, v, mask, is_causal=True)
    np.testing.assert_allclose(both, attention(q, k, v, mask & causal, 0.5))
    check_grad(
        lambda q, k, v: np.sum(call(q, k, v, mask) ** 2), q, k, v, argnums=(0, 1, 2), order=1
    )
    check_grad(lambda q: np.sum(call(q, k, v, added) ** 2), q)
    single = call(*(x.astype(np.float32) for x in (q, k, v)))
    assert single.dtype == np.float32
    key = ops.random.key(1)
    dropped = call(q, k, v, dropout_rate=0.5, dropout_key=key)
    assert not np.allclose(dropped, call(q, k, v))


def test_attention_to_nothing():
    q, k, v = (RNG.normal(size=(n, 2)) for n in (3, 4, 4))
    mask = np.ones((3, 4), bool)
    mask[1] = False
    for given in (mask, np.where(mask, 0.0, -np.inf)):
        call = lambda q: nn.scaled_dot_product_attention(q, k, v, given)
        np.testing.assert_array_equal(call(q)[1], 0)
        gradient = ag.grad(lambda q: np.sum(call(q) ** 2))
        assert np.all(np.isfinite(gradient(q)))
        assert np.all(gradient(q)[1] == 0)
        huge = call(q * 1e5)
        assert np.all(np.isfinite(huge)) and np.all(np.isfinite(gradient(q * 1e5)))


def test_convolution_and_pooling_are_there():
    x, kernel = RNG.normal(size=(1, 2, 6)), RNG.normal(size=(3, 2, 2))
    expected = np.einsum(
        "bclk,ock->bol", np.lib.stride_tricks.sliding_window_view(x, 2, -1), kernel
    )
    np.testing.assert_allclose(nn.conv(x, kernel), expected)
    np.testing.assert_array_equal(nn.max_pool(x, 2), x.reshape(1, 2, 3, 2).max(-1))
    np.testing.assert_allclose(nn.avg_pool(x, 2), x.reshape(1, 2, 3, 2).mean(-1))


# -- losses ----------------------------------------------------------------------------------------

P, Y = RNG.uniform(0.05, 0.95, (3, 4)), RNG.uniform(0, 1, (3, 4))
D = RNG.normal(size=(3, 4)) * 2
W = RNG.uniform(0.5, 2, 4)
PAIRS = {
    "mse": (nn.mse_loss, lambda x, y: (x - y) ** 2),
    "l1": (nn.l1_loss, lambda x, y: np.abs(x - y)),
    "huber": (
        lambda x, y, **o: nn.huber_loss(x, y, delta=0.7, **o),
        lambda x, y: np.where(abs(x - y) < 0.7, (x - y) ** 2 / 2, 0.7 * (abs(x - y) - 0.35)),
    ),
    "smooth l1": (
        lambda x, y, **o: nn.smooth_l1_loss(x, y, beta=0.7, **o),
        lambda x, y: np.where(abs(x - y) < 0.7, (x - y) ** 2 / 1.4, abs(x - y) - 0.35),
    ),
    "kl": (nn.kl_div_loss, lambda x, y: y * (np.log(y) - x)),
    "kl of logarithms": (
        lambda x, y, **o: nn.kl_div_loss(x, y, log_target=True, **o),
        lambda x, y: np.exp(y) * (y - x),
    ),
    "bce": (
        nn.binary_cross_entropy,
        lambda x, y: -(y * np.log(x) + (1 - y) * np.log(1 - x)),
    ),
    "bce weighted": (
        lambda x, y, **o: nn.binary_cross_entropy(x, y, W, **o),
        lambda x, y: -W * (y * np.log(x) + (1 - y) * np.log(1 - x)),
    ),
    "bce with logits": (
        lambda x, y, **o: nn.binary_cross_entropy_with_logits(x, y, W, pos_weight=2 * W, **o),
        lambda x, y: -W * (2 * W * y * np.log(sigmoid(x)) + (1 - y) * np.log(1 - sigmoid(x))),
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_losses_of_pairs(name):
    ours, formula = PAIRS[name]
    x = P if name.startswith("bce") else D
    losses = formula(x, Y)
    for reduction, expected in (("none", losses), ("sum", losses.sum()), ("mean", losses.mean())):
        np.testing.assert_allclose(ours(x, Y, reduction=reduction), expected, rtol=1e-12)
    np.testing.assert_allclose(ours(x, Y), losses.mean())
    check_grad(lambda x, y: ours(x, y), x, Y, argnums=(0, 1))
    if "weighted" not in name and "logits" not in name:  # those weights are float64
        assert ours(x.astype(np.float32), Y.astype(np.float32)).dtype == np.float32
    with pytest.raises(ValueError, match="shape"):
        ours(x, Y[:2])
    with pytest.raises(ValueError, match="reduction"):
        ours(x, Y, reduction="median")


def test_losses_at_their_limits():
    certain = nn.binary_cross_entropy(
        np.array([0.0, 1.0, 0.0]), np.array([0.0, 1.0, 1.0]), reduction="none"
    )
    np.testing.assert_array_equal(certain, [0, 0, 100])
    for dtype in (np.float32, np.float64):
        logits, y = HUGE.astype(dtype), (HUGE < 0).astype(dtype)
        loss = lambda x: nn.binary_cross_entropy_with_logits(x, y, reduction="sum")
        assert loss(logits) == pytest.approx(np.sum(np.abs(HUGE)) + np.log(2), rel=1e-6)
        np.testing.assert_allclose(ag.grad(loss)(logits), sigmoid(HUGE) - y, atol=1e-7)
    zero = nn.kl_div_loss(np.array([0.0, -1.0]), np.array([0.0, 1.0]), reduction="none")
    np.testing.assert_array_equal(zero, [0, 1])
    assert nn.kl_div_loss(D, Y, "batchmean") == pytest.approx(np.sum(Y * (np.log(Y) - D)) / 3)
    with pytest.raises(ValueError):
        nn.huber_loss(D, Y, delta=0)
    np.testing.assert_allclose(nn.smooth_l1_loss(D, Y, beta=0.0), np.abs(D - Y).mean())


def cross_entropy(logits, target, weight, ignore, smoothing, reduction):
    """torch's formula, an element at a time."""
    classes = logits.shape[1]
    total, weights, losses = 0.0, 0.0, np.zeros(target.shape)
    for index in np.ndindex(target.shape):
        row = logits[(index[0], slice(None), *index[1:])]
        logarithms = row - np.log(np.sum(np.exp(row)))
        c = target[index]
        if c == ignore:
            continue
        smooth = -np.sum(weight * logarithms) * smoothing / classes
        losses[index] = -(1 - smoothing) * weight[c] * logarithms[c] + smooth
        weights += weight[c]
    total = losses.sum()
    return {"none": losses, "sum": total, "mean": total / weights}[reduction]


@pytest.mark.parametrize("shape", [(5, 4), (3, 4, 2), (2, 4, 3, 2)])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_cross_entropy_of_classes(shape, smoothing, reduction):
    logits = RNG.normal(size=shape)
    target = RNG.integers(0, 4, (shape[0], *shape[2:]))
    target[0] = 1
    target[-1] = 2
    for weight in (None, W):
        for ignore in (-100, 2):
            options = {"ignore_index": ignore, "label_smoothing": smoothing, "reduction": reduction}
            found = nn.cross_entropy(logits, target, weight, **options)
            given = np.ones(4) if weight is None else weight
            expected = cross_entropy(logits, target, given, ignore, smoothing, reduction)
            np.testing.assert_allclose(found, expected, rtol=1e-12)
    scalar = lambda x: np.sum(nn.cross_entropy(x, target, W, 2, reduction, smoothing))
    check_grad(scalar, logits, order=2 if shape == (5, 4) else 1)


def test_cross_entropy_of_probabilities():
    logits = RNG.normal(size=(3, 4))
    y = Y / Y.sum(1, keepdims=True)
    logarithms = logits - np.log(np.exp(logits).sum(1, keepdims=True))
    expected = -(y * logarithms).sum(1)
    np.testing.assert_allclose(nn.cross_entropy(logits, y, reduction="none"), expected)
    np.testing.assert_allclose(nn.cross_entropy(logits, y), expected.mean())
    smoothed = -((0.9 * y + 0.1 / 4) * W * logarithms).sum(1).mean()
    np.testing.assert_allclose(nn.cross_entropy(logits, y, W, label_smoothing=0.1), smoothed)
    check_grad(lambda x, y: nn.cross_entropy(x, y, W), logits, y, argnums=(0, 1))


def test_cross_entropy_of_one_example_and_large_logits():
    assert nn.cross_entropy(np.zeros(4), np.int64(2)) == pytest.approx(np.log(4))
    assert nn.cross_entropy(np.zeros(4), 2) == pytest.approx(np.log(4))
    logits = np.array([[1e4, -1e4, 0.0], [0.0, 1e4, -np.inf]])
    target = np.array([0, 0])
    assert nn.cross_entropy(logits, target) == 5e3
    gradient = ag.grad(lambda x: nn.cross_entropy(x, target))(logits)
    np.testing.assert_array_equal(gradient, [[0, 0, 0], [-0.5, 0.5, 0]])
    certain = nn.cross_entropy(logits, np.array([[1.0, 0, 0], [0, 1.0, 0]]))
    assert certain == 0
    assert nn.cross_entropy(logits.astype(np.float32), target).dtype == np.float32


def test_all_classes_ignored():
    """The mean of nothing is NaN, as in torch; the sum is 0."""
    target = np.full(3, -100)
    assert nn.cross_entropy(np.zeros((3, 4)), target, reduction="sum") == 0
    with np.errstate(invalid="ignore"):
        assert np.isnan(nn.cross_entropy(np.zeros((3, 4)), target))


def test_errors_of_classes():
    logits = np.zeros((3, 4))
    with pytest.raises(ValueError):
        nn.cross_entropy(logits, np.zeros(2, int))
    with pytest.raises(TypeError):
        nn.nll_loss(logits, np.zeros(3))
    with pytest.raises(ValueError):
        nn.cross_entropy(logits, np.zeros(3, int), label_smoothing=2.0)
    with pytest.raises(IndexError):
        nn.cross_entropy(logits, np.array([0, 1, 4]))


def test_a_training_step_in_a_compiled_loop():
    x, target = RNG.normal(size=(20, 3)), RNG.integers(0, 2, 20)

    def loss(w, b):
        return nn.cross_entropy(nn.linear(nn.gelu(x), w, b), target)

    @ag.to_graph
    def train(w, b, steps):
        for _ in range(steps):
            dw, db = ag.grad(loss, argnums=(0, 1))(w, b)
            w, b = w - 0.5 * dw, b - 0.5 * db
        return w, b

    w, b = train(np.zeros((2, 3)), np.zeros(2), 50)
    assert loss(w, b) < loss(np.zeros((2, 3)), np.zeros(2)) - 0.02
