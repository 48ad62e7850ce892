"""Python's built-in functions on values known only at run time, and on static ones."""

import numbers

import numpy as np
import pytest

import autograph as ag
from autograph import errors
from tests.support.oracle import Programs, check, outcome

programs = Programs()
V = np.array([3.0, -1.0, 2.0])
W = np.array([1.0, 2.0, 3.0])


@programs.test
def test_builtins(call):
    call.run()


# -- min, max --------------------------------------------------------------------------------------


@programs.smooth(2.0, 3.0)
@programs.smooth(3.0, 2.0)
def extremes_of_arguments(x, y):
    return min(x, y) * max(x, y, 2.5) + max([x, -y]) - min((x, y), key=lambda v: -v)


@programs(2.0, -3.0)
@programs(1, -1)
def the_first_of_equals(x, y):
    return max([x, y], key=abs), min(x, y, key=abs), max(x, y, x), min(x, x)


@programs.smooth(V)
def extremes_of_rows(v):
    return max(v) + min(v, key=lambda a: (a - 1.5) ** 2) * max(v, key=abs)


@programs(V)
@programs(np.array([np.nan, 1.0, 2.0]))
@programs(np.array([1.0, np.nan, 2.0]))
@programs(np.zeros(0))
def extremes_with_a_default(v):
    return max(v, default=0.0), min((a for a in v), default=-1.0)


@programs(np.zeros(0))
def extreme_of_nothing(v):
    return max(v)


@programs(5)
@programs(0)
def extremes_of_a_range(n):
    return max(range(n), default=-1), min(range(n), default=-1)


@programs(0)
@programs(3)
def extreme_of_a_range(n):
    return max(range(n))


@programs(V)
def extremes_of_places(v):
    return (
        min(range(3), key=lambda i: v[i]),
        max(range(3), key=v.__getitem__),
        max(enumerate(v), key=lambda pair: pair[1])[0],
        max((abs(a), i) for i, a in enumerate(v)),
        max(zip(v, [1, 2, 3])),
    )


@programs(2.0)
def extremes_of_tuples_and_lists(x):
    return max((x, 2.0), (2.0, x + 1)), max((x, 1.0), (x, 1.5)), min([x, 5.0], [x, 4.0])


@programs(np.arange(6.0).reshape(2, 3))
def ambiguous_rows(m):
    return max(m)


# -- sum, any, all ---------------------------------------------------------------------------------


@programs.smooth(V)
def sums(v):
    return sum(v) + sum(v, 1.0) + sum(a * a for a in v) + sum([v, v])[0] + sum(v, start=v[0])


@programs(np.arange(6.0).reshape(2, 3))
@programs(np.zeros((0, 3)))
def sum_of_arrays(m):
    return sum(m), sum(m, np.ones(3)), sum([m, 1])


@programs(1)
@programs(2.5)
def sums_of_numbers(x):
    return sum([x, x]), sum([x, 2.5]), sum([]), sum((x,), start=x)


@programs(5)
@programs(0)
def sum_of_a_range(n):
    return sum(range(n)), sum(i * i for i in range(n)), sum(range(n, 0, -2))


@programs(V)
@programs(np.ones(3))
def truth_of_elements(v):
    return any(v > 2), all(v > 2), any(v), any(a > 2 for a in v), all(map(lambda a: a > -2, v))


@programs(3.0)
def truth_of_a_list(x):
    return any([x > 1, x > 5]), all([x > 1, x > 5]), any([]), all([]), all([x, 0]), any((0, x))


@programs(2)
@programs(0)
def truth_stops_early(n):
    def seen(i):
        print(i)
        return i == n

    return any(map(seen, range(4))), all(map(lambda i: not seen(i), range(3)))


# -- sorted ----------------------------------------------------------------------------------------


@programs(3.0, 1.0)
@programs(1.5, 1.5)
def sorted_numbers(x, y):
    return (
        sorted([x, y, 1.5]),
        sorted([x, y, 1.5], reverse=True),
        sorted((x, y), key=lambda v: -v),
        sorted([x]),
    )


@programs.smooth(V)
def sorted_rows(v):
    low, middle, high = sorted(v)
    return low * 2.0 + middle**2 + high**3 + sorted(v, key=abs, reverse=True)[0]


@programs(3.0, 1.0)
@programs(2.0, 2.0)
def sorted_is_stable(x, y):
    pairs = [(x, 1), (y, 2), (x, 0), (y, -1)]
    return (
        sorted(pairs),
        sorted(pairs, reverse=True),
        sorted(pairs, key=lambda pair: pair[0]),
        sorted(pairs, key=lambda pair: pair[0], reverse=True),
        sorted(pairs, key=lambda pair: (pair[1] > 0, pair[0])),
    )


@programs(V)
def sorted_places(v):
    return sorted([2, 0, 1], key=lambda i: v[i]), sorted(range(3), reverse=True), sorted("ba")


@programs(4)
def sorted_range(n):
    return sorted(range(n), key=lambda i: -i)


# -- numbers ---------------------------------------------------------------------------------------


@programs(2.5)
@programs(-2.5)
@programs(25)
@programs(True)
@programs(np.float64(2.5))
@programs(np.float32(-3.5))
@programs(float("nan"))
@programs(float("inf"))
def rounded(x):
    return round(x), round(x, None)


@programs(2.555)
@programs(1255)
@programs(np.float64(2.555))
@programs(np.float32(2.555))
@programs(V)
def rounded_to_digits(x):
    return round(x, 2), round(x, -1)


@programs(2)
def known_digits(n):
    return round(2.5678, n)


@programs(2.7)
@programs(-2)
@programs(np.float32(2.7))
@programs(np.array(2.5))
@programs(np.array([2.5]))
@programs(np.array([2.5, 1.0]))
@programs(float("nan"))
@programs(2 + 1j)
def conversions(x):
    return int(x), float(x), bool(x), complex(x)


@programs(7, 2)
@programs(-7, 2)
@programs(7.5, -2)
@programs(7, 0)
@programs(7.0, 0.0)
@programs(V, 2)
@programs(np.float64(7.5), 2)
def quotient_and_remainder(a, b):
    return divmod(a, b), divmod(b, a)


@programs(3, 5, 7)
@programs(10, 1000, 1009)
@programs(-2, 5, -7)
@programs(2, 0, 1)
@programs(2, 3, 0)
@programs(2.0, 3, 5)
def modular_power(a, b, m):
    return pow(a, b, m), pow(a, 3, m)


@programs.smooth(2.0, 3.0)
def powers(x, y):
    return pow(x, y) + pow(x, 2) + abs(-x) ** y


# -- what a value is -------------------------------------------------------------------------------


@programs(3.0)
@programs(3)
@programs(True)
@programs(2j)
@programs(V)
@programs(np.float32(2))
@programs(np.array(2.0))
def kinds(x):
    return (
        isinstance(x, float),
        isinstance(x, (int, np.floating)),
        isinstance(x, np.ndarray),
        isinstance(x, numbers.Real),
        type(x).__name__,
        issubclass(type(x), (int, float)),
        np.isscalar(x),
        callable(x),
        hasattr(x, "shape"),
        hasattr(x, "__len__"),
        getattr(x, "foo", None),
        getattr(x, "real"),  # noqa: B009
    )


@programs(3.0)
def a_class_called(x):
    return type(x)(3), type([x])((1, 2)), type(x) is float


@programs(V)
def lengths(v):
    return len(v), len([v, v]), len(range(len(v))), len(v[1:])


class Account:
    def __init__(self, balance):
        self.balance = balance


@programs(2.0)
def attributes_by_name(x):
    account = Account(x)
    setattr(account, "owner", "me")  # noqa: B010
    setattr(account, "balance", x * 2)  # noqa: B010
    found = account.balance, hasattr(account, "rate"), account.owner
    delattr(account, "owner")
    return found, hasattr(account, "owner"), getattr(account, "rate", 0.5)


# -- range, enumerate, zip, reversed, map, filter --------------------------------------------------


@programs(7)
def attributes_of_a_range(n):
    r = range(1, n, 4)
    return r.start, r.stop, r.step, len(r), r[0], r[-1], range(n)[n - 1], range(n)[2:4]


@programs(7, 7)
@programs(7, -8)
@programs(7, 3)
def an_element_of_a_range(n, i):
    return range(n)[i]


@programs(7, 4)
@programs(7, 5)
@programs(4, 7)
@programs(-3, 0)
@programs(7, 4.0)
@programs(7, 4.5)
def in_a_range(n, i):
    return i in range(n), i in range(0, n, 2), i in range(n, 0, -3), i in range(3), 2 in range(n)


@programs(4)
def ranges_as_lists(n):
    r = range(n)
    return list(r), r.index(2), r == range(4), list(reversed(range(0, n, 2))), bool(r), r.count(1)


@programs(3, 0)
def a_range_without_a_step(n, step):
    return sum(range(0, n, step))


@programs(V)
def loops_with_a_count(v):
    s = 0.0
    for i, a in enumerate(v, 1):
        s += i * a
    for i, (a, b) in enumerate(zip(v, W), start=-1):
        s += i * a * b
    for a in reversed(v):
        s = s * 2 + a
    return s, list(enumerate(v[:2], 5)), list(zip(v, "abc"))


@programs(2, V)
@programs(5, V)
def zipped_to_the_shortest(n, v):
    s = 0.0
    for i, a in zip(range(n), v):
        s += i * a
    for a, i in zip(v, range(n)):
        s -= i * a
    return s


@programs(V)
def zipped_strictly(v):
    return list(zip(v, v, strict=True)), list(zip([1, 2, 3], v, strict=True))


@programs(V)
def zipped_strictly_though_shorter(v):
    return list(zip(v, v[:2], strict=True))


def positive_part(a):
    if a > 0:
        return a * 2
    return 0.0


@programs.smooth(V)
def mapped(v):
    s = sum(map(positive_part, v)) + sum(map(lambda a, b: a * b, v, v[::-1]))
    for i, a in enumerate(map(positive_part, v)):
        s += i * a
    return s


@programs(2.0)
def mapped_lists(x):
    return list(map(positive_part, [x, -3.0])), list(map(float, [x, 1])), list(map(str, [1, 2]))


@programs.smooth(V)
def filtered(v):
    s = sum(filter(lambda a: a > 0, v))
    for a in filter(lambda a: a < 2.5, v):
        s += a * a
    return s


@programs(3.0)
def filtered_lists(x):
    s = 0.0
    for a in filter(lambda a: a > 1, [x, 2.5, 1.0]):
        s += a
    return s, list(filter(None, [0, 1, 2])), list(filter(lambda i: i % 2, range(5)))


@programs(V)
def kept_elements(v):
    return sum([a * 2 for a in filter(lambda a: a > 0, v)]), sum(list(filter(lambda a: a < 0, v)))


@programs(3.0)
@programs(0.5)
def sorted_beside_texts(x):
    return sorted([(x, "a"), (1.0, "b")], key=lambda pair: pair[0])


# -- refused ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "function",
    [
        lambda x: hash(x),
        lambda x: id(x),
        lambda x: any(map(lambda i: print(i) or x == i, [1, 2])),
        lambda x: {x * 1j: 1},
        lambda x: complex(x, 1j),
        lambda x: pow(int(x), -1, 5),
        lambda x: sorted([(x, abs), (1.0, float)], key=lambda pair: pair[0]),
        lambda x: sorted([np.ones(2) * x, np.ones(2)], key=lambda v: v[0]),
    ],
)
def test_refused(function):
    with pytest.raises(errors.AutographError) as caught:
        ag.to_graph(function)(3.0)
    assert caught.value.fix


@pytest.mark.parametrize(
    "function",
    [
        lambda x: max(x),
        lambda x: max(x, 1.0, default=2.0),
        lambda x: max([]),
        lambda x: sum(x),
        lambda x: sorted([x, 1j]),
        lambda x: round(np.ones(2) * x),
        lambda x: len(x),
        lambda x: divmod(x, "a"),
        lambda x: int("a"),
        lambda x: pow(x, 2, 3),
    ],
)
def test_mistakes_are_those_of_python(function):
    expected = outcome(function, (3.0,)).error
    with pytest.raises(type(expected)):
        ag.to_graph(function)(3.0)


def test_many_rows_are_a_loop():
    """Also more of them than Python would go through."""
    v = np.cos(np.arange(1000.0))
    check(lambda v: (max(v), min(v, key=abs), sum(map(positive_part, v)), any(v > 2)), v)


def test_the_length_of_a_range_is_not_part_of_the_signature():
    f = ag.to_graph(lambda n: len(range(n)) + sum(range(n)) + max(range(n)))
    assert [f(3), f(7)] == [8, 34]
    assert "n: int" in str(f.graph(3))
