"""What masks select, where only reductions of it, its length and writes to the same places are
asked for: one pass over whole arrays, in kernels."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from tests.kernels.kernel_check import ALL, assert_kernels, assert_same, check, run

R = np.random.default_rng(0)
X = R.normal(size=(20, 12))
M = X > 0.2
ROWS = X[:, 0] > 0
WHOLE = R.integers(-9, 9, (20, 12))
NOWHERE = np.zeros((20, 12), bool)
SPOILED = np.where(M, X, np.nan)  # where the mask is not true, nothing may count


def doubled(x, m):
    x = x.copy()
    x[m] = x[m] * 2.0
    return x


def increased(x, m):
    x = x.copy()
    x[m] += 1
    return x


def of_rings(x, m):
    means = np.zeros(5)
    for k in range(5):
        ring = (x >= 0.2 * k) & (x < 0.2 * k + 0.5) if k < 4 else x >= 0.2 * k
        means[k] = np.mean(x[ring & m]) + x[ring].size
    return means


def of_parts(x, rows):
    x = x[rows]
    middle = x - x.mean(axis=0)
    return middle.std() + np.sum(x[:, 1] * x[:, -1]) + np.max(x.sum(axis=1)), middle.mean(axis=0)


def of_a_column(x, m):
    x = x.copy()
    rows = m[:, 0]
    x[rows, 2] = 0.1 * (x[rows, 2] + 0.02)
    return x


def of_columns(x, m):
    x = x.copy()
    rows = m[:, 0]
    x[rows, 1:4] += np.sin(x[rows, -3:]) * x[rows, :1]
    x[rows, ::-1] = x[rows]
    x[rows, 0] = x[rows, 1]
    return x


def of_the_same(x, m):
    x = x.copy()
    rows = m[:, 0]
    x[rows, 1:3] = x[0, :2]
    x[~rows, 0] = x[1, 2]
    x[rows] *= x[3]
    x[rows, 4] += 1.5
    x[m] = x[2, 3]
    return x


def of_bodies(x, m):
    """Bodies that stop at the ground, in a loop of which each trip has another mask."""
    place, speed = x[:, 0].copy(), x[:, 1].copy()
    for _ in range(5):
        speed = speed - 0.1
        place = place + 0.2 * speed
        below = place < 0.0
        place[below] *= -0.5
        speed[below] = 0.0
    return place + speed


PARTS = [doubled, increased, of_a_column, of_columns, of_the_same, of_bodies]
REDUCTIONS = {
    "sum": lambda x, m: np.sum(x[m]),
    "mean": lambda x, m: np.mean(x[m]),
    "extrema": lambda x, m: np.max(x[m]) - np.min(x[m]),
    "std": lambda x, m: np.std(x[m], ddof=1),
    "prod": lambda x, m: np.prod(x[m]),
    "exp": lambda x, m: np.sum(np.exp(x[m] - np.max(x[m]))),
    "dot": lambda x, m: x[m] @ np.cos(x[m]),
    "two": lambda x, m: np.sum(x[m] * 2.0) / np.sum(x[~m]),
    "chosen": lambda x, m: np.sum(np.where(x[m] > 0.5, x[m], 3.0 * x[m])),
}


@pytest.mark.costly
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_of_selections_are_kernels_and_so_are_their_gradients(name):
    f = REDUCTIONS[name]
    check(f, X, M, ulps=64)
    gradient = ag.grad(f)
    found = gradient(X, M)
    assert_kernels(gradient, (X, M), None if name == "prod" else ALL)
    at = np.arange(X.size)[:: X.size // 6]
    for i in at:
        step = np.zeros(X.size)
        step[i] = 1e-6
        step = step.reshape(X.shape)
        slope = (f(X + step, M) - f(X - step, M)) / 2e-6
        assert np.isclose(found.flat[i], slope, rtol=1e-5, atol=1e-6)
    ag.check_grads(lambda x: f(x, M), (X,), order=2)


@pytest.mark.parametrize("dtype", ["float32", "int64", "int8", "uint16", "bool"])
def test_dtypes_are_numpys(dtype):
    x = WHOLE.astype(dtype)
    check(lambda x, m: (np.sum(x[m]), np.prod(x[m]), np.max(x[m]), np.min(x[m])), x, M, ulps=64)
    check(lambda x, m: (np.any(x[m]), np.all(x[m]), np.count_nonzero(x[m]), len(x[m])), x, M)
    check(lambda x, m: (x[m].mean(), x[m].size, np.sum(x[m] == 3)), x, M, ulps=64)


@pytest.mark.parametrize("f", [doubled, increased, of_rings])
def test_writes_and_loops(f):
    check(f, X, M, ulps=64)
    check(f, X, NOWHERE, ulps=64)


@pytest.mark.costly
@pytest.mark.parametrize("f", PARTS, ids=lambda f: f.__name__)
def test_gradients_of_writes_are_kernels(f):
    check(f, X, M, ulps=64)
    total = lambda x, m: np.sum(f(x, m) ** 2)
    assert_kernels(ag.grad(total), (X, M), ALL)
    ag.check_grads(lambda x: total(x, M), (X,), order=2)
    ag.check_grads(lambda x: total(x, NOWHERE), (X,))


def test_how_many_a_mask_selects_is_not_kept_for_the_gradient():
    def bodies(x):
        return np.sum(of_bodies(x, M) ** 2)

    report = str(ag.grad(bodies).explain(X))
    kept = report[report.index("residuals of") :].partition("\n\n")[0]
    assert "below" in kept
    assert "int" not in kept


def test_what_is_written_fits_as_numpy_says():
    """A number for each row that is selected is not one for each column, though there are as many
    of both where all are."""
    square = R.normal(size=(4, 4))

    def f(x, rows):
        x = x.copy()
        x[rows, 0:4] = x[rows, 0] * x[rows, 1]
        return x

    check(f, square, np.ones(4, bool), kernels=None)
    check(f, square, np.array([True, False, False, False]), kernels=None)


def test_rows_that_a_mask_selects():
    check(of_parts, X, ROWS, ulps=256)
    total = ag.grad(lambda x, rows: np.sum(of_parts(x, rows)[0]))
    assert_kernels(total, (X, ROWS), ALL)
    ag.check_grads(lambda x: of_parts(x, ROWS)[0], (X,))


def test_what_is_not_selected_does_not_count():
    check(lambda x, m: (np.sum(x[m]), np.max(x[m]), np.std(x[m])), SPOILED, M, ulps=64)
    check(lambda x, m: np.sum(np.log(x[m])), X, M, ulps=64)
    zeros = np.where(M, WHOLE | 1, 0)
    check(lambda i, m: np.sum(i[m] // i[m]), zeros, M, kernels=None)


def test_nothing_selected_is_what_numpy_says():
    check(lambda x, m: (np.sum(x[m]), np.prod(x[m]), np.any(x[m] > 0), np.mean(x[m])), X, NOWHERE)
    compiled = ag.to_graph(lambda x, m: np.max(x[m]))
    assert compiled(X, M) == np.max(X[M])
    with pytest.raises(ValueError, match="zero-size array to reduction operation maximum"):
        compiled(X, NOWHERE)


def test_what_is_also_needed_as_an_array_stays_one():
    f = lambda x, m: (np.sum(x[m]), np.sort(x[m]), x[m][::-1])
    check(f, X, M, kernels=None, ulps=64)
    check(lambda x, m: np.sum(x[m][1:] - x[m][:-1]), X, M, kernels=None, ulps=64)
    check(lambda x, m: np.sum(x[m] * np.arange(M.sum())), X, M, kernels=None, ulps=64)


def test_many_lanes_and_other_lengths():
    each = ag.vmap(lambda x, m: np.sum(x[m]), (0, None))
    assert_same(each(np.stack([X, 2 * X]), M), np.array([X[M].sum(), 2 * X[M].sum()]), 64)
    compiled = ag.to_graph(lambda x: np.mean(x[x > 0]))
    for n in (40, 41, 1, 2, 1000):
        x = R.normal(size=n) + 1.0
        assert_same(run(compiled, (x,)).result, np.mean(x[x > 0]), 64)


@pytest.mark.parametrize("shape", [(0,), (0, 2), (1,)])
def test_no_element_is_there_to_be_selected(shape):
    def less(x, n):
        y, chosen = x * 1, x > -1
        for _ in range(n):
            y[chosen] -= 1
        return y

    check(less, np.zeros(shape), 2, kernels=None)
