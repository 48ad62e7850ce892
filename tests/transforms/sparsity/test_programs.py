"""The index sets of programs: never less than what a derivative has, and those of the pictures."""

import numpy as np
import pytest

import autograph as ag

X = np.linspace(0.4, 1.6, 6)


def exactly(text):
    """A pattern from its picture."""
    return np.array([[c == "x" for c in row] for row in text.split()])


def in_place(x):
    y = np.zeros(6)
    y[1:-1] = x[2:] - x[:-2]
    y[0] += x[5]
    y[::2] *= x[0]
    return y


def by_trips(x):
    y = np.zeros(6)
    for i in range(1, 5):
        y[i] = x[i - 1] * x[i + 1]
    return y


def twice_diffused(x):
    x = x.copy()
    for _ in range(2):
        x[1:-1] = x[1:-1] + 0.1 * (x[2:] - x[:-2])
    return x


def either(x):
    if np.sum(x) > 3.0:
        return x[::-1] * 1.0
    return x * 2.0


def until(x):
    while np.sum(x) > 1.0:
        x = 0.5 * x * x
    return x


def shifted_until(x):
    while np.sum(x) > 1.0:
        x = 0.5 * np.append(x[1:], 0.0)
    return x


def known_branch(x):
    y = x * 1.0
    for i in range(6):
        if i % 2 == 0:
            y[i] = x[0]
    return y


def recursive(x, n):
    return x if n == 0 else recursive(np.append(x[1:], x[0]), n - 1)


def lanes(x):
    def one(a, b):
        while a * a > 0.1 + b * b:
            a = a * 0.5
        return a

    return ag.vmap(one)(x, np.roll(x, 1))


EXACT = {
    "in place": (in_place, "x....x x.x... xx.x.. ..x.x. x..x.x ......"),
    "by trips": (by_trips, "...... x.x... .x.x.. ..x.x. ...x.x ......"),
    "twice diffused": (twice_diffused, "x..... xxxx.. xxxxx. .xxxxx ..xxxx .....x"),
    "either": (either, "x....x .x..x. ..xx.. ..xx.. .x..x. x....x"),
    "until": (until, "x..... .x.... ..x... ...x.. ....x. .....x"),
    "shifted until": (shifted_until, "xxxxxx .xxxxx ..xxxx ...xxx ....xx .....x"),
    "known branch": (known_branch, "x..... .x.... x..... ...x.. x..... .....x"),
    "recursive": (lambda x: recursive(x, 2), "..x... ...x.. ....x. .....x x..... .x...."),
    "gather": (lambda x: x[np.array([3, 0, 3])], "...x.. x..... ...x.."),
    "scatter": (
        lambda x: np.bincount(np.array([1, 1, 0, 2, 3, 1]), weights=x, minlength=4),
        "..x... xx...x ...x.. ....x.",
    ),
    "stack": (
        lambda x: np.stack([x[:3], x[3:]], axis=1).reshape(-1),
        "x..... ...x.. .x.... ....x. ..x... .....x",
    ),
    "rows": (lambda x: np.sum(x.reshape(2, 3), axis=1), "xxx... ...xxx"),
    "columns": (lambda x: np.max(x.reshape(2, 3), axis=0), "x..x.. .x..x. ..x..x"),
    "running": (lambda x: np.cumsum(x), "x..... xx.... xxx... xxxx.. xxxxx. xxxxxx"),
    "masked": (
        lambda x: x * np.array([0.0, 1.0, 0.0, 2.0, 0.0, 0.0]),
        "...... .x.... ...... ...x.. ...... ......",
    ),
    "steps": (
        lambda x: np.floor(x) + np.sign(x) * (x > 1.0),
        "...... ...... ...... ...... ...... ......",
    ),
    "stopped": (
        lambda x: ag.stop_gradient(x) * x[::-1],
        ".....x ....x. ...x.. ..x... .x.... x.....",
    ),
    "lanes": (lanes, "x..... .x.... ..x... ...x.. ....x. .....x"),
    "product": (lambda x: np.tri(6, k=-3) @ x, "...... ...... ...... x..... xx.... xxx..."),
    "convolution": (
        lambda x: np.convolve(x, [1.0, 0.0, -1.0], mode="same"),
        ".x.... x.x... .x.x.. ..x.x. ...x.x ....x.",
    ),
    "sorted rows": (
        lambda x: np.sort(x.reshape(3, 2), axis=1).reshape(-1),
        "xx.... xx.... ..xx.. ..xx.. ....xx ....xx",
    ),
    "norms": (lambda x: np.linalg.norm(x.reshape(3, 2), axis=1), "xx.... ..xx.. ....xx"),
    "systems": (
        lambda x: np.linalg.solve(x.reshape(6, 1, 1), np.ones((6, 1, 1))).reshape(-1),
        "x..... .x.... ..x... ...x.. ....x. .....x",
    ),
}


def true_pattern(function, x):
    """Where the Jacobian is not zero at some arguments like these."""
    rng, found = np.random.default_rng(0), False
    for scale in (0.0, 0.1, 1.0):
        y = x + scale * rng.normal(size=x.shape)
        jacobian = ag.jacfwd(function)(y)
        found = found | (np.asarray(jacobian).reshape(-1, x.size) != 0.0)
    return found


@pytest.mark.parametrize("name", EXACT)
def test_the_pattern_is_what_it_has_to_be(name):
    function, picture = EXACT[name]
    found = ag.sparsity(function)(X.copy()).toarray()
    np.testing.assert_array_equal(found, exactly(picture))
    assert not (true_pattern(function, X) & ~found).any()


@pytest.mark.parametrize("name", EXACT)
def test_the_pattern_of_second_derivatives_has_all_that_they_have(name):
    function, _ = EXACT[name]
    gradient = ag.grad(lambda x: np.sum(function(x) ** 3))
    found = ag.sparsity(gradient)(X.copy()).toarray()
    assert not (true_pattern(gradient, X) & ~found).any()


def springs(x):
    total = 0.0
    for i in range(5):
        total = total + (x[i + 1] - x[i]) ** 4
    return total


def test_the_pattern_of_a_gradient_through_a_loop_is_exact():
    found = ag.sparsity(ag.grad(springs))(X).toarray()
    np.testing.assert_array_equal(found, np.abs(np.subtract.outer(range(6), range(6))) <= 1)


def growing(x):
    """A loop of unknown length whose backward pass takes what the forward pass left."""
    y = x * 1.0
    while np.sum(y) > 0.5:
        y = y * x * 0.4
    return np.sum(y**2)


def test_the_pattern_of_a_gradient_through_a_loop_of_unknown_length():
    found = ag.sparsity(ag.grad(growing))(X).toarray()
    np.testing.assert_array_equal(found, np.eye(6, dtype=bool))


def branching(x):
    y = x * 1.0
    for i in range(5):
        if x[i] > 1.0:
            y[i] = x[i] ** 2 * x[i + 1]
        else:
            y[i] = np.sin(x[i])
    return np.sum(y)


def halved(x, total):
    return total if np.sum(x) < 0.1 else halved(x * x * 0.5, total + np.sum(np.sin(x)))


@pytest.mark.parametrize("function", [branching, lambda x: halved(x, 0.0)])
def test_the_pattern_of_gradients_through_branches_and_recursion(function):
    gradient = ag.grad(function)
    found = ag.sparsity(gradient)(X).toarray()
    assert not (true_pattern(gradient, X) & ~found).any()


def test_functions_with_rules_depend_on_what_the_rules_say():
    @ag.custom_jvp
    def rounded(x):
        return np.round(x)

    rounded.defjvp(lambda primals, tangents: (np.round(primals[0]), tangents[0][::-1]))
    np.testing.assert_array_equal(ag.sparsity(rounded)(X).toarray(), np.eye(6, dtype=bool)[::-1])

    @ag.custom_vjp
    def turned(x):
        return np.round(x)

    turned.defvjp(lambda x: (np.round(x), None), lambda _, ct: (np.roll(ct, 1),))
    np.testing.assert_array_equal(
        ag.sparsity(turned)(X).toarray(), np.roll(np.eye(6, dtype=bool), 1, axis=1)
    )


@pytest.mark.slow
def test_a_root_by_products_depends_on_what_the_iterations_use():
    def root(x):
        return ag.root(lambda y: y**3 + y + 0.1 * np.roll(y, 1) - x, 0.5 * X, linear="gmres")

    found = ag.sparsity(root)(X).toarray()
    assert not (true_pattern(root, X) & ~found).any()
    np.testing.assert_allclose(ag.sparse_jacobian(root)(X).toarray(), ag.jacfwd(root)(X), rtol=1e-9)


def test_an_unknown_index_may_be_any_along_its_axis():
    at = lambda x, i: x.reshape(2, 3)[:, i]
    np.testing.assert_array_equal(ag.sparsity(at)(X, 1).toarray(), exactly("xxx... ...xxx"))

    def written(x, i):
        y = x * 1.0
        y[i] = x[0]
        return y

    found = ag.sparsity(written)(X, 3).toarray()
    np.testing.assert_array_equal(found, exactly("x..... xx.... x.x... x..x.. x...x. x....x"))


def test_at_values_branches_and_indices_are_theirs():
    def chosen(x, i):
        if x[0] > 0.0:
            return x[i] * np.where(x > 1.0, x, 0.0)
        return x

    found = ag.sparsity(chosen, local=True)(X, 2).toarray()
    np.testing.assert_array_equal(found, exactly("...... ...... ...... ..xx.. ..x.x. ..x..x"))
    assert ag.sparsity(chosen)(X, 2).nnz == 36
    found = ag.sparsity(chosen, local=True)(-X, 2).toarray()
    np.testing.assert_array_equal(found, np.eye(6, dtype=bool))


def test_patterns_of_large_arrays_are_found_in_little_time():
    n = 100_000
    found = ag.sparsity(lambda x: x[:-2] - 2.0 * np.sin(x[1:-1]) + x[2:])(np.ones(n))
    assert found.shape == (n - 2, n) and found.nnz == 3 * (n - 2)
