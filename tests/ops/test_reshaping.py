"""NumPy's functions that reshape, permute, repeat and join arrays, as compiled functions."""

import numpy as np
import pytest

import autograph as ag
from tests.ops.derivatives import check_complex_derivatives, check_derivatives
from tests.support.oracle import check

V = np.array([0.5, -1.0, 2.0, 3.5])
M = np.arange(6.0).reshape(2, 3) ** 1.5 - 2.0
T = np.arange(24.0).reshape(2, 3, 4) / 7
S = 1.5

SMOOTH = [
    (lambda x: np.reshape(x, (3, 2), order="F"), M),
    (lambda x: np.reshape(x, (4, -1), "F"), T),
    (lambda x: np.reshape(x, -1, copy=True), T),
    (lambda x: x.reshape(2, -1, order="F"), T),
    (lambda x: x.reshape((3, 8), order="F", copy=True), T),
    (lambda x: (np.ravel(x, order="F"), x.ravel("F"), x.flatten("F")), T),
    (lambda x: (np.ravel(x, order="A"), x.flatten("K")), V),
    (lambda x: np.transpose(x, (2, 0, 1)), T),
    (lambda x: (x.transpose(), x.transpose(None), x.transpose(1, 2, 0)), T),
    (lambda x: np.permute_dims(x, axes=(1, 0, 2)), T),
    (lambda x: (np.moveaxis(x, 0, -1), np.moveaxis(x, [0, 1], [2, 0])), T),
    (lambda x: (np.rollaxis(x, 2), np.rollaxis(x, 0, 3), np.rollaxis(x, 1, -1)), T),
    (lambda x: (np.swapaxes(x, 0, 2), x.swapaxes(-1, 1), np.matrix_transpose(x)), T),
    (lambda x: (np.squeeze(x[:, None]), np.squeeze(x[None], axis=0)), M),
    (lambda x: (np.squeeze(x[None, :, None], axis=(0, 2)), x[:, None].squeeze(1)), M),
    (lambda x: (np.squeeze(x, axis=()) + 1, np.squeeze(x, 0)), S),
    (lambda x: (np.expand_dims(x, 1), np.expand_dims(x, (0, -1)), np.expand_dims(x, [0, 2])), M),
    (lambda x: (np.atleast_1d(x), np.atleast_2d(x), np.atleast_3d(x)), V),
    (lambda x: (np.atleast_1d(x), np.atleast_2d(x), np.atleast_3d(x)), S),
    (lambda x: np.atleast_3d(x), M),
    (lambda x, y: np.atleast_2d(x, y, [1.0]), V, S),
    (lambda x: np.broadcast_to(x, (2, 2, 3)), M),
    (lambda x, y: np.broadcast_arrays(x, y[:, None]), M[0], V),
    (lambda x, y: [a + 1 for a in np.broadcast_arrays(x, y)], M, M),
    # -- reversed and rolled
    (lambda x: (np.flip(x), np.flip(x, 1), np.flip(x, (0, 2)), np.flipud(x), np.fliplr(x)), T),
    (lambda x: [np.rot90(x, k) for k in range(-1, 5)], M),
    (lambda x: (np.rot90(x, 1, (1, 2)), np.rot90(x, 3, (2, 0)), np.rot90(x, 1, [-1, 0])), T),
    (lambda x: (np.roll(x, 2), np.roll(x, -1, axis=1), np.roll(x, (1, 2), axis=(0, 2))), T),
    (lambda x: (np.roll(x, 1, axis=(0, 1)), np.roll(x, (1, 1), axis=0), np.roll(x, (1, 2))), T),
    (lambda x, n: (np.roll(x, n), np.roll(x, n * n, axis=1), np.roll(x, (n, 1), (0, 1))), M, 2),
    (lambda x, n: np.roll(x, n, axis=(0, 1)), M, np.array([1, 2])),
    (lambda x, n: np.roll(x, np.argmax(x), axis=0), V, 0),
    # -- repeated
    (lambda x: (np.repeat(x, 2), np.repeat(x, 3, axis=1), x.repeat(2, axis=0)), M),
    (lambda x: (np.repeat(x, [1, 2, 0], axis=1), np.repeat(x, [2], 0), np.repeat(x, 0)), M),
    (lambda x: np.repeat(x, range(6)), M),
    (lambda x, n: (np.repeat(x, n, axis=0), np.repeat(x, n[0], axis=1)), M, np.array([2, 1])),
    (lambda x, n: np.repeat(x, n), V, 3),
    (lambda x: (np.tile(x, 2), np.tile(x, (2, 1)), np.tile(x, (1, 2, 2)), np.tile(x, 1)), M),
    (lambda x: (np.tile(x, (2, 2)), np.tile(x, 0), np.tile(x, [2])), V),
    (lambda x: np.tile(x, (2, 3)), S),
    (lambda x: (np.resize(x, (2, 5)), np.resize(x, 3), np.resize(x, (3, 7)), np.resize(x, 0)), M),
    # -- joined
    (lambda x, y: np.concatenate([x, y]), V, V[:2]),
    (lambda x, y: np.concatenate((x, y), axis=1), M, M[:, :1]),
    (lambda x, y: np.concatenate((x, y, [1, 2]), axis=None), M, S),
    (lambda x: np.concatenate(x), M),
    (lambda x, y: np.concatenate([x, y], dtype=np.complex128), V, V),
    (lambda x, y: np.stack([x, y], axis=-1), V, V),
    (lambda x, y: np.stack([x, y, 1.0]), S, S),
    (lambda x: np.stack(x, axis=1), M),
    (lambda x, y: (np.vstack([x, y]), np.hstack([x, y]), np.dstack([x, y])), V, V),
    (lambda x, y: (np.vstack([x, y]), np.hstack([x, y]), np.dstack([x, y])), M, M),
    (lambda x, y: (np.column_stack([x, y]), np.column_stack((y, y))), M, V[:2]),
    (lambda x, y: np.vstack([x, [1, 2, 3, 4], y]), V, S * np.ones((2, 4))),
    (lambda x, y: np.hstack([x, y, 3.0]), S, V),
    (lambda x, y: np.block([[x, y[:, None]], [np.zeros((1, 4))]]), M, V[:2]),
    (lambda x, y: (np.block([x, y]), np.block([[x], [y]]), np.block(x)), V, V),
    (lambda x, y: np.block([[x, 2.0], [y, x[:1]]]), V[:1], V[:1]),
    (lambda x, y: np.append(x, y), M, V),
    (lambda x, y: (np.append(x, y, axis=0), np.append(x, [[1.0], [2.0]], axis=1)), M, M[:1]),
    (lambda x, y: (np.insert(x, 1, y), np.insert(x, [1, 3], y), np.insert(x, -1, 9.0)), V, S),
    (lambda x, y: (np.insert(x, 1, y[:3], axis=0), np.insert(x, 1, y[:2], axis=1)), M, V),
    (lambda x, y: np.insert(x, [0, 2], y[:2, None], axis=1), M, V),
    (lambda x, y: np.insert(x, slice(0, 4, 2), y[:2]), V, V),
    (lambda x, y: np.insert(x, [2, 2, 0], y), V, np.array([7.0, 8.0, 9.0])),
    (lambda x, y: np.insert(x, 2, y), V, np.array([7.0, 8.0, 9.0])),
    (lambda x, y: np.insert(x, np.array([True, False, True, False]), y[:2]), V, V),
    (lambda x: (np.delete(x, 1), np.delete(x, [0, -1]), np.delete(x, slice(1, 3))), V),
    (lambda x: (np.delete(x, 0, axis=1), np.delete(x, [True, False], axis=0)), M),
    # -- taken apart
    (lambda x: (np.split(x, 2), np.split(x, [1, 3]), np.array_split(x, 3)), V),
    (lambda x: (np.split(x, 3, axis=1), np.split(x, [1], -1), np.split(x, [3, 5, 9])), T),
    (lambda x: (np.hsplit(x, 3), np.vsplit(x, 2), np.dsplit(x, [1, 2])), T),
    (lambda x: (np.hsplit(x, 2), np.array_split(x, 6)), V),
    (lambda x: (np.unstack(x), np.unstack(x, axis=1)), M),
    # -- made of nested lists
    (lambda x, y: np.array([[x, 1.0], [2, y]]), 0.5, 1.5),
    (lambda x, y: np.array([x, y], ndmin=3), V, V),
    (lambda x: (np.array(x), np.array(x, copy=None), np.asarray(x), np.array(x, ndmin=2)), V),
    (lambda x: (np.asarray(x, copy=True), np.asarray([x, x]), np.asanyarray(x)), V),
    (lambda x: (np.ascontiguousarray(x.T), np.asfortranarray(x), np.copy(x, order="F")), M),
    (lambda x: (np.ascontiguousarray(x), np.ascontiguousarray([x, 1.0])), 0.5),
    (lambda x: (np.require(x, requirements="C"), np.require(x.T, None, ["F", "W"])), M),
    (lambda x: (np.astype(x, np.complex128), np.astype(x, np.float64, copy=False)), M),
]


@pytest.mark.parametrize("case", SMOOTH, ids=lambda case: f"line {case[0].__code__.co_firstlineno}")
def test_values_and_derivatives(case):
    function, *args = case
    check(function, *args)
    check_derivatives(function, *args)
    check_complex_derivatives(function, *args)


@pytest.mark.parametrize("x", [T.astype("f4"), T.astype("i2"), T > 1, T.astype("c8"), T[:, :0]])
def test_other_dtypes_and_no_elements(x):
    def rearranged(x):
        return (
            *(np.reshape(x, (4, -1), "F") if x.size else x, x.ravel("F"), x.transpose(2, 0, 1)),
            *(np.flip(x, 0), np.rot90(x), np.roll(x, 2), np.roll(x, 1, 2), np.repeat(x, 2, 1)),
            *(
                np.tile(x, (2, 1, 1)),
                np.resize(x, (2, 3)),
                np.concatenate([x, x], 1),
                np.stack([x, x]),
            ),
            *(np.append(x, x), np.delete(x, 0, 0), np.insert(x, 1, 1, 0), np.block([x, x])),
            *(np.vstack([x, x]), np.hstack([x, x]), np.dstack([x, x]), np.array_split(x, 2, 2)),
        )

    check(rearranged, x)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.reshape(x, (4, 2)),
        lambda x: np.reshape(x, (-1, -1)),
        lambda x: np.reshape(x, 6, order="X"),
        lambda x: np.reshape(x, 6, order="K"),
        lambda x: np.transpose(x, (0, 0)),
        lambda x: np.transpose(x, (0,)),
        lambda x: np.moveaxis(x, 0, 2),
        lambda x: np.moveaxis(x, [0, 1], 1),
        lambda x: np.rollaxis(x, 0, 4),
        lambda x: np.swapaxes(x, 0, 2),
        lambda x: np.squeeze(x, 0),
        lambda x: np.expand_dims(x, 4),
        lambda x: np.expand_dims(x, (0, 0)),
        lambda x: np.broadcast_to(x, (3, 2)),
        lambda x: np.broadcast_to(x, (3,)),
        lambda x: np.flip(x, 2),
        lambda x: np.fliplr(x[0]),
        lambda x: np.rot90(x, 1, (0, 0)),
        lambda x: np.rot90(x, 1, (0, 3)),
        lambda x: np.rot90(x, 1, (0, 1, 2)),
        lambda x: np.roll(x, 1, 2),
        lambda x: np.roll(x, (1, 2, 3), (0, 1)),
        lambda x: np.repeat(x, [1, 2]),
        lambda x: np.repeat(x, -1),
        lambda x: np.repeat(x, 1.5),
        lambda x: np.repeat(x, 2, axis=2),
        lambda x: np.resize(x, (-1, 2)),
        lambda x: np.concatenate([]),
        lambda x: np.concatenate([x, x[0]]),
        lambda x: np.concatenate([x, x[:, :1]]),
        lambda x: np.concatenate([x, x], axis=2),
        lambda x: np.concatenate([x[0, 0], x[0, 0]]),
        lambda x: np.concatenate([x, x], dtype=np.int64),
        lambda x: np.concatenate(x[0, 0]),
        lambda x: np.stack([]),
        lambda x: np.stack([x, x[0]]),
        lambda x: np.stack([x, x], axis=3),
        lambda x: np.vstack([x, x[:, :1]]),
        lambda x: np.hstack(v for v in x),
        lambda x: np.block([[x], x]),
        lambda x: np.block([x, (x, x)]),
        lambda x: np.block([x, []]),
        lambda x: np.append(x, x[0], axis=0),
        lambda x: np.insert(x, 7, 1.0, axis=0),
        lambda x: np.insert(x, [0, 7], 1.0, axis=0),
        lambda x: np.insert(x, 1.5, 1.0),
        lambda x: np.delete(x, 7),
        lambda x: np.delete(x, 0, axis=3),
        lambda x: np.split(x, 4, axis=1),
        lambda x: np.split(x, 0),
        lambda x: np.array_split(x, 0),
        lambda x: np.array_split(x, 2, axis=2),
        lambda x: np.hsplit(x[0, 0], 1),
        lambda x: np.vsplit(x[0], 1),
        lambda x: np.dsplit(x, 1),
        lambda x: np.unstack(x, axis=2),
        lambda x: np.array([x, x[0]]),
        lambda x: np.array([x[0], 1.0], copy=False),
        lambda x: np.tile(x, 1.5),
    ],
    ids=lambda function: f"line {function.__code__.co_firstlineno}",
)
def test_errors(function):
    check(function, M)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.roll(x, 0),
        lambda x: np.tile(x, 1),
        lambda x: np.repeat(x, 1),
        lambda x: np.resize(x, x.shape),
        lambda x: np.clip(x, None, None),
        lambda x: np.pad(x, 0, "edge"),
        lambda x: np.delete(x, []),
        lambda x: np.insert(x, [], 1.0),
        lambda x: x.flatten(),
        lambda x: np.reshape(x, 4, copy=True),
        lambda x: np.meshgrid(x, x, indexing="ij", sparse=True)[1][0],
        lambda x: np.concatenate([x]),
        lambda x: np.array(x),
    ],
    ids=lambda function: f"line {function.__code__.co_firstlineno}",
)
def test_a_new_array_shares_no_memory(function):
    def changed(x):
        y = function(x)
        y[0] = 100.0
        return x, y

    check(changed, V)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.split(x, 2)[0],
        lambda x: np.flip(x),
        lambda x: np.atleast_2d(x)[0],
        lambda x: np.asarray(x),
        lambda x: np.unstack(x[None])[0],
        lambda x: np.moveaxis(x[None], 0, 1)[:, 0],
        lambda x: np.rot90(x[None], 2)[0],
        lambda x: np.expand_dims(x, 0)[0],
        lambda x: np.array(x, copy=None),
    ],
    ids=lambda function: f"line {function.__code__.co_firstlineno}",
)
def test_a_view_shares_memory(function):
    def changed(x):
        y = function(x)
        y[0] = 100.0
        x[1] = 50.0
        return x, y * 1.0

    check(changed, V)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.ravel(x),
        lambda x: x.reshape(2, 2),
        lambda x: np.ascontiguousarray(x),
        lambda x: np.asfortranarray(x),
    ],
    ids=lambda function: f"line {function.__code__.co_firstlineno}",
)
def test_what_may_be_a_view_is_not_changed_silently(function):
    def changed(x):
        y = function(x)
        y[0] = 100.0
        return x, y

    with pytest.raises(ag.errors.MutationError):
        ag.to_graph(changed)(V)


def test_roll_by_several_shifts_of_which_one_is_traced():
    check(lambda x, n: np.roll(x, (n, -1), axis=(0, 1)), np.arange(12.0).reshape(3, 4), 2)


def test_lengths_of_which_only_the_run_knows_two_or_more():
    def reshaped(x, y):
        n, m = len(x[x > 0]), len(y[y > 0])
        return np.arange(6.0).reshape(n, m) * y[:m]

    check(reshaped, V[[0, 1, 2]], V)
    check(reshaped, V, V[[1, 0, 2]])

    with pytest.raises(ValueError):
        ag.to_graph(reshaped)(V, V)
