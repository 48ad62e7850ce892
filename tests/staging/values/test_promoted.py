"""Numbers of one of several types: the types, and what is computed of them."""

from io import StringIO

import numpy as np
import pytest

import ops
from autograph.staging.values.promoted import (
    Promoted,
    PromotedNumber,
    arranged,
    by_kind,
    carry,
    constructor,
    each_in_its_type,
    holds,
    in_order,
    join_types,
    joined,
    types_of,
)
from ops.core.types import array, weak
from tests.support.build_graphs import BOOL, FLOAT, INT

COMPLEX = weak(complex)
F4, F8, I4, I8 = (array(name, ()) for name in ("f4", "f8", "i4", "i8"))


@pytest.mark.parametrize(
    "a, b, both",
    [
        (INT, INT, INT),
        (BOOL, INT, INT),
        (INT, FLOAT, FLOAT),
        (FLOAT, COMPLEX, COMPLEX),
        (FLOAT, F4, F4),  # Python's numbers take the dtype of NumPy's
        (INT, I4, I4),
        (BOOL, I4, I4),
        (FLOAT, I4, F8),
        (F4, I4, F8),
        (F4, F8, F8),
        (array("f4", (3,)), array("f8", (3,)), array("f8", (3,))),
        (F4, array("f4", (3,)), None),
        (array("f4", (2,)), array("f4", (3,)), None),
        (array("f4", (None,)), array("f4", (3,)), None),
    ],
)
def test_join_types(a, b, both):
    assert join_types(a, b) == join_types(b, a) == both


def test_in_order():
    kinds = (F8, F4, COMPLEX, FLOAT, INT, BOOL, I8)
    assert in_order(kinds) == in_order(kinds[::-1]) == (BOOL, INT, FLOAT, COMPLEX, I8, F4, F8)
    assert in_order([INT, INT]) == (INT,)
    assert in_order([]) == ()


def test_joined():
    assert joined((FLOAT, F4)) == F4
    assert joined((INT,)) == INT
    assert joined((BOOL, INT, FLOAT)) == FLOAT


@pytest.mark.parametrize(
    "wide, kind, all_there",
    [
        (FLOAT, FLOAT, True),
        (FLOAT, F8, True),
        (FLOAT, BOOL, True),
        (F8, F4, True),
        (F4, F8, False),
        (F8, I8, False),  # which has larger integers than a float tells apart
        (I8, I4, False),
        (COMPLEX, FLOAT, False),
    ],
)
def test_holds(wide, kind, all_there):
    assert holds(wide, kind) is all_there


def test_what_is_carried_apart():
    assert Promoted((BOOL, FLOAT)).apart == []
    assert Promoted((INT, FLOAT)).apart == [INT]
    assert Promoted((INT, FLOAT)).type == FLOAT


@pytest.mark.parametrize("kind, made", [(INT, 3), (F4, np.float32(3)), (BOOL, True)])
def test_constructor(kind, made):
    found = constructor(kind)(3.0)
    assert type(found) is type(made) and found == made


LARGE = 2**60 + 1  # which a float rounds


def number(recording, value):
    """An int or float, of which only the run knows which it is."""
    kinds = (INT, FLOAT)
    which = recording.given(kinds.index(weak(type(value))))
    exact = recording.given(value if type(value) is int else 0)
    return PromotedNumber(recording.given(float(value)).value, kinds, which, [exact, None])


def test_it_is_a_number_of_the_promoted_type(recording):
    x = number(recording, LARGE)
    assert types_of(x) == (INT, FLOAT)
    assert recording.run(x) == float(LARGE)


def test_what_is_of_one_type_only(recording):
    assert types_of(recording.given(2.5)) == types_of(2.5) == ()
    x = number(recording, 3)
    x.is_array = True  # which may be changed in place
    assert types_of(x) == ()


@pytest.mark.parametrize("value", [LARGE, 0.5])
def test_each_type_has_its_number(recording, value):
    x = number(recording, value)
    assert recording.run(x.of_kind(type(value) is float)) == value


@pytest.mark.parametrize("value, found", [(LARGE, LARGE // 2), (0.5, 0.25)])
def test_by_kind(recording, value, found):
    half = lambda own: own // 2 if own.type == INT else own / 2
    given = number(recording, value)
    assert recording.run(ops.cast(by_kind(given, half), dtype="float64")) == float(found)


def test_each_of_several_in_its_type(recording):
    x, y = number(recording, 3), number(recording, 0.5)
    seen = StringIO()  # not a list, whose changes in branches are undone
    each_in_its_type(
        [x, y, x], lambda known: print(known[x].type, known[y].type, sep="/", end=" ", file=seen)
    )
    assert seen.getvalue() == "int/int int/float float/int float/float "


def test_too_many_are_not_told_apart(recording):
    numbers = [number(recording, 3) for _ in range(5)]
    seen = []
    each_in_its_type(numbers, lambda known: seen.append(len(known)))
    assert seen == [0]


@pytest.mark.parametrize("value", [LARGE, 0.5])
def test_sums_are_of_the_type_that_python_gives(recording, value):
    total = number(recording, value) + 1
    assert types_of(total) == (INT, FLOAT)
    kind = type(value) is float
    assert recording.run(total.which) == kind
    assert recording.run(total.of_kind(kind)) == value + 1


def test_what_is_a_float_anyway_has_one_type(recording):
    x = number(recording, 3)
    assert types_of(x + 0.5) == types_of(x / 2) == types_of(ops.sin(x)) == ()


@pytest.mark.parametrize("value", [LARGE, 0.5])
def test_what_carries_one(recording, value):
    x = number(recording, value)
    wider = Promoted((BOOL, INT, FLOAT))
    which, exact, promoted = recording.run(*carry(x, wider, lambda box: box.value))
    assert (which, promoted) == (1 + (type(value) is float), float(value))
    if type(value) is int:
        assert exact == value


def test_what_carries_a_plain_number(recording):
    kind = Promoted((INT, FLOAT))
    assert recording.run(*carry(LARGE, kind, None)) == (0, LARGE, float(LARGE))
    which, _, promoted = recording.run(*carry(0.5, kind, None))
    assert (which, promoted) == (1, 0.5)


def test_numbers_in_the_order_that_the_run_finds(recording):
    kind = Promoted((INT, FLOAT))
    made = arranged(
        [LARGE, 0.5, number(recording, LARGE)], kind, recording.given(np.array([1, 2, 0]))
    )
    assert [types_of(x) for x in made] == [(INT, FLOAT)] * 3
    assert recording.run(*(x.which for x in made)) == (1, 0, 0)
    assert recording.run(made[0].of_kind(1), made[1].of_kind(0)) == (0.5, LARGE)
    assert recording.run(made[2]) == float(LARGE)


def quotient_by_zero(recording, which):
    """A quotient of a number that is Python's, 0, or NumPy's, 1."""
    place, one, zero = map(recording.given, (which, np.float64(1.0), 0.0))
    return PromotedNumber(one.value, (FLOAT, F8), place, [None, None]) / zero


def test_a_division_of_pythons_numbers_fails(recording):
    result = quotient_by_zero(recording, 0)
    with pytest.raises(ZeroDivisionError):
        recording.run(result)


def test_a_division_of_numpys_numbers_does_not(recording):
    result = quotient_by_zero(recording, 1)
    with np.errstate(divide="ignore"):
        assert recording.run(result) == np.inf
