"""A network learns the law of motion of hares and lynxes from noisy counts.

    python samples/neural_ode.py                 train for about half a minute
    python samples/neural_ode.py --rounds 5      briefly
    python samples/neural_ode.py --adjoint       gradients by the adjoint equations

The right-hand side of a differential equation is a network, which the solver calls with steps as
long as its estimated error allows (Chen et al., arXiv:1806.07366). The gradient goes through the
steps that were made, or is found by the adjoint equations. The counts are those of the equations of
Lotka and Volterra with noise of 3%; it learns from the first ten years, and tells what comes after.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

import autograph as ag
import ops
from autograph import nn, optim

RATES = np.array([1.0, 0.4, 0.9, 0.3])  # 1 / year, per animal where two meet
BEGIN = np.array([2.0, 1.0])  # of both, in thousands


def truth(y: Any, t: Any) -> Any:
    """The equations of Lotka (1925) and Volterra (1926)."""
    a, b, c, d = RATES
    hares, lynxes = y
    return np.array([hares * (a - b * lynxes), lynxes * (d * hares - c)])


def slope(y: Any, t: Any, model: nn.MLP) -> Any:
    """What the network says: growth rates, of the logarithms of the counts."""
    return model(y)


def told(model: nn.MLP, y0: Any, times: Any, gradient: str = "steps") -> Any:
    """The logarithms of the counts at some times, ``(times, 2)``."""
    return ag.odeint(slope, y0, times, model, rtol=1e-5, atol=1e-5, gradient=gradient)


def observed(seed: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Times, and the logarithms of noisy counts."""
    times = np.linspace(0.0, 15.0, count)
    y = ag.odeint(truth, BEGIN, times)
    noise = np.random.default_rng(seed).normal(size=y.shape)
    return times, np.log(y) + 0.03 * noise


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=600)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--adjoint", action="store_true", help="gradients by the adjoint equations")
    options = parser.parse_args()
    times, counts = observed(options.seed, 76)
    known = times <= 10.0
    gradient = "adjoint" if options.adjoint else "steps"
    # Pieces of five times, each from its own first count: short ways have no wrong turns.
    starts = np.arange(0, np.sum(known) - 4, 2)
    pieces = starts[:, None] + np.arange(5)

    def loss(model: nn.MLP, times: Any, counts: Any) -> Any:
        found = ag.vmap(lambda t, y: told(model, y[0], t, gradient))(times, counts)
        return np.mean((found - counts) ** 2)

    rule = optim.adam(optim.cosine_decay_schedule(1e-2, options.rounds))

    @ag.to_graph
    def improved(model: nn.MLP, moments: Any, times: Any, counts: Any) -> tuple[nn.MLP, Any, Any]:
        value, change = ag.value_and_grad(loss)(model, times, counts)
        updates, moments = rule.update(change, moments, model)
        return optim.apply_updates(model, updates), moments, value

    model = nn.MLP.make(ops.random.key(options.seed), [2, 32, 32, 2], np.tanh, dtype=float)
    moments, start = rule.init(model), time.perf_counter()
    for i in range(options.rounds):
        model, moments, value = improved(model, moments, times[pieces], counts[pieces])
        if (i + 1) % 100 == 0 or i + 1 == options.rounds:
            print(f"round {i + 1}: mean squared error {float(value):.5f}")
    print(f"{options.rounds} rounds in {time.perf_counter() - start:.1f} s")
    found = told(model, counts[0], times)
    for name, chosen in (("that were seen", known), ("after them", ~known)):
        error = np.sqrt(np.mean((found[chosen] - counts[chosen]) ** 2))
        print(f"years {name}: root mean square error of the logarithms {error:.3f}")


if __name__ == "__main__":
    main()
