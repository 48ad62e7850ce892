"""What a network takes for another digit: the images held out that it gets wrong, after training.

The network and the compiled epoch are those of `samples/digits.py`, and so are the data.

    python -m samples.gallery.digits
"""

from __future__ import annotations

import time

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from tqdm import tqdm

import autograph as ag
from samples.digits import BATCH, epoch, initial, logits


def compute(epochs: int, seed: int = 0):
    """Train: the mean loss of each epoch, the images held out, [n, 8, 8], their labels, and the
    probabilities that the network gives the ten digits, [n, 10]."""
    x, y = load_digits(return_X_y=True)
    x, x_test, y, y_test = train_test_split(
        x / 16.0, y, test_size=0.25, random_state=seed, stratify=y
    )
    rng = np.random.default_rng(seed)
    params, velocity = initial(rng)
    run_epoch, losses = ag.to_graph(epoch), []
    for _ in tqdm(range(epochs), unit="epoch"):
        order = rng.permutation(len(x))
        batches = order[: len(order) // BATCH * BATCH].reshape(-1, BATCH)
        params, velocity, loss = run_epoch(params, velocity, x, y, batches, 0.01, 0.9)
        losses.append(float(loss))
    scores = logits(params, x_test)
    odds = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    return losses, x_test.reshape(-1, 8, 8), y_test, odds / np.sum(odds, axis=1, keepdims=True)


def draw(losses, images, labels, probabilities, most: int = 15):
    from samples.gallery.pictures import BLUE, pyplot

    taken = np.argmax(probabilities, axis=1)
    wrong = np.flatnonzero(taken != labels)[:most]
    figure = pyplot.figure(figsize=(7.5, 3.6))
    left, right = figure.subfigures(1, 2, width_ratios=(1.0, 1.4))
    axes = left.subplots()
    axes.semilogy(range(1, len(losses) + 1), losses, color=BLUE)
    axes.set(xlabel="epoch", ylabel="mean training loss", title="loss")
    right.suptitle(
        f"the {np.sum(taken != labels)} of {len(labels)} images held out that it gets wrong",
        fontsize=10,
    )
    for place, one in zip(right.subplots(3, 5).flat, [*wrong, *[None] * (15 - len(wrong))]):
        place.set_axis_off()
        if one is not None:
            place.imshow(images[one], cmap="gray_r")
            share = probabilities[one, taken[one]]
            place.set_title(f"{labels[one]}, not {taken[one]}\n({share:.0%} sure)", fontsize=7)
    return figure


def main() -> None:
    from samples.gallery.pictures import save

    start = time.perf_counter()
    losses, images, labels, probabilities = compute(epochs=40)
    seconds = time.perf_counter() - start
    right = np.mean(np.argmax(probabilities, axis=1) == labels)
    print(f"{len(losses)} epochs in {seconds:.1f} s; {right:.1%} of the images held out are right")
    print(save(draw(losses, images, labels, probabilities), "digits"))


if __name__ == "__main__":
    main()
