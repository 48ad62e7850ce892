"""A medicine in the blood: a patient's clearance, volumes and lag, and when to take the doses.

python -m samples.gallery.dosing
"""

from __future__ import annotations

import time

import numpy as np

from samples import dosing

GUESS = np.array([2.0, 3.0, 50.0, 2.0, 20.0, 0.3])
WANTED, HOURS = 2.0, np.linspace(6.0, 48.0, 85)  # mg/l, and when


def compute(steps: int):
    """The patient's data, what fits them on the way, and the times of doses before and after."""
    doses, dose_times, times, seen = data = dosing.patient()
    found, errors, path = dosing.fit(GUESS, seen, doses, dose_times, times)
    before = np.array([0.0, 5.0, 10.0, 15.0])
    after, _ = dosing.schedule(before, found, doses, WANTED, HOURS, steps)
    return data, found, errors, path, before, after


def draw(data, found, path, before, after):
    from samples.gallery.pictures import BLUE, GREY, ORANGE, RED, pyplot

    doses, dose_times, times, seen = data
    figure, (fits, planned) = pyplot.subplots(1, 2, figsize=(7.5, 3.4))
    fine = np.linspace(0.01, times[-1], 400)
    curve = lambda parameters, at: dosing.concentrations(parameters, doses, at, fine)
    for parameters in path[1:4]:
        fits.plot(fine, curve(parameters, dose_times), color=ORANGE, lw=0.7)
    fits.plot(fine, curve(path[0], dose_times), "--", color=ORANGE, label="guess")
    fits.plot(fine, curve(found, dose_times), color=RED, label="fit")
    fits.plot(times, seen, ".", color=BLUE, label="measured")
    fits.set(xlabel="time, h", ylabel="in the blood, mg/l", title="a patient")
    fits.legend()
    planned.axhline(WANTED, color=GREY, lw=3, label="wanted")
    planned.plot(fine, curve(found, before), "--", color=ORANGE, label="every 5 hours")
    planned.plot(fine, curve(found, after), color=RED, label="planned")
    planned.plot(after, 0.0 * after, "^", color=RED, label="doses")
    planned.set(xlabel="time, h", xlim=(0.0, 60.0), title="when to take the doses")
    planned.legend(fontsize=8)
    return figure


def main() -> None:
    from samples.gallery.pictures import save

    start = time.perf_counter()
    data, found, errors, path, before, after = compute(steps=200)
    print(f"fit and plan in {time.perf_counter() - start:.1f} s")
    for name, true, value, error in zip(dosing.NAMES, dosing.TRUE, found, errors):
        print(f"{name:14} {value:8.3f} +- {value * error:.3f}   in truth {true:g}")
    print("doses at", np.round(after, 1), "h")
    print(save(draw(data, found, path, before, after), "dosing"))


if __name__ == "__main__":
    main()
