"""What NumPy's functions may be given: lists of traced values, known arrays, traced integers."""

import numpy as np

import autograph as ag
from tests.support.oracle import Programs, check

programs = Programs()
V = np.array([0.5, -1.0, 2.0])
M = np.arange(12.0).reshape(3, 4)


@programs.test
def test_arguments(call):
    call.run()


@programs(1.5, V)
@programs(2, V)
def lists_of_traced_values(x, v):
    return (
        *(np.sum([x, 1.0]), np.max((x, 2)), np.sin([x, 1.0]), np.mean([v, v * x]), np.diag([x, 1])),
        *(np.dot([x, 1, 2], v), np.linalg.norm([x, 3.0, 4.0]), np.cumsum([[x, 1], [2, x]], axis=1)),
        *(np.polyval([x, 1, 2], 3.0), np.outer((x, 2), v), np.where([True, False, True], v, x)),
        *(np.stack([v, [x, 1, 2]]), np.hypot([x, 3], 4), np.sort([x, 1, 0]), np.shape([v, v])),
        *(np.size([x, x]), np.ndim([[x]]), np.iscomplexobj([x]), np.tile([x, 0.0], 2)),
        np.sum([a * a for a in (x, 1.0)]),
    )


@programs.smooth(1.5, V)
def gradient_through_lists(x, v):
    return np.sum([x, x * x]) * np.prod([x, v[0]]) + np.linalg.norm([x, v[2]])


@programs(M)
def known_arrays(m):
    i, keep, shape = np.array([0, 2]), np.array([True, False, True]), np.array([4, 3])
    a = np.zeros(shape)
    a[i] = m[:, :3][i]
    return (
        *(np.delete(m, i, axis=0), np.insert(m, i, 0.0, axis=1), np.repeat(m, i, axis=1)[:, :0]),
        *(m[keep], m[keep].reshape(2, 2, 2), m[keep].shape, np.split(m, i, axis=1), a),
        *(np.roll(m, i, axis=(0, 1)), np.repeat(m, np.array([1, 0, 2]), axis=0), m.reshape(shape)),
    )


@programs(M, 1)
@programs(M, 2)
def traced_integers(m, n):
    return (
        *(np.flip(m, n - 1), np.pad(m, ((n, 0), (1, n))), np.tile(m, (n, 2)), np.roll(m, n, n - 1)),
        *(np.rot90(m, n), np.diag(m, n), np.tril(m, n), np.linspace(0, n, n + 2), np.eye(n, 4, n)),
        *(np.zeros((n, n + 1)), m.reshape((n, -1)), np.split(m, [n], 1), np.take(m, [n, 0], n - 1)),
        *(np.insert(m, [n, 0], 1.0, 0), np.delete(m, n), np.vander(m[0], n), np.arange(n, 0, -1)),
        *(np.arange(n, n + 3), np.arange(0, n, 0.25), np.r_[0:n, m[0]], np.mgrid[0:n, 0:2]),
        *(np.broadcast_to(3.0, (n, 2)), np.repeat(2.0, n), np.eye(3)[[n, 0]], m[-n:, ::n]),
    )


@programs(M)
def arange_of_traced_bounds(m):
    total = 0.0
    for i in range(3):
        part = m[0][np.arange(i, i + 2)]
        total = total + part @ part + np.arange(m[i, 0], m[i, 0] + 1, 0.25).sum()
    return total, np.arange(m[1, 1]), np.arange(np.argmax(m)), np.arange(2, m[0, 3], dtype="f4")


def test_what_is_known_of_an_array_from_outside_is_read_at_each_call():
    places = np.array([0, 1])

    def f(x):
        return x[places], np.take(x, places)

    compiled = ag.to_graph(f)
    for values in ([0, 1], [2, 0]):
        places[:] = values
        for found, expected in zip(compiled(V), f(V)):
            np.testing.assert_array_equal(found, expected)


def test_arrays_of_known_numbers_can_be_written():
    def f(x):
        a, b = np.diag([1.0, 2.0]), np.tile([0.0], 3)
        a[0, 1] = x
        if x > 1:
            b[0] = x
        return a, b

    check(f, 1.5)
    check(f, 0.5)
