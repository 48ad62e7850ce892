"""Members of enums that are integers, among arrays and numbers."""

from enum import IntEnum, IntFlag

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError
from tests.support.oracle import check

X = np.random.default_rng(3).normal(size=5)


class Step(IntEnum):
    UP = 0
    RIGHT = 1
    DOWN = 2


class Own(IntEnum):
    ONE = 1

    def __add__(self, other):
        return 100


class Flags(IntFlag):
    FIRST = 1
    SECOND = 2


def operands(x):
    places = np.zeros(3, np.int8)
    places[0] = Step.DOWN
    places[Step.RIGHT] = Step.RIGHT
    return places, x[Step.DOWN], x * Step.DOWN, x[0] + Step.DOWN, places + Step.DOWN, x > Step.UP


def gone_through(x):
    best = np.zeros(3, int)
    total = 0.0
    for i in range(3):
        for step in Step:
            if x[i] > step:
                best[i] = step
            total += step * x[step] + step.value
    return best, total


def made_of_them(x):
    return (
        np.full(3, Step.RIGHT),
        np.array([Step.UP, Step.DOWN]),
        np.where(x[:3] > 0, Step.UP, Step.DOWN),
    )


def chosen(x):
    best = Step.UP
    counts = [0] * len(Step)
    grid = np.zeros((3, 3), int)
    for i in range(3):
        if x[i] > 0.5:
            best = Step.DOWN
        elif x[i] > 0:
            best = Step.RIGHT
        counts[best] += 1
        grid[i, best] = best
    return x[best], best == Step.DOWN, counts, grid, best.name, x[0] * best


def compared(codes):
    out = np.zeros(len(codes))
    for k in range(len(codes)):
        if codes[k] == Step.UP:
            out[k] = 1
        elif codes[k] == Step.DOWN:
            out[k] = -1
    return out


@pytest.mark.parametrize("function", [operands, gone_through, made_of_them, chosen])
def test_members_are_int64_among_arrays(function):
    check(function, X)
    check(function, -X)


def test_comparisons_with_codes():
    check(compared, np.array([0, 1, 2, 3]))
    check(compared, np.array([2.0, 0.0]))


def test_members_are_ints_among_pythons_numbers():
    def function(n, y):
        two = Step.DOWN
        return n + two, y * two, two < n, n**two, n // two, divmod(n, two), -two + n, n == two

    check(function, 3, 2.5)
    check(function, 2, 1.0)


def either(x):
    return 3 if x[0] > 0 else Step.DOWN


def counted(x):
    found = Step.UP
    while x[0] > 0:
        found = found + 1
        x = x - 1
    return found


def own_operator(x):
    return x[0] + Own.ONE


def flags(x):
    found = 0
    for v in x:
        if v > 0:
            found |= Flags.SECOND
    return found


@pytest.mark.parametrize("function", [either, counted, own_operator, flags])
def test_what_would_be_of_another_type(function):
    """A number on one path and a member on another was a number on both."""
    with pytest.raises(AutographError):
        ag.to_graph(function)(np.abs(X))


def places(x):
    step = Step.UP if x[0] > 0 else Step.DOWN
    rows = [1.0, 2.0, 3.0]
    rows[step] = 5.0
    return (1.0, 2.0, 3.0, 4.0)[step], [4.0, 5.0, 6.0, 7.0][step], rows, x[:step], x[step:]


def of_ufuncs(x):
    step = Step.UP if x[0] > 0 else Step.DOWN
    return np.maximum(step, x), np.add(x, step), np.maximum(Step.DOWN, x)


@pytest.mark.parametrize("function", [places, of_ufuncs])
def test_one_of_several_is_a_place_and_an_operand(function):
    check(function, X)
    check(function, -X)


def arithmetic(x):
    step = Step.RIGHT if x[0] > 0 else Step.DOWN
    python = (
        step - 1,
        3 - step,
        step / 2,
        step**2,
        -step,
        ~step,
        step // 2,
        step | 4,
        3 ^ step,
        abs(step),
    )
    numpy = np.float64(2.0) * step, np.int8(3) * step, np.uint8(200) + step, np.arange(3) - step
    return python, numpy, divmod(step, 2), pow(step, 2), round(step), step << 2, step + True


def conversions(x):
    step = Step.RIGHT if x[0] > 0 else Step.DOWN
    total = 0.0
    for i in range(step):
        total += x[i]
    return (
        int(step),
        float(step),
        complex(step),
        bool(step),
        str(step),
        hash(step),
        total,
        [0] * step,
    )


def machine(x):
    """A state that a loop carries, and the next one by its number."""
    state, total = Step.UP, 0.0
    for value in x:
        if state == Step.UP and value > 0:
            state = Step.RIGHT
        elif state > Step.UP:
            state = Step((state + 1) % 3)
        total += value * (state - 1) + int(state) * np.float32(2)
    return total, state


def repeated_text(x):
    text = "ab" if x[0] > 0 else "cde"
    return text * 2, np.int64(2) * text, text * np.int64(2)


@pytest.mark.parametrize("function", [arithmetic, conversions, machine, repeated_text])
def test_one_of_several_computes_as_its_int_does(function):
    """`np.float64(2.0) * step` was a Python float, `-step`, `3 - step`, `int(step)` refused."""
    check(function, X)
    check(function, -X)


def test_gradient_and_lanes_of_a_machine():
    def total(x):
        return machine(x)[0]

    many = np.stack([X, -X])
    lanes = ag.vmap(ag.to_graph(total))(many)
    np.testing.assert_allclose(lanes, [total(X), total(-X)])
    eps = 1e-6
    numeric = [(total(X + eps * e) - total(X - eps * e)) / (2 * eps) for e in np.eye(5)]
    np.testing.assert_allclose(ag.grad(total)(X), numeric, rtol=1e-6)


def beside_what_may_be_of_numpy(n, c):
    if c > 0.5:
        n = np.int64(n + 1)
    return n + Step.DOWN, (Step.DOWN * n) ^ 3, n > Step.RIGHT, divmod(n, Step.DOWN), n << Step.DOWN


def one_of_several_beside_it(n, c):
    step = Step.RIGHT if n > 4 else Step.DOWN
    if c > 0.5:
        n = np.int8(n)
    return n - step, step + n


@pytest.mark.parametrize("function", [beside_what_may_be_of_numpy, one_of_several_beside_it])
def test_a_number_that_may_be_numpys(function):
    compiled = ag.to_graph(function)
    for args in ((3, 0.2), (4, 0.9), (5, 0.1)):
        assert repr(compiled(*args)) == repr(function(*args))
