"""Polynomials of a kernel's integers, and what is known of them."""

import itertools
from random import Random

import pytest

pytest.importorskip("llvmlite")
from autograph.kernels.ir.ir import LONG, UNKNOWN_SIZE, Buffer, Kernel, Var
from autograph.kernels.ir.ir import Block as IrBlock
from autograph.kernels.passes.affine import GREATEST, Facts
from autograph.kernels.passes.dependence import BufferGroups, Dependences
from autograph.kernels.passes.forms import Form, factors, number, variable
from ops.core.symbolic_lengths import Symbols

N, M = Var(LONG, "n"), Var(LONG, "m")
A, B, C = (Var(LONG, name) for name in "abc")  # indices


def facts():
    symbols = Symbols()
    n, m = symbols.new("n", 5), symbols.new("m", 7)
    known = Facts({"n": N, "m": M}, [Buffer("f8", n * n, "input"), Buffer("f8", n * m, "input")])
    known.index(A, variable(N))
    known.index(B, variable(M))
    known.index(C, variable(A))
    return known


def test_lengths_are_bounded_by_memory():
    """So it is known that a few more than them are a number of 64 bits."""
    known, more = facts(), Var(LONG, "more")
    for length in (variable(N), variable(M)):
        assert 0 < known.greatest(length) < 2**60
        assert known.define(more, length.plus(number(1)))


def product(*given):
    found = Form(1)
    for x in given:
        found = found.multiplied(x if isinstance(x, Form) else variable(x))
    return found


def value(form, at):
    total = form.constant
    for term, coefficient in form.terms.items():
        for factor in factors(term):
            coefficient *= at[factor]
        total += coefficient
    return total


def random_form(random):
    found = number(random.randint(-3, 3))
    for _ in range(random.randint(1, 4)):
        of = [random.choice((A, B, C, N, M)) for _ in range(random.randint(1, 2))]
        found = found.plus(product(*of), random.choice((-2, -1, 1, 1, 1, 2)))
    return found


def points():
    for n, m in ((2, 2), (3, 5), (6, 2)):
        for i, j in itertools.product(range(n), range(m)):
            for k in range(i):
                yield {N: n, M: m, A: i, B: j, C: k}


@pytest.mark.parametrize("seed", range(8))
def test_arithmetic_and_bounds(seed):
    random, known = Random(seed), facts()
    for _ in range(20):
        a, b = random_form(random), random_form(random)
        both, renamed = a.multiplied(b), a.renamed({A: C, N: M})
        replaced, (whole, rest) = a.replaced(A, b), a.divided(product(N).plus(number(-1)))
        slope = a.slope(B)
        low, high = known.least(a), known.greatest(a)
        for at in points():
            x, y = value(a, at), value(b, at)
            assert both is None or value(both, at) == x * y
            assert value(a.plus(b, -3), at) == x - 3 * y
            assert value(renamed, at) == value(a, {**at, A: at[C], N: at[M]})
            assert value(replaced, at) == value(a, {**at, A: y})
            assert value(whole, at) * (at[N] - 1) + value(rest, at) == x
            if slope is not None:
                assert value(a, {**at, B: at[B] + 1}) - x == value(slope, at)
            assert low <= x <= high


def test_places_of_elements():
    known = facts()
    place = product(A, M).plus(variable(B))
    assert known.least(place) == 0
    assert known.greatest(place.plus(product(N, M), -1)) == -1
    assert known.greatest(place) < GREATEST, "the array is in memory"
    assert known.greatest(product(N, N, N, M)) > GREATEST, "no array is that large"


def test_rows_and_columns():
    known = facts()
    dependences = Dependences(known, BufferGroups(Kernel("k", (), (), IrBlock())))
    row = variable(M)
    last = row.plus(variable(B), -1).plus(number(-1))  # m - 1 - j
    for high, low in [
        (variable(A), variable(B)),
        (variable(A), last),
        (variable(N).plus(variable(A), -1), last),
        (variable(A).plus(number(3)), number(1)),
        (variable(A).times(2), variable(B)),
    ]:
        place = product(high, M).plus(low)
        found = dependences.split(place, row)
        assert found is not None
        assert found[0].same(high) and found[1].same(low)
    beyond = product(A, M).plus(variable(B)).plus(number(1))  # [i, j + 1] may be [i + 1, 0]
    assert dependences.split(beyond, row) is None
    assert dependences.split(product(A, M).plus(variable(A)), row) is None, "n may be more than m"


def test_quotients_of_lengths():
    known = facts()
    q = Var(LONG, "q")
    known.quotient(q, variable(N), 4)
    known.index(Var(LONG, "t"), variable(q))
    assert known.greatest(variable(q).times(4).plus(variable(N), -1)) == 0
    assert known.least(variable(q).times(4).plus(variable(N), -1)) == -3
    assert known.impossible([variable(q).times(4).plus(variable(N), -1).plus(number(4))], [])


def test_sizes_that_are_not_known():
    known = facts()
    dependences = Dependences(known, BufferGroups(Kernel("k", (), (), IrBlock())))
    symbols = Symbols()
    n, other = symbols.new("n", 5), symbols.new("other", 7)
    assert dependences.is_inside(Buffer("f8", n, "output"), variable(A))
    assert not dependences.is_inside(Buffer("f8", n - 1, "output"), variable(A))
    assert not dependences.is_inside(Buffer("f8", other, "output"), variable(A))
    assert not dependences.is_inside(Buffer("f8", UNKNOWN_SIZE, "output"), variable(A))
