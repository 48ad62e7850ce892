"""L-BFGS and its line searches."""

import numpy as np
import pytest

import autograph as ag
from autograph import optim
from autograph.solvers.quasi_newton import two_loops
from autograph.solvers.zoom import SearchSettings, zoom

RNG = np.random.default_rng(0)


def rosenbrock(params):
    x = np.concatenate([params["a"], params["b"].reshape(-1)])
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


SEARCHES = {
    "zoom": optim.lbfgs(),
    "backtracking": optim.lbfgs(
        linesearch=optim.scale_by_backtracking_linesearch(30, store_grad=True)
    ),
}


@pytest.mark.slow
@pytest.mark.costly
@pytest.mark.parametrize("name", SEARCHES)
def test_rosenbrock(name):
    optimiser = SEARCHES[name]
    value_and_grad = optim.value_and_grad_from_state(rosenbrock)

    @ag.to_graph
    def solved(params):
        state = optimiser.init(params)
        steps, size = 0, np.inf
        while size > 1e-8 and steps < 300:
            value, gradient = value_and_grad(params, state=state)
            size = optim.global_norm(gradient)
            updates, state = optimiser.update(
                gradient, state, params, value=value, grad=gradient, value_fn=rosenbrock
            )
            params = optim.apply_updates(params, updates)
            steps += 1
        return params, steps

    params, steps = solved({"a": np.array([0.5, 0.2]), "b": np.array([[2.0], [1.0]])})
    np.testing.assert_allclose(np.append(params["a"], params["b"]), np.ones(4), rtol=1e-7)
    assert steps < 80


def test_a_step_is_that_of_the_matrix():
    """Of the inverse Hessian that the updates of BFGS make of the identity."""
    moves, changes = RNG.normal(size=(3, 4)), RNG.normal(size=(3, 4))
    changes *= np.sign(np.sum(moves * changes, axis=1))[:, None]
    weights, g = 1.0 / np.sum(moves * changes, axis=1), RNG.normal(size=4)
    inverse = 0.7 * np.eye(4)
    for move, change, weight in zip(moves, changes, weights):
        v = np.eye(4) - weight * np.outer(change, move)
        inverse = v.T @ inverse @ v + weight * np.outer(move, move)
    np.testing.assert_allclose(two_loops(g, moves, changes, weights, 0.7, 0), inverse @ g)
    order = [1, 2, 0]  # the oldest in the last row
    back = [moves[order], changes[order], weights[order]]
    np.testing.assert_allclose(two_loops(g, *back, 0.7, 2), inverse @ g)


LINES = {  # of More and Thuente 1994, and one with a long way to go
    "one": (lambda t: -t / (t * t + 2.0), lambda t: (t * t - 2.0) / (t * t + 2.0) ** 2),
    "two": (lambda t: (t + 0.004) ** 5 - 2 * (t + 0.004) ** 4, None),
    "far": (lambda t: (t - 300.0) ** 2, lambda t: 2.0 * (t - 300.0)),
    "steep": (lambda t: np.exp(8 * t) - 30 * t, lambda t: 8 * np.exp(8 * t) - 30),
}


@pytest.mark.parametrize("first", [1e-3, 0.1, 1.0, 10.0])
@pytest.mark.parametrize("name", LINES)
def test_the_conditions_of_wolfe(name, first):
    value, slope = LINES[name]
    slope = slope or (lambda t: 5 * (t + 0.004) ** 4 - 8 * (t + 0.004) ** 3)
    at = lambda t: (value(t), slope(t), np.array([slope(t)]))
    settings = SearchSettings(60, curvature_rate=0.1, approximate_rate=None, shortest=1e-12)
    with np.errstate(over="ignore", invalid="ignore"):
        found = zoom(at, value(0.0), slope(0.0), np.zeros(1), first, settings)
    assert found.value <= value(0.0) + 1e-4 * found.length * slope(0.0)
    assert abs(slope(found.length)) <= 0.1 * abs(slope(0.0))
    assert (found.value, found.gradient[0]) == (value(found.length), slope(found.length))


def test_no_step_where_there_is_no_value():
    at = lambda t: (np.nan, np.nan, np.zeros(1))
    found = zoom(at, 1.0, -1.0, np.ones(1), 1.0, SearchSettings(5))
    assert (found.length, found.value, found.gradient[0]) == (0.0, 1.0, 1.0)


def test_lanes_search_each_its_own():
    optimiser = optim.lbfgs()

    def stepped(a):
        function = lambda x: np.sum((x - a) ** 4)
        x = np.zeros(2)
        value, gradient = ag.value_and_grad(function)(x)
        state = optimiser.init(x)
        updates, state = optimiser.update(
            gradient, state, x, value=value, grad=gradient, value_fn=function
        )
        return updates, state[-1].info.num_linesearch_steps

    many = np.array([0.5, 3.0, 40.0])
    found, counts = ag.vmap(stepped)(many)
    for a, update, count in zip(many, found, counts):
        one, steps = stepped(a)
        np.testing.assert_allclose(update, one, rtol=1e-10)
        assert count == steps
    assert len(set(counts)) > 1


def test_float32():
    optimiser = optim.lbfgs()
    function = lambda x: np.sum((x - 3.0) ** 2)
    x = np.zeros(3, np.float32)
    state = optimiser.init(x)

    @ag.to_graph
    def step(x, state):
        value, gradient = ag.value_and_grad(function)(x)
        updates, state = optimiser.update(
            gradient, state, x, value=value, grad=gradient, value_fn=function
        )
        return optim.apply_updates(x, updates), state

    for _ in range(3):
        before = [np.asarray(leaf).dtype for leaf in ag.tree.leaves(state)]
        x, state = step(x, state)
        assert [np.asarray(leaf).dtype for leaf in ag.tree.leaves(state)] == before
    assert x.dtype == np.float32
    np.testing.assert_allclose(x, 3.0, rtol=1e-5)
