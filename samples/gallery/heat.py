"""A rod heated at both ends, so that its warmth is as wanted in the end: a control, found by
gradients through the loop over time.

The rod is cold and loses warmth to the air; the heaters have a power between nothing and a
maximum, and a simulation of 10,000 steps says what becomes of it. The gradient of the deviation
from the target by all powers is one call: it goes back through all the steps.

    python -m samples.gallery.heat
"""

from __future__ import annotations

import time

import numpy as np
from tqdm import tqdm

import autograph as ag

LENGTH, DURATION = 1.0, 600.0  # metres, seconds
DIFFUSIVITY = 1.5e-3  # square metres per second
LOSS = 1e-3  # to the air, per second
MOST = 8.0  # of a heater's power, in kelvin per second in the cell at its end


def target(x):
    """The warmth that is wanted, in kelvin above the air."""
    return 45.0 + 35.0 * x**2


def simulate(controls, cells, steps):
    """The warmth of the rod over time.

    Args:
        controls: what the heaters are given over time, [2, k] numbers, which may be any: the power
            that they become is between 0 and `MOST`.

    Returns:
        The warmth after each step, [steps, cells], and the powers, [2, steps].
    """
    width, step = LENGTH / cells, DURATION / steps
    powers = np.zeros((2, steps))
    knots = np.linspace(0.0, steps - 1.0, controls.shape[1])
    for end in range(2):
        smooth = np.interp(np.arange(steps), knots, controls[end])
        powers[end] = MOST / (1.0 + np.exp(-smooth))
    warmth, history = np.zeros(cells), np.zeros((steps, cells))
    for i in range(steps):
        flow = DIFFUSIVITY * np.diff(warmth) / width**2
        change = -LOSS * warmth
        change[:-1] += flow
        change[1:] -= flow
        change[0] += powers[0, i]
        change[-1] += powers[1, i]
        warmth = warmth + step * change
        history[i] = warmth
    return history, powers


def deviation(controls, cells, steps):
    """The mean square from the target in the end, in square kelvin, and a little for much power."""
    history, powers = simulate(controls, cells, steps)
    x = (np.arange(cells) + 0.5) / cells
    return np.mean((history[-1] - target(x)) ** 2) + 0.05 * np.mean(powers)


value_and_gradient = ag.value_and_grad(deviation)


@ag.to_graph
def adam_step(controls, first, second, i, cells, steps):
    """One step of Adam (Kingma & Ba, arXiv:1412.6980)."""
    value, gradient = value_and_gradient(controls, cells, steps)
    first = 0.9 * first + 0.1 * gradient
    second = 0.99 * second + 0.01 * gradient**2
    scale = 0.3 * np.sqrt(1.0 - 0.99**i) / (1.0 - 0.9**i)
    return controls - scale * first / (np.sqrt(second) + 1e-8), first, second, value


def compute(cells: int, steps: int, trips: int):
    """The warmth over time and the powers that were found, and the value at each step of Adam."""
    controls = np.full((2, 16), -1.0)
    first, second, values = np.zeros_like(controls), np.zeros_like(controls), []
    progress = tqdm(range(1, trips + 1), unit="step")
    for i in progress:
        controls, first, second, value = adam_step(controls, first, second, float(i), cells, steps)
        values.append(float(value))
        progress.set_postfix(value=f"{values[-1]:.3f}")
    history, powers = ag.to_graph(simulate)(controls, cells, steps)
    return history, powers, np.array(values)


def draw(history, powers, values):
    from samples.gallery.pictures import BLUE, GREY, RED, pyplot

    figure, ((shown, ending), (controls, progress)) = pyplot.subplots(
        2, 2, figsize=(7.5, 5.5), width_ratios=(1.5, 1.0)
    )
    minutes = np.linspace(0.0, DURATION / 60.0, len(history))
    x = (np.arange(history.shape[1]) + 0.5) / history.shape[1] * LENGTH
    every = max(1, len(history) // 300)
    picture = shown.pcolormesh(
        minutes[::every], x, history[::every].T, cmap="inferno", shading="auto"
    )
    figure.colorbar(picture, label="warmth, K above the air")
    shown.set(xlabel="time, min", ylabel="place, m", title="warmth of the rod")
    ending.plot(x, target(x), color=GREY, lw=4, label="wanted")
    ending.plot(x, history[-1], color=RED, label="reached")
    ending.set(xlabel="place, m", ylabel="warmth, K", title="in the end")
    ending.legend()
    controls.plot(minutes, powers[0], color=BLUE, label="heater at 0 m")
    controls.plot(minutes, powers[1], color=RED, label="heater at 1 m")
    controls.set(xlabel="time, min", ylabel="power, K/s", title="the control that was found")
    controls.legend()
    progress.semilogy(values, color=BLUE)
    progress.set(xlabel="step of Adam", ylabel="deviation, K²", title="on the way")
    return figure


def main() -> None:
    from samples.gallery.pictures import save

    start = time.perf_counter()
    history, powers, values = compute(cells=64, steps=10_000, trips=400)
    seconds = time.perf_counter() - start
    x = (np.arange(history.shape[1]) + 0.5) / history.shape[1]
    off = np.max(np.abs(history[-1] - target(x)))
    print(f"{len(values)} gradients through {len(history)} steps in {seconds:.1f} s")
    print(f"the warmth is right to {off:.2f} K everywhere")
    print(save(draw(history, powers, values), "heat"))


if __name__ == "__main__":
    main()
