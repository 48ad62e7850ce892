"""NumPy's functions and methods that write into an array, and views, as compiled functions."""

import numpy as np
import pytest

import autograph as ag
from tests.ops.derivatives import check_complex_derivatives, check_derivatives
from tests.support.oracle import check

V = np.array([0.5, -1.0, 2.0, 3.5])
M = np.arange(6.0).reshape(2, 3) ** 1.5 - 2.0
Q = np.arange(9.0).reshape(3, 3) / 4
I3 = np.array([2, 0, -1])


def after(write):
    """A function of a copy that ``write`` changes."""

    def changed(x, *args):
        y = x * 1.0
        write(y, *args)
        return y

    return changed


WRITES = [
    (lambda a, v: np.copyto(a, v), M, M[0] * 3),
    (lambda a, v: np.copyto(a, v, where=a > 0), M, M[0] * 3),
    (lambda a, v: np.copyto(a, v, where=[True, False, True]), M, 1.5),
    (lambda a, v: np.putmask(a, a > 0, v), M, M * 2),
    (lambda a, v: np.putmask(a, a > -1.5, v), M, V),
    (lambda a, v: np.putmask(a, [[0, 1, 1], [1, 0, 1]], v), M, 1.5),
    (lambda a, v: np.place(a, a > -1.5, v), M, V[:2]),
    (lambda a, v: np.place(a, np.array([True, False, True, True]), [v, 2.0]), V, 1.5),
    (lambda a, v: np.put(a, [0, -2], v), M, V[:2]),
    (lambda a, v: np.put(a, [[0, 5, 2]], v), M, V[:2]),
    (lambda a, v: a.put([1, 2], v), V, 1.5),
    (lambda a, i, v: np.put(a, i, v), V, I3, V[:3] * 2),
    (lambda a, i, v: a.put(i, v), M, I3, V[:3] * 2),
    (lambda a, i, v: np.put(a, i * 9, v, mode="wrap"), M, I3, V[:3] * 2),
    (lambda a, i, v: np.put(a, i * 9, v, mode="clip"), M, I3, V[:3] * 2),
    (lambda a, v: np.put_along_axis(a, np.array([[0, 2], [1, 1]]), v, axis=1), M, V[:2]),
    (lambda a, i, v: np.put_along_axis(a, i[None], v, axis=0), Q, I3, V[:3]),
    (lambda a, i, v: np.put_along_axis(a, i, v, None), M, I3, V[:3]),
    (lambda a, v: np.fill_diagonal(a, v), Q, 1.5),
    (lambda a, v: np.fill_diagonal(a, v), M, V),
    (lambda a, v: np.fill_diagonal(a, v, wrap=True), np.ones((7, 2)), V),
    (lambda a, v: np.fill_diagonal(a, v), np.ones((7, 2)), V),
    (lambda a, v: np.fill_diagonal(a, [v, 1.0]), np.ones((2, 2, 2)), 1.5),
    # -- x.flat
    (lambda a, v: a.flat.__setitem__(3, v), M, 1.5),
    (lambda a, v: a.flat.__setitem__(slice(1, 5), v), M, V[:2]),
    (lambda a, i, v: a.T.flat.__setitem__(i, v), M, I3, V[:3]),
    (lambda a, v: a.flat.__setitem__([0, 2], [v, 3.0]), M, 1.5),
    # -- methods
    (lambda a, v: a.fill(v), M, 1.5),
    (lambda a, v: a[0].fill(v), M, 1.5),
    (lambda a, v: a.T.fill(v), M, 1.5),
]


@pytest.mark.parametrize("case", WRITES, ids=lambda case: f"line {case[0].__code__.co_firstlineno}")
def test_writes(case):
    write, *args = case
    check(after(write), *args)
    check_derivatives(after(write), *args)
    check_complex_derivatives(after(write), *args)


def flat(x):
    x.flat[1] = 7.0
    x.flat[2:] += 1.0
    y = x.flat[:3]
    y[0] = 100.0  # a copy
    return (
        x,
        y,
        len(x.flat),
        x.flat[-1],
        [v for v in x.flat],
        np.sum(x.flat),
        x.flat.copy(),
        x.flat[[0, 1]],
    )


def assigned_flat(x):
    x.flat = [1.0, 2.0]
    x[0] += 1
    return x.T.flat[1:4], x


def flat_of_a_view(x):
    y = x[1:]
    f = y.flat
    f[0] = 5.0
    y[0, 1] = 6.0
    return x, f[1] * 1.0


def enumerated(x):
    total = 0.0
    for (i, j), v in np.ndenumerate(x):
        total += (i + 2 * j) * v
    for i, j in np.ndindex(x.shape):
        total += x[i, j] * (i - j)
    for i in np.ndindex(2):
        total += x[i][0]
    return total


def written_in_loops(x):
    f = x.flat
    for i in range(x.size):
        if x.flat[i] > 1:
            f[i] = i
            np.put(x, [i], x[0, 0] + i)
        else:
            x.flat[i] += 10.0
    i = 0
    while x.flat[i] < 12:
        np.fill_diagonal(x, i)
        x.flat[2:4] = [i, 1.0]
        i += 1
        if i == 5:
            break
    return x, f[1:3]


def placed_in_branches(x):
    if x[0, 1] > 0:
        np.place(x, x > 1, [5.0, 6.0])
        y = x.flat[2]
    else:
        np.putmask(x, x < -1, [7.0, 8.0])
        np.copyto(x[0], x[1], where=x[2] < 0)
        y = np.nan_to_num(x, copy=False)[0, 0]
    return x, y


def diagonal_is_a_view(x):
    d, e = np.diagonal(x), np.diag(x)
    x[1, 1] = 50.0
    return d + 1, e + 1, x


def broadcast_is_a_view(x):
    b = np.broadcast_to(x, (2, 3, 3))
    x[0, 0] = 50.0
    return b + 1


def made_of_known_numbers(x):
    a, b, c = np.diag([1.0, 2.0]), np.tile([1.0, 2.0], 2), np.tri(2)
    d, e, f = np.repeat([1.0, 2.0], 2), np.stack([[1.0], [2.0]]), np.eye(2)
    a[0, 1] = b[1] = c[0, 1] = d[0] = e[0, 0] = f[1, 0] = x[0, 0]
    if x[0, 1] > 0:
        a[0, 0] = 5.0
    return a, b, c, d, e, f


@pytest.mark.parametrize("x", [Q, -Q])
@pytest.mark.parametrize(
    "function",
    [
        *(flat, assigned_flat, flat_of_a_view, enumerated, diagonal_is_a_view),
        *(written_in_loops, placed_in_branches),
        *(broadcast_is_a_view, made_of_known_numbers),
    ],
)
def test_views_and_iterators(function, x):
    check(function, x)


def test_attributes():
    def attributes(x):
        return (
            *(x.T, x.mT, x.size, x.ndim, x.itemsize, x.nbytes, x.device, x.to_device("cpu") + 1),
            *(x.item(3), x.item(1, 1), x.item((0, 1)), x[0].tolist(), x.tolist()),
            *(x.choose([1.0]) if x.dtype.kind == "i" else (), x.compress([True, False], axis=0)),
            *(x.ravel("F"), x.flatten("F"), x.reshape(3, 2, order="F"), x.repeat(2, 0)),
            *(
                x.trace(),
                x.diagonal(),
                x.swapaxes(0, 1),
                x.squeeze() + 1,
                x.take([0, 1]),
                x.copy("F"),
            ),
        )

    check(attributes, M)
    check(attributes, M.astype("c8"))


REFUSED = [
    *("base byteswap ctypes data dump dumps flags getfield setfield setflags".split()),
    *("strides tobytes tofile".split()),
    *(name for name in ("tostring",) if hasattr(np.ndarray, name)),  # up to NumPy 2.2
]


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_supported_says_what_to_do(name):
    with pytest.raises(ag.errors.UnsupportedFunctionError, match=f"'{name}'.*\n[^$]*Fix: "):
        ag.to_graph(lambda x: getattr(x, name))(M)


def test_nditer_is_refused():
    with pytest.raises(ag.errors.UnsupportedFunctionError, match=r"np.nditer(.|\n)*x.flat"):
        ag.to_graph(lambda x: [v for v in np.nditer(x)])(M)


def test_every_attribute_of_arrays_is_supported_or_refused():
    for name in dir(np.ndarray):
        if not name.startswith("_"):
            try:
                found = ag.to_graph(lambda x: hasattr(x, name) and getattr(x, name) is None)(M)
                assert not found
            except ag.errors.UnsupportedFunctionError as error:
                assert name in REFUSED, error


ERRORS = [
    lambda x: np.copyto(x, 1j),
    lambda x: np.copyto(x, np.ones(7)),
    lambda x: np.copyto(x, 1.0, where=np.ones(7, bool)),
    lambda x: np.copyto(x, 1.0, where=x),
    lambda x: np.putmask(x, [True], 1.0),
    lambda x: np.place(x, [True], 1.0),
    lambda x: np.place(x, x > 0, []),
    lambda x: np.put(x, 17, 1.0),
    lambda x: np.put(x, np.argmax(x) + 7, 1.0),
    lambda x: np.put(x, x, 1.0),
    lambda x: np.put(x, 0, 1.0, mode="none"),
    lambda x: np.put_along_axis(x, np.array([0]), 1.0, 1),
    lambda x: np.put_along_axis(x, np.array([[9]]), 1.0, 1),
    lambda x: np.fill_diagonal(x[0], 1.0),
    lambda x: np.fill_diagonal(x[None], 1.0),
    lambda x: np.diagonal(x).fill(1.0),
    lambda x: np.broadcast_to(x, (2, 2, 3)).fill(1.0),
    lambda x: x.item(),
    lambda x: x.item(9),
    lambda x: x.item(1, 1, 1),
    lambda x: x.flat[9],
    lambda x: x.to_device("gpu"),
    lambda x: x.choose([x]),
]


@pytest.mark.parametrize("function", ERRORS, ids=lambda f: f"line {f.__code__.co_firstlineno}")
def test_errors(function):
    check(function, M)
