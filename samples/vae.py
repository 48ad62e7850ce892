"""A variational autoencoder of handwritten digits draws new ones.

    python samples/vae.py                 train, and draw sixty digits in samples/out/vae.png
    python samples/vae.py --epochs 3      briefly

The bound is that of Kingma and Welling, arXiv:1312.6114, with the noise outside of the network: its
gradient is taken through the draw. The whole training is one compiled function.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_digits

import autograph as ag
import ops
from autograph import nn, optim

PIXELS = 64


@dataclass
class Autoencoder:
    """A code for an image, and an image for a code."""

    encoder: nn.MLP
    decoder: nn.MLP
    size: int = nn.static()

    @classmethod
    def make(cls, key: Any, size: int = 8) -> Autoencoder:
        first, second = ops.random.split(key)
        return cls(
            nn.MLP.make(first, [PIXELS, 128, 2 * size], ops.nn.gelu),
            nn.MLP.make(second, [size, 128, PIXELS], ops.nn.gelu),
            size,
        )

    def encoded(self, x: Any) -> tuple[Any, Any]:
        """The mean and the logarithm of the variance of the code, each ``(n, size)``."""
        both = self.encoder(x)
        return both[:, : self.size], both[:, self.size :]


def bound(model: Autoencoder, key: Any, x: Any) -> Any:
    """The mean over images ``(n, 64)`` of the evidence lower bound, in nats."""
    mean, log_var = model.encoded(x)
    code = mean + np.exp(0.5 * log_var) * ops.random.normal(key, mean.shape, np.float32)
    scores = model.decoder(code)
    likelihood = np.sum(x * ops.nn.log_sigmoid(scores) + (1.0 - x) * ops.nn.log_sigmoid(-scores), 1)
    divergence = 0.5 * np.sum(mean**2 + np.exp(log_var) - log_var - 1.0, 1)
    return np.mean(likelihood - divergence)


@ag.to_graph
def drawn(model: Autoencoder, key: Any, count: int) -> Any:
    """New images, ``(count, 8, 8)``."""
    code = ops.random.normal(key, (count, model.size), np.float32)
    return np.reshape(ops.nn.sigmoid(model.decoder(code)), (count, 8, 8))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--epochs", type=int, default=150)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    x = (load_digits().data / 16.0).astype(np.float32)
    order = np.random.default_rng(options.seed).permutation(len(x))
    x_test, x_train = x[order[:297]], x[order[297:]]
    rule = optim.adam(2e-3)

    @ag.to_graph
    def epoch(model: Autoencoder, moments: Any, key: Any, x: Any) -> tuple[Autoencoder, Any, Any]:
        """A pass over the images, ``(batches, n, 64)``."""
        total = np.float32(0.0)
        for batch, own in zip(x, ops.random.split(key, len(x))):
            value, slope = ag.value_and_grad(bound)(model, own, batch)
            updates, moments = rule.update(ag.tree.map(np.negative, slope), moments, model)
            model = optim.apply_updates(model, updates)
            total += value
        return model, moments, total / len(x)

    first, key = ops.random.split(ops.random.key(options.seed))
    model = Autoencoder.make(first)
    moments, start = rule.init(model), time.perf_counter()
    rng = np.random.default_rng(options.seed + 1)
    for i in range(options.epochs):
        key, own = ops.random.split(key)
        batches = rng.permutation(x_train).reshape(-1, 60, PIXELS)
        model, moments, value = epoch(model, moments, own, batches)
        if (i + 1) % 30 == 0 or i + 1 == options.epochs:
            print(f"epoch {i + 1}: bound {float(value):.2f} nats")
    print(f"{options.epochs} epochs in {time.perf_counter() - start:.1f} s")
    held_out = float(ag.to_graph(bound)(model, key, x_test))
    print(f"bound on the images held out: {held_out:.2f} nats")
    print(f"sixty new digits: {picture(drawn(model, key, 60))}")


def picture(images: np.ndarray) -> Path:
    """Save images, (60, 8, 8), in rows of fifteen."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    rows = np.pad(images, ((0, 0), (1, 1), (1, 1))).reshape(4, 15, 10, 10)
    path = Path(__file__).parent / "out" / "vae.png"
    path.parent.mkdir(exist_ok=True)
    pyplot.imsave(path, rows.transpose(0, 2, 1, 3).reshape(40, 150), cmap="gray", dpi=100)
    return path


if __name__ == "__main__":
    main()
