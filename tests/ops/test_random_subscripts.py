"""Random subscripts: read, written, changed in place, and differentiated, compared with NumPy."""

import numpy as np
import pytest

import autograph as ag
from tests.ops.derivatives import check_derivatives
from tests.support.oracle import assert_same_outcome, outcome

SHAPES = [(4,), (3, 4), (2, 3, 4), (2, 1, 3, 2), (0, 3), ()]


class Draw:
    """Random subscripts of an array of a given shape; most of them valid."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.shape = SHAPES[self.rng.choice(len(SHAPES), p=[0.2, 0.3, 0.3, 0.1, 0.05, 0.05])]

    def pick(self, *choices):
        return choices[self.rng.integers(len(choices))]

    def index(self):
        items, axis, fancy = [], 0, self.pick((), (2,), (2, 2), (1, 2))
        ellipsis = self.rng.random() < 0.2
        for _ in range(self.rng.integers(0, len(self.shape) + 2)):
            if axis == len(self.shape) + (self.rng.random() < 0.02):
                break
            n = self.shape[axis] if axis < len(self.shape) else 1
            kind = self.rng.random()
            if kind < 0.1:
                items.append(None)
            elif kind < 0.15:
                items.append(self.pick(True, False, np.True_))
            elif kind < 0.2 and ellipsis:
                items.append(...)
                ellipsis = False
            elif kind < 0.45:
                items.append(self.slice(n))
            elif kind < 0.65:
                items.append(self.integer(n))
            elif kind < 0.75:
                mask = self.rng.random(self.shape[axis : axis + self.pick(1, 1, 2)]) < 0.6
                items.append(mask)
                axis += mask.ndim - 1 if mask.ndim else -1
            else:
                items.append(self.integers(n, fancy))
            axis += items[-1] is not None and items[-1] is not ... and not is_flag(items[-1])
        if len(items) == 1 and self.rng.random() < 0.5:
            return items[0]
        return tuple(items)

    def slice(self, n):
        bound = lambda: self.pick(None, None, *range(-n - 1, n + 2))
        return slice(bound(), bound(), self.pick(None, None, None, 1, 2, -1, -2, 3))

    def integer(self, n):
        value = int(self.rng.integers(-n, n)) if n else 0
        value += 10 * (self.rng.random() < 0.02)
        return self.pick(value, value, np.int64(value), np.array(value), np.int8(value))

    def integers(self, n, shape):
        shape = tuple(self.pick(m, m, m, 1) for m in shape)
        values = self.rng.integers(-n, n, shape) if n else np.zeros((0,), int)
        dtype = self.pick(np.int64, np.int64, np.int32, np.int8)
        if np.all(values >= 0) and self.rng.random() < 0.3:
            dtype = self.pick(np.uint8, np.uint64)
        return values.astype(dtype)


def is_flag(item):
    return isinstance(item, (bool, np.bool_))


def as_lists(index):
    """The same index with arrays as lists, which are known when the graph is built."""
    if isinstance(index, tuple):
        return tuple(map(as_lists, index))
    return index.tolist() if isinstance(index, np.ndarray) and index.ndim else index


def same(function, *args):
    """Compare the compiled function with Python, twice."""
    expected = outcome(function, args)
    compiled = ag.to_graph(function)
    for _ in range(2):
        assert_same_outcome(outcome(compiled, args), expected)
    return expected.error


def read(x, index):
    return x[index]


def written(x, index, value):
    x[index] = value
    return x


def increased(x, index, value):
    x[index] += value
    return x


def copied(x, index, value):
    y = x[index]
    y = y * value
    x[index] = y
    return x, y


def elements(seed, shape):
    return np.random.default_rng(seed + 1).permutation(int(np.prod(shape))).reshape(shape) / 8.0


def values_for(draw, x, index):
    """Something to write to that part: a number, or an array that fits or nearly so."""
    try:
        shape = np.shape(x[index])
    except IndexError:
        return 2.5
    cut = int(draw.rng.integers(0, len(shape) + 1))
    shape = tuple(draw.pick(n, n, n, n, 1) for n in shape[cut:])
    return draw.pick(2.5, elements(7, shape) + 1, elements(8, shape) - 0.25)


def check_subscript(seed):
    draw = Draw(seed)
    index, x = draw.index(), elements(seed, draw.shape)
    value = values_for(draw, x, index)
    known = as_lists(index)
    error = same(read, x, index)
    assert (same(lambda x: x[known], x) is None) == (error is None)
    same(written, x, index, value)
    same(lambda x, value: written(x, known, value), x, value)
    same(increased, x, index, value)
    same(copied, x, index, value)
    if error is None and outcome(written, (x, index, value)).error is None:
        check_gradients(x, index, value)


def check_gradients(x, index, value):
    check_derivatives(lambda x: x[index] * x.sum() * 0.01, x)
    if np.shape(value) and x.ndim:

        def total(x, value):
            y = x * 1.0
            y[index] = value * value
            z = x * x
            z[index] *= value
            return y, z

        check_derivatives(total, x, np.asarray(value))


@pytest.mark.parametrize("seed", range(60))
def test_random_subscripts(seed):
    check_subscript(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 2000))
def test_many_random_subscripts(seed):
    check_subscript(seed)
