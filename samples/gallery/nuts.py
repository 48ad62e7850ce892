"""A density like a banana, sampled by four chains of the No-U-Turn Sampler in lanes.

python -m samples.gallery.nuts
"""

from __future__ import annotations

import time

import numpy as np

import autograph as ag
import ops
from samples.nuts import nuts
from samples.posteriors import POSTERIORS, banana


def chain(theta, key, rows):
    """As many draws as there are rows, and how many steps they took."""
    return nuts(banana, theta, key, len(rows), 100)


def compute(chains: int, draws: int, seed: int = 0):
    """The draws of each chain, [chains, draws, 2], and its steps."""
    starts = np.random.default_rng(seed).normal(size=(chains, 2))
    keys = ops.random.split(ops.random.key(seed), chains)
    return ag.vmap(chain, in_axes=(0, 0, None))(starts, keys, np.zeros(draws))


def draw(samples):
    from samples.gallery.pictures import BLUE, GREEN, GREY, ORANGE, RED, pyplot

    figure, (plane, means) = pyplot.subplots(1, 2, figsize=(7.5, 3.6))
    x, y = np.meshgrid(np.linspace(-3.2, 3.2, 160), np.linspace(-2.0, 9.0, 160))
    logs = ag.vmap(banana)(np.stack([x.ravel(), y.ravel()], 1)).reshape(x.shape)
    plane.contour(x, y, logs, levels=np.max(logs) - np.array([6.0, 3.0, 1.0, 0.2]), colors=GREY)
    known = POSTERIORS["banana"].mean()
    means.axhline(known, color=GREY, lw=3, label="known")
    for place, color in zip(samples, (BLUE, ORANGE, GREEN, RED)):
        plane.plot(*place.T, ".", color=color, ms=2.5)
        count = np.arange(1, len(place) + 1)
        means.plot(count, np.cumsum(place[:, 1]) / count, color=color, lw=1.0)
    plane.set(xlabel="x", ylabel="y", title="draws of four chains")
    means.set(xlabel="draws", ylabel="mean of y so far", title="on the way", ylim=(0.0, 2.5))
    means.legend()
    return figure


def main() -> None:
    from samples.gallery.pictures import save

    start = time.perf_counter()
    samples, steps = compute(chains=4, draws=300)
    seconds = time.perf_counter() - start
    print(f"{samples.shape[1]} draws of each of {len(samples)} chains in {seconds:.1f} s,", end=" ")
    print(f"{np.sum(steps)} steps; the means of y are", np.mean(samples[..., 1], axis=1))
    print(save(draw(samples), "nuts"))


if __name__ == "__main__":
    main()
