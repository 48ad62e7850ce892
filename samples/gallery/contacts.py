"""A throw that is found from a film of it: fits through bounces, slipping and a wall.

python -m samples.gallery.contacts
"""

from __future__ import annotations

import time

import numpy as np
from tqdm import tqdm

from samples.contacts import NAMES, TRUE, WALL, film, fitted, guesses, simulate, standard_errors


def compute(count: int, noise: float = 3e-3, seed: int = 0):
    """Film the throw and fit it from `count` guesses: the times, what was seen, [m, 2], and the
    fits with their sums of squares, the best first."""
    rng = np.random.default_rng(seed)
    times = np.linspace(0.0, 3.0, 91)
    seen = film(TRUE, times) + noise * rng.normal(size=2 * len(times))
    fits = [fitted(guess, times, seen) for guess in tqdm(guesses(count, rng), unit="fit")]
    fits.sort(key=lambda fit: fit[1])
    found = np.array([parameters for parameters, _ in fits])
    return times, seen.reshape(-1, 2), found, np.array([error for _, error in fits])


def draw(times, seen, found, errors):
    from samples.gallery.pictures import BLUE, GREY, ORANGE, RED, pyplot

    fine = np.linspace(0.0, times[-1], 1500)
    figure, (room, ends) = pyplot.subplots(1, 2, figsize=(7.5, 3.4), width_ratios=(2.2, 1.0))
    room.axhline(0.0, color=GREY, lw=1.0)
    room.axvline(WALL, color=GREY, lw=1.0)
    worse = [parameters for parameters, error in zip(found, errors) if error > 2.0 * errors[0]]
    for parameters in worse[:: len(worse) // 8 + 1]:
        room.plot(*simulate(parameters, fine).T, color=ORANGE, lw=0.7)
    if worse:
        room.plot([], [], color=ORANGE, lw=0.7, label="where other guesses end")
    room.plot(*simulate(found[0], fine).T, color=RED, lw=1.2, label="fit")
    room.plot(*seen.T, ".", color=BLUE, ms=4, label="seen")
    room.set(
        xlabel="x, m", ylabel="y, m", aspect="equal", title="the throw, 3 s", ylim=(-0.05, 1.6)
    )
    room.legend(loc="upper left", fontsize=7)
    ends.semilogy(np.sqrt(errors / (2 * len(times))), ".", color=BLUE)
    ends.set(xlabel="guess", ylabel="root mean square, m", title="where the guesses end")
    return figure


def main() -> None:
    from samples.gallery.pictures import save

    start = time.perf_counter()
    times, seen, found, errors = compute(count=256)
    seconds = time.perf_counter() - start
    deviations = standard_errors(found[0], errors[0], times)
    print(f"{len(errors)} fits in {seconds:.1f} s")
    for name, true, value, deviation in zip(NAMES, TRUE, found[0], deviations):
        print(f"{name:12} {value:8.4f} +- {deviation:.4f}   in truth {true:g}")
    print(f"{np.sum(errors < 1.1 * errors[0])} of {len(errors)} guesses lead there")
    print(save(draw(times, seen, found, errors), "contacts"))


if __name__ == "__main__":
    main()
