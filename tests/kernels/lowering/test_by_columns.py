"""Loops over levels of arrays whose columns are computed one after the other, and those whose
columns need each other."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from tests.kernels.kernel_check import check


def tridiagonal(a, w):
    upper, right, out = np.zeros_like(a), np.zeros_like(a), np.zeros_like(a)
    n = a.shape[2]
    for k in range(n):
        speed = 0.25 * (w[:-1, :, k] + w[1:, :, k])
        high = speed * 0.3 if k < n - 1 else np.zeros_like(speed)
        if k == 0:
            upper[:, :, k] = high
            right[:, :, k] = a[:, :, k]
        else:
            pivot = 1.0 + speed * 0.3 * upper[:, :, k - 1]
            upper[:, :, k] = high / pivot
            right[:, :, k] = (a[:, :, k] + speed * 0.3 * right[:, :, k - 1]) / pivot
    out[:, :, -1] = right[:, :, -1]
    for k in range(n - 2, -1, -1):
        out[:, :, k] = right[:, :, k] - upper[:, :, k] * out[:, :, k + 1]
    return out


def running(a, w):
    total = np.zeros(a.shape[:2])
    largest = a[:, :, 0] * 1.0
    out = a * 1.0
    for k in range(a.shape[2]):
        total = 0.5 * total + a[:, :, k] * w[0, :, k] - w[:-1, :1, k]
        largest = np.where(total > largest, total, largest)
        out[:, :, k] += total * k
        out[:, :, k] -= largest
    return out, total, largest


def inner_columns(a, w):
    b = a * 1.0
    for k in range(1, a.shape[2] - 1):
        b[1:-1, ::-2, k] = b[1:-1, ::-2, k - 1] + a[2:, ::-2, k + 1] * a[0, 1, k] - w[0, 0, 0]
        b[1:-1, ::-2, k] = np.sqrt(np.abs(b[1:-1, ::-2, k])) + b[1:-1, ::-2, -1]
    return b


def integers(a, w):
    b = (a * 100).astype(np.int32)
    c = np.zeros(b.shape, bool)
    for k in range(1, b.shape[2]):
        b[:, :, k] = b[:, :, k] % 7 + b[:, :, k - 1] * 3
        c[:, :, k] = (b[:, :, k] > 40) | c[:, :, k - 1]
    return b, c


def around_the_end(a, w):
    b = a * 1.0
    for k in range(b.shape[2]):
        b[:, :, k] = b[:, :, k - 2] * 0.5 + b[:, :, k]
    return b


def as_long_as_data_say(a, w):
    b = a * 1.0
    for k in range(int(a[0, 0, 0] * 10.0)):
        b[:, :, k] = b[:, :, k] + b[:, :, k - 1]
    return b


def no_trip(a, w):
    b = a
    for k in range(int(a[0, 0, 0] * 0.5)):
        b[:, :, k] = b[:, :, k] + b[:, :, k - 1]
    return b * 1.0


def two_directions(a, w):
    b = a[:, :, 0] * 1.0
    for _ in range(3):
        for j in range(1, b.shape[1]):
            b[:, j] = b[:, j] - 0.5 * b[:, j - 1]
        for i in range(1, b.shape[0]):
            b[i, :] = b[i, :] - 0.5 * b[i - 1, :]
    return b


def exchanged(a, w):
    b, c = a * 1.0, a * 2.0
    for k in range(1, a.shape[2]):
        b[:, :, k] = c[:, :, k - 1] + 1.0
        b, c = c, b
    return b, c


BY_COLUMNS = [tridiagonal, running, inner_columns, integers, around_the_end, as_long_as_data_say]
BY_COLUMNS += [no_trip, two_directions, exchanged]


def neighbours(a, w):
    b = a * 1.0
    for k in range(1, a.shape[2]):
        b[1:-1, :, k] = b[:-2, :, k - 1] + b[2:, :, k - 1]
    return b


def all_columns(a, w):
    b = a * 1.0
    for k in range(1, a.shape[2]):
        b[:, :, k] = b[:, :, k] - np.mean(b[:, :, k - 1])
    return b


def one_column(a, w):
    b = a * 1.0
    for k in range(1, a.shape[2]):
        b[:, :, k] = b[:, :, k] * b[0, 0, k - 1]
    return b


def counted(a, w):
    b, n = a * 1.0, 0.0
    for k in range(1, a.shape[2]):
        n = n + w[0, 0, k]
        b[:, :, k] = b[:, :, k - 1] * n
    return b, n


def old_levels(a, w):
    b = a * 1.0
    for k in range(1, a.shape[2]):
        old = b
        b = b * 1.0
        b[:, :, k] = b[:, :, k - 1] + 1.0
        b[:, :, k] += old[:, :, k]
    return b


def other_columns_later(a, w):
    b = a * 1.0
    for k in range(1, a.shape[2]):
        b[1:, :, k] = b[1:, :, k - 1]
        b[:-1, :, k] = b[:-1, :, k] * 2.0
    return b


def of_the_other(a, w):
    b, c = a * 1.0, a * 2.0
    for k in range(1, a.shape[2]):
        b[:, :, k] = c[:, :, k - 1] + 1.0
        c = c * 0.5
    return b, c


def transposed(a, w):
    b = a[:12, :12, 0] * 1.0
    for k in range(1, 12):
        b[:, k] = b[k, :] + b[:, k - 1]
    return b


OTHERS = [neighbours, all_columns, one_column, counted, old_levels, other_columns_later]
OTHERS += [of_the_other, transposed]


def arguments(dtype="f8"):
    rng = np.random.default_rng(3)
    return rng.random((36, 17, 9)).astype(dtype) + 0.2, rng.random((37, 17, 9)).astype(dtype)


@pytest.mark.parametrize("program", BY_COLUMNS + OTHERS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_the_same_numbers(program, dtype):
    check(program, *arguments(dtype), scale=10.0)


@pytest.mark.parametrize("program", BY_COLUMNS + OTHERS, ids=lambda program: program.__name__)
def test_which_are_computed_by_columns(program):
    (kernel,) = ag.to_graph(program).kernels(*arguments()).values()
    eaches = [s for s in ir.walk(kernel.kernel.body) if isinstance(s, ir.Each)]
    found = any(isinstance(s, ir.For) for each in eaches for s in ir.walk(each.body))
    assert found == (program in BY_COLUMNS)


@pytest.mark.costly
@pytest.mark.parametrize(
    "program", [tridiagonal, running, around_the_end], ids=lambda p: p.__name__
)
def test_lanes_and_derivatives(program):
    a, w = arguments()
    expected = [program(a * i, w)[0] for i in (1, 2)]
    found = ag.vmap(lambda i: program(a * i, w)[0])(np.array([1.0, 2.0]))
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    ag.check_grads(lambda a: np.sum(np.sin(program(a, w)[0])), (a[:, :, :4],))


def test_any_number_of_columns():
    """The second length of an axis is compiled for all that follow."""
    compiled = ag.to_graph(lambda a: around_the_end(a, a))
    for n in (36, 40, 44, 48):
        a = np.full((n, 17, 9), 0.5)
        np.testing.assert_allclose(compiled(a), around_the_end(a, a), rtol=1e-12)
    assert "2 signatures" in str(compiled.explain(a))


def test_a_level_that_is_not_there():
    def ahead(a, n):
        b = a * 1.0
        for k in range(n):
            b[:, :, k] = b[:, :, k + 1] * 2.0
        return b

    a, _ = arguments()
    compiled = check(ahead, a, 8)
    with pytest.raises(IndexError):
        compiled(a, 9)
