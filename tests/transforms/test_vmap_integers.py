"""Python's ints that differ between lanes: Python's results, or an error, and never what wraps
around."""

import math

import numpy as np
import pytest

import autograph as ag
from autograph.errors import LaneIntegerError

ENDS = [-(2**63), -(2**62) - 1, -(3037000499**2), -(2**53) - 1, -77, -1, 0]
ENDS += [1, 2, 3, 63, 2**31, 3037000499, 3037000500, 2**53 + 1, 2**62, 2**63 - 1]


pytestmark = pytest.mark.usefixtures("with_and_without_kernels")


def python_results(function, lanes):
    """What Python has in each lane, or None if that is no int of 64 bits."""
    for args in lanes:
        try:
            result = function(*args)
        except OverflowError:
            yield None
            continue
        fits = not isinstance(result, int) or -(2**63) <= result < 2**63
        yield result if fits else None


def check_lanes(function, lanes):
    """All lanes that fit at once have Python's results; each of the others is an error."""
    expected = list(python_results(function, lanes))
    compiled = ag.vmap(function)
    fitting = [args for args, result in zip(lanes, expected) if result is not None]
    found = compiled(*map(np.array, zip(*fitting)))
    assert found.tolist() == [result for result in expected if result is not None]
    others = [args for args, result in zip(lanes, expected) if result is None]
    for args in others:
        with pytest.raises(LaneIntegerError, match="AG0621"):
            compiled(*(np.array([x, fitting[0][i]]) for i, x in enumerate(args)))
    return len(others)


UNARY = {
    "plus a constant": lambda n: int(n) + 2**62,
    "plus a negative one": lambda n: -(2**62) + int(n),
    "minus a constant": lambda n: int(n) - 2**62,
    "minus a negative one": lambda n: int(n) - -(2**62),
    "a constant minus it": lambda n: -2 - int(n),
    "by a constant": lambda n: int(n) * 3037000500,
    "by a negative one": lambda n: -2 * int(n),
    "by the smallest": lambda n: int(n) * -(2**63),
    "negative": lambda n: -int(n),
    "absolute": lambda n: abs(int(n)),
    "square": lambda n: int(n) ** 2,
    "cube": lambda n: int(n) ** 3,
    "shifted": lambda n: int(n) << 3,
    "over minus one": lambda n: int(n) // -1,
    "twice": lambda n: sum([int(n), int(n)]),
    "of a boolean": lambda n: (int(n) > 0) + int(n),
    "by a power of two": lambda n: int(n) / 8,
    "lcm": lambda n: math.lcm(int(n), 3),
}


@pytest.mark.parametrize("name", UNARY)
def test_of_one(name):
    failing = check_lanes(UNARY[name], [(n,) for n in ENDS])
    assert failing or name == "by a power of two"


BINARY = {
    "sum": lambda m, n: int(m) + int(n),
    "difference": lambda m, n: int(m) - int(n),
    "product": lambda m, n: int(m) * int(n),
    "quotient": lambda m, n: int(m) // (int(n) or 1),
    "power": lambda m, n: int(m) ** (abs(int(n) // 3) % 70),
    "shifted": lambda m, n: int(m) << (int(n) % 70),
}


@pytest.mark.parametrize("name", BINARY)
def test_of_two(name):
    lanes = [(m, n) for m in ENDS for n in ENDS]
    if name not in ("product", "quotient"):
        lanes = lanes[::3]
    assert check_lanes(BINARY[name], lanes)


def test_ints_of_floats():
    floats = np.array([1.5, -(2.0**63), 2.0**63 - 1024])
    for convert in (int, math.floor, math.ceil, math.trunc, round):
        f = ag.vmap(lambda x, convert=convert: convert(x))
        assert f(floats).tolist() == [convert(x) for x in floats]
        with pytest.raises(LaneIntegerError, match="beyond 64 bits"):
            f(np.array([1.5, 2.0**63]))
    with pytest.raises(ValueError, match="NaN"):
        ag.vmap(lambda x: int(x))(np.array([1.0, np.nan]))
    with pytest.raises(OverflowError, match="infinity"):
        ag.vmap(lambda x: int(x))(np.array([1.0, np.inf]))


@pytest.mark.parametrize(
    "function",
    [
        lambda n: (int(n) + 1) / 3,
        lambda n: 1 / (int(n) + 1),
        lambda n: int(n) + 1 > 9007199254740992.0,
        lambda n: 9007199254740992.0 == int(n) + 1,
    ],
)
def test_what_floats_do_not_hold(function):
    compiled = ag.vmap(function)
    small = np.array([2**53 - 3, 5, -7])
    assert compiled(small).tolist() == [function(int(n)) for n in small]
    with pytest.raises(LaneIntegerError, match=r"2\*\*53 or more"):
        compiled(np.array([3, 2**53]))


def test_floats_over_ints():
    n, x = np.array([2**53 + 1, 3]), np.array([1.5, 2.0])
    f = lambda x, n: float(x) / int(n)
    assert ag.vmap(f)(x, n).tolist() == [f(*args) for args in zip(x, n)]
    assert np.array_equal(ag.vmap(ag.grad(f))(x, n - 2), 1 / (n - 2))


def test_floats_and_ints_together():
    f = lambda x, n: float(x) * int(n) + int(n) - 2**61 - float(x) ** 2
    n, x = np.array([2**63 - 1, 3]), np.array([1e100, 2.0])
    assert ag.vmap(f)(x, n).tolist() == [f(*args) for args in zip(x, n)]
    assert np.array_equal(ag.vmap(ag.grad(f))(x, n), [2.0**63 - 2e100, -1.0])


def test_numpys_integers_wrap_around():
    n = np.array(ENDS)
    with np.errstate(over="ignore"):
        assert np.array_equal(ag.vmap(lambda n: n * 4 + n)(n), n * 4 + n)
        assert np.array_equal(ag.vmap(lambda n: np.int64(int(n)) * 4)(n), n * 4)


# -- only lanes that run it ------------------------------------------------------------------------


def chosen(n):
    n = int(n)
    if n < 5:
        return n * 2**61
    return n


def guarded(n):
    n = int(n)
    if abs(n) < 2**20:
        k = n * n
        for i in range(n % 3):
            k = k * n + i
        return k
    return -1


def until_large(n):
    n = int(n)
    steps = 0
    while 1 < n < 2**61:
        n = n * 3 + 1
        steps += 1
    return n, steps


def of_a_callee(n):
    return chosen(n) if n > 0 else 7


def powers(n, k):
    if k == 0:
        return 1
    return int(n) * powers(n, k - 1)


@pytest.mark.parametrize("function", [chosen, guarded, of_a_callee])
def test_branches_that_are_not_taken(function):
    n = np.array([1, 2, 3, -3, 2**10, 2**62 + 1])
    assert ag.vmap(function)(n).tolist() == [function(int(k)) for k in n]


def test_a_branch_that_is_taken():
    with pytest.raises(LaneIntegerError, match=r"return n \* 2\*\*61"):
        ag.vmap(chosen)(np.array([4, 100]))
    with pytest.raises(LaneIntegerError, match=r"k = k \* n \+ i"):
        ag.vmap(guarded)(np.array([1, 2**20 - 2]))


def test_lanes_that_have_left_a_loop():
    n = np.array([1, 2, 7, 2**62, 2**62 + 5])
    found = ag.vmap(until_large)(n)
    assert list(zip(*(x.tolist() for x in found))) == [until_large(int(k)) for k in n]


def test_recursion():
    n, k = np.array([1, -3, 2**31]), np.array([60, 39, 2])
    f = ag.vmap(powers)
    assert f(n, k).tolist() == [powers(*args) for args in zip(n.tolist(), k.tolist())]
    with pytest.raises(LaneIntegerError):
        f(n, k + np.array([0, 1, 0]))


def test_lanes_of_lanes_and_transforms():
    f = lambda x, n: x * (int(n) * 2**40)
    x = np.array([1.0, 2.0])
    small, large = np.array([[1, 2], [3, 4]]), np.array([[1, 2], [3, 2**23]])
    for transform in (lambda f: f, ag.grad, lambda f: lambda x, n: ag.jvp(f, (x, n), (1.0, None))):
        g = ag.vmap(ag.vmap(transform(f)), in_axes=(None, 0))
        g(x, small)
        with pytest.raises(LaneIntegerError):
            g(x, large)


def test_what_nobody_reads_raises_nothing():
    def f(n):
        unused = int(n) * 2**62
        return n

    n = np.array([1, 2, 3])
    assert np.array_equal(ag.vmap(f)(n), n)
