"""Rows of an array between places that another one says, as those of polygons or of groups: rolled,
padded, convolved, their extremes along an axis, their distances."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from tests.kernels.kernel_check import ALL, check, copied, run

R = np.random.default_rng(0)
STARTS = np.array([0, 3, 4, 9, 11, 18, 24])
POINTS = R.normal(size=(24, 3))
WHOLE = R.integers(-5, 5, (24, 3))


def areas(points, starts):
    out = np.zeros(len(starts) - 1)
    for k in range(len(starts) - 1):
        p = points[starts[k] : starts[k + 1]]
        q = np.roll(p, -1, axis=0)
        out[k] = np.sum(p[:, 0] * q[:, 1] - q[:, 0] * p[:, 1]) / 2
    return out


def rolled(points, starts):
    out = np.zeros((len(starts) - 1, 5))
    for k in range(len(starts) - 1):
        p = points[starts[k] : starts[k + 1]]
        x = p[:, 0]
        out[k, 0] = np.sum(x * np.roll(x, 1))
        out[k, 1] = np.roll(x, k - 3)[0] + np.roll(x, starts[k] * 7 - 40)[-1]
        out[k, 2] = np.sum(p * np.roll(p, (k, -1), axis=(0, 1)))
        out[k, 3] = np.sum(p * np.roll(p, (1, 1), axis=0))
        out[k, 4] = np.sum(p * np.roll(p, k % 2 == 0, axis=1))
    return out


def rolled_in_place(points, starts):
    x = points.copy()
    for k in range(len(starts) - 1):
        x[starts[k] : starts[k + 1]] = np.roll(x[starts[k] : starts[k + 1]], 1, axis=0)
    return x


def boxes(points, starts):
    out = np.zeros((len(starts) - 1, 3))
    for k in range(len(starts) - 1):
        p = points[starts[k] : starts[k + 1]]
        out[k] = p.max(axis=0) - p.min(axis=0)
        out[k, 0] += np.sum(p.max(axis=1)) + np.sum(p - np.min(p, axis=0, keepdims=True))
    return out


def farthest(points, starts):
    out = np.zeros((len(starts) - 1, 4))
    for k in range(len(starts) - 1):
        p = points[starts[k] : starts[k + 1]]
        out[k, :3] = np.argmax(p, axis=0)
        out[k, 3] = np.sum(np.argmin(p, axis=1)) + p.argmin(axis=0)[1] * 10
    return out


def apart(points, starts):
    out = np.zeros((len(starts) - 1, 3))
    for k in range(len(starts) - 1):
        p = points[starts[k] : starts[k + 1]]
        d = ((p[:, None] - p[None]) ** 2).sum(-1)
        out[k, 0] = d.max()
        out[k, 1] = np.sum(np.max(np.abs(p[:, None] - p[None]), axis=(0, 2)) ** 2)
        out[k, 2] = np.sum(np.sum(p[:, None] * p[None], axis=1, keepdims=True) ** 2)
    return out


def padded(points, starts):
    out = np.zeros((len(starts) - 1, 3))
    for k in range(len(starts) - 1):
        p = points[starts[k] : starts[k + 1]]
        x = np.pad(p[:, 0], 1)
        out[k, 0] = np.sum((x[2:] - 2 * x[1:-1] + x[:-2]) ** 2)
        out[k, 1] = np.sum(
            np.pad(p, ((0, 2), (1, 0)))[1:, 1:] * np.pad(p, ((2, 0), (0, 1)))[1:, 1:]
        )
        out[k, 2] = np.sum(np.abs(np.diff(np.pad(p[:, 2], 2, mode="edge"))))
    return out


def smoothed(points, starts):
    w = np.array([1, 2, 4])
    out = np.zeros((len(starts) - 1, 6))
    for k in range(len(starts) - 1):
        x = points[starts[k] : starts[k + 1], 0]
        out[k, 0] = np.sum(np.convolve(x, w) ** 2)
        out[k, 1] = np.sum(np.convolve(x, w, mode="same")[:3] ** 2)
        out[k, 2] = np.sum(np.convolve(w, x, mode="valid")[::2] ** 2)
        out[k, 3] = np.sum(np.correlate(x, x[:2], mode="same") ** 2)
        out[k, 4] = np.sum(np.correlate(w, x, mode="same")[:2])
        out[k, 5] = np.max(np.convolve(x, x))
    return out


PROGRAMS = [areas, rolled, rolled_in_place, boxes, farthest, apart, padded, smoothed]


@pytest.mark.parametrize("function", PROGRAMS)
def test_between_places(function):
    kernels = 1 if function is smoothed else ALL  # the weights are made before it
    check(function, POINTS, STARTS, kernels=kernels, scale=10.0)
    check(function, WHOLE, STARTS, kernels=kernels)


def test_extremes_where_numbers_are_none():
    points = POINTS.copy()
    points[[2, 5, 20], [0, 2, 1]] = np.nan
    check(boxes, points, STARTS, scale=10.0)
    check(farthest, points, STARTS)


@pytest.mark.parametrize("function", PROGRAMS)
def test_no_rows(function):
    """NumPy rolls none, and knows no extremes of none."""
    starts = np.array([0, 3, 3, 9, 24])
    compiled, args = ag.to_graph(function), (POINTS, starts)
    expected, found = run(function, copied(args)), run(compiled, copied(args))
    assert type(found.error) is type(expected.error) and str(found.error) == str(expected.error)
    if expected.error is None:
        assert np.allclose(found.result, expected.result)


@pytest.mark.parametrize("function", [areas, rolled, rolled_in_place, boxes, apart, padded])
def test_derivatives(function):
    ag.check_grads(lambda x: np.sum(function(x, STARTS) ** 2), (POINTS,), order=2)


def test_derivatives_of_convolutions():
    ag.check_grads(lambda x: np.sum(smoothed(x, STARTS)), (POINTS,), order=2)


@pytest.mark.parametrize("function", PROGRAMS)
def test_lanes(function):
    many = R.normal(size=(3, 24, 3))
    found = ag.vmap(function, in_axes=(0, None))(many, STARTS)
    assert np.allclose(found, [function(x, STARTS) for x in many])
