"""Interpolation in one dimension, which can be differentiated by all that goes into it.

    python samples/interpolate.py      a curve through points, and its derivatives

`np.interp` is linear and compiles as it is. `spline` is the natural cubic spline: piecewise cubic,
with two continuous derivatives, and the second one zero at both ends. `evaluate` is its value, and
its derivatives by the place come from `ag.grad` or `ag.jvp`, as those by the points do.

Source: de Boor, "A practical guide to splines", revised edition, chapter IV.
"""

from __future__ import annotations

import numpy as np

import autograph as ag


def spline(x, y):
    """The natural cubic spline through points.

    Args:
        x: float array of shape [n], rising, with n > 2.
        y: float array of shape [n].

    Returns:
        The points and the second derivatives there, for `evaluate`: three arrays of shape [n].
    """
    n = len(x)
    h, slope = np.diff(x), np.diff(y) / np.diff(x)
    # The first derivative is continuous: a tridiagonal system for the second ones, solved by
    # elimination from the first row to the last, and back.
    diagonal, right = 2.0 * (h[:-1] + h[1:]), 6.0 * np.diff(slope)
    for i in range(1, n - 2):
        factor = h[i] / diagonal[i - 1]
        diagonal[i] -= factor * h[i]
        right[i] -= factor * right[i - 1]
    bend = np.zeros(n)
    for i in range(n - 2, 0, -1):
        bend[i] = (right[i - 1] - h[i] * bend[i + 1]) / diagonal[i - 1]
    return x, y, bend


def evaluate(curve, at):
    """The values of a spline, of `spline`, in the places of a float array of any shape. Beyond the
    ends its first and its last piece go on."""
    x, y, bend = curve
    i = np.clip(np.searchsorted(x, at, side="right") - 1, 0, len(x) - 2)
    h = x[i + 1] - x[i]
    a, b = (x[i + 1] - at) / h, (at - x[i]) / h
    cubic = (a**3 - a) * bend[i] + (b**3 - b) * bend[i + 1]
    return a * y[i] + b * y[i + 1] + cubic * h**2 / 6.0


def main() -> None:
    x = np.linspace(0.0, 2.0 * np.pi, 9)
    value = lambda y, at: evaluate(spline(x, y), at)
    by_point, by_place = ag.grad(value, argnums=(0, 1))(np.sin(x), 1.0)
    print("at 1:", ag.to_graph(value)(np.sin(x), 1.0), "where the sine is", np.sin(1.0))
    print("by the place:", by_place, "where the cosine is", np.cos(1.0))
    print("by the points:", np.round(by_point, 3))


if __name__ == "__main__":
    main()
