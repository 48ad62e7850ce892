"""A convolutional network reads handwritten digits: above 99% of those held out.

    python samples/digits_cnn.py                 train once
    python samples/digits_cnn.py --seeds 5       five times, with other splits; prints the median
    python samples/digits_cnn.py --bits 8 4      also read with weights of so many bits
    python samples/digits_cnn.py --show          also print the converted source of a step

The data are the 1797 images of 8 x 8 pixels that come with scikit-learn, of which a quarter is held
out. In training each image is moved by up to a pixel, and features are dropped.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

import autograph as ag
import ops
from autograph import nn, optim, train


@dataclass
class Reader:
    """Scores of the ten digits, for images of 8 x 8 pixels."""

    convs: list[nn.Conv]
    hidden: nn.Dense
    out: nn.Dense
    dropout: nn.Dropout

    @classmethod
    def make(cls, key: Any) -> Reader:
        keys = ops.random.split(key, 5)
        options = {"padding": "same", "initial": nn.init.he_normal}
        channels = [(1, 32), (32, 32), (32, 64)]
        return cls(
            [nn.Conv.make(k, n, m, (3, 3), **options) for k, (n, m) in zip(keys, channels)],
            nn.Dense.make(keys[3], 256, 64, initial=nn.init.he_normal),
            nn.Dense.make(keys[4], 64, 10),
            nn.Dropout(0.3),
        )

    def __call__(self, x: Any, key: Any = None) -> Any:
        """``(n, 8, 8)`` to ``(n, 10)``; with a key features are dropped."""
        first, second, third = self.convs
        x = ops.nn.relu(second(ops.nn.relu(first(x[:, None]))))
        x = ops.nn.relu(third(ops.nn.max_pool(x, 2)))
        x = nn.flatten(ops.nn.max_pool(x, 2))
        x = ops.nn.relu(self.hidden(self.dropout(x, key)))
        return self.out(x)


class State(NamedTuple):
    """All that changes in training."""

    model: Reader
    moments: Any
    key: Any


def moved(key: Any, x: Any) -> Any:
    """Images, each moved by up to a pixel along both axes."""
    shifts = ops.random.randint(key, (len(x), 2), 0, 3)
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1)))
    rows = shifts[:, 0, None] + np.arange(8)
    columns = shifts[:, 1, None] + np.arange(8)
    return padded[np.arange(len(x))[:, None, None], rows[:, :, None], columns[:, None, :]]


def loss(model: Reader, key: Any, batch: Any) -> Any:
    """The mean cross-entropy of moved images."""
    first, second = ops.random.split(key)
    return ops.nn.cross_entropy(model(moved(first, batch["x"]), second), batch["y"])


@ag.to_graph
def right(model: Reader, x: Any, y: Any) -> Any:
    """The share of images that are read right."""
    return np.mean(np.argmax(model(x), axis=1) == y)


class Trained(NamedTuple):
    """A model that has been trained, in so many seconds, and the images of its split."""

    model: Reader
    seconds: float
    seen: Any
    x: Any
    y: Any


def trained(seed: int, epochs: int, progress: bool, show: bool = False) -> Trained:
    """Train on a split by a seed."""
    x, y = load_digits(return_X_y=True)
    x = (x.reshape(-1, 8, 8) / 16.0).astype(np.float32)
    parts = train_test_split(x, y, test_size=0.25, random_state=seed, stratify=y)
    x_train, x_test, y_train, y_test = parts
    batches = train.Batches({"x": x_train, "y": y_train}, 64, seed=seed)
    steps = epochs * len(batches)
    rate = optim.warmup_cosine_decay_schedule(0.0, 4e-3, min(len(batches), steps // 2), steps)
    rule = optim.adamw(rate, weight_decay=1e-2)

    @ag.to_graph
    def step(state: State, batch: Any) -> tuple[State, dict[str, Any]]:
        key, own = ops.random.split(state.key)
        value, slope = ag.value_and_grad(loss)(state.model, own, batch)
        updates, moments = rule.update(slope, state.moments, state.model)
        model = optim.apply_updates(state.model, updates)
        return State(model, moments, key), {"loss": value}

    if show:
        print(step.converted)
    first, second = ops.random.split(ops.random.key(seed))
    model = Reader.make(first)
    start = time.perf_counter()
    state = State(model, rule.init(model), second)
    fitted = train.fit(step, state, batches, epochs=epochs, progress=progress)
    seconds = time.perf_counter() - start
    return Trained(fitted.state.model, seconds, x_train, x_test, y_test)


def right_with(bits: int, made: Trained) -> float:
    """The share that is read right with weights of some bits, in groups of 32 if these are few, and
    all else in 8: what training has seen tells the ranges."""
    group = 32 if bits < 8 else None
    coarse = ag.quantize(made.model, [made.seen[:256]], weights=bits, group=group)
    return float(np.mean(np.argmax(coarse(made.x), axis=1) == made.y))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--bits", type=int, nargs="*", default=())
    parser.add_argument("--progress", action="store_true", help="show a line for each epoch")
    parser.add_argument("--show", action="store_true", help="print the converted source of a step")
    options = parser.parse_args()
    print(nn.summary(Reader.make(ops.random.key(0)), np.zeros((1, 8, 8), np.float32)))
    found = []
    for seed in range(options.seeds):
        made = trained(seed, options.epochs, options.progress, options.show and not seed)
        found.append(float(right(made.model, made.x, made.y)))
        time_ = f"{options.epochs} epochs in {made.seconds:.1f} s"
        print(f"seed {seed}: {time_}; held out: {found[-1]:.2%}")
        for bits in options.bits:
            print(f"with weights of {bits} bits: {right_with(bits, made):.2%}")
    if options.seeds > 1:
        print(f"the median of {options.seeds}: {np.median(found):.2%}")


if __name__ == "__main__":
    main()
