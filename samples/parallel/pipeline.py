"""Train a network whose layers are divided among the parts, in a pipeline of micro-batches.

Part i has the weights of stage i. A mini-batch is cut into micro-batches; while a part works on one
of them, the part before it works on the next. Two schedules are here:

* `loss`, whose gradient is GPipe: a `for` over the ticks, in each of which all parts run their
  stage and hand the result on by `ops.ppermute`. Nothing is written for the backward pass: the
  transpose of the loop runs the ticks backwards, and that of handing on hands back.
* `one_forward_one_backward`: the backward pass of a micro-batch begins as soon as the last stage
  has seen it, by `ag.vjp` inside of the loop. Parts with even and with odd numbers take turns with
  forward and backward passes, so that what a part makes is what its neighbour needs in the next
  tick. Which of both it does is an ``if`` that differs between the parts, in which they don't meet.
  A part keeps what is under way in it, at most as many micro-batches as there are stages, where
  GPipe keeps all of them.

    python -m samples.parallel.pipeline --parts 4
    mpiexec -n 4 python -m samples.parallel.pipeline --processes --schedule 1f1b

What moves between the parts in each step, for m micro-batches of n rows, of width d, and p stages,
float64:

* GPipe, forward: m + p - 1 messages of 8 n d bytes from each part to the next; of those from each
  part m are of use. Backward: as many the other way.
* one forward, one backward: 2 (m + p - 1) ticks, in which every second pair of neighbours exchanges
  8 n d bytes: as many bytes as GPipe.
* once a step, 8 bytes for the loss, which the last part has. Gradients stay where the weights are.

All parts are given all micro-batches here, though only the first and the last use them.

Sources: Huang et al., "GPipe", arXiv:1811.06965; Narayanan et al., "PipeDream", arXiv:1806.03377,
and "Memory-efficient pipeline-parallel DNN training", arXiv:2006.09503.
"""

from __future__ import annotations

import numpy as np

import autograph as ag
import ops
from autograph import P
from samples.parallel.meshes import is_first, mesh_of, parser_of

WIDTH = 16


def stage(w, b, h):
    """One stage, a layer with a shortcut: [n, width] -> [n, width]."""
    return h + np.tanh(h @ w + b)


stage_again = ag.checkpoint(stage)  # keeps what goes in, and computes the rest once more


def error(h, y):
    """The mean squared error of a micro-batch, [n, width]."""
    return np.mean((h - y) ** 2)


def loss(params, x, y):
    """The mean error of a mini-batch, by GPipe's schedule.

    Args:
        params: weights, [1, width, width], and bias, [1, width], of the stage of this part.
        x, y: micro-batches, the same in all parts, [m, n, width].
    """
    w, b = params
    stages, number, count = ops.axis_size("stage"), ops.axis_index("stage"), len(x)
    onwards = [(i, i + 1) for i in range(stages - 1)]
    total, received = 0.0, np.zeros_like(x[0])
    for tick in range(count + stages - 1):
        entering = x[np.minimum(tick, count - 1)]  # after the last one, its result is not used
        h = stage_again(w[0], b[0], np.where(number == 0, entering, received))
        leaving = tick - (stages - 1)  # the micro-batch that the last stage has now
        value = error(h, y[np.maximum(leaving, 0)])
        total += np.where((number == stages - 1) & (leaving >= 0), value, 0.0)
        received = ops.ppermute(h, "stage", onwards)
    return ops.psum(total, "stage") / count


def one_forward_one_backward(params, x, y):
    """The mean error of a mini-batch and its gradient, by the schedule of that name.

    Stage s runs the micro-batch k forward in the tick s + 2 k, and backward in the tick
    2 stages - 1 - s + 2 k, so that its neighbours have made what it needs a tick before.

    Args:
        params, x, y: as for `loss`.

    Returns:
        The mean error, and the gradient by ``params``.
    """
    w, b = params
    stages, number, count = ops.axis_size("stage"), ops.axis_index("stage"), len(x)
    last = number == stages - 1
    pairs = [[(i, i + 1) for i in range(odd, stages - 1, 2)] for odd in (0, 1)]
    exchanges = [there + [(j, i) for i, j in there] for there in pairs]
    kept = np.zeros((stages, *x.shape[1:]))  # what has gone into the stage and not come back
    received = np.zeros_like(x[0])
    total, by_w, by_b = 0.0, np.zeros_like(w), np.zeros_like(b)
    for round_ in range(count + stages - 1):
        for odd in (0, 1):
            tick = 2 * round_ + odd
            handed = np.zeros_like(x[0])
            if number % 2 == odd:  # forward
                k = (tick - number) // 2
                if 0 <= k < count:
                    h = np.where(number == 0, x[k], received)
                    kept[k % stages] = h
                    handed = stage(w[0], b[0], h)
            else:
                k = (tick + number + 1) // 2 - stages
                if 0 <= k < count:
                    h, back = ag.vjp(stage, w[0], b[0], kept[k % stages])
                    value, slope = ag.value_and_grad(error)(h, y[k])
                    of_w, of_b, handed = back(np.where(last, slope / count, received))
                    total += np.where(last, value, 0.0)
                    by_w[0] += of_w
                    by_b[0] += of_b
            received = ops.ppermute(handed, "stage", exchanges[odd])
    return ops.psum(total, "stage") / count, (by_w, by_b)


gpipe = ag.value_and_grad(loss)
SCHEDULES = {"gpipe": gpipe, "1f1b": one_forward_one_backward}


def train(schedule):
    """A function that makes a step for each mini-batch: [steps, m, n, width]."""

    def steps(params, x, y, rate):
        total = 0.0
        for xs, ys in zip(x, y):
            value, gradient = SCHEDULES[schedule](params, xs, ys)
            params = ag.tree.map(lambda p, g: p - rate * g, params, gradient)
            total += value
        return params, total / len(x)

    return steps


DIVIDED = (P("stage"), P("stage"))
SPECS = (DIVIDED, P(), P(), P())
OUT = (DIVIDED, P())


def initial(rng, stages, width=WIDTH):
    """Weights of all stages, scaled by the number of inputs, and biases of zero."""
    w = rng.normal(0.0, 0.5 / np.sqrt(width), (stages, width, width))
    return w, np.zeros((stages, width))


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--schedule", choices=[*SCHEDULES, "both"], default="both")
    parser.add_argument("--rounds", type=int, default=10, help="of 20 steps")
    parser.add_argument("--micro-batches", type=int, default=8)
    parser.add_argument("--rows", type=int, default=8, help="of a micro-batch")
    options = parser.parse_args()
    mesh = mesh_of(options, "stage")
    printing = is_first(mesh)
    chosen = [*SCHEDULES] if options.schedule == "both" else [options.schedule]
    for schedule in chosen:
        run = ag.shard_map(train(schedule), mesh, SPECS, OUT)
        rng = np.random.default_rng(0)  # the same numbers on all processes
        wanted = rng.normal(0.0, 1.0 / np.sqrt(WIDTH), (WIDTH, WIDTH))
        params = initial(rng, mesh.shape["stage"])
        for i in range(options.rounds):
            x = rng.normal(0.0, 1.0, (20, options.micro_batches, options.rows, WIDTH))
            params, value = run(params, x, np.sin(x @ wanted), 1.0)
            if printing and (i + 1) % 5 == 0:
                print(f"{schedule}, step {20 * (i + 1)}: mean squared error {value:.6f}")
    if printing:
        print(f"trained on {mesh}")


if __name__ == "__main__":
    main()
