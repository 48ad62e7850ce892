"""Train a multi-layer perceptron on handwritten digits; a whole epoch is one compiled function.

    python samples/digits.py                     train on the CPU
    python samples/digits.py --backend cupy      train on an NVIDIA GPU
    python samples/digits.py --show              also print the converted source of model and epoch
    mpiexec -n 4 python samples/digits.py --processes    each with its images of every mini-batch

The data are the 1797 images of 8 x 8 pixels that come with scikit-learn. A quarter is held out. The
loss curve is written to samples/out/digits.png.

With --processes all have the same weights, and what moves between them for each mini-batch is the
loss, 8 bytes, and the gradient, 8 bytes for each of the 17,226 weights: see
samples/parallel/data_parallel.py.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from tqdm import tqdm

import autograph as ag
import ops
from autograph import P

LAYERS = (64, 128, 64, 10)
BATCH = 32


def logits(params, x):
    """The scores of the ten classes: [n, 64] -> [n, 10]."""
    for w, b in params[:-1]:
        x = np.maximum(x @ w + b, 0.0)
    w, b = params[-1]
    return x @ w + b


def loss(params, x, y):
    """The mean cross-entropy of images x, [n, 64], with labels y, [n]."""
    scores = logits(params, x)
    scores = scores - np.max(scores, axis=1, keepdims=True)
    log_normalizer = np.log(np.sum(np.exp(scores), axis=1))
    return np.mean(log_normalizer - scores[np.arange(len(y)), y])


loss_and_gradient = ag.value_and_grad(loss)


def shared_loss(params, x, y):
    """The mean of what `loss` is of the images of each process."""
    return ops.pmean(loss(params, x, y), "data")


def epoch(params, velocity, x, y, batches, rate, momentum, loss_and_gradient=loss_and_gradient):
    """One pass over the data: stochastic gradient descent with momentum.

    ``batches`` holds the indices of one mini-batch per row.
    """
    total = 0.0
    for batch in batches:
        value, gradient = loss_and_gradient(params, x[batch], y[batch])
        velocity = [
            (momentum * vw - rate * gw, momentum * vb - rate * gb)
            for (vw, vb), (gw, gb) in zip(velocity, gradient)
        ]
        params = [(w + vw, b + vb) for (w, b), (vw, vb) in zip(params, velocity)]
        total += value
    return params, velocity, total / len(batches)


def shared_epoch(params, velocity, x, y, batches, rate, momentum):
    """As `epoch`, where ``batches`` holds what a process has of each mini-batch."""
    shared = ag.value_and_grad(shared_loss)
    return epoch(params, velocity, x, y, batches, rate, momentum, shared)


def accuracy(params, x, y):
    """The share of images whose highest score is that of their label."""
    return np.mean(np.argmax(logits(params, x), axis=1) == y)


def initial(rng):
    """Weights scaled for rectified units (He et al., arXiv:1502.01852), and zero velocities."""
    params, velocity = [], []
    for n_in, n_out in zip(LAYERS, LAYERS[1:]):
        w = rng.normal(0.0, np.sqrt(2.0 / n_in), (n_in, n_out))
        params.append((w, np.zeros(n_out)))
        velocity.append((np.zeros_like(w), np.zeros(n_out)))
    return params, velocity


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--backend", choices=("numpy", "cupy"), default="numpy")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print the converted source")
    parser.add_argument(
        "--processes", action="store_true", help="train on the processes that mpiexec has started"
    )
    options = parser.parse_args()
    if options.processes and options.backend != "numpy":
        parser.error("--processes trains on CPUs")

    first, size = True, BATCH  # whether this process prints, and how large mini-batches are
    run_epoch = ag.to_graph(epoch, backend=options.backend)
    score = ag.to_graph(accuracy, backend=options.backend)
    if options.processes:
        mesh = ag.Mesh.processes(data=-1)
        first = mesh.place["data"] == 0
        size = max(BATCH // mesh.size, 1) * mesh.size
        options.show &= first
        specs = (P(), P(), P(), P(), P(None, "data"), P(), P())
        run_epoch = ag.shard_map(shared_epoch, mesh, specs, P())
    if options.show:
        print(ag.to_graph(logits).converted, ag.to_graph(loss).converted, sep="\n")
        print(run_epoch.converted)

    x, y = load_digits(return_X_y=True)
    x_train, x_test, y_train, y_test = train_test_split(
        x / 16.0, y, test_size=0.25, random_state=options.seed, stratify=y
    )
    rng = np.random.default_rng(options.seed)
    params, velocity = initial(rng)
    losses = []
    start = time.perf_counter()
    progress = tqdm(range(options.epochs), unit="epoch", disable=not first)
    for step in progress:
        order = rng.permutation(len(x_train))
        batches = order[: len(order) // size * size].reshape(-1, size)
        rate = 0.05 * 0.5 * (1.0 + np.cos(np.pi * step / options.epochs))
        params, velocity, value = run_epoch(params, velocity, x_train, y_train, batches, rate, 0.9)
        losses.append(float(value))
        progress.set_postfix(loss=f"{losses[-1]:.4f}")
    seconds = time.perf_counter() - start

    held_out = float(score(params, x_test, y_test))
    if not first:
        return
    path = plot(losses)
    where = mesh if options.processes else options.backend
    print(f"{options.epochs} epochs in {seconds:.1f} s on {where}")
    print(f"accuracy on the {len(y_test)} images held out: {held_out:.1%}")
    print(f"loss curve: {path}")


def plot(losses: list[float]) -> Path:
    """Save the loss curve as a picture."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4), layout="constrained")
    axes.semilogy(range(1, len(losses) + 1), losses)
    axes.set(xlabel="epoch", ylabel="mean training loss", title="digits")
    axes.grid(True, which="both", alpha=0.3)
    path = Path(__file__).parent / "out" / "digits.png"
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, dpi=120)
    return path


if __name__ == "__main__":
    main()
