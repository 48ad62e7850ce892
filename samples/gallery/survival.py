"""How long patients live with a treatment and without: three models beside what was seen.

python -m samples.gallery.survival
"""

from __future__ import annotations

import time

import numpy as np

import autograph as ag
from samples.survival import LogLogistic, PiecewiseExponential, Weibull, patients


def kaplan_meier(T, E):
    """The times of deaths, and the part that is alive after each (Kaplan & Meier, 1958)."""
    times = np.unique(T[E > 0.0])
    left = [1.0 - np.sum(E[t == T]) / np.sum(t <= T) for t in times]
    return times, np.cumprod(left)


def compute(count: int):
    """The patients, and the models fitted to them."""
    T, E, Ex = patients(count)
    models = [Weibull(), LogLogistic(), PiecewiseExponential(np.array([2.0, 5.0, 10.0]))]
    return T, E, Ex, [model.fit(T, E, Ex) for model in models]


def band(model, times, Ex):
    """The chance to live of a group, and its standard error: by the derivatives of the curve."""
    alive = lambda vector: np.mean(
        np.exp(
            -ag.vmap(
                lambda x: model._cumulative_hazard(
                    model._split(vector, len(x)), times, np.zeros((len(times), 1)) + x
                )
            )(Ex)
        ),
        axis=0,
    )
    slopes = ag.jacfwd(alive)(model.vector)
    return alive(model.vector), np.sqrt(np.sum(slopes @ model.covariance * slopes, axis=1))


def draw(T, E, Ex, models):
    from samples.gallery.pictures import BLUE, GREEN, GREY, RED, pyplot

    times = np.linspace(0.05, 20.0, 80)
    figure, axes = pyplot.subplots(1, 2, figsize=(7.5, 3.4), sharey=True)
    for axis, treated in zip(axes, (0.0, 1.0)):
        group = Ex[:, 2] == treated
        axis.step(*kaplan_meier(T[group], E[group]), color=GREY, lw=3, where="post", label="seen")
        for model, color in zip(models, (BLUE, GREEN, RED)):
            alive, error = band(model, times, Ex[group])
            axis.plot(times, alive, color=color, lw=1.2, label=type(model).__name__)
            axis.fill_between(times, alive - 2 * error, alive + 2 * error, color=color, alpha=0.12)
        axis.set(xlabel="years", title="treated" if treated else "not treated", xlim=(0.0, 20.0))
    axes[0].set(ylabel="alive")
    axes[1].legend(fontsize=8)
    return figure


def main() -> None:
    from samples.gallery.pictures import save

    start = time.perf_counter()
    T, E, Ex, models = compute(500)
    print(f"three fits in {time.perf_counter() - start:.1f} s")
    for model in models:
        print(f"{type(model).__name__}: log-likelihood {model.log_likelihood:.1f}")
    print(save(draw(T, E, Ex, models), "survival"))


if __name__ == "__main__":
    main()
