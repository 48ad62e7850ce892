"""``np.searchsorted`` in vectors of which only the run knows how long they are, in native loops."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
from tests.kernels.kernel_check import check


def sorted_as_they_come(x, w):
    kept, n = np.zeros(w + 1, dtype=x.dtype), 0
    medians = np.zeros_like(x)
    for i in range(len(x)):
        k = np.searchsorted(kept[:n], x[i])
        kept[k + 1 : n + 1] = kept[k:n].copy()
        kept[k] = x[i]
        n += 1
        if n > w:
            k = np.searchsorted(kept[:n], x[i - w])
            kept[k : n - 1] = kept[k + 1 : n].copy()
            n -= 1
        medians[i] = kept[n // 2]
    return medians


def numbers(x, y):
    places = np.zeros(len(x), dtype=int)
    for n in range(len(x)):
        behind = np.searchsorted(y[n // 2 : n], x[n], side="right")
        places[n] = 100 * np.searchsorted(y[:n], x[n]) + behind
    return places


def vectors(x, y):
    places = np.zeros(len(x), dtype=int)
    for n in range(len(x)):
        places += np.searchsorted(y[:n], x)
        places[:n] += np.searchsorted(y, x[:n], "right")
        places[n] += np.searchsorted(y[:n] // 2, x[: n // 2] + 1).sum()
    return places


def of_what_changes(x, y):
    y = y.copy()
    for n in range(1, len(x)):
        places = np.searchsorted(y[:n], x[:n])
        y[:n] -= 1
        x[n] += places[0] + places[-1]
    return y, x


RANDOM = np.random.default_rng(0)
INTEGERS = [RANDOM.integers(0, 9, 30), np.sort(RANDOM.integers(0, 9, 30))]
FLOATS = [3 * RANDOM.random(30), np.sort(3 * RANDOM.random(30))]
FLOATS[0][4] = FLOATS[1][-1] = np.nan


@pytest.mark.parametrize("function", [numbers, vectors, of_what_changes])
@pytest.mark.parametrize("x, y", [INTEGERS, FLOATS])
def test_places(function, x, y):
    check(function, x.copy(), y)


@pytest.mark.parametrize("types", ["f4 f8", "i1 u1", "u8 i8", "u8 u8"])
def test_numbers_of_different_types(types):
    check(numbers, *map(np.ndarray.astype, INTEGERS, types.split()))


@pytest.mark.parametrize("x", [INTEGERS[0], FLOATS[1], INTEGERS[0].astype(np.float32)])
def test_a_vector_that_is_kept_sorted(x):
    check(sorted_as_they_come, x, 7)
