"""A network learns to balance a pole on a cart, which is simulated inside of the compiled function.

    python samples/cartpole.py                   train for about half a minute
    python samples/cartpole.py --rounds 3        briefly
    python samples/cartpole.py --show            also print the converted source of an episode

The cart is that of Barto, Sutton and Anderson (1983), with the constants of the usual benchmark: a
push to the left or right each 0.02 s, until the pole leans by more than 12 degrees, the cart is
2.4 m from the middle, or 500 pushes are over. An episode is a `while` in plain Python with a
`break`; `ag.vmap` makes it many at once, each as long as it lasts. The network learns by REINFORCE
(Williams, 1992): the gradient of the log-probability of what was done, times how much better than
usual it went on.
"""

from __future__ import annotations

import argparse
import time
from typing import Any, NamedTuple

import numpy as np

import autograph as ag
import ops
from autograph import nn, optim

GRAVITY, CART, POLE, HALF_LENGTH = 9.8, 1.0, 0.1, 0.5  # m/s^2, kg, kg, m
FORCE, TAU = 10.0, 0.02  # N, s
FARTHEST, STEEPEST = 2.4, 12 * np.pi / 180  # m, rad
MOST = 500  # pushes in an episode


def pushed(x: Any, force: Any) -> Any:
    """What becomes of (place, speed, angle, angular speed) in one step of Euler's method."""
    _, speed, angle, turning = x
    sin, cos, mass = np.sin(angle), np.cos(angle), CART + POLE
    drive = (force + POLE * HALF_LENGTH * turning**2 * sin) / mass
    inertia = HALF_LENGTH * (4.0 / 3.0 - POLE * cos**2 / mass)
    leaning = (GRAVITY * sin - cos * drive) / inertia
    change = np.array([speed, drive - POLE * HALF_LENGTH * leaning * cos / mass, turning, leaning])
    return x + TAU * change


class Episode(NamedTuple):
    """What happened: of the arrays the first ``length`` rows."""

    states: Any
    actions: Any
    length: Any


def episode(model: nn.MLP, key: Any) -> Episode:
    """Play until the pole falls."""
    key, own = ops.random.split(key)
    x = ops.random.uniform(own, (4,), float, -0.05, 0.05)
    states, actions, length = np.zeros((MOST, 4)), np.zeros(MOST, np.int64), 0
    while length < MOST:
        key, own = ops.random.split(key)
        right = ops.random.uniform(own) < ops.nn.sigmoid(model(x)[0])
        states[length], actions[length] = x, right
        length += 1
        x = pushed(x, FORCE if right else -FORCE)
        if abs(x[0]) > FARTHEST or abs(x[2]) > STEEPEST:
            break
    return Episode(states, actions, length)


def returns(length: Any, discount: float = 0.99) -> Any:
    """What each step is followed by: one point for each step, those later on discounted."""
    left = np.maximum(length - np.arange(MOST), 0)
    return (1.0 - discount**left) / (1.0 - discount)


def surprise(model: nn.MLP, played: Episode, advantages: Any) -> Any:
    """What has the gradient of REINFORCE: the mean of -log p(action) times its advantage."""
    scores = model(played.states)[..., 0]
    chosen = ops.nn.log_sigmoid(np.where(played.actions == 1, scores, -scores))
    happened = np.arange(MOST) < played.length[:, None]
    return -np.sum(np.where(happened, chosen * advantages, 0.0)) / np.sum(happened)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=80)
    parser.add_argument("--episodes", type=int, default=32, help="played at once in each round")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print the converted source")
    options = parser.parse_args()
    if options.show:
        print(ag.to_graph(episode).converted)
    first, key = ops.random.split(ops.random.key(options.seed))
    model = nn.MLP.make(first, [4, 32, 1], np.tanh, dtype=float)
    rule = optim.adam(optim.linear_schedule(2e-2, 0.0, options.rounds))

    @ag.to_graph
    def improved(model: nn.MLP, moments: Any, key: Any) -> tuple[nn.MLP, Any, Any]:
        """A round: many episodes, and a step."""
        keys = ops.random.split(key, options.episodes)
        played = ag.vmap(episode, in_axes=(None, 0))(model, keys)
        gained = ag.vmap(returns)(played.length)
        happened = np.arange(MOST) < played.length[:, None]
        mean = np.sum(np.where(happened, gained, 0.0)) / np.sum(happened)
        spread = np.sqrt(np.sum(np.where(happened, (gained - mean) ** 2, 0.0)) / np.sum(happened))
        slope = ag.grad(surprise)(model, played, (gained - mean) / (spread + 1e-6))
        updates, moments = rule.update(slope, moments, model)
        return optim.apply_updates(model, updates), moments, np.mean(played.length)

    moments, start = rule.init(model), time.perf_counter()
    for i in range(options.rounds):
        key, own = ops.random.split(key)
        model, moments, length = improved(model, moments, own)
        if (i + 1) % 10 == 0 or i + 1 == options.rounds:
            print(f"round {i + 1}: {float(length):.0f} pushes on average")
    print(f"{options.rounds} rounds in {time.perf_counter() - start:.1f} s")
    keys = ops.random.split(ops.random.key(options.seed + 1), 100)
    lengths = ag.vmap(episode, in_axes=(None, 0))(model, keys).length
    print(f"of 100 other episodes {np.sum(lengths == MOST)} last for {MOST} pushes")


if __name__ == "__main__":
    main()
