"""A pole on a cart that is swung up and held by plans, and pushed on the way.

python -m samples.gallery.mpc
"""

from __future__ import annotations

import time

import numpy as np

from samples.mpc import HORIZON, LENGTH, STEP, control


def compute(steps: int, push_at: int):
    """The states, the forces, the plans, how many steps each optimisation took, and how long a
    step of control took in the mean."""
    control(1)  # compiles
    start = time.perf_counter()
    states, forces, plans, counts = control(steps, push_at=push_at)
    return states, forces, plans, counts, (time.perf_counter() - start) / steps


def draw(states, forces, plans, push_at):
    from samples.gallery.pictures import BLUE, GREY, ORANGE, RED, pyplot

    figure, (above, below) = pyplot.subplots(2, 1, figsize=(7.5, 5.2), height_ratios=(1.0, 1.1))
    for k in range(0, 26):
        x, angle = states[k, :2]
        top = [x + 2.0 * LENGTH * np.sin(angle), 2.0 * LENGTH * np.cos(angle)]
        shade = 0.15 + 0.85 * k / 25
        above.plot([x, top[0]], [0.0, top[1]], color=BLUE, alpha=shade, lw=1.5)
        above.plot(*top, "o", color=RED, alpha=shade, ms=4)
    above.axhline(0.0, color=GREY, lw=1.0)
    above.set(xlabel="place, m", aspect="equal", title="the first 1.25 s, later ones darker")
    times = STEP * np.arange(len(states))
    for k in (0, 5, 10, push_at + 1):
        planned = np.concatenate([states[k, 1:2], plans[k].reshape(-1, 5)[:, 2]])
        ahead = STEP * (k + np.arange(HORIZON + 1))
        label = "plans" if k == 0 else None
        below.plot(ahead, planned, "--", color=ORANGE, lw=0.9, label=label)
    below.plot(times, states[:, 1], color=RED, label="angle, rad")
    below.step(times[:-1], forces / 10.0, where="post", color=BLUE, label="force, 10 N")
    below.axvline(STEP * (push_at + 1), color=GREY, lw=3, alpha=0.5, label="a push")
    below.set(xlabel="time, s", xlim=(0.0, times[-1]))
    below.legend(ncols=4, loc="upper right", fontsize=8)
    return figure


def main() -> None:
    from samples.gallery.pictures import save

    states, forces, plans, counts, seconds = compute(steps=140, push_at=80)
    print(f"a step of control, {np.mean(counts):.1f} of the optimisation: {seconds * 1e3:.2f} ms")
    print(save(draw(states, forces, plans, 80), "mpc"))


if __name__ == "__main__":
    main()
