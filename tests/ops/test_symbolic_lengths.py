"""Lengths that are polynomials of symbols: arithmetic, comparisons, and what these assume."""

import itertools
import operator
import random

import numpy as np
import pytest

from ops.core.subscripts import slice_range
from ops.core.symbolic_lengths import (
    LengthAssumption,
    NeedsNumber,
    SymbolicLength,
    Symbols,
    are_equal,
)
from ops.core.types import ArrayType, is_type


def two(n=10, m=7):
    symbols = Symbols()
    return symbols, symbols.new("n", n), symbols.new("m", m)


def test_texts():
    _, n, m = two()
    assert repr(n - 1) == "n - 1"
    assert repr(2 * n * m + 3) == "2*m*n + 3"
    assert repr(n // 2 * 3) == "3*(n // 2)"
    assert repr((n - 1) // 2) == "((n - 1) // 2)"
    for length in (n - 1, 2 * n * m + 3, 5 - n, (n - 1) // 2 * m, -n % 8):
        assert eval(repr(length), {"n": 10, "m": 7}) == length.example


def test_what_is_known_becomes_a_number():
    _, n, m = two()
    assert type(n - n) is int and n - n == 0
    assert (n * m) // m is not n and (n * m) // m == n
    assert (4 * n + 6) // 2 == 2 * n + 3
    assert type(n * 0 + 3) is int


def test_comparisons_that_hold_for_all_lengths_assume_nothing():
    symbols, n, m = two()
    assert n > 1 and n != 1 and n >= 2 and not n < 2 and n - 1 > 0 and n * m > n + m - 1
    assert n == n and n + m == m + n and hash(n + 1) == hash(1 + n) and n != n + 1
    assert not symbols.assumptions


def test_shapes_of_more_axes_are_others_whatever_the_lengths_are():
    symbols, n, m = two(10, 7)
    assert not are_equal((n, 10), (10,)) and not are_equal((), (n,))
    f8 = np.dtype("float64")
    assert not is_type(ArrayType(f8, (n, 10)), ArrayType(f8, (10,)))
    assert is_type(ArrayType(f8, (n, m)), ArrayType(f8, (n, m)))
    assert not symbols.assumptions
    assert are_equal((n, m), (10, m)) and len(symbols.assumptions) == 1


def test_other_comparisons_are_decided_by_the_call_and_assumed():
    symbols, n, m = two(10, 7)
    assert n > 5 and not m > 8 and n != m and not n == 3
    assert symbols.hold({"n": 10, "m": 7}) and symbols.hold({"n": 6, "m": 2})
    assert not symbols.hold({"n": 5, "m": 2})
    assert not symbols.hold({"n": 8, "m": 9})
    assert not symbols.hold({"n": 7, "m": 7})


def test_numbers_are_refused():
    _, n, m = two()
    for use in (
        *(int, float, operator.index, str, lambda n: f"{n}", range, lambda n: n / 2),
        *(lambda n: n**2, lambda n: 7 // n, lambda n: n % m, lambda n: [0] * n),
    ):
        with pytest.raises(NeedsNumber):
            use(n)
    with pytest.raises(TypeError):
        n * 0.5


def test_it_stands_for_an_int():
    _, n, _ = two()
    assert isinstance(n, int) and type(n) is SymbolicLength


def test_random_polynomials_are_what_python_computes():
    rng = random.Random(3)
    for _ in range(300):
        numbers = {"n": rng.randrange(2, 30), "m": rng.randrange(2, 30)}
        _, n, m = two(**numbers)
        found, wanted = n, numbers["n"]
        for _ in range(rng.randrange(1, 7)):
            operate = rng.choice((operator.add, operator.sub, operator.mul, operator.floordiv))
            if operate is operator.floordiv:
                other = known = rng.randrange(1, 9)
            else:
                other, known = rng.choice(((n, numbers["n"]), (m, numbers["m"]), (3, 3), (-2, -2)))
            found, wanted = operate(found, other), operate(wanted, known)
            if type(found) is int:
                break
        if type(found) is int:
            assert found == wanted
            continue
        assert found.example == wanted == eval(repr(found), dict(numbers))
        assert found.least() <= wanted <= found.most()
        for bound in (wanted - 1, wanted, wanted + 1):
            for compare in (operator.lt, operator.le, operator.gt, operator.ge, operator.eq):
                assert compare(found, bound) == compare(wanted, bound)
        assert found.symbols.hold(numbers)


@pytest.mark.parametrize("size", [2, 3, 5, 9])
def test_slices(size):
    bounds = (None, -7, -2, -1, 0, 1, 3, 8)
    for start, stop, step in itertools.product(bounds, bounds, (None, 1, 2, -1, -3)):
        symbols = Symbols()
        n = symbols.new("n", size)
        found = slice_range((start, stop, step), n)
        at = [x.example if type(x) is SymbolicLength else x for x in found]
        assert range(*at) == range(*slice(start, stop, step).indices(size))
        assert symbols.hold({"n": size})


def test_an_assumption_is_made_once():
    symbols, n, m = two()
    assert n != m and m != n
    assert len(symbols.assumptions) == 1


def test_an_assumption_reads_as_it_is():
    _, n, m = two()
    assert str(LengthAssumption(n - m, "!=")) == "-m + n != 0"
