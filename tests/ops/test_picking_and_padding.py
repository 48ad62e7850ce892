"""NumPy's functions that choose, pad, and take diagonals, as compiled functions."""

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

from tests.ops.derivatives import check_complex_derivatives, check_derivatives
from tests.support.oracle import check

V = np.array([0.5, -1.0, 2.0, 3.5])
M = np.arange(6.0).reshape(2, 3) ** 1.5 - 2.0
Q = np.arange(16.0).reshape(4, 4) ** 0.5
T = np.arange(24.0).reshape(2, 3, 4) / 7
I4 = np.array([3, 0, -1, 2])
FAR = np.array([[7, -9], [1, 4]])

SMOOTH = [
    # -- taken by index
    (lambda x, i: (np.take(x, i), np.take(x, 1), np.take(x, [0, 2]), x.take(i)), V, I4),
    (lambda x, i: (np.take(x, i, mode="wrap"), np.take(x, i, mode="clip")), V, FAR),
    (lambda x: (np.take(x, [[5, -7]], mode="wrap"), np.take(x, -8, mode="clip")), V),
    (lambda x, i: np.take(x, i, axis=1, mode="wrap"), M, FAR),
    (lambda x, i: (x.take(i, axis=-1), np.take(x, np.array([], int), 0)), T, I4),
    (lambda x: (np.take(x, True), np.take(x, np.uint8(2)), np.take(x, [True, False])), V),
    (lambda x, i: np.take_along_axis(x, i, axis=1), M, np.array([[2, 0, 1, 1], [0, 0, -1, 2]])),
    (lambda x, i: np.take_along_axis(x, i, axis=0), T, np.array([[[1, 0, 0, 1]]])),
    (lambda x, i: np.take_along_axis(x, i, axis=None), M, I4),
    # -- chosen
    (lambda i, x, y: np.choose(i, [x, y, 1.0]), np.array([0, 1, 2, 0]), V, V[::-1] * 3),
    (lambda i, x: (np.choose(i, x, mode="wrap"), i.choose(x, mode="clip")), FAR, M[:, :2]),
    (lambda i, x: np.choose(i, (x, 2.0)), np.array([[True], [False]]), V),
    (lambda x: np.choose([1, 0, 1], x), M),
    (lambda c, x: (np.compress(c, x), x.compress(c, axis=1)), np.array([True, False, True]), M),
    (lambda x: (np.compress([0, 1], x, axis=1), np.compress([1, 0, 1, 1], x, -1)), T),
    (lambda c, x: (np.extract(c, x), np.extract(x > 0, x)), M > 1, M),
    (lambda x, y: np.select([x > 1, x > 0], [y, x * x], 7.0), V, V[::-1] * 2),
    (lambda x, y: np.select([x > 1, y > 0], [y, x[:, None]]), V, V[:, None] * 2),
    (lambda x: np.select([np.array([True, False, True, False])], [x]), V),
    (lambda x: np.piecewise(x, [x < 0, x > 1], [lambda v: v * v, np.sin, -1.0]), V),
    (lambda x: np.piecewise(x, [x < 0, x > 1], [lambda v, a: a * v, 3.0], 2.0), V),
    (lambda x: np.piecewise(x, x > 0, [lambda v: v**2, lambda v, **k: v]), V),
    (lambda x: np.where([True, False, True, True], x, 2.0), V),
    # -- padded
    (lambda x: (np.pad(x, 1), np.pad(x, (1, 2)), np.pad(x, ((0, 1), (2, 0)))), M),
    (lambda x: (np.pad(x, {1: 2}), np.pad(x, {0: (1, 0), -1: (0, 2)}, mode="edge")), M),
    (lambda x: np.pad(x, 2, constant_values=3.0), M),
    (lambda x: np.pad(x, 1, constant_values=((1, 2), (3, 4))), M),
    (lambda x: np.pad(x, ((1, 2), (2, 1)), constant_values=[(5.0, 6.0)]), M),
    (lambda x, c: np.pad(x, 1, constant_values=c), M, 2.5),
    (lambda x, c: np.pad(x, 1, constant_values=(c, 1.0)), V, 2.5),
    *(
        (lambda x, m=mode: (np.pad(x, 2, m), np.pad(x, ((0, 1), (9, 7)), m)), M)
        for mode in ("edge", "reflect", "symmetric", "wrap", "linear_ramp", "mean")
    ),
    *(
        (lambda x, m=mode: (np.pad(x, 2, m), np.pad(x, ((0, 1), (5, 2)), m)), M)
        for mode in ("maximum", "minimum", "median")
    ),
    *(
        (lambda x, m=mode: np.pad(x, ((1, 1), (3, 2)), m, stat_length=((1, 2), (2, 1))), M)
        for mode in ("maximum", "minimum", "median", "mean")
    ),
    (lambda x: np.pad(x, ((9, 4), (1, 7)), "reflect", reflect_type="odd"), M),
    (lambda x: np.pad(x, ((9, 4), (1, 7)), "symmetric", reflect_type="odd"), M),
    (lambda x: np.pad(x, 4, "reflect", reflect_type="odd"), V[:1]),
    (lambda x: np.pad(x, 4, "reflect"), V[:1]),
    (lambda x, e: np.pad(x, (3, 2), "linear_ramp", end_values=(e, 1.0)), V, 2.5),
    (lambda x: np.pad(x, 2, "linear_ramp", end_values=((1, 2), (3, 4))), M),
    (lambda x: np.pad(x, 0, "mean"), M),
    # -- diagonals
    (lambda x: (np.diag(x), np.diag(x, 1), np.diag(x, -2), np.diagflat(x, 1)), V),
    (lambda x: (np.diag(x), np.diag(x, 1), np.diag(x, -1), np.diag(x, 5), np.diagflat(x)), M),
    (lambda x: (np.diagonal(x), x.diagonal(1, 1, 2), np.diagonal(x, -1, 2, 0)), T),
    (lambda x: (np.trace(x), x.trace(1, 1, 2), np.trace(x, offset=-1, axis1=2, axis2=0)), T),
    (lambda x: (np.tril(x), np.tril(x, 1), np.triu(x, -1), np.triu(x, k=2)), M),
    (lambda x: (np.tril(x), np.triu(x, 1)), V),
    (lambda x: (np.tril(x, 1), np.triu(x)), T),
    (lambda x, k: (np.tril(x, k), np.triu(x, k), np.diag(x, k)), Q, 1),
    (lambda x: (x[np.tril_indices(4)], x[np.triu_indices(4, 1)], x[np.diag_indices(4)]), Q),
    (lambda x: (x[np.tril_indices_from(x, -1)], x[np.diag_indices_from(x)]), Q),
    (lambda x: x[np.triu_indices_from(x)], Q),
    (lambda x: x[np.mask_indices(4, np.triu, 1)], Q),
    (lambda x: x * np.tri(2, 3, k=-1), M),
    (lambda x: np.vander(x), V),
    (lambda x: (np.vander(x, 3), np.vander(x, 2, increasing=True), np.vander(x, 0)), V),
    # -- windows
    (lambda x: sliding_window_view(x, 2), V),
    (lambda x: (sliding_window_view(x, (2, 2)), sliding_window_view(x, 3, axis=1)), Q),
    (lambda x: sliding_window_view(x, (1, 2, 2), axis=(0, 2, 0)).mean(-1), T[:, :2, :2]),
    # -- clipped
    (lambda x: (np.clip(x, 0, 1), x.clip(min=0.1), np.clip(x, max=2.2), x.clip(0, 3)), V),
    (lambda x, a, b: np.clip(x, a, b), M, -1.1, M[0] * 2 + 5),
    (lambda x: np.nan_to_num(x * 1.0), V),
    (lambda x: (np.sinc(x), np.sinc(x - x[0])), V),
]


@pytest.mark.parametrize("case", SMOOTH, ids=lambda case: f"line {case[0].__code__.co_firstlineno}")
def test_values_and_derivatives(case):
    function, *args = case
    check(function, *args)
    check_derivatives(function, *args)
    check_complex_derivatives(function, *args)


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f4", "c16"])
def test_other_dtypes(dtype):
    def padded(x):
        return [np.pad(x, 2, mode) for mode in ("constant", "edge", "wrap", "symmetric", "empty")]

    def ramps(x):
        return (
            *(np.pad(x, 3, mode) for mode in ("linear_ramp", "mean", "maximum")),
            np.pad(x, 3, "linear_ramp", end_values=7),
            np.pad(x, 1, constant_values=((1, 2), (3, 4))),
            np.pad(x, 7, "reflect", reflect_type="odd"),
        )

    def diagonals(x):
        return (
            np.diag(x),
            np.diag(x[0], 1),
            np.tril(x),
            np.trace(x),
            np.diagflat(x),
            np.vander(x[0]),
        )

    def choices(x, i):
        return np.choose(i, [x, x * 2]), np.select([i > 0], [x]), np.take(x, i, mode="clip")

    x = (np.arange(9).reshape(3, 3) * 1.7).astype(dtype)
    check(lambda x: padded(x)[:-1], x)
    if dtype != "?":
        check(ramps, x)
    check(diagonals, x)
    check(choices, x, np.array([[0, 1, 1]]))


def test_no_elements():
    def empty(x, i):
        return (
            *(np.pad(x, 1), np.pad(x, ((0, 0), (1, 0)), "empty"), np.take(x, i, axis=0)),
            *(np.diag(x), np.tril(x), np.take(x, i, axis=0, mode="clip"), np.compress([0], x, 1)),
            *(np.repeat(x, 2, 0), np.diagonal(x, 1), np.trace(x), np.clip(x, 0, 1)),
        )

    check(empty, np.zeros((0, 3)), np.zeros(0, int))


def test_nan_to_num():
    x = np.array([np.nan, np.inf, -np.inf, 1.5])

    def replaced(x):
        return (
            *(np.nan_to_num(x), np.nan_to_num(x, nan=1.0, posinf=5.0, neginf=-5.0)),
            np.nan_to_num(x, nan=np.array([1.0, 2.0, 3.0, 4.0])),
        )

    def in_place(x):
        y = np.nan_to_num(x, copy=False)
        y[0] = 3.0
        return x

    check(replaced, x)
    check(replaced, x.astype("f4"))
    check(replaced, x + 1j * x[::-1])
    check(replaced, np.arange(4))
    check(in_place, x)


ERRORS = [
    lambda x: np.take(x, 7),
    lambda x: np.take(x, [0, -3], axis=0),
    lambda x: np.take(x, 0, axis=2),
    lambda x: np.take(x, x),
    lambda x: np.take(x, 0, mode="none"),
    lambda x: np.take(x[:0], 0, axis=0, mode="clip"),
    lambda x: np.take_along_axis(x, np.array([0]), 1),
    lambda x: np.take_along_axis(x, np.array([[0.0]]), 1),
    lambda x: np.choose(np.array([0, 5, 0]), [x, x]),
    lambda x: np.choose(x, [x, x]),
    lambda x: np.choose(np.array([0, 1]), [x, x]),
    lambda x: np.compress([[True]], x),
    lambda x: np.compress([0, 0, 0, 1], x, axis=1),
    lambda x: np.select([x > 0], [x, x]),
    lambda x: np.select([], []),
    lambda x: np.select([x], [x]),
    lambda x: np.piecewise(x, [x > 0], [1, 2, 3]),
    lambda x: np.piecewise(x, x > 0, [1, 2, 3]),
    lambda x: np.pad(x, 1, "nothing"),
    lambda x: np.pad(x, -1),
    lambda x: np.pad(x, 1.5),
    lambda x: np.pad(x, ((1, 2), (3, 4), (5, 6))),
    lambda x: np.pad(x, 1, "edge", constant_values=0),
    lambda x: np.pad(x[:0], 1, "edge"),
    lambda x: np.pad(x[:0], 1, "reflect"),
    lambda x: np.pad(x, 1, "maximum", stat_length=0),
    lambda x: np.diag(x[None]),
    lambda x: sliding_window_view(x, 2),
    lambda x: sliding_window_view(x, (2, 7)),
    lambda x: sliding_window_view(x, (2, 2), 1),
    lambda x: sliding_window_view(x, (-1, 2)),
    lambda x: sliding_window_view(x, 2, axis=0).fill(1.0),
    lambda x: np.diagonal(x[0]),
    lambda x: np.diagonal(x, axis1=0, axis2=2),
    lambda x: np.diagonal(x, axis1=1, axis2=1),
    lambda x: np.tril(x[0, 0]),
    lambda x: np.diag_indices_from(x),
    lambda x: np.tril_indices_from(x[0]),
    lambda x: np.vander(x),
    lambda x: np.clip(x, np.zeros(7), 1),
    lambda x: np.clip(x, 1),
    lambda x: np.clip(x, 0, 1, min=2),
]


@pytest.mark.parametrize("function", ERRORS, ids=lambda f: f"line {f.__code__.co_firstlineno}")
def test_errors(function):
    check(function, M)
