"""Elements of containers at an index, or by a key, known only at run time.

The index comes from a float, so that it can't become part of the signature.
"""

import dataclasses
import enum
import operator
from collections import Counter, deque
from typing import ClassVar

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs, check

programs = Programs()

NUMBERS = (3, 1, 4)
MIXED = (1, 2.5, True)
MOVES = ((0, 1), (1, 0), (0, -1), (-1, 0))
LETTERS = "abcdefghijklmnopqrstuvwxyz"
NAMES = ["alpha", "beta", "gamma"]
LARGE = tuple(float(i) for i in range(1000))
LARGE_MIXED = tuple(i if i % 2 else i + 0.5 for i in range(1000))
SQUARES = {i * i: i + 0.5 for i in range(20)}


class Colour(enum.Enum):
    RED = 1
    BLUE = 7


class Named(str, enum.Enum):
    A = "a"
    B = "b"


class Level(enum.IntEnum):
    LOW = 0
    HIGH = 5


class Scaled:
    RATES: ClassVar = [1, 2.5]
    SHIFTS = (0.5, 1.5)

    def __init__(self, factor):
        self.factor = factor
        self.steps = [self.up, self.down]

    def __call__(self, x):
        return x * self.factor

    @property
    def inverse(self):
        return 1.0 / self.factor

    def up(self, x):
        self.factor += x
        return self.factor

    def down(self, x):
        return -self.factor

    def step(self, k, x):
        return self.steps[k](x) * self.RATES[k] + self.SHIFTS[k], self.factor


class Shifted:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, x):
        return np.sin(x) + self.factor

    @property
    def inverse(self):
        return 2.0 / self.factor


@dataclasses.dataclass
class Site:
    place: float
    name: str


# -- tuples, lists, texts --------------------------------------------------------------------------


@programs(1.0)
@programs(-3.0)
@programs(3.0)
@programs(-4.0)
def of_a_tuple(y):
    return NUMBERS[int(y)]


@programs(0.0)
@programs(1.0)
@programs(2.0)
@programs(5.0)
def of_mixed_numbers(y):
    return MIXED[int(y)], [1, 2.5, y][int(y)]


@programs(0.0, np.array([1.0, 2.0]))
@programs(1.0, np.array([1.0, 2.0]))
def of_arrays(y, x):
    return (x, 2 * x)[int(y)]


@programs(0.0, np.ones(2), np.zeros(2))
@programs(1.0, np.ones(2), np.zeros(2))
def the_very_array(y, a, b):
    return [a, b][int(y)], (b, a)[int(y)]


@programs(np.arange(6.0).reshape(2, 3), 1)
def axes_and_sizes(x, k):
    for i in range(2):
        x = np.sum(x, axis=(1, 0)[i], keepdims=True)
        x = np.sum(x, axis=[-1, 1][i], keepdims=True)
    return x, np.sum(np.ones((2, 3)), axis=(0, 1)[k]), np.zeros((1, 2)[k]), range(2, 9)[k]


@programs(1.0)
@programs(-1.0)
def by_integers_of_numpy(y):
    return NUMBERS[np.int8(y)], NUMBERS[np.uint64(y * y)], MIXED[y > 0.0]


@programs(1.0)
def by_a_float(y):
    return NUMBERS[y]


@programs(1.0)
@programs(0.0)
@programs(2.0)
def with_none(y):
    found = (None, 1.5, 2.5)[int(y)]
    return -1.0 if found is None else found


@programs(2.0)
@programs(30.0)
def of_a_text(y):
    letter = LETTERS[int(y)]
    print(letter, NAMES[int(y)], f"{letter}!")
    return letter == "c", letter in "abc", b"abc"[int(y)]


@programs(1.0)
@programs(3.0)
def unpacked(y):
    row, column = MOVES[int(y)]
    return row + 1, column - 1


@programs(0.0)
@programs(1.0)
def nested(y):
    return ((1, ("a", np.sin)), (2.5, ("b", np.cos)))[int(y)]


@programs(0.0)
@programs(1.0)
def of_lists_of_other_lengths(y):
    rows = [[1, 2], [3, 4, 5]]
    total = 0
    for value in rows[int(y)]:
        total += value
    return total


@programs(999.0)
@programs(7.0)
@programs(1000.0)
def of_large_tables(y):
    return LARGE[int(y)], LARGE_MIXED[int(y)]


@programs(0.0)
@programs(2.0)
def handled(y):
    try:
        return (1.0, 2.5)[int(y)]
    except IndexError:
        return 0.0


# -- functions and objects -------------------------------------------------------------------------


@programs.smooth(0.7, 0.0)
@programs.smooth(0.7, 1.0)
@programs.smooth(0.7, 2.0)
def of_functions(x, y):
    a = 2 * x
    return (np.sin, lambda v: v * v, lambda v: v * a)[int(y)](x)


@programs(0.0, 0.5)
@programs(1.0, 0.5)
def of_methods(y, x):
    return Scaled(3.0).step(int(y), x)


@programs(0.0, 0.5)
@programs(1.0, 0.5)
def of_objects(y, x):
    layer = (Scaled(2.0), Shifted(1.0))[int(y)]
    return layer(x), layer.factor, isinstance(layer, Scaled)


@programs(0.0, 0.5)
@programs(1.0, 0.5)
def properties_of_objects(y, x):
    return (Scaled(x - x), Shifted(x))[int(y)].inverse


@programs(0.0, 0.5)
@programs(1.0, 0.5)
def changed_objects(y, x):
    first, second = Scaled(2.0), Shifted(1.0)
    one = (first, second)[int(y)]
    one.factor = x
    first.factor += 1.0
    if x > 0:
        one.factor += 2.0
    return first.factor, second.factor, one.factor


@programs(1.0, np.arange(4.0))
@programs(0.0, np.arange(4.0))
def of_functions_of_numpy(y, x):
    return (np.sum, np.mean, np.max)[int(y)](x), [np.cumsum, np.sort][int(y)](x)


@programs(0.0)
@programs(1.0)
@programs(2.0)
def of_other_containers(y):
    k = int(y)
    counts = Counter("aab")
    return (
        deque([1.0, 2.5, 3])[k],
        k in {1: 2.0}.keys(),
        counts["abc"[k]],
        operator.getitem("abc", k),
    )


@programs(0.0)
@programs(1.0)
def of_records(y):
    return (Site(1.0, "here"), Site(2.0, "there"))[int(y)].name


# -- dicts and enumerations ------------------------------------------------------------------------


@programs(0.0, 0.5)
@programs(1.0, 0.5)
@programs(5.0, 0.5)
def of_a_dict(y, x):
    return {0: x, 1: 3, "a": 2.0}[int(y)]


@programs(0.0)
@programs(9.0)
@programs(10.0)
def of_a_dict_of_many(y):
    k = int(y)
    return SQUARES.get(k), SQUARES.get(y, -1.0), k in SQUARES, k in {1, 9}, {0: np.sin}.get(k)


@programs(9.0)
@programs(10.0)
def by_a_missing_key(y):
    return SQUARES[int(y)]


@programs(1.0)
@programs(-1.0)
def by_a_text(y):
    return {"a": 1.0, "b": 2}["a" if y > 0 else "b"]


@programs(1.0)
@programs(7.0)
@programs(4.0)
def members(y):
    return Colour(int(y)), Colour(int(y)) is Colour.RED


@programs(0.0)
@programs(1.0)
@programs(2.0)
def named_members(y):
    return Named("abc"[int(y)]), Colour[("RED", "BLUE", "RED")[int(y)]]


@programs(0.0)
@programs(5.0)
@programs(1.0)
def numbered_members(y):
    return Level(int(y)) == Level.HIGH


# -- in loops and recursions -----------------------------------------------------------------------


@programs(9.0)
@programs(0.0)
def walk(y):
    row = column = heading = 0
    for k in range(int(y)):
        down, right = MOVES[heading]
        row += down * k
        column += right
        if k % 3 == 0:
            heading = (heading + 1) % 4
    return row, column


@programs(40.0)
@programs(0.0)
def in_a_loop(y):
    total, count, letter = 0, 0, "?"
    for k in range(int(y)):
        total += MIXED[k % 2]
        letter = LETTERS[k * 7 % 26]
        if letter in "aeiou":
            count += {0: 1, 1: 2}[k % 2]
    return total, count, letter


@programs.smooth(0.7, 5.0)
@programs.smooth(0.7, 0.0)
def functions_in_a_loop(x, y):
    for k in range(int(y)):
        x = (np.sin, np.cos, lambda v: v * 0.9)[k % 3](x) * (x, 2.0, x * x)[(k + 1) % 3]
    return x


@programs(np.array([1.0, 0.0, 1.0]))
@programs(np.array([1.0, 2.0, 1.0]))
def in_a_branch_of_an_unrolled_loop(places):
    total = 0.0
    for place in places:
        if place == 1:
            total += (2, 3.5)[int(place)]
        else:
            total -= {0: 1.0}[int(place)]
    return total


@programs(3.0)
def in_a_loop_of_many_trips(y):
    total = 0.0
    for k in range(1000):
        total += MIXED[k % 2] * y
    return total


@programs(4.0)
def in_a_recursion(y):
    def down(k):
        return 0 if k == 0 else down(k - 1) + (1, 1.5, 2)[k % 3]

    return down(int(y))


@programs(np.array([1, 0, 2]))
def in_a_comprehension(places):
    return [NUMBERS[i] for i in places], [{0: 1.0, 1: 2.0}.get(i, 3.0) for i in places]


@programs.test
def test_picked_elements(call):
    call.run()


# -- transforms ------------------------------------------------------------------------------------


def from_a_tuple(y, x):
    return (x, 2 * x, x * x)[int(y)] * MIXED[int(y)]


def from_a_dict(y, x):
    return {0: x, 1: x * x, 2: 3.0}[int(y)]


def from_a_text(y, x):
    return x if "ACG"[int(y)] == "C" else (np.sin, np.exp, np.cos)[int(y)](x)


def from_objects(y, x):
    return (Scaled(2.0), Shifted(1.0), Scaled(x))[int(y)](x)


@pytest.mark.parametrize(
    "function", [from_a_tuple, from_a_dict, from_a_text, from_objects], ids=lambda f: f.__name__
)
def test_in_lanes(function):
    y, x = np.array([0.0, 1.0, 2.0, 1.0]), np.array([0.3, 0.5, 0.7, 0.9])
    expected = [function(*lane) for lane in zip(y.tolist(), x.tolist())]
    np.testing.assert_allclose(ag.vmap(function)(y, x), expected)
    slope = ag.grad(function, argnums=1)
    slopes = [slope(*lane) for lane in zip(y.tolist(), x.tolist())]
    near = [
        (function(a, b + 1e-6) - function(a, b - 1e-6)) / 2e-6
        for a, b in zip(y.tolist(), x.tolist())
    ]
    np.testing.assert_allclose(slopes, near, rtol=1e-7)
    np.testing.assert_allclose(ag.vmap(slope)(y, x), slopes)
    tangents = [ag.jvp(lambda v: function(a, v), (b,), (1.0,))[1] for a, b in zip(y, x)]
    np.testing.assert_allclose(tangents, slopes)


def test_lanes_out_of_range():
    with pytest.raises(IndexError, match="tuple index out of range"):
        ag.vmap(from_a_tuple)(np.array([0.0, 3.0]), np.ones(2))
    with pytest.raises(KeyError, match="5"):
        ag.vmap(from_a_dict)(np.array([0.0, 5.0]), np.ones(2))


# -- what is said ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "argument", "text"),
    [
        (of_a_tuple, 3.0, "tuple index out of range"),
        (lambda y: [1, 2.5][int(y)], -3.0, "list index out of range"),
        (of_a_text, 30.0, "string index out of range"),
        (by_a_missing_key, 10.0, "10"),
        (members, 4.0, "4 is not a valid Colour"),
    ],
)
def test_texts_of_exceptions(function, argument, text):
    for run in (function, ag.to_graph(function)):
        with pytest.raises((LookupError, ValueError)) as caught:
            run(argument)
        assert str(caught.value) == text


def test_attributes_of_classes_are_read_at_each_call():
    class Settings:
        TABLE: ClassVar = [1.0, 2.5]

    @ag.to_graph
    def read(y):
        return Settings.TABLE[int(y)], Settings.TABLE[int(y)] == 7

    assert read(1.0) == (2.5, False)
    Settings.TABLE[1] = 7
    assert read(1.0) == (7, True)
    Settings.TABLE = ["a", "b", "c"]
    assert read(2.0) == ("c", False)


def returned(y):
    return (Scaled(2.0), Shifted(1.0))[int(y)]


def carried(y):
    kinds = (Scaled(y), Shifted(2.0))
    last = kinds[0]
    for k in range(int(y)):
        last = kinds[k % 2]
    return last.factor


def captured(y):
    a = 2 * y
    step = None
    if y > 0:
        step = (lambda v: v + a, lambda v: v - a)[int(y)]
    return step(y)


def formatted(y):
    return f"{(Scaled(2.0), Shifted(1.0))[int(y)]}"


def of_other_shapes(y):
    return (np.ones(2), np.ones((3, 2)))[int(y)]


def of_other_lengths(y):
    return (np.ones(2), np.ones(3))[int(y)] * y


def of_too_many(y):
    return [np.full(2, float(i)) if i else None for i in range(100)][int(y)]


@pytest.mark.parametrize(
    ("function", "id", "fix"),
    [
        (returned, "AG0368", "keep its index"),
        (carried, "AG0368", "keep its index"),
        (captured, "AG0368", "keep its index"),
        (formatted, "AG0344", "print it"),
        (of_other_shapes, "AG0367", "make an array"),
        (of_too_many, "AG0367", "make an array"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_refusals(function, id, fix):
    with pytest.raises(ag.errors.AutographError) as caught:
        ag.to_graph(function)(1.0)
    assert (caught.value.id, caught.value.location.file) == (id, __file__)
    assert fix in caught.value.fix


def test_elements_of_other_lengths():
    for y in (0.0, 1.0, -1.0):
        assert np.array_equal(ag.to_graph(of_other_lengths)(y), of_other_lengths(y))


def test_the_source_shows_subscripts():
    assert "return NUMBERS[ops.call(int, y)]" in ag.to_graph(of_a_tuple).converted


def test_an_array_that_is_changed_under_another_name():
    def changed(y):
        first, second = np.array([1.0, 2.0]), np.array([3.0, 4.0])
        one = (first, second)[int(y)]
        one += 1.0
        return first, second

    with pytest.raises(ag.errors.MutationError, match="AG0325"):
        ag.to_graph(changed)(1.0)


def test_a_list_of_mixed_numbers_keeps_their_types():
    check(lambda y, x: [type(v) is int for v in [[1, 2.5, x][int(y)]]], 0.0, 0.3)


@pytest.mark.parametrize(
    "f", [lambda n: n in {1, 2}, lambda n: {1: 2.0}.get(n), lambda n: {1: 2}[n]]
)
def test_arrays_without_axes_are_no_keys(f):
    for function in (f, ag.to_graph(f)):
        with pytest.raises(TypeError, match="unhashable type"):
            function(np.array(1))
