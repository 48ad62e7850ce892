"""Elements at places that parts of unknown length tell, slices that go backwards, and changes of
parts that are computed from the array that they change, in native loops."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from tests.kernels.kernel_check import ALL, assert_kernels, assert_same, check, run

R = np.random.default_rng(0)
N = 9
COUNTS = np.array([0, 3, 1, 5, 2, 0, 4, 1, 3])
ROWS = np.concatenate([[0], np.cumsum(COUNTS)])
COLUMNS = np.concatenate([np.sort(R.choice(N, n, replace=False)) for n in COUNTS])
VALUES = R.normal(size=COLUMNS.size)
AGAIN = R.integers(-N, N, COLUMNS.size)  # places from the end, and repeated ones
X = R.normal(size=N)
CSR = (ROWS, COLUMNS, VALUES, X)
REPEATED = (ROWS, AGAIN, VALUES, X)


def product(rows, columns, values, x):
    y = np.zeros(rows.size - 1)
    for i in range(y.size):
        places = columns[rows[i] : rows[i + 1]]
        y[i] = values[rows[i] : rows[i + 1]] @ x[places]
    return y


def product_of_columns(rows, columns, values, x):
    y = np.zeros(x.size)
    for i in range(rows.size - 1):
        places = columns[rows[i] : rows[i + 1]]
        y[places] += values[rows[i] : rows[i + 1]] * x[i]
    return y


def added(rows, columns, values, x):
    y = x * 1
    for i in range(rows.size - 1):
        part = slice(rows[i], rows[i + 1])
        np.add.at(y, columns[part], values[part] * y[i])
    return y


def last_of_several(rows, columns, values, x):
    y = x * 1
    for i in range(rows.size - 1):
        y[columns[rows[i] : rows[i + 1]]] = values[rows[i] : rows[i + 1]]
    return y


def permuted(rows, columns, values, x):
    y = x * 1
    for i in range(rows.size - 1):
        places = columns[rows[i] : rows[i + 1]]
        y[places] = y[places][::-1] + y[places]
    return y


def chased(rows, columns, values, x):
    p = columns * 1
    for i in range(rows.size - 1):
        p[p[rows[i] : rows[i + 1]]] = p[rows[i] : rows[i + 1]] // 2
    return p


def of_a_matrix(rows, columns, values, x):
    m, s = np.outer(x, x) + x, 0.0
    for i in range(rows.size - 1):
        at, k = columns[rows[i] : rows[i + 1]], i + 1
        s += np.sum(m[at, at] * values[rows[i] : rows[i + 1]]) + np.sum(m[i, at] * m[at, i])
        s += np.sum(np.sin(m[at]) * x) + np.sum(m[at, :k] ** 2) - np.sum(m[:k, at].T * m[at, :k])
        s += np.sum(m[at, i, None] * m[i, at]) + np.sum(m[..., at, i]) + np.sum(m[at, ::-2])
        m[at, i] = s * 0.01
        m[i, at] -= 0.5
    return s, m


def of_three_axes(rows, columns, values, x):
    t, s = np.outer(values[:8], x[:3]).reshape(4, 2, 3), 0.0
    for i in range(1, 4):
        at = columns[:i] % 2
        s += np.sum(t[at, :, at] * x[:2]) + np.sum(t[i, at, at] * x[:i])
        s += np.sum(t[:, at] ** 2) + np.sum(t[..., at] * i)
    return s


def only_lengths(rows, columns, values, x):
    n = 0
    for i in range(rows.size - 1):
        n += len(x[columns[rows[i] : rows[i + 1]]])
    return n


PROGRAMS = [
    product,
    product_of_columns,
    added,
    last_of_several,
    permuted,
    chased,
    of_a_matrix,
    of_three_axes,
    only_lengths,
]


@pytest.mark.parametrize("function", PROGRAMS)
def test_places_that_parts_tell(function):
    check(function, *CSR, scale=100.0)
    check(function, *REPEATED, scale=100.0)


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.uint16])
@pytest.mark.parametrize("function", [product, last_of_several])
def test_places_of_other_dtypes(function, dtype):
    check(function, ROWS, COLUMNS.astype(dtype), VALUES, X, scale=100.0)


@pytest.mark.parametrize("place", [N, -N - 1, 2**40])
@pytest.mark.parametrize("function", PROGRAMS[:-2])
def test_places_outside_raise(function, place):
    """Also in what nobody reads."""
    columns = COLUMNS.copy()
    columns[5] = place
    found = run(ag.to_graph(function), (ROWS, columns, VALUES, X)).error
    expected = run(function, (ROWS, columns, VALUES, X)).error
    assert type(found) is type(expected), (found, expected)
    if function is not chased:
        assert isinstance(expected, IndexError)


# -- backwards -------------------------------------------------------------------------------------


def levinson(r):
    y = np.zeros_like(r)
    alpha, beta = -r[0], 1.0
    y[0] = -r[0]
    for k in range(1, r.size):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return y


def any_slice(x):
    s, n = 0.0, x.size
    for i in range(-n - 2, n + 3):
        for j in range(-n - 2, n + 3):
            s = s * 0.7 + np.sum(x[i:j:-1] * 2) - np.sum(x[i:j:-3]) + len(x[i:j:-2])
        s += np.sum(x[i::-1]) - np.sum(x[:i:-2] ** 2) + np.sum(x[: i : i * 2 + 1])
        s += np.sum(x[i :: 2 * i - 1]) + len(x[i : -i : 2 * i + 5])
    return s


def written_backwards(x):
    y = x * 1
    for k in range(1, x.size):
        y[k::-1] = y[: k + 1] * 0.5 + x[k]
        y[k - 1 :: -2] += y[k] * x[0]
        y[::-k] -= 1.0
    return y


def reversed_parts(x):
    y = x * 1
    for k in range(2, x.size):
        y[:k] = y[:k][::-1]
        y[1:k] = np.flip(y[1:k] + y[: k - 1])
    return y


@pytest.mark.parametrize("function", [levinson, any_slice, written_backwards, reversed_parts])
def test_slices_backwards(function):
    check(function, X * 0.3, scale=100.0)
    if function in (any_slice, reversed_parts):
        check(function, np.arange(7), scale=100.0)


# -- what is computed from what it changes ---------------------------------------------------------


def in_step(x):
    y = x * 1
    for k in range(1, x.size):
        y[:k] += y[:k] * x[k]
        y[k:] = np.where(y[k:] > 0, y[k:] - x[k:], -y[k:])
    return y


def shifted(x):
    y = x * 1
    for k in range(1, x.size):
        y[:k] = y[:k] + y[1 : k + 1]
        y[1 : k + 1] = y[1 : k + 1] - y[:k]
    return y


def read_earlier(x):
    y, s = x * 1, 0.0
    for k in range(1, x.size):
        part = y[:k]
        doubled = part * 2
        y[:k] -= 0.5
        y[:k] = doubled - y[:k]
        s += np.sum(doubled) + np.sum(part)
    return y, s


def of_an_older_array(x):
    y, s = x * 1, 0.0
    for k in range(1, x.size):
        old = y.copy()
        y[:k] = old[:k] * 2 - y[:k]
        y[0] = k
        s += old[:k] @ y[:k]
    return y, s


def transposed(x):
    m = np.outer(x, x + 1)
    for k in range(1, x.size):
        m[:k, :k] = m[:k, :k].T + m[:k, :k]
        m[:k, :k] -= m[0, :k]
        m[:k, :k] *= m[:k, :1]
        m[k, :k] = m[:k, k] = m[k, :k] + m[:k, k]
    return m


def swapped(x):
    a, b = x * 1, x * 2
    for k in range(1, x.size):
        first = a[:k] + 1
        a, b = b, a
        a[:k] = first * 0.5
        b[:k] += a[:k]
    return a, b


@pytest.mark.parametrize(
    "function", [in_step, shifted, read_earlier, of_an_older_array, transposed, swapped]
)
def test_parts_computed_from_what_they_change(function):
    check(function, X, scale=100.0)
    check(ag.vmap(function), np.stack([X, X[::-1]]), kernels=None, scale=100.0)


def kept_axes(x):
    m, s = np.outer(x, x), 0.0
    for k in range(1, x.size):
        part = m[:k, k:]
        s += np.sum(part - np.sum(part, axis=0, keepdims=True))
        s += np.sum(part * np.sum(part, axis=1, keepdims=True))
        s += np.sum(part / (1.0 + np.sum(part * part, keepdims=True)))
        s += np.sum(np.arange(k) * x[:k])
    return s


def test_axes_that_are_kept():
    check(kept_axes, X, scale=100.0)


# -- derivatives -----------------------------------------------------------------------------------


def total(function):
    return lambda *args: np.sum(np.sin(function(*args)))


@pytest.mark.costly
@pytest.mark.parametrize(
    "function", [product, product_of_columns, added, last_of_several, permuted]
)
@pytest.mark.parametrize("args", [CSR, REPEATED], ids=["csr", "repeated"])
def test_derivatives_at_places_that_parts_tell(function, args):
    if function in (product_of_columns, permuted) and args is REPEATED:
        return  # what is not written counts for nothing, and differences see no more of it
    ag.check_grads(lambda v, x: total(function)(*args[:2], v, x), args[2:], order=2)


@pytest.mark.costly
@pytest.mark.parametrize(
    "function", [levinson, written_backwards, reversed_parts, in_step, shifted]
)
def test_derivatives_of_parts(function):
    ag.check_grads(total(function), (X * 0.3,), order=2)


def rows_of_a_triangle(x):
    m, s = np.outer(x, x + 1), 0.0
    for i in range(1, x.size):
        m[i, :i] *= 0.5
        for k in range(x.size):
            m[i, :i] += x[k] * np.sin(m[:i, k])
        if m[i, 0] > 0:
            s += np.sum(np.tanh(m[: i - 1, i:]) ** 2)
        else:
            s += np.sum(m[i, i::-2] * m[i, i::-2] > 0.1) * np.max(m[:i, i])
    return s + np.sum(m)


def until_it_is_small(x):
    k, y = 1, x * 1
    while k < x.size and y[0] < 5.0:
        y[:k] = y[:k] * y[:k] + np.flip(x[:k])
        k += 1
    return y


def masked(x):
    s = 0.0
    for k in range(1, x.size):
        s += np.sum(np.where(x[:k] > x[k], x[:k] * x[k], 0.0))
    return s


@pytest.mark.costly
@pytest.mark.parametrize(
    "function",
    [levinson, reversed_parts, in_step, shifted, rows_of_a_triangle, until_it_is_small, masked],
)
def test_gradients_are_kernels(function):
    """What is kept of parts for the backward pass, too, has lengths known only at run time."""
    for x in (X * 0.1, X[:2].astype(np.float32), np.tile(X, 4) * 0.01):
        as_without_kernels(lambda: ag.grad(total(function)), x)


def as_without_kernels(make, *args):
    """Check that all of a function is a kernel, which computes what NumPy's program does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUTOGRAPH_KERNELS", "0")
        expected = make()(*args)
    function = make()
    assert_same(function(*args), expected, ulps=64, scale=1.0)
    assert_kernels(function, args, ALL)


@pytest.mark.parametrize("function", [product, product_of_columns, added])
def test_gradients_of_sparse_products_are_kernels(function):
    as_without_kernels(lambda: ag.grad(total(function), argnums=(2, 3)), *CSR)
    as_without_kernels(lambda: ag.grad(total(function), argnums=(2, 3)), *REPEATED)
