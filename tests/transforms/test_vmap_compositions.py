"""Every transform in lanes, of lanes and around both, where lanes go different ways."""

import numpy as np
import pytest

import autograph as ag
import ops

ROWS = np.random.default_rng(0).normal(size=(4, 3))
X = ROWS[:, 0]


def halved(x):
    while abs(x) > 0.3:
        x = x * 0.5
    return x


def cube(x):
    return halved(x) ** 3


TRANSFORMED = {
    "plain": halved,
    "to_graph": ag.to_graph(halved),
    "grad": ag.grad(cube),
    "value_and_grad": lambda x: sum(ag.value_and_grad(cube)(x)),
    "vjp": lambda x: ag.vjp(cube, x)[1](x)[0],
    "jvp": lambda x: ag.jvp(cube, (x,), (x,))[1],
    "linearize": lambda x: ag.linearize(cube, x)[1](x),
    "jacfwd": ag.jacfwd(cube),
    "jacrev": ag.jacrev(cube),
    "hessian": ag.hessian(cube),
    "hvp": lambda x: ag.hvp(cube)(x, 2.0),
    "checkpoint": ag.checkpoint(cube),
    "grad of checkpoint": ag.grad(ag.checkpoint(cube)),
}


def each(function, array):
    """What a function of numbers gives for each element."""
    return np.array([function(x) for x in array.flat]).reshape(array.shape)


def repeated(lanes, x):
    for _ in range(2):
        x = np.sin(lanes(x) + x)
    return x


AT_ONCE = pytest.mark.filterwarnings("error:.*one lane after the other")


@pytest.mark.costly
@AT_ONCE
@pytest.mark.parametrize("name", TRANSFORMED)
def test_compositions(name):
    f = TRANSFORMED[name]
    lanes = ag.vmap(f)
    same(lanes(X), each(f, X))
    same(ag.vmap(lanes)(ROWS), each(f, ROWS))
    same(ag.to_graph(lanes)(X), each(f, X))
    slopes = each(ag.grad(f), X)
    same(ag.vmap(ag.grad(f))(X), slopes)
    same(ag.grad(lambda x: np.sum(lanes(x)))(X), slopes)
    same(ag.grad(lambda x: np.sum(ag.checkpoint(lanes)(x)))(X), slopes)
    same(ag.linearize(lanes, X)[1](np.ones(4)), slopes)
    for jacobian in (ag.jacfwd, ag.jacrev):
        same(jacobian(lanes)(X), np.diag(slopes))
    in_loop = ag.grad(lambda x: np.sum(repeated(lanes, x)))(X)
    same(in_loop, each(ag.grad(lambda x: repeated(f, x)), X))


@pytest.mark.costly
@AT_ONCE
@pytest.mark.parametrize("name", ["plain", "linearize", "checkpoint", "grad", "jacrev"])
def test_lanes_of_compositions(name):
    f = TRANSFORMED[name]
    lanes = ag.vmap(f)
    slopes = each(ag.grad(f), ROWS)
    for jacobian in (ag.jacfwd, ag.jacrev):
        same(ag.vmap(jacobian(lanes))(ROWS), [np.diag(row) for row in slopes])
    same(ag.vmap(lambda x: ag.linearize(lanes, x)[1](np.ones(3)))(ROWS), slopes)
    same(ag.vmap(ag.grad(lambda x: np.sum(lanes(x))))(ROWS), slopes)
    curvature = ag.vmap(ag.hvp(lambda x: np.sum(lanes(x) ** 2)))(ROWS, np.ones_like(ROWS))
    same(curvature, each(ag.grad(ag.grad(lambda x: f(x) ** 2)), ROWS))


def same(found, wanted):
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-10)


# -- models with many parameters -------------------------------------------------------------------

RNG = np.random.default_rng(1)
PARAMETERS = {"w": RNG.normal(size=(3, 4)), "b": np.zeros(4), "v": RNG.normal(size=4)}
INPUTS, TARGETS = RNG.normal(size=(5, 3)), RNG.normal(size=5)


def loss(p, x, y):
    return (np.tanh(x @ p["w"] + p["b"]) @ p["v"] - y) ** 2


def test_gradients_of_each_sample():
    found = ag.vmap(ag.grad(loss), (None, 0, 0))(PARAMETERS, INPUTS, TARGETS)
    for i in range(5):
        wanted = ag.grad(loss)(PARAMETERS, INPUTS[i], TARGETS[i])
        for name in PARAMETERS:
            same(found[name][i], wanted[name])
    total = ag.grad(lambda p: np.sum(ag.vmap(loss, (None, 0, 0))(p, INPUTS, TARGETS)))(PARAMETERS)
    for name in PARAMETERS:
        same(total[name], found[name].sum(0))


def test_an_ensemble():
    models = {name: np.stack([p, p * 0.5, p - 1]) for name, p in PARAMETERS.items()}
    losses = ag.vmap(ag.vmap(loss, (None, 0, 0)), (0, None, None))(models, INPUTS, TARGETS)
    for i in range(3):
        model = {name: p[i] for name, p in models.items()}
        same(losses[i], [loss(model, x, y) for x, y in zip(INPUTS, TARGETS)])
    values, slopes = ag.vmap(ag.value_and_grad(loss))(models, INPUTS[:3], TARGETS[:3])
    model = {name: p[2] for name, p in models.items()}
    same(values[2], loss(model, INPUTS[2], TARGETS[2]))
    same(slopes["w"][2], ag.grad(loss)(model, INPUTS[2], TARGETS[2])["w"])


def test_gradients_through_the_steps_of_each_task():
    xs, ys, start = RNG.normal(size=(4, 6, 3)), RNG.normal(size=(4, 6)), RNG.normal(size=3)

    def task(w, x, y):
        def error(w):
            return np.mean((x @ w - y) ** 2)

        steps = 0
        while error(w) > 0.9 and steps < 4:
            w = w - 0.1 * ag.grad(error)(w)
            steps += 1
        return error(w)

    def meta(w):
        return np.mean(ag.vmap(task, (None, 0, 0))(w, xs, ys))

    same(meta(start), np.mean([task(start, x, y) for x, y in zip(xs, ys)]))
    ag.check_grads(meta, (start,), order=2)


def test_a_residual_of_a_differential_equation():
    def u(t, x):
        return np.sin(x) * np.exp(-t)

    t, x = np.linspace(0, 1, 7), np.linspace(0, 3, 7)
    by_t, by_xx = ag.vmap(ag.grad(u, 0)), ag.vmap(ag.grad(ag.grad(u, 1), 1))
    same(by_t(t, x) - by_xx(t, x), np.zeros(7))


def test_lanes_that_reject_different_numbers_of_draws():
    def rejected(key):
        key, this = ops.random.split(key)
        x = ops.random.uniform(this)
        while x > 0.3:
            key, this = ops.random.split(key)
            x = ops.random.uniform(this)
        return x

    keys = ops.random.split(ops.random.key(3), 6)
    same(ag.vmap(rejected)(keys), [rejected(key) for key in keys])
