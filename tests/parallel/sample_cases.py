"""The samples' functions for one part, each beside the plain computation of the whole.

`check` compares a case on a mesh, of lanes or of processes, with one process: the value with that
of plain NumPy, the gradient taken inside and outside of the function for a mesh, and products of
second derivatives with a direction, in forward mode over reverse mode and in reverse mode twice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import autograph as ag
import ops
from autograph import P
from samples.parallel import (
    data_parallel,
    halo,
    pipeline,
    sharded_weights,
    sweep,
    tensor_parallel,
)


class Case(NamedTuple):
    """A number that parts compute together.

    Attributes:
        part: the function for one part; its result is the same in all.
        whole: the plain computation with the same arguments.
        specs: of the arguments.
        arguments: ``arguments(rng, mesh)``: whole arrays, by which the derivatives are taken but
            for those that are ``fixed``.
        axes: ``axes(count)``: the axes of a mesh for so many parts.
        fixed: positions of arguments without derivatives.
        order: of the highest derivatives that are compared.
    """

    part: Callable
    whole: Callable
    specs: tuple
    arguments: Callable
    axes: Callable[[int], dict[str, int]]
    fixed: tuple[int, ...] = ()
    order: int = 2


# -- the plain computations ------------------------------------------------------------------------


def data_parallel_loss(params, x, y):
    s = data_parallel.scores(params, x)
    return np.mean(np.logaddexp(0.0, s) - s * y)


def data_parallel_training(params, x, y):
    velocity, total = ag.tree.map(lambda p: p * 0.0, params), 0.0
    for rows, classes in zip(x, y):
        value, gradient = ag.value_and_grad(data_parallel_loss)(params, rows, classes)
        velocity = ag.tree.map(lambda v, g: 0.9 * v - 0.5 * g, velocity, gradient)
        params = ag.tree.map(lambda p, v: p + v, params, velocity)
        total = total + value
    return total / len(x) + data_parallel_loss(params, x[0], y[0])


def sharded_weights_loss(params, x, y):
    h = x @ params["first"]
    for w, b in params["layers"]:
        h = h + np.tanh(h @ w + b)
    return np.mean((h @ params["last"] - y) ** 2)


def sharded_weights_training(params, x, y):
    """Adam as its authors write it down."""
    m = v = ag.tree.map(lambda p: p * 0.0, params)
    total = 0.0
    for i in range(len(x)):
        value, gradient = ag.value_and_grad(sharded_weights_loss)(params, x[i], y[i])
        m = ag.tree.map(lambda m, g: 0.9 * m + (1 - 0.9) * g, m, gradient)
        v = ag.tree.map(lambda v, g: 0.999 * v + (1 - 0.999) * g**2, v, gradient)
        mhat = ag.tree.map(lambda m: m / (1 - 0.9 ** (i + 1.0)), m)
        vhat = ag.tree.map(lambda v: v / (1 - 0.999 ** (i + 1.0)), v)
        params = ag.tree.map(lambda p, m, v: p - 0.05 * m / (np.sqrt(v) + 1e-8), params, mhat, vhat)
        total = total + value
    return total / len(x) + sharded_weights_loss(params, x[0], y[0])


def tensor_parallel_loss(params, x, y):
    x = x + params["positions"]
    query, key, value, join = params["attention"]
    inner, total = tensor_parallel.normalised(x), 0.0
    for h in range(query.shape[1]):
        q, k, v = inner @ query[:, h], inner @ key[:, h], inner @ value[:, h]
        scores = np.exp(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
        total = total + scores / np.sum(scores, -1, keepdims=True) @ v @ join[h]
    x = x + total
    first, second = params["perceptron"]
    x = x + np.maximum(tensor_parallel.normalised(x) @ first, 0.0) @ second
    return np.mean((x - y) ** 2)


def tensor_parallel_training(params, x, y):
    velocity, total = ag.tree.map(lambda p: p * 0.0, params), 0.0
    for rows, wanted in zip(x, y):
        value, gradient = ag.value_and_grad(tensor_parallel_loss)(params, rows, wanted)
        velocity = ag.tree.map(lambda v, g: 0.9 * v - 0.1 * g, velocity, gradient)
        params = ag.tree.map(lambda p, v: p + v, params, velocity)
        total = total + value
    return total / len(x) + tensor_parallel_loss(params, x[0], y[0])


def pipeline_loss(params, x, y):
    h = x
    for w, b in zip(*params):
        h = h + np.tanh(h @ w + b)
    return np.mean((h - y) ** 2)


def schedule_whole(params, direction, x, y):
    value, gradient = ag.value_and_grad(pipeline_loss)(params, x, y)
    return value + sum(np.sum(g * d) for g, d in zip(gradient, direction))


def heat(source, eps):
    u, residual, sweeps = np.zeros_like(source), np.sum(source * source), 0
    while residual > eps:
        wide = np.pad(u, 1)
        changed = wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:] + source
        changed = 0.25 * changed
        residual = np.sum((changed - u) ** 2)
        u = changed
        sweeps += 1
    return u, sweeps


def halo_misfit(powers, row, column, seen, weights, eps):
    u, sweeps = heat(halo.sources(powers, row, column), eps)
    return np.sum(weights * (u - seen) ** 2) + sweeps


def sweep_sum(stiffness, start):
    total = most = 0.0
    for s in stiffness:
        found = lambda s: sweep.integrated(s, start, 0.8, 1e-2)
        state, slope, tried = ag.jvp(found, (s,), (1.0,), has_aux=True)
        total = total + np.sin(state[0]) + slope[0]
        most = np.maximum(most, tried)
    return total + most


# -- the parts -------------------------------------------------------------------------------------


def trained(train, loss, rate, moments=1):
    """What a sample's training has as its mean loss, and as the loss afterwards."""

    def part(params, x, y):
        state = [ag.tree.map(lambda p: p * 0.0, params) for _ in range(moments)]
        more = (0,) if moments == 2 else ()
        params, *_, mean = train(params, *state, *more, x, y, rate)
        return mean + loss(params, x[0], y[0])

    return part


def schedule(params, direction, x, y):
    value, gradient = pipeline.one_forward_one_backward(params, x, y)
    along = sum(np.sum(g * d) for g, d in zip(gradient, direction))
    return value + ops.psum(along, "stage")


def misfit_and_sweeps(powers, row, column, seen, weights, eps):
    _, sweeps = halo.solve(halo.sources(powers, row, column), eps)
    return halo.misfit(powers, row, column, seen, weights, eps) + sweeps


def swept(stiffness, start):
    places, slopes, most = sweep.sweep(stiffness, start, 0.8, 1e-2)
    return np.sum(np.sin(places)) + np.sum(slopes) + most


# -- small arguments, whose lengths 2, 3 and 4 parts divide ----------------------------------------


def normal(rng, *shape):
    return rng.normal(0.0, 0.5, shape)


def perceptron(rng):
    return [(normal(rng, a, b), normal(rng, b)) for a, b in ((2, 3), (3, 1))]


def network(rng):
    params = sharded_weights.initial(rng, width=12, depth=2, inputs=2)
    return ag.tree.map(lambda p: p + 0.1 * rng.normal(size=p.shape), params)


def transformer(rng):
    return tensor_parallel.initial(rng, length=3, width=4, heads=12, size=2, hidden=12)


def stages(rng, mesh):
    count = mesh.shape["stage"]
    return normal(rng, count, 3, 3), normal(rng, count, 3)


def plate(rng, mesh):
    row, column = halo.coordinates(12, 3)
    weights = (rng.uniform(size=row.shape) < 0.5).astype(float)
    return np.array([0.8, 1.5]), row, column, normal(rng, 12, 3), weights, 1e-2


def two_axes(count):
    return {"data": 2 - count % 2, "model": count // (2 - count % 2)}


DATA, ROWS = P("data"), P(None, "data")
CASES = {
    "data parallel": Case(
        data_parallel.loss,
        data_parallel_loss,
        (P(), DATA, DATA),
        lambda rng, mesh: (perceptron(rng), normal(rng, 12, 2), np.arange(12.0) % 2),
        lambda count: {"data": count},
    ),
    "data parallel training": Case(
        trained(data_parallel.train, data_parallel.loss, 0.5),
        data_parallel_training,
        (P(), ROWS, ROWS),
        lambda rng, mesh: (perceptron(rng), normal(rng, 2, 12, 2), normal(rng, 2, 12)),
        lambda count: {"data": count},
        order=1,
    ),
    "sharded weights": Case(
        sharded_weights.loss,
        sharded_weights_loss,
        (sharded_weights.DIVIDED, DATA, DATA),
        lambda rng, mesh: (network(rng), normal(rng, 12, 2), normal(rng, 12)),
        lambda count: {"data": count},
    ),
    "sharded weights training": Case(
        trained(sharded_weights.train, sharded_weights.loss, 0.05, moments=2),
        sharded_weights_training,
        (sharded_weights.DIVIDED, ROWS, ROWS),
        lambda rng, mesh: (network(rng), normal(rng, 2, 12, 2), normal(rng, 2, 12)),
        lambda count: {"data": count},
        order=1,
    ),
    "tensor parallel": Case(
        tensor_parallel.loss,
        tensor_parallel_loss,
        (tensor_parallel.DIVIDED, DATA, DATA),
        lambda rng, mesh: (transformer(rng), normal(rng, 2, 3, 4), normal(rng, 2, 3, 4)),
        two_axes,
    ),
    "tensor parallel training": Case(
        trained(tensor_parallel.train, tensor_parallel.loss, 0.1),
        tensor_parallel_training,
        (tensor_parallel.DIVIDED, ROWS, ROWS),
        lambda rng, mesh: (transformer(rng), normal(rng, 2, 2, 3, 4), normal(rng, 2, 2, 3, 4)),
        two_axes,
        order=1,
    ),
    "pipeline": Case(
        pipeline.loss,
        pipeline_loss,
        (pipeline.DIVIDED, P(), P()),
        lambda rng, mesh: (stages(rng, mesh), normal(rng, 3, 2, 3), normal(rng, 3, 2, 3)),
        lambda count: {"stage": count},
    ),
    "one forward, one backward": Case(
        schedule,
        schedule_whole,
        (pipeline.DIVIDED, pipeline.DIVIDED, P(), P()),
        lambda rng, mesh: (
            *(stages(rng, mesh) for _ in range(2)),
            *(normal(rng, 5, 2, 3) for _ in range(2)),
        ),
        lambda count: {"stage": count},
        order=1,
    ),
    "halo": Case(
        misfit_and_sweeps,
        halo_misfit,
        halo.SPECS,
        plate,
        lambda count: {"rows": count},
        fixed=(1, 2, 5),
    ),
    "sweep": Case(
        swept,
        sweep_sum,
        (P("sweep"), P()),
        lambda rng, mesh: (np.linspace(0.3, 4.0, 2 * mesh.size), np.array([1.5, 0.2])),
        lambda count: {"sweep": count},
        order=1,
    ),
}


# -- comparing -------------------------------------------------------------------------------------


def dot(a: Any, b: Any) -> Any:
    return sum(np.sum(x * y) for x, y in zip(ag.tree.leaves(a), ag.tree.leaves(b)))


def close(found: Any, expected: Any, what: str, rtol: float = 1e-9) -> None:
    found, expected = ag.tree.leaves(found), ag.tree.leaves(expected)
    assert len(found) == len(expected)
    for a, b in zip(found, expected):
        scale = 1e-11 * np.max(np.abs(b), initial=1.0)
        np.testing.assert_allclose(a, b, rtol=rtol, atol=scale, err_msg=what)


def gathered(tree: Any) -> Any:
    """Nested arrays that live on a mesh, as whole arrays."""
    if isinstance(tree, dict):
        return {name: gathered(item) for name, item in tree.items()}
    if isinstance(tree, (tuple, list)):
        return type(tree)(gathered(item) for item in tree)
    return np.asarray(tree)


def check(name: str, mesh: ag.Mesh) -> None:
    """Compare a case on a mesh with one process.

    Raises:
        AssertionError: something differs.
    """
    case = CASES[name]
    rng = np.random.default_rng(5)
    args = case.arguments(rng, mesh)
    argnums = tuple(i for i in range(len(args)) if i not in case.fixed)
    specs = tuple(case.specs[i] for i in argnums)
    mapped = ag.shard_map(case.part, mesh, case.specs, P())
    directions = ag.tree.map(lambda x: rng.normal(size=x.shape), tuple(args[i] for i in argnums))

    def moved(step):
        """The arguments, some way along the direction."""
        new = list(args)
        for i, direction in zip(argnums, directions):
            new[i] = ag.tree.map(lambda x, d: x + step * d, args[i], direction)
        return new

    close(mapped(*args), case.whole(*args), "value")
    gradient = ag.grad(case.whole, argnums=argnums)
    expected = gradient(*args)
    differences = (case.whole(*moved(1e-6)) - case.whole(*moved(-1e-6))) / 2e-6
    np.testing.assert_allclose(dot(expected, directions), differences, rtol=1e-5, atol=1e-7)
    of_part = ag.grad(case.part, argnums=argnums)
    inside = ag.shard_map(of_part, mesh, case.specs, specs)
    close(gathered(inside(*args)), expected, "gradient inside")
    outside = ag.grad(mapped, argnums=argnums)
    close(gathered(outside(*args)), expected, "gradient outside")
    if case.order == 1:
        return

    def bent(function, *more):
        """The second derivatives along the direction, in forward mode over reverse mode."""

        def product(directions, *args):
            def at(*chosen):
                new = list(args)
                for i, x in zip(argnums, chosen):
                    new[i] = x
                return function(*new)

            return ag.jvp(at, tuple(args[i] for i in argnums), directions)[1]

        return product

    expected = bent(gradient)(directions, *args)
    differences = dot(gradient(*moved(1e-6)), directions) - dot(gradient(*moved(-1e-6)), directions)
    np.testing.assert_allclose(dot(expected, directions), differences / 2e-6, rtol=1e-5, atol=1e-6)
    twice = ag.shard_map(bent(of_part), mesh, (specs, *case.specs), specs)
    close(gathered(twice(directions, *args)), expected, "second order inside")

    def slope(*args):
        return dot(gathered(outside(*args)), directions)

    close(gathered(ag.grad(slope, argnums=argnums)(*args)), expected, "second order outside")
