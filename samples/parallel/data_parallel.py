"""Train a multi-layer perceptron on many parts, each with its rows of every mini-batch.

All parts have the same weights. Each computes the loss of its own rows; `ops.pmean` makes the mean
of them the loss of all. The gradient by weights that are the same in all parts is the sum of what
all parts contribute, so nothing else has to be said: every part gets the same gradient and makes
the same step.

    python -m samples.parallel.data_parallel --parts 4
    mpiexec -n 4 python -m samples.parallel.data_parallel --processes

What moves between the parts in each step, for layers of n0, n1, ... nk units, float64:

* the loss: one sum of 8 bytes;
* the gradient: one sum per weight matrix and bias vector, 8 (n0 n1 + n1 + n1 n2 + n2 + ...) bytes
  in all, which does not depend on the number of parts or of rows. Sums that do not wait for each
  other are packed into fewer messages.

The data are two spirals, one for each class.
"""

from __future__ import annotations

import numpy as np

import autograph as ag
import ops
from autograph import P
from samples.parallel.meshes import is_first, mesh_of, parser_of

LAYERS = (2, 32, 32, 1)
MOMENTUM = 0.9


def scores(params, x):
    """How sure it is of the second class: [n, 2] -> [n]."""
    for w, b in params[:-1]:
        x = np.tanh(x @ w + b)
    w, b = params[-1]
    return (x @ w + b)[:, 0]


def loss(params, x, y):
    """The mean cross-entropy of the rows of all parts.

    Args:
        params: weights and biases of the layers, the same in all parts.
        x, y: the rows of this part, [n, 2], and their classes, 0 or 1, [n].
    """
    s = scores(params, x)
    return ops.pmean(np.mean(np.logaddexp(0.0, s) - s * y), "data")


def train(params, velocity, x, y, rate):
    """Stochastic gradient descent with momentum, one step for each mini-batch.

    Args:
        params, velocity: of the same structure, the same in all parts.
        x, y: mini-batches, of which the part has some of the rows: [steps, n, 2] and [steps, n].

    Returns:
        The new parameters and velocities, and the mean loss.
    """
    total = 0.0
    for rows, classes in zip(x, y):
        value, gradient = ag.value_and_grad(loss)(params, rows, classes)
        velocity = ag.tree.map(lambda v, g: MOMENTUM * v - rate * g, velocity, gradient)
        params = ag.tree.map(lambda p, v: p + v, params, velocity)
        total += value
    return params, velocity, total / len(x)


SPECS = (P(), P(), P(None, "data"), P(None, "data"), P())


def spirals(rng, count):
    """Points on two spirals, [count, 2], and which one each is on, [count]."""
    classes = rng.integers(0, 2, count)
    turn = rng.uniform(0.5, 3.0, count)
    angle = np.pi * (turn + classes)
    points = np.stack([turn * np.cos(angle), turn * np.sin(angle)], 1) / 3.0
    return points + rng.normal(0.0, 0.02, (count, 2)), classes.astype(float)


def initial(rng, layers=LAYERS):
    """Weights scaled by the number of inputs, and biases of zero."""
    return [
        (rng.normal(0.0, 1.0 / np.sqrt(a), (a, b)), np.zeros(b)) for a, b in zip(layers, layers[1:])
    ]


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--rows", type=int, default=48, help="of a mini-batch, in all parts")
    options = parser.parse_args()
    mesh = mesh_of(options, "data")
    run = ag.shard_map(train, mesh, SPECS, P())

    rng = np.random.default_rng(0)  # the same numbers on all processes
    params = initial(rng)
    velocity = ag.tree.map(np.zeros_like, params)
    x_all, y_all = spirals(rng, 20 * options.rows)
    first = is_first(mesh)
    for epoch in range(options.epochs):
        order = rng.permutation(len(x_all))
        x, y = (a[order].reshape(20, options.rows, *a.shape[1:]) for a in (x_all, y_all))
        params, velocity, value = run(params, velocity, x, y, 0.1)
        if first and (epoch + 1) % 10 == 0:
            print(f"epoch {epoch + 1}: mean loss {value:.4f}")
    x, y = spirals(rng, 2000)
    right = np.mean((scores(params, x) > 0.0) == y)
    if first:
        print(f"accuracy on 2000 other points: {right:.1%}, trained on {mesh}")


if __name__ == "__main__":
    main()
