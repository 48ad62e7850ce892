"""Functions in low precision, held to the same functions with each rounding written out, and to
NumPy's own arithmetic on arrays of float16 and of `ml_dtypes`' bfloat16."""

import warnings

import ml_dtypes
import numpy as np
import pytest

import autograph as ag
import ops
from autograph import nn
from autograph.errors import MutationError, OptionError, UnsupportedFunctionError

DTYPES = {"bfloat16": np.dtype(ml_dtypes.bfloat16), "float16": np.dtype(np.float16)}
BOTH = pytest.mark.parametrize("name", DTYPES)
KERNELS = pytest.mark.usefixtures("with_and_without_kernels")


def low(x, name="bfloat16"):
    """Rounded by NumPy's conversions, there and back."""
    return np.asarray(x).astype(DTYPES[name]).astype(np.float32)


def product(x, y, name="bfloat16"):
    return low(low(x, name) @ low(y, name), name)


def drawn(*shape, seed=0):
    """Numbers of few digits, so that sums of products of them are exact, in any order."""
    rng = np.random.default_rng([seed, *shape])
    return (rng.integers(-24, 25, size=shape) / 8).astype(np.float32)


def fine(*shape, seed=0):
    """Numbers of all 24 digits."""
    return np.random.default_rng([seed, *shape]).normal(size=shape).astype(np.float32)


# -- what is rounded -------------------------------------------------------------------------------


@BOTH
@KERNELS
def test_products(name):
    x, w = fine(3, 4), fine(4, 5)
    wanted = low(low(x, name) @ low(w, name), name)
    for function in (
        lambda x, w: x @ w,
        np.matmul,
        np.dot,
        lambda x, w: np.einsum("ij,jk->ik", x, w),
        lambda x, w: np.tensordot(x, w, 1),
    ):
        found = ag.precision(function, name)(x, w)
        assert found.dtype == np.float32
        np.testing.assert_allclose(
            found, wanted, rtol=2.0**-7, atol=1e-3
        )  # one digit, by the order
        assert np.array_equal(found, low(found, name))


def test_products_of_few_digits_to_the_bit():
    x, w, v = drawn(3, 40), drawn(40, 5), drawn(5)
    assert not np.array_equal(product(x, w), x @ w)
    assert np.array_equal(ag.precision(np.matmul)(x, w), product(x, w))
    assert np.array_equal(
        ag.precision(lambda x, w, v: x @ w @ v)(x, w, v), product(product(x, w), v)
    )


@BOTH
def test_convolutions(name):
    signal, weights = fine(2, 3, 9), fine(4, 3, 5)
    layer = nn.Conv(weights, None)
    plain = layer(low(signal, name)) * 0 + nn.Conv(low(weights, name), None)(low(signal, name))
    found = ag.precision(lambda layer, x: layer(x), name)(layer, signal)
    np.testing.assert_allclose(found, low(plain, name), rtol=2.0**-7, atol=1e-3)
    assert np.array_equal(found, low(found, name))


def between(a, b, number):
    c = a * b - a / b
    c = np.where(c > 0, c, number(-0.1) * c) + np.maximum(a, number(0.3)) * number(3)
    c = np.sqrt(np.abs(c)) + np.square(b) - c
    return np.concatenate([c[::-1].T, np.minimum(a, number(1)).T]) * np.sign(a).T[:1]


@BOTH
@KERNELS
def test_what_is_between_products_as_numpy_computes_with_such_arrays(name):
    x, w = fine(6, 4), fine(4, 6)
    compute = ag.precision(lambda x, w: between(x @ w, w.T @ x.T, float), name)
    a = ag.precision(np.matmul, name)(x, w).astype(DTYPES[name])
    b = ag.precision(np.matmul, name)(w.T, x.T).astype(DTYPES[name])
    wanted = between(a, b, DTYPES[name].type)  # Python's numbers are of that dtype, too
    assert wanted.dtype == DTYPES[name]
    assert np.array_equal(compute(x, w), wanted.astype(np.float32))


@BOTH
def test_smooth_functions_between_products(name):
    x, w = fine(6, 4), fine(4, 6)
    for function in (np.tanh, np.sin, np.cos, np.arctan):
        a = ag.precision(np.matmul, name)(x, w)
        found = ag.precision(lambda x, w, f=function: f(x @ w), name)(x, w)
        assert np.array_equal(found, low(function(a), name))


@KERNELS
def test_what_is_computed_in_full():
    x, w = fine(6, 4), fine(4, 6)
    a = ag.precision(np.matmul)(x, w)
    for function in (
        lambda a: np.sum(a, 0),
        lambda a: np.mean(a, 0),
        lambda a: np.var(a, 0),
        np.exp,
        lambda a: np.log(1 + np.abs(a)) if a.dtype == np.float64 else np.log1p(np.exp(a)),
        lambda a: np.exp(a) ** 1.5,
        ops.special.softmax,
        ops.special.logsumexp,
        ops.nn.layer_norm,
        lambda a: np.cumsum(a, 0),
        lambda a: np.linalg.norm(a, axis=0),
    ):
        found = ag.precision(lambda x, w, f=function: f(x @ w))(x, w)
        np.testing.assert_allclose(found, function(a), rtol=2e-6, atol=1e-6)
        assert found.dtype == np.float32
        assert not np.array_equal(found, low(found))


def test_more_digits_win():
    x, w, b = fine(6, 4), fine(4, 6), fine(6)
    a = ag.precision(np.matmul)(x, w)
    assert np.array_equal(ag.precision(lambda x, w, b: x @ w + b)(x, w, b), a + b)
    assert np.array_equal(ag.precision(lambda x, w, b: b * 0.1)(x, w, b), b * np.float32(0.1))
    assert np.array_equal(ag.precision(lambda x, w: x @ w * 0.1)(x, w), low(a * low(0.1)))
    assert np.array_equal(
        ag.precision(lambda x, w: x @ w + np.float32(0.1))(x, w), a + np.float32(0.1)
    )
    assert np.array_equal(ag.precision(lambda x, w: (x @ w > 0) * (x @ w))(x, w), (a > 0) * a)
    steps = ag.precision(lambda x, w: x @ w * np.arange(6))(x, w)
    assert steps.dtype == np.float64
    assert np.array_equal(steps, a * np.arange(6))


def test_other_dtypes():
    x, w = fine(3, 4).astype(float), fine(4, 5).astype(float)
    found = ag.precision(np.matmul)(x, w)
    assert found.dtype == np.float64
    rounded = ops.round_to(x, "bfloat16") @ ops.round_to(w, "bfloat16")
    assert np.array_equal(found, ops.round_to(rounded, "bfloat16"))
    for dtype in (complex, np.float16, int):
        args = x.astype(dtype), w.astype(dtype)
        assert np.array_equal(ag.precision(np.matmul)(*args), args[0] @ args[1])


def test_graph_and_program_show_the_roundings():
    x, w = fine(3, 4), fine(4, 5)
    f = ag.precision(lambda x, w: np.sum(x @ w), "float16")
    assert str(f.graph(x, w)).count("round_to(") == 3
    assert "w = rounded_to(w, 'float16')" in str(f.program(x, w))


# -- derivatives -----------------------------------------------------------------------------------


def network(params, x):
    (w1, b1), (w2, b2) = params
    return np.maximum(x @ w1 + b1, 0) @ w2 + b2


def loss(params, x, c):
    return np.sum(network(params, x) * c)


def gradient(params, x, c, name):
    """Of `loss`, written out."""
    (w1, b1), (w2, b2) = params
    z1 = product(x, w1, name) + b1
    h = np.maximum(z1, 0)
    ct2 = low(c, name)
    ct1 = product(ct2, w2.T, name) * (z1 > 0)
    return [
        (product(low(x, name).T, low(ct1, name), name), np.sum(ct1, 0)),
        (product(low(h, name).T, ct2, name), np.sum(c, 0)),
    ]


def parameters():
    return [(drawn(12, 8), drawn(8)), (drawn(8, 3), drawn(3))]


@BOTH
@KERNELS
def test_gradients_to_the_bit_in_either_order(name):
    params, x, c = parameters(), drawn(5, 12), drawn(5, 3, seed=1)
    wanted = gradient(params, x, c, name)
    exact = ag.grad(loss)(params, x, c)
    after = ag.grad(ag.precision(loss, name))(params, x, c)
    before = ag.precision(ag.grad(loss), name)(params, x, c)
    value, with_value = ag.value_and_grad(ag.precision(loss, name))(params, x, c)
    hidden = np.maximum(product(x, params[0][0], name) + params[0][1], 0)
    assert value == np.sum((product(hidden, params[1][0], name) + params[1][1]) * c)
    for found in (after, before, with_value):
        for (w, b), (wanted_w, wanted_b) in zip(found, wanted):
            assert w.dtype == b.dtype == np.float32
            assert np.array_equal(w, wanted_w)
            assert np.array_equal(b, wanted_b)
    assert not np.array_equal(after[0][0], exact[0][0])


@BOTH
def test_derivatives_near_those_of_float32(name):
    x, w = fine(5, 4), fine(4, 3)
    f = lambda w: np.sum(np.tanh(x @ w) ** 2)
    lowered = ag.precision(f, name)
    close = dict(rtol=0.05, atol=0.05)
    np.testing.assert_allclose(ag.grad(lowered)(w), ag.grad(f)(w), **close)
    np.testing.assert_allclose(ag.jvp(lowered, (w,), (w,))[1], ag.jvp(f, (w,), (w,))[1], **close)
    np.testing.assert_allclose(ag.hessian(lowered)(w), ag.hessian(f)(w), rtol=0.1, atol=0.15)
    out, push = ag.linearize(lowered, w)
    assert out == lowered(w)
    np.testing.assert_allclose(push(w), ag.jvp(lowered, (w,), (w,))[1], rtol=1e-6)
    assert ag.jacfwd(ag.grad(lowered))(w).dtype == np.float32


def test_second_derivatives_to_the_bit():
    x, w, v = drawn(5, 12), drawn(12, 3), drawn(12, 3, seed=2)
    f = lambda w: np.sum((x @ w) * (x @ w))
    found = ag.jvp(ag.grad(ag.precision(f)), (w,), (v,))[1]
    # The product is low, and so are twice the product and its tangent.
    tangent = low(2 * product(x, v))
    assert np.array_equal(found, product(x.T, tangent))


# -- control flow ----------------------------------------------------------------------------------


def shrinks(x, w, times=product):
    steps = 0
    while np.sum(np.abs(x)) > 0.1 and steps < 9:
        x = times(x, w) / np.float32(8) if steps % 2 == 0 else times(x, w.T) / np.float32(16)
        steps = steps + 1
    return x, steps


def folds(xs, w, times=product):
    h = np.zeros(4, np.float32)
    total = np.zeros(4, np.float32)
    for x in xs:
        h = times(x + h, w) / np.float32(16)
        total = total + h * np.float32(0.3)
    return total


def recurses(x, w, n, times=product):
    if n == 0:
        return x
    return recurses(times(x, w) / np.float32(8), w, n - 1, times)


def plainly(function):
    """A function whose products are NumPy's, for `ag.precision` to round."""
    return lambda *args: function(*args, np.matmul)


@pytest.mark.costly
@KERNELS
def test_while_for_and_recursion():
    x, w = drawn(4), drawn(4, 4)
    found, steps = ag.precision(plainly(shrinks))(x, w)
    wanted, wanted_steps = shrinks(x, w)
    assert steps == wanted_steps > 2
    assert np.array_equal(found, wanted)
    assert not np.array_equal(found, shrinks(x, w, np.matmul)[0])
    xs = drawn(7, 4)
    np.testing.assert_allclose(ag.precision(plainly(folds))(xs, w), folds(xs, w), rtol=1e-6)
    for n in range(5):
        assert np.array_equal(ag.precision(plainly(recurses))(x, w, n), recurses(x, w, n))


def test_sums_that_grow_in_loops_are_full():
    x, w = drawn(40, 4), drawn(4, 4)

    def total(xs, w):
        found = np.zeros(4, np.float32)
        for x in xs:
            found = found + x @ w
        return found

    wanted = np.zeros(4, np.float32)
    for row in x:
        wanted = wanted + product(row, w)
    found = ag.precision(total)(x, w)
    assert np.array_equal(found, wanted)
    assert not np.array_equal(found, low(found))


def test_what_loops_capture_is_rounded_before_them():
    f = ag.precision(lambda xs, w: folds(xs, w, np.matmul))
    text = str(f.program(drawn(7, 4), drawn(4, 4)))
    before, _, inside = text.partition("for ")
    assert "rounded_to(w" in before
    assert "rounded_to(w" not in inside


@KERNELS
@pytest.mark.parametrize(
    "function",
    [
        lambda x, w: np.sum(plainly(shrinks)(x, w)[0]),
        lambda x, w: np.sum(plainly(recurses)(x, w, 3)),
    ],
)
def test_gradients_through_control_flow(function):
    x, w = drawn(4), drawn(4, 4)
    close = dict(rtol=0.05, atol=0.02)
    exact = ag.grad(function, (0, 1))(x, w)
    after = ag.grad(ag.precision(function), (0, 1))(x, w)
    before = ag.precision(ag.grad(function, (0, 1)))(x, w)
    for wanted, one, other in zip(exact, after, before):
        np.testing.assert_allclose(one, wanted, **close)
        np.testing.assert_allclose(other, wanted, **close)
        assert one.dtype == other.dtype == np.float32
        assert np.array_equal(one, other) or np.allclose(one, other, rtol=0.02, atol=0.02)


@KERNELS
def test_lanes_in_either_order():
    xs, w, counts = drawn(6, 4), drawn(4, 4), np.array([0, 1, 2, 3, 2, 1])
    wanted, steps = zip(*(shrinks(x, w) for x in xs))
    for f in (
        ag.vmap(ag.precision(plainly(shrinks)), (0, None)),
        ag.precision(ag.vmap(plainly(shrinks), (0, None))),
    ):
        found, trips = f(xs, w)
        assert np.array_equal(found, wanted)
        assert tuple(trips) == steps
    wanted = [recurses(x, w, n) for x, n in zip(xs, counts)]
    lanes = (0, None, 0)
    for f in (
        ag.vmap(ag.precision(plainly(recurses)), lanes),
        ag.precision(ag.vmap(plainly(recurses), lanes)),
    ):
        assert np.array_equal(f(xs, w, counts), wanted)


def test_lanes_of_gradients_in_all_orders():
    xs, w, counts = drawn(6, 4), drawn(4, 4), np.array([0, 1, 2, 3, 2, 1])
    f = lambda x, w, n: np.sum(plainly(recurses)(x, w, n))
    wanted = [ag.grad(ag.precision(f), 1)(x, w, n) for x, n in zip(xs, counts)]
    lanes = (0, None, 0)
    for g in (
        ag.vmap(ag.grad(ag.precision(f), 1), lanes),
        ag.vmap(ag.precision(ag.grad(f, 1)), lanes),
        ag.precision(ag.vmap(ag.grad(f, 1), lanes)),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            np.testing.assert_allclose(g(xs, w, counts), wanted, rtol=0.02, atol=0.02)


def test_branches():
    x, w = drawn(3, 4), drawn(4, 4)
    f = lambda x, w: (x @ w if np.sum(x) > 0 else x @ w @ w) * 0.1
    for sign in (1, -1):
        x = sign * np.abs(x)
        a = product(x, w) if np.sum(x) > 0 else product(product(x, w), w)
        assert np.array_equal(ag.precision(f)(x, w), low(a * low(0.1)))  # low in both branches
    g = lambda x, w: (x @ w if np.sum(x) > 0 else x) * 0.1
    x = np.abs(x)
    assert np.array_equal(ag.precision(g)(x, w), product(x, w) * np.float32(0.1))


# -- other transforms inside -----------------------------------------------------------------------


def test_rules_and_checkpoints():
    x, w = drawn(3, 12), drawn(12, 4)

    @ag.custom_vjp
    def times(x, w):
        return x @ w

    times.defvjp(lambda x, w: (x @ w, (x, w)), lambda kept, ct: (ct @ kept[1].T, kept[0].T @ ct))

    @ag.custom_jvp
    def forwards(x, w):
        return x @ w

    forwards.defjvp(
        lambda primals, tangents: (
            primals[0] @ primals[1],
            tangents[0] @ primals[1] + primals[0] @ tangents[1],
        )
    )
    c = drawn(3, 4)
    total = lambda f: lambda w: np.sum(f(x, w) * c)
    wanted = ag.grad(ag.precision(total(np.matmul)))(w)
    assert np.array_equal(wanted, product(x.T, c))
    for f in (times, forwards, ag.checkpoint(lambda x, w: x @ w)):
        assert np.array_equal(ag.precision(f)(x, w), product(x, w))
        assert np.array_equal(ag.grad(ag.precision(total(f)))(w), wanted)
        assert np.array_equal(ag.precision(ag.grad(total(f)))(w), wanted)
    assert np.array_equal(ag.grad(ag.checkpoint(ag.precision(total(np.matmul))))(w), wanted)
    tangent = ag.jvp(ag.precision(lambda w: forwards(x, w)), (w,), (w,))[1]
    assert np.array_equal(tangent, ag.jvp(ag.precision(lambda w: x @ w), (w,), (w,))[1])


def test_in_each_other_and_as_a_part_of_a_function():
    x, w = fine(3, 4), fine(4, 4)
    inner = ag.precision(np.matmul, "float16")
    outer = ag.precision(lambda x, w: inner(x, w) @ w)
    a = inner(x, w)
    np.testing.assert_allclose(outer(x, w), product(a, w), rtol=2.0**-6, atol=1e-2)
    part = ag.to_graph(lambda x, w: ag.precision(np.matmul)(x, w) + x @ w)
    np.testing.assert_allclose(part(x, w), ag.precision(np.matmul)(x, w) + x @ w, rtol=1e-6)


# -- policies --------------------------------------------------------------------------------------


def test_kept_arguments():
    model = {"body": [drawn(12, 8), drawn(8, 8)], "head": {"w": drawn(8, 3)}}
    x = drawn(5, 12)
    f = lambda model, x: x @ model["body"][0] @ model["body"][1] @ model["head"]["w"]
    body = product(product(x, model["body"][0]), model["body"][1])
    policy = ag.Policy(keep="model['head']")
    assert np.array_equal(ag.precision(f, policy)(model, x), body @ model["head"]["w"])
    first = x @ model["body"][0]
    wanted = product(product(first, model["body"][1]), model["head"]["w"])
    assert np.array_equal(
        ag.precision(f, ag.Policy(keep=["model['body'][0]"]))(model, x),
        wanted,
    )
    assert np.array_equal(ag.precision(f, ag.Policy(keep="*"))(model, x), f(model, x))
    gradient = ag.precision(ag.grad(lambda model, x: np.sum(f(model, x))), policy)(model, x)
    ones = np.ones((5, 3), np.float32)
    assert np.array_equal(gradient["head"]["w"], product(body.T, ones))


def test_kept_arguments_in_loops_and_calls():
    x, w = drawn(4), drawn(4, 4)
    policy = ag.Policy(keep="w")
    found, steps = ag.precision(lambda x, w: plainly(shrinks)(x, w), policy)(x, w)
    wanted, trips = shrinks(x, w, np.matmul)
    assert steps == trips
    np.testing.assert_array_equal(found, wanted)
    found = ag.precision(lambda x, w: plainly(recurses)(x, w, 3), policy)(x, w)
    np.testing.assert_array_equal(found, recurses(x, w, 3, np.matmul))

    def carried(x, w):
        v = w
        for _ in range(3):
            x, v, w = x @ v / np.float32(8), w.T, v
        return x

    v, u, wanted = w, w, x
    for _ in range(3):
        wanted, v, u = wanted @ v / np.float32(8), u.T, v
    np.testing.assert_array_equal(ag.precision(carried, policy)(x, w), wanted)


def test_kept_arguments_in_gradients_of_loops():
    x, w = drawn(4), drawn(4, 4)
    f = lambda x, w: np.sum(plainly(recurses)(x, w, 3) ** 2)
    g = lambda x, w: np.sum(plainly(shrinks)(x, w)[0] ** 2)
    for function in (f, g):
        exact = ag.grad(function)(x, w)
        kept = ag.precision(ag.grad(function), ag.Policy(keep="w"))(x, w)
        np.testing.assert_allclose(kept, exact, rtol=1e-6)


def test_cast_arguments():
    x, w, b = drawn(5, 12), drawn(12, 3), fine(3)
    f = lambda x, w, b: np.tanh(x @ w + b)
    found = ag.precision(f, ag.Policy(cast="b"))(x, w, b)
    assert np.array_equal(found, low(np.tanh(low(product(x, w) + low(b)))))
    slope = ag.grad(ag.precision(lambda b: np.sum(b * 0.3), ag.Policy(cast="b")))(b)
    assert np.array_equal(slope, low(np.full(3, 0.3)))


def test_patterns_and_policies_that_are_none():
    x = drawn(2, 2)
    f = lambda model, n: model["a"] @ model["b"]
    for pattern in ("model.a", "a", "n", "model['a'", "*.norm"):
        with pytest.raises(OptionError, match=r"(?s)AG0781.*model\['a'\], model\['b'\]"):
            ag.precision(f, ag.Policy(keep=pattern))({"a": x, "b": x}, 3)
    for options in ({"compute": "int8"}, {"compute": 3}, {"keep": 3}, {"cast": ["a", 1]}):
        with pytest.raises(OptionError, match="AG0780"):
            ag.Policy(**options)
    with pytest.raises(OptionError, match="AG0780"):
        ag.precision(f, 8)
    with pytest.raises(OptionError, match="AG0780"):
        ag.precision(f, "float32")
    assert ag.Policy(np.float16) == ag.Policy("float16")
    assert ag.Policy(ml_dtypes.bfloat16) == ag.Policy()


def test_what_is_refused():
    def inside(x, n):
        return np.sum(x) if n == 0 else ag.precision(inside)(x @ x, n - 1)

    with pytest.raises(UnsupportedFunctionError, match="AG0782"):
        ag.to_graph(inside)(drawn(2, 2), 3)

    def changes(x):
        x[0] = 1.0
        return x

    with pytest.raises(MutationError, match="computed in low precision"):
        ag.precision(changes)(drawn(2, 2))

    def twice(x, w, v, n):
        total = lambda x, w: np.sum(plainly(recurses)(x, w, n))
        return ag.grad(total)(x, w) + ag.grad(total)(x, v)

    args = drawn(4), drawn(4, 4), drawn(4, 4, seed=1), 2
    assert ag.precision(twice)(*args).shape == (4,)
    with pytest.raises(UnsupportedFunctionError, match="AG0783"):
        ag.precision(twice, ag.Policy(keep="w"))(*args)


def test_results_and_structures_stay():
    x = drawn(2, 2)
    f = ag.precision(lambda x, n: {"x": x, "product": x @ x, "text": "t", "n": n + 1, "none": None})
    found = f(x, 2)
    assert found["x"] is not x
    assert np.array_equal(found["x"], x)
    assert (found["text"], found["n"], found["none"]) == ("t", 3, None)
    assert ag.precision(f) is ag.precision(f)  # compiled once


# -- models ----------------------------------------------------------------------------------------


def largest_difference(tree, other):
    """By how much leaves differ, in parts of the largest number among them."""
    pairs = list(zip(ag.tree.leaves(tree), ag.tree.leaves(other)))
    assert all(a.dtype == b.dtype == np.float32 for a, b in pairs)
    most = max(np.max(np.abs(a)) for a, _ in pairs)
    return max(np.max(np.abs(a - b)) for a, b in pairs) / most


@pytest.mark.costly
@pytest.mark.parametrize(("policy", "close"), [("bfloat16", 0.03), ("float16", 0.004)])
def test_layers(policy, close):
    x = fine(2, 5, 16)
    block = nn.TransformerBlock.make(ops.random.key(0), 16, 4)
    cells = nn.Recurrent([nn.LSTMCell.make(ops.random.key(1), 16, 8)])
    for model, loss in (
        (block, lambda model, x: np.mean(model(x, causal=True) ** 2)),
        (cells, lambda model, x: np.mean(model(x)[0] ** 2)),
    ):
        value, gradient = ag.value_and_grad(loss)(model, x)
        for f in (
            ag.value_and_grad(ag.precision(loss, policy)),
            ag.precision(ag.value_and_grad(loss), policy),
        ):
            found, slope = f(model, x)
            assert found != value
            assert abs(found - value) < close * abs(value)
            assert largest_difference(gradient, slope) < close
        kept = ag.Policy(policy, keep="model")
        found, slope = ag.value_and_grad(ag.precision(loss, kept))(model, x)
        assert largest_difference(gradient, slope) < largest_difference(
            gradient, ag.grad(ag.precision(loss, policy))(model, x)
        )


def test_a_whole_step_leaves_what_it_updates_in_float32():
    model = nn.MLP.make(ops.random.key(0), [4, 8, 1])
    x = fine(16, 4)

    def step(model, x):
        gradient = ag.grad(lambda model: np.mean((model(x) - 1) ** 2))(model)
        return ag.tree.map(lambda p, g: p - 1e-4 * g, model, gradient)

    found, exact = ag.precision(step)(model, x), ag.to_graph(step)(model, x)
    for new, wanted, old in zip(*map(ag.tree.leaves, (found, exact, model))):
        assert np.max(np.abs(new - wanted)) < 0.1 * np.max(np.abs(wanted - old)) + 1e-7
