"""Train a transformer block whose heads and hidden units are divided among the parts.

Each part has some of the heads of the attention: their columns of the matrices that make queries,
keys and values, and the rows of the matrix that joins them. Of the perceptron it has some hidden
units: columns of the first matrix, rows of the second. What a part computes of its heads or units
is a summand of the output, and `ops.psum` adds those of all: one sum for each of both halves. The
backward pass has one for each half as well, where a gradient by the block's input, which all parts
have, is the sum of what they contribute.

    python -m samples.parallel.tensor_parallel --parts 4 --data 2
    mpiexec -n 4 python -m samples.parallel.tensor_parallel --processes --data 2

The mesh has two axes, "data" and "model": sequences are divided along the first.

What moves between the parts in each step, for s sequences of length n in each part along "data",
of width d, float64:

* along "model", forward: 2 sums of 8 s n d bytes;
* along "model", backward: 2 sums of 8 s n d bytes, for the inputs of both halves;
* along "data": one sum for each matrix, 8 bytes for each number of it that a part has, that is
  8 (4 d h + 2 d u) / m bytes in all for heads of together h columns, u hidden units and m parts
  along "model"; 8 n d bytes for the positions, whose gradient is the same along "model" already, as
  that of the inputs is; and 8 bytes for the loss.

The task is to reverse a sequence, which attention can do by the positions.

Source: Shoeybi et al., "Megatron-LM: training multi-billion parameter language models using model
parallelism", arXiv:1909.08053.
"""

from __future__ import annotations

import numpy as np

import autograph as ag
import ops
from autograph import P
from samples.parallel.meshes import is_first, mesh_of, parser_of

LENGTH, WIDTH, HEADS, SIZE, HIDDEN = 6, 8, 4, 4, 32


def normalised(x):
    """Each vector with mean 0 and variance 1: [..., width] -> [..., width]."""
    x = x - np.mean(x, axis=-1, keepdims=True)
    return x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + 1e-5)


def softmax(x):
    x = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return x / np.sum(x, axis=-1, keepdims=True)


def attention(x, query, key, value, join):
    """What the heads of this part add to the output: [sequences, length, width] -> the same.

    Args:
        query, key, value: [width, heads, size], of the heads of this part.
        join: [heads, size, width], likewise.
    """
    q = np.einsum("snd,dhk->shnk", x, query)
    k = np.einsum("snd,dhk->shnk", x, key)
    v = np.einsum("snd,dhk->shnk", x, value)
    weights = softmax(np.einsum("shnk,shmk->shnm", q, k) / np.sqrt(q.shape[-1]))
    seen = np.einsum("shnm,shmk->shnk", weights, v)
    return np.einsum("shnk,hkd->snd", seen, join)


def perceptron(x, first, second):
    """What the hidden units of this part add to the output: columns first, then rows."""
    return np.maximum(x @ first, 0.0) @ second


def block(params, x):
    """A transformer block, whose result is the same in all parts along "model"."""
    x = x + params["positions"]
    heads = attention(normalised(x), *params["attention"])
    x = x + ops.psum(heads, "model")
    units = perceptron(normalised(x), *params["perceptron"])
    return x + ops.psum(units, "model")


def loss(params, x, y):
    """The mean squared error over the sequences of all parts, [sequences, length, width]."""
    return ops.pmean(np.mean((block(params, x) - y) ** 2), "data")


def train(params, velocity, x, y, rate):
    """Descent with momentum, one step for each mini-batch: [steps, sequences, length, width].

    Returns:
        The new parameters and velocities, and the mean loss.
    """
    total = 0.0
    for xs, ys in zip(x, y):
        value, gradient = ag.value_and_grad(loss)(params, xs, ys)
        velocity = ag.tree.map(lambda v, g: 0.9 * v - rate * g, velocity, gradient)
        params = ag.tree.map(lambda p, v: p + v, params, velocity)
        total += value
    return params, velocity, total / len(x)


COLUMNS = P(None, "model")
DIVIDED = {
    "positions": P(),
    "attention": (COLUMNS, COLUMNS, COLUMNS, P("model")),
    "perceptron": (COLUMNS, P("model")),
}
SPECS = (DIVIDED, DIVIDED, P(None, "data"), P(None, "data"), P())
OUT = (DIVIDED, DIVIDED, P())


def initial(rng, length=LENGTH, width=WIDTH, heads=HEADS, size=SIZE, hidden=HIDDEN):
    """Weights scaled by the number of inputs."""

    def normal(inputs, *shape):
        return rng.normal(0.0, 1.0 / np.sqrt(inputs), shape)

    return {
        "positions": normal(1.0, length, width),
        "attention": (
            *(normal(width, width, heads, size) for _ in range(3)),
            normal(heads * size, heads, size, width),
        ),
        "perceptron": (normal(width, width, hidden), normal(hidden, hidden, width)),
    }


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--data", type=int, default=2, help='parts along "data"')
    parser.add_argument("--rounds", type=int, default=20, help="of 50 steps")
    parser.add_argument("--sequences", type=int, default=32, help="in a step, in all parts")
    options = parser.parse_args()
    mesh = mesh_of(options, "model", data=options.data)
    run = ag.shard_map(train, mesh, SPECS, OUT)

    rng = np.random.default_rng(0)  # the same numbers on all processes
    params = initial(rng)
    velocity = ag.tree.map(np.zeros_like, params)
    printing = is_first(mesh)
    for i in range(options.rounds):
        x = rng.normal(0.0, 1.0, (50, options.sequences, LENGTH, WIDTH))
        params, velocity, value = run(params, velocity, x, x[:, :, ::-1], 0.2)
        if printing and (i + 1) % 5 == 0:
            print(f"step {50 * (i + 1)}: mean squared error {value:.4f}")
    if printing:
        print(f"trained on {mesh}; an answer that is zero has the error 1")


if __name__ == "__main__":
    main()
