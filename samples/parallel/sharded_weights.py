"""Train a network whose weights and optimiser state are divided among the parts (FSDP, ZeRO).

Each part keeps a slice of the rows of each weight matrix, of each bias, and of Adam's two moments
of them. A layer gathers its weights just before it uses them. `ag.checkpoint` around that says that
the whole weights are not kept for the backward pass: there they are gathered once more. The
transpose of gathering is `ops.psum_scatter`, so what a part gets as its gradient is its slice of
the sum over all parts, and Adam's step is one of slices.

    python -m samples.parallel.sharded_weights --parts 4
    mpiexec -n 4 python -m samples.parallel.sharded_weights --processes

What is kept by each of p parts: 3/p of the size of all weights (weights and two moments), and one
layer's whole weights while it is used.

What moves between the parts in each step, for k layers with w numbers each (weights and bias),
float64:

* forward: each part gives its slices, 8 w / p bytes a layer, and gets those of the others: 2
  gathers for each layer;
* backward: the same 2 gathers for each layer again, and 2 scattered sums of 8 w bytes, of which
  each part gets 8 w / p;
* sums of 8 bytes for the loss, and of the gradients of the first and the last weights, which are
  small and the same in all parts.

For the layers each part sends 3 k w (p - 1) / p numbers, if gathers and scattered sums send what
they have to. Data parallel steps send 2 k w (p - 1) / p: a sum is a scattered sum and a gather.

The task is to find a smooth function of 8 variables from noisy values.

Source: Rajbhandari et al., "ZeRO: memory optimizations toward training trillion parameter models",
arXiv:1910.02054; Kingma & Ba, "Adam", arXiv:1412.6980.
"""

from __future__ import annotations

import numpy as np

import autograph as ag
import ops
from autograph import P
from samples.parallel.meshes import is_first, mesh_of, parser_of

WIDTH, DEPTH, INPUTS = 24, 3, 8
BETA1, BETA2, TINY = 0.9, 0.999, 1e-8


def layer(h, slices):
    """A layer with a shortcut: [n, width] -> [n, width].

    Args:
        slices: of this part: rows of the weights, [width / parts, width], and a part of the bias.
    """
    w, b = ops.all_gather(slices, "data", tiled=True)
    return h + np.tanh(h @ w + b)


gathered_again = ag.checkpoint(layer)


def predicted(params, x):
    """The values at points: [n, inputs] -> [n]."""
    h = x @ params["first"]
    for slices in params["layers"]:
        h = gathered_again(h, slices)
    return h @ params["last"]


def loss(params, x, y):
    """The mean squared error at the points of all parts.

    Args:
        params: ``first`` and ``last``, the same in all parts, and the slices of ``layers``.
        x, y: the points of this part, [n, inputs], and the values there, [n].
    """
    return ops.pmean(np.mean((predicted(params, x) - y) ** 2), "data")


def adam(params, gradient, first, second, count, rate):
    """One step of Adam, element by element: of slices or of whole arrays.

    Returns:
        The new parameters, and the new first and second moments.
    """
    first = ag.tree.map(lambda m, g: BETA1 * m + (1.0 - BETA1) * g, first, gradient)
    second = ag.tree.map(lambda v, g: BETA2 * v + (1.0 - BETA2) * g * g, second, gradient)
    a, b = 1.0 - BETA1**count, 1.0 - BETA2**count

    def moved(p, m, v):
        return p - rate * (m / a) / (np.sqrt(v / b) + TINY)

    return ag.tree.map(moved, params, first, second), first, second


def train(params, first, second, start, x, y, rate):
    """Steps of Adam, one for each mini-batch.

    Args:
        params, first, second: as for `loss`, and the moments of them, divided alike.
        start: how many steps there were before.
        x, y: mini-batches, of which the part has some rows: [steps, n, inputs] and [steps, n].

    Returns:
        The new parameters and moments, and the mean loss.
    """
    total, count = 0.0, start
    for rows, values in zip(x, y):
        value, gradient = ag.value_and_grad(loss)(params, rows, values)
        count = count + 1
        params, first, second = adam(params, gradient, first, second, count, rate)
        total += value
    return params, first, second, total / len(x)


DIVIDED = {"first": P(), "layers": P("data"), "last": P()}
SPECS = (DIVIDED, DIVIDED, DIVIDED, P(), P(None, "data"), P(None, "data"), P())
OUT = (DIVIDED, DIVIDED, DIVIDED, P())


def initial(rng, width=WIDTH, depth=DEPTH, inputs=INPUTS):
    """Weights scaled by the number of inputs, and biases of zero."""
    return {
        "first": rng.normal(0.0, 1.0 / np.sqrt(inputs), (inputs, width)),
        "layers": [
            (rng.normal(0.0, 1.0 / np.sqrt(width), (width, width)), np.zeros(width))
            for _ in range(depth)
        ],
        "last": rng.normal(0.0, 1.0 / np.sqrt(width), width),
    }


def observed(rng, count, inputs=INPUTS):
    """Points, [count, inputs], and noisy values there, [count]."""
    x = rng.normal(0.0, 1.0, (count, inputs))
    y = np.sin(x[:, 0] * x[:, 1]) + 0.5 * np.tanh(np.sum(x[:, 2:], 1))
    return x, y + rng.normal(0.0, 0.02, count)


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="of 25 steps")
    parser.add_argument("--rows", type=int, default=96, help="of a mini-batch, in all parts")
    options = parser.parse_args()
    mesh = mesh_of(options, "data")
    run = ag.shard_map(train, mesh, SPECS, OUT)

    # The same numbers on all processes, of which each takes its part. What `run` returns are arrays
    # on the mesh: from then on each process has its part alone.
    rng = np.random.default_rng(0)
    params = initial(rng)
    first = second = ag.tree.map(np.zeros_like, params)
    printing = is_first(mesh)
    for i in range(options.rounds):
        x, y = observed(rng, 25 * options.rows)
        x, y = x.reshape(25, options.rows, -1), y.reshape(25, -1)
        params, first, second, value = run(params, first, second, 25 * i, x, y, 3e-3)
        if printing and (i + 1) % 5 == 0:
            print(f"step {25 * (i + 1)}: mean squared error {value:.4f}")
    kept = sum(w.local.nbytes + b.local.nbytes for w, b in params["layers"])
    if printing:
        where = "each process" if options.processes else "all lanes together"
        print(f"weights of the layers kept by {where}: {kept} bytes, on {mesh}")


if __name__ == "__main__":
    main()
