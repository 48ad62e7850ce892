"""Batched functions of NumPy's that are not elementwise: values and derivatives of each lane, where
the lanes are known, where some of them take a branch, and in lanes of lanes."""

import linecache
import math

import numpy as np
import pytest

import autograph as ag
from autograph.graph.graph import walk
from ops import random
from ops.signal.convolution import conv, conv_transpose
from ops.signal.pooling import avg_pool, max_pool
from tests.transforms.lanes import assert_same, by_lane, check_vmap

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(4, 5))
SQUARES = RNG.normal(size=(4, 3, 3)) + 3 * np.eye(3)
PLACES = np.array([2, 0, 1, 2])
VECTOR = RNG.normal(size=3)


def written(x, i):
    y = np.zeros(6)
    y[i] = x[0]
    y[1:4] += x[:3]
    y[i : i + 2] *= x[i]
    return y


def selected(x, i):
    y = x * 1.0
    y[x > 0] = x[i]
    y[y < 0.2] += 1.5
    return y


def repeated(x, i):
    places = np.array([0, 1, 1, 3, 3]) + i
    y = np.zeros(6)
    np.add.at(y, places, x * x)
    y[places[:2]] = x[3:]
    return y


def windows(x, i):
    total = 0.0
    for j in range(3):
        total = total + np.sum(x[i + j : i + j + 1] * x[j])
    return total


def collected(x, i):
    found = []
    for j in range(5):
        if x[j] > x[i]:
            found.append(x[j] * x[i])
    return sum(found)


def kept(x, i):
    y, found = x[0], []
    while len(found) < 4:
        y = np.sin(y) + x[i]
        found.append(y)
    found.pop()
    return np.array(found)


# Of a row, and a place in it.
OF_ROWS = [
    lambda x, i: x[i] * x,
    lambda x, i: VECTOR[i] * x[::2] + x[[0, 0, 1]],
    lambda x, i: np.outer(x, x)[i, :, None] * np.outer(x, x)[:, i],
    lambda x, i: np.stack([x, x[::-1]])[i - 2, [0, 2, i]],
    lambda x, i: np.roll(x, i) * np.roll(x, 1) + np.roll(np.outer(x, x), (i, -1), (0, 1))[0],
    lambda x, i: np.concatenate([x, VECTOR, x[i : i + 1]]) ** 2,
    lambda x, i: np.take_along_axis(np.outer(x, x), np.full((1, 5), i), 0),
    lambda x, i: np.where(x > x[i], x, VECTOR[i]),
    lambda x, i: np.choose(np.arange(5) % (i + 1), [x, x * x, x[i]]),
    lambda x, i: np.pad(x, 2) * np.pad(x, 2, mode="reflect") * x[i],
    lambda x, i: np.repeat(x, 2) * np.tile(x, 2) * x[i],
    lambda x, i: np.sort(x)[::-1] * np.cumsum(x) + np.cumprod(x) * np.maximum.accumulate(x),
    lambda x, i: np.max(x) * np.prod(x) + x[x.argmin()] + np.median(x),
    lambda x, i: np.mean(x) * np.std(x) + np.linalg.norm(x) + np.ptp(np.diff(x)),
    lambda x, i: np.convolve(x, VECTOR) * np.convolve(VECTOR, x[::-1]),
    lambda x, i: np.convolve(x[:3], x),
    lambda x, i: np.interp(x[i], np.array([-3.0, 0.0, 3.0]), x[:3]),
    lambda x, i: np.bincount(np.array([0, 2, 2, 1, 4]), weights=x) ** 2,
    lambda x, i: np.histogram(x, 4, (-3.0, 3.0), weights=x * x)[0],
    lambda x, i: x[np.searchsorted(np.sort(x), x)] * x,
    lambda x, i: np.abs(np.fft.fft(x)) ** 2 + np.fft.irfft(np.fft.rfft(x), 5) ** 2,
    lambda x, i: np.broadcast_to(x[i], (2, 3)) * np.full((3,), x[0]),
    lambda x, i: np.lib.stride_tricks.sliding_window_view(x, 3) ** 2,
    lambda x, i: np.polyval(x, x[i] / 4) + np.trapezoid(x * x),
    lambda x, i: np.real((x + 1j * x[i]) ** 2 * np.conj(x * 1j)),
    written,
    selected,
    repeated,
    windows,
    collected,
    kept,
]

# Of a square matrix, and a place.
OF_MATRICES = [
    lambda a, i: a @ VECTOR + VECTOR @ a + a[i] @ a @ a[:, i],
    lambda a, i: np.dot(a, a) @ np.inner(a, a) + np.tensordot(a, a, 1).T,
    lambda a, i: np.einsum("ij,jk,k->i", a, a, a[i]) + np.vdot(a, a),
    lambda a, i: np.linalg.solve(a, a[i]) + np.linalg.solve(a, VECTOR),
    lambda a, i: np.linalg.solve(3 * np.eye(3), a) @ np.linalg.solve(3 * np.eye(3), a[i]),
    lambda a, i: np.linalg.inv(a) * np.linalg.det(a) + np.linalg.slogdet(a)[1],
    lambda a, i: np.linalg.eigh(a + a.T)[0] * np.linalg.svd(a)[1],
    lambda a, i: np.linalg.cholesky(a @ a.T) + np.linalg.qr(a)[1],
    lambda a, i: np.linalg.pinv(a[:, :2]) @ a,
    lambda a, i: np.linalg.lstsq(a[:, :2], a[i])[0],
    lambda a, i: np.trace(a) * np.diagonal(a) + np.tril(a)[i] + np.diag(a[i])[i],
    lambda a, i: np.kron(a, a[:2]) + np.linalg.norm(a) + np.linalg.norm(a, 1),
    lambda a, i: np.moveaxis(a.reshape(3, 3, 1), 0, -1)[i] * a.ravel()[i],
]


def text_of(function):
    if function.__name__ != "<lambda>":
        return function.__name__
    code = function.__code__
    return linecache.getline(code.co_filename, code.co_firstlineno).strip()[14:-1]


def is_loop_over_lanes(node):
    return node.op.name == "for_loop" and node.regions[0].name == "lane"


BOTH = [(f, ROWS) for f in OF_ROWS] + [(f, SQUARES) for f in OF_MATRICES]
IDS = [text_of(f) for f, _ in BOTH]


def gradient_of(function):
    return ag.grad(lambda x, i: np.sum(np.sin(function(x, i))))


@pytest.mark.parametrize(("function", "x"), BOTH, ids=IDS)
def test_lanes(function, x):
    assert_same(ag.vmap(function)(x, PLACES), by_lane(function, (x, PLACES)))
    gradient = gradient_of(function)
    batched = ag.vmap(gradient)
    wanted = by_lane(gradient, (x, PLACES))
    assert_same(batched(x, PLACES), wanted, 1e-9, 1e-9)
    around = ag.grad(lambda x: np.sum(np.sin(ag.vmap(function)(x, PLACES))))
    assert_same(around(x), wanted, 1e-9, 1e-9)
    if function not in (selected, collected):  # lanes have arrays of different lengths inside
        assert not any(map(is_loop_over_lanes, walk(batched.graph(x, PLACES).main)))


@pytest.mark.parametrize(("function", "x"), BOTH, ids=IDS)
def test_lanes_that_take_a_branch(function, x):
    """There, only the run knows how many lanes there are."""

    def guarded(x, i):
        return np.sum(function(x, i)) if x.ravel()[1] > 0 else x.ravel()[0] * 2.0

    gradient = gradient_of(guarded)
    assert_same(ag.vmap(gradient)(x, PLACES), by_lane(gradient, (x, PLACES)), 1e-9, 1e-9)


@pytest.mark.parametrize(("function", "x"), BOTH, ids=IDS)
def test_lanes_of_lanes(function, x):
    x = x[:2]
    wanted = by_lane(lambda x: by_lane(lambda i: function(x, i), (PLACES,)), (x,))
    inner = lambda x: ag.vmap(function, (None, 0))(x, PLACES)
    assert_same(ag.vmap(inner)(x), wanted, 1e-9, 1e-9)


@pytest.mark.costly
@pytest.mark.parametrize("function", [written, selected, repeated, windows, kept])
def test_higher_derivatives(function):
    check_vmap(function, ROWS, PLACES)


# -- networks, random numbers and the module math --------------------------------------------------


def convolved(x, kernel):
    return conv(x, kernel, stride=2, padding=1)


def grown(x, kernel):
    return conv_transpose(x, kernel[:2], stride=2)


def pooled(x, kernel):
    return max_pool(x, 2) * avg_pool(x, 2) * np.sum(kernel)


@pytest.mark.parametrize("function", [convolved, grown, pooled])
@pytest.mark.parametrize("in_axes", [(0, None), (None, 0), (0, 0)])
def test_layers(function, in_axes):
    images = RNG.normal(size=(3, 2, 2, 5))  # a batch of two, of two channels
    kernels = RNG.normal(size=(3, 4, 2, 2))
    args = [x if axis == 0 else x[0] for x, axis in zip((images, kernels), in_axes)]

    def guarded(x, kernel):
        return np.sum(function(x, kernel)) if x[0, 0, 0] > -0.5 else np.sum(x) * np.sum(kernel)

    for f in (function, ag.grad(guarded, argnums=(0, 1))):
        batched = ag.vmap(f, in_axes)
        assert_same(batched(*args), by_lane(f, args, in_axes), 1e-9, 1e-9)
        assert not any(map(is_loop_over_lanes, walk(batched.graph(*args).main)))


DRAWS = [
    lambda key, a: random.normal(key, (3,)) * a,
    lambda key, a: random.uniform(random.fold_in(key, 7), (2, 2)) + a,
    lambda key, a: random.randint(key, (4,), -3, 9),
    lambda key, a: random.permutation(key, 5),
    lambda key, a: random.choice(random.split(key)[0], np.arange(9.0), (3,)),
    lambda key, a: random.categorical(key, np.log(np.array([0.2, 0.5, 0.3])), shape=(4,)),
    lambda key, a: random.gamma(key, a, (3,)),
    lambda key, a: random.poisson(key, a * 9, (5,)),
    lambda key, a: random.gamma(key, a, (3,)) if a > 1 else random.beta(key, a, 2.0, (3,)),
]


@pytest.mark.parametrize("draw", DRAWS, ids=text_of)
@pytest.mark.parametrize("in_axes", [(0, 0), (0, None), (None, 0)])
def test_each_lane_draws_from_its_key(draw, in_axes):
    keys, parameters = random.split(random.key(3), 4), np.array([0.7, 1.2, 2.5, 0.3])
    args = [x if axis == 0 else x[1] for x, axis in zip((keys, parameters), in_axes)]
    batched = ag.vmap(draw, in_axes)
    assert_same(batched(*args), by_lane(draw, args, in_axes))
    assert not any(map(is_loop_over_lanes, walk(batched.graph(*args).main)))


OF_NUMBERS = [
    lambda x, i: math.erf(x) * math.gamma(x + 2) + math.lgamma(x + 3),
    lambda x, i: math.remainder(x, 0.7) + math.ldexp(x, int(i)),
    lambda x, i: round(float(x), 1) + int(x * 3) * x,
    lambda x, i: math.fsum([x, x * 1e-9, VECTOR[i]]),
    lambda x, i: bool(x) * float(i),
]


@pytest.mark.parametrize("function", OF_NUMBERS, ids=text_of)
def test_numbers_of_python(function):
    x = np.array([0.3, 1.4, -0.2, 0.9])
    assert_same(ag.vmap(function)(x, PLACES), by_lane(function, (x, PLACES)))
    gradient = ag.grad(function)
    batched = ag.vmap(gradient)
    assert_same(batched(x, PLACES), by_lane(gradient, (x, PLACES)), 1e-9, 1e-9)
    assert not any(map(is_loop_over_lanes, walk(batched.graph(x, PLACES).main)))


def test_numbers_of_python_that_differ_have_no_dtype_of_their_own():
    def mixed(x, i):
        number = float(i) * 0.5
        y = np.zeros(5, np.float32)
        y[1] = number
        y[i : i + 2] += number
        chosen = np.choose([0, 1], [np.float32(1), number])
        return y, np.where(x > 0, x, number), np.full(3, number, np.float32), chosen, [number, i]

    x = ROWS.astype(np.float32)
    assert_same(ag.vmap(mixed)(x, PLACES), by_lane(mixed, (x, PLACES)), 1e-6, 1e-6)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e30])
def test_int_of_what_is_none(value):
    with pytest.raises((ValueError, OverflowError), match=r"cannot convert|beyond 64 bits"):
        ag.vmap(lambda x: int(x) * x)(np.array([1.0, value]))


def test_an_index_out_of_range_that_nobody_needs():
    def unused(x, i):
        x[i]
        return x

    with pytest.raises(IndexError):
        ag.vmap(unused)(ROWS, PLACES + 4)


def test_a_pop_from_lists_that_are_empty():
    def popped(x):
        found = []
        for number in x:
            found.append(number)
        while len(found) > -1:
            found.pop()
        return x

    with pytest.raises(IndexError):
        ag.vmap(popped)(ROWS)


POWERS = [
    (lambda x: float(x) ** 2, 1e300, OverflowError),
    (lambda x: float(x) ** -1.0, 0.0, ZeroDivisionError),
    (lambda x: float(x) ** 0.5, -1.0, ValueError),  # in Python a complex number
    (lambda x: 2.0 ** float(x), 1e4, OverflowError),
    (lambda x: float(x) ** float(x), -0.5, ValueError),
]


@pytest.mark.parametrize(("f", "x", "error"), POWERS)
def test_powers_of_pythons_floats_raise_in_lanes(f, x, error):
    with pytest.raises(error):
        ag.vmap(f)(np.array([2.0, x]))
    np.testing.assert_array_equal(ag.vmap(f)(np.array([2.0, 3.0])), [f(2.0), f(3.0)])
    guarded = lambda v: f(v) if v == 2.0 else v
    np.testing.assert_array_equal(ag.vmap(guarded)(np.array([2.0, x])), [f(2.0), x])


def test_infinite_powers_of_infinite_floats_in_lanes():
    f = lambda x: (float(x) ** 0.5, float(x) ** 2.0)
    for own, found in zip((f(np.inf), f(4.0)), zip(*ag.vmap(f)(np.array([np.inf, 4.0])))):
        assert own == found
