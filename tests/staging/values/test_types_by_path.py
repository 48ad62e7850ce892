"""What operators and functions make of a number that is of another type on each path: a number of
the type that it has on the path, or an array, if its dtype is the same on all."""

import math

import numpy as np
import pytest

import autograph as ag
from autograph.errors import BranchMismatchError
from tests.support.oracle import check

OPERATORS = {
    "quotient": lambda x, y: (y / x, x / y, y // 2.5, 7 % y),
    "power": lambda x, y: (y**x, x**y, y**y, 1.5**y),
    "quotient of a quotient": lambda x, y: y / 3 / y,
    "rounded": lambda x, y: (np.round(y, 1), round(y, 1), round(y)),
    "clipped": lambda x, y: np.clip(y, 0, 5),
    "sum": lambda x, y: (np.sum(y), np.mean(y)),
    "floor": lambda x, y: (math.floor(y), int(y), float(y)),
    "operators of NumPy": lambda x, y: (np.add(y, 1), np.abs(y), np.negative(y)),
    "quotient by NumPy": lambda x, y: (np.divide(y, 2), np.power(y, 2.0), np.equal(y, y)),
}
SECOND = {"int and float": float, "float and float64": np.float64, "float and float32": np.float32}


@pytest.mark.parametrize("second", SECOND)
@pytest.mark.parametrize("name", OPERATORS)
def test_numbers(name, second):
    f, kind, first = OPERATORS[name], SECOND[second], 2 if second.startswith("int") else 2.5

    def chosen(x, c):
        y = first
        if c > 0:
            y = kind(x)
        return f(x, y)

    for x, c in ((2.0, 1.0), (3.0, -1.0)):
        check(chosen, x, c)


def test_a_complex_number_or_a_float():
    def root(x):
        r = complex(0.0, abs(x) ** 0.5) if x < 0 else x**0.5
        return (1.0 + r) / (2 * x), r * 2 / x

    for x in (4.0, -4.0):
        check(root, x)


ALIKE = {
    "array of both": lambda x, y: np.array([y, 1.0]),
    "in a place": lambda x, y: x.__setitem__(0, y) or x,
    "appended": lambda x, y: np.append(x, y),
    "sum with a list": lambda x, y: np.add(y, [1.0, 2.0]),
    "product": lambda x, y: x * y,
    "full": lambda x, y: np.full(2, y, float),
    "full like": lambda x, y: np.full_like(x, y),
}


@pytest.mark.parametrize("name", ALIKE)
def test_arrays_of_one_dtype(name):
    def chosen(x, c):
        y = 2
        if c > 0:
            y = 2.5
        return ALIKE[name](x, y)

    for c in (1.0, -1.0):
        check(chosen, np.array([1.0, 2.0]), c)


OTHER = {
    "product": lambda x, y: x * y,
    "extremum": lambda x, y: np.maximum(x, y),
    "where": lambda x, y: np.where(x > 0, x, y),
    "clipped": lambda x, y: np.clip(x, 0, y),
}


@pytest.mark.parametrize("name", OTHER)
def test_arrays_of_another_dtype_on_each_path(name):
    def scaled(w, c):
        s = 2.0
        if c > 0:
            s = np.float64(c)
        return OTHER[name](w, s)

    w = np.ones(2, np.float32)
    for c in (1.5, -1.5):
        with pytest.raises(BranchMismatchError, match="AG0593"):
            ag.to_graph(scaled)(w, c)
    check(scaled, np.ones(2), 1.5)


@pytest.mark.parametrize("make", [lambda y: np.array([y, y]), lambda y: np.full(3, y)])
def test_arrays_made_of_it(make):
    def made(x):
        y = 2
        if x > 0:
            y = 2.5
        return make(y)

    with pytest.raises(BranchMismatchError, match="AG0593"):
        ag.to_graph(made)(1.0)


WITHOUT_BOOLEANS = {
    "negative": np.negative,
    "positive": np.positive,
    "sign": np.sign,
    "difference": lambda v: np.subtract(v, True),
    "subscript of a range": lambda v: range(5)[v],
    "part of an array": lambda v: np.arange(4.0)[v:].sum(),
}
OF_INTEGERS = {
    "inverse": np.invert,
    "shifted": lambda v: np.left_shift(v, 1),
    "bits": lambda v: np.bitwise_and(v, 1),
    "divisor": lambda v: np.gcd(v, 4),
}


def raised_or_given(function, *args):
    try:
        result = function(*args)
    except Exception as error:
        return "TypeError" if isinstance(error, TypeError) else error
    return type(result), result


@pytest.mark.parametrize("name", [*WITHOUT_BOOLEANS, *OF_INTEGERS])
def test_functions_that_take_numbers_of_one_of_the_types_only(name):
    kind = np.bool_ if name in WITHOUT_BOOLEANS else np.float64
    function = (WITHOUT_BOOLEANS | OF_INTEGERS)[name]

    def chosen(n, c):
        return function(n if c > 0 else kind(n))

    compiled = ag.to_graph(chosen)
    if name == "subscript of a range":  # what recording alone meets, is refused
        assert raised_or_given(compiled, 2, 1.0) == "TypeError"
        return
    for n, c in ((2, 1.0), (1, -1.0), (3, 1.0)):
        assert raised_or_given(compiled, n, c) == raised_or_given(chosen, n, c)


def test_functions_of_numpys_take_booleans_for_its_own():
    def chosen(n, c):
        return np.negative(n > 0 if c > 0 else np.bool_(n))

    for c in (1.0, -1.0):
        with pytest.raises(TypeError, match="boolean negative"):
            ag.to_graph(chosen)(1, c)


def test_an_element_of_an_array_by_a_number_or_a_mask():
    def chosen(x, n, c):
        return x[n if c > 0 else n > 0]

    with pytest.raises(BranchMismatchError):
        ag.to_graph(chosen)(np.arange(3.0), 1, 1.0)
