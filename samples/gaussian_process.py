"""A Gaussian process learns how a disease goes on from ten measurements, and which of them matter.

    python samples/gaussian_process.py

The data are the 442 patients that come with scikit-learn, of whom a quarter is held out. The length
scales of the kernel, one for each measurement, and the noise are those that make the observations
likeliest (Rasmussen and Williams, *Gaussian Processes for Machine Learning*, 2006, chapter 5): the
gradient goes through the Cholesky factor. `optim.minimize` finds them.
"""

from __future__ import annotations

import argparse
import time
from typing import Any, NamedTuple

import numpy as np
from sklearn.datasets import load_diabetes

import autograph as ag
from autograph import optim


class Kernel(NamedTuple):
    """Logarithms of what is positive."""

    lengths: Any  # one for each measurement
    height: Any
    noise: Any

    def between(self, a: Any, b: Any) -> Any:
        """The covariances of ``(m, 10)`` and ``(n, 10)``: ``(m, n)``, without noise."""
        a, b = a * np.exp(-self.lengths), b * np.exp(-self.lengths)
        squares = np.sum(a**2, 1)[:, None] + np.sum(b**2, 1) - 2.0 * a @ b.T
        return np.exp(2.0 * self.height - 0.5 * np.maximum(squares, 0.0))


def factor(kernel: Kernel, x: Any) -> Any:
    """The Cholesky factor of the covariance of observations."""
    noise = np.exp(2.0 * kernel.noise) + 1e-8
    return np.linalg.cholesky(kernel.between(x, x) + noise * np.eye(len(x)))


def unlikely(kernel: Kernel, x: Any, y: Any) -> Any:
    """Minus the logarithm of the density of observations, for each, without a constant; with a weak
    prior for scales of about one."""
    lower = factor(kernel, x)
    white = np.linalg.solve(lower, y)
    prior = 0.05 * (np.sum((kernel.lengths - 1.0) ** 2) + kernel.noise**2 + kernel.height**2)
    return (0.5 * white @ white + np.sum(np.log(np.diagonal(lower))) + prior) / len(y)


@ag.to_graph
def told(kernel: Kernel, x: Any, y: Any, new: Any) -> tuple[Any, Any]:
    """The mean and the standard deviation of what would be observed at other points."""
    lower = factor(kernel, x)
    across = np.linalg.solve(lower, kernel.between(x, new))
    mean = across.T @ np.linalg.solve(lower, y)
    variance = np.exp(2.0 * kernel.height) - np.sum(across**2, 0) + np.exp(2.0 * kernel.noise)
    return mean, np.sqrt(variance)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--patients", type=int, default=331, help="that are learned from")
    options = parser.parse_args()
    data = load_diabetes()
    order = np.random.default_rng(options.seed).permutation(len(data.target))
    x = data.data / np.std(data.data, axis=0)
    y = (data.target - np.mean(data.target)) / np.std(data.target)
    known, other = order[: options.patients], order[331:]

    begin = Kernel(np.full(x.shape[1], 1.0), 0.0, -0.5)
    start = time.perf_counter()
    kernel = optim.minimize(lambda k: unlikely(k, x[known], y[known]), begin)
    print(f"found in {time.perf_counter() - start:.1f} s")
    mean, deviation = told(kernel, x[known], y[known], x[other])
    error = mean - y[other]
    print(f"variance explained of those held out: {1 - np.var(error) / np.var(y[other]):.1%}")
    inside = np.mean(np.abs(error) < 1.96 * deviation)
    print(f"of them in the interval of 95%: {inside:.1%}")
    for i in np.argsort(kernel.lengths):
        print(f"  {data.feature_names[i]:4} length scale {np.exp(kernel.lengths[i]):6.2f}")


if __name__ == "__main__":
    main()
