"""The Mandelbrot set: a `while` for each pixel, written for one.

python -m samples.gallery.mandelbrot
"""

from __future__ import annotations

import time

import numpy as np
from tqdm import tqdm

import autograph as ag


def escape(x0, y0, most):
    """After how many steps ``z * z + c`` leaves the circle of radius 100, as a smooth number; 0 if
    it does not."""
    x, y, steps = 0.0, 0.0, 0
    while x * x + y * y < 1e4:
        if steps == most:
            return 0.0
        x, y = x * x - y * y + x0, 2.0 * x * y + y0
        steps += 1
    return steps + 1.0 - np.log2(0.5 * np.log(x * x + y * y) / np.log(100.0))


def image(x, y, most):
    """The steps at the points of a grid: float arrays of shapes [m] and [n] -> [n, m]."""
    row = ag.vmap(escape, in_axes=(0, None, None))
    return ag.vmap(row, in_axes=(None, 0, None))(x, y, most)


def compute(width: int, height: int, most: int):
    """The edges of a part of the plane, and the image of it, row by row of tiles."""
    left, right, low, high = -0.7485, -0.7385, 0.1275, 0.1350
    x, y = np.linspace(left, right, width), np.linspace(low, high, height)
    parts = [image(x, part, most) for part in tqdm(np.array_split(y, 10), unit="part")]
    return (left, right, low, high), np.concatenate(parts)


def draw(edges, steps):
    from samples.gallery.pictures import pyplot

    figure, axes = pyplot.subplots(figsize=(6.0, 4.2))
    shown = np.log10(np.where(steps > 0.0, steps, np.nan))  # nothing is drawn where it is NaN
    colours = {"cmap": "magma", "vmin": np.log10(20.0), "vmax": np.log10(3000.0)}
    picture = axes.imshow(shown, origin="lower", extent=edges, **colours)
    axes.set_facecolor("black")
    axes.set(xlabel="real part of c", ylabel="imaginary part of c")
    bar = figure.colorbar(picture, label="steps until z leaves", shrink=0.9)
    bar.set_ticks(np.log10([30, 100, 300, 1000]), labels=["30", "100", "300", "1000"])
    return figure


def main() -> None:
    from samples.gallery.pictures import save

    start = time.perf_counter()
    edges, steps = compute(1200, 900, 5000)
    seconds = time.perf_counter() - start
    total = np.sum(np.where(steps > 0.0, steps, 5000.0))
    print(f"{total / 1e6:.0f} million steps in {seconds:.1f} s")
    print(save(draw(edges, steps), "mandelbrot"))


if __name__ == "__main__":
    main()
